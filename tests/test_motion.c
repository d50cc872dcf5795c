/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian motions at any tick: against the contract written down a second time, node by node, and against
 * themselves: whatever the order of queries, the paths asked for, the levels and the way they are served, the
 * bits are the same.
 */
#include "motions.h"

/* ---- The contract, node by node -------------------------------------------------------------- */

/* Word i of a node, of areas 0. */
static uint32_t word_of(const bailey_source *from, uint64_t node, uint64_t path, uint32_t dim, uint32_t i)
{
    const int rounds = from->generator == BAILEY_GENERATOR_PHILOX7 ? 7 : 10;
    const bailey_philox_block key =
        bailey_philox4x32(rounds, 0, 0x80000000u, (uint32_t)from->stream, (uint32_t)(from->stream >> 32),
                          (uint32_t)from->seed, (uint32_t)(from->seed >> 32));
    const bailey_philox_block b =
        bailey_philox4x32(rounds, (uint32_t)node, (uint32_t)(node >> 32) | 0x80000000u, (uint32_t)path,
                          (uint32_t)(path >> 32) | dim << 8 | (i / 4) << 14, key.word[0], key.word[1]);
    return b.word[i % 4];
}

/* Number `i` of the node that keeps it, as a normal. */
static double normal_of(const bailey_source *from, bailey_precision precision, uint64_t node, uint64_t path,
                        uint32_t dim, uint32_t i)
{
    if (precision == BAILEY_PRECISION_F32)
        return (double)bailey_normal_icdf_f32(TABLE_F32, word_of(from, node, path, dim, i));
    return bailey_normal_icdf_f64(TABLE_F64, word_of(from, node, path, dim, 2 * i) |
                                                 (uint64_t)word_of(from, node, path, dim, 2 * i + 1) << 32);
}

/* The normal of node i of level j: of an odd level its own number 0, else number 1 or 2 of its parent. */
static double node_normal(const bailey_source *from, bailey_precision precision, uint32_t level, uint64_t i,
                          uint64_t path, uint32_t dim)
{
    const uint64_t node = ((uint64_t)1 << (level - 1)) + i;
    if (level % 2) return normal_of(from, precision, node, path, dim, 0);
    return normal_of(from, precision, node / 2, path, dim, 1 + (uint32_t)(node % 2));
}

/* W at a tick of 2^levels, from the values of its neighbours, each found the same way. */
static double reference(const bailey_motion_params *p, const bailey_source *from, uint64_t tick,
                        uint64_t path, uint32_t dim)
{
    const double time = p->end_time - p->start_time;
    const int f32 = p->precision == BAILEY_PRECISION_F32;
    double left = 0, right = normal_of(from, p->precision, 1, path, dim, 3);
    right = f32 ? (double)((float)sqrt(time) * (float)right) : sqrt(time) * right;
    uint64_t low = 0, high = (uint64_t)1 << p->depth;
    if (tick == low) return left;
    if (tick == high) return right;
    for (uint32_t level = 1;; level++) {
        const uint64_t middle = low + (high - low) / 2;
        const double sigma = sqrt(ldexp(time, 1 - (int)level)) / 2;
        const double z = node_normal(from, p->precision, level, low / (high - low), path, dim);
        const double x =
            f32 ? (double)fmaf((float)sigma, (float)z, fmaf(0.5f, (float)right, 0.5f * (float)left))
                : fma(sigma, z, fma(0.5, right, 0.5 * left));
        if (middle == tick) return x;
        if (tick < middle)
            high = middle, right = x;
        else
            low = middle, left = x;
    }
}

static void check_contract(bailey_precision precision, uint32_t levels, bailey_generator generator)
{
    enum { TICKS = 40, PATHS = 37, DIMS = 3 };
    uint64_t ticks[TICKS];
    const uint64_t first = ((uint64_t)1 << 34) + 5;
    const bailey_source from = {
        .seed = UINT64_C(0x123456789abcdef), .stream = UINT64_C(5) << 33, .generator = generator};
    const bailey_motion_params p = {
        .start_time = 0.25, .end_time = 3, .depth = levels, .dims = DIMS, .precision = precision};
    for (uint64_t i = 0; i < TICKS; i++) ticks[i] = some_tick(levels, i);
    void *found = values_of(&p, &from, ticks, TICKS, first, PATHS);
    for (uint64_t i = 0; i < TICKS; i++)
        for (uint32_t d = 0; d < DIMS; d++)
            for (uint64_t path = 0; path < PATHS; path++) {
                const double a = number(found, precision, (i * DIMS + d) * PATHS + path);
                const double b = reference(&p, &from, ticks[i], first + path, d);
                if (a != b)
                    fail_msg("levels %u, tick %llu, dim %u, path %llu: %a, not %a", levels,
                             (unsigned long long)ticks[i], d, (unsigned long long)path, a, b);
            }
    free(found);
}

