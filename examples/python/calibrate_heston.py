# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The five parameters of Heston's model from 20 prices of calls, by SciPy's least squares: with the gradient of each price,
and with SciPy's differences.

The root of the variance moves by the drift-implicit scheme of Alfonsi (2005). Where 4 reversion mean_variance > sigma^2 it
stays positive and is smooth in the parameters; by Euler's scheme the root of a variance near 0 has huge derivatives.
"""
import time
import warnings
from typing import Any, Sequence

import numpy
import scipy.optimize

import bailey
from bailey.payoff import exp, sqrt

STRIKES = [80.0, 90.0, 100.0, 110.0, 120.0]
QUOTES = {  # by maturity
    0.25: [20.780, 11.680, 4.563, 0.905, 0.066],
    0.5: [21.924, 13.534, 6.862, 2.596, 0.664],
    1.0: [24.248, 16.653, 10.434, 5.842, 2.867],
    2.0: [28.348, 21.595, 15.875, 11.238, 7.650],
}
PATHS, POINTS = 1 << 12, bailey.sobol(1)


@bailey.payoff
class Heston:
    variance: float
    reversion: float
    mean_variance: float
    sigma: float
    rho: float
    strike: float
    spot: float = 100.0
    rate: float = 0.03

    def start(self) -> None:
        self.time = 0.0
        self.root = sqrt(self.variance)
        self.change = 0.0

    def step(self, i: int, t: float, x: Sequence[float]) -> None:
        dt = t - self.time
        self.change += dt * (self.rate - self.root**2 / 2 + self.root * x[0])
        other = self.rho * x[0] + sqrt(1.0 - self.rho**2) * x[1]
        pull = 1.0 + self.reversion * dt / 2
        lift = max(self.reversion * self.mean_variance / 2 - self.sigma**2 / 8, 0.0) * dt
        moved = self.root + self.sigma / 2 * other * dt
        self.root = (moved + sqrt(moved**2 + 4 * pull * lift)) / (2 * pull)
        self.time = t

    def finish(self) -> float:
        return exp(-self.rate * self.time) * max(self.spot * exp(self.change) - self.strike, 0.0)


NAMES = ["variance", "reversion", "mean_variance", "sigma", "rho"]


def simulation(maturity: float) -> bailey.Simulation:
    times = numpy.arange(1, round(52 * maturity) + 1) / 52
    return bailey.Simulation(Heston, times, dims=2, output="increments", dtype="float64",
                             parameters=dict(zip(NAMES, START)), strike=100.0)


def errors(p: Any) -> list[float]:
    """Model less market, of each quote."""
    found = []
    for maturity, quotes in QUOTES.items():
        call = simulations[maturity].set(**dict(zip(NAMES, p)))
        found += [call.set(strike=strike).run(PATHS, source=POINTS).mean - quote for strike, quote in zip(STRIKES, quotes)]
    return found


def slopes(p: Any) -> list[list[float]]:
    """Their derivatives by the parameters, [quote][parameter]."""
    found = []
    for maturity in QUOTES:
        call = simulations[maturity].set(**dict(zip(NAMES, p)))
        for strike in STRIKES:
            gradient = call.set(strike=strike).gradient(PATHS, source=POINTS, by=NAMES)
            found.append([float(gradient.mean[name]) for name in NAMES])
    return found


def calibrate(jacobian: Any) -> tuple[Any, float]:
    begin = time.perf_counter()
    found = scipy.optimize.least_squares(errors, START, jacobian, x_scale=numpy.abs(START),
                                         bounds=([0.001, 0.5, 0.001, 0.05, -0.95], [1, 6, 1, 1, 0.5]))
    return found, time.perf_counter() - begin


warnings.filterwarnings("ignore", ".*a single path contributes")  # to slopes, whose standard errors are not used
START = [0.08, 2.0, 0.08, 0.5, -0.4]
simulations = {maturity: simulation(maturity) for maturity in QUOTES}
slopes(START)  # compiles
by_gradient, seconds = calibrate(slopes)
by_bumps, slower = calibrate("2-point")
for name, value, other in zip(NAMES, by_gradient.x, by_bumps.x):
    print(f"{name:14} {value:8.4f}   by bumps {other:8.4f}")
print(f"root mean square error {numpy.sqrt(numpy.mean(by_gradient.fun**2)):.4f}")
print(f"{seconds:.2f} s by gradient, {slower:.2f} s by bumps: {slower / seconds:.1f} times")
