/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An Asian option on a basket as a deal, priced by a simulation of the built-in "asian" with the closed form
 * of its control variate: for tests that look at many deals.
 */
#ifndef TEST_ASIAN_H
#define TEST_ASIAN_H

#include "harness.h"

#include <bailey/simulation.h>

#include <math.h>

struct asian_params {
    const double *fixings;
    uint64_t fixing_count;
    uint32_t assets;
    const double *spot, *volatility, *dividend, *weight, *correlation; /* the last three may be NULL */
    double rate, strike, past_average;
    uint64_t past_count;
    int put; /* else a call */
    const uint32_t *order;
    uint64_t paths, replicates;
    bailey_source source;
    bailey_normal_params normal; /* with the precision */
    bailey_progress progress;
    void *progress_user;
};

/* Zero of what has no control variate. */
struct asian_result {
    double price, standard_error;
    double geometric_closed_form, geometric_price, geometric_standard_error;
    double controlled_price, controlled_standard_error, interval_low, interval_high;
    uint64_t paths, has_control, replicates;
};

static inline bailey_status asian_set(bailey_simulation *s, const struct asian_params *p)
{
    const double sign = p->put ? -1 : 1, past = (double)p->past_count;
    const struct {
        const char *name;
        const double *values;
        uint64_t count;
    } all[] = {{"spot", p->spot, p->assets},
               {"volatility", p->volatility, p->assets},
               {"dividend", p->dividend, p->assets},
               {"weight", p->weight, p->assets},
               {"rate", &p->rate, 1},
               {"strike", &p->strike, 1},
               {"past_average", &p->past_average, 1},
               {"past_count", &past, 1},
               {"sign", &sign, 1}};
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status == BAILEY_OK; i++)
        if (all[i].values) status = bailey_simulation_set(s, all[i].name, all[i].values, all[i].count);
    return status;
}

static inline struct asian_result asian_summary(const struct asian_params *p, const bailey_estimate e[2],
                                                double closed)
{
    struct asian_result r = {.price = e[0].mean,
                             .standard_error = e[0].standard_error,
                             .interval_low = e[0].interval_low,
                             .interval_high = e[0].interval_high,
                             .paths = e[0].paths,
                             .has_control = !isnan(closed),
                             .replicates = p->replicates ? p->replicates : 1};
    if (!r.has_control) return r;
    r.geometric_closed_form = closed;
    r.geometric_price = e[1].mean;
    r.geometric_standard_error = e[1].standard_error;
    r.controlled_price = e[0].controlled;
    r.controlled_standard_error = e[0].controlled_standard_error;
    return r;
}

static inline bailey_status asian_run(bailey_simulation *s, const struct asian_params *p,
                                      struct asian_result *result)
{
    double expected[2];
    bailey_estimate e[2];
    bailey_status status = bailey_simulation_expected(s, expected);
    if (status != BAILEY_OK) return status;
    const bailey_simulation_run_params run = {.source = p->source,
                                              .normal = p->normal,
                                              .paths = p->paths,
                                              .replicates = p->replicates,
                                              .expected = isnan(expected[1]) ? NULL : expected,
                                              .progress = p->progress,
                                              .progress_user = p->progress_user};
    status = bailey_simulation_run(s, &run, e);
    if (status == BAILEY_OK) *result = asian_summary(p, e, expected[1]);
    return status;
}

/* A refused call leaves the result alone. */
static inline bailey_status asian_price(bailey_context *on, const struct asian_params *p,
                                        struct asian_result *result)
{
    const bailey_simulation_params params = {.path = {.times = p->fixings,
                                                      .steps = p->fixing_count,
                                                      .order = p->order,
                                                      .dims = p->assets,
                                                      .covariance = p->correlation,
                                                      .precision = p->normal.precision},
                                             .payoff = {.name = "asian"},
                                             .planned_paths = p->paths * (p->replicates ? p->replicates : 1)};
    bailey_simulation *s = NULL;
    bailey_status status = bailey_simulation_create(on, &params, &s);
    if (status == BAILEY_OK) status = asian_set(s, p);
    if (status == BAILEY_OK) status = asian_run(s, p, result);
    bailey_simulation_destroy(s);
    return status;
}

#endif
