#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Prices of products under models against QuantLib and closed forms, three sets of parameters each, and a count of their
distances in standard errors. It is not in the suite: it needs QuantLib and some minutes.

    models_quantlib.py BAILEY [PATHS]
    models_quantlib.py --cases FILE           writes the cases with their prices, which need QuantLib
    models_quantlib.py BAILEY PATHS FILE      takes them from there
"""
import cmath
import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

if len(sys.argv) < 4:
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
        yield ("asian-geometric", "black-scholes", base, years, 5,
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


def black(sign_, forward, strike, w):
    d = math.log(forward / strike) / math.sqrt(w) + math.sqrt(w) / 2
    return sign_ * (forward * normal(sign_ * d) - strike * normal(sign_ * (d - math.sqrt(w))))


def above(phi, strike):
    """The probability that a price of mean 1 ends above the strike, by the characteristic function of its logarithm
    (Gil-Pelaez 1951)."""
    k, h, n = math.log(strike), 0.02, 12000
    return 0.5 + h / math.pi * sum((cmath.exp(-1j * u * k) * phi(u) / (1j * u)).real for u in ((i + 0.5) * h for i in range(n)))


def call(phi, strike):
    """A call on it, not discounted (Lewis 2000)."""
    k, h, n = math.log(strike), 0.02, 12000
    return 1 - math.sqrt(strike) * h / math.pi * sum((cmath.exp(-1j * u * k) * phi(u - 0.5j)).real / (u * u + 0.25)
                                                     for u in ((i + 0.5) * h for i in range(n)))


def heston_phi(h, t):
    v, a, m, s, rho = (h[k] for k in ("variance", "reversion", "mean_variance", "sigma", "correlation"))

    def phi(u):
        b = a - rho * s * 1j * u
        d = cmath.sqrt(b * b + s * s * (u * u + 1j * u))
        g, e = (b - d) / (b + d), cmath.exp(-d * t)
        return cmath.exp(a * m / (s * s) * ((b - d) * t - 2 * cmath.log((1 - g * e) / (1 - g)))
                         + v / (s * s) * (b - d) * (1 - e) / (1 - g * e))
    return phi


def kou_phi(volatility, k, t):
    rate, up, a, b = k["intensity"], k["share_up"], 1 / k["mean_up"], 1 / k["mean_down"]

    def jump(u):
        return up * a / (a - 1j * u) + (1 - up) * b / (b + 1j * u)

    grows = (jump(-1j) - 1).real
    return lambda u: cmath.exp(t * (-0.5 * volatility ** 2 * (u * u + 1j * u) + rate * (jump(u) - 1 - 1j * u * grows)))


def normal_jumps(j, t):
    mean, s = j["jump_mean"], j["jump_sigma"]
    grows = math.exp(mean + s * s / 2) - 1
    return lambda u: cmath.exp(j["intensity"] * t * (cmath.exp(1j * u * mean - u * u * s * s / 2) - 1 - 1j * u * grows))


KOU = (dict(intensity=1.5, share_up=0.4, mean_up=0.1, mean_down=0.15), dict(intensity=0.5, share_up=0.7, mean_up=0.2, mean_down=0.1),
       dict(intensity=5, share_up=0.5, mean_up=0.03, mean_down=0.04))


def more_cases():
    """Of further products and models, three sets each."""
    for number, (market, (strike, years, s)) in enumerate(zip(MARKETS, DEALS)):
        r, q, v, t = market["rate"], market["dividend"], market["volatility"], years
        factor, forward, base = math.exp(-r * t), 100 * math.exp((r - q) * t), dict(market, spot=100, strike=strike)
        heston, jumps, kou = HESTON[number], JUMPS[number], KOU[number]
        laws = {"merton": (lambda u: kou_phi(v, dict(kou, intensity=0), t)(u) * normal_jumps(jumps, t)(u), jumps, ("volatility",)),
                "kou": (kou_phi(v, kou, t), kou, ("volatility",)),
                "heston": (heston_phi(heston, t), heston, ()),
                "bates": (lambda u: heston_phi(heston, t)(u) * normal_jumps(jumps, t)(u), dict(heston, **jumps), ())}
        for model, (phi, own, kept) in laws.items():
            values = dict({k: base[k] for k in ("rate", "dividend", "spot", "strike") + kept}, sign=s, **own)
            p = above(phi, strike / forward)
            yield "digital", model, dict(values, cash=10), t, 1, 10 * factor * (p if s > 0 else 1 - p)
            of_call = factor * forward * call(phi, strike / forward)
            yield "european", model, values, t, 2, of_call if s > 0 else of_call - factor * (forward - strike)
        yield ("chooser", "black-scholes", base, t, 2, factor * (black(1, forward, strike, v * v * t) + black(-1, forward, strike, v * v * t / 2)))
        inside = sum(normal((math.log(forward_at / 90) - w / 2) / math.sqrt(w)) - normal((math.log(forward_at / 110) - w / 2) / math.sqrt(w))
                     for forward_at, w in ((100 * math.exp((r - q) * t * i / 12), v * v * t * i / 12) for i in range(1, 13)))
        yield "range-accrual", "black-scholes", dict(market, spot=100, lower=90, upper=110), t, 12, factor * inside / 12
        second, rho = dict(spot=95, volatility=v + 0.1, dividend=q + 0.01), (0.5, -0.3, 0.8)[number]
        both = dict(rate=r, spot=[100, 95], volatility=[v, v + 0.1], dividend=[q, q + 0.01])
        w = (v * v + second["volatility"] ** 2 - 2 * rho * v * second["volatility"]) * t
        yield ("exchange", "black-scholes", dict(both, correlation=rho), t, 1,
               black(1, 100 * math.exp(-q * t), 95 * math.exp(-second["dividend"] * t), w))
        other = ql.BlackScholesMertonProcess(quote(95), curve(second["dividend"]), curve(r), flat(second["volatility"]))
        for which, kind in ((1, ql.MaxBasketPayoff), (-1, ql.MinBasketPayoff)):
            deal = ql.BasketOption(kind(ql.PlainVanillaPayoff(sign(s), strike)), ql.EuropeanExercise(DATE + 365 * t))
            yield ("rainbow", "black-scholes", dict(both, correlation=rho, strike=strike, which=which, sign=s), t, 1,
                   value(deal, ql.StulzEngine(process(market), other, rho)))
        cash, ex = 4, 0.4 * t
        yield ("european", "escrowed-dividends", dict(rate=r, spot=100, volatility=v, strike=strike, sign=s, ex_time=[ex] + [0] * 7,
               cash=[cash] + [0] * 7), t, 1, factor * black(s, (100 - cash * math.exp(-r * ex)) / factor, strike, v * v * t))
        yield ("european", "lognormal-dividends", dict(rate=r, spot=100, volatility=v, strike=strike, sign=s, proportional=[0, 0.05]), t, 2,
               factor * black(s, 95 / factor, strike, v * v * t))
        domestic, fx, with_fx = r + 0.02, 0.1 + 0.05 * number, (0.4, -0.5, 0.1)[number]
        yield ("european", "quanto-drift", dict(base, sign=s, domestic_rate=domestic, fx_volatility=fx, fx_correlation=with_fx), t, 1,
               math.exp(-domestic * t) * black(s, forward * math.exp(-with_fx * fx * v * t), strike, v * v * t))
        a, mean = 0.5 + 0.5 * number, math.log(95)
        w = v * v * (1 - math.exp(-2 * a * t)) / (2 * a)
        center = math.exp(-a * t) * math.log(100) + (1 - math.exp(-a * t)) * mean
        yield ("european", "schwartz", dict(rate=r, spot=100, volatility=v, reversion=a, mean_log=mean, strike=strike, sign=s), t, 2,
               factor * black(s, math.exp(center + w / 2), strike, w))
        rates, volatilities = [r, r + 0.01, r + 0.02, r + 0.01], [v, v + 0.05, v - 0.02, v]
        grown = math.exp(-sum(rates) * t / 4)
        yield ("european", "black-scholes-curves", dict(spot=100, rate=rates, volatility=volatilities, strike=strike, sign=s), t, 4,
               grown * black(s, 100 / grown, strike, sum(x * x for x in volatilities) * t / 4))
        whole = dict(base, **heston, sign=s, rate=rates)
        whole.pop("volatility"), whole.pop("dividend")
        of_call = 100 * call(heston_phi(heston, t), strike * grown / 100)
        yield "european", "heston+curve", whole, t, 4, of_call if s > 0 else of_call - 100 + strike * grown
        model = ql.HestonProcess(curve(r), curve(q), quote(100), *(
            heston[k] for k in ("variance", "reversion", "mean_variance", "sigma", "correlation")))
        values = dict({k: base[k] for k in ("rate", "dividend", "spot", "strike")}, **heston, sign=s)
        dates = [DATE + 365 * t * (i + 1) // 5 for i in range(5)]
        deal = ql.DiscreteAveragingAsianOption(ql.Average.Geometric, 1.0, 0, dates, ql.PlainVanillaPayoff(sign(s), strike),
                                               ql.EuropeanExercise(dates[-1]))
        yield ("asian-geometric", "heston", values, t, 5,
               value(deal, ql.AnalyticDiscreteGeometricAveragePriceAsianHestonEngine(model)))
    for number, rates in enumerate(RATES):
        cir, strike, tenor = dict(rates, sigma=5 * rates["sigma"]), rates["mean_rate"], 0.5
        square = ql.CoxIngersollRoss(cir["short_rate"], cir["mean_rate"], cir["reversion"], cir["sigma"])
        put = square.discountBondOption(ql.Option.Put, 1 / (1 + strike * tenor), 2.0, 2.0 + tenor)
        yield "caplet", "cir", dict(cir, strike=strike, tenor=tenor), 2, 2, (1 + strike * tenor) * put
        level, a, s = rates["short_rate"], rates["reversion"], rates["sigma"]
        term = curve(level)
        white = ql.HullWhite(term, a, s)
        put = white.discountBondOption(ql.Option.Put, 1 / (1 + strike * tenor), 2.0, 2.0 + tenor)
        yield "caplet", "hull-white", dict(forward=level, reversion=a, sigma=s, strike=strike, tenor=tenor), 2, 2, (1 + strike * tenor) * put
        yield "swaption", "hull-white", dict(forward=level, reversion=a, sigma=s, strike=level, tenor=1, payments=4), 1, 1, swaption(level, a, s, level)
        heston, rho = HESTON[number], (0.4, -0.6, 0.5)[number]
        both = ql.HestonProcess(term, curve(0.01), quote(100), *(
            heston[k] for k in ("variance", "reversion", "mean_variance", "sigma", "correlation")))
        engine = ql.FdHestonHullWhiteVanillaEngine(ql.HestonModel(both), ql.HullWhiteProcess(term, a, s), rho, 80, 140, 50, 25)
        yield ("european", "heston-hull-white", dict(heston, spot=100, dividend=0.01, forward=level, rate_reversion=a, rate_sigma=s,
                                                     rate_correlation=rho, strike=100), 2, 2,
               value(option(ql.PlainVanillaPayoff(sign(1), 100), 2), engine))


def swaption(level, a, s, strike):
    """A payer swaption of a year on four yearly payments under Hull and White's model with a flat curve, by quadrature over
    the rate's factor under the forward measure of its end."""
    g, deviation, h, total = (lambda tau: (1 - math.exp(-a * tau)) / a), s * math.sqrt((1 - math.exp(-2 * a)) / (2 * a)), 0.01, 0.0
    for i in range(-800, 801):
        y = deviation * i * h
        bonds = [math.exp(-level * tau - g(tau) * y - 0.5 * (g(tau) * deviation) ** 2) for tau in (1, 2, 3, 4)]
        total += max(1 - bonds[-1] - strike * sum(bonds), 0) * math.exp(-0.5 * (i * h) ** 2)
    return math.exp(-level) * total * h / math.sqrt(2 * math.pi)


