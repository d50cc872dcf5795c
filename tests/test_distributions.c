/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Distributions other than the standard normal, of every generator, against the device headers as plain C on
 * the words that the device itself writes (which test_sequences.c checks); their ends, moments and limits.
 * Correlated vectors against a plain loop.
 */
#include "harness.h"

#include <bailey/device/distribution.h>
#include <bailey/device/draw.h>

#include <math.h>

static size_t element_of(const bailey_variate_params *p)
{
    return p->normal.precision == BAILEY_PRECISION_F64 ? 8 : 4;
}

static double or_one(double value) { return value == 0 ? 1 : value; }

static float one_f32(const bailey_variate_params *p, float z, uint32_t w)
{
    const double deviation = or_one(p->stddev), rate = or_one(p->rate), shape = or_one(p->shape);
    const double high = (float)(1 / shape), low = fma(-high, shape, 1) / shape;
    switch (p->distribution) {
#define NORMAL(word, factor) break;
#define MEAN(word, factor) return fmaf((float)((factor)*deviation), bailey_##word##_f32(w), (float)p->mean);
#define RATE(word, factor) return bailey_##word##_f32(w, (float)((factor) / rate));
#define LOCATION(word, factor)                                                                               \
    return fmaf((float)or_one(p->scale), bailey_##word##_f32(w), (float)p->location);
#define SHAPE(word, factor) return (float)or_one(p->scale) * bailey_##word##_f32(w, (float)high, (float)low);
#define DISCRETE(word, factor) break; /* tests/test_discrete.c and test_tabled.c have them */
#define TABLED DISCRETE
#define ROW(number, name, word, kind, text, factor)                                                          \
    case BAILEY_DISTRIBUTION_##name: kind(word, factor)
        BAILEY_DISTRIBUTION_LIST(ROW)
#undef MEAN
#undef RATE
#undef LOCATION
#undef SHAPE
    }
    const float x = fmaf((float)deviation, z, (float)p->mean);
    return p->distribution == BAILEY_DISTRIBUTION_LOG_NORMAL ? bailey_exp_f32(x) : x;
}

static double one_f64(const bailey_variate_params *p, double z, uint64_t w)
{
    const double deviation = or_one(p->stddev), rate = or_one(p->rate), shape = or_one(p->shape);
    switch (p->distribution) {
#define MEAN(word, factor) return fma((factor)*deviation, bailey_##word##_f64(w), p->mean);
#define RATE(word, factor) return bailey_##word##_f64(w, (factor) / rate);
#define LOCATION(word, factor) return fma(or_one(p->scale), bailey_##word##_f64(w), p->location);
#define SHAPE(word, factor)                                                                                  \
    return or_one(p->scale) * bailey_##word##_f64(w, 1 / shape, fma(-(1 / shape), shape, 1) / shape);
        BAILEY_DISTRIBUTION_LIST(ROW)
#undef NORMAL
#undef MEAN
#undef RATE
#undef LOCATION
#undef SHAPE
#undef DISCRETE
#undef TABLED
#undef ROW
    }
    const double x = fma(deviation, z, p->mean);
    return p->distribution == BAILEY_DISTRIBUTION_LOG_NORMAL ? bailey_exp_f64(x) : x;
}

/* `total` numbers of whole blocks of words. */
static void *reference(const bailey_variate_params *p, const uint32_t *words, uint64_t total)
{
    const int method =
        p->normal.method == BAILEY_NORMAL_METHOD_ICDF ? BAILEY_DRAW_ICDF : BAILEY_DRAW_BOX_MULLER;
    void *numbers = allocate(total * element_of(p));
    if (p->normal.precision == BAILEY_PRECISION_F64) {
        double *y = numbers;
        for (uint64_t i = 0; i < total; i += 2) {
            const uint64_t u[2] = {words[2 * i] | (uint64_t)words[2 * i + 1] << 32,
                                   words[2 * i + 2] | (uint64_t)words[2 * i + 3] << 32};
            const bailey_pack_f64 z = bailey_normals_of_elements_f64(method, TABLE_F64, u[0], u[1]);
            for (uint64_t j = 0; j < 2; j++) y[i + j] = one_f64(p, z.value[j], u[j]);
        }
        return numbers;
    }
    float *y = numbers;
    for (uint64_t i = 0; i < total; i += 4) {
        bailey_philox_block w;
        memcpy(w.word, words + i, sizeof w.word);
        const bailey_pack_f32 z = bailey_normals_of_words_f32(method, TABLE_F32, w);
        for (uint64_t j = 0; j < 4; j++) y[i + j] = one_f32(p, z.value[j], w.word[j]);
    }
    return numbers;
}

static void check(const bailey_source *source, const bailey_variate_params *p, uint64_t first, uint64_t count)
{
    const int f64 = p->normal.precision == BAILEY_PRECISION_F64;
    const uint64_t block = f64 ? 2 : 4, each = f64 ? 2 : 1, lead = first % block, shift = count % 3;
    const uint64_t total = (lead + count + block - 1) / block * block, words = total * each;
    const size_t element = element_of(p);
    bailey_buffer *buffer = poisoned(words * 4);
    OK(bailey_words_generate(context, source, (first - lead) * each, words, buffer, 0));
    uint32_t *w = harvest(buffer, words * 4);
    unsigned char *expected = reference(p, w, total);
    buffer = poisoned((shift + count) * element);
    OK(bailey_variates_generate(context, source, p, first, count, buffer, shift));
    unsigned char *found = harvest(buffer, (shift + count) * element);
    char what[160];
    snprintf(what, sizeof what, "%s, distribution %d, method %d, f%d, first %llu",
             bailey_generator_name(source->generator), (int)p->distribution, (int)p->normal.method,
             f64 ? 64 : 32, (unsigned long long)first);
    for (uint64_t i = 0; i < shift * element; i++) assert_int_equal(found[i], POISON);
    same_bits(what, found + shift * element, expected + lead * element, count, element);
    free(found);
    free(expected);
    free(w);
}

static bailey_source source_of(int generator)
{
    return (bailey_source){.seed = 7, .stream = 8, .generator = (bailey_generator)generator};
}

static const struct {
    bailey_distribution distribution;
    double mean, deviation, rate, location, scale, shape;
} shapes[] = {
    {BAILEY_DISTRIBUTION_NORMAL, .mean = 0, .deviation = 0},
    {BAILEY_DISTRIBUTION_NORMAL, .mean = 0.1, .deviation = 0.37},
    {BAILEY_DISTRIBUTION_NORMAL, .mean = -3, .deviation = 0},
    {BAILEY_DISTRIBUTION_NORMAL, .mean = 0, .deviation = 2.5},
    {BAILEY_DISTRIBUTION_LOG_NORMAL, .mean = 0, .deviation = 0},
    {BAILEY_DISTRIBUTION_LOG_NORMAL, .mean = -0.02, .deviation = 0.2},
    {BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = 0},
    {BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = 0.3},
    {BAILEY_DISTRIBUTION_LOG_NORMAL, .mean = 4, .deviation = 11.5},
    {BAILEY_DISTRIBUTION_NORMAL, .mean = -1e20, .deviation = 1e20},
    {BAILEY_DISTRIBUTION_NORMAL, .mean = 1e-20, .deviation = 1e-20},
    {BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = 1e20},
    {BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = 1e-20},
    {BAILEY_DISTRIBUTION_LOGISTIC, .location = -2, .scale = 0.3},
    {BAILEY_DISTRIBUTION_LAPLACE, .location = 1e20, .scale = 1e20},
    {BAILEY_DISTRIBUTION_GUMBEL, .location = -1e-20, .scale = 1e-20},
    {BAILEY_DISTRIBUTION_CAUCHY, .location = 2, .scale = 0.5},
    {BAILEY_DISTRIBUTION_WEIBULL, .scale = 3, .shape = 0.7},
    {BAILEY_DISTRIBUTION_WEIBULL, .scale = 1e20, .shape = 0.6},
    {BAILEY_DISTRIBUTION_PARETO, .scale = 1e-20, .shape = 0.6},
    {BAILEY_DISTRIBUTION_PARETO, .scale = 2, .shape = 1e20},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static bailey_variate_params shaped(int shape, int method, int f64)
{
    return (bailey_variate_params){.normal = {.method = (bailey_normal_method)method,
                                              .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
                                   .distribution = shapes[shape].distribution,
                                   .mean = shapes[shape].mean,
                                   .stddev = shapes[shape].deviation,
                                   .rate = shapes[shape].rate,
                                   .location = shapes[shape].location,
                                   .scale = shapes[shape].scale,
                                   .shape = shapes[shape].shape};
}

TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    for (int g = 0; g < GENERATORS; g++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (int method = 0; method < 2; method++)
                for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++) {
                    if (shape >= 8 && g > 0) continue; /* the outermost parameters */
                    const bailey_source source = source_of(g);
                    const bailey_variate_params p = shaped(shape, method, f64);
                    check(&source, &p, 0, 1);
                    check(&source, &p, 8189, 1237);
                    check(&source, &p, UINT64_C(1) << 40 | 2, 259);
                }
    for (int d = 0; d < DISTRIBUTIONS; d++) /* those without a shape above, too */
        for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++) {
            const bailey_source source = source_of(BAILEY_GENERATOR_PHILOX);
            bailey_variate_params p = shaped(0, 0, f64);
            p.distribution = (bailey_distribution)d;
            if (d >= BAILEY_DISTRIBUTION_POISSON && d <= BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE) continue;
            check(&source, &p, 0, 12345);
        }
    /* More than the scratch memory holds; a published sequence. */
    bailey_source source = source_of(BAILEY_GENERATOR_XORWOW);
    bailey_variate_params p = shaped(5, 1, 0);
    check(&source, &p, 3, 5000001);
    source.sequence = BAILEY_SEQUENCE_PUBLISHED;
    p = shaped(6, 0, 0);
    check(&source, &p, 1001, 501);
}

/* Plain C, the same bits as the device: the words at both ends. */
TEST(ends, DEVICE)
{
    for (int r = 0; r < 3; r++) {
        const double rate = r == 0 ? 1 : r == 1 ? 1e20 : 1e-20, scale = -0x1.62e42fefa39efp-1 / rate;
        const float least = bailey_exponential_f32(UINT32_MAX, (float)scale);
        const float most = bailey_exponential_f32(0, (float)scale);
        assert_true(least > 0 && isnormal(least) && isnormal(most));
        assert_true(fabs(least * rate * 0x1p33 - 1) < 1e-6);
        assert_true(fabs(most * rate - 33 * log(2)) < 1e-5);
        const double least64 = bailey_exponential_f64(UINT64_MAX, scale),
                     most64 = bailey_exponential_f64(0, scale);
        assert_true(least64 > 0 && isnormal(least64) && isnormal(most64));
        assert_true(fabs(least64 * rate * 0x1p54 - 1) < 1e-14);
        assert_true(fabs(most64 * rate - 54 * log(2)) < 1e-13);
    }
    /* As far as the limits go, log-normal numbers are finite and not denormal. */
    assert_true(isnormal(bailey_exp_f32(87)) && isnormal(bailey_exp_f32(-87)));
    assert_true(isnormal(bailey_exp_f64(708)) && isnormal(bailey_exp_f64(-708)));
    for (uint64_t i = 0; i < 4; i++) { /* what |z| reaches, behind the factors 6.8 and 8.7 of the limits */
        const uint64_t u = i & 1 ? UINT64_MAX : 0, v = i & 2 ? UINT64_MAX >> 2 : 0;
        for (int j = 0; j < 2; j++) {
            assert_true(fabsf(bailey_normal_box_muller_f32((uint32_t)u, (uint32_t)v).value[j]) < 6.8f);
            assert_true(fabs(bailey_normal_box_muller_f64(u, v).value[j]) < 8.7);
        }
    }
}

static double value_of(const void *numbers, int f64, uint64_t i)
{
    return f64 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

/* Means and variances of 10^6 numbers, within 4.5 standard errors; the log-normal's through its logarithm
 * too. */
TEST(moments, DEVICE | LONG_ON_OPENCL)
{
    static const struct {
        int shape;
        double mean, variance, fourth; /* central moments */
    } cases[] = {
        {1, 0.1, 0.37 * 0.37, 3 * 0.37 * 0.37 * 0.37 * 0.37},
        {3, 0, 6.25, 3 * 6.25 * 6.25},
        {6, 1, 1, 9},
        {7, 1 / 0.3, 1 / 0.09, 9 / 0.0081},
        {5, 0, 0, 0},
    };
    const uint64_t count = getenv("BAILEY_TEST_QUICK") ? 100000 : 1000000;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int g = 0; g < 2; g++)
            for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++) {
                double mean = cases[c].mean, variance = cases[c].variance, fourth = cases[c].fourth;
                if (cases[c].shape == 5) { /* Johnson, Kotz, Balakrishnan, chapter 14 */
                    const double w = exp(0.04);
                    mean = exp(-0.02 + 0.02);
                    variance = mean * mean * (w - 1);
                    fourth = variance * variance * (w * w * w * w + 2 * w * w * w + 3 * w * w - 3);
                }
                const bailey_source source = source_of(g ? BAILEY_GENERATOR_WARP : BAILEY_GENERATOR_PHILOX);
                const bailey_variate_params p = shaped(cases[c].shape, (int)(c % 2), f64);
                const size_t element = element_of(&p);
                bailey_buffer *buffer = poisoned(count * element);
                OK(bailey_variates_generate(context, &source, &p, 0, count, buffer, 0));
                void *x = harvest(buffer, count * element);
                double sum = 0, squares = 0, log_sum = 0;
                for (uint64_t i = 0; i < count; i++) {
                    const double d = value_of(x, f64, i) - mean;
                    sum += d;
                    squares += d * d;
                    if (p.distribution != BAILEY_DISTRIBUTION_NORMAL) {
                        assert_true(value_of(x, f64, i) > 0 && isfinite(value_of(x, f64, i)));
                        log_sum += log(value_of(x, f64, i));
                    }
                }
                const double n = (double)count;
                const double z_mean = sum / n / sqrt(variance / n);
                const double z_variance = (squares / n - variance) / sqrt((fourth - variance * variance) / n);
                if (!(fabs(z_mean) < 4.5 && fabs(z_variance) < 4.5))
                    fail_msg(
                        "shape %d, generator %d, f%d: mean off by %.2f standard errors, variance by %.2f",
                        cases[c].shape, g, f64 ? 64 : 32, z_mean, z_variance);
                if (p.distribution == BAILEY_DISTRIBUTION_LOG_NORMAL)
                    assert_true(fabs((log_sum / n + 0.02) / (0.2 / sqrt(n))) < 4.5);
                free(x);
            }
}

