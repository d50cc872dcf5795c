#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes normals.txt: standard normal deviates of words of the width that is not the usual one of their
precision, from their definitions alone, in 60 digits, rounded to 53 bits. Needs mpmath.

    python3 normals.py
"""
import os
import random

from mpmath import cos, erfc, exp, log, mp, mpf, pi, sin, sqrt

mp.dps = 60


def icdf(bits, w):
    """x with CDF(x) = (w + 1/2) / 2^bits, by Newton's method on the tail's logarithm."""
    low = w < 2 ** (bits - 1)
    p = (mpf(w if low else 2**bits - 1 - w) + mpf(1) / 2) / mpf(2) ** bits
    x = sqrt(-2 * log(2 * p)) if p < mpf("0.49") else (mpf(1) / 2 - p) * sqrt(2 * pi)
    for _ in range(200):
        q = erfc(x / sqrt(mpf(2))) / 2
        step = (log(q) - log(p)) * q * sqrt(2 * pi) * exp(x * x / 2)
        x += step
        if abs(step) < mpf(10) ** -50 * x:
            return -x if low else x
    raise ArithmeticError(w)


def box_muller(bits, u, v):
    """normal.h: a radius of u, a wedge of the first two bits of v, an angle t of the 30 bits after them, which
    count from their middle value for words of 32 bits, from the lowest for 64."""
    r = sqrt(-2 * log((mpf(u) + mpf(1) / 2) / mpf(2) ** bits))
    v >>= bits - 32
    n = v % 2**30
    if bits == 32 and n >= 2**29:
        n -= 2**30
    t = (n + mpf(1) / 2) / 2**30 - (mpf(1) / 2 if bits == 64 else 0)
    c, s = cos(pi * t / 2), sin(pi * t / 2)
    if v >> 31:
        c = -c
    return (r * s, r * c) if v >> 30 & 1 else (r * c, r * s)


def hexadecimal(x):
    mp.prec, kept = 53, mp.prec
    x = float(+x)
    mp.prec = kept
    return x.hex()


def words(bits, count, rng):
    some = [0, 1, 2, 3, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2**bits - 1, 2**bits - 2]
    for k in range(3, bits - 1, 3):
        some += [2**k - 1, 2**k, 2**k + 2 ** (k - 2), 2**bits - 1 - 2**k]
    while len(some) < count:
        some.append(rng.getrandbits(bits) >> rng.randrange(bits) if len(some) % 2 else rng.getrandbits(bits))
    return some


def main():
    rng = random.Random(13)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "normals.txt")
    with open(path, "w") as f:
        f.write(
            "# Standard normal deviates of words of 64 bits (for f32) and 32 bits (for f64). Written by normals.py\n"
            "# beside this file, from their definitions alone, in 60 digits, rounded to 53 bits.\n#\n"
            "# icdf bits, word : deviate\n# box-muller bits, u, v : two deviates\n"
        )
        for bits in 64, 32:
            for w in words(bits, 160, rng):
                f.write(f"icdf {bits} {w:x} : {hexadecimal(icdf(bits, w))}\n")
            us = words(bits, 160, rng)
            for i, u in enumerate(us):
                v = rng.getrandbits(bits) if i % 4 else us[-1 - i]
                z = box_muller(bits, u, v)
                f.write(f"box-muller {bits} {u:x} {v:x} : {hexadecimal(z[0])} {hexadecimal(z[1])}\n")


main()
