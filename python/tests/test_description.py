# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What payoffs say about themselves, and what Python makes of it: keywords, help, signatures, errors, warnings."""
import copy
import inspect
import pickle
import pydoc
import warnings

import numpy
import pytest
from payoff_bodies import make

import bailey

DEAL = dict(spot=100, strike=100, rate=0.05, volatility=0.2)
CODE = """
/** A forward on the mean.
 *
 * out[0] gain: its payoff
 */
typedef struct {
    real spot[DIMS]; /* price today [> 0; role spot] */
    real strike; /* agreed [>= 0; unit money; default 90] */
    int side; /* of the deal [-1 (short) or 1 (long); default 1] */
} params;
typedef struct { real last; } state;
void start(state *s, const params *p) { s->last = 0; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int d = 0; d < DIMS; d++) s->last += p->spot[d] * (1 + x[d]) / (DIMS * STEPS);
}
void finish(const state *s, const params *p, real out[]) { out[0] = p->side * (s->last - p->strike); }
"""
CLASS = '''
class Forward:
    """A forward, in Python.

    out[0] gain: its payoff
    """

    spot: float  # price today [> 0; role spot]
    strike: float = 90.0  # agreed [>= 0; unit money]
    side: int = 1
    weight: bailey.array(2) = (0.5, 1.5)  # of the two

    def start(self):
        self.last = 0.0

    def step(self, i, t, x):
        self.last = self.spot * (1 + x[0])

    def finish(self):
        return self.side * (self.last - self.strike) + self.weight[0] + self.weight[1]
'''


def test_builtins():
    for name in bailey.payoffs():
        description = bailey.describe(name)
        assert description.name == name and description.summary and description.parameters, name
        assert all(p.summary and str(p).startswith(p.name) for p in description.parameters), name
    asian = bailey.describe("asian", dims=3)
    assert asian.parameter("spot").count == 3 and asian.parameter("spot").size == "DIMS"
    assert asian.parameter("dividend").default == 0 and asian.parameter("colour") is None
    assert asian.parameter("sign").choices == {-1.0: "put", 1.0: "call"} and asian.outputs[1].control
    assert "spot[DIMS]: spot price of each asset" in str(asian) and "positive" in str(asian)


def test_code():
    description = bailey.describe(CODE)
    assert description.summary == "A forward on the mean." and description.outputs[0].name == "gain"
    strike, side = description.parameter("strike"), description.parameter("side")
    assert (strike.default, strike.unit, side.default, side.type) == (90.0, "money", 1, "int")
    assert str(description.signature()) == "(*, spot, strike=90.0, side=1)"
    with pytest.raises(bailey.InvalidArgument):
        bailey.describe("void nothing(void) {}")


def test_classes():
    payoff = bailey.payoff(make(CLASS))
    assert payoff.description.summary == "A forward, in Python." and payoff.description.outputs[0].name == "gain"
    assert payoff.description.parameter("spot").role == "spot"
    assert payoff.description.parameter("strike").default == 90 == payoff.defaults["strike"]
    assert str(inspect.signature(payoff)) == "(*, spot, strike=90.0, side=1, weight)"
    text = pydoc.render_doc(payoff, renderer=pydoc.plaintext)
    assert "A forward, in Python." in text and "spot: price today [positive]" in text
    assert "strike: agreed [money; 0 or more; default 90]" in text
    again = pickle.loads(pickle.dumps(payoff))
    assert again.description == payoff.description and copy.copy(payoff).description == payoff.description
    assert payoff(spot=3, side=2).spot == 3 and payoff(spot=3).strike == 90