/* The fast profile is that of the normals: within stddev times their bounds, plus the errors of the exact
 * normals and of rounding. */
TEST(test_fast, DEVICE)
{
    enum { COUNT = 100000 };
    if (strncmp(device.address, "opencl", 6) == 0) skip(); /* OpenCL states no bound for native functions */
    for (int method = 0; method < 2; method++)
        for (int shape = 1; shape < 8; shape++) {
            const bailey_source source = source_of(BAILEY_GENERATOR_XORWOW);
            bailey_variate_params p = shaped(shape, method, 0);
            bailey_buffer *exact = poisoned(COUNT * 4), *fast = poisoned(COUNT * 4);
            OK(bailey_variates_generate(context, &source, &p, 0, COUNT, exact, 0));
            p.normal.numerics = BAILEY_NUMERICS_FAST;
            OK(bailey_variates_generate(context, &source, &p, 0, COUNT, fast, 0));
            float *a = harvest(exact, COUNT * 4), *b = harvest(fast, COUNT * 4);
            const double deviation = p.stddev == 0 ? 1 : p.stddev;
            for (int i = 0; i < COUNT; i++) {
                double off = fabs((double)b[i] - a[i]), z = 6.8, bound = 0;
                if (p.distribution != BAILEY_DISTRIBUTION_EXPONENTIAL) {
                    bound = deviation * (method ? 0x1p-17 : 0x1p-20 * z) +
                            0x1p-22 * (fabs(p.mean) + deviation * z);
                    if (p.distribution == BAILEY_DISTRIBUTION_LOG_NORMAL) bound = a[i] * (bound + 0x1p-21);
                }
                if (!(off <= bound))
                    fail_msg("shape %d, number %d: off by %g, bound %g", shape, i, off, bound);
            }
            free(a);
            free(b);
        }
}

