/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey correlation: checks a matrix, and finds the nearest correlation matrix.
 */
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/correlation.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST, LEAST_EIGENVALUE, WEIGHTS, FIXED, FACTORS, LOADINGS, JSON };

static const struct option options[] = {
    OPTION("--nearest", "OUT", "write the nearest correlation matrix as CSV; - is standard output"),
    OPTION("--least-eigenvalue", "E",
           "of the matrix that is written, from 0 to below 1; default 0, where it may be singular"),
    OPTION("--weights", "W,W,...", "weight of each row: entries of rows with larger weights change less"),
    OPTION("--fixed", "I:J,...", "entries that keep their values, as rows and columns counted from 1"),
    OPTION("--factors", "K", "the nearest matrix of a model of K factors instead"),
    OPTION("--loadings", "OUT",
           "write the loadings of the factors, a row for each row of the matrix, as CSV"),
    OPTION("--json", NULL, "print the report as JSON"),
    OPTIONS_END,
};

struct matrix {
    const char *path;
    double *values; /* as the file has them, then exact */
    char **names;   /* NULL: none */
    uint64_t dims;
    double smallest, largest; /* eigenvalues */
    int semidefinite;
    double *nearest;  /* NULL: not asked for */
    double *weights;  /* [dims]; NULL: 1 */
    uint32_t *fixed;  /* [dims][dims]; NULL: none */
    double *loadings; /* [dims][factors]; NULL: not a model of factors */
    uint64_t factors;
    double distance, change;
    uint64_t row, column; /* of the largest change */
};

static const char *const *names_of(const struct matrix *m) { return (const char *const *)m->names; }

static int check(const struct matrix *m, bailey_status status)
{
    return csv_check_matrix(status, "matrix", "matrix", m->path, names_of(m));
}

static int find_eigenvalues(struct matrix *m)
{
    double *found = malloc((size_t)m->dims * sizeof *found);
    if (!found) return cli_memory_error(m->path, m->dims * sizeof *found);
    const int code = check(m, bailey_correlation_eigenvalues(m->values, (uint32_t)m->dims, found));
    if (!code) {
        m->smallest = found[0];
        m->largest = found[m->dims - 1];
        m->semidefinite = m->smallest >= -0x1p-46 * (double)m->dims;
    }
    free(found);
    return code;
}

static int read_weights(const struct arguments *a, struct matrix *m)
{
    uint64_t count = 0;
    if (!a->value[WEIGHTS]) return CLI_OK;
    const uint64_t given = option_list_length(a->value[WEIGHTS]);
    if (given != m->dims)
        return cli_error(CLI_USAGE, "--weights: %s weights for %s rows", cli_count(given),
                         cli_count(m->dims));
    m->weights = malloc(m->dims * sizeof *m->weights);
    if (!m->weights) return cli_memory_error("--weights", m->dims * sizeof *m->weights);
    return option_list_f64(a, WEIGHTS, m->weights, m->dims, &count);
}

/* One entry of --fixed, such as "1:2". */
static int fix_entry(struct matrix *m, const char *item)
{
    unsigned long long i, j;
    int end = 0;
    const int good =
        sscanf(item, "%llu:%llu%n", &i, &j, &end) == 2 && !item[end] && isdigit((unsigned char)*item);
    if (!good)
        return cli_error(CLI_USAGE, "--fixed: '%s' is not a row and a column, such as 1:2",
                         cli_printable(item));
    if (i < 1 || j < 1 || i > m->dims || j > m->dims || i == j)
        return cli_error(CLI_USAGE, "--fixed: %s is not an entry outside the diagonal of %s rows",
                         cli_printable(item), cli_count(m->dims));
    m->fixed[(i - 1) * m->dims + j - 1] = m->fixed[(j - 1) * m->dims + i - 1] = 1;
    return CLI_OK;
}

static int read_fixed(const struct arguments *a, struct matrix *m)
{
    const char *list = a->value[FIXED];
    char item[48];
    int code = CLI_OK;
    if (!list) return CLI_OK;
    m->fixed = calloc((size_t)(m->dims * m->dims), sizeof *m->fixed);
    if (!m->fixed) return cli_memory_error("--fixed", m->dims * m->dims * sizeof *m->fixed);
    while (!code && option_next_item(&list, item, sizeof item)) code = fix_entry(m, item);
    return code;
}

