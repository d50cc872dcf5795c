#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Tests numbers of every distribution against SciPy's distribution functions, and prints a table in Markdown: Kolmogorov and
Smirnov's test of continuous distributions, Pearson's chi-square test of discrete ones, with at least 20 numbers expected per
class, and the same classes for continuous ones: 100 of equal probability. Needs NumPy, SciPy and the program bailey.

    python3 tools/variate_tests.py BAILEY [COUNT]
"""
import subprocess
import sys

import numpy
from scipy import stats

# distribution, options, SciPy's distribution
GRID = [
    ("poisson", {"mean": 0.1}, stats.poisson(0.1)),
    ("poisson", {"mean": 3}, stats.poisson(3)),
    ("poisson", {"mean": 3000}, stats.poisson(3000)),
    ("poisson", {"mean": 1e6}, stats.poisson(1e6)),
    ("binomial", {"trials": 10, "probability": 0.3}, stats.binom(10, 0.3)),
    ("binomial", {"trials": 1000, "probability": 0.02}, stats.binom(1000, 0.02)),
    ("binomial", {"trials": 100000, "probability": 0.5}, stats.binom(100000, 0.5)),
    ("geometric", {"probability": 0.9}, stats.geom(0.9)),
    ("geometric", {"probability": 0.1}, stats.geom(0.1)),
    ("geometric", {"probability": 0.001}, stats.geom(0.001)),
    ("negative-binomial", {"shape": 0.5, "probability": 0.3}, stats.nbinom(0.5, 0.3)),
    ("negative-binomial", {"shape": 2.5, "probability": 0.01}, stats.nbinom(2.5, 0.01)),
    ("negative-binomial", {"shape": 1000, "probability": 0.5}, stats.nbinom(1000, 0.5)),
    ("gamma", {"shape": 0.3}, stats.gamma(0.3)),
    ("gamma", {"shape": 2.5}, stats.gamma(2.5)),
    ("gamma", {"shape": 100}, stats.gamma(100)),
    ("chi-square", {"freedom": 1}, stats.chi2(1)),
    ("chi-square", {"freedom": 5}, stats.chi2(5)),
    ("chi-square", {"freedom": 1000}, stats.chi2(1000)),
    ("beta", {"shape": 0.5, "second-shape": 0.5}, stats.beta(0.5, 0.5)),
    ("beta", {"shape": 2, "second-shape": 0.7}, stats.beta(2, 0.7)),
    ("beta", {"shape": 1000, "second-shape": 3}, stats.beta(1000, 3)),
    ("student-t", {"freedom": 0.5}, stats.t(0.5)),
    ("student-t", {"freedom": 4}, stats.t(4)),
    ("student-t", {"freedom": 1000}, stats.t(1000)),
    ("truncated-normal", {"lower": -1, "upper": 2}, stats.truncnorm(-1, 2)),
    ("truncated-normal", {"lower": 0, "upper": 100}, stats.truncnorm(0, 100)),
    ("truncated-normal", {"lower": 8, "upper": 100}, stats.truncnorm(8, 100)),
    ("noncentral-chi-square", {"freedom": 1, "noncentrality": 0.5}, stats.ncx2(1, 0.5)),
    ("noncentral-chi-square", {"freedom": 4, "noncentrality": 30}, stats.ncx2(4, 30)),
    ("noncentral-chi-square", {"freedom": 2.5, "noncentrality": 1000}, stats.ncx2(2.5, 1000)),
    ("logistic", {}, stats.logistic()),
    ("laplace", {}, stats.laplace()),
    ("gumbel", {}, stats.gumbel_r()),
    ("cauchy", {}, stats.cauchy()),
    ("exponential", {"rate": 2}, stats.expon(scale=0.5)),
    ("log-normal", {"mean": 0.5, "stddev": 0.3}, stats.lognorm(0.3, scale=numpy.exp(0.5))),
    ("weibull", {"shape": 0.5}, stats.weibull_min(0.5)),
    ("weibull", {"shape": 1.5}, stats.weibull_min(1.5)),
    ("weibull", {"shape": 100}, stats.weibull_min(100)),
    ("pareto", {"shape": 0.5}, stats.pareto(0.5)),
    ("pareto", {"shape": 3}, stats.pareto(3)),
    ("pareto", {"shape": 100}, stats.pareto(100)),
]


def numbers(program, distribution, options, count, seed):
    command = [program, "random", "--device", "cpu", "--distribution", distribution, "--count", str(count), "--seed", str(seed),
               "--precision", "f64", "--format", "raw"]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    return numpy.frombuffer(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout, dtype=numpy.float64)


def pearson(seen, expected):
    return stats.chi2.sf(float(((seen - expected)**2 / expected).sum()), len(expected) - 1)


def of_classes(x, law):
    """Chi-square's p-value of integers, in classes of at least 20 expected numbers."""
    values, seen = numpy.unique(x.astype(numpy.int64), return_counts=True)
    counts = dict(zip(values.tolist(), seen.tolist()))
    low, high = int(law.ppf(1e-7)), int(law.ppf(1 - 1e-7))
    k = numpy.arange(low, high + 1)
    share = law.pmf(k) * len(x)
    share[0] += law.cdf(low - 1) * len(x)
    share[-1] += law.sf(high) * len(x)
    found = numpy.array([counts.get(int(i), 0) for i in k], dtype=float)
    found[0] += sum(n for v, n in counts.items() if v < low)
    found[-1] += sum(n for v, n in counts.items() if v > high)
    classes, sums, seen_in = [], 0.0, 0.0
    for e, s in zip(share, found):
        sums, seen_in = sums + e, seen_in + s
        if sums >= 20:
            classes.append([sums, seen_in])
            sums = seen_in = 0.0
    classes[-1][0] += sums
    classes[-1][1] += seen_in
    expected, seen_of = numpy.array(classes).T
    return pearson(seen_of, expected), len(classes)


def main(program, count=200000):
    all_values = []
    print("| distribution | parameters | Kolmogorov-Smirnov | chi-square | classes |\n| --- | --- | --- | --- | --- |")
    for i, (distribution, options, law) in enumerate(GRID):
        x = numbers(program, distribution, options, int(count), 1000 + i)
        parameters = ", ".join(f"{name} {value:g}" for name, value in options.items())
        if hasattr(law.dist, "pmf"):
            p, classes = of_classes(x, law)
            smirnov = ""
        else:
            u = law.cdf(x)
            kolmogorov = stats.kstest(u, "uniform").pvalue
            p, classes = pearson(numpy.histogram(u, bins=100, range=(0, 1))[0], numpy.full(100, len(x) / 100)), 100
            smirnov = f"{kolmogorov:.4f}"
            all_values.append(kolmogorov)
        all_values.append(p)
        print(f"| {distribution} | {parameters} | {smirnov} | {p:.4f} | {classes} |", flush=True)
    print(f"\n{len(all_values)} p-values, the least {min(all_values):.4f}, the largest {max(all_values):.4f}")


main(*sys.argv[1:])
