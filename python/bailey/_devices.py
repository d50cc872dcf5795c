# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Devices, and the contexts that are open on them: one per thread for each address, or for each stream of a framework on a
CUDA device."""
from __future__ import annotations

import os
import threading
import typing

import cffi

from ._fields import documented
from ._library import check, ffi, lib, refuse
from ._memory import cuda_array
from ._opened import Few, Opened
from ._results import ResultList, read
from ._types import Device
from ._values import fill


def devices() -> ResultList[Device]:
    """All devices of all backends, and an entry for each backend that cannot run here."""
    count = ffi.new("size_t *")
    check(lib.bailey_device_list(ffi.NULL, 0, count))
    list_ = ffi.new("bailey_device[]", max(count[0], 1))
    check(lib.bailey_device_list(list_, count[0], count))
    return ResultList(read(Device, list_[i]) for i in range(min(count[0], len(list_))))


# How a context was asked for: address, threads and cache_dir; or, on a stream that a framework has, "", the CUDA
# device's number and the stream.
_Key = typing.Tuple[str, typing.Any, typing.Any]


class Context:
    """An open device. It runs one call at a time: calls from other threads wait. `bailey.context` gives each thread a
    separate context, so that threads work in parallel. A context lasts until its thread ends or close() is called, and
    at least as long as the objects on it. It can be used in a `with` statement; unpickling it opens the same device."""

    def __init__(self, opened: Opened, key: _Key) -> None:
        self._opened: typing.Optional[Opened] = opened
        self._key = key

    @property
    def opened(self) -> Opened:
        """The library's context, and its lock."""
        if self._opened is None:
            refuse("device", "the context is closed")
        return self._opened

    @property
    def handle(self) -> typing.Any:
        """For the library."""
        return self.opened.pointer

    @property
    def address(self) -> str:
        """The address by which it was opened."""
        name, number, _ = self._key
        return name or f"cuda:{number}"

    def __repr__(self) -> str:
        return f"<bailey.Context: {self.address}" + (", closed>" if self._opened is None else ">")

    def shared(self) -> Context:
        """The same context, to be closed at another time."""
        return Context(self.opened, self._key)

    def again(self) -> Context:
        """The calling thread's context for the same device."""
        return _reopen(self._key)

    def is_like(self, other: Context) -> bool:
        """Whether both are of the same device and stream."""
        return self._key == other._key

    def close(self) -> None:
        """Releases the context. The device is closed with the last object on it; the next bailey.context opens a new
        one."""
        for key in [key for key, found in _open.contexts.items() if found is self]:
            del _open.contexts[key]
        _open.small.clear()
        self._opened = None

    def __enter__(self) -> Context:
        self.opened
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> typing.Any:
        address, _, stream = self._key
        if address == "" and stream not in (0, 1):
            refuse("device", "objects on a CUDA stream of this process cannot be pickled: create them with an address as its "
                   "device, such as \"cuda\"")
        return _reopen, (self._key,)

    @property
    def device(self) -> Device:
        """The device that is open."""
        d = ffi.new("bailey_device *")
        with self.opened as opened:
            check(lib.bailey_context_device(opened.pointer, d))
        return read(Device, d)

    def sync(self) -> None:
        """Waits for all queued work."""
        with self.opened as opened:
            check(lib.bailey_context_sync(opened.pointer))

    def selftest(self, all: bool = False) -> typing.List[str]:
        """Compares results on this device with the known answers in the library, some of each kind, or all. Returns the
        names of the items; raises an exception if one differs."""
        items: typing.List[str] = []

        @ffi.callback("bailey_selftest_report")  # type: ignore[untyped-decorator, unused-ignore]
        def report(user: typing.Any, item: typing.Any, passed: int, detail: typing.Any) -> None:
            items.append(ffi.string(item).decode())

        params = ffi.new("bailey_selftest_params *", {"all": int(all), "report": report})
        with self.opened as opened:
            check(lib.bailey_selftest(opened.pointer, params))
        return items


class _Open(threading.local):
    def __init__(self) -> None:
        self.contexts: typing.Dict[typing.Tuple[_Key, int], Context] = {}
        self.small: typing.Dict[typing.Any, typing.Optional[typing.Tuple[Opened, Few]]] = {}  # by address


_open = _Open()


def _forget() -> None:
    """After a fork contexts are the parent's."""
    global _open
    _open = _Open()


os.register_at_fork(after_in_child=_forget)


def _find(key: _Key, open_: typing.Callable[[], Opened]) -> Context:
    """The thread's context of a key. In a progress function the one that is running is not to be used, and there is
    another."""
    number = 0
    while True:
        found = _open.contexts.get((key, number))
        if found is None or found._opened is None:
            found = _open.contexts[key, number] = Context(open_(), key)
        if not found.opened.is_reporting:
            return found
        number += 1


