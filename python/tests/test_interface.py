# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The interface as a whole: everything public is described and has types; progress; interruption."""
import inspect
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import types
import typing

import numpy
import pytest

import bailey


def public():
    for name in bailey.__all__:
        thing = getattr(bailey, name)
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


def test_everything_is_described():
    assert [name for name, thing in public() if not inspect.getdoc(thing)] == []
    written = [n for n in dir(bailey) if not n.startswith("_") and not inspect.ismodule(getattr(bailey, n))]
    assert sorted(set(written) - {"ffi", "lib"}) == sorted(bailey.__all__)


def test_everything_has_types():
    for name, thing in public():
        function = thing.fget if isinstance(thing, property) else thing
        if inspect.isfunction(function):
            signature = inspect.signature(function)
            assert [p for p in signature.parameters.values() if p.name != "self" and p.annotation is p.empty] == [], name
            assert signature.return_annotation is not signature.empty, name


def test_hints_are_types():
    """typing.get_type_hints works on everything public: no name in an annotation is one for type checkers alone."""
    for name, thing in public():
        hints = typing.get_type_hints(thing.fget if isinstance(thing, property) else thing)
        assert hints or inspect.isclass(thing), name
        if inspect.isclass(thing):
            typing.get_type_hints(thing.__init__)
    for name in bailey._fields.OPTIONS:
        assert typing.get_type_hints(getattr(bailey._types, name))


def test_types_are_right():
    pytest.importorskip("mypy.version", minversion="1.11")
    pytest.importorskip("numpy", minversion="2")  # whose own types have what ours take of it
    root, package = pathlib.Path(__file__).resolve().parent.parent.parent, pathlib.Path(bailey.__file__).parent
    users = [root / "python" / "tests" / "typed_payoff.py", *sorted((root / "examples" / "python").glob("*.py"))]
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, package, *users], cwd=root,
                          stdout=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 0, done.stdout


# ---- Progress

OPTION = dict(spot=100, strike=100, rate=0.03, volatility=0.2)


def european():
    return bailey.Simulation("european", [1.0], parameters=OPTION, device="cpu")


class Bar:
    """In tqdm's place: what a notebook's widget would see."""

    made = []

    def __init__(self, **options):
        self.n, self.total, self.closed = 0, None, False
        Bar.made.append(self)

    def update(self, more):
        assert not self.closed and more >= 0
        self.n += more

    def close(self):
        self.closed = True


@pytest.fixture
def bars(monkeypatch):
    package, auto = types.ModuleType("tqdm"), types.ModuleType("tqdm.auto")
    package.auto, auto.tqdm, Bar.made = auto, Bar, []
    monkeypatch.setitem(sys.modules, "tqdm", package)
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    return Bar.made


def test_bars(bars):
    european().run(1 << 20, seed=1, progress=True)
    levels = bailey.Mlmc("european", parameters=OPTION, device="cpu")
    levels.run(0.05, seed=1, progress=True)
    bailey.american(100, exercise_times=[0.5, 1.0], spot=100, volatility=0.2, paths=4096, lower_only=True, device="cpu", progress=True)
    assert len(bars) == 3 and all(bar.closed and bar.n == bar.total > 0 for bar in bars)


def test_bars_are_closed_by_errors(bars):
    with pytest.raises(bailey.InvalidArgument):
        european().run(1 << 20, seed=1, progress=True, sum="fixed")
    assert bars[0].closed


def test_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="progress"):
        european().run(1000, progress=True)


def test_tqdm_itself(needs):
    needs("tqdm", installed=True)
    assert european().run(1 << 16, seed=1, progress=True).mean == european().run(1 << 16, seed=1).mean


def test_interruption():
    """Ctrl-C, or a notebook's stop button, ends a run that has no progress function."""
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        european().run(1 << 37, seed=1)
    assert time.monotonic() - begin < 30


class Interrupted(Exception):
    pass


def motion_values(out):
    times = numpy.arange(1, 9) / 9
    return bailey.Motion(dtype=out.dtype, device="cpu").values(times, out.shape[-1], seed=1, out=out)


def built(out):
    bridge = bailey.Bridge(numpy.arange(1, 9), dtype=out.dtype, device="cpu")
    return bridge.build(numpy.zeros(out.shape, out.dtype), out=out)


