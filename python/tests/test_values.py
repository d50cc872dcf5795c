# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What counts as a number, and dates, which the program counts alike."""
import datetime
import os
import subprocess

import numpy
import pytest

import bailey

MARKET = dict(spot=100, strike=100, rate=0.03, volatility=0.2)
DAYS = numpy.array(["2026-02-02", "2026-03-02"], "M8[D]")


def european(**values):
    return bailey.Simulation("european", [1.0], parameters=dict(MARKET, **values), device="cpu")


def motion(**options):
    return bailey.Motion(2.0, device="cpu", **options)


# ---- Anything that float() takes is not a number

NOT_NUMBERS = [True, numpy.bool_(True), "1", b"1", numpy.str_("1"), numpy.datetime64("2026-01-01"),
               numpy.timedelta64(1, "D"), datetime.date(2026, 1, 1), 1j, numpy.complex64(1), None]
SCALARS = {
    "strike": lambda x: bailey.asian(x, times=[1.0], spot=100, volatility=0.2, rate=0, paths=64, device="cpu"),
    "rate": lambda x: bailey.american(100, exercise_times=[1.0], spot=100, volatility=0.2, rate=x, paths=64),
    "spot": lambda x: european(spot=x),
    "end_time": lambda x: bailey.Motion(x),
    "t1": lambda x: bailey.BrownianTree(0.0, x, (2,)),
    "tb": lambda x: bailey.BrownianTree(0.0, 1.0, (2,))(0.0, x),
    "time": lambda x: bailey.Mlmc("european", time=x),
    "eps": lambda x: bailey.Mlmc("european", parameters=MARKET).run(x),
    "mean": lambda x: bailey.variates("normal", 5, mean=x),
    "seed": lambda x: bailey.Source(seed=x).kind,
    "paths": lambda x: european().run(x),
    "first": lambda x: bailey.normals(5, first=x),
    "dims": lambda x: bailey.Bridge([1.0], dims=x),
    "spot_bump": lambda x: european().greeks(64, spots="spot", spot_bump=x),
    "low": lambda x: european().histogram(64, x, 2, 3),
}


@pytest.mark.parametrize("argument", SCALARS)
def test_scalars_that_are_no_numbers(argument):
    for value in NOT_NUMBERS:
        if value is None and argument in ("seed", "tb", "end_time", "time", "spot_bump"):
            continue  # which may be left out, and stand for no number then
        with pytest.raises(bailey.InvalidArgument) as error:
            SCALARS[argument](value)
        assert error.value.argument == argument, value


ARRAYS = {
    "times": lambda x: bailey.Bridge(x),
    "covariance": lambda x: bailey.Bridge([1.0], 2, covariance=x),
    "start": lambda x: bailey.Bridge([1.0], 2, start=x),
    "strike": lambda x: european().run(64, scenarios={"strike": x}),
    "weights": lambda x: european().run(64, scenarios={"strike": [1, 2]}, weights=x),
    "time_shift": lambda x: european().run(64, time_shift=x),
    "expected": lambda x: european().run(64, expected=x),
    "spot": lambda x: european().set(spot=x),
    "exercise_times": lambda x: bailey.american(100, exercise_times=x, spot=100, volatility=0.2),
    "volatility": lambda x: bailey.asian(100, times=[1.0], spot=[1, 2], volatility=x),
    "factor": lambda x: bailey.correlate(numpy.zeros((2, 3), numpy.float32), x),
    "z": lambda x: bailey.Bridge([1.0]).build(x),
    "eps": lambda x: bailey.Mlmc("european").test(x),
}


@pytest.mark.parametrize("argument", ARRAYS)
def test_arrays_that_are_no_numbers(argument):
    for values in (DAYS, DAYS - DAYS[0], numpy.array([True, False]), ["1", "2"], numpy.array(["1"], object), [1j, 1],
                   [0.5, True]):
        if argument == "z":
            values = numpy.asarray(values).reshape(-1, 1, 1)
            if values.dtype.kind == "f":
                continue  # of a list with a bool among numbers, which NumPy has made numbers
        with pytest.raises(bailey.InvalidArgument) as error:
            ARRAYS[argument](values)
        assert error.value.argument == argument, values


