/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey local-volatility: from a file of implied volatilities to the grid of the model dupire.
 */
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/local_volatility.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT, HORIZON, LOW, HIGH, JSON };

static const struct option options[] = {
    OPTION("--output", "OUT", "write the grid as CSV, a row for each time; - is standard output", .letter = 'o'),
    FIELD(volatility_quotes, horizon, "--horizon", .value = "T"),
    FIELD(volatility_quotes, low, "--low", .value = "K"),
    FIELD(volatility_quotes, high, "--high", .value = "K"),
    OPTION("--json", NULL, "print the report as JSON"),
    OPTIONS_END,
};

struct quotes {
    struct csv csv;
    const char *path;
    double *strikes, *rows; /* [expiry][2 + strike_count] */
    size_t strike_count, expiry_count;
    bailey_local_volatility grid;
    char warning[500]; /* "": there is none */
};

static void take_warning(void *user, const char *message)
{
    struct quotes *q = user;
    snprintf(q->warning, sizeof q->warning, "%s", message);
}

/* ---- The file ---- */

static int is_blank(const struct csv *csv, size_t field)
{
    return field >= csv->fields || !*csv->field[field];
}

/* expiry,forward,80,90,100 */
static int read_header(struct quotes *q)
{
    int code = csv_next(&q->csv);
    if (code) return code;
    if (q->csv.fields < 3)
        return csv_error(&q->csv, "the first row has the words expiry and forward, and then the strikes");
    q->strike_count = q->csv.fields - 2;
    q->strikes = malloc(q->strike_count * sizeof *q->strikes);
    if (!q->strikes) return cli_memory_error(q->path, q->strike_count * sizeof *q->strikes);
    if (strcmp(q->csv.field[0], "expiry") != 0 || strcmp(q->csv.field[1], "forward") != 0)
        return csv_error(&q->csv, "the first row begins with expiry,forward");
    for (size_t i = 0; i < q->strike_count && !code; i++) code = csv_number(&q->csv, i + 2, "strike", &q->strikes[i]);
    return code;
}

/* An expiry, its forward price and volatilities; an empty field has none. */
static int read_row(struct quotes *q)
{
    const size_t width = q->strike_count + 2;
    if (q->csv.fields < 3 || q->csv.fields > width)
        return csv_error(&q->csv, "%zu fields; the first row has %zu", q->csv.fields, width);
    double *rows = realloc(q->rows, (q->expiry_count + 1) * width * sizeof *rows);
    if (!rows) return cli_memory_error(q->path, (q->expiry_count + 1) * width * sizeof *rows);
    q->rows = rows;
    double *row = rows + q->expiry_count++ * width;
    int code = CLI_OK;
    for (size_t i = 0; i < width && !code; i++) {
        row[i] = NAN;
        if (i < 2 || !is_blank(&q->csv, i))
            code = csv_number(&q->csv, i, i == 0 ? "expiry" : i == 1 ? "forward" : "volatility", &row[i]);
    }
    return code;
}

static int read_file(struct quotes *q)
{
    int code = csv_open(&q->csv, "quotes", q->path);
    if (!code) code = read_header(q);
    while (!code) {
        code = csv_next(&q->csv);
        if (code || !q->csv.fields) break;
        csv_trim(&q->csv, q->strike_count + 2);
        code = read_row(q);
    }
    csv_close(&q->csv);
    if (!code && !q->expiry_count) return cli_error(CLI_USAGE, "quotes: %s has no expiry", cli_printable(q->path));
    return code;
}

/* ---- The grid ---- */

static int find(struct quotes *q, bailey_volatility_quotes *params)
{
    const size_t n = q->expiry_count, width = q->strike_count + 2;
    double *columns = malloc(n * width * sizeof *columns);
    if (!columns) return cli_memory_error(q->path, n * width * sizeof *columns);
    for (size_t e = 0; e < n; e++) {
        columns[e] = q->rows[e * width];
        columns[n + e] = q->rows[e * width + 1];
        memcpy(columns + 2 * n + e * q->strike_count, q->rows + e * width + 2, q->strike_count * sizeof *columns);
    }
    params->expiries = columns;
    params->forwards = columns + n;
    params->volatilities = columns + 2 * n;
    params->strikes = q->strikes;
    params->expiry_count = (uint32_t)n;
    params->strike_count = (uint32_t)q->strike_count;
    bailey_warning_set(take_warning, q);
    const int code = cli_check(bailey_local_volatility_find(params, &q->grid), q->path);
    bailey_warning_set(NULL, NULL);
    free(columns);
    return code;
}

