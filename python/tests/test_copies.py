# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Copies and pickles."""
import concurrent.futures
import copy
import multiprocessing
import pickle

import numpy
import pytest

import bailey

DEAL = dict(spot=100, strike=100, rate=0.05, volatility=0.2)


@bailey.payoff
class Forward:
    spot: float
    volatility: float

    def start(self):
        self.last = 0.0

    def step(self, i, t, x):
        self.last = x[0]

    def finish(self):
        return self.spot + self.volatility * self.last


OBJECTS = {
    "simulation": (lambda: bailey.Simulation("asian", numpy.arange(1, 4) / 3, dims=2, covariance=[[1, 0.5], [0.5, 1]],
                                             parameters=dict(DEAL, weight=[0.5, 0.5], spot=[90, 110],
                                                             volatility=[0.2, 0.3]), device="cpu"),
                   lambda o: o.run(1 << 10, seed=1)),
    "python payoff": (lambda: bailey.Simulation(Forward, [1.0], parameters=dict(spot=100, volatility=0.2), device="cpu"),
                      lambda o: o.run(1 << 10, seed=1)),
    "bridge": (lambda: bailey.Bridge([0.25, 0.5, 1.0], dims=2, dtype="float64", order=[2, 1], layout="path-major",
                                     start=[1, 2], device=bailey.context("cpu", threads=1)),
               lambda o: o.paths(5, seed=1).tolist()),
    "motion": (lambda: bailey.Motion("2027-01-01", valuation="2026-01-01", depth=20, areas="h", device="cpu"),
               lambda o: o.increments(["2026-03-01"], ["2026-06-01"], 5, seed=1).tolist()),
    "tree": (lambda: bailey.BrownianTree(0, 2, size=(2, 3), seed=4, first_path=7, dtype="float64", device="cpu",
                                         levy_area_approximation="space-time"),
             lambda o: [part.tolist() for part in o(0.5, 1.5, return_U=True, return_H=True)]),
    "mlmc": (lambda: bailey.Mlmc("european", parameters=DEAL, first_steps=2, device="cpu"), lambda o: o.run(0.5, seed=1)),
    "context": (lambda: bailey.context("cpu", threads=2), lambda o: bailey.normals(9, seed=1, device=o).tolist()),
}
COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy}
COPIES.update({f"pickle {p}": lambda o, p=p: pickle.loads(pickle.dumps(o, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)})


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", OBJECTS)
def test_copies_do_the_same(name, how):
    make, use = OBJECTS[name]
    o = make()
    expected = use(o)
    other = COPIES[how](o)
    assert type(other) is type(o)
    if name != "context":
        assert other is not o
        o.close()
    assert use(other) == expected


def test_a_copy_has_parameters_of_its_own():
    o = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")
    before = o.run(1 << 10, seed=1)
    strike = numpy.array([90.0])
    for how in COPIES.values():
        other = how(o).set(strike=strike)
        assert other.run(1 << 10, seed=1).mean > before.mean
        assert o.run(1 << 10, seed=1) == before
    strike[0] = 50  # what was set is what was given then
    assert copy.copy(other).run(1 << 10, seed=1) == other.run(1 << 10, seed=1)
    levels = bailey.Mlmc("european", parameters=DEAL, device="cpu")
    value = levels.run(0.5, seed=1)
    copy.copy(levels).set(strike=50)
    assert levels.run(0.5, seed=1) == value


def test_arguments_are_as_they_were():
    times = numpy.array([0.5, 1.0])
    o = bailey.Bridge(times, device="cpu")
    times[0] = 0.75
    assert (copy.copy(o).paths(3, seed=1) == o.paths(3, seed=1)).all()


def test_payoffs():
    for how, copied in COPIES.items():
        other = copied(Forward)
        assert (other.name, other.code) == (Forward.name, Forward.code)
        assert (other.python is None) == how.startswith("pickle")


class Named(bailey.Simulation):
    """A user's class, with its own constructor."""

    def __init__(self, name):
        super().__init__("european", [1.0], parameters=DEAL, device="cpu")
        self.name = name


def test_subclasses():
    o = Named("this")
    for how in COPIES.values():
        other = how(o)
        assert type(other) is Named and other.name == "this" and other.run(64, seed=1) == o.run(64, seed=1)


def _price(o, seed):
    return o.run(1 << 10, seed=seed)


def test_other_processes():
    """As joblib, Dask and Ray send objects: to processes that begin anew."""
    o = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(_price, o, 3).result(120) == o.run(1 << 10, seed=3)


def test_trees_of_tensors(needs):
    torch = needs("torch")
    o = bailey.BrownianTree(0, 1, like=torch.zeros(2, 3, requires_grad=True), seed=5, device="cpu")
    expected = o(0.25, 0.5)
    assert isinstance(expected, torch.Tensor)
    for how in COPIES.values():
        found = how(o)(0.25, 0.5)
        assert isinstance(found, torch.Tensor) and torch.equal(found, expected)
