/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers from words of either width (`bits`): which word makes which number, on a device against the device
 * headers as plain C; and those against deviates that kat/normals.py found from the definitions.
 */
#include "api.h"

#include <bailey/device/distribution.h>
#include <bailey/device/draw.h>

#include <inttypes.h>
#include <math.h>

enum { UNIFORM = -1 };

static const char *const methods[] = {"uniform", "icdf", "box-muller"};
static size_t element_of(int f64) { return f64 ? sizeof(double) : sizeof(float); }
static uint32_t other_bits(int f64) { return f64 ? 32 : 64; }

/* ---- Definitions ------------------------------------------------------------------------------ */

/* (w | 1) 2^-64, rounded down: of the leading 24 bits, with the processor's own arithmetic. */
static float uniform_of_u64(uint64_t w)
{
    int shift = 0;
    w |= 1;
    for (; w >> 24; w >>= 1) shift++;
    return ldexpf((float)w, shift - 64);
}

static float f32_of(int method, uint64_t even, uint64_t odd, int which)
{
    if (method == UNIFORM) return uniform_of_u64(which ? odd : even);
    if (method == BAILEY_NORMAL_METHOD_ICDF)
        return bailey_normal_icdf_f32_from_u64(TABLE_F32, which ? odd : even);
    return bailey_normal_box_muller_f32_from_u64(even, odd).value[which];
}

static double f64_of(int method, uint32_t even, uint32_t odd, int which)
{
    if (method == UNIFORM) return ((which ? odd : even) + 0.5) * 0x1p-32;
    if (method == BAILEY_NORMAL_METHOD_ICDF)
        return bailey_normal_icdf_f64_from_u32(TABLE_F64, which ? odd : even);
    return bailey_normal_box_muller_f64_from_u32(even, odd).value[which];
}

/* Numbers first .. of the pairs of words that begin with `lead`, which is first mod 2. */
static void *reference(int method, int f64, const uint32_t *words, uint64_t lead, uint64_t count)
{
    unsigned char *numbers = allocate(count * element_of(f64));
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t even = (lead + i) & ~UINT64_C(1);
        const int which = (int)((lead + i) & 1);
        if (f64) {
            const double x = f64_of(method, words[even], words[even + 1], which);
            memcpy(numbers + i * sizeof x, &x, sizeof x);
        } else {
            const uint32_t *w = words + 2 * even;
            const float x = f32_of(method, w[0] | (uint64_t)w[1] << 32, w[2] | (uint64_t)w[3] << 32, which);
            memcpy(numbers + i * sizeof x, &x, sizeof x);
        }
    }
    return numbers;
}

/* ---- Which word makes which number ------------------------------------------------------------ */

static bailey_status make(const bailey_source *source, int method, int f64, uint32_t bits, uint64_t first,
                          uint64_t count, bailey_buffer *out, uint64_t offset)
{
    const bailey_precision precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    if (method == UNIFORM)
        return bailey_uniforms_generate(context, source, precision, bits, first, count, out, offset);
    const bailey_normal_params normal = {
        .method = (bailey_normal_method)method, .precision = precision, .word_bits = bits};
    return bailey_normals_generate(context, source, &normal, first, count, out, offset);
}

static void check(const bailey_source *source, int method, int f64, uint64_t first, uint64_t count)
{
    const uint64_t lead = first % 2, each = f64 ? 1 : 2, total = (lead + count + 1) / 2 * 2 * each;
    const uint64_t shift = count % 3;
    const size_t element = element_of(f64);
    bailey_buffer *buffer = poisoned(total * 4);
    OK(bailey_words_generate(context, source, (first - lead) * each, total, buffer, 0));
    uint32_t *words = harvest(buffer, total * 4);
    void *expected = reference(method, f64, words, lead, count);
    buffer = poisoned((shift + count) * element);
    OK(make(source, method, f64, other_bits(f64), first, count, buffer, shift));
    unsigned char *found = harvest(buffer, (shift + count) * element);
    char what[120];
    snprintf(what, sizeof what, "%s%s, %s, f%d, first %llu", bailey_generator_name(source->generator),
             source->sequence ? " published" : "", methods[method + 1], f64 ? 64 : 32,
             (unsigned long long)first);
    for (uint64_t i = 0; i < shift * element; i++) assert_int_equal(found[i], POISON);
    same_bits(what, found + shift * element, expected, count, element);
    free(found);
    free(expected);
    free(words);
}

