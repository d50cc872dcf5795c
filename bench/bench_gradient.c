/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients of two deals, against their price alone and against peers that differentiate the same model. The
 * price, and the delta of the first asset, have to agree within their errors.
 */
#include "bench_gradient.h"

#include "heston_basket_text.h"

#include <cli/io/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ASSETS = 5, MOST_DIMS = 10, MOST_STEPS = 252, MOST_DERIVATIVES = 96, FEW_PATHS = 256 };

const struct gradient_deal gradient_deals[] = {
    [GRADIENT_ASIAN] = {"asian", 3, 3, 24, 0, BAILEY_CONSTRUCTION_WALK, 0, 14},
    [GRADIENT_ASIAN_ALL] = {"asian-all", 3, 3, 24, 0, BAILEY_CONSTRUCTION_WALK, 1, 22},
    [GRADIENT_ASIAN_BRIDGE] = {"asian-bridge", 3, 3, 24, 0, BAILEY_CONSTRUCTION_BRIDGE, 0, 14},
    [GRADIENT_HESTON] = {"heston", 5, 10, 252, 1, BAILEY_CONSTRUCTION_WALK, 1, 82},
};

struct parameter {
    const char *name;
    double value[MOST_ASSETS];
    int is_array; /* one per asset */
};

#define SAME(x)                                                                                              \
    {                                                                                                        \
        x, x, x, x, x                                                                                        \
    }
static const struct parameter asian_parameters[] = {{"spot", {100, 95, 110}, 1},
                                                    {"volatility", {0.2, 0.3, 0.25}, 1},
                                                    {"dividend", {0.01, 0.02, 0.03}, 1},
                                                    {"weight", {0.4, 0.35, 0.25}, 1},
                                                    {"rate", {0.03}, 0},
                                                    {"strike", {100}, 0},
                                                    {NULL, {0}, 0}};
/* That of examples/heston-basket. */
static const struct parameter heston_parameters[] = {{"spot", SAME(100), 1},
                                                     {"variance", SAME(0.04), 1},
                                                     {"reversion", SAME(1.5), 1},
                                                     {"mean_variance", SAME(0.04), 1},
                                                     {"sigma", SAME(0.3), 1},
                                                     {"rate", {0.03}, 0},
                                                     {"strike", {100}, 0},
                                                     {NULL, {0}, 0}};

static const struct parameter *parameters_of(const struct gradient_deal *deal)
{
    return deal->is_heston ? heston_parameters : asian_parameters;
}

/* ---- The deal ---- */

static double correlation_of(const struct gradient_deal *deal, uint32_t i, uint32_t j)
{
    static const double asian[3][3] = {{1, 0.5, 0.3}, {0.5, 1, 0.4}, {0.3, 0.4, 1}};
    const uint32_t n = deal->assets;
    if (!deal->is_heston) return asian[i][j];
    if (i == j) return 1;
    if (i < n && j < n) return 0.5;   /* of prices */
    if (i >= n && j >= n) return 0.2; /* of variances */
    return i % n == j % n ? -0.6 : -0.2;
}

static void fill_path(const struct gradient_deal *deal, double *times, double *correlation)
{
    for (uint32_t i = 0; i < deal->steps; i++) times[i] = (i + 1.0) / deal->steps;
    for (uint32_t i = 0; i < deal->dims; i++)
        for (uint32_t j = 0; j < deal->dims; j++)
            correlation[i * deal->dims + j] = correlation_of(deal, i, j);
}

static bailey_status make_simulation(const struct gradient_bench *bench, const struct gradient_deal *deal,
                                     bailey_precision precision, bailey_simulation **made)
{
    double times[MOST_STEPS], correlation[MOST_DIMS * MOST_DIMS];
    fill_path(deal, times, correlation);
    bailey_simulation_params params = {.path = {.times = times,
                                                .steps = deal->steps,
                                                .dims = deal->dims,
                                                .covariance = correlation,
                                                .precision = precision,
                                                .construction = deal->construction},
                                       .payoff = {.name = "asian"}}; /* compiled, for as many paths as ever */
    if (deal->is_heston) {
        params.path.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS;
        params.payoff = (bailey_payoff){.code = heston_basket_text};
    }
    bailey_status status = bailey_simulation_create(bench->base.context, &params, made);
    for (const struct parameter *p = parameters_of(deal); p->name && !status; p++)
        status = bailey_simulation_set(*made, p->name, p->value, p->is_array ? deal->assets : 1);
    return status;
}

