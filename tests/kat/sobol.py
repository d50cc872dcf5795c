#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes sobol.txt: what Sobol's points must be. Nothing here is shared with the C code or with data/sobol.bin.

    python3 sobol.py

needs SciPy. The words of the first 4096 points in all 21,201 dimensions are those of scipy.stats.qmc.Sobol,
unscrambled. The others are evaluated here from the definitions: direction numbers from the recurrence of the
m_k (S. Joe, F. Y. Kuo, SIAM J. Sci. Comput. 30, 2008), as integers, with SciPy's copy of their table;
scrambles and shuffles bit by bit, from bailey/device/sobol.h.
"""
import os

import numpy
import scipy.stats
from scipy.stats import qmc

DIMENSIONS, POINTS, BLOCK = 21201, 4096, 32
WORD = 0xFFFFFFFF
PRIME, BASIS = 0x100000001B3, 0xCBF29CE484222325  # FNV-1a of 64 bits, which takes whole words here

with numpy.load(os.path.join(os.path.dirname(scipy.stats.__file__), "_sobol_direction_numbers.npz")) as table:
    polynomials, initial = table["poly"].tolist(), table["vinit"].tolist()


def m_numbers(dimension):
    """m_1 ... m_64."""
    if dimension == 0:
        return [1] * 64
    a = [int(bit) for bit in bin(polynomials[dimension])[2:]]  # a_0 = 1, a_1, ..., a_s = 1
    s = len(a) - 1
    m = initial[dimension][:s]
    for k in range(s, 64):
        new = m[k - s]
        for q in range(1, s + 1):
            new ^= 2**q * a[q] * m[k - q]
        m.append(new)
    return m


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & WORD, p >> 32 ^ c[3] ^ k[1], p & WORD]
        k = [(k[0] + 0x9E3779B9) & WORD, (k[1] + 0xBB67AE85) & WORD]
    return c


def block(seed, stream, dimension, index):
    counter = [dimension, 16 * 2**25 + index * 2**17, stream & WORD, stream >> 32]
    return philox(counter, [seed & WORD, seed >> 32])


def reverse(x):
    return int(f"{x:032b}"[::-1], 2)


def mix(x):
    """The end of MurmurHash3."""
    x = (x ^ x >> 16) * 0x85EBCA6B % 2**32
    x = (x ^ x >> 13) * 0xC2B2AE35 % 2**32
    return x ^ x >> 16


def owen(x, seed):
    x = reverse(x)
    x ^= x * 0x3D20ADEA % 2**32
    x = (x + seed) % 2**32
    x = x * (seed >> 16 | 1) % 2**32
    x ^= x * 0x05526C56 % 2**32
    x ^= x * 0x53A22864 % 2**32
    return reverse(x)


def matrix(seed, stream, dimension):
    """Rows from the top; entry [i][j] is what bit j of a number, from the top, adds to bit i."""
    rows = [[int(i == j) for j in range(64)] for i in range(64)]
    for j in range(64):
        c = block(seed, stream, dimension, 1 + j // 2)[j % 2 * 2:][:2]
        bits = f"{c[0]:032b}{c[1]:032b}"
        for i in range(j + 1, 64):
            rows[i][j] = int(bits[i])
    return rows


def multiply(rows, x):
    bits = [int(b) for b in f"{x:064b}"]
    return int("".join(str(sum(r & b for r, b in zip(row, bits)) % 2) for row in rows), 2)


def shuffled(numbers, seed, stream, repetition):
    """v_1 ... v_64 of a repetition of the table."""
    result = []
    for k, v in enumerate(numbers, 1):
        c = block(seed, stream, repetition, 64 + (k - 1) // 2)[(k - 1) % 2 * 2:][:2]
        for j in range(1, k):
            if (c[0] << 32 | c[1]) >> (j - 1) & 1:
                v ^= numbers[j - 1]
        result.append(v)
    return result


def word(scramble, seed, stream, order, dimension, n):
    x = 0
    bits = n ^ n >> 1 if order == "gray" else n
    numbers = [m << (64 - k) for k, m in enumerate(m_numbers(dimension % DIMENSIONS), 1)]
    if dimension >= DIMENSIONS:
        key = (0, 0) if scramble == "none" else (seed, stream)
        numbers = shuffled(numbers, *key, dimension // DIMENSIONS)
    for k, v in enumerate(numbers):
        if bits >> k & 1:
            x ^= v
    b = block(seed, stream, dimension, 0)
    if scramble == "linear":
        x = multiply(matrix(seed, stream, dimension), x)
    if scramble in ("shift", "linear"):
        x ^= b[0] << 32 | b[1]
    if scramble == "owen":
        high, low = x >> 32, x & WORD
        x = owen(high, b[2]) << 32 | owen(low, b[3] ^ mix(reverse(high)))
    return x


def hashes():
    """For each 32 dimensions: words taken point by point."""
    engine = qmc.Sobol(DIMENSIONS, scramble=False, bits=32)
    blocks = -(-DIMENSIONS // BLOCK)
    state = numpy.full(blocks, BASIS, dtype=numpy.uint64)
    for _ in range(POINTS // 64):
        words = (engine.random(64) * 2.0**32).astype(numpy.uint64)
        words = numpy.pad(words, ((0, 0), (0, blocks * BLOCK - DIMENSIONS))).reshape(64, blocks, BLOCK)
        for point in words:
            for i in range(BLOCK):
                state = (state ^ point[:, i]) * numpy.uint64(PRIME)
    return state.tolist()


with open("sobol.txt", "w", encoding="ascii") as file:
    file.write(f"""\
