# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Gradients: derivatives of an output as arrays with the shapes of the parameters."""
from __future__ import annotations

import dataclasses
import typing

import numpy
import numpy.typing

from ._lists import Estimates
from ._results import Result
from ._tables import html_table
from ._types import Derivative

Doubles = numpy.typing.NDArray[numpy.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class Gradient(Result):
    """Outputs of a simulation, and the derivatives of one of them: `mean["spot"]` has the shape of the parameter spot, and
    `standard_error["spot"]` too. `covariance` is the symmetric matrix of derivatives by the covariance of the path, and
    `time` the derivative by the time at which paths begin; both are None if they were not asked for. Off the diagonal of
    `covariance`, both entries change.

    With `directions`, `second["spot", "volatility"]` has the second derivatives, of the shape of the one parameter and
    then the other. `derivatives` has one object for each number, with all that is known about it, such as the
    `largest_share` of a single path. With `expected`, its estimates have the control variates."""

    estimates: Estimates
    mean: typing.Dict[str, Doubles]
    standard_error: typing.Dict[str, Doubles]
    covariance: typing.Optional[Doubles]
    covariance_standard_error: typing.Optional[Doubles]
    time: typing.Optional[float]
    time_standard_error: typing.Optional[float]
    second: typing.Dict[typing.Tuple[str, str], Doubles]
    second_standard_error: typing.Dict[typing.Tuple[str, str], Doubles]
    derivatives: typing.List[Derivative]
    seed: int

    def _rows(self) -> typing.List[typing.Dict[str, typing.Any]]:
        return [{"by": _by(d), "mean": d.estimate.mean, "standard_error": d.estimate.standard_error,
                 "largest_share": d.largest_share, "independent": d.independent} for d in self.derivatives]

    @property
    def independent(self) -> typing.List[str]:
        """Parameters that the output does not depend on, so that the derivative is 0."""
        return [_by(d) for d in self.derivatives if d.independent]

    def _repr_html_(self) -> str:
        return self.estimates._repr_html_() + html_table("Derivatives", self._rows(), share=False)


def _by(d: Derivative) -> str:
    """The parameter of a derivative, as spot[1], covariance[0, 1], or spot[0] spot[1] of second order."""
    place = f"[{d.first}, {d.second}]" if d.name == "covariance" else "" if d.name == "time" else f"[{d.first}]"
    return (f"{d.by}[{d.by_first}] " if d.by else "") + d.name + place


class Question:
    """Which derivatives stand in the list: those by parameters, by the covariance and by time; then as many for each
    element of each direction."""

    def __init__(self, options: typing.Mapping[str, typing.Any]) -> None:
        directions = options.get("directions")
        directions = () if directions is None else directions
        self.covariance, self.time = bool(options.get("by_covariance")), bool(options.get("by_time"))
        self.directions = [directions] if isinstance(directions, str) else list(directions)


class _Block:
    """Derivatives of one function: by parameters, by the covariance, by time. A parameter may be called as these are."""

    def __init__(self, simulation: typing.Any, derivatives: typing.List[Derivative], question: Question) -> None:
        self.simulation, self.dims = simulation, simulation.dims
        entries = self.dims * (self.dims + 1) // 2 if question.covariance else 0
        end = len(derivatives) - (1 if question.time else 0)
        self.time, self.entries = derivatives[end:], derivatives[end - entries:end]
        self.named: typing.Dict[str, typing.List[Derivative]] = {}
        for derivative in derivatives[:end - entries]:
            self.named.setdefault(derivative.name, []).append(derivative)

    def arrays(self, field: str) -> typing.Dict[str, Doubles]:
        found = {}
        for name, own in self.named.items():
            values = numpy.array([getattr(d.estimate, field) for d in own])
            found[name] = values.reshape(shape_of(self.simulation, name, len(own)))
        return found

    def matrix(self, field: str) -> typing.Optional[Doubles]:
        if not self.entries:
            return None
        matrix = numpy.empty((self.dims, self.dims))
        for entry in self.entries:
            number = getattr(entry.estimate, field)
            matrix[entry.first, entry.second] = matrix[entry.second, entry.first] = number
        return matrix

    def by_time(self, field: str) -> typing.Optional[float]:
        return float(getattr(self.time[0].estimate, field)) if self.time else None

    def everything(self, field: str) -> typing.Dict[str, Doubles]:
        """All of them, where no parameter is called covariance or time."""
        found, matrix, time = self.arrays(field), self.matrix(field), self.by_time(field)
        if matrix is not None:
            found.setdefault("covariance", matrix)
        if time is not None:
            found.setdefault("time", numpy.array(time))
        return found


def shape_of(simulation: typing.Any, name: str, count: int) -> typing.Tuple[int, ...]:
    """The shape of a parameter of `count` numbers: () where it is not an array."""
    parameter = simulation.description.parameter(name)
    return (count,) if parameter is None or parameter.size or count > 1 else ()


def _second(simulation: typing.Any, blocks: typing.List[_Block], question: Question,
            field: str) -> typing.Dict[typing.Tuple[str, str], Doubles]:
    """Blocks stand in the order of the directions; the name of an array is a block for each of its elements."""
    found, at, counts = {}, 0, simulation.parameters
    for direction in question.directions:
        count = 1 if direction not in counts else counts[direction]
        parts = [block.everything(field) for block in blocks[at:at + count]]
        shape = () if direction not in counts else shape_of(simulation, direction, count)
        for name in parts[0]:
            stacked = numpy.array([part[name] for part in parts])
            found[direction, name] = stacked.reshape(shape + stacked.shape[1:])
        at += count
    return found


def gradient_of(simulation: typing.Any, estimates: Estimates, derivatives: typing.List[Derivative],
                question: Question, seed: int) -> Gradient:
    """Derivatives as arrays."""
    size = next((k for k, d in enumerate(derivatives) if d.by), len(derivatives))
    first, *more = [_Block(simulation, derivatives[at:at + size], question)
                    for at in range(0, max(len(derivatives), 1), max(size, 1))]
    return Gradient(estimates, first.arrays("mean"), first.arrays("standard_error"), first.matrix("mean"),
                    first.matrix("standard_error"), first.by_time("mean"), first.by_time("standard_error"),
                    _second(simulation, more, question, "mean"), _second(simulation, more, question, "standard_error"),
                    derivatives, seed)
