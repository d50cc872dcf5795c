/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Checks the tables of the inverse CDF against what bailey/device/icdf_table.h promises, and vectors against
 * one lane.
 *
 *     test_icdf_table FOLDER           a sample and all joints, seconds
 *     test_icdf_table FOLDER --full    f32 on every word, vectors too (minutes), 10^7 samples in f64
 *
 * FOLDER has the tables. BAILEY_TEST_LARGE in the environment is --full. ICDF_FORMS lists the forms of
 * icdf_lanes.c that are compared with one lane, bit for bit, as FORM(name) FORM(name). Without them: gcc
 * -std=gnu11 -O2 -march=native -ffp-contract=off -Iinclude tests/test_icdf_table.c -lquadmath -lm
 *
 * The errors are in units in the last place of the exact result, whose binade sets the unit. The value under
 * test is inverted: its distance to the exact deviate is (CDF(x) - u) / density(x), with the CDF from erf or
 * erfc, whichever is small; in double for f32 (2^-28 ulp), in quad for f64.
 */
#include "icdf_lanes.h"

#include <bailey/device/icdf_table.h>
#include <bailey/device/philox.h>

#include <inttypes.h>
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>

static const double bound_f32 = 2.2, bound_f64 = 2.0;

static _Alignas(64) float table_f32[4 * BAILEY_ICDF_ALL_ROWS_F32];
static _Alignas(64) double table_f64[8 * BAILEY_ICDF_ROWS_F64];
static int failures;

typedef struct worst {
    double error, sum;
    uint64_t at, samples;
} worst;

static void note(worst *w, double error, uint64_t at)
{
    w->samples++;
    w->sum += error;
    if (!(error <= w->error)) {
        w->error = error;
        w->at = at;
    }
}

static void verdict(const char *name, const worst *w, double bound)
{
    const int ok = w->error <= bound;
    printf("%-24s %11" PRIu64 " words  max error %.5f ulp (bound %g) at %" PRIx64 ", mean %.4f%s\n", name,
           w->samples, w->error, bound, w->at, w->sum / (double)w->samples, ok ? "" : "  EXCEEDED");
    fflush(stdout);
    failures += !ok;
}

static void require(int ok, const char *what, uint64_t at)
{
    if (ok) return;
    if (failures < 20) printf("%s fails at %" PRIx64 "\n", what, at);
    failures++;
}

static void load(const char *folder, const char *name, void *to, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (f == NULL || fread(to, 1, size, f) != size || fgetc(f) != EOF) {
        fprintf(stderr, "%s is not the table\n", path);
        exit(2);
    }
    fclose(f);
}

static uint64_t mix(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
}

/* A word of the upper half: uniform, near 1/2, far out, or next to a joint of two pieces, at every scale. */
static uint64_t sample(uint64_t i)
{
    const uint64_t r = mix(2 * i), s = mix(2 * i + 1), top = UINT64_C(1) << 63;
    const unsigned shift = s >> 8 & 63, near = s >> 16 & 63;
    switch (s & 3) {
    case 0: return r | top;
    case 1: return (r >> 1 >> shift) | top;
    case 2: return ~(r >> 1 >> shift);
    default: {
        const uint64_t joint = ((32 + (r & 31)) << 57) >> shift;
        const uint64_t k = s & 4 ? joint + (r >> near >> 6) : joint - (r >> near >> 6);
        return ~(k & ~top);
    }
    }
}

/* ---- Errors --------------------------------------------------------------------------------- */

/* Of x > 0, in ulp of the exact deviate whose upper tail is `tail`. */
static double error_f32(double tail, double x)
{
    const double density = exp(-0.5 * x * x) * 0.39894228040143267794;
    double d;
    if (tail < 0.25)
        d = (tail - 0.5 * erfc(x * M_SQRT1_2)) / density;
    else
        d = (0.5 * erf(x * M_SQRT1_2) - (0.5 - tail)) / density;
    return fabs(d) / ldexp(1.0, ilogb(x - d) - 23);
}

