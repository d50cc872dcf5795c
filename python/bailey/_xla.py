# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What XLA, the compiler of JAX, calls in the middle of a program (its foreign function interface): the library fills XLA's
own arrays, on the host or in XLA's stream on a CUDA device.

A call says what to do by an object of this package, as text in the program: a compiled program that another process reads
from a cache means the same. Operands are few numbers, such as seeds, times and parameters; they are read on the host.

Source of the structures: xla/ffi/api/c_api.h, version 0.1 and later of the interface, in which fields are only added.
"""
from __future__ import annotations

import base64
import ctypes
import pickle
import threading
import typing

import cffi
import numpy

from ._arrays import Adopted
from ._bit_generator import own_library
from ._devices import Context, context, cuda_context, cuda_ordinal, own_cuda_context
from ._library import InvalidArgument, OutOfMemory, Unsupported, check, ffi, lib, refuse
from ._memory import Memory, bfloat16

_c = cffi.FFI()
_c.cdef("""
    typedef struct extension { size_t size; int kind; struct extension *next; } extension;
    typedef struct { size_t size; extension *extensions; int major, minor; } version;
    typedef struct { size_t size; version version; uint32_t traits; } metadata;
    typedef struct { extension base; metadata *about; } metadata_extension;
    typedef struct { size_t size; extension *extensions; int type; void *data; int64_t rank; int64_t *extents; } array;
    typedef struct { size_t size; extension *extensions; int64_t count; int *kinds; array **items; } arrays;
    typedef struct { const char *text; size_t size; } span;
    typedef struct { size_t size; extension *extensions; int64_t count; int *kinds; span **names; void **items; } attributes;
    typedef struct { size_t size; extension *extensions; const char *message; int code; } error;
    typedef struct { size_t size; extension *extensions; void *running; void *stream; } stream;
    typedef struct {
        size_t size;
        extension *extensions;
        version version;
        void *internal;
        void *(*error_create)(error *);
        void *error_message, *error_destroy, *handler_register;
        void *(*stream_get)(stream *);
    } api;
    typedef struct {
        size_t size;
        extension *extensions;
        const api *api;
        void *running;
        int stage;
        arrays operands, results;
        attributes attributes;
    } frame;
""")
_METADATA, _TEXT, _EXECUTE = 1, 4, 3  # kinds of extensions and attributes; a stage
_TYPES = {4: "int32", 5: "int64", 8: "uint32", 9: "uint64", 10: "float16", 11: "float32", 12: "float64"}
_CODES = {InvalidArgument: 3, OutOfMemory: 8, Unsupported: 12}
_INTERNAL = 13


class Place:
    """Where the arrays of a call are: on the host, to be filled by a device of the library, or on a CUDA device."""

    _open: typing.Dict[typing.Any, Context] = {}  # for all of XLA's threads
    _lock = threading.Lock()

    def __init__(self, stream: typing.Optional[int], ordinal: int = 0) -> None:
        self.stream, self.ordinal = stream, ordinal

    @property
    def key(self) -> typing.Any:
        """Differs from place to place."""
        return self.stream, self.ordinal

    def context(self, device: typing.Optional[str]) -> Context:
        """The context that fills arrays: of the address, on the host; on a CUDA device, of XLA's stream."""
        if self.stream is not None and device is not None and not device.startswith("cuda"):
            refuse("device", f"device is {device!r}, and JAX computes on a CUDA device")
        key = device if self.stream is None else self.key
        with self._lock:
            found = self._open.get(key)
            if found is None or found._opened is None or found.opened.is_parents:
                made = context(device or "cpu") if self.stream is None else cuda_context(self.ordinal, self.stream)
                found = self._open[key] = made.shared()
            return found

    def read(self, memory: Memory) -> typing.Any:
        """A copy of an array on the host."""
        out = numpy.empty(memory.shape, memory.dtype)
        if self.stream is None:
            ffi.memmove(ffi.cast("char *", out.ctypes.data), ffi.cast("char *", memory.pointer), out.nbytes)
        elif out.size:
            with Adopted(self.context(None), None, memory) as from_:
                check(lib.bailey_buffer_read(from_.buffer, 0, ffi.cast("void *", out.ctypes.data), out.nbytes))
        return out

    def write(self, memory: Memory, values: typing.Any) -> None:
        """Fills an array with numbers of the host."""
        values = numpy.ascontiguousarray(values, memory.dtype)
        if values.shape != memory.shape:
            values = values.reshape(memory.shape)
        if self.stream is None:
            ffi.memmove(ffi.cast("char *", memory.pointer), ffi.cast("char *", values.ctypes.data), values.nbytes)
        elif values.size:
            with Adopted(self.context(None), None, memory) as to:
                check(lib.bailey_buffer_write(to.buffer, 0, ffi.cast("void *", values.ctypes.data), values.nbytes))


