/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What cannot be planned: times, weights and orders that are refused, with the whole text of each refusal;
 * the extremes that are allowed; allocations that fail. No device, no context.
 */
#include <string.h>

#include "plan_inputs.h"
#include <base/alloc.h>

static void refuse(const double *times, uint64_t steps, double start_time, const uint32_t *order,
                   const char *text)
{
    struct bly_plan plan, empty;
    memset(&empty, 0, sizeof empty);
    memset(&plan, 0xa5, sizeof plan);
    assert_int_equal(bly_plan_create(times, steps, start_time, order, 0, &plan), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), text);
    if (strncmp(bailey_error_argument(), text, strlen(bailey_error_argument())) || !*bailey_error_argument())
        fail_msg("\"%s\" is not the argument of \"%s\"", bailey_error_argument(), text);
    assert_true(plan.path == NULL && plan.split == NULL && plan.steps == 0);
    bly_plan_destroy(&plan);
}
#define TIMES(...) (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double)
#define ORDERED(...)                                                                                         \
    (const uint32_t[]) { __VA_ARGS__ }

TEST(plans_refuse, HOST)
{
    refuse(TIMES(1), 1, NULL, "times[0] = 1 does not exceed start_time = 1");
    refuse(TIMES(1, 2, 0.5, 3), 0, NULL, "times[2] = 0.5 does not exceed times[1] = 2");
    refuse(TIMES(1, 2, 2), 0, NULL, "times[2] = 2 does not exceed times[1] = 2");
    refuse(TIMES(-1, 2), 0.25, NULL, "times[0] = -1 does not exceed start_time = 0.25");
    refuse(TIMES(1, INFINITY), 0, NULL, "times[1] = inf is not finite");
    refuse(TIMES(1, -INFINITY, 3), 0, NULL, "times[1] = -inf is not finite");
    refuse(TIMES(1, 2), -INFINITY, NULL, "start_time = -inf is not finite");
    refuse(TIMES(1, 2), fabs((double)NAN), NULL, "start_time = nan is not finite");
    refuse(TIMES(1, fabs((double)NAN), 3), 0, NULL, "times[1] = nan is not finite");
    refuse(TIMES(0x1p-1030, 1), 0, NULL,
           "times[0] = 8.6916947597937554e-311 exceeds start_time = 0 by 8.6916947597937554e-311: that or "
           "its reciprocal is not a normal floating-point number");
    refuse(TIMES(0x1p1023), 0, NULL,
           "times[0] = 8.9884656743115795e+307 exceeds start_time = 0 by 8.9884656743115795e+307: that or "
           "its reciprocal is not a normal floating-point number");
    refuse(TIMES(-0x1p1021, 0, 0x1p1021, 0x1.8p1022, 0x1.cp1023), -0x1p1022, NULL,
           "times[4] = 1.5729814930045264e+308 exceeds times[3] = 6.7413492557336847e+307 by "
           "8.9884656743115795e+307: that or its reciprocal is not a normal floating-point number");
    refuse(TIMES(-0x1p1022, 0, 0x1p1022, 0x1p1023), -0x1p1023, NULL,
           "times[3] = 8.9884656743115795e+307 exceeds start_time = -8.9884656743115795e+307 by inf, which "
           "is not a normal floating-point number");
    refuse(TIMES(1e-200, 2e-200), 0, NULL,
           "times[0] = 9.9999999999999998e-201 between start_time = 0 and times[1] = 2e-200 has weights that "
           "are not normal floating-point numbers");
    refuse(TIMES(1e-160, 2e-160), 0, NULL,
           "times[0] = 9.9999999999999999e-161 between start_time = 0 and times[1] = 2e-160 has weights that "
           "are not normal floating-point numbers");
    refuse(TIMES(1e200, 2e200, 3e200), 0, ORDERED(2, 1),
           "times[1] = 1.9999999999999999e+200 between start_time = 0 and "
           "times[2] = 2.9999999999999999e+200 has weights that are not normal floating-point numbers");
    refuse(TIMES(1e-300, 1e10), 0, NULL,
           "times[0] = 1e-300 between start_time = 0 and times[1] = 10000000000 has weights that are not "
           "normal floating-point numbers");
    refuse(TIMES(1, 2, 3), 0, ORDERED(1, 3), "order[1] = 3 is not in 1 .. 2");
    refuse(TIMES(1, 2, 3), 0, ORDERED(0, 1), "order[0] = 0 is not in 1 .. 2");
    refuse(TIMES(1, 2, 3, 4), 0, ORDERED(2, 1, 2), "order[2] = 2 repeats order[0]");
    refuse(TIMES(1, 2, 3, 4), 0, ORDERED(1, 4294967295u, 1), "order[1] = 4294967295 is not in 1 .. 3");
    refuse(NULL, 1, 0, NULL, "times is NULL");
    refuse((const double[]){1}, 0, 0, NULL, "steps is 0, not in 1 .. 1000001");
    refuse((const double[]){1}, 1000002, 0, NULL, "steps is 1000002, not in 1 .. 1000001");
    refuse((const double[]){1}, UINT64_MAX, 0, NULL, "steps is 18446744073709551615, not in 1 .. 1000001");
}

/* The extremes that are allowed. */
TEST(plans_accept, HOST)
{
    struct bly_plan plan;
    create((const double[]){0x1p-1022}, 1, 0, NULL, 0, &plan);
    assert_true(plan.split->left_weight == 0x1p1022 && plan.split->left_sigma == 0x1p511);
    bly_plan_destroy(&plan);
    create((const double[]){0x1p1022}, 1, 0, NULL, 0, &plan);
    assert_true(plan.split->left_weight == 0x1p-1022 && plan.split->left_sigma == 0x1p-511);
    assert_true(plan.path->sigma == 0x1p511);
    bly_plan_destroy(&plan);
    create((const double[]){-1, 0, 1}, 3, -2, NULL, 1, &plan);
    assert_true(plan.path[0].sigma == 0 && plan.split[0].left_sigma == 0);
    bly_plan_destroy(&plan);
    bly_plan_destroy(NULL);
}

TEST(plans_survive_lack_of_memory, HOST)
{
    static const double times[] = {1, 2, 3, 4, 5};
    struct bly_plan plan;
    int64_t n = 0;
    bailey_status status;
    do {
        bly_alloc_countdown = ++n;
        status = bly_plan_create(times, 5, 0, NULL, 0, &plan);
        if (status == BAILEY_OK) break;
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
        assert_string_equal(bailey_error_message(), "no memory to plan 5 steps");
        assert_string_equal(bailey_error_argument(), "");
        assert_true(plan.path == NULL && plan.split == NULL && plan.steps == 0);
    } while (n < 1000);
    bly_alloc_countdown = -1;
    assert_in_range(n, 10, 20);
    assert_int_equal(status, BAILEY_OK);
    bly_plan_destroy(&plan);
    assert_null(bly_alloc(SIZE_MAX / 2, 4));
    void *nothing = bly_alloc(0, 4);
    assert_non_null(nothing);
    bly_free(nothing);
    bly_free(NULL);
}