static void refused_at(bailey_source source, bailey_variate_params p, uint64_t first, const char *name,
                       const char *limit)
{
    bailey_buffer *buffer = poisoned(64);
    assert_int_equal(bailey_variates_generate(context, &source, &p, first, 4, buffer, 0),
                     BAILEY_ERROR_INVALID);
    if (strncmp(bailey_error_message(), name, strlen(name)) != 0 || !strstr(bailey_error_message(), limit))
        fail_msg("'%s' does not name %s and %s", bailey_error_message(), name, limit);
    uint32_t *words = harvest(buffer, 64);
    for (int i = 0; i < 16; i++) assert_int_equal(words[i], 0xA5A5A5A5u);
    free(words);
}

static void refused(bailey_variate_params p, const char *name, const char *limit)
{
    refused_at((bailey_source){.seed = 1}, p, 0, name, limit);
}

TEST(refusals, DEVICE)
{
    const bailey_variate_params normal = {.mean = 1},
                                log_normal = {.distribution = BAILEY_DISTRIBUTION_LOG_NORMAL},
                                exponential = {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL};
    const double bad[] = {1e21, 1e-21};
    bailey_variate_params p;
    for (int i = 0; i < 2; i++) {
        p = normal, p.stddev = bad[i];
        refused(p, "stddev", "1e+20");
        p = log_normal, p.stddev = bad[i];
        refused(p, "stddev", "1e+20");
        p = exponential, p.rate = bad[i];
        refused(p, "rate", "1e+20");
        p = normal, p.mean = bad[i];
        refused(p, "mean", "1e+20");
        p = log_normal, p.mean = bad[i];
        refused(p, "mean", "1e+20");
        if (!device.has_f64) continue;
        p = normal, p.normal.precision = BAILEY_PRECISION_F64;
        p.mean = i ? 1e-251 : 1e251;
        refused(p, "mean", "1e+250");
    }
    for (int i = 0; i < 2; i++) { /* another distribution's */
        p = normal, p.rate = bad[i];
        refused(p, "rate", "distribution normal");
        p = log_normal, p.rate = bad[i];
        refused(p, "rate", "distribution log-normal");
        p = exponential, p.mean = bad[i];
        refused(p, "mean", "distribution exponential");
        p = exponential, p.stddev = bad[i];
        refused(p, "stddev", "distribution exponential");
    }
    const bailey_variate_params gumbel = {.distribution = BAILEY_DISTRIBUTION_GUMBEL},
                                weibull = {.distribution = BAILEY_DISTRIBUTION_WEIBULL},
                                pareto = {.distribution = BAILEY_DISTRIBUTION_PARETO};
    for (int i = 0; i < 2; i++) {
        p = gumbel, p.location = -bad[i];
        refused(p, "location", "1e+20");
        p = gumbel, p.scale = bad[i];
        refused(p, "scale", "1e+20");
        p = pareto, p.shape = bad[i];
        refused(p, "shape", "1e+20");
        p = gumbel, p.shape = bad[i];
        refused(p, "shape", "distribution gumbel");
        p = weibull, p.location = bad[i];
        refused(p, "location", "distribution weibull");
        p = normal, p.scale = bad[i];
        refused(p, "scale", "distribution normal");
    }
    p = pareto, p.shape = 0.26;
    refused(p, "shape", "exp(+-87)");
    p = weibull, p.scale = 1e-20, p.shape = 0.5;
    refused(p, "shape", "exp(+-87)");
    p = weibull, p.normal.word_bits = 64;
    refused(p, "word_bits", "weibull");
    if (device.has_f64) {
        p = pareto, p.normal.precision = BAILEY_PRECISION_F64, p.shape = 0.05;
        refused(p, "shape", "exp(+-708)");
    }
    p = log_normal, p.mean = 80, p.stddev = 1.1;
    refused(p, "mean", "exp(87)");
    p.mean = -80;
    refused(p, "mean", "exp(87)");
    if (device.has_f64) {
        p.normal.precision = BAILEY_PRECISION_F64, p.mean = 0, p.stddev = 82;
        refused(p, "mean", "exp(708)");
    }
    const bailey_source source = {.seed = 1};
    refused_at(source, normal, UINT64_MAX - 2, "first", "2^64");
    assert_int_equal(bailey_variates_generate(context, NULL, &normal, 0, 4, NULL, 0), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_variates_generate(context, &source, NULL, 0, 4, NULL, 0), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_variates_generate(context, &source, &normal, 0, 4, NULL, 0),
                     BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_variates_generate(NULL, &source, &normal, 0, 4, NULL, 0), BAILEY_ERROR_INVALID);
    if (!device.has_f64) {
        p = normal, p.normal.precision = BAILEY_PRECISION_F64;
        bailey_buffer *buffer = poisoned(64);
        assert_int_equal(bailey_variates_generate(context, &source, &p, 0, 4, buffer, 0),
                         BAILEY_ERROR_UNSUPPORTED);
        free(harvest(buffer, 64));
    }
}

