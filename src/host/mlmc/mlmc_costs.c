/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The cost of a step with each kind of normals, for the choice of a kind (choose.c): its random numbers, by a
 * table of measured times, and its arithmetic, by how many operations the code has. Times are those of one
 * GPU and one processor, the same for all runs: a choice by the time of the run itself would have other bits
 * on other devices.
 */
#include "mlmc_internal.h"

#include <math.h>

/* Picoseconds of a normal, with its share of random words: by kind; and of an operation, in single precision,
 * and emulated in half precision. docs/records/mlmc-low-precision.md has the measurements. */
static const struct class {
    double normal[3]; /* exact, constant, dyadic */
    double operation, half_operation;
} classes[BLY_COST_CLASSES] = {
    {{1.10, 0.25, 0.55}, 0.065, 0.40}, /* H200 */
    {{450, 300, 170}, 15, 90}          /* AMD EPYC with AVX-512, one thread */
};

/* A level has to save so many exact steps, some milliseconds of a GPU: its kind adds launches to some
 * twenty rounds, each as long as a path's steps in sequence. */
#define LEAST_GAIN 0x1p28
#define STEP_GAIN 0x1p18
#define MOST_TRIED (1.0 / 512)
#define MOST_DROPPED (1.0 / 64)

static double operations_of(const bailey_mlmc *m, uint32_t level)
{
    const struct bly_payoff *p = &m->payoff;
    return (level ? p->pair_operations : p->step_operations) +
           p->sample_operations / (double)bly_mlmc_steps(m, level);
}

static double time_of(const bailey_mlmc *m, const struct class *of, uint32_t kind, uint32_t level)
{
    const int half = kind >= BAILEY_MLMC_APPROXIMATION_HALF;
    const uint32_t normal = half ? kind - BAILEY_MLMC_APPROXIMATION_HALF + 1 : kind;
    const double numbers = (double)m->dims + m->payoff.normals;
    return numbers * of->normal[normal] +
           operations_of(m, level) * (half ? of->half_operation : of->operation);
}

double bly_emulated_cost(void)
{
    double product = 1;
    for (uint32_t i = 0; i < BLY_COST_CLASSES; i++)
        product *= classes[i].half_operation / classes[i].operation;
    return pow(product, 1.0 / BLY_COST_CLASSES);
}

struct bly_choosing bly_choosing_of(const bailey_mlmc *m)
{
    struct bly_choosing choosing = {.least_gain = LEAST_GAIN,
                                    .step_gain = STEP_GAIN,
                                    .most_tried = MOST_TRIED,
                                    .most_dropped = MOST_DROPPED};
    for (uint32_t i = 0; i < BLY_COST_CLASSES; i++)
        for (uint32_t kind = 0; kind < BLY_APPROXIMATIONS; kind++)
            for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++)
                choosing.cost[i][kind][l] =
                    time_of(m, &classes[i], kind, l) / time_of(m, &classes[i], 0, l);
    return choosing;
}
