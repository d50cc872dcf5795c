# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
import linecache
from math import exp

import pytest

import bailey

STEPS = 4
LIMIT = 90.0


@bailey.payoff
class Asian:
    """An arithmetic Asian call, and whether the price was ever below LIMIT."""

    spot: float
    strike: float
    rate: float
    volatility: float

    def start(self):
        self.total = 0.0
        self.below = 0.0

    def step(self, i, t, x):
        drift = self.rate - self.volatility**2 / 2
        price = self.spot * exp(drift * t + self.volatility * x[0])
        self.total += price
        if price < LIMIT and not self.below > 0:
            self.below = 1.0

    def finish(self):
        return max(self.total / STEPS - self.strike, 0.0), self.below


TEXT = """
typedef struct { real spot, strike, rate, volatility; } params;
typedef struct { real total, below; } state;
void start(state *s, const params *p) { s->total = 0; s->below = 0; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    real drift = p->rate - p->volatility * p->volatility / 2;
    real price = p->spot * exp(drift * t + p->volatility * x[0]);
    s->total += price;
    if (price < 90) s->below = 1;
}
void finish(const state *s, const params *p, real out[2])
{
    out[0] = fmax(s->total / STEPS - p->strike, 0);
    out[1] = s->below;
}
"""
PARAMETERS = dict(spot=100, strike=101, rate=0.03, volatility=0.3)
TIMES = [0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_it_has_the_bits_of_the_text(dtype):
    ours = bailey.Simulation(Asian, TIMES, parameters=PARAMETERS, dtype=dtype).samples(4096, seed=1)
    text = bailey.Simulation(TEXT, TIMES, parameters=PARAMETERS, dtype=dtype).samples(4096, seed=1)
    assert ours.tobytes() == text.tobytes() and ours[0].max() > 0 and 0 < ours[1].mean() < 1


def test_it_is_what_python_computes():
    samples = bailey.Simulation(Asian, TIMES, parameters=PARAMETERS, dtype="float64").samples(64, seed=1)
    paths = bailey.Bridge(TIMES, dtype="float64").paths(64, seed=1)
    for k in range(64):
        one = Asian.python()
        for name, value in PARAMETERS.items():
            setattr(one, name, value)
        one.start()
        for i, t in enumerate(TIMES):
            one.step(i, t, paths[i, :, k])
        gain, below = one.finish()
        assert abs(gain - samples[0, k]) < 1e-11 and below == samples[1, k]


@bailey.payoff
class Basket:
    weight: bailey.array(2)
    count: int

    def start(self):
        self.last = [0.0] * 2

    def step(self, i, t, x):
        for d in range(DIMS):  # noqa: F821  the library's
            self.last[d] = x[d]

    def finish(self):
        total = 0.0
        for d in range(self.count):
            total += self.weight[d] * self.last[d]
        return total if self.count > 1 else 1 / 2


def test_arrays_and_whole_numbers():
    paths = bailey.Bridge([1.0], 2, dtype="float64").paths(8, seed=1)[0]
    simulation = bailey.Simulation(Basket, [1.0], 2, parameters=dict(weight=[2, 3], count=2), dtype="float64")
    assert abs(simulation.samples(8, seed=1)[0] - (2 * paths[0] + 3 * paths[1])).max() < 1e-14
    assert (simulation.set(count=1).samples(8, seed=1) == 0.5).all()


def test_cells_of_notebooks():
    """Python keeps the text of a cell in linecache, and there is no file."""
    text = "@bailey.payoff\nclass One:\n    def start(self):\n        self.x = LEVEL\n" \
           "    def step(self, i, t, x):\n        self.x += 0.0\n    def finish(self):\n        return self.x\n"
    linecache.cache["<cell 7>"] = (len(text), None, text.splitlines(True), "<cell 7>")
    names = {"bailey": bailey, "LEVEL": 2.5}
    exec(compile(text, "<cell 7>", "exec"), names)
    assert (bailey.Simulation(names["One"], [1.0]).samples(4, seed=1) == 2.5).all()
    with pytest.raises(bailey.InvalidArgument, match="not available"):
        exec(compile(text, "<stdin>", "exec"), names)


def refused(python, word):
    with pytest.raises(bailey.InvalidArgument, match=word) as error:
        bailey.payoff(python)
    assert error.value.argument == "payoff"


def test_refusals():
    class Prints:
        def start(self):
            self.a = print("no")

        def step(self, i, t, x):
            pass

        def finish(self):
            return 1

    class Unknown:
        def start(self):
            self.a = 1.0

        def step(self, i, t, x):
            self.b = nothing  # noqa: F821

        def finish(self):
            return 1

    class Parameter:
        a: float

        def start(self):
            self.a = 1.0

        def step(self, i, t, x):
            pass

        def finish(self):
            return 1

    class While:
        def start(self):
            pass

        def step(self, i, t, x):
            while True:
                pass

        def finish(self):
            return 1

    class Shape:
        def start(self):
            pass

        def step(self, i, x):
            pass

        def finish(self):
            return 1

    refused(Prints, "print is not supported")
    refused(Unknown, "nothing is not known")
    refused(Parameter, "is a parameter")
    refused(While, "the loop does not end")
    refused(Shape, "write def step")
    refused(int, "is not a class with the methods")
    refused(exp, "is not a class with the methods")