TEST(contract, DEVICE | LONG_ON_OPENCL)
{
    static const uint32_t levels[] = {1, 2, 3, 7, 24, 51, 52};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        check_contract(BAILEY_PRECISION_F32, levels[i], BAILEY_GENERATOR_PHILOX);
        if (device.has_f64) check_contract(BAILEY_PRECISION_F64, levels[i], BAILEY_GENERATOR_PHILOX);
    }
    check_contract(BAILEY_PRECISION_F32, 24, BAILEY_GENERATOR_PHILOX7);
}

/* ---- One answer, however it is asked --------------------------------------------------------- */

/* A grid, which is walked, tick by tick; backwards; one path of many; and with separate ticks for each path.
 */
static void check_ways(bailey_precision precision, bailey_motion_areas areas)
{
    enum { LEVELS = 9, TICKS = 513, PATHS = 21, DIMS = 2 };
    static const double start[DIMS] = {100, -5}, end[DIMS] = {90, 3}, factor[DIMS * DIMS] = {2, 0, 0.5, 1.25};
    for (int fixed = 0; fixed < 2; fixed++) {
        const bailey_motion_params p = {.end_time = 2,
                                        .depth = LEVELS,
                                        .dims = DIMS,
                                        .factor = factor,
                                        .start = start,
                                        .end = fixed ? end : NULL,
                                        .areas = areas,
                                        .precision = precision};
        const size_t row = DIMS * PATHS * element(precision);
        uint64_t ticks[TICKS];
        for (uint64_t i = 0; i < TICKS; i++) ticks[i] = i;
        char *grid = values_of(&p, &source, ticks, TICKS, 1000, PATHS);
        for (uint64_t i = 0; i < TICKS; i++) ticks[i] = TICKS - 1 - i;
        char *backwards = values_of(&p, &source, ticks, TICKS, 1000, PATHS);
        for (uint64_t i = 0; i < TICKS; i += 7) {
            char *alone = values_of(&p, &source, &i, 1, 1000, PATHS);
            same_bits("a tick of a grid", grid + i * row, alone, DIMS * PATHS, element(precision));
            same_bits("of a list backwards", backwards + (TICKS - 1 - i) * row, alone, DIMS * PATHS,
                      element(precision));
            free(alone);
            char *one = values_of(&p, &source, &i, 1, 1000 + 13, 1);
            for (uint32_t d = 0; d < DIMS; d++)
                same_bits("one path", grid + i * row + (d * PATHS + 13) * element(precision),
                          one + d * element(precision), 1, element(precision));
            free(one);
        }
        for (uint32_t d = 0; d < DIMS; d++) {
            for (uint64_t path = 0; path < PATHS; path++) {
                assert_true(number(grid, precision, d * PATHS + path) == start[d]);
                if (fixed)
                    assert_true(number(grid, precision, ((TICKS - 1) * DIMS + d) * PATHS + path) == end[d]);
            }
        }
        free(grid);
        free(backwards);
    }
}

TEST(ways, DEVICE | LONG_ON_OPENCL)
{
    for (int areas = 0; areas < 3; areas++) {
        check_ways(BAILEY_PRECISION_F32, (bailey_motion_areas)areas);
        if (device.has_f64) check_ways(BAILEY_PRECISION_F64, (bailey_motion_areas)areas);
    }
}

