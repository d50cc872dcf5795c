/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridges by principal components: the matrix, which unit vectors of Z show, against the covariance in long
 * double and the closed form for equal steps; and the bits of what is made with it, against the sums as plain
 * C.
 */
#include "harness.h"

#include <float.h>
#include <math.h>

#define MOST_STEPS 301 /* more than an item keeps of Z at a time */
#define MOST_DIMS 3

struct bridge {
    uint64_t steps;
    double start_time, times[MOST_STEPS];
    uint32_t dims;
    int correlated, fixed, increments, path_major, f64;
};

static const double factor[] = {1.5, 0, 0, -0.5, 2, 0, 0.25, 0.75, 1.25}, start[] = {100, -3, 0.5},
                    end[] = {90, 1, -0.25};

static uint64_t z_steps(const struct bridge *b) { return b->steps - (b->fixed ? 1 : 0); }
static size_t element(const struct bridge *b) { return b->f64 ? 8 : 4; }

static bailey_bridge *create(const struct bridge *b, int centred)
{
    static const double zero[MOST_DIMS];
    const bailey_bridge_params params = {
        .times = b->times,
        .steps = b->steps,
        .start_time = b->start_time,
        .dims = b->dims,
        .factor = b->correlated ? factor : NULL,
        .start = centred ? zero : start,
        .end = !b->fixed ? NULL
               : centred ? zero
                         : end,
        .output = b->increments ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
        .layout = b->path_major ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
        .precision = b->f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
        .construction = BAILEY_CONSTRUCTION_PCA};
    bailey_bridge *bridge = NULL;
    OK(bailey_bridge_create(context, &params, &bridge));
    return bridge;
}

static void *generate(bailey_bridge *bridge, const struct bridge *b, uint64_t paths, const void *z)
{
    const uint64_t z_bytes = z_steps(b) * b->dims * paths * element(b),
                   x_bytes = b->steps * b->dims * paths * element(b);
    bailey_buffer *in = poisoned(z_bytes), *out = poisoned(x_bytes);
    if (z_bytes) OK(bailey_buffer_write(in, 0, z, z_bytes));
    OK(bailey_bridge_build(bridge, paths, in, out));
    bailey_buffer_destroy(in);
    return harvest(out, x_bytes);
}

/* The matrix, [step][component]: paths, uncorrelated and from 0 to 0, of unit vectors. */
static void *matrix_of(const struct bridge *b)
{
    struct bridge plain = {.steps = b->steps,
                           .start_time = b->start_time,
                           .dims = 1,
                           .fixed = b->fixed,
                           .increments = b->increments,
                           .f64 = b->f64};
    memcpy(plain.times, b->times, sizeof plain.times);
    const uint64_t n = z_steps(b);
    char *unit = allocate(n * n * 8);
    for (uint64_t i = 0; i < n * n; i++)
        if (b->f64)
            ((double *)(void *)unit)[i] = i % (n + 1) == 0;
        else
            ((float *)(void *)unit)[i] = i % (n + 1) == 0;
    bailey_bridge *bridge = create(&plain, 1);
    void *matrix = n ? generate(bridge, &plain, n, unit) : NULL;
    bailey_bridge_destroy(bridge);
    free(unit);
    return matrix;
}

static void equal_times(struct bridge *b)
{
    for (uint64_t i = 0; i < b->steps; i++) b->times[i] = b->start_time + (double)(i + 1) / 16;
}

/* Gaps from 10^-6 to 1, most of them small. */
static void uneven_times(struct bridge *b, uint64_t *random)
{
    double t = b->start_time;
    for (uint64_t i = 0; i < b->steps; i++) b->times[i] = t += pow(10, -6 * next_uniform(random));
}

static long double covariance(const struct bridge *b, uint64_t i, uint64_t j)
{
    const long double low = (long double)b->times[i < j ? i : j] - b->start_time,
                      high = (long double)b->times[i < j ? j : i] - b->start_time,
                      all = (long double)b->times[b->steps - 1] - b->start_time;
    return b->fixed ? low * (all - high) / all : low;
}

