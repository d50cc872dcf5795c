# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Simulations: a payoff in C, compiled into the kernel that makes the paths."""
import dataclasses
import math

import numpy

from ._bridge import path_params
from ._devices import context
from ._library import Cancelled, check, choice, ffi, lib
from ._numbers import normal_params
from ._source import source_of


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Of one output or result of a run. `controlled` is with control variates; the same as `mean` without."""

    mean: float
    standard_error: float
    controlled: float
    controlled_error: float
    variance: float
    skewness: float
    kurtosis: float
    minimum: float
    maximum: float
    paths: int


@dataclasses.dataclass(frozen=True)
class Greek:
    kind: str
    first: int
    second: int
    value: float
    error: float
    bump: float


class _Bar:
    """progress=True: a bar of tqdm, which draws itself in notebooks too."""

    def __init__(self):
        from tqdm.auto import tqdm

        self.bar = tqdm(unit=" paths", unit_scale=True)

    def __call__(self, done, total):
        self.bar.total = total
        self.bar.update(done - self.bar.n)
        if done == total:
            self.bar.close()


class Progress:
    """A Python function as bailey_progress. It is called as function(done, total); True stops the run. What it
    raises stops the run and is raised again."""

    def __init__(self, function):
        self.error = None
        self._function = _Bar() if function is True else function
        self.callback = ffi.callback("bailey_progress", self._call) if function else ffi.NULL

    def _call(self, user, done, total):
        try:
            return 1 if self._function(done, total) is True else 0
        except BaseException as error:  # also KeyboardInterrupt
            self.error = error
            return 1

    def check(self, status):
        try:
            check(status)
        except Cancelled:
            if self.error is not None:
                raise self.error from None
            raise


def set_parameters(setter, handle, values):
    for name, value in values.items():
        array = numpy.atleast_1d(numpy.ascontiguousarray(value, numpy.float64))
        check(setter(handle, name.encode(), ffi.cast("double *", array.ctypes.data), array.size))


def get_parameters(getter, handle):
    found, index, count = {}, 0, ffi.new("uint64_t *")
    while True:
        name = getter(handle, index, count)
        if name == ffi.NULL:
            return found
        found[ffi.string(name).decode()] = int(count[0])
        index += 1


def payoff_of(payoff, keep):
    """bailey_payoff of a built-in's name or a text: whatever has more than one word is a text."""
    c = ffi.new("bailey_payoff *")
    text = payoff if isinstance(payoff, str) else payoff.text
    encoded = ffi.new("char[]", text.encode())
    keep.append(encoded)
    if any(sign in text for sign in "{;\n"):
        c.text = encoded
    else:
        c.name = encoded
    return c


def payoffs():
    """The built-in payoffs: names and texts."""
    found, name = {}, ffi.new("const char **")
    index = 0
    while True:
        text = lib.bailey_payoff_builtin(index, name)
        if text == ffi.NULL:
            return found
        found[ffi.string(name[0]).decode()] = ffi.string(text).decode()
        index += 1


