/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Input and output of the program: text, files, documents; and declarations that all its parts share.
 */
#ifndef CLI_IO_H
#define CLI_IO_H

#include <bailey/bailey.h>
#include <bailey/describe.h>

#include <base/replace.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Errors, memory, numbers for people, progress ------------------------------------------------ */

/* Shared by all parts of the program: exit codes, errors, memory, numbers for people, progress.
 *
 * Functions that can fail print what is wrong to standard error, once, and return an exit code; 0 is
 * success, so callers just pass on what is not 0. */

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

enum {
    CLI_OK = 0,
    CLI_FAILED = 1, /* the request could not be carried out: no device, no memory, no disk, a failed test */
    CLI_USAGE = 2   /* the request is wrong: an option, a value, the contents of an input file */
};

/* "bailey paths"; errors begin with it. */
extern const char *cli_command;

/* Whose errors are printed: all, those that are not CLI_USAGE, none. For programs that run many times at
 * once, with the same words. */
enum cli_hearing { CLI_HEAR_ALL, CLI_HEAR_FAILURES, CLI_HEAR_NOTHING };
extern enum cli_hearing cli_hearing;

/* Prints "<command>: <text>" and returns `code`. */
int cli_error(int code, const char *format, ...) CLI_PRINTF(2, 3);
/* Where this thread's errors go instead of standard error, which still has the notes (code 0): the first of
 * them, to `text`, which is made empty. NULL: as before. */
void cli_error_capture(char *text, size_t size);
/* Has later warnings of the library printed as notes: for commands whose reports do not include them. */
void cli_print_warnings(void);
void cli_print_warning(void *user, const char *message); /* one of them */
int cli_memory_error(const char *what, uint64_t bytes);

/* OK gives 0; else prints "<what>: <the library's text>". ERROR_INVALID is a usage error. */
int cli_check(bailey_status status, const char *what);

/* The option that gave the argument which the library has refused, by pairs of both (NULL ends); `otherwise`
 * if it is not one of those. */
const char *cli_refused(const char *const (*options)[2], const char *otherwise);

/* False if the product does not fit. */
int cli_multiply(uint64_t a, uint64_t b, uint64_t *product);

/* The first of `count` floats (element 4) or doubles (8) that is infinite or not a number; `count` if none
 * is.
 */
uint64_t cli_not_finite(const void *values, uint64_t count, size_t element);

/* "256.0 MB", "1,000,003" and "5 h 45 min". The text is one of a few buffers of the thread. */
const char *cli_bytes(uint64_t bytes);
const char *cli_count(uint64_t count);
const char *cli_duration(double seconds); /* two units at most, from seconds to days */

/* `text` without control characters, for names that come from drivers and files. One buffer per thread. */
const char *cli_printable(const char *text);

/* Prints `text` in lines of at most 100 columns; the cursor is at column `at`, further lines begin at
 * `indent`. Words that are longer than a line are broken. */
void cli_wrap(const char *text, int at, int indent);

/* The length of the UTF-8 sequence at `text`, 0 if it is not one. */
unsigned cli_utf8(const char *text);

/* The fewest digits that read back as the same number. `size` of at least 32. */
void cli_shortest_f32(char *text, size_t size, float value);
void cli_shortest_f64(char *text, size_t size, double value);

/* Number `index` of an array of floats (element 4) or doubles (8), and its text, in the fewest digits. */
double cli_element(const void *array, size_t element, uint64_t index);
void cli_element_text(char *text, size_t size, const void *array, size_t element, uint64_t index);

/* Of `names` (NULL ends) the one that `word` probably meant, or NULL. */
const char *cli_nearest(const char *word, const char *const *names);

double cli_seconds(void);
void cli_elapsed_start(void);
double cli_elapsed(void); /* seconds of the whole call, from when its command began */

/* A bar on standard error: only on a terminal, only after a second. */
struct cli_progress {
    const char *what;
    double started, shown;
    uint64_t before; /* done before it was started, which does not count for the time that is left */
    int terminal, visible;
};
void cli_progress_start(struct cli_progress *progress, const char *what);
void cli_progress_update(struct cli_progress *progress, uint64_t done, uint64_t total);
void cli_progress_end(struct cli_progress *progress);

