# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Sources as bit generators of numpy.random."""
from __future__ import annotations

import ctypes
import dataclasses
import operator
import os
import typing
import weakref

import cffi
import numpy

from ._devices import open_context
from ._library import BaileyError, InvalidArgument, check, ffi, lib, refuse
from ._source import Source
from ._values import whole

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
    """A function of Python's, to be called from C."""
    return _own.cast("void *", ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)


def _pointer(theirs: typing.Any) -> typing.Any:
    return _own.cast("void *", int(ffi.cast("uintptr_t", theirs)))


def _of_seeds(seeds: typing.Any, like: Source) -> Source:
    """The source of a sequence of seeds, else like another one."""
    seed, stream = (int(n) for n in seeds.generate_state(2, numpy.uint64))
    return like.replace(seed=seed, stream=stream if like.sequence == "runs" else 0)


def _restore(made: typing.Tuple[Source, typing.Any]) -> BitGenerator:
    """Makes what pickles then set the state of."""
    return BitGenerator(made[0], _seeds=made[1])


_ANY = Source()


class BitGenerator(numpy.random.BitGenerator):
    """numpy.random.Generator(source.bit_generator()) draws from the source: 64-bit number i is its words 2i and
    2i + 1, the lower one first. Not for points.

    source  a bailey.Source; or what NumPy's bit generators take as a seed (None, an integer, several, a
            SeedSequence), from which come the seed and the stream of a Philox source
    first   the first word, which is even

    Threads whose generators have bit generators of their own run in parallel; a bit generator that threads share serves
    them one after the other. Copies and pickles continue where it is. Drawing more than a stream has is an error.
    """

    def __init__(self, source: typing.Any = None, first: int = 0, *, _seeds: typing.Any = None) -> None:
        if isinstance(source, Source):
            seeds = _seeds or numpy.random.SeedSequence(source.seed, spawn_key=(source.stream,))
        else:
            plain = not hasattr(source, "generate_state")
            seeds = numpy.random.SeedSequence(source) if plain else source
            source = _of_seeds(seeds, _ANY)
        super().__init__(seeds)
        self._seeds = seeds
        functions = _open()
        self._block = functions.bailey_bit_generator_words()
        self._memory = numpy.zeros(functions.bailey_bit_generator_bytes() // 8 + 1, numpy.uint64)
        self._state = _own.cast("state *", self._memory.ctypes.data)
        self._open_context()
        self._go_to(source, whole(first, "first"))
        self._fill_interface(functions)

    def _open_context(self) -> None:
        """Opens a private context without threads, so that refills share nothing."""
        self._opened = open_context("cpu", 1, "")
        handle = ffi.new("bailey_buffer **")
        words = self._memory.ctypes.data + _own.offsetof("state", "words")
        check(lib.bailey_buffer_adopt_host(self._opened.pointer, ffi.cast("void *", words), 4 * self._block, handle))
        self._finish = weakref.finalize(self, self._opened.release, lib.bailey_buffer_destroy, handle[0])
        self._finish.atexit = False
        state = self._state
        state.generate = _pointer(ffi.addressof(lib, "bailey_words_generate"))
        state.lock, state.unlock = _python("PyGILState_Ensure"), _python("PyGILState_Release")
        state.thread, state.raise_ = _python("PyThread_get_thread_ident"), _python("PyThreadState_SetAsyncExc")
        state.source_ended, state.source_failed = (_own.cast("void *", id(kind)) for kind in (SourceEnded, SourceFailed))
        state.context, state.buffer = _pointer(self._opened.pointer), _pointer(handle[0])

    def _go_to(self, source: Source, place: int, has_half: int = 0, half: int = 0) -> None:
        """Word `place` of a source is the next."""
        ended = place == 1 << 64
        if not ended and whole(place, "place") % 2:
            refuse("first", f"first is {place}; it must be even, as a number is two words")
        if source.kind == "point":
            refuse("source", "source is of points, which are not a sequence of words")
        made, state = source.to_c(), self._state
        check(lib.bailey_source_check(made, ffi.NULL))
        with self.lock:
            ffi.memmove(ffi.cast("void *", int(_own.cast("uintptr_t", state.source))), made, ffi.sizeof("bailey_source"))
            state.place, state.ended = place % 2**64, int(ended)
            state.used, state.status = self._block, 0
            state.has_half, state.half = has_half, half
            self._source = source

    def _fill_interface(self, functions: typing.Any) -> None:
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        bitgen = _own.cast("bitgen *", get(self.capsule, b"BitGenerator"))
        bitgen.state = _own.cast("void *", self._memory.ctypes.data)
        for member, function in (("next_uint64", "next64"), ("next_uint32", "next32"), ("next_double", "double"),
                                 ("next_raw", "next64")):
            address = _own.addressof(functions, "bailey_bit_generator_" + function)
            setattr(bitgen, member, address)

    def close(self) -> None:
        """Frees what it takes to go on; its state can still be read. Drawing from it afterwards is a ValueError."""
        if not self._finish.alive:
            return
        with self.lock:
            state = self._state
            state.place, state.ended, state.used = self._place % 2**64, self._place >> 64, self._block
            state.context, state.source_failed = _own.NULL, _own.cast("void *", id(SourceClosed))
            self._finish()
            del self._opened

    def __enter__(self) -> BitGenerator:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _place(self) -> int:
        """The next word's, 2^64 after the last."""
        state = self._state
        return int(state.place + (int(state.ended) << 64) - (self._block - state.used))

    @property
    def state(self) -> typing.Dict[str, typing.Any]:
        """The source, the place of its next word, and the half of a number that is left of a draw of 32 bits, as a dict
        of numbers and texts. It can be set."""
        with self.lock:
            return dict(bit_generator=type(self).__name__, state=dict(source=dataclasses.asdict(self._source),
                                                                      place=self._place),
                        has_uint32=int(self._state.has_half), uinteger=int(self._state.half))

    @state.setter
    def state(self, value: typing.Mapping[str, typing.Any]) -> None:
        if not isinstance(value, dict):
            raise TypeError(f"state is a {type(value).__name__}, not a dict")
        if value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state is of a {value.get('bit_generator')}, not of a {type(self).__name__}")
        inner = value["state"]
        self._go_to(Source(**inner["source"]), inner["place"], int(value["has_uint32"]), int(value["uinteger"]))

    def __getstate__(self) -> typing.Dict[str, typing.Any]:
        return self.state

    def __setstate__(self, value: typing.Dict[str, typing.Any]) -> None:
        self.state = value

    def __reduce__(self) -> typing.Any:
        return _restore, ((self._source, self._seeds),), self.state

    @property
    def source(self) -> Source:
        """Where its numbers come from."""
        return self._source

    @property
    def seed_seq(self) -> typing.Any:
        """The SeedSequence that it is seeded from; of a bailey.Source, one with its seed as entropy and its stream as
        spawn_key, from which the sources of `spawn` come."""
        return self._seeds

    def spawn(self, n_children: int) -> typing.List[BitGenerator]:
        """Bit generators of the same kind, with seeds and streams from seed_seq.spawn. Each call gives others."""
        return [BitGenerator(_of_seeds(child, self._source), _seeds=child) for child in self._seeds.spawn(n_children)]

    def advance(self, delta: int) -> BitGenerator:
        """Skips `delta` numbers of 64 bits, or goes back by -delta. After a stream's 2^63 numbers come those of the next
        stream, and before them those of the one before. Returns the bit generator."""
        source, place = self._moved(2 * operator.index(delta))
        self._go_to(source, place)
        return self

    def jumped(self, jumps: int = 1) -> BitGenerator:
        """A new bit generator at the same place of stream + jumps, which is 2^63 numbers further on."""
        source, place = self._moved(operator.index(jumps) << 64)
        return BitGenerator(source, place)

    def _moved(self, words: int) -> typing.Tuple[Source, int]:
        """The source and the place so many words from here."""
        with self.lock:
            to = (self._source.stream << 64) + self._place + words
        return self._source.replace(stream=(to >> 64) % 2**64), to % 2**64
