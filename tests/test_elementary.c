/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of payoffs (src/kernels/payoff_math.h) in programs of texts: the bits of the same functions
 * as C, on every device, for any number of lanes. Errors are measured by accuracy_elementary.c.
 */
#include <host/internal.h>

#include <bailey/device/gamma.h>

#include "elementary_lanes.h"
#include "harness.h"

#include <math.h>

#define COUNT ((size_t)1 << 20)
#define FEW ((size_t)1 << 16)

static const char *const text = "#include \"kernels/group_entry.h\"\n"
                                "#include \"kernels/payoff_math.h\"\n"
                                "typedef struct call_params {\n"
                                "    bailey_uint64 count;\n"
                                "    bailey_uint32 function, more;\n"
                                "} call_params;\n"
                                "BAILEY_FN real value(bailey_uint32 function, real a, real b)\n"
                                "{\n"
                                "    switch (function) {\n"
                                "    case 0: return bly_payoff_exp(a);\n"
                                "    case 1: return bly_payoff_log(a);\n"
                                "    case 2: return bly_payoff_normal_cdf(a);\n"
                                "    case 3: return bly_payoff_fabs(a);\n"
                                "    case 4: return bly_payoff_floor(a);\n"
                                "    case 5: return bly_payoff_ceil(a);\n"
                                "    case 6: return bly_payoff_pow(a, b);\n"
                                "    case 7: return bly_payoff_fmin(a, b);\n"
                                "    case 8: return bly_payoff_fmax(a, b);\n"
                                "    case 9: return bly_payoff_sqrt(a);\n"
                                "    case 10: return bly_payoff_fma(a, b, a);\n"
                                "    case 11: return bly_payoff_uniform(a);\n"
                                "    case 12: return bly_payoff_normal_icdf(bly_payoff_uniform(a));\n"
                                "    case 13: return bly_payoff_poisson_icdf(bly_payoff_uniform(a), b);\n"
                                "    case 14: return bly_payoff_gamma_icdf(bly_payoff_uniform(a), b);\n"
                                "    case 15: return bly_payoff_gamma_density(a, b);\n"
                                "    default: a = bly_payoff_uniform(a);\n"
                                "    }\n"
                                "    return bly_payoff_gamma_icdf_by_shape(a, b);\n"
                                "}\n"
                                "BAILEY_FN void call_group(call_params p, const BAILEY_GLOBAL real *x,\n"
                                "                          const BAILEY_GLOBAL real *y,\n"
                                "                          BAILEY_GLOBAL real *r,\n"
                                "                          BLY_SHARED bailey_uint64 *shared,\n"
                                "                          bailey_uint64 item)\n"
                                "{\n"
                                "    (void)shared;\n"
                                "    if (item < p.count) r[item] = value(p.function, x[item], y[item]);\n"
                                "}\n"
                                "BLY_GROUP_ENTRY_3(call, call_params, const real, const real, real)\n";

struct call_params {
    uint64_t count;
    uint32_t function, more;
};

/* Arguments in both precisions, and results of the last function. No argument is subnormal. */
static struct arguments {
    float x32[COUNT], y32[COUNT], r32[COUNT];
    double x64[COUNT], y64[COUNT], r64[COUNT];
} it;

static double argument(uint64_t *state, size_t i)
{
    static const double cases[] = {0,     -0.0,     1,  -1,  2,        -2,        3,   -0.5,  0.5,  1.5,
                                   -12.9, 16777215, -7, 1e9, INFINITY, -INFINITY, NAN, -37.5, 88.7, -87.3};
    const size_t n = sizeof cases / sizeof *cases;
    const uint64_t word = next_random(state);
    const double u = next_uniform(state);
    double any;
    if (i < 2 * n * n) return cases[i % n];
    switch (word & 3) {
    case 0: return 20 * u - 10;
    case 1: return 1 + ldexp(u - 0.5, -(int)(word >> 8 & 31));
    case 2: return ldexp(u - 0.5, (int)(word >> 8 & 127) - 64);
    default: memcpy(&any, &word, sizeof any); return isnormal(any) ? any : 0;
    }
}