LONG = [
    ((1 << 29,), "float64", lambda out: bailey.normals(out=out, seed=1, device="cpu")),
    ((1 << 30,), "float32", lambda out: bailey.uniforms(out=out, seed=1, device=bailey.context("cpu", threads=1))),
    ((1 << 30,), "uint32", lambda out: bailey.words(out=out, device="cpu", source=bailey.Source(
        seed=1, generator="mt19937", sequence="published"))),
    ((1 << 29,), "float64", lambda out: bailey.variates("exponential", out=out, seed=1, device="cpu")),
    ((1 << 29, 2), "float32", lambda out: bailey.points(*out.shape, out=out, source=bailey.sobol(1), device="cpu")),
    ((8, 1, 1 << 26), "float64", lambda out: bailey.Bridge(numpy.arange(1, 9), dtype=out.dtype, device="cpu").paths(
        out.shape[-1], out=out, seed=1)),
    ((8, 1, 1 << 26), "float64", lambda out: bailey.Bridge(numpy.arange(1, 9), dtype=out.dtype, device="cpu").normals(
        out.shape[-1], out=out, seed=1)),
    ((8, 1, 1 << 26), "float64", built),
    ((8, 1, 1 << 25), "float64", motion_values),
    ((2, 1 << 28), "float64", lambda out: bailey.correlate(numpy.zeros(out.shape), [[1, 0], [1, 1]], out=out, device="cpu")),
]


@pytest.mark.parametrize("number", range(len(LONG)))
def test_interruption_of_arrays(number):
    """A signal ends a call that fills an array: the end of it, of which the system has not even given the memory, is not
    written."""
    shape, dtype, call = LONG[number]
    out = numpy.zeros(shape, dtype)

    def interrupt(signum, frame):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Interrupted):
            call(out)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert out.flat[-1] == 0
    assert bailey.normals(5, seed=1, device="cpu").tobytes() == bailey.normals(5, seed=1).tobytes()


# ---- The rest of the library

def test_sources():
    source = bailey.Source(seed=7, stream=2, generator="warp")
    assert source.kind == "run" and bailey.Source().kind == "counter" and bailey.sobol().kind == "point"
    parts = [source.split(0, 10**6, 3, part) for part in range(3)]
    assert parts[0][0] == 0 and sum(count for _, count in parts) == 10**6
    assert all(a + b == c for (a, b), (c, _) in zip(parts, parts[1:]))
    assert bailey.generators()["philox"] == "sound"
    for field in ("seed", "stream", "generator", "sequence", "scramble", "point_order", "assignment"):
        with pytest.raises(bailey.InvalidArgument) as error:
            bailey.words(1, source=bailey.Source(**{field: -1 if field in ("seed", "stream") else "nonsense"}))
        assert error.value.argument == field


def test_contexts():
    one = bailey.context("cpu", threads=1)
    assert one is bailey.context("cpu", threads=1) is not bailey.context("cpu")
    assert bailey.normals(1000, seed=1, device=one).tobytes() == bailey.normals(1000, seed=1, device="cpu").tobytes()
    assert one.device.units == 1
    assert len(one.selftest()) > 10
    with pytest.raises(bailey.BaileyError) as error:
        bailey.context("nowhere")
    assert error.value.argument == "device"


def test_scenarios_that_move_paths():
    option = european()
    prices = option.run(1 << 16, seed=1, moments=True, time_shift=[0.0, -0.5])
    assert prices[0] == option.run(1 << 16, seed=1, moments=True) and prices[1].mean < prices[0].mean
    wider = option.run(1 << 16, seed=1, scenarios={"spot": [100, 100]}, covariance=[[[1.0]], [[4.0]]])
    assert wider[1].mean > wider[0].mean == prices[0].mean
    for argument, options in (("covariance", dict(covariance=[1.0])), ("weights", dict(weights=[1, 2])),
                              ("strike", dict(scenarios=dict(spot=[1, 2], strike=[1])))):
        with pytest.raises(bailey.InvalidArgument) as error:
            option.run(1000, **options)
        assert error.value.argument == argument
    with pytest.raises(TypeError):
        option.run(1000, colour=1)


def test_samples_histograms_and_covariances():
    option = european()
    samples = option.samples(4096, seed=1, replicates=2, scenarios={"strike": [100, 110]})
    assert samples.shape == (2, 2, 4096) and (samples[0] >= samples[1]).all()
    found = option.histogram(4096, 0, 50, 10, seed=1)
    values = option.samples(4096, seed=1)[0].astype(float)
    assert (found.counts == numpy.histogram(values[values < 50], found.edges)[0]).all()
    assert found.below == 0 and found.above == (values >= 50).sum() and found.counts.sum() + found.above == 4096
    both = option.result_covariance(4096, seed=1, scenarios={"strike": [100, 110]})
    wanted = numpy.cov(option.samples(4096, seed=1, scenarios={"strike": [100, 110]}).astype(float))
    assert numpy.abs(both / wanted - 1).max() < 1e-6


