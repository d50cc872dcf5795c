/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Streams: what is emitted is compared bit for bit with tests/reference.c, which builds in construction
 * order. No device, no context.
 */
#include <string.h>

#include <base/alloc.h>
#include <host/bridge/plan.h>

#include "plan_inputs.h"
#include "reference.h"

/* Emits the points of one path in one dimension, as plan.h says. */
static void emit(const struct bly_stream *stream, double start, const double *end, const double *z, double *x)
{
    double *stack = allocate(stream->depth, sizeof *stack), *top = stack, emitted = start;
    for (uint64_t k = 0; k < stream->steps; k++) {
        const struct bly_stream_step *s = &stream->items[k];
        const double right = top == stack ? emitted : top[-1];
        assert_true(top - stack < (ptrdiff_t)stream->depth);
        *top++ = k == 0 && end != NULL
                     ? *end
                     : fma(s->sigma, z[s->z], fma(s->right_weight, right, s->left_weight * emitted));
        for (uint32_t i = 0; i < s->pops; i++) {
            assert_true(top > stack);
            *x++ = emitted = *--top;
        }
    }
    assert_ptr_equal(top, stack);
    free(stack);
}

static void check_emitted(const struct bly_stream *stream, const double *times, double start_time,
                          const uint32_t *order, const double *end)
{
    const uint64_t steps = stream->steps;
    const double start = 3 * random_unit() - 1;
    double *z = allocate(steps, sizeof *z), *x = allocate(steps, sizeof *x);
    double *expected = allocate(steps, sizeof *expected);
    for (uint64_t k = 0; k < steps; k++) z[k] = 6 * random_unit() - 3;
    memset(x, 0xff, steps * sizeof *x);
    reference_bridge_paths_f64(times, steps, start_time, order, 1, NULL, &start, end, z, expected);
    emit(stream, start, end, z, x);
    assert_memory_equal(x, expected, steps * sizeof *x);
    free(z);
    free(x);
    free(expected);
}

/* Returns the depth. */
static uint32_t check(const double *times, double start_time, uint32_t n, const uint32_t *order, int fixed)
{
    const double end = -0.75;
    struct bly_plan plan;
    struct bly_stream stream;
    uint64_t pops = 0;
    create(times, n + 1, start_time, order, fixed, &plan);
    assert_int_equal(bly_stream_create(&plan, &stream), BAILEY_OK);
    assert_int_equal(stream.steps, n + 1);
    for (uint64_t k = 0; k < stream.steps; k++) pops += stream.items[k].pops;
    assert_int_equal(pops, n + 1);
    const struct bly_stream_step *first = stream.items;
    assert_true(first->z == 0 && first->right_weight == 0);
    assert_true(fixed ? first->left_weight == 0 && first->sigma == 0 : first->left_weight == 1);
    check_emitted(&stream, times, start_time, order, fixed ? &end : NULL);
    const uint32_t depth = stream.depth;
    bly_stream_destroy(&stream);
    bly_plan_destroy(&plan);
    return depth;
}

static uint32_t check_regular(uint32_t n, const uint32_t *order, int fixed)
{
    double *times = regular_times(n + 1);
    const uint32_t depth = check(times, 0, n, order, fixed);
    free(times);
    return depth;
}

static void check_irregular(uint32_t n, const uint32_t *order, int fixed)
{
    double start_time, *times = random_times(n + 1, &start_time);
    check(times, start_time, n, order, fixed);
    free(times);
}

static void check_permutations(uint32_t n, uint32_t *order, uint32_t from)
{
    if (from == n) {
        check_irregular(n, order, 0);
        check_irregular(n, order, 1);
    }
    for (uint32_t i = from; i < n; i++) {
        const uint32_t a = order[from], b = order[i];
        order[from] = b, order[i] = a;
        check_permutations(n, order, from + 1);
        order[from] = a, order[i] = b;
    }
}

TEST(every_small_order, HOST)
{
    uint32_t order[6] = {1, 2, 3, 4, 5, 6};
    for (uint32_t n = 0; n <= 6; n++) check_permutations(n, order, 0);
}

TEST(random_orders, HOST)
{
    uint32_t order[300];
    for (int i = 0; i < 500; i++) {
        const uint32_t n = (uint32_t)(random_word() % 301);
        random_order(n, order);
        check_irregular(n, order, i & 1);
    }
}

