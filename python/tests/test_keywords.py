# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Keywords, docstrings and results are those of the library's descriptions of its structs."""
import dataclasses
import inspect
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

import bailey
from bailey import _fields, _types

THEIRS = ("SobolEngine.__init__", "BrownianTree.__init__")  # have defaults of SciPy's engines, and of trees
MARKET = dict(spot=100, strike=100, rate=0.05, volatility=0.2)
DEAL = dict(spot=100, volatility=0.2)

# Arguments that no struct has and that more than one function does not: the functions say what they are.
OWN = {
    "self", "count", "payoff", "estimator",
    "more",  # parameters of the payoff
    "kind", "interior", "important",  # order
    "z", "factor", "parts", "part", "changes", "path", "tick", "ticks", "paths", "times", "device", "bins", "all", "samples",
    "devices",  # of a job
    "by",  # of a gradient
    "policy_paths",  # of many deals, whose `paths` are those of the run
    "from_times", "to_times",
    "t0", "t1", "size", "like", "entropy", "levy_area_approximation",  # as torchsde's BrownianTree
    "d", "rng", "optimization", "n", "m", "workers",  # as SciPy's engines
    "correlation", "least_eigenvalue", "marginals", "freedom",
    "low", "high", "endpoint",  # as NumPy has them
    "strike", "spot", "volatility", "rate", "dividend", "weight", "past_count", "past_average", "sign", "order",  # asian
    "values", "code", "name", "python", "defaults", "file", "places", "lines", "members", "x", "memo",  # of payoffs
    "opened", "key", "other", "dims",
}


def european(**options):
    return bailey.Simulation("european", [1.0], device="cpu", **{**MARKET, **options})


def levels():
    return bailey.Mlmc("european", device="cpu", **MARKET)


def functions():
    """Public functions, classes and methods that are derived from descriptions."""
    for name in [*bailey.__all__, "SobolEngine"]:
        thing = getattr(bailey, name)
        if inspect.isclass(thing):
            for member, value in inspect.getmembers(thing):
                if hasattr(value, "records"):
                    yield f"{name}.{member}", value, thing.__doc__ if member == "__init__" else value.__doc__
        elif hasattr(thing, "records"):
            yield name, thing, thing.__doc__


FUNCTIONS = {name: (function, text) for name, function, text in functions()}


def test_which_functions_are_made_from_descriptions():
    made = {"normals", "uniforms", "words", "variates", "points", "sobol", "context", "american", "asian", "mlmc", "describe",
            "Bridge.__init__", "Bridge.paths", "Bridge.normals", "Motion.__init__", "BrownianTree.__init__", "Source.__init__",
            "Mlmc.__init__", "Mlmc.run", "Mlmc.sample", "Mlmc.test", "SobolEngine.__init__",
            *(f"Simulation.{name}" for name in ("__init__", "run", "samples", "histogram", "greeks", "job", "explain",
                                                "result_covariance"))}
    assert made <= set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_keywords_are_fields(name):
    """And help() says what each is, which values it takes and what its default is."""
    function, text = FUNCTIONS[name]
    known, words = _fields.keywords(*function.records), " ".join(text.split())
    for p in inspect.signature(function).parameters.values():
        if p.name in known:
            field = known[p.name]
            assert f"{p.name}: {' '.join(field.about.split())}" in words
            limits = field.about.partition(" [")[2]
            assert not limits or "default" in limits or field.needed or field.default in (None, 0, False)
            if p.name not in _fields.DRAWN and p.kind == p.KEYWORD_ONLY and name not in THEIRS:
                assert p.default == field.default, p.name
        elif p.name in _fields.ABOUT:
            assert f"{p.name}: " in words
        else:
            assert p.name in OWN, p.name


@pytest.mark.parametrize("name", [name for name, (f, _) in FUNCTIONS.items() if "options" in f.__wrapped__.__annotations__])
def test_type_checkers_see_the_signature(name):
    function = FUNCTIONS[name][0]
    plain = inspect.signature(function.__wrapped__).parameters
    options = getattr(_types, function.__wrapped__.__annotations__["options"][len("Unpack["):-1])
    assert set(inspect.signature(function).parameters) - set(plain) == set(options.__annotations__)


def test_errors_of_types():
    """That mypy finds with them."""
    pytest.importorskip("mypy.version", minversion="1.11")
    pytest.importorskip("numpy", minversion="2")
    wrong = ("import bailey\n"
             "bailey.normals(3, method='icdf', word_bits=32)\n"
             "bailey.normals(3, bits=32)\n"
             "bailey.normals(3, method='box')\n"
             "bailey.american(100, spot=1, volatility=1)\n"
             "x: int = bailey.american(100, spot=1, volatility=1, exercise_times=[1]).standard_error\n"
             "bailey.devices()[0].colour\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "-c", wrong], stdout=subprocess.PIPE,
                          universal_newlines=True, cwd=pathlib.Path(bailey.__file__).parent.parent)
    lines = {line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line}
    assert lines == {"3", "4", "5", "6", "7"}, done.stdout


# ---- Defaults