/* The deal as python_peers.py wants it. malloc makes it; NULL without memory. */
static char *deal_text(const struct gradient_bench *bench, const struct gradient_deal *deal, uint64_t paths)
{
    const unsigned processes = bench->host ? bench_host_threads(bench->host) : 1;
    double times[MOST_STEPS], correlation[MOST_DIMS * MOST_DIMS];
    struct json_line line = {0};
    struct document *json = document_new();
    fill_path(deal, times, correlation);
    document_text(json, "model", deal->is_heston ? "heston" : "asian");
    document_text(json, "platform", bench->host ? "cpu" : "cuda");
    document_count(json, "steps", deal->steps);
    document_count(json, "paths", (paths + processes - 1) / processes);
    for (const struct parameter *p = parameters_of(deal); p->name; p++)
        document_numbers(json, p->name, p->value, p->is_array ? deal->assets : 1);
    document_open(json, "correlation", '[');
    for (uint32_t i = 0; i < deal->dims; i++)
        document_numbers(json, NULL, correlation + i * deal->dims, deal->dims);
    document_close(json);
    document_append(json, &line);
    document_free(json);
    char *text = line.failed ? NULL : malloc(line.used + 1);
    if (text) snprintf(text, line.used + 1, "%.*s", (int)line.used, line.text);
    free(line.text);
    return text;
}

/* ---- A measurement ---- */

struct measurement {
    struct gradient_bench *bench;
    const struct gradient_deal *deal;
    bailey_precision precision;
    bailey_simulation *simulation;
    bailey_simulation_run_params run;
    bailey_gradient_params params;
    bailey_estimate price[2], with[2]; /* of the outputs: alone, and with derivatives */
    bailey_derivative derivative[MOST_DERIVATIVES];
    double seconds[2]; /* of the processor, in all calls of either */
    struct bench_case wanted;
    struct bench_entry peer; /* its `peer` NULL: there is none */
};

static bailey_status queue_price(void *user)
{
    struct measurement *m = user;
    const double begun = bench_processor_seconds();
    memset(m->price, 0xff, sizeof m->price); /* poison: not a number */
    const bailey_status status = bailey_simulation_run(m->simulation, &m->run, m->price);
    m->seconds[0] += bench_processor_seconds() - begun;
    return status;
}

static bailey_status queue_gradient(void *user)
{
    struct measurement *m = user;
    const double begun = bench_processor_seconds();
    memset(m->with, 0xff, sizeof m->with);
    memset(m->derivative, 0xff, sizeof m->derivative);
    const bailey_status status =
        bailey_simulation_gradient(m->simulation, &m->run, &m->params, m->with, m->derivative);
    m->seconds[1] += bench_processor_seconds() - begun;
    return status;
}

/* The time of the first calls, which compile, does not count. */
static bailey_status begin_counting(void *user)
{
    struct measurement *m = user;
    m->seconds[0] = m->seconds[1] = m->peer.processor_seconds = 0;
    return BAILEY_OK;
}

static bailey_status begin(struct measurement *m, uint64_t paths)
{
    static const char *const names[] = {"spot", "volatility", "dividend", "weight", "rate", "strike"};
    m->run = (bailey_simulation_run_params){
        .source = {.seed = 1}, .normal = {.precision = m->precision}, .paths = paths};
    m->params = (bailey_gradient_params){.covariance = m->deal->others};
    if (!m->deal->is_heston) m->params.time = m->deal->others;
    if (!m->deal->others) {
        m->params.names = names;
        m->params.count = sizeof names / sizeof *names;
    }
    return make_simulation(m->bench, m->deal, m->precision, &m->simulation);
}

