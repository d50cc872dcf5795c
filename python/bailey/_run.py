# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""One run of a simulation as the library takes it, and its results as objects: what every method that runs one shares."""
from __future__ import annotations

import math
import typing

import numpy

from ._library import ffi, lib, refuse, warn
from ._lists import Estimates
from ._payoff import explained
from ._progress import Progress
from ._results import read
from ._source import source_of, warn_of_balance
from ._types import Estimate
from ._values import doubles, fill, number, reals, strings


class Run:
    """A bailey_simulation_run_params, what it points to, and how many results there will be."""

    def __init__(self, simulation: typing.Any, paths: int, options: typing.Any) -> None:
        self.keep: typing.List[typing.Any] = []
        self.simulation, self.outputs, self.options = simulation, simulation.outputs, options
        self.params = run = ffi.new("bailey_simulation_run_params *")
        drawn = source_of(options.get("source"), options.get("seed"), options.get("rng"))
        run.source, self.seed = drawn.to_c()[0], drawn.seed
        self.place_scenarios(options)
        expected = options.get("expected")
        if expected is not None:
            expected = expected if isinstance(expected, (list, tuple)) else numpy.atleast_1d(expected)
            expected = [math.nan if value is None else number(value, "expected") for value in expected]
        fill(run, "simulation_run_params", dict(options, paths=paths, expected=expected, dtype=simulation.dtype), self.keep,
             results=self.results)
        self.progress = Progress(options.get("progress"))
        self.progress.watch(run)
        warn_of_balance(ffi.addressof(run.source), run.first_path, run.paths)

    def place_scenarios(self, options: typing.Any) -> None:
        """Scenario s takes element s of each."""
        columns = {name: numpy.atleast_1d(reals(value, name)) for name, value in (options.get("scenarios") or {}).items()}
        count = len(next(iter(columns.values()), ()))
        for name, values in columns.items():
            if values.shape != (count,):
                refuse(name, f"{name} has {len(values)} scenarios, and {next(iter(columns))} has {count}")
        c = self.params.scenarios
        if columns:
            c.count, c.columns, c.names = count, len(columns), strings(columns, "scenarios", self.keep)
            c.values = doubles(numpy.column_stack(list(columns.values())), None, "scenarios", self.keep)
        elif options.get("weights") is not None and options.get("time_shift") is None:
            c.count = 1
        rest = {name: value for name, value in options.items() if name != "scenarios"}
        fill(c, "scenarios", rest, self.keep, dims=self.simulation.dims, outputs=self.outputs)
        self.results = int(c.rows) or (int(c.count) or 1) * self.outputs

    def labels(self, options: typing.Any) -> typing.List[typing.Dict[str, typing.Any]]:
        """The label of each result: its output and the values of its scenario, or its row of weights."""
        if self.params.scenarios.rows:
            return [{"row": row} for row in range(self.results)]
        outputs: typing.List[typing.Dict[str, typing.Any]] = self.simulation._outputs()
        if self.results == self.outputs and not options.get("scenarios"):
            return outputs
        columns = {name: numpy.atleast_1d(values).tolist() for name, values in (options.get("scenarios") or {}).items()}
        if options.get("time_shift") is not None:
            columns["time_shift"] = numpy.atleast_1d(options["time_shift"]).tolist()
        scenarios = range(self.results // self.outputs)
        return [{**output, **({name: values[s] for name, values in columns.items()} or {"scenario": s})}
                for s in scenarios for output in outputs]

    def _estimates(self) -> typing.List[Estimate]:
        """Runs it, and reads its results, with a warning where an error is not known although there are replicates."""
        estimates = ffi.new("bailey_estimate[]", self.results)
        with self.simulation._lock, explained(self.simulation.payoff):
            self.progress.check(lib.bailey_simulation_run(self.simulation.handle, self.params, estimates))
        return self._read(estimates)

    def _read(self, estimates: typing.Any) -> typing.List[Estimate]:
        found = [read(Estimate, e, seed=self.seed) for e in estimates]
        if self.params.replicates > 1 and any(math.isnan(e.standard_error) for e in found):
            warn("the standard error is unknown: all replicates have the same mean although paths differ; use more paths, "
                 "or random numbers", RuntimeWarning)
        return found

    def go(self) -> Estimates:
        """Runs it."""
        return Estimates(self._estimates(), self.labels(self.options))

    def again(self, seed: int, expected: typing.Optional[typing.Sequence[typing.Optional[float]]]) -> typing.List[Estimate]:
        """Runs it with another seed, and other expectations of as many outputs, where it has such."""
        self.seed = self.params.source.seed = seed
        for i, value in enumerate(expected or ()):
            self.params.expected[i] = math.nan if value is None else value
        return self._estimates()

    def found(self, estimates: typing.Any) -> Estimates:
        """What another call of the library has written, as objects."""
        return Estimates(self._read(estimates), self.labels(self.options))