CALLS = {
    "normals": lambda **kw: bailey.normals(64, seed=1, device="cpu", **kw),
    "Bridge.__init__": lambda **kw: bailey.Bridge([0.5, 1.0], device="cpu", **kw).paths(8, seed=1),
    "Bridge.paths": lambda **kw: bailey.Bridge([0.5, 1.0], device="cpu").paths(8, seed=1, **kw),
    "Motion.__init__": lambda **kw: bailey.Motion(1.0, device="cpu", **kw).values([0.3], 8, seed=1),
    "Simulation.__init__": lambda **kw: european(**kw).run(64, seed=1),
    "Simulation.run": lambda **kw: european().run(64, seed=1, **kw),
    "Simulation.greeks": lambda **kw: european().greeks(64, seed=1, **{**kw, "spots": "spot"}),
    "Simulation.job": lambda **kw: european().job(64, seed=1, **kw).estimates,
    "Mlmc.__init__": lambda **kw: bailey.Mlmc("european", device="cpu", **{**MARKET, **kw}).run(0.5, seed=1),
    "Mlmc.run": lambda **kw: levels().run(0.5, seed=1, **kw),
    "Mlmc.test": lambda **kw: levels().test(seed=1, **{**kw, "samples": 64, "finest": 2}),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_the_signature_shows_is_the_default(name):
    """A call with the defaults has the bits of one without."""
    function = FUNCTIONS[name][0]
    known, given = _fields.keywords(*function.records), inspect.signature(function).parameters.values()
    shown = {p.name: p.default for p in given if p.kind == p.KEYWORD_ONLY and p.name in known and p.default is not p.empty}
    found, plain = CALLS[name](**shown), CALLS[name]()
    assert len(shown) > 2 and (found.tobytes() == plain.tobytes() if isinstance(plain, numpy.ndarray) else found == plain)


# ---- Names of before

OLD = [
    (TypeError, "bits is called word_bits now", lambda: bailey.normals(1, bits=32)),
    (TypeError, "bits is called word_bits now", lambda: bailey.SobolEngine(1, bits=32)),
    (TypeError, "deviation is called stddev now", lambda: bailey.variates("normal", 1, deviation=1)),
    (TypeError, "levels is called motion_depth now", lambda: european(levels=8)),
    (TypeError, "levels is called depth now", lambda: bailey.Motion(levels=8)),
    (TypeError, "levels is called depth now", lambda: bailey.BrownianTree(0, 1, (2,), levels=8)),
    (TypeError, "levels is called estimator now", lambda: bailey.mlmc(levels="european", eps=1)),
    (TypeError, "shape is called moments now", lambda: european().run(8, shape=True)),
    (TypeError, "first is called first_path now", lambda: european().run(8, first=1)),
    (TypeError, "first is called first_path now", lambda: bailey.Bridge([1.0]).paths(8, first=1)),
    (TypeError, "first is called first_path now", lambda: bailey.Motion().values([1.0], 8, first=1)),
    (TypeError, "first is called first_point now", lambda: bailey.points(8, 1, source=bailey.sobol(1), first=1)),
    (TypeError, "first_paths is called initial_paths now", lambda: european().job(8, seed=1, first_paths=1)),
    (TypeError, "theta is called bias_share now", lambda: levels().run(1.0, theta=0.5)),
    (TypeError, "samples is called initial_samples now", lambda: levels().run(1.0, samples=100)),
    (TypeError, "functions is called basis_functions now", lambda: bailey.american(1, exercise_times=[1], functions=3, **DEAL)),
    (TypeError, "fixings is called times now", lambda: bailey.asian(1, fixings=[1], **DEAL)),
    (TypeError, "type is called sign now", lambda: bailey.asian(1, times=[1], type="put", **DEAL)),
    (TypeError, "has no argument 'antitetic'; did you mean 'antithetic'", lambda: european().run(8, antitetic=True)),
    (AttributeError, "value is called mean now", lambda: european().greeks(8, seed=1)[0].value),
    (AttributeError, "error is called standard_error now", lambda: european().greeks(8, seed=1)[0].error),
    (AttributeError, "controlled_error is called controlled_standard_error now", lambda: european().run(8).controlled_error),
    (AttributeError, "devices is called device now", lambda: european().job(8, seed=1).devices),
    (AttributeError, "error is called message now", lambda: european().job(8, seed=1).device[0].error),
    (AttributeError, "checkpoint_error is called checkpoint_message now", lambda: european().job(8, seed=1).checkpoint_error),
    (AttributeError, "levels is called level now", lambda: levels().run(1.0).levels),
    (AttributeError, "corrections is called correction now", lambda: levels().run(1.0).corrections),
    (AttributeError, "value is called mean now", lambda: levels().run(1.0).value),
    (AttributeError, "runs is called run now", lambda: levels().test(samples=64, finest=2).runs),
    (AttributeError, "levels is called depth now", lambda: bailey.Motion().levels),
    (AttributeError, "steps is called x_steps now", lambda: bailey.Bridge([1.0]).steps),
    (AttributeError, "Greek is called GreekEstimate now", lambda: bailey.Greek),
    (AttributeError, "MlmcTest is called MlmcReport now", lambda: bailey.MlmcTest),
    (AttributeError, "object has no attribute 'colour'", lambda: bailey.Motion().colour),
]


@pytest.mark.parametrize("number", range(len(OLD)))
def test_names_of_before(number):
    kind, words, call = OLD[number]
    with pytest.raises(kind, match=words):
        call()


# ---- Results


@pytest.mark.parametrize("record", _fields.RESULTS)
def test_results_are_records(record):
    kind = getattr(_types, _fields.class_name(record))
    names = [field.name for field in dataclasses.fields(kind)]
    fields = [name for name, field in _fields.fields(record).items() if f"{record}.{name}" not in _fields.APART]
    assert names[:len(fields)] == fields and set(names[len(fields):]) <= set(_fields.RESULTS[record])
    assert kind.__name__ in bailey.__all__ or record == "bridge_info"
    assert all(f"{name}: " in kind.__doc__ for name in names)


def test_what_is_apart_is_there():
    """No entry of a table is of a field that is gone."""
    for name in list(_fields.APART) + list(_fields.KEYWORDS):
        record, _, field = name.rpartition(".")
        assert field in _fields.fields(record) if record else any(
            name in _fields.fields(r) for r in ("normal_params", "job_params", "selftest_params"))