def written(number):
    """As --set takes it: an array, or one number."""
    return ",".join(repr(x) for x in number) if isinstance(number, list) else repr(number)


def run(bailey, paths, seed, product, model, values, years, dates):
    command = [bailey, "price", product, "--model", model, "--maturity", str(years), "--steps", str(dates), "--paths", str(paths),
               "--precision", "f64", "--seed", str(seed), "--json"]
    for name, number in values.items():
        own = name == "correlation" and not isinstance(values["spot"], list) or name != "correlation"
        command += ["--set", f"{name}={written(number)}"] if own else ["--correlation", written(number)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)


def main():
    if sys.argv[1] == "--cases":
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            json.dump([*cases(), *more_cases()], file)
        return
    bailey, paths = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "65536"
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as file:
            deals = json.load(file)
    else:
        deals = [*cases(), *more_cases()]
    distances = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda deal: run(bailey, paths, deal[0] + 1, *deal[1][:-1]), enumerate(deals))
        for (product, model, _, _, _, wanted), price in zip(deals, found):
            error = price["standard_error"]
            z = (price["mean"] - wanted) / error if error > 1e-9 else 0.0
            distances.append(abs(z))
            print(f"{product:15} {model:25} {wanted:12.6f} {price['mean']:12.6f} +- {error:.6f} {z:6.2f}", flush=True)
    rms = math.sqrt(sum(z * z for z in distances) / len(distances))
    print(f"{len(distances)} prices of {paths} paths: root mean square {rms:.2f}, {sum(z > 3 for z in distances)} above 3, "
          f"{sum(z > 4 for z in distances)} above 4, the largest {max(distances):.2f}")
    sys.exit(max(distances) > 4)


main()
