# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The error of a price against the number of paths, with points and the Brownian bridge and without them, as
docs/records/points-quality.md shows it.

convergence.py [asian|digital] [MOST] [REPLICATES] prices one deal with pseudo-random paths, with Sobol's points in the order
of time, with points and the bridge, and for the digital with a bridge that builds its time first; with 2^6 to 2^MOST
paths (default 16), each so many times (32). Every price is unbiased, so its error is the standard deviation of these
prices. Draws PAYOFF.svg where matplotlib is. BAILEY_DEVICE names the device.
"""
import pathlib
import sys
from math import exp
from typing import Any, Iterator, Sequence

import numpy
import scipy.stats

import bailey

STEPS, DIGITAL_TIME = 64, 23
deal = dict(spot=100, strike=100, rate=0.05, volatility=0.2)
times = numpy.arange(1, STEPS + 1) / STEPS


@bailey.payoff
class Digital:
    """Pays 1 at maturity if the asset was above the strike at one time."""
    spot: float
    strike: float
    rate: float
    volatility: float

    def start(self) -> None:
        self.paid = 0.0
        self.time = 0.0

    def step(self, i: int, t: float, x: Sequence[float]) -> None:
        if i == DIGITAL_TIME - 1:
            drift = self.rate - self.volatility * self.volatility / 2
            if self.spot * exp(drift * t + self.volatility * x[0]) > self.strike:
                self.paid = 1.0
        self.time = t

    def finish(self) -> float:
        return exp(-self.rate * self.time) * self.paid


def methods(payoff: Any) -> Iterator[tuple[str, dict[str, Any], bailey.Simulation]]:
    """The name, the source's generator and the simulation of each."""
    bridge = bailey.Simulation(payoff, times, parameters=deal)
    in_time = bailey.Simulation(payoff, times, parameters=deal, order=bailey.order("incremental", STEPS - 1))
    yield "pseudo-random", {}, bridge
    points = dict(generator="sobol", scramble="lms")
    yield "Sobol, increments", points, in_time
    yield "Sobol, bridge", points, bridge
    if payoff is Digital:
        order = bailey.order("bisection", STEPS - 1, [DIGITAL_TIME])
        yield "Sobol, important first", points, bailey.Simulation(payoff, times, parameters=deal, order=order)


def price(simulation: bailey.Simulation, source: dict[str, Any], size: int, replicate: int) -> float:
    # Other replicates for each size, so that the points of a line are independent.
    found = simulation.run(1 << size, source=bailey.Source(seed=0, stream=size << 32 | replicate, **source))
    return found[0].mean


def slope(sizes: range, errors: Any) -> str:
    """Of log error on log paths, by least squares, with its 95 % interval from the residuals."""
    line = scipy.stats.linregress(sizes, numpy.log2(errors))
    by = scipy.stats.t.ppf(0.975, len(sizes) - 2) * line.stderr
    return f"{line.slope:.2f} ({line.slope - by:.2f} to {line.slope + by:.2f})"


def main(name: str = "asian", most: str = "16", count: str = "32") -> None:
    sizes, replicates = range(6, int(most) + 1), int(count)
    errors = {}
    for method, source, simulation in methods(Digital if name == "digital" else name):
        prices = numpy.array([[price(simulation, source, size, r) for r in range(replicates)] for size in sizes])
        errors[method] = prices.std(axis=1, ddof=1)
        print(f"{method:24} error {errors[method][0]:.3g} with 2^{sizes[0]} paths, {errors[method][-1]:.3g} with "
              f"2^{sizes[-1]}; slope {slope(sizes, errors[method])}; price {prices[-1].mean():.6f}")
    plain = errors["pseudo-random"][-1]
    # The logarithm of a sample variance is taken as normal.
    factor = numpy.exp(scipy.stats.norm.ppf(0.975) * 2 / numpy.sqrt(replicates - 1))
    for method, error in list(errors.items())[1:]:
        ratio = (plain / error[-1]) ** 2
        print(f"{method:24} variance {ratio:.3g} times smaller ({ratio / factor:.3g} to {ratio * factor:.3g})")
    draw(name, sizes, errors)


def draw(name: str, sizes: range, errors: dict[str, Any]) -> None:
    try:
        from matplotlib import pyplot
    except ImportError:
        print("no picture: matplotlib is not here")
        return
    pyplot.style.use(pathlib.Path(__file__).with_name("picture.mplstyle"))
    figure, axes = pyplot.subplots()
    for method, error in errors.items():
        axes.loglog([1 << size for size in sizes], error, ".-", label=f"{method}, slope {slope(sizes, error).split()[0]}")
    axes.set_xscale("log", base=2)
    axes.set(title=f"Error against paths: {name}", xlabel="paths", ylabel="standard deviation of the price, money")
    axes.legend()
    figure.savefig(f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
