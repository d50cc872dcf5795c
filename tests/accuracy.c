/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Measures the errors of the exact lane functions against references of much higher precision and
 * fails when one exceeds the bound that its header states.
 *
 *     accuracy            a stratified and random sample, seconds
 *     accuracy --full     inverse CDF, exponential deviates and square root f32 on every input, 10^7 samples
 *                         in f64; minutes
 *     accuracy --fast-box-muller FILE | --fast-exp FILE
 *
 * The last are errors of values computed elsewhere (the fast profile on a GPU), from raw records { word,
 * word, value, value }, { argument, value }.
 *
 * Build: gcc -std=gnu11 -O2 -march=native -ffp-contract=off -Iinclude tests/accuracy.c
 *            -lbailey -lquadmath -lm [-fopenmp]
 *
 * Errors are in units in the last place of the exact result, whose binade sets the unit. The inverse
 * CDF is inverted at the value under test: the distance to the exact deviate is
 * (CDF(x) - u) / density(x) up to a relative 2^-20 of itself, with the CDF from erf or erfc, whichever
 * is small. f32 uses the C library's double functions for that (relative error some 2^-51, hence
 * 2^-28 ulp here), f64 uses libquadmath.
 */
#include "accuracy.h"

#include <bailey/advanced.h>
#include <bailey/device/distribution.h>

#include <stdlib.h>

/* The bounds that math.h, normal.h and distribution.h promise. */
static const double bound_exp_f32 = 1.5, bound_exp_f64 = 1.5;
static const double bound_exponential_f32 = 5.5, bound_exponential_f64 = 4;
static const double bound_quantile = 0.51;
static const double bound_icdf_f32 = 2.2, bound_icdf_f64 = 2;
static const double bound_box_muller_f32 = 7, bound_box_muller_f64 = 4.5;
static const double bound_fast_box_muller = 0x1p-17; /* absolute */

static const float *table_f32;
static const double *table_f64;

/* ---- Inverse CDF ---------------------------------------------------------------------------- */

/* x minus the exact deviate of (w + 1/2) / 2^32, and that deviate. */
static double icdf_distance_f32(uint32_t w, double x, double *exact)
{
    double tail = ((w >> 31 ? ~w : w) + 0.5) * 0x1p-32, a = w >> 31 ? x : -x, d;
    double density = exp(-0.5 * a * a) * 0.39894228040143267794;
    if (tail < 0.25)
        d = (tail - 0.5 * erfc(a * M_SQRT1_2)) / density;
    else
        d = (0.5 * erf(a * M_SQRT1_2) - (0.5 - tail)) / density;
    *exact = a - d;
    return d;
}

static void check_icdf_f32(worst *w, uint32_t word)
{
    float x = bailey_normal_icdf_f32(table_f32, word), mirrored = bailey_normal_icdf_f32(table_f32, ~word);
    double exact, d = icdf_distance_f32(word, x, &exact);
    if (!isfinite(x) || x == 0 || mirrored != -x) broke(w, word, 0);
    note(w, fabs(d) / ulp_f32(exact), word, 0);
}

static void check_icdf_f64(worst *w, uint64_t word)
{
    double x = bailey_normal_icdf_f64(table_f64, word), mirrored = bailey_normal_icdf_f64(table_f64, ~word);
    int upper = (int)(word >> 63);
    __float128 tail = ((upper ? ~word : word) >> 11) + 0.5Q, a = upper ? x : -x, d;
    tail = ldexpq(tail, -53);
    __float128 density = expq(-a * a / 2) / sqrtq(2 * M_PIq);
    if (tail < 0.25Q)
        d = (tail - erfcq(a * M_SQRT1_2q) / 2) / density;
    else
        d = (erfq(a * M_SQRT1_2q) / 2 - (0.5Q - tail)) / density;
    if (!isfinite(x) || x == 0 || mirrored != -x) broke(w, word, 0);
    note(w, (double)(fabsq(d) / ldexpq(1, ilogbq(a - d) - 52)), word, 0);
}