def test_jobs(tmp_path):
    option, file = european(), tmp_path / "job.checkpoint"
    whole = option.run(1 << 20, seed=1, moments=True)
    job = option.job(1 << 20, seed=1, moments=True, checkpoint=file)
    assert job.estimates == [whole] and file.exists() and job.loaded == 0
    again = option.job(1 << 20, seed=1, moments=True, checkpoint=file)
    assert again.estimates == [whole] and again.loaded == 1 << 20
    with pytest.raises(bailey.InvalidArgument):
        option.set(strike=90).job(1 << 20, seed=1, moments=True, checkpoint=file)
    option.set(strike=100)
    target = option.job(1 << 30, seed=1, target_error=0.05, devices=["cpu"])
    assert target.reached and target.estimates[0].standard_error <= 0.05 and target.paths < 1 << 20
    assert [d.address for d in target.device] == ["cpu"] and target.device[0].message == ""


def test_corrections_of_levels():
    levels = bailey.Mlmc("european", parameters=OPTION, device="cpu")
    exact, low = levels.run(0.05, seed=1), levels.run(0.05, seed=1, approximate="dyadic")
    assert len(low.correction) == len(low.level) and exact.correction == []
    short = levels.run(0.05, seed=1, approximate="auto")
    assert short.mean == exact.mean and [one.approximate for one in short.choice] == ["exact"] * len(exact.level)
    assert low.choice == []
    assert abs(exact.mean - low.mean) < 0.3
    counts = [level.samples for level in low.level + low.correction]
    assert levels.sample(counts, seed=1, approximate="dyadic").mean == low.mean
    quasi = levels.run(0.05, source=bailey.sobol(1), replicates=8)
    assert abs(quasi.mean - exact.mean) < 0.3
    assert "european" in bailey.mlmc_levels()
    with pytest.raises(TypeError, match="colour"):
        levels.run(0.1, colour=1)
    with pytest.raises(bailey.InvalidArgument) as error:
        levels.run(0.1, bias_share=2)
    assert error.value.argument == "bias_share"


REFUSED = [
    ("paths", lambda: european().run(1e6)),
    ("paths", lambda: european().run(-5)),
    ("first", lambda: bailey.normals(5, first=-1)),
    ("word_bits", lambda: bailey.uniforms(5, word_bits=-1)),
    ("count", lambda: bailey.normals(3.7)),
    ("count", lambda: bailey.normals((3, -1))),
    ("count", lambda: bailey.Bridge([1.0]).paths(1.5)),
    ("times", lambda: bailey.Bridge("abc")),
    ("times", lambda: bailey.Bridge([[1.0]])),
    ("dims", lambda: bailey.Bridge([1.0], dims=1.5)),
    ("order", lambda: bailey.Bridge([1.0, 2.0], order=[1, 2])),
    ("covariance", lambda: bailey.Bridge([1.0], covariance=[[1, 0], [0, 1]])),
    ("bins", lambda: european().histogram(1000, 0, 1, -3)),
    ("spots", lambda: european().greeks(1000, spots=["colour"])),
    ("spot_bump", lambda: european().greeks(1000, spots="spot", spot_bump="x")),
    ("spot", lambda: european().set(spot="x")),
    ("payoff", lambda: bailey.Simulation(3, [1.0])),
    ("dtype", lambda: bailey.Simulation("european", [1.0], dtype="int32")),
    ("device", lambda: bailey.context(5)),
    ("threads", lambda: bailey.context("cpu", threads=-1)),
    ("seed", lambda: bailey.normals(5, seed=1, source=bailey.Source())),
    ("seed", lambda: bailey.normals(5, seed=1.5)),
    ("first", lambda: bailey.Source().bit_generator(1)),
    ("source", lambda: bailey.sobol().bit_generator()),
    ("eps", lambda: bailey.Mlmc("european").run("x")),
    ("eps", lambda: bailey.Mlmc("european").test([0.1] * 33)),
    ("cost", lambda: bailey.Mlmc("european").run(0.1, cost="x")),
    ("depth", lambda: bailey.Motion(depth=-1)),
    ("times", lambda: bailey.Motion().values("x")),
    ("paths", lambda: bailey.Motion().values([0.5], -1)),
    ("first_path", lambda: bailey.Motion().increments([0.0], [0.5], first_path=-1)),
    ("volatility", lambda: bailey.asian(100, times=[1.0], spot=[100, 100], volatility=0.2)),
    ("times", lambda: bailey.asian(100, times=[[1.0]], spot=100, volatility=0.2)),
    ("strike", lambda: bailey.american(-1, exercise_times=[1.0], spot=100, volatility=0.2)),
    ("type", lambda: bailey.american(1, exercise_times=[1.0], spot=100, volatility=0.2, type="swap")),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_errors_name_the_argument(number):
    argument, call = REFUSED[number]
    with pytest.raises(bailey.InvalidArgument) as error:
        call()
    assert error.value.argument == argument and str(error.value)
    assert error.value.status == "ERROR_INVALID" and isinstance(error.value, ValueError)
