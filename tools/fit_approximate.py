#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Makes the tables of the approximate normals: data/approximate.bin.

    python3 tools/fit_approximate.py [folder]

needs mpmath, takes about 10 s on one core and writes the same bytes each time.

The file has 64 floats of DYADIC, then 1,024 of CONSTANT, little-endian, with no header. Both approximate
the normal deviate of a word of 32 bits from its first bits (include/bailey/device/approximate.h).

CONSTANT: entry i is the mean of the deviates whose CDF is in [i / 1024, (i + 1) / 1024), which is
1024 (density at its lower end - density at its upper end). For all functions of the first ten bits it has the
smallest mean square error.

DYADIC: the first 16 bits, folded to a tail probability of K / 65536 with K odd, the middle of a cell. Each
octave of K, [2^n, 2^(n+1)), is cut in two. Row r mod 32, where r is the exponent and the first bit of K as a
float, has a and b: the deviate is a + b K. From K = 16 on they are the continuous piecewise linear function
that comes closest to the means of the cells in mean square, and is 0 at the probability 1/2, so that both
signs meet there; below, each piece has two cells at most, and their means are what it gives. (Asymptotically
a continuous function does as well as one with jumps: its error on a piece is the Bernoulli polynomial of
degree 2.) The program verifies that the deviates are in order, with all roundings, and prints the mean
square errors.
"""
import os
import struct
import sys

from mpmath import erfc, exp, mp, mpf, pi, sqrt

mp.prec = 120
CELLS = 1 << 15  # of one half
ENTRIES = 1024


def density(x):
    return exp(-x * x / 2) / sqrt(2 * pi)


def deviate(p, x):
    """The deviate whose upper tail is p, by Newton's method from x."""
    while True:
        step = (erfc(x / sqrt(mpf(2))) / 2 - p) / density(x)
        x += step
        if abs(step) < mpf(2) ** -100:
            return x


def densities():
    """At the deviates whose tails are j / 65536, j = 0 .. 32768."""
    found, x = [mpf(0)] * (CELLS + 1), mpf(0)
    found[CELLS] = density(x)
    for j in range(CELLS - 1, 0, -1):
        x = deviate(mpf(j) / (2 * CELLS), x)
        found[j] = density(x)
    return found


def single(x):
    """The float nearest to x, ties to even."""
    with mp.workprec(24):
        return float(+x)


def through(k, y, l, z):
    """a and b of the line through two points."""
    b = (z - y) / (l - k)
    return y - b * k, b


def pieces():
    """(lower end, upper end) of each half of an octave, from K = 1 on."""
    for octave in range(16):
        for j in (2, 3):
            yield mpf(j) / 2 * 2**octave, mpf(j + 1) / 2 * 2**octave


def spline(means, knots):
    """Values at the knots of the continuous piecewise linear function of least squares; 0 at the last."""
    n = len(knots) - 1
    own, next_, right = [mpf(0)] * (n + 1), [mpf(0)] * (n + 1), [mpf(0)] * (n + 1)
    for i in range(n):
        for k in range(int(knots[i]) | 1, int(knots[i + 1]), 2):
            t = (k - knots[i]) / (knots[i + 1] - knots[i])
            own[i] += (1 - t) ** 2
            own[i + 1] += t * t
            next_[i] += t * (1 - t)
            right[i] += (1 - t) * means[k >> 1]
            right[i + 1] += t * means[k >> 1]
    for i in range(1, n):  # elimination; the last value is known
        factor = next_[i - 1] / own[i - 1]
        own[i] -= factor * next_[i - 1]
        right[i] -= factor * right[i - 1]
    values = [mpf(0)] * (n + 1)
    for i in range(n - 1, -1, -1):
        values[i] = (right[i] - next_[i] * values[i + 1]) / own[i]
    return values


def fused(b, k, a):
    """fma in single precision."""
    return single(mpf(b) * k + mpf(a))


def dyadic(means):
    """The rows, and the approximate deviates of the cells."""
    rows, values = [(0.0, 0.0)] * 32, []
    knots = [low for low, _ in pieces() if low >= 16] + [mpf(2 * CELLS)]
    at_knot = dict(zip(knots, spline(means, knots)))
    for number, (low, high) in enumerate(pieces()):
        keys = [k for k in range(int(low) | 1, 2 * CELLS, 2) if low <= k < high]
        if low >= 16:
            a, b = through(low, at_knot[low], high, at_knot[high])
        elif len(keys) == 2:
            a, b = through(keys[0], means[keys[0] >> 1], keys[1], means[keys[1] >> 1])
        else:
            a, b = means[keys[0] >> 1] if keys else mpf(0), mpf(0)
        b = single(b)
        a = -2 * CELLS * b if high == 2 * CELLS else single(a)
        rows[(2 * 127 + number) % 32] = (a, b)
        values += [fused(b, k, a) for k in keys]
    return rows, values


def mean_square_error(means, values):
    """E (Z - Z~)^2: of the cells' means, and of Z about them."""
    squares = sum(m * m for m in means) / CELLS
    return 1 - squares + sum((m - v) ** 2 for m, v in zip(means, values)) / CELLS


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "data")
    at = densities()
    means = [(at[j + 1] - at[j]) * 2 * CELLS for j in range(CELLS)]
    rows, values = dyadic(means)
    assert all(x >= y for x, y in zip(values, values[1:])) and values[-1] > 0

    wide = 2 * CELLS // ENTRIES  # cells of an entry
    half = [single((at[wide * (i + 1)] - at[wide * i]) * ENTRIES) for i in range(ENTRIES // 2)]
    assert all(x > y for x, y in zip(half, half[1:])) and half[-1] > 0
    constant = [-x for x in half] + half[::-1]

    with open(os.path.join(folder, "approximate.bin"), "wb") as f:
        f.write(struct.pack("<64f", *(x for row in rows for x in row)))
        f.write(struct.pack("<1024f", *constant))
    print("DYADIC   mean square error %.5e" % mean_square_error(means, values))
    print("CONSTANT mean square error %.5e" % mean_square_error(means, [half[j // wide] for j in range(CELLS)]))


main()