/* ---- Correlated vectors ----------------------------------------------------------------------- */

/* A lower triangular factor with some zeros; above the diagonal what must not be read. */
static double *some_factor(uint32_t dims, uint64_t seed)
{
    double *c = allocate(sizeof *c * dims * dims);
    for (uint32_t i = 0; i < dims; i++)
        for (uint32_t j = 0; j < dims; j++)
            c[i * dims + j] = j > i ? NAN : next_random(&seed) % 7 ? next_uniform(&seed) * 2 - 1 : 0;
    return c;
}

static void correlate(uint32_t dims, uint64_t count, int f64, int host)
{
    const size_t element = f64 ? 8 : 4;
    const uint64_t total = dims * count, bytes = total * element;
    double *c = some_factor(dims, dims);
    const bailey_source source = {.seed = count};
    const bailey_precision precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    bailey_buffer *z = poisoned(bytes), *x = poisoned(bytes);
    OK(bailey_normals_generate(context, &source, &(bailey_normal_params){.precision = precision}, 0, total, z,
                               0));
    unsigned char *in = allocate(bytes), *expected = allocate(bytes), *memory = NULL;
    OK(bailey_buffer_read(z, 0, in, bytes));
    for (uint64_t v = 0; v < count; v++)
        for (uint32_t i = 0; i < dims; i++)
            if (f64) {
                const double *from = (const double *)(void *)in;
                double sum = c[i * dims] * from[v];
                for (uint32_t j = 1; j <= i; j++) sum = fma(c[i * dims + j], from[j * count + v], sum);
                ((double *)(void *)expected)[i * count + v] = sum;
            } else {
                const float *from = (const float *)(void *)in;
                float sum = (float)c[i * dims] * from[v];
                for (uint32_t j = 1; j <= i; j++)
                    sum = fmaf((float)c[i * dims + j], from[j * count + v], sum);
                ((float *)(void *)expected)[i * count + v] = sum;
            }
    char what[80];
    snprintf(what, sizeof what, "%u dims, %llu vectors, f%d", (unsigned)dims, (unsigned long long)count,
             f64 ? 64 : 32);
    if (host) { /* both sides in the caller's memory, the output with guards behind it */
        bailey_buffer *from = NULL, *to = NULL;
        memory = allocate(bytes + GUARD_BYTES);
        memset(memory, POISON, bytes + GUARD_BYTES);
        OK(bailey_buffer_adopt_host(context, in, bytes, &from));
        OK(bailey_buffer_adopt_host(context, memory, bytes + GUARD_BYTES, &to));
        OK(bailey_normals_correlate(context, c, dims, precision, count, from, to));
        OK(bailey_context_sync(context));
        bailey_buffer_destroy(from);
        bailey_buffer_destroy(to);
        same_bits(what, memory, expected, total, element);
        for (int i = 0; i < GUARD_BYTES; i++) assert_int_equal(memory[bytes + (uint64_t)i], POISON);
    }
    OK(bailey_normals_correlate(context, c, dims, precision, count, z, x));
    unsigned char *found = harvest(x, bytes), *kept = harvest(z, bytes);
    same_bits(what, found, expected, total, element);
    same_bits("z is kept", kept, in, total, element);
    free(found);
    free(kept);
    free(memory);
    free(in);
    free(expected);
    free(c);
}