static void fill(void)
{
    uint64_t state = 15;
    for (size_t i = 0; i < COUNT; i++) {
        it.x64[i] = argument(&state, i);
        it.y64[i] = argument(&state, i < 1000 ? i / 20 + i : i); /* cases by cases */
        it.x32[i] = (float)it.x64[i];
        it.y32[i] = (float)it.y64[i];
        if (fabsf(it.x32[i]) < 0x1p-126f) it.x32[i] = 0;
        if (fabsf(it.y32[i]) < 0x1p-126f) it.y32[i] = 0;
    }
}

/* Functions after fma, in C. */
#define ONE_LANE(real, scalar)                                                                               \
    static scalar quantile_##real(int which, scalar u, scalar y)                                             \
    {                                                                                                        \
        switch (which) {                                                                                     \
        case 1: return u;                                                                                    \
        case 2: return bailey_normal_quantile_##real(u);                                                     \
        case 3: return bailey_poisson_icdf_##real(u, y);                                                     \
        case 4: return bailey_gamma_icdf_##real(u, y);                                                       \
        default: return bailey_gamma_icdf_by_shape_##real(u, y);                                             \
        }                                                                                                    \
    }                                                                                                        \
    static scalar inverse_##real(int which, scalar x, scalar y)                                              \
    {                                                                                                        \
        return which == 5 ? bailey_gamma_density_##real(x, y)                                                \
                          : quantile_##real(which, bailey_uniform_##real(x), y);                             \
    }
ONE_LANE(f32, float)
ONE_LANE(f64, double)

/* Functions of gamma numbers take a microsecond, so they are called for FEW arguments. */
#define CALLED(function) ((function) > ELEMENTARY_fma + 3 ? FEW : COUNT)

/* The expected results: of one lane in C, or of C's own function. */
static void expect(enum elementary function)
{
    if (function < ELEMENTARY_sqrt) {
        elementary_1.f32(function, it.x32, it.y32, it.r32, COUNT);
        elementary_1.f64(function, it.x64, it.y64, it.r64, COUNT);
        return;
    }
    const int root = function == ELEMENTARY_sqrt;
    for (size_t i = 0; i < CALLED(function) && function > ELEMENTARY_fma; i++) {
        it.r32[i] = inverse_f32((int)(function - ELEMENTARY_fma), it.x32[i], it.y32[i]);
        it.r64[i] = inverse_f64((int)(function - ELEMENTARY_fma), it.x64[i], it.y64[i]);
    }
    for (size_t i = 0; i < COUNT && function <= ELEMENTARY_fma; i++) {
        it.r32[i] = root ? sqrtf(it.x32[i]) : fmaf(it.x32[i], it.y32[i], it.x32[i]);
        it.r64[i] = root ? sqrt(it.x64[i]) : fma(it.x64[i], it.y64[i], it.x64[i]);
    }
}

