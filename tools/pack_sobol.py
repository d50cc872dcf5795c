#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Packs the direction numbers of Joe and Kuo into data/sobol.bin.

    python3 tools/pack_sobol.py [folder]

reads them from the installed SciPy (Debian's python3-scipy, or scipy of PyPI), which ships
scipy/stats/_sobol_direction_numbers.npz, and writes the same bytes each time.

Source: S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections",
SIAM J. Sci. Comput. 30, 2635-2654 (2008); the set D6, file new-joe-kuo-6.21201 of
https://web.maths.unsw.edu.au/~fkuo/sobol/, 21,201 dimensions. SciPy's arrays are that file: the program
writes its text again and compares the SHA-256. Licence: data/LICENSE.sobol (3-clause BSD, Copyright (c) 2008,
Frances Y. Kuo and Stephen Joe).

A dimension takes six words of 32 bits, lowest byte first. For a primitive polynomial
x^s + a_1 x^(s-1) + ... + a_(s-1) x + a_s, a_s = 1, bit q - 1 of the first word is a_q, and the bits above
s - 1 are 0; of the first dimension, which has no polynomial, the word is 0. The other 160 bits hold m_1,
..., m_s: m_k is odd and below 2^k, so that (m_k - 1) / 2 takes k - 1 bits; those of m_k begin at bit
(k-1)(k-2)/2.
"""
import hashlib
import os
import struct
import sys

import numpy
import scipy.stats

DIMENSIONS, DEGREE = 21201, 18
SHA256 = "68eedd2a4e3b659b9695e7aff0f8ac68718bcf620730fc3d3a8c65df2a067441"


def published(rows):
    """The text of new-joe-kuo-6.21201; its first line after the header is dimension 2."""
    lines = ["d       s       a       m_i     \n"]
    for number, (s, a, m) in enumerate(rows[1:], 2):
        lines.append("%-8d%-8d%-8d%s \n" % (number, s, a, " ".join(map(str, m))))
    return "".join(lines)


def read():
    """Lists (s, a, [m_1, ..., m_s]) by dimension."""
    path = os.path.join(os.path.dirname(scipy.stats.__file__), "_sobol_direction_numbers.npz")
    with numpy.load(path) as arrays:
        polynomials, initial = arrays["poly"].tolist(), arrays["vinit"].tolist()
    rows = []
    for polynomial, m in zip(polynomials, initial):  # its bits are 1 a_1 ... a_(s-1) 1
        s = polynomial.bit_length() - 1
        rows.append((s, polynomial >> 1 & ~(1 << s - 1) if s else 0, m[:s]))
    return rows


def pack(s, a, m):
    assert 0 <= s <= DEGREE and len(m) == s
    bits = 0
    for k, value in enumerate(m, 1):
        assert value % 2 == 1 and value < 1 << k
        bits |= value >> 1 << (k - 1) * (k - 2) // 2
    reversed_a = sum((a >> s - 1 - q & 1) << q - 1 for q in range(1, s))
    words = [reversed_a | 1 << s - 1 if s else 0] + [bits >> 32 * i & 0xFFFFFFFF for i in range(5)]
    return struct.pack("<6I", *words)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "data")
    rows = read()
    assert len(rows) == DIMENSIONS
    if hashlib.sha256(published(rows).encode()).hexdigest() != SHA256:
        sys.exit("pack_sobol.py: this SciPy's direction numbers are not those of new-joe-kuo-6.21201")
    with open(os.path.join(folder, "sobol.bin"), "wb") as file:
        file.write(b"".join(pack(*row) for row in rows))


main()
