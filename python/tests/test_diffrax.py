# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""bailey.diffrax: a Brownian path in diffrax's solvers, compiled and mapped by JAX."""
import math

import numpy
import pytest

import bailey


@pytest.fixture
def diffrax(needs):
    return needs("diffrax")


def test_increments_are_the_motions(diffrax):
    """Also compiled, mapped over paths and times, and of trees of arrays."""
    jax = pytest.importorskip("jax")
    plain = bailey.Motion(2.0, depth=32, dtype="float32", device="cpu")
    path = bailey.diffrax.BrownianPath(0.0, 2.0, (3, 2), seed=5, device="cpu")
    wanted = plain.increments([0.25], [1.5], 6, seed=5)[0, 0, 0].reshape(3, 2)
    assert (numpy.asarray(path.evaluate(0.25, 1.5)) == wanted).all()
    assert (numpy.asarray(jax.jit(lambda a, b: path.evaluate(a, b))(1.5, 0.25)) == -wanted).all()
    assert (numpy.asarray(path.evaluate(1.5)) == plain.increments([0.0], [1.5], 6, seed=5)[0, 0, 0].reshape(3, 2)).all()

    def one(i, begin, end):
        return bailey.diffrax.BrownianPath(0.0, 2.0, (2,), seed=5, first_path=2 * i, device="cpu").evaluate(begin, end)

    rows = jax.numpy.arange(3)
    mapped = jax.jit(jax.vmap(one, (0, None, None)))(rows, 0.25, 1.5)
    assert (numpy.asarray(mapped) == wanted).all()
    times = jax.numpy.array([0.25, 0.5, 1.25])
    each = numpy.asarray(jax.vmap(one)(rows, times, times + 0.5))
    turned = numpy.asarray(jax.vmap(one)(rows[::-1], times[::-1], times[::-1] + 0.5))
    for i, time in enumerate((0.25, 0.5, 1.25)):
        assert (each[i] == plain.increments([time], [time + 0.5], 2, seed=5, first_path=2 * i)[0, 0, 0]).all()
    assert (turned[::-1] == each).all()
    shape = {"a": jax.ShapeDtypeStruct((2,), "float32"), "b": jax.ShapeDtypeStruct((4,), "float16")}
    tree = bailey.diffrax.BrownianPath(0.0, 2.0, shape, seed=5, device="cpu").evaluate(0.25, 1.5)
    flat = wanted.ravel()
    assert (numpy.asarray(tree["a"]) == flat[:2]).all() and (numpy.asarray(tree["b"]) == flat[2:].astype("float16")).all()


@pytest.mark.parametrize("name", ["BrownianIncrement", "SpaceTimeLevyArea", "SpaceTimeTimeLevyArea"])
def test_areas(diffrax, name):
    kind = getattr(diffrax, name)
    path = bailey.diffrax.BrownianPath(0.0, 1.0, (4000,), seed=1, levy_area=kind, device="cpu")
    found = path.evaluate(0.25, 0.75, use_levy=True)
    assert type(found) is kind and float(found.dt) == 0.5
    for field, divisor in (("W", 1), ("H", 12), ("K", 720)):
        if hasattr(found, field):
            ratio = float(numpy.asarray(getattr(found, field), float).var()) * divisor / 0.5
            assert abs(ratio - 1) < 5 * math.sqrt(2 / 4000), field


def test_solvers(diffrax):
    """Of fixed and of chosen steps, against the exact solution on the same path; and a derivative through the solver."""
    jax = pytest.importorskip("jax")
    path = bailey.diffrax.BrownianPath(0.0, 1.0, (), seed=3, levy_area=diffrax.SpaceTimeLevyArea, device="cpu")

    def solve(volatility, solver, **options):
        terms = diffrax.MultiTerm(diffrax.ODETerm(lambda t, y, a: 0.1 * y), diffrax.ControlTerm(lambda t, y, a: volatility * y, path))
        return diffrax.diffeqsolve(terms, solver, 0.0, 1.0, y0=jax.numpy.float32(1.0), **options).ys[0]

    w = float(path.evaluate(1.0))
    exact = math.exp(0.1 + 0.2 * w)
    steps = jax.jit(lambda v: solve(v, diffrax.Heun(), dt0=2.0**-7))
    assert abs(float(steps(0.2)) - exact) < 2e-3
    assert abs(float(jax.grad(steps)(0.2)) - w * exact) < 2e-2
    chosen = solve(0.2, diffrax.SPaRK(), dt0=0.05, stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-4, dtmin=2.0**-12))
    assert abs(float(chosen) - exact) < 2e-3


def test_what_is_refused(diffrax):
    make = bailey.diffrax.BrownianPath
    for argument, call in (("levy_area", lambda: make(0.0, 1.0, (2,), levy_area=int)), ("shape", lambda: make(
            0.0, 1.0, pytest.importorskip("jax").ShapeDtypeStruct((2,), "int32"))), ("depth", lambda: make(0.0, 1.0, (2,), depth=99)),
            ("t0", lambda: make("x", 1.0, (2,))), ("seed", lambda: make(0.0, 1.0, (2,), seed=1, source=bailey.Source()))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument
    assert make(0.0, 1.0, (2,)).source.seed != make(0.0, 1.0, (2,)).source.seed