static void describe(const struct measurement *m, const char *what, struct bench_row *row)
{
    if (m->run.paths == FEW_PATHS)
        snprintf(row->name, BENCH_NAME, "gradient/%s/%s/%s", m->deal->name, option_precision(m->precision),
                 what);
    else
        snprintf(row->name, BENCH_NAME, "gradient/%s/%s/%llu/%s", m->deal->name,
                 option_precision(m->precision), (unsigned long long)m->run.paths, what);
    row->unit = "M paths/s";
    row->count = m->run.paths;
    bench_fact_text(row, "deal", m->deal->name);
    bench_fact_number(row, "derivatives", (double)m->deal->derivatives);
    bench_fact_text(row, "precision", option_precision(m->precision));
}

/* ---- Checks ---- */

static int is_near(double a, double b, double error) { return fabs(a - b) <= 5 * error; }

/* The price has the same bits alone and with derivatives, all of which are written. */
static void check_own(const struct measurement *m, struct bench_row *row)
{
    if (m->with[0].mean != m->price[0].mean) {
        bench_fail(row, "the price is %.17g, alone %.17g", m->with[0].mean, m->price[0].mean);
        return;
    }
    for (uint64_t i = 0; i < m->deal->derivatives; i++)
        if (!isfinite(m->derivative[i].estimate.mean)) {
            bench_fail(row, "the derivative with respect to %s[%u] was not written", m->derivative[i].name,
                       m->derivative[i].first);
            return;
        }
}

/* The derivative of the peer has the standard error of ours. */
static void check_peer(const struct measurement *m, struct bench_row *row)
{
    const bailey_estimate *price = &m->with[0], *delta = &m->derivative[0].estimate;
    bench_fact_number(row, "price", m->peer.mean);
    bench_fact_number(row, "delta", m->peer.slope);
    if (!is_near(m->peer.mean, price->mean, hypot(m->peer.error, price->standard_error)))
        bench_fail(row, "the price is %.9g, of bailey %.9g +- %.3g", m->peer.mean, price->mean,
                   price->standard_error);
    else if (!is_near(m->peer.slope, delta->mean, M_SQRT2 * delta->standard_error))
        bench_fail(row, "the delta is %.9g, of bailey %.9g +- %.3g", m->peer.slope, delta->mean,
                   delta->standard_error);
}

/* ---- Rows ---- */

static double processor_of(double seconds, const struct bench_timed *timed)
{
    return seconds / (double)(timed->calls * timed->batches);
}

static void price_row(struct measurement *m, const struct bench_timed *timed, double amount)
{
    struct bench_row row = {0};
    const struct bench_timed pair[2] = {timed[0], timed[1]};
    describe(m, "price", &row);
    row.of = "gradient";
    bench_figures(&row, pair, 1, amount);
    bench_fact_number(&row, "processor_seconds", processor_of(m->seconds[0], &timed[0]));
    bench_fact_number(&row, "price", m->price[0].mean);
    snprintf(row.note, sizeof row.note, "%.5f", m->price[0].mean);
    bench_row(&m->bench->base, &row);
}

static void peer_row(struct measurement *m, const struct bench_timed *timed, double amount)
{
    struct bench_row row = {0};
    const struct bench_timed pair[2] = {timed[2], timed[1]};
    describe(m, m->peer.name, &row);
    row.of = "gradient";
    bench_figures(&row, pair, 1, amount);
    bench_fact_number(&row, "times_gradient", 1 / row.ratio);
    bench_fact_number(&row, "processor_seconds", processor_of(m->peer.processor_seconds, &timed[2]));
    bench_fact_number(&row, "processes", m->peer.processes);
    bench_fact_text(&row, "how", m->peer.note);
    bench_fact_text(&row, m->peer.peer->version, m->peer.version);
    snprintf(row.note, sizeof row.note, "%.5f, %.1f times, %s, %s", m->peer.mean, 1 / row.ratio, m->peer.note,
             m->peer.version);
    check_peer(m, &row);
    bench_row(&m->bench->base, &row);
}

