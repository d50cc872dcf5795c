/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Wallace's normals on a device against a plain reference that follows the order contract value by value
 * (bailey/device/wallace.h); and their statistics, with those of fewer passes to show that the tests see what
 * they look for.
 */
#include "harness.h"

#include <bailey/device/wallace.h>

#include <math.h>

enum { POOL = 1024, POOLS = 16, RUN = POOL * POOLS };

/* ---- The reference ---------------------------------------------------------------------------- */

static uint32_t hash_word(uint32_t tag, uint64_t seed, uint64_t stream, uint64_t run, uint32_t index,
                          uint32_t word)
{
    return bailey_run_hash(tag, seed, stream, run, index).word[word];
}

static void reference_start(uint64_t seed, uint64_t stream, uint64_t run, float *pool)
{
    float sums[32] = {0};
    for (uint32_t i = 0; i < POOL; i++) {
        pool[i] = bailey_normal_icdf_f32(TABLE_F32, hash_word(14, seed, stream, run, i / 4, i % 4));
        sums[i / 4 % 32] = fmaf(pool[i], pool[i], sums[i / 4 % 32]);
    }
    for (int w = 16; w; w /= 2)
        for (int l = 0; l < w; l++) sums[l] = sums[l] + sums[l + w];
    const float unit = bailey_wallace_unit(sums[0]);
    assert_true(fabs(unit / sqrt(POOL / (double)sums[0]) - 1) < 2 * 0x1p-23);
    for (uint32_t i = 0; i < POOL; i++) pool[i] = unit * pool[i];
}

/* Where slot s of the next pool has component j of its map from. */
static uint32_t reference_source(uint32_t word, uint32_t slot, uint32_t j)
{
    const uint32_t x = word & 1023, c = word >> 10 & 1023, m = 2 * (word >> 20 & 511) + 1;
    const uint32_t l = slot / 4 % 32, k = slot / 128 * 4 + j;
    return ((((l ^ k) + 32 * k) * m + c) % 1024) ^ x;
}

static void reference_pass(uint32_t word, float *pool)
{
    static const double a[4][4] = {{1, -1, -1, -1}, {-1, 1, -1, -1}, {1, 1, -1, 1}, {1, 1, 1, -1}};
    float old[POOL];
    memcpy(old, pool, sizeof old);
    for (uint32_t s = 0; s < POOL; s += 4) {
        const float sign = word >> (30 + s / 128 % 2) & 1 ? -1.0f : 1.0f;
        float b[4];
        for (uint32_t j = 0; j < 4; j++) b[j] = old[reference_source(word, s, j)];
        const float t = 0.5f * ((b[0] + b[1]) + (b[2] + b[3]));
        pool[s] = sign * (b[0] - t), pool[s + 1] = sign * (b[1] - t);
        pool[s + 2] = sign * (t - b[2]), pool[s + 3] = sign * (t - b[3]);
        for (uint32_t j = 0; j < 4; j++) { /* it is the matrix that it should be */
            double sum = 0;
            for (int i = 0; i < 4; i++) sum += a[j][i] / 2 * (double)b[i];
            if (fabs(sum - (double)(sign * pool[s + j])) > 1e-5) fail_msg("row %u of the map", (unsigned)j);
        }
    }
}

static void reference_run(uint64_t seed, uint64_t stream, uint64_t run, float *normals)
{
    float pool[POOL];
    reference_start(seed, stream, run, pool);
    for (uint32_t n = 0; n < POOLS; n++) {
        for (uint32_t t = 0; t < 4; t++) reference_pass(hash_word(15, seed, stream, run, n, t), pool);
        const float z = bailey_normal_icdf_f32(TABLE_F32, hash_word(15, seed, stream, run, POOLS + n, 0));
        const double a = pow(1 - 1.0 / POOL, 0.25);
        const float scale = fmaf((float)sqrt(1 - a * a), z, (float)a);
        for (uint32_t i = 0; i < POOL; i++) normals[POOL * n + i] = scale * pool[i];
    }
}

