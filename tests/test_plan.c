/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Plans: no device, no context. Walks of the plan records are compared bit for bit with tests/reference.c,
 * stack sizes with exhaustive search. Named orders: test_orders.c; what cannot be planned:
 * test_plan_refusals.c; covariance: test_factor.c.
 *
 * In this order: walks; the stack.
 */
#include <stdio.h>
#include <string.h>

#include "plan_inputs.h"
#include "reference.h"

#define MAX_DIMS 3

/* ---- Walks ----------------------------------------------------------------------------------- */

/* Plain readings of bridge.h: with registers and stack, and by point index. Slots that were never
 * written hold NaN. */
#define DEFINE_WALKS(suffix, real, fma_)                                                                     \
    static real cz_##suffix(const double *factor, uint32_t dims, uint32_t i, const real *z)                  \
    {                                                                                                        \
        if (factor == NULL) return z[i];                                                                     \
        real sum = (real)factor[i * dims] * z[0];                                                            \
        for (uint32_t j = 1; j <= i; j++) sum = fma_((real)factor[i * dims + j], z[j], sum);                 \
        return sum;                                                                                          \
    }                                                                                                        \
    static void walk_path_##suffix(const struct bly_plan *plan, int by_index, uint32_t dims,                 \
                                   const double *factor, const double *start, const double *end,             \
                                   const real *z, real *x)                                                   \
    {                                                                                                        \
        real now[5][MAX_DIMS], stack[BAILEY_BRIDGE_MAX_SLOTS][MAX_DIMS];                                     \
        for (uint32_t i = 0; i < dims; i++) now[BAILEY_BRIDGE_FROM_START][i] = start ? (real)start[i] : 0;   \
        for (int s = 0; s < BAILEY_BRIDGE_MAX_SLOTS; s++)                                                    \
            for (uint32_t i = 0; i < dims; i++) stack[s][i] = (real)NAN;                                     \
        for (uint64_t k = 0; k < plan->steps; k++) {                                                         \
            const bailey_bridge_step_f64 *step = &plan->path[k];                                             \
            real left[MAX_DIMS], right[MAX_DIMS];                                                            \
            const uint32_t sl = BAILEY_BRIDGE_LEFT_SOURCE(step->code);                                       \
            const uint32_t sr = BAILEY_BRIDGE_RIGHT_SOURCE(step->code);                                      \
            const uint32_t write = BAILEY_BRIDGE_WRITE_SLOT(step->code);                                     \
            const real *first = now[BAILEY_BRIDGE_FROM_START];                                               \
            const real *l =                                                                                  \
                sl == BAILEY_BRIDGE_FROM_STACK ? stack[BAILEY_BRIDGE_LEFT_SLOT(step->code)] : now[sl];       \
            const real *r =                                                                                  \
                sr == BAILEY_BRIDGE_FROM_STACK ? stack[BAILEY_BRIDGE_RIGHT_SLOT(step->code)] : now[sr];      \
            if (by_index) {                                                                                  \
                l = step->left == 0 ? first : x + (step->left - 1) * dims;                                   \
                r = step->right == 0 ? first : x + (step->right - 1) * dims;                                 \
            }                                                                                                \
            memcpy(left, l, sizeof left[0] * dims);                                                          \
            memcpy(right, r, sizeof right[0] * dims);                                                        \
            for (uint32_t i = 0; i < dims; i++) {                                                            \
                const real part = (real)step->left_weight * left[i];                                         \
                const real mean = fma_((real)step->right_weight, right[i], part);                            \
                const real *row = z + (size_t)step->row * dims;                                              \
                const real value = k == 0 && end != NULL                                                     \
                                       ? (real)end[i]                                                        \
                                       : fma_((real)step->sigma, cz_##suffix(factor, dims, i, row), mean);   \
                x[(step->point - 1) * dims + i] = value;                                                     \
                now[BAILEY_BRIDGE_FROM_LEFT][i] = left[i];                                                   \
                now[BAILEY_BRIDGE_FROM_RIGHT][i] = right[i];                                                 \
                now[BAILEY_BRIDGE_FROM_BUILT][i] = value;                                                    \
                if (write != BAILEY_BRIDGE_NO_SLOT) stack[write][i] = value;                                 \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void walk_split_##suffix(const struct bly_plan *plan, int by_index, uint32_t dims,                \
                                    const double *factor, const double *start, const double *end,            \
                                    const real *z, real *x)                                                  \
    {                                                                                                        \
        real now[2][MAX_DIMS], stack[BAILEY_BRIDGE_MAX_SLOTS][MAX_DIMS];                                     \
        for (int s = 0; s < BAILEY_BRIDGE_MAX_SLOTS; s++)                                                    \
            for (uint32_t i = 0; i < dims; i++) stack[s][i] = (real)NAN;                                     \
        for (uint64_t k = 0; k < plan->steps; k++) {                                                         \
            const bailey_bridge_split_f64 *split = &plan->split[k];                                          \
            const real *row = z + (size_t)split->row * dims;                                                 \
            const uint32_t source = BAILEY_BRIDGE_SPLIT_SOURCE(split->code);                                 \
            const uint32_t push = BAILEY_BRIDGE_SPLIT_PUSH(split->code);                                     \
            for (uint32_t i = 0; i < dims; i++) {                                                            \
                const real cz = k == 0 && end != NULL ? 0 : cz_##suffix(factor, dims, i, row);               \
                real gap = 0;                                                                                \
                if (k > 0 && by_index)                                                                       \
                    gap = x[split->gap * dims + i];                                                          \
                else if (k > 0 && source == BAILEY_BRIDGE_SPLIT_STACK)                                       \
                    gap = stack[BAILEY_BRIDGE_SPLIT_READ_SLOT(split->code)][i];                              \
                else if (k > 0)                                                                              \
                    gap = now[source][i];                                                                    \
                const real part = (real)split->left_weight * gap, rest = (real)split->right_weight * gap;    \
                real left = fma_((real)split->left_sigma, cz, part);                                         \
                real right = fma_((real)split->right_sigma, cz, rest);                                       \
                if (k == 0 && end != NULL)                                                                   \
                    left = (real)split->left_weight * ((real)end[i] - (start ? (real)start[i] : 0));         \
                if (k == 0) right = left;                                                                    \
                now[0][i] = left;                                                                            \
                now[1][i] = right;                                                                           \
                if (push) stack[BAILEY_BRIDGE_SPLIT_WRITE_SLOT(split->code)][i] = now[push - 1][i];          \
                x[split->gap * dims + i] = left;                                                             \
                if (k > 0) x[split->node * dims + i] = right;                                                \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void check_walks_##suffix(const struct bly_plan *plan, const double *times, double start_time,    \
                                     const uint32_t *order, uint32_t dims, const double *factor,             \
                                     const double *start, const double *end)                                 \
    {                                                                                                        \
        const size_t size = (size_t)plan->steps * dims;                                                      \
        real *z = allocate(size, sizeof *z), *x = allocate(size, sizeof *x);                                 \
        real *expected = allocate(size, sizeof *expected);                                                   \
        for (size_t e = 0; e < size; e++) z[e] = (real)(6 * random_unit() - 3);                              \
        reference_bridge_paths_##suffix(times, plan->steps, start_time, order, dims, factor, start, end, z,  \
                                        expected);                                                           \
        for (int by_index = 0; by_index < 2; by_index++) {                                                   \
            memset(x, 0xff, size * sizeof *x);                                                               \
            walk_path_##suffix(plan, by_index, dims, factor, start, end, z, x);                              \
            assert_memory_equal(x, expected, size * sizeof *x);                                              \
        }                                                                                                    \
        reference_bridge_increments_##suffix(times, plan->steps, start_time, order, dims, factor, start,     \
                                             end, z, expected);                                              \
        for (int by_index = 0; by_index < 2; by_index++) {                                                   \
            memset(x, 0xff, size * sizeof *x);                                                               \
            walk_split_##suffix(plan, by_index, dims, factor, start, end, z, x);                             \
            assert_memory_equal(x, expected, size * sizeof *x);                                              \
        }                                                                                                    \
        free(z);                                                                                             \
        free(x);                                                                                             \
        free(expected);                                                                                      \
    }
DEFINE_WALKS(f32, float, fmaf)
DEFINE_WALKS(f64, double, fma)

/* The promises of records beyond their values: rows used once, slots within the count, the fewest possible
 * changes of path, registers preferred to the stack. Returns the largest number of points that are alive and
 * not in registers after a step, when `peak` is asked for; O(N^2). */
static uint32_t check_records(const struct bly_plan *plan, int fixed, int peak)
{
    const uint32_t n = (uint32_t)plan->steps - 1;
    uint32_t leaves = 0, changes = 0, most = 0, slots = 0, split_slots = 0, pops = 0, pushes = 0;
    uint64_t reads = 0, writes = 0;
    unsigned char *seen = allocate(3 * (n + 2), 1), *rows = seen + n + 2, *inner = rows + n + 2;

    const bailey_bridge_step_f64 *root = plan->path;
    assert_int_equal(root->point, n + 1);
    assert_int_equal(root->row, 0);
    assert_int_equal(root->left, 0);
    assert_int_equal(root->right, 0);
    assert_true(root->left_weight == !fixed && root->right_weight == 0 && (root->sigma == 0) == fixed);
    for (uint32_t k = 0; k <= n; k++) {
        const bailey_bridge_step_f64 *step = &plan->path[k], *before = &plan->path[k == 0 ? 0 : k - 1];
        assert_in_range(step->point, 1, n + 1);
        assert_int_equal(seen[step->point]++, 0);
        if (k > 0 || !fixed) assert_int_equal(rows[step->row]++, 0);
        unsigned from_stack = 0;
        for (int side = 0; side < 2; side++) {
            const uint32_t point = side ? step->right : step->left;
            const uint32_t source =
                side ? BAILEY_BRIDGE_RIGHT_SOURCE(step->code) : BAILEY_BRIDGE_LEFT_SOURCE(step->code);
            const uint32_t slot =
                side ? BAILEY_BRIDGE_RIGHT_SLOT(step->code) : BAILEY_BRIDGE_LEFT_SLOT(step->code);
            if (point == 0) {
                assert_int_equal(source, BAILEY_BRIDGE_FROM_START);
            } else if (source == BAILEY_BRIDGE_FROM_STACK) {
                assert_true(point != before->left && point != before->right && point != before->point);
                assert_in_range(slot, 0, plan->path_slots - 1);
                from_stack = 1;
                reads++;
            } else {
                assert_int_equal(point, source == BAILEY_BRIDGE_FROM_LEFT    ? before->left
                                        : source == BAILEY_BRIDGE_FROM_RIGHT ? before->right
                                                                             : before->point);
                assert_true(source <= BAILEY_BRIDGE_FROM_BUILT);
            }
            if (point != 0 && k > 1 && point != n + 1) inner[point] = 1;
        }
        const int child = step->left == before->point || step->right == before->point;
        if (k > 0 && !child) changes++;
        if (child) assert_int_equal(from_stack, 0);
        const uint32_t write = BAILEY_BRIDGE_WRITE_SLOT(step->code);
        if (write != BAILEY_BRIDGE_NO_SLOT) {
            assert_in_range(write, 0, plan->path_slots - 1);
            if (slots <= write) slots = write + 1;
            writes++;
        }
        if (!peak) continue;
        unsigned char *alive = allocate(n + 2, 1);
        for (uint32_t later = k + 1; later <= n; later++)
            alive[plan->path[later].left] = alive[plan->path[later].right] = 1;
        uint32_t waiting = 0;
        for (uint32_t point = 1; point <= n + 1; point++)
            waiting += seen[point] && alive[point] && point != step->left && point != step->right &&
                       point != step->point;
        if (most < waiting) most = waiting;
        free(alive);
    }
    /* A point that is not a neighbour of any other is a leaf. */
    for (uint32_t point = 1; point <= n; point++) leaves += !inner[point];
    assert_int_equal(changes, leaves == 0 ? 0 : leaves - 1);
    assert_int_equal(slots, plan->path_slots);
    assert_int_equal(reads, plan->stack_reads);
    assert_int_equal(writes, plan->stack_writes);
    if (peak) {
        assert_true(most <= plan->path_slots);
        assert_true(plan->path_slots <= most + 1);
    }
    /* 2 log2(N + 2) - 3, the bound stated with BAILEY_BRIDGE_MAX_SLOTS. */
    if (n > 0) assert_true(plan->path_slots <= 2 * log2(n + 2.) - 3);

    memset(rows, 0, n + 1);
    memset(seen, 0, n + 1);
    uint32_t depth = 0;
    for (uint32_t k = 0; k <= n; k++) {
        const bailey_bridge_split_f64 *split = &plan->split[k];
        if (k > 0 || !fixed) assert_int_equal(rows[split->row]++, 0);
        assert_in_range(split->node, k > 0, n);
        assert_int_equal(seen[split->node]++, 0);
        assert_true(split->gap < split->node || k == 0);
        if (k > 0 && BAILEY_BRIDGE_SPLIT_SOURCE(split->code) == BAILEY_BRIDGE_SPLIT_STACK) {
            pops++;
            assert_int_equal(BAILEY_BRIDGE_SPLIT_READ_SLOT(split->code), --depth);
        }
        if (BAILEY_BRIDGE_SPLIT_PUSH(split->code)) {
            pushes++;
            assert_int_equal(BAILEY_BRIDGE_SPLIT_WRITE_SLOT(split->code), depth++);
            if (split_slots < depth) split_slots = depth;
        }
    }
    assert_int_equal(depth, 0);
    assert_int_equal(split_slots, plan->split_slots);
    assert_int_equal(pops, pushes);
    assert_int_equal(pops, changes);
    assert_true(split_slots <= log2(n + 1.));
    free(seen);
    return most;
}

/* The smallest stack for the points of the gap (low, high), whose ends are needed again after it if
 * `low_waits`, `high_waits`; place[i] is the place of point i in the construction order. This computes
 * top-down what the planner computes bottom-up; `stack_is_minimal` compares the planner with exhaustive
 * search. */
static uint32_t need_of(const uint32_t *place, uint32_t low, uint32_t high, uint32_t low_waits,
                        uint32_t high_waits)
{
    if (high - low < 2) return 0;
    uint32_t point = low + 1;
    for (uint32_t i = low + 2; i < high; i++)
        if (place[i] < place[point]) point = i;
    const uint32_t waits_for_right = low != 0 && low_waits;
    if (high - point < 2) return point - low < 2 ? 0 : high_waits + need_of(place, low, point, low_waits, 0);
    if (point - low < 2) return waits_for_right + need_of(place, point, high, 0, high_waits);
    const uint32_t left_first = 1 + need_of(place, low, point, low_waits, 1);
    const uint32_t then_right = waits_for_right + need_of(place, point, high, 0, high_waits);
    const uint32_t right_first = (low != 0) + need_of(place, point, high, 1, high_waits);
    const uint32_t then_left = high_waits + need_of(place, low, point, low_waits, 0);
    const uint32_t a = left_first > then_right ? left_first : then_right;
    const uint32_t b = right_first > then_left ? right_first : then_left;
    return a < b ? a : b;
}

static void check_order_of(uint32_t n, const uint32_t *order, uint32_t dims, int peak)
{
    static const double factor[] = {0.75, 7, 9, -0.3, 1.25, 11, 0.1, 0.2, -0.4};
    static const double start[] = {0.25, -3.5, 100.1}, end[] = {-0.7, 2.25, 1. / 3};
    double factor_of_dims[MAX_DIMS * MAX_DIMS], start_time;
    uint32_t *place = allocate(n + 2, sizeof *place);
    for (uint32_t k = 0; k < n; k++) place[order[k]] = k;
    const uint32_t need = peak ? need_of(place, 0, n + 1, 0, 0) : 0;
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j < dims; j++) factor_of_dims[i * dims + j] = factor[i * 3 + j];
    double *times = random_times(n + 1, &start_time);
    for (int fixed = 0; fixed < 2; fixed++) {
        struct bly_plan plan;
        create(times, n + 1, start_time, order, fixed, &plan);
        assert_int_equal(check_records(&plan, fixed, peak), need);
        const double *c = random_word() & 1 ? factor_of_dims : NULL, *s = random_word() & 1 ? start : NULL;
        check_walks_f32(&plan, times, start_time, order, dims, c, s, fixed ? end : NULL);
        check_walks_f64(&plan, times, start_time, order, dims, c, s, fixed ? end : NULL);
        bly_plan_destroy(&plan);
    }
    free(times);
    free(place);
}

TEST(every_small_order, HOST)
{
    check_order_of(0, NULL, 1, 1);
    check_order_of(0, (const uint32_t[]){9}, 3, 1);
    for (uint32_t n = 1; n <= 6; n++) {
        uint32_t count = 1;
        for (uint32_t i = 2; i <= n; i++) count *= i;
        for (uint32_t index = 0; index < count; index++) {
            /* The permutation with this number in the factorial base. */
            uint32_t order[6], left[6], code = index;
            for (uint32_t i = 0; i < n; i++) left[i] = i + 1;
            for (uint32_t i = 0; i < n; i++) {
                const uint32_t digit = code % (n - i);
                code /= n - i;
                order[i] = left[digit];
                memmove(left + digit, left + digit + 1, (n - i - 1 - digit) * sizeof *left);
            }
            check_order_of(n, order, 1 + index % MAX_DIMS, 1);
        }
    }
}

TEST(random_orders, HOST)
{
    static uint32_t order[2000];
    for (uint32_t i = 0; i < 300; i++) {
        const uint32_t n = 7 + (uint32_t)(random_word() % 194);
        random_order(n, order);
        check_order_of(n, order, 1 + i % MAX_DIMS, i < 200);
    }
    for (uint32_t i = 0; i < 3; i++) {
        random_order(2000, order);
        check_order_of(2000, order, 1 + i, 0);
    }
}

TEST(named_orders, HOST)
{
    static const uint32_t sizes[] = {1, 2, 3, 12, 63, 100, 255, 1023};
    static uint32_t order[1023];
    for (int kind = 0; kind <= BAILEY_ORDER_INCREMENTAL; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            assert_int_equal(bailey_order_make((bailey_order)kind, sizes[i], NULL, 0, order), BAILEY_OK);
            check_order_of(sizes[i], order, 2, sizes[i] <= 255);
        }
}

/* An order given as NULL is the bisection. */
TEST(default_order, HOST)
{
    uint32_t order[63];
    double *times = regular_times(64);
    struct bly_plan a, b;
    assert_int_equal(bailey_order_make(BAILEY_ORDER_BISECTION, 63, NULL, 0, order), BAILEY_OK);
    create(times, 64, 0, order, 0, &a);
    create(times, 64, 0, NULL, 0, &b);
    assert_memory_equal(a.path, b.path, 64 * sizeof *a.path);
    assert_memory_equal(a.split, b.split, 64 * sizeof *a.split);
    bly_plan_destroy(&a);
    bly_plan_destroy(&b);
    free(times);
}

/* ---- Stack ----------------------------------------------------------------------------------- */

#define MOST_POINTS 20

/* The smallest possible largest number of points that are alive and not in registers, over all orders
 * equivalent to `order`, depth-first or not: dynamic programming over the sets of built points that
 * contain all their neighbours. Bit k is the point order[k], bit n is T. */
static uint32_t least_stack(uint32_t n, const uint32_t *order)
{
    static unsigned char least[1 << MOST_POINTS];
    const uint32_t end = 1u << n;
    uint32_t needs[MOST_POINTS];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t l = 0, r = n + 1, left = 0, right = end;
        for (uint32_t j = 0; j < k; j++) {
            if (order[j] < order[k] && order[j] > l) l = order[j], left = 1u << j;
            if (order[j] > order[k] && order[j] < r) r = order[j], right = 1u << j;
        }
        needs[k] = left | right;
    }
    least[0] = 0;
    for (uint32_t built = 1, top = 0; built < end; built++) {
        while (built >> top > 1) top++;
        least[built] = 255; /* no such set */
        if (least[built ^ 1u << top] == 255 || (needs[top] & ~(built | end))) continue;
        uint32_t alive = 0;
        for (uint32_t k = 0; k < n; k++)
            if (!(built >> k & 1)) alive |= needs[k];
        alive &= built | end;
        for (uint32_t k = 0; k < n; k++) {
            if (!(built >> k & 1) || least[built ^ 1u << k] == 255) continue;
            uint32_t waiting = 0;
            for (uint32_t bits = alive & ~(needs[k] | 1u << k); bits != 0; bits &= bits - 1) waiting++;
            if (waiting < least[built ^ 1u << k]) waiting = least[built ^ 1u << k];
            if (least[built] > waiting) least[built] = (unsigned char)waiting;
        }
    }
    return least[end - 1];
}

static void check_minimal(uint32_t n, const uint32_t *order)
{
    double *times = regular_times(n + 1);
    struct bly_plan plan;
    create(times, n + 1, 0, order, 0, &plan);
    assert_int_equal(check_records(&plan, 0, 1), least_stack(n, order));
    bly_plan_destroy(&plan);
    free(times);
}

/* Calls check_minimal for every tree of n points, given by its preorder. The gaps that still need a
 * root are on `todo` as pairs; `made` points are placed. */
static uint32_t every_tree(uint32_t n, uint32_t *order, uint32_t made, uint32_t (*todo)[2], uint32_t gaps)
{
    if (gaps == 0) {
        check_minimal(n, order);
        return 1;
    }
    uint32_t trees = 0;
    uint32_t(*copy)[2] = allocate(gaps + 2, sizeof *copy);
    const uint32_t low = todo[gaps - 1][0], high = todo[gaps - 1][1];
    for (uint32_t point = low + 1; point < high; point++) {
        memcpy(copy, todo, gaps * sizeof *copy);
        uint32_t left = gaps - 1;
        if (high - point > 1) copy[left][0] = point, copy[left++][1] = high;
        if (point - low > 1) copy[left][0] = low, copy[left++][1] = point;
        order[made] = point;
        trees += every_tree(n, order, made + 1, copy, left);
    }
    free(copy);
    return trees;
}

TEST(stack_is_minimal, HOST)
{
    static const uint32_t catalan[] = {1, 1, 2, 5, 14, 42, 132, 429, 1430};
    uint32_t order[8];
    for (uint32_t n = 1; n <= 8; n++)
        assert_int_equal(every_tree(n, order, 0, (uint32_t[][2]){{0, n + 1}}, 1), catalan[n]);
}

/* Larger trees at random, most of them bushy, which need more stack. */
TEST(stack_is_minimal_for_larger_trees, HOST)
{
    for (uint32_t i = 0; i < 2000; i++) {
        const uint32_t n = 9 + (uint32_t)(random_word() % (i % 10 == 0 ? 12 : 8));
        uint32_t order[MOST_POINTS], todo[MOST_POINTS][2] = {{0, n + 1}}, made = 0;
        for (uint32_t gaps = 1; gaps > 0;) {
            const uint32_t low = todo[gaps - 1][0], high = todo[gaps - 1][1], span = high - low;
            const uint32_t skip = i & 1 ? (span - 1) / 3 : 0;
            const uint32_t point = low + 1 + skip + (uint32_t)(random_word() % (span - 1 - 2 * skip));
            order[made++] = point;
            gaps--;
            if (high - point > 1) todo[gaps][0] = point, todo[gaps++][1] = high;
            if (point - low > 1) todo[gaps][0] = low, todo[gaps++][1] = point;
        }
        check_minimal(n, order);
    }
}

static void counts_of(uint32_t steps, uint64_t reads, uint64_t writes, uint32_t slots, uint32_t split_slots)
{
    double *times = regular_times(steps);
    struct bly_plan plan;
    create(times, steps, 0, NULL, 0, &plan);
    assert_int_equal(plan.stack_reads, reads);
    assert_int_equal(plan.stack_writes, writes);
    assert_int_equal(plan.path_slots, slots);
    assert_int_equal(plan.split_slots, split_slots);
    bly_plan_destroy(&plan);
    free(times);
}

/* Found with an independent program and, for 64 steps, proved minimal: 31 changes of path, of which 5
 * have t0 for the neighbour that is missing. */
TEST(bisection_counts, HOST)
{
    counts_of(64, 26, 15, 4, 5);
    counts_of(1024, 502, 255, 8, 9);
}

/* Orders whose tree is a chain. */
TEST(chains_need_no_stack, HOST)
{
    const uint32_t n = 100000;
    uint32_t *order = allocate(n, sizeof *order);
    double *times = regular_times(n + 1);
    for (int kind = 0; kind < 4; kind++) {
        for (uint32_t i = 0; i < n; i++)
            order[i] = kind == 0   ? i + 1
                       : kind == 1 ? n - i
                       : kind == 2 ? (i % 2 ? n - i / 2 : i / 2 + 1)
                                   : (i % 2 ? i / 2 + 1 : n - i / 2);
        struct bly_plan plan;
        create(times, n + 1, 0, order, 0, &plan);
        assert_int_equal(plan.path_slots, 0);
        assert_int_equal(plan.split_slots, 0);
        assert_int_equal(plan.stack_reads, 0);
        bly_plan_destroy(&plan);
    }
    free(times);
    free(order);
}

TEST(a_million_points, HOST)
{
    const uint32_t n = BAILEY_BRIDGE_MAX_STEPS - 1;
    uint32_t *order = allocate(n, sizeof *order);
    double *times = regular_times(n + 1);
    for (int kind = 0; kind < 3; kind++) {
        struct bly_plan plan;
        if (kind == 1) random_order(n, order);
        if (kind == 2) crossing_order(n, order);
        create(times, n + 1, 0, kind == 0 ? NULL : order, 0, &plan);
        print_message("%d: %u and %u slots, %llu reads, %llu writes\n", kind, plan.path_slots,
                      plan.split_slots, (unsigned long long)plan.stack_reads,
                      (unsigned long long)plan.stack_writes);
        check_records(&plan, 0, 0);
        bly_plan_destroy(&plan);
    }
    free(times);
    free(order);
}

/* The hardest trees for `need`: k slots take 4, 6, 10, 14, 22, 30 ... points at least, so a plan for
 * fewer points never has more than k - 1, plus one for writing at once. */
TEST(random_trees_keep_the_bound, HOST)
{
    uint32_t order[30], most = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        const uint32_t n = 1 + i % 30;
        double *times = regular_times(n + 1);
        struct bly_plan plan;
        random_order(n, order);
        create(times, n + 1, 0, order, 0, &plan);
        assert_true(n >= 4 || plan.path_slots <= 1);
        assert_true(n >= 14 || plan.path_slots <= 4);
        if (most < plan.path_slots) most = plan.path_slots;
        bly_plan_destroy(&plan);
        free(times);
    }
    assert_true(most <= 7);
}
