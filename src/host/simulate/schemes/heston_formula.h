/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Heston's price of a call or put (1993), in the payoff language: Lewis's integral (2000) of the characteristic
 * function, in the form without a branch cut (Albrecher, Mayer, Schoutens and Tistaert 2007). For host code, which
 * evaluates it once, in double.
 */

typedef struct {
    real re, im;
} complex_number;

complex_number complex_of(real re, real im)
{
    complex_number z;
    z.re = re;
    z.im = im;
    return z;
}

complex_number times(complex_number a, complex_number b)
{
    return complex_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

complex_number over(complex_number a, complex_number b)
{
    const real size = b.re * b.re + b.im * b.im;
    return complex_of((a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size);
}

/* The root in the right half of the plane, of a number that is not on the negative axis. */
complex_number root_of(complex_number z)
{
    const real size = sqrt(z.re * z.re + z.im * z.im), half = sqrt(0.5 * (size + fabs(z.re)));
    const real other = 0.5 * z.im / half;
    return complex_of(z.re > 0 ? half : fabs(other), z.re > 0 ? other : z.im < 0 ? -half : half);
}

/* e^z: the series of a sixteenth of the angle, squared four times. */
complex_number exp_of(complex_number z)
{
    const real turn = 6.283185307179586, angle = (z.im - turn * floor(z.im / turn + 0.5)) / 16, q = angle * angle;
    complex_number w;
    w.re = 1 - q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56 * (1 - q / 90))));
    w.im = angle * (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72))));
    for (int i = 0; i < 4; i++) w = times(w, w);
    return times(w, complex_of(exp(z.re), 0));
}

/* log z: the angle of the 32nd root, by the series of the arc tangent. */
complex_number log_of(complex_number z)
{
    complex_number w = z;
    for (int i = 0; i < 5; i++) w = root_of(w);
    const real t = w.im / w.re, q = t * t;
    const real angle = t * (1 - q * (0.3333333333333333 - q * (0.2 - q * (0.14285714285714285 - q * (0.1111111111111111 -
                            q * (0.09090909090909091 - q * 0.07692307692307693))))));
    return complex_of(0.5 * log(z.re * z.re + z.im * z.im), 32 * angle);
}

/* Re exp(i x k) E exp(i (x - i/2) log(S / forward)), of a variance that begins at v. */
real heston_integrand(real x, real k, real years, real v, real reversion, real mean_variance, real sigma, real correlation)
{
    const real square = sigma * sigma, m = x * x + 0.25;
    const complex_number b = complex_of(reversion - 0.5 * correlation * sigma, -correlation * sigma * x);
    const complex_number b2 = times(b, b), d = root_of(complex_of(b2.re + square * m, b2.im));
    const complex_number sum = complex_of(b.re + d.re, b.im + d.im), slope = over(complex_of(-m, 0), sum);
    const complex_number g = times(slope, over(complex_of(square, 0), sum));
    const complex_number e = exp_of(complex_of(-d.re * years, -d.im * years)), ge = times(g, e);
    const complex_number below = complex_of(1 - ge.re, -ge.im);
    const complex_number by_v = times(slope, over(complex_of(1 - e.re, -e.im), below));
    const complex_number logarithm = log_of(over(below, complex_of(1 - g.re, -g.im)));
    const real a = reversion * mean_variance;
    return exp_of(complex_of(a * (slope.re * years - 2 * logarithm.re / square) + by_v.re * v,
                             a * (slope.im * years - 2 * logarithm.im / square) + by_v.im * v + x * k)).re / m;
}

#include "host/simulate/schemes/black.h"

/* A call or put, not discounted. The trapezoidal rule in t, where x = exp(t - exp(-t)), has 8 digits with 150
 * points; 300 are taken. Without a sigma it is Black's formula; if there is hardly any, digits are lost and there is no
 * price, which log(0) says. */
real heston_option(real sign, real forward, real strike, real years, real v, real reversion, real mean_variance,
                   real sigma, real correlation)
{
    const real k = log(forward / strike), width = 11.0 / 300;
    const real spread = mean_variance * years + (v - mean_variance) * ((1 - exp(-reversion * years)) / reversion);
    real integral = 0;
    if (sigma <= 0) return black(sign, forward, strike, spread);
    if (sigma < 0.001) return log(0.0);
    for (int n = 0; n <= 300; n++) {
        const real t = width * n - 3, fall = exp(-t), x = exp(t - fall);
        integral = fma((1 + fall) * x, heston_integrand(x, k, years, v, reversion, mean_variance, sigma, correlation),
                       integral);
    }
    const real call = forward - sqrt(forward * strike) * (width * integral / 3.141592653589793);
    return sign < 0 ? call - forward + strike : call;
}
