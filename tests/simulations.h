/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of simulations: making one from payoff code, running it, and the sums of its outputs
 * by the plain definition.
 */
#ifndef SIMULATIONS_H
#define SIMULATIONS_H

#include <bailey/simulation.h>

#include "harness.h"

#include <math.h>

/* Whether the device compiles code at all; without double precision there are no simulations. */
static inline int simulates(void)
{
    if (!device.has_f64) return 0;
    const double time = 1;
    const bailey_simulation_params params = {
        .path = {.times = &time, .steps = 1},
        .payoff = {.code = "void whole(const params *p, path x, real out[]) { out[0] = at(x, 0, 0); }"}};
    const bailey_simulation_run_params run = {.paths = 1};
    bailey_estimate estimate;
    bailey_simulation *made = NULL;
    OK(bailey_simulation_create(context, &params, &made));
    const bailey_status status = bailey_simulation_run(made, &run, &estimate);
    bailey_simulation_destroy(made);
    if (status != BAILEY_OK) print_message("# %s\n", bailey_error_message());
    return status != BAILEY_ERROR_UNSUPPORTED;
}

/* Whether such a device draws normals in registers, as GPUs do: only programs that do so are of interest. */
static inline int only_drawn(void) { return few_programs() && getenv("BAILEY_TUNED"); }

static inline size_t real_bytes(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

/* Element i of numbers of a precision. */
static inline double number_at(const void *numbers, bailey_precision precision, uint64_t i)
{
    return precision == BAILEY_PRECISION_F64 ? ((const double *)numbers)[i]
                                             : (double)((const float *)numbers)[i];
}

static inline bailey_simulation *simulation_of(const char *text, bailey_bridge_params path)
{
    const bailey_simulation_params params = {.path = path, .payoff = {.code = text}};
    bailey_simulation *made = NULL;
    OK(bailey_simulation_create(context, &params, &made));
    return made;
}

static inline void set(bailey_simulation *s, const char *name, double value)
{
    OK(bailey_simulation_set(s, name, &value, 1));
}

/* Sets parameters: NAME=VALUE[,VALUE...], with spaces between them. */
static inline void set_list(bailey_simulation *s, const char *list)
{
    while (*list) {
        char name[64];
        double values[16];
        uint64_t count = 0;
        const size_t length = strcspn(list, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        list += length;
        do {
            char *end;
            assert_true(count < sizeof values / sizeof *values);
            values[count++] = strtod(list + 1, &end);
            list = end;
        } while (*list == ',');
        OK(bailey_simulation_set(s, name, values, count));
        while (*list == ' ') list++;
    }
}

/* A run whose samples come back: [outputs][replicates][paths]; the caller frees them. */
static inline void *run_for_samples(bailey_simulation *s, bailey_simulation_run_params run,
                                    bailey_precision precision, bailey_estimate *estimates)
{
    const uint64_t replicates = run.replicates ? run.replicates : 1;
    const uint64_t bytes = bailey_simulation_outputs(s) * replicates * run.paths * real_bytes(precision);
    run.samples = poisoned(bytes);
    OK(bailey_simulation_run(s, &run, estimates));
    return harvest(run.samples, bytes);
}

/* The sum of numbers of paths first .. first + count - 1, as a binary tree over the numbers of paths; `of`
 * gives the number of path i from `first` on. */
typedef double (*term_of)(const void *user, uint64_t i);

static inline double tree_node(const void *user, term_of of, uint64_t first, uint64_t count, uint32_t level,
                               uint64_t number)
{
    if (level == 0) return of(user, number - first);
    const uint64_t last = first + count - 1, middle = 2 * number + 1;
    const int left = middle > first >> (level - 1), right = middle <= last >> (level - 1);
    const double a = left ? tree_node(user, of, first, count, level - 1, middle - 1) : 0;
    const double b = right ? tree_node(user, of, first, count, level - 1, middle) : 0;
    return left && right ? a + b : left ? a : b;
}

static inline double tree_sum(const void *user, term_of of, uint64_t first, uint64_t count)
{
    uint32_t level = 0;
    while (first >> level != (first + count - 1) >> level) level++;
    return tree_node(user, of, first, count, level, first >> level);
}

#endif