TEST(test_correlate, DEVICE | LONG_ON_OPENCL)
{
    static const uint32_t dims[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 17, 63, 64};
    static const uint64_t counts[] = {1, 3, 4, 63, 64, 257, 1000};
    for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++)
                correlate(dims[d], counts[c], f64, c % 2);
    correlate(5, 100003, 0, 0);
}

/* Several calls in a row, each with its own factor, without waiting in between. */
TEST(factors_in_turn, DEVICE)
{
    enum { CALLS = 8, COUNT = 20000 };
    bailey_buffer *z = poisoned(COUNT * 4), *x[CALLS];
    const bailey_source source = {.seed = 1};
    OK(bailey_normals_generate(context, &source, NULL, 0, COUNT, z, 0));
    for (int k = 0; k < CALLS; k++) {
        x[k] = poisoned(COUNT * 4);
        const double c = k + 1;
        OK(bailey_normals_correlate(context, &c, 1, BAILEY_PRECISION_F32, COUNT, z, x[k]));
    }
    float *in = harvest(z, COUNT * 4);
    for (int k = 0; k < CALLS; k++) {
        float *out = harvest(x[k], COUNT * 4);
        for (int i = 0; i < COUNT; i++) assert_true(out[i] == (float)(k + 1) * in[i]);
        free(out);
    }
    free(in);
}

