/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The command line: options, which the library describes, and what several commands read from them.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <cli/io/io.h>

#include <bailey/halves.h>
#include <bailey/describe.h>
#include <bailey/points.h>

/* ---- Options ------------------------------------------------------------------------------------- */

/* The command line: tables of options, their values, help.
 *
 * A command owns an enum of its options and a table in the same order, ended by an entry without name. */

#define OPTIONS_MAX 80
#define OPTIONS_REPEATS_MAX 64

struct option {
    const char *name;  /* "--paths"; of a title in the list, "Times:" */
    const char *value; /* what stands after it, "P"; NULL: a flag, or what the field takes */
    const char *help;  /* NULL: what the field is */
    char letter;       /* 'o' for -o; 0 for none */
    /* The field of a struct of the library that it gives, "mlmc_run_params" and "bias_share": which values
     * it takes and its default are not written again. NULL: none. */
    const char *record, *field;
    const char *only; /* those of the field's choices that the command takes, "icdf box-muller"; NULL: all */
    const char *more; /* words that the command takes besides, "f16 bf16": numbered after the field's choices */
    const char *before; /* its name in the release before, "--theta": still taken, with a note, not listed */
    const char *words_before; /* the same for its choices: "u32=words normal=normals" */
};

/* clang-format off */
#define HEADING(text) {.name = text}
#define OPTION(name_, value_, ...) {.name = name_, .value = value_, .help = __VA_ARGS__}
#define FIELD(record_, field_, ...) {.record = #record_, .field = #field_, .name = __VA_ARGS__}
#define OPTIONS_END {.name = NULL}
/* clang-format on */

struct arguments;

struct command {
    const char *name;    /* "price asian" */
    const char *summary; /* one line of the program's help */
    const char *usage;   /* after "usage: bailey <name> ", may have several lines */
    const char *about;   /* before and after the options */
    const char *examples;
    const struct option *options;
    int (*run)(const struct arguments *arguments);
    void (*more_help)(void); /* prints the end of the help, what only the library knows; may be NULL */
    /* Prints what else the words of the command line have a help of; may be NULL. */
    void (*describe)(const struct command *command, int argc, char **argv);
    /* Whether --name is an option besides, which is taken for --set NAME=VALUE; may be NULL. */
    int (*has_parameter)(const struct command *command, int argc, char **argv, const char *name);
    /* Why the command, one of a family that shares a table, does not take the option, as "its times are
     * given"; NULL: it does. May be NULL itself. */
    const char *(*refuses)(const struct command *command, int option);
    const char *repeatable;   /* the option that may be given many times; NULL: none */
    int takes_file;           /* one word is not an option: a file, or - */
    const struct option *own; /* parameters that has_parameter takes, for pages and completion; may be NULL */
};

/* The value of an option as numbers, where it did not come from a command line. */
struct option_numbers {
    const double *value;
    uint64_t count; /* 0: it was given as text */
    uint64_t rows;  /* of a matrix, else 1 */
    int dates;      /* days since 1970-01-01 */
};

struct arguments {
    const struct command *command;
    const char *file;                          /* the word that is not an option; NULL: not given */
    const char *value[OPTIONS_MAX];            /* NULL: not given; flags: "" */
    const char *repeated[OPTIONS_REPEATS_MAX]; /* the values of the option that may be given many times */
    int repeats;
    char *made[OPTIONS_REPEATS_MAX]; /* those of them that options_read made of options, else NULL */
    const struct option_numbers
        *numbers; /* [OPTIONS_MAX], whose `value` then is not NULL; NULL: all are text */
};

/* Reads argv[0 .. argc - 1], the words after the command. `help` is set if help was asked for. options_free
 * must be called whatever is returned. */
int options_read(const struct command *command, int argc, char **argv, struct arguments *arguments,
                 int *help);
void options_free(struct arguments *arguments);
void options_help(const struct command *command);

/* Whether it is a title in the list, and not an option. */
int option_is_heading(const struct option *option);
/* Why the command does not take it; NULL: it does. */
const char *option_refusal(const struct command *command, int option);

/* ---- Options that give a field (option_fields.c) ---- */

/* NULL if it gives none. */
const bailey_field *option_field(const struct option *option);