static void run_icdf_f32(int full)
{
    worst all = {0};
    check_icdf_f32(&all, 0);
    check_icdf_f32(&all, UINT32_MAX);
    if (full) {
        /* The lower half; the upper half is its exact negative, which is checked word by word. */
#pragma omp parallel
        {
            worst mine = {0};
#pragma omp for schedule(dynamic)
            for (uint32_t block = 0; block < 2048; block++) {
                uint32_t first = block << 20;
                float previous = bailey_normal_icdf_f32(table_f32, first);
                for (uint32_t w = first; w < first + (1u << 20); w++) {
                    check_icdf_f32(&mine, w);
                    float next = bailey_normal_icdf_f32(table_f32, w + 1);
                    mine.descents += next < previous;
                    previous = next;
                }
            }
#pragma omp critical
            merge(&all, &mine);
        }
    } else {
        /* The tail end, joints of octaves and of pieces, the worst word, the middle; random. */
        const uint32_t around[] = {0x80000, 0x804000, 0x2aaaaaab, 0x40000000, 0x7e685b02, 0x7ff80000};
        for (int k = 0; k < 6; k++)
            for (uint32_t w = around[k] - 0x80000; w < around[k] + 0x80000; w++) check_icdf_f32(&all, w);
        for (uint64_t i = 0; i < 3000000; i++) check_icdf_f32(&all, (uint32_t)(stratified(i) >> 32));
    }
    verdict("normal_icdf_f32", &all, bound_icdf_f32, "ulp");
    if (full) printf("    steps w -> w + 1 that go down, of 2^32: %" PRIu64 "\n", 2 * all.descents);
    failures += all.descents != 0;
}

static void run_icdf_f64(int full)
{
    worst all = {0};
    const int64_t n = full ? 10000000 : 100000;
    for (int k = 0; k < 64; k++) {
        check_icdf_f64(&all, (UINT64_C(1) << k) - 1);
        check_icdf_f64(&all, UINT64_C(1) << k);
        check_icdf_f64(&all, (UINT64_C(1) << 63) - (UINT64_C(1) << k));
    }
#pragma omp parallel
    {
        worst mine = {0};
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            uint64_t j = (uint64_t)i;
            check_icdf_f64(&mine, i & 1 ? mix(j) : stratified(j));
        }
#pragma omp critical
        merge(&all, &mine);
    }
    verdict("normal_icdf_f64", &all, bound_icdf_f64, "ulp");
}

/* ---- Box-Muller ----------------------------------------------------------------------------- */

/* The exact pair for 1 - U or U = p (whichever is at most 1/2), t quarter turns, and the bits that
 * place the angle. */
static void box_muller_exact_f64(double p, int upper, double t, int reflect, int swap, double z[2])
{
    double r = sqrt(-2 * (upper ? log1p(-p) : log(p)));
    double c = r * cos(M_PI_2 * t), s = r * sin(M_PI_2 * t);
    if (reflect) c = -c;
    z[swap] = c;
    z[!swap] = s;
}

static void box_muller_exact_f128(__float128 p, int upper, __float128 t, int reflect, int swap,
                                  __float128 z[2])
{
    __float128 r = sqrtq(-2 * (upper ? log1pq(-p) : logq(p)));
    __float128 c = r * cosq(M_PI_2q * t), s = r * sinq(M_PI_2q * t);
    if (reflect) c = -c;
    z[swap] = c;
    z[!swap] = s;
}

static double signed_30_bits(uint32_t v) { return (double)(int32_t)((v << 2) | 2) * 0x1p-32; }

