# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Open contexts of the library: when a thread may use them and the objects on them, and when they end.

In C one thread at a time may use a context. Here each context has a lock, which is held during every call on the context
and on its objects. Nothing else takes these locks, and C runs without the GIL.
"""
from __future__ import annotations

import collections
import contextlib
import os
import secrets
import threading
import typing
import weakref

import numpy

from ._library import BaileyError, check, ffi, lib

Destroy = typing.Callable[[typing.Any], object]
_Dead = typing.Deque[typing.Tuple[Destroy, typing.Any]]

_forks = 0  # that lie between this process and the one that was started
_graph = threading.Lock()  # of _waiting
_waiting: typing.Dict[int, Opened] = {}  # what threads wait for


class _Held(threading.local):
    def __init__(self) -> None:
        self.opened: typing.List[Opened] = []


_held = _Held()  # by this thread, in the order in which it took them


def _after_fork() -> None:
    """Locks that other threads of the parent held when it forked would be held forever here."""
    global _forks, _graph, _held
    _forks += 1
    _graph, _held = threading.Lock(), _Held()
    _waiting.clear()


os.register_at_fork(after_in_child=_after_fork)


class Few:
    """Memory for a few numbers, as a buffer of a context, whose lock protects it."""

    def __init__(self, pointer: typing.Any) -> None:
        memory = numpy.zeros(2048)
        self.arrays = {name: memory.view(name) for name in ("uint32", "float32", "float64")}
        self.count = memory.size
        self.source = ffi.new("bailey_source *")
        handle = ffi.new("bailey_buffer **")
        check(lib.bailey_buffer_adopt_host(pointer, ffi.cast("void *", memory.ctypes.data), memory.nbytes, handle))
        self._pointer, self.buffer = pointer, handle[0]
        self._ahead: typing.Dict[typing.Any, typing.List[typing.Any]] = {}  # of a kind: numbers, and how many are used

    def next(self, kind: typing.Any, count: int) -> typing.Any:
        """The next numbers of a kind, whose seed is drawn."""
        ahead = self._ahead.get(kind)
        if ahead is None or ahead[1] + count > self.count:
            name, function, arguments = kind
            self.source.seed = secrets.randbits(64)
            check(function(self._pointer, self.source, *arguments, 0, self.count, self.buffer, 0))
            ahead = self._ahead[kind] = [self.arrays[name][:self.count].copy(), 0]
        at = ahead[1]
        ahead[1] = at + count
        return ahead[0][at:at + count].copy()


def _end(pointer: typing.Any, dead: _Dead, own: typing.List[Few], forks: int, then: typing.Callable[[], object]) -> None:
    if forks != _forks:
        return
    for few in own:
        lib.bailey_buffer_destroy(few.buffer)
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
        self._own: typing.List[Few] = []
        weakref.finalize(self, _end, pointer, self._dead, self._own, _forks, then).atexit = False

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

    @property
    def few(self) -> Few:
        """Memory for a few numbers, which the lock protects."""
        if not self._own:
            self._own.append(Few(self.pointer))
        return self._own[0]

    def _wait(self) -> None:
        """Takes the lock from another thread. Where that one waits, by way of others, for what this one holds, as can
        happen between two progress functions, both would wait forever."""
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

    def release(self, destroy: Destroy, pointer: typing.Any) -> None:
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
