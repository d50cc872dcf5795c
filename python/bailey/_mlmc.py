# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Multilevel Monte Carlo."""
from __future__ import annotations

import dataclasses
import os
import typing

import numpy

from ._bridge import Floats
from ._description import described, length, sizes_of
from ._handle import Made
from ._library import check, choice, constants, ffi, lib, refuse, set_fields, whole
from ._numbers import normal_params, precision_of
from ._payoff import Payoff, payoff_of
from ._progress import Argument, Progress
from ._results import Result
from ._simulation import check_names, codes, get_parameters, set_parameters
from ._source import Source, check_seeded, source_of
from ._values import Day, doubles, reals, year

if typing.TYPE_CHECKING:
    from typing_extensions import Unpack


class MlmcOptions(typing.TypedDict, total=False):
    """What Mlmc.run, Mlmc.sample and Mlmc.test take: seed or source (a Sobol source makes it quasi-Monte Carlo, with
    `replicates`), the normals, progress, and the fields of bailey_mlmc_run_params (docs/mlmc.md)."""

    seed: typing.Optional[int]
    source: typing.Optional[Source]
    method: str
    numerics: str
    bits: int
    progress: Argument
    theta: float
    min_level: int
    max_level: int
    alpha: float
    beta: float
    gamma: float
    cost: typing.Optional[Floats]
    schedule: str
    replicates: int
    checkpoint: typing.Union[str, os.PathLike[str], None]
    checkpoint_seconds: float
    approximate: str
    approximate_cost: float


_FIELDS = ("theta", "min_level", "max_level", "alpha", "beta", "gamma", "replicates", "checkpoint_seconds",
           "approximate_cost")


@dataclasses.dataclass(frozen=True, eq=False)
class Level(Result):
    """Of a level: how many samples, what one costs, mean and variance of the differences of payoffs."""

    samples: int
    cost: float
    mean: float
    variance: float


@dataclasses.dataclass(frozen=True, eq=False)
class MlmcResult(Result):
    """The expectation with its standard error and the bias that is left; what was done on each level, and with
    approximate normals for the `corrections`. `converged` is False for the `reason`, such as a bias
    that is too large on the finest level."""

    value: float
    standard_error: float
    bias: float
    converged: bool
    reason: str
    cost: float
    alpha: float
    beta: float
    gamma: float
    rounds: int
    levels: typing.List[Level]
    corrections: typing.List[Level]
    seed: int


@dataclasses.dataclass(frozen=True, eq=False)
class MlmcTestLevel(Result):
    """A row of the convergence test: of the differences Y, and of what the fine path pays. `check` above 1 says that
    coarse payoffs are not distributed as fine ones of the level below."""

    mean: float
    fine_mean: float
    variance: float
    fine_variance: float
    kurtosis: float
    check: float
    cost: float


@dataclasses.dataclass(frozen=True, eq=False)
class MlmcTestRun(Result):
    """A row of the complexity test: a run with `eps`, and what Monte Carlo on the finest level alone would cost."""

    eps: float
    standard_cost: float
    savings: float
    result: MlmcResult


@dataclasses.dataclass(frozen=True, eq=False)
class MlmcTest(Result):
    """Giles's test of levels: both tables, regressions over the levels, warnings. As a string it is the text of his
    file format."""

    levels: typing.List[MlmcTestLevel]
    runs: typing.List[MlmcTestRun]
    alpha: float
    beta: float
    gamma: float
    kurtosis_warning: bool
    check_warning: bool
    text: str
    seed: int

    def __str__(self) -> str:
        return self.text


def _levels(array: typing.Any, count: int) -> typing.List[Level]:
    return [Level(int(level.samples), level.cost, level.mean, level.variance) for level in array[0:count]]


def _result(r: typing.Any, run: _Run) -> MlmcResult:
    reason = ffi.string(lib.bailey_mlmc_reason_message(r.reason)).decode()
    return MlmcResult(r.mean, r.standard_error, r.bias, bool(r.converged), reason, r.cost, r.alpha, r.beta, r.gamma,
                      int(r.rounds), _levels(r.level, r.levels), _levels(r.correction, r.levels if run.approximate else 0),
                      run.seed)