/* The covariance that was asked for: C C' of 5 dimensions, each entry within 4.5 standard errors. */
TEST(covariance, DEVICE)
{
    enum { DIMS = 5 };
    const uint64_t count = getenv("BAILEY_TEST_QUICK") ? 20000 : 200000;
    double *c = some_factor(DIMS, 12);
    const bailey_source source = {.seed = 3};
    bailey_buffer *z = poisoned(DIMS * count * 4), *x = poisoned(DIMS * count * 4);
    OK(bailey_normals_generate(context, &source, NULL, 0, DIMS * count, z, 0));
    OK(bailey_normals_correlate(context, c, DIMS, BAILEY_PRECISION_F32, count, z, x));
    free(harvest(z, DIMS * count * 4));
    float *found = harvest(x, DIMS * count * 4);
    double wanted[DIMS][DIMS] = {{0}};
    for (int a = 0; a < DIMS; a++)
        for (int b = 0; b < DIMS; b++)
            for (int k = 0; k <= (a < b ? a : b); k++) wanted[a][b] += c[a * DIMS + k] * c[b * DIMS + k];
    for (int a = 0; a < DIMS; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (uint64_t v = 0; v < count; v++)
                sum += (double)found[(uint64_t)a * count + v] * (double)found[(uint64_t)b * count + v];
            const double deviation =
                sqrt((wanted[a][a] * wanted[b][b] + wanted[a][b] * wanted[a][b]) / (double)count);
            const double off = sum / (double)count - wanted[a][b];
            if (!(fabs(off) <= 4.5 * deviation)) fail_msg("covariance [%d][%d] is off by %g", a, b, off);
        }
    free(found);
    free(c);
}

