# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Gradients against others' derivatives of the same payoffs on the same paths, in double precision: complex steps in
NumPy (Squire and Trapp 1998), which have no truncation error, and reverse mode in JAX where it is installed."""
import numpy
import pytest

import bailey

TIMES = numpy.arange(1, 9) / 8
PATHS = 1024
CLOSE = 1e-12

ASIAN = """
typedef struct { real spot[2], volatility[2], weight[2], strike, rate; } params;
typedef struct { real sum; } state;
void start(state *s, const params *p) { s->sum = 0; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int a = 0; a < 2; a++) {
        const real v = p->volatility[a];
        s->sum += p->weight[a] * p->spot[a] * exp((p->rate - v * v / 2) * t + v * x[a]) / STEPS;
    }
}
void finish(const state *s, const params *p, real out[]) { out[0] = exp(-p->rate) * fmax(s->sum - p->strike, 0); }
"""

# The last 2 of 4 dimensions drive the variances.
HESTON = """
typedef struct { real spot[2], variance[2], mean[2], reversion, sigma, strike, rate; } params;
typedef struct { real x[4], variance[2], log[2], t; } state;
void start(state *s, const params *p)
{
    for (int d = 0; d < 4; d++) s->x[d] = 0;
    for (int a = 0; a < 2; a++) { s->variance[a] = p->variance[a]; s->log[a] = 0; }
    s->t = 0;
}
void step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->t;
    for (int a = 0; a < 2; a++) {
        const real v = fmax(s->variance[a], 0), root = sqrt(v);
        s->log[a] += (p->rate - v / 2) * dt + root * (x[a] - s->x[a]);
        s->variance[a] += p->reversion * (p->mean[a] - v) * dt + p->sigma * root * (x[2 + a] - s->x[2 + a]);
    }
    for (int d = 0; d < 4; d++) s->x[d] = x[d];
    s->t = t;
}
void finish(const state *s, const params *p, real out[])
{
    const real basket = (p->spot[0] * exp(s->log[0]) + p->spot[1] * exp(s->log[1])) / 2;
    out[0] = exp(-p->rate * s->t) * fmax(basket - p->strike, 0);
}
"""

# The same in a module with the functions of NumPy; x[step][dimension] is an array of paths. A comparison decides by
# the real part.


def asian(xp, p, x):
    total = 0
    for i, t in enumerate(TIMES):
        for a in range(2):
            v = p["volatility"][a]
            total = total + p["weight"][a] * p["spot"][a] * xp.exp((p["rate"] - v * v / 2) * t + v * x[i][a]) / len(TIMES)
    gain = total - p["strike"]
    return xp.exp(-p["rate"]) * xp.where(gain.real > 0, gain, 0)


def heston(xp, p, x):
    variance, log, before, then = list(p["variance"]), [0.0, 0.0], [0.0] * 4, 0.0
    for i, t in enumerate(TIMES):
        for a in range(2):
            v = variance[a] + 0 * x[i][a]
            positive = v.real > 0
            v = xp.where(positive, v, 0)
            root = xp.where(positive, xp.sqrt(xp.where(positive, v, 1)), 0)
            log[a] = log[a] + (p["rate"] - v / 2) * (t - then) + root * (x[i][a] - before[a])
            variance[a] = (variance[a] + p["reversion"] * (p["mean"][a] - v) * (t - then)
                           + p["sigma"] * root * (x[i][2 + a] - before[2 + a]))
        before, then = x[i], t
    gain = (p["spot"][0] * xp.exp(log[0]) + p["spot"][1] * xp.exp(log[1])) / 2 - p["strike"]
    return xp.exp(-p["rate"] * then) * xp.where(gain.real > 0, gain, 0)


PAYOFFS = {
    "asian": (ASIAN, asian, dict(spot=[100.0, 95.0], volatility=[0.2, 0.3], weight=[0.4, 0.6], strike=97.0, rate=0.03)),
    "heston": (HESTON, heston, dict(spot=[100.0, 95.0], variance=[0.04, 0.09], mean=[0.05, 0.08], reversion=1.5, sigma=0.3,
                                    strike=97.0, rate=0.03)),
}


def ours(name):
    """The derivatives, and the payoff with its parameters and paths."""
    code, payoff, given = PAYOFFS[name]
    dims = 2 if name == "asian" else 4
    covariance = numpy.full((dims, dims), 0.3) + 0.7 * numpy.eye(dims)
    options = dict(covariance=covariance, device="cpu", dtype="float64")
    found = bailey.Simulation(code, TIMES, **given, **options).gradient(PATHS, seed=7)
    x = bailey.Bridge(TIMES, dims, **options).paths(PATHS, seed=7).reshape(len(TIMES), dims, PATHS)
    return found, payoff, {key: numpy.array(value) for key, value in given.items()}, x


def near(found, wanted, name):
    error = numpy.max(numpy.abs(found - wanted) / (1 + numpy.abs(wanted)))
    assert error <= CLOSE, f"{name}: {found}, not {wanted}"


@pytest.mark.parametrize("name", PAYOFFS)
def test_complex_steps(name):
    found, payoff, given, x = ours(name)
    near(found.estimates[0].mean, numpy.mean(payoff(numpy, given, x)).real, "price")
    for key, value in given.items():
        for i in range(value.size):
            moved = value.astype(complex)
            moved.flat[i] += 1e-30j
            slope = numpy.mean(payoff(numpy, {**given, key: moved}, x)).imag / 1e-30
            near(found.mean[key].flat[i], slope, f"{key}[{i}]")


@pytest.mark.parametrize("name", PAYOFFS)
def test_jax(name):
    jax = pytest.importorskip("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        found, payoff, given, x = ours(name)
        slopes = jax.grad(lambda p: jax.numpy.mean(payoff(jax.numpy, p, x)))(
            {key: jax.numpy.array(value) for key, value in given.items()})
        for key in given:
            near(found.mean[key], numpy.array(slopes[key]), key)
    finally:
        jax.config.update("jax_enable_x64", before)
