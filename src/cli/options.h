/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The command line: tables of options, their values, help.
 *
 * A command owns an enum of its options and a table in the same order, ended by an entry without name.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli.h"

#include <bailey/describe.h>

#define OPTIONS_MAX 64
#define OPTIONS_REPEATS_MAX 64

struct option {
    const char *name;  /* "--paths"; of a heading in the list, "Times:" */
    const char *value; /* what stands after it, "P"; NULL: a flag, or what the field takes */
    const char *help;  /* NULL: what the field is */
    char letter;       /* 'o' for -o; 0 for none */
    /* The field of a struct of the library's that it gives, "mlmc_run_params" and "bias_share": which values
     * it takes and its default are not said again. NULL: none. */
    const char *record, *field;
    const char *only; /* those of the field's choices that the command takes, "icdf box-muller"; NULL: all */
    const char *before; /* its name in the release before, "--theta": still taken, with a note, not listed */
    const char *words_before; /* likewise what its choices were called: "u32=words normal=normals" */
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
    const char *repeatable; /* the option that may be given many times; NULL: none */
    int takes_file;         /* one word is no option: a file, or - */
    const struct option *own; /* parameters that has_parameter takes, for pages and completion; may be NULL */
};

/* What an option was given as numbers, where it did not come from a command line. */
struct option_numbers {
    const double *value;
    uint64_t count; /* 0: it was given as text */
    uint64_t rows;  /* of a matrix, else 1 */
    int dates;      /* days since 1970-01-01 */
};

struct arguments {
    const struct command *command;
    const char *file;                          /* the word that is no option; NULL: not given */
    const char *value[OPTIONS_MAX];            /* NULL: not given; flags: "" */
    const char *repeated[OPTIONS_REPEATS_MAX]; /* the values of the option that may be given many times */
    int repeats;
    char *made[OPTIONS_REPEATS_MAX]; /* those of them that options_read made of options, else NULL */
    const struct option_numbers
        *numbers; /* [OPTIONS_MAX], whose `value` then is not NULL; NULL: all are text */
};

/* Reads argv[0 .. argc - 1], the words after the command. `help` is set if help was asked for. options_free
 * is to be called whatever is returned. */
int options_read(const struct command *command, int argc, char **argv, struct arguments *arguments,
                 int *help);
void options_free(struct arguments *arguments);
void options_help(const struct command *command);

/* Whether it is a heading, and not an option. */
int option_is_heading(const struct option *option);
/* Why the command does not take it; NULL: it does. */
const char *option_refusal(const struct command *command, int option);

/* ---- Options that give a field (option_fields.c) ---- */

/* NULL of the others. */
const bailey_field *option_field(const struct option *option);

/* What stands after the option, "exact|fast"; "" of a flag. And what the help says of it, with the values
 * that it takes and its default. At most size - 1 characters. */
void option_value_words(const struct option *option, char *text, size_t size);
void option_help_words(const struct option *option, char *text, size_t size);

/* Whether the option takes the choice of its field. */
int option_takes(const struct option *option, const bailey_choice *choice);

/* The word for a choice of a record's field; "" where it has none. And of a precision, which all have. */
const char *option_word_of(const char *record, const char *field, int value);
const char *option_precision(int precision);

/* All of them, in the order of their values; NULL ends. Of one of a few buffers. */
const char *const *option_words(const char *record, const char *field);

/* The name of the option that gives the field, if it was given; else NULL. */
const char *options_given(const struct arguments *arguments, const char *record, const char *field);

/* Reads all options that give a number, a choice, a flag or a text of the record called `record` to `values`,
 * a struct of it; what is not given is left alone. */
int options_read_fields(const struct arguments *arguments, const char *record, void *values);

/* As cli_check, of a function that takes such structs: what it refuses is called by its option, or
 * `otherwise` where there is none. */
int options_check(const struct arguments *arguments, bailey_status status, const char *otherwise);

/* Prints `text` in lines of at most 100 columns; the cursor is at column `at`, further lines begin at
 * `indent`. Words that are longer than a line are cut in pieces. */
void options_wrap(const char *text, int at, int indent);

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
    "auto, cpu, cuda, cuda:1, opencl, opencl:0:1, ... as 'bailey devices' lists them; default: "             \
    "$BAILEY_DEVICE, "                                                                                       \
    "else auto (CUDA, else an OpenCL GPU, else the CPU)"
#define THREADS_OPTION FIELD(context_params, threads, "--threads")

#endif
