# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Simulations: a payoff, compiled into the kernel that makes the paths, its parameters, and everything that runs of it give:
estimates, samples, histograms, Greeks, jobs over devices."""
from __future__ import annotations

import dataclasses
import difflib
import math
import os
import typing

import numpy
import numpy.typing

from ._arrays import target
from ._bridge import Floats
from ._description import Description, described, length, sizes_of
from ._devices import Context
from ._fields import documented, keywords
from ._gradient import Gradient, Question, gradient_of
from ._library import InvalidArgument, PayoffError, check, ffi, lib, refuse
from ._lists import Estimates, Greeks
from ._objects import ContextObject
from ._opened import together
from ._parts import Part, parts_of
from ._payoff import AnyPayoff, Model, Payoff, explained, payoff_of, translate
from ._progress import Progress
from ._results import Result, read
from ._run import Run
from ._source import Source, check_seeded, source_of
from ._types import (BoundOptions, Construction, Derivative, Estimate, ExerciseBounds, ExerciseOptions, ExercisePricesOptions, ExerciseResult, GradientOptions, GreekEstimate, GreekOptions,
                     JobDevice, JobOptions, JobReport, Layout, Moment, NormalOptions, Output, RunOptions, Strategy)
from ._typing import Reals, Unpack
from ._values import Day, fill, integer, own_keywords, reals

Doubles = numpy.typing.NDArray[numpy.float64]
_Out = typing.TypeVar("_Out")


@dataclasses.dataclass(frozen=True, eq=False)
class Histogram(Result):
    """How many paths have an output in each bin [edges[i], edges[i + 1]), and below and above all of them, as NumPy says
    it. Of C's counts these are all but the first and the last, which are `below` and `above`."""

    counts: numpy.typing.NDArray[numpy.uint64]
    edges: Doubles
    below: int
    above: int
    seed: int


def set_parameters(setter: typing.Any, handle: typing.Any, description: Description,
                   values: typing.Mapping[str, typing.Any], kept: typing.Dict[str, typing.Any]) -> None:
    """Parameters of a payoff or of levels, by name; `kept` has copies of those that are set."""
    for name, value in values.items():
        if type(value) is float:
            array = numpy.array([value])
        else:
            parameter = description.parameter(name)
            value = parameter.numbers(value) if parameter else value
            array = numpy.array(numpy.atleast_1d(reals(value, name)))
        try:
            check(setter(handle, name.encode(), ffi.from_buffer("double[]", array), array.size))
        except InvalidArgument as error:
            if error.argument not in ("count", "values"):
                raise
            refuse(name, str(error) if error.argument == "values" else f"{name}: {error}")
        kept[name] = array


def check_names(description: Description, values: typing.Mapping[str, typing.Any], *records: str) -> None:
    """Refuses arguments that neither the call nor the payoff has."""
    for name in values:
        if description.parameter(name) is None:
            known = ", ".join(p.name for p in description.parameters) or "none"
            near = difflib.get_close_matches(name, keywords(*records), 1)
            refuse(name, f"there is no argument {name}" + (f" (did you mean {near[0]}?)" if near else "") +
                   f", and {description.name or 'the payoff'} has no such parameter; its parameters are {known}")


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


@documented("describe_params")
def describe(payoff: AnyPayoff, dims: int = 0, *, model: Model = None) -> Description:
    """The description of a payoff: parameters with meaning, unit, range and default; outputs; and the path that it
    needs. print() shows it. `dims` is needed if arrays depend on it. A product is described with its `model`, and its
    `code` is that of the payoff that the two make."""
    payoff = translate(payoff) if isinstance(payoff, type) else payoff
    keep: typing.List[typing.Any] = []
    with explained(payoff):
        return described(lib.bailey_payoff_describe, payoff_of(payoff, keep, model=model), dims=dims)


def payoffs() -> typing.Dict[str, str]:
    """The built-in payoffs: names and code."""
    return codes(lib.bailey_payoff_name, lib.bailey_payoff_describe)