static uint32_t depth_of(bailey_order kind, uint32_t n)
{
    uint32_t *order = allocate(n, sizeof *order);
    assert_int_equal(bailey_order_make(kind, n, NULL, 0, order), BAILEY_OK);
    const uint32_t depth = check_regular(n, order, 0);
    assert_int_equal(check_regular(n, order, 1), depth);
    free(order);
    return depth;
}

/* As many as the levels of the tree, T's included. */
TEST(bisections_are_shallow, HOST)
{
    for (uint32_t levels = 1; levels <= 12; levels++)
        for (int kind = 0; kind < BAILEY_ORDER_INCREMENTAL; kind++)
            assert_int_equal(depth_of((bailey_order)kind, (UINT32_C(1) << levels) - 1), levels + 1);
    assert_int_equal(check_regular(0, NULL, 0), 1);
}

TEST(chains, HOST)
{
    uint32_t reverse[1023];
    for (uint32_t i = 0; i < 1023; i++) reverse[i] = 1023 - i;
    assert_int_equal(depth_of(BAILEY_ORDER_INCREMENTAL, 1023), 2);
    assert_int_equal(check_regular(1023, reverse, 0), 1024);
    assert_int_equal(check_regular(1023, reverse, 1), 1024);
}

/* The points against the plan's own records, in their order: the reference takes a time that grows with the
 * square of the steps. */
static void check_plan(const struct bly_plan *plan)
{
    struct bly_stream stream;
    const uint64_t steps = plan->steps;
    double *z = allocate(steps, sizeof *z), *x = allocate(steps, sizeof *x);
    double *expected = allocate(steps + 1, sizeof *expected);
    for (uint64_t k = 0; k < steps; k++) z[k] = 6 * random_unit() - 3;
    expected[0] = 0.5;
    for (uint64_t k = 0; k < steps; k++) {
        const bailey_bridge_step_f64 *s = &plan->path[k];
        expected[s->point] = bailey_bridge_point_f64(*s, expected[s->left], expected[s->right], z[s->row]);
    }
    assert_int_equal(bly_stream_create(plan, &stream), BAILEY_OK);
    emit(&stream, 0.5, NULL, z, x);
    assert_memory_equal(x, expected + 1, steps * sizeof *x);
    bly_stream_destroy(&stream);
    free(z);
    free(x);
    free(expected);
}

TEST(a_million_points, HOST)
{
    const uint32_t n = 1000000;
    uint32_t *order = allocate(n, sizeof *order);
    double *times = regular_times(n + 1);
    for (int kind = 0; kind < 3; kind++) {
        struct bly_plan plan;
        for (uint32_t i = 0; i < n && kind == 0; i++) order[i] = n - i;
        if (kind == 1) random_order(n, order);
        create(times, n + 1, 0, kind == 2 ? NULL : order, 0, &plan);
        check_plan(&plan);
        bly_plan_destroy(&plan);
    }
    free(times);
    free(order);
}

/* For a random walk no point waits for another. */
TEST(random_walks, HOST)
{
    for (uint32_t steps = 1; steps <= 1000; steps += 111) {
        double start_time, *times = random_times(steps, &start_time);
        struct bly_plan plan;
        struct bly_stream stream;
        assert_int_equal(bly_plan_create_random_walk(times, steps, start_time, 0, &plan), BAILEY_OK);
        check_plan(&plan);
        assert_int_equal(bly_stream_create(&plan, &stream), BAILEY_OK);
        assert_int_equal(stream.depth, 1);
        for (uint32_t k = 0; k < steps; k++) {
            const struct bly_stream_step *s = &stream.items[k];
            assert_true(s->z == k && s->pops == 1 && s->left_weight == 1 && s->right_weight == 0);
            assert_true(s->sigma == sqrt(times[k] - (k ? times[k - 1] : start_time)));
        }
        bly_stream_destroy(&stream);
        bly_plan_destroy(&plan);
        free(times);
    }
}

TEST(without_memory, HOST)
{
    double *times = regular_times(8);
    struct bly_plan plan;
    struct bly_stream stream;
    create(times, 8, 0, NULL, 0, &plan);
    for (int64_t n = 1; n <= 4; n++) {
        memset(&stream, 0xff, sizeof stream);
        bly_alloc_countdown = n;
        assert_int_equal(bly_stream_create(&plan, &stream), BAILEY_ERROR_MEMORY);
        assert_true(stream.items == NULL && stream.steps == 0);
    }
    bly_stream_destroy(&stream);
    bly_stream_destroy(NULL);
    bly_plan_destroy(&plan);
    free(times);
}