TEST(order, DEVICE | LONG_ON_OPENCL)
{
    for (int g = 0; g < GENERATORS; g++)
        for (int method = UNIFORM; method < 2; method++)
            for (int f64 = 0; f64 <= (int)device.has_f64; f64++) {
                const bailey_source source = {.seed = 7, .stream = 8, .generator = (bailey_generator)g};
                check(&source, method, f64, 0, 1);
                check(&source, method, f64, 1, 2);
                check(&source, method, f64, 8191, 4101);
                check(&source, method, f64, 8190, 17003);
                check(&source, method, f64, UINT64_C(1) << 40 | 3, 259);
                check(&source, method, f64, UINT64_MAX / (f64 ? 1 : 2) - 7, 7);
            }
    /* More than the scratch memory holds. */
    const bailey_source xorwow = {.seed = 1, .generator = BAILEY_GENERATOR_XORWOW},
                        published = {.seed = 5489,
                                     .generator = BAILEY_GENERATOR_MT19937,
                                     .sequence = BAILEY_SEQUENCE_PUBLISHED};
    check(&xorwow, BAILEY_NORMAL_METHOD_BOX_MULLER, 0, 3, 3000001);
    check(&published, BAILEY_NORMAL_METHOD_ICDF, 0, 5, 1001);
    if (device.has_f64) check(&published, BAILEY_NORMAL_METHOD_BOX_MULLER, 1, 5, 1001);
}

/* Philox has elements beyond those of 2^64 words, drawn by bailey/device/draw.h. */
TEST(last_elements, DEVICE)
{
    enum { COUNT = 5003 };
    const uint64_t first = UINT64_MAX - COUNT;
    for (int method = 0; method < 2; method++)
        for (int seven = 0; seven < 2; seven++) {
            const bailey_source source = {.seed = 3,
                                          .stream = UINT64_C(0x8000000000000001),
                                          .generator =
                                              seven ? BAILEY_GENERATOR_PHILOX7 : BAILEY_GENERATOR_PHILOX};
            bailey_buffer *buffer = poisoned(COUNT * 4);
            OK(make(&source, method, 0, 64, first, COUNT, buffer, 0));
            float *found = harvest(buffer, COUNT * 4), *expected = allocate(COUNT * 4);
            for (uint64_t i = 0; i < COUNT; i++)
                expected[i] = bailey_draw_rounds_f32(seven ? 7 : 10, method | BAILEY_DRAW_BITS_64, TABLE_F32,
                                                     bailey_philox_keys_of(3), source.stream,
                                                     (first + i) & ~UINT64_C(3))
                                  .value[(first + i) % 4];
            same_bits("last elements", found, expected, COUNT, 4);
            free(found);
            free(expected);
        }
}

/* The usual width by name is what 0 means, and changes no bit; the other one does. */
TEST(test_usual, DEVICE | LONG_ON_OPENCL)
{
    enum { COUNT = 1001 };
    for (int g = 0; g < GENERATORS; g++)
        for (int method = UNIFORM; method < 2; method++)
            for (int f64 = 0; f64 <= (int)device.has_f64; f64++) {
                const bailey_source source = {.seed = 5, .generator = (bailey_generator)g};
                const uint32_t widths[3] = {0, f64 ? 64 : 32, other_bits(f64)};
                void *found[3];
                for (int i = 0; i < 3; i++) {
                    bailey_buffer *buffer = poisoned(COUNT * element_of(f64));
                    OK(make(&source, method, f64, widths[i], 3, COUNT, buffer, 0));
                    found[i] = harvest(buffer, COUNT * element_of(f64));
                }
                same_bits("usual width", found[1], found[0], COUNT, element_of(f64));
                assert_true(memcmp(found[2], found[0], COUNT * element_of(f64)) != 0);
                for (int i = 0; i < 3; i++) free(found[i]);
            }
}

