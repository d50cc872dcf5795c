/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads CSV files as people and spreadsheets write them. A file that could be read in two ways, because of
 * decimal commas or another order of day and month, is refused with its line, never guessed.
 */
#define _XOPEN_SOURCE 700

#include "io.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

int csv_error(const struct csv *csv, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cli_error(CLI_USAGE, "%s: %s line %llu: %s%s", csv->option, csv->path,
                     (unsigned long long)csv->line, cli_printable(text),
                     csv->separator == ';' ? " (fields are separated by ';'; commas are expected)"
                     : csv->separator      ? " (fields are separated by tabs; commas are expected)"
                                           : "");
}

int csv_open(struct csv *csv, const char *option, const char *path)
{
    memset(csv, 0, sizeof *csv);
    csv->option = option;
    csv->path = path;
    csv->file = fopen(path, "rb");
    if (!csv->file) return cli_error(CLI_FAILED, "%s: cannot open %s: %s", option, path, strerror(errno));
    return CLI_OK;
}

void csv_close(struct csv *csv)
{
    if (csv->file) fclose(csv->file);
    free(csv->text);
    free(csv->field);
    memset(csv, 0, sizeof *csv);
}

/* Reads a line without its end into csv->text; *ended if there is none. */
static int read_line(struct csv *csv, int *ended)
{
    size_t length = 0;
    int c;
    *ended = 0;
    csv->line++;
    while ((c = getc(csv->file)) != EOF && c != '\n') {
        if (!c) return csv_error(csv, "a zero byte: this is not a text file");
        if (length == CSV_LINE_MAX) return csv_error(csv, "the line is longer than %zu bytes", CSV_LINE_MAX);
        if (length + 2 > csv->text_size) {
            size_t size = csv->text_size ? 2 * csv->text_size : 256;
            char *text = realloc(csv->text, size);
            if (!text) return cli_memory_error(csv->path, size);
            csv->text = text;
            csv->text_size = size;
        }
        csv->text[length++] = (char)c;
    }
    if (c == EOF && ferror(csv->file))
        return cli_error(CLI_FAILED, "%s: cannot read %s: %s", csv->option, csv->path, strerror(errno));
    *ended = c == EOF && !length;
    if (!length) /* an empty line, or none: nothing may be allocated yet */
        return CLI_OK;
    if (csv->text[length - 1] == '\r') length--;
    csv->text[length] = 0;
    if (csv->line == 1 && !strncmp(csv->text, "\xef\xbb\xbf", 3))
        memmove(csv->text, csv->text + 3, length - 2);
    return CLI_OK;
}

static int add_field(struct csv *csv, char *begin, char *end)
{
    if (csv->fields == csv->field_size) {
        size_t size = csv->field_size ? 2 * csv->field_size : 16;
        char **field = realloc(csv->field, size * sizeof *field);
        if (!field) return cli_memory_error(csv->path, size * sizeof *field);
        csv->field = field;
        csv->field_size = size;
    }
    *end = 0;
    csv->field[csv->fields++] = begin;
    return CLI_OK;
}

static int is_space(char c) { return c == ' ' || c == '\t'; }

/* What separates the fields of a line instead of commas: a semicolon or tab that occurs outside of quotes at
 * least as often as commas (which may then be decimal commas); 0 if nothing does. */
static char other_separator(const char *line)
{
    size_t commas = 0, semicolons = 0, tabs = 0;
    int quoted = 0;
    for (const char *s = line + strspn(line, " \t"); *s; s++) {
        quoted ^= *s == '"';
        if (quoted) continue;
        commas += *s == ',';
        semicolons += *s == ';';
        const size_t blank = strspn(s, " \t");
        if (!blank) continue;
        /* Tabs next to a comma or at the end are spaces. */
        tabs += memchr(s, '\t', blank) && s[-1] != ',' && s[blank] && s[blank] != ',';
        s += blank - 1;
    }
    if (semicolons && semicolons >= commas && semicolons >= tabs) return ';';
    return tabs && tabs >= commas ? '\t' : 0;
}

static int split(struct csv *csv)
{
    csv->separator = other_separator(csv->text);
    char *s = csv->text;
    for (;;) {
        char *begin, *end;
        while (is_space(*s)) s++;
        if (*s == '"') {
            begin = end = ++s;
            for (; *s && (*s != '"' || s[1] == '"'); s++) {
                s += *s == '"';
                *end++ = *s;
            }
            if (!*s) return csv_error(csv, "a quoted field does not end on its line");
            s++;
            while (is_space(*s)) s++;
            if (*s && *s != ',') return csv_error(csv, "a comma is expected after a quoted field");
        } else {
            begin = s;
            s += strcspn(s, ",");
            for (end = s; end > begin && is_space(end[-1]); end--) continue;
        }
        int more = *s == ',';
        int code = add_field(csv, begin, end);
        if (code || !more) return code;
        s++;
    }
}

