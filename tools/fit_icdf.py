#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Fits the tables of the inverse normal CDF: data/icdf_f32.bin and data/icdf_f64.bin.

    python3 tools/fit_icdf.py [folder]

needs mpmath, takes about 15 s on one core and writes the same bytes each time.

Octave n of the tail probability p is [2^-(n+2), 2^-(n+1)). It is cut into 2^S equal pieces, and
row 2^S n + j is the piece whose upper end is (2^S + j + 1) / 2^(S+n+2). With t = (upper end - p) /
(width of the piece), a row holds the coefficients c0 ... cD of

    |deviate| = c0 + t (c1 + t (c2 + ... + t cD)),    0 <= t <= 1,

rounded to the format, lowest first, where the powers of two that turn t into what the device has are
folded in: u = -2^27 t (f32), u = t / 32 (f64). Before p = 1/2 the deviate is odd in t: c0, c2, ... of
that piece are 0, and small deviates keep their relative accuracy.

Each row starts from the polynomial that interpolates the deviate at Chebyshev points and at both ends
(error at most 0.23 ulp in f32, 0.013 in f64). c0 is the nearest number of the format; a search over
c1, c2 and c3 on their grids then lowers the largest sum of the remaining error and of a bound of all
rounding errors. No libm function is used in binary64, so that the choice does not depend on the platform.

Monotone. All derivatives of the deviate in t are positive: y' = G and G' = y G^2. So every
coefficient is >= 0, and each rounded fma of Horner's rule is a non-decreasing function of t. Where
pieces meet, the value at t = 1 must not exceed c0 of the next row, the rounded value at its t = 0:
every row is fitted so that it does not, and the program verifies it in exact arithmetic.
"""
import os
import struct
import sys
from math import frexp, ldexp

from mpmath import erfc, exp, mp, mpf, pi, sqrt

mp.prec = 200
TERMS = 24  # of Taylor series; the last is below 2^-90 of the sum

# ---- The function ----------------------------------------------------------------------------


def deviate(p, x):
    """The deviate whose upper tail is p, by Newton's method from x."""
    while True:
        step = (erfc(x / sqrt(mpf(2))) / 2 - p) * sqrt(2 * pi) * exp(x * x / 2)
        x += step
        if abs(step) < mpf(2) ** -170:
            return x


def taylor(x, width):
    """Coefficients in t of the deviate of (upper end - width t), which is x at t = 0."""
    y, g, square = [x], [width * sqrt(2 * pi) * exp(x * x / 2)], []
    for i in range(TERMS):
        y.append(g[i] / (i + 1))
        square.append(mp.fdot((g[j], g[i - j]) for j in range(i + 1)))
        g.append(mp.fdot((y[j], square[i - j]) for j in range(i + 1)) / (i + 1))
    return y


# ---- A piece ---------------------------------------------------------------------------------


def rounded(x, bits):
    """x to the nearest number of so many bits, ties to even."""
    with mp.workprec(bits):
        return +x


def ulp(x, bits):
    """The unit in the last place of a positive double seen as a number of so many bits."""
    return ldexp(1.0, frexp(x)[1] - bits)


def cosine(k, n):
    return float(mp.cos(mpf(k) * pi / n))


def interpolate(nodes, values):
    """Coefficients of the polynomial through the points (divided differences)."""
    d = list(values)
    for i in range(1, len(d)):
        for j in range(len(d) - 1, i - 1, -1):
            d[j] = (d[j] - d[j - 1]) / (nodes[j] - nodes[j - i])
    c = [0.0] * len(d)
    for j in range(len(d) - 1, -1, -1):
        c = [d[j] - nodes[j] * c[0]] + [c[k - 1] - nodes[j] * c[k] for k in range(1, len(c))]
    return c


def horner(c, t):
    y = 0.0
    for a in reversed(c):
        y = y * t + a
    return y


def power(t, k):
    """t^k by multiplications; the operator would call libm."""
    y = 1.0
    for _ in range(k):
        y *= t
    return y