class Call:
    """A call and its constants. Subclasses can be pickled. Objects of the library that it needs at a place are made once."""

    in_place = False  # whether operands on a CUDA device stay there

    def step(self, owner: Context) -> typing.Any:
        """What python/xla.c needs to do it on a CUDA device, if it is in place: a motion, a source, and how many paths and
        bytes of each there are."""
        raise NotImplementedError

    def kept(self, key: typing.Any, owner: Context, make: typing.Callable[[], typing.Any]) -> typing.Any:
        """An object on a context, which XLA's threads share."""
        with _lock:
            objects = vars(self).setdefault("_objects", {})
            made = objects.get(key)
            if made is None or made._place.opened is not owner.opened:
                made = objects[key] = make()
            return made

    def fill(self, place: Place, operands: typing.List[typing.Any], results: typing.List[Memory]) -> None:
        """Fills the results, which have the batch in front, as the operands do: arrays of the host, or memory in place."""
        raise NotImplementedError

    def text(self) -> str:
        """For the program."""
        try:
            return base64.b64encode(pickle.dumps(self, 4)).decode()
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            refuse("options", f"an argument cannot be part of a program of JAX: {error}")


class State:
    """An object on a context, as its constructor's arguments."""

    def __init__(self, made: typing.Any, name: str, kind: type) -> None:
        if not isinstance(made, kind):
            refuse(name, f"{name} is of type {type(made).__name__}, not a bailey.{kind.__name__}")
        state: typing.Any = made.__getstate__()
        self.kind: typing.Any = type(made)
        self.address = state.pop("device").address
        self.state = {**state, "more": {}}

    def on(self, owner: Context) -> typing.Any:
        """Such an object on a context."""
        new = object.__new__(self.kind)
        new.__setstate__({**self.state, "device": owner})
        return new


_lock = threading.Lock()
_MOST = 256  # calls that are kept; others are made again from their texts
_calls: typing.Dict[bytes, Call] = {}


def _memory(array: typing.Any, stream: typing.Optional[int]) -> Memory:
    name = _TYPES.get(array.type)
    dtype = bfloat16() if name is None else numpy.dtype(name)
    shape = tuple(int(array.extents[i]) for i in range(array.rank))
    return Memory(int(_c.cast("uintptr_t", array.data)), shape, dtype, stream is not None, stream or 0)


def _call_of(frame: typing.Any) -> typing.Tuple[Call, bytes]:
    """The object that the program has as text, and the text."""
    attributes = frame.attributes
    for i in range(attributes.count):
        if attributes.kinds[i] == _TEXT:
            given = _c.cast("span *", attributes.items[i])
            text = bytes(_c.buffer(given.text, given.size))
            found = _calls.get(text)
            if found is None:
                found = pickle.loads(base64.b64decode(text))
                with _lock:
                    found = _calls.setdefault(text, found)
                    while len(_calls) > _MOST:
                        del _calls[next(iter(_calls))]
            return found, text
    raise ValueError("the call has no text")