/* What stands after the option, "exact|fast"; "" for a flag. And what the help says of it, with the values
 * that it takes and its default. At most size - 1 characters. */
void option_value_words(const struct option *option, char *text, size_t size);
void option_help_words(const struct option *option, char *text, size_t size);

/* Whether the option takes the choice of its field. */
int option_takes(const struct option *option, const bailey_choice *choice);

/* The word for a choice of a record's field; "" if it has none. */
const char *option_word_of(const char *record, const char *field, int value);
/* The word for a precision, the same in all records. */
const char *option_precision(int precision);

/* All of them, in the order of their values; NULL ends. For one of a few buffers. */
const char *const *option_words(const char *record, const char *field);

/* The name of the option that gives the field, if it was given; else NULL. */
const char *options_given(const struct arguments *arguments, const char *record, const char *field);

/* Reads all options that give a number, a choice, a flag or a text of the record called `record` to `values`,
 * a struct of it; what is not given is left alone. */
int options_read_fields(const struct arguments *arguments, const char *record, void *values);

/* As cli_check, of a function that takes such structs: what it refuses is called by its option, or
 * `otherwise` where there is none. */
int options_check(const struct arguments *arguments, bailey_status status, const char *otherwise);

/* ---- Values of any option (option_values.c) ---- */

/* The numbers of an option; NULL if it was given as text or not at all. */
const struct option_numbers *option_numbers(const struct arguments *arguments, int option);

/* The getters leave *value alone when the option is absent. `option` is an index of the table. */
int option_u64(const struct arguments *arguments, int option, uint64_t least, uint64_t most, uint64_t *value);
int option_f64(const struct arguments *arguments, int option, double *value);
/* A number that is called `name`. */
int option_number(const char *name, const char *text, int is_time, double *value);

/* Refuses a list in which a number such as 05 follows a comma: 0,05 is hardly a list. */
int option_check_commas(const char *name, const char *list);
int option_date(const struct arguments *arguments, int option, int64_t *days); /* since 1970-01-01 */

/* The index of `word` in `choices` (NULL ends), where the option is called `name`. */
int option_word(const char *name, const char *word, const char *const *choices, int *value);
/* One of `choices`; its index. */
int option_choice(const struct arguments *arguments, int option, const char *const *choices, int *value);

/* The one of `endings` that stands after the last point of `path`; -1 if none does. */
int option_ending(const char *path, const char *const *endings);

/* How many items a comma-separated list has. */
uint64_t option_list_length(const char *list);
/* Takes the next item of *list, cut at size - 1 characters. False at the end, when *list is NULL. */
int option_next_item(const char **list, char *item, size_t size);

/* Comma-separated words of `choices`: sets wanted[i] for each. */
int option_list_choice(const struct arguments *arguments, int option, const char *const *choices,
                       int *wanted);

/* Comma-separated numbers, at most `most`; *count is 0 when the option is absent. */
int option_list_f64(const struct arguments *arguments, int option, double *values, uint64_t most,
                    uint64_t *count);

/* The same for integers; *values is allocated. */
int option_list_u32(const struct arguments *arguments, int option, uint32_t **values, uint64_t *count);

/* A usage error if both were given. */
int options_conflict(const struct arguments *arguments, int one, int other, const char *why);

/* Opens what --device (`device`, may be NULL) names, with --threads. */
int open_device(const struct arguments *arguments, const char *device, bailey_context **context,
                bailey_device *described);

#define OPTION_DEVICE_HELP                                                                                   \
    "auto, cpu, cuda, cuda:1, opencl, opencl:0:1, ... as listed by 'bailey devices'; default: "              \
    "$BAILEY_DEVICE, "                                                                                       \
    "else auto (CUDA, else an OpenCL GPU, else the CPU)"
#define THREADS_OPTION FIELD(context_params, threads, "--threads")

/* ---- The commands -------------------------------------------------------------------------------- */

extern const struct command command_batch, command_copula, command_correlation, command_devices, command_local_volatility, command_mlmc,
    command_motion, command_selftest, command_paths, command_random;

/* `bailey price` for a user's payoff, and for every product. */
extern const struct command command_price_payoff;
extern const struct family family_price;

/* ---- Drivers ------------------------------------------------------------------------------------- */

