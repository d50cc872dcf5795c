#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Compares numbers of every distribution with probabilities in 50 digits, over the whole range of its parameters, and prints a
table in Markdown: the largest errors in ulp of the exact quantile; of discrete distributions, how many of the steps between two
numbers are at another word than they should be. Words are both ends, random ones, and some at every scale of both tails. Needs
NumPy, mpmath and the package bailey.

    python3 tools/variate_accuracy.py [SEED [DISTRIBUTION ...]]

Probabilities are integrals by Gauss and Legendre's rule over the logarithm of x (gamma), of x / (1 - x) (beta) and asinh(x /
sqrt(v)) (t), so that they share nothing with the library; complementary error functions; and sums of gamma probabilities with
Poisson weights. Poisson, binomial and negative binomial probabilities are those of gamma and beta distributions.
"""
import concurrent.futures
import math
import os
import random
import sys

import numpy
from mpmath import asinh, cosh, erfc, exp, expm1, floor, log, log1p, loggamma, mp, mpf, pi, sqrt, tan
from mpmath.calculus.quadrature import GaussLegendre

mp.dps = 50
NODES = GaussLegendre(mp).calc_nodes(5, mp.prec + 20)  # 48 points
ENOUGH = 120  # exp(-120) is nothing


def integral(exponent, longest, straight):
    """Of exp(exponent(w)) over w > 0: the exponent is 0 at 0, falls in the end, and is a straight line, if ever, from `straight` on."""
    total, low, length, highest = mpf(0), mpf(0), mpf(longest), mpf(0)
    at = exponent(low)
    while at > highest - ENOUGH:
        if straight is not None and low > straight:
            return total + exp(at) / (at - exponent(low + 1))
        end, middle = exponent(low + length), exponent(low + length / 2)
        if abs(end - middle) > 8 or abs(middle - at) > 8:
            length /= 2
            continue
        total += length / 2 * sum(w * exp(exponent(low + length * (1 + x) / 2)) for x, w in NODES)
        low, at, highest = low + length, end, max(highest, end, middle)
        length = min(2 * length, mpf(longest))
    return total


class Gamma:
    """With s = ln(x)."""
    longest = 4

    def __init__(self, a):
        self.a = mpf(a)
        self.constant = -loggamma(self.a)

    def spare(self, bits):
        """What numbers near 0 may err by."""
        return 0

    def of(self, x):
        return log(x)

    def by(self, s):
        return exp(s)

    def log_density(self, s):
        return self.a * s - exp(s) + self.constant

    def straight(self, s, upper):
        return None if upper else max(mpf(0), s + 130)

    def tail(self, x, upper):
        """The probability beyond x, above or below."""
        s, sign = self.of(x), 1 if upper else -1
        here = self.log_density(s)
        return exp(here) * integral(lambda w: self.log_density(s + sign * w) - here, self.longest, self.straight(s, upper))

    def error(self, x, tail, upper):
        """x less the exact quantile, as far as one step of Newton's method tells."""
        s, sign = self.of(x), -1 if upper else 1
        return sign * (self.tail(x, upper) - tail) / exp(self.log_density(s)) * self.by(s)


class Beta(Gamma):
    """With s = ln(x / (1 - x))."""
    def __init__(self, a, b):
        self.a, self.b = mpf(a), mpf(b)
        self.constant = loggamma(self.a + self.b) - loggamma(self.a) - loggamma(self.b)

    def of(self, x):
        return log(x / (1 - x))

    def by(self, s):
        return exp(s) / (1 + exp(s))**2

    def log_density(self, s):
        return self.constant - self.a * log1p(exp(-s)) - self.b * log1p(exp(s))

    def straight(self, s, upper):
        return max(mpf(0), 130 - s if upper else 130 + s)


class StudentT(Gamma):
    """With s = asinh(x / sqrt(v))."""
    longest = 2

    def __init__(self, v):
        self.v = mpf(v)
        self.constant = loggamma((self.v + 1) / 2) - loggamma(self.v / 2) - log(pi) / 2

    def spare(self, bits):
        return mpf(2)**-48 if bits == 32 else 0

    def of(self, x):
        return asinh(x / sqrt(self.v))

    def by(self, s):
        return sqrt(self.v) * cosh(s)

    def log_density(self, s):
        return self.constant - self.v * log(cosh(s))

    def straight(self, s, upper):
        return max(mpf(0), 130 - s if upper else 130 + s)