def _stream_of(frame: typing.Any) -> int:
    asked = _c.new("stream *", dict(size=_c.sizeof("stream"), running=frame.running))
    if frame.api.stream_get(asked) != _c.NULL:
        raise RuntimeError("XLA has no stream for the call")
    return int(_c.cast("uintptr_t", asked.stream)) or 1  # the legacy default stream


def _answer(frame: typing.Any, on_cuda: bool) -> typing.Any:
    extension = frame.extensions
    if extension != _c.NULL and extension.kind == _METADATA:
        about = _c.cast("metadata_extension *", extension).about
        known = frame.api.version.major == 0
        about.version.major, about.version.minor, about.traits = 0, frame.api.version.minor if known else 1, 0
        return _c.NULL
    if frame.stage != _EXECUTE:
        return _c.NULL
    try:
        (call, text), stream = _call_of(frame), _stream_of(frame) if on_cuda else None
        results = [_memory(frame.results.items[i], stream) for i in range(frame.results.count)]
        operands = [_memory(frame.operands.items[i], stream) for i in range(frame.operands.count)]
        pointer = next((memory.pointer for memory in results if memory.count), 0)
        if pointer:
            place = Place(stream, cuda_ordinal(pointer, "out") if on_cuda else 0)
            stay = on_cuda and call.in_place
            call.fill(place, operands if stay else [place.read(memory) for memory in operands], results)
            if stay:
                _leave_to_c(call, text, place)
    except BaseException as error:  # XLA raises it again, as its own error, with this text
        message = _c.new("char[]", f"bailey.{type(error).__name__}: {error}".encode())
        code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), _INTERNAL)
        return frame.api.error_create(_c.new("error *", dict(size=_c.sizeof("error"), message=message, code=code)))
    return _c.NULL


# ---- Without Python, after the first time

_own = cffi.FFI()
_own.cdef(f"""
    typedef struct {{
        const char *text;
        uint64_t text_size;
        void *stream, *context, *motion;
        uint64_t source[{ffi.sizeof("bailey_source") // 8}];
        uint64_t paths, path_bytes;
    }} step;
    typedef struct {{ void *adopt, *destroy, *increments, *python; }} functions;
    void bailey_xla_begin(const functions *);
    int bailey_xla_know(const step *);
    void *bailey_xla_answer(void *);
""")
_native = own_library(_own)
_left: typing.Dict[typing.Any, typing.Any] = {}  # what is left to C, by text and stream, which lives as long as the process


def _pointer(theirs: typing.Any) -> typing.Any:
    return _own.cast("void *", int(ffi.cast("uintptr_t", theirs)))


def _leave_to_c(call: Call, text: bytes, place: Place) -> None:
    """Tells C of a call in a stream, which will not come here again. It has a context to itself, which C locks."""
    with _lock:
        if (text, place.key) in _left:
            return
        _left[text, place.key] = None
    owner = own_cuda_context(place.ordinal, typing.cast(int, place.stream))
    motion, source, paths, path_bytes = call.step(owner)
    kept = _own.from_buffer(text)
    step = _own.new("step *", dict(text=kept, text_size=len(text), stream=_own.cast("void *", place.stream), paths=paths,
                                   path_bytes=path_bytes, context=_pointer(owner.handle), motion=_pointer(motion._handle)))
    ffi.memmove(ffi.cast("char *", int(_own.cast("uintptr_t", step.source))), source.to_c(), ffi.sizeof("bailey_source"))
    _left[text, place.key] = kept, owner, motion
    _native.bailey_xla_know(step)


_handlers = {platform: _c.callback("void *(frame *)", lambda frame, on_cuda=on_cuda: _answer(frame, on_cuda))
             for platform, on_cuda in (("cpu", False), ("CUDA", True))}
_functions = _own.new("functions *", dict(
    adopt=_pointer(ffi.addressof(lib, "bailey_buffer_adopt_cuda")), destroy=_pointer(ffi.addressof(lib, "bailey_buffer_destroy")),
    increments=_pointer(ffi.addressof(lib, "bailey_motion_increments_timed")),
    python=_own.cast("void *", int(_c.cast("uintptr_t", _handlers["CUDA"])))))
