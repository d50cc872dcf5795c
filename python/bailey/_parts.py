# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Runs in parts, for pools of threads, processes and machines: parts that can be pickled, and partial results that add up
to the bits of the whole run in any order (bailey/job.h: tallies)."""
from __future__ import annotations

import contextlib
import copy
import threading
import typing
import weakref

from ._fields import Renamed
from ._library import check, ffi, lib, refuse
from ._lists import Estimates
from ._payoff import explained
from ._run import Run
from ._source import source_of
from ._values import integer


class _Own(threading.local):
    """A thread's copies of simulations that another thread made."""

    def __init__(self) -> None:
        self.simulations: weakref.WeakKeyDictionary[typing.Any, typing.Any] = weakref.WeakKeyDictionary()


_own = _Own()


def _here(simulation: typing.Any) -> typing.Any:
    """The simulation on the calling thread's context, so that threads work side by side."""
    place = simulation._context
    own = place.again()
    if own.opened is place.opened:
        return simulation
    found = _own.simulations.get(simulation)
    if found is None:
        found = _own.simulations[simulation] = simulation.on(own)
    return found


class _Question:
    """A run that is divided: what all its parts share."""

    def __init__(self, simulation: typing.Any, paths: int, options: typing.Mapping[str, typing.Any]) -> None:
        for name in ("progress", "checkpoint"):
            if options.get(name) is not None:
                refuse(name, f"{name} is given; each part has one when it runs" if name == "progress" else
                       f"{name} is given; save partial results instead")
        source = source_of(options.get("source"), options.get("seed"), options.get("rng"))
        kept = {name: value for name, value in options.items() if name not in ("seed", "source", "rng")}
        self.simulation, self.paths, self.options = copy.copy(simulation), paths, {**kept, "source": source}

    @contextlib.contextmanager
    def tally(self, progress: typing.Any = None) -> typing.Iterator[_Tally]:
        """An empty tally of it, on this thread."""
        simulation = _here(self.simulation)
        run, handle = Run(simulation, self.paths, {**self.options, "progress": progress}), ffi.new("bailey_tally **")
        watched = run.params.progress
        run.params.progress = ffi.NULL
        with simulation._lock, explained(simulation.payoff):
            check(lib.bailey_tally_create(simulation.handle, run.params, handle))
            run.params.progress = watched
            try:
                yield _Tally(handle[0], run, simulation)
            finally:
                lib.bailey_tally_destroy(handle[0])


class _Tally:
    """A bailey_tally."""

    def __init__(self, handle: typing.Any, run: Run, simulation: typing.Any) -> None:
        self.handle, self.run, self.simulation = handle, run, simulation

    def parts(self) -> int:
        return int(lib.bailey_tally_parts(self.handle))

    def go(self, first: int, count: int) -> None:
        """Runs parts of it."""
        params = ffi.new("bailey_job_params *")
        params.run = self.run.params[0]
        handles = ffi.new("bailey_simulation *[]", [self.simulation.handle])
        self.run.progress.check(lib.bailey_job_run_part(self.handle, handles, 1, params, first, count, ffi.NULL))

    def load(self, partial: Partial) -> None:
        check(lib.bailey_tally_load(self.handle, partial.data, len(partial.data)))

    def save(self, question: _Question) -> Partial:
        data = bytearray(int(lib.bailey_tally_bytes(self.handle)))
        check(lib.bailey_tally_save(self.handle, ffi.from_buffer(data), len(data)))
        return Partial(question, bytes(data), int(lib.bailey_tally_paths(self.handle)), self._missing())

    def _missing(self) -> int:
        """How many parts are missing."""
        first, missing, at = ffi.new("uint64_t *"), 0, 0
        while True:
            count = int(lib.bailey_tally_missing(self.handle, at, first))
            if count == 0:
                return missing
            missing, at = missing + count, int(first[0]) + count

    def estimates(self) -> Estimates:
        found = ffi.new("bailey_estimate[]", self.run.results)
        check(lib.bailey_tally_estimates(self.handle, found, ffi.NULL, ffi.NULL))
        return self.run.found(found)


class Part(Renamed):
    """A part of a run (Simulation.parts). Calling it, or `run`, runs it, in any thread, process or machine, and returns a
    Partial. It can be pickled, and its results do not depend on where it runs."""

    def __init__(self, question: _Question, first: int, count: int) -> None:
        self._question, self._first, self._count = question, first, count

    def __repr__(self) -> str:
        return f"<bailey.Part: {self._first} to {self._first + self._count - 1} of {self._question.simulation!r}>"

    def run(self, progress: typing.Any = None) -> Partial:
        """Runs it; `progress` is as for Simulation.run."""
        with self._question.tally(progress) as tally:
            tally.go(self._first, self._count)
            return tally.save(self._question)

    __call__ = run


class Partial(Renamed):
    """The partial result of some parts of a run: `paths` is how many paths of all replicates are in it. Partial results of
    one run add up, in any order: `a + b`, or bailey.merge for all. It can be pickled."""

    def __init__(self, question: _Question, data: bytes, paths: int, missing: int) -> None:
        self._question, self.data, self.paths, self._missing = question, data, paths, missing

    def __repr__(self) -> str:
        rest = f", {self._missing} of its parts missing" if self._missing else ", complete"
        return f"<bailey.Partial: {self.paths} paths{rest}>"

    @property
    def complete(self) -> bool:
        """Whether all parts of the run are in it."""
        return self._missing == 0

    def __add__(self, other: object) -> Partial:
        if not isinstance(other, Partial):
            return NotImplemented
        return _merged([self, other])

    def __radd__(self, other: object) -> Partial:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # sum() begins with 0

    def estimates(self) -> Estimates:
        """The results of the run, whose parts must all be in it: the bits of Simulation.run."""
        if self._missing:
            refuse("", f"{self._missing} of the run's parts are missing")
        with self._question.tally() as tally:
            tally.load(self)
            return tally.estimates()


def _merged(partials: typing.Iterable[Partial]) -> Partial:
    each = iter(partials)
    first = next(each, None)
    if first is None:
        refuse("partials", "there is no partial result")
    with first._question.tally() as tally:
        tally.load(first)
        for partial in each:
            tally.load(partial)
        return tally.save(first._question)


def merge(partials: typing.Iterable[Partial]) -> Estimates:
    """The results of a run from the partial results of all its parts, in any order: the bits of Simulation.run. They may
    come from an iterator, such as a pool's."""
    return _merged(partials).estimates()


def parts_of(simulation: typing.Any, n: int, paths: int, options: typing.Mapping[str, typing.Any]) -> typing.List[Part]:
    """The parts of Simulation.parts."""
    count = integer(n, "n")
    if count == 0:
        refuse("n", "n is 0; a run has at least one part")
    question = _Question(simulation, paths, options)
    with question.tally() as tally:
        total = tally.parts()
    count = min(count, total)
    ends = [total * i // count for i in range(count + 1)]
    return [Part(question, first, end - first) for first, end in zip(ends, ends[1:])]
