# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
import math
import threading

import numpy
import pytest
import scipy.stats

import bailey


def test_covariance_of_paths():
    times = numpy.arange(1, 9) / 8
    x = bailey.Bridge(times, dtype="float64").paths(200000, seed=1)[:, 0, :]
    assert numpy.abs(numpy.cov(x) - numpy.minimum.outer(times, times)).max() < 0.02


def test_orders_layouts_and_ends():
    times = numpy.arange(1, 9) / 8
    for order in (None, bailey.order("incremental", 7), bailey.order("bisection", 7, important=[3])):
        bridge = bailey.Bridge(times, 2, order=order, start=[1, 2], end=[3, 4], covariance=[[1, 0.5], [0.5, 2]])
        x = bridge.paths(10, seed=2)
        assert x.shape == (8, 2, 10)
        assert (x[-1, 0] == 3).all() and (x[-1, 1] == 4).all()
        z = bridge.normals(10, seed=2)
        assert bridge.build(z).tobytes() == x.tobytes()
        major = bailey.Bridge(times, 2, order=order, start=[1, 2], end=[3, 4], covariance=[[1, 0.5], [0.5, 2]],
                              layout="path-major")
        assert major.paths(10, seed=2).transpose(1, 2, 0).tobytes() == x.tobytes()
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.Bridge([1, 1])
    assert error.value.argument == "times"


@pytest.mark.parametrize("options", [{}, dict(construction="pca"), dict(construction="walk"), dict(layout="path-major")])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_stays_in_its_path(dtype, options):
    bridge = bailey.Bridge(numpy.arange(1, 17) / 16, 2, covariance=[[1, 0.5], [0.5, 2]], dtype=dtype, device="cpu", **options)
    z = bridge.normals(100, seed=3)
    expected, paths = bridge.build(z), 0 if "layout" in options else 2
    spoilt = numpy.moveaxis(z, paths, 0)
    spoilt[37, 0, 0], spoilt[64, 5, 1] = math.nan, math.inf
    x, expected = (numpy.moveaxis(a, paths, 0) for a in (bridge.build(z), expected))
    others = numpy.delete(numpy.arange(100), [37, 64])
    assert x[others].tobytes() == expected[others].tobytes()
    assert numpy.isnan(x[37]).any() and not numpy.isfinite(x[64]).all()


def black_scholes(spot, strike, rate, volatility, time):
    deviation = volatility * math.sqrt(time)
    d = (math.log(spot / strike) + (rate + volatility**2 / 2) * time) / deviation
    return spot * scipy.stats.norm.cdf(d) - strike * math.exp(-rate * time) * scipy.stats.norm.cdf(d - deviation)


def test_european_price_and_greeks():
    parameters = dict(spot=100, strike=105, rate=0.03, volatility=0.2)
    option = bailey.Simulation("european", [1.0], parameters=parameters)
    estimate = option.run(1 << 18, seed=1)
    exact = black_scholes(100, 105, 0.03, 0.2, 1)
    assert abs(estimate.mean - exact) < 4 * estimate.standard_error
    assert option.parameters["spot"] == 1
    price, delta, *_ = option.greeks(1 << 18, spots=["spot"], volatilities=["volatility"], rate="rate", seed=1)
    assert price.kind == "price" and delta.kind == "delta" and price.mean == estimate.mean
    assert abs(delta.mean - (black_scholes(100.01, 105, 0.03, 0.2, 1) - exact) / 0.01) < 0.01


def test_errors_that_are_not_known():
    # The probability of the jump is near half, so that every replicate of 2^m points has as many on either side.
    jump = bailey.Simulation("digital", [1.0], parameters=dict(spot=100, strike=100 * math.exp(0.029999), rate=0.05,
                                                               volatility=0.2, cash=1), dtype="float64")
    with pytest.warns(RuntimeWarning, match="the standard error is unknown"):
        found = jump.run(1024, source=bailey.sobol(1), replicates=8)
    assert abs(found.mean - math.exp(-0.05) / 2) < 1e-12
    assert math.isnan(found.standard_error) and math.isnan(found.interval_low) and math.isnan(found.interval_high)
    found = jump.run(1001, source=bailey.sobol(1), replicates=8)
    assert abs(found.interval_high - found.mean - 2.36462425159278 * found.standard_error) < 1e-12


