# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Simulations: a payoff in C, compiled into the kernel that makes the paths."""
from __future__ import annotations

import dataclasses
import math
import os
import typing
import warnings

import numpy
import numpy.typing

from ._arrays import strings, target
from ._bridge import Floats, PathOptions, path_params
from ._description import Description, described, length, sizes_of
from ._devices import Context
from ._handle import Made, together
from ._library import PayoffError, check, choice, ffi, lib, number, refuse, set_fields, whole
from ._numbers import normal_params, precision_of
from ._payoff import AnyPayoff, Payoff, explained, payoff_of, translate
from ._progress import Argument, Progress
from ._results import Result
from ._source import Source, check_seeded, source_of, warn_of_balance
from ._values import Day, doubles, reals

if typing.TYPE_CHECKING:
    from typing_extensions import Unpack

Doubles = numpy.typing.NDArray[numpy.float64]
Scenarios = typing.Mapping[str, Floats]


class RunOptions(typing.TypedDict, total=False):
    """What Simulation.run takes, and the methods that run it otherwise."""

    seed: typing.Optional[int]
    source: typing.Optional[Source]
    first: int
    replicates: int
    antithetic: bool
    expected: typing.Any
    shape: bool
    scenarios: typing.Optional[Scenarios]
    weights: typing.Optional[Floats]
    time_shift: typing.Optional[Floats]
    covariance: typing.Optional[Floats]
    sum: str
    sum_limit: float
    method: str
    numerics: str
    bits: int
    progress: Argument


@dataclasses.dataclass(frozen=True, eq=False)
class Estimate(Result):
    """Of one output or result of a run. `controlled` is with control variates; the same as `mean` without.
    [interval_low, interval_high] holds the expectation with 95 %. Errors that are not known are NaN: of one replicate of
    points, and, with a warning, where all replicates agree though paths do not."""

    mean: float
    standard_error: float
    controlled: float
    controlled_error: float
    interval_low: float
    interval_high: float
    variance: float
    skewness: float
    kurtosis: float
    minimum: float
    maximum: float
    paths: int
    seed: int


@dataclasses.dataclass(frozen=True, eq=False)
class Greek(Result):
    """A derivative of a price: `kind` is "price", "delta", "vega", ...; first and second say by which of the spots,
    volatilities or dimensions; `bump` is the difference that was used, 0 of what is no difference."""

    kind: str
    first: int
    second: int
    value: float
    error: float
    bump: float
    seed: int


@dataclasses.dataclass(frozen=True, eq=False)
class Histogram(Result):
    """How many paths have an output in each bin [edges[i], edges[i + 1]), and below and above all of them."""

    counts: numpy.typing.NDArray[numpy.uint64]
    edges: Doubles
    below: int
    above: int
    seed: int


@dataclasses.dataclass(frozen=True, eq=False)
class JobDevice(Result):
    """What a device has done for a job; `error` says why it failed, "" if it has not."""

    address: str
    paths: int
    seconds: float
    error: str


@dataclasses.dataclass(frozen=True, eq=False)
class Job(Result):
    """The results of a job, of `paths` of each replicate, and what its devices have done. `loaded` paths, of all
    replicates, were in the checkpoint; `reached` says whether the target was."""

    estimates: typing.List[Estimate]
    paths: int
    reached: bool
    loaded: int
    checkpoint_error: str
    devices: typing.List[JobDevice]
    seed: int


@dataclasses.dataclass(frozen=True, eq=False)
class Moment(Result):
    """What a path has come to: after "start", a "step", a call "at" a tick of a motion, or "finish". `state` has what the
    payoff knows then, by name; `fault` says what failed, and is "" where nothing has."""

    kind: str
    step: int
    time: float
    dimension: int
    x: typing.List[float]
    state: typing.Dict[str, typing.Any]
    outputs: typing.List[float]
    fault: str


_KINDS = ("start", "step", "at", "finish")


def set_parameters(setter: typing.Any, handle: typing.Any, description: Description,
                   values: typing.Mapping[str, typing.Any], kept: typing.Dict[str, typing.Any]) -> None:
    """Parameters of a payoff or of levels, by name; `kept` has copies of those that are set."""
    for name, value in values.items():
        parameter = description.parameter(name)
        value = parameter.numbers(value) if parameter else value
        array = numpy.array(numpy.atleast_1d(reals(value, name)))
        check(setter(handle, name.encode(), ffi.cast("double *", array.ctypes.data), array.size))
        kept[name] = array


