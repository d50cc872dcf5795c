# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The C library, opened at run time; its errors become exceptions, its warnings Python warnings. Every other module
calls the library through `lib` and passes statuses to `check`."""
from __future__ import annotations

import os
import sys
import threading
import typing
import warnings

from ._declarations import constants, ffi

__all__ = ["BaileyError", "Cancelled", "InvalidArgument", "OutOfMemory", "PayoffError", "Unsupported", "check", "constants", "ffi",
           "lib", "refuse", "warn"]


def _open() -> typing.Any:
    """The library of the wheel, or the system's; BAILEY_LIBRARY names another."""
    folder, soname = os.path.dirname(os.path.abspath(__file__)), "libbailey.so.0.1"
    beside = (os.path.join(folder, name) for name in (soname, "libbailey.so"))
    return ffi.dlopen(os.environ.get("BAILEY_LIBRARY") or next(filter(os.path.exists, beside), soname))


lib = _open()


class BaileyError(RuntimeError):
    """A call of the library failed. `status` is the name of its status, such as "ERROR_DRIVER"; `argument` is the name
    of the argument at fault, or ""."""

    def __init__(self, text: str, status: str = "", argument: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.argument = argument


class InvalidArgument(BaileyError, ValueError):
    """An argument is outside its limits."""


class Unsupported(BaileyError, NotImplementedError):
    """The device cannot do this, or not with reproducible bits."""


class OutOfMemory(BaileyError, MemoryError):
    """Not enough memory on the host or on the device."""


class PayoffError(BaileyError):
    """Payoff code failed at run time: an index outside of its array, a division by 0, or a loop that does not end. The
    message names the place in the code and the first path that failed."""


class Cancelled(BaileyError):
    """The progress function asked to stop."""


_CLASSES: typing.Dict[str, typing.Type[BaileyError]] = {
    "ERROR_INVALID": InvalidArgument,
    "ERROR_UNSUPPORTED": Unsupported,
    "ERROR_MEMORY": OutOfMemory,
    "ERROR_CANCELLED": Cancelled,
    "ERROR_PAYOFF": PayoffError,
}


class _Pending(threading.local):
    """Warnings of the library in calls of this thread that are not yet issued in Python."""

    def __init__(self) -> None:
        self.texts: typing.List[str] = []


_pending = _Pending()
_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _note(user: typing.Any, message: typing.Any) -> None:
    _pending.texts.append(ffi.string(message).decode("utf-8", "replace"))


_callback = ffi.callback("bailey_warning", _note)
lib.bailey_warning_set(_callback, ffi.NULL)


def warn(text: str, category: typing.Type[Warning] = UserWarning) -> None:
    """Warns of the line that called the package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_FOLDER):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def check(status: int) -> None:
    """Raises the exception of a status that is not OK."""
    if status == lib.BAILEY_OK:
        texts, _pending.texts = _pending.texts, []
        for text in texts:
            warn(text)
        return
    _pending.texts.clear()
    name = ffi.string(lib.bailey_status_name(status)).decode()[len("BAILEY_"):]
    text = ffi.string(lib.bailey_error_message()).decode("utf-8", "replace")
    argument = ffi.string(lib.bailey_error_argument()).decode()
    raise _CLASSES.get(name, BaileyError)(text, name, argument)


def refuse(argument: str, text: str) -> typing.NoReturn:
    """Raises what the library raises for an argument outside its limits."""
    raise InvalidArgument(text, "ERROR_INVALID", argument)
