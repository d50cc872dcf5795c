#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes inverse.txt: normal quantiles, by Newton's method on the complementary error function in 50 digits, and Poisson
quantiles, by sums of probabilities in 50 digits, at u that are not within (k + 4) 2^-22 of a step (f64: 2^-51); gamma
quantiles and their derivatives by the shape, by Newton's method on the incomplete gamma function, for large shapes on
its integral. Needs mpmath.

    python3 inverse.py

Lines: "normal", "poisson", "gamma" or "gamma'", bits, u, mean or shape : quantile as a sum of two doubles, or derivative.
"""
import os
import random
import struct

from mpmath import diff, erfc, exp, expm1, gammainc, log, loggamma, mp, mpf, pi, quad, sqrt

mp.dps = 50


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def normal(u):
    u = mpf(u)
    tail, sign = (u, -1) if u < 0.5 else (1 - u, 1)
    x = sqrt(-2 * log(2 * tail) + mpf("1e-9"))  # above the quantile, from where Newton's method converges
    for _ in range(200):
        step = (erfc(x / sqrt(mpf(2))) / 2 - tail) / (exp(-x * x / 2) / sqrt(2 * pi))
        x += step
        if abs(step) < mpf(10)**-42:
            break
    return sign * x


def poisson(u, mean, unit):
    """None where u is too near to a step."""
    mean = mpf(mean)
    term, total, k = exp(-mean), exp(-mean), 0
    while True:
        if abs(total - mpf(u)) <= (k + 4) * unit * total:
            return None
        if total >= mpf(u):
            return mpf(k)
        k += 1
        term *= mean / k
        total += term


def log_tail(a, s, upper):
    """The logarithm of a gamma number's probability to be above or below exp(s)."""
    a, x = mpf(a), exp(s)
    if a < 2000:
        return log(gammainc(a, x, regularized=True) if upper else gammainc(a, 0, x, regularized=True))
    width = (1 if upper else -1) / sqrt(a)
    integral = abs(quad(lambda w: exp((a - x) * w - x * (expm1(w) - w)),
                        [width * k for k in (0, 0.5, 1, 2, 3, 4, 6, 8, 11, 16)]))
    return a * s - x - loggamma(a) + log(integral)


def gamma(u, a, start):
    """The quantile by Newton's method from a number near it, and its derivative by the shape."""
    u, a, s = mpf(u), mpf(a), log(mpf(start))
    upper = u > 0.5
    wanted = log(1 - u if upper else u)
    for _ in range(40):
        value = log_tail(a, s, upper)
        slope = exp(a * s - exp(s) - loggamma(a) - value) * (-1 if upper else 1)
        s -= (value - wanted) / slope
        if abs(value - wanted) < abs(slope) * mpf(10)**-30:
            break
    else:
        raise ValueError(f"no quantile of {a} at {u}")
    return exp(s), -exp(s) * diff(lambda b: log_tail(b, s, upper), a, h=a * mpf(10)**-15) / slope


def chosen(bits):
    """Probabilities of all sizes, as numbers of the precision."""
    t = random.random()
    kind = random.randrange(3)
    u = t if kind == 0 else 2.0**(-60 * t) if kind == 1 else 1 - 2.0**(-1 - (20 if bits == 32 else 48) * t)
    return single(u) if bits == 32 else u


random.seed(43)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "inverse.txt"), "w") as file:
    file.write("# From inverse.py: distribution, bits, u, mean : quantile as a sum of two doubles.\n")

    def say(name, bits, u, mean, x):
        file.write(f"{name} {bits} {u.hex()} {float(mean).hex()} : {float(x).hex()} {float(x - mpf(float(x))).hex()}\n")

    for bits in 32, 64:
        for _ in range(60):
            u = chosen(bits)
            say("normal", bits, u, 0, normal(u))
        means = (2.0**-10, 0.5, 3, 20, 80) if bits == 32 else (2.0**-10, 0.5, 3, 20, 80, 300, 700)
        for mean in means:
            for _ in range(12):
                u = chosen(bits)
                k = poisson(u, mean, mpf(2)**(-22 if bits == 32 else -51))
                if k is not None:
                    say("poisson", bits, u, mean, k)
    for bits in 32, 64:
        # every size of shape; starts by the leading term, or by Wilson and Hilferty
        for exponent in (-3, -2.4, -1.7, -1, -0.5, -0.05, 0, 0.2, 0.7, 1.2, 1.21, 2, 3.1, 5, 9):
            for _ in range(4):
                u, a = chosen(bits), 10**exponent
                u, a = (single(u), single(a)) if bits == 32 else (u, a)
                a = max(a, single(1e-3)) if bits == 32 else a
                z = normal(u) if u != 0.5 else mpf(0)
                start = a * max(1 - 1 / mpf(9 * a) + z / (3 * sqrt(mpf(a))), mpf("0.3"))**3
                leading = exp((log(mpf(u)) + loggamma(mpf(a) + 1)) / a)
                if leading < (a + 1) / 5:
                    start = leading
                elif a < 1:
                    start = max(mpf(1), -log((1 - mpf(u)) * mpf(a)))
                if start < mpf(2)**(-120 if bits == 32 else -1000):
                    continue
                x, by_shape = gamma(u, a, start)
                say("gamma", bits, u, a, x)
                say("gamma'", bits, u, a, by_shape)