static void check_box_muller_f32(worst *w, uint32_t u, uint32_t v, int quad)
{
    bailey_pair_f32 got = bailey_normal_box_muller_f32(u, v);
    int upper = (int)(u >> 31);
    double p = ((upper ? ~u : u) + 0.5) * 0x1p-32, z[2];
    box_muller_exact_f64(p, upper, signed_30_bits(v), v >> 31, v >> 30 & 1, z);
    if (quad) {
        __float128 q[2];
        box_muller_exact_f128(p, upper, signed_30_bits(v), v >> 31, v >> 30 & 1, q);
        for (int k = 0; k < 2; k++) {
            /* The double reference that serves the larger sample must itself be good. */
            if (fabsq(z[k] - q[k]) > 0x1p-48Q * fabsq(q[k])) broke(w, u, v);
            z[k] = (double)q[k];
        }
    }
    for (int k = 0; k < 2; k++) {
        if (!isfinite(got.value[k])) broke(w, u, v);
        note(w, fabs(got.value[k] - z[k]) / ulp_f32(z[k]), u, v);
    }
}

static void check_box_muller_f64(worst *w, uint64_t u, uint64_t v)
{
    bailey_pair_f64 got = bailey_normal_box_muller_f64(u, v);
    int upper = (int)(u >> 63);
    __float128 z[2], p = ldexpq(((upper ? ~u : u) >> 11) + 0.5Q, -53);
    /* Bits 61 to 11, in the middle of the cell: an odd multiple of 2^-52, less a half. */
    __float128 t = ldexpq(((v & 0x3ffffffffffff800u) >> 10) | 1, -52) - 0.5Q;
    box_muller_exact_f128(p, upper, t, (int)(v >> 63), v >> 62 & 1, z);
    for (int k = 0; k < 2; k++) {
        if (!isfinite(got.value[k])) broke(w, u, v);
        note(w, ulp_error_f64(got.value[k], z[k]), u, v);
    }
}

/* From words of the other width. The angle of f32 counts from its lowest value, as in f64. */
static void check_box_muller_f32_from_u64(worst *w, uint64_t u, uint64_t v)
{
    bailey_pair_f32 got = bailey_normal_box_muller_f32_from_u64(u, v);
    int upper = (int)(u >> 63);
    __float128 z[2], p = ldexpq((upper ? ~u : u) + 0.5Q, -64);
    __float128 t = ldexpq((v >> 32 & 0x3fffffffu) + 0.5Q, -30) - 0.5Q;
    box_muller_exact_f128(p, upper, t, (int)(v >> 63), v >> 62 & 1, z);
    for (int k = 0; k < 2; k++) {
        if (!isfinite(got.value[k])) broke(w, u, v);
        note(w, (double)fabsq(got.value[k] - z[k]) / ulp_f32((double)z[k]), u, v);
    }
}

static void check_box_muller_f64_from_u32(worst *w, uint32_t u, uint32_t v)
{
    bailey_pair_f64 got = bailey_normal_box_muller_f64_from_u32(u, v);
    int upper = (int)(u >> 31);
    __float128 z[2], p = ldexpq((upper ? ~u : u) + 0.5Q, -32);
    box_muller_exact_f128(p, upper, signed_30_bits(v), v >> 31, v >> 30 & 1, z);
    for (int k = 0; k < 2; k++) {
        if (!isfinite(got.value[k])) broke(w, u, v);
        note(w, ulp_error_f64(got.value[k], z[k]), u, v);
    }
}

static void run_box_muller_crossed(int full)
{
    worst all = {0}, all64 = {0};
    const int64_t n = full ? 5000000 : 50000;
    for (int k = 0; k < 4096; k++) { /* both ends of U and of the angle */
        const uint64_t u = (uint64_t)(k >> 6 & 31), v = (uint64_t)(k & 31),
                       place = (uint64_t)(k >> 5 & 1) << 62;
        check_box_muller_f32_from_u64(&all, k >> 11 ? ~u : u, (k & 1 ? v << 32 : ~(v << 32) >> 2) | place);
        check_box_muller_f64_from_u32(&all64, (uint32_t)(k >> 11 ? ~u : u), (uint32_t)(k & 1 ? v : ~v));
    }
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            uint64_t j = (uint64_t)i, u = i & 1 ? mix(j) : stratified(j),
                     v = i & 1 ? mix(~j) : stratified(~j);
            check_box_muller_f32_from_u64(&mine, u, v);
            check_box_muller_f64_from_u32(&mine64, (uint32_t)(u >> 32), (uint32_t)(v >> 32));
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("box_muller_f32_from_u64", &all, bound_box_muller_f32, "ulp");
    verdict("box_muller_f64_from_u32", &all64, bound_box_muller_f64, "ulp");
}