/* Dense ticks among others, with gaps, in any order: what walks do by fours, and what they do not. */
static void check_dense(bailey_precision precision, uint32_t levels, uint64_t paths)
{
    enum { MOST = 2000 };
    static const uint64_t missing[] = {0, 7, 8, 77, 300};
    const bailey_motion_params p = {.end_time = 2, .depth = levels, .precision = precision};
    const uint64_t last = (uint64_t)1 << levels, quarter = last / 4, finest = levels > 11 ? quarter / 512 : 1;
    uint64_t ticks[MOST], count = 0;
    for (uint64_t part = 0; part < 4; part++) /* each quarter twice as coarse as the previous one */
        for (uint64_t tick = part * quarter; tick < (part + 1) * quarter; tick += finest << part) {
            int is_missing = 0;
            for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
                is_missing |= (tick - part * quarter) / (finest << part) == missing[i];
            if (!is_missing) ticks[count++] = tick;
        }
    ticks[count++] = last;
    ticks[count++] = quarter + 1;
    assert_true(count <= MOST);
    for (uint64_t i = 0; i < count / 2; i += 3) { /* the list need not be in order */
        const uint64_t other = count - 1 - i, tick = ticks[i];
        ticks[i] = ticks[other], ticks[other] = tick;
    }
    void *found = values_of(&p, &source, ticks, count, 5, paths);
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t path = 0; path < paths; path++) {
            const double a = number(found, precision, i * paths + path);
            const double b = reference(&p, &source, ticks[i], 5 + path, 0);
            if (a != b)
                fail_msg("levels %u, tick %llu, path %llu: %a, not %a", levels, (unsigned long long)ticks[i],
                         (unsigned long long)path, a, b);
        }
    free(found);
}

TEST(dense, DEVICE | LONG_ON_OPENCL)
{
    for (uint32_t levels = 3; levels < 25; levels += levels < 12 ? 1 : 5) {
        check_dense(BAILEY_PRECISION_F32, levels, 19);
        if (device.has_f64) check_dense(BAILEY_PRECISION_F64, levels, 19);
    }
}

/* Values and increments at separate ticks for each path are those of lists that have one tick. */
static void check_each(bailey_precision precision, bailey_motion_areas areas, uint64_t paths)
{
    enum { TICKS = 3, LEVELS = 24 };
    const uint32_t parts = 1u + areas;
    const bailey_motion_params p = {.end_time = 5, .depth = LEVELS, .areas = areas, .precision = precision};
    const size_t bytes = element(precision);
    uint64_t *ticks = allocate(2 * TICKS * paths * sizeof *ticks);
    for (uint64_t i = 0; i < TICKS * paths; i++) {
        const uint64_t a = some_tick(LEVELS, i), b = some_tick(LEVELS, i + 1000);
        ticks[i] = a < b ? a : b;
        ticks[TICKS * paths + i] = a < b ? b : a;
    }
    bailey_motion *motion = make_motion(&p);
    bailey_buffer *at = NULL, *out = poisoned(TICKS * paths * bytes),
                  *in = poisoned(TICKS * parts * paths * bytes);
    OK(bailey_buffer_create(context, 2 * TICKS * paths * sizeof *ticks, &at));
    OK(bailey_buffer_write(at, 0, ticks, 2 * TICKS * paths * sizeof *ticks));
    OK(bailey_motion_values_each(motion, &source, at, TICKS, 40, paths, out));
    OK(bailey_motion_increments_each(motion, &source, at, TICKS, 40, paths, in));
    char *values = harvest(out, TICKS * paths * bytes), *changes = harvest(in, TICKS * parts * paths * bytes);
    for (uint64_t i = 0; i < TICKS; i++)
        for (uint64_t path = 0; path < paths; path++) {
            const uint64_t *low = &ticks[i * paths + path], *high = &ticks[(TICKS + i) * paths + path];
            char *one = values_of(&p, &source, low, 1, 40 + path, 1);
            same_bits("a path's own tick", values + (i * paths + path) * bytes, one, 1, bytes);
            free(one);
            one = increments_of(&p, &source, low, high, 1, 40 + path, 1);
            for (uint32_t part = 0; part < parts; part++)
                same_bits("a path's own interval", changes + ((i * parts + part) * paths + path) * bytes,
                          one + part * bytes, 1, bytes);
            free(one);
        }
    bailey_buffer_destroy(at);
    bailey_motion_destroy(motion);
    free(ticks);
    free(values);
    free(changes);
}