static void gradient_row(struct measurement *m, const struct bench_timed *timed, double amount,
                         struct bench_row *row)
{
    const struct bench_timed pair[2] = {timed[1], timed[0]};
    row->of = "price";
    bench_figures(row, pair, 1, amount);
    bench_fact_number(row, "prices", 1 / row->ratio);
    bench_fact_number(row, "processor_seconds", processor_of(m->seconds[1], &timed[1]));
    bench_fact_number(row, "processor_prices",
                      processor_of(m->seconds[1], &timed[1]) / processor_of(m->seconds[0], &timed[0]));
    bench_fact_number(row, "price", m->with[0].mean);
    bench_fact_number(row, "delta", m->derivative[0].estimate.mean);
    bench_fact_number(row, "delta_standard_error", m->derivative[0].estimate.standard_error);
    snprintf(row->note, sizeof row->note, "%.5f, %.2f prices", m->with[0].mean, 1 / row->ratio);
    check_own(m, row);
}

/* Its row says why it is not there. */
static void begin_peer(struct measurement *m, char *text)
{
    const struct bench_peer *peer;
    unsigned setting;
    struct bench_row row = {0};
    m->wanted = (struct bench_case){.bench = &m->bench->base,
                                    .subject = BENCH_GRADIENTS,
                                    .precision = m->precision,
                                    .host = m->bench->host,
                                    .count = m->run.paths,
                                    .text = text};
    if (!text || !(peer = bench_peer_at(&m->wanted, 0, &setting))) return;
    if (bench_entry_begin(&m->peer, peer, setting, &m->wanted, ' ')) return;
    describe(m, m->peer.name, &row);
    bench_skip(&row, m->peer.why);
    bench_row(&m->bench->base, &row);
    m->peer.peer = NULL;
}

static void measure(struct measurement *m, struct bench_row *row)
{
    struct bench_timed timed[3] = {{.queue = queue_price, .user = m}, {.queue = queue_gradient, .user = m}};
    const size_t count = m->peer.peer ? 3 : 2;
    const double amount = 1e-6 * (double)m->run.paths;
    if (count == 3) timed[2] = (struct bench_timed){.queue = m->peer.peer->run, .user = &m->peer};
    const bailey_status status =
        bench_time(m->bench->base.context, &m->bench->base.settings, timed, count, begin_counting, m);
    if (bench_entry_trouble(row, status, &m->peer)) return;
    price_row(m, timed, amount);
    if (count == 3) peer_row(m, timed, amount);
    gradient_row(m, timed, amount, row);
}

void gradient_run(struct gradient_bench *bench, const struct gradient_deal *deal, bailey_precision precision,
                  uint64_t paths, struct bench_row *row)
{
    static struct measurement m;
    char *text = deal_text(bench, deal, paths);
    m = (struct measurement){.bench = bench, .deal = deal, .precision = precision};
    const bailey_status status = begin(&m, paths);
    describe(&m, "gradient", row);
    if (!bench_trouble(row, status, "")) {
        begin_peer(&m, text);
        measure(&m, row);
    }
    bench_entry_end(&m.peer);
    bailey_simulation_destroy(m.simulation);
    free(text);
}

void gradient_compile_run(struct gradient_bench *bench, const struct gradient_deal *deal,
                          bailey_precision precision, struct bench_row *row)
{
    static struct measurement m;
    double seconds[3];
    m = (struct measurement){.bench = bench, .deal = deal, .precision = precision};
    const bailey_status made = begin(&m, FEW_PATHS);
    describe(&m, "compile", row);
    if (!bench_trouble(row, made, "")) {
        bailey_status status = BAILEY_OK;
        for (int i = 0; i < 3 && !status; i++) {
            const double begun = cli_seconds();
            status = queue_gradient(&m);
            seconds[i] = cli_seconds() - begun;
        }
        if (!bench_trouble(row, status, "")) {
            row->unit = "s";
            row->of = "warm call";
            row->value = row->least = row->most = row->seconds = seconds[0];
            row->reference = seconds[2];
            row->ratio = seconds[0] / seconds[2];
            snprintf(row->note, sizeof row->note, "%.5f", m.with[0].mean);
        }
    }
    bailey_simulation_destroy(m.simulation);
}
