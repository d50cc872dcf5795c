# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays that results go to, or come from: of NumPy, or of whoever speaks DLPack or __cuda_array_interface__. They
are filled where they are, on their device and stream."""
from __future__ import annotations

import ctypes
import dataclasses
import math
import typing

import numpy

from ._devices import Context, context, cuda_context, cuda_ordinal
from ._library import check, ffi, lib, refuse
from ._progress import Watch
from ._values import Shape, check_kind

_HOST, _CUDA, _CUDA_HOST = 1, 2, 3  # DLPack's kinds of devices
_LEGACY_STREAM = 1  # CU_STREAM_LEGACY: where frameworks work whose stream is 0


@dataclasses.dataclass
class Memory:
    """Where the elements of an array are, side by side."""

    pointer: int
    shape: Shape
    dtype: numpy.dtype[typing.Any]
    on_cuda: bool = False
    stream: int = 0
    readonly: bool = False
    keep: object = None  # what the memory lives by

    @property
    def count(self) -> int:
        """How many elements."""
        return math.prod(self.shape)


def _stream_of(array: typing.Any) -> int:
    """The stream on which the array's framework works now."""
    module = type(array).__module__.split(".")[0]
    stream = 0
    if module == "torch":
        import torch

        stream = torch.cuda.current_stream(array.device).cuda_stream
    elif module == "cupy":
        import cupy

        stream = cupy.cuda.get_current_stream().ptr
    return int(stream) or _LEGACY_STREAM


def _check_strides(shape: Shape, strides: typing.Optional[Shape], size: int, argument: str) -> None:
    if strides is None or 0 in shape:
        return
    step = size
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != step:
            refuse(argument, f"{argument} is not contiguous")
        step *= extent


def _of_interface(array: typing.Any, argument: str) -> Memory:
    """An array with __cuda_array_interface__."""
    interface = array.__cuda_array_interface__
    dtype, shape = numpy.dtype(interface["typestr"]), tuple(interface["shape"])
    _check_strides(shape, interface.get("strides"), dtype.itemsize, argument)
    pointer, readonly = interface["data"]
    return Memory(pointer, shape, dtype, True, interface.get("stream") or _stream_of(array), readonly)


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


def _of_dlpack(array: typing.Any, argument: str) -> Memory:
    """An array with __dlpack__."""
    kind = int(array.__dlpack_device__()[0])
    if kind not in (_HOST, _CUDA, _CUDA_HOST):
        refuse(argument, f"{argument} is on a device of DLPack's kind {kind}; it may be on the host or on a CUDA device")
    stream = _stream_of(array) if kind == _CUDA else 0
    capsule = array.__dlpack__(stream=stream) if stream else array.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _DLTensor.from_address(get(capsule, b"dltensor"))
    letter = {0: "i", 1: "u", 2: "f"}.get(tensor.code)
    if letter is None or tensor.lanes != 1:
        refuse(argument, f"{argument} has elements that are not plain numbers")
    size = tensor.bits // 8
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] * size for i in range(tensor.ndim)) if tensor.strides else None
    _check_strides(shape, strides, size, argument)
    return Memory((tensor.data or 0) + tensor.byte_offset, shape, numpy.dtype(f"{letter}{size}"), kind == _CUDA, stream,
                  keep=capsule)


def memory_of(array: typing.Any, argument: str) -> Memory:
    """Where an array is."""
    if isinstance(array, numpy.ndarray):
        if not array.flags.c_contiguous:
            refuse(argument, f"{argument} is not contiguous")
        return Memory(array.ctypes.data, array.shape, array.dtype, readonly=not array.flags.writeable, keep=array)
    if getattr(array, "__cuda_array_interface__", None) is not None:
        return _of_interface(array, argument)
    if hasattr(array, "__dlpack__"):
        return _of_dlpack(array, argument)
    refuse(argument, f"{argument} is of type {type(array).__name__}, not an array")


def cuda_array(array: typing.Any, argument: str) -> Memory:
    """Where an array on a CUDA device is."""
    memory = memory_of(array, argument)
    if not memory.on_cuda:
        refuse(argument, f"{argument} is an array, and not on a CUDA device")
    return memory


