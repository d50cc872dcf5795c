/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey copula: dependent numbers of any distributions, a row for each vector. Vectors are made some
 * thousands at a time; the bytes do not depend on how many.
 */
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/copulas.h>

#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum {
    H_WHAT, COUNT, FIRST, STUDENT, MARGINAL, PRECISION,
    H_SOURCE, SOURCE_OPTION_NAMES,
    H_WHERE, OUTPUT, FORMAT, JSON, DEVICE, THREADS
};
static const struct option options[] = {
    HEADING("Numbers:"),
    OPTION("--count", "N", "number of vectors"),
    OPTION("--first", "N", "number of the first vector, counted from 0; default 0"),
    OPTION("--freedom", "F", "degrees of freedom of Student's copula; default 0, the Gaussian copula"),
    OPTION("--marginal", "'NAME P=V ...'",
           "distribution of the next row of the matrix, and its parameters, as in 'gamma shape=2 scale=10'; the "
           "names are those of 'bailey random'; once for each row, or once for all; default uniform"),
    FIELD(normal_params, precision, "--precision"),
    HEADING("Source:"),
    SOURCE_OPTIONS,
    HEADING("Output and device:"),
    OPTION("--output", "FILE", "file to write, in the format of its name: .csv, text with a row for each vector; "
           ".npy; .bin or .raw, the bytes of the numbers; - (default) is text to standard output", .letter = 'o'),
    OPTION("--format", "csv|npy|raw", "format, if the file name does not give it"),
    OPTION("--json", NULL, "print the report as JSON to standard output"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    OPTIONS_END,
};

/* What stands in a marginal, as options. */
enum { DISTRIBUTION, DISTRIBUTION_OPTION_NAMES, MARGINAL_OPTIONS };
static const struct option marginal_options[] = {
    FIELD(variate_params, distribution, "--distribution"),
    DISTRIBUTION_OPTIONS,
    OPTIONS_END,
};
/* clang-format on */

static const struct command marginal_command = {.name = "copula", .options = marginal_options};

enum { PART = 1 << 16 }; /* numbers that are made at once, of at least one vector */
enum format { FORMAT_CSV, FORMAT_NPY, FORMAT_RAW };
static const char *const formats[] = {"csv", "npy", "raw", NULL};

struct request {
    const char *path, *to; /* the matrix, the output */
    double *matrix;
    char **names; /* of its rows; NULL: none */
    uint64_t dims, first, count;
    double freedom;
    bailey_precision precision;
    bailey_source source;
    int format;
    bailey_variate_params marginal[BAILEY_BRIDGE_MAX_DIMS];
    double *weights[BAILEY_BRIDGE_MAX_DIMS];
    uint64_t marginals; /* 0: uniform numbers; 1, or as many as rows */
};

/* ---- The request ---- */

/* A piece of a text. */
struct part {
    const char *text;
    size_t length;
};

static char *join(const char *before, struct part part)
{
    const size_t length = strlen(before);
    char *word = malloc(length + part.length + 1);
    if (!word) return NULL;
    memcpy(word, before, length);
    memcpy(word + length, part.text, part.length);
    word[length + part.length] = 0;
    return word;
}

static int read_marginal_options(const struct arguments *a, struct request *r)
{
    bailey_variate_params *p = &r->marginal[r->marginals];
    p->normal.precision = r->precision;
    if (a->value[WEIGHTS]) {
        const uint64_t most = option_list_length(a->value[WEIGHTS]);
        double *weights = r->weights[r->marginals] = malloc(most * sizeof *weights);
        if (!weights) return cli_memory_error("weights", most * sizeof *weights);
        p->weights = weights;
        const int code = option_list_f64(a, WEIGHTS, weights, most, &p->weight_count);
        if (code) return code;
    }
    return options_read_fields(a, "variate_params", p);
}

/* Takes the next word of a marginal, of which the first is a name and each other one P=V, as an option and its
 * value; 0 at the end, -1 for another word, which is the value then. */
static int take_word(const char **text, int is_first, struct part *option, struct part *value)
{
    static const char name[] = "distribution";
    const char *from = *text + strspn(*text, " ");
    const size_t length = strcspn(from, " "), key = strcspn(from, "= ");
    *text = from + length;
    *option = is_first ? (struct part){name, sizeof name - 1} : (struct part){from, key};
    *value = (struct part){from, length};
    if (length == 0) return 0;
    if (is_first != (key == length)) return -1;
    if (!is_first) *value = (struct part){from + key + 1, length - key - 1};
    return 1;
}

/* One of --marginal: its words become options. */
static int read_marginal(const char *text, struct request *r)
{
    enum { MOST = MARGINAL_OPTIONS };
    char *words[2 * MOST];
    struct part option, value;
    struct arguments a;
    int count = 0, help = 0, code = CLI_OK, found;
    while (!code && (found = take_word(&text, count == 0, &option, &value)) != 0) {
        if (found < 0 || count == 2 * MOST) {
            code =
                cli_error(CLI_USAGE, "--marginal: '%s' is not a name and parameters, such as 'gamma shape=2'",
                          cli_printable(value.text));
            break;
        }
        words[count] = join("--", option);
        words[count + 1] = join("", value);
        count += 2;
        if (!words[count - 2] || !words[count - 1]) code = cli_memory_error("--marginal", value.length);
    }
    if (!code && count == 0) code = cli_error(CLI_USAGE, "--marginal: names no distribution");
    if (!code) {
        code = options_read(&marginal_command, count, words, &a, &help);
        if (!code && help) code = cli_error(CLI_USAGE, "--marginal: help is not a parameter");
        if (!code) code = read_marginal_options(&a, r);
        options_free(&a);
    }
    r->marginals++;
    while (count > 0) free(words[--count]);
    return code;
}

static int read_format(const struct arguments *a, struct request *r)
{
    static const char *const endings[] = {"csv", "npy", "raw", "bin", NULL};
    r->to = a->value[OUTPUT] ? a->value[OUTPUT] : "-";
    r->format = -1;
    if (!strcmp(r->to, "-") && a->value[JSON])
        return cli_error(CLI_USAGE,
                         "--json and --output - cannot be combined: both write to standard output");
    const int code = option_choice(a, FORMAT, formats, &r->format);
    if (code || r->format >= 0) return code;
    const int ending = option_ending(r->to, endings);
    if (ending < 0 && strcmp(r->to, "-"))
        return cli_error(CLI_USAGE, "--output: '%s' does not end with .csv, .npy, .bin or .raw; add --format",
                         cli_printable(r->to));
    r->format = ending < 0 ? FORMAT_CSV : ending > FORMAT_RAW ? FORMAT_RAW : ending;
    return CLI_OK;
}

static int read_request(const struct arguments *a, struct request *r)
{
    bailey_variate_params numbers = {0};
    int code;
    if (!a->file)
        return cli_error(CLI_USAGE, "name a file with the correlations: bailey copula FILE --count N");
    if (!a->value[COUNT]) return cli_error(CLI_USAGE, "--count N is required");
    if ((code = option_u64(a, COUNT, 1, UINT64_C(1) << 38, &r->count)) ||
        (code = option_u64(a, FIRST, 0, UINT64_C(1) << 38, &r->first)) ||
        (code = option_f64(a, STUDENT, &r->freedom)) ||
        (code = source_read(a, &r->source, &numbers.normal)) || (code = read_format(a, r)) ||
        (code = csv_named_square("matrix", r->path, &r->matrix, &r->dims, &r->names)))
        return code;
    r->precision = numbers.normal.precision;
    if (r->dims > BAILEY_BRIDGE_MAX_DIMS)
        return cli_error(CLI_USAGE, "%s: %s rows, at most %d", cli_printable(r->path), cli_count(r->dims),
                         BAILEY_BRIDGE_MAX_DIMS);
    for (int i = 0; i < a->repeats && !code; i++) code = read_marginal(a->repeated[i], r);
    if (!code && r->marginals > 1 && r->marginals != r->dims)
        code = cli_error(CLI_USAGE, "--marginal: %s of them for %s rows; give one for each, or one for all",
                         cli_count(r->marginals), cli_count(r->dims));
    return code;
}

/* ---- Numbers ---- */

struct work {
    bailey_context *context;
    bailey_device device;
    bailey_buffer *words, *numbers;
    void *from, *to;  /* [dim][vector] as the device has them, and [vector][dim] */
    uint64_t vectors; /* of a part */
    struct output output;
};

static int prepare(const struct arguments *a, struct work *w, const struct request *r)
{
    int code = open_device(a, a->value[DEVICE], &w->context, &w->device);
    if (code) return code;
    w->vectors = r->dims < PART ? PART / r->dims : 1;
    if (w->vectors > r->count) w->vectors = r->count;
    const uint64_t bytes = w->vectors * r->dims * (r->precision == BAILEY_PRECISION_F64 ? 8 : 4);
    w->from = malloc(bytes);
    w->to = malloc(bytes);
    if (!w->from || !w->to) return cli_memory_error("vectors", bytes);
    code = cli_check(bailey_buffer_create(w->context, bytes, &w->words), "memory of vectors");
    return code ? code : cli_check(bailey_buffer_create(w->context, bytes, &w->numbers), "memory of vectors");
}

/* Computed as uniform numbers are from elements. */
static void make_uniform(const struct request *r, void *words, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (r->precision == BAILEY_PRECISION_F64) {
            const double u = ((double)(((uint64_t *)words)[i] >> 12) + 0.5) * 0x1p-52;
            memcpy((char *)words + 8 * i, &u, 8);
        } else {
            const float u = (float)(((double)(((uint32_t *)words)[i] >> 9) + 0.5) * 0x1p-23);
            memcpy((char *)words + 4 * i, &u, 4);
        }
}

/* Vectors first ... into `to`, [vector][dim]. */
static int make_part(const struct arguments *a, struct work *w, const struct request *r, uint64_t first,
                     uint64_t count)
{
    const size_t element = r->precision == BAILEY_PRECISION_F64 ? 8 : 4;
    bailey_status status = bailey_copula_generate(w->context, &r->source, r->matrix, (uint32_t)r->dims,
                                                  r->freedom, r->precision, first, count, w->words);
    if (status && bailey_error_argument() && !strcmp(bailey_error_argument(), "correlation"))
        return csv_check_matrix(status, "matrix", "matrix", r->path, (const char *const *)r->names);
    for (uint64_t d = 0; d < r->dims && !status && r->marginals; d++)
        status = bailey_variates_of_words(w->context, &r->marginal[r->marginals > 1 ? d : 0], w->words,
                                          d * count, count, w->numbers, d * count);
    if (!status)
        status =
            bailey_buffer_read(r->marginals ? w->numbers : w->words, 0, w->from, count * r->dims * element);
    if (status) return options_check(a, status, "--marginal");
    if (!r->marginals) make_uniform(r, w->from, count * r->dims);
    for (uint64_t d = 0; d < r->dims; d++)
        for (uint64_t i = 0; i < count; i++)
            memcpy((char *)w->to + (i * r->dims + d) * element, (char *)w->from + (d * count + i) * element,
                   element);
    return CLI_OK;
}

/* ---- Output ---- */

static int write_head(struct work *w, const struct request *r)
{
    char header[NPY_HEADER_MAX];
    const uint64_t shape[2] = {r->count, r->dims};
    int code = output_open(&w->output, r->to, 0);
    if (!code && r->format == FORMAT_NPY)
        code =
            output_write(&w->output, header,
                         npy_header(header, r->precision == BAILEY_PRECISION_F64 ? "<f8" : "<f4", shape, 2));
    for (uint64_t d = 0; d < r->dims && !code && r->format == FORMAT_CSV; d++) {
        const char *end = d + 1 < r->dims ? "," : "\n";
        code = r->names ? output_print(&w->output, "%s%s", r->names[d], end)
                        : output_print(&w->output, "x%llu%s", (unsigned long long)d + 1, end);
    }
    return code;
}

static int write_part(struct work *w, const struct request *r, uint64_t count)
{
    const int f64 = r->precision == BAILEY_PRECISION_F64;
    char number[32];
    int code = CLI_OK;
    if (r->format != FORMAT_CSV) return output_write(&w->output, w->to, count * r->dims * (f64 ? 8 : 4));
    for (uint64_t i = 0; i < count * r->dims && !code; i++) {
        if (f64)
            cli_shortest_f64(number, sizeof number, ((double *)w->to)[i]);
        else
            cli_shortest_f32(number, sizeof number, ((float *)w->to)[i]);
        code = output_print(&w->output, "%s%s", number, (i + 1) % r->dims ? "," : "\n");
    }
    return code;
}

static int report(const struct arguments *a, const struct work *w, const struct request *r)
{
    struct document *d = document_new();
    if (strcmp(r->to, "-"))
        document_line(d, "%s: %s vectors of %s numbers, %s copula, %s, on %s", r->to, cli_count(r->count),
                      cli_count(r->dims), r->freedom == 0 ? "Gaussian" : "Student's",
                      option_precision(r->precision), w->device.address);
    document_text(d, "file", r->path);
    document_text(d, "output", r->to);
    document_text(d, "format", formats[r->format]);
    document_count(d, "bytes", w->output.end);
    document_count(d, "count", r->count);
    document_count(d, "first", r->first);
    document_count(d, "dims", r->dims);
    document_number(d, "copula_freedom", r->freedom);
    document_text(d, "precision", option_precision(r->precision));
    report_source(d, &r->source);
    report_device(d, &w->device);
    const int code = document_print(d, a->value[JSON] != NULL);
    document_free(d);
    return code;
}

/* ---- The command ---- */

static int make_all(const struct arguments *a, struct work *w, const struct request *r)
{
    int code = prepare(a, w, r);
    for (uint64_t done = 0, count; done < r->count && !code; done += count) {
        count = r->count - done < w->vectors ? r->count - done : w->vectors;
        code = make_part(a, w, r, r->first + done, count);
        /* only now: what the library refuses harms no file */
        if (!code && done == 0) code = write_head(w, r);
        if (!code) code = write_part(w, r, count);
    }
    if (!code) code = output_commit(&w->output);
    return code ? code : report(a, w, r);
}

static int run(const struct arguments *a)
{
    struct request r = {.path = a->file};
    struct work w = {0};
    int code = read_request(a, &r);
    if (!code) code = make_all(a, &w, &r);
    if (code) output_abandon(&w.output);
    bailey_buffer_destroy(w.words);
    bailey_buffer_destroy(w.numbers);
    bailey_context_destroy(w.context);
    free(w.from);
    free(w.to);
    for (uint64_t i = 0; r.names && i < r.dims; i++) free(r.names[i]);
    for (uint64_t i = 0; i < BAILEY_BRIDGE_MAX_DIMS; i++) free(r.weights[i]);
    free(r.names);
    free(r.matrix);
    return code;
}

const struct command command_copula = {
    .name = "copula",
    .summary = "write dependent numbers of any distributions",
    .usage = "FILE --count N [--freedom F] [--marginal 'NAME P=V ...']... [--output FILE] [options]",
    .about =
        "Writes vectors of dependent numbers of a Gaussian copula, or of Student's. FILE is a CSV file with "
        "a\n"
        "correlation matrix, with or without names. The same options give the same bytes on every device.",
    .examples =
        "  bailey copula correlation.csv --count 1e6 --freedom 4 --marginal 'gamma shape=2 scale=10' -o "
        "losses.npy\n"
        "      numpy.load('losses.npy') has a row for each vector, in which large numbers come together\n"
        "  bailey copula correlation.csv --count 1000 --marginal 'poisson mean=30' --marginal 'pareto "
        "shape=3' -o n.csv\n"
        "      another distribution for each of two rows\n",
    .options = options,
    .run = run,
    .more_help = generators_help,
    .repeatable = "--marginal",
    .takes_file = 1,
};