/* A A' is the covariance; A' A is diagonal, and its entries fall. */
static void check_covariance(const struct bridge *b, const double *a)
{
    const uint64_t n = b->steps, count = z_steps(b);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j <= i; j++) {
            long double sum = 0;
            for (uint64_t k = 0; k < count; k++) sum += (long double)a[i * count + k] * a[j * count + k];
            const long double wanted = covariance(b, i, j),
                              size = sqrtl(covariance(b, i, i) * covariance(b, j, j));
            if (!(fabsl(sum - wanted) <= 1e-12L * size))
                fail_msg("covariance of steps %d and %d: %.17Lg, expected %.17Lg", (int)i, (int)j, sum,
                         wanted);
        }
    long double before = INFINITY, first = 0;
    for (uint64_t k = 0; k < count; k++) {
        long double own = 0, next = 0;
        for (uint64_t i = 0; i < n; i++) {
            own += (long double)a[i * count + k] * a[i * count + k];
            if (k + 1 < count) next += (long double)a[i * count + k] * a[i * count + k + 1];
        }
        if (k == 0) first = own;
        if (!(own <= before * (1 + 1e-12L))) fail_msg("component %d has a larger variance", (int)k);
        if (!(fabsl(next) <= 1e-12L * first)) fail_msg("components %d and %d: %Lg", (int)k, (int)k + 1, next);
        uint64_t i = 0;
        while (i + 1 < n && a[i * count + k] == 0) i++;
        if (!(a[i * count + k] > 0)) fail_msg("component %d begins with %g", (int)k, a[i * count + k]);
        before = own;
    }
}

/* Increments are the differences of the steps; those of `b` are paths. */
static void check_increments(const struct bridge *b, const double *a)
{
    struct bridge increments = *b;
    increments.increments = 1;
    const uint64_t count = z_steps(b);
    double *found = matrix_of(&increments);
    for (uint64_t i = 0; i < b->steps; i++)
        for (uint64_t k = 0; k < count; k++) {
            const double before = i ? b->times[i - 1] : b->start_time, gap = b->times[i] - before;
            const long double difference = (long double)a[i * count + k] - (i ? a[(i - 1) * count + k] : 0);
            const double deviation = sqrt(b->times[b->steps - 1] - b->start_time);
            if (!(fabsl(found[i * count + k] - difference / gap) <=
                  1e-14 * deviation / gap + 1e-13 / sqrt(gap)))
                fail_msg("increment %d of component %d: %.17g, expected %.17Lg", (int)i, (int)k,
                         found[i * count + k], difference / gap);
        }
    free(found);
}

TEST(test_matrix, DEVICE | LONG_ON_OPENCL)
{
    static const uint64_t steps[] = {1, 2, 3, 8, 65, MOST_STEPS};
    uint64_t random = 1;
    if (!device.has_f64 || LDBL_MANT_DIG < 64) skip();
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (int variant = 0; variant < 4; variant++) {
            struct bridge b = {.steps = steps[i], .start_time = -1.5, .fixed = variant & 1, .f64 = 1};
            if (z_steps(&b) == 0) continue;
            if (variant & 2)
                uneven_times(&b, &random);
            else
                equal_times(&b);
            double *a = matrix_of(&b);
            check_covariance(&b, a);
            check_increments(&b, a);
            free(a);
        }
}

/* Equal steps h: the eigenvectors are sines. With f = (2 k + 1) pi / (2 n + 1) and a free end, entry i (from
 * 1) of column k is sqrt(h) / (2 sin(f / 2)) 2 / sqrt(2 n + 1) sin(i f); with a fixed end and f = (k + 1) pi
 * / n, sqrt(h) / (2 sin(f / 2)) sqrt(2 / n) sin(i f). */
