# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Devices, and the contexts that are open on them."""
from __future__ import annotations

import dataclasses
import os
import threading
import typing

import cffi

from ._library import check, ffi, lib, refuse

_KINDS = {0: "none", 1: "cpu", 2: "gpu", 3: "other"}


@dataclasses.dataclass(frozen=True)
class Device:
    """A device that there is, or a backend that cannot run here; then `usable` is False and `reason` says
    why. `address` is what the argument `device` of other functions takes."""

    address: str
    name: str
    driver: str
    kind: str
    usable: bool
    reason: str
    has_f64: bool
    units: int
    memory_bytes: int
    allocation_bytes: int


def _device(d: typing.Any) -> Device:
    def text(array: typing.Any) -> str:
        return str(ffi.string(array).decode("utf-8", "replace"))

    return Device(text(d.address), text(d.name), text(d.driver), _KINDS.get(int(d.kind), "other"), bool(d.usable),
                  text(d.reason), bool(d.has_f64), int(d.units), int(d.memory_bytes), int(d.allocation_bytes))


def devices() -> typing.List[Device]:
    """All devices of all backends, and an entry for each backend that cannot run here."""
    count = ffi.new("size_t *")
    check(lib.bailey_device_list(ffi.NULL, 0, count))
    list_ = ffi.new("bailey_device[]", max(count[0], 1))
    check(lib.bailey_device_list(list_, count[0], count))
    return [_device(list_[i]) for i in range(min(count[0], len(list_)))]


class Context:
    """An open device. A context is used by one thread at a time; `bailey.context` gives each thread its own."""

    def __init__(self, handle: typing.Any) -> None:
        self.handle = handle

    @property
    def device(self) -> Device:
        """What it is open on."""
        d = ffi.new("bailey_device *")
        check(lib.bailey_context_device(self.handle, d))
        return _device(d)

    def sync(self) -> None:
        """Waits for everything that is queued."""
        check(lib.bailey_context_sync(self.handle))

    def selftest(self, all: bool = False) -> typing.List[str]:
        """Compares results on this device with those that are shipped with the library, some of each kind, or all.
        Returns the names of the items; raises where one differs."""
        items: typing.List[str] = []

        @ffi.callback("bailey_selftest_report")  # type: ignore[untyped-decorator, unused-ignore]
        def report(user: typing.Any, item: typing.Any, passed: int, detail: typing.Any) -> None:
            items.append(ffi.string(item).decode())

        params = ffi.new("bailey_selftest_params *", {"all": int(all), "report": report})
        check(lib.bailey_selftest(self.handle, params))
        return items


class _Open(threading.local):
    def __init__(self) -> None:
        self.contexts: typing.Dict[typing.Any, Context] = {}


_open = _Open()


def _forget() -> None:
    """After a fork contexts are the parent's."""
    global _open
    _open = _Open()


os.register_at_fork(after_in_child=_forget)


def context(device: typing.Any = None, *, threads: int = 0, cache_dir: typing.Optional[str] = None) -> Context:
    """The thread's context of a device, which stays open and is the same for the same arguments.

    device     an address such as "cpu", "cuda", "opencl:0:0", or one of bailey.devices(); None is the environment's
               BAILEY_DEVICE, else the best there is. An array on a CUDA device is that device, on the stream on which
               the array's framework works now
    threads    of the cpu backend; 0: all
    cache_dir  of programs that are compiled at run time; "": none
    """
    if isinstance(device, Context):
        return device
    if isinstance(device, Device):
        device = device.address
    if device is not None and not isinstance(device, str):
        from ._arrays import cuda_array

        array = cuda_array(device, "device")
        return cuda_context(cuda_ordinal(array.pointer, "device"), array.stream)
    address = device or os.environ.get("BAILEY_DEVICE") or "auto"
    key = address, threads, cache_dir
    if key not in _open.contexts:
        params = ffi.new("bailey_context_params *", {"threads": threads})
        folder = None if cache_dir is None else ffi.new("char[]", os.fsencode(cache_dir))
        params.cache_dir = ffi.NULL if folder is None else folder
        handle = ffi.new("bailey_context **")
        check(lib.bailey_context_create(address.encode(), params, handle))
        _open.contexts[key] = Context(handle[0])
    return _open.contexts[key]


_cuda: typing.Any = None


def _cuda_driver() -> typing.Any:
    global _cuda
    if _cuda is None:
        own = cffi.FFI()
        own.cdef("""
            int cuInit(unsigned flags);
            int cuDeviceGet(int *device, int ordinal);
            int cuDevicePrimaryCtxRetain(void **context, int device);
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
    key = ("cuda", ordinal, stream)
    if key not in _open.contexts:
        own, driver = _cuda_driver()
        device, primary = own.new("int *"), own.new("void **")
        error = driver.cuInit(0) or driver.cuDeviceGet(device, ordinal)
        error = error or driver.cuDevicePrimaryCtxRetain(primary, device[0])
        if error:
            raise RuntimeError(f"CUDA device {ordinal} cannot be opened: error {error}")
        handle = ffi.new("bailey_context **")
        check(lib.bailey_context_create_cuda(ffi.cast("void *", int(own.cast("uintptr_t", primary[0]))),
                                             ffi.cast("void *", stream), ffi.NULL, handle))
        _open.contexts[key] = Context(handle[0])
    return _open.contexts[key]
