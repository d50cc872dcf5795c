# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What stands behind a bit generator of NumPy: the state that python/bit_generator.c draws from, and the C functions that
NumPy calls for each number, without Python. It knows its source only as the library's struct; BitGenerator, in _source.py,
is what users see of it."""
from __future__ import annotations

import ctypes
import os
import typing
import weakref

import cffi
import numpy

from ._devices import open_context
from ._library import BaileyError, InvalidArgument, check, ffi, lib

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


def own_library(own: cffi.FFI) -> typing.Any:
    """The package's C functions that others call: NumPy's generators, and XLA (python/xla.c)."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libbit_generator.so")
    return own.dlopen(os.environ.get("BAILEY_BIT_GENERATOR") or beside)


def _open() -> typing.Any:
    global _functions
    if _functions is None:
        _functions = own_library(_own)
    return _functions


_own.cdef(f"""
    typedef struct {{
        void *generate, *lock, *unlock, *thread, *raise_, *source_ended, *source_failed, *context, *buffer;
        uint64_t source[{ffi.sizeof("bailey_source") // 8}];
        uint64_t place, ended;
        uint32_t used, has_half, half, status;
        uint32_t words[1];
    }} state; /* as struct state in bit_generator.c begins */
""")


class SourceEnded(InvalidArgument):
    """Numbers after the last of a stream."""

    def __init__(self) -> None:
        super().__init__("the bit generator's source has no more words: a stream has 2^64", "ERROR_INVALID", "source")


class SourceClosed(InvalidArgument):
    """Numbers of a bit generator that is closed."""

    def __init__(self) -> None:
        super().__init__("the bit generator is closed", "ERROR_INVALID", "source")


class SourceFailed(BaileyError):
    """Numbers that the library could not make."""

    def __init__(self) -> None:
        super().__init__("the bit generator's source could not make its words", "ERROR_MEMORY", "source")


def _python(name: str) -> typing.Any:
    """A function of the Python API, for calls from C."""
    return _own.cast("void *", ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)


def _pointer(theirs: typing.Any) -> typing.Any:
    return _own.cast("void *", int(ffi.cast("uintptr_t", theirs)))


class WordState:
    """Words of a source, a block of them at a time. Threads that share it must lock it."""

    def __init__(self) -> None:
        functions = _open()
        self._block = functions.bailey_bit_generator_words()
        self._memory = numpy.zeros(functions.bailey_bit_generator_bytes() // 8 + 1, numpy.uint64)
        self._state = _own.cast("state *", self._memory.ctypes.data)
        self._open_context()

    def _open_context(self) -> None:
        """Opens a private context without threads, so that refills share nothing."""
        self.opened = open_context("cpu", 1, "")
        handle = ffi.new("bailey_buffer **")
        words = self._memory.ctypes.data + _own.offsetof("state", "words")
        check(lib.bailey_buffer_adopt_host(self.opened.pointer, ffi.cast("void *", words), 4 * self._block, handle))
        self._finish = weakref.finalize(self, self.opened.release, lib.bailey_buffer_destroy, handle[0])
        self._finish.atexit = False
        state = self._state
        state.generate = _pointer(ffi.addressof(lib, "bailey_words_generate"))
        state.lock, state.unlock = _python("PyGILState_Ensure"), _python("PyGILState_Release")
        state.thread, state.raise_ = _python("PyThread_get_thread_ident"), _python("PyThreadState_SetAsyncExc")
        state.source_ended, state.source_failed = (_own.cast("void *", id(kind)) for kind in (SourceEnded, SourceFailed))
        state.context, state.buffer = _pointer(self.opened.pointer), _pointer(handle[0])

    def serve(self, capsule: typing.Any) -> None:
        """Enters the functions that NumPy calls into its capsule."""
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        bitgen, functions = _own.cast("bitgen *", get(capsule, b"BitGenerator")), _open()
        bitgen.state = _own.cast("void *", self._memory.ctypes.data)
        for member, function in (("next_uint64", "next64"), ("next_uint32", "next32"), ("next_double", "double"),
                                 ("next_raw", "next64")):
            setattr(bitgen, member, _own.addressof(functions, "bailey_bit_generator_" + function))

    def go_to(self, source: typing.Any, place: int, has_half: int, half: int) -> None:
        """Word `place` of a bailey_source is the next; place 2^64 is the end of its words."""
        state = self._state
        ffi.memmove(ffi.cast("void *", int(_own.cast("uintptr_t", state.source))), source, ffi.sizeof("bailey_source"))
        state.place, state.ended = place % 2**64, place >> 64
        state.used, state.status = self._block, 0
        state.has_half, state.half = has_half, half

    @property
    def place(self) -> int:
        """The next word's, 2^64 after the last."""
        state = self._state
        return int(state.place + (int(state.ended) << 64) - (self._block - state.used))

    @property
    def half(self) -> typing.Tuple[int, int]:
        """Whether a draw of 32 bits has left half of a number, and that half."""
        return int(self._state.has_half), int(self._state.half)

    @property
    def is_open(self) -> bool:
        """Whether it can go on."""
        return self._finish.alive

    def close(self) -> None:
        """Ends its context; drawing from it raises SourceClosed."""
        state = self._state
        state.place, state.ended, state.used = self.place % 2**64, self.place >> 64, self._block
        state.context, state.source_failed = _own.NULL, _own.cast("void *", id(SourceClosed))
        self._finish()
        del self.opened