/* A bridge of one step of length 1 makes C z. */
TEST(test_bridge, DEVICE)
{
    enum { DIMS = 6, COUNT = 500 };
    const double time = 1;
    double *c = some_factor(DIMS, 4);
    const bailey_bridge_params params = {.times = &time, .steps = 1, .dims = DIMS, .factor = c};
    const bailey_source source = {.seed = 9};
    bailey_bridge *bridge = NULL;
    bailey_buffer *z = poisoned(DIMS * COUNT * 4), *x = poisoned(DIMS * COUNT * 4),
                  *path = poisoned(DIMS * COUNT * 4);
    OK(bailey_normals_generate(context, &source, NULL, 0, DIMS * COUNT, z, 0));
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_bridge_build(bridge, COUNT, z, path));
    OK(bailey_normals_correlate(context, c, DIMS, BAILEY_PRECISION_F32, COUNT, z, x));
    bailey_bridge_destroy(bridge);
    free(harvest(z, DIMS * COUNT * 4));
    float *a = harvest(x, DIMS * COUNT * 4), *b = harvest(path, DIMS * COUNT * 4);
    same_bits("a bridge's C z", a, b, DIMS * COUNT, 4);
    free(a);
    free(b);
    free(c);
}

static void correlate_refused(const double *factor, uint32_t dims, bailey_precision precision, uint64_t count,
                              bailey_buffer *z, bailey_buffer *x, const char *words)
{
    assert_int_equal(bailey_normals_correlate(context, factor, dims, precision, count, z, x),
                     BAILEY_ERROR_INVALID);
    if (!strstr(bailey_error_message(), words))
        fail_msg("'%s' does not say %s", bailey_error_message(), words);
}

