# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays that results go to, or come from, as buffers of a context: they are filled and read where they are, on their
device and stream, without a copy."""
from __future__ import annotations

import typing

import numpy

from ._devices import Context, context, cuda_context, cuda_ordinal
from ._library import check, ffi, lib, refuse
from ._memory import Memory, memory_of
from ._progress import Watch
from ._values import Shape, check_kind


SHORT = 1 << 16  # elements of calls that end too soon to listen for signals


class Adopted:
    """An array as a buffer of a context: in place, while the context is locked for calls on it. An array of no elements
    has no buffer."""

    def __init__(self, owner: Context, result: typing.Any, memory: Memory, written: bool = False) -> None:
        self._written = written
        self.context, self.result, self.dtype, self.count = owner, result, memory.dtype, memory.count
        self._memory, self._opened, self.buffer = memory, owner.opened, ffi.NULL

    def run(self, function: typing.Any, *arguments: typing.Any) -> None:
        """Calls a function of the library that fills it, where there is something to fill."""
        if self.count:
            check(function(*arguments))

    def _adopt(self) -> None:
        memory, handle = self._memory, ffi.new("bailey_buffer **")
        if not self.count:
            return
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
            self._watch = Watch(self._opened.pointer) if self.count > SHORT else None
        except BaseException:
            self._opened.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        lib.bailey_buffer_destroy(self.buffer)
        self.buffer = ffi.NULL
        if self._written and self._memory.tensor is not None:
            self._memory.tensor.reshape(-1)[:0].zero_()  # counts as writing it, for the tensor's autograd
        try:
            if self._watch is not None:
                self._watch.end()
        finally:
            self._opened.__exit__()


def _owner(memory: Memory, device: typing.Any, argument: str) -> Context:
    """The context on which an array is filled: of a CUDA array, that of its stream."""
    if memory.count and memory.pointer % memory.dtype.itemsize:
        refuse(argument, f"{argument} is not aligned to the {memory.dtype.itemsize} bytes of its elements")
    if not memory.on_cuda or not memory.count:
        return context(device)
    found = cuda_context(cuda_ordinal(memory.pointer, argument), memory.stream)
    if isinstance(device, Context):
        if not device.is_like(found):
            refuse(argument,
                   f"{argument} is on a CUDA device, but this object does not use its stream: create it with device=array")
        return device
    if isinstance(device, str) and not device.startswith("cuda"):
        refuse(argument, f"{argument} is on a CUDA device, and device is {device!r}")
    return found


def check_target(out: typing.Any, shape: typing.Optional[Shape], dtype: typing.Any) -> Memory:
    """Where `out` is, which must have this shape and type, if they are given, and may be written."""
    memory = memory_of(out, "out", "write")
    if memory.readonly:
        refuse("out", "out is read only")
    if dtype is not None and memory.dtype != numpy.dtype(dtype):
        refuse("out", f"out has elements of type {memory.dtype}, not {numpy.dtype(dtype)}")
    if shape is not None and memory.shape != shape:
        refuse("out", f"out has the shape {memory.shape}, not {shape}")
    return memory


def target(out: typing.Any, shape: typing.Optional[Shape], dtype: typing.Any, default: str, device: typing.Any) -> Adopted:
    """Where a result goes: a new NumPy array if `out` is None, else `out`, which has this shape, if one is given.
    Elements are of type `dtype`; None is that of `out`, else `default`."""
    if out is None:
        if shape is None:
            refuse("count", "neither count nor out is given")
        out = numpy.empty(shape, default if dtype is None else dtype)
    memory = check_target(out, shape, dtype)
    return Adopted(_owner(memory, device, "out"), out, memory, True)


def fresh(array: typing.Any, dtype: typing.Any, owner: Context) -> Adopted:
    """A new array of NumPy, or a new tensor of PyTorch on the host, as `target` has it, without its questions."""
    pointer = array.ctypes.data if isinstance(array, numpy.ndarray) else array.data_ptr()
    return Adopted(owner, array, Memory(pointer, tuple(array.shape), dtype))


def given(array: typing.Any, shape: Shape, dtype: typing.Any, device: Context, argument: str) -> Adopted:
    """An array that is read, of this shape: in place where it has the type and is contiguous, else a copy."""
    if isinstance(array, numpy.ndarray) or not (hasattr(array, "__cuda_array_interface__") or hasattr(array, "__dlpack__")):
        array = array if isinstance(array, numpy.ma.MaskedArray) else numpy.asarray(array)
        check_kind("iu" if numpy.dtype(dtype).kind == "u" else "iuf", array.dtype, argument)
        array = numpy.require(array, dtype, ["C", "A"])
    memory = memory_of(array, argument, "read")
    if memory.shape != shape:
        refuse(argument, f"{argument} has the shape {memory.shape}, not {shape}")
    if memory.dtype != numpy.dtype(dtype):
        refuse(argument, f"{argument} has elements of type {memory.dtype}, not {numpy.dtype(dtype)}")
    return Adopted(_owner(memory, device, argument), array, memory)