def check_names(description: Description, values: typing.Mapping[str, typing.Any]) -> None:
    """Refuses arguments that neither the call nor the payoff has."""
    for name in values:
        if description.parameter(name) is None:
            known = ", ".join(p.name for p in description.parameters) or "none"
            refuse(name, f"there is no argument {name}, and {description.name or 'the payoff'} has no such parameter; its "
                         f"parameters are {known}")


def get_parameters(getter: typing.Any, handle: typing.Any) -> typing.Dict[str, int]:
    """Names of parameters, and how many elements each has."""
    found: typing.Dict[str, int] = {}
    index, count = 0, ffi.new("uint64_t *")
    while True:
        name = getter(handle, index, count)
        if name == ffi.NULL:
            return found
        found[ffi.string(name).decode()] = int(count[0])
        index += 1


def codes(name_of: typing.Any, describe_: typing.Any) -> typing.Dict[str, str]:
    """Built-ins: names and code."""
    found: typing.Dict[str, str] = {}
    while True:
        name = name_of(len(found))
        if name == ffi.NULL:
            return found
        found[ffi.string(name).decode()] = described(describe_, ffi.new("bailey_payoff *", {"name": name})).code


def describe(payoff: AnyPayoff, dims: int = 0) -> Description:
    """What a payoff says about itself: parameters with meaning, unit, range and default, outputs, the path that it takes.
    print() shows it. `dims` is needed where its arrays depend on them."""
    payoff = translate(payoff) if isinstance(payoff, type) else payoff
    keep: typing.List[typing.Any] = []
    with explained(payoff):
        return described(lib.bailey_payoff_describe, payoff_of(payoff, keep), dims=whole(dims, "dims"))


def payoffs() -> typing.Dict[str, str]:
    """The built-in payoffs: names and code."""
    return codes(lib.bailey_payoff_name, lib.bailey_payoff_describe)


def _estimate(e: typing.Any, seed: int) -> Estimate:
    return Estimate(e.mean, e.standard_error, e.controlled, e.controlled_standard_error, e.interval_low, e.interval_high,
                    e.variance, e.skewness, e.kurtosis, e.minimum, e.maximum, int(e.paths), seed)


def warn_of_error(error: float, replicates: int, level: int) -> None:
    """Of a standard error that is not known although there are replicates; `level` calls below the user's."""
    if math.isnan(error) and replicates > 1:
        warnings.warn("the standard error is not known: all replicates have the same mean, although paths differ; take "
                      "more paths, or random numbers", RuntimeWarning, stacklevel=level + 1)


def _names(one_or_more: typing.Any) -> typing.List[typing.Any]:
    return [one_or_more] if isinstance(one_or_more, str) else list(one_or_more)


