/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Measures the errors of bailey/device/elementary.h, checks its exact functions against the C library's, and
 * fails when a bound is exceeded that the header states.
 *
 *     accuracy_elementary            a sample, seconds
 *     accuracy_elementary --full     logarithm and normal distribution function f32 on every input; minutes
 *
 * References: in f32 the C library's double functions, in f64 libquadmath. Errors are in units in the last
 * place of the exact result.
 */
#include "accuracy.h"

#include <bailey/device/elementary.h>

static const double bound_log_f32 = 2, bound_log_f64 = 1;
static const double bound_pow_f32 = 2, bound_pow_f64 = 2;
static const double bound_cdf_f32 = 4, bound_cdf_f64 = 5;

/* Both NaN, or the same with the sign of a zero. */
static int same(double a, double b) { return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b); }

static double uniform(uint64_t i) { return (double)(mix(i) >> 11) * 0x1p-53; }

/* 1 + t where t may have any scale. */
static double near_one(uint64_t i) { return 1 + ldexp(uniform(2 * i) - 0.5, -(int)(mix(2 * i + 1) % 53)); }

/* ---- Logarithm ------------------------------------------------------------------------------- */

static void check_log_f32(worst *w, uint32_t bits)
{
    const float x = bailey_f32_bits_u32(bits), y = bailey_log_f32(x);
    const double exact = log(fabs(x) < 0x1p-126 ? 0 : (double)x);
    if (isfinite(exact) && exact != 0)
        note(w, fabs(y - exact) / ulp_f32(exact), bits, 0);
    else if (!same(y, exact))
        broke(w, bits, 0);
}

static void check_log_f64(worst *w, double x)
{
    const double y = bailey_log_f64(x);
    if (isnormal(x) && x > 0 && x != 1)
        note(w, ulp_error_f64(y, logq(x)), bailey_u64_bits_f64(x), 0);
    else if (!same(y, log(fabs(x) < 0x1p-1022 ? 0 : x)))
        broke(w, bailey_u64_bits_f64(x), 0);
}

static void run_log(int full)
{
    worst all = {0}, all64 = {0};
    const int64_t stride = full ? 1 : 251, n = full ? 10000000 : 200000;
    for (uint32_t i = 0; i < 20000; i++) check_log_f32(&all, 0x3f800000u - 10000 + i);
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
#pragma omp for
        for (int64_t i = 0; i <= UINT32_MAX; i += stride) check_log_f32(&mine, (uint32_t)i);
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            const uint64_t j = (uint64_t)i;
            check_log_f64(&mine64, i & 1 ? near_one(j) : bailey_f64_bits_u64(mix(j)));
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("log_f32", &all, bound_log_f32, "ulp");
    verdict("log_f64", &all64, bound_log_f64, "ulp");
}

/* ---- Normal distribution function -------------------------------------------------------------- */

static void check_cdf_f32(worst *w, uint32_t bits)
{
    const float x = bailey_f32_bits_u32(bits), y = bailey_normal_cdf_f32(x);
    const double exact = 0.5 * erfc(-M_SQRT1_2 * x);
    if (exact >= 0x1p-126)
        note(w, fabs(y - exact) / ulp_f32(exact), bits, 0);
    else if (!same(y, isnan(x) ? NAN : 0))
        broke(w, bits, 0);
}

static void check_cdf_f64(worst *w, double x)
{
    const double y = bailey_normal_cdf_f64(x);
    const __float128 exact = erfcq(-M_SQRT1_2q * x) / 2;
    if (exact >= 0x1p-1022Q)
        note(w, ulp_error_f64(y, exact), bailey_u64_bits_f64(x), 0);
    else if (!same(y, isnan(x) ? NAN : 0))
        broke(w, bailey_u64_bits_f64(x), 0);
}