/* Values that are NaN or subnormal in both are not compared. */
#define COMPARE(real, kind, classes)                                                                         \
    static void compare_##real(enum elementary function, const char *who, kind *found, const kind *expected, \
                               size_t count)                                                                 \
    {                                                                                                        \
        char name[80];                                                                                       \
        snprintf(name, sizeof name, "function %d, %s, " #real, function, who);                               \
        for (size_t i = 0; i < count; i++)                                                                   \
            if (classes(found[i]) && classes(expected[i])) found[i] = expected[i];                           \
        same_bits(name, found, expected, count, sizeof *found);                                              \
    }
#define INCOMPARABLE(x) (isnan(x) || fpclassify(x) == FP_SUBNORMAL)
COMPARE(f32, float, INCOMPARABLE)
COMPARE(f64, double, INCOMPARABLE)

TEST(lanes, DEVICE)
{
    static const struct elementary_lanes *const all[] = {&elementary_2, &elementary_4, &elementary_8,
                                                         &elementary_16};
    float *r32 = allocate(FEW * sizeof *r32);
    double *r64 = allocate(FEW * sizeof *r64);
    fill();
    for (enum elementary f = 0; f < ELEMENTARY_sqrt; f++) {
        expect(f);
        for (int l = 0; l < 4; l++) {
            all[l]->f32(f, it.x32, it.y32, r32, FEW);
            all[l]->f64(f, it.x64, it.y64, r64, FEW);
            compare_f32(f, "lanes", r32, it.r32, FEW);
            compare_f64(f, "lanes", r64, it.r64, FEW);
        }
    }
    free(r32);
    free(r64);
}

static int programs(void)
{
    const struct bly_backend *backend = context->device->backend;
    return backend->compiler && backend->compiler(context->device) == BAILEY_OK;
}

static struct bly_program *load(const char *real, const char *type, const char *fast)
{
    /* On cpu the items of a group of several run alternately. */
    const uint32_t block = context->device->backend == &bly_backend_cpu ? 1 : 64;
    const struct bly_kernel kernel = {.name = "call",
                                      .lane_bytes = 8,
                                      .params_bytes = sizeof(struct call_params),
                                      .buffers = 3,
                                      .block = block};
    const char *const defines[] = {real, type, fast, NULL};
    const struct bly_code code = {
        .name = "call", .text = text, .defines = defines, .kernels = &kernel, .kernel_count = 1};
    struct bly_program *program = NULL;
    OK(context->device->backend->load(context->device, &code, &program));
    return program;
}

static bailey_buffer *uploaded(const void *data, size_t bytes)
{
    bailey_buffer *buffer = poisoned(bytes);
    OK(bailey_buffer_write(buffer, 0, data, bytes));
    return buffer;
}

/* The function's results, to be freed. */
static void *run(struct bly_program *program, enum elementary function, const bailey_buffer *x,
                 const bailey_buffer *y, size_t element)
{
    const struct call_params params = {CALLED(function), function, 0};
    bailey_buffer *r = poisoned(COUNT * element);
    struct bly_memory *const memory[] = {x->memory, y->memory, r->memory};
    OK(context->device->backend->launch(context->device, 0, program, 0, COUNT, 1, &params, memory));
    return harvest(r, COUNT * element);
}

TEST(texts_f32, DEVICE | LONG)
{
    if (!programs()) skip();
    struct bly_program *program = load("BLY_REAL=f32", "real=float", NULL);
    fill();
    bailey_buffer *x = uploaded(it.x32, sizeof it.x32), *y = uploaded(it.y32, sizeof it.y32);
    for (enum elementary f = 0; f < ELEMENTARY_COUNT + 6; f++) {
        float *found = run(program, f, x, y, sizeof *found);
        expect(f);
        compare_f32(f, "text", found, it.r32, CALLED(f));
        free(found);
    }
    context->device->backend->unload(context->device, program);
    bailey_buffer_destroy(x);
    bailey_buffer_destroy(y);
}

TEST(texts_f64, DEVICE | LONG)
{
    if (!programs() || !device.has_f64) skip();
    struct bly_program *program = load("BLY_REAL=f64", "real=double", "BLY_PAYOFF_FAST=1");
    fill();
    bailey_buffer *x = uploaded(it.x64, sizeof it.x64), *y = uploaded(it.y64, sizeof it.y64);
    for (enum elementary f = 0; f < ELEMENTARY_COUNT + 6; f++) {
        double *found = run(program, f, x, y, sizeof *found);
        expect(f);
        compare_f64(f, "text", found, it.r64, CALLED(f));
        free(found);
    }
    context->device->backend->unload(context->device, program);
    bailey_buffer_destroy(x);
    bailey_buffer_destroy(y);
}

/* The error that docs/developers/accuracy.md promises for a line of inverse.txt, in ulp. */
static double promised(const char *name, int single)
{
    if (strcmp(name, "normal") == 0) return 6;
    if (strcmp(name, "gamma") == 0) return 16;
    return strcmp(name, "gamma'") == 0 ? (single ? 0x1p14 : 0x1p13) : 0;
}

/* Quantiles of known answers. */
TEST(inverse, ON_CPU)
{
    char line[256], name[16];
    unsigned bits, counted = 0;
    double u, mean, high, low;
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/inverse.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        int exponent;
        if (line[0] == '#') continue;
        if (sscanf(line, "%15s %u %lf %lf : %lf %lf", name, &bits, &u, &mean, &high, &low) != 6)
            fail_msg("%s: not a line of inverse.txt", line);
        const int single = bits == 32, which = strcmp(name, "normal") == 0    ? 2
                                               : strcmp(name, "poisson") == 0 ? 3
                                               : strcmp(name, "gamma") == 0   ? 4
                                                                              : 6;
        const double x =
            single ? (double)quantile_f32(which, (float)u, (float)mean) : quantile_f64(which, u, mean);
        frexp(high, &exponent);
        if (!(fabs((x - high) - low) <= promised(name, single) * ldexp(1, exponent - (single ? 24 : 53))))
            fail_msg("%s: %a", line, x);
        counted++;
    }
    fclose(file);
    assert_true(counted > 400);
}