static int read_factors(const struct arguments *a, struct matrix *m)
{
    int code = option_u64(a, FACTORS, 1, m->dims, &m->factors);
    if (code || !a->value[FACTORS]) return code;
    m->loadings = malloc((size_t)(m->dims * m->factors) * sizeof *m->loadings);
    return m->loadings ? CLI_OK : cli_memory_error("--factors", m->dims * m->factors * sizeof *m->loadings);
}

static int find_nearest(const struct arguments *a, struct matrix *m, double least)
{
    const uint64_t n = m->dims;
    int code = read_weights(a, m);
    if (!code) code = read_fixed(a, m);
    if (!code) code = read_factors(a, m);
    if (code) return code;
    m->nearest = malloc((size_t)(n * n) * sizeof *m->nearest);
    if (!m->nearest) return cli_memory_error(m->path, n * n * sizeof *m->nearest);
    const bailey_status status =
        m->loadings ? bailey_correlation_factors(m->values, (uint32_t)n, (uint32_t)m->factors, m->loadings,
                                                 m->nearest, &m->distance)
                    : bailey_correlation_adjust(m->values, (uint32_t)n, least, m->weights, m->fixed,
                                                m->nearest, &m->distance);
    code = options_check(a, status, "--nearest");
    for (uint64_t i = 1; i < n && !code; i++)
        for (uint64_t j = 0; j < i; j++) {
            const double change = fabs(m->nearest[i * n + j] - m->values[i * n + j]);
            if (change <= m->change) continue;
            m->change = change;
            m->row = i;
            m->column = j;
        }
    return code;
}

/* ---- The matrix as CSV ---- */

static int write_name(struct output *output, const char *name)
{
    int code = output_print(output, "\"");
    for (; *name && !code; name++) code = output_print(output, *name == '"' ? "\"\"" : "%c", *name);
    return code ? code : output_print(output, "\"");
}

static int write_rows(const struct matrix *m, struct output *output)
{
    char number[32];
    int code = CLI_OK;
    for (uint64_t j = 0; m->names && j < m->dims && !code; j++) {
        code = write_name(output, m->names[j]);
        if (!code) code = output_print(output, j + 1 < m->dims ? "," : "\n");
    }
    for (uint64_t i = 0; i < m->dims * m->dims && !code; i++) {
        cli_shortest_f64(number, sizeof number, m->nearest[i]);
        code = output_print(output, "%s%s", number, (i + 1) % m->dims ? "," : "\n");
    }
    return code;
}

/* A row of loadings for each row of the matrix. */
static int write_loadings(const struct matrix *m, struct output *output)
{
    char number[32];
    int code = CLI_OK;
    for (uint64_t i = 0; i < m->dims * m->factors && !code; i++) {
        cli_shortest_f64(number, sizeof number, m->loadings[i]);
        code = output_print(output, "%s%s", number, (i + 1) % m->factors ? "," : "\n");
    }
    return code;
}

static int write_file(const struct matrix *m, const char *path,
                      int (*rows)(const struct matrix *m, struct output *output))
{
    struct output output;
    int code = output_open(&output, path, 0);
    if (code) return code;
    code = rows(m, &output);
    if (!code) code = output_commit(&output);
    if (code) output_abandon(&output);
    return code;
}

/* ---- The report ---- */

static void add_nearest(struct document *d, const struct matrix *m, const char *out)
{
    document_text(d, "nearest", out);
    if (m->loadings) document_count(d, "factors", m->factors);
    document_number(d, "distance", m->distance);
    document_number(d, "largest_change", m->change);
    if (m->loadings) document_line(d, "  factors                       %s", cli_count(m->factors));
    document_line(d, "  distance (%s)     %.12g", m->weights ? "weighted norm" : "Frobenius norm",
                  m->distance);
    if (m->change > 0)
        document_line(d, "  largest change                %.6g, in row %llu, column %llu", m->change,
                      (unsigned long long)m->row + 1, (unsigned long long)m->column + 1);
    document_line(d, "  written to                    %s", cli_printable(out));
}