/* Standard output must have taken everything. */
int cli_finish_stdout(void);

/* ---- Numbers and dates as text ------------------------------------------------------------------- */

/* Numbers and dates as text. Strict: the whole text must be the value. */

enum parse_result { PARSE_OK, PARSE_MALFORMED, PARSE_RANGE };

/* Decimal: sign, digits, point, exponent. No hexadecimal, "inf" or "nan". PARSE_RANGE: beyond a double. */
enum parse_result parse_f64(const char *text, double *value);

/* Digits; or digits and an exponent, "1e6". 0x for hexadecimal. PARSE_RANGE: beyond 2^64 - 1. */
enum parse_result parse_u64(const char *text, uint64_t *value);

/* Whether a text that is not a number may be a mistyped one or stand for one that is missing: digits and what
 * is taken for them or stands among them (O.5, l, e5, -.), or a word such as nan, inf and n/a. */
int parse_is_mistyped(const char *text);

/* A hint for a text that is not a number, to append to the message about it: "; ..." with the number to
 * write, for percent, a decimal comma, thousands and millions or, for a time in years, months and the like.
 * "" if it is not one of those. One buffer per thread. */
const char *parse_hint(const char *text, int is_time);

/* YYYY-MM-DD of the Gregorian calendar, as days since 1970-01-01. PARSE_RANGE: no such day. */
enum parse_result parse_date(const char *text, int64_t *days);

/* Whether `text` is a date in another form, such as 30.1.2026, 30/01/26 or 2026-01-30 00:00. `iso` is the
 * date as YYYY-MM-DD, "" where it could be read in two ways or there is no such day. */
int parse_other_date(const char *text, char iso[11]);

/* Why parse_date refuses `text`, to be put after it: "is a date in another form; dates are written
 * YYYY-MM-DD: 2026-01-30". One buffer per thread. */
const char *parse_date_error(const char *text);

/* ---- CSV files ----------------------------------------------------------------------------------- */

/* Comma-separated values, as spreadsheets write them: a byte-order mark, CR LF, quoted fields and a
 * missing end of the last line are accepted. Empty lines, lines of nothing but commas, and lines that begin
 * with # are skipped. Errors name option, file and line, and the separator where it is not the comma. They
 * are printed; functions return an exit code. */

#define CSV_LINE_MAX ((size_t)1 << 20)

struct csv {
    const char *option; /* that named the file */
    const char *path;
    FILE *file;
    uint64_t line;  /* of the row, from 1 */
    char **field;   /* of the row, spaces around them removed */
    size_t fields;  /* 0: the file has ended */
    char separator; /* of the row instead of commas, ';' or a tab; 0: none */
    char *text;
    size_t text_size, field_size;
};

int csv_open(struct csv *csv, const char *option, const char *path);
int csv_next(struct csv *csv); /* the next row */
void csv_close(struct csv *csv);

/* Drops empty fields at the end of a row that has more than `most`. */
void csv_trim(struct csv *csv, size_t most);

/* Prints "option: path line n: ..." and returns CLI_USAGE. */
int csv_error(const struct csv *csv, const char *format, ...) CLI_PRINTF(2, 3);
int csv_number(const struct csv *csv, size_t field, const char *what, double *value);

/* The first row of times and of orders may be a header: a name that the help of `bailey paths` lists, or,
 * with a note to standard error, a word without digits that is not a mistyped number. */

/* One number per line, increasing, the first greater than `after`. Lines may be ISO dates instead: years from
 * *valuation (days since 1970), actual / 365 fixed. Dates without valuation (NULL, or INT64_MIN in it) are an
 * error, and so are numbers with valuation or under the header "date". *values is allocated. */
int csv_times(const char *option, const char *path, double after, const int64_t *valuation, uint64_t most,
              double **values, uint64_t *count);

/* A permutation of 1 .. count, one number per line. *values is allocated (never NULL). */
int csv_order(const char *option, const char *path, uint64_t count, uint32_t **values);

