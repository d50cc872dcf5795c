# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Objects on a context: simulations, bridges, motions, levels. What they share: how they are made and closed, which
context they are on after a fork, and how they are copied and pickled."""
from __future__ import annotations

import copy
import typing
import weakref

from ._devices import Context, context
from ._fields import Renamed
from ._library import check, ffi, refuse
from ._opened import Destroy, Opened


class Copyable(Renamed):
    """Objects that are copied and pickled by their constructor's arguments, and made again from them: a copy on the same
    context, a pickle on the same device of the machine where it is read."""

    _arguments: typing.Dict[str, typing.Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__module__.split(".")[0] == __name__.split(".")[0]:  # a user's subclass may take other arguments
            cls._remake = cls.__init__  # type: ignore[attr-defined]

    def _remember(self, **arguments: typing.Any) -> None:
        """Called at the end of a constructor, with all its arguments but the device."""
        self._arguments = copy.deepcopy(arguments)
        self._own = frozenset(vars(self)) | {"_own"}

    def _settings(self) -> typing.Dict[str, typing.Any]:
        """Arguments that have changed since."""
        return {}

    @property
    def _context(self) -> Context:
        raise NotImplementedError

    def __getstate__(self) -> typing.Dict[str, typing.Any]:
        more = {name: value for name, value in vars(self).items() if name not in self._own}
        return dict(device=self._context, arguments={**self._arguments, **self._settings()}, more=more)

    def __setstate__(self, state: typing.Dict[str, typing.Any]) -> None:
        self._remake(device=state["device"], **state["arguments"])  # type: ignore[attr-defined]
        vars(self).update(state["more"])

    def _another(self: typing.Any, more: typing.Dict[str, typing.Any]) -> typing.Any:
        new = object.__new__(type(self))
        new.__setstate__({**self.__getstate__(), "more": more})
        return new

    def __copy__(self: typing.Any) -> typing.Any:
        return self._another(self.__getstate__()["more"])

    def __deepcopy__(self: typing.Any, memo: typing.Dict[int, typing.Any]) -> typing.Any:
        return self._another(copy.deepcopy(self.__getstate__()["more"], memo))


class ContextObject(Copyable):
    """Objects on a context. They may be used from any thread, one call at a time, and as context managers, which close
    them."""

    _pointer: typing.Any = None

    def _make(self, create: typing.Callable[..., int], type_: str, destroy: Destroy, device: typing.Any,
              params: typing.Any) -> None:
        """Makes it from a C structure."""
        found = context(device)
        self._place = found.again() if found.opened.is_reporting else found.shared()
        handle = ffi.new(type_ + " **")
        with self._place.opened as opened:
            check(create(opened.pointer, params, handle))
        self._keep(self._place, opened, destroy, handle[0])

    def _keep(self, place: Context, opened: Opened, destroy: Destroy, pointer: typing.Any) -> None:
        """Takes over what was made on a context."""
        self._place, self._pointer = place, pointer
        self._finish = weakref.finalize(self, opened.release, destroy, pointer)
        self._finish.atexit = False

    @property
    def _context(self) -> Context:
        """The context that it is on. After a fork the object is made again, as that one is the parent's."""
        if self._pointer is not None and self._place.opened.is_parents:
            self._finish.detach()
            self._place = self._place.again()
            self.__setstate__(self.__getstate__())
        return self._place

    @property
    def _lock(self) -> Opened:
        """The lock that calls on the handle hold."""
        return self._context.opened

    @property
    def _handle(self) -> typing.Any:
        """The library's handle."""
        if self._pointer is None:
            refuse("", f"the {type(self).__name__} is closed")
        return self._pointer

    def _shown(self, text: str) -> str:
        """A repr, which names the device and says whether the object is closed."""
        return f"<bailey.{type(self).__name__}: {text}, " + ("closed>" if self._pointer is None else f"on {self._place.address}>")

    def close(self) -> None:
        """Frees its memory, after the calls on it that are running. Using it afterwards is a ValueError."""
        if self._pointer is None:
            return
        if self._place.opened.is_parents:
            self._finish.detach()
            self._pointer = None
            return
        with self._place.opened:
            self._pointer = None
            self._finish()

    def __enter__(self: typing.Any) -> typing.Any:
        self._handle
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
