# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Multilevel Monte Carlo."""
import dataclasses
import typing

import numpy

from ._bridge import _doubles
from ._devices import context
from ._library import check, choice, constants, ffi, lib
from ._numbers import normal_params, precision_of
from ._simulation import Progress, get_parameters, payoff_of, set_parameters
from ._source import source_of


@dataclasses.dataclass(frozen=True)
class Level:
    """Of a level: how many samples, what one costs, mean and variance of the differences of payoffs."""

    samples: int
    cost: float
    mean: float
    variance: float


@dataclasses.dataclass(frozen=True)
class MlmcResult:
    value: float
    standard_error: float
    bias: float
    converged: bool
    cost: float
    alpha: float
    beta: float
    gamma: float
    rounds: int
    levels: typing.List[Level]


def _result(r):
    levels = [Level(int(l.samples), l.cost, l.mean, l.variance) for l in r.level[0:r.levels]]
    return MlmcResult(r.value, r.standard_error, r.bias, bool(r.converged), r.cost, r.alpha, r.beta, r.gamma,
                      int(r.rounds), levels)


class Mlmc:
    """Levels of multilevel Monte Carlo: "european", "asian", "lookback", "digital", "barrier", or a text of levels in
    C (docs/mlmc.md), with parameters by name."""

    def __init__(self, levels, *, parameters=None, dims=1, covariance=None, time=1.0, first_steps=1, dtype="float32",
                 device=None):
        self._context = context(device)
        self.dtype = numpy.dtype(dtype)
        keep = []
        params = ffi.new("bailey_mlmc_params *")
        params.levels = payoff_of(levels, keep)[0]
        params.precision, params.dims = precision_of(dtype), dims
        params.covariance = _doubles(covariance, (dims, dims), "covariance", keep)
        params.time, params.first_steps = time, first_steps
        handle = ffi.new("bailey_mlmc **")
        check(lib.bailey_mlmc_create(self._context.handle, params, handle))
        self._handle = ffi.gc(handle[0], lib.bailey_mlmc_destroy)
        if parameters:
            self.set(**parameters)

    @property
    def parameters(self):
        """Names of the text's parameters, and how many elements each has."""
        return get_parameters(lib.bailey_mlmc_parameter, self._handle)

    def set(self, **values):
        """Sets parameters. Returns the levels."""
        set_parameters(lib.bailey_mlmc_set, self._handle, values)
        return self

    def _params(self, seed, source, method, numerics, bits, schedule, options):
        run = ffi.new("bailey_mlmc_run_params *")
        run.source = source_of(source, seed)[0]
        run.normal = normal_params(self.dtype, method, numerics, bits)[0]
        run.schedule = choice("MLMC", schedule, "schedule")
        keep = []
        if options.get("cost") is not None:
            run.cost = _doubles(options.pop("cost"), None, "cost", keep)
        if options.get("checkpoint") is not None:
            keep.append(ffi.new("char[]", str(options.pop("checkpoint")).encode()))
            run.checkpoint = keep[-1]
        for name, value in options.items():
            setattr(run, name, value)
        return run, keep

    def run(self, eps, *, seed=None, source=None, method="icdf", numerics="exact", bits=0, schedule="deterministic",
            progress=None, **options):
        """The expectation to a root-mean-square error of eps. Options are the fields of bailey_mlmc_run_params:
        theta, samples, min_level, max_level, alpha, beta, gamma, cost, replicates, checkpoint."""
        run, _keep = self._params(seed, source, method, numerics, bits, schedule, options)
        run.eps = eps
        watch = Progress(progress)
        run.progress = watch.callback
        result = ffi.new("bailey_mlmc_result *")
        watch.check(lib.bailey_mlmc_run(self._handle, run, result))
        return _result(result)

    def sample(self, samples, *, seed=None, source=None, method="icdf", numerics="exact", bits=0, **options):
        """So many samples of each level, and no others."""
        run, _keep = self._params(seed, source, method, numerics, bits, "deterministic", options)
        counts = numpy.ascontiguousarray(samples, numpy.uint64)
        result = ffi.new("bailey_mlmc_result *")
        check(lib.bailey_mlmc_sample(self._handle, run, ffi.cast("uint64_t *", counts.ctypes.data), counts.size, result))
        return _result(result)

    def test(self, eps=(), *, samples=0, finest=0, seed=None, source=None, method="icdf", numerics="exact", bits=0,
             schedule="deterministic", **options):
        """Giles's test of the levels, as the text of his file format: convergence, checks, and the costs of each
        eps."""
        params = ffi.new("bailey_mlmc_test_params *")
        run, _keep = self._params(seed, source, method, numerics, bits, schedule, options)
        params.run, params.samples, params.finest = run[0], samples, finest
        wanted = numpy.ascontiguousarray(eps, float)
        if wanted.size > constants["BAILEY_MLMC_MAX_EPS"]:
            raise ValueError(f"eps has {wanted.size} entries; at most {constants['BAILEY_MLMC_MAX_EPS']}")
        params.eps, params.eps_count = ffi.cast("double *", wanted.ctypes.data), wanted.size
        report = ffi.new("bailey_mlmc_report *")
        check(lib.bailey_mlmc_test(self._handle, params, report))
        size = lib.bailey_mlmc_report_write(report, ffi.NULL, 0) + 1
        text = ffi.new("char[]", size)
        lib.bailey_mlmc_report_write(report, text, size)
        return ffi.string(text).decode()


def mlmc(levels, eps, *, parameters=None, seed=None, device=None, **options):
    """Multilevel Monte Carlo in one call: Mlmc(levels, ...).run(eps, ...)."""
    made = {k: options.pop(k) for k in ("dims", "covariance", "time", "first_steps", "dtype") if k in options}
    return Mlmc(levels, parameters=parameters, device=device, **made).run(eps, seed=seed, **options)
