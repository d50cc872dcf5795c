/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of tallies and jobs: a simulation, runs of it, and comparing estimates by their bits.
 */
#ifndef JOBS_H
#define JOBS_H

#include <bailey/job.h>

#include "simulations.h"

static const char two[] =
    "typedef struct { real scale; } params;\n"
    "typedef struct { real sum; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[]) { s->sum += exp(x[0]); }\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{ out[0] = fmax(p->scale * s->sum - 3, 0); out[1] = s->sum; }\n";

static const double two_times[3] = {0.5, 1, 1.75};

static inline bailey_simulation *make_two(bailey_context *on, bailey_precision precision)
{
    const bailey_simulation_params params = {.path = {.times = two_times, .steps = 3, .precision = precision},
                                             .payoff = {.code = two}};
    bailey_simulation *made = NULL;
    const double scale = 1;
    OK(bailey_simulation_create(on, &params, &made));
    OK(bailey_simulation_set(made, "scale", &scale, 1));
    return made;
}

enum { JOB_BINS = 5 };

/* All that a run can come to, in the way of both. */
struct outcome {
    bailey_estimate e[2];
    double covariance[4];
    uint64_t counts[JOB_BINS + 2];
};

static inline bailey_simulation_run_params wanting_all(bailey_simulation_run_params run, struct outcome *out)
{
    run.moments = 1;
    run.covariance = out->covariance;
    run.histogram =
        (bailey_histogram){.low = 0, .high = 10, .bins = JOB_BINS, .output = 1, .counts = out->counts};
    return run;
}

static inline struct outcome run_plainly(bailey_simulation *s, bailey_simulation_run_params run)
{
    struct outcome out = {0};
    run = wanting_all(run, &out);
    OK(bailey_simulation_run(s, &run, out.e));
    return out;
}

static inline void same_outcome(const char *what, const struct outcome *found, const struct outcome *wanted)
{
    same_bits(what, found->e, wanted->e, sizeof found->e / 8, 8);
    same_bits(what, found->covariance, wanted->covariance, 4, 8);
    same_bits(what, found->counts, wanted->counts, JOB_BINS + 2, 8);
}

#endif