# Known answers of Sobol's points. Written by sobol.py beside this file, from SciPy {scipy.__version__}.
#
# first, dimension : FNV-1a (64 bits) of the words of 32 bits of points 0 ... 4095, in Gray-code order, in that
#   and the next 31 dimensions, point by point; a dimension beyond the last counts as words of 0
# word scramble, seed, stream, order, dimension, point : the word of 64 bits (numbers in hexadecimal)

""")
    for number, found in enumerate(hashes()):
        file.write(f"first {number * BLOCK} : {found:016x}\n")
    dimensions = [0, 1, 2, 3, 17, 100, 1110, 1111, 9999, 20000, 21199, 21200]
    points = [2**32 - 1, 2**32, 2**32 + 1, 2**40 - 1, 2**40 + 12345, 2**50 - 1, 2**50, 2**50 + 987654321, 2**63, 2**64 - 1]
    for order in "gray", "index":
        for dimension in dimensions:
            for n in points:
                file.write(f"word none 0 0 {order} {dimension:x} {n:x} : {word('none', 0, 0, order, dimension, n):016x}\n")
    places = [(0, 0), (1, 0), (0, 1), (0x0123456789ABCDEF, 0xFEDCBA9876543210)]
    for scramble in "shift", "linear", "owen":
        for seed, stream in places:
            for dimension in 0, 1, 77, 21200:
                for order, n in ("gray", 0), ("gray", 1), ("index", 123456), ("gray", 2**40 + 12345), ("index", 2**64 - 3):
                    found = word(scramble, seed, stream, order, dimension, n)
                    file.write(f"word {scramble} {seed:x} {stream:x} {order} {dimension:x} {n:x} : {found:016x}\n")
    for scramble in "none", "shift", "linear", "owen":
        for dimension in 21201, 21202, 2 * 21201 + 17, 2**26 - 1:
            for order, n in ("gray", 1), ("gray", 98765), ("index", 123456), ("gray", 2**40 + 12345), ("index", 2**64 - 3):
                found = word(scramble, 0x0123456789ABCDEF, 3, order, dimension, n)
                file.write(f"word {scramble} 123456789abcdef 3 {order} {dimension:x} {n:x} : {found:016x}\n")