class _Run:
    """A bailey_simulation_run_params, what it points to, and how many results there will be."""

    def __init__(self, simulation: Simulation, paths: int, *, seed: typing.Optional[int] = None,
                 source: typing.Optional[Source] = None, first: int = 0, replicates: int = 0, antithetic: bool = False,
                 expected: typing.Any = None, shape: bool = False, scenarios: typing.Optional[Scenarios] = None,
                 weights: typing.Optional[Floats] = None, time_shift: typing.Optional[Floats] = None,
                 covariance: typing.Optional[Floats] = None, sum: str = "double", sum_limit: float = 0.0,
                 method: str = "icdf", numerics: str = "exact", bits: int = 0, progress: Argument = None) -> None:
        self.keep: typing.List[typing.Any] = []
        self.simulation, self.outputs, self.results = simulation, simulation.outputs, simulation.outputs
        self.params = run = ffi.new("bailey_simulation_run_params *")
        drawn = source_of(source, seed)
        run.source, self.seed = drawn.to_c()[0], drawn.seed
        run.normal = normal_params(simulation.dtype, method, numerics, bits)[0]
        set_fields(run, paths=paths, replicates=replicates, sum_limit=sum_limit)
        run.first_path, run.antithetic, run.moments = whole(first, "first"), int(antithetic), int(shape)
        run.sum = choice("SUM", sum, "sum")
        if scenarios is not None or time_shift is not None or covariance is not None:
            self.place_scenarios(scenarios or {}, time_shift, covariance)
            self.place_weights(weights)
        elif weights is not None:
            refuse("weights", "weights are of scenarios, and there are none")
        if expected is not None:
            given = expected if isinstance(expected, (list, tuple)) else numpy.atleast_1d(expected)
            known = [math.nan if value is None else number(value, "expected") for value in given]
            run.expected = doubles(known, (self.results,), "expected", self.keep)
        self.progress = Progress(progress)
        self.progress.watch(run)
        warn_of_balance(ffi.addressof(run.source), run.first_path, run.paths)

    def place_scenarios(self, scenarios: Scenarios, time_shift: typing.Any, covariance: typing.Any) -> None:
        """Scenario s takes element s of each."""
        columns = {name: numpy.atleast_1d(reals(value, name)) for name, value in scenarios.items()}
        moves = {"time_shift": time_shift, "covariance": covariance}
        lengths = {name: len(value) for name, value in columns.items()}
        lengths.update({name: len(value) for name, value in moves.items() if value is not None})
        count = next(iter(lengths.values()), 0)
        for name, length in lengths.items():
            if length != count or count == 0:
                refuse(name, f"{name} has {length} scenarios, and {next(iter(lengths), name)} has {count}")
        c, dims = self.params.scenarios, self.simulation.dims
        c.count, c.columns = count, len(columns)
        c.names = strings(columns, self.keep)
        if columns:
            c.values = doubles(numpy.column_stack(list(columns.values())), None, "scenarios", self.keep)
        c.time_shift = doubles(time_shift, (count,), "time_shift", self.keep)
        c.covariance = doubles(covariance, (count, dims, dims), "covariance", self.keep)
        self.results = count * self.outputs

    def place_weights(self, weights: typing.Any) -> None:
        """Results are these sums of outputs."""
        if weights is None:
            return
        rows = numpy.atleast_2d(reals(weights, "weights"))
        self.params.scenarios.weights = doubles(rows, (len(rows), self.results), "weights", self.keep)
        self.params.scenarios.rows = self.results = len(rows)

    def go(self) -> typing.List[Estimate]:
        """Runs it."""
        estimates = ffi.new("bailey_estimate[]", self.results)
        with self.simulation._lock, explained(self.simulation.payoff):
            self.progress.check(lib.bailey_simulation_run(self.simulation.handle, self.params, estimates))
        return self.found(estimates, 4)

    def found(self, estimates: typing.Any, level: int) -> typing.List[Estimate]:
        """As objects, with a warning where an error is not known."""
        found = [_estimate(e, self.seed) for e in estimates]
        if any(math.isnan(e.standard_error) for e in found):
            warn_of_error(math.nan, self.params.replicates, level)
        return found