TEST(correlate_refusals, DEVICE)
{
    const bailey_precision f32 = BAILEY_PRECISION_F32;
    const double good[] = {1, 0, 0.5, 0.5}, nan[] = {1, 0, NAN, 1}, large[] = {1, 0, 0.5, 1e39},
                 tiny[] = {1, 0, 1e-39, 1}, infinite[] = {INFINITY, 0, 0, 1};
    bailey_buffer *z = poisoned(64), *x = poisoned(64);
    correlate_refused(NULL, 2, f32, 4, z, x, "factor is NULL");
    correlate_refused(good, 0, f32, 4, z, x, "dims is 0");
    correlate_refused(good, 65, f32, 4, z, x, "dims is 65, not from 1 to 64");
    correlate_refused(nan, 2, f32, 4, z, x, "factor[1][0]");
    correlate_refused(infinite, 2, f32, 4, z, x, "factor[0][0]");
    correlate_refused(large, 2, f32, 4, z, x, "factor[1][1] = 1e+39");
    correlate_refused(tiny, 2, f32, 4, z, x, "factor[1][0] = 1e-39");
    correlate_refused(good, 2, (bailey_precision)5, 4, z, x, "precision is 5");
    correlate_refused(good, 2, f32, 0, z, x, "count is 0");
    correlate_refused(good, 2, f32, UINT64_MAX / 2, z, x, "count is");
    correlate_refused(good, 2, f32, 1000, z, x, "z holds 80 elements");
    correlate_refused(good, 2, f32, 4, NULL, x, "z is NULL");
    correlate_refused(good, 2, f32, 4, z, NULL, "x is NULL");
    correlate_refused(good, 2, f32, 4, z, z, "same buffer");
    assert_int_equal(bailey_normals_correlate(NULL, good, 2, f32, 4, z, x), BAILEY_ERROR_INVALID);
    if (device.has_f64)
        correlate_refused(good, 2, BAILEY_PRECISION_F64, 1000, z, x, "z holds 40 elements");
    else
        assert_int_equal(bailey_normals_correlate(context, good, 2, BAILEY_PRECISION_F64, 1, z, x),
                         BAILEY_ERROR_UNSUPPORTED);
    bailey_buffer_destroy(z);
    unsigned char *untouched = harvest(x, 64);
    for (int i = 0; i < 64; i++) assert_int_equal(untouched[i], POISON);
    free(untouched);
}