_system = cffi.FFI()
_system.cdef("char *getenv(const char *name);")
_getenv = _system.dlopen(None).getenv  # a third of os.environ's time


def small_context(device: typing.Any) -> typing.Optional[typing.Tuple[Opened, Few]]:
    """What bailey.context(device) opens and its memory for few numbers, where that is a processor, whose calls cost little;
    else None. A thread's answers are kept until one of its contexts is closed."""
    if device is None:
        said = _getenv(b"BAILEY_DEVICE")
        key = _system.string(said) if said else None
    elif type(device) is str:
        key = device
    else:
        return None
    small = _open.small
    if key in small:
        return small[key]
    found = context(device)
    small[key] = (found.opened, found.opened.few) if found.device.address == "cpu" else None
    return small[key]


def _reopen(key: _Key) -> Context:
    address, number, rest = key
    return context(address, threads=number, cache_dir=rest) if address else cuda_context(number, rest)


@documented("context_params")
def context(device: typing.Any = None, *, threads: int = 0,
            cache_dir: typing.Union[str, os.PathLike[str], None] = None) -> Context:
    """The thread's context for a device, which is the same for the same arguments, and stays open as long as the thread
    lives. Without an address, BAILEY_DEVICE chooses the device, else it is the best one."""
    if isinstance(device, Context):
        return device
    if isinstance(device, Device):
        device = device.address
    if device is not None and not isinstance(device, str):
        array = cuda_array(device, "device")
        return cuda_context(cuda_ordinal(array.pointer, "device"), array.stream)
    address = device or os.environ.get("BAILEY_DEVICE") or "auto"
    return _find((address, threads, cache_dir), lambda: open_context(address, threads, cache_dir))


def open_context(address: str, threads: int = 0, cache_dir: typing.Any = None) -> Opened:
    """A new context, which is not shared."""
    keep: typing.List[typing.Any] = []
    params = fill(ffi.new("bailey_context_params *"), "context_params", dict(threads=threads, cache_dir=cache_dir), keep)
    handle = ffi.new("bailey_context **")
    check(lib.bailey_context_create(address.encode(), params, handle))
    return Opened(handle[0])


_cuda: typing.Any = None


def _cuda_driver() -> typing.Any:
    global _cuda
    if _cuda is None:
        own = cffi.FFI()
        own.cdef("""
            int cuInit(unsigned flags);
            int cuDeviceGet(int *device, int ordinal);
            int cuDevicePrimaryCtxRetain(void **context, int device);
            int cuDevicePrimaryCtxRelease(int device);
            int cuPointerGetAttribute(void *data, int attribute, unsigned long long pointer);
        """)
        _cuda = own, own.dlopen(os.environ.get("BAILEY_CUDA_LIBRARY") or "libcuda.so.1")
    return _cuda


def cuda_ordinal(pointer: int, argument: str) -> int:
    """The number of the CUDA device that an address belongs to."""
    own, driver = _cuda_driver()
    ordinal = own.new("int *")
    if driver.cuInit(0) or driver.cuPointerGetAttribute(ordinal, 9, pointer):
        refuse(argument, f"{argument} is not memory of a CUDA device")
    return int(ordinal[0])


def cuda_context(ordinal: int, stream: int) -> Context:
    """The thread's context on a stream of the device's primary context, which frameworks share. Stream 0 is the
    legacy default stream."""
    return _find(("", ordinal, stream), lambda: _open_cuda(ordinal, stream))


def own_cuda_context(ordinal: int, stream: int) -> Context:
    """Such a context that nothing else uses."""
    return Context(_open_cuda(ordinal, stream), ("", ordinal, stream))


def _open_cuda(ordinal: int, stream: int) -> Opened:
    own, driver = _cuda_driver()
    device, primary = own.new("int *"), own.new("void **")
    error = driver.cuInit(0) or driver.cuDeviceGet(device, ordinal)
    error = error or driver.cuDevicePrimaryCtxRetain(primary, device[0])
    if error:
        raise RuntimeError(f"CUDA device {ordinal} cannot be opened: error {error}")

    def release_primary() -> None:
        driver.cuDevicePrimaryCtxRelease(device[0])

    handle = ffi.new("bailey_context **")
    try:
        check(lib.bailey_context_create_cuda(ffi.cast("void *", int(own.cast("uintptr_t", primary[0]))),
                                             ffi.cast("void *", stream), ffi.NULL, handle))
    except BaseException:
        release_primary()
        raise
    return Opened(handle[0], release_primary)
