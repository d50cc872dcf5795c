# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Payoff code that fails as it runs raises PayoffError, with the place and the path."""
import pickle

import bailey
import pytest

INDEX = """typedef struct { int k; } params;
typedef struct { real h[2]; } state;
void start(state *s, const params *p) { s->h[0] = 0; s->h[1] = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { s->h[p->k] = x[0]; }
void finish(const state *s, const params *p, real out[]) { out[0] = s->h[1]; }
"""
LOOP = INDEX.replace("s->h[p->k] = x[0];", "while (s->h[0] < p->k) s->h[0] += 1;")


def test_index():
    payoff = bailey.Simulation(INDEX, [1.0], parameters={"k": 1})
    assert payoff.run(1000, seed=1).paths == 1000
    payoff.set(k=12)
    with pytest.raises(bailey.PayoffError, match=r"^payoff\.c:4:75: index 12 of h\[2\], on path 0$") as error:
        payoff.run(1000, seed=1)
    assert error.value.status == "ERROR_PAYOFF" and error.value.argument == "payoff"
    assert isinstance(error.value, bailey.BaileyError)
    payoff.set(k=0)
    assert payoff.run(1000, seed=1).mean == 0


def test_loop_budget():
    payoff = bailey.Simulation(LOOP, [1.0], parameters={"k": 20}, loop_budget=19)
    with pytest.raises(bailey.PayoffError, match="the loop budget of 19 trips, on path 0$"):
        payoff.run(1000, seed=1)
    with pytest.raises(bailey.PayoffError, match="the loop budget of 19 trips, on path 0$"):
        pickle.loads(pickle.dumps(payoff)).run(1000, seed=1)
    assert bailey.Simulation(LOOP, [1.0], parameters={"k": 20}, loop_budget=20).run(1000, seed=1).paths == 1000
    with pytest.raises(bailey.InvalidArgument):
        bailey.Simulation(LOOP, [1.0], parameters={"k": 20}, loop_budget=-1)