/* csv_matrix.c: a square matrix of at most 64 rows, [*dims][*dims]. *values is allocated.
 *
 * A header row and a first column of names are recognised. Where `names`, `count` of them, is not NULL the
 * matrix comes in the order of those, and another name is an error; else in the order of the header, which
 * the first column must agree with. */
int csv_square(const char *option, const char *path, const char *const *names, uint64_t count,
               double **values, uint64_t *dims);

/* The same of at most BAILEY_CORRELATION_MAX_DIMS rows, with the names of the header or the first column,
 * *dims of them, allocated one by one; *names is NULL where there are none, or only row names. */
int csv_named_square(const char *option, const char *path, double **values, uint64_t *dims, char ***names);

/* cli_check of a call that was given the matrix of `option`, from `path` ("": not from a file). An
 * error of the library about an entry names its row and column, from 1, or, if `names` is not NULL, by these;
 * any other error begins with `what`. */
int csv_check_matrix(bailey_status status, const char *what, const char *option, const char *path,
                     const char *const *names);

/* ---- NumPy's files ------------------------------------------------------------------------------- */

/* NumPy's array files (of --normals, and the output), version 1.0: arrays of little-endian numbers, C order.
 * An array that is read has three dimensions of float or double. */

#define NPY_HEADER_MAX 256

/* Writes the header of an array of `axes` (1 to 4) dimensions of "<f4", "<f8", "<u4" or "<u8"; returns its
 * length, a multiple of 64. */
size_t npy_header(char header[NPY_HEADER_MAX], const char *type, const uint64_t *shape, unsigned axes);

struct npy {
    const char *path;
    int file;
    unsigned element; /* 4 or 8 */
    uint64_t shape[3];
    uint64_t data; /* offset of the first element */
};

/* Reads and checks the header and the length of the file. Prints what is wrong, returns an exit code. */
int npy_open(struct npy *npy, const char *path);
/* Elements offset .. offset + count - 1. */
int npy_read(const struct npy *npy, uint64_t offset, void *elements, uint64_t count);
void npy_close(struct npy *npy);

/* ---- Memory that is dropped together -------------------------------------------------------------- */

struct arena {
    struct arena_chunk *chunks; /* the one in use first */
};

/* Zeroed memory, which is there until the arena is cleared; NULL if there is none. */
void *arena_take(struct arena *arena, size_t bytes);
char *arena_copy(struct arena *arena, const char *text);
/* Makes it empty. The first chunk stays, which is usually enough for the next use. */
void arena_clear(struct arena *arena);
void arena_free(struct arena *arena);

/* ---- Documents ----------------------------------------------------------------------------------- */

/* The report of a command: one tree of members, printed as text for people or as JSON. JSON has all members
 * that have a key, text those that are shown and the lines between them, both in the order in which they were
 * added.
 *
 *     struct document *d = document_new();
 *     document_line(d, "european: 1 step");
 *     struct item *mean = document_number(d, "mean", e->mean);
 *     document_show(d, mean, "price", FORM_MONEY)->error =
 *         document_number(d, "standard_error", e->standard_error);
 *     document_record(d, "source", "source", &source);
 *     code = document_print(d, a->value[JSON] != NULL);
 *     document_free(d);
 *
 * A key comes once in an object, which a debug build verifies. Where there is no memory, nothing is added,
 * and printing fails: functions that add return a member all the same. */

enum document_form {
    FORM_PLAIN, /* up to ten digits */
    FORM_MONEY, /* eight decimals, unless it is tiny or huge */
    FORM_ROUGH, /* four digits */
    FORM_EXACT  /* as a hexadecimal float, in JSON too */
};

/* A column of a list of objects, as text shows it. */
struct column {
    const char *key; /* of the objects, as "mean" or "result.mean"; NULL: the number of the row, from 0 */
    const char *heading;
    enum document_form form;
    int width;           /* negative: at the left of it */
    const char *unknown; /* instead of null; NULL: "not known" */
};

enum item_type {
    ITEM_FRAGMENT, /* text only, not JSON, as the next two */
    ITEM_LINE,
    ITEM_WRAPPED, /* `label` before `text` */
    ITEM_NULL,
    ITEM_TEXT,
    ITEM_NUMBER,
    ITEM_COUNT,
    ITEM_FLAG,
    ITEM_JSON, /* text that is JSON already */
    ITEM_OBJECT,
    ITEM_LIST
};

