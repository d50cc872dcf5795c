/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridges built as random walks: the bits of paths and increments against the formula as plain C, by every
 * strategy, and of what is drawn against what is computed from the same normals.
 */
#include "harness.h"

#include <math.h>

#define MOST_STEPS 1000
#define MOST_DIMS 7

struct walk {
    uint32_t steps, dims;
    int increments, path_major, f64, correlated;
    bailey_bridge_strategy strategy;
};

static double times[MOST_STEPS], factor[MOST_DIMS * MOST_DIMS], start[MOST_DIMS];
static const double start_time = -0.75;

/* Gaps from 10^-3 to 1. */
static void make_inputs(uint32_t dims)
{
    uint64_t random = 1;
    double t = start_time;
    for (uint32_t i = 0; i < MOST_STEPS; i++) times[i] = t += pow(10, -3 * next_uniform(&random));
    for (uint32_t i = 0; i < dims; i++) {
        start[i] = 20 * next_uniform(&random) - 10;
        for (uint32_t j = 0; j <= i; j++) factor[i * dims + j] = (i == j) + next_uniform(&random) - 0.5;
    }
}

static size_t element(const struct walk *w) { return w->f64 ? 8 : 4; }
static uint64_t elements(const struct walk *w, uint64_t paths)
{
    return (uint64_t)w->steps * w->dims * paths;
}

static bailey_status create(const struct walk *w, bailey_bridge **bridge)
{
    make_inputs(w->dims);
    const bailey_bridge_params params = {
        .times = times,
        .steps = w->steps,
        .start_time = start_time,
        .dims = w->dims,
        .factor = w->correlated ? factor : NULL,
        .start = start,
        .output = w->increments ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
        .layout = w->path_major ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
        .precision = w->f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
        .strategy = w->strategy,
        .construction = BAILEY_CONSTRUCTION_WALK};
    return bailey_bridge_create(context, &params, bridge);
}

static uint64_t place(const struct walk *w, uint64_t paths, uint64_t row, uint64_t path)
{
    return w->path_major ? path * w->steps * w->dims + row : row * paths + path;
}

/* Dimension `dim` of one path. An increment is fma(r, y, 0): its zeros are positive. */
#define REFERENCE(real, scalar, fused)                                                                       \
    static void reference_dim_##real(const struct walk *w, uint64_t paths, uint64_t path, uint32_t dim,      \
                                     const scalar *z, scalar *x)                                             \
    {                                                                                                        \
        const scalar *c = NULL;                                                                              \
        scalar row[MOST_DIMS], value = (scalar)start[dim];                                                   \
        for (uint32_t j = 0; j <= dim && w->correlated; j++) row[j] = (scalar)factor[dim * w->dims + j];     \
        if (w->correlated) c = row;                                                                          \
        for (uint32_t k = 0; k < w->steps; k++) {                                                            \
            const double dt = times[k] - (k ? times[k - 1] : start_time), sigma = sqrt(dt);                  \
            scalar y = z[place(w, paths, k * w->dims + (c ? 0 : dim), path)];                                \
            if (c) y = c[0] * y;                                                                             \
            for (uint32_t j = 1; j <= dim && c; j++)                                                         \
                y = fused(c[j], z[place(w, paths, k * w->dims + j, path)], y);                               \
            value = w->increments ? fused((scalar)(sigma / dt), y, 0) : fused((scalar)sigma, y, value);      \
            x[place(w, paths, k * w->dims + dim, path)] = value;                                             \
        }                                                                                                    \
    }                                                                                                        \
    static void reference_##real(const struct walk *w, uint64_t paths, const scalar *z, scalar *x)           \
    {                                                                                                        \
        for (uint64_t path = 0; path < paths; path++)                                                        \
            for (uint32_t dim = 0; dim < w->dims; dim++) reference_dim_##real(w, paths, path, dim, z, x);    \
    }
REFERENCE(f32, float, fmaf)
REFERENCE(f64, double, fma)

/* Some are zeros of either sign. */
static void *make_z(const struct walk *w, uint64_t paths)
{
    uint64_t random = 2;
    char *z = allocate(elements(w, paths) * element(w));
    for (uint64_t i = 0; i < elements(w, paths); i++) {
        const double value = i % 11 == 3 ? 0 : i % 11 == 5 ? -0.0 : 8 * next_uniform(&random) - 4;
        if (w->f64)
            ((double *)(void *)z)[i] = value;
        else
            ((float *)(void *)z)[i] = (float)value;
    }
    return z;
}