/* Drivers are other people's code, loaded into the process, and a broken one can end it (PoCL does where
 * there is no /sys). The program therefore lets a child process open them first, says which of them ended the
 * child, and continues without that one. The program itself must not have opened a driver before: none
 * survives fork.
 */

/* Before a device is opened: tries the drivers that *device, as for bailey_context_create, may need. Fails if
 * the only one ended its child. For "auto" the others are left out afterwards, and *device becomes "cpu" if
 * there is no GPU, so that no driver is opened twice for nothing. */
int drivers_try(const char **device);

/* The same for a list of devices, before the first of them is opened. */
int drivers_try_list(const char *const *devices, size_t count);

/* bailey_device_list, with the drivers in child processes. The caller frees *devices. */
int drivers_list(bailey_device **devices, size_t *count);

/* ---- Numbers ------------------------------------------------------------------------------------- */

/* What can be drawn: words, uniform numbers, normals or other distributions of any generator, of sequences
 * or points, through one function. And the descriptions of the generators. */

struct draw {
    bailey_source source;
    bailey_normal_params normal; /* its precision and bits are those of uniform numbers too */
    /* Where `distributed` is set, the form is that of normals, and this says what is drawn; `normal` above
     * holds. */
    bailey_variate_params variate;
    int distributed;
    /* The form; of points, as the elements of an array of two axes, their layout. */
    bailey_points_params points;
    /* Where `bits` is not 0, integers of so many bits from 0 to below - 1 are drawn, or they are permuted; the
     * form is that of words. */
    uint32_t bits;
    uint64_t below;
    int permuted;
    /* Where `half` is set, uniforms and normals have 16 bits, of this kind. */
    int halved;
    bailey_half half;
    uint64_t first_point, point_count; /* point_count is 0 for a sequence */
};

/* Bytes of an element. */
size_t draw_element(const struct draw *draw);

/* Writes elements first .. first + count - 1 to the beginning of `out`. */
bailey_status draw_make(bailey_context *context, const struct draw *draw, uint64_t first, uint64_t count,
                        bailey_buffer *out);

/* Prints the generators' names, verdicts and periods. */
void generators_help(void);

/* ---- Sources ------------------------------------------------------------------------------------- */

/* The options that say where numbers come from, a sequence or points, for every command that draws some.
 *
 * A command has SOURCE_OPTION_NAMES in its enumeration, SOURCE_OPTIONS in the same place of its table, and
 * generators_help at the end of its help; or COUNTER_OPTIONS. One that makes paths of points has
 * PATH_POINT_OPTIONS too. */

/* clang-format off */
#define SEED_OPTIONS                                                                                         \
    FIELD(source, seed, "--seed", .value = "S"),                                                             \
    FIELD(source, stream, "--stream", .value = "K",                                                          \
          .help = "independent stream of the seed; for points, another scramble", .before = "--replicate")

#define SOURCE_OPTION_NAMES GENERATOR, SEQUENCE, WARP_SET, SEED, STREAM
#define SOURCE_OPTIONS                                                                                       \
    FIELD(source, generator, "--generator", .value = "NAME", .help = "see 'Generators' below"),              \
    FIELD(source, sequence, "--sequence"),                                                                   \
    FIELD(source, warp_set, "--warp-set"),                                                                   \
    SEED_OPTIONS

/* For a command that draws from generators that count, or points, alone. */
#define COUNTER_OPTION_NAMES GENERATOR, SEED, STREAM
#define COUNTER_OPTIONS(generators) FIELD(source, generator, "--generator", .only = generators), SEED_OPTIONS

/* The order of paths is another: that of their construction. */
#define PATH_POINT_OPTION_NAMES SCRAMBLE, ASSIGNMENT, POINT_ORDER
#define PATH_POINT_OPTIONS                                                                                   \
    FIELD(source, scramble, "--scramble"),                                                                   \
    FIELD(source, assignment, "--assignment"),                                                               \
    FIELD(source, point_order, "--point-order")

/* The parameters of a distribution. */
#define DISTRIBUTION_OPTION_NAMES                                                                            \
    MEAN, STDDEV, RATE, LOCATION, SCALE, SHAPE, SECOND_SHAPE, FREEDOM, NONCENTRALITY, LOWER, UPPER,          \
        PROBABILITY, TRIALS, WEIGHTS