def test_numbers_are_taken():
    wanted = european().run(64, seed=1)
    for strike in (100, 100.0, numpy.float32(100), numpy.int8(100), numpy.longdouble(100), numpy.array(100.0), [100],
                   numpy.array([100], numpy.float16)):
        assert european(strike=strike).run(numpy.int64(64), seed=numpy.uint8(1)) == wanted
        assert bailey.Mlmc("european", time=numpy.float32(0.5), parameters=dict(strike=strike)).parameters["strike"] == 1


def test_numbers_on_cuda_are_not_copied_silently():
    """Of PyTorch, and of others; times of a tree are read, as torchsde reads them."""
    class Tensor(float):
        is_cuda = True

        def item(self):
            return float(self)

    class Array(float):
        __cuda_array_interface__ = {}
        item = Tensor.item

    for one in (Tensor(100.0), Array(100.0)):
        with pytest.raises(bailey.InvalidArgument, match="on a CUDA device") as error:
            bailey.Motion(one)
        assert error.value.argument == "end_time"
        tree = bailey.BrownianTree(0.0, Tensor(200.0), size=(3,), seed=1, device="cpu")
        assert (tree(0.0, one) == tree(0.0, 100.0)).all()


def test_masked_elements_are_refused():
    spot = numpy.ma.array([100.0, -1.0], mask=[False, True])
    with pytest.raises(bailey.InvalidArgument, match="masked"):
        european().run(64, scenarios={"spot": spot})
    assert len(european().run(64, scenarios={"spot": numpy.ma.array([100.0, 90.0])})) == 2


INTEGERS = {
    "order": lambda x: bailey.Bridge([1.0, 2.0, 3.0], order=x),
    "important": lambda x: bailey.order("bisection", 3, x),
    "ticks": lambda x: motion(depth=4).values(ticks=x),
    "size": lambda x: bailey.BrownianTree(0.0, 1.0, x),
    "samples": lambda x: bailey.Mlmc("european", parameters=MARKET).sample(x),
}


@pytest.mark.parametrize("argument", INTEGERS)
def test_integers_are_not_cut(argument):
    for values in ([1.7, 2], [1.0, 2.0], [True, True], numpy.array([1.0, 2.0]), ["1", "2"], [-1, 2]):
        with pytest.raises(bailey.InvalidArgument) as error:
            INTEGERS[argument](values)
        assert error.value.argument == argument, values
    INTEGERS[argument](numpy.array([64, 32] if argument == "samples" else [2, 1], numpy.int16))


def test_ticks_of_each_paths_own_are_integers():
    with pytest.raises(bailey.InvalidArgument) as error:
        motion(depth=4).values(ticks=[[1.5, 2.0]], paths=2)
    assert error.value.argument == "ticks"
    with pytest.raises(bailey.InvalidArgument) as error:
        motion(depth=4).increments(ticks=[[0.5], [1.5]])
    assert error.value.argument == "ticks"


# ---- Dates

TABLE = ["2026-01-03", "2026-01-31", "2026-03-01", "2027-01-02", "2028-02-28", "2028-02-29", "2028-03-01", "2096-12-31",
         "2100-02-28", "2100-03-01", "2400-02-29"]
TODAY = "2026-01-02"


def kinds(texts):
    """The same dates in all forms that are taken."""
    days = [datetime.date.fromisoformat(text) for text in texts]
    yield list(texts)
    yield numpy.array(texts)
    yield days
    yield [datetime.datetime(day.year, day.month, day.day) for day in days]
    yield [numpy.datetime64(text) for text in texts]
    for unit in ("D", "h", "s", "us"):
        yield numpy.array(texts, f"M8[{unit}]")


