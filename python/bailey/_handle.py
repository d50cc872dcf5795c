# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Contexts of the library and the objects on them: which thread may call them when, and when they end.

In C one thread at a time may use a context. Here each context has a lock, which is held round every call on the context
and on its objects. Nothing else takes these locks, and C runs without the GIL.
"""
from __future__ import annotations

import collections
import contextlib
import copy
import os
import threading
import typing
import weakref

from ._fields import Renamed
from ._library import BaileyError, check, ffi, lib, refuse

if typing.TYPE_CHECKING:
    from ._devices import Context

_Destroy = typing.Callable[[typing.Any], object]
_Dead = typing.Deque[typing.Tuple[_Destroy, typing.Any]]

_forks = 0  # that lie between this process and the one that was started
_graph = threading.Lock()  # of _waiting
_waiting: typing.Dict[int, Opened] = {}  # what threads wait for


class _Held(threading.local):
    def __init__(self) -> None:
        self.opened: typing.List[Opened] = []


_held = _Held()  # by this thread, in the order in which it took them


def _after_fork() -> None:
    """What other threads of the parent held when it forked is held for ever here."""
    global _forks, _graph, _held
    _forks += 1
    _graph, _held = threading.Lock(), _Held()
    _waiting.clear()


os.register_at_fork(after_in_child=_after_fork)


def _end(pointer: typing.Any, dead: _Dead, forks: int, then: typing.Callable[[], object]) -> None:
    if forks != _forks:
        return
    for destroy, what in dead:
        destroy(what)
    lib.bailey_context_destroy(pointer)
    then()


class Opened:
    """An open context. As a context manager it is the lock that is held while the library works on it. It ends with the
    last reference; objects on it refer to it."""

    def __init__(self, pointer: typing.Any, then: typing.Callable[[], object] = lambda: None) -> None:
        self.pointer = pointer
        self.forks = _forks
        self._lock = threading.RLock()
        self._owner, self._depth, self._reports = 0, 0, 0
        self._dead: _Dead = collections.deque()
        weakref.finalize(self, _end, pointer, self._dead, _forks, then).atexit = False

    @property
    def is_parents(self) -> bool:
        """Whether a fork has left it with the parent process."""
        return self.forks != _forks

    @property
    def is_reporting(self) -> bool:
        """Whether this thread is in a progress function of a call on it."""
        return self._reports > 0 and self._owner == threading.get_ident()

    def __enter__(self) -> Opened:
        if self.is_parents:
            raise BaileyError("the context was opened before a fork, by the parent process", "ERROR_INVALID", "device")
        if not self._lock.acquire(blocking=False):
            self._wait()
        if self._reports:
            self._lock.release()
            raise BaileyError("a progress function uses what is running: make another object there, or copy this one",
                              "ERROR_INVALID", "progress")
        self._owner = threading.get_ident()
        self._depth += 1
        _held.opened.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        _held.opened.pop()
        self._depth -= 1
        if self._depth == 0:
            self._bury()
            self._owner = 0
        self._lock.release()
        self._sweep()

    def _wait(self) -> None:
        """Takes the lock from another thread. Where that one waits, by way of others, for what this one holds, as can
        happen between two progress functions, both would wait for ever."""
        me = threading.get_ident()
        with _graph:
            owner, seen = self._owner, set()
            while owner in _waiting and owner not in seen:
                seen.add(owner)
                owner = _waiting[owner]._owner
            if owner == me:
                raise BaileyError("two progress functions wait for what the other's thread is running", "ERROR_INVALID",
                                  "progress")
            _waiting[me] = self
        try:
            self._lock.acquire()
        finally:
            del _waiting[me]

    def release(self, destroy: _Destroy, pointer: typing.Any) -> None:
        """Ends an object on it: from any thread, and from the garbage collector, which may come at any moment. It never
        waits; where a call is running, the object ends after that call."""
        if self.is_parents:
            return
        self._dead.append((destroy, pointer))
        self._sweep()

    def _sweep(self) -> None:
        while self._dead and self._lock.acquire(blocking=False):
            try:
                if self._depth:
                    return
                self._bury()
            finally:
                self._lock.release()

    def _bury(self) -> None:
        while self._dead:
            try:
                destroy, pointer = self._dead.popleft()
            except IndexError:  # the collector came in between
                return
            destroy(pointer)

    @contextlib.contextmanager
    def reporting(self) -> typing.Iterator[None]:
        """While a progress function is called."""
        self._reports += 1
        try:
            yield
        finally:
            self._reports -= 1


@contextlib.contextmanager
def reporting() -> typing.Iterator[None]:
    """While this thread calls a progress function: the contexts that it holds are in the middle of a call."""
    with contextlib.ExitStack() as stack:
        for opened in _held.opened:
            stack.enter_context(opened.reporting())
        yield


@contextlib.contextmanager
def together(all_: typing.Iterable[Opened]) -> typing.Iterator[None]:
    """Several contexts, locked in an order that all threads share."""
    with contextlib.ExitStack() as stack:
        for opened in sorted(set(all_), key=id):
            stack.enter_context(opened)
        yield


class Remade(Renamed):
    """Objects that are copied and pickled by their constructor's arguments, and made again from them: a copy on the same
    context, a pickle on the same device of the machine where it is read."""

    _arguments: typing.Dict[str, typing.Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__module__.split(".")[0] == __name__.split(".")[0]:  # a user's subclass may take other arguments
            cls._remake = cls.__init__  # type: ignore[attr-defined]

    def _remember(self, **arguments: typing.Any) -> None:
        """Ends a constructor, with what it was given, but the device."""
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


class Made(Remade):
    """Objects on a context. They may be used from any thread, one call at a time, and as context managers, which close
    them."""

    _pointer: typing.Any = None

    def _make(self, create: typing.Callable[..., int], type_: str, destroy: _Destroy, device: typing.Any,
              params: typing.Any) -> None:
        """Makes it from a C structure."""
        from ._devices import context  # which imports this file

        found = context(device)
        self._place = found.again() if found.opened.is_reporting else found.shared()
        handle = ffi.new(type_ + " **")
        with self._place.opened as opened:
            check(create(opened.pointer, params, handle))
        self._pointer = handle[0]
        self._finish = weakref.finalize(self, opened.release, destroy, handle[0])
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
        """To be held round calls on the handle."""
        return self._context.opened

    @property
    def _handle(self) -> typing.Any:
        """The library's handle."""
        if self._pointer is None:
            refuse("", f"the {type(self).__name__} is closed")
        return self._pointer

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
