#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Prices of products under models by bailey and by QuantLib's Monte Carlo engines, on one thread, with the same steps.

    pip install QuantLib
    OMP_NUM_THREADS=1 PYTHONPATH=build/python python3 bench/quantlib_models.py [REPEATS]

Doubles, pseudorandom numbers, no control variates and no antithetic paths on both sides. A time is the processor time of
a path, the least of the repeats after a first run, in which bailey compiles. Both prices are printed.
"""
import sys
import time

import QuantLib as ql
import bailey

DAY = ql.Date(15, 1, 2026)
ACTUAL = ql.Actual365Fixed()
SPOT, RATE, DIVIDEND, VOLATILITY = 100.0, 0.05, 0.02, 0.2
HESTON = dict(variance=0.04, reversion=1.5, mean_variance=0.05, sigma=0.3, correlation=-0.7)
END = DAY + 365


def flat(rate):
    return ql.YieldTermStructureHandle(ql.FlatForward(DAY, rate, ACTUAL))


def black_scholes():
    volatility = ql.BlackVolTermStructureHandle(ql.BlackConstantVol(DAY, ql.NullCalendar(), VOLATILITY, ACTUAL))
    return ql.BlackScholesMertonProcess(ql.QuoteHandle(ql.SimpleQuote(SPOT)), flat(DIVIDEND), flat(RATE), volatility)


def heston():
    p = HESTON
    return ql.HestonProcess(flat(RATE), flat(DIVIDEND), ql.QuoteHandle(ql.SimpleQuote(SPOT)), p["variance"], p["reversion"],
                            p["mean_variance"], p["sigma"], p["correlation"],
                            ql.HestonProcess.QuadraticExponentialMartingale)


def call(strike):
    return ql.PlainVanillaPayoff(ql.Option.Call, strike)


def european(steps, samples):
    option = ql.VanillaOption(call(100.0), ql.EuropeanExercise(END))
    return option, ql.MCEuropeanHestonEngine(heston(), "pseudorandom", steps, requiredSamples=samples, seed=7)


def barrier(steps, samples):
    option = ql.BarrierOption(ql.Barrier.DownOut, 85.0, 0.0, call(105.0), ql.EuropeanExercise(END))
    return option, ql.MCBarrierEngine(black_scholes(), "pseudorandom", steps, requiredSamples=samples, seed=7)


def asian(steps, samples):
    fixings = [DAY + round(365 * (i + 1) / steps) for i in range(steps)]
    option = ql.DiscreteAveragingAsianOption(ql.Average.Arithmetic, 0.0, 0, fixings, call(100.0), ql.EuropeanExercise(END))
    return option, ql.MCDiscreteArithmeticAPEngine(black_scholes(), "pseudorandom", brownianBridge=False,
                                                   requiredSamples=samples, seed=7)


BLACK_SCHOLES = dict(volatility=VOLATILITY)
CASES = (  # of bailey: product, model, its parameters, those of the product, dates, steps between them
    ("european, heston by QE, 8 steps", european, 8, "european", "heston", HESTON, dict(strike=100.0), 1, 8),
    ("european, heston by QE, 64 steps", european, 64, "european", "heston", HESTON, dict(strike=100.0), 1, 64),
    ("asian, black-scholes, 12 dates", asian, 12, "asian", "black-scholes", BLACK_SCHOLES, dict(strike=100.0), 12, 0),
    ("barrier, black-scholes, 12 dates", barrier, 12, "barrier", "black-scholes", BLACK_SCHOLES,
     dict(strike=105.0, barrier=85.0, side=-1.0), 12, 0))


def least(run, repeats):
    took = []
    for _ in range(repeats + 1):
        began = time.process_time()
        run()
        took.append(time.process_time() - began)
    return min(took[1:])


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    ql.Settings.instance().evaluationDate = DAY
    for what, engine, steps, product, model, of_model, of_product, dates, substeps in CASES:
        made = bailey.Simulation(product, [(i + 1) / dates for i in range(dates)], dtype="float64", device="cpu", model=model,
                                 substeps=substeps, planned_paths=1 << 40, spot=SPOT, rate=RATE, dividend=DIVIDEND,
                                 **of_model, **of_product)
        ours, theirs = 1 << 17, 1 << 14
        own = least(lambda: made.run(ours, seed=7), repeats) / ours

        def price():
            option, pricing = engine(steps, theirs)
            option.setPricingEngine(pricing)
            return option.NPV()

        other = least(price, repeats) / theirs
        print(f"{what:34s} bailey {1e6 * own:.3f} us ({made.run(ours, seed=7)[0].mean:.4f}), "
              f"QuantLib {1e6 * other:.2f} us ({price():.4f}): {other / own:.1f} times", flush=True)


main()
