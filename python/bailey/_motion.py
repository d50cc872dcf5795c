# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Brownian motion at any time, as arrays of any shape, and with the interface of torchsde's BrownianInterval."""
from __future__ import annotations

import math
import typing

import numpy
import numpy.typing

from ._arrays import SHORT, Adopted, check_target, fresh, given, target
from ._devices import Context
from ._fields import documented, fields
from ._library import Unsupported, check, ffi, lib, refuse, warn
from ._memory import is_immutable, memory_of
from ._objects import ContextObject, Copyable
from ._source import Source, source_of
from ._types import MotionOptions
from ._typing import Reals, Ticks, Unpack
from ._values import Day, fill, integer, integers, number, years

Times = typing.Union[float, numpy.typing.ArrayLike]
_Out = typing.TypeVar("_Out")


@documented("motion_params")
class Motion(ContextObject):
    """Brownian motion as a function of time: ask for any times, again later, in any order, for any paths, on any
    device, and the same seed gives the same bits. Times are rounded to ticks; more depth changes no value at old ticks.
    The paths of the three kinds of `areas` differ (arXiv:2405.06464). Threads may share it; their calls run one after
    the other, while motions that different threads created run in parallel. To fill arrays on a CUDA device, pass one
    of them as `device`."""

    def __init__(self, end_time: typing.Union[float, Day] = 0.0, *, dtype: typing.Any = "float32", device: typing.Any = None,
                 valuation: Day = None, **options: Unpack[MotionOptions]) -> None:
        keep: typing.List[typing.Any] = []
        given = dict(options, end_time=end_time, dtype=dtype)
        p = fill(ffi.new("bailey_motion_params *"), "motion_params", given, keep, valuation)
        self._make(lib.bailey_motion_create, "bailey_motion", lib.bailey_motion_destroy, device, p)
        self.dtype, self._valuation, self._parts = numpy.dtype(dtype), valuation, 1 + p.areas
        self.dims, self.depth = (int(getattr(p, name)) or fields("motion_params")[name].default for name in ("dims", "depth"))
        self._remember(valuation=valuation, **given)

    def __repr__(self) -> str:
        return self._shown(f"dims {self.dims}, depth {self.depth}, {self.dtype}")

    def ticks(self, times: Times) -> Ticks:
        """The ticks nearest to times, as uint64 of the same shape."""
        array = years(times, self._valuation, "times").reshape(numpy.shape(times))
        tick = ffi.new("uint64_t *")
        with self._lock:
            start, end = (float(lib.bailey_motion_time(self._handle, at)) for at in (0, 1 << self.depth))
            is_inside = (array >= start) & (array <= end)
            # As bailey_motion_tick does it, which also takes times a little outside, and says what is wrong.
            share = (numpy.where(is_inside, array, start) - start) / (end - start)
            out = numpy.asarray(numpy.rint(numpy.ldexp(share, self.depth)).astype(numpy.uint64))
            for index in map(tuple, numpy.argwhere(~is_inside)):
                check(lib.bailey_motion_tick(self._handle, float(array[index]), tick))
                out[index] = tick[0]
        return out

    def _span(self, low: float, high: float) -> typing.Any:
        """The ticks nearest to two times, as a C array."""
        found = ffi.new("uint64_t[2]")
        with self._lock:
            check(lib.bailey_motion_tick(self._handle, low, found))
            check(lib.bailey_motion_tick(self._handle, high, found + 1))
        return found

    def _increment(self, ticks: typing.Any, paths: int, source: Source, first_path: int, to: Adopted) -> None:
        """The increment between two ticks, into an array."""
        with to:
            to.run(lib.bailey_motion_increments, self._handle, source.to_c(), ticks, ticks + 1, 1, first_path, paths, to.buffer)

    def time(self, tick: int) -> float:
        """The time of a tick."""
        with self._lock:
            return float(lib.bailey_motion_time(self._handle, integer(tick, "tick")))

    def _list(self, times: typing.Any, ticks: typing.Any, name: str) -> typing.Any:
        """The times or ticks that were given, as ticks: uint64 [count], or [count][paths] if each path has separate
        ones."""
        if (times is None) == (ticks is None):
            refuse(name, f"{name} is needed, as times or as ticks")
        if times is not None:
            ticks = self.ticks(times)
        if not hasattr(ticks, "shape"):
            ticks = integers(ticks, numpy.uint64, "ticks")
        return ticks.reshape(1) if len(ticks.shape) == 0 else ticks

    @typing.overload
    def values(self, times: typing.Optional[Times] = None, paths: int = 1, *, ticks: typing.Any = None,
               seed: typing.Optional[int] = None, source: typing.Optional[Source] = None, rng: typing.Any = None,
               first_path: int = 0, out: None = None) -> Reals:
        ...

    @typing.overload
    def values(self, times: typing.Optional[Times] = None, paths: int = 1, *, ticks: typing.Any = None,
               seed: typing.Optional[int] = None, source: typing.Optional[Source] = None, rng: typing.Any = None,
               first_path: int = 0, out: _Out) -> _Out:
        ...

    @documented()
    def values(self, times: typing.Optional[Times] = None, paths: int = 1, *, ticks: typing.Any = None,
               seed: typing.Optional[int] = None, source: typing.Optional[Source] = None, rng: typing.Any = None,
               first_path: int = 0, out: typing.Any = None) -> typing.Any:
        """X at times, or at ticks: [time][dim][path], of paths first_path .. first_path + paths - 1.

        Times with one axis are for all paths. Times [count][paths] are separate for each path; ticks [count][paths] may
        also be an array of 64-bit integers on a CUDA device.
        """
        at, from_ = self._list(times, ticks, "times"), source_of(source, seed, rng).to_c()
        count, paths, first_path = int(at.shape[0]), integer(paths, "paths"), integer(first_path, "first_path")
        with target(out, (count, self.dims, paths), self.dtype, "float32", self._context) as to:
            if len(at.shape) == 1:
                at = integers(at, numpy.uint64, "ticks")
                to.run(lib.bailey_motion_values, self._handle, from_, ffi.cast("uint64_t *", at.ctypes.data), count,
                       first_path, paths, to.buffer)
            else:
                with _each(at, (count, paths), self._context) as own:
                    to.run(lib.bailey_motion_values_each, self._handle, from_, own.buffer, count, first_path, paths,
                           to.buffer)
            return to.result

    @typing.overload
    def increments(self, from_times: typing.Optional[Times] = None, to_times: typing.Optional[Times] = None,
                   paths: int = 1, *, ticks: typing.Any = None, seed: typing.Optional[int] = None,
                   source: typing.Optional[Source] = None, rng: typing.Any = None, first_path: int = 0, out: None = None) -> Reals:
        ...

    @typing.overload
    def increments(self, from_times: typing.Optional[Times] = None, to_times: typing.Optional[Times] = None,
                   paths: int = 1, *, ticks: typing.Any = None, seed: typing.Optional[int] = None,
                   source: typing.Optional[Source] = None, rng: typing.Any = None, first_path: int = 0, out: _Out) -> _Out:
        ...

    @documented()
    def increments(self, from_times: typing.Optional[Times] = None, to_times: typing.Optional[Times] = None,
                   paths: int = 1, *, ticks: typing.Any = None, seed: typing.Optional[int] = None,
                   source: typing.Optional[Source] = None, rng: typing.Any = None, first_path: int = 0,
                   out: typing.Any = None) -> typing.Any:
        """Increments of X between times: [interval][part][dim][path]. The parts are the increment W and, depending on
        the motion's areas, H and K.

        `ticks`, instead of times, is [2][count], the first ticks of all intervals and then the last ones; or
        [2][count][paths], with separate ticks for each path.
        """
        if ticks is None:
            low, high = self._list(from_times, None, "from_times"), self._list(to_times, None, "to_times")
            if low.shape != high.shape:
                refuse("to_times", f"to_times has the shape {high.shape}, not {low.shape}")
            ticks = numpy.stack([low, high])
        elif not hasattr(ticks, "shape"):
            ticks = integers(ticks, numpy.uint64, "ticks")
        if len(ticks.shape) not in (2, 3) or ticks.shape[0] != 2:
            refuse("ticks", f"ticks has the shape {tuple(ticks.shape)}, not [2][count] or [2][count][paths]")
        return self._between(ticks, integer(paths, "paths"), source_of(source, seed, rng), first_path, out)

    def _between(self, ticks: typing.Any, paths: int, source: Source, first_path: int, out: typing.Any) -> typing.Any:
        """Increments between ticks."""
        shape = (int(ticks.shape[1]), self._parts, self.dims, paths)
        to = target(out, shape, self.dtype, "float32", self._context)
        self._fill(ticks, paths, source, integer(first_path, "first_path"), to)
        return to.result

    def _fill(self, ticks: typing.Any, paths: int, source: Source, first_path: int, to: Adopted) -> None:
        """The same, into an array."""
        source_c, count = source.to_c(), int(ticks.shape[1])
        with to:
            if len(ticks.shape) == 2:
                low, high = (integers(ticks[i], numpy.uint64, "ticks") for i in range(2))
                to.run(lib.bailey_motion_increments, self._handle, source_c, ffi.cast("uint64_t *", low.ctypes.data),
                       ffi.cast("uint64_t *", high.ctypes.data), count, first_path, paths, to.buffer)
            else:
                with _each(ticks, (2, count, paths), self._context) as own:
                    to.run(lib.bailey_motion_increments_each, self._handle, source_c, own.buffer, count, first_path, paths,
                           to.buffer)