def test_dates_are_counted_in_days():
    today = datetime.date.fromisoformat(TODAY)
    wanted = numpy.array([(datetime.date.fromisoformat(text) - today).days for text in TABLE]) / 365.0
    paths = bailey.Bridge(wanted, dtype="float64", device="cpu").paths(4, seed=1)
    for dates in kinds(TABLE):
        for valuation in (TODAY, today, numpy.datetime64(TODAY), datetime.datetime(2026, 1, 2)):
            found = bailey.Bridge(dates, valuation=valuation, dtype="float64", device="cpu").paths(4, seed=1)
            assert found.tobytes() == paths.tobytes()


@pytest.mark.skipif("BAILEY_PROGRAM" not in os.environ, reason="needs the program")
def test_the_program_counts_alike(tmp_path):
    file, out = tmp_path / "dates.csv", tmp_path / "paths.npy"
    file.write_text("date\n" + "\n".join(TABLE) + "\n")
    subprocess.run([os.environ["BAILEY_PROGRAM"], "paths", "--times", str(file), "--valuation", TODAY, "--paths", "4",
                    "--seed", "7", "--precision", "f64", "--device", "cpu", "-o", str(out)], check=True,
                   stdout=subprocess.DEVNULL)
    ours = bailey.Bridge(TABLE, valuation=TODAY, dtype="float64", device="cpu").paths(4, seed=7)
    assert numpy.load(out).tobytes() == ours.tobytes()


def test_the_time_of_the_day_counts():
    noon = datetime.datetime(2026, 1, 3, 12)
    years = bailey.Motion(2.0, depth=40, valuation=None, device="cpu")
    dated = bailey.Motion("2028-01-02", valuation=TODAY, depth=40, device="cpu")
    for value in (noon, "2026-01-03T12:00", "2026-01-03 12:00:00", numpy.datetime64(noon)):
        assert dated.ticks(value) == years.ticks(1.5 / 365)
    assert dated.time(1 << 40) == 2.0
    assert dated.values(["2027-01-02"], 8, seed=1).tobytes() == years.values([1.0], 8, seed=1).tobytes()
    assert dated.ticks(numpy.array([noon], "M8[ns]")) == years.ticks([1.5 / 365])


def test_dates_everywhere():
    """One year and two, of 365 days each."""
    one, two = numpy.array(["2027-01-02", "2028-01-02"], "M8[D]")
    market = dict(spot=100, volatility=0.2, rate=0.03, paths=1024, seed=1, device="cpu")
    assert bailey.asian(100, times=[one, two], valuation=TODAY, **market) == bailey.asian(100, times=[1, 2], **market)
    assert bailey.american(100, exercise_times=[one, two], valuation=TODAY, **market) == bailey.american(
        100, exercise_times=[1, 2], **market)
    dated = bailey.Simulation("european", [two], start_time=one, valuation=TODAY, parameters=MARKET, device="cpu")
    plain = bailey.Simulation("european", [2.0], start_time=1.0, parameters=MARKET, device="cpu")
    assert dated.run(1024, seed=1) == plain.run(1024, seed=1) == dated.on("cpu").run(1024, seed=1)
    bumped = [s.greeks(1024, spots="spot", theta=True, seed=1) for s in (
        bailey.Simulation("european", times, valuation=day, parameters=MARKET, device="cpu")
        for times, day in (([two], TODAY), ([2.0], None)))]
    assert bumped[0] == bumped[1]
    counts = [1024, 64]
    assert bailey.Mlmc("european", time=two, valuation=TODAY, parameters=MARKET).sample(counts, seed=1).mean == bailey.Mlmc(
        "european", time=2.0, parameters=MARKET).sample(counts, seed=1).mean