/* Numbers grow with u, also next to each step; outside the domain there are none. */
TEST(inverse_order, ON_CPU)
{
    static const float means[] = {0.01f, 4, 80};
    for (int m = 0; m < 3; m++)
        for (float k = 0; k < 150; k++) {
            float low = 0x1p-126f, high = 1 - 0x1p-24f;
            for (int i = 0; i < 200 && nextafterf(low, 1) < high; i++) {
                const float middle = 0.5f * (low + high);
                if (bailey_poisson_icdf_f32(middle, means[m]) > k)
                    high = middle;
                else
                    low = middle;
            }
            float u = low, last = 0;
            for (int i = 0; i < 8 && u > 0x1p-120f; i++) u = nextafterf(u, 0);
            for (int i = 0; i < 16 && u < 1; i++, u = nextafterf(u, 1)) {
                const float x = bailey_poisson_icdf_f32(u, means[m]);
                if (x < last)
                    fail_msg("mean %g, u %a: %g after %g", (double)means[m], (double)u, (double)x,
                             (double)last);
                last = x;
            }
        }
    assert_true(isnan(bailey_poisson_icdf_f32(0.5f, 81)) && isnan(bailey_poisson_icdf_f64(0.5, 701)) &&
                isnan(bailey_poisson_icdf_f64(0.5, -1)) && isnan(bailey_poisson_icdf_f64(1, 1)) &&
                isnan(bailey_normal_quantile_f64(0)) && isnan(bailey_normal_quantile_f32(1)));
    assert_true(isnan(bailey_gamma_icdf_f64(0, 1)) && isnan(bailey_gamma_icdf_f32(1, 1)) &&
                isnan(bailey_gamma_icdf_f64(0.5, 0.0009)) && isnan(bailey_gamma_icdf_f32(0.5f, 1.1e9f)) &&
                isnan(bailey_gamma_icdf_by_shape_f64(0.5, NAN)) && isnan(bailey_gamma_density_f64(1, 0)));
    assert_true(bailey_gamma_density_f64(0, 0.5) == INFINITY && bailey_gamma_density_f32(0, 1) == 1 &&
                bailey_gamma_density_f64(INFINITY, 3) == 0 && bailey_gamma_density_f64(-1, 3) == 0);
    /* a small shape's numbers reach 0 */
    assert_true(bailey_gamma_icdf_f64(0.4, 0.001) == 0 && bailey_gamma_icdf_f32(0.9f, 0.001f) == 0 &&
                bailey_gamma_icdf_f64(0.5, 0.001) > 0);
    assert_true(bailey_uniform_f32(INFINITY) == 1 - 0x1p-24f && bailey_uniform_f64(-INFINITY) == 0x1p-1022);
}

/* The fast profile's exponential is near the exact one. */
TEST(fast, DEVICE | LONG_ON_OPENCL)
{
    if (!programs()) skip();
    struct bly_program *program = load("BLY_REAL=f32", "real=float", "BLY_PAYOFF_FAST=1");
    fill();
    bailey_buffer *x = uploaded(it.x32, sizeof it.x32);
    float *found = run(program, ELEMENTARY_exp, x, x, sizeof *found);
    for (size_t i = 0; i < COUNT; i++)
        if (fabsf(it.x32[i]) < 80 && !(fabs(found[i] / exp(it.x32[i]) - 1) < 1e-4))
            fail_msg("exp(%a) is %a", it.x32[i], found[i]);
    free(found);
    context->device->backend->unload(context->device, program);
    bailey_buffer_destroy(x);
}
