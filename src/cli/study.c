/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Each estimate is unbiased, since scrambled points are uniform one by one, so the error is the standard
 * deviation of the estimates of the replicates. Sizes take other replicates, so that the points of a line are
 * independent.
 */
#include "study.h"

#include <bailey/simulation.h>

#include <math.h>
#include <stdlib.h>

/* Elements of paths that are built at once for digitals. */
#define PIECE_ELEMENTS (UINT64_C(1) << 22)

/* What a method prices with. */
struct pricing {
    bailey_context *context;
    const struct study *study;
    double *times;
    uint32_t *order;
    bailey_source source;
    bailey_simulation *asian;
    /* Of digitals. */
    bailey_bridge *bridge;
    bailey_buffer *paths;
    uint64_t piece; /* paths */
    void *row;
};

static size_t element_of(const struct study *s) { return s->precision == BAILEY_PRECISION_F64 ? 8 : 4; }

/* One for all sizes. */
static int prepare_asian(struct pricing *p)
{
    const struct study_deal *deal = &p->study->deal;
    const double sign = deal->type == BAILEY_OPTION_TYPE_PUT ? -1 : 1;
    const struct {
        const char *option, *name;
        double value;
    } values[] = {{"--spot", "spot", deal->spot},
                  {"--volatility", "volatility", deal->volatility},
                  {"--rate", "rate", deal->rate},
                  {"--strike", "strike", deal->strike},
                  {"--type", "sign", sign}};
    const bailey_simulation_params params = {.path = {.times = p->times,
                                                      .steps = deal->steps,
                                                      .order = p->order,
                                                      .precision = (bailey_precision)p->study->precision},
                                             .payoff = {.name = "asian"},
                                             .planned_paths = p->study->replicates
                                                              << (p->study->log2_first + p->study->sizes)};
    int code = cli_check(bailey_simulation_create(p->context, &params, &p->asian), "--maturity");
    for (size_t i = 0; i < sizeof values / sizeof *values && !code; i++)
        code =
            cli_check(bailey_simulation_set(p->asian, values[i].name, &values[i].value, 1), values[i].option);
    return code;
}

static int price_asian(const struct pricing *p, uint64_t paths, double *estimate)
{
    const bailey_simulation_run_params run = {.source = p->source, .paths = paths};
    bailey_estimate e[2];
    const bailey_status status = bailey_simulation_run(p->asian, &run, e);
    *estimate = status ? 0 : e[0].mean;
    return cli_check(status, "pricing");
}

/* S(t) > K exactly where X(t) > this. */
static double digital_level(const struct pricing *p)
{
    const struct study_deal *deal = &p->study->deal;
    const double time = p->times[deal->digital - 1];
    const double drift = deal->rate - deal->volatility * deal->volatility / 2;
    return (log(deal->strike / deal->spot) - drift * time) / deal->volatility;
}

static uint64_t count_paid(const struct pricing *p, uint64_t count)
{
    const double level = digital_level(p);
    const int put = p->study->deal.type == BAILEY_OPTION_TYPE_PUT;
    uint64_t paid = 0;
    for (uint64_t i = 0; i < count; i++) {
        const double x =
            element_of(p->study) == 8 ? ((const double *)p->row)[i] : (double)((const float *)p->row)[i];
        paid += put ? x < level : x > level;
    }
    return paid;
}

static int price_digital(const struct pricing *p, uint64_t paths, double *estimate)
{
    const struct study_deal *deal = &p->study->deal;
    const bailey_normal_params normal = {.precision = (bailey_precision)p->study->precision};
    const uint64_t element = element_of(p->study);
    uint64_t paid = 0;
    for (uint64_t first = 0; first < paths; first += p->piece) {
        const uint64_t count = paths - first < p->piece ? paths - first : p->piece;
        bailey_status status = bailey_bridge_paths(p->bridge, &p->source, &normal, first, count, p->paths);
        if (!status)
            status =
                bailey_buffer_read(p->paths, (deal->digital - 1) * count * element, p->row, count * element);
        if (status) return cli_check(status, "paths");
        paid += count_paid(p, count);
    }
    *estimate = exp(-deal->rate * deal->maturity) * (double)paid / (double)paths;
    return CLI_OK;
}

static int prepare_digital(struct pricing *p)
{
    const struct study *s = p->study;
    const uint64_t most = UINT64_C(1) << (s->log2_first + s->sizes - 1),
                   fits = PIECE_ELEMENTS / s->deal.steps;
    const bailey_bridge_params params = {.times = p->times,
                                         .steps = s->deal.steps,
                                         .order = p->order,
                                         .precision = (bailey_precision)s->precision};
    p->piece = fits < 64 ? 64 : fits;
    if (p->piece > most) p->piece = most;
    p->row = malloc((size_t)p->piece * element_of(s));
    if (!p->row) return cli_memory_error("paths", p->piece * element_of(s));
    const int code = cli_check(bailey_bridge_create(p->context, &params, &p->bridge), "--maturity");
    return code ? code
                : cli_check(
                      bailey_buffer_create(p->context, p->piece * s->deal.steps * element_of(s), &p->paths),
                      "paths");
}