TEST(each, DEVICE | LONG_ON_OPENCL)
{
    for (int areas = 0; areas < 3; areas++) {
        check_each(BAILEY_PRECISION_F32, (bailey_motion_areas)areas, 35);
        if (device.has_f64) check_each(BAILEY_PRECISION_F64, (bailey_motion_areas)areas, 19);
    }
}

/* More levels leave values and increments at shared ticks as they are. */
TEST(test_levels, DEVICE)
{
    enum { TICKS = 24, PATHS = 18 };
    for (int areas = 0; areas < 3; areas++)
        for (int f64 = 0; f64 <= (int)device.has_f64; f64++) {
            const bailey_precision precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
            bailey_motion_params p = {
                .end_time = 1, .depth = 24, .areas = (bailey_motion_areas)areas, .precision = precision};
            uint64_t low[TICKS], high[TICKS];
            for (uint64_t i = 0; i < TICKS; i++) {
                const uint64_t a = some_tick(24, i), b = some_tick(24, i + 77);
                low[i] = a < b ? a : b;
                high[i] = a < b ? b : a;
            }
            void *coarse = values_of(&p, &source, low, TICKS, 0, PATHS);
            void *coarse_between = increments_of(&p, &source, low, high, TICKS, 0, PATHS);
            p.depth = 52;
            for (uint64_t i = 0; i < TICKS; i++) low[i] <<= 28, high[i] <<= 28;
            void *fine = values_of(&p, &source, low, TICKS, 0, PATHS);
            void *fine_between = increments_of(&p, &source, low, high, TICKS, 0, PATHS);
            same_bits("52 levels", fine, coarse, TICKS * PATHS, element(precision));
            same_bits("52 levels, increments", fine_between, coarse_between,
                      TICKS * PATHS * (1u + (unsigned)areas), element(precision));
            free(coarse), free(fine), free(coarse_between), free(fine_between);
        }
}

/* The device functions as C, of either precision. */
union parameters {
    bailey_motion_f32 f32;
    bailey_motion_f64 f64;
};
union walk {
    bailey_motion_walk_f32 f32;
    bailey_motion_walk_f64 f64;
};

static union parameters parameters_of(const bailey_motion_params *p)
{
    union parameters m;
    bailey_motion *motion = make_motion(p);
    const size_t size = p->precision == BAILEY_PRECISION_F64 ? sizeof m.f64 : sizeof m.f32;
    REFUSED(bailey_motion_device_params(motion, &source, &m, size + 1), "size is", "a bailey_motion_f");
    OK(bailey_motion_device_params(motion, &source, &m, size));
    bailey_motion_destroy(motion);
    return m;
}

static void between(bailey_precision precision, const union parameters *m, uint64_t path, uint64_t low,
                    uint64_t high, double parts[3])
{
    if (precision == BAILEY_PRECISION_F64) {
        const bailey_motion_part_f64 p = bailey_motion_between_f64(&m->f64, TABLE_F64, path, 0, low, high);
        parts[0] = p.w_, parts[1] = p.h_, parts[2] = p.k_;
    } else {
        const bailey_motion_part_f32 p = bailey_motion_between_f32(&m->f32, TABLE_F32, path, 0, low, high);
        parts[0] = (double)p.w_, parts[1] = (double)p.h_, parts[2] = (double)p.k_;
    }
}

static double value(bailey_precision precision, const union parameters *m, uint64_t path, uint32_t dim,
                    uint64_t tick)
{
    return precision == BAILEY_PRECISION_F64
               ? bailey_motion_value_f64(&m->f64, TABLE_F64, path, dim, tick)
               : (double)bailey_motion_value_f32(&m->f32, TABLE_F32, path, dim, tick);
}

static void walk_begin(bailey_precision precision, const union parameters *m, uint64_t path, uint32_t dim,
                       union walk *walk)
{
    if (precision == BAILEY_PRECISION_F64)
        bailey_motion_walk_begin_f64(&m->f64, TABLE_F64, path, dim, &walk->f64);
    else
        bailey_motion_walk_begin_f32(&m->f32, TABLE_F32, path, dim, &walk->f32);
}

static double walk_to(bailey_precision precision, const union parameters *m, uint64_t path, uint32_t dim,
                      union walk *walk, uint64_t tick)
{
    return precision == BAILEY_PRECISION_F64
               ? bailey_motion_walk_to_f64(&m->f64, TABLE_F64, path, dim, &walk->f64, tick)
               : (double)bailey_motion_walk_to_f32(&m->f32, TABLE_F32, path, dim, &walk->f32, tick);
}

