# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A Brownian path for diffrax's solvers, drawn by bailey: bailey.diffrax.BrownianPath.

    path = bailey.diffrax.BrownianPath(0.0, 1.0, shape=(3,), seed=7)
    terms = diffrax.MultiTerm(diffrax.ODETerm(drift), diffrax.ControlTerm(diffusion, path))
    solution = diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, 1.0, dt0=0.01, y0=y0)

JAX calls the library in the middle of its programs, on the host or in its stream on a CUDA device, and the library fills
JAX's arrays. Nothing comes to the host from a device.
"""
from __future__ import annotations

import dataclasses
import functools
import math
import typing

import diffrax
import equinox
import equinox.internal
import jax
import jax.numpy
import numpy

from ._arrays import Adopted, fresh
from ._devices import Context
from ._library import lib, refuse
from ._memory import Memory
from ._motion import Motion
from ._source import Source, source_of
from ._values import integer, number
from ._xla import Call, Place, called, halves

__all__ = ["BrownianPath"]

_AREAS: typing.Dict[typing.Any, str] = {diffrax.BrownianIncrement: "none", diffrax.SpaceTimeLevyArea: "h",
                                        diffrax.SpaceTimeTimeLevyArea: "hk"}


_PARTS = ("none", "h", "hk")


@dataclasses.dataclass(frozen=True)
class _Span:
    """A span of time, which a path and its calls share."""

    t0: float
    t1: float
    depth: int
    areas: typing.Any
    device: typing.Optional[str]

    def motion(self, dtype: str, owner: typing.Any) -> Motion:
        """A motion of it on a context."""
        return Motion(self.t1, start_time=self.t0, depth=self.depth, areas=self.areas, dtype=dtype, device=owner)


@dataclasses.dataclass
class _Increments(Call):
    """Increments of `count` paths between times, with their areas: [batch][part][count]. Operands are first paths, uint64
    as two words each, and begins and ends, [batch][2]. On a CUDA device they stay there."""

    in_place = True

    span: _Span
    dtype: str
    source: Source
    count: int

    def fill(self, place: Place, operands: typing.List[typing.Any], results: typing.List[Memory]) -> None:
        owner = place.context(self.span.device)
        motion = self.kept(place.key, owner, lambda: self.span.motion(self.dtype, owner))
        if place.stream is None:
            self._fill_host(motion, operands[0].view(numpy.uint64).ravel(), operands[1].reshape(-1, 2).astype(float), results[0])
        else:
            firsts, times = (Adopted(owner, None, memory) for memory in operands)
            self._fill_timed(motion, times, firsts, Adopted(owner, None, results[0], True))

    def step(self, owner: Context) -> typing.Any:
        motion = self.span.motion(self.dtype, owner)
        return motion, self.source, self.count, motion._parts * motion.dtype.itemsize

    def _fill_host(self, motion: Motion, firsts: typing.Any, times: typing.Any, result: Memory) -> None:
        if (firsts >> numpy.uint64(63)).any():
            refuse("first_path", f"first_path is {int(firsts.max()) - (1 << 64)}, below 0")
        if (times[:, 0] > times[:, 1]).any():
            refuse("t1", "t0 is after t1; Levy areas need t0 <= t1")
        ticks = motion.ticks(times if (times != times[0]).any() else times[:1]).T  # refuses what is outside
        is_run = (numpy.diff(firsts) == self.count).all() and (firsts.size == 1 or self.span.areas == "none")
        to = Adopted(motion._context, None, result, True)
        if is_run and ticks.shape[1] == 1:
            motion._fill(ticks, firsts.size * self.count, self.source, int(firsts[0]), to)
        else:
            at, numbers = (fresh(array, array.dtype, motion._context) for array in (times, firsts))
            self._fill_timed(motion, at, numbers, to)

    def _fill_timed(self, motion: Motion, times: Adopted, firsts: Adopted, to: Adopted) -> None:
        of_times = lib.BAILEY_PRECISION_F64 if times.dtype == numpy.float64 else lib.BAILEY_PRECISION_F32
        with times, firsts, to:
            to.run(lib.bailey_motion_increments_timed, motion._handle, self.source.to_c(), times.buffer, of_times, firsts.buffer,
                   times.count // 2, self.count, to.buffer)


def _struct(shape: typing.Sequence[int], dtype: typing.Any) -> typing.Any:
    return jax.ShapeDtypeStruct(tuple(shape), dtype)  # type: ignore[no-untyped-call, unused-ignore]


def _is_shape(shape: typing.Any) -> bool:
    return isinstance(shape, (tuple, list)) and all(isinstance(n, (int, numpy.integer)) for n in shape)


class BrownianPath(diffrax.AbstractBrownianPath):  # type: ignore[misc, type-arg, unused-ignore]
    """Brownian motion on [t0, t1] for diffrax, instead of its VirtualBrownianTree. An increment depends on the seed,
    the path and the times alone, so that steps may be chosen, rejected and repeated, and has the bits of bailey.Motion with
    the same depth.

    t0, t1      the span, as numbers; times are rounded to 2^depth ticks of it
    shape       the shape of the motion, or a tree of jax.ShapeDtypeStruct; its numbers are consecutive paths
    seed        or `source`, a bailey.Source; without either it is drawn
    levy_area   diffrax.BrownianIncrement, SpaceTimeLevyArea or SpaceTimeTimeLevyArea
    first_path  the path of the first number. It may be traced: jax.vmap over i, with first_path = i * n for n numbers,
                draws a whole batch in one call
    device      the address of the device that draws where JAX computes on the host; "cpu" by default

    On the host a time outside of the span, or a path below 0, is an error; on a CUDA device, whose times the host does not see,
    the increment is NaN.
    """

    t0: float = equinox.field(static=True)  # type: ignore[misc, unused-ignore]
    t1: float = equinox.field(static=True)  # type: ignore[misc, unused-ignore]
    first_path: typing.Any
    shape: typing.Any = equinox.field(static=True)
    levy_area: typing.Any = equinox.field(static=True)
    source: Source = equinox.field(static=True)
    span: _Span = equinox.field(static=True)

    def __init__(self, t0: float, t1: float, shape: typing.Any, seed: typing.Optional[int] = None, *,
                 source: typing.Optional[Source] = None, levy_area: typing.Any = diffrax.BrownianIncrement,
                 first_path: typing.Any = 0, depth: int = 32, device: typing.Optional[str] = None) -> None:
        if levy_area not in _AREAS:
            refuse("levy_area", f"levy_area is {levy_area!r}; it may be {', '.join(kind.__name__ for kind in _AREAS)} of diffrax")
        self.t0, self.t1 = float(number(t0, "t0")), float(number(t1, "t1"))
        self.shape = _struct(shape, jax.numpy.result_type(float)) if _is_shape(shape) else shape
        for leaf in jax.tree_util.tree_leaves(self.shape):
            if not jax.numpy.issubdtype(leaf.dtype, jax.numpy.floating):
                refuse("shape", f"shape has elements of type {leaf.dtype}, not a real type")
        self.levy_area, self.source = levy_area, source_of(source, seed)
        self.span = _Span(self.t0, self.t1, integer(depth, "depth"), _AREAS[levy_area], device)
        self.first_path = jax.numpy.asarray(integer(first_path, "first_path") if isinstance(first_path, int) else first_path)
        self.span.motion("float32", device).close()  # refuses what is wrong now

    def _leaf(self, struct: typing.Any, begin: typing.Any, end: typing.Any, first_path: typing.Any) -> typing.Any:
        """The increment of one array, as diffrax's class of its areas."""
        dtype = "float64" if struct.dtype == numpy.float64 else "float32"  # others are rounded from these
        count, kinds = math.prod(struct.shape), 1 + _PARTS.index(self.span.areas)
        draw = _Increments(self.span, dtype, self.source, count)
        turned = (begin > end) & (kinds == 1)  # areas are for begin <= end alone
        times = jax.numpy.where(turned, jax.numpy.stack([end, begin]), jax.numpy.stack([begin, end]))
        (made,) = called(draw, [_struct((kinds, count), dtype)], halves(first_path, "first_path"), times)
        w, *areas = (made[i].reshape(struct.shape).astype(struct.dtype) for i in range(kinds))
        return self.levy_area((end - begin).astype(struct.dtype), jax.numpy.where(turned, -w, w), *areas)

    def evaluate(self, t0: typing.Any, t1: typing.Any = None, left: bool = True, use_levy: bool = False) -> typing.Any:
        """The increment between t0 and t1, or the value at t0 if t1 is not given; with `use_levy` an object with the areas
        too. `left` changes nothing."""
        begin, end = (self.t0, t0) if t1 is None else (t0, t1)
        real = jax.numpy.result_type(float)
        begin, end = (equinox.internal.nondifferentiable(jax.numpy.asarray(time, real)) for time in (begin, end))
        leaves, tree = jax.tree_util.tree_flatten(self.shape)
        again = functools.partial(jax.tree_util.tree_unflatten, tree)
        found, first = [], self.first_path
        for leaf in leaves:
            found.append(self._leaf(leaf, begin, end, first))
            first = first + math.prod(leaf.shape)
        fields = [field.name for field in dataclasses.fields(self.levy_area)]
        made = self.levy_area(*(again([getattr(one, name) for one in found]) for name in fields))
        return made if use_levy else made.W
