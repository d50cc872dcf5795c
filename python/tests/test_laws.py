# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Numbers and prices against SciPy: laws by Kolmogorov and Smirnov's test, prices by closed forms. Seeds are fixed, so
that a test that passes passes always."""
import math

import numpy
import pytest
import scipy.integrate
import scipy.stats

import bailey

COUNT = 100000
LAWS = [
    (lambda **kw: bailey.uniforms(COUNT, **kw), scipy.stats.uniform()),
    (lambda **kw: bailey.normals(COUNT, **kw), scipy.stats.norm()),
    (lambda **kw: bailey.normals(COUNT, method="box-muller", **kw), scipy.stats.norm()),
    (lambda **kw: bailey.variates("normal", COUNT, mean=1, stddev=3, **kw), scipy.stats.norm(1, 3)),
    (lambda **kw: bailey.variates("log-normal", COUNT, mean=0.1, stddev=0.4, **kw),
     scipy.stats.lognorm(0.4, scale=math.exp(0.1))),
    (lambda **kw: bailey.variates("exponential", COUNT, rate=2.5, **kw), scipy.stats.expon(scale=0.4)),
    (lambda **kw: bailey.variates("logistic", COUNT, location=2, scale=0.3, **kw), scipy.stats.logistic(2, 0.3)),
    (lambda **kw: bailey.variates("laplace", COUNT, location=-1, scale=3, **kw), scipy.stats.laplace(-1, 3)),
    (lambda **kw: bailey.variates("gumbel", COUNT, location=0.5, scale=2, **kw), scipy.stats.gumbel_r(0.5, 2)),
    (lambda **kw: bailey.variates("cauchy", COUNT, location=-3, scale=0.5, **kw), scipy.stats.cauchy(-3, 0.5)),
    (lambda **kw: bailey.variates("weibull", COUNT, shape=1.7, scale=3, **kw), scipy.stats.weibull_min(1.7, scale=3)),
    (lambda **kw: bailey.variates("pareto", COUNT, shape=2.5, scale=3, **kw), scipy.stats.pareto(2.5, scale=3)),
    (lambda **kw: bailey.gamma(0.5, 2, COUNT, **kw), scipy.stats.gamma(0.5, scale=2)),
    (lambda **kw: bailey.gamma(70, 1, COUNT, **kw), scipy.stats.gamma(70)),
    (lambda **kw: bailey.chi_square(3.5, COUNT, **kw), scipy.stats.chi2(3.5)),
    (lambda **kw: bailey.beta(0.7, 3, COUNT, **kw), scipy.stats.beta(0.7, 3)),
    (lambda **kw: bailey.student_t(2.5, COUNT, **kw), scipy.stats.t(2.5)),
    (lambda **kw: bailey.truncated_normal(4, math.inf, 1, 2, COUNT, **kw), scipy.stats.truncnorm(1.5, math.inf, 1, 2)),
    (lambda **kw: bailey.noncentral_chi_square(1.7, 5, COUNT, **kw), scipy.stats.ncx2(1.7, 5)),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("law", range(len(LAWS)))
def test_laws(law, dtype):
    draw, theirs = LAWS[law]
    for source in (bailey.Source(seed=17), bailey.Source(seed=17, stream=3, generator="warp")):
        assert scipy.stats.kstest(draw(source=source, dtype=dtype), theirs.cdf).pvalue > 1e-3


COUNTS = [
    (lambda **kw: bailey.poisson(3, COUNT, **kw), scipy.stats.poisson(3)),
    (lambda **kw: bailey.binomial(10, 0.3, COUNT, **kw), scipy.stats.binom(10, 0.3)),
    (lambda **kw: bailey.geometric(0.2, COUNT, **kw), scipy.stats.geom(0.2)),
    (lambda **kw: bailey.negative_binomial(2.5, 0.4, COUNT, **kw), scipy.stats.nbinom(2.5, 0.4)),
]


@pytest.mark.parametrize("law", range(len(COUNTS)))
def test_discrete_laws(law):
    """Each number is SciPy's quantile at the uniform number, but for those next to a step, where SciPy's may be off by one."""
    draw, theirs = COUNTS[law]
    for dtype, bits in ("int32", 32), ("int64", 53):
        u = bailey.words(COUNT * (1 if bits == 32 else 2), seed=9)
        u = (u + 0.5) / 2.0**32 if bits == 32 else ((u.view(numpy.uint64) >> 11) + 0.5) / 2.0**53
        found, expected = draw(seed=9, dtype=dtype), theirs.ppf(u)
        assert found.dtype == dtype
        near = numpy.abs(u - theirs.cdf(numpy.minimum(found, expected))) < 1e-13
        assert ((found == expected) | near).all() and near.sum() < 5


def test_points_in_distributions():
    u = bailey.points(256, 3, source=bailey.sobol(4), dtype="float64")
    n = bailey.poisson(3, (256, 3), source=bailey.sobol(4))
    assert n.shape == (256, 3) and (n == scipy.stats.poisson(3).ppf(u)).all()
    assert (bailey.gamma(2, 1, 256, source=bailey.sobol(4)) == bailey.gamma(2, 1, (256, 3), source=bailey.sobol(4))[:, 0]).all()
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.poisson(3, (2, 2, 2), source=bailey.sobol(4))
    assert error.value.argument == "count"


SOUND = [name for name, verdict in bailey.generators().items() if verdict == "sound" and name != "sobol"]


@pytest.mark.parametrize("name", SOUND)
def test_generators_that_are_sound(name):
    words = bailey.words(COUNT, source=bailey.Source(seed=5, generator=name))
    assert scipy.stats.kstest(words / 2.0**32, "uniform").pvalue > 1e-3
    assert scipy.stats.chisquare(numpy.bincount(words & 255, minlength=256)).pvalue > 1e-3


def test_correlated_normals():
    covariance = numpy.array([[1.0, 0.3, 0.2], [0.3, 2.0, -0.4], [0.2, -0.4, 0.5]])
    factor = numpy.linalg.cholesky(covariance)
    z = bailey.normals((3, COUNT), seed=23, dtype="float64")
    x = bailey.correlate(z, factor)
    assert numpy.abs(x - factor @ z).max() < 1e-13
    assert numpy.abs(numpy.cov(x) - covariance).max() < 0.02
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.correlate(z, factor[:2, :2])
    assert error.value.argument == "factor"


def test_ends_of_paths():
    times = [0.3, 1.0, 2.5]
    for construction in ("bridge", "pca", "walk"):
        x = bailey.Bridge(times, construction=construction).paths(COUNT, seed=31)
        for time, row in zip(times, x[:, 0]):
            assert scipy.stats.kstest(row, scipy.stats.norm(0, math.sqrt(time)).cdf).pvalue > 1e-3


# ---- Prices

SPOT, STRIKE, RATE, DIVIDEND, VOLATILITY, TIME = 100.0, 105.0, 0.03, 0.01, 0.25, 1.5
MARKET = dict(spot=SPOT, strike=STRIKE, rate=RATE, dividend=DIVIDEND, volatility=VOLATILITY)
DISCOUNT, FORWARD = math.exp(-RATE * TIME), SPOT * math.exp((RATE - DIVIDEND) * TIME)
N = scipy.stats.norm.cdf


def black(forward, strike, deviation, sign=1):
    d = math.log(forward / strike) / deviation + deviation / 2
    return sign * (forward * N(sign * d) - strike * N(sign * (d - deviation)))


def within(estimate, exact, errors=4):
    assert abs(estimate.mean - exact) < errors * estimate.standard_error


@pytest.mark.parametrize("sign", [1, -1])
def test_european(sign):
    deviation = VOLATILITY * math.sqrt(TIME)
    option = bailey.Simulation("european", [TIME], parameters=dict(MARKET, sign=sign))
    exact = DISCOUNT * black(FORWARD, STRIKE, deviation, sign)
    within(option.run(1 << 18, seed=3), exact)
    within(option.run(1 << 18, seed=3, antithetic=True), exact)
    within(option.run(4096, source=bailey.sobol(3), replicates=32), exact)
    within(option.run(1 << 16, seed=3, sum="fixed", sum_limit=65536), exact)


def test_digital():
    deviation = VOLATILITY * math.sqrt(TIME)
    option = bailey.Simulation("digital", [TIME], parameters=dict(MARKET, cash=10))
    exact = DISCOUNT * 10 * N(math.log(FORWARD / STRIKE) / deviation - deviation / 2)
    within(option.run(1 << 18, seed=3), exact)


def test_geometric_asian():
    """The mean of the logarithms is normal (Kemna and Vorst 1990)."""
    times = numpy.array([0.25, 0.5, 1.0, TIME])
    deviation = VOLATILITY * math.sqrt(numpy.minimum.outer(times, times).mean())
    mean = math.log(SPOT) + (RATE - DIVIDEND - VOLATILITY**2 / 2) * times.mean()
    exact = DISCOUNT * black(math.exp(mean + deviation**2 / 2), STRIKE, deviation)
    option = bailey.Simulation("asian-geometric", times, parameters=dict(MARKET, weight=1))
    within(option.run(1 << 18, seed=3), exact)
    price = bailey.asian(STRIKE, times=times, spot=SPOT, volatility=VOLATILITY, dividend=DIVIDEND, rate=RATE, seed=3,
                         paths=1 << 16)
    basket = bailey.Simulation("asian", times, parameters=dict(MARKET, weight=1), dtype="float64")
    assert basket.expected()[0] is None and abs(basket.expected()[1] - exact) < 1e-9
    assert price.controlled != price.mean
    assert price.controlled_standard_error < price.standard_error / 10 and price.paths == 1 << 16


def test_american_put():
    """For two times to exercise: the integral over the first one's price."""
    deviation = VOLATILITY * math.sqrt(TIME / 2)

    def held(z):
        spot = SPOT * math.exp((RATE - VOLATILITY**2 / 2) * TIME / 2 + deviation * z)
        later = math.exp(-RATE * TIME / 2) * black(spot * math.exp(RATE * TIME / 2), STRIKE, deviation, -1)
        return max(later, STRIKE - spot) * scipy.stats.norm.pdf(z)

    exact = math.exp(-RATE * TIME / 2) * scipy.integrate.quad(held, -8, 8, limit=200)[0]
    price = bailey.american(STRIKE, exercise_times=[TIME / 2, TIME], spot=SPOT, volatility=VOLATILITY, rate=RATE,
                            paths=1 << 16, seed=3, outer_paths=64, inner_paths=256)
    assert price.lower < exact + 4 * price.lower_standard_error and price.upper > exact - 4 * price.upper_standard_error
    assert abs(price.price - exact) < 0.1 and not price.exercise_now
    assert price.interval_low < exact < price.interval_high
    reach = 1.96 * price.standard_error
    assert price.price - reach <= price.interval_low and price.price + reach >= price.interval_high
    alone = bailey.american(STRIKE, exercise_times=[TIME / 2, TIME], spot=SPOT, volatility=VOLATILITY, rate=RATE,
                            paths=1 << 10, policy_paths=1 << 10, lower_only=True, seed=3)
    assert alone.interval_high == math.inf and math.isnan(alone.standard_error) and alone.price == alone.lower