/* One Newton step has an error of d^2 x / 2, negligible compared with one ulp of d. */
static double error_quad(__float128 tail, __float128 centre, __float128 x, int digits)
{
    const __float128 density = expq(-x * x / 2) / sqrtq(2 * M_PIq), y = x / sqrtq(2);
    const __float128 d = (tail < 0.25Q ? tail - erfcq(y) / 2 : erfq(y) / 2 - centre) / density;
    return (double)(fabsq(d) / ldexpq(1, ilogbq(x - d) - digits + 1));
}

static void accuracy_f32(uint64_t step)
{
    worst w = {0};
    for (uint64_t k = 0; k < UINT64_C(1) << 31; k += step)
        note(&w, error_f32(((double)k + 0.5) * 0x1p-32, bailey_normal_icdf_f32(table_f32, ~(uint32_t)k)), k);
    verdict("f32 from u32", &w, bound_f32);
}

static void accuracy_quad(uint64_t samples)
{
    worst f64 = {0}, from32 = {0}, from64 = {0};
    for (uint64_t i = 0; i < samples; i++) {
        const uint64_t w = sample(i), k = ~w >> 11;
        const __float128 tail = ldexpq(k + 0.5Q, -53);
        note(&f64, error_quad(tail, 0.5Q - tail, bailey_normal_icdf_f64(table_f64, w), 53), w);
        if (i % 4 == 0) {
            const __float128 t = ldexpq((uint32_t)(~w >> 32) + 0.5Q, -32);
            const double x = bailey_normal_icdf_f64_from_u32(table_f64, (uint32_t)(w >> 32));
            note(&from32, error_quad(t, 0.5Q - t, x, 53), w);
        }
        if (i % 4 == 1) {
            const __float128 t = ldexpq(~w + 0.5Q, -64);
            note(&from64, error_quad(t, 0.5Q - t, bailey_normal_icdf_f32_from_u64(table_f32, w), 24), w);
        }
    }
    verdict("f64 from u64", &f64, bound_f64);
    verdict("f64 from u32", &from32, bound_f64);
    verdict("f32 from u64", &from64, bound_f32);
}

/* ---- Order ---------------------------------------------------------------------------------- */

/* The lower half of the words; the other half follows, as icdf(~w) = -icdf(w) is checked too. */
static void order_f32(uint64_t step)
{
    float last = -INFINITY;
    uint64_t descents = 0, bad = 0;
    for (uint64_t w = 0; w < UINT64_C(1) << 31; w += step) {
        const float x = bailey_normal_icdf_f32(table_f32, (uint32_t)w),
                    y = bailey_normal_icdf_f32(table_f32, ~(uint32_t)w);
        descents += !(x >= last);
        bad += !(y == -x && x < 0 && isfinite(x));
        last = x;
    }
    printf("f32: %" PRIu64 " steps out of order, %" PRIu64 " words not antisymmetric, not finite or zero\n",
           descents, bad);
    failures += descents != 0 || bad != 0;
}

/* Inside a piece the signs suffice. Coefficients: those of u, or of -u. */
static void signs(void)
{
    for (int i = 0; i < 4 * BAILEY_ICDF_ALL_ROWS_F32; i++)
        require(i % 2 ? table_f32[i] <= 0 : table_f32[i] >= 0, "sign f32", (uint64_t)i);
    for (int i = 0; i < 8 * BAILEY_ICDF_ROWS_F64; i++) require(table_f64[i] >= 0, "sign f64", (uint64_t)i);
    for (int k = 0; k < 4; k += 2) require(table_f32[4 * 15 + k] == 0, "odd f32", (uint64_t)k);
    for (int k = 0; k < 8; k += 2) require(table_f64[8 * 31 + k] == 0, "odd f64", (uint64_t)k);
}