def _parts(name_of: typing.Any, code_of: typing.Any) -> typing.Dict[str, str]:
    found: typing.Dict[str, str] = {}
    while True:
        name = name_of(len(found))
        if name == ffi.NULL:
            return found
        found[ffi.string(name).decode()] = ffi.string(code_of(len(found))).decode()


def models() -> typing.Dict[str, str]:
    """The built-in models, which products are priced under: names and code."""
    return _parts(lib.bailey_model_name, lib.bailey_model_code)


def products() -> typing.Dict[str, str]:
    """The built-in products, which any model that has what they ask for can price: names and code."""
    return _parts(lib.bailey_product_name, lib.bailey_product_code)


def _names(one_or_more: typing.Any) -> typing.List[typing.Any]:
    return [one_or_more] if isinstance(one_or_more, str) else list(one_or_more)


@documented("payoff", "simulation_params")
class Simulation(ContextObject):
    """A payoff and its paths, which never leave the chip. `payoff` is the name of a built-in (bailey.payoffs()), code
    in the payoff language (docs/payoffs.md), or a class that bailey.payoff has translated. With a `model`, it is a
    product (docs/models.md): Simulation("autocall", times, model="heston+curve", ...). Its parameters may be
    arguments: Simulation("european", [1.0], spot=100, ...); `description` lists them, and `set` changes them.

    Paths have `times`. With `motion_depth` they are motions with one time, their end: then the code has `whole`, and
    at(x, tick, d) takes any tick 0 .. 2**motion_depth (docs/motion.md). Without `dims`, the number of dimensions is
    that of the arrays of parameters or of `covariance`, or follows from the payoff. With few `planned_paths` a built-in
    runs as it was compiled with the library, without some kinds of scenarios; results are the same.

    The methods that run it in other ways take the arguments of `run` too. Threads may share a simulation; their calls
    run one after the other, while simulations that different threads created run in parallel. A copy has separate
    parameters.
    """

    def __init__(self, payoff: AnyPayoff, times: Floats, dims: typing.Optional[int] = None, *,
                 parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None, dtype: typing.Any = "float32",
                 device: typing.Any = None, valuation: Day = None, start_time: typing.Union[float, Day] = 0.0,
                 motion_depth: int = 0, order: typing.Any = None,
                 covariance: typing.Optional[Floats] = None, factor: typing.Optional[Floats] = None,
                 start: typing.Optional[Floats] = None, end: typing.Optional[Floats] = None,
                 construction: typing.Optional[Construction] = None, output: typing.Optional[Output] = None,
                 layout: typing.Optional[Layout] = None, strategy: typing.Optional[Strategy] = None,
                 loop_budget: int = 0, planned_paths: int = 0, model: Model = None, substeps: int = 0,
                 controls: bool = False, **more: typing.Any) -> None:
        own = own_keywords(locals(), "payoff", "simulation_params")
        self.dtype, own["dtype"] = numpy.dtype(dtype), dtype
        self.payoff = payoff = translate(payoff) if isinstance(payoff, type) else payoff
        params, values = ffi.new("bailey_simulation_params *"), {**(parameters or {}), **more}
        keep: typing.List[typing.Any] = []
        params.payoff = payoff_of(payoff, keep, loop_budget, model, substeps, controls)[0]
        with explained(payoff):
            self.description = described(lib.bailey_payoff_describe, ffi.addressof(params.payoff), dims=dims or 0, dtype=dtype,
                                         steps=numpy.size(times), motion_depth=motion_depth)
            check_names(self.description, more, "payoff", "simulation_params")
            own["dims"] = self._dims(values, covariance, factor) if dims is None else dims
            fill(params, "simulation_params", own, keep, valuation)
            self._make(lib.bailey_simulation_create, "bailey_simulation", lib.bailey_simulation_destroy, device, params)
        self.dims, self.outputs = int(params.path.dims), int(lib.bailey_simulation_outputs(self._handle))
        self._values: typing.Dict[str, typing.Any] = {}
        self.set(**{**self._defaults(), **values})
        self._remember(payoff=payoff, valuation=valuation, model=model, substeps=substeps, controls=controls, **own)

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

    def _outputs(self) -> typing.List[typing.Dict[str, typing.Any]]:
        """Labels of the outputs: their names, or numbers where they have none."""
        names = [output.name for output in self.description.outputs]
        return [{"output": names[i] if i < len(names) and names[i] else i} for i in range(self.outputs)]

    def __repr__(self) -> str:
        name = self.description.name or "own code"
        return self._shown(f"{name}, steps {numpy.size(self._arguments['times'])}, dims {self.dims}, {self.dtype}")

    @property
    def handle(self) -> typing.Any:
        """For the library."""
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
        """The expectation of each output that has a closed form for the current parameters, else None: what `run` takes
        as `expected`."""
        found = ffi.new("double[]", self.outputs)
        with self._lock:
            check(lib.bailey_simulation_expected(self._handle, found))
        return [None if math.isnan(value) else value for value in found]

    def closed_form(self) -> typing.Optional[float]:
        """The price where a product's code has a closed form that holds under the model, else None."""
        found = ffi.new("double *")
        with self._lock:
            check(lib.bailey_simulation_closed_form(self._handle, found))
        return None if math.isnan(found[0]) else float(found[0])

    @documented("simulation_run_params", "scenarios")
    def run(self, paths: int = 0, **options: Unpack[RunOptions]) -> Estimates:
        """Runs paths first_path .. first_path + paths - 1 of each replicate, and returns an Estimate of each output, for
        each scenario. A single one has its attributes at the list too. With Sobol points, use 16 replicates or more for a
        standard error."""
        return Run(self, paths, options).go()

    @typing.overload
    def samples(self, paths: int, *, out: None = None, **options: Unpack[RunOptions]) -> Reals:
        ...

    @typing.overload
    def samples(self, paths: int, *, out: _Out, **options: Unpack[RunOptions]) -> _Out:
        ...

    @documented("simulation_run_params", "scenarios")
    def samples(self, paths: int, *, out: typing.Any = None, **options: Unpack[RunOptions]) -> typing.Any:
        """The payoff of each path: [results][paths], or [results][replicates][paths] with replicates. An array does not
        show a seed that was drawn: to know it, pass `source`, a bailey.Source()."""
        paths = integer(paths, "paths")
        run = Run(self, paths or 1, options)  # of none there is nothing to run
        between = (int(run.params.replicates),) if run.params.replicates else ()
        with target(out, (run.results, *between, paths), self.dtype, "float32", self._context) as to:
            run.params.samples = to.buffer
            if to.count:
                run.go()
            return to.result

    @documented("normal_params")
    def explain(self, path: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
                **options: Unpack[NormalOptions]) -> typing.List[Moment]:
        """Explains path number `path` of a run, step by step: x, the payoff's state after each step, and the outputs.
        If the code fails, the last moment has the `fault`. Use it to understand or debug a payoff; Payoff.path runs the
        class itself."""
        run = Run(self, 1, dict(options, seed=seed, source=source))
        counts, moments = get_parameters(lib.bailey_simulation_state, self._handle), typing.cast(typing.List[Moment], [])
        names, needs = getattr(self.payoff, "members", {}), lib.bailey_simulation_description(self._handle).path
        points = self.dims * (1 + needs.own_each) + needs.own_more

        def take(user: typing.Any, m: typing.Any) -> int:
            state, at = {}, 0
            for name, count in counts.items():
                if m.state != ffi.NULL:
                    state[names.get(name, name)] = m.state[at] if count == 1 else list(m.state[at:at + count])
                at += count
            count = {lib.BAILEY_MOMENT_KIND_STEP: points, lib.BAILEY_MOMENT_KIND_AT: 1}.get(m.kind, 0)
            moments.append(read(Moment, m, state=state, x=list(m.x[0:count]) if count else [],
                                outputs=list(m.outputs[0:self.outputs]) if m.outputs != ffi.NULL else []))
            return 0

        callback = ffi.callback("bailey_explain", take, error=1)
        try:
            with self._lock, explained(self.payoff):
                check(lib.bailey_simulation_explain(self._handle, run.params, integer(path, "path"), callback, ffi.NULL))
        except PayoffError as error:
            if not moments or not moments[-1].fault:
                raise
            moments[-1] = dataclasses.replace(moments[-1], fault=str(error))
        return moments

    @property
    def discretised(self) -> bool:
        """Whether a built-in discretises its model, so that its estimates have a bias that their standard errors do not
        include."""
        with self._lock:
            return bool(lib.bailey_simulation_is_discretised(self._handle))

    @documented()
    def bias(self, paths: int = 0, *, seed: typing.Optional[int] = None) -> Estimates:
        """An estimate of the bias of each output of a discretised simulation, from `paths` paths, 2 to 2^24 (0: 65536):
        what half of the steps, or twice the tolerance, changes on the same paths (bailey_simulation_bias)."""
        source = source_of(None, seed)
        biases = ffi.new("bailey_estimate[]", self.outputs)
        with self._lock, explained(self.payoff):
            check(lib.bailey_simulation_bias(self._handle, integer(paths, "paths"), source.seed, biases))
        return Estimates((read(Estimate, b, seed=source.seed) for b in biases), self._outputs())

    @documented("simulation_run_params", "scenarios", "histogram")
    def histogram(self, paths: int, low: float, high: float, bins: int, *, output: int = 0,
                  **options: Unpack[RunOptions]) -> Histogram:
        """The histogram of one output: path counts in equal-width bins from `low` to `high`."""
        run = Run(self, paths, options)
        h = fill(run.params.histogram, "histogram", dict(low=low, high=high, bins=bins, output=output), run.keep)
        if not h.bins:
            refuse("bins", "bins is 0; a histogram has at least 1")
        counts = numpy.zeros(h.bins + 2, numpy.uint64)
        h.counts = ffi.cast("uint64_t *", counts.ctypes.data)
        run.go()
        return Histogram(counts[1:-1], numpy.linspace(low, high, bins + 1), int(counts[0]), int(counts[-1]),
                         run.seed)

    @documented("simulation_run_params", "scenarios")
    def result_covariance(self, paths: int = 0, **options: Unpack[RunOptions]) -> Doubles:
        """The covariance of the results of a path, [results][results]."""
        run = Run(self, paths, options)
        matrix = numpy.empty((run.results, run.results))
        run.params.covariance = ffi.cast("double *", matrix.ctypes.data)
        run.go()
        return matrix

    @documented("simulation_run_params", "scenarios", "greeks_params")
    def greeks(self, paths: int = 0, **options: Unpack[GreekOptions]) -> Greeks:
        """The Greeks at the current parameters, from the same paths: a list that begins with the price, and by name, as
        greeks.delta["spot"] (docs/greeks.md)."""
        run, p = Run(self, paths, options), ffi.new("bailey_greeks_params *")
        fill(p, "greeks_params", options, run.keep)
        with self._lock, explained(self.payoff):
            greeks = ffi.new("bailey_greek_estimate[]", lib.bailey_simulation_greeks_count(self._handle, p))
            run.progress.check(lib.bailey_simulation_greeks(self._handle, run.params, p, greeks))
        return Greeks((read(GreekEstimate, greek, seed=run.seed) for greek in greeks),
                      *(_names(options.get(name) or ()) for name in ("spots", "volatilities")))

    @documented("simulation_run_params", "gradient_params")
    def gradient(self, paths: int = 0, **options: Unpack[GradientOptions]) -> Gradient:
        """The outputs and all first derivatives of one of them, where the parameters are set, in one run by
        adjoints (docs/gradients.md): arrays of the parameters' shapes, by name."""
        own = {name: value for name, value in options.items() if name != "weights"}  # which are not those of scenarios
        run, p = Run(self, paths, own), ffi.new("bailey_gradient_params *")
        fill(p, "gradient_params", options, run.keep, outputs=self.outputs)
        with self._lock, explained(self.payoff):
            count = int(lib.bailey_simulation_gradient_count(self._handle, p))
            found, estimates = ffi.new("bailey_derivative[]", max(count, 1)), ffi.new("bailey_estimate[]", run.results)
            run.progress.check(lib.bailey_simulation_gradient(self._handle, run.params, p, estimates, found))
        derivatives = [read(Derivative, found[k], seed=run.seed) for k in range(count)]
        return gradient_of(self, run.found(estimates), derivatives, Question(options), run.seed)

    @documented("exercise_params")
    def exercise(self, paths: int = 0, **options: Unpack[ExerciseOptions]) -> Policy:
        """Estimates an exercise policy for a payoff whose code has `exercise`, and returns a simulation of the payoff under
        it (docs/exercise.md): what it returns from `run`, on other paths, is a lower bound of the price. A seed is
        used with a stream that no run has by default. `outside` is True unless it is given, so that the policy has
        an upper bound."""
        return Policy(self, dict({"outside": True}, **options, paths=paths))

    @documented("simulation_run_params", "scenarios", "exercise_params")
    def exercise_prices(self, paths: int = 0, *, policy_paths: int = 0,
                        **options: Unpack[ExercisePricesOptions]) -> typing.Tuple[Estimates, typing.List[ExerciseResult]]:
        """Prices many deals of a payoff whose code has `exercise`, the scenarios, each under its own policy: what `run`
        returns under the policies that `exercise` finds for each from `policy_paths` paths, with the same bits, and these
        policies. The deals share their launches."""
        run, p = Run(self, paths, options), ffi.new("bailey_exercise_params *")
        fill(p, "exercise_params", dict(options, paths=policy_paths, dtype=self.dtype), run.keep)
        p.source = run.params.source
        p.source.stream = (run.params.source.stream + STREAM) % (1 << 64)
        count = max(int(run.params.scenarios.count), 1)
        found, estimates = ffi.new("bailey_exercise_result[]", count), ffi.new("bailey_estimate[]", run.results)
        with self._lock, explained(self.payoff):
            run.progress.check(lib.bailey_exercise_price(self.handle, p, run.params, found, estimates))
        return run.found(estimates), [read(ExerciseResult, found[i], seed=run.seed) for i in range(count)]

    def on(self, device: typing.Any) -> Simulation:
        """The same simulation, with the same parameters, on another device."""
        return Simulation(device=device, parameters=dict(self._values), **self._arguments)

    @documented("simulation_run_params", "scenarios", "job_params")
    def job(self, paths: int = 0, *, devices: typing.Sequence[typing.Any] = (), **options: Unpack[JobOptions]) -> JobReport:
        """A long run with the bits of `run`: on several devices at once (by default on the simulation's device), with a
        checkpoint, from which the same call resumes, or up to a target standard error (docs/long-runs.md). The
        checkpoint is also saved at the end, and when the run is interrupted."""
        run, p = Run(self, paths, options), ffi.new("bailey_job_params *")
        p.run = run.params[0]
        fill(p, "job_params", options, run.keep)
        check_seeded(options)
        shared = [self.on(device) for device in _names(devices)] or [self]
        estimates, report = ffi.new("bailey_estimate[]", run.results), ffi.new("bailey_job_report *")
        with together(simulation._lock for simulation in shared), explained(self.payoff):
            handles = ffi.new("bailey_simulation *[]", [simulation.handle for simulation in shared])
            run.progress.check(lib.bailey_job_run(handles, len(shared), p, estimates, report))
        done = [read(JobDevice, report.device[i], address=s.context.device.address) for i, s in enumerate(shared)]
        return read(JobReport, report, estimates=run.found(estimates), device=done, seed=run.seed)

    @documented("simulation_run_params", "scenarios")
    def parts(self, n: int, paths: int = 0, **options: Unpack[RunOptions]) -> typing.List[Part]:
        """A run in `n` parts, or fewer where it is too small, for threads, processes and machines: each is called there,
        and bailey.merge makes the results of `run` of what they return. Without a seed, one is drawn here."""
        return parts_of(self, n, paths, options)

    @property
    def context(self) -> Context:
        """For the device that it is on."""
        return self._context.shared()