class Piece:
    """The fit of one row. Errors are in units of `unit`, the ulp of the deviate at t = 1."""

    def __init__(self, series, table, odd):
        self.a, self.bits, self.degree, self.odd = series, table.bits, table.degree, odd
        self.step = 2 if odd else 1
        self.free = [k for k in range(self.degree + 1) if k % self.step == self.step - 1]
        self.y = [float(a) for a in series]
        self.unit = ulp(float(sum(series)), self.bits)
        self.points = [i / 32 for i in range(33)]
        if odd:  # the worst points are those just below a power of two, at every scale
            just_below = [ldexp(s, -i) / self.y[1] for i in range(1, 16) for s in (0.99, 0.9999)]
            self.points = self.points[8:] + [t for t in just_below if 0.01 < t < 1]
        self.values = [horner(self.y, t) for t in self.points]
        self.scale = [self.unit / ulp(v, self.bits) for v in self.values]
        self.noise = [self.rounding(t, v, table.inexact_t) for t, v in zip(self.points, self.values)]

    def rounding(self, t, value, inexact_t):
        """A bound of the rounding errors of Horner's rule at t, in ulp of the value."""
        total = ulp(value, self.bits)
        for k in range(1, self.degree):
            z = horner(self.y[k:], t)
            if (k - 1) % self.step == 0:
                total += ulp(z, self.bits) * power(t, k)
        if inexact_t and t < 1:
            slope = horner([k * a for k, a in enumerate(self.y)][1:], t)
            total += ulp(t, self.bits) * slope
        return total / 2 / ulp(value, self.bits)

    def start(self):
        """The polynomial that interpolates the series, through both ends if the piece is not odd."""
        n = len(self.free)
        shrink = 1.0 if self.odd else cosine(1, 2 * n)
        s = [0.5 - 0.5 * cosine(2 * i + 1, 2 * n) / shrink for i in range(n)]
        if not self.odd:
            s[0], s[-1] = 0.0, 1.0
        rest = [k for k in range(self.degree + 1, TERMS) if k % self.step == self.step - 1]
        tail = [horner([self.y[k] / self.unit for k in rest], x) * power(x, n) for x in s]
        return dict(zip(self.free, interpolate(s, tail)))

    def grid(self, k, wish):
        """Coefficient k: the number of the format nearest to a[k] + wish units, which is not negative."""
        return rounded(max(self.a[k] + mpf(wish) * self.unit, mpf(0)), self.bits)

    def residual(self, c):
        """The series minus the polynomial at each point, in units."""
        e = [float((a - (c[k] if k < len(c) else 0)) / self.unit) for k, a in enumerate(self.a)]
        return [horner(e, t) for t in self.points]

    def end(self, c):
        """The value at t = 1 as a device computes it."""
        z = c[-1]
        for k in range(self.degree - 1, -1, -1):
            z = rounded(z + c[k], self.bits)
        return z

    def cost(self, c, residual, highest):
        worst = max(abs(r) * s + b for r, s, b in zip(residual, self.scale, self.noise))
        return worst + (100 if self.end(c) > highest else 0)

    def fit(self, first, highest):
        """Coefficients with c0 = first and a value of at most `highest` at t = 1, if that is possible,
        of least error, and a bound of that error in ulp."""
        begin = self.start()
        c = [mpf(0)] * (self.degree + 1)
        for k in self.free:
            c[k] = self.grid(k, begin[k])
        if not self.odd:
            slope = float((self.a[0] - first) / self.unit) - (self.noise[-1] - 0.5)
            c[0], c[1] = first, self.grid(1, begin[1] + slope)
        residual = self.residual(c)
        best = self.cost(c, residual, highest)
        movable = [k for k in self.free if 0 < k <= 3]
        step = 0.5
        while step > 0.004:
            moved = False
            for k in movable:
                for way in (step, -step):
                    new = rounded(c[k] + mpf(way) * self.unit, self.bits)
                    if new <= 0 or new == c[k]:
                        continue
                    change = float((c[k] - new) / self.unit)
                    trial = c[:k] + [new] + c[k + 1:]
                    r = [a + change * power(t, k) for a, t in zip(residual, self.points)]
                    cost = self.cost(trial, r, highest)
                    if cost < best:
                        c, residual, best, moved = trial, r, cost, True
            if not moved:
                step /= 2
        return c, best


# ---- A table ---------------------------------------------------------------------------------


class Table:
    def __init__(self, name, letter, bits, pieces, degree, octaves, scale, inexact_t):
        """The device has t / scale, rounded to the format if inexact_t."""
        self.name, self.letter, self.bits, self.pieces = name, letter, bits, pieces
        self.degree, self.octaves, self.scale, self.inexact_t = degree, octaves, scale, inexact_t

    def fit(self):
        """All rows, from p = 1/2 outwards; each c0 is at least the last value of the row before."""
        rows, x, last = {}, mpf(0), mpf(0)
        self.worst, self.pushed = (0, 0), 0
        for n in range(self.octaves):
            for j in range(self.pieces - 1, -1, -1):
                width = mpf(1) / (self.pieces << (n + 2))
                odd = n == 0 and j == self.pieces - 1
                series = taylor(x, width)
                x = deviate(width * (self.pieces + j), sum(series))
                nearest = rounded(series[0], self.bits)
                first = max(nearest, last)
                self.pushed += first > nearest
                piece = Piece(series, self, odd)
                c, cost = piece.fit(first, rounded(x, self.bits))
                last = piece.end(c)
                row = n * self.pieces + j
                rows[row] = c
                self.worst = max(self.worst, (cost if cost < 100 else cost - 100, row))
        return rows

    def verify(self, rows):
        """The conditions that make the map monotone."""
        last = mpf(0)
        for n in range(self.octaves):
            for j in range(self.pieces - 1, -1, -1):
                c = rows[n * self.pieces + j]
                if min(c) < 0 or c[0] < last or c[1] == 0:
                    sys.exit(f"{self.name}: row {n * self.pieces + j} is not monotone")
                last = c[-1]
                for a in reversed(c[:-1]):
                    last = rounded(last + a, self.bits)

    def bytes(self, rows):
        out = b""
        for row in range(len(rows)):
            for k, c in enumerate(rows[row]):
                out += struct.pack("<" + self.letter, float(c * mpf(self.scale) ** k) + 0.0)
        return out


TABLES = [
    Table("icdf_f32", "f", 24, 16, 3, 64, -(2.0**-27), True),  # an integer, which becomes a float
    Table("icdf_f64", "d", 53, 32, 7, 53, 32.0, False),  # a difference of numbers in [1, 2], exact
]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "data")
    for table in TABLES:
        rows = table.fit()
        table.verify(rows)
        data = table.bytes(rows)
        with open(os.path.join(folder, table.name + ".bin"), "wb") as f:
            f.write(data)
        print(f"{table.name}.bin: {len(rows)} rows, {len(data)} bytes, error at most "
              f"{table.worst[0]:.3f} ulp (row {table.worst[1]}), {table.pushed} first values above the nearest")


main()
