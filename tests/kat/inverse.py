#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes inverse.txt: normal quantiles, by Newton's method on the complementary error function in 50 digits, and Poisson
quantiles, by sums of probabilities in 50 digits, at u that are not within (k + 4) 2^-22 of a step (f64: 2^-51). Needs mpmath.

    python3 inverse.py

Lines: "normal" or "poisson", bits, u, mean : quantile as a sum of two doubles.
"""
import os
import random
import struct

from mpmath import erfc, exp, log, mp, mpf, pi, sqrt

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