void csv_trim(struct csv *csv, size_t most)
{
    while (csv->fields > most && !*csv->field[csv->fields - 1]) csv->fields--;
}

int csv_next(struct csv *csv)
{
    for (;;) {
        int ended, code;
        csv->fields = 0;
        csv->separator = 0;
        if (csv->text) csv->text[0] = 0;
        code = read_line(csv, &ended);
        if (code || ended) return code;
        if (!csv->text) continue;
        const char *s = csv->text + strspn(csv->text, " \t");
        if (*s && *s != '#' && s[strspn(s, " \t,")]) return split(csv);
    }
}

/* `text` was refused as a number; `other` says what else it could have been. */
static int number_error(const struct csv *csv, enum parse_result result, const char *what, const char *text,
                        const char *other)
{
    if (result == PARSE_RANGE)
        return csv_error(csv, "%s %.60s is beyond the largest double, 1.8e308", what, text);
    return csv_error(csv, "%s '%.60s' is not a finite decimal number%s", what, text, other);
}

int csv_number(const struct csv *csv, size_t field, const char *what, double *value)
{
    enum parse_result result = parse_f64(csv->field[field], value);
    return result == PARSE_OK
               ? CLI_OK
               : number_error(csv, result, what, csv->field[field], parse_hint(csv->field[field], 0));
}

/* As the help lists them. */
static const char *const time_headings[] = {"time",   "times",   "t",    "date",  "dates",
                                            "fixing", "fixings", "year", "years", NULL};
static const char *const order_headings[] = {"order", "orders", "index", "indices", "time", "times", NULL};

/* Whether the first row is a header, of one field: a name that is known, or a word that is certainly not a
 * value. */
static int is_heading(const struct csv *csv, const char *const *known)
{
    const char *text = csv->field[0];
    for (; *known; known++) {
        if (!strcasecmp(text, *known)) return 1;
    }
    if (strpbrk(text, "0123456789") || parse_is_mistyped(text)) return 0;
    cli_error(CLI_OK, "note: %s: %s line %llu: '%.60s' is taken for a header row and skipped", csv->option,
              csv->path, (unsigned long long)csv->line, cli_printable(text));
    return 1;
}

/* Room for one more entry in an array that doubles. */
static int grow(void **values, uint64_t count, size_t entry, const char *path)
{
    if (count & (count - 1) || (count && count < 16)) return CLI_OK;
    size_t size = (size_t)(count ? 2 * count : 16) * entry;
    void *larger = realloc(*values, size);
    if (!larger) return cli_memory_error(path, size);
    *values = larger;
    return CLI_OK;
}

static int one_field(struct csv *csv)
{
    csv_trim(csv, 1);
    if (csv->fields == 1) return CLI_OK;
    return csv_error(csv, "%zu fields; one is expected%s", csv->fields,
                     csv->fields == 2 && isdigit((unsigned char)*csv->field[1])
                         ? "; numbers are written with a decimal point"
                         : "");
}

/* The next row, of one field. */
static int next_value(struct csv *csv)
{
    int code = csv_next(csv);
    return code || !csv->fields ? code : one_field(csv);
}

/* The first value: that of the first row which is not a header. `dated`, if not NULL: the header says that
 * dates follow. */
static int first_value(struct csv *csv, const char *const *headings, int *dated)
{
    int code = next_value(csv);
    if (code || !csv->fields || !is_heading(csv, headings)) return code;
    if (dated) *dated = !strcasecmp(csv->field[0], "date") || !strcasecmp(csv->field[0], "dates");
    return next_value(csv);
}

/* A number where dates are expected may count years, or a spreadsheet's days: it is refused. */
static int refuse_number(const struct csv *csv, int dated, double value)
{
    char text[64] = "";
    if (value >= 20000 && value <= 80000) { /* days from 1899-12-30: 1954 to 2119 */
        const time_t seconds = (time_t)(value - 25569) * 86400;
        strftime(text, sizeof text, "; as a spreadsheet's day this is %Y-%m-%d", gmtime(&seconds));
    }
    return csv_error(csv, "%.60s is a number %s: write dates as YYYY-MM-DD, or %s for numbers of years%s",
                     csv->field[0], dated ? "under the header row date" : "where --valuation expects dates",
                     dated ? "the header row years" : "leave out --valuation", text);
}