TEST(equal_steps, DEVICE)
{
    const long double pi = acosl(-1);
    if (!device.has_f64 || LDBL_MANT_DIG < 64) skip();
    for (uint64_t n = 1; n <= MOST_STEPS; n = 2 * n + 5)
        for (int fixed = 0; fixed < 2; fixed++) {
            struct bridge b = {.steps = n, .fixed = fixed, .f64 = 1};
            const uint64_t count = z_steps(&b);
            equal_times(&b);
            double *a = matrix_of(&b);
            for (uint64_t i = 0; i < n; i++)
                for (uint64_t k = 0; k < count; k++) {
                    const long double m = (long double)n,
                                      f = fixed ? (k + 1) * pi / m : (2 * k + 1) * pi / (2 * m + 1),
                                      length = fixed ? sqrtl(2 / m) : 2 / sqrtl(2 * m + 1),
                                      wanted =
                                          sqrtl(1 / 16.L) / (2 * sinl(f / 2)) * length * sinl((i + 1) * f);
                    if (!(fabsl(a[i * count + k] - wanted) <= 1e-12L * sqrtl(m / 16)))
                        fail_msg("%d steps, entry %d of column %d: %.17g, expected %.17Lg", (int)n, (int)i,
                                 (int)k, a[i * count + k], wanted);
                }
            free(a);
        }
}

/* ---- The bits ---------------------------------------------------------------------------------------- */

static uint64_t place(const struct bridge *b, uint64_t steps, uint64_t paths, uint64_t row, uint64_t path)
{
    return b->path_major ? path * steps * b->dims + row : row * paths + path;
}

/* X of one path and step, from its sums: the products for j <= dim, then the base. */
#define REFERENCE(real, scalar, fused)                                                                       \
    static void reference_##real(const struct bridge *b, const scalar *a, const scalar *base,                \
                                 uint64_t paths, const scalar *z, scalar *x)                                 \
    {                                                                                                        \
        const uint64_t count = z_steps(b);                                                                   \
        for (uint64_t path = 0; path < paths; path++)                                                        \
            for (uint64_t i = 0; i < b->steps; i++) {                                                        \
                scalar sum[MOST_DIMS] = {0};                                                                 \
                for (uint32_t j = 0; j < b->dims; j++)                                                       \
                    for (uint64_t k = 0; k < count; k++)                                                     \
                        sum[j] = fused(a[i * count + k], z[place(b, count, paths, k * b->dims + j, path)],   \
                                       sum[j]);                                                              \
                for (uint32_t j = 0; j < b->dims; j++) {                                                     \
                    scalar value = b->correlated ? (scalar)factor[j * b->dims] * sum[0] : sum[j];            \
                    for (uint32_t m = 1; m <= j && b->correlated; m++)                                       \
                        value = fused((scalar)factor[j * b->dims + m], sum[m], value);                       \
                    x[place(b, b->steps, paths, i * b->dims + j, path)] = value + base[i * b->dims + j];     \
                }                                                                                            \
            }                                                                                                \
    }
REFERENCE(f32, float, fmaf)
REFERENCE(f64, double, fma)

/* The path without its random part; its last step is exact. */
static void make_base(const struct bridge *b, double *base)
{
    const double last = b->times[b->steps - 1], all = last - b->start_time;
    for (uint64_t i = 0; i < b->steps; i++)
        for (uint32_t j = 0; j < b->dims; j++) {
            double value = b->increments ? 0 : start[j];
            if (b->fixed && b->increments) value = (end[j] - start[j]) / all;
            if (b->fixed && !b->increments)
                value = (last - b->times[i]) / all * start[j] + (b->times[i] - b->start_time) / all * end[j];
            if (b->f64)
                base[i * b->dims + j] = value;
            else
                ((float *)base)[i * b->dims + j] = (float)value;
        }
}