class Simulation(Made):
    """Paths that stay on the chip, and what a payoff makes of them.

    payoff      the name of a built-in (bailey.payoffs()), a text in C (docs/payoffs.md), or a class that
                bailey.payoff has turned into one
    times       of the points that the payoff sees, in years or, with valuation, dates
    levels      of paths that are motions, of one time, their end: the text has `whole`, and at(x, tick, d) is of any
                tick 0 .. 2**levels (docs/motion.md); 0: paths have `times`
    parameters  of the payoff, by name, which may also be arguments: Simulation("european", [1.0], spot=100, ...); also
                `set`. `description` says which there are
    loop_budget trips that loops without a known end may take together for a path and step, beyond which a run raises
                PayoffError; 0: 1048576
    dims        where it is not given, as many as arrays of the parameters or `covariance` have, or the payoff says
    Other arguments as for Bridge.

    planned_paths   how many all runs together are going to take, where that is known. Of few a built-in runs as it was
                    compiled with the library, without some kinds of scenarios (bailey_simulation_params); results are
                    the same

    What `run` takes, the methods that run it otherwise take too.

    Threads may share it; their calls run one after the other, and those of simulations that different threads made at
    once. A copy has parameters of its own.
    """

    def __init__(self, payoff: AnyPayoff, times: Floats, dims: typing.Optional[int] = None, *, levels: int = 0,
                 parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None, dtype: typing.Any = "float32",
                 device: typing.Any = None, start_time: typing.Union[float, Day] = 0.0, valuation: Day = None,
                 order: typing.Any = None, covariance: typing.Optional[Floats] = None,
                 factor: typing.Optional[Floats] = None, start: typing.Optional[Floats] = None,
                 end: typing.Optional[Floats] = None, construction: str = "bridge", output: str = "paths",
                 layout: str = "step-major", strategy: str = "auto", loop_budget: int = 0, planned_paths: int = 0,
                 **more: typing.Any) -> None:
        path: PathOptions = dict(start_time=start_time, valuation=valuation, order=order, covariance=covariance,
                                 factor=factor, start=start, end=end, construction=construction, output=output,
                                 layout=layout, strategy=strategy)
        self.dtype = numpy.dtype(dtype)
        payoff = translate(payoff) if isinstance(payoff, type) else payoff
        self.payoff = payoff
        params, values = ffi.new("bailey_simulation_params *"), {**(parameters or {}), **more}
        keep: typing.List[typing.Any] = []
        params.payoff = payoff_of(payoff, keep, loop_budget)[0]
        set_fields(params, motion_depth=levels, planned_paths=planned_paths)
        with explained(payoff):
            self.description = described(lib.bailey_payoff_describe, ffi.addressof(params.payoff), motion_depth=params.motion_depth,
                                         dims=dims or 0, steps=numpy.size(times), precision=precision_of(dtype))
            check_names(self.description, more)
            dims = self._dims(values, covariance, factor) if dims is None else dims
            path_, kept = path_params(times, dims, dtype, **path)
            params.path = path_[0]
            self._make(lib.bailey_simulation_create, "bailey_simulation", lib.bailey_simulation_destroy, device, params)
        self.dims, self.outputs = dims, int(lib.bailey_simulation_outputs(self._handle))
        self._values: typing.Dict[str, typing.Any] = {}
        self.set(**{**self._defaults(), **values})
        self._remember(payoff=payoff, times=times, dims=dims, levels=levels, dtype=dtype, loop_budget=loop_budget,
                       planned_paths=planned_paths, **path)

    def _dims(self, values: typing.Mapping[str, typing.Any], *matrices: typing.Any) -> int:
        """Where the arguments do not say it: what arrays of parameters do, or the payoff itself."""
        said = [length(matrix) for matrix in matrices] + [sizes_of(self.description, values), self.description.dims]
        return next((dims for dims in said if dims), 1)

    def _defaults(self) -> typing.Dict[str, typing.Any]:
        """Defaults of a class that its code cannot have: arrays of different numbers."""
        if not isinstance(self.payoff, Payoff):
            return {}
        known = {p.name for p in self.description.parameters if p.default is not None}
        return {name: value for name, value in self.payoff.defaults.items() if name not in known}

    def _settings(self) -> typing.Dict[str, typing.Any]:
        return dict(parameters=dict(self._values))

    @property
    def handle(self) -> typing.Any:
        """Of the library."""
        return self._handle

    @property
    def parameters(self) -> typing.Dict[str, int]:
        """Names of the payoff's parameters, and how many elements each has."""
        with self._lock:
            return get_parameters(lib.bailey_simulation_parameter, self._handle)

    def set(self, **values: typing.Any) -> Simulation:
        """Sets parameters; nothing is compiled. Returns the simulation."""
        with self._lock:
            set_parameters(lib.bailey_simulation_set, self._handle, self.description, values, self._values)
        return self

    def expected(self) -> typing.List[typing.Optional[float]]:
        """The expectation of each output that is known in closed form for the parameters as they are, None of the
        others: what `run` takes as `expected`."""
        found = ffi.new("double[]", self.outputs)
        with self._lock:
            check(lib.bailey_simulation_expected(self._handle, found))
        return [None if math.isnan(value) else value for value in found]

    def run(self, paths: int, **options: Unpack[RunOptions]) -> typing.Any:
        """Runs paths first .. first + paths - 1 of each replicate, and returns an Estimate, or a list of them where
        there are several results.

        seed         of Philox; or `source`, a bailey.Source. Without either each run draws a seed from the system's
                     entropy, which the result has as `seed`
        first        0
        replicates   of streams of their own; with Sobol points 16 or more, for a standard error
        antithetic   each path is followed by its mirror image
        expected     known expectations of outputs, which become control variates; None in the list for the others
        shape        also skewness, kurtosis, minimum and maximum
        scenarios    a dict of parameter names, such as "spot" or "spot[1]", to arrays of values: scenario s takes
                     element s of each, and has results of its own
        time_shift   of each scenario: all times are later by so much
        covariance   of each scenario, [scenarios][dims][dims]
        weights      [rows][scenarios * outputs]: results are these sums of outputs
        sum          "double", or "fixed" with `sum_limit`
        method, numerics, bits  of the normals, as for bailey.normals
        progress     a function of (done, total), or True for a bar
        """
        found = _Run(self, paths, **options).go()
        return found[0] if len(found) == 1 else found

    def samples(self, paths: int, *, out: typing.Any = None, **options: Unpack[RunOptions]) -> typing.Any:
        """What each path pays: [results][paths], and [results][replicates][paths] with replicates. `out` as for
        Bridge.paths. An array does not show the seed that was drawn: to know it, pass `source`, a bailey.Source()."""
        paths = whole(paths, "paths")
        run = _Run(self, paths, **options)
        between = (int(run.params.replicates),) if run.params.replicates else ()
        with target(out, (run.results, *between, paths), self.dtype, "float32", self._context) as to:
            run.params.samples = to.buffer
            if to.count:
                run.go()
            return to.result

    def explain(self, path: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
                method: str = "icdf", bits: int = 0) -> typing.List[Moment]:
        """Path number `path` of a run, step by step: what x is, what the payoff knows after each step, and what it pays.
        Where its code fails, the last moment has the `fault`. For learning what a payoff does, and for finding what is
        wrong with it; Payoff.path runs the class itself."""
        run = _Run(self, 1, seed=seed, source=source, method=method, bits=bits)
        fields, moments = get_parameters(lib.bailey_simulation_state, self._handle), typing.cast(typing.List[Moment], [])
        names = getattr(self.payoff, "members", {})

        def take(user: typing.Any, m: typing.Any) -> int:
            state, at = {}, 0
            for name, count in fields.items():
                if m.state != ffi.NULL:
                    state[names.get(name, name)] = m.state[at] if count == 1 else list(m.state[at:at + count])
                at += count
            count = {1: self.dims, 2: 1}.get(int(m.kind), 0)
            moments.append(Moment(_KINDS[m.kind], int(m.step), m.time, int(m.dimension), list(m.x[0:count]) if count else [],
                                  state, list(m.outputs[0:self.outputs]) if m.outputs != ffi.NULL else [],
                                  ffi.string(m.fault).decode() if m.fault != ffi.NULL else ""))
            return 0

        callback = ffi.callback("bailey_explain", take, error=1)
        try:
            with self._lock, explained(self.payoff):
                check(lib.bailey_simulation_explain(self._handle, run.params, whole(path, "path"), callback, ffi.NULL))
        except PayoffError as error:
            if not moments or not moments[-1].fault:
                raise
            moments[-1] = dataclasses.replace(moments[-1], fault=str(error))
        return moments

    @property
    def discretised(self) -> bool:
        """Whether a built-in discretises its model, so that its estimates have a bias that their errors leave out."""
        with self._lock:
            return bool(lib.bailey_simulation_is_discretised(self._handle))

    def bias(self, paths: int = 0, *, seed: typing.Optional[int] = None) -> typing.List[Estimate]:
        """An estimate of the bias of each output of a discretised simulation, from `paths` paths, 2 to 2^24 (0: 65536):
        what half of the steps, or twice the tolerance, changes on the same paths (bailey_simulation_bias)."""
        source = source_of(None, seed)
        biases = ffi.new("bailey_estimate[]", self.outputs)
        with self._lock, explained(self.payoff):
            check(lib.bailey_simulation_bias(self._handle, whole(paths, "paths"), source.seed, biases))
        return [_estimate(b, source.seed) for b in biases]

    def histogram(self, paths: int, low: float, high: float, bins: int, *, output: int = 0,
                  **options: Unpack[RunOptions]) -> Histogram:
        """How many paths pay what: of one output, or result, in equal bins from low to high."""
        run, counts = _Run(self, paths, **options), numpy.zeros(whole(bins, "bins", 1) + 2, numpy.uint64)
        h = run.params.histogram
        set_fields(h, low=low, high=high, bins=bins, output=output)
        h.counts = ffi.cast("uint64_t *", counts.ctypes.data)
        run.go()
        return Histogram(counts[1:-1], numpy.linspace(low, high, bins + 1), int(counts[0]), int(counts[-1]),
                         run.seed)

    def result_covariance(self, paths: int, **options: Unpack[RunOptions]) -> Doubles:
        """The covariance of the results of a path, [results][results]."""
        run = _Run(self, paths, **options)
        matrix = numpy.empty((run.results, run.results))
        run.params.covariance = ffi.cast("double *", matrix.ctypes.data)
        run.go()
        return matrix

    def greeks(self, paths: int, *, spots: typing.Sequence[str] = (), volatilities: typing.Sequence[str] = (),
               rate: typing.Optional[str] = None, theta: bool = False, correlation: bool = False, cross: bool = False,
               output: int = 0, greek_method: str = "differences", spot_bump: float = 0.0, volatility_bump: float = 0.0,
               rate_bump: float = 0.0, time_bump: float = 0.0, correlation_bump: float = 0.0,
               **options: Unpack[RunOptions]) -> typing.List[Greek]:
        """Greeks where the parameters are set, from the same paths: a list that begins with the price. `spots`,
        `volatilities` and `rate` are names of parameters; `greek_method` is "differences" or "likelihood"; bumps of
        0 are the library's (docs/greeks.md)."""
        run, p = _Run(self, paths, **options), ffi.new("bailey_greeks_params *")
        spots, volatilities = _names(spots), _names(volatilities)
        p.spots, p.spot_count = strings(spots, run.keep), len(spots)
        p.volatilities, p.volatility_count = strings(volatilities, run.keep), len(volatilities)
        if rate is not None:
            run.keep.append(ffi.new("char[]", rate.encode()))
            p.rate = run.keep[-1]
        p.theta, p.correlation, p.cross = int(theta), int(correlation), int(cross)
        p.method = choice("GREEK_METHOD", greek_method, "greek_method")
        set_fields(p, output=output, spot_bump=spot_bump, volatility_bump=volatility_bump, rate_bump=rate_bump,
                   time_bump=time_bump, correlation_bump=correlation_bump)
        with self._lock, explained(self.payoff):
            greeks = ffi.new("bailey_greek_estimate[]", lib.bailey_simulation_greeks_count(self._handle, p))
            run.progress.check(lib.bailey_simulation_greeks(self._handle, run.params, p, greeks))
        return [
            Greek(ffi.string(lib.bailey_greek_name(g.kind)).decode(), int(g.first), int(g.second), g.mean, g.standard_error,
                  g.bump, run.seed) for g in greeks
        ]

    def on(self, device: typing.Any) -> Simulation:
        """The same simulation, with the same parameters, on another device."""
        return Simulation(device=device, parameters=dict(self._values), **self._arguments)

    def job(self, paths: int, *, devices: typing.Sequence[typing.Any] = (), target_error: float = 0.0,
            target_output: int = 0, first_paths: int = 0, checkpoint: typing.Union[str, os.PathLike[str], None] = None,
            checkpoint_seconds: float = 0.0, **options: Unpack[RunOptions]) -> Job:
        """A run that takes long: of the bits of `run`, on several devices at once, with a checkpoint, from which the
        same call goes on, or up to a standard error (docs/long-runs.md).

        devices       on which the work is done; none: the simulation's own
        target_error  the run ends when the standard error of `target_output` is at most this, and `paths` is the most
        checkpoint    a file, saved every checkpoint_seconds (60) and at the end, also when the run is interrupted
        """
        run, p = _Run(self, paths, **options), ffi.new("bailey_job_params *")
        p.run = run.params[0]
        set_fields(p, target_error=target_error, target_output=target_output, initial_paths=first_paths,
                   checkpoint_seconds=checkpoint_seconds)
        check_seeded(checkpoint, options)
        if checkpoint is not None:
            run.keep.append(ffi.new("char[]", os.fsencode(checkpoint)))
            p.checkpoint = run.keep[-1]
        shared = [self.on(device) for device in _names(devices)] or [self]
        estimates, report = ffi.new("bailey_estimate[]", run.results), ffi.new("bailey_job_report *")
        with together(simulation._lock for simulation in shared), explained(self.payoff):
            handles = ffi.new("bailey_simulation *[]", [simulation.handle for simulation in shared])
            run.progress.check(lib.bailey_job_run(handles, len(shared), p, estimates, report))
        return Job(run.found(estimates, 3), int(report.paths), bool(report.reached), int(report.loaded),
                   ffi.string(report.checkpoint_message).decode("utf-8", "replace"),
                   [_job_device(s, report.device[i]) for i, s in enumerate(shared)], run.seed)

    @property
    def context(self) -> Context:
        """Of the device that it is on."""
        return self._context.shared()


def _job_device(simulation: Simulation, d: typing.Any) -> JobDevice:
    return JobDevice(simulation.context.device.address, int(d.paths), d.seconds,
                     ffi.string(d.message).decode("utf-8", "replace"))