def mlmc_levels() -> typing.Dict[str, str]:
    """The built-in levels: names and code."""
    return codes(lib.bailey_mlmc_name, lib.bailey_mlmc_describe)


class _Run:
    """A bailey_mlmc_run_params, and what it points to."""

    def __init__(self, dtype: typing.Any, options: typing.Mapping[str, typing.Any]) -> None:
        self.keep: typing.List[typing.Any] = []
        self.params = run = ffi.new("bailey_mlmc_run_params *")
        rest: typing.Dict[str, typing.Any] = dict(options)
        source = source_of(rest.pop("source", None), rest.pop("seed", None))
        run.source, self.seed = source.to_c()[0], source.seed
        run.normal = normal_params(dtype, rest.pop("method", "icdf"), rest.pop("numerics", "exact"), rest.pop("bits", 0))[0]
        run.schedule = choice("MLMC_SCHEDULE", rest.pop("schedule", "batched"), "schedule")
        run.approximate = choice("MLMC_APPROXIMATION", rest.pop("approximate", "exact"), "approximate")
        run.cost = doubles(rest.pop("cost", None), None, "cost", self.keep)
        checkpoint = rest.pop("checkpoint", None)
        check_seeded(checkpoint, options)
        if checkpoint is not None:
            self.keep.append(ffi.new("char[]", os.fsencode(checkpoint)))
            run.checkpoint = self.keep[-1]
        self.progress = Progress(rest.pop("progress", None))
        for name in rest:
            if name not in _FIELDS:
                raise TypeError(f"there is no argument {name!r}; there are {', '.join(_FIELDS)}")
        if "theta" in rest:
            rest["bias_share"] = rest.pop("theta")
        set_fields(run, **rest)
        self.progress.watch(run)

    @property
    def approximate(self) -> bool:
        """Whether there are corrections."""
        return bool(self.params.approximate != lib.BAILEY_MLMC_APPROXIMATION_EXACT)


