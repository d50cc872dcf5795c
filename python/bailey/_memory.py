# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Where the elements of an array are, of NumPy or of a library that offers DLPack or __cuda_array_interface__. Nothing here
needs a context, so that a context can be asked for by an array on its device."""
from __future__ import annotations

import ctypes
import dataclasses
import importlib
import math
import sys
import typing

import numpy

from ._library import refuse
from ._values import Shape

_HOST, _CUDA, _CUDA_HOST = 1, 2, 3  # DLPack's kinds of devices
_LEGACY_STREAM = 1  # CU_STREAM_LEGACY: where frameworks work whose stream is 0


def bfloat16() -> numpy.dtype[typing.Any]:
    """The type of bfloat16, which NumPy has from ml_dtypes; without that package, one that stands for it."""
    try:
        ml_dtypes = importlib.import_module("ml_dtypes")
    except ImportError:
        return numpy.dtype([("bfloat16", "u2")])
    found: numpy.dtype[typing.Any] = numpy.dtype(ml_dtypes.bfloat16)
    return found


@dataclasses.dataclass
class Memory:
    """Where the elements of an array are, side by side."""

    pointer: int
    shape: Shape
    dtype: numpy.dtype[typing.Any]
    on_cuda: bool = False
    stream: int = 0
    readonly: bool = False
    keep: object = None  # what keeps the memory alive
    tensor: typing.Any = None  # of PyTorch, which counts how often it is written

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


# ---- PyTorch and JAX


def _is_tensor(array: typing.Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def _check_written(tensor: typing.Any) -> None:
    """Refuses a tensor that PyTorch's own functions would not take as `out`."""
    torch = sys.modules["torch"]
    if tensor.is_neg() or tensor.is_conj():
        refuse("out", "out is a view that shows its elements with another sign; give out.resolve_neg()")
    if tensor.requires_grad and torch.is_grad_enabled():
        refuse("out", "out requires grad; fill it under torch.no_grad(), or give out.detach()")
    if tensor.is_inference() and not torch.is_inference_mode_enabled():
        refuse("out", "out is a tensor of torch.inference_mode(), which cannot be written outside of it")


def _plain(tensor: typing.Any, argument: str, use: str) -> typing.Any:
    """A tensor without its history; `use` is as for memory_of."""
    torch = sys.modules["torch"]
    if use == "write":
        _check_written(tensor)
    elif use == "read":
        if tensor.requires_grad and torch.is_grad_enabled():
            refuse(argument, f"{argument} requires grad, but gradients are not supported; pass {argument}.detach()")
        tensor = tensor.resolve_conj().resolve_neg()
    return tensor.detach()


def is_immutable(array: typing.Any) -> bool:
    """Whether it belongs to a framework whose arrays never change, and may share memory with others."""
    return any(kind.__module__.split(".")[0] in ("jax", "jaxlib", "tensorflow") for kind in type(array).__mro__)


# ---- DLPack


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


class _DLVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    ]


_NOT_TO_BE_WRITTEN = 3  # flags of DLPack: read-only, a copy


def _capsule_of(array: typing.Any, stream: int, argument: str) -> typing.Any:
    options = dict(stream=stream) if stream else {}
    try:
        try:
            return array.__dlpack__(max_version=(1, 0), **options)
        except TypeError:  # older than max_version
            return array.__dlpack__(**options)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        refuse(argument, f"{argument}: {error}")


def _open_capsule(capsule: typing.Any, argument: str) -> typing.Tuple[_DLTensor, bool]:
    """The tensor in a capsule, and whether it may be written."""
    get, has = ctypes.pythonapi.PyCapsule_GetPointer, ctypes.pythonapi.PyCapsule_IsValid
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    has.restype, has.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
    if not has(capsule, b"dltensor_versioned"):
        return _DLTensor.from_address(get(capsule, b"dltensor")), True
    versioned = _DLVersioned.from_address(get(capsule, b"dltensor_versioned"))
    if versioned.major != 1:
        refuse(argument, f"{argument} speaks version {versioned.major} of DLPack; versions 0 and 1 are known")
    return versioned.tensor, not versioned.flags & _NOT_TO_BE_WRITTEN


def _of_dlpack(array: typing.Any, argument: str) -> Memory:
    """An array with __dlpack__."""
    kind = int(array.__dlpack_device__()[0])
    if kind not in (_HOST, _CUDA, _CUDA_HOST):
        refuse(argument, f"{argument} is on a device of DLPack's kind {kind}; it may be on the host or on a CUDA device")
    stream = _stream_of(array) if kind == _CUDA else 0
    capsule = _capsule_of(array, stream, argument)
    tensor, writable = _open_capsule(capsule, argument)
    letter = {0: "i", 1: "u", 2: "f"}.get(tensor.code)
    if letter is None or tensor.lanes != 1:
        refuse(argument, f"{argument} has elements that are not plain numbers")
    size = tensor.bits // 8
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] * size for i in range(tensor.ndim)) if tensor.strides else None
    _check_strides(shape, strides, size, argument)
    return Memory((tensor.data or 0) + tensor.byte_offset, shape, numpy.dtype(f"{letter}{size}"), kind == _CUDA, stream,
                  not writable, capsule)


def memory_of(array: typing.Any, argument: str, use: str = "") -> Memory:
    """Where an array is, of which `use` must be made: "read", "write", or none."""
    if _is_tensor(array):
        plain = _plain(array, argument, use)
        brain = str(plain.dtype) == "torch.bfloat16"  # which neither protocol has
        if brain:
            plain = plain.view(sys.modules["torch"].int16)
        on_cuda = getattr(plain, "__cuda_array_interface__", None) is not None
        memory = _of_interface(plain, argument) if on_cuda else _of_dlpack(plain, argument)
        memory.keep, memory.tensor = (memory.keep, plain), plain
        if brain:
            memory.dtype = bfloat16()
        return memory
    if use == "write" and is_immutable(array):
        refuse(argument, f"{argument} is a {type(array).__module__.split('.')[0]} array, which is immutable")
    if isinstance(array, numpy.ndarray):
        if isinstance(array, numpy.ma.MaskedArray):
            refuse(argument, f"{argument} is a masked array")
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