static const char *name_of(const struct walk *w, const char *what)
{
    static char name[160];
    snprintf(name, sizeof name, "%s, %s: %u steps, %u dims%s, %s, %s, %s", what,
             bailey_bridge_strategy_name(w->strategy), w->steps, w->dims, w->correlated ? ", factor" : "",
             w->increments ? "increments" : "paths", w->path_major ? "path-major" : "step-major",
             w->f64 ? "f64" : "f32");
    return name;
}

/* Whether the strategy may be missing here; it says why. */
static int is_refused(const struct walk *w, bailey_status status)
{
    const int always = w->strategy == BAILEY_BRIDGE_STRATEGY_AUTO ||
                       w->strategy == BAILEY_BRIDGE_STRATEGY_READBACK ||
                       (w->strategy == BAILEY_BRIDGE_STRATEGY_REUSE && w->dims == 1);
    if (status == BAILEY_ERROR_UNSUPPORTED && !always && *bailey_error_message()) return 1;
    if (status != BAILEY_OK) fail_msg("%s: %s", name_of(w, "refused"), bailey_error_message());
    return 0;
}

/* Paths from Z against the reference. Returns whether the strategy made them. */
static int check_made(const struct walk *w, uint64_t paths)
{
    bailey_bridge *bridge = NULL;
    if (is_refused(w, create(w, &bridge))) return 0;
    const uint64_t bytes = elements(w, paths) * element(w);
    void *z = make_z(w, paths), *expected = allocate(bytes);
    if (w->f64)
        reference_f64(w, paths, z, expected);
    else
        reference_f32(w, paths, z, expected);
    bailey_buffer *in = poisoned(bytes), *out = poisoned(bytes);
    OK(bailey_buffer_write(in, 0, z, bytes));
    const int refused = is_refused(w, bailey_bridge_build(bridge, paths, in, out));
    void *found = harvest(out, bytes);
    if (!refused) same_bits(name_of(w, "from Z"), found, expected, elements(w, paths), element(w));
    bailey_buffer_destroy(in);
    bailey_bridge_destroy(bridge);
    free(found), free(expected), free(z);
    return !refused;
}

/* Paths first .. drawn on the device are those of their normals, however they are cut. */
static void check_drawn(const struct walk *w, const bailey_source *source)
{
    const uint64_t first = 1001, paths = 203, cut = 58, row = (uint64_t)w->steps * w->dims * element(w);
    bailey_bridge *bridge = NULL;
    if (is_refused(w, create(w, &bridge))) return;
    bailey_buffer *z = poisoned(row * paths), *x = poisoned(row * paths), *all = poisoned(row * paths),
                  *low = poisoned(row * cut);
    OK(bailey_bridge_normals(bridge, source, NULL, first, paths, z));
    if (!is_refused(w, bailey_bridge_paths(bridge, source, NULL, first, paths, x))) {
        OK(bailey_bridge_build(bridge, paths, z, all));
        OK(bailey_bridge_paths(bridge, source, NULL, first, cut, low));
        const char *drawn = harvest(x, row * paths), *made = harvest(all, row * paths),
                   *part = harvest(low, row * cut);
        same_bits(name_of(w, "drawn"), drawn, made, elements(w, paths), element(w));
        for (uint64_t r = 0; r < (uint64_t)w->steps * w->dims; r++)
            for (uint64_t p = 0; p < cut; p++)
                same_bits(name_of(w, "cut"), part + place(w, cut, r, p) * element(w),
                          drawn + place(w, paths, r, p) * element(w), 1, element(w));
        free((void *)drawn), free((void *)made), free((void *)part);
    } else {
        bailey_buffer_destroy(x), bailey_buffer_destroy(all), bailey_buffer_destroy(low);
    }
    bailey_buffer_destroy(z);
    bailey_bridge_destroy(bridge);
}

static struct walk variant_of(uint32_t steps, uint32_t dims, int variant)
{
    return (struct walk){.steps = steps,
                         .dims = dims,
                         .increments = variant & 1,
                         .path_major = variant >> 1 & 1,
                         .f64 = variant >> 2 & 1,
                         .correlated = dims > 1};
}

TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    static const uint32_t steps[] = {1, 2, 12, 64, MOST_STEPS}, dims[] = {1, 3, 7};
    static const uint64_t paths[] = {1, 37, 64, 301};
    for (int i = 0; i < 15; i++)
        for (int variant = 0; variant < (device.has_f64 ? 8 : 4); variant++) {
            struct walk w = variant_of(steps[i % 5], dims[i / 5], variant);
            w.strategy = BAILEY_BRIDGE_STRATEGY_READBACK;
            assert_true(check_made(&w, paths[(i + variant) % 4]));
        }
    struct walk one = {.steps = 12, .dims = 1, .correlated = 1};
    assert_true(check_made(&one, 37));
}

/* Strategies that are compiled at run time take a second for each bridge. */
static void check_strategies(struct walk w, uint64_t paths, int draws)
{
    const bailey_source source = {.seed = 3};
#define CHECK(number, name, word, writer)                                                                    \
    w.strategy = BAILEY_BRIDGE_STRATEGY_##name;                                                              \
    if (check_made(&w, paths) && draws) check_drawn(&w, &source);
    BAILEY_BRIDGE_STRATEGY_LIST(CHECK)
#undef CHECK
}

TEST(strategies, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    check_strategies(variant_of(12, 1, 0), 301, 1);
    if (device.has_f64) check_strategies(variant_of(12, 3, 4), 37, 0);
    const int slow = strncmp(device.address, "opencl", 6) == 0; /* seconds for each program */
    if (!getenv("BAILEY_TEST_LARGE") && (slow || getenv("BAILEY_TEST_QUICK"))) return;
    check_strategies(variant_of(12, 1, 3), 37, 0);
    check_strategies(variant_of(64, 3, 1), 64, 0);
    check_strategies(variant_of(12, 7, 2), 37, 0);
    for (int increments = 0; increments < 2; increments++) {
        struct walk blocks = variant_of(MOST_STEPS, 1, increments);
        blocks.strategy = BAILEY_BRIDGE_STRATEGY_BLOCKS;
        (void)check_made(&blocks, 301);
    }
}

TEST(test_drawn, DEVICE | LONG_ON_OPENCL)
{
    const bailey_source sources[] = {{.seed = 7},
                                     {.generator = BAILEY_GENERATOR_XORWOW, .seed = 7},
                                     {.generator = BAILEY_GENERATOR_SOBOL,
                                      .seed = 7,
                                      .scramble = BAILEY_SCRAMBLE_LMS,
                                      .assignment = BAILEY_ASSIGNMENT_FACTORS}};
    for (int variant = 0; variant < (device.has_f64 ? 8 : 4); variant++)
        for (int i = 0; i < 3; i++) {
            const struct walk w = variant_of(11, variant % 3 ? 3 : 1, variant);
            check_drawn(&w, &sources[i]);
        }
}

TEST(description, DEVICE | LONG_ON_OPENCL)
{
    for (int increments = 0; increments < 2; increments++) {
        const struct walk w = variant_of(12, 3, increments);
        bailey_bridge *bridge = NULL;
        bailey_bridge_info info;
        bailey_kernel_info kernel;
        OK(create(&w, &bridge));
        OK(bailey_bridge_describe(bridge, &info));
        assert_true(info.z_steps == 12 && info.x_steps == 12 && info.dims == 3);
        assert_true(info.stack_slots == 0 && info.stack_reads == 0 && info.stack_writes == 0);
        OK(bailey_bridge_inspect(bridge, NULL, NULL, &kernel));
        bailey_bridge_destroy(bridge);
    }
}

static void refused(bailey_bridge_params params, const char *argument, const char *text)
{
    bailey_bridge *bridge = NULL;
    params.times = times;
    params.construction = BAILEY_CONSTRUCTION_WALK;
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_ERROR_INVALID);
    assert_null(bridge);
    assert_string_equal(bailey_error_argument(), argument);
    if (text) assert_string_equal(bailey_error_message(), text);
}

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    const uint32_t order[] = {1};
    const double end[] = {1};
    make_inputs(1);
    refused((bailey_bridge_params){.steps = 2, .order = order}, "order",
            "order is given, but construction walk has no order");
    refused((bailey_bridge_params){.steps = 2, .end = end}, "end",
            "end is given, but construction walk has a free end");
    refused((bailey_bridge_params){.steps = 0}, "steps", NULL);
    times[1] = times[0];
    refused((bailey_bridge_params){.steps = 2}, "times", NULL);
}