/* `dated`: the header says that these are dates. */
static int read_time(const struct csv *csv, int dated, int64_t valuation, double *value)
{
    const char *text = csv->field[0];
    char iso[11];
    int64_t day;
    enum parse_result result = parse_date(text, &day);
    if (result == PARSE_RANGE) return csv_error(csv, "there is no day %.60s", text);
    if (result == PARSE_OK && valuation == INT64_MIN)
        return csv_error(csv, "dates need --valuation YYYY-MM-DD, the day from which they are counted");
    if (result == PARSE_OK) {
        *value = (double)(day - valuation) / 365.0;
        return CLI_OK;
    }
    if (parse_other_date(text, iso)) return csv_error(csv, "%.60s %s", text, parse_date_error(text));
    result = parse_f64(text, value);
    if (result != PARSE_OK)
        return number_error(csv, result, "time", text, " or a date of the form YYYY-MM-DD");
    return dated || valuation != INT64_MIN ? refuse_number(csv, dated, *value) : CLI_OK;
}

/* "time 0.5" or "time 0.5 = 2026-07-02" */
static int not_increasing(const struct csv *csv, double value, double last, const char *which)
{
    char one[40], other[40];
    int64_t day;
    int is_date = parse_date(csv->field[0], &day) == PARSE_OK;
    cli_shortest_f64(one, sizeof one, value);
    cli_shortest_f64(other, sizeof other, last);
    return csv_error(csv, "time %s%s%s is not greater than %s, %s; times must increase", one,
                     is_date ? " = " : "", is_date ? csv->field[0] : "", other, which);
}

static int read_times(struct csv *csv, double after, int64_t valuation, uint64_t most, double **values,
                      uint64_t *count)
{
    int dated = 0, code = first_value(csv, time_headings, &dated);
    double last = after;
    for (; !code && csv->fields; code = next_value(csv)) {
        double value;
        if ((code = read_time(csv, dated, valuation, &value))) return code;
        if (*count == most) return csv_error(csv, "more than %llu times", (unsigned long long)most);
        if (!(value > last))
            return not_increasing(csv, value, last, *count ? "the previous one" : "the start");
        if ((code = grow((void **)values, *count, sizeof **values, csv->path))) return code;
        (*values)[(*count)++] = last = value;
    }
    if (!code && !*count)
        return cli_error(CLI_USAGE, "%s: %s: it contains no time; at least one is required", csv->option,
                         csv->path);
    return code;
}

int csv_times(const char *option, const char *path, double after, const int64_t *valuation, uint64_t most,
              double **values, uint64_t *count)
{
    struct csv csv;
    *values = NULL;
    *count = 0;
    int code = csv_open(&csv, option, path);
    if (!code) code = read_times(&csv, after, valuation ? *valuation : INT64_MIN, most, values, count);
    csv_close(&csv);
    return code;
}

static int read_order(struct csv *csv, uint64_t count, uint32_t *values, uint64_t *line_of)
{
    int code = first_value(csv, order_headings, NULL);
    uint64_t n = 0;
    for (; !code && csv->fields; code = next_value(csv)) {
        uint64_t index = 0;
        if (parse_u64(csv->field[0], &index) != PARSE_OK || index < 1 || index > count)
            return csv_error(csv, "index '%.60s' is outside 1 to %llu, the interior times", csv->field[0],
                             (unsigned long long)count);
        if (line_of[index - 1])
            return csv_error(csv, "index %llu occurs in line %llu already", (unsigned long long)index,
                             (unsigned long long)line_of[index - 1]);
        line_of[index - 1] = csv->line;
        values[n++] = (uint32_t)index;
    }
    if (!code && n != count) {
        uint64_t missing = 0;
        while (line_of[missing]) missing++;
        return cli_error(CLI_USAGE, "%s: %s: %llu of %llu indices; %llu is missing", csv->option, csv->path,
                         (unsigned long long)n, (unsigned long long)count, (unsigned long long)(missing + 1));
    }
    return code;
}

int csv_order(const char *option, const char *path, uint64_t count, uint32_t **values)
{
    struct csv csv;
    uint64_t *line_of = calloc((size_t)count + 1, sizeof *line_of);
    *values = malloc(((size_t)count + 1) * sizeof **values);
    int code = line_of && *values ? csv_open(&csv, option, path) : cli_memory_error(path, count * 12);
    if (!code) code = read_order(&csv, count, *values, line_of);
    if (line_of && *values) csv_close(&csv);
    free(line_of);
    if (code) {
        free(*values);
        *values = NULL;
    }
    return code;
}