static int report(const struct matrix *m, const char *out, int json)
{
    struct document *d = document_new();
    document_line(d, "%s: %llu rows, eigenvalues from %.6g to %.6g, %s", cli_printable(m->path),
                  (unsigned long long)m->dims, m->smallest, m->largest,
                  m->semidefinite ? "a correlation matrix" : "not positive semi-definite");
    document_text(d, "file", m->path);
    document_count(d, "dims", m->dims);
    document_flag(d, "is_correlation", m->semidefinite);
    document_number(d, "smallest_eigenvalue", m->smallest);
    document_number(d, "largest_eigenvalue", m->largest);
    if (m->nearest) add_nearest(d, m, out);
    document_number(d, "seconds", cli_elapsed());
    const int code = document_print(d, json);
    document_free(d);
    return code;
}

/* ---- The command ---- */

static int examine(const struct arguments *a, struct matrix *m)
{
    const char *out = a->value[NEAREST];
    double least = 0;
    int code = option_f64(a, LEAST_EIGENVALUE, &least);
    if (code || (code = csv_named_square("matrix", m->path, &m->values, &m->dims, &m->names)) ||
        (code = find_eigenvalues(m)))
        return code;
    if (!out && (code = check(m, bailey_correlation_check(m->values, (uint32_t)m->dims, m->values))))
        return code;
    if (out && ((code = find_nearest(a, m, least)) || (code = write_file(m, out, write_rows)))) return code;
    if (a->value[LOADINGS] && (code = write_file(m, a->value[LOADINGS], write_loadings))) return code;
    if (out && !strcmp(out, "-")) return CLI_OK;
    code = report(m, out, a->value[JSON] != NULL);
    if (code || m->semidefinite || out) return code;
    return cli_error(CLI_USAGE,
                     "%s: not positive semi-definite; --nearest OUT writes the nearest correlation matrix",
                     cli_printable(m->path));
}

static int run(const struct arguments *a)
{
    struct matrix m = {.path = a->file};
    if (!a->file) return cli_error(CLI_USAGE, "name a file: bailey correlation FILE");
    for (int i = LEAST_EIGENVALUE; i <= LOADINGS; i++)
        if (a->value[i] && !a->value[NEAREST])
            return cli_error(CLI_USAGE, "%s applies to the matrix of --nearest; add --nearest OUT",
                             options[i].name);
    for (int i = LEAST_EIGENVALUE; i <= FIXED; i++)
        if (a->value[i] && a->value[FACTORS])
            return cli_error(CLI_USAGE, "%s: not with --factors", options[i].name);
    if (a->value[LOADINGS] && !a->value[FACTORS])
        return cli_error(CLI_USAGE, "--loadings: only with --factors");
    if (a->value[JSON] && a->value[NEAREST] && !strcmp(a->value[NEAREST], "-"))
        return cli_error(CLI_USAGE,
                         "--json and --nearest - cannot be combined: both write to standard output");
    const int code = examine(a, &m);
    for (uint64_t i = 0; m.names && i < m.dims; i++) free(m.names[i]);
    free(m.names);
    free(m.values);
    free(m.nearest);
    free(m.weights);
    free(m.fixed);
    free(m.loadings);
    return code;
}

const struct command command_correlation = {
    .name = "correlation",
    .summary = "check a correlation matrix, or find the nearest one",
    .usage = "FILE [--nearest OUT]",
    .about = "Checks a correlation matrix in a CSV file, with or without names, as every command checks one: "
             "symmetric,\n"
             "ones on the diagonal, entries from -1 to 1, each within 4.8e-7, and no negative eigenvalue. "
             "--nearest writes\n"
             "the nearest correlation matrix in the Frobenius norm (Higham 2002) and reports the distance. "
             "The exit code\n"
             "is 2 if FILE is not a correlation matrix and --nearest is absent.",
    .examples =
        "  bailey correlation correlation.csv\n"
        "      is this a correlation matrix?\n"
        "  bailey correlation estimated.csv --nearest correlation.csv\n"
        "      repair a matrix whose correlations were estimated pair by pair\n"
        "  bailey correlation estimated.csv --nearest correlation.csv --least-eigenvalue 1e-6\n"
        "      the nearest matrix that can be inverted\n"
        "  bailey correlation estimated.csv --nearest correlation.csv --weights 4,1,1 --fixed 1:2\n"
        "      the first row is known better than the others, and one entry for certain\n"
        "  bailey correlation estimated.csv --nearest correlation.csv --factors 2 --loadings loadings.csv\n"
        "      a model of two factors (Borsdorf, Higham and Raydan 2010)\n",
    .options = options,
    .run = run,
    .takes_file = 1,
};
