# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The deal of examples/asian-basket, with Greeks, a payoff written in Python, and pictures.

usage: asian_basket.py [DEVICE] [PICTURE.png]
"""
import csv
import datetime
import pathlib
import sys
from math import exp

import numpy

import bailey

deal = pathlib.Path(__file__).resolve().parent.parent / "asian-basket"
device = sys.argv[1] if len(sys.argv) > 1 else None

# ---- The deal: three assets, an average over the fixings, a call on it

with open(deal / "assets.csv") as file:
    assets = list(csv.DictReader(file))
spot = [float(a["spot"]) for a in assets]
volatility = [float(a["volatility"]) for a in assets]
dividend = [float(a.get("dividend") or 0) for a in assets]
weight = [float(a.get("weight") or 1 / len(assets)) for a in assets]
correlation = numpy.loadtxt(deal / "correlation.csv", delimiter=",", ndmin=2)
with open(deal / "fixings.csv") as file:
    dates = [row["date"] for row in csv.DictReader(file)]
today = datetime.date(2026, 1, 2)
times = [(datetime.date.fromisoformat(d) - today).days / 365 for d in dates if d > str(today)]


# ---- The payoff: the mean of the basket over all fixings, above the strike

@bailey.payoff
class AsianBasket:
    spot: bailey.array(3)
    volatility: bailey.array(3)
    dividend: bailey.array(3)
    weight: bailey.array(3)
    rate: float
    strike: float

    def start(self):
        self.total = 0.0
        self.time = 0.0

    def step(self, i, t, x):
        for k in range(3):
            drift = self.rate - self.dividend[k] - self.volatility[k] ** 2 / 2
            self.total += self.weight[k] * self.spot[k] * exp(drift * t + self.volatility[k] * x[k])
        self.time = t

    def finish(self):
        return exp(-self.rate * self.time) * max(self.total / STEPS - self.strike, 0.0)  # noqa: F821


parameters = dict(spot=spot, volatility=volatility, dividend=dividend, weight=weight, rate=0.03, strike=100)
basket = bailey.Simulation(AsianBasket, times, dims=3, covariance=correlation, parameters=parameters, device=device)
price = basket.run(1 << 19, seed=1)
print(f"price {price.mean:.4f} +- {price.standard_error:.4f}")

# ---- Greeks, all of them on the same paths

greeks = basket.greeks(1 << 18, seed=1, spots=[f"spot[{k}]" for k in range(3)],
                       volatilities=[f"volatility[{k}]" for k in range(3)], rate="rate", theta=True)
for greek in greeks[1:]:
    print(f"{greek.kind:12} {greek.first} {greek.value:10.4f} +- {greek.error:.4f}")

# ---- Pictures: a few paths, and what they pay

if len(sys.argv) > 2:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    bridge = bailey.Bridge(times, 3, covariance=correlation, device=device)
    drift = (0.03 - numpy.array(volatility) ** 2 / 2)[:, None]
    x = bridge.paths(20, seed=2)[:, 0, :]
    prices = spot[0] * numpy.exp(drift[0] * numpy.array(times)[:, None] + volatility[0] * x)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    left.plot(times, prices, linewidth=0.8)
    left.set(xlabel="years", ylabel="price of the first asset")
    right.hist(basket.samples(100000, seed=1)[0], bins=60)
    right.set(xlabel="what a path pays", ylabel="paths", yscale="log")
    figure.tight_layout()
    figure.savefig(sys.argv[2])
