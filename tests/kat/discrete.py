#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes discrete.txt: for values k of discrete distributions, how many words of 32 bits and how many integers of 53 bits
have the quantile k or less, floor(2^bits P(X <= k) + 1/2). Probabilities come from gamma functions, in 80 digits: P(X = k)
and its ratios to those below or above, whichever tail is shorter. Needs mpmath.

    python3 discrete.py

A line: distribution, mean or number of trials or shape, probability, k, words of 32 bits, integers of 53 bits.
"""
import os

from mpmath import exp, floor, log, loggamma, log1p, mp, mpf, sqrt

mp.dps = 80


def poisson(mean, _):
    return (lambda k: exp(-mean + k * log(mean) - loggamma(k + 1)), lambda k: mean / (k + 1), mean, mean, 0, None)


def binomial(n, p):
    def mass(k):
        return exp(loggamma(n + 1) - loggamma(k + 1) - loggamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p))

    return (mass, lambda k: (n - k) / (k + 1) * p / (1 - p), n * p, n * p * (1 - p), 0, n)


def negative_binomial(r, p):
    def mass(k):
        return exp(loggamma(k + r) - loggamma(k + 1) - loggamma(r) + r * log(p) + k * log1p(-p))

    return (mass, lambda k: (k + r) / (k + 1) * (1 - p), r * (1 - p) / p, r * (1 - p) / p**2, 0, None)


def geometric(_, p):
    return (lambda k: p * exp((k - 1) * log1p(-p)), lambda k: 1 - p, 1 / p, (1 - p) / p**2, 1, None)


LAWS = [(poisson, mean, 0.0) for mean in (1e-6, 0.3, 3.0, 30.0, 3000.0, 1e6, 1e9)] + [
    (binomial, n, p) for n, p in ((1.0, 0.5), (10.0, 0.3), (1000.0, 1e-5), (1000.0, 0.999), (1e6, 0.37), (2147483647.0, 0.5))
] + [(geometric, 0.0, p) for p in (0.5, 0.01, 1e-4, 0.999999)
     ] + [(negative_binomial, r, p) for r, p in ((2.5, 0.3), (0.1, 0.01), (1000.0, 0.5), (1e6, 0.9))]


def share(law, k):
    """P(X <= k)."""
    mass, ratio, mean, _, first, last = law
    start, total, term = mass(mpf(k)), mpf(0), mpf(1)
    if k < mean:
        for i in range(k, first - 1, -1):
            total += term
            if i > first:
                term /= ratio(mpf(i - 1))
            if term < mpf(10)**-40:
                break
        return start * total
    i = k
    while last is None or i < last:
        term *= ratio(mpf(i))
        total += term
        i += 1
        if term < mpf(10)**-40:
            break
    return 1 - start * total


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "discrete.txt"), "w") as file:
    file.write("# From discrete.py: distribution, mean or trials or shape, probability, k, words of 32 bits, of 53.\n")
    for distribution, a, p in LAWS:
        law = distribution(mpf(a), mpf(p))
        _, _, mean, variance, first, last = law
        around = {int(floor(mean + mpf(z) * sqrt(variance))) for z in (-8, -6, -4, -2, -1, -0.5, 0, 0.3, 1, 2, 3, 5, 7, 8)}
        around |= {first, first + 1, first + 2}
        for k in sorted(k for k in around if k >= first and (last is None or k <= last)):
            words = [int(floor(mpf(2)**bits * share(law, k) + mpf(1) / 2)) for bits in (32, 53)]
            file.write(f"{distribution.__name__.replace('_', '-')} {a.hex()} {p.hex()} {k} {words[0]} {words[1]}\n")