def test_intervals_hold_the_price():
    # For two replicates: an interval by the normal quantile would hold in 70 %.
    option = bailey.Simulation("european", [1.0], parameters=dict(spot=100, strike=100, rate=0.05, volatility=0.2))
    runs = [option.run(256, seed=seed, replicates=2) for seed in range(200)]
    exact = black_scholes(100, 100, 0.05, 0.2, 1)
    assert 180 <= sum(run.interval_low <= exact <= run.interval_high for run in runs) < 200


def test_rare_payoffs_of_multilevel_monte_carlo():
    levels = bailey.Mlmc("european", parameters=dict(spot=100, strike=180, rate=0.05, volatility=0.2))
    runs = [levels.run(0.002, seed=seed) for seed in range(1, 41)]
    errors = numpy.array([run.mean for run in runs]) - black_scholes(100, 180, 0.05, 0.2, 1)
    assert numpy.sqrt((errors**2).mean()) < 1.1 * 0.002
    assert all(run.converged and run.reason == "converged" for run in runs)
    # Seeds whose first sample that pays pays next to nothing, and whose fine levels of points see none that does.
    levels = bailey.Mlmc("european", parameters=dict(spot=100, strike=200, rate=0.05, volatility=0.2))
    exact = black_scholes(100, 200, 0.05, 0.2, 1)
    runs = [levels.run(0.0005, seed=seed) for seed in (43, 63, 159)]
    runs += [levels.run(0.0005, source=bailey.sobol(seed), replicates=16) for seed in range(1, 61)]
    errors = numpy.array([run.mean for run in runs]) - exact
    assert abs(errors).max() < exact / 2
    assert numpy.sqrt((errors**2).mean()) < 1.3 * 0.0005  # 1.05 over 200 seeds of Sobol; 1.7 if none is raised
    levels = bailey.Mlmc("european", parameters=dict(spot=100, strike=1e6, rate=0.05, volatility=0.2))
    found = levels.run(0.002, seed=1)
    assert not found.converged and found.reason == "nothing"


def test_payoff_of_a_motion():
    parameters = dict(spot=100, strike=105, rate=0.03, volatility=0.2, tolerance=0.5)
    option = bailey.Simulation("adaptive-milstein", [1.0], motion_depth=16, parameters=parameters, dtype="float64")
    price, error, steps = option.run(20000, seed=1)
    assert abs(price.mean - black_scholes(100, 105, 0.03, 0.2, 1)) < 4 * price.standard_error
    assert 0.05 < math.sqrt(error.mean) < 0.5 and 1 < steps.mean < 100
    text = "void whole(const params *p, path x, real out[]) { out[0] = at(x, (uint64)3 << (LEVELS - 2), 0); }"
    samples = bailey.Simulation(text, [2.0], motion_depth=24).samples(5, seed=3)
    numpy.testing.assert_array_equal(samples[0], bailey.Motion(2.0, depth=24).values([1.5], 5, seed=3)[0, 0])
    with pytest.raises(bailey.InvalidArgument, match="2 steps instead of one"):
        bailey.Simulation(text, [1.0, 2.0], motion_depth=24)


