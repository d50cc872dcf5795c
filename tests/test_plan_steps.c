/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How long plans take: four times the points take about four times the steps (steps.h).
 */
#include "plan_inputs.h"
#include "steps.h"

static unsigned long long steps_of(uint32_t n, int kind)
{
    uint32_t *order = allocate(n, sizeof *order);
    double *times = regular_times(n + 1);
    struct bly_plan plan;
    if (kind == 1) random_order(n, order);
    if (kind == 2) crossing_order(n, order);
    steps = 0;
    create(times, n + 1, 0, kind == 0 ? NULL : order, 0, &plan);
    const unsigned long long took = steps;
    bly_plan_destroy(&plan);
    free(times);
    free(order);
    return took;
}

/* For each kind of order that test_plan.c has with a million points. */
TEST(grow_in_proportion, HOST)
{
    enum { POINTS = 1 << 16 };
    for (int kind = 0; kind < 3; kind++) {
        const unsigned long long few = steps_of(POINTS, kind), many = steps_of(4 * POINTS, kind);
        if (getenv("BAILEY_TEST_VERBOSE")) print_message("%d: %llu steps, %llu\n", kind, few, many);
        if (many > 5 * few) fail_msg("%d: %llu steps, of 4 times the points %llu", kind, few, many);
    }
}