/* fma(stddev, z, mean) and its exponential. */
TEST(scaled, DEVICE)
{
    enum { COUNT = 2003 };
    for (int f64 = 0; f64 <= (int)device.has_f64; f64++)
        for (int turn = 0; turn < 4; turn++) {
            const bailey_source source = {
                .seed = 11, .generator = turn & 2 ? BAILEY_GENERATOR_WARP : BAILEY_GENERATOR_PHILOX};
            const bailey_variate_params variate = {
                .normal = {.method = turn & 1 ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF,
                           .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                           .word_bits = other_bits(f64)},
                .distribution = turn & 1 ? BAILEY_DISTRIBUTION_LOG_NORMAL : BAILEY_DISTRIBUTION_NORMAL,
                .mean = 0.375,
                .stddev = 0.1};
            bailey_buffer *z = poisoned(COUNT * element_of(f64)), *y = poisoned(COUNT * element_of(f64));
            OK(bailey_normals_generate(context, &source, &variate.normal, 9, COUNT, z, 0));
            OK(bailey_variates_generate(context, &source, &variate, 9, COUNT, y, 0));
            void *from = harvest(z, COUNT * element_of(f64)), *found = harvest(y, COUNT * element_of(f64));
            for (int i = 0; i < COUNT; i++) {
                if (f64) {
                    double x = fma(0.1, ((double *)from)[i], 0.375);
                    if (turn & 1) x = bailey_exp_f64(x);
                    ((double *)from)[i] = x;
                } else {
                    float x = fmaf(0.1f, ((float *)from)[i], 0.375f);
                    if (turn & 1) x = bailey_exp_f32(x);
                    ((float *)from)[i] = x;
                }
            }
            same_bits("scaled", found, from, COUNT, element_of(f64));
            free(from);
            free(found);
        }
}

/* ---- Bridges and prices ----------------------------------------------------------------------- */

#define STEPS 16
#define PATHS 1004

/* Every strategy draws the normals of bailey_normals_generate, at row 2^38 + path. */
TEST(strategies, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    double times[STEPS];
    static const double factor[4] = {0.2, 0, 0.09, 0.3};
    for (int i = 0; i < STEPS; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    for (int f64 = 0; f64 <= (int)device.has_f64; f64++)
        for (int s = BAILEY_BRIDGE_STRATEGY_AUTO;; s++) {
            const uint32_t dims = s % 2 ? 1 : 2;
            const bailey_bridge_params params = {.times = times,
                                                 .steps = STEPS,
                                                 .dims = dims,
                                                 .factor = dims == 2 ? factor : NULL,
                                                 .precision =
                                                     f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                                                 .strategy = (bailey_bridge_strategy)s};
            const bailey_source source = {.seed = 3, .stream = 4, .generator = (bailey_generator)(s / 2 % 2)};
            const uint64_t rows = STEPS * dims, bytes = rows * PATHS * element_of(f64), first = s % 3;
            bailey_bridge *bridge = NULL;
            if (strcmp(bailey_bridge_strategy_name(params.strategy), "unknown") == 0) break;
            if (few_programs() && (s / 2 + f64) % 2) continue;
            const bailey_status status = bailey_bridge_create(context, &params, &bridge);
            if (status == BAILEY_ERROR_UNSUPPORTED) continue;
            OK(status);
            const int method = (s + f64) % 2; /* a program takes long to compile */
            const bailey_normal_params normal = {.method = (bailey_normal_method)method,
                                                 .word_bits = other_bits(f64)};
            bailey_buffer *z = poisoned(bytes), *x = poisoned(bytes), *again = poisoned(bytes);
            for (uint64_t row = 0; row < rows; row++)
                OK(make(&source, method, f64, normal.word_bits, (row << 38) + first, PATHS, z, row * PATHS));
            OK(bailey_bridge_build(bridge, PATHS, z, x));
            OK(bailey_bridge_paths(bridge, &source, &normal, first, PATHS, again));
            void *expected = harvest(x, bytes), *found = harvest(again, bytes);
            char what[64];
            snprintf(what, sizeof what, "%s, f%d, method %d", bailey_bridge_strategy_name(params.strategy),
                     f64 ? 64 : 32, method);
            same_bits(what, found, expected, rows * PATHS, element_of(f64));
            free(expected);
            free(found);
            bailey_buffer_destroy(z);
            bailey_kernel_info info;
            OK(bailey_bridge_inspect(bridge, &source, &normal, &info));
            bailey_bridge_destroy(bridge);
        }
}

TEST(prices, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    for (int f64 = 0; f64 < 2; f64++) {
        struct asian_params option = good_option();
        struct asian_result usual = {0}, mixed = {0}, again = {0};
        option.paths = 30011;
        option.normal.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
        OK(asian_price(context, &option, &usual));
        option.normal.word_bits = other_bits(f64);
        OK(asian_price(context, &option, &mixed));
        OK(asian_price(context, &option, &again));
        assert_true(mixed.price == again.price && mixed.price != usual.price);
        assert_true(fabs(mixed.price - usual.price) < 5 * sqrt(2) * usual.standard_error);
    }
}

/* ---- Known answers and ranges ----------------------------------------------------------------- */

static double ulp(double exact, int digits) { return ldexp(1, ilogb(exact) - digits + 1); }

static void near(const char *line, double x, double exact, int digits, double bound)
{
    const double error = fabs(x - exact) / ulp(exact, digits);
    if (!(error <= bound)) fail_msg("%s: %a is off by %.3f ulp, more than %g", line, x, error, bound);
}

/* The deviates of kat/normals.txt were rounded to 53 bits themselves: half an ulp of f64. */
TEST(known, DEVICE)
{
    char line[256];
    unsigned bits, counted = 0;
    uint64_t u, v;
    double a, b;
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/normals.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#') continue;
        counted++;
        if (sscanf(line, "icdf %u %" SCNx64 " : %lf", &bits, &u, &a) == 3) {
            if (bits == 64)
                near(line, f32_of(BAILEY_NORMAL_METHOD_ICDF, u, 0, 0), a, 24, 2.2);
            else
                near(line, f64_of(BAILEY_NORMAL_METHOD_ICDF, (uint32_t)u, 0, 0), a, 53, 2.0 + 0.5);
        } else if (sscanf(line, "box-muller %u %" SCNx64 " %" SCNx64 " : %lf %lf", &bits, &u, &v, &a, &b) ==
                   5) {
            for (int i = 0; i < 2; i++) {
                if (bits == 64)
                    near(line, f32_of(BAILEY_NORMAL_METHOD_BOX_MULLER, u, v, i), i ? b : a, 24, 7);
                else
                    near(line, f64_of(BAILEY_NORMAL_METHOD_BOX_MULLER, (uint32_t)u, (uint32_t)v, i),
                         i ? b : a, 53, 5 + 0.5);
            }
        } else {
            fail_msg("%s: not a line of normals.txt", line);
        }
    }
    fclose(file);
    assert_int_equal(counted, 640);
}