def test_own_payoff_scenarios_and_samples():
    text = """
        typedef struct { real level; } params;
        typedef struct { real last; } state;
        void start(state *s, const params *p) { s->last = 0; }
        void step(state *s, const params *p, int i, real t, const real x[]) { s->last = x[0]; }
        void finish(const state *s, const params *p, real out[2])
        {
            out[0] = s->last > p->level ? 1 : 0;
            out[1] = s->last * s->last;
        }
    """
    simulation = bailey.Simulation(text, [0.5, 1.0], dtype="float64")
    values = [-1.0, 0.0, 1.0]
    results = simulation.run(1 << 16, seed=2, scenarios={"level": values})
    assert len(results) == 6
    for value, result in zip(values, results[::2]):
        assert abs(result.mean - scipy.stats.norm.sf(value)) < 5 * result.standard_error
    difference = simulation.run(1 << 16, seed=2, scenarios={"level": values}, weights=[1, 0, 0, 0, -1, 0])
    assert abs(difference.mean - (results[0].mean - results[4].mean)) < 1e-12
    samples = simulation.set(level=0).samples(1000, seed=2)
    assert samples.shape == (2, 1000)
    assert abs(samples[1].mean() - simulation.run(1000, seed=2)[1].mean) < 1e-12


def test_progress():
    seen = []
    option = bailey.Simulation("european", [1.0], parameters=dict(spot=1, strike=1, rate=0, volatility=1))
    option.run(1 << 20, seed=1, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (1 << 20, 1 << 20)
    with pytest.raises(bailey.Cancelled):
        option.run(1 << 24, seed=1, progress=lambda done, total: True)

    def fails(done, total):
        raise KeyError("mine")

    with pytest.raises(KeyError):
        option.run(1 << 24, seed=1, progress=fails)


def test_errors_of_payoffs():
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.Simulation("nonsense", [1.0])
    assert error.value.argument == "payoff"
    with pytest.raises(bailey.InvalidArgument, match="payoff.c:1:"):
        bailey.Simulation("void nothing(void) {}", [1.0])
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.Simulation("european", [1.0]).set(colour=1)
    assert error.value.argument == "name"


def test_threads_have_contexts_of_their_own():
    wanted = bailey.normals(1000, seed=1, device="cpu")
    found = []
    threads = [threading.Thread(target=lambda: found.append(bailey.normals(1000, seed=1, device="cpu")))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(x.tobytes() == wanted.tobytes() for x in found)


def test_devices_agree():
    for device in bailey.devices():
        if device.usable:
            assert bailey.normals(1000, seed=1, device=device.address).tobytes() == bailey.normals(
                1000, seed=1, device="cpu").tobytes()
            assert device.address and device.name
        else:
            assert device.reason


def test_multilevel_monte_carlo():
    levels = bailey.Mlmc("european", parameters=dict(spot=100, strike=100, rate=0.05, volatility=0.2))
    result = levels.run(0.02, seed=1)
    assert abs(result.mean - black_scholes(100, 100, 0.05, 0.2, 1)) < 0.08 and result.converged
    again = levels.sample([level.samples for level in result.level], seed=1)
    assert again.mean == result.mean
    test = levels.test([0.05], samples=2048, finest=4, seed=1)
    assert "MLMC file version 1.0" in str(test) and len(test.level) == 5 and not test.check_warning
    assert test.beta > 1.5 and test.level[4].variance < test.level[1].variance < test.level[0].fine_variance
    assert test.run[0].eps == 0.05 and test.run[0].result.mean == levels.run(0.05, seed=1).mean
    with pytest.raises(bailey.InvalidArgument) as error:
        levels.run(-1)
    assert error.value.argument == "eps"
    assert bailey.mlmc("european", 0.05, parameters=dict(spot=100, strike=1e-6, rate=0, volatility=0),
                       seed=1).mean > 99


def test_bias_of_a_discretised_model():
    heston = bailey.Simulation("heston", [0.5, 1.0], device="cpu", parameters=dict(
        spot=100, strike=100, rate=0.03, variance=0.04, reversion=1.5, mean_variance=0.04, sigma=0.3, correlation=-0.7))
    (bias,) = heston.bias(16384, seed=1)
    assert heston.discretised and bias.paths == 16384 and 0 < bias.standard_error < 0.1 and bias.seed == 1
    assert bias == heston.bias(16384, seed=1)[0]
    european = bailey.Simulation("european", [1.0], device="cpu", parameters=dict(
        spot=100, strike=100, rate=0.03, volatility=0.2))
    assert not european.discretised
    with pytest.raises(bailey.Unsupported):
        european.bias(seed=1)