#define DISTRIBUTION_OPTIONS                                                                                 \
    FIELD(variate_params, mean, "--mean"),                                                                   \
    FIELD(variate_params, stddev, "--stddev"),                                                               \
    FIELD(variate_params, rate, "--rate"),                                                                   \
    FIELD(variate_params, location, "--location"),                                                           \
    FIELD(variate_params, scale, "--scale"),                                                                 \
    FIELD(variate_params, shape, "--shape"),                                                                 \
    FIELD(variate_params, second_shape, "--second-shape"),                                                   \
    FIELD(variate_params, freedom, "--freedom"),                                                             \
    FIELD(variate_params, noncentrality, "--noncentrality"),                                                 \
    FIELD(variate_params, lower, "--lower"),                                                                 \
    FIELD(variate_params, upper, "--upper"),                                                                 \
    FIELD(variate_params, probability, "--probability"),                                                     \
    FIELD(variate_params, trials, "--trials", .value = "N"),                                                 \
    FIELD(variate_params, weights, "--weights", .value = "W,W,...")

/* The width of the words behind numbers, of points and sequences. */
#define WORD_BITS_OPTION                                                                                     \
    FIELD(normal_params, word_bits, "--word-bits", .before = "--bits",                                       \
          .help = "bits of the word behind each number; f32 from 64 bits has finer tails, f64 from 32 bits " \
                  "suits sequences of 32-bit words, and points")
/* clang-format on */

/* Reads the options that give fields of a source and, unless it is NULL, of normals, and checks them against
 * each other: prints what is wrong, returns an exit code. */
int source_read(const struct arguments *arguments, bailey_source *source, bailey_normal_params *normal);

int source_is_points(const bailey_source *source);

/* Bits of the words that normals are computed from. */
uint32_t source_bits(const bailey_source *source, const bailey_normal_params *normal);

/* "" for the default generator, else ", mt19937", ", mt19937 (published)" or ", warp (set 3)". One static
 * buffer. */
const char *source_remark(const bailey_source *source);

/* ---- Assets -------------------------------------------------------------------------------------- */

/* The assets of a deal, from a CSV file with a header row: name, spot, volatility, dividend, weight in any
 * order. spot and volatility are needed. */

enum { ASSET_NAME, ASSET_SPOT, ASSET_VOLATILITY, ASSET_DIVIDEND, ASSET_WEIGHT, ASSET_COLUMNS };

struct assets {
    uint32_t count;
    int given[ASSET_COLUMNS];                             /* the header has the column */
    char *name[BAILEY_BRIDGE_MAX_DIMS];                   /* "asset 2" where the file has none */
    double column[ASSET_COLUMNS][BAILEY_BRIDGE_MAX_DIMS]; /* ASSET_NAME's is not used */
};

/* `option` is what named the file. Columns that are not given hold the default: dividend 0, weight
 * 1 / count. assets_free must be called whatever is returned. */
int assets_read(const char *option, const char *path, struct assets *assets);
void assets_free(struct assets *assets);

/* For csv_square and csv_check_matrix: the names; NULL if there are no assets. */
const char *const *assets_names(const struct assets *assets);

/* ---- Orders of construction ---------------------------------------------------------------------- */

/* The order of construction, as the commands take it: a name or a file. */

extern const char *const option_orders[]; /* names; NULL ends */

struct order {
    uint32_t *index; /* allocated; NULL if there is no time before the last */
    int kind;        /* of option_orders; -1: a file */
    uint64_t important_count;
};

/* Reads `option` (absent: bisection) for `interior` times before the last, and `important`, the option of
 * those to be built first, -1 if the command has none. free(order->index) in any case. */
int order_read(const struct arguments *arguments, int option, int important, uint64_t interior,
               struct order *order);

/* ---- Correlations -------------------------------------------------------------------------------- */

/* The correlation of a path from an option: a CSV file, in the order of `names`, `count` of them (NULL: of
 * its own); the correlation of every pair of `dims` dimensions (0: one dimension); or a matrix that was given
 * as numbers. *matrix, [*rows][*rows], is allocated and exact, NULL without the option; *rows is what the
 * file has, which may differ from `dims`. Prints what is wrong, returns an exit code. */