static int write_rows(const struct quotes *q, struct output *output)
{
    char number[32];
    int code = CLI_OK;
    for (uint32_t i = 0; i < BAILEY_LOCAL_VOLATILITY_NODES && !code; i++) {
        const int last = (i + 1) % BAILEY_LOCAL_VOLATILITY_COLUMNS == 0;
        cli_shortest_f64(number, sizeof number, q->grid.volatility[i]);
        code = output_print(output, "%s%s", number, last ? "\n" : ",");
    }
    return code;
}

static int write_grid(const struct quotes *q, const char *path)
{
    struct output output;
    int code = output_open(&output, path, 0);
    if (code) return code;
    code = write_rows(q, &output);
    if (!code) code = output_commit(&output);
    if (code) output_abandon(&output);
    return code;
}

static int report(const struct quotes *q, const char *out, int json)
{
    const bailey_local_volatility *g = &q->grid;
    char horizon[32], low[32], high[32];
    cli_shortest_f64(horizon, sizeof horizon, g->horizon);
    cli_shortest_f64(low, sizeof low, g->low);
    cli_shortest_f64(high, sizeof high, g->high);
    struct document *d = document_new();
    document_line(d, "%s: %zu expiries, %zu strikes, without arbitrage", cli_printable(q->path), q->expiry_count,
                  q->strike_count);
    document_text(d, "file", q->path);
    document_number(d, "horizon", g->horizon);
    document_number(d, "low", g->low);
    document_number(d, "high", g->high);
    document_count(d, "extrapolated", g->extrapolated);
    if (out) {
        document_text(d, "output", out);
        document_line(d, "  the grid, for --model dupire    --horizon %s --low=%s --high %s --set volatility=@%s", horizon,
                      low, high, cli_printable(out));
    } else {
        document_numbers(d, "volatility", g->volatility, BAILEY_LOCAL_VOLATILITY_NODES);
        document_line(d, "  the grid goes to                %.6g years, %.6g to %.6g of the forward", g->horizon,
                      exp(g->low), exp(g->high));
    }
    document_number(d, "seconds", cli_elapsed());
    if (*q->warning) document_warn(d, "%s", q->warning);
    const int code = document_print(d, json);
    document_free(d);
    return code;
}

/* ---- The command ---- */

static int run(const struct arguments *a)
{
    struct quotes q = {.path = a->file};
    bailey_volatility_quotes params = {0};
    const char *out = a->value[OUTPUT];
    if (!a->file) return cli_error(CLI_USAGE, "name a file: bailey local-volatility QUOTES");
    if (a->value[JSON] && out && !strcmp(out, "-"))
        return cli_error(CLI_USAGE, "--json and --output - cannot be combined: both write to standard output");
    int code = option_f64(a, HORIZON, &params.horizon);
    if (!code) code = option_f64(a, LOW, &params.low);
    if (!code) code = option_f64(a, HIGH, &params.high);
    if (!code) code = read_file(&q);
    if (!code) code = find(&q, &params);
    if (!code && out) code = write_grid(&q, out);
    if (!code && !(out && !strcmp(out, "-"))) code = report(&q, out, a->value[JSON] != NULL);
    free(q.strikes);
    free(q.rows);
    return code;
}

const struct command command_local_volatility = {
    .name = "local-volatility",
    .summary = "local volatilities from quotes, for the model dupire",
    .usage = "QUOTES [-o OUT]",
    .about = "Checks implied volatilities for arbitrage, and turns them into local volatilities by Dupire's formula. "
             "QUOTES is\n"
             "a CSV file with the header expiry,forward and the strikes, and a row for each expiry: its time in years, "
             "the\n"
             "forward price, and volatilities (0.2 is 20 %; empty: no quote). The model dupire reads the grid that -o "
             "writes.",
    .examples = "  bailey local-volatility quotes.csv\n"
                "      is there arbitrage in these quotes?\n"
                "  bailey local-volatility quotes.csv -o grid.csv\n"
                "      writes the grid, and says which options price under it:\n"
                "  bailey price european --model dupire --horizon 1 --low=-0.8 --high 0.8 --set volatility=@grid.csv \\\n"
                "      --spot 100 --rate 0.03 --strike 110\n",
    .options = options,
    .run = run,
    .takes_file = 1,
};