struct item {
    struct item *next, *first, *last; /* in the same object or list; its own */
    enum item_type type;
    const char *key;  /* NULL in a list, and of a line */
    const char *text; /* of a line, TEXT and JSON */
    double number;
    uint64_t count;            /* also a flag; elements of a list or object */
    const bailey_field *field; /* that it is; NULL: of no record */
    /* How text shows it. */
    const char *label; /* NULL: not at all */
    enum document_form form;
    const struct item *error;     /* what stands behind it as standard error, "not known" of null */
    const struct column *columns; /* of a list of objects, up to one without a title; NULL: none */
};

/* A text that grows; one object after another is appended, each in a line. */
struct json_line {
    char *text; /* allocated; not ended by a zero */
    size_t used, room;
    int failed; /* there was no memory for it */
};

enum { DOCUMENT_DEPTH = 16 };

struct document {
    struct arena arena; /* of its members and texts */
    struct item root, *open[DOCUMENT_DEPTH], warnings;
    unsigned depth; /* of what is open */
    int quiet, failed;
};

/* NULL: no memory, which the other functions take. */
struct document *document_new(void);
void document_free(struct document *d);
/* Makes it empty. */
void document_clear(struct document *d);

/* ---- Members ---- */

/* They are added to the object or list that is open. Texts and labels are copied, keys are not. */

struct item *document_open(struct document *d, const char *key, char bracket); /* '{' or '[' */
void document_close(struct document *d);
struct item *document_text(struct document *d, const char *key, const char *value); /* NULL: null */
struct item *document_number(struct document *d, const char *key, double value);    /* NaN: null */
struct item *document_count(struct document *d, const char *key, uint64_t value);
struct item *document_flag(struct document *d, const char *key, int value);
struct item *document_json(struct document *d, const char *key, const char *value);
struct item *document_numbers(struct document *d, const char *key, const double *values, uint64_t count);
/* "has 95 times": what text alone has, on its own line. */
void document_line(struct document *d, const char *format, ...) CLI_PRINTF(2, 3);
void document_gap(struct document *d);                                           /* an empty one */
void document_put(struct document *d, const char *format, ...) CLI_PRINTF(2, 3); /* a part of one */
/* Lines of at most 100 columns: `before`, and `text` behind it, whose further lines begin at `indent`, or
 * below its beginning where that is 0. */
void document_wrap(struct document *d, const char *before, const char *text, unsigned indent);

/* Fields of a struct by its record, with their names as keys: those that `names` lists, "seed stream", or
 * NULL for all. Choices are words, flags true or false, and what a parameter's 0 stands for is in its place.
 * A field without a printable value, such as a function, is left out. Returns the last one. */
struct item *document_fields(struct document *d, const char *record, const void *values, const char *names);
/* The word for a number of a choice; NULL where there is none, or no field. */
const char *document_word(const bailey_field *field, int value);
/* All fields of a struct as an object. */
struct item *document_record(struct document *d, const char *key, const char *record, const void *values);

/* ---- What text shows ---- */

struct item *document_show(struct document *d, struct item *item, const char *label, enum document_form form);
/* The object that is open. */
struct item *document_open_object(struct document *d);
/* The member at "run.result.mean" of an object; NULL if there is none. */
struct item *document_find(struct item *object, const char *path);
/* As text has a number: money. `size` of at least 32. */
const char *document_money(char *text, size_t size, double value);

/* A warning: printed at once, unless `quiet`, and an element of the list "warnings". */
void document_warn(struct document *d, const char *format, ...) CLI_PRINTF(2, 3);
void document_quiet(struct document *d);
/* Adds that list; document_print does it at the end. */
void document_list_warnings(struct document *d);

/* ---- Printing ---- */

/* To standard output. */
int document_print(struct document *d, int json);
/* Prints what there is so far as text, and makes the document empty: for a report that is shown as it grows.
 */
void document_flush(struct document *d);
/* JSON that is written as it grows: all up to the elements of the list that is open; then one of them, at
 * that depth, `filled` if it is not the first. What closes lists and objects is for the caller to write. */