class Mlmc(Made):
    """Levels of multilevel Monte Carlo: the name of built-in ones (bailey.mlmc_levels()), or a text of levels in C
    (docs/mlmc.md), with parameters by name, which may also be arguments. `time` is in years or, with `valuation`, a date (see Bridge). Threads may
    share it; their calls run one after the other, and those of levels that different threads made at once."""

    def __init__(self, levels: typing.Union[str, Payoff], *,
                 parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None,
                 dims: typing.Optional[int] = None, covariance: typing.Optional[Floats] = None,
                 time: typing.Union[float, Day] = 1.0, valuation: Day = None, first_steps: int = 1,
                 dtype: typing.Any = "float32", device: typing.Any = None, loop_budget: int = 0,
                 **more: typing.Any) -> None:
        self.dtype = numpy.dtype(dtype)
        keep: typing.List[typing.Any] = []
        params = ffi.new("bailey_mlmc_params *")
        params.estimator = payoff_of(levels, keep, loop_budget)[0]
        params.precision = precision_of(dtype)
        values = {**(parameters or {}), **more}
        self.description = described(lib.bailey_mlmc_describe, ffi.addressof(params.estimator), dims=dims or 0,
                                     precision=params.precision)
        check_names(self.description, more)
        if dims is None:
            dims = length(covariance) or sizes_of(self.description, values) or self.description.dims or 1
        set_fields(params, dims=dims)
        params.covariance = doubles(covariance, (dims, dims), "covariance", keep)
        set_fields(params, time=year(time, valuation, "time"), first_steps=first_steps)
        self._make(lib.bailey_mlmc_create, "bailey_mlmc", lib.bailey_mlmc_destroy, device, params)
        self._values: typing.Dict[str, typing.Any] = {}
        self.set(**values)
        self._remember(levels=levels, dims=dims, covariance=covariance, time=time, valuation=valuation,
                       first_steps=first_steps, dtype=dtype, loop_budget=loop_budget)

    def _settings(self) -> typing.Dict[str, typing.Any]:
        return dict(parameters=dict(self._values))

    @property
    def parameters(self) -> typing.Dict[str, int]:
        """Names of the text's parameters, and how many elements each has."""
        with self._lock:
            return get_parameters(lib.bailey_mlmc_parameter, self._handle)

    def set(self, **values: typing.Any) -> Mlmc:
        """Sets parameters. Returns the levels."""
        with self._lock:
            set_parameters(lib.bailey_mlmc_set, self._handle, self.description, values, self._values)
        return self

    def run(self, eps: float, *, samples: int = 0, **options: Unpack[MlmcOptions]) -> MlmcResult:
        """The expectation to a root-mean-square error of eps, from `samples` of each of the first levels on (0: 1000).
        Options are those of MlmcOptions; `schedule` is "batched" or "persistent", `approximate` "exact",
        "constant" or "dyadic"."""
        run, result = _Run(self.dtype, options), ffi.new("bailey_mlmc_result *")
        set_fields(run.params, eps=eps, initial_samples=samples)
        with self._lock:
            run.progress.check(lib.bailey_mlmc_run(self._handle, run.params, result))
        return _result(result, run)

    def sample(self, samples: typing.Sequence[int], **options: Unpack[MlmcOptions]) -> MlmcResult:
        """So many samples of each level, and no others; with approximate normals, then of each correction."""
        run, result = _Run(self.dtype, options), ffi.new("bailey_mlmc_result *")
        counts = numpy.array([whole(count, "samples") for count in samples], numpy.uint64)
        levels = counts.size // 2 if run.approximate else counts.size
        with self._lock:
            run.progress.check(lib.bailey_mlmc_run_samples(self._handle, run.params,
                                                      ffi.cast("uint64_t *", counts.ctypes.data), levels, result))
        return _result(result, run)

    def test(self, eps: typing.Sequence[float] = (), *, samples: int = 0, finest: int = 0,
             **options: Unpack[MlmcOptions]) -> MlmcTest:
        """Giles's test of the levels: convergence, from `samples` on each level up to `finest`, checks, and the costs
        of each eps. It prints as a text in his file format."""
        run, params = _Run(self.dtype, options), ffi.new("bailey_mlmc_test_params *")
        params.run = run.params[0]
        set_fields(params, samples=samples, finest=finest)
        wanted = reals(eps, "eps")
        if wanted.size > constants["BAILEY_MLMC_MAX_EPS"]:
            refuse("eps", f"eps has {wanted.size} entries; at most {constants['BAILEY_MLMC_MAX_EPS']}")
        params.eps, params.eps_count = ffi.cast("double *", wanted.ctypes.data), wanted.size
        report = ffi.new("bailey_mlmc_report *")
        with self._lock:
            run.progress.check(lib.bailey_mlmc_test(self._handle, params, report))
        return _test(report, run)


def _test(r: typing.Any, run: _Run) -> MlmcTest:
    size = lib.bailey_mlmc_report_write(r, ffi.NULL, 0) + 1
    text = ffi.new("char[]", size)
    lib.bailey_mlmc_report_write(r, text, size)
    levels = [MlmcTestLevel(t.mean, t.fine_mean, t.variance, t.fine_variance, t.kurtosis, t.check, t.cost)
              for t in r.level[0:r.levels]]
    runs = [MlmcTestRun(t.eps, t.standard_cost, t.savings, _result(ffi.addressof(t, "result"), run))
            for t in r.run[0:r.runs]]
    return MlmcTest(levels, runs, r.alpha, r.beta, r.gamma, bool(r.kurtosis_warning), bool(r.check_warning),
                    ffi.string(text).decode(), run.seed)


def mlmc(levels: typing.Union[str, Payoff], eps: float, *,
         parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None, dims: int = 1,
         covariance: typing.Optional[Floats] = None, time: typing.Union[float, Day] = 1.0, valuation: Day = None,
         first_steps: int = 1, dtype: typing.Any = "float32", device: typing.Any = None, samples: int = 0,
         **options: Unpack[MlmcOptions]) -> MlmcResult:
    """Multilevel Monte Carlo in one call: Mlmc(levels, ...).run(eps, ...)."""
    made = Mlmc(levels, parameters=parameters, dims=dims, covariance=covariance, time=time, valuation=valuation,
                first_steps=first_steps, dtype=dtype, device=device)
    return made.run(eps, samples=samples, **options)
