# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""One default for one thing at every door: structs of C that are zero but for what has no default, the program without
options and Python without keywords give the same bits for the same seed. BAILEY_PROGRAM names the program."""
import contextlib
import json
import os
import subprocess

import numpy
import pytest

import bailey
from bailey._library import check, ffi, lib

MARKET = dict(spot=100.0, strike=110.0, rate=0.03, volatility=0.2)
N = 64
TIMES = [0.25, 0.5, 0.75, 1.0]


@contextlib.contextmanager
def made(kind, params):
    """What C makes from params, on cpu."""
    with bailey.context("cpu").opened as opened:
        handle = ffi.new(f"bailey_{kind} **")
        check(getattr(lib, f"bailey_{kind}_create")(opened.pointer, params, handle))
        try:
            yield handle[0]
        finally:
            getattr(lib, f"bailey_{kind}_destroy")(handle[0])


def filled(shape, call):
    """An array that call(context, buffer) fills."""
    array, buffer = numpy.empty(shape, numpy.float32), ffi.new("bailey_buffer **")
    with bailey.context("cpu").opened as opened:
        check(lib.bailey_buffer_adopt_host(opened.pointer, ffi.cast("void *", array.ctypes.data), array.nbytes, buffer))
        check(call(opened.pointer, buffer[0]))
        check(lib.bailey_context_sync(opened.pointer))
        lib.bailey_buffer_destroy(buffer[0])
    return array


def zero(name, **fields):
    return ffi.new(f"bailey_{name} *", fields)


def array(values):
    return ffi.new("double[]", values)


def text(word):
    return ffi.new("char[]", word.encode())


def deal(setter, handle):
    for name, value in MARKET.items():
        check(setter(handle, name.encode(), array([value]), 1))


def run(*arguments):
    """The output of the program."""
    command = [os.environ["BAILEY_PROGRAM"], *arguments, "--device", "cpu"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def program(*arguments):
    """The numbers in the program's JSON."""
    said, found = run(*arguments, "--json"), []

    def walk(part):
        for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            walk(one)
        if isinstance(part, float):
            found.append(part)

    walk(json.loads(said))
    return found


def file(folder, *arguments):
    """The array that the program writes."""
    name = str(folder / "array.npy")
    run(*arguments, "--output", name)
    return numpy.load(name)


OPTIONS = [part for name, value in MARKET.items() for part in (f"--{name}", str(value))]

ARRAYS = {
    "normals": (
        lambda: filled(N, lambda context, buffer: lib.bailey_normals_generate(
            context, zero("source"), zero("normal_params"), 0, N, buffer, 0)),
        lambda folder: file(folder, "random", "--count", str(N), "--form", "normal"),
        lambda: bailey.normals(N, seed=0, device="cpu")),
    "points": (
        lambda: filled((N, 3), lambda context, buffer: lib.bailey_points_generate(
            context, zero("source", generator=lib.BAILEY_GENERATOR_SOBOL), zero("points_params", dims=3), 0, N, buffer, 0)),
        lambda folder: file(folder, "random", "--generator", "sobol", "--points", str(N), "--dims", "3"),
        lambda: bailey.points(N, 3, source=bailey.sobol(0), device="cpu")),
    "paths": (
        lambda: c_paths(),
        lambda folder: file(folder, "paths", "--steps", "4", "--paths", str(N)),
        lambda: bailey.Bridge(TIMES, device="cpu").paths(N, seed=0)),
    "motion": (
        lambda: c_motion(),
        lambda folder: file(folder, "motion", "--grid", "4", "--paths", str(N)),
        lambda: bailey.Motion(device="cpu").values(TIMES, N, seed=0)),
}


def c_paths():
    times = array(TIMES)
    with made("bridge", zero("bridge_params", times=times, steps=4)) as bridge:
        return filled((4, 1, N), lambda context, buffer: lib.bailey_bridge_paths(
            bridge, zero("source"), zero("normal_params"), 0, N, buffer))


def c_motion():
    with made("motion", zero("motion_params")) as motion:
        ticks = ffi.new("uint64_t[4]")
        for i, time in enumerate(TIMES):
            check(lib.bailey_motion_tick(motion, time, ticks + i))
        return filled((4, 1, N), lambda context, buffer: lib.bailey_motion_values(
            motion, zero("source"), ticks, 4, 0, N, buffer))


@pytest.mark.parametrize("thing", ARRAYS)
def test_arrays(thing, tmp_path):
    in_c, in_program, in_python = ARRAYS[thing]
    assert in_python().tobytes() == in_c().tobytes()
    if "BAILEY_PROGRAM" in os.environ:
        assert in_program(tmp_path).tobytes() == in_c().tobytes()


# ---- Prices