/* ---- Fills ------------------------------------------------------------------------------------ */

static const bailey_normal_params wallace = {.method = BAILEY_NORMAL_METHOD_WALLACE};

static void check_fill(const bailey_source *source, bailey_numerics numerics, uint64_t first, uint64_t count,
                       uint64_t shift)
{
    static float run_normals[RUN];
    const bailey_normal_params normal = {.method = BAILEY_NORMAL_METHOD_WALLACE, .numerics = numerics};
    uint64_t have = UINT64_MAX;
    float *expected = allocate(count * 4);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t run = (first + i) / RUN;
        if (run != have) reference_run(source->seed, source->stream, have = run, run_normals);
        expected[i] = run_normals[(first + i) % RUN];
    }
    char what[120];
    snprintf(what, sizeof what, "first %llu, %llu normals after %llu", (unsigned long long)first,
             (unsigned long long)count, (unsigned long long)shift);
    bailey_buffer *buffer = poisoned((shift + count) * 4);
    OK(bailey_normals_generate(context, source, &normal, first, count, buffer, shift));
    uint32_t *found = harvest(buffer, (shift + count) * 4);
    for (uint64_t i = 0; i < shift; i++) assert_int_equal(found[i], 0xA5A5A5A5u);
    same_bits(what, found + shift, expected, count, 4);
    free(found);
    free(expected);
}

