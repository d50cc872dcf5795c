#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Prints the constants of include/bailey/device/quantile.h. For the exponential: 2^(i/32) in two parts, 32 / ln 2, and
ln(2) / 32 in three parts. For Cauchy's quantile: with L(p) = ln(sin(pi p) / (pi p)), L(1/4 - s/2) - L(1/4 + s/2) is
s F(s^2); the first two coefficients of F by Taylor in two parts, the others as a polynomial in s^2 fitted at Chebyshev
points, highest first. Needs mpmath 1.3.

    python3 tools/fit_quantile.py
"""
from mpmath import chebyfit, floor, log, mp, mpf, pi, sin, taylor, workprec

mp.prec = 400


def rounded(x, bits):
    with workprec(bits):
        return +x


def text(x, suffix):
    mantissa, exponent = float(x).hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{int(exponent)}{suffix}"


def two_parts(x, bits, suffix):
    high = rounded(x, bits)
    return f"{text(high, suffix)}, {text(rounded(x - high, bits), suffix)}"


def three_parts(x, first, second, bits, suffix):
    """The first two parts are multiples of 2^-first and 2^-second."""
    parts = []
    for places in (first, second):
        parts.append(floor(x * mpf(2) ** places + mpf(1) / 2) / mpf(2) ** places)
        x -= parts[-1]
    parts.append(rounded(x, bits))
    return ", ".join(text(part, suffix) for part in parts)


for i in range(32):
    power = mpf(2) ** (mpf(i) / 32)
    print(f"X({two_parts(power, 24, 'f')}, {two_parts(power, 53, '')})")
for bits, suffix, first, second in (24, "f", 17, 30), (53, "", 42, 59):
    print(text(rounded(32 / log(mpf(2)), bits), suffix), three_parts(log(mpf(2)) / 32, first, second, bits, suffix))

TERMS = 40
series = taylor(lambda p: log(sin(pi * p) / (pi * p)), mpf(1) / 4, 2 * TERMS)
odd = [-2 * series[2 * n + 1] / mpf(2) ** (2 * n + 1) for n in range(TERMS)]
for bits, suffix, count in (24, "f", 6), (53, "", 11):
    rest = chebyfit(lambda v: sum(c * v**n for n, c in enumerate(odd[2:])), [0, mpf(1) / 4], count)
    print(two_parts(odd[0], bits, suffix), "and", two_parts(odd[1], bits, suffix))
    print(" ".join(text(rounded(c, bits), suffix) for c in rest))