/* The deviates of neighbouring words on either side of each joint, from the centre outwards: k is the first
 * word past a joint where there is one. */
#define JOINTS(name, word, icdf, table, bits, low, pieces)                                                   \
    static void name(void)                                                                                   \
    {                                                                                                        \
        unsigned joints = 0;                                                                                 \
        for (int n = 0; n < (bits)-1; n++)                                                                   \
            for (uint64_t j = (pieces); j < 2 * (pieces); j++) {                                             \
                const int shift = (bits)-2 - n;                                                              \
                const uint64_t k = shift >= (low) ? j << (shift - (low)) : j >> ((low)-shift);               \
                if (k == 0 || k >= UINT64_C(1) << ((bits)-1)) continue;                                      \
                for (uint64_t i = k < 64 ? 1 : k - 63; i < k + 64 && i < UINT64_C(1) << ((bits)-1); i++)     \
                    require(icdf(table, (word) ~(i << (8 * sizeof(word) - (bits)))) <=                       \
                                icdf(table, (word) ~((i - 1) << (8 * sizeof(word) - (bits)))),               \
                            #name, i);                                                                       \
                joints++;                                                                                    \
            }                                                                                                \
        printf(#name ": 127 steps at each of %u joints\n", joints);                                          \
    }
JOINTS(joints_f32, uint32_t, bailey_normal_icdf_f32, table_f32, 32, 4, 16)
JOINTS(joints_f32_from_u64, uint64_t, bailey_normal_icdf_f32_from_u64, table_f32, 64, 4, 16)
JOINTS(joints_f64, uint64_t, bailey_normal_icdf_f64, table_f64, 53, 5, 32)
JOINTS(joints_f64_from_u32, uint32_t, bailey_normal_icdf_f64_from_u32, table_f64, 32, 5, 32)

/* The last value that a row can give, at its lower end, against the first of the next row outwards. */
static void ends_f32(void)
{
    float last = 0;
    for (unsigned n = 0; n < 64; n++)
        for (unsigned j = 16; j-- > 0;) {
            const float *c = table_f32 + 4 * (16 * n + j);
            require(c[0] >= last, "end f32", 16 * n + j);
            last = fmaf(fmaf(fmaf(c[3], -0x1p27f, c[2]), -0x1p27f, c[1]), -0x1p27f, c[0]);
        }
}

static void ends_f64(void)
{
    double last = 0;
    for (unsigned n = 0; n < 53; n++)
        for (unsigned j = 32; j-- > 0;) {
            const double *c = table_f64 + 8 * (32 * n + j);
            require(c[0] >= last, "end f64", 32 * n + j);
            last = c[7];
            for (int k = 6; k >= 0; k--) last = fma(last, 0x1p-5, c[k]);
        }
}

/* Random neighbours: the signs prove the order, this would find an error in the proof. */
static void order_sampled(uint64_t samples)
{
    for (uint64_t i = 0; i < samples; i++) {
        const uint64_t w = sample(i) & ~UINT64_C(0x7ff), v = w + (UINT64_C(0x800) << (mix(~i) & 15));
        if (v < w) continue;
        const double x = bailey_normal_icdf_f64(table_f64, w), y = bailey_normal_icdf_f64(table_f64, v);
        require(x <= y, "order f64", w);
        require(isfinite(x) && x > 0 && bailey_normal_icdf_f64(table_f64, ~w) == -x, "symmetry f64", w);
        const uint64_t a = sample(i), b = a + (UINT64_C(1) << (mix(~i) & 31));
        if (b < a) continue;
        const float p = bailey_normal_icdf_f32_from_u64(table_f32, a),
                    q = bailey_normal_icdf_f32_from_u64(table_f32, b);
        require(p <= q, "order f32 from u64", a);
        require(isfinite(p) && p > 0 && bailey_normal_icdf_f32_from_u64(table_f32, ~a) == -p,
                "symmetry f32 from u64", a);
    }
    for (uint64_t i = 0; i < samples; i++) {
        const uint32_t w = (uint32_t)(sample(i) >> 32), v = w + 1;
        const double x = bailey_normal_icdf_f64_from_u32(table_f64, w);
        require(v == 0 || x <= bailey_normal_icdf_f64_from_u32(table_f64, v), "order f64 from u32", w);
        require(isfinite(x) && x > 0 && bailey_normal_icdf_f64_from_u32(table_f64, ~w) == -x,
                "symmetry f64 from u32", w);
    }
}

/* ---- Lanes ---------------------------------------------------------------------------------- */

#if !defined(ICDF_FORMS)
#define ICDF_FORMS
#endif
#define FORM(name) extern const struct icdf_lanes name;
ICDF_FORMS
#undef FORM
#define FORM(name) &name,
static const struct icdf_lanes *const forms[] = {ICDF_FORMS NULL};
#undef FORM

/* Both halves, samples of every kind, the smallest and the greatest words. */
static uint64_t any_word(uint64_t i)
{
    if (i < 64) return i % 2 ? ~(i >> 1) : i >> 1;
    return i % 2 ? ~sample(i) : sample(i);
}

enum { BATCH = 4096 };
#define SAME(kind, table, function, word, from, value)                                                       \
    static void same_##kind(const struct icdf_lanes *form, uint64_t first)                                   \
    {                                                                                                        \
        static word w[BATCH];                                                                                \
        static value x[BATCH];                                                                               \
        for (uint64_t i = 0; i < BATCH; i++) w[i] = (word)(any_word(first + i) >> (from));                   \
        form->kind(table, w, x, BATCH);                                                                      \
        for (uint64_t i = 0; i < BATCH; i++) {                                                               \
            const value exact = function(table, w[i]);                                                       \
            require(memcmp(&exact, x + i, sizeof exact) == 0, form->name, w[i]);                             \
        }                                                                                                    \
    }
SAME(f32, table_f32, bailey_normal_icdf_f32, uint32_t, 32, float)
SAME(f32_from_u64, table_f32, bailey_normal_icdf_f32_from_u64, uint64_t, 0, float)
SAME(f64, table_f64, bailey_normal_icdf_f64, uint64_t, 0, double)
SAME(f64_many, table_f64, bailey_normal_icdf_f64, uint64_t, 0, double)
SAME(f64_from_u32, table_f64, bailey_normal_icdf_f64_from_u32, uint32_t, 32, double)
SAME(f64_many_from_u32, table_f64, bailey_normal_icdf_f64_from_u32, uint32_t, 32, double)

/* Philox's blocks, with any counter, against one lane. */
static void same_words(const struct icdf_lanes *form, uint64_t sequence)
{
    enum { BLOCKS = 64 };
    const uint64_t seed = mix(sequence), stream = mix(~sequence), first = mix(sequence + 1) - BLOCKS / 2;
    for (int rounds = 7; rounds <= 10; rounds += 3) {
        uint32_t w[3][4 * BLOCKS];
        form->words(rounds, seed, stream, first, w[0], BLOCKS);
        form->words_by_two(rounds, seed, stream, first, w[1], BLOCKS);
        form->elements(rounds, seed, stream, first, w[2], BLOCKS);
        for (uint64_t i = 0; i < BLOCKS; i++) {
            const bailey_philox_block exact = bailey_philox_words4_rounds(rounds, seed, stream, first + i);
            for (int j = 0; j < 3; j++)
                require(memcmp(&exact, w[j] + 4 * i, sizeof exact) == 0, form->name, first + i);
        }
    }
}

static void lanes(uint64_t words)
{
    for (int f = 0; forms[f] != NULL; f++) {
        const int usable = forms[f]->usable();
        for (uint64_t first = 0; usable && first < words; first += BATCH) {
            same_f32(forms[f], first);
            same_f32_from_u64(forms[f], first);
            same_f64(forms[f], first);
            same_f64_from_u32(forms[f], first);
            if (forms[f]->f64_many) same_f64_many(forms[f], first);
            if (forms[f]->f64_many_from_u32) same_f64_many_from_u32(forms[f], first);
        }
        for (uint64_t i = 0; usable && i < 100; i++) same_words(forms[f], i);
        printf("%s: %s\n", forms[f]->name, usable ? "compared" : "not on this processor");
    }
}

#if defined(ICDF_SIGNED)
void icdf_signed(const float *table, const uint32_t *w, float *x, size_t count);

/* Rows that have the sign: words of every kind, and the first and last ones of both halves. */
static void signed_rows(void)
{
    enum { KIND = 1 << 16 };
    static uint32_t w[5 * KIND];
    static float x[5 * KIND];
    for (uint32_t i = 0; i < KIND; i++) {
        const uint32_t words[] = {i, ~i, 0x7fffffffu - i, 0x80000000u + i, (uint32_t)(any_word(i) >> 32)};
        memcpy(w + 5 * i, words, sizeof words);
    }
    icdf_signed(table_f32, w, x, 5 * KIND);
    for (uint32_t i = 0; i < 5 * KIND; i++) {
        const float exact = bailey_normal_icdf_f32(table_f32, w[i]);
        require(memcmp(&exact, x + i, sizeof exact) == 0, "rows with a sign", w[i]);
    }
    printf("rows with a sign: %d words compared\n", 5 * KIND);
}
#endif

/* Every word in single precision, in all forms; a failure gives the first word of its batch. */
static void lanes_every_word(void)
{
    static uint32_t w[BATCH];
    static float exact[BATCH], x[BATCH];
    for (uint64_t first = 0; first < UINT64_C(1) << 32; first += BATCH) {
        for (uint64_t i = 0; i < BATCH; i++) {
            w[i] = (uint32_t)(first + i);
            exact[i] = bailey_normal_icdf_f32(table_f32, w[i]);
        }
        for (int f = 0; forms[f] != NULL; f++) {
            if (!forms[f]->usable()) continue;
            forms[f]->f32(table_f32, w, x, BATCH);
            require(memcmp(exact, x, sizeof x) == 0, forms[f]->name, first);
        }
    }
    printf("f32: all 2^32 words compared in every form that this processor has\n");
}

int main(int argc, char **argv)
{
    const int asked = argc == 3 && strcmp(argv[2], "--full") == 0,
              full = asked || getenv("BAILEY_TEST_LARGE");
    if (argc != 2 + asked) return 2;
    load(argv[1], "icdf_f32.bin", table_f32, sizeof table_f32);
    load(argv[1], "icdf_f64.bin", table_f64, sizeof table_f64);
    signs();
    ends_f32();
    ends_f64();
    joints_f32();
    joints_f32_from_u64();
    joints_f64();
    joints_f64_from_u32();
    lanes(full ? 10000000 : 1000000);
#if defined(ICDF_SIGNED)
    signed_rows();
#endif
    if (full) lanes_every_word();
    order_f32(full ? 1 : 1021);
    order_sampled(full ? 10000000 : 1000000);
    accuracy_quad(full ? 10000000 : 200000);
    accuracy_f32(full ? 1 : 1021);
    printf("range f32 %.9g, f32 from u64 %.9g, f64 %.17g, f64 from u32 %.17g\n",
           bailey_normal_icdf_f32(table_f32, ~0u), bailey_normal_icdf_f32_from_u64(table_f32, ~UINT64_C(0)),
           bailey_normal_icdf_f64(table_f64, ~UINT64_C(0)), bailey_normal_icdf_f64_from_u32(table_f64, ~0u));
    printf(failures ? "%d failures\n" : "all as promised\n", failures);
    return failures != 0;
}
