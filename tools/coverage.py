#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Measures how often intervals of 95 % hold the exact value.

    PYTHONPATH=build/release/python python3 tools/coverage.py [--runs 400] [--device cpu] [WORD ...]

prints a Markdown table, docs/records/proof.md's. With words, the rows whose names have one of them. Each setting is run with as
many seeds, 1, 2, ...; a measured part of 95 % is known to 1.1 % with 400 runs. Needs NumPy and the Python package. On
two cores it takes a quarter of a minute.
"""
import argparse
import math
import statistics
import warnings

import numpy

import bailey

SPOT, RATE, VOLATILITY, STUDENT = 100.0, 0.05, 0.2, 1.959963984540054
CDF = statistics.NormalDist().cdf
MARKET = dict(spot=SPOT, rate=RATE, volatility=VOLATILITY)

# The payoff, and a control variate: the price itself, whose mean is the forward.
CALL_AND_PRICE = """
typedef struct { real spot, strike, rate, volatility; } params;
typedef struct { real price; } state;
void start(state *s, const params *p) { s->price = p->spot; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * x[0]);
}
void finish(const state *s, const params *p, real out[2])
{
    out[0] = exp(-p->rate) * fmax(s->price - p->strike, 0);
    out[1] = s->price;
}
"""


def call(strike):
    """Black and Scholes, one year."""
    d = (math.log(SPOT / strike) + RATE + VOLATILITY**2 / 2) / VOLATILITY
    return SPOT * CDF(d) - strike * math.exp(-RATE) * CDF(d - VOLATILITY)


def digital(strike):
    """For 1 above the strike, one year."""
    return math.exp(-RATE) * CDF((math.log(SPOT / strike) + RATE - VOLATILITY**2 / 2) / VOLATILITY)


def bermudan_put(strike, dates, points=4001, nodes=96):
    """By quadrature, backwards on a grid of the price's logarithm."""
    step = 1 / dates
    x = numpy.linspace(-2, 2, points)
    z, weight = numpy.polynomial.hermite_e.hermegauss(nodes)
    to = (RATE - VOLATILITY**2 / 2) * step + VOLATILITY * math.sqrt(step) * z
    exercise = numpy.maximum(strike - SPOT * numpy.exp(x), 0)
    value = exercise
    for _ in range(dates):
        held = sum(w * numpy.interp(x + t, x, value) for w, t in zip(weight, to))
        value = numpy.maximum(exercise, math.exp(-RATE * step) * held / math.sqrt(2 * math.pi))
    return float(numpy.interp(0, x, value))


class Settings:
    """Names, exact values, and functions of a seed that return an interval, NaN where there is none."""

    def __init__(self, device):
        self.device = device
        self.rows = []

    def add(self, name, exact, interval):
        self.rows.append((name, exact, interval))

    def add_simulation(self, name, payoff, exact, paths, *, parameters, points=None, job=None, **options):
        made = bailey.Simulation(payoff, [1.0], parameters=parameters, dtype="float64", device=self.device)

        def interval(seed):
            source = dict(source=bailey.sobol(seed, scramble=points)) if points else dict(seed=seed)
            if job:
                e = made.job(paths, target_error=job, **source, **options).estimates[0]
            else:
                found = made.run(paths, **source, **options)
                e = found[0] if isinstance(found, list) else found
            return e.interval_low, e.interval_high

        self.add(name, exact, interval)

    def add_simulations(self):
        european = dict(MARKET, strike=100)
        self.add_simulation("random, european, 4,096 paths", "european", call(100), 4096, parameters=european)
        self.add_simulation("random, european, 8 replicates of 4,096", "european", call(100), 4096, parameters=european,
                            replicates=8)
        self.add_simulation("random, digital, 4,096 paths", "digital", digital(120), 4096,
                            parameters=dict(MARKET, strike=120, cash=1))
        for scramble in ("shift", "linear", "owen"):
            for replicates in (8, 16, 32):
                self.add_simulation(f"Sobol, {scramble}, european, {replicates} replicates of 1,024", "european",
                                    call(100), 1024, parameters=european, points=scramble, replicates=replicates)
        for replicates in (8, 16, 32):
            self.add_simulation(f"Sobol, owen, digital, {replicates} replicates of 1,024", "digital", digital(120), 1024,
                                parameters=dict(MARKET, strike=120, cash=1), points="owen", replicates=replicates)
        forward = [math.nan, SPOT * math.exp(RATE)]
        self.add_simulation("control variate, random, 4,096 paths", CALL_AND_PRICE, call(100), 4096, parameters=european,
                            expected=forward)
        self.add_simulation("control variate, Sobol, owen, 16 replicates of 1,024", CALL_AND_PRICE, call(100), 1024,
                            parameters=european, expected=forward, points="owen", replicates=16)
        self.add_simulation("antithetic, random, 4,096 pairs", "european", call(100), 4096, parameters=european,
                            antithetic=True)
        self.add_simulation("target error 0.05, random", "european", call(100), 1 << 20, parameters=european, job=0.05)
        self.add_simulation("target error 0.002, Sobol, owen, 8 replicates from 1,024 on", "european", call(100), 1 << 16,
                            parameters=european, job=0.002, points="owen", replicates=8, first_paths=1024)

    def add_american(self, dates=10):
        times = [(i + 1) / dates for i in range(dates)]

        def interval(seed):
            r = bailey.american(100, exercise_times=times, **MARKET, paths=16384, policy_paths=4096, outer_paths=256,
                                inner_paths=128, seed=seed, device=self.device)
            return r.interval_low, r.interval_high

        self.add("American put, 10 dates, 16,384 paths, 256 outer", bermudan_put(100, dates), interval)

    def add_mlmc(self, name, exact, levels, eps, parameters, points=False):
        made = bailey.Mlmc(levels, parameters=dict(MARKET, **parameters), device=self.device)

        def interval(seed):
            r = made.run(eps, max_level=14, **(dict(source=bailey.sobol(seed)) if points else dict(seed=seed)))
            by = STUDENT * r.standard_error + r.bias
            return (r.value - by, r.value + by) if r.converged else (math.nan, math.nan)

        self.add(name, exact, interval)

    def add_all_mlmc(self):
        self.add_mlmc("MLMC, european, eps 0.05", call(100), "european", 0.05, dict(strike=100))
        self.add_mlmc("MLMC, european far out of the money, eps 0.002", call(180), "european", 0.002, dict(strike=180))
        self.add_mlmc("MLMC, digital, eps 0.05", 100 * digital(100), "digital", 0.05, dict(strike=100, cash=100))
        self.add_mlmc("MLMC, Sobol, european, eps 0.02", call(100), "european", 0.02, dict(strike=100), points=True)


def measure(exact, interval, runs):
    """How many intervals hold the value, how many there are, and their mean half-width."""
    held = known = 0
    width = 0.0
    for seed in range(1, runs + 1):
        low, high = interval(seed)
        if math.isnan(low):
            continue
        known += 1
        held += low <= exact <= high
        width += (high - low) / 2
    return held, known, width / max(known, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # errors that are not known are counted
    settings = Settings(arguments.device)
    settings.add_simulations()
    settings.add_american()
    settings.add_all_mlmc()
    print("| setting | held | intervals | of | mean half-width |\n| --- | --- | --- | --- | --- |")
    for name, exact, interval in settings.rows:
        if arguments.words and not any(word in name for word in arguments.words):
            continue
        held, known, width = measure(exact, interval, arguments.runs)
        print(f"| {name} | {100 * held / max(known, 1):.1f} % | {known} | {arguments.runs} | {width:.3g} |", flush=True)


if __name__ == "__main__":
    main()