def test_keywords():
    given = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu").run(1 << 10, seed=1)
    option = bailey.Simulation("european", [1.0], device="cpu", **DEAL)
    assert option.run(1 << 10, seed=1) == given and option.description.name == "european"
    assert copy.copy(option).run(1 << 10, seed=1) == given
    assert bailey.Simulation("european", [1.0], strike=1, parameters=dict(DEAL, strike=2), device="cpu").set(
        strike=100).run(1 << 10, seed=1) == given
    levels = bailey.Mlmc("european", device="cpu", **DEAL)
    assert levels.run(0.5, seed=1) == bailey.Mlmc("european", parameters=DEAL, device="cpu").run(0.5, seed=1)
    assert levels.description.parameter("spot").summary
    for made in (lambda: bailey.Simulation("european", [1.0], colour=1), lambda: bailey.Mlmc("european", colour=1)):
        with pytest.raises(bailey.InvalidArgument, match="colour.*spot, ") as error:
            made()
        assert error.value.argument == "colour"
    simulation = bailey.Simulation(make(CLASS), [1.0], spot=100, dtype="float64", device="cpu")
    x = bailey.Bridge([1.0], dtype="float64", device="cpu").paths(8, seed=1)[0, 0]
    assert abs(simulation.samples(8, seed=1)[0] - (100 * (1 + x) - 88)).max() < 1e-12


def test_what_is_missing_or_out_of_range():
    with pytest.raises(bailey.InvalidArgument, match="volatility, .*strike"):
        bailey.Simulation("european", [1.0], spot=100, device="cpu").run(1024, seed=1)
    for payoff in ("european", make(CLASS)):
        with pytest.raises(bailey.InvalidArgument, match="spot.*-5.*positive"):
            bailey.Simulation(payoff, [1.0], spot=-5)
    with pytest.raises(bailey.InvalidArgument, match="Forward needs spot"):
        bailey.Simulation(make(CLASS), [1.0], device="cpu").run(1024, seed=1)


def test_warnings():
    """They are Python warnings for the line that called, and are errors where the program says so."""
    for name, value in (("rate", 5), ("volatility", 20)):
        with pytest.warns(UserWarning, match=f"{name}.*{value}") as found:
            bailey.Simulation("european", [1.0], **{**DEAL, name: value})
        assert [w.filename for w in found] == [__file__]
    with pytest.warns(UserWarning, match="variance"):
        bailey.Simulation("heston", [1.0], variance=4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        option = bailey.Simulation("european", [1.0], device="cpu", **DEAL)
        with pytest.raises(UserWarning):
            option.set(rate=5)
        option.set(rate=0.05).run(1 << 10, seed=1)


def test_dims_follow_arrays():
    times = [0.5, 1.0]
    two = dict(spot=[100, 100], volatility=[0.2, 0.3], weight=[0.5, 0.5], strike=100, rate=0.03)
    wanted = bailey.Simulation("asian", times, 2, device="cpu", **two).run(1 << 10, seed=1)
    found = bailey.Simulation("asian", times, device="cpu", **two)
    assert found.dims == 2 and found.run(1 << 10, seed=1) == wanted and copy.copy(found).dims == 2
    assert bailey.Simulation("asian", times, covariance=numpy.eye(3)).dims == 3
    assert bailey.Simulation("heston", times).dims == 1 and bailey.Simulation("european", times).dims == 1
    assert bailey.Simulation(CODE, [1.0], spot=[1, 2, 3]).dims == 3
    with pytest.raises(bailey.InvalidArgument, match="spot"):
        bailey.Simulation("asian", times, 3, **two)


def test_points_beyond_the_path_are_refused():
    with pytest.raises(bailey.InvalidArgument, match="x"):
        bailey.Simulation(make(CLASS.replace("x[0]", "x[1]")), [1.0], spot=100)


def test_words_for_choices():
    deal = dict(spot=100, strike=100, rate=0.05, volatility=0.2, barrier=80)
    worded = bailey.Simulation("barrier", [1.0], device="cpu", **deal, side="down", knock_in="in", sign="put")
    numbered = bailey.Simulation("barrier", [1.0], device="cpu", **deal, side=-1, knock_in=1, sign=-1)
    assert worded.run(1000, seed=1) == numbered.run(1000, seed=1)
    with pytest.raises(bailey.InvalidArgument, match="side: 'dwn' is not one of down, up") as error:
        worded.set(side="dwn")
    assert error.value.argument == "side"
    with pytest.raises(bailey.InvalidArgument, match="spot is a number, not '100'"):
        worded.set(spot="100")
    levels = bailey.Mlmc("barrier", device="cpu", side="down")
    assert levels.run(0.5, seed=1) == bailey.Mlmc("barrier", device="cpu", **deal | dict(barrier=85), side=-1).run(0.5, seed=1)
