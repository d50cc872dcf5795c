# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The functions that payoffs written in Python may call, and the numbers of steps and dimensions of their path.

    from bailey.payoff import DIMS, STEPS, exp, normal_cdf

They work in plain Python too, up to rounding. STEPS and DIMS are integers where a payoff runs in Python
(bailey.Payoff.path), and are not known elsewhere.
"""
from __future__ import annotations

import contextlib
import contextvars
import fractions
import itertools
import math
import operator
import typing

from ._library import ffi, lib

__all__ = ["DIMS", "STEPS", "ceil", "exp", "fabs", "floor", "fma", "fmax", "fmin", "log", "normal_cdf", "pow", "sqrt"]


def exp(x: float) -> float:
    """e to the power of x."""
    return math.exp(x)


def log(x: float) -> float:
    """The natural logarithm of x."""
    return math.log(x)


def sqrt(x: float) -> float:
    """The square root of x, rounded correctly."""
    return math.sqrt(x)


def pow(x: float, y: float) -> float:
    """x to the power of y."""
    return math.pow(x, y)


def fabs(x: float) -> float:
    """The absolute value of x."""
    return math.fabs(x)


def fmin(x: float, y: float) -> float:
    """The smaller one."""
    return float(min(x, y))


def fmax(x: float, y: float) -> float:
    """The larger one."""
    return float(max(x, y))


def floor(x: float) -> float:
    """The largest integer that is not above x, as a float; math.floor returns an int."""
    return float(math.floor(x))


def ceil(x: float) -> float:
    """The smallest integer that is not below x, as a float; math.ceil returns an int."""
    return float(math.ceil(x))


def fma(x: float, y: float, z: float) -> float:
    """x * y + z, rounded once."""
    return float(fractions.Fraction(x) * fractions.Fraction(y) + fractions.Fraction(z))


def normal_cdf(x: float) -> float:
    """The probability that a standard normal is below x."""
    return math.erfc(-x / math.sqrt(2)) / 2


class Size:
    """STEPS or DIMS: an integer that is known where a payoff runs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._value: contextvars.ContextVar[int] = contextvars.ContextVar(name)

    def __index__(self) -> int:
        try:
            return self._value.get()
        except LookupError:
            raise ValueError(f"{self.name} is known where a payoff runs, and not here") from None

    def __repr__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        return int(self) != 0

    def __hash__(self) -> int:
        return hash(self.name)

    def __neg__(self) -> int:
        return -int(self)

    def __pos__(self) -> int:
        return int(self)

    __int__ = __index__

    def __float__(self) -> float:
        return float(int(self))


def _operator(name: str) -> None:
    apply = getattr(operator, name)

    def forward(self: Size, other: typing.Any) -> typing.Any:
        return apply(int(self), int(other) if isinstance(other, Size) else other)

    def backward(self: Size, other: typing.Any) -> typing.Any:
        return apply(other, int(self))

    setattr(Size, f"__{name}__", forward)
    if name not in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Size, f"__r{name}__", backward)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge", "eq", "ne"):
    _operator(_name)



def functions() -> typing.Iterator[typing.Tuple[str, int]]:
    """The functions of the language, as the library lists them: names, and how many arguments they take."""
    arguments = ffi.new("uint32_t *")
    for index in itertools.count():
        name = lib.bailey_payoff_function(index, arguments)
        if name == ffi.NULL:
            return
        yield ffi.string(name).decode(), arguments[0]


def _of_library(index: int, name: str, count: int) -> typing.Callable[..., float]:
    """A function that is not written above."""
    def function(*arguments: float) -> float:
        if len(arguments) != count:
            raise TypeError(f"{name} takes {count} argument{'s' if count != 1 else ''}, not {len(arguments)}")
        return float(lib.bailey_payoff_function_value(index, [float(argument) for argument in arguments]))

    function.__name__ = function.__qualname__ = name
    return function


for _index, (_name, _count) in enumerate(functions()):
    if _name not in __all__:
        globals()[_name] = _of_library(_index, _name, _count)
        __all__.append(_name)

STEPS: int = typing.cast(int, Size("STEPS"))
DIMS: int = typing.cast(int, Size("DIMS"))


@contextlib.contextmanager
def sizes(steps: int, dims: int) -> typing.Iterator[None]:
    """Says what STEPS and DIMS are."""
    set_ = [(size._value, size._value.set(value))  # noqa: SLF001
            for size, value in ((typing.cast(Size, STEPS), steps), (typing.cast(Size, DIMS), dims))]
    try:
        yield
    finally:
        for variable, token in set_:
            variable.reset(token)
