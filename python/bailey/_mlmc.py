# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Multilevel Monte Carlo: levels that are built in or written as code, runs to an error that is asked for, and the
convergence test."""
from __future__ import annotations

import dataclasses
import typing

import numpy

from ._bridge import Floats
from ._description import described, length, sizes_of
from ._fields import documented
from ._gradient import Doubles, shape_of
from ._library import ffi, lib
from ._objects import ContextObject
from ._payoff import Payoff, payoff_of
from ._progress import Progress
from ._results import Result, ResultList, read
from ._simulation import check_names, codes, get_parameters, set_parameters
from ._source import check_seeded, source_of
from ._tables import html_table
from ._types import MlmcOptions, MlmcReport, MlmcResult, MlmcTestOptions
from ._typing import Unpack
from ._values import Day, fill, integer, own_keywords


def mlmc_levels() -> typing.Dict[str, str]:
    """The built-in levels: names and code."""
    return codes(lib.bailey_mlmc_name, lib.bailey_mlmc_describe)


@dataclasses.dataclass(frozen=True, eq=False)
class MlmcGradient(Result):
    """An estimate, and its derivatives: `mean["spot"]`, `standard_error["spot"]` and `bias["spot"]` have the shape of the
    parameter spot. `derivatives["spot"]` has the levels of each element."""

    estimate: MlmcResult
    mean: typing.Dict[str, Doubles]
    standard_error: typing.Dict[str, Doubles]
    bias: typing.Dict[str, Doubles]
    derivatives: typing.Dict[str, typing.List[MlmcResult]]
    seed: int

    def _rows(self) -> typing.List[typing.Dict[str, typing.Any]]:
        return [{"by": f"{name}[{k}]", "mean": one.mean, "standard_error": one.standard_error, "bias": one.bias}
                for name, own in self.derivatives.items() for k, one in enumerate(own)]

    def _repr_html_(self) -> str:
        return self.estimate._repr_html_() + html_table("Derivatives", self._rows(), share=False)


class _Run:
    """A bailey_mlmc_run_params, and what it points to."""

    def __init__(self, dtype: typing.Any, options: typing.Any, **eps: float) -> None:
        self.keep: typing.List[typing.Any] = []
        self.params = run = ffi.new("bailey_mlmc_run_params *")
        source = source_of(options.get("source"), options.get("seed"), options.get("rng"))
        run.source, self.seed = source.to_c()[0], source.seed
        fill(run, "mlmc_run_params", dict(options, dtype=dtype, **eps), self.keep)
        check_seeded(options)
        self.progress = Progress(options.get("progress"))
        self.progress.watch(run)

    def result(self, r: typing.Any) -> MlmcResult:
        """As an object. Of exact normals there is nothing to correct."""
        found = read(MlmcResult, r, seed=self.seed)
        return found if self.is_approximate else dataclasses.replace(found, correction=ResultList())

    @property
    def is_approximate(self) -> bool:
        """Whether there are corrections."""
        return bool(self.params.approximate != lib.BAILEY_MLMC_APPROXIMATION_EXACT)


@documented("payoff", "mlmc_params")
class Mlmc(ContextObject):
    """A multilevel Monte Carlo estimator. `estimator` is the name of a built-in (bailey.mlmc_levels()), or level code
    (docs/mlmc.md), whose parameters may be arguments. Threads may share it; their calls run one after the other, while
    estimators that different threads created run in parallel."""

    def __init__(self, estimator: typing.Union[str, Payoff], *,
                 parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None,
                 dims: typing.Optional[int] = None, covariance: typing.Optional[Floats] = None,
                 time: typing.Union[float, Day] = 0.0, valuation: Day = None, first_steps: int = 0,
                 dtype: typing.Any = "float32", device: typing.Any = None, loop_budget: int = 0,
                 **more: typing.Any) -> None:
        own = own_keywords(locals(), "payoff", "mlmc_params")
        self.dtype, own["dtype"] = numpy.dtype(dtype), dtype
        keep: typing.List[typing.Any] = []
        params = ffi.new("bailey_mlmc_params *")
        params.estimator = payoff_of(estimator, keep, loop_budget)[0]
        values = {**(parameters or {}), **more}
        self.description = described(lib.bailey_mlmc_describe, ffi.addressof(params.estimator), dims=dims or 0, dtype=dtype)
        check_names(self.description, more, "payoff", "mlmc_params")
        if dims is None:
            own["dims"] = length(covariance) or sizes_of(self.description, values) or self.description.dims
        fill(params, "mlmc_params", own, keep, valuation)
        self._make(lib.bailey_mlmc_create, "bailey_mlmc", lib.bailey_mlmc_destroy, device, params)
        self._values: typing.Dict[str, typing.Any] = {}
        self.set(**values)
        self._remember(estimator=estimator, valuation=valuation, **own)

    def _settings(self) -> typing.Dict[str, typing.Any]:
        return dict(parameters=dict(self._values))

    def __repr__(self) -> str:
        return self._shown(f"{self.description.name or 'own code'}, {self.dtype}")

    @property
    def parameters(self) -> typing.Dict[str, int]:
        """Names of the code's parameters, and how many elements each has."""
        with self._lock:
            return get_parameters(lib.bailey_mlmc_parameter, self._handle)

    def set(self, **values: typing.Any) -> Mlmc:
        """Sets parameters. Returns the estimator."""
        with self._lock:
            set_parameters(lib.bailey_mlmc_set, self._handle, self.description, values, self._values)
        return self

    @documented("mlmc_run_params")
    def run(self, eps: float, **options: Unpack[MlmcOptions]) -> MlmcResult:
        """Estimates the expectation to a root-mean-square error of eps (docs/mlmc.md). A Sobol source makes it
        quasi-Monte Carlo."""
        run, result = _Run(self.dtype, options, eps=eps), ffi.new("bailey_mlmc_result *")
        with self._lock:
            run.progress.check(lib.bailey_mlmc_run(self._handle, run.params, result))
        return run.result(result)

    @documented("mlmc_run_params")
    def sample(self, samples: typing.Sequence[int], **options: Unpack[MlmcOptions]) -> MlmcResult:
        """Runs exactly the given numbers of samples of each level; with approximate normals, then of each
        correction."""
        run, result = _Run(self.dtype, options), ffi.new("bailey_mlmc_result *")
        counts = numpy.array([integer(count, "samples") for count in samples], numpy.uint64)
        levels = counts.size // 2 if run.is_approximate else counts.size
        with self._lock:
            run.progress.check(lib.bailey_mlmc_run_samples(self._handle, run.params,
                                                      ffi.cast("uint64_t *", counts.ctypes.data), levels, result))
        return run.result(result)

    @documented("mlmc_run_params")
    def gradient(self, eps: float, by: typing.Optional[typing.Sequence[str]] = None,
                 **options: Unpack[MlmcOptions]) -> MlmcGradient:
        """run(), and the derivatives of its estimate by parameters, arrays as a whole (by default, all real ones except
        choices), from the same samples of each level (docs/mlmc.md)."""
        run, result = _Run(self.dtype, options, eps=eps), ffi.new("bailey_mlmc_result *")
        sizes, names = self.parameters, [by] if isinstance(by, str) else by
        if names is None:
            names = [name for name in sizes if self._is_differentiable(name)]
        keep = [ffi.new("char[]", name.encode()) for name in names]
        texts = ffi.new("char *[]", keep + [ffi.NULL])
        with self._lock:
            count = int(lib.bailey_mlmc_gradient_count(self._handle, texts, len(keep)))
            found = ffi.new("bailey_mlmc_result[]", count + 1)
            run.progress.check(lib.bailey_mlmc_gradient(self._handle, run.params, texts, len(keep), result, found))
        derivatives: typing.Dict[str, typing.List[MlmcResult]] = {}
        at = 0
        for name in names:
            derivatives[name] = [run.result(found[at + k]) for k in range(sizes[name])]
            at += sizes[name]
        fields = {field: {name: numpy.array([getattr(d, field) for d in own]).reshape(shape_of(self, name, len(own)))
                          for name, own in derivatives.items()} for field in ("mean", "standard_error", "bias")}
        return MlmcGradient(run.result(result), derivatives=derivatives, seed=run.seed, **fields)

    def _is_differentiable(self, name: str) -> bool:
        text = ffi.new("char[]", name.encode())
        with self._lock:
            return bool(lib.bailey_mlmc_gradient_count(self._handle, ffi.new("char *[]", [text]), 1))

    @documented("mlmc_run_params", "mlmc_test_params")
    def test(self, eps: typing.Sequence[float] = (), **options: Unpack[MlmcTestOptions]) -> MlmcReport:
        """Giles's test of the levels: convergence, from `samples` on each level up to `finest`, checks, and the costs
        of each eps. print() shows it in his file format."""
        run, params = _Run(self.dtype, options), ffi.new("bailey_mlmc_test_params *")
        params.run = run.params[0]
        fill(params, "mlmc_test_params", dict(options, eps=eps), run.keep)
        report = ffi.new("bailey_mlmc_report *")
        with self._lock:
            run.progress.check(lib.bailey_mlmc_test(self._handle, params, report))
        text = ffi.new("char[]", lib.bailey_mlmc_report_write(report, ffi.NULL, 0) + 1)
        lib.bailey_mlmc_report_write(report, text, len(text))
        found = read(MlmcReport, report, text=ffi.string(text).decode(), seed=run.seed)
        exact = [dataclasses.replace(row, result=run.result(report.run[i].result)) for i, row in enumerate(found.run)]
        return dataclasses.replace(found, run=ResultList(exact))


@documented("payoff", "mlmc_params", "mlmc_run_params")
def mlmc(estimator: typing.Union[str, Payoff], eps: float, *,
         parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None, dims: typing.Optional[int] = None,
         covariance: typing.Optional[Floats] = None, time: typing.Union[float, Day] = 0.0, valuation: Day = None,
         first_steps: int = 0, dtype: typing.Any = "float32", device: typing.Any = None,
         loop_budget: int = 0, **options: Unpack[MlmcOptions]) -> MlmcResult:
    """Multilevel Monte Carlo in one call: Mlmc(estimator, ...).run(eps, ...)."""
    made = Mlmc(estimator, parameters=parameters, dims=dims, covariance=covariance, time=time, valuation=valuation,
                first_steps=first_steps, dtype=dtype, device=device, loop_budget=loop_budget)
    return made.run(eps, **options)
