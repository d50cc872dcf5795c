#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes tabled.txt: quantiles of gamma, beta, Student's t, truncated normal and non-central chi-square distributions at the
probabilities of words, as sums of two doubles. SciPy's quantile or a bisection, improved by Newton's method in 60 digits;
probabilities are hypergeometric series with gamma functions, complementary error functions, and sums of gamma
probabilities with Poisson weights. Needs mpmath and SciPy.

    python3 tabled.py

A line: distribution, bits of the word, word, two parameters : high, low. A truncated normal has mean 0, standard deviation 1
and its two ends as parameters.
"""
import os
import random

import scipy.stats
from mpmath import erfc, exp, floor, log, loggamma, mp, mpf, pi, sqrt

mp.dps = 60


def series(ratio):
    total, term, n = mpf(0), mpf(1), 0
    while term > mpf(10)**-60 * total:
        total += term
        term *= ratio(n)
        n += 1
    return total


def gamma(a, _):
    def share(x, upper):
        p = exp(a * log(x) - x - loggamma(a + 1)) * series(lambda n: x / (a + 1 + n))
        return 1 - p if upper else p

    return share, lambda x: exp((a - 1) * log(x) - x - loggamma(a)), scipy.stats.gamma(float(a))


def beta_share(a, b, x):
    """P(X <= x) for x below the mean or so."""
    lead = exp(a * log(x) + b * log(1 - x) + loggamma(a + b) - loggamma(a + 1) - loggamma(b))
    return lead * series(lambda n: x * (a + b + n) / (a + 1 + n))


def beta(a, b):
    def share(x, upper):
        if x > a / (a + b):
            q = beta_share(b, a, 1 - x)
            return q if upper else 1 - q
        p = beta_share(a, b, x)
        return 1 - p if upper else p

    def density(x):
        return exp((a - 1) * log(x) + (b - 1) * log(1 - x) + loggamma(a + b) - loggamma(a) - loggamma(b))

    return share, density, scipy.stats.beta(float(a), float(b))


def student_t(v, _):
    def share(x, upper):
        y = v / (v + x * x)
        p = beta_share(v / 2, mpf(1) / 2, y) / 2 if y < mpf(9) / 10 else (1 - beta_share(mpf(1) / 2, v / 2, 1 - y)) / 2
        return p if (x > 0) == bool(upper) else 1 - p

    def density(x):
        return exp(loggamma((v + 1) / 2) - loggamma(v / 2) - log(v * pi) / 2 - (v + 1) / 2 * log(1 + x * x / v))

    return share, density, scipy.stats.t(float(v))


def normal_tail(x):
    return erfc(x / sqrt(mpf(2))) / 2


def truncated_normal(a, b):
    """By the tail in which the interval lies, so that nothing cancels."""
    def between(x, y):
        return normal_tail(x) - normal_tail(y) if x > 0 else normal_tail(-y) - normal_tail(-x)

    with mp.workdps(120):
        whole = between(a, b)

    def share(x, upper):
        with mp.workdps(120):
            return between(x, b) / whole if upper else between(a, x) / whole

    def density(x):
        return exp(-x * x / 2) / sqrt(2 * pi) / whole

    class Bisected:
        @staticmethod
        def search(p, upper):
            low, high = a, min(b, a + 50) if a > 0 else b
            for _ in range(80):
                middle = (low + high) / 2
                if (share(middle, upper) < p) != upper:
                    low = middle
                else:
                    high = middle
            return low

    Bisected.ppf = staticmethod(lambda p: Bisected.search(p, False))
    Bisected.isf = staticmethod(lambda p: Bisected.search(p, True))
    return share, density, Bisected


def noncentral_chi_square(v, noncentrality):
    """Poisson weights times gamma probabilities. Both have recurrences, which are followed so that all terms are positive."""
    half, a = noncentrality / 2, v / 2
    spread = 17 * sqrt(half) + 60
    first, last = max(0, int(half - spread)), int(half + spread + 20)

    def terms(y):
        """Poisson weights, and y^(a + j) exp(-y) / gamma(a + j + 1), from j = first on."""
        w = exp(first * log(half) - half - loggamma(first + 1)) if half else mpf(1)
        g = exp((a + first) * log(y) - y - loggamma(a + first + 1))
        for j in range(first, last + 1):
            yield w, g
            w *= half / (j + 1)
            g *= y / (a + j + 1)

    def share(x, upper):
        y, both = x / 2, None
        both = list(terms(y))
        if upper:
            q = 1 - both[0][1] * series(lambda n: y / (a + first + 1 + n))
            total = mpf(0)
            for w, g in both:
                total += w * q
                q += g
            return total
        p = both[-1][1] * series(lambda n: y / (a + last + 1 + n))
        total = both[-1][0] * p
        for w, g in reversed(both[:-1]):
            p += g
            total += w * p
        return total

    def density(x):
        y = x / 2
        return sum(w * g * (a + first + i) / y for i, (w, g) in enumerate(terms(y))) / 2

    class Started:
        ppf = staticmethod(lambda p: scipy.stats.ncx2.ppf(p, float(v), float(noncentrality)))
        isf = staticmethod(lambda p: scipy.stats.ncx2.isf(p, float(v), float(noncentrality)))

    return share, density, Started


def quantile(law, p, upper):
    share, density, theirs = law
    x = mpf(float(theirs.isf(float(p)) if upper else theirs.ppf(float(p))))
    for _ in range(12):
        step = (share(x, upper) - p) / density(x) * (1 if upper else -1)
        step = max(min(step, abs(x) / 2), -abs(x) / 2) if x != 0 else step
        x += step
        if abs(step) < abs(x) * mpf(10)**-36:
            return x
    raise SystemExit(f"no quantile at {p}, {upper}: {x}")


# Small shapes: logarithms, by bisection and Newton's method. Numbers below exp(-87), with 64 bits exp(-708), are 0.


def logarithm(share, slope, low, high):
    """L where the increasing logarithm of a probability is 0; its slope is that by L."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < 0 else (low, middle)
    x = (low + high) / 2
    for _ in range(4):
        x -= share(x) / slope(x)
    return x


