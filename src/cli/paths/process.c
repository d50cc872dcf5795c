/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads the options of a Brownian motion of several dimensions. Several of them imply the number of
 * dimensions; an error names the first that did, and the one that disagrees.
 */
#define _XOPEN_SOURCE 700

#include "process.h"

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <string.h>
#include <unistd.h>

int process_agree(struct process *p, const char *name, uint64_t dims)
{
    if (!p->given_by) {
        p->given_by = name;
        p->dims = (uint32_t)dims;
    }
    if (p->dims == dims) return CLI_OK;
    return cli_error(CLI_USAGE, "%s has %u dimension%s, %s has %llu", p->given_by, (unsigned)p->dims,
                     p->dims == 1 ? "" : "s", name, (unsigned long long)dims);
}

static int read_matrix(const struct arguments *a, const struct process_options *o, const char *const *names,
                       uint64_t count, struct process *p)
{
    const int option = a->value[o->correlation] ? o->correlation : o->covariance;
    const char *name = a->command->options[option].name;
    uint64_t rows = 0;
    int code;
    p->matrix_option = option;
    p->matrix_path = a->value[option];
    if (!p->matrix_path) return CLI_OK;
    if (option == o->correlation)
        code = correlation_read(a, option, names, count, p->dims, &p->matrix, &rows);
    else
        code = csv_square(name, p->matrix_path, names, count, &p->matrix, &rows);
    return code ? code : process_agree(p, name, rows);
}

static int read_ends(const struct arguments *a, const struct process_options *o, struct process *p)
{
    uint64_t count = 0;
    int code = CLI_OK;
    for (int i = 0; i < 2 && !code; i++) {
        const int option = i ? o->end : o->start;
        code = option_list_f64(a, option, i ? p->end : p->start, BAILEY_BRIDGE_MAX_DIMS, &count);
        if (!code && count) code = process_agree(p, a->command->options[option].name, count);
    }
    p->has_start = a->value[o->start] != NULL;
    p->has_end = a->value[o->end] != NULL;
    return code;
}

int process_read(const struct arguments *a, const struct process_options *o, const char *const *names,
                 uint64_t count, uint32_t otherwise, struct process *p)
{
    /* One number is of the dimensions that the others say. */
    const int last = correlation_is_number(a, o->correlation);
    int code = options_conflict(a, o->correlation, o->covariance, "each gives the covariance");
    if (!code && !last) code = read_matrix(a, o, names, count, p);
    if (!code) code = read_ends(a, o, p);
    if (!p->given_by) p->dims = otherwise;
    if (!code && last) code = read_matrix(a, o, names, count, p);
    return code;
}

const char *const array_formats[] = {"npy", "csv", "svg", NULL};

int array_format_read(const struct arguments *a, int output, int option, int json, int *format)
{
    const char *path = a->value[output];
    int code;
    if (!path)
        return cli_error(CLI_USAGE, "--output FILE is required: .npy, .csv, .svg, or - for standard output");
    const int standard = !strcmp(path, "-");
    if (standard && a->value[json])
        return cli_error(CLI_USAGE,
                         "--json and --output - cannot be combined: both write to standard output");
    *format = standard ? FORMAT_NPY : option_ending(path, array_formats);
    if ((code = option_choice(a, option, array_formats, format))) return code;
    if (*format < 0)
        return cli_error(CLI_USAGE, "--output: '%s' does not end with .npy, .csv or .svg; add --format",
                         cli_printable(path));
    if (standard && *format == FORMAT_NPY && isatty(STDOUT_FILENO))
        return cli_error(CLI_USAGE, "--output: standard output is a terminal; redirect it");
    return CLI_OK;
}