static void walk_four(bailey_precision precision, const union parameters *m, uint64_t path, uint32_t dim,
                      union walk *walk, uint32_t zeros, double x[4])
{
    float narrow[4];
    if (precision == BAILEY_PRECISION_F64) {
        bailey_motion_walk_four_f64(&m->f64, TABLE_F64, path, dim, &walk->f64, zeros, x);
        return;
    }
    bailey_motion_walk_four_f32(&m->f32, TABLE_F32, path, dim, &walk->f32, zeros, narrow);
    for (int i = 0; i < 4; i++) x[i] = (double)narrow[i];
}

/* They give the device's bits, increments included. */
static void check_functions(bailey_precision precision, bailey_motion_areas areas)
{
    enum { COUNT = 60, LEVELS = 30, PATHS = 5 };
    const bailey_motion_params p = {.end_time = 7, .depth = LEVELS, .areas = areas, .precision = precision};
    const union parameters m = parameters_of(&p);
    uint64_t low[COUNT], high[COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        low[i] = some_tick(LEVELS, i), high[i] = i % 3 ? some_tick(LEVELS, i + 500) : low[i] + i % 5;
        if (low[i] > high[i]) {
            const uint64_t swapped = low[i];
            low[i] = high[i], high[i] = swapped;
        }
        if (high[i] > (uint64_t)1 << LEVELS) high[i] = low[i];
    }
    void *found = increments_of(&p, &source, low, high, COUNT, 3, PATHS);
    for (uint64_t i = 0; i < COUNT; i++)
        for (uint64_t path = 0; path < PATHS; path++) {
            double expected[3];
            between(precision, &m, 3 + path, low[i], high[i], expected);
            for (uint64_t j = 0; j <= areas; j++) {
                const double x = number(found, precision, (i * (1u + areas) + j) * PATHS + path);
                same_bits("increments as C", &x, &expected[j], 1, sizeof x);
            }
        }
    free(found);
}

TEST(functions, DEVICE)
{
    for (int areas = 0; areas < 3; areas++) {
        check_functions(BAILEY_PRECISION_F32, (bailey_motion_areas)areas);
        if (device.has_f64) check_functions(BAILEY_PRECISION_F64, (bailey_motion_areas)areas);
    }
}

/* A walk goes forth and back as it likes. */
static void check_walk(bailey_precision precision)
{
    enum { LEVELS = 20, STEPS = 3000 };
    const union parameters m =
        parameters_of(&(bailey_motion_params){.end_time = 7, .depth = LEVELS, .precision = precision});
    static union walk walk;
    walk_begin(precision, &m, 11, 2, &walk);
    uint64_t tick = 0;
    for (uint64_t i = 0; i < STEPS; i++) {
        const bailey_philox_block b = bailey_philox_words4(3, 1, i);
        const uint64_t size = (uint64_t)1 << (b.word[1] % 12);
        tick = b.word[0] % 8 ? tick + size : tick - (size < tick ? size : tick);
        if (tick > (uint64_t)1 << LEVELS) tick = 0;
        const double walked = walk_to(precision, &m, 11, 2, &walk, tick);
        const double asked = value(precision, &m, 11, 2, tick);
        same_bits("a step of a walk", &walked, &asked, 1, sizeof asked);
        const uint32_t zeros = b.word[2] % 5 * 2; /* four steps at once from a place that allows them */
        if (b.word[2] >> 31 || tick >> (zeros + 2) << (zeros + 2) == (uint64_t)1 << LEVELS) continue;
        tick = tick >> (zeros + 2) << (zeros + 2);
        double four[4];
        (void)walk_to(precision, &m, 11, 2, &walk, tick);
        walk_four(precision, &m, 11, 2, &walk, zeros, four);
        for (int j = 0; j < 4; j++) {
            tick += (uint64_t)1 << zeros;
            const double one = value(precision, &m, 11, 2, tick);
            same_bits("one of four steps", &four[j], &one, 1, sizeof one);
        }
    }
}