int correlation_read(const struct arguments *arguments, int option, const char *const *names, uint64_t count,
                     uint64_t dims, double **matrix, uint64_t *rows);

/* As options_check; errors of a matrix that the file `path` gave (NULL: none) give places by names, or as the
 * file's rows and columns, and `option` is called. */
int correlation_check(const struct arguments *arguments, bailey_status status, const char *otherwise,
                      int option, const char *path, const char *const *names);

/* Whether the option was given as one number. */
int correlation_is_number(const struct arguments *arguments, int option);

/* ---- Parts of reports ---------------------------------------------------------------------------- */

/* Members that the reports of several commands have, added to the object that is open. */

#define REPORT_ESTIMATE                                                                                      \
    "mean standard_error controlled controlled_standard_error interval_low interval_high variance"

/* ---- Members ---- */

/* "generator", "seed", "stream" and what else there is to say of a source. */
void report_source(struct document *d, const bailey_source *source);
/* "normal", "precision", "numerics", and "word_bits", of points those of the source. */
void report_normal(struct document *d, const bailey_source *source, const bailey_normal_params *normal);
/* "device", "device_name" and "seconds"; and the two lines that text has of them. */
void report_device(struct document *d, const bailey_device *device);
void report_show_device(struct document *d, const bailey_device *device);
/* "hex": numbers as hexadecimal floats, of which text shows the first two, called price and standard error.
 */
struct report_number {
    const char *key;
    double value;
};
void report_bits(struct document *d, int numerics, const struct report_number *numbers, size_t count);
void report_correlation(struct document *d, const char *source, const double *matrix, uint64_t dims);

/* ---- What text shows ---- */

/* The number called `key` of an object, with that called `error` as its standard error; printed as
 * not known where replicates should have given it. */
void report_show_estimate(struct document *d, struct item *object, const char *key, const char *error,
                          const char *label, uint64_t replicates);
void report_interval(struct document *d, double low, double high);
/* "paths 1,024 (2 replicates of 512), f32, ..." */
void report_paths(struct document *d, uint64_t paths, uint64_t replicates, uint64_t each,
                  const bailey_source *source, const bailey_normal_params *normal);

/* ---- Warnings of numbers that are allowed and hardly meant ---- */

void report_warn_of_percent(struct document *d, const char *what, const char *name, double value,
                            double limit);
void report_warn_of_time(struct document *d, double last);
void report_warn_of_source(struct document *d, const bailey_source *source, uint64_t paths);
/* Where points first .. first + count - 1 are not balanced. */
void report_warn_of_points(struct document *d, const bailey_source *source, uint64_t first, uint64_t count);
void report_warn_of_nothing(struct document *d, double price);

/* ---- From words to a command --------------------------------------------------------------------- */

/* From the words of a command line to a command: what `bailey` and `bailey-bench` share. */

enum { FAMILY_MEMBERS_MAX = 15 };

/* A word that a second one follows. */
struct family {
    const char *word;
    const char *missing; /* what the second word says, for the error without one: "which shell" */
    const char *kind;    /* what it names, for the error about an unknown one: "shell" */
    const char *about;
    const struct command *members[FAMILY_MEMBERS_MAX + 1]; /* their names begin with `word`; NULL ends */
    const struct command *(*more)(size_t index);           /* members before these, until NULL; may be NULL */
    const struct command *(*named)(const char *second);    /* one of `more` by its second word; NULL with it */
    const struct command *otherwise;                       /* where an option follows `word`; may be NULL */
};

/* Member number `index`, those of `more` first; NULL beyond the last. */
const struct command *family_at(const struct family *family, size_t index);
/* The member whose second word is `second`; with NULL the only one, if there is only one. */
const struct command *family_member(const struct family *family, const char *second);

/* argv begins with the word after the family's. Both return the exit code. */
int family_run(const struct family *family, int argc, char **argv);
int family_help(const struct family *family);

/* argv begins with the word after the command's. Returns the exit code. */
int command_run(const struct command *command, int argc, char **argv);

/* Whether the word asks for help: "--help", "-h" or "help". */
int is_help(const char *word);

#endif