/* Both ends are reached and are each other's negative; Box-Muller is antisymmetric in its angle. */
TEST(ends, DEVICE)
{
    uint64_t random = 5;
    const float low = f32_of(BAILEY_NORMAL_METHOD_ICDF, 0, 0, 0),
                high = f32_of(BAILEY_NORMAL_METHOD_ICDF, UINT64_MAX, 0, 0);
    assert_true(low < -9.15f && low > -9.16f && high == -low);
    assert_true(f64_of(BAILEY_NORMAL_METHOD_ICDF, 0, 0, 0) ==
                -f64_of(BAILEY_NORMAL_METHOD_ICDF, UINT32_MAX, 0, 0));
    const float far = bailey_normal_box_muller_f32_from_u64(0, UINT64_C(1) << 61).value[0];
    assert_true(far > 9.49f && far < 9.494f);
    assert_true(uniform_of_u64(UINT64_MAX) == 1 - 0x1p-24f && uniform_of_u64(0) == 0x1p-64f);
    for (int i = 0; i < 100000; i++) {
        const uint64_t u = next_random(&random), v = next_random(&random), half = UINT64_C(1) << 63;
        const bailey_pair_f32 s = bailey_normal_box_muller_f32_from_u64(u, v),
                              t = bailey_normal_box_muller_f32_from_u64(u, v ^ ~UINT64_C(0) >> 2),
                              w = bailey_normal_box_muller_f32_from_u64(u, v ^ half);
        const int sine = v >> 62 & 1 ? 0 : 1;
        assert_true(isfinite(s.value[0]) && isfinite(s.value[1]) && s.value[0] != 0 && s.value[1] != 0);
        assert_true(t.value[sine] == -s.value[sine] && t.value[1 - sine] == s.value[1 - sine]);
        assert_true(w.value[sine] == s.value[sine] && w.value[1 - sine] == -s.value[1 - sine]);
        const bailey_pair_f64 d = bailey_normal_box_muller_f64_from_u32((uint32_t)u, (uint32_t)v);
        const bailey_pair_f32 f = bailey_normal_box_muller_f32((uint32_t)u, (uint32_t)v);
        for (int j = 0; j < 2; j++) near("f64 beside f32", f.value[j], d.value[j], 24, 7);
    }
}

