# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Payoffs written in Python, as the code in the payoff language that is compiled for the device.

    from bailey.payoff import STEPS, exp

    @bailey.payoff
    class Asian:
        spot: float
        strike: float
        rate: float
        volatility: float = 0.2

        def start(self):
            self.total = 0.0

        def step(self, i, t, x):
            drift = self.rate - self.volatility**2 / 2
            self.total += self.spot * exp(drift * t + self.volatility * x[0])

        def finish(self):
            return max(self.total / STEPS - self.strike, 0.0)

    bailey.Simulation(Asian, times, parameters=dict(spot=100, strike=100, rate=0.03))

Annotations declare parameters (float, int, or an array: bailey.array(3)), and the attributes that `start` assigns are
the state of a path. The code, `Asian.code`, computes what Python would, up to rounding, or the class is refused with
the line that cannot be translated. Numbers are reals outside of indices and ranges; where Python raises an exception as
it computes (1 / 0.0, log(0)), the code yields an infinity or a NaN, for which a run gives no price.
"""
from __future__ import annotations

import contextlib
import inspect
import re
import typing

import numpy

from . import _description
from . import payoff as language
from ._fields import Renamed
from ._library import BaileyError, ffi, lib, refuse
from ._payoff_class import Place, Unit, array, message
from ._payoff_code import code_of
from ._values import fill, integer, text

__all__ = ["Payoff", "PayoffClass", "array", "payoff"]


class PayoffClass(typing.Protocol):
    """The interface of a payoff class."""

    def start(self) -> None:
        """Initialises the state of a path."""

    def step(self, i: int, t: float, x: typing.Any, /) -> None:
        """Handles step i of the path, with x at time t."""

    def finish(self) -> typing.Any:
        """Returns the payoff of the path: a number, or a tuple of numbers."""


_Class = typing.TypeVar("_Class", bound=PayoffClass)


@contextlib.contextmanager
def explained(payoff: typing.Any) -> typing.Iterator[None]:
    """Errors of what is done here name the lines of the Python source."""
    try:
        yield
    except BaileyError as error:
        if isinstance(payoff, Payoff):
            raise payoff.explained(error) from None
        raise


class Payoff(Renamed):
    """A payoff that was written in Python. `code` is the code that is compiled; `defaults` are those of its parameters;
    `python` is the class, which computes the same in Python, up to rounding; it is None after unpickling."""

    __signature__: inspect.Signature

    def __init__(self, name: str, code: str, python: typing.Any, defaults: typing.Mapping[str, typing.Any] = {},
                 file: str = "", places: typing.Sequence[Place] = (), lines: typing.Mapping[int, str] = {},
                 members: typing.Mapping[str, str] = {}) -> None:
        self.name, self.code, self.python = name, code, python
        self.defaults = dict(defaults)
        self._file, self._places, self._lines, self.members = file, list(places), dict(lines), dict(members)

    def __reduce__(self) -> typing.Any:
        # a pickle cannot name the class: the payoff has its name now
        return Payoff, (self.name, self.code, None, self.defaults, self._file, self._places, self._lines, self.members)

    def __copy__(self) -> Payoff:
        return Payoff(self.name, self.code, self.python, *self.__reduce__()[1][3:])

    def __deepcopy__(self, memo: object) -> Payoff:
        return self.__copy__()

    def __repr__(self) -> str:
        return f"<payoff {self.name}>"

    def __call__(self, **parameters: typing.Any) -> typing.Any:
        """An object of the class, with these parameters."""
        if self.python is None:
            raise TypeError(f"{self.name} was pickled, without its class")
        one = self.python()
        for name, value in {**self.defaults, **parameters}.items():
            setattr(one, name, value)
        return one

    @property
    def description(self) -> _description.Description:
        """The description of the payoff: its docstring, its parameters with their comments, its outputs."""
        keep: typing.List[typing.Any] = []
        with explained(self):
            return _description.described(lib.bailey_payoff_describe, payoff_of(self, keep))

    def describe(self) -> None:
        """Makes help() and inspect.signature() show the parameters."""
        try:
            description = self.description
        except BaileyError:
            return  # a simulation will say why, which knows the dims
        self.__doc__, self.__signature__ = str(description), description.signature()

    def path(self, times: typing.Any, x: typing.Any, **parameters: typing.Any) -> typing.Any:
        """Runs the class in plain Python on one path, x[step][dim] at `times`, and returns its payoff. Up to rounding
        it equals that of the compiled payoff; a debugger can step through it."""
        one, points = self(**parameters), numpy.asarray(x, numpy.float64).tolist()
        with language.sizes(len(times), len(points[0])):
            one.start()
            for i, t in enumerate(times):
                one.step(i, float(t), points[i])
            return one.finish()

    def explained(self, error: BaileyError) -> BaileyError:
        """Converts an error that names a line of the code to one that names the line of the Python source."""
        text = str(error)
        found = re.search(re.escape(self.name) + r"(?::(\d+):\d+|, line (\d+)|:(\d+))", text)
        if found is None:
            return error
        number = int(found[1] or found[2] or found[3])
        place = self._places[number - 1] if 0 < number <= len(self._places) else (0, 0)
        what = self.in_python(text[found.end():].lstrip(": ").split("\n")[0])
        if place[0] == 0:
            place = next((p for p in self._places if p[0]), (0, 0))
        words = text[:found.start()].rstrip(": ")
        said = message(self._file, place, self._lines.get(place[0], ""), f"{words}: {what}" if words else what)
        return type(error)(said, error.status, error.argument)

    def in_python(self, text: str) -> str:
        """A message about the code, reworded for the class."""
        def name(code: str) -> str:
            return f"self.{self.members[code]}" if code in self.members else code

        text = re.sub(r"\bindex (-?\d+) of (\w+)\[(\d+)\]", lambda found: (
            f"index {found[1]} of {name(found[2])}, which has {found[3]} element{'s' if found[3] != '1' else ''}"), text)
        return re.sub(r"\b[sp]->(\w+)", lambda found: name(found[1]), text)


def payoff(python: typing.Type[_Class]) -> typing.Type[_Class]:
    """Turns a class with the methods start, step and finish into a payoff (bailey.payoff is also the module with the
    functions that it may call). The result is a Payoff; type checkers still see the class."""
    return typing.cast(typing.Type[_Class], translate(python))


for _name in language.__all__:  # `import bailey.payoff as p` gives the function
    setattr(payoff, _name, getattr(language, _name))


def translate(python: typing.Any) -> Payoff:
    """A class as a payoff."""
    unit = Unit(python)
    try:
        text, places = code_of(unit)
    except RecursionError:
        refuse("payoff", f"an expression of {unit.name} has too many parts; give some of them names")
    defaults = {p.name: p.default if p.size is not None else p.default[0]
                for p in unit.parameters.values() if p.default is not None}
    made = Payoff(unit.name, text, python, defaults, unit.file, places,
                  {line: unit.line(line) for line, _ in places if line},
                  {**{field.code: name for name, field in unit.fields.items()}, **{name: name for name in unit.parameters}})
    made.describe()
    return made


AnyPayoff = typing.Union[str, Payoff, typing.Type[PayoffClass]]  # what a simulation takes
Model = typing.Union[str, typing.Sequence[str], None]


def _is_code(words: str) -> bool:
    return any(sign in words for sign in "{;\n")


def payoff_of(payoff: AnyPayoff, keep: typing.List[typing.Any], loop_budget: int = 0, model: Model = None,
              substeps: int = 0, controls: bool = False) -> typing.Any:
    """bailey_payoff of a built-in's name or of code: whatever has more than one word is code. A model is a name such as
    "heston+curve", code, or a list of names with the code of one layer."""
    c = fill(ffi.new("bailey_payoff *"), "payoff", dict(loop_budget=loop_budget), keep)
    if isinstance(payoff, Payoff):
        c.code, c.name = text(payoff.code, "payoff", keep), text(payoff.name, "payoff", keep)
    elif not isinstance(payoff, str):
        refuse("payoff", f"payoff is a {type(payoff).__name__}, not a name, code or a class made by bailey.payoff")
    elif _is_code(payoff):
        c.code = text(payoff, "payoff", keep)
    else:
        c.name = text(payoff, "payoff", keep)
    if model is not None:
        layers = [model] if isinstance(model, str) else model
        if not isinstance(layers, (list, tuple)) or not all(isinstance(layer, str) for layer in layers):
            refuse("model", f"model is a {type(model).__name__}, not a name, code or a list of these")
        codes = [layer for layer in layers if _is_code(layer)]
        if len(codes) > 1:
            refuse("model", "model has code for two layers: one of them must be a built-in's name")
        if codes:
            c.model_code = text(codes[0], "model", keep)
        if not codes or len(layers) > 1:
            c.model_name = text("+".join("model.c" if _is_code(layer) else layer for layer in layers), "model", keep)
    c.substeps = integer(substeps, "substeps")
    c.controls = bool(controls)
    return c