static void run_cdf(int full)
{
    worst all = {0}, all64 = {0};
    const int64_t stride = full ? 1 : 251, n = full ? 5000000 : 100000;
    const double ends[] = {0, 12.949998, 37.519379, INFINITY, NAN};
    for (int k = 0; k < 5; k++)
        for (int d = -100; d <= 100; d++) {
            check_cdf_f32(&all, bailey_u32_bits_f32((float)-ends[k]) + (uint32_t)d);
            check_cdf_f64(&all64, bailey_f64_bits_u64(bailey_u64_bits_f64(-ends[k]) + (uint64_t)(d * 1000)));
        }
    if (bailey_normal_cdf_f32(0) != 0.5f || bailey_normal_cdf_f64(0) != 0.5) broke(&all, 0, 0);
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
#pragma omp for schedule(dynamic, 1 << 20)
        for (int64_t i = 0; i <= UINT32_MAX; i += stride) check_cdf_f32(&mine, (uint32_t)i);
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            const uint64_t j = (uint64_t)i;
            const double range = i & 1 ? 76 : ldexp(16, -(int)(mix(~j) % 60));
            check_cdf_f64(&mine64, range * (uniform(j) - 0.5));
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("normal_cdf_f32", &all, bound_cdf_f32, "ulp");
    verdict("normal_cdf_f64", &all64, bound_cdf_f64, "ulp");
}

/* ---- Power ----------------------------------------------------------------------------------- */

/* Results within a few ulp of the largest number may be infinite, of the smallest normal zero. */
static void check_pow_f32(worst *w, float x, float y)
{
    const float r = bailey_pow_f32(x, y);
    const double exact = pow(x, y);
    const uint64_t bits = bailey_u32_bits_f32(x), power = bailey_u32_bits_f32(y);
    if ((exact > 0x1.fffffap127 && isinf(r)) || (exact < 0x1.00001p-126 && same(r, 0))) return;
    note(w, fabs(r - exact) / ulp_f32(exact), bits, power);
}

static void check_pow_f64(worst *w, double x, double y)
{
    const double r = bailey_pow_f64(x, y);
    const __float128 exact = powq(x, y);
    if ((exact > 0x1.ffffffffffffap1023Q && isinf(r)) || (exact < 0x1.000000000001p-1022Q && same(r, 0)))
        return;
    note(w, ulp_error_f64(r, exact), bailey_u64_bits_f64(x), bailey_u64_bits_f64(y));
}

/* Number i of some pairs: any x > 0 with a y that leads to any result, x near 1, or both of everyday size. */
static void pair_of(uint64_t i, double widest, double *x, double *y)
{
    const double scale = ldexp(1 + uniform(5 * i), (int)(mix(5 * i + 1) % 252) - 126);
    *x = i % 3 == 0 ? scale : i % 3 == 1 ? near_one(i) : 10 * uniform(5 * i + 2);
    *y = 20 * uniform(5 * i + 3) - 10;
    if (i % 3 < 2 && *x != 1) *y = (2 * uniform(5 * i + 4) - 1) * widest / fabs(log(*x));
}

static void run_pow(int full)
{
    worst all = {0}, all64 = {0};
    const int64_t n = full ? 100000000 : 1000000, n64 = full ? 5000000 : 100000;
#pragma omp parallel
    {
        worst mine = {0}, mine64 = {0};
        double x, y;
#pragma omp for
        for (int64_t i = 0; i < n; i++) {
            pair_of((uint64_t)i, 89, &x, &y);
            if ((float)x != 1) check_pow_f32(&mine, (float)x, (float)y);
        }
#pragma omp for
        for (int64_t i = 0; i < n64; i++) {
            pair_of((uint64_t)i, 712, &x, &y);
            const double any = bailey_f64_bits_u64(mix((uint64_t)i) >> 1);
            check_pow_f64(&mine64, i & 4 && isnormal(any) ? any : x, y);
        }
#pragma omp critical
        {
            merge(&all, &mine);
            merge(&all64, &mine64);
        }
    }
    verdict("pow_f32", &all, bound_pow_f32, "ulp");
    verdict("pow_f64", &all64, bound_pow_f64, "ulp");
}

/* ---- Exact properties -------------------------------------------------------------------------- */

