# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Devices, and the contexts that are open on them."""
import dataclasses
import os
import threading

import cffi

from ._library import check, ffi, lib

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


def _device(d):
    def text(array):
        return ffi.string(array).decode("utf-8", "replace")

    return Device(text(d.address), text(d.name), text(d.driver), _KINDS.get(int(d.kind), "other"), bool(d.usable),
                  text(d.reason), bool(d.has_f64), d.units, d.memory_bytes, d.allocation_bytes)


def devices():
    """All devices of all backends, and an entry for each backend that cannot run here."""
    count = ffi.new("size_t *")
    check(lib.bailey_device_list(ffi.NULL, 0, count))
    list_ = ffi.new("bailey_device[]", max(count[0], 1))
    check(lib.bailey_device_list(list_, count[0], count))
    return [_device(list_[i]) for i in range(min(count[0], len(list_)))]


class Context:
    """An open device. A context is used by one thread at a time; `context` gives each thread its own."""

    def __init__(self, handle, on_stream=False):
        self.handle = handle
        self.on_stream = on_stream

    @property
    def device(self):
        d = ffi.new("bailey_device *")
        check(lib.bailey_context_device(self.handle, d))
        return _device(d)

    @property
    def is_cpu(self):
        return self.device.address == "cpu"

    def sync(self):
        """Waits for everything that is queued."""
        check(lib.bailey_context_sync(self.handle))

    def selftest(self, all=False):
        """Compares results on this device with those that are shipped with the library; raises where one
        differs."""
        params = ffi.new("bailey_selftest_params *", {"all": int(all)})
        check(lib.bailey_selftest(self.handle, params))


class _Open(threading.local):
    def __init__(self):
        self.contexts = {}


_open = _Open()


def _forget():
    """After a fork contexts are the parent's."""
    global _open
    _open = _Open()


os.register_at_fork(after_in_child=_forget)


def context(device=None):
    """The thread's context of a device: an address such as "cpu", "cuda", "opencl:0:0"; None is the
    environment's BAILEY_DEVICE, else the best there is. It stays open."""
    if isinstance(device, Context):
        return device
    if isinstance(device, Device):
        device = device.address
    key = device or os.environ.get("BAILEY_DEVICE") or "auto"
    if key not in _open.contexts:
        handle = ffi.new("bailey_context **")
        check(lib.bailey_context_create(key.encode(), ffi.NULL, handle))
        _open.contexts[key] = Context(handle[0])
    return _open.contexts[key]


_cuda = None


def _cuda_driver():
    global _cuda
    if _cuda is None:
        own = cffi.FFI()
        own.cdef("""
            int cuInit(unsigned flags);
            int cuDeviceGet(int *device, int ordinal);
            int cuDevicePrimaryCtxRetain(void **context, int device);
            int cuPointerGetAttribute(void *data, int attribute, unsigned long long pointer);
        """)
        _cuda = own, own.dlopen("libcuda.so.1")
    return _cuda


def cuda_ordinal(pointer):
    """The number of the CUDA device that an address belongs to."""
    own, driver = _cuda_driver()
    ordinal = own.new("int *")
    if driver.cuInit(0) or driver.cuPointerGetAttribute(ordinal, 9, pointer):
        raise ValueError("out is not memory of a CUDA device")
    return ordinal[0]


def cuda_context(ordinal, stream):
    """The thread's context on a stream of the device's primary context, which frameworks share."""
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
        _open.contexts[key] = Context(handle[0], on_stream=True)
    return _open.contexts[key]
