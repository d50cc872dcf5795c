# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Sources as bit generators of numpy.random."""
from __future__ import annotations

import ctypes
import os
import typing

import cffi
import numpy

from ._devices import context
from ._library import check, ffi, lib, refuse
from ._source import Source

_own = cffi.FFI()
_own.cdef("""
    uint64_t bailey_bit_generator_bytes(void);
    uint32_t bailey_bit_generator_words(void);
    uint64_t bailey_bit_generator_next64(void *);
    uint32_t bailey_bit_generator_next32(void *);
    double bailey_bit_generator_double(void *);
    typedef struct {
        void *state;
        uint64_t (*next_uint64)(void *);
        uint32_t (*next_uint32)(void *);
        double (*next_double)(void *);
        uint64_t (*next_raw)(void *);
    } bitgen;
""")
_functions: typing.Any = None


def _open() -> typing.Any:
    global _functions
    if _functions is None:
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libbit_generator.so")
        _functions = _own.dlopen(os.environ.get("BAILEY_BIT_GENERATOR") or beside)
    return _functions


_own.cdef(f"""
    typedef struct {{
        void *generate, *context, *buffer;
        uint64_t source[{ffi.sizeof("bailey_source") // 8}];
        uint64_t place;
        uint32_t used, has_half, half, status;
        uint32_t words[1];
    }} state; /* as struct state in bit_generator.c begins */
""")


def _pointer(theirs: typing.Any) -> typing.Any:
    return _own.cast("void *", int(ffi.cast("uintptr_t", theirs)))


class BitGenerator(numpy.random.BitGenerator):
    """numpy.random.Generator(source.bit_generator()) draws from the source: 64-bit number i is its words 2i and
    2i + 1, the lower one first. Not for points."""

    def __init__(self, source: Source, first: int = 0) -> None:
        if first % 2:
            refuse("first", f"first is {first}; it must be even, as a number is two words")
        if source.kind == "point":
            refuse("source", "points are no sequence of words")
        super().__init__(0)
        functions = _open()
        words = functions.bailey_bit_generator_words()
        self._memory = numpy.zeros(functions.bailey_bit_generator_bytes() // 8 + 1, numpy.uint64)
        self._context = context("cpu")
        state = _own.cast("state *", self._memory.ctypes.data)
        handle = ffi.new("bailey_buffer **")
        offset = _own.offsetof("state", "words")
        check(lib.bailey_buffer_adopt_host(self._context.handle,
                                           ffi.cast("void *", self._memory.ctypes.data + offset), 4 * words,
                                           handle))
        self._buffer = handle[0]
        state.generate = _pointer(ffi.addressof(lib, "bailey_words_generate"))
        state.context, state.buffer = _pointer(self._context.handle), _pointer(self._buffer)
        ffi.memmove(ffi.cast("void *", int(_own.cast("uintptr_t", state.source))), source.to_c(),
                    ffi.sizeof("bailey_source"))
        state.place, state.used = first, words
        self._state = state
        self._source, self._first = source, first
        self._fill_interface(functions)

    def _fill_interface(self, functions: typing.Any) -> None:
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        bitgen = _own.cast("bitgen *", get(self.capsule, b"BitGenerator"))
        bitgen.state = _own.cast("void *", self._memory.ctypes.data)
        for member, function in (("next_uint64", "next64"), ("next_uint32", "next32"), ("next_double", "double"),
                                 ("next_raw", "next64")):
            address = _own.addressof(functions, "bailey_bit_generator_" + function)
            setattr(bitgen, member, address)

    def __del__(self) -> None:
        if getattr(self, "_buffer", None):
            lib.bailey_buffer_destroy(self._buffer)

    def __reduce__(self) -> typing.Any:
        return type(self), (self._source, self._first)