/* C's cases of pow, where results are exact or nearly so. */
static void run_pow_cases(worst *w)
{
    static const double case_of[] = {0,    -0.0,     1,    -1,   2,     -2,   3,    -3,       0.5,
                                     -0.5, 1.5,      -2.5, 7,    1e30,  -1e9, 1e-9, INFINITY, -INFINITY,
                                     NAN,  16777215, 0.1,  -0.1, 1e-30, 33,   -33};
    const int n = sizeof case_of / sizeof *case_of;
    for (int i = 0; i < n * n; i++) {
        const double x = case_of[i / n], y = case_of[i % n];
        const double exact = pow(x, y), r = bailey_pow_f64(x, y), narrow = bailey_pow_f32((float)x, (float)y);
        const double e = pow((float)x, (float)y), size = fabs(e);
        const double expected = size >= 0x1p128   ? copysign(INFINITY, e)
                                : size < 0x1p-126 ? copysign(0, e)
                                                  : e;
        if (!same(r, exact) && !(fabs(r / exact - 1) < 0x1p-51))
            broke(w, bailey_u64_bits_f64(x), (uint64_t)i);
        if (!same(narrow, expected) && !(fabs(narrow / expected - 1) < 0x1p-22))
            broke(w, bailey_u64_bits_f64(x), (uint64_t)i);
    }
    if (bailey_pow_f32(2, 0x1p-140f) != 1 || bailey_pow_f64(0, 0x1p-1070) != 1) broke(w, 1, 1);
    if (bailey_pow_f32(-0x1p-140f, 0.5f) != 0 || !isinf(bailey_pow_f64(0x1p-1070, -0.5))) broke(w, 2, 2);
}

static void check_whole(worst *w, uint64_t bits)
{
    const float x = bailey_f32_bits_u32((uint32_t)(bits >> 32));
    const double z = bailey_f64_bits_u64(bits), small = x;
    const int good = same(bailey_floor_f32(x), floorf(x)) && same(bailey_ceil_f32(x), ceilf(x)) &&
                     same(bailey_floor_f64(z), floor(z)) && same(bailey_ceil_f64(z), ceil(z)) &&
                     same(bailey_floor_f64(small), floor(small)) &&
                     same(bailey_ceil_f64(small), ceil(small)) && same(bailey_abs_f32(x), fabsf(x)) &&
                     same(bailey_abs_f64(z), fabs(z));
    if (!good) broke(w, bits, 0);
    w->samples++;
}

static void run_exact(int full)
{
    worst all = {0};
    const uint64_t stride = full ? 1 : 251;
    run_pow_cases(&all);
    if (!same(bailey_min_f32(0.0f, -0.0f), -0.0) || !same(bailey_max_f64(-0.0, 0.0), 0.0)) broke(&all, 3, 3);
    if (!isnan(bailey_min_f32(1, NAN)) || bailey_min_f64(NAN, 1) != 1) broke(&all, 4, 4);
    if (!isnan(bailey_max_f64(1, NAN)) || bailey_max_f32(NAN, 1) != 1) broke(&all, 5, 5);
    if (bailey_min_f32(2, 3) != 2 || bailey_max_f32(2, 3) != 3 || bailey_min_f64(3, 2) != 2)
        broke(&all, 6, 6);
#pragma omp parallel
    {
        worst mine = {0};
#pragma omp for
        for (int64_t i = 0; i <= UINT32_MAX; i += (int64_t)stride)
            check_whole(&mine, (uint64_t)i << 32 | (mix((uint64_t)i) & 0xffffffffu));
#pragma omp for
        for (int64_t i = 0; i < 1000000; i++) { /* halves, and next to integers */
            const double x = ldexp((double)(i % 4001 - 2000) / 2, (int)(i % 40));
            const uint64_t bits = bailey_u64_bits_f64(x), word = bailey_u32_bits_f32((float)x);
            check_whole(&mine, bits + (uint64_t)(i / 4001 % 3) - 1);
            check_whole(&mine, (word + (uint64_t)(i / 4001 % 3) - 1) << 32);
        }
#pragma omp critical
        merge(&all, &mine);
    }
    verdict("exact functions", &all, 0, "");
}

int main(int argc, char **argv)
{
    const int full = argc == 2 && !strcmp(argv[1], "--full");
    if (argc > 1 && !full) {
        fprintf(stderr, "usage: %s [--full]\n", argv[0]);
        return 2;
    }
    run_exact(full);
    run_log(full);
    run_cdf(full);
    run_pow(full);
    return failures != 0;
}