DATES_REFUSED = [
    ("times", "valuation", lambda: bailey.Bridge(["2027-01-02"])),
    ("times", "not a date", lambda: bailey.Bridge([0.5], valuation=TODAY)),
    ("times", "not a date", lambda: bailey.Bridge([datetime.date(2027, 1, 2), 2.0], valuation=TODAY)),
    ("times", "2027-02-29", lambda: bailey.Bridge(["2027-02-29"], valuation=TODAY)),
    ("times", "YYYY-MM-DD", lambda: bailey.Bridge(["2.1.2027"], valuation=TODAY)),
    ("times", "YYYY-MM-DD", lambda: bailey.Bridge(["20270102"], valuation=TODAY)),
    ("times", "YYYY-MM-DD", lambda: bailey.Bridge(["2027-01"], valuation=TODAY)),
    ("times", "time zone", lambda: bailey.Bridge([datetime.datetime(2027, 1, 2, tzinfo=datetime.timezone.utc)],
                                                 valuation=TODAY)),
    ("times", "NaT", lambda: bailey.Bridge(numpy.array(["NaT"], "M8[D]"), valuation=TODAY)),
    ("times", "unit", lambda: bailey.Bridge(numpy.array(["2027-01"], "M8[M]"), valuation=TODAY)),
    ("times", "not a date", lambda: bailey.Bridge(DAYS - DAYS[0], valuation=TODAY)),
    ("times", "times", lambda: bailey.Bridge(["2025-01-02"], valuation=TODAY)),  # before today
    ("valuation", "not a date", lambda: bailey.Bridge(["2027-01-02"], valuation=5)),
    ("start_time", "not a date", lambda: bailey.Bridge(["2027-01-02"], start_time=0.5, valuation=TODAY)),
    ("start_time", "valuation", lambda: bailey.Bridge([1.0], start_time="2026-01-02")),
    ("time", "valuation", lambda: bailey.Mlmc("european", time=datetime.date(2027, 1, 2))),
    ("end_time", "not a date", lambda: bailey.Motion(valuation=TODAY)),
    ("times", "valuation", lambda: bailey.asian(100, times=DAYS, spot=100, volatility=0.2)),
]


@pytest.mark.parametrize("number", range(len(DATES_REFUSED)))
def test_dates_that_are_refused(number):
    argument, words, call = DATES_REFUSED[number]
    with pytest.raises(bailey.InvalidArgument, match=words) as error:
        call()
    assert error.value.argument == argument


# ---- Results

def test_equal_results_are_equal():
    option = european()
    for run in (lambda seed: option.run(64, seed=seed), lambda seed: option.histogram(64, 0, 50, 10, seed=seed),
                lambda seed: option.greeks(64, spots="spot", seed=seed), lambda seed: option.job(64, seed=seed).estimates,
                lambda seed: bailey.american(100, exercise_times=[1.0], spot=100, volatility=0.2, paths=64, seed=seed),
                lambda seed: bailey.Mlmc("european", parameters=MARKET).test(samples=64, finest=3, seed=seed)):
        one, two, other = run(1), run(1), run(2)
        assert one == two and not one != two and one != other and one != 5
        if not isinstance(one, list):
            assert len({one, two, other}) == 2
    histogram = option.histogram(64, 0, 50, 10, seed=1)
    assert histogram != bailey.Histogram(histogram.counts.reshape(2, 5), histogram.edges, 0, 0, 1)


def test_progress_may_answer_as_numpy_does():
    with pytest.raises(bailey.Cancelled):
        european().run(1 << 24, seed=1, progress=lambda done, total: numpy.bool_(True))
    found = european().run(1 << 16, seed=1, progress=lambda done, total: numpy.bool_(False))
    assert found == european().run(1 << 16, seed=1)


# ---- Seeds

