# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A payoff of a user whose types mypy --strict checks, as it checks the package."""
from typing import Annotated, Sequence

import bailey
from bailey.payoff import DIMS, STEPS, exp, normal_cdf


@bailey.payoff
class Asian:
    """An Asian call."""

    strike: float
    spot: float = 100.0
    volatility: float = 0.2
    weights: Annotated[Sequence[float], DIMS] = (1.0,)

    def start(self) -> None:
        self.total = 0.0
        self.last = [0.0] * 2

    def step(self, i: int, t: float, x: Sequence[float]) -> None:
        self.total += self.price(t, x[0])
        self.last[i % 2] = x[DIMS - 1]

    def price(self, t: float, w: float) -> float:
        return self.spot * exp(self.volatility * w - self.volatility**2 * t / 2)

    def finish(self) -> tuple[float, float]:
        return max(self.total / STEPS - self.strike, 0.0), normal_cdf(self.last[-1])


@bailey.payoff
class Digital:
    """A payoff that says nothing of types but what it has to."""

    strike: float = 0.0

    def start(self) -> None:
        self.last = 0.0

    def step(self, i: int, t: float, x: Sequence[float]) -> None:
        self.last = x[0]

    def finish(self) -> float:
        return self.last > self.strike


def prices() -> list[bailey.Estimate]:
    """For both."""
    asian = bailey.Simulation(Asian, [0.5, 1.0], parameters=dict(strike=100), dtype="float64")
    digital = bailey.Simulation(Digital, [1.0], dtype="float64")
    return [*asian.run(1 << 12, seed=1), *digital.run(1 << 12, seed=1)]


def in_python() -> object:
    """A path of the class itself."""
    one = Digital()
    one.start()
    one.step(0, 1.0, [0.5])
    return one.finish()