TEST(runs, DEVICE | LONG_ON_OPENCL)
{
    static const struct {
        uint64_t first, count, shift;
    } cases[] = {
        {0, 2 * RUN, 0},
        {0, 1, 3},
        {1, 5, 1},
        {RUN - 1, 2, 0},
        {RUN - 130, 700, 2},
        {POOL - 1, 2, 0},
        {5 * RUN + 4, 2 * RUN, 5},
        {3 * POOL, 2 * POOL, 4},
        {UINT64_C(0x123456789abc) * RUN + 77, RUN + 1, 4},
        {UINT64_MAX - 300, 301, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const bailey_source source = {.seed = UINT64_C(0xfedcba9876543210) + c,
                                      .stream = c % 2 ? UINT64_C(0x8000000000000001) : 0};
        check_fill(&source, c % 3 ? BAILEY_NUMERICS_EXACT : BAILEY_NUMERICS_FAST, cases[c].first,
                   cases[c].count, cases[c].shift);
    }
}

static void refused(bailey_source source, bailey_normal_params normal, uint64_t first, const char *word)
{
    bailey_buffer *buffer = poisoned(64);
    normal.method = BAILEY_NORMAL_METHOD_WALLACE;
    assert_int_equal(bailey_normals_generate(context, &source, &normal, first, 4, buffer, 0),
                     BAILEY_ERROR_INVALID);
    if (!strstr(bailey_error_message(), word))
        fail_msg("'%s' does not name %s", bailey_error_message(), word);
    free(harvest(buffer, 64));
}

TEST(refusals, DEVICE)
{
    const bailey_source good = {.seed = 1};
    refused(good, (bailey_normal_params){.precision = BAILEY_PRECISION_F64}, 0, "precision");
    refused(good, (bailey_normal_params){.precision = (bailey_precision)2}, 0, "precision");
    refused(good, (bailey_normal_params){.numerics = (bailey_numerics)2}, 0, "numerics");
    for (int g = 0; g < GENERATORS; g++)
        if (g != BAILEY_GENERATOR_PHILOX)
            refused((bailey_source){.generator = (bailey_generator)g}, wallace, 0, "generator");
    refused((bailey_source){.sequence = BAILEY_SEQUENCE_PUBLISHED}, wallace, 0, "sequence");
    refused((bailey_source){.warp_set = 1}, wallace, 0, "warp_set");
    refused(good, wallace, UINT64_MAX - 2, "first");
}

/* ---- Statistics ------------------------------------------------------------------------------- */

#define SIGMA 4.5

static void within(const char *what, double z)
{
    if (getenv("BAILEY_TEST_VERBOSE")) printf("%-40s %8.3f\n", what, z);
    if (!(fabs(z) < SIGMA)) fail_msg("%s: %g standard deviations", what, z);
}

/* A permutation, of whatever key. */
TEST(permutation, DEVICE)
{
    uint64_t random = 3;
    for (int i = 0; i < 2000; i++) {
        const uint32_t word = (uint32_t)next_random(&random);
        unsigned char seen[POOL] = {0};
        for (uint32_t s = 0; s < POOL; s += 4)
            for (uint32_t j = 0; j < 4; j++) {
                const uint32_t at = reference_source(word, s, j);
                assert_true(at < POOL && !seen[at]);
                seen[at] = 1;
            }
    }
}

/* The correlation of y[n] with y[n + lag], n and n + lag in the same run of `run` values. */
static double correlation(const double *y, size_t count, size_t run, size_t lag, size_t *pairs)
{
    double mean = 0, square = 0, product = 0;
    for (size_t i = 0; i < count; i++) mean += y[i];
    mean /= (double)count;
    for (size_t i = 0; i < count; i++) square += (y[i] - mean) * (y[i] - mean);
    *pairs = 0;
    for (size_t i = 0; i + lag < count; i++) {
        if (i % run + lag >= run) continue;
        product += (y[i] - mean) * (y[i + lag] - mean);
        ++*pairs;
    }
    return product / (double)*pairs / (square / (double)count);
}

static double hermite_4(const float *x)
{
    double sum = 0;
    for (int i = 0; i < POOL; i++) {
        const double s = (double)x[i] * (double)x[i];
        sum += s * s - 6 * s + 3;
    }
    return sum;
}

/* Sums of fourth Hermite polynomials of successive pools have correlation (1/4 - 9/4 / (K - 1))^P after P
 * passes (docs/records/quality.md): seen at P = 1 and 2, so that the test would see it at 4. Sums of squares keep
 * their value. */
TEST(test_passes, DEVICE)
{
    enum { RUNS = 1500, CHAIN = POOLS + 1 };
    if (device.kind != BAILEY_DEVICE_KIND_CPU || strncmp(device.address, "cpu", 3) != 0) return;
    static double y[RUNS * CHAIN];
    static bailey_wallace g;
    for (int passes = 1; passes <= 4; passes *= 2) {
        double worst = 0;
        for (uint64_t run = 0; run < RUNS; run++) {
            bailey_wallace_start(&g, TABLE_F32, 99, 0, run);
            for (uint32_t n = 0; n < CHAIN; n++) {
                if (n) bailey_wallace_next(passes, &g, n - 1);
                y[run * CHAIN + n] = hermite_4(g.pool[g.now]);
            }
            double sum = 0;
            for (int i = 0; i < POOL; i++) sum += (double)g.pool[g.now][i] * (double)g.pool[g.now][i];
            if (fabs(sum / POOL - 1) > worst) worst = fabs(sum / POOL - 1);
        }
        if (worst > 1e-5) fail_msg("%d passes: sum of squares off by %g of itself", passes, worst);
        size_t pairs;
        const double rho = correlation(y, RUNS * CHAIN, CHAIN, 1, &pairs),
                     law = pow(0.25 - 2.25 / (POOL - 1), passes);
        const double deviation = 1 / sqrt((double)pairs);
        char what[60];
        snprintf(what, sizeof what, "%d passes, correlation %.4f, law %.4f", passes, rho, law);
        within(what, (rho - law) / deviation);
        if (passes < 4 && rho < SIGMA * deviation) fail_msg("%s: not seen", what);
    }
}

TEST(statistics, DEVICE)
{
    enum { RUNS = 640, COUNT = RUNS * RUN, ROWS = RUNS * POOLS, BINS = 1000, MOMENTS = 8 };
    if (device.kind != BAILEY_DEVICE_KIND_CPU || strncmp(device.address, "cpu", 3) != 0) return;
    const bailey_source source = {.seed = 2026, .stream = 1};
    bailey_buffer *buffer = poisoned((uint64_t)COUNT * 4);
    OK(bailey_normals_generate(context, &source, &wallace, 0, COUNT, buffer, 0));
    float *x = harvest(buffer, (uint64_t)COUNT * 4);

    /* Moments: E x^2k = (2k - 1)!!. Equal cells of the distribution function. */
    double moment[MOMENTS + 1] = {0}, expected[2 * MOMENTS + 1] = {1};
    for (int k = 2; k <= 2 * MOMENTS; k += 2) expected[k] = expected[k - 2] * (k - 1);
    static uint32_t cell[BINS];
    memset(cell, 0, sizeof cell);
    for (size_t i = 0; i < COUNT; i++) {
        double power = 1;
        for (int k = 1; k <= MOMENTS; k++) moment[k] += power *= (double)x[i];
        if (i % 4 == 0) cell[(int)(0.5 * erfc(-(double)x[i] * M_SQRT1_2) * BINS)]++;
    }
    char what[60];
    for (int k = 1; k <= MOMENTS; k++) {
        snprintf(what, sizeof what, "moment %d", k);
        within(what, (moment[k] / COUNT - expected[k]) /
                         sqrt((expected[2 * k] - expected[k] * expected[k]) / COUNT));
    }
    double chi = 0;
    const double each = (double)COUNT / 4 / BINS;
    for (int i = 0; i < BINS; i++) chi += (cell[i] - each) * (cell[i] - each) / each;
    within("chi-square of 1000 cells", (chi - (BINS - 1)) / sqrt(2.0 * (BINS - 1)));

    /* Sums over pools, of He_1 .. He_4. */
    static double sums[4][ROWS];
    for (size_t n = 0; n < ROWS; n++) {
        const float *pool = x + n * POOL;
        sums[0][n] = sums[1][n] = sums[2][n] = 0;
        sums[3][n] = hermite_4(pool);
        for (int i = 0; i < POOL; i++) {
            const double v = (double)pool[i];
            sums[0][n] += v, sums[1][n] += v * v, sums[2][n] += v * v * v - 3 * v;
        }
    }
    for (int h = 0; h < 4; h++)
        for (size_t lag = 1; lag <= 4; lag++) {
            size_t pairs;
            const double rho = correlation(sums[h], ROWS, POOLS, lag, &pairs);
            snprintf(what, sizeof what, "sums of He_%d, lag %d", h + 1, (int)lag);
            within(what, rho * sqrt((double)pairs));
        }
    /* Sums of squares: chi-square of K. Its fourth central moment is 12 K^2 + 48 K. */
    double mean = 0, variance = 0;
    for (size_t n = 0; n < ROWS; n++) mean += sums[1][n] / ROWS;
    for (size_t n = 0; n < ROWS; n++) variance += (sums[1][n] - POOL) * (sums[1][n] - POOL) / ROWS;
    within("sums of squares, mean", (mean - POOL) / sqrt(2.0 * POOL / ROWS));
    within("sums of squares, variance",
           (variance - 2 * POOL) / sqrt((8.0 * POOL * POOL + 48.0 * POOL) / ROWS));

    /* Neighbours, and the same slot of the next pool. */
    for (size_t lag = 1; lag <= POOL; lag = lag < 64 ? lag + 1 : lag < POOL ? POOL : POOL + 1) {
        enum { LOOKED = COUNT / 4 };
        double first = 0, second = 0;
        for (size_t i = 0; i < LOOKED; i++) {
            const double a = (double)x[i], b = (double)x[i + lag];
            first += a * b, second += (a * a - 1) * (b * b - 1);
        }
        snprintf(what, sizeof what, "values %d apart", (int)lag);
        within(what, first / sqrt((double)LOOKED));
        snprintf(what, sizeof what, "squares %d apart", (int)lag);
        within(what, second / 2 / sqrt((double)LOOKED));
    }
    free(x);
}