class Chi(Gamma):
    """Twice a gamma number."""
    def __init__(self, freedom):
        Gamma.__init__(self, mpf(freedom) / 2)

    def of(self, x):
        return log(x / 2)

    def by(self, s):
        return 2 * exp(s)


class Truncated:
    """The standard normal between two ends, by the tail in which the interval lies."""
    def spare(self, bits):
        return min(self.ends[1] - self.ends[0], 1) * mpf(2)**(-31 if bits == 32 else -59) if self.ends[0] < 0 < self.ends[1] else 0

    def __init__(self, lower, upper):
        self.ends = mpf(lower), mpf(upper)
        with mp.workdps(400):
            self.whole = self.between(*self.ends)

    @staticmethod
    def between(x, y):
        def beyond(z):
            return erfc(z / sqrt(mpf(2))) / 2

        return beyond(x) - beyond(y) if x > 0 else beyond(-y) - beyond(-x)

    def error(self, x, tail, upper):
        with mp.workdps(400 if abs(x) < 10**6 else 60):
            share = self.between(x, self.ends[1]) if upper else self.between(self.ends[0], x)
            density = exp(-x * x / 2) / sqrt(2 * pi)
            return (share - tail * self.whole) / density * (-1 if upper else 1)


class Noncentral:
    """Poisson weights times gamma probabilities; both follow recurrences in the direction in which all terms are positive."""
    spare = Gamma.spare

    def __init__(self, freedom, noncentrality):
        self.a, self.half = mpf(freedom) / 2, mpf(noncentrality) / 2
        spread = 17 * math.sqrt(self.half) + 60
        self.first, self.last = max(0, int(self.half - spread)), int(self.half + spread + 20)

    def error(self, x, tail, upper):
        y, a, half = x / 2, self.a, self.half
        w = exp(self.first * log(half) - half - loggamma(self.first + 1)) if half else mpf(1)
        g = exp((a + self.first) * log(y) - y - loggamma(a + self.first + 1))
        both = []
        for j in range(self.first, self.last + 1):
            both.append((w, g))
            w *= half / (j + 1)
            g *= y / (a + j + 1)
        density = sum(w * g * (a + self.first + i) / y for i, (w, g) in enumerate(both)) / 2
        if upper:
            q, total = Gamma(a + self.first).tail(y, True), mpf(0)
            for w, g in both:
                total += w * q
                q += g
        else:
            p = Gamma(a + self.last).tail(y, False)
            total = both[-1][0] * p
            for w, g in reversed(both[:-1]):
                p += g
                total += w * p
        return (total - tail) / density * (-1 if upper else 1)


class Closed:
    """A quantile in closed form, of u and 1 - u, both accurate."""
    spare = Gamma.spare

    def __init__(self, quantile):
        self.quantile = quantile

    def error(self, x, tail, upper):
        return x - self.quantile(*((1 - tail, tail) if upper else (tail, 1 - tail)))


class Normal(Closed):
    def __init__(self, mean, stddev, exponential=False):
        self.mean, self.stddev, self.exponential = mpf(mean), mpf(stddev), exponential

    def error(self, x, tail, upper):
        y = ((log(x) if self.exponential else x) - self.mean) / self.stddev
        share = erfc((y if upper else -y) / sqrt(mpf(2))) / 2
        change = (share - tail) / exp(-y * y / 2) * sqrt(2 * pi) * (-1 if upper else 1) * self.stddev
        return change * x if self.exponential else change


def poisson(mean):
    return lambda k, upper: Gamma(k + 1).tail(mpf(mean), not upper)


def binomial(trials, probability):
    def share(k, upper):
        if k >= trials:
            return mpf(0 if upper else 1)
        return Beta(k + 1, trials - k).tail(mpf(probability), not upper)

    return share


def geometric(probability):
    def share(k, upper):
        ln = k * log1p(-mpf(probability)) if probability < 1 else -mp.inf
        return exp(ln) if upper else -expm1(ln)

    return share


def negative_binomial(shape, probability):
    return lambda k, upper: Beta(shape, k + 1).tail(mpf(probability), upper)


