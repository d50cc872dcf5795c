#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes quantiles.txt: quantiles of distributions in their standard forms at the probabilities of words, from their
definitions alone, in 80 digits, as sums of two doubles. Needs mpmath.

    python3 quantiles.py
"""
import os
import random

from mpmath import atanh, exp, fabs, log, log1p, mp, mpf, pi, power, tan

mp.dps = 80

SHAPES = (0.3, 0.5, 1, 2.5, 40, 1e6)


def log_u(tail, upper):
    return log1p(-tail) if upper else log(tail)


def logistic(tail, upper, shape):
    return (1 if upper else -1) * 2 * atanh(1 - 2 * tail)


def laplace(tail, upper, shape):
    return (-1 if upper else 1) * log(2 * tail)


def gumbel(tail, upper, shape):
    return -log(-log_u(tail, upper))


def cauchy(tail, upper, shape):
    return (1 if upper else -1) * tan(pi * (mpf(1) / 2 - tail))


def weibull(tail, upper, shape):
    return power(-log_u(tail, not upper), 1 / mpf(shape))


def pareto(tail, upper, shape):
    return exp(-log_u(tail, not upper) / mpf(shape))


def words(bits, count, rng):
    """Both ends, the middle, and next to U = 1/e, where a Gumbel is 0; the others at every scale from each end."""
    top = 2**bits
    step = 1 if bits == 32 else 2**11
    e = int(top * exp(mpf(-1))) // step * step
    made = [0, top - 1, top // 2, top // 2 - 1] + [(e + i * step) % top for i in range(-2, 3)]
    while len(made) < count:
        w = rng.getrandbits(bits) >> rng.randrange(bits)
        made.append(rng.choice((w, top - 1 - w, (top // 2 + w) % top, (top // 2 - 1 - w) % top)))
    return made


def tail_of(bits, w):
    upper = w >= 2 ** (bits - 1)
    k = 2**bits - 1 - w if upper else w
    return (mpf(k) + mpf(1) / 2) / mpf(2) ** 32 if bits == 32 else (mpf(k >> 11) + mpf(1) / 2) / mpf(2) ** 53, upper


def parts(x):
    high = float(x)
    low = float(x - high)
    assert fabs(x - high - low) <= fabs(x) * mpf(2) ** -105
    return f"{high.hex()} {low.hex()}"


def main():
    rng = random.Random(43)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "quantiles.txt")
    with open(path, "w") as f:
        f.write(
            "# Quantiles at the probabilities of words. Written by tests/kat/quantiles.py, from their\n"
            "# definitions alone, in 80 digits.\n#\n"
            "# distribution bits, word, shape : the quantile as the sum of two doubles\n"
        )
        for bits in 32, 64:
            for quantile in logistic, laplace, gumbel, cauchy:
                for w in words(bits, 60, rng):
                    tail, upper = tail_of(bits, w)
                    f.write(f"{quantile.__name__} {bits} {w:x} 1 : {parts(quantile(tail, upper, 1))}\n")
            for quantile in weibull, pareto:
                for shape in SHAPES:
                    for w in words(bits, 25, rng):
                        tail, upper = tail_of(bits, w)
                        x = parts(quantile(tail, upper, shape))
                        f.write(f"{quantile.__name__} {bits} {w:x} {float(shape).hex()} : {x}\n")


main()