static void run_box_muller(int full)
{
    worst all = {0}, all64 = {0};
    const int64_t n = full ? 300000000 : 3000000, n64 = full ? 5000000 : 50000;
    const uint32_t ends[] = {0, 1, 0x7fffffff, 0x80000000, 0xaaaaaaaa, 0xaaaaaaab, 0xfffffffe, 0xffffffff};
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            for (uint32_t place = 0; place < 4; place++) {
                uint32_t v = (ends[b] >> 2) | (place << 30);
                check_box_muller_f32(&all, ends[a], v, 1);
                check_box_muller_f64(&all64, (uint64_t)ends[a] << 32 | ends[a], (uint64_t)v << 32 | ends[b]);
            }
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            uint64_t j = (uint64_t)i;
            if (i & 1)
                check_box_muller_f32(&mine, (uint32_t)mix(j), (uint32_t)(mix(j) >> 32), 0);
            else
                check_box_muller_f32(&mine, (uint32_t)(stratified(j) >> 32), (uint32_t)(stratified(~j) >> 32),
                                     i % 64 == 0);
        }
#pragma omp for
        for (int64_t i = 0; i < n64; i++) {
            uint64_t j = (uint64_t)i;
            if (i & 1)
                check_box_muller_f64(&mine64, mix(j), mix(~j));
            else
                check_box_muller_f64(&mine64, stratified(j), stratified(~j));
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("normal_box_muller_f32", &all, bound_box_muller_f32, "ulp");
    verdict("normal_box_muller_f64", &all64, bound_box_muller_f64, "ulp");
}

/* ---- Exponential ---------------------------------------------------------------------------- */

static void check_exp_f32(worst *w, uint32_t bits)
{
    float x = bailey_f32_bits_u32(bits), y = bailey_exp_f32(x);
    double exact = exp((double)x);
    if (isnan(x)) {
        if (!isnan(y)) broke(w, bits, 0);
    } else if (exact < 0x1p-126) {
        if (bailey_u32_bits_f32(y) != 0) broke(w, bits, 0);
    } else if (exact >= 0x1.ffffffp127) {
        if (!(y > 0 && isinf(y))) broke(w, bits, 0);
    } else {
        note(w, fabs(y - exact) / ulp_f32(exact), bits, 0);
    }
}

static void check_exp_f64(worst *w, uint64_t bits)
{
    double x = bailey_f64_bits_u64(bits), y = bailey_exp_f64(x);
    if (isnan(x)) {
        if (!isnan(y)) broke(w, bits, 0);
        return;
    }
    __float128 exact = expq(x);
    if (exact < 0x1p-1022Q) {
        if (bailey_u64_bits_f64(y) != 0) broke(w, bits, 0);
    } else if (exact >= 0x1.fffffffffffff8p1023Q) {
        if (!(y > 0 && isinf(y))) broke(w, bits, 0);
    } else {
        note(w, ulp_error_f64(y, exact), bits, 0);
    }
}