TEST(test_walk, DEVICE)
{
    check_walk(BAILEY_PRECISION_F32);
    if (device.has_f64) check_walk(BAILEY_PRECISION_F64);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

TEST(clock, DEVICE)
{
    const bailey_motion_params p = {.start_time = 2, .end_time = 10, .depth = 3};
    bailey_motion *motion = make_motion(&p);
    uint64_t tick = 99;
    OK(bailey_motion_tick(motion, 2, &tick));
    assert_int_equal(tick, 0);
    OK(bailey_motion_tick(motion, 10, &tick));
    assert_int_equal(tick, 8);
    OK(bailey_motion_tick(motion, 5.6, &tick));
    assert_int_equal(tick, 4);
    OK(bailey_motion_tick(motion, 5.5, &tick)); /* half-way: the even one */
    assert_int_equal(tick, 4);
    assert_true(bailey_motion_time(motion, 3) == 5);
    assert_true(bailey_motion_time(motion, 8) == 10);
    assert_true(bailey_motion_time(motion, 9) == 10);
    /* What rounding alone has moved beyond an end, and what lies further out, whose digits show it. */
    OK(bailey_motion_tick(motion, nextafter(10, 11), &tick));
    assert_int_equal(tick, (uint64_t)1 << p.depth);
    OK(bailey_motion_tick(motion, nextafter(2, 1), &tick));
    assert_int_equal(tick, 0);
    REFUSED(bailey_motion_tick(motion, 10 + 1e-13, &tick), "time is 10.0000000000001", "end_time 10");
    REFUSED(bailey_motion_tick(motion, 1.99, &tick), "time is 1.99", "start_time 2");
    REFUSED(bailey_motion_tick(motion, 10.5, &tick), "time is 10.5", "end_time 10");
    REFUSED(bailey_motion_tick(motion, NAN, &tick), "time is", "end_time 10");
    bailey_motion_destroy(motion);
}

static void refused_params(bailey_motion_params params, const char *a, const char *b)
{
    bailey_motion *motion = NOWHERE;
    REFUSED_HERE(bailey_motion_create(context, &params, &motion), a, b);
    assert_null(motion);
}

TEST(refusals, DEVICE)
{
    const double indefinite[] = {1, 2, 2, 1}, identity[] = {1};
    refused_params((bailey_motion_params){.start_time = 2, .end_time = 2}, "end_time is 2", "start_time 2");
    refused_params((bailey_motion_params){.dims = 2, .covariance = indefinite}, "covariance[1][0]",
                   "exceeds");
    refused_params((bailey_motion_params){.factor = identity, .covariance = identity}, "factor", "both");
    refused_params((bailey_motion_params){.end_time = 1e-70}, "end_time gives", "single precision");
    REFUSED(bailey_motion_create(NULL, &(bailey_motion_params){0}, &(bailey_motion *){NULL}),
            "context is NULL", "");
    REFUSED_HERE(bailey_motion_create(context, NULL, &(bailey_motion *){NULL}), "params is NULL", "");
    REFUSED_HERE(bailey_motion_create(context, &(bailey_motion_params){0}, NULL), "motion is NULL", "");
    bailey_motion_destroy(NULL);

    bailey_motion *motion = make_motion(&(bailey_motion_params){.depth = 4});
    bailey_buffer *out = poisoned(64), *small = NULL;
    const uint64_t good = 3, beyond = 17;
    const bailey_source run = {.generator = BAILEY_GENERATOR_WARP};
    REFUSED(bailey_motion_values(NULL, &source, &good, 1, 0, 1, out), "motion is NULL", "");
    REFUSED_HERE(bailey_motion_values(motion, NULL, &good, 1, 0, 1, out), "source is NULL", "");
    REFUSED_HERE(bailey_motion_values(motion, &run, &good, 1, 0, 1, out), "generator is warp", "philox7");
    REFUSED_HERE(bailey_motion_values(motion, &source, NULL, 1, 0, 1, out), "ticks is NULL", "");
    REFUSED_HERE(bailey_motion_values(motion, &source, &beyond, 1, 0, 1, out), "ticks[0] is 17", "16");
    REFUSED_HERE(bailey_motion_values(motion, &source, &good, 0, 0, 1, out), "count is 0", "1");
    REFUSED_HERE(bailey_motion_values(motion, &source, &good, 1, 0, 0, out), "paths is 0", "1");
    REFUSED_HERE(bailey_motion_values(motion, &source, &good, 1, UINT64_C(1) << 38, 1, out), "first_path",
                 "2^38");
    REFUSED_HERE(bailey_motion_values(motion, &source, &good, 1, 0, 1000, out), "out",
                 "1000 are needed, starting at element 0");
    REFUSED_HERE(bailey_motion_values(motion, &source, &good, UINT64_C(1) << 62, 0, 1000, out), "count",
                 "2^64");
    REFUSED_HERE(bailey_motion_values(motion, &source, &good, 1, 0, 1, NULL), "out is NULL", "");
    REFUSED_HERE(bailey_motion_increments(motion, &source, &good, NULL, 1, 0, 1, out), "to is NULL", "");
    REFUSED_HERE(bailey_motion_increments(motion, &source, &good, &(uint64_t){2}, 1, 0, 1, out),
                 "from[0] is 3", "to[0], which is 2");
    OK(bailey_buffer_create(context, 64, &small));
    REFUSED_HERE(bailey_motion_values_each(motion, &source, out, 1, 0, 1, out), "ticks and out", "same");
    REFUSED_HERE(bailey_motion_values_each(motion, &source, small, 1, 0, 10, out), "ticks", "10 are needed");
    REFUSED_HERE(bailey_motion_increments_each(motion, &source, small, 1, 0, 5, out), "ticks",
                 "10 are needed");
    bailey_buffer_destroy(small);
    bailey_motion_destroy(motion);
    unsigned char *untouched = harvest(out, 64);
    for (int i = 0; i < 64; i++) assert_int_equal(untouched[i], POISON);
    free(untouched);
}

/* Between times in device memory, of intervals of few paths side by side: those of bailey_motion_increments
 * between the nearest ticks. What cannot be is NaN. */
static void check_timed(bailey_precision precision, bailey_motion_areas areas, bailey_precision of_times,
                        const double *covariance)
{
    enum { COUNT = 9, WRONG = 5, PATHS = 11, DIMS = 2 };
    const uint32_t parts = 1u + areas;
    const double first = -1, last = 3;
    const bailey_motion_params p = {.start_time = first,
                                    .end_time = last,
                                    .depth = 40,
                                    .dims = DIMS,
                                    .areas = areas,
                                    .precision = precision,
                                    .covariance = covariance};
    const double wrong[WRONG][2] = {{-1.5, 0}, {0, 3.5}, {1, 0.5}, {NAN, 1}, {0, 1}};
    const size_t bytes = element(precision), row = (size_t)parts * DIMS * PATHS;
    double f64[COUNT][2] = {{first, last}, {0, 0}};
    float f32[COUNT][2];
    uint64_t paths[COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        if (i >= 2 && i < COUNT - WRONG)
            f64[i][0] = (double)some_tick(40, i) * 0x1p-40 - 1, f64[i][1] = f64[i][0] + 1.0 / (double)i;
        if (i >= COUNT - WRONG) memcpy(f64[i], wrong[i - (COUNT - WRONG)], sizeof f64[i]);
        for (int end = 0; end < 2; end++) {
            f32[i][end] = (float)f64[i][end];
            if (of_times == BAILEY_PRECISION_F32) f64[i][end] = f32[i][end];
        }
        paths[i] = 1000 * (COUNT - i);
    }
    paths[COUNT - 1] = UINT64_C(1) << 38;
    bailey_motion *motion = make_motion(&p);
    const size_t size = of_times == BAILEY_PRECISION_F32 ? sizeof f32 : sizeof f64;
    bailey_buffer *times = NULL, *firsts = NULL, *out = poisoned(COUNT * row * bytes);
    OK(bailey_buffer_create(context, size, &times));
    OK(bailey_buffer_create(context, sizeof paths, &firsts));
    OK(bailey_buffer_write(times, 0, of_times == BAILEY_PRECISION_F32 ? (void *)f32 : (void *)f64, size));
    OK(bailey_buffer_write(firsts, 0, paths, sizeof paths));
    OK(bailey_motion_increments_timed(motion, &source, times, of_times, firsts, COUNT, PATHS, out));
    REFUSED_HERE(bailey_motion_increments_timed(motion, &source, times, of_times, firsts, COUNT + 1, 1, out),
                 "times", "are needed");
    REFUSED_HERE(bailey_motion_increments_timed(motion, &source, times, of_times, out, 1, 1, out),
                 "first_paths and out", "same");
    REFUSED_HERE(
        bailey_motion_increments_timed(motion, &source, times, (bailey_precision)7, firsts, 1, 1, out),
        "times_precision", "7");
    char *found = harvest(out, COUNT * row * bytes);
    for (uint64_t i = 0; i < COUNT - WRONG; i++) {
        uint64_t from = 0, to = 0;
        OK(bailey_motion_tick(motion, f64[i][0], &from));
        OK(bailey_motion_tick(motion, f64[i][1], &to));
        char *one = increments_of(&p, &source, &from, &to, 1, paths[i], PATHS);
        same_bits("between times", found + i * row * bytes, one, row, bytes);
        free(one);
    }
    for (uint64_t i = (COUNT - WRONG) * row; i < COUNT * row; i++)
        assert_true(isnan(number(found, precision, i)));
    free(found);
    bailey_buffer_destroy(times);
    bailey_buffer_destroy(firsts);
    bailey_motion_destroy(motion);
}

TEST(timed, DEVICE)
{
    static const double covariance[] = {1, 0.5, 0.5, 2};
    if (!device.has_f64) {
        bailey_motion *motion = make_motion(&(bailey_motion_params){.depth = 4});
        assert_int_equal(
            bailey_motion_increments_timed(motion, &source, NULL, BAILEY_PRECISION_F32, NULL, 1, 1, NULL),
            BAILEY_ERROR_INVALID);
        bailey_motion_destroy(motion);
        return;
    }
    check_timed(BAILEY_PRECISION_F32, BAILEY_MOTION_AREAS_NONE, BAILEY_PRECISION_F32, NULL);
    check_timed(BAILEY_PRECISION_F64, BAILEY_MOTION_AREAS_HK, BAILEY_PRECISION_F64, NULL);
    check_timed(BAILEY_PRECISION_F32, BAILEY_MOTION_AREAS_NONE, BAILEY_PRECISION_F64, covariance);
}

/* Ticks that cannot be are NaN where only the device sees them: so are 2^63 and more, as negative numbers
 * are. */
static void check_wrong_ticks(bailey_precision precision, bailey_motion_areas areas)
{
    enum { COUNT = 8 };
    static const uint64_t minus = UINT64_MAX, top = UINT64_C(1) << 63;
    const uint64_t from[COUNT] = {17, 3, UINT64_C(1) << 53, 16, minus, top, minus - 4, minus};
    const uint64_t to[COUNT] = {17, 2, 4, 17, 3, top + 5, 3, minus};
    const size_t bytes = element(precision);
    bailey_motion *motion =
        make_motion(&(bailey_motion_params){.depth = 4, .areas = areas, .precision = precision});
    bailey_buffer *at = NULL, *out = poisoned(COUNT * bytes), *in = poisoned(COUNT * (1u + areas) * bytes);
    OK(bailey_buffer_create(context, sizeof from + sizeof to, &at));
    OK(bailey_buffer_write(at, 0, from, sizeof from));
    OK(bailey_buffer_write(at, sizeof from, to, sizeof to));
    OK(bailey_motion_values_each(motion, &source, at, 1, 0, COUNT, out));
    OK(bailey_motion_increments_each(motion, &source, at, 1, 0, COUNT, in));
    void *x = harvest(out, COUNT * bytes), *between = harvest(in, COUNT * (1u + areas) * bytes);
    for (uint64_t i = 0; i < COUNT; i++) assert_int_equal(isnan(number(x, precision, i)), from[i] > 16);
    for (uint64_t i = 0; i < COUNT * (1u + areas); i++) assert_true(isnan(number(between, precision, i)));
    free(x), free(between);
    bailey_buffer_destroy(at);
    bailey_motion_destroy(motion);
}

TEST(wrong_ticks, DEVICE)
{
    for (int areas = 0; areas < 3; areas++) {
        check_wrong_ticks(BAILEY_PRECISION_F32, (bailey_motion_areas)areas);
        if (device.has_f64) check_wrong_ticks(BAILEY_PRECISION_F64, (bailey_motion_areas)areas);
    }
}
