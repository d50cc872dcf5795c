# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Products under models."""
import copy

import bailey
import numpy
import pytest

HESTON = dict(spot=100, rate=0.03, variance=0.04, reversion=1.5, mean_variance=0.05, sigma=0.3, correlation=-0.7)


def test_composition():
    """A price of the composition is that of the code which describes it; a copy keeps the model."""
    made = bailey.Simulation("european", [1.0], model="heston", strike=100, **HESTON)
    code = bailey.describe("european", model="heston").code
    times = [(i + 1) / 8 for i in range(8)]
    whole = bailey.Simulation(code, times, strike=100, **HESTON)
    assert made.run(4096, seed=1).mean == whole.run(4096, seed=1).mean == copy.copy(made).run(4096, seed=1).mean
    finer = bailey.Simulation("european", [1.0], model="heston", substeps=16, strike=100, **HESTON)
    assert len(finer.explain(0, seed=1)) == len(made.explain(0, seed=1)) + 8
    assert made.dims == 1 and len(made.explain(0, seed=1)[1].x) == 2  # with the noise of the variance


def test_own():
    """User-defined code as the model and as the product."""
    found = bailey.Simulation(bailey.products()["digital"], [1.0], model=bailey.models()["merton"], spot=100, rate=0.03,
                              volatility=0.2, intensity=0.5, jump_mean=-0.1, jump_sigma=0.1, strike=90).run(4096, seed=1)
    named = bailey.Simulation("digital", [1.0], model="merton", spot=100, rate=0.03, volatility=0.2, intensity=0.5,
                              jump_mean=-0.1, jump_sigma=0.1, strike=90).run(4096, seed=1)
    layers = bailey.Simulation("digital", [1.0], model=[bailey.models()["normal-jumps"], "curve"], spot=100, rate=[0.03],
                               volatility=0.2, intensity=0.5, jump_mean=-0.1, jump_sigma=0.1, strike=90).run(4096, seed=1)
    assert found.mean == named.mean == pytest.approx(layers.mean, rel=1e-5)


def test_refused():
    """What does not fit is refused by name."""
    with pytest.raises(bailey.InvalidArgument, match="caplet asks for bond"):
        bailey.Simulation("caplet", [1.0], model="heston")
    with pytest.raises(bailey.InvalidArgument, match="model is a int"):
        bailey.Simulation("caplet", [1.0], model=1)
    with pytest.raises(bailey.InvalidArgument, match="code for two layers"):
        bailey.Simulation("caplet", [1.0], model=list(bailey.models().values())[:2])


def test_local_volatility():
    """A volatility that does not depend on the price; the price is that of Black and Scholes with the mean variance."""
    expiries, strikes = numpy.array([0.25, 0.5, 1.0]), numpy.array([70.0, 85, 100, 115, 130])
    quotes = numpy.repeat(numpy.sqrt(0.03 + 0.02 * expiries)[:, None], 5, axis=1)
    quotes[0, 4] = numpy.nan
    grid = bailey.local_volatility(expiries, [100] * 3, strikes, quotes)
    assert grid["volatility"].shape == (1040,) and grid["horizon"] == 1 and grid["low"] == -grid["high"]
    assert abs(grid["volatility"].reshape(16, 65)[:, 30] - numpy.sqrt(0.03 + 0.04 * numpy.arange(16) / 15)).max() < 1e-7
    found = bailey.Simulation("european", [1.0], model="dupire", spot=100, rate=0, strike=100, device="cpu", **grid).run(
        4096, antithetic=True)
    assert abs(found.mean - 8.90207) < 4 * found.standard_error
    quotes[1] = 0.12
    with pytest.raises(bailey.InvalidArgument, match=r"calendar arbitrage at expiry 0.5 \(row 2\) and strike 70"):
        bailey.local_volatility(expiries, [100] * 3, strikes, quotes)