static void check_bits(const struct bridge *b, uint64_t paths, uint64_t *random)
{
    const uint64_t z_count = z_steps(b) * b->dims * paths, x_count = b->steps * b->dims * paths;
    double *z = allocate(z_count * 8), *x = allocate(x_count * 8), *base = allocate(b->steps * b->dims * 8);
    for (uint64_t i = 0; i < z_count; i++) {
        const double value = 8 * next_uniform(random) - 4;
        if (b->f64)
            z[i] = value;
        else
            ((float *)z)[i] = (float)value;
    }
    void *a = matrix_of(b);
    make_base(b, base);
    if (b->f64)
        reference_f64(b, a, base, paths, z, x);
    else
        reference_f32(b, a, (float *)base, paths, (float *)z, (float *)x);
    bailey_bridge *bridge = create(b, 0);
    void *found = generate(bridge, b, paths, z);
    same_bits("generate", found, x, x_count, element(b));
    bailey_bridge_destroy(bridge);
    free(found), free(a), free(base), free(x), free(z);
}

static void variant_of(struct bridge *b, int variant, uint64_t *random)
{
    b->fixed = variant & 1, b->increments = variant >> 1 & 1, b->path_major = variant >> 2 & 1;
    b->correlated = variant >> 3 & 1, b->f64 = variant >> 4 & 1;
    b->dims = b->correlated ? 3 : 1 + variant % 3 / 2;
    uneven_times(b, random);
}

TEST(bits, DEVICE | LONG)
{
    static const uint64_t steps[] = {1, 2, 9, 16, MOST_STEPS}, paths[] = {1, 5, 64, 131, 300};
    uint64_t random = 2;
    for (int variant = 0; variant < 32; variant++) {
        if (variant >= 16 && !device.has_f64) continue;
        for (int i = 0; i < 5; i++) {
            struct bridge b = {.steps = steps[i], .start_time = 0.25};
            variant_of(&b, variant, &random);
            check_bits(&b, paths[(i + variant) % 5], &random);
        }
    }
    struct bridge one = {.steps = 5, .start_time = 0, .dims = 1, .correlated = 1};
    uneven_times(&one, &random);
    check_bits(&one, 37, &random);
}

/* Paths first .. drawn on the device are those of their normals, of every kind of source and however they are
 * cut.
 */
static void check_drawn(const struct bridge *b, const bailey_source *source)
{
    const uint64_t first = 1001, paths = 203, cut = 58;
    const uint64_t z_bytes = z_steps(b) * b->dims * paths * element(b),
                   x_row = b->steps * b->dims * element(b);
    bailey_bridge *bridge = create(b, 0);
    bailey_buffer *z = poisoned(z_bytes), *x = poisoned(x_row * paths), *low = poisoned(x_row * cut),
                  *high = poisoned(x_row * (paths - cut));
    OK(bailey_bridge_normals(bridge, source, NULL, first, paths, z));
    OK(bailey_bridge_paths(bridge, source, NULL, first, paths, x));
    OK(bailey_bridge_paths(bridge, source, NULL, first, cut, low));
    OK(bailey_bridge_paths(bridge, source, NULL, first + cut, paths - cut, high));
    char *normals = harvest(z, z_bytes), *all = harvest(x, x_row * paths);
    char *parts[] = {harvest(low, x_row * cut), harvest(high, x_row * (paths - cut))};
    void *made = generate(bridge, b, paths, normals);
    same_bits("simulate", all, made, x_row / element(b) * paths, element(b));
    for (uint64_t row = 0; row < b->steps * b->dims; row++)
        for (uint64_t path = 0; path < paths; path++) {
            const uint64_t in = path < cut ? path : path - cut, count = path < cut ? cut : paths - cut;
            same_bits("a part", parts[path >= cut] + place(b, b->steps, count, row, in) * element(b),
                      all + place(b, b->steps, paths, row, path) * element(b), 1, element(b));
        }
    free(made), free(normals), free(all), free(parts[0]), free(parts[1]);
    bailey_bridge_destroy(bridge);
}

TEST(drawn, DEVICE | LONG_ON_OPENCL)
{
    const bailey_source sources[] = {{.seed = 7}, {.generator = BAILEY_GENERATOR_XORWOW, .seed = 7}};
    uint64_t random = 3;
    for (int variant = 0; variant < 32; variant++) {
        struct bridge b = {.steps = 11, .start_time = 0};
        if (variant >= 16 && !device.has_f64) continue;
        variant_of(&b, variant, &random);
        check_drawn(&b, &sources[variant % 5 == 0]);
    }
}

