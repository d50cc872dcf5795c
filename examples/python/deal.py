# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The deal of examples/asian-basket in a notebook's cells: price, Greeks, scenarios, a payoff written in Python, and
pictures in deal.png. BAILEY_DEVICE names the device."""
# %% The deal: a call on the average of a basket of three assets
import csv
import datetime
import pathlib
from math import exp
from typing import Annotated, Any, Sequence

import numpy

import bailey
from bailey.payoff import STEPS

folder = pathlib.Path(globals().get("__file__", "examples/python/deal.py")).resolve().parent.parent / "asian-basket"
with open(folder / "assets.csv") as file:
    assets = list(csv.DictReader(file))
spot, volatility, dividend, weight = ([float(a[name]) for a in assets]
                                      for name in ("spot", "volatility", "dividend", "weight"))
correlation = numpy.loadtxt(folder / "correlation.csv", delimiter=",")
with open(folder / "fixings.csv") as file:
    dates = [datetime.date.fromisoformat(row["date"]) for row in csv.DictReader(file)]
times = numpy.array([(date - datetime.date(2026, 1, 2)).days / 365 for date in dates])
market: dict[str, Any] = dict(spot=spot, volatility=volatility, dividend=dividend, weight=weight, rate=0.03)
paths = 1 << 16  # on a GPU take 1 << 24

# %% Its price: the digits of `bailey price asian`
price = bailey.asian(100, times=times, correlation=correlation, paths=paths, seed=11, **market)
print(f"price {price.mean:.4f} +- {price.standard_error:.4f}")
print(f"price {price.controlled:.4f} +- {price.controlled_standard_error:.4f} with its control variate")

# %% Greeks, all of them on the same paths
option = bailey.Simulation("asian", times, 3, covariance=correlation, parameters=dict(market, strike=100))
names = [f"[{k}]" for k in range(3)]
greeks = option.greeks(paths // 4, seed=11, spots=["spot" + k for k in names], rate="rate", theta=True,
                       volatilities=["volatility" + k for k in names], correlation=True)
for greek in greeks[1:]:
    print(f"{greek.kind:12} {greek.first} {greek.second} {greek.mean:10.4f} +- {greek.standard_error:.4f}")

# %% Scenarios: the price, if the first asset's spot were another one
spots = numpy.linspace(70, 140, 15)
ladder = [result.mean for result in option.run(paths // 8, seed=11, scenarios={"spot[0]": spots})[::option.outputs]]


# %% The same payoff written in Python
@bailey.payoff
class AsianBasket:
    spot: Annotated[Sequence[float], 3]
    volatility: Annotated[Sequence[float], 3]
    dividend: Annotated[Sequence[float], 3]
    weight: Annotated[Sequence[float], 3]
    rate: float
    strike: float

    def start(self) -> None:
        self.total = 0.0
        self.time = 0.0

    def step(self, i: int, t: float, x: Sequence[float]) -> None:
        for k in range(3):
            drift = self.rate - self.dividend[k] - self.volatility[k] ** 2 / 2
            self.total += self.weight[k] * self.spot[k] * exp(drift * t + self.volatility[k] * x[k])
        self.time = t

    def finish(self) -> float:
        return exp(-self.rate * self.time) * max(self.total / STEPS - self.strike, 0.0)


mine = bailey.Simulation(AsianBasket, times, 3, covariance=correlation, parameters=dict(market, strike=100))
estimate = mine.run(paths, seed=11)
print(f"price {estimate.mean:.4f} +- {estimate.standard_error:.4f} by a payoff in Python")

# %% Pictures
try:
    from matplotlib import pyplot
except ImportError:
    print("no pictures: matplotlib is not here")
else:
    figure, ((left, gains), (bars, steps)) = pyplot.subplots(2, 2, figsize=(11, 8))
    drift = (0.03 - dividend[0] - volatility[0] ** 2 / 2) * times[:, None]
    x = bailey.Bridge(times, 3, covariance=correlation).paths(2000, seed=11)[:, 0]
    prices = spot[0] * numpy.exp(drift + volatility[0] * x)
    left.plot(times, prices[:, :40], linewidth=0.6)
    left.plot(times, numpy.quantile(prices, [0.05, 0.5, 0.95], axis=1).T, "k", linewidth=1.5)
    left.set(title="the first asset: paths, median, 90 %", xlabel="years", ylabel="price")
    found = mine.histogram(paths, 0, 60, 60, seed=11)
    gains.stairs(found.counts, found.edges, fill=True)
    gains.set(title="the payoff of a path", xlabel="discounted", ylabel="paths", yscale="log")
    scale = {"delta": 1.0, "vega": 0.01}
    chosen = [(f"{g.kind} {g.first}", scale[g.kind] * g.mean, 2 * scale[g.kind] * g.standard_error) for g in greeks
              if g.kind in scale]
    labels, values, errors = zip(*chosen)
    bars.bar(labels, values, yerr=errors)
    bars.set(title="delta, and vega per 1 %, by asset, with two standard errors")
    steps.plot(spots, ladder, ".-")
    steps.set(title="price by the first asset's spot", xlabel="spot", ylabel="price")
    figure.tight_layout()
    figure.savefig("deal.png", dpi=100)