def _each(ticks: typing.Any, shape: typing.Tuple[int, ...], device: Context) -> typing.Any:
    """Separate ticks for each path, where the device reads them. Frameworks count in signed integers."""
    if isinstance(ticks, numpy.ndarray) or memory_of(ticks, "ticks").dtype == numpy.uint64:
        return given(ticks, shape, numpy.uint64, device, "ticks")
    return given(ticks, shape, numpy.int64, device, "ticks")


def _kind(like: typing.Any) -> typing.Any:
    """The kind of arrays to make: a tensor of no elements, "cupy", or None for NumPy."""
    if like is None or isinstance(like, numpy.ndarray):
        return None
    if hasattr(like, "new_empty"):
        return like.new_empty((0,))
    if is_immutable(like):
        refuse("like", f"like is of type {type(like).__name__}, whose arrays are immutable; give size, dtype and device")
    return "cupy"


@documented("motion_params")
class BrownianTree(Copyable):
    """Brownian noise of a tensor's shape between any two times, with the interface of torchsde's BrownianTree and
    BrownianInterval: `tree(ta, tb)` is W(tb) - W(ta), `tree(t)` is W(t) - W(t0).

    Element number i of the tensor, counted from its start, is path first_path + i of the seed. So the noise of a sample
    does not depend on its batch: sample b of a batch of samples with n elements starts at path b n, and a batch of this
    sample alone takes first_path=b * n. Nothing is stored, and no query changes another. Threads may share it; their
    calls run one after the other.

    t0, t1   the span; times are rounded to 2^depth ticks of it, and read on the host, as in torchsde.
             Times beyond it by a few units of single precision, and 0 where t0 is above it, are taken as its ends,
             with a warning
    entropy  another word for `seed`; without either the seed that is drawn is tree.seed
    size     the shape; or `like`, a tensor (of PyTorch, CuPy or NumPy) whose shape, type, device and stream it takes
    levy_area_approximation   "none", or "space-time": calls with return_U=True also give the integral of
             W(s) - W(ta) over [ta, tb]; with return_H=True the space-time Levy area H
    """

    def __init__(self, t0: float = 0.0, t1: float = 1.0, size: typing.Optional[typing.Sequence[int]] = None, *,
                 like: typing.Any = None, seed: typing.Optional[int] = None, entropy: typing.Optional[int] = None,
                 source: typing.Optional[Source] = None, first_path: int = 0, dtype: typing.Any = None, depth: int = 32,
                 levy_area_approximation: str = "none", device: typing.Any = None) -> None:
        if levy_area_approximation not in ("none", "space-time"):
            refuse("levy_area_approximation",
                   f"levy_area_approximation {levy_area_approximation!r} is not one of none, space-time")
        if (size is None) == (like is None):
            refuse("size", "size or like is needed, and not both")
        if seed is not None and entropy is not None:
            refuse("entropy", "entropy is another word for seed; both are given")
        self.levy_area_approximation = levy_area_approximation  # solvers ask for it
        self._like, self._has_areas = _kind(like), levy_area_approximation == "space-time"
        memory = None if like is None else memory_of(like, "like")
        extents = size if memory is None else memory.shape
        self.shape = tuple(integer(n, "size") for n in typing.cast(typing.Sequence[int], extents))
        self.dtype = numpy.dtype(dtype or ("float32" if memory is None else memory.dtype))
        self._first_path = integer(first_path, "first_path")
        self._source = source_of(source, entropy if seed is None else seed)
        where = like if memory is not None and memory.on_cuda and device is None else device
        self.t0, self.t1 = float(number(t0, "t0", waits=True)), float(number(t1, "t1", waits=True))
        self._motion = Motion(self.t1, start_time=self.t0, depth=depth, areas="h" if self._has_areas else "none",
                              dtype=self.dtype, device=where)
        on_host = self._like is None or getattr(getattr(self._like, "device", None), "type", "") == "cpu"
        self._is_plain = on_host and not self._has_areas and 0 < math.prod(self.shape) <= SHORT and self.shape != ()
        self._remember(t0=t0, t1=t1, size=self.shape, source=self._source, first_path=first_path, dtype=self.dtype, depth=depth,
                       levy_area_approximation=levy_area_approximation)
        self._own -= {"_like", "_is_plain"}  # what copies take over as it is

    def __repr__(self) -> str:
        return self._motion._shown(f"shape {self.shape}, from {self.t0} to {self.t1}, {self.dtype}, seed {self.seed}").replace(
            "Motion", "BrownianTree", 1)

    @property
    def seed(self) -> int:
        """The seed of its source, drawn from the system's entropy where none was given."""
        return self._source.seed

    @property
    def _context(self) -> Context:
        return self._motion._context

    def close(self) -> None:
        """Frees its memory, after the calls on it that are running. Using it afterwards is a ValueError."""
        self._motion.close()

    def __enter__(self) -> BrownianTree:
        self._motion.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _clamp(self, time: typing.Any, argument: str) -> float:
        """A time, or the end of the span that it misses by what rounding to single precision does. 0 is the start too: the
        noise schedules of diffusion samplers end there, and their trees at the smallest noise."""
        value = time if type(time) is float else float(number(time, argument, waits=True))
        near = min(max(value, self.t0), self.t1)
        slack = 4 * 2.0**-23 * max(abs(self.t0), abs(self.t1))
        if near == value or not (abs(value - near) <= slack or value == 0 < self.t0):
            return value
        warn(f"{argument} is {value!r}, and is replaced by {near!r}, where the tree ends")
        return near

    def _empty(self, parts: int) -> typing.Any:
        """An array of [parts] + shape of the kind that results are."""
        shape = (parts,) + self.shape
        if self._like is not None and hasattr(self._like, "new_empty"):
            return self._like.new_empty(shape)
        if self._like is not None:
            import cupy

            return cupy.empty(shape, self.dtype)
        return numpy.empty(shape, self.dtype)

    def _plain(self, low: float, high: float) -> typing.Any:
        """W between two times in a new array on the host, if it is short: without the questions that others need, as solvers
        ask for many."""
        motion, is_numpy = self._motion, self._like is None
        result: typing.Any = numpy.empty(self.shape, self.dtype) if is_numpy else self._like.new_empty(self.shape)
        memory = ffi.from_buffer(result) if is_numpy else ffi.cast("void *", result.data_ptr())
        count, ticks, made = math.prod(self.shape), ffi.new("uint64_t[2]"), ffi.new("bailey_buffer **")
        with motion._lock as opened:
            handle = motion._handle
            check(lib.bailey_motion_tick(handle, low, ticks))
            check(lib.bailey_motion_tick(handle, high, ticks + 1))
            check(lib.bailey_buffer_adopt_host(opened.pointer, memory, count * self.dtype.itemsize, made))
            try:
                check(lib.bailey_motion_increments(handle, self._source.to_c(), ticks, ticks + 1, 1, self._first_path, count, made[0]))
            finally:
                lib.bailey_buffer_destroy(made[0])
        return result

    def _target(self, result: typing.Any, is_given: bool) -> Adopted:
        """Where the library writes: what `_empty` made on the host needs no questions."""
        context = self._motion._context
        if not is_given and (isinstance(result, numpy.ndarray) or getattr(getattr(result, "device", None), "type", "") == "cpu"):
            return fresh(result, self.dtype, context)
        return target(result, tuple(result.shape), self.dtype, "float32", context)

    def __call__(self, ta: float, tb: typing.Optional[float] = None, return_U: bool = False, return_H: bool = False,
                 out: typing.Any = None, return_A: bool = False) -> typing.Any:
        """W(tb) - W(ta), or W(ta) - W(t0) without tb; then U and H, as far as they are asked for. `out` is filled where
        it is, if neither is asked for. If tb is before ta, the increment changes its sign. return_A exists for
        torchsde's solvers, which pass it; a tree has no Levy area of two dimensions."""
        if return_A:
            raise Unsupported("return_A: a tree has the areas U and H, none between dimensions", "ERROR_UNSUPPORTED",
                              "return_A")
        begin = self._clamp(ta, "ta")
        low, high = (self.t0, begin) if tb is None else (begin, self._clamp(tb, "tb"))
        turned = low > high
        if (return_U or return_H) and (turned or not self._has_areas):
            refuse("return_U" if return_U else "return_H",
                   "areas need ta <= tb, and a tree with levy_area_approximation='space-time'")
        if turned:
            low, high = high, low
        if out is None and self._is_plain:
            w = self._plain(low, high)
            return w.__imul__(-1) if turned else w
        result = out
        if out is not None:
            check_target(out, self.shape, self.dtype)
        if out is None or self._has_areas:
            result = self._empty(2 if self._has_areas else 1)
        ticks = self._motion._span(low, high)
        self._motion._increment(ticks, math.prod(self.shape), self._source, self._first_path, self._target(result, result is out))
        w = result if out is not None and not self._has_areas else result[0]
        if turned:
            w *= -1
        if out is not None and self._has_areas:
            out[...] = w
            w = out
        if not return_U and not return_H:
            return w
        length = self._motion.time(ticks[1]) - self._motion.time(ticks[0])
        h = result[1]
        u = length * (w / 2 + h)
        return (w,) + ((u,) if return_U else ()) + ((h,) if return_H else ())
