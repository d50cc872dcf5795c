/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of the built-in payoffs: deals, and their prices on a device.
 */
#ifndef PAYOFF_DEALS_H
#define PAYOFF_DEALS_H

#include "harness.h"

#include "builtins.h"
#include <bailey/simulation.h>

#include <math.h>

#define MOST_DIMS 3
#define MOST_STEPS 600
#define OUTPUTS 2

/* A built-in, its path, and the values of its parameters. */
struct deal {
    const struct bly_builtin *builtin;
    uint32_t dims, steps;
    double times[MOST_STEPS];
    const double *covariance;
    double values[BLY_BUILTIN_PARAMETERS][MOST_DIMS];
};

static const double basket_correlation[] = {1, 0.5, 0.2, 0.5, 1, -0.3, 0.2, -0.3, 1};

static inline double *value(struct deal *deal, const char *name)
{
    for (int i = 0; i < BLY_BUILTIN_PARAMETERS && deal->builtin->parameters[i].name; i++)
        if (strcmp(deal->builtin->parameters[i].name, name) == 0) return deal->values[i];
    fail_msg("%s has no parameter %s", deal->builtin->name, name);
    return NULL;
}

static inline void set_times(struct deal *deal, uint32_t steps)
{
    deal->steps = steps;
    for (uint32_t i = 0; i < steps; i++)
        deal->times[i] = deal->builtin->normals ? i + 1 : (i + 1) / 12.0 + (i % 3) / 365.0;
}

static inline void set_basket(struct deal *deal)
{
    static const double spot[] = {100, 50, 200}, volatility[] = {0.2, 0.35, 0.15};
    static const double dividend[] = {0.01, 0, 0.03}, weight[] = {0.5, 0.8, 0.1};
    deal->covariance = basket_correlation;
    memcpy(value(deal, "spot"), spot, sizeof spot);
    memcpy(value(deal, "volatility"), volatility, sizeof volatility);
    memcpy(value(deal, "dividend"), dividend, sizeof dividend);
    memcpy(value(deal, "weight"), weight, sizeof weight);
    *value(deal, "strike") = 110;
}

/* With the built-in's own defaults; baskets have three assets. */
static inline struct deal deal_of(const char *name)
{
    struct deal deal = {0};
    deal.builtin = bly_builtin_called(name);
    if (!deal.builtin) fail_msg("no built-in is called %s", name);
    deal.dims = deal.builtin->dims ? deal.builtin->dims : MOST_DIMS;
    set_times(&deal, deal.builtin->steps);
    for (int i = 0; i < BLY_BUILTIN_PARAMETERS; i++)
        for (int d = 0; d < MOST_DIMS; d++) deal.values[i][d] = deal.builtin->parameters[i].value;
    if (deal.builtin->dims == 0) set_basket(&deal);
    return deal;
}

static inline bailey_bridge_params path_of(const struct deal *deal, bailey_precision precision)
{
    return (bailey_bridge_params){.times = deal->times,
                                  .steps = deal->steps,
                                  .dims = deal->dims,
                                  .covariance = deal->covariance,
                                  .output = deal->builtin->output,
                                  .construction = deal->builtin->normals ? BAILEY_CONSTRUCTION_WALK
                                                                         : BAILEY_CONSTRUCTION_BRIDGE,
                                  .precision = precision};
}

static inline void set_values(bailey_simulation *simulation, const struct deal *deal)
{
    for (int i = 0; i < BLY_BUILTIN_PARAMETERS && deal->builtin->parameters[i].name; i++)
        OK(bailey_simulation_set(simulation, deal->builtin->parameters[i].name, deal->values[i],
                                 deal->builtin->parameters[i].array ? deal->dims : 1));
}

static inline bailey_simulation *simulation_of(const struct deal *deal, bailey_precision precision)
{
    const bailey_simulation_params params = {.path = path_of(deal, precision),
                                             .payoff = {.name = deal->builtin->name}};
    bailey_simulation *simulation = NULL;
    OK(bailey_simulation_create(context, &params, &simulation));
    assert_true(bailey_simulation_outputs(simulation) <= OUTPUTS);
    set_values(simulation, deal);
    return simulation;
}

static inline void estimate(const struct deal *deal, bailey_precision precision,
                            const bailey_simulation_run_params *run, bailey_estimate estimates[OUTPUTS])
{
    bailey_simulation *simulation = simulation_of(deal, precision);
    OK(bailey_simulation_run(simulation, run, estimates));
    bailey_simulation_destroy(simulation);
}

/* Whether the device has what simulations need: double precision and a compiler. */
static inline int is_able(void)
{
    const struct deal deal = deal_of("european");
    const bailey_simulation_run_params run = {.paths = 1};
    bailey_estimate e[OUTPUTS];
    if (!device.has_f64) return 0;
    bailey_simulation *simulation = simulation_of(&deal, BAILEY_PRECISION_F64);
    const bailey_status status = bailey_simulation_run(simulation, &run, e);
    bailey_simulation_destroy(simulation);
    if (status == BAILEY_ERROR_UNSUPPORTED) fprintf(stderr, "skipped: %s\n", bailey_error_message());
    return status != BAILEY_ERROR_UNSUPPORTED;
}

/* OpenCL on processors takes seconds for each program. That it has the bits of the others test_golden shows.
 */
static inline int is_able_and_quick(void)
{
    const int slow = strncmp(device.address, "opencl", 6) == 0 && device.kind != BAILEY_DEVICE_KIND_GPU;
    return (!slow || getenv("BAILEY_TEST_LARGE")) && is_able();
}

static inline int is_verbose(void) { return getenv("BAILEY_TEST_VERBOSE") != NULL; }

static inline double maturity(const struct deal *deal) { return deal->times[deal->steps - 1]; }

static inline double drift(struct deal *deal)
{
    const double v = *value(deal, "volatility");
    return *value(deal, "rate") - *value(deal, "dividend") - 0.5 * v * v;
}

static inline double discount(struct deal *deal) { return exp(-*value(deal, "rate") * maturity(deal)); }

#endif
