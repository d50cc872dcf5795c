/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Arithmetic in half precision (kernels/half.h) against double precision, rounded by rounded_halves.h: of a sum,
 * product, quotient, root or fma of halves, a double that is not exact is not near a tie either.
 */
typedef float real;
#define BLY_REAL f32
#include <kernels/payoff_math.h>

#include <kernels/half.h>

#include "rounded_halves.h"

#include <string.h>

#include "test.h"

#define HALVES 65536u

static float as_float(uint32_t bits) { return (float)half_at(bits); }

/* Equal, with the same sign of a zero; NaN equals NaN. */
static void expect(const char *what, float made, double expected, double x, double y)
{
    const float e = (float)expected;
    if (isnan(expected) ? isnan(made) : memcmp(&made, &e, sizeof e) == 0) return;
    fail_msg("%s of %a and %a is %a, not %a", what, x, y, (double)made, expected);
}

/* Each half: itself, the middle between it and the next, and the floats on both sides of that. */
TEST(neighbours, HOST)
{
    for (uint32_t bits = 0; bits < HALVES; bits++) {
        const float x = as_float(bits), next = as_float(bits + 1);
        expect("rounding", bly_half_rounded(x), (double)x, (double)x, 0);
        if (isnan(x) || isinf(x)) continue;
        const float middle = isinf(next) ? copysignf(65520, x) : x + (next - x) / 2;
        const float near[] = {nextafterf(middle, 0), middle, nextafterf(middle, copysignf(1e6f, x))};
        for (int i = 0; i < 3; i++)
            expect("rounding", bly_half_rounded(near[i]), half_nearest((double)near[i]), (double)near[i], 0);
    }
    const float large[] = {65519.996f, 65536, 1e30f, 3e38f, INFINITY, 0x1p-25f, 0x1.8p-25f, 0x1p-100f};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const float x = (float)sign * large[i];
            expect("rounding", bly_half_rounded(x), half_nearest((double)x), (double)x, 0);
        }
}

static void operations(float x, float y)
{
    const double a = (double)x, b = (double)y;
    const bly_half p = bly_half_of(x), q = bly_half_of(y);
    expect("sum", bly_single(bly_half_add(p, q)), half_nearest(a + b), a, b);
    expect("difference", bly_single(bly_half_subtract(p, q)), half_nearest(a - b), a, b);
    expect("product", bly_single(bly_half_multiply(p, q)), half_nearest(a * b), a, b);
    expect("quotient", bly_single(bly_half_divide(p, q)), half_nearest(a / b), a, b);
}

static void fused(float x, float y, float z)
{
    const double a = (double)x, b = (double)y, c = (double)z;
    expect("fma", bly_single(bly_half_fma(bly_half_of(x), bly_half_of(y), bly_half_of(z))),
           half_nearest(fma(a, b, c)), a * b, c);
}

/* All pairs of every `stride`th half; fma with a third from all over them, and with what nearly cancels. */
static void all_pairs(uint32_t stride)
{
    for (uint32_t i = 0; i < HALVES; i += stride)
        for (uint32_t j = 0; j < HALVES; j += stride) {
            const float x = as_float(i), y = as_float(j);
            operations(x, y);
            fused(x, y, as_float((i * 40503u + j * 30011u) % HALVES));
            fused(x, y, half_of(half_of(-x * y) + 0x1p-24f * (float)(j % 3)));
        }
}

TEST(pairs, HOST) { all_pairs(331); }
TEST(pairs_of_many, HOST | LONG) { all_pairs(29); }

/* One more than the nearest half at most, where the function of single precision is near a tie. */
static void near(const char *what, float made, double exact, double x)
{
    const double nearest = half_nearest(exact);
    if (isnan(exact) ? isnan(made) : (double)made == nearest) return;
    int exponent;
    frexp(exact, &exponent);
    const double place = ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24);
    if (fabs((double)made - exact) <= 0.5005 * place) return;
    fail_msg("%s of %a is %a, not %a", what, x, (double)made, exact);
}

/* All arguments of functions of one: against C's in double precision. */
TEST(functions, HOST)
{
    for (uint32_t bits = 0; bits < HALVES; bits++) {
        const float f = as_float(bits);
        const double x = (double)f;
        const bly_half h = bly_half_of(f);
        expect("root", bly_single(bly_half_sqrt(h)), half_nearest(sqrt(x)), x, 0);
        expect("absolute value", bly_single(bly_half_fabs(h)), fabs(x), x, 0);
        expect("floor", bly_single(bly_half_floor(h)), floor(x), x, 0);
        expect("ceiling", bly_single(bly_half_ceil(h)), ceil(x), x, 0);
        expect("negation", bly_single(bly_half_negate(h)), -x, x, 0);
        near("exp", bly_single(bly_half_exp(h)), exp(x), x);
        near("log", bly_single(bly_half_log(h)), log(x), x);
        near("normal_cdf", bly_single(bly_half_normal_cdf(h)), erfc(-x / sqrt(2)) / 2, x);
    }
}