class Simulation:
    """Paths that stay on the chip, and what a payoff makes of them.

    payoff      the name of a built-in (bailey.payoffs()), a text in C (docs/payoffs.md), or a function that
                bailey.payoff has turned into one
    times       of the points that the payoff sees
    parameters  of the payoff, by name; also `set`
    Other arguments as for Bridge.
    """

    def __init__(self, payoff, times, dims=1, *, parameters=None, dtype="float32", device=None, **path):
        self._context = context(device)
        self.dtype = numpy.dtype(dtype)
        params = ffi.new("bailey_simulation_params *")
        path_, self._keep = path_params(times, dims, dtype, **path)
        params.path, params.payoff = path_[0], payoff_of(payoff, self._keep)[0]
        handle = ffi.new("bailey_simulation **")
        check(lib.bailey_simulation_create(self._context.handle, params, handle))
        self._handle = ffi.gc(handle[0], lib.bailey_simulation_destroy)
        self.outputs = int(lib.bailey_simulation_outputs(self._handle))
        if parameters:
            self.set(**parameters)

    @property
    def parameters(self):
        """Names of the payoff's parameters, and how many elements each has."""
        return get_parameters(lib.bailey_simulation_parameter, self._handle)

    def set(self, **values):
        """Sets parameters; nothing is compiled. Returns the simulation."""
        set_parameters(lib.bailey_simulation_set, self._handle, values)
        return self

    def _run_params(self, paths, seed, source, first, replicates, antithetic, method, numerics, bits, keep):
        run = ffi.new("bailey_run_params *")
        run.source = source_of(source, seed)[0]
        run.normal = normal_params(self.dtype, method, numerics, bits)[0]
        run.first_path, run.paths, run.replicates, run.antithetic = first, paths, replicates, int(antithetic)
        return run

    def run(self, paths, *, seed=None, source=None, first=0, replicates=0, antithetic=False, expected=None,
            shape=False, scenarios=None, weights=None, sum="double", sum_limit=0.0, method="icdf", numerics="exact",
            bits=0, progress=None):
        """Runs paths first .. first + paths - 1 of each replicate, and returns an Estimate, or a list of them where
        there are several results.

        expected   known expectations of outputs, which become control variates; None in the list for the others
        shape      also skewness, kurtosis, minimum and maximum
        scenarios  a dict of parameter names, such as "spot" or "spot[1]", to arrays of values: scenario s takes
                   element s of each
        weights    [rows][scenarios * outputs]: results are these sums of outputs
        sum        "double", or "fixed" with `sum_limit`
        progress   a function of (done, total), or True for a bar
        """
        keep = []
        run = self._run_params(paths, seed, source, first, replicates, antithetic, method, numerics, bits, keep)
        results = self.outputs
        if scenarios:
            results = self._place_scenarios(run.scenarios, scenarios, weights, keep)
        if expected is not None:
            array = numpy.array([math.nan if value is None else value for value in numpy.atleast_1d(expected)], float)
            keep.append(array)
            run.expected = ffi.cast("double *", array.ctypes.data)
        run.shape, run.sum, run.sum_limit = int(shape), choice("SUM", sum, "sum"), sum_limit
        watch = Progress(progress)
        run.progress = watch.callback
        estimates = ffi.new("bailey_estimate[]", results)
        watch.check(lib.bailey_simulation_run(self._handle, run, estimates))
        found = [
            Estimate(e.mean, e.standard_error, e.controlled, e.controlled_error, e.variance, e.skewness, e.kurtosis,
                     e.minimum, e.maximum, int(e.paths)) for e in estimates
        ]
        return found[0] if results == 1 else found

    def _place_scenarios(self, c, scenarios, weights, keep):
        values = numpy.ascontiguousarray(numpy.column_stack([numpy.asarray(v, float) for v in scenarios.values()]))
        names = [ffi.new("char[]", name.encode()) for name in scenarios]
        array = ffi.new("char *[]", names)
        keep += [values, names, array]
        c.count, c.columns = values.shape
        c.names = ffi.cast("const char *const *", array)
        c.values = ffi.cast("double *", values.ctypes.data)
        if weights is None:
            return values.shape[0] * self.outputs
        rows = numpy.atleast_2d(numpy.ascontiguousarray(weights, float))
        if rows.shape[1] != values.shape[0] * self.outputs:
            raise ValueError(f"weights has {rows.shape[1]} columns, not {values.shape[0] * self.outputs}")
        keep.append(rows)
        c.rows, c.weights = rows.shape[0], ffi.cast("double *", rows.ctypes.data)
        return rows.shape[0]

    def samples(self, paths, *, seed=None, source=None, first=0, antithetic=False, method="icdf", numerics="exact",
                bits=0):
        """What each path pays, [outputs][paths]."""
        keep = []
        run = self._run_params(paths, seed, source, first, 0, antithetic, method, numerics, bits, keep)
        out = numpy.empty((self.outputs, paths), self.dtype)
        handle = ffi.new("bailey_buffer **")
        check(lib.bailey_buffer_create(self._context.handle, out.nbytes, handle))
        try:
            run.samples = handle[0]
            check(lib.bailey_simulation_run(self._handle, run, ffi.new("bailey_estimate[]", self.outputs)))
            check(lib.bailey_buffer_read(handle[0], 0, ffi.cast("void *", out.ctypes.data), out.nbytes))
        finally:
            lib.bailey_buffer_destroy(handle[0])
        return out

    def greeks(self, paths, *, spots=(), volatilities=(), rate=None, theta=False, correlation=False, cross=False,
               output=0, greek_method="differences", seed=None, source=None, first=0, replicates=0, antithetic=False,
               method="icdf", numerics="exact", bits=0, progress=None, **bumps):
        """Greeks where the parameters are set, from the same paths: a list that begins with the price. `spots`,
        `volatilities` and `rate` are names of parameters."""
        keep = []
        run = self._run_params(paths, seed, source, first, replicates, antithetic, method, numerics, bits, keep)
        p = ffi.new("bailey_greeks_params *")
        for member, names in (("spots", spots), ("volatilities", volatilities)):
            strings = [ffi.new("char[]", name.encode()) for name in names]
            array = ffi.new("char *[]", strings) if strings else ffi.NULL
            keep += [strings, array]
            setattr(p, member, ffi.cast("const char *const *", array))
        p.spot_count, p.volatility_count = len(spots), len(volatilities)
        if rate is not None:
            keep.append(ffi.new("char[]", rate.encode()))
            p.rate = keep[-1]
        p.theta, p.correlation, p.cross, p.output = int(theta), int(correlation), int(cross), output
        p.method = choice("GREEK", greek_method, "greek_method")
        for name, value in bumps.items():
            setattr(p, name, value)
        watch = Progress(progress)
        run.progress = watch.callback
        greeks = ffi.new("bailey_greek[]", lib.bailey_greeks_count(self._handle, p))
        watch.check(lib.bailey_greeks(self._handle, run, p, greeks))
        return [
            Greek(ffi.string(lib.bailey_greek_name(g.kind)).decode(), g.first, g.second, g.value, g.error, g.bump)
            for g in greeks
        ]
