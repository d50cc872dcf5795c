/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Small runs that take many kernels together: programs compiled at run time, Greeks, an American option,
 * levels. Where single kernels are right (selftest.c) and one of these is not, the compiler of programs is to
 * blame.
 */
#include "selftest_cases.h"

#include <base/log.h>

#include <bailey/american.h>
#include <bailey/greeks.h>
#include <bailey/mlmc.h>
#include <bailey/simulation.h>

#include <stdio.h>

#define PATHS 4003

struct setup {
    bailey_context *context;
    bailey_precision precision;
    bly_case_judge judge;
    void *user;
};

struct setting {
    const char *name;
    double value;
};

static const double times[4] = {0.25, 0.5, 0.75, 1};

/* A call on the highest price, and how far the last one is below it. */
static const char text[] = "typedef struct { real spot, volatility, strike; } params;\n"
                           "typedef struct { real price, highest; } state;\n"
                           "void start(state *s, const params *p) { s->price = p->spot; s->highest = 0; }\n"
                           "void step(state *s, const params *p, int i, real t, const real x[])\n"
                           "{\n"
                           "    s->price = p->spot * exp(p->volatility * x[0] - 0.02 * t);\n"
                           "    if (s->price > s->highest) s->highest = s->price;\n"
                           "}\n"
                           "void finish(const state *s, const params *p, real out[2])\n"
                           "{\n"
                           "    out[0] = fmax(s->highest - p->strike, 0);\n"
                           "    out[1] = s->highest - s->price;\n"
                           "}\n";

static void report(const struct setup *setup, const char *what, const double *values, size_t count)
{
    char item[80];
    snprintf(item, sizeof item, "%s, %s", what, setup->precision == BAILEY_PRECISION_F64 ? "f64" : "f32");
    setup->judge(setup->user, item, values, count);
}

bailey_status bly_selftest_allow_missing(const char *item, bailey_status status)
{
    if (status != BAILEY_ERROR_UNSUPPORTED) return status;
    bly_log(1, "self-test: no %s: %s", item, bailey_error_message());
    return BAILEY_OK;
}

static bailey_status simulation_of(const struct setup *setup, bailey_payoff payoff,
                                   const struct setting *settings, size_t count, bailey_simulation **s)
{
    const bailey_simulation_params params = {
        .path = {.times = times, .steps = 4, .precision = setup->precision}, .payoff = payoff};
    bailey_status status = bailey_simulation_create(setup->context, &params, s);
    for (size_t i = 0; i < count && status == BAILEY_OK; i++)
        status = bailey_simulation_set(*s, settings[i].name, &settings[i].value, 1);
    return status;
}

static bailey_status price_text(const struct setup *setup)
{
    static const struct setting settings[] = {{"spot", 100}, {"volatility", 0.2}, {"strike", 105}};
    const bailey_simulation_run_params run = {.source = {.seed = 9}, .paths = PATHS};
    bailey_simulation *s = NULL;
    bailey_estimate e[2];
    bailey_status status =
        simulation_of(setup, (bailey_payoff){.code = text, .name = "selftest.c"}, settings, 3, &s);
    if (status == BAILEY_OK) status = bailey_simulation_run(s, &run, e);
    if (status == BAILEY_OK) {
        const double values[4] = {e[0].mean, e[0].standard_error, e[1].mean, e[1].standard_error};
        report(setup, "payoff of a text", values, 4);
    }
    bailey_simulation_destroy(s);
    return bly_selftest_allow_missing("payoff of a text", status);
}

static bailey_status find_greeks(const struct setup *setup)
{
    static const struct setting settings[] = {
        {"spot", 100}, {"volatility", 0.2}, {"strike", 95}, {"rate", 0.03}, {"sign", 1}};
    static const char *const spot = "spot", *const volatility = "volatility";
    const bailey_greeks_params params = {
        .spots = &spot, .spot_count = 1, .volatilities = &volatility, .volatility_count = 1, .rate = "rate"};
    const bailey_simulation_run_params run = {.source = {.seed = 9}, .paths = PATHS};
    bailey_simulation *s = NULL;
    bailey_greek_estimate greeks[16];
    double values[32];
    uint64_t count = 0;
    bailey_status status = simulation_of(setup, (bailey_payoff){.name = "european"}, settings, 5, &s);
    if (status == BAILEY_OK) status = bailey_simulation_greeks(s, &run, &params, greeks);
    if (status == BAILEY_OK) count = bailey_simulation_greeks_count(s, &params);
    for (uint64_t i = 0; i < count; i++)
        values[2 * i] = greeks[i].mean, values[2 * i + 1] = greeks[i].standard_error;
    if (status == BAILEY_OK) report(setup, "Greeks, European call", values, 2 * count);
    bailey_simulation_destroy(s);
    return bly_selftest_allow_missing("Greeks", status);
}

static bailey_status price_american(const struct setup *setup)
{
    static const double spot = 36, volatility = 0.2;
    const bailey_american_params params = {.type = BAILEY_OPTION_TYPE_PUT,
                                           .spot = &spot,
                                           .volatility = &volatility,
                                           .strike = 40,
                                           .rate = 0.06,
                                           .exercise_times = times,
                                           .exercise_count = 4,
                                           .paths = PATHS,
                                           .policy_paths = PATHS,
                                           .lower_only = 1,
                                           .source = {.seed = 9},
                                           .normal = {.precision = setup->precision}};
    bailey_american_result r;
    const bailey_status status = bailey_american_price(setup->context, &params, &r);
    if (status == BAILEY_OK) {
        const double values[4] = {r.lower, r.lower_standard_error, r.in_sample, r.in_sample_standard_error};
        report(setup, "price, American put", values, 4);
    }
    return bly_selftest_allow_missing("American put", status);
}

static bailey_status run_levels(const struct setup *setup)
{
    static const struct setting settings[] = {
        {"spot", 100}, {"volatility", 0.2}, {"strike", 95}, {"rate", 0.03}};
    const bailey_mlmc_params params = {.estimator = {.name = "european"}, .precision = setup->precision};
    const bailey_mlmc_run_params run = {.source = {.seed = 9}, .eps = 0.25};
    bailey_mlmc *levels = NULL;
    bailey_mlmc_result r;
    bailey_status status = bailey_mlmc_create(setup->context, &params, &levels);
    for (int i = 0; i < 4 && status == BAILEY_OK; i++)
        status = bailey_mlmc_set(levels, settings[i].name, &settings[i].value, 1);
    if (status == BAILEY_OK) status = bailey_mlmc_run(levels, &run, &r);
    if (status == BAILEY_OK) {
        const double values[2] = {r.mean, r.standard_error};
        report(setup, "multilevel, European call", values, 2);
    }
    bailey_mlmc_destroy(levels);
    return bly_selftest_allow_missing("multilevel Monte Carlo", status);
}

bailey_status bly_selftest_cases(bailey_context *context, bailey_precision precision, bly_case_judge judge,
                                 void *user)
{
    const struct setup setup = {context, precision, judge, user};
    bailey_status status = price_text(&setup);
    if (status == BAILEY_OK) status = find_greeks(&setup);
    if (status == BAILEY_OK) status = price_american(&setup);
    if (status == BAILEY_OK) status = run_levels(&setup);
    return status;
}
