#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Prices of products under models against QuantLib and closed forms, three sets of parameters each, and a count of their
distances in standard errors. It is not in the suite: it needs QuantLib and some minutes.

    models_quantlib.py BAILEY [PATHS]
"""
import json
import math
import subprocess
import sys

import QuantLib as ql

DAY, DATE = ql.Actual365Fixed(), ql.Date(1, 1, 2026)
ql.Settings.instance().evaluationDate = DATE


def curve(rate):
    return ql.YieldTermStructureHandle(ql.FlatForward(DATE, rate, DAY))


def quote(value):
    return ql.QuoteHandle(ql.SimpleQuote(value))


def flat(volatility):
    return ql.BlackVolTermStructureHandle(ql.BlackConstantVol(DATE, ql.NullCalendar(), volatility, DAY))


def option(payoff, years):
    return ql.VanillaOption(payoff, ql.EuropeanExercise(DATE + 365 * years))


def value(instrument, engine):
    instrument.setPricingEngine(engine)
    return instrument.NPV()


def sign(word):
    return ql.Option.Call if word > 0 else ql.Option.Put


MARKETS = (dict(rate=0.05, dividend=0.02, volatility=0.2), dict(rate=0.01, dividend=0.03, volatility=0.35),
           dict(rate=-0.005, dividend=0, volatility=0.12))
DEALS = ((100, 1, 1), (115, 2, -1), (85, 1, 1))  # strike, years, sign
HESTON = (dict(variance=0.04, reversion=1.5, mean_variance=0.05, sigma=0.3, correlation=-0.7),
          dict(variance=0.09, reversion=1, mean_variance=0.09, sigma=0.8, correlation=-0.3),
          dict(variance=0.02, reversion=3, mean_variance=0.04, sigma=0.5, correlation=0.2))
JUMPS = (dict(intensity=0.8, jump_mean=-0.1, jump_sigma=0.15), dict(intensity=0.2, jump_mean=-0.3, jump_sigma=0.1),
         dict(intensity=3, jump_mean=0.02, jump_sigma=0.05))
RATES = (dict(short_rate=0.03, reversion=0.5, mean_rate=0.04, sigma=0.012), dict(short_rate=0.01, reversion=0.2, mean_rate=0.05, sigma=0.02),
         dict(short_rate=0.06, reversion=1.2, mean_rate=0.03, sigma=0.01))


def process(market):
    return ql.BlackScholesMertonProcess(quote(100), curve(market["dividend"]), curve(market["rate"]), flat(market["volatility"]))


def payoffs(strike, sign_, cash=10):
    yield "european", {}, ql.PlainVanillaPayoff(sign(sign_), strike)
    yield "digital", dict(cash=cash), ql.CashOrNothingPayoff(sign(sign_), strike, cash)


def cases():
    """(product, model, parameters, years, dates, price)"""
    for market, (strike, years, s) in zip(MARKETS, DEALS):
        bs, base = process(market), dict(market, spot=100, strike=strike, sign=s)
        for name, more, payoff in payoffs(strike, s):
            yield name, "black-scholes", dict(base, **more), years, 1, value(option(payoff, years), ql.AnalyticEuropeanEngine(bs))
        for side, level in ((-1, 80), (1, 130)):
            for knock_in in (0, 1):
                kind = {(-1, 0): ql.Barrier.DownOut, (-1, 1): ql.Barrier.DownIn, (1, 0): ql.Barrier.UpOut, (1, 1): ql.Barrier.UpIn}
                deal = ql.BarrierOption(kind[side, knock_in], level, 2, ql.PlainVanillaPayoff(sign(s), strike),
                                        ql.EuropeanExercise(DATE + 365 * years))
                yield ("barrier", "black-scholes", dict(base, barrier=level, side=side, knock_in=knock_in, rebate=2), years, 4,
                       value(deal, ql.AnalyticBarrierEngine(bs)) if knock_in else
                       value(ql.BarrierOption(kind[side, 0], level, 0, ql.PlainVanillaPayoff(sign(s), strike),
                                              ql.EuropeanExercise(DATE + 365 * years)), ql.AnalyticBarrierEngine(bs))
                       + hit_at_end(market, side, level, years, 2))
        deal = ql.DoubleBarrierOption(ql.DoubleBarrier.KnockOut, 75, 140, 0, ql.PlainVanillaPayoff(sign(s), strike),
                                      ql.EuropeanExercise(DATE + 365 * years))
        yield "double-barrier", "black-scholes", dict(base, lower=75, upper=140), years, 2, value(deal, ql.AnalyticDoubleBarrierEngine(bs))
        dates = [DATE + int(365 * years * (i + 1) / 5) for i in range(5)]
        deal = ql.DiscreteAveragingAsianOption(ql.Average.Geometric, 1.0, 0, dates, ql.PlainVanillaPayoff(sign(s), strike),
                                               ql.EuropeanExercise(dates[-1]))
        yield ("asian", "black-scholes", dict(base, geometric=1), years, 5,
               value(deal, ql.AnalyticDiscreteGeometricAveragePriceAsianEngine(bs)))
        deal = ql.ForwardVanillaOption(1.05, DATE + 365 * years, ql.PlainVanillaPayoff(sign(s), 0),
                                       ql.EuropeanExercise(DATE + 730 * years))
        yield ("forward-start", "black-scholes", dict(market, spot=100, sign=s, moneyness=1.05), 2 * years, 2,
               value(deal, ql.ForwardEuropeanEngine(bs)))
        for heston in HESTON:
            of = dict(base, **heston)
            of.pop("volatility")
            stochastic = ql.HestonProcess(curve(market["rate"]), curve(market["dividend"]), quote(100), *(
                heston[k] for k in ("variance", "reversion", "mean_variance", "sigma", "correlation")))
            yield ("european", "heston", of, years, 1, value(option(ql.PlainVanillaPayoff(sign(s), strike), years),
                                                             ql.AnalyticHestonEngine(ql.HestonModel(stochastic), 1e-9, 100000)))
        for jumps in JUMPS:
            mean = jumps["jump_mean"]
            yield "european", "merton", dict(base, **jumps), years, 1, merton(market, jumps, strike, years, s)
            heston = HESTON[0]
            of = dict(base, **heston, **jumps)
            of.pop("volatility")
            bates = ql.BatesProcess(curve(market["rate"]), curve(market["dividend"]), quote(100), *(
                heston[k] for k in ("variance", "reversion", "mean_variance", "sigma", "correlation")),
                jumps["intensity"], mean, jumps["jump_sigma"])
            yield ("european", "bates", of, years, 1,
                   value(option(ql.PlainVanillaPayoff(sign(s), strike), years), ql.BatesEngine(ql.BatesModel(bates), 192)))
    for rates in RATES:
        model = ql.Vasicek(rates["short_rate"], rates["reversion"], rates["mean_rate"], rates["sigma"], 0)
        yield "zero-bond", "vasicek", rates, 3, 3, model.discountBond(0, 3, rates["short_rate"])
        strike, tenor = rates["mean_rate"], 0.5
        put = model.discountBondOption(ql.Option.Put, 1 / (1 + strike * tenor), 2.0, 2.0 + tenor)
        yield "caplet", "vasicek", dict(rates, strike=strike, tenor=tenor), 2, 2, (1 + strike * tenor) * put
        cir = dict(rates, sigma=5 * rates["sigma"])
        square = ql.CoxIngersollRoss(cir["short_rate"], cir["mean_rate"], cir["reversion"], cir["sigma"])
        yield "zero-bond", "cir", cir, 3, 3, square.discountBond(0, 3, cir["short_rate"])
        for rho in (-0.7, 0, 0.5):
            yield hybrid(rates, rho)


def normal(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def merton(market, jumps, strike, t, sign_):
    """Black and Scholes's prices for each number of jumps, by Merton's series."""
    grows = math.exp(jumps["jump_mean"] + jumps["jump_sigma"] ** 2 / 2) - 1
    price, mass = 0.0, math.exp(-jumps["intensity"] * t)
    for n in range(60):
        w = market["volatility"] ** 2 * t + n * jumps["jump_sigma"] ** 2
        forward = 100 * math.exp((market["rate"] - market["dividend"] - jumps["intensity"] * grows) * t
                                 + n * (jumps["jump_mean"] + jumps["jump_sigma"] ** 2 / 2))
        d = math.log(forward / strike) / math.sqrt(w) + math.sqrt(w) / 2
        price += mass * sign_ * (forward * normal(sign_ * d) - strike * normal(sign_ * (d - math.sqrt(w))))
        mass *= jumps["intensity"] * t / (n + 1)
    return math.exp(-market["rate"] * t) * price


def hit_at_end(market, side, level, years, rebate):
    """The value of a rebate that is paid at maturity if the barrier was hit."""
    v, t = market["volatility"], years
    m, root = market["rate"] - market["dividend"] - v * v / 2, market["volatility"] * math.sqrt(years)
    b = math.log(level / 100)
    hit = normal((-side * b + side * m * t) / root) + math.exp(2 * m * b / (v * v)) * normal((-side * b - side * m * t) / root)
    return rebate * math.exp(-market["rate"] * t) * hit


def hybrid(rates, rho):
    """A call under Black-Scholes and Hull-White with correlation, by the total variance of the forward price."""
    a, s, v, t, r = rates["reversion"], rates["sigma"], 0.2, 5, rates["short_rate"]
    g = (1 - math.exp(-a * t)) / a
    one, two = (t - g) / a, (t - 2 * g + (1 - math.exp(-2 * a * t)) / (2 * a)) / (a * a)
    w = v * v * t + 2 * rho * v * s * one + s * s * two
    d = (r * t + math.log(100 / 105)) / math.sqrt(w) + math.sqrt(w) / 2
    price = 100 * normal(d) - 105 * math.exp(-r * t) * normal(d - math.sqrt(w))
    return ("european", "black-scholes-hull-white", dict(spot=100, volatility=v, forward=r, reversion=a, sigma=s,
                                                         rate_correlation=rho, strike=105), t, 2, price)


def run(bailey, paths, seed, product, model, values, years, dates):
    command = [bailey, "price", product, "--model", model, "--maturity", str(years), "--steps", str(dates), "--paths", str(paths),
               "--precision", "f64", "--seed", str(seed), "--json"]
    for name, number in values.items():
        command += ["--set", f"{name}={number!r}"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)


def main():
    bailey, paths = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "65536"
    distances = []
    for number, (product, model, values, years, dates, wanted) in enumerate(cases()):
        found = run(bailey, paths, number + 1, product, model, values, years, dates)
        error = found["standard_error"]
        z = (found["mean"] - wanted) / error if error > 1e-9 else 0.0
        distances.append(abs(z))
        print(f"{product:15} {model:25} {wanted:12.6f} {found['mean']:12.6f} +- {error:.6f} {z:6.2f}", flush=True)
    rms = math.sqrt(sum(z * z for z in distances) / len(distances))
    print(f"{len(distances)} prices of {paths} paths: root mean square {rms:.2f}, {sum(z > 3 for z in distances)} above 3, "
          f"{sum(z > 4 for z in distances)} above 4, the largest {max(distances):.2f}")
    sys.exit(max(distances) > 4)


main()
