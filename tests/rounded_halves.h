/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Rounding to half precision as IEEE 754 says it, by nearbyint on a scaled double: it knows nothing of the
 * library.
 */
#ifndef ROUNDED_HALVES_H
#define ROUNDED_HALVES_H

#include <math.h>
#include <stdint.h>

/* The half nearest to x, to even. A half has 11 bits, and none below 2^-24. */
static inline double half_nearest(double x)
{
    int exponent = 0;
    if (x == 0 || !isfinite(x)) return x;
    frexp(x, &exponent);
    const int place = exponent - 11 > -24 ? exponent - 11 : -24;
    const double r = ldexp(nearbyint(ldexp(x, -place)), place);
    return fabs(r) > 65504 ? copysign(INFINITY, x) : r;
}

/* Half number 0 to 65535, of its bits. */
static inline double half_at(uint32_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == 31) return mantissa ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

/* How a run of numbers in single precision is rounded. */
typedef float (*rounding)(float x);
static inline float half_of(float x) { return (float)half_nearest((double)x); }
static inline float unrounded(float x) { return x; }

#endif