# Distribution: parameters, and the law made of them; a last number restricts a setting to 32 or 64 bits.
def settings():
    def of(name, law, *rows):
        return [(name, law, row) for row in rows]

    found = of("poisson", poisson, *[({"mean": m},) for m in (1e-6, 1e-3, 0.1, 3, 30, 700, 3e4, 1e6, 1e9)])
    found += of("binomial", binomial, *[({"trials": n, "probability": p},) for n, p in (
        (1, 1e-9), (1, 0.999999999), (10, 0.3), (10, 1e-6), (1000, 0.02), (10**6, 1e-6), (10**6, 0.999999),
        (2**31 - 1, 1e-9), (2**31 - 1, 0.5), (2**31 - 1, 0.999999999))])
    found += of("geometric", geometric, *[({"probability": p},) for p in (3.7e-5, 1e-3, 0.1, 0.5, 0.9, 0.999999999)])
    found += of("negative-binomial", negative_binomial, *[({"shape": r, "probability": p},) for r, p in (
        (1e-3, 0.5), (1e-3, 1e-3), (0.5, 0.3), (2.5, 0.01), (2.5, 0.999999), (1e6, 0.5), (1e8, 0.9), (1e9, 0.999999))])
    found += of("gamma", Gamma, *[({"shape": a},) for a in (
        1e-3, 0.01, 0.05, 0.0999, 0.1001, 0.2999, 0.3001, 0.5, 1, 2.5, 30, 1e3, 1e5, 1e7, 1e9)])
    found += of("chi-square", Chi, *[({"freedom": v},) for v in (2e-3, 0.1, 0.5, 1, 2, 5, 1e4, 2e9)])
    found += of("beta", Beta, *[({"shape": a, "second_shape": b}, *bits) for a, b, *bits in (
        (1e-3, 1e-3, 32), (1e-3, 0.04), (1e-3, 1), (1e-3, 1e9), (1e9, 1e-3), (0.04, 0.04), (0.05, 0.03), (0.2999, 0.2999), (0.5, 0.5),
        (2, 0.7), (2, 3), (1, 1), (1e3, 3), (1e5, 0.5), (1e9, 1), (3, 1e9), (1e6, 1e6), (1e9, 1e9))])
    found += of("student-t", StudentT, *[({"freedom": v}, *bits) for v, *bits in (
        (0.2, 64), (0.3,), (0.5,), (1,), (2,), (4,), (30,), (1e4,), (1e6,), (1e9,))])
    found += of("truncated-normal", Truncated, *[({"lower": a, "upper": b},) for a, b in (
        (-1, 2), (0, 100), (-100, -5), (8, 100), (30, 31), (1, 1 + 2.0**-12), (-6, 8), (-1e-3, 1e-3), (30, 1e5), (-40, 40))])
    found += of("noncentral-chi-square", Noncentral, *[({"freedom": v, "noncentrality": n}, *bits) for v, n, *bits in (
        (0.2, 0, 64), (0.2, 1000, 64), (0.6, 0), (0.6, 3), (1, 0.5), (4, 30), (2.5, 1e5), (1e6, 0), (1e6, 1e6), (0.6, 1e6), (30, 1e-6))])
    found += of("logistic", lambda: Closed(lambda u, v: log(u / v)), ({},))
    found += of("laplace", lambda: Closed(lambda u, v: log(2 * u) if u < v else -log(2 * v)), ({},))
    found += of("gumbel", lambda: Closed(lambda u, v: -log(-log(u) if u < 0.5 else -log1p(-v))), ({},))
    found += of("cauchy", lambda: Closed(lambda u, v: -1 / tan(pi * u) if u < v else 1 / tan(pi * v)), ({},))
    found += of("weibull", lambda shape: Closed(lambda u, v: (-log1p(-u) if u < v else -log(v))**(1 / mpf(shape))),
                *[({"shape": a}, *bits) for a, *bits in ((0.053, 64), (0.264,), (0.5,), (3,), (1e3,), (1e6,))])
    found += of("pareto", lambda shape: Closed(lambda u, v: v**(-1 / mpf(shape))),
                *[({"shape": a}, *bits) for a, *bits in ((0.053, 64), (0.264,), (0.5,), (3,), (1e3,), (1e6,))])
    found += of("exponential", lambda rate=1: Closed(lambda u, v: -(log(u) if u < v else log1p(-v)) / mpf(rate)), ({},), ({"rate": 2.0**-40},))
    found += of("normal", lambda mean=0, stddev=1: Normal(mean, stddev), ({},))
    found += of("log-normal", lambda mean=0, stddev=1: Normal(mean, stddev, True), ({},), ({"mean": 0.5, "stddev": 0.25},))
    return found


def words_of(bits, seed, count):
    """Words of 32 or 53 bits: the ends, at every scale, and anywhere."""
    draw, digits = random.Random(f"{seed} {bits}"), 32 if bits == 32 else 53
    words = [0, 1, 2, 2**(digits - 1) - 1]
    words += [draw.getrandbits(digits) >> draw.randrange(1, digits) for _ in range(count)]
    words += [2**digits - 1 - w for w in words] + [draw.getrandbits(digits) for _ in range(count)]
    return sorted(set(words)), digits