class Adopted:
    """An array as a buffer of a context: in place, while the context is locked for calls on it."""

    def __init__(self, owner: Context, result: typing.Any, memory: Memory) -> None:
        self.context, self.result, self.dtype, self.count = owner, result, memory.dtype, memory.count
        self._memory, self._opened, self.buffer = memory, owner.opened, ffi.NULL

    def _adopt(self) -> None:
        memory, handle = self._memory, ffi.new("bailey_buffer **")
        size = memory.count * memory.dtype.itemsize
        if memory.on_cuda:
            check(lib.bailey_buffer_adopt_cuda(self._opened.pointer, memory.pointer, size, handle))
        else:
            check(lib.bailey_buffer_adopt_host(self._opened.pointer, ffi.cast("void *", memory.pointer), size, handle))
        self.buffer = handle[0]

    def __enter__(self) -> Adopted:
        self._opened.__enter__()
        try:
            self._adopt()
            self._watch = Watch(self._opened.pointer)
        except BaseException:
            self._opened.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        lib.bailey_buffer_destroy(self.buffer)
        self.buffer = ffi.NULL
        try:
            self._watch.end()
        finally:
            self._opened.__exit__()


def _owner(memory: Memory, device: typing.Any, argument: str) -> Context:
    """The context on which an array is filled: of a CUDA array, that of its stream."""
    if not memory.on_cuda:
        return context(device)
    found = cuda_context(cuda_ordinal(memory.pointer, argument), memory.stream)
    if isinstance(device, Context):
        if not device.is_like(found):
            refuse(argument,
                   f"{argument} is on a CUDA device, and this is not made for its stream: make it with device=array")
        return device
    if isinstance(device, str) and not device.startswith("cuda"):
        refuse(argument, f"{argument} is on a CUDA device, and device is {device!r}")
    return found


def target(out: typing.Any, shape: typing.Optional[Shape], dtype: typing.Any, default: str, device: typing.Any) -> Adopted:
    """Where a result goes: a new NumPy array if `out` is None, else `out`, with as many elements as `shape` has,
    if that is given. Elements are of type `dtype`; None is that of `out`, else `default`."""
    if out is None:
        if shape is None:
            refuse("count", "neither count nor out is given")
        out = numpy.empty(shape, default if dtype is None else dtype)
    memory = memory_of(out, "out")
    if memory.readonly:
        refuse("out", "out is read only")
    if dtype is not None and memory.dtype != numpy.dtype(dtype):
        refuse("out", f"out has elements of type {memory.dtype}, not {numpy.dtype(dtype)}")
    if shape is not None and memory.count != math.prod(shape):
        refuse("out", f"out has {memory.count} elements, not {math.prod(shape)}")
    return Adopted(_owner(memory, device, "out"), out, memory)


def given(array: typing.Any, shape: Shape, dtype: typing.Any, device: Context, argument: str) -> Adopted:
    """An array that is read, of this shape: in place where it has the type and is contiguous, else a copy."""
    if isinstance(array, numpy.ndarray) or not (hasattr(array, "__cuda_array_interface__") or hasattr(array, "__dlpack__")):
        array = numpy.asarray(array)
        check_kind("iu" if numpy.dtype(dtype).kind == "u" else "iuf", array.dtype, argument)
        array = numpy.ascontiguousarray(array, dtype)
    memory = memory_of(array, argument)
    if memory.shape != shape:
        refuse(argument, f"{argument} has the shape {memory.shape}, not {shape}")
    if memory.dtype != numpy.dtype(dtype):
        refuse(argument, f"{argument} has elements of type {memory.dtype}, not {numpy.dtype(dtype)}")
    return Adopted(_owner(memory, device, argument), array, memory)


def strings(words: typing.Iterable[str], keep: typing.List[typing.Any]) -> typing.Any:
    """A C array of strings; `keep` holds it."""
    texts = [ffi.new("char[]", word.encode()) for word in words]
    array = ffi.new("char *[]", texts) if texts else ffi.NULL
    keep += [texts, array]
    return ffi.cast("const char *const *", array)