def test_control_variates():
    payoff = """
        typedef struct { real strike; } params;
        typedef struct { real last; } state;
        void start(state *s, const params *p) { s->last = 0; }
        void step(state *s, const params *p, int i, real t, const real x[]) { s->last = x[0]; }
        void finish(const state *s, const params *p, real out[2])
        {
            out[0] = fmax(s->last - p->strike, 0);
            out[1] = s->last;
        }
    """
    value, control = bailey.Simulation(payoff, [1.0], strike=0).run(1 << 16, seed=3, expected=[None, 0.0])
    assert abs(value.controlled - 1 / math.sqrt(2 * math.pi)) < 4 * value.controlled_standard_error
    assert value.controlled_standard_error < 0.6 * value.standard_error and control.controlled == control.mean


# ---- Integers, permutations, numbers of 16 bits, copulas ----------------------------------------------------------


def test_integers():
    dice = bailey.integers(1, 7, 60000, seed=1)
    assert dice.dtype == numpy.int64 and scipy.stats.chisquare(numpy.bincount(dice)[1:]).pvalue > 1e-3
    assert (bailey.integers(1, 6, 100, endpoint=True, seed=1) == dice[:100]).all()
    assert isinstance(bailey.integers(10, seed=1), numpy.integer)
    for dtype in "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64":
        info = numpy.iinfo(dtype) if dtype != "bool" else None
        low, high = (int(info.min), int(info.max)) if info else (0, 1)
        whole = bailey.integers(low, high + 1, (30, 50), dtype=dtype, seed=3)
        assert whole.dtype == dtype and whole.shape == (30, 50) and whole.min() != whole.max()
        assert (bailey.integers(low, high, (30, 50), dtype=dtype, seed=3, endpoint=True) == whole).all()
        if info:
            assert whole.min() < low + (high - low) * 0.02 and whole.max() > high - (high - low) * 0.02
    assert (bailey.integers(-5, 6, 1000, dtype="int8", seed=2) == bailey.integers(-5, 6, 1000, dtype="int32", seed=2)).all()
    assert (bailey.integers(9, size=8, seed=2, first=5) == bailey.integers(9, size=13, seed=2)[5:]).all()
    for argument, call in (("high", lambda: bailey.integers(5, 5)), ("high", lambda: bailey.integers(0, 2**32, 3, dtype="int32")),
                           ("low", lambda: bailey.integers(-1, 3, 3, dtype="uint32")), ("low", lambda: bailey.integers(0.5, 3, 3)),
                           ("dtype", lambda: bailey.integers(5, size=3, dtype="float32"))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument


def test_permutations():
    order = bailey.permutation(1000, seed=4)
    assert (numpy.sort(order) == numpy.arange(1000)).all() and order.dtype == numpy.int64
    assert (bailey.permutation(1000, 10, seed=4, first=7, dtype="uint32") == order[7:17]).all()
    assert (bailey.permutation(numpy.arange(1000) * 2, seed=4) == 2 * order).all()
    rows = numpy.arange(30).reshape(10, 3)
    assert (bailey.permutation(rows, seed=1) == rows[bailey.permutation(10, seed=1)]).all()
    assert len(bailey.permutation(0)) == 0 and len(set(bailey.permutation(2**40, 500, seed=1).tolist())) == 500
    sample = bailey.choice(50, (4, 5), replace=False, seed=1)
    assert sample.shape == (4, 5) and len(set(sample.ravel())) == 20
    assert bailey.choice(["a", "b"], seed=1) in ("a", "b")
    assert bailey.choice(["a", "b", "c"], 1000, p=[0, 1, 0], seed=1).tolist() == ["b"] * 1000
    for argument, call in (("size", lambda: bailey.choice(3, 4, replace=False)), ("p", lambda: bailey.choice(3, 1, p=[1, 2])),
                           ("a", lambda: bailey.choice([])), ("x", lambda: bailey.permutation(-1)),
                           ("first", lambda: bailey.permutation(5, 3, first=4)), ("out", lambda: bailey.permutation([1], out=order))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument


def test_halves():
    z = bailey.normals(10000, seed=1)
    assert (bailey.normals(10000, seed=1, dtype="float16") == z.astype("float16")).all()
    u, half = bailey.uniforms((100, 100), seed=1), bailey.uniforms((100, 100), seed=1, dtype=numpy.float16)
    assert half.dtype == numpy.float16 and half.max() < 1 and half.min() > 0
    assert (half == numpy.minimum(u.astype("float16"), numpy.float16(1 - 2**-11))).all()
    out = numpy.empty(100, "float16")
    assert bailey.normals(out=out, seed=1, method="box-muller") is out
    assert (out == bailey.normals(100, seed=1, method="box-muller").astype("float16")).all()


def test_bfloat16():
    types = pytest.importorskip("ml_dtypes")
    z = bailey.normals(10000, seed=1)
    for dtype in "bfloat16", types.bfloat16:
        assert (bailey.normals(10000, seed=1, dtype=dtype) == z.astype(types.bfloat16)).all()


def test_torch_halves():
    torch = pytest.importorskip("torch")
    z = torch.from_numpy(bailey.normals(1000, seed=1))
    for dtype in torch.float16, torch.bfloat16:
        tensor = torch.empty(1000, dtype=dtype)
        bailey.normals(out=tensor, seed=1)
        assert torch.equal(tensor, z.to(dtype))


def test_copulas():
    rho = [[1, 0.6], [0.6, 1]]
    for freedom in 0, 4:
        for dtype in "float32", "float64":
            u = bailey.copula(20000, rho, freedom=freedom, seed=2, dtype=dtype)
            assert u.dtype == dtype and u.shape == (2, 20000)
            for row in u:
                assert scipy.stats.kstest(row, "uniform").pvalue > 1e-3
            assert abs(scipy.stats.kendalltau(*u).statistic - 2 / numpy.pi * numpy.arcsin(0.6)) < 0.02
    ratio = 5 * 0.4 / 1.6  # both below their 1 % quantiles: twice Student's tail at -sqrt((freedom + 1) (1 - rho) / (1 + rho))
    both = ((u < 0.01).all(axis=0)).mean() / 0.01
    assert abs(both - 2 * scipy.stats.t(5).cdf(-ratio**0.5)) < 0.12
    gamma, counts = bailey.copula(20000, rho, [("gamma", {"shape": 2.5}), ("discrete", {"weights": [1, 2, 1]})], seed=2)
    assert scipy.stats.kstest(gamma, scipy.stats.gamma(2.5).cdf).pvalue > 1e-3
    assert scipy.stats.chisquare(numpy.bincount(counts.astype(int)), [5000, 10000, 5000]).pvalue > 1e-3
    assert scipy.stats.kendalltau(gamma, counts).statistic > 0.3
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.copula(5, rho, [("gamma", {})])
    assert error.value.argument == "marginals"


# ---- Parameters that are arrays ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_parameters_by_element(dtype):
    for law, arrays in (("poisson", {"mean": [[0.5], [40.0]]}), ("binomial", {"trials": [10, 20, 10], "probability": [0.5, 0.2, 0.5]}),
                        ("gamma", {"shape": [2.0, 0.7], "scale": 3.0}), ("gumbel", {"location": [1, 2]}),
                        ("normal", {"stddev": [[1.0, 2.0], [3.0, 4.0]]})):
        where = dict(seed=5, first=7, dtype=dtype)
        found = bailey.variates(law, **arrays, **where)
        each = dict(zip(arrays, (array.ravel().tolist() for array in numpy.broadcast_arrays(*arrays.values()))))
        assert found.dtype == dtype and found.shape == numpy.broadcast(*arrays.values()).shape
        for i, x in enumerate(found.ravel()):
            assert bailey.variates(law, i + 1, **{name: values[i] for name, values in each.items()}, **where)[i] == x
    assert bailey.poisson([1, 30], (3, 2), seed=1).dtype == numpy.int32 and bailey.gamma([], seed=1).shape == (0, )


def test_parameters_beyond_limits():
    with pytest.warns(RuntimeWarning, match="4 of 6 numbers are NaN, the first number 1: shape is -2") as seen:
        found = bailey.gamma([1, -2, 0, math.nan, 2e9, 3], seed=1)
    assert seen[0].filename == __file__ and numpy.isnan(found).tolist() == [False, True, True, True, True, False]
    for argument, call in (("mean", lambda: bailey.poisson([1, -5, 3])), ("shape", lambda: bailey.gamma(0, size=3)),
                           ("mean", lambda: bailey.poisson([1, 2], 3)), ("scale", lambda: bailey.gamma([1, 2], -1)),
                           ("source", lambda: bailey.poisson([1, 2], source=bailey.sobol(1))),
                           ("out", lambda: bailey.gamma([1, 2], out=numpy.empty(2, "float32")))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument


def test_names_of_numpy():
    for name, law, options in (("exponential", "exponential", {"rate": 0.5}), ("weibull", "weibull", {"shape": 2})):
        assert (getattr(bailey, name)(2, 5, seed=1) == bailey.variates(law, 5, seed=1, **options)).all()
    for name in "laplace", "logistic", "gumbel":
        assert (getattr(bailey, name)(3, 2, 5, seed=1) == bailey.variates(name, 5, seed=1, location=3, scale=2)).all()
    assert (bailey.lognormal(1, 0.5, size=5, seed=1) == bailey.variates("log-normal", 5, seed=1, mean=1, stddev=0.5)).all()
    assert (bailey.standard_cauchy(5, seed=1) == bailey.variates("cauchy", 5, seed=1)).all()
    ends = bailey.truncated_normal([30, -math.inf], [math.inf, 1], seed=1)
    assert ends[0] == bailey.truncated_normal(30, math.inf, size=1, seed=1)[0] and ends[1] < 1