def numbers(distribution, parameters, bits, words, integers=False):
    from bailey._numbers import numbers_of_words

    row = numpy.array([w << 11 if bits == 64 else w for w in words], dtype=f"uint{bits}")
    return numbers_of_words(row, distribution, parameters, f"{'uint' if integers else 'float'}{bits}", "cpu")


def continuous(name, parameters, law, bits, seed, count):
    """The largest error in ulp, and the word where it is."""
    words, digits = words_of(bits, seed, count)
    least = exp(mpf(-87 if bits == 32 else -708))
    fraction = 23 if bits == 32 else 52
    worst = (mpf(-1), 0)
    for word, y in zip(words, numbers(name, parameters, bits, words)):
        upper = word >= 2**(digits - 1)
        tail = (2**digits - 1 - word if upper else word) + mpf(1) / 2
        tail /= mpf(2)**digits
        x = mpf(float(y))
        if name in ("gamma", "chi-square", "beta") and x == 0:  # the exact number is below `least`
            ulp = mpf(0 if (law.tail(2 * least if name == "chi-square" else least, upper) > tail) != upper else 9)
        elif name == "beta" and x == 1:
            half = 1 - mpf(2)**(-fraction - 2) * (1 + mpf(10)**-20)
            ulp = mpf(1) / 2 if (law.tail(half, upper) < tail) != upper else mpf(9)
        else:
            error = law.error(x, tail, upper)
            exact = abs(x - error)
            ulp = max(mpf(0), abs(error) - law.spare(bits)) / mpf(2)**(int(floor(log(exact, 2))) - fraction)
        worst = max(worst, (ulp, word))
    return worst[0], worst[1], len(words)


def discrete(name, parameters, share, bits, seed, count):
    """Steps at a wrong word, and how near the nearest is to the middle between two words."""
    words, digits = words_of(bits, seed, count)
    k = [int(n) for n in numbers(name, parameters, bits, words, True)]
    low, high = list(words), [2**digits] * len(words)  # a number above k begins after low, at high or before
    for _ in range(digits):
        middle = [(a + b) // 2 for a, b in zip(low, high)]
        found = numbers(name, parameters, bits, middle, True)
        for i, n in enumerate(found):
            low[i], high[i] = (low[i], middle[i]) if int(n) > k[i] else (middle[i], high[i])
    wrong, near = 0, mpf(1)
    for n, first in sorted(set(zip(k, high))):
        upper = first >= 2**(digits - 1)
        p = share(n, upper) * mpf(2)**digits
        p = 2**digits - p if upper else p
        wanted = min(int(floor(p + mpf(1) / 2)), 2**digits)
        distance = abs(p + mpf(1) / 2 - floor(p + 1))  # to an integer and a half
        distance = min(distance, 1 - distance)
        near = min(near, distance)
        wrong += wanted != first and distance > mpf(2)**-25
    return wrong, near, len(set(zip(k, high)))


def one(task):
    name, number, bits, seed, count = task
    _, make, row = [s for s in settings() if s[0] == name][number]
    parameters = row[0]
    law = make(*parameters.values())
    chosen = discrete if name in ("poisson", "binomial", "geometric", "negative-binomial") else continuous
    a, b, c = chosen(name, parameters, law, bits, seed, count)
    return task, parameters, float(a), b if chosen is continuous else float(b), c


def main(seed=43, *chosen):
    count = int(os.environ.get("WORDS", "24"))
    tasks, places = [], {}
    for name, _, row in settings():
        number = places[name] = places.get(name, -1) + 1
        if not chosen or name in chosen:
            tasks += [(name, number, bits, int(seed), count) for bits in (32, 64) if len(row) == 1 or bits in row[1:]]
    print("| distribution | parameters | bits | words or steps | largest error, ulp; wrong steps | at the word |\n" + "| --- " * 6 + "|")
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("PROCESSES", "2"))) as pool:
        for (name, _, bits, *_), parameters, a, b, c in pool.map(one, tasks):
            text = ", ".join(f"{key.replace('_', '-')} {value:.10g}" for key, value in parameters.items())
            at = f"{b:x}" if isinstance(b, int) else ""
            shown = f"{a:.4f}" if isinstance(b, int) else f"{a:.0f}"
            print(f"| {name} | {text} | {bits} | {c} | {shown} | {at} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
