/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Inputs of the tests of plans and of what goes into them: random orders and times, always the same ones.
 */
#ifndef PLAN_INPUTS_H
#define PLAN_INPUTS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "test.h"

#include <host/bridge/plan.h>

static uint64_t random_state = 1;

/* S. Vigna's splitmix64, public domain: plenty for test inputs. */
static inline uint64_t random_word(void)
{
    uint64_t x = random_state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline double random_unit(void) { return ((double)(random_word() >> 11) + 0.5) * 0x1p-53; }

static inline void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

static inline void random_order(uint32_t n, uint32_t *order)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = (uint32_t)(random_word() % (i + 1));
        order[i] = order[j];
        order[j] = i + 1;
    }
}

/* Every eighth, then from both ends inwards. */
static inline void crossing_order(uint32_t n, uint32_t *order)
{
    for (uint32_t i = 0, k = 0; i < 8; i++)
        for (uint32_t j = 0; j < n / 8; j++) order[k++] = 8 * (i & 1 ? n / 8 - 1 - j : j) + (8 - i);
}

/* Irregular: gaps differ by factors up to 2^20. */
static inline double *random_times(uint32_t steps, double *start_time)
{
    double *times = allocate(steps, sizeof *times), t = *start_time = random_unit() - 0.5;
    for (uint32_t i = 0; i < steps; i++) {
        t += ldexp(1 + random_unit(), -(int)(random_word() % 21));
        times[i] = t;
    }
    return times;
}

static inline double *regular_times(uint32_t steps)
{
    double *times = allocate(steps, sizeof *times);
    for (uint32_t i = 0; i < steps; i++) times[i] = i + 1;
    return times;
}

static inline void create(const double *times, uint32_t steps, double start_time, const uint32_t *order,
                          int fixed, struct bly_plan *plan)
{
    if (bly_plan_create(times, steps, start_time, order, fixed, plan) != BAILEY_OK)
        fail_msg("%s", bailey_error_message());
    assert_int_equal(plan->steps, steps);
}

#endif