def c_price():
    times, name, estimate = array([1.0]), text("european"), ffi.new("bailey_estimate *")
    params = zero("simulation_params", path=dict(times=times, steps=1), payoff=dict(name=name))
    with made("simulation", params) as simulation:
        deal(lib.bailey_simulation_set, simulation)
        check(lib.bailey_simulation_run(simulation, zero("simulation_run_params"), estimate))
    return [estimate.mean, estimate.standard_error]


HESTON = dict(spot=100.0, strike=100.0, rate=0.05, variance=0.04, reversion=1.5, mean_variance=0.04, sigma=0.3,
              correlation=-0.7)


def c_heston():
    times, name, estimate = array(TIMES), text("heston"), ffi.new("bailey_estimate *")
    params = zero("simulation_params", path=dict(times=times, steps=len(TIMES)), payoff=dict(name=name))
    with made("simulation", params) as simulation:
        for parameter, value in HESTON.items():
            check(lib.bailey_simulation_set(simulation, parameter.encode(), array([value]), 1))
        check(lib.bailey_simulation_run(simulation, zero("simulation_run_params"), estimate))
    return [estimate.mean, estimate.standard_error]


def c_greeks():
    times, names = array([1.0]), [text(name) for name in ("european", *MARKET)]
    estimates = ffi.new("bailey_greek_estimate[20]")
    params = zero("simulation_params", path=dict(times=times, steps=1), payoff=dict(name=names[0]))
    spot, volatility = ffi.new("char *[]", [names[1]]), ffi.new("char *[]", [names[4]])
    greeks = zero("greeks_params", spots=ffi.cast("const char *const *", spot), spot_count=1, rate=names[3],
                  volatilities=ffi.cast("const char *const *", volatility), volatility_count=1)
    with made("simulation", params) as simulation:
        deal(lib.bailey_simulation_set, simulation)
        check(lib.bailey_simulation_greeks(simulation, zero("simulation_run_params"), greeks, estimates))
        count = lib.bailey_simulation_greeks_count(simulation, greeks)
    return [part for greek in estimates[0:count] for part in (greek.mean, greek.standard_error)]


def c_american():
    arrays = [array(TIMES)] + [array([MARKET[name]]) for name in ("spot", "volatility")]
    params = zero("american_params", spot=arrays[1], volatility=arrays[2], strike=MARKET["strike"], rate=MARKET["rate"],
                  exercise_times=arrays[0], exercise_count=4)
    result = ffi.new("bailey_american_result *")
    with bailey.context("cpu").opened as opened:
        check(lib.bailey_american_price(opened.pointer, params, result))
    return [result.price, result.standard_error, result.lower, result.interval_low]


def c_mlmc():
    name, result = text("european"), ffi.new("bailey_mlmc_result *")
    with made("mlmc", zero("mlmc_params", estimator=dict(name=name))) as mlmc:
        deal(lib.bailey_mlmc_set, mlmc)
        check(lib.bailey_mlmc_run(mlmc, zero("mlmc_run_params", eps=0.1), result))
    return [result.mean, result.standard_error]


def european():
    return bailey.Simulation("european", [1.0], device="cpu", **MARKET)


def py_price():
    estimate = european().run(seed=0)
    return [estimate.mean, estimate.standard_error]


def py_heston():
    estimate = bailey.Simulation("heston", TIMES, device="cpu", **HESTON).run(seed=0)
    return [estimate.mean, estimate.standard_error]


def py_greeks():
    found = european().greeks(seed=0, spots="spot", volatilities="volatility", rate="rate")
    return [part for greek in found for part in (greek.mean, greek.standard_error)]


def py_american():
    result = bailey.american(MARKET["strike"], exercise_times=TIMES, spot=MARKET["spot"], volatility=MARKET["volatility"],
                             rate=MARKET["rate"], seed=0, device="cpu")
    return [result.price, result.standard_error, result.lower, result.interval_low]


def py_mlmc():
    result = bailey.mlmc("european", 0.1, seed=0, device="cpu", parameters=MARKET)
    return [result.mean, result.standard_error]


PRICES = {
    "price": (c_price, lambda: program("price", "european", *OPTIONS), py_price),
    "heston": (c_heston, lambda: program("price", "heston", "--steps", "4",
                                         *(part for name, value in HESTON.items() for part in ("--set", f"{name}={value}"))), py_heston),
    "greeks": (c_greeks, lambda: program("price", "european", *OPTIONS, "--greeks"), py_greeks),
    "american": (c_american, lambda: program("price", "american", *OPTIONS, "--steps", "4"), py_american),
    "mlmc": (c_mlmc, lambda: program("mlmc", "european", *OPTIONS, "--eps", "0.1", "--no-test"), py_mlmc),
}


@pytest.mark.parametrize("thing", PRICES)
def test_prices(thing):
    in_c, in_program, in_python = PRICES[thing]
    wanted = in_c()
    assert in_python() == wanted and all(wanted)
    if "BAILEY_PROGRAM" in os.environ:
        said = in_program()
        assert [number for number in wanted if number not in said] == []
