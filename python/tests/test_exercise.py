# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Early exercise of payoffs."""
import copy

import pytest

import bailey

PUT = """typedef struct { real spot, strike, rate, volatility; } params;
typedef struct { real price; } state;
void start(state *s, const params *p) { s->price = p->spot; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * x[0]);
}
real exercise(const state *s, const params *p, real t) { return fmax(p->strike - s->price, 0) * exp(-p->rate * t); }
void finish(const state *s, const params *p, real out[]) { out[0] = fmax(p->strike - s->price, 0) * exp(-p->rate); }
"""


def test_exercise():
    """A put of ten dates, 4.44253 by quadrature; every fifth date; copies, and other devices' policies."""
    times = [(i + 1) / 10 for i in range(10)]
    with bailey.Simulation(PUT, times, spot=36, strike=40, rate=0.06, volatility=0.2, device="cpu") as put:
        policy = put.exercise(20000, seed=1)
        lower = policy.run(40000, seed=1)
        assert abs(lower.mean - 4.44253) < 3 * lower.standard_error + 0.02
        assert policy.policy.dates == 10 and policy.policy.regressions == 9 and policy.policy.functions == 6
        assert policy.functions == ["1", "exercise", "exercise^2", "exercise^3", "price", "price^2"]
        assert abs(policy.policy.in_sample - 4.44253) < 4 * policy.policy.in_sample_standard_error + 0.02
        bounds = policy.bounds(40000, outer_paths=100, inner_paths=32, antithetic=True, seed=1)
        assert bounds.interval_low < 4.44253 < bounds.interval_high < bounds.interval_low + 0.15
        assert bounds.lower < bounds.price < bounds.upper and bounds.exercise_now is False
        with pytest.raises(bailey.InvalidArgument, match="horizon"):
            put.exercise(2000, seed=1, outside=False).bounds(horizon=2)
        again = copy.copy(policy)
        assert again.run(40000, seed=1) == lower and again.policy == policy.policy
        policy.set(spot=38)
        assert policy.run(40000, seed=1).mean < lower.mean
        assert policy.on("cpu").run(4000, seed=1) == policy.run(4000, seed=1)
        assert policy.gradient(4000, by=["spot"], seed=1).mean["spot"] < -0.4
        assert put.exercise(2000, every=5, seed=1).policy.dates == 2
        with pytest.raises(bailey.InvalidArgument, match="points"):
            put.exercise(2000, source=bailey.sobol(1))
        deals, policies = put.exercise_prices(4000, policy_paths=2000, scenarios={"spot": [36, 44]}, seed=1)
        alone = put.set(spot=44).exercise(2000, seed=1)
        assert deals[1] == alone.run(4000, seed=1)[0] and policies[1] == alone.policy and deals[0].mean > deals[1].mean
        with pytest.raises(bailey.InvalidArgument, match="scenarios.count is 0"):
            put.exercise_prices(4000, seed=1)
    with bailey.Simulation("european", [1.0], spot=36, strike=40, rate=0.06, volatility=0.2, device="cpu") as european:
        with pytest.raises(bailey.InvalidArgument, match="no function exercise"):
            european.exercise()
