# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""bailey.jax and bailey.diffrax: numbers, paths, prices and Brownian paths for diffrax's solvers in programs that JAX compiles
and maps, with the bits of the functions that are called from Python."""
import math

import numpy
import pytest

import bailey


@pytest.fixture
def diffrax(needs):
    return needs("diffrax")


@pytest.fixture
def jax(needs):
    return needs("jax")


known = []  # what C has been told of


def same(array, wanted):
    return numpy.asarray(array).tobytes() == numpy.asarray(wanted).tobytes()


def european():
    return bailey.Simulation("european", [1.0], spot=100, strike=100, rate=0.05, volatility=0.2, device="cpu")


def test_numbers_are_those_of_python(jax):
    """Compiled, with traced seeds and places beyond 32 bits, and mapped over both."""
    mine = bailey.jax
    plain = bailey.normals(20, seed=3, device="cpu")
    assert same(mine.normals((4, 5), seed=3), plain.reshape(4, 5)) and mine.normals((2, 0), seed=3).shape == (2, 0)
    assert same(jax.jit(lambda first: mine.normals(15, seed=3, first=first))(5), plain[5:])
    rows = jax.numpy.arange(4)
    assert same(jax.vmap(lambda i: mine.normals(5, seed=3, first=5 * i))(rows), plain.reshape(4, 5))
    wanted = numpy.stack([bailey.normals(5, seed=i, device="cpu") for i in (3, 2, 1, 0)])
    assert same(jax.jit(jax.vmap(lambda seed: mine.normals(5, seed=seed)))(rows[::-1]), wanted)
    assert same(jax.vmap(jax.vmap(lambda i: mine.normals(5, seed=3, first=5 * i)))(rows.reshape(2, 2)), plain.reshape(2, 2, 5))
    far = dict(seed=2**63 + 5, first=2**40 + 3, numerics="fast")
    assert same(mine.normals(8, dtype="bfloat16", **far), bailey.normals(8, dtype="bfloat16", device="cpu", **far))
    source = bailey.Source(5, stream=2, generator="mrg32k3a")
    assert same(mine.normals(9, source=source), bailey.normals(9, source=source, device="cpu"))


@pytest.mark.parametrize("layout", ["point-major", "dim-major"])
def test_points_are_those_of_python(jax, layout):
    wanted = bailey.points(16, 3, source=bailey.sobol(1), layout=layout, device="cpu")
    assert same(bailey.jax.points(16, 3, seed=1, layout=layout), wanted)
    mapped = numpy.asarray(jax.vmap(lambda i: bailey.jax.points(4, 3, seed=1, first_point=4 * i, layout=layout))(jax.numpy.arange(4)))
    assert same(mapped.reshape(16, 3) if layout == "point-major" else mapped.swapaxes(0, 1).reshape(3, 16), wanted)


@pytest.mark.parametrize("layout", ["path-major", "step-major"])
def test_paths_are_the_bridges(jax, layout):
    bridge = bailey.Bridge([0.5, 1.0, 2.0], dims=2, covariance=[[1, 0.5], [0.5, 2]], layout=layout, device="cpu")
    assert same(jax.jit(lambda seed: bailey.jax.paths(bridge, 10, seed=seed))(9), bridge.paths(10, seed=9))
    mapped = jax.vmap(lambda i: bailey.jax.paths(bridge, 5, seed=9, first_path=5 * i))(jax.numpy.arange(2))
    assert all(same(mapped[i], bridge.paths(5, seed=9, first_path=5 * i)) for i in range(2))


def test_simulations(jax):
    """Means, errors and derivatives of means; and one run for a batch of parameters."""
    option = european()
    found = bailey.jax.simulate(option, 4096, dict(spot=100.0), seed=1)
    wanted = option.run(4096, seed=1)
    assert same(found.mean, numpy.float32([wanted.mean])) and same(found.standard_error, numpy.float32([wanted.standard_error]))
    spots = jax.numpy.array([90.0, 100.0, 110.0])

    def mean(spot, seed=1):
        return bailey.jax.simulate(option, 4096, dict(spot=spot), seed=seed).mean[0]

    runs = [option.set(spot=float(spot)).gradient(4096, seed=1) for spot in spots]
    assert same(jax.vmap(mean)(spots), numpy.float32([run.estimates[0].mean for run in runs]))
    assert same(jax.jit(jax.vmap(jax.grad(mean)))(spots), numpy.float32([run.mean["spot"] for run in runs]))
    seeds = jax.numpy.arange(3)
    assert same(jax.vmap(mean)(spots, seeds), numpy.float32([option.set(spot=float(spot)).run(4096, seed=i).mean
                                                             for i, spot in enumerate(spots)]))
    basket = bailey.Simulation("asian", [0.5, 1.0], dims=2, spot=[100, 95], weight=[0.5, 0.5], strike=98, rate=0.03,
                               volatility=[0.2, 0.3], device="cpu")
    slopes = jax.grad(lambda spot: bailey.jax.simulate(basket, 1024, dict(spot=spot), seed=2).mean @ jax.numpy.arange(1.0, 3.0))(
        jax.numpy.array([100.0, 95.0]))
    assert same(slopes, numpy.float32(basket.gradient(1024, seed=2, by="spot", weights=[1, 2]).mean["spot"]))


def test_what_jax_is_refused(jax):
    mine, option = bailey.jax, european()
    for argument, call in (("seed", lambda: mine.normals(5)), ("dtype", lambda: mine.normals(5, seed=1, dtype="float64")),
                           ("dtype", lambda: mine.normals(5, seed=1, dtype="int32")),
                           ("first", lambda: mine.normals(5, seed=1, first=-1)),
                           ("bridge", lambda: mine.paths(option, 5, seed=1)),
                           ("spot", lambda: mine.simulate(option, 8, dict(spot=[1.0, 2.0]), seed=1)),
                           ("progress", lambda: mine.simulate(option, 8, dict(spot=1.0), seed=1, progress=print)),
                           ("method", lambda: mine.normals(5, seed=1, method="no"))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument
    with pytest.raises(Exception, match="InvalidArgument: first is -1, below 0"):
        jax.jit(lambda first: mine.normals(5, seed=1, first=first))(-1).block_until_ready()


def test_increments_are_the_motions(diffrax, jax):
    """Also compiled, mapped over paths and times, and of trees of arrays."""
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


def test_areas_of_batches(diffrax, jax):
    """Of paths that follow each other, and of others."""

    def one(i):
        path = bailey.diffrax.BrownianPath(0.0, 1.0, (3,), seed=1, levy_area=diffrax.SpaceTimeTimeLevyArea, first_path=i, device="cpu")
        found = path.evaluate(0.25, 0.75, use_levy=True)
        return found.W, found.H, found.K

    motion = bailey.Motion(1.0, depth=32, areas="hk", device="cpu")
    for firsts in ([0, 3, 6], [9, 12, 4]):
        mapped = jax.jit(jax.vmap(one))(jax.numpy.array(firsts))
        for row, first in enumerate(firsts):
            wanted = motion.increments([0.25], [0.75], 3, seed=1, first_path=first)[0, :, 0]
            assert all(same(part[row], wanted[i]) for i, part in enumerate(mapped))


def test_solvers(diffrax, jax):
    """Of fixed and of chosen steps, against the exact solution on the same path; and a derivative through the solver."""
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


def test_steps_without_python(jax, diffrax):
    """What XLA calls on a CUDA device, with a frame by hand and memory of the host."""
    from bailey import _xla
    from bailey._library import ffi, lib

    _c, own, native, asked = _xla._c, _xla._own, _xla._native, []
    motion = bailey.Motion(2.0, depth=32, areas="h", device="cpu")

    @_c.callback("void *(stream *)")
    def stream_get(stream):
        stream.stream = _c.cast("void *", 1234)
        return _c.NULL

    @_c.callback("void *(frame *)")
    def python(frame):
        asked.append(bytes(_c.buffer(_c.cast("span *", frame.attributes.items[0]).text, 3)))
        return _c.NULL

    functions = [own.cast("void *", int(ffi.cast("uintptr_t", ffi.addressof(lib, "bailey_" + name)))) for name in
                 ("buffer_adopt_host", "buffer_destroy", "motion_increments_timed")]
    native.bailey_xla_begin(own.new("functions *", [*functions, own.cast("void *", int(_c.cast("uintptr_t", python)))]))
    text = own.new("char[]", b"one")
    step = own.new("step *", dict(text=text, text_size=3, stream=own.cast("void *", 1234), paths=3, path_bytes=8,
                                  context=_xla._pointer(motion._context.handle), motion=_xla._pointer(motion._handle)))
    ffi.memmove(ffi.cast("char *", int(own.cast("uintptr_t", step.source))), bailey.Source(5).to_c(), ffi.sizeof("bailey_source"))
    assert native.bailey_xla_know(step)
    firsts, times = numpy.array([7, 1], "uint64"), numpy.array([[0.25, 1.5], [0.0, 2.0]], "float32")
    out = numpy.zeros((2, 2, 3), "float32")

    def array(values, kind):
        extents = _c.new("int64_t[]", values.shape)
        kept.append(extents)
        return _c.new("array *", dict(type=kind, data=_c.cast("void *", values.ctypes.data), rank=values.ndim, extents=extents))

    kept = []
    operands, results = [array(firsts, 9), array(times, 11)], [array(out, 11)]
    lists = [_c.new("array *[]", operands), _c.new("array *[]", results), _c.new("int[]", [4])]
    api = _c.new("api *", dict(stream_get=stream_get))
    for name in (b"one", b"two"):
        characters = _c.new("char[]", name)
        span = _c.new("span *", dict(text=characters, size=3))
        items = _c.new("void *[]", [span])
        frame = _c.new("frame *", dict(api=api, stage=3, operands=dict(count=2, items=lists[0]), results=dict(count=1, items=lists[1]),
                                       attributes=dict(count=1, kinds=lists[2], items=items)))
        assert native.bailey_xla_answer(own.cast("void *", int(_c.cast("uintptr_t", frame)))) == own.NULL
    native.bailey_xla_begin(_xla._functions)
    known.extend([text, motion])
    assert asked == [b"two"]
    for i, (begin, end) in enumerate(times):
        assert same(out[i], motion.increments([float(begin)], [float(end)], 3, seed=5, first_path=int(firsts[i]))[0, :, 0])


def test_what_is_refused(diffrax, jax):
    make = bailey.diffrax.BrownianPath
    for argument, call in (("levy_area", lambda: make(0.0, 1.0, (2,), levy_area=int)), ("shape", lambda: make(
            0.0, 1.0, jax.ShapeDtypeStruct((2,), "int32"))), ("depth", lambda: make(0.0, 1.0, (2,), depth=99)),
            ("t0", lambda: make("x", 1.0, (2,))), ("seed", lambda: make(0.0, 1.0, (2,), seed=1, source=bailey.Source()))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument
    assert make(0.0, 1.0, (2,)).source.seed != make(0.0, 1.0, (2,)).source.seed
