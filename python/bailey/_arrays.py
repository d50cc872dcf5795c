# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays that results go to: of NumPy, or of whoever speaks DLPack or __cuda_array_interface__. They are filled
where they are, on their device and stream."""
import ctypes

import numpy

from ._devices import context, cuda_context, cuda_ordinal
from ._library import InvalidArgument, check, ffi, lib

_CPU, _CUDA, _CUDA_HOST = 1, 2, 3


def _refuse(text):
    raise InvalidArgument(text, "ERROR_INVALID", "out")


class Target:
    """Memory that a call writes: a buffer of a context, and what is to be returned."""

    def __init__(self, owner, result, pointer, bytes_, dtype, on_cuda):
        self.context = owner
        self.result = result
        self._pointer = pointer
        self._on_cuda = on_cuda
        self.dtype = dtype
        handle = ffi.new("bailey_buffer **")
        if on_cuda:
            check(lib.bailey_buffer_adopt_cuda(owner.handle, pointer, bytes_, handle))
        else:
            check(lib.bailey_buffer_adopt_host(owner.handle, ffi.cast("void *", pointer), bytes_, handle))
        self.buffer = handle[0]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        lib.bailey_buffer_destroy(self.buffer)
        self.buffer = ffi.NULL


def _numpy_target(out, device):
    if not isinstance(out, numpy.ndarray):
        _refuse(f"out is a {type(out).__name__}, not an array")
    if not out.flags.c_contiguous or not out.flags.writeable:
        _refuse("out is not contiguous and writeable")
    return Target(context(device), out, out.ctypes.data, out.nbytes, out.dtype, False)


def _stream_of(out):
    """The stream on which the array's framework works now."""
    module = type(out).__module__.split(".")[0]
    if module == "torch":
        import torch

        return torch.cuda.current_stream(out.device).cuda_stream
    if module == "cupy":
        import cupy

        return cupy.cuda.get_current_stream().ptr
    return 0


def _cuda_target(out, interface):
    dtype = numpy.dtype(interface["typestr"])
    pointer, readonly = interface["data"]
    shape, strides = interface["shape"], interface.get("strides")
    count = 1
    for extent in shape:
        count *= extent
    if readonly:
        _refuse("out is read only")
    if strides is not None and count > 0:
        step = dtype.itemsize
        for extent, stride in zip(reversed(shape), reversed(strides)):
            if extent != 1 and stride != step:
                _refuse("out is not contiguous")
            step *= extent
    stream = interface.get("stream") or _stream_of(out)
    stream = {1: 1, 2: 2}.get(stream, stream)
    owner = cuda_context(cuda_ordinal(pointer), stream)
    return Target(owner, out, pointer, count * dtype.itemsize, dtype, True)


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def _dlpack_interface(out):
    """What __cuda_array_interface__ would say of an array that speaks DLPack alone."""
    stream = _stream_of(out)
    capsule = out.__dlpack__(stream=stream or 1)
    ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
    ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = ctypes.pythonapi.PyCapsule_GetPointer(capsule, b"dltensor")
    tensor = ctypes.cast(address, ctypes.POINTER(_DLTensor)).contents
    kind = {0: "i", 1: "u", 2: "f"}.get(tensor.code)
    if kind is None or tensor.lanes != 1:
        _refuse("out has elements that are not plain numbers")
    size = tensor.bits // 8
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] * size for i in range(tensor.ndim)) if tensor.strides else None
    return {"typestr": f"<{kind}{size}", "data": (tensor.data + tensor.byte_offset, False), "shape": shape,
            "strides": strides, "stream": stream}


def target(out, shape, dtype, device):
    """Where a result of this shape goes: a new NumPy array if `out` is None, else `out`, which has as many
    elements of this type."""
    if out is None:
        out = numpy.empty(shape, dtype)
        return _numpy_target(out, device)
    interface = getattr(out, "__cuda_array_interface__", None) if not isinstance(out, numpy.ndarray) else None
    if interface is not None:
        found = _cuda_target(out, interface)
    elif not isinstance(out, numpy.ndarray) and hasattr(out, "__dlpack_device__"):
        kind, _ = out.__dlpack_device__()
        if kind == _CUDA:
            found = _cuda_target(out, _dlpack_interface(out))
        elif kind in (_CPU, _CUDA_HOST):
            # torch gives its memory as an array of NumPy, which may be written.
            array = out.numpy() if hasattr(out, "numpy") else numpy.from_dlpack(out)
            found = _numpy_target(array, device)
            found.result = out
        else:
            _refuse(f"out is on a device of DLPack's kind {kind}; it may be on the host or on a CUDA device")
    else:
        found = _numpy_target(out, device)
    if found._on_cuda and device is not None and not str(device).startswith("cuda"):
        _refuse(f"out is on a CUDA device, and device is {device!r}")
    if found.dtype != numpy.dtype(dtype):
        _refuse(f"out has elements of type {found.dtype}, not {numpy.dtype(dtype)}")
    return found


def elements(out):
    """How many elements an array has."""
    shape = out.shape
    count = 1
    for extent in shape:
        count *= int(extent)
    return count


def dtype_of(out):
    """The NumPy type of an array's elements."""
    if isinstance(out, numpy.ndarray):
        return out.dtype
    return numpy.dtype(str(out.dtype).split(".")[-1])