TEST(description, DEVICE)
{
    struct bridge b = {.steps = 12, .start_time = 0, .dims = 2};
    bailey_bridge_info info;
    bailey_kernel_info kernel;
    const bailey_source source = {.seed = 1};
    for (b.fixed = 0; b.fixed < 2; b.fixed++) {
        equal_times(&b);
        bailey_bridge *bridge = create(&b, 0);
        OK(bailey_bridge_describe(bridge, &info));
        assert_int_equal(info.z_steps, b.fixed ? 11 : 12);
        assert_int_equal(info.x_steps, 12);
        assert_int_equal(info.dims, 2);
        assert_int_equal(info.stack_slots, 0);
        assert_int_equal(info.stack_reads, 0);
        assert_int_equal(info.stack_writes, 0);
        assert_int_equal(info.strategy, BAILEY_BRIDGE_STRATEGY_READBACK);
        OK(bailey_bridge_inspect(bridge, NULL, NULL, &kernel));
        OK(bailey_bridge_inspect(bridge, &source, NULL, &kernel));
        bailey_bridge_destroy(bridge);
    }
}

static void refused(bailey_bridge_params params, const char *text)
{
    bailey_bridge *bridge = NULL;
    params.construction = BAILEY_CONSTRUCTION_PCA;
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_ERROR_INVALID);
    assert_null(bridge);
    assert_string_equal(bailey_error_message(), text);
}

TEST(refusals, DEVICE)
{
    static double times[BAILEY_BRIDGE_PCA_MAX_STEPS + 1];
    const uint32_t order[] = {1};
    const double tiny[] = {1e-70, 2e-70}, *more = times;
    for (uint64_t i = 0; i < sizeof times / sizeof *times; i++) times[i] = (double)(i + 1);
    refused((bailey_bridge_params){.times = more, .steps = 1025},
            "steps is 1025; the maximum with construction pca is 1024");
    refused((bailey_bridge_params){.times = more, .steps = 2, .order = order},
            "order is given, but construction pca has no order");
    refused((bailey_bridge_params){.times = more, .steps = 2, .strategy = BAILEY_BRIDGE_STRATEGY_BLOCKS},
            "strategy is blocks, not auto or readback as construction pca requires");
    refused((bailey_bridge_params){.times = tiny, .steps = 2},
            "times give the standard deviation 1e-35, outside single precision");
}

/* As many steps as there may be. */
TEST(most_steps, DEVICE)
{
    static double times[BAILEY_BRIDGE_PCA_MAX_STEPS], z[BAILEY_BRIDGE_PCA_MAX_STEPS],
        x[BAILEY_BRIDGE_PCA_MAX_STEPS];
    const uint64_t n = BAILEY_BRIDGE_PCA_MAX_STEPS;
    if (!device.has_f64) skip();
    for (uint64_t i = 0; i < n; i++) times[i] = (double)(i + 1) / (double)n;
    const bailey_bridge_params params = {.times = times,
                                         .steps = n,
                                         .precision = BAILEY_PRECISION_F64,
                                         .strategy = BAILEY_BRIDGE_STRATEGY_READBACK,
                                         .construction = BAILEY_CONSTRUCTION_PCA};
    bailey_bridge *bridge = NULL;
    bailey_buffer *in = poisoned(sizeof z), *out = poisoned(sizeof x);
    z[0] = 1;
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_buffer_write(in, 0, z, sizeof z));
    OK(bailey_bridge_build(bridge, 1, in, out));
    double *found = harvest(out, sizeof x);
    const double f = acos(-1) / (double)(2 * n + 1);
    for (uint64_t i = 0; i < n; i++) {
        const double wanted =
            sqrt(1 / (double)n) / sin(f / 2) / sqrt((double)(2 * n + 1)) * sin((double)(i + 1) * f);
        if (!(fabs(found[i] - wanted) < 1e-12))
            fail_msg("step %d: %.17g, expected %.17g", (int)i, found[i], wanted);
    }
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(in);
    free(found);
}