int document_begin(const struct document *d);
int document_element(const struct document *d, unsigned depth, int filled);
/* As JSON in one line. */
void document_append(const struct document *d, struct json_line *line);

/* ---- The file that a command writes -------------------------------------------------------------- */

/* The file that a command writes. A regular file is written under a temporary name in its folder and renamed
 * when it is complete, so that neither an error nor a signal leaves half a file or harms an old one, whose
 * permissions it takes over. Symbolic links stay: what they lead to is written.
 * Devices and pipes are written directly. Errors are printed; functions return an exit code. */

struct output {
    const char *path; /* for messages */
    int file;
    int seekable;
    int reader_gone; /* writing failed because the pipe has no reader any more: nothing was printed. Only
                        where SIGPIPE is ignored, for else it ends the program */
    uint64_t base;   /* where the file's first byte is */
    uint64_t end;    /* of what was written */
    char *target;
    struct bly_replacement replacement; /* of the target, while `replaces` */
    int replaces;
    char *text; /* of output_print, not yet written */
    size_t text_used;
};

/* "-" is standard output. `bytes` is the size to come, 0 if unknown: a file system that is too full is an
 * error here. */
int output_open(struct output *output, const char *path, uint64_t bytes);
int output_write(struct output *output, const void *data, uint64_t bytes); /* appends */
int output_write_at(struct output *output, uint64_t offset, const void *data, uint64_t bytes);
int output_print(struct output *output, const char *format, ...) CLI_PRINTF(2, 3); /* appends, buffered */

/* Ends a complete file. */
int output_commit(struct output *output);
/* Removes an incomplete one; nothing after output_commit or before output_open. */
void output_abandon(struct output *output);

/* ---- Arrays as text ------------------------------------------------------------------------------ */

/* Arrays of numbers as text: one per line, in the fewest digits that read back as the same number. */

/* `bytes` of an array of uint32_t, uint64_t, float or double. For pump_start. */
int lines_u32(struct output *output, const void *array, uint64_t bytes);
int lines_u64(struct output *output, const void *array, uint64_t bytes);
int lines_f32(struct output *output, const void *array, uint64_t bytes);
int lines_f64(struct output *output, const void *array, uint64_t bytes);

/* ---- Writing in a thread ------------------------------------------------------------------------- */

/* Writes chunks in another thread, while the caller makes the next one. */

struct pump;

/* Writes a chunk: output_write, or a function that converts it first. An exit code, as output_write's. */
typedef int (*pump_writer)(struct output *output, const void *data, uint64_t bytes);

/* Starts writing to `output` with `writer`. The output is the pump's until pump_end. At most `depth` chunks
 * wait at a time, the one that is being written included. Prints what is wrong, returns an exit code. */
int pump_start(struct pump **pump, struct output *output, pump_writer writer, unsigned depth);

/* Hands over a chunk, which must stay as it is until `depth` more have been handed over: with `depth` + 1
 * places, taken in turn, none is reused too early. Waits while `depth` chunks wait. False once writing has
 * failed. */
int pump_put(struct pump *pump, const void *data, uint64_t bytes);

/* Waits until everything is written; an exit code, of an error that was printed or that
 * output->reader_gone shows. NULL is allowed. */
int pump_end(struct pump *pump);

/* ---- The first use of a device ------------------------------------------------------------------- */

/* The first use of a device may compile for a quarter of a minute before anything happens. */

/* From now on a line on standard error says what the library does, such as what it compiles, when that takes
 * more than a second; it is erased afterwards. Only on a terminal, and not where BAILEY_LOG says it. */
void notice_start(void);

/* Whether BAILEY_LOG asks the library for a log. */
int notice_log_is_on(void);

/* ---- Interrupts ---------------------------------------------------------------------------------- */

/* Runs that are saved when they are interrupted. */

/* From the first to the second, the first SIGINT or SIGTERM sets interrupted(), which a run's progress
 * returns; the next one is the system's. */
void interrupt_catch(struct sigaction old[2]);
void interrupt_leave(const struct sigaction old[2]);
int interrupted(void);

#endif