def small_gamma(a, _, tail, upper, least):
    p = 1 - tail if upper else tail

    def log_share(x):
        return a * x - exp(x) + log(series(lambda n: exp(x) / (a + 1 + n))) - loggamma(a + 1)

    start = (log(p) + loggamma(a + 1)) / a
    if start < least:
        return mpf(0)

    def slope(x):
        return exp(a * x - exp(x) - loggamma(a) - log_share(x))

    return exp(logarithm(lambda x: log_share(x) - log(p), slope, min(start, mpf(4)) - 3, mpf(5)))


def small_beta(a, b, tail, upper, least):
    p = 1 - tail if upper else tail
    swapped = p > beta_share(a, b, mpf(1) / 2) if a > b else 1 - p < beta_share(b, a, mpf(1) / 2)
    if swapped:
        a, b, p = b, a, 1 - p
    start = (log(p) + log(a) - loggamma(a + b) + loggamma(a) + loggamma(b)) / a
    if start < least:
        return mpf(1 if swapped else 0)
    x = logarithm(lambda x: log(beta_share(a, b, exp(x))) - log(p),
                  lambda x: exp(a * x + (b - 1) * log(1 - exp(x)) + loggamma(a + b) - loggamma(a) - loggamma(b)) /
                  beta_share(a, b, exp(x)), min(start, log(mpf(1) / 2)) - 3, log(mpf(1) / 2) + mpf(10)**-40)
    return 1 - exp(x) if swapped else exp(x)


random.seed(43)
SMALL = [("gamma", small_gamma, 32, 0.001, 0.0), ("gamma", small_gamma, 32, 0.05, 0.0), ("gamma", small_gamma, 32, 0.29, 0.0),
         ("gamma", small_gamma, 64, 0.001, 0.0), ("gamma", small_gamma, 64, 0.05, 0.0), ("beta", small_beta, 32, 0.05, 0.002),
         ("beta", small_beta, 32, 0.001, 0.001), ("beta", small_beta, 32, 0.2, 2.5), ("beta", small_beta, 64, 0.03, 3.0),
         ("beta", small_beta, 64, 0.04, 0.04)]
CASES = [(gamma, a, 0.0) for a in (0.1, 0.3, 0.5, 1.0, 2.5, 100.0, 1e6, 1e7)] + [
    (beta, a, b) for a, b in ((0.5, 0.5), (2.0, 3.0), (0.3, 40.0), (100.0, 0.3), (3e4, 2e5))
] + [(student_t, v, 0.0) for v in (0.3, 1.0, 2.5, 30.0, 1e4)] + [
    (truncated_normal, a, b) for a, b in ((-1.0, 2.0), (0.0, 1e6), (-1e6, -5.0), (30.0, 31.0), (1.0, 1.0 + 2.0**-12), (-6.0, 8.0))
] + [(noncentral_chi_square, v, c) for v, c in ((1.0, 0.0), (0.6, 3.0), (4.5, 40.0), (30.0, 1.0), (2.0, 3000.0), (0.2, 1000.0))]
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tabled.txt"), "w") as file:
    file.write("# From tabled.py: distribution, bits, word, parameters : quantile as a sum of two doubles.\n")
    for distribution, a, b in CASES:
        law = distribution(mpf(a), mpf(b))
        for bits in 32, 64:
            if bits == 32 and a in (0.1, 0.2):
                continue
            digits = 32 if bits == 32 else 53
            ends = [0, 1, 12345, 2**digits - 1, 2**digits - 54321]
            words = ends + [random.getrandbits(digits) for _ in range(7)] + [random.getrandbits(digits - 9) for _ in range(3)]
            new = distribution in (truncated_normal, noncentral_chi_square)
            for word in words[:3] + words[5:7] if a == 1e7 else words[2:9] + words[-1:] if new else words:
                upper = word >= 2**(digits - 1)
                tail = (2**digits - 1 - word if upper else word) + mpf(1) / 2
                x = quantile(law, tail / mpf(2)**digits, upper)
                high = float(x)
                shown = word if bits == 32 else word << 11
                file.write(f"{distribution.__name__.replace('_', '-')} {bits} {shown:x} {a.hex()} {b.hex()} : {high.hex()} "
                           f"{float(x - mpf(high)).hex()}\n")
    for name, law, bits, a, b in SMALL:
        digits, least = (32, -87) if bits == 32 else (53, -708)
        scales = [random.getrandbits(digits) >> random.randrange(1, digits - 4) for _ in range(8)]
        for word in scales[:4] + [2**digits - 1 - w for w in scales[4:]] + [random.getrandbits(digits) for _ in range(4)]:
            upper = word >= 2**(digits - 1)
            tail = (2**digits - 1 - word if upper else word) + mpf(1) / 2
            x = law(mpf(a), mpf(b), tail / mpf(2)**digits, upper, least)
            high = float(x)
            shown = word if bits == 32 else word << 11
            file.write(f"{name} {bits} {shown:x} {a.hex()} {b.hex()} : {high.hex()} {float(x - mpf(high)).hex()}\n")