/* ---- Refusals --------------------------------------------------------------------------------- */

static void refuses(const char *what, bailey_status status, const char *argument)
{
    if (status != BAILEY_ERROR_INVALID) fail_msg("%s: %s", what, bailey_status_name(status));
    assert_string_equal(bailey_error_argument(), argument);
}
#define REFUSES(argument, call) refuses(#call, call, argument)

TEST(refusals, DEVICE)
{
    const bailey_source philox = {.seed = 1}, warp = {.generator = BAILEY_GENERATOR_WARP};
    bailey_normal_params normal = {.word_bits = 16};
    bailey_variate_params exponential = {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL,
                                         .normal = {.word_bits = 64}};
    bailey_variate_params wide = {.normal = {.word_bits = 64}, .stddev = 1e-19};
    const double time = 1;
    const bailey_bridge_params params = {.times = &time, .steps = 1};
    bailey_bridge *bridge = NULL;
    bailey_buffer *out = poisoned(64);
    OK(bailey_bridge_create(context, &params, &bridge));
    REFUSES("word_bits", bailey_normals_generate(context, &philox, &normal, 0, 4, out, 0));
    contains("word_bits", bailey_error_message(), "word_bits is 16, not 32 or 64");
    REFUSES("word_bits", bailey_uniforms_generate(context, &philox, BAILEY_PRECISION_F32, 33, 0, 4, out, 0));
    REFUSES("word_bits", bailey_bridge_paths(bridge, &philox, &normal, 0, 4, out));
    normal = (bailey_normal_params){.method = BAILEY_NORMAL_METHOD_WALLACE, .word_bits = 64};
    REFUSES("word_bits", bailey_normals_generate(context, &philox, &normal, 0, 4, out, 0));
    contains("word_bits", bailey_error_message(), "wallace");
    normal.word_bits = 1;
    REFUSES("word_bits", bailey_normals_generate(context, &philox, &normal, 0, 4, out, 0));
    normal.word_bits = 32;
    OK(bailey_normals_generate(context, &philox, &normal, 0, 4, out, 0));
    REFUSES("word_bits", bailey_variates_generate(context, &philox, &exponential, 0, 4, out, 0));
    contains("word_bits", bailey_error_message(), "exponential");
    REFUSES("stddev", bailey_variates_generate(context, &philox, &wide, 0, 4, out, 0));
    wide = (bailey_variate_params){
        .normal = {.word_bits = 64}, .distribution = BAILEY_DISTRIBUTION_LOG_NORMAL, .stddev = 9.2};
    REFUSES("mean", bailey_variates_generate(context, &philox, &wide, 0, 4, out, 0));
    wide.normal.word_bits = 32;
    OK(bailey_variates_generate(context, &philox, &wide, 0, 4, out, 0));
    /* 64-bit elements of 2^64 words; philox has more normals. */
    const uint64_t beyond = UINT64_C(1) << 63;
    normal = (bailey_normal_params){.word_bits = 64};
    REFUSES("first", bailey_normals_generate(context, &warp, &normal, beyond - 3, 4, out, 0));
    REFUSES("first",
            bailey_uniforms_generate(context, &philox, BAILEY_PRECISION_F32, 64, beyond - 3, 4, out, 0));
    for (int f64 = 0; f64 <= (int)device.has_f64; f64++)
        for (int seven = 0; seven < 2; seven++) {
            const bailey_source counter = {.generator =
                                               seven ? BAILEY_GENERATOR_PHILOX7 : BAILEY_GENERATOR_PHILOX};
            OK(make(&counter, BAILEY_NORMAL_METHOD_ICDF, f64, 64, beyond - 3, 4, out, 0));
        }
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(out);
}