_native.bailey_xla_begin(_functions)
_targets = {"cpu": int(_c.cast("uintptr_t", _handlers["cpu"])),
            "CUDA": int(_own.cast("uintptr_t", _own.addressof(_native, "bailey_xla_answer")))}
NAME = "bailey_fill"


def _capsule(handler: int) -> typing.Any:
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(handler, None, None)


def _register() -> typing.Any:
    try:
        import jax.ffi
    except ImportError:
        raise ImportError("bailey in JAX needs jax.ffi, which JAX has since version 0.5") from None
    for platform, handler in _targets.items():
        jax.ffi.register_ffi_target(NAME, _capsule(handler), platform=platform)
    return jax.ffi


_jax_ffi = _register()


def called(call: Call, results: typing.Any, *operands: typing.Any) -> typing.Any:
    """The arrays that a call fills, of these shapes and types, as JAX has them. jax.vmap puts the batch in front of
    operands and results, and stays one call."""
    return _jax_ffi.ffi_call(NAME, results, vmap_method="broadcast_all")(*operands, call=call.text())


# ---- Integers of 64 bits, which JAX has only where it is told so


def halves(value: typing.Any, name: str) -> typing.Any:
    """An integer as its two words: of Python, of up to 64 bits, or an array of JAX."""
    import jax.numpy as jnp

    if isinstance(value, (int, numpy.integer)) and not isinstance(value, bool):
        if not 0 <= value < 1 << 64:
            refuse(name, f"{name} is {value}, outside 0 .. 2^64 - 1")
        return jnp.array([int(value) & 0xffffffff, int(value) >> 32], "uint32")
    array = jnp.asarray(value)
    if array.shape or not jnp.issubdtype(array.dtype, jnp.integer):
        refuse(name, f"{name} has the shape {array.shape} and the type {array.dtype}; it is an integer")
    if array.dtype.itemsize == 8:
        return jnp.stack([array.astype("uint32"), (array >> 32).astype("uint32")])
    high = (array < 0).astype("uint32") * jnp.uint32(0xffffffff)  # the library refuses what is below 0
    return jnp.stack([array.astype("uint32"), high])


def address(seed: typing.Any, first: typing.Any, first_name: str = "first") -> typing.Any:
    """A seed and the number of a first element, as an operand: uint32 [4]."""
    import jax.numpy as jnp

    return jnp.concatenate([halves(seed, "seed"), halves(first, first_name)])


def addresses(operand: typing.Any, first_name: str = "first") -> typing.Tuple[typing.Any, typing.Any]:
    """The seeds and first elements of a batch, as uint64."""
    words = operand.reshape(-1, 4).astype(numpy.uint64)
    seeds, firsts = words[:, 0] | words[:, 1] << numpy.uint64(32), words[:, 2] | words[:, 3] << numpy.uint64(32)
    if (firsts >> numpy.uint64(63)).any():
        refuse(first_name, f"{first_name} is {int(firsts.max()) - (1 << 64)}, below 0")
    return seeds, firsts


def part_of(memory: Memory, first: int, shape: typing.Tuple[int, ...]) -> Memory:
    """Some elements of an array, from number `first` on."""
    return Memory(memory.pointer + first * memory.dtype.itemsize, shape, memory.dtype, memory.on_cuda, memory.stream)


def together(seeds: typing.Any, firsts: typing.Any, count: int) -> typing.List[typing.Tuple[int, int, int, int]]:
    """A batch of requests for `count` elements as runs of elements that follow each other: (seed, first element, first
    request, requests). With count 0 each request stands alone."""
    follows = (seeds[1:] == seeds[:-1]) & (firsts[1:] == firsts[:-1] + numpy.uint64(count)) & (count > 0)
    begins = numpy.flatnonzero(numpy.concatenate([[True], ~follows]))
    ends = numpy.append(begins[1:], seeds.size)
    return [(int(seeds[b]), int(firsts[b]), int(b), int(e - b)) for b, e in zip(begins, ends)]
