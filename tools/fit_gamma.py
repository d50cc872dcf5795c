#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Prints the constants of include/bailey/device/gamma.h, for floats and doubles: nodes and weights of Gauss and
Legendre's rule for t on (0, 1), with (t + t^2) / 2 instead of t, so that there are more nodes where the integrand begins
to fall; and Taylor's coefficients of (1 / Gamma(1 + f) - 1) / f, highest first. Needs mpmath 1.3.

    python3 tools/fit_gamma.py
"""
import struct

from mpmath import cos, mp, mpf, pi, rgamma, taylor

mp.dps = 60


def text(x, single):
    x = struct.unpack("f", struct.pack("f", x))[0] if single else float(x)
    mantissa, exponent = x.hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{int(exponent)}{'f' if single else ''}"


def rule(n):
    """Nodes and weights, by Newton's method on Legendre's polynomial."""
    for i in range(1, n + 1):
        x = cos(pi * (i - mpf(1) / 4) / (n + mpf(1) / 2))
        step = mpf(1)
        while abs(step) > mpf(10)**-55:
            before, value = mpf(1), x
            for k in range(2, n + 1):
                before, value = value, ((2 * k - 1) * x * value - (k - 1) * before) / k
            slope = n * (x * value - before) / (x * x - 1)
            step = value / slope
            x -= step
        t = (1 - x) / 2
        yield (t + t * t) / 2, (t + mpf(1) / 2) / ((1 - x * x) * slope * slope)


def say(name, values, single):
    lines, line = [], "    "
    for word in (text(v, single) for v in values):
        if len(line) + len(word) + 2 > 108:
            lines.append(line.rstrip())
            line = "    "
        line += word + ", "
    lines.append(line.rstrip().rstrip(","))
    print(f"#define BAILEY_GAMMA_{name}_{'F32' if single else 'F64'} \\\n" + " \\\n".join(lines))


for single, points, degree in (True, 16, 11), (False, 32, 21):
    found = list(rule(points))
    say("NODES", [node for node, _ in found], single)
    say("WEIGHTS", [weight for _, weight in found], single)
    say("RECIPROCAL", reversed(taylor(lambda f: rgamma(1 + f), 0, degree)[1:]), single)