static void run_exp(int full)
{
    worst all = {0}, all64 = {0};
    const int64_t n64 = full ? 10000000 : 100000;
    const double ends[] = {0.0,    INFINITY,         88.72283,          87.33654,
                           103.97, 709.782712893384, 708.3964185322641, 745.13};
    for (int k = 0; k < 8; k++)
        for (int d = -100; d <= 100; d++)
            for (int sign = 0; sign < 2; sign++) {
                uint32_t b = bailey_u32_bits_f32((float)ends[k]) + (uint32_t)d;
                uint64_t b64 = bailey_u64_bits_f64(ends[k]) + (uint64_t)d;
                check_exp_f32(&all, b ^ (uint32_t)sign << 31);
                check_exp_f64(&all64, b64 ^ (uint64_t)sign << 63);
            }
    const uint32_t stride = full ? 3 : 1999;
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
#pragma omp for
        for (int64_t i = 0; i <= UINT32_MAX; i += stride) check_exp_f32(&mine, (uint32_t)i);
#pragma omp for
        for (int64_t i = 0; i < n64; i++) {
            double r = (double)mix((uint64_t)i) * 0x1p-64 - 0.5;
            double range = i % 3 == 0 ? 1440.0 : i % 3 == 1 ? 2.0 : ldexp(1.0, (int)(i % 31) - 20);
            check_exp_f64(&mine64, bailey_u64_bits_f64(r * range));
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("exp_f32", &all, bound_exp_f32, "ulp");
    verdict("exp_f64", &all64, bound_exp_f64, "ulp");
}

/* ---- Exponential deviates ------------------------------------------------------------------- */

/* Rate 1, and others at random: the rate sets the rounding error of the constant and where in their binades
 * results lie. */
static double rate_of(uint64_t i)
{
    return i == 0 ? 1 : ldexp(1 + (double)(mix(i) >> 12) * 0x1p-52, (int)(i % 129) - 64);
}

static void check_exponential_f32(worst *w, uint32_t word, double rate)
{
    const double p = ((word >> 31 ? ~word : word) + 0.5) * 0x1p-32;
    const double exact = (word >> 31 ? -log1p(-p) : -log(p)) / rate;
    const float got = bailey_exponential_f32(word, (float)(-0x1.62e42fefa39efp-1 / rate));
    if (!(got > 0) || isinf(got)) broke(w, word, bailey_u64_bits_f64(rate));
    note(w, fabs(got - exact) / ulp_f32(exact), word, bailey_u64_bits_f64(rate));
}

static void check_exponential_f64(worst *w, uint64_t word, double rate)
{
    const __float128 p = ldexpq(((word >> 63 ? ~word : word) >> 11) + 0.5Q, -53);
    const __float128 exact = (word >> 63 ? -log1pq(-p) : -logq(p)) / rate;
    const double got = bailey_exponential_f64(word, -0x1.62e42fefa39efp-1 / rate);
    if (!(got > 0) || isinf(got)) broke(w, word, bailey_u64_bits_f64(rate));
    note(w, ulp_error_f64(got, exact), word, bailey_u64_bits_f64(rate));
}

static void run_exponential(int full)
{
    worst all = {0}, all64 = {0};
    const uint64_t ends[] = {0, UINT64_MAX, UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1};
    const int64_t stride = full ? 1 : 997, n = full ? 10000000 : 300000;
    for (int e = 0; e < 4; e++)
        for (uint64_t r = 0; r < 100; r++) {
            check_exponential_f32(&all, (uint32_t)(ends[e] >> 32), rate_of(r));
            check_exponential_f64(&all64, ends[e], rate_of(r));
        }
    /* Where rows of the logarithm's table meet, in every binade. */
    for (uint64_t row = 16; row < 32; row++)
        for (int shift = 0; shift < 53; shift++)
            for (uint64_t d = 0; d < 8; d++)
                check_exponential_f64(&all64, (row << 59 >> shift) + (d - 4) * 2048, 1);
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
#pragma omp for schedule(dynamic, 1 << 20)
        for (int64_t i = 0; i <= UINT32_MAX; i += stride) check_exponential_f32(&mine, (uint32_t)i, 1);
#pragma omp for
        for (int64_t i = 0; i < 20 * n; i++)
            check_exponential_f32(&mine, (uint32_t)(stratified((uint64_t)i) >> 32),
                                  rate_of((uint64_t)i / 16));
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            const uint64_t j = (uint64_t)i;
            check_exponential_f64(&mine64, i & 1 ? mix(j) : stratified(j), rate_of(j / 16));
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("exponential_f32", &all, bound_exponential_f32, "ulp");
    verdict("exponential_f64", &all64, bound_exponential_f64, "ulp");
}

/* ---- Quantiles ------------------------------------------------------------------------------ */

/* The six distributions of quantile.h; shapes are those of the last two. Every number is compared with the
 * one of the word before, too. Next to U = 1/e, where a Gumbel number passes 0, bound_gumbel is allowed on
 * top. */
enum { LOGISTIC, LAPLACE, GUMBEL, CAUCHY, WEIBULL, PARETO, QUANTILES };
static const char *const quantile_names[] = {"logistic", "laplace", "gumbel", "cauchy", "weibull", "pareto"};
static const double bound_gumbel_f32 = 0x1p-35, bound_gumbel_f64 = 0x1p-66;

static float quantile_f32(int q, uint32_t w, double shape)
{
    const double high = (float)(1 / shape);
    const float low = (float)(fma(-high, shape, 1) / shape);
    return q == LOGISTIC  ? bailey_logistic_f32(w)
           : q == LAPLACE ? bailey_laplace_f32(w)
           : q == GUMBEL  ? bailey_gumbel_f32(w)
           : q == CAUCHY  ? bailey_cauchy_f32(w)
           : q == WEIBULL ? bailey_weibull_f32(w, (float)high, low)
                          : bailey_pareto_f32(w, (float)high, low);
}

static double quantile_f64(int q, uint64_t w, double shape)
{
    const double high = 1 / shape, low = fma(-high, shape, 1) / shape;
    return q == LOGISTIC  ? bailey_logistic_f64(w)
           : q == LAPLACE ? bailey_laplace_f64(w)
           : q == GUMBEL  ? bailey_gumbel_f64(w)
           : q == CAUCHY  ? bailey_cauchy_f64(w)
           : q == WEIBULL ? bailey_weibull_f64(w, high, low)
                          : bailey_pareto_f64(w, high, low);
}

static void check_quantile_f32(worst *all, int q, uint32_t w, double shape)
{
    const int upper = (int)(w >> 31);
    const double tail = ((upper ? ~w : w) + 0.5) * 0x1p-32, ln = log(tail), other = log1p(-tail);
    const double below = upper ? other : ln, above = upper ? ln : other; /* ln U, ln(1 - U) */
    const double exact =
        q == LOGISTIC  ? (upper ? 2 : -2) * atanh(1 - 2 * tail)
        : q == LAPLACE ? (upper ? -1 : 1) * (tail < 0.25 ? log(2 * tail) : log1p(2 * tail - 1))
        : q == GUMBEL  ? -log(-below)
        : q == CAUCHY  ? (upper ? 1 : -1) * (tail < 0.25 ? 1 / tan(M_PI * tail) : tan(M_PI * (0.5 - tail)))
        : q == WEIBULL ? exp(log(-above) / shape)
                       : exp(-above / shape);
    const float got = quantile_f32(q, w, shape);
    if (!isfinite(got) || got == 0 || (w && quantile_f32(q, w - 1, shape) > got))
        broke(all, w, bailey_u64_bits_f64(shape));
    const double allowed = q == GUMBEL ? bound_gumbel_f32 : 0;
    note(all, fmax(fabs(got - exact) - allowed, 0) / ulp_f32(exact), w, bailey_u64_bits_f64(shape));
}

static void check_quantile_f64(worst *all, int q, uint64_t w, double shape)
{
    const int upper = (int)(w >> 63);
    const __float128 tail = ldexpq(((upper ? ~w : w) >> 11) + 0.5Q, -53), ln = logq(tail),
                     other = log1pq(-tail);
    const __float128 below = upper ? other : ln, above = upper ? ln : other;
    __float128 exact = q == LOGISTIC  ? (upper ? 2 : -2) * atanhq(1 - 2 * tail)
                       : q == LAPLACE ? (upper ? -1 : 1) * log1pq(2 * tail - 1)
                       : q == GUMBEL  ? -logq(-below)
                       : q == CAUCHY  ? (upper ? 1 : -1) * (tail < 0.25Q ? 1 / tanq(M_PIq * tail)
                                                                         : tanq(M_PIq * (0.5Q - tail)))
                       : q == WEIBULL ? expq(logq(-above) / shape)
                                      : expq(-above / shape);
    const double got = quantile_f64(q, w, shape);
    if (!isfinite(got) || got == 0 || (w >> 11 && quantile_f64(q, w - 2048, shape) > got))
        broke(all, w, bailey_u64_bits_f64(shape));
    if (q == GUMBEL) { /* the error less what is allowed */
        const __float128 off = (__float128)got - exact;
        exact = fabsq(off) < bound_gumbel_f64 ? (__float128)got : exact + copysignq(bound_gumbel_f64, off);
    }
    note(all, ulp_error_f64(got, exact), w, bailey_u64_bits_f64(shape));
}

static void run_quantiles(int full)
{
    static const double shapes[] = {0.5, 3, 1000};
    const int64_t stride = full ? 1 : 9973, n = full ? 3000000 : 60000;
    for (int q = 0; q < QUANTILES; q++) {
        worst all = {0}, all64 = {0};
        for (int s = 0; s < (q < WEIBULL ? 1 : 3); s++) {
#pragma omp parallel
            {
                worst mine = {0}, mine64 = {0};
#pragma omp for schedule(dynamic, 1 << 20)
                for (int64_t i = 0; i <= UINT32_MAX; i += stride)
                    check_quantile_f32(&mine, q, (uint32_t)i, shapes[s]);
#pragma omp for
                for (int64_t i = 0; i < n; i++) {
                    const uint64_t j = (uint64_t)i;
                    check_quantile_f64(&mine64, q, i & 1 ? mix(j) : stratified(j), shapes[s]);
                }
#pragma omp critical
                {
                    merge(&all, &mine);
                    merge(&all64, &mine64);
                }
            }
        }
        char name[40];
        snprintf(name, sizeof name, "%s_f32", quantile_names[q]);
        verdict(name, &all, bound_quantile, "ulp");
        snprintf(name, sizeof name, "%s_f64", quantile_names[q]);
        verdict(name, &all64, bound_quantile, "ulp");
    }
}

/* ---- Square root ---------------------------------------------------------------------------- */

static void check_sqrt_f64(worst *w, double x)
{
    double got = bailey_sqrt_f64(x), exact = sqrt(x);
    note(w, fabs(got - exact) / ldexp(1.0, ilogb(exact) - 52), bailey_u64_bits_f64(x), 0);
}

static void run_sqrt(int full)
{
    worst all = {0}, all64 = {0};
    const int64_t n64 = full ? 300000000 : 1000000;
    const int64_t first = bailey_u32_bits_f32(0x1p-102f), last = bailey_u32_bits_f32(0x1.fffffep127f);
    if (bailey_u32_bits_f32(bailey_sqrt_f32(0.0f)) != 0) broke(&all, 0, 0);
    if (bailey_u64_bits_f64(bailey_sqrt_f64(0.0)) != 0) broke(&all64, 0, 0);
    check_sqrt_f64(&all64, 0x1p-960);
    check_sqrt_f64(&all64, 0x1.fffffffffffffp1023);
    for (uint64_t j = 0; j < 100000; j++) { /* the last doubles before 4 and 2 are this method's hard cases */
        check_sqrt_f64(&all64, bailey_f64_bits_u64(bailey_u64_bits_f64(4.0) - j));
        check_sqrt_f64(&all64, bailey_f64_bits_u64(bailey_u64_bits_f64(2.0) - j));
        check_sqrt_f64(&all64, bailey_f64_bits_u64(bailey_u64_bits_f64(1.0) + j));
    }
    const int64_t stride = full ? 1 : 499;
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
#pragma omp for
        for (int64_t i = first; i <= last; i += stride) {
            float x = bailey_f32_bits_u32((uint32_t)i), exact = sqrtf(x);
            note(&mine, fabs((double)bailey_sqrt_f32(x) - exact) / ulp_f32(exact), (uint64_t)i, 0);
        }
#pragma omp for
        for (int64_t i = 0; i < n64; i++) {
            uint64_t m = mix((uint64_t)i);
            double x = 1.0 + (double)(m >> 12) * 0x1p-52;
            switch (i & 3) {
            case 0: x *= 2.0; break;
            case 1: /* next to a square */
                x = (1.0 + (double)(m >> 38) * 0x1p-26) * (1.0 + (double)(m >> 38) * 0x1p-26);
                x = bailey_f64_bits_u64(bailey_u64_bits_f64(x) + (m & 7) - 3);
                break;
            case 2: x = ldexp(x, (int)(m % 1984) - 960); break;
            default: break;
            }
            check_sqrt_f64(&mine64, x);
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("sqrt_f32", &all, 0, "ulp off the correctly rounded root");
    verdict("sqrt_f64", &all64, 0, "ulp off the correctly rounded root");
}

/* ---- The fast profile, computed elsewhere ---------------------------------------------------- */

static int check_fast(const char *kind, const char *path)
{
    worst all = {0};
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 2;
    }
    uint32_t r[4];
    double bound = 1, z[2];
    const char *unit = "of the bound";
    if (!strcmp(kind, "--fast-box-muller")) {
        bound = bound_fast_box_muller;
        unit = "absolute";
        while (fread(r, 4, 4, f) == 4) {
            int upper = (int)(r[0] >> 31);
            double p = ((upper ? ~r[0] : r[0]) + 0.5) * 0x1p-32;
            box_muller_exact_f64(p, upper, signed_30_bits(r[1]), r[1] >> 31, r[1] >> 30 & 1, z);
            for (int k = 0; k < 2; k++) note(&all, fabs(bailey_f32_bits_u32(r[2 + k]) - z[k]), r[0], r[1]);
        }
    } else if (!strcmp(kind, "--fast-exp")) { /* as a fraction of the bound, which grows with |x| */
        while (fread(r, 4, 2, f) == 2) {
            double x = bailey_f32_bits_u32(r[0]);
            if (!(exp(x) >= 0x1p-126 && exp(x) < 0x1p128)) continue;
            note(&all, fabs(bailey_f32_bits_u32(r[1]) / exp(x) - 1) / (0x1p-21 + 0x1p-23 * fabs(x)), r[0], 0);
        }
    }
    fclose(f);
    verdict(kind + 2, &all, bound, unit);
    return all.samples == 0 || failures != 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strncmp(argv[1], "--fast-", 7)) return check_fast(argv[1], argv[2]);
    int full = argc == 2 && !strcmp(argv[1], "--full");
    if (argc > 1 && !full) {
        fprintf(stderr, "usage: %s [--full | --fast-box-muller FILE | --fast-exp FILE]\n", argv[0]);
        return 2;
    }
    table_f32 = bailey_normal_table_data(BAILEY_PRECISION_F32, NULL);
    table_f64 = bailey_normal_table_data(BAILEY_PRECISION_F64, NULL);
    run_sqrt(full);
    run_exp(full);
    run_icdf_f32(full);
    run_icdf_f64(full);
    run_box_muller(full);
    run_box_muller_crossed(full);
    run_exponential(full);
    run_quantiles(full);
    return failures != 0;
}