LEVELS = bailey.Mlmc("european", parameters=MARKET, device="cpu")
DRAWN = {  # what shows the seed that it has drawn
    "run": lambda **kw: european().run(64, **kw),
    "list": lambda **kw: european().run(64, scenarios={"spot": [90, 100]}, **kw)[1],
    "greeks": lambda **kw: european().greeks(64, spots="spot", **kw)[0],
    "histogram": lambda **kw: european().histogram(64, 0, 50, 10, **kw),
    "job": lambda **kw: european().job(64, **kw).estimates[0],
    "asian": lambda **kw: bailey.asian(100, times=[1.0], spot=100, volatility=0.2, rate=0, paths=64, device="cpu", **kw),
    "american": lambda **kw: bailey.american(100, exercise_times=[1.0], spot=100, volatility=0.2, paths=64, device="cpu", **kw),
    "sample": lambda **kw: LEVELS.sample([64, 64], **kw),
    "test": lambda **kw: LEVELS.test(samples=64, finest=3, **kw),
    "tests": lambda **kw: LEVELS.test([0.5], samples=64, finest=3, **kw).run[0].result,
    "mlmc": lambda **kw: bailey.mlmc("european", 0.5, parameters=MARKET, device="cpu", **kw),
}


@pytest.mark.parametrize("name", DRAWN)
def test_without_a_seed_each_call_draws_one(name):
    draw = DRAWN[name]
    one, two = draw(), draw()
    assert one.seed != two.seed and one != two
    assert draw(seed=one.seed) == one
    assert draw(source=bailey.Source(seed=one.seed)) == one and draw(seed=5).seed == 5


def test_arrays_and_objects_without_a_seed():
    bridge = bailey.Bridge([0.5, 1.0], device="cpu")
    for draw in (lambda **kw: bailey.words(8, device="cpu", **kw), lambda **kw: bailey.uniforms(8, device="cpu", **kw),
                 lambda **kw: bailey.normals(8, device="cpu", **kw), lambda **kw: bridge.paths(8, **kw),
                 lambda **kw: bailey.variates("exponential", 8, device="cpu", **kw), lambda **kw: bridge.normals(8, **kw),
                 lambda **kw: motion().values([0.5], 8, **kw), lambda **kw: motion().increments([0.0], [0.5], 8, **kw),
                 lambda **kw: european().samples(8, **kw)):
        assert draw().tobytes() != draw().tobytes()
        source = bailey.Source()
        assert draw(source=source).tobytes() == draw(source=source).tobytes() == draw(seed=source.seed).tobytes()
    tree, other = (bailey.BrownianTree(0.0, 1.0, (8,), device="cpu") for _ in range(2))
    assert tree.seed != other.seed and tree(0.0, 1.0).tobytes() != other(0.0, 1.0).tobytes()
    again = bailey.BrownianTree(0.0, 1.0, (8,), seed=tree.seed, device="cpu")
    assert again(0.0, 1.0).tobytes() == tree(0.0, 1.0).tobytes()
    assert bailey.BrownianTree(0.0, 1.0, (8,), entropy=7).seed == 7


def test_sources_without_a_seed():
    assert len({bailey.Source().seed for _ in range(100)}) == 100 and max(bailey.Source().seed for _ in range(64)) >> 60
    one = bailey.Source(generator="warp")
    assert one.replace(stream=5).seed == one.seed and bailey.Source(seed=None) != bailey.Source(seed=None)
    assert bailey.sobol().seed != bailey.sobol().seed and bailey.sobol(scramble="none") == bailey.sobol(scramble="none")
    for name in bailey.generators():  # those that are published take the seeds of their inventors
        for sequence in ("runs", "published"):
            source = bailey.Source(generator=name, sequence=sequence)
            try:
                source.kind
            except bailey.InvalidArgument as error:
                assert error.argument != "seed"
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.normals(5, source=7)
    assert error.value.argument == "source"
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.BrownianTree(0.0, 1.0, (8,), seed=1, source=one)
    assert error.value.argument == "seed"


def test_checkpoints_need_a_seed(tmp_path):
    for call in (lambda **kw: european().job(64, checkpoint=tmp_path / "job", **kw),
                 lambda **kw: LEVELS.run(0.5, checkpoint=tmp_path / "levels", **kw)):
        with pytest.raises(bailey.InvalidArgument, match="checkpoint") as error:
            call()
        assert error.value.argument == "seed" and not list(tmp_path.iterdir())
        call(seed=0)
        (file,) = tmp_path.iterdir()
        file.unlink()
