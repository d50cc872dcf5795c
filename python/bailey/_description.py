# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What payoffs and levels say about themselves: their parameters, outputs and path, as the library reads them from the
comments of their code; and warnings of values that look like mistakes."""
from __future__ import annotations

import dataclasses
import inspect
import textwrap
import typing

import numpy

from ._fields import word
from ._library import check, ffi, lib, refuse
from ._values import fill

_TYPES = {0: "float", 1: "int", 2: "uint32", 3: "int64", 4: "uint64"}
_PATHS = {1: "the Brownian motion", 2: "its increments, divided by the time they take", 3: "standard normals",
          4: "a motion, at any time (levels)"}
EMPTY = inspect.Parameter.empty


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a payoff. `count` elements, or as many as `size` says ("DIMS"); `range` and `usual` say in words which
    values are allowed, and which give no warning; `choices` are those that it may have, with words for them; `default` is
    a number, the name of another parameter, or None."""

    name: str
    summary: str
    unit: str
    type: str
    count: int
    size: str
    range: str
    usual: str
    choices: typing.Mapping[float, str]
    default: typing.Union[float, str, None]
    role: str

    def numbers(self, value: typing.Any) -> typing.Any:
        """The value, where words for choices, such as "put", are the numbers that they stand for."""
        if isinstance(value, (list, tuple)):
            return [self.numbers(element) for element in value]
        if not isinstance(value, str):
            return value
        for number, name in self.choices.items():
            if name and name == value:
                return number
        words = ", ".join(name for name in self.choices.values() if name)
        refuse(self.name, f"{self.name}: {value!r} is not one of {words}" if words else
               f"{self.name} is a number, not {value!r}")

    def __str__(self) -> str:
        heading = f"{self.name}[{self.size}]" if self.size else self.name
        about = [part for part in (self.unit, self.range, self.usual and f"usually {self.usual}",
                                   "" if self.default is None else f"default {_number(self.default)}") if part]
        return f"{heading}: {self.summary or self.role or self.type}" + (f" [{'; '.join(about)}]" if about else "")


@dataclasses.dataclass(frozen=True)
class Output:
    """A number that a path gives. A `control` has a known expectation; `likelihood` says that derivatives by likelihood
    ratios are right."""

    name: str
    summary: str
    control: bool
    likelihood: bool


@dataclasses.dataclass(frozen=True)
class Description:
    """The description of a payoff, from its code. print() shows it as a page of text."""

    name: str
    summary: str
    details: str
    source: str
    x: str
    dims: int
    parameters: typing.Tuple[Parameter, ...]
    outputs: typing.Tuple[Output, ...]
    checks: typing.Tuple[str, ...]
    code: str = dataclasses.field(repr=False)

    def parameter(self, name: str) -> typing.Optional[Parameter]:
        """The parameter with this name."""
        return next((p for p in self.parameters if p.name == name), None)

    def signature(self) -> inspect.Signature:
        """A function signature with the parameters."""
        return inspect.Signature([
            inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=EMPTY if p.default is None else p.default)
            for p in self.parameters if p.name.isidentifier()])

    def __str__(self) -> str:
        parts = [textwrap.fill(text, 100) for text in (self.summary, *self.details.split("\n\n")) if text]
        if self.parameters:
            parts.append("Parameters:\n" + "\n".join(
                textwrap.fill(str(p), 100, initial_indent="    ", subsequent_indent="        ") for p in self.parameters))
        named = [o for o in self.outputs if o.name or o.summary]
        if named:
            parts.append("Outputs:\n" + "\n".join(
                textwrap.fill(f"{o.name}: {o.summary}" if o.summary else o.name, 100, initial_indent="    ",
                              subsequent_indent="        ") for o in named))
        if self.x:
            parts.append(f"x is {self.x}.")
        if self.source:
            parts.append(f"Source: {self.source}")
        return "\n\n".join(parts)


def _number(value: typing.Union[float, str]) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _parameter(p: typing.Any) -> Parameter:
    kind = int(p.default_kind)
    default: typing.Union[float, str, None] = None
    if kind == lib.BAILEY_DEFAULT_KIND_NUMBER:
        default = float(p.default_value) if p.type == lib.BAILEY_PARAMETER_TYPE_REAL else int(p.default_value)
    elif kind == lib.BAILEY_DEFAULT_KIND_PARAMETER:
        default = word(p.default_code)
    choices = {float(p.choices[i].value): word(p.choices[i].name) for i in range(p.choice_count)}
    return Parameter(word(p.name), word(p.summary), word(p.unit), _TYPES.get(int(p.type), ""), int(p.count),
                     word(p.size), word(p.range_words), word(p.usual_words), choices, default,
                     word(lib.bailey_role_name(p.role)))


def read(d: typing.Any) -> Description:
    """A bailey_description."""
    outputs = [d.outputs[i] for i in range(d.output_count)]
    return Description(
        word(d.name), word(d.summary), word(d.details), word(d.source), _PATHS.get(int(d.path.kind), ""),
        int(d.path.dims_least), tuple(_parameter(d.parameters[i]) for i in range(d.parameter_count)),
        tuple(Output(word(o.name), word(o.summary), bool(o.control), bool(o.likelihood)) for o in outputs),
        tuple(word(d.checks[i]) for i in range(d.check_count)), word(d.code))


def described(call: typing.Any, payoff: typing.Any, **sizes: typing.Any) -> Description:
    """By bailey_payoff_describe or bailey_mlmc_describe, for these fields of bailey_describe_params."""
    found, params = ffi.new("bailey_description **"), ffi.new("bailey_describe_params *")
    fill(params, "describe_params", sizes, [])
    check(call(payoff, params, found))
    try:
        return read(found[0])
    finally:
        lib.bailey_description_destroy(found[0])


def sizes_of(description: Description, values: typing.Mapping[str, typing.Any]) -> int:
    """How many dims the lengths of arrays that are set say there are; 0: none says so."""
    for p in description.parameters:
        if p.size == "DIMS" and length(values.get(p.name)):
            return length(values[p.name])
    return 0


def length(thing: typing.Any) -> int:
    """For a list or array; 0 of what is none."""
    return len(thing) if numpy.ndim(thing) > 0 else 0

