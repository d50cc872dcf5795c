/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A payoff sees the same path that bailey_bridge_paths writes: for every construction, and from every kind of
 * source.
 */
#include "simulations.h"

enum { FIRST = 13, PATHS = 203, MOST_STEPS = 1000 };

/* A row of the table below. */
struct kind {
    const char *name;
    uint32_t steps, dims;
    int order; /* 0: bisection, 1: incremental, 2: reverse, 3: random */
    int f64, factor, fixed;
    bailey_construction construction;
    bailey_bridge_output output;
};

static const struct kind kinds[] = {
    {"one step", 1, 1, 0, 0, 0, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"nothing but the end", 1, 2, 0, 0, 0, 1, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"two steps", 2, 3, 0, 0, 1, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"three steps", 3, 2, 2, 1, 1, 1, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"bisection", 64, 1, 0, 0, 0, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"incremental", 100, 2, 1, 1, 1, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"reverse", 100, 3, 2, 0, 1, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"random", 64, 3, 3, 1, 1, 1, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"long random", 1000, 1, 3, 0, 0, 1, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"long bisection", 1000, 2, 0, 1, 1, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"many dimensions", 5, 17, 0, 0, 0, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"increments", 33, 2, 3, 0, 1, 0, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_INCREMENTS},
    {"increments, fixed end", 16, 1, 0, 1, 0, 1, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_INCREMENTS},
    {"PCA", 20, 3, 0, 0, 1, 0, BAILEY_CONSTRUCTION_PCA, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"PCA, fixed end", 7, 1, 0, 1, 0, 1, BAILEY_CONSTRUCTION_PCA, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"walk", 100, 3, 0, 0, 1, 0, BAILEY_CONSTRUCTION_WALK, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"walk of one step", 1, 1, 0, 1, 0, 0, BAILEY_CONSTRUCTION_WALK, BAILEY_BRIDGE_OUTPUT_PATHS},
    {"increments of a walk", 64, 2, 0, 1, 1, 0, BAILEY_CONSTRUCTION_WALK, BAILEY_BRIDGE_OUTPUT_INCREMENTS},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static double times[MOST_STEPS];
static uint32_t order[MOST_STEPS];

static bailey_bridge_params path_of(const struct kind *k)
{
    static const double start[17] = {0.5, -1, 100}, end[17] = {1, 0, -2},
                        factor[9] = {0.2, 0, 0, 0.09, 0.3, 0, -0.05, 0.02, 0.25},
                        smaller[4] = {0.5, 0, -0.25, 1.5};
    uint64_t random = 11;
    const uint32_t interior = k->steps - 1;
    for (uint32_t i = 0; i < k->steps; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    if (k->order == 1) OK(bailey_order_make(BAILEY_ORDER_INCREMENTAL, interior, NULL, 0, order));
    for (uint32_t i = 0; k->order == 2 && i < interior; i++) order[i] = interior - i;
    if (k->order == 3) random_permutation(&random, order, interior);
    return (bailey_bridge_params){.times = times,
                                  .steps = k->steps,
                                  .dims = k->dims,
                                  .start_time = 0.125,
                                  .order = k->order ? order : NULL,
                                  .factor = !k->factor     ? NULL
                                            : k->dims == 3 ? factor
                                                           : smaller,
                                  .start = start,
                                  .end = k->fixed ? end : NULL,
                                  .output = k->output,
                                  .construction = k->construction,
                                  .precision = k->f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
}

struct draw {
    bailey_source source;
    bailey_normal_params normal;
};

#define SOBOL(bits, how)                                                                                     \
    {                                                                                                        \
        .seed = 5, .generator = BAILEY_GENERATOR_SOBOL, .word_bits = bits, .scramble = BAILEY_SCRAMBLE_##how \
    }

static const struct draw draws[] = {
    {{.seed = 3, .stream = 4}, {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {{.seed = 3}, {.method = BAILEY_NORMAL_METHOD_BOX_MULLER}},
    {{.seed = 3, .generator = BAILEY_GENERATOR_PHILOX7}, {.word_bits = 32}},
    {{.seed = 3, .generator = BAILEY_GENERATOR_PHILOX7}, {.word_bits = 64}},
    {{.seed = 8}, {.method = BAILEY_NORMAL_METHOD_BOX_MULLER, .word_bits = 32}},
    {{.seed = 8}, {.method = BAILEY_NORMAL_METHOD_BOX_MULLER, .word_bits = 64}},
    {{.seed = 3, .stream = 1, .generator = BAILEY_GENERATOR_WARP}, {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {{.seed = 3, .generator = BAILEY_GENERATOR_WARP}, {.method = BAILEY_NORMAL_METHOD_BOX_MULLER}},
    {{.seed = 3, .generator = BAILEY_GENERATOR_XORWOW}, {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {{.generator = BAILEY_GENERATOR_SOBOL}, {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {SOBOL(32, SHIFT), {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {SOBOL(64, LMS), {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {SOBOL(32, OWEN), {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {SOBOL(64, OWEN), {.method = BAILEY_NORMAL_METHOD_ICDF}},
    {SOBOL(32, LMS), {.method = BAILEY_NORMAL_METHOD_ICDF, .numerics = BAILEY_NUMERICS_FAST}},
    {{.seed = 3}, {.method = BAILEY_NORMAL_METHOD_BOX_MULLER, .numerics = BAILEY_NUMERICS_FAST}},
};
#define DRAWS (sizeof draws / sizeof *draws)

/* Short paths are copied to the outputs, and long ones go through two sums that see each number, its place
 * and its time. */
#define MOST_OUTPUTS 16u
static const char copies[] =
    "typedef struct { real x[STEPS * DIMS]; } state;\n"
    "void start(state *s, const params *p) { for (int k = 0; k < STEPS * DIMS; k++) s->x[k] = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{ for (int d = 0; d < DIMS; d++) s->x[i * DIMS + d] = x[d]; }\n"
    "void finish(const state *s, const params *p, real out[STEPS * DIMS])\n"
    "{ for (int k = 0; k < STEPS * DIMS; k++) out[k] = s->x[k]; }\n";
static const char sums[] =
    "typedef struct { real a, b; int shown; } state;\n"
    "void start(state *s, const params *p) { s->a = 0; s->b = 0; s->shown = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    if (i != s->shown) s->a = 1e30;\n"
    "    s->shown++;\n"
    "    for (int d = 0; d < DIMS; d++) { s->a = fma(s->a, 0.875, x[d]); s->b = fma(t, x[d], s->b); }\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[2]) { out[0] = s->a; out[1] = s->b; }\n";
static const char whole_sums[] = "void whole(const params *p, path x, real out[2])\n"
                                 "{\n"
                                 "    real a = 0, b = 0;\n"
                                 "    for (int i = 0; i < STEPS; i++)\n"
                                 "        for (int d = 0; d < DIMS; d++) { a = fma(a, 0.875, at(x, i, d)); b "
                                 "= fma(time(x, i), at(x, i, d), b); }\n"
                                 "    out[0] = a;\n"
                                 "    out[1] = b;\n"
                                 "}\n";

static int is_short(const struct kind *k) { return k->steps * k->dims <= MOST_OUTPUTS; }

/* The sums of path p of X, [step][dim][path], or of its antithetic path. */
static void sums_of(const struct kind *k, const bailey_bridge_params *path, const void *x, uint64_t p,
                    int mirrored, double out[2])
{
    float af = 0, bf = 0;
    double a = 0, b = 0;
    for (uint64_t i = 0; i < (uint64_t)k->steps * k->dims; i++) {
        double value = number_at(x, path->precision, i * PATHS + p);
        const double time = path->times[i / k->dims];
        const double centre = k->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS ? 0 : path->start[i % k->dims];
        if (mirrored) value = k->f64 ? 2 * centre - value : (double)(2 * (float)centre - (float)value);
        a = fma(a, 0.875, value);
        b = fma(time, value, b);
        af = fmaf(af, 0.875f, (float)value);
        bf = fmaf((float)time, (float)value, bf);
    }
    out[0] = k->f64 ? a : (double)af;
    out[1] = k->f64 ? b : (double)bf;
}

static void *simulated(bailey_bridge *bridge, const struct kind *k, const bailey_bridge_params *path,
                       const struct draw *draw)
{
    const uint64_t bytes = (uint64_t)k->steps * k->dims * PATHS * real_bytes(path->precision);
    bailey_buffer *x = poisoned(bytes);
    OK(bailey_bridge_paths(bridge, &draw->source, &draw->normal, FIRST, PATHS, x));
    return harvest(x, bytes);
}

static void check_sums(const char *what, const struct kind *k, const bailey_bridge_params *path,
                       const void *x, const void *found, int antithetic)
{
    for (uint64_t p = 0; p < PATHS; p++) {
        double once[2], mirrored[2];
        sums_of(k, path, x, p, 0, once);
        sums_of(k, path, x, p, 1, mirrored);
        for (int o = 0; o < 2; o++) {
            double expected = antithetic ? (once[o] + mirrored[o]) * 0.5 : once[o];
            if (!k->f64) expected = (double)(float)expected;
            const double got = number_at(found, path->precision, (uint64_t)o * PATHS + p);
            if (got != expected)
                fail_msg("%s: path %d, sum %d is %a, expected %a", what, (int)p, o, got, expected);
        }
    }
}

static void check(const struct kind *k, const bailey_bridge_params *path, bailey_simulation *s,
                  bailey_bridge *bridge, const struct draw *draw, int copied, int antithetic)
{
    char what[160];
    bailey_estimate estimates[MOST_OUTPUTS];
    snprintf(what, sizeof what, "%s, %s, draw %d", k->name, bailey_generator_name(draw->source.generator),
             (int)(draw - draws));
    const bailey_simulation_run_params run = {.source = draw->source,
                                              .normal = draw->normal,
                                              .first_path = FIRST,
                                              .paths = PATHS,
                                              .antithetic = (uint32_t)antithetic};
    void *found = run_for_samples(s, run, path->precision, estimates);
    void *x = simulated(bridge, k, path, draw);
    if (copied)
        same_bits(what, found, x, (uint64_t)k->steps * k->dims * PATHS, real_bytes(path->precision));
    else
        check_sums(what, k, path, x, found, antithetic);
    free(found);
    free(x);
}

/* Where compiling is slow some combinations are left out. GPUs draw in registers, and each source needs a
 * separate program: each kind is tested with some of them. OpenCL on processors compiles the library's own
 * programs of each method for some seconds. */
static int takes_turn(size_t kind, size_t draw)
{
    if (getenv("BAILEY_TEST_LARGE")) return 1;
    if (device.kind == BAILEY_DEVICE_KIND_GPU) return (kind + draw) % 5 == 0;
    return strncmp(device.address, "opencl", 6) != 0 || draw == 0 || draw == 6 || draw == 12;
}

/* With a fixed end and in double precision, those programs are others. */
static int is_quick(const struct kind *k)
{
    if (getenv("BAILEY_TEST_LARGE") || strncmp(device.address, "opencl", 6) != 0) return 1;
    return device.kind == BAILEY_DEVICE_KIND_GPU ||
           (k->f64 + 2 * k->fixed != 3 && k->output == BAILEY_BRIDGE_OUTPUT_PATHS);
}

TEST(all_sources, DEVICE | LONG)
{
    if (!simulates()) skip();
    for (size_t i = 0; i < KINDS; i++) {
        const struct kind *k = &kinds[i];
        if (!is_quick(k)) continue;
        const bailey_bridge_params path = path_of(k);
        bailey_bridge *bridge = NULL;
        bailey_simulation *s = simulation_of(is_short(k) ? copies : sums, path);
        assert_int_equal(bailey_simulation_outputs(s), is_short(k) ? k->steps * k->dims : 2);
        OK(bailey_bridge_create(context, &path, &bridge));
        for (size_t d = 0; d < DRAWS; d++)
            if (takes_turn(i, d)) check(k, &path, s, bridge, &draws[d], is_short(k), 0);
        bailey_simulation_destroy(s);
        bailey_bridge_destroy(bridge);
    }
}

/* The whole path at once, and antithetic paths. */
TEST(other_views, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const int chosen[] = {2, 7, 11, 15, 17};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        const struct kind *k = &kinds[chosen[i]];
        if (!is_quick(k)) continue;
        const bailey_bridge_params path = path_of(k);
        bailey_bridge *bridge = NULL;
        OK(bailey_bridge_create(context, &path, &bridge));
        for (int whole = 0; whole < 2; whole++) {
            bailey_simulation *s = simulation_of(whole ? whole_sums : sums, path);
            for (size_t d = 0; d < DRAWS; d += 6)
                for (int antithetic = whole; antithetic <= !k->fixed; antithetic++)
                    check(k, &path, s, bridge, &draws[d], 0, antithetic);
            bailey_simulation_destroy(s);
        }
        bailey_bridge_destroy(bridge);
    }
}

/* More points wait than a thread's stack holds. */
TEST(deep, DEVICE)
{
    if (!simulates()) skip();
    enum { DEEP = 20000 };
    static double many[DEEP];
    static uint32_t reverse[DEEP];
    for (uint32_t i = 0; i < DEEP; i++) many[i] = i + 1, reverse[i] = DEEP - 1 - i;
    const bailey_bridge_params path = {.times = many, .steps = DEEP, .order = reverse, .dims = 16};
    const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 2};
    bailey_simulation *s = simulation_of(sums, path);
    bailey_estimate estimates[2];
    OK(bailey_simulation_run(s, &run, estimates));
    assert_true(estimates[1].variance > 0);
    bailey_simulation_destroy(s);
}
