# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The C library, opened at run time, and its errors as exceptions."""
from __future__ import annotations

import difflib
import operator
import os
import sys
import threading
import typing
import warnings

import numpy

from ._declarations import constants, ffi

__all__ = ["BaileyError", "Cancelled", "InvalidArgument", "OutOfMemory", "PayoffError", "Unsupported", "check", "choice", "constants",
           "ffi", "lib", "number", "refuse", "set_fields", "whole"]


def _open() -> typing.Any:
    """The library of the wheel, or the system's; BAILEY_LIBRARY names another."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libbailey.so")
    path = os.environ.get("BAILEY_LIBRARY") or (beside if os.path.exists(beside) else "libbailey.so.0.1")
    return ffi.dlopen(path)


lib = _open()


class BaileyError(RuntimeError):
    """A call of the library failed. `status` is its name, as "ERROR_DRIVER"; `argument` is the name of the
    argument at fault, or ""."""

    def __init__(self, text: str, status: str = "", argument: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.argument = argument


class InvalidArgument(BaileyError, ValueError):
    """An argument is outside its limits."""


class Unsupported(BaileyError, NotImplementedError):
    """The device cannot do this, or cannot keep the promise for it."""


class OutOfMemory(BaileyError, MemoryError):
    """Not enough memory on the host or on the device."""


class PayoffError(BaileyError):
    """Payoff code failed as it ran: an index outside of its array, a division by 0, or a loop that does not end. The
    text names the place in the code and the first path that failed."""


class Cancelled(BaileyError):
    """The progress function asked to stop."""


_CLASSES: typing.Dict[str, typing.Type[BaileyError]] = {
    "ERROR_INVALID": InvalidArgument,
    "ERROR_UNSUPPORTED": Unsupported,
    "ERROR_MEMORY": OutOfMemory,
    "ERROR_CANCELLED": Cancelled,
    "ERROR_PAYOFF": PayoffError,
}


class _Said(threading.local):
    """What the library has warned of in calls of this thread, and Python has not yet."""

    def __init__(self) -> None:
        self.texts: typing.List[str] = []


_said = _Said()
_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _note(user: typing.Any, message: typing.Any) -> None:
    _said.texts.append(ffi.string(message).decode("utf-8", "replace"))


_callback = ffi.callback("bailey_warning", _note)
lib.bailey_warning_set(_callback, ffi.NULL)


def _warn() -> None:
    """Gives the library's warnings as Python's, of the line that called the package."""
    texts, _said.texts = _said.texts, []
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_FOLDER):
        level, frame = level + 1, frame.f_back
    for text in texts:
        warnings.warn(text, UserWarning, stacklevel=level)


# Fields in C whose argument here is called otherwise.
_ARGUMENTS = {"word_bits": "bits", "depth": "levels", "motion_depth": "levels", "estimator": "levels",
              "stddev": "deviation", "moments": "shape", "bias_share": "theta", "initial_samples": "samples",
              "initial_paths": "first_paths", "basis_functions": "functions"}


def check(status: int) -> None:
    """Raises the exception of a status that is not OK."""
    if status == lib.BAILEY_OK:
        if _said.texts:
            _warn()
        return
    _said.texts.clear()
    name = ffi.string(lib.bailey_status_name(status)).decode()[len("BAILEY_"):]
    text = ffi.string(lib.bailey_error_message()).decode("utf-8", "replace")
    argument = ffi.string(lib.bailey_error_argument()).decode()
    raise _CLASSES.get(name, BaileyError)(text, name, _ARGUMENTS.get(argument, argument))


def refuse(argument: str, text: str) -> typing.NoReturn:
    """Raises what the library raises for an argument outside its limits."""
    raise InvalidArgument(text, "ERROR_INVALID", argument)


def number(value: typing.Any, argument: str) -> typing.Union[int, float]:
    """An argument that is a number: of Python or of NumPy, or an array that holds one. Not a bool, a date or a text,
    of which float() would make something."""
    if hasattr(value, "item") and getattr(getattr(value, "dtype", None), "kind", "f") in "iuf":
        try:
            value = value.item()
        except (RuntimeError, ValueError):
            refuse(argument, f"{argument} is {value!r}, not one number")
        value = float(value) if isinstance(value, numpy.floating) else value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    refuse(argument, f"{argument} is {value!r}, not a number")


def whole(value: typing.Any, argument: str, least: int = 0) -> int:
    """An argument that is a number of 64 bits."""
    found = number(value, argument)
    if not isinstance(found, int):
        refuse(argument, f"{argument} is {value!r}, not an integer")
    if not least <= found < 1 << 64:
        refuse(argument, f"{argument} is {found}; it may be {least} to 2^64 - 1")
    return operator.index(found)


def _words(prefix: str) -> typing.List[str]:
    """The words for the constants BAILEY_<prefix>_..., as the library describes them."""
    index = 0
    while lib.bailey_describe_at(index) != ffi.NULL:
        record = lib.bailey_describe_at(index)
        for i in range(record.field_count):
            field = record.fields[i]
            if field.prefix != ffi.NULL and ffi.string(field.prefix).decode() == f"BAILEY_{prefix}_":
                return [ffi.string(field.choices[k].name).decode() for k in range(field.choice_count)]
        index += 1
    return []


def choice(prefix: str, word: str, argument: str) -> int:
    """The constant BAILEY_<prefix>_<WORD>."""
    name = f"BAILEY_{prefix}_{str(word).upper().replace('-', '_')}"
    try:
        return int(getattr(lib, name))
    except AttributeError:
        words = _words(prefix)
        near = difflib.get_close_matches(str(word), words, 1)
        refuse(argument, f"{argument} {word!r} is none of {', '.join(words)}" +
               (f"; did you mean {near[0]!r}?" if near else "") if words else f"{argument} {word!r} is not known")


def set_fields(struct: typing.Any, **values: typing.Any) -> None:
    """Sets fields of a C structure that are numbers."""
    for field, value in values.items():
        name = _ARGUMENTS.get(field, field)
        try:
            setattr(struct, field, number(value, name))
        except (OverflowError, TypeError, ValueError) as error:
            refuse(name, f"{name} is {value!r}: {error}")