# ---- Early exercise

STREAM = 1 << 32  # for policies' paths if only a seed is given: other than those of runs


class Policy(Simulation):
    """A simulation of a payoff under an exercise policy, which stays as it is: `run` gives a lower bound of the price, and
    all other methods of Simulation work too. `exercise` made it, `policy` describes it, and `functions` names
    the functions of its regressions."""

    policy: ExerciseResult
    functions: typing.List[str]

    def __init__(self, simulation: typing.Any, options: typing.Dict[str, typing.Any], *,
                 parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None, device: typing.Any = None) -> None:
        base = simulation if isinstance(simulation, Simulation) else Simulation(device=device, **simulation)
        given, rng, seed = options.get("source"), options.get("rng"), options.get("seed")
        source = source_of(given, seed, rng)
        if given is None and rng is None:
            source = source.replace(stream=STREAM)
        keep: typing.List[typing.Any] = []
        watch = Progress(options.get("progress"))
        p = fill(ffi.new("bailey_exercise_params *"), "exercise_params", dict(options, dtype=base.dtype), keep)
        p.source = source.to_c()[0]
        watch.watch(p)
        found, handle = ffi.new("bailey_exercise_result *"), ffi.new("bailey_simulation **")
        with base._lock as opened, explained(base.payoff):
            watch.check(lib.bailey_exercise_find(base.handle, p, found, handle))
            self._keep(base._place, opened, lib.bailey_simulation_destroy, handle[0])
        self.dtype, self.payoff, self.description = base.dtype, base.payoff, base.description
        self.dims, self.outputs, self._values = base.dims, base.outputs, dict(base._values)
        self.policy = read(ExerciseResult, found, seed=source.seed)
        names = (lib.bailey_exercise_function(self._handle, i) for i in range(self.policy.functions))
        self.functions = [ffi.string(name).decode() for name in names]
        again = {name: value for name, value in options.items() if name not in ("seed", "rng", "progress")}
        self._remember(simulation={**base._arguments, **base._settings()}, options=dict(again, source=source))
        self.set(**(parameters or {}))

    @documented("exercise_bounds_params")
    def bounds(self, paths: int = 0, **options: Unpack[BoundOptions]) -> ExerciseBounds:
        """Both bounds of the price, and an interval that has it with 95 % probability (docs/exercise.md). A seed is used
        with streams that neither runs nor policies have by default."""
        given, rng, seed = options.get("source"), options.get("rng"), options.get("seed")
        source = source_of(given, seed, rng)
        if given is None and rng is None:
            source = source.replace(stream=STREAM + 1)
        keep: typing.List[typing.Any] = []
        watch = Progress(options.get("progress"))
        p = fill(ffi.new("bailey_exercise_bounds_params *"), "exercise_bounds_params",
                 dict(options, paths=paths, dtype=self.dtype), keep)
        p.source = source.to_c()[0]
        watch.watch(p)
        found = ffi.new("bailey_exercise_bounds *")
        with self._lock, explained(self.payoff):
            watch.check(lib.bailey_exercise_bound(self.handle, p, found))
        return read(ExerciseBounds, found, seed=source.seed)

    def on(self, device: typing.Any) -> Policy:
        """The same simulation under the same policy, with the same parameters, on another device."""
        return Policy(device=device, parameters=dict(self._values), **self._arguments)

    def exercise(self, paths: int = 0, **options: typing.Any) -> Policy:
        """A policy for the same payoff where the parameters are set now."""
        simulation = {**self._arguments["simulation"], "parameters": dict(self._values)}
        return Policy(simulation, dict({"outside": True}, **options, paths=paths), device=self._context)
