# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The functions that payoffs written in Python may call, and the numbers of steps and dimensions of their path.

    from bailey.payoff import DIMS, STEPS, exp, normal_cdf

They work in plain Python too, as a path in double precision computes them. STEPS and DIMS are integers where a payoff
runs in Python (bailey.Payoff.path), and are not known elsewhere.
"""
from __future__ import annotations

import contextlib
import contextvars
import itertools
import operator
import typing

from . import _functions
from ._functions import *  # noqa: F403
from ._library import ffi, lib

__all__ = ["DIMS", "STEPS"]
__all__ += _functions.__all__


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
    for index in itertools.count():
        function = lib.bailey_payoff_function(index)
        if function == ffi.NULL:
            return
        yield ffi.string(function.name).decode(), function.arguments


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
