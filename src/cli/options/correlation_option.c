/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads a correlation: a file, one number for all pairs, or an array of a batch's deal. Each becomes a matrix
 * that the library has checked; errors name rows and columns as the file does.
 */
#include "options.h"

#include <bailey/correlation.h>

#include <cli/io/io.h>

#include <stdlib.h>
#include <string.h>

static int make_room(const char *name, uint64_t rows, double **matrix)
{
    *matrix = malloc((size_t)(rows * rows) * sizeof **matrix);
    return *matrix ? CLI_OK : cli_memory_error(name, rows * rows * sizeof **matrix);
}

static int read_number(const char *name, double rho, uint64_t rows, double **matrix)
{
    const int code = make_room(name, rows, matrix);
    for (uint64_t i = 0; i < rows * rows && !code; i++) (*matrix)[i] = i % (rows + 1) ? rho : 1;
    return code;
}

static int copy_numbers(const char *name, const struct option_numbers *numbers, double **matrix)
{
    if (numbers->rows * numbers->rows != numbers->count)
        return cli_error(CLI_USAGE, "%s: %llu numbers in %llu rows are not a square matrix", name,
                         (unsigned long long)numbers->count, (unsigned long long)numbers->rows);
    const int code = make_room(name, numbers->rows, matrix);
    if (!code) memcpy(*matrix, numbers->value, (size_t)numbers->count * sizeof **matrix);
    return code;
}

int correlation_is_number(const struct arguments *a, int option)
{
    double rho;
    return a->value[option] && !option_numbers(a, option) && parse_f64(a->value[option], &rho) == PARSE_OK;
}

int correlation_read(const struct arguments *a, int option, const char *const *names, uint64_t count,
                     uint64_t dims, double **matrix, uint64_t *rows)
{
    const char *name = a->command->options[option].name, *given = a->value[option];
    const struct option_numbers *numbers = option_numbers(a, option);
    double rho;
    int code;
    *matrix = NULL;
    *rows = 0;
    if (!given) return CLI_OK;
    if (numbers) {
        *rows = numbers->rows;
        code = copy_numbers(name, numbers, matrix);
    } else if (parse_f64(given, &rho) == PARSE_OK) {
        *rows = dims ? dims : 1;
        code = read_number(name, rho, *rows, matrix);
    } else {
        code = csv_square(name, given, names, count, matrix, rows);
    }
    if (code) return code;
    return csv_check_matrix(bailey_correlation_check(*matrix, (uint32_t)*rows, *matrix), "", name,
                            numbers ? "" : given, names);
}

int correlation_check(const struct arguments *a, bailey_status status, const char *otherwise, int option,
                      const char *path, const char *const *names)
{
    const char *word = bailey_error_argument();
    if (status == BAILEY_ERROR_INVALID && path &&
        (!strcmp(word, "covariance") || !strcmp(word, "correlation")))
        return csv_check_matrix(status, otherwise, a->command->options[option].name, path, names);
    return options_check(a, status, otherwise);
}