static int prepare(struct pricing *p, const struct study_method *m)
{
    const struct study *s = p->study;
    const uint64_t steps = s->deal.steps;
    p->source = (bailey_source){.seed = s->seed, .generator = m->generator};
    if (m->generator == BAILEY_GENERATOR_SOBOL) p->source.scramble = (bailey_scramble)s->scramble;
    p->times = malloc((size_t)steps * sizeof *p->times);
    p->order = malloc((size_t)steps * sizeof *p->order);
    if (!p->times || !p->order) return cli_memory_error("the times", steps * 12);
    for (uint64_t i = 0; i < steps; i++) p->times[i] = s->deal.maturity * (double)(i + 1) / (double)steps;
    const int code = cli_check(bailey_order_make(m->order, steps - 1, m->important ? s->important : NULL,
                                                 m->important ? s->important_count : 0, p->order),
                               "--important");
    if (code) return code;
    return s->deal.payoff == STUDY_ASIAN ? prepare_asian(p) : prepare_digital(p);
}

static void finish(struct pricing *p)
{
    bailey_simulation_destroy(p->asian);
    bailey_buffer_destroy(p->paths);
    bailey_bridge_destroy(p->bridge);
    free(p->row);
    free(p->order);
    free(p->times);
}

struct meter {
    struct cli_progress progress;
    uint64_t done, total; /* paths */
};

static int run_size(struct pricing *p, double *estimate, int size, struct meter *meter)
{
    const struct study *s = p->study;
    const int log2_paths = s->log2_first + size;
    const uint64_t paths = UINT64_C(1) << log2_paths;
    int code = CLI_OK;
    for (uint64_t r = 0; r < s->replicates && !code; r++) {
        p->source.stream = (uint64_t)log2_paths << 32 | r;
        code = s->deal.payoff == STUDY_ASIAN ? price_asian(p, paths, &estimate[r])
                                             : price_digital(p, paths, &estimate[r]);
        cli_progress_update(&meter->progress, meter->done += paths, meter->total);
    }
    return code;
}

static int run_method(bailey_context *context, const struct study *s, struct study_method *m,
                      struct meter *meter)
{
    struct pricing p = {.context = context, .study = s};
    const double started = cli_seconds();
    const uint64_t count = (uint64_t)s->sizes * s->replicates;
    m->estimate = malloc((size_t)count * sizeof *m->estimate);
    int code = m->estimate ? prepare(&p, m) : cli_memory_error("the estimates", count * 8);
    for (int size = 0; size < s->sizes && !code; size++)
        code = run_size(&p, m->estimate + (uint64_t)size * s->replicates, size, meter);
    finish(&p);
    m->seconds = cli_seconds() - started;
    return code;
}

/* The line through the errors that are not 0. */
static void fit_line(const struct study *s, struct study_method *m)
{
    double x[STUDY_LOG2_MAX], y[STUDY_LOG2_MAX];
    uint64_t count = 0;
    for (int i = 0; i < s->sizes; i++) {
        m->mean[i] = fit_spread(m->estimate + (uint64_t)i * s->replicates, s->replicates, &m->error[i]);
        if (!(m->error[i] > 0)) continue;
        x[count] = s->log2_first + i;
        y[count++] = log2(m->error[i]);
    }
    m->slope = fit_slope(x, y, count);
}

int study_run(bailey_context *context, struct study *s)
{
    static const struct study_method methods[STUDY_METHODS_MAX] = {
        {.name = "pseudo-random", .generator = BAILEY_GENERATOR_PHILOX, .order = BAILEY_ORDER_BISECTION},
        {.name = "Sobol, increments", .generator = BAILEY_GENERATOR_SOBOL, .order = BAILEY_ORDER_INCREMENTAL},
        {.name = "Sobol, bridge", .generator = BAILEY_GENERATOR_SOBOL, .order = BAILEY_ORDER_BISECTION},
        {.name = "Sobol, important first",
         .generator = BAILEY_GENERATOR_SOBOL,
         .order = BAILEY_ORDER_BISECTION,
         .important = 1}};
    struct meter meter = {.done = 0};
    int code = CLI_OK;
    s->method_count = s->important_count ? 4 : 3;
    meter.total =
        (((UINT64_C(1) << s->sizes) - 1) << s->log2_first) * s->replicates * (uint64_t)s->method_count;
    cli_progress_start(&meter.progress, "paths");
    for (int i = 0; i < s->method_count && !code; i++) {
        s->methods[i] = methods[i];
        code = run_method(context, s, &s->methods[i], &meter);
    }
    cli_progress_end(&meter.progress);
    for (int i = 0; i < s->method_count && !code; i++) {
        fit_line(s, &s->methods[i]);
        s->methods[i].reduction = fit_variance_ratio(s->methods[0].error[s->sizes - 1],
                                                     s->methods[i].error[s->sizes - 1], s->replicates);
    }
    return code;
}

void study_free(struct study *s)
{
    for (int i = 0; i < STUDY_METHODS_MAX; i++) free(s->methods[i].estimate);
    free(s->important);
}
