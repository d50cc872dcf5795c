# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Progress of long calls, and their interruption: the library calls back here, also where no progress was asked for, so that
Python can raise what a signal leads to."""
from __future__ import annotations

import typing

import numpy

from ._library import check, ffi, lib, refuse
from ._opened import reporting

Function = typing.Callable[[int, int], object]
Argument = typing.Union[bool, None, Function]  # True: a bar


class _Bar:
    """A bar of tqdm, which is a widget in notebooks."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError("progress=True draws a bar with tqdm: pip install 'bailey[progress]'") from None
        self._bar = tqdm(unit="", unit_scale=True)

    def __call__(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def _call(user: typing.Any, done: int, total: int) -> int:
    function = ffi.from_handle(user).function
    if function is None:
        return 0
    with reporting():
        answer = function(done, total)
    return 1 if isinstance(answer, (bool, numpy.bool_)) and answer else 0


def _thrown(kind: typing.Any, error: BaseException, traceback: typing.Any) -> None:
    """Keeps what was raised in _call, or arrived there, as KeyboardInterrupt does."""
    if traceback is not None:
        ffi.from_handle(traceback.tb_frame.f_locals["user"]).error = error


_callback = ffi.callback("bailey_progress", _call, error=1, onerror=_thrown)


def _ask(user: typing.Any) -> int:
    return 0  # Python raises here what a signal leads to, and _thrown keeps it


_interrupt = ffi.callback("bailey_interrupt", _ask, error=1, onerror=_thrown)


class Watch:
    """Ends what a context is doing where a signal raises an exception, as Ctrl-C and the notebook's stop button do."""

    def __init__(self, context: typing.Any) -> None:
        self.error: typing.Optional[BaseException] = None
        self._context, self._handle = context, ffi.new_handle(self)
        check(lib.bailey_context_watch(context, _interrupt, self._handle))

    def end(self) -> None:
        """Raises the exception, if there was one."""
        lib.bailey_context_watch(self._context, ffi.NULL, ffi.NULL)
        if self.error is not None:
            raise self.error from None


class Progress:
    """The argument `progress`: None, a function, or True for a bar. A function is called as function(done, total);
    True stops the run, and what it raises stops the run and is raised again. Without one there is a call too, so that
    Ctrl-C and the notebook's stop button end a run."""

    def __init__(self, argument: Argument) -> None:
        if argument not in (None, True, False) and not callable(argument):
            refuse("progress", f"progress is {argument!r}, not a function or True")
        self.error: typing.Optional[BaseException] = None
        self._bar = _Bar() if argument is True else None
        self.function: typing.Optional[Function] = self._bar or (argument if callable(argument) else None)
        self._handle = ffi.new_handle(self)

    def watch(self, params: typing.Any) -> None:
        """Places the function in a structure of parameters, which the call that follows reads."""
        params.progress, params.progress_user = _callback, self._handle

    def check(self, status: int) -> None:
        """Raises what the call that was watched has come to."""
        if self._bar is not None:
            self._bar.close()
        if self.error is not None:
            raise self.error
        check(status)
