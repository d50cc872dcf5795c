# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A Brownian path for diffrax's solvers, drawn by bailey: bailey.diffrax.BrownianPath.

    path = bailey.diffrax.BrownianPath(0.0, 1.0, shape=(3,), seed=7)
    terms = diffrax.MultiTerm(diffrax.ODETerm(drift), diffrax.ControlTerm(diffusion, path))
    solution = diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, 1.0, dt0=0.01, y0=y0)

JAX calls the library back on the host, also where it compiles and maps.
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

from ._library import refuse
from ._motion import Motion
from ._source import Source, source_of
from ._values import integer, number

__all__ = ["BrownianPath"]

_AREAS: typing.Dict[typing.Any, str] = {diffrax.BrownianIncrement: "none", diffrax.SpaceTimeLevyArea: "h",
                                        diffrax.SpaceTimeTimeLevyArea: "hk"}


@functools.lru_cache(32)
def _motion(t0: float, t1: float, depth: int, areas: typing.Any, dtype: str, device: typing.Optional[str]) -> Motion:
    return Motion(t1, start_time=t0, depth=depth, areas=areas, dtype=dtype, device=device)


@dataclasses.dataclass(frozen=True)
class _Draw:
    """The function that JAX calls with arrays: increments of `count` paths between times, for each element of a batch."""

    t0: float
    t1: float
    depth: int
    areas: str
    dtype: str
    source: Source
    device: typing.Optional[str]
    count: int

    def __call__(self, begin: typing.Any, end: typing.Any, first_path: typing.Any) -> typing.Any:
        begin, end, first = numpy.broadcast_arrays(begin, end, first_path)
        shape, parts = begin.shape, 1 + ("none", "h", "hk").index(self.areas)
        begin, end, first = begin.ravel().astype(float), end.ravel().astype(float), first.ravel()
        turned = begin > end
        if turned.any() and parts > 1:
            refuse("t1", "t0 is after t1; Levy areas need t0 <= t1")
        motion = _motion(self.t0, self.t1, self.depth, self.areas, self.dtype, self.device)
        ticks = numpy.stack([motion.ticks(numpy.minimum(begin, end)), motion.ticks(numpy.maximum(begin, end))])
        found = self._between(motion, ticks, first.astype(numpy.int64), parts)
        found[turned] *= -1
        return found.reshape(shape + (parts, self.count))

    def _between(self, motion: Motion, ticks: typing.Any, first: typing.Any, parts: int) -> typing.Any:
        """[batch][part][path]: by one call where paths follow each other, as they do in batches of one seed."""
        size = first.size
        if size and first.min() < 0:
            refuse("first_path", f"first_path is {first.min()}, below 0")
        if not size or not (first == first[0] + self.count * numpy.arange(size)).all():
            each = [motion.increments(ticks=ticks[:, i:i + 1], paths=self.count, source=self.source, first_path=int(first[i]))
                    for i in range(size)]
            return numpy.array([one[0, :, 0] for one in each], self.dtype).reshape(size, parts, self.count)
        if (ticks == ticks[:, :1]).all():
            ticks = ticks[:, :1]
        else:
            ticks = numpy.repeat(ticks, self.count, axis=1)[:, None]
        made = motion.increments(ticks=ticks, paths=size * self.count, source=self.source, first_path=int(first[0]))
        return numpy.ascontiguousarray(made[0, :, 0].reshape(parts, size, self.count).swapaxes(0, 1))


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
    device      the address of the device that draws
    """

    t0: float = equinox.field(static=True)  # type: ignore[misc, unused-ignore]
    t1: float = equinox.field(static=True)  # type: ignore[misc, unused-ignore]
    first_path: typing.Any
    shape: typing.Any = equinox.field(static=True)
    levy_area: typing.Any = equinox.field(static=True)
    source: Source = equinox.field(static=True)
    depth: int = equinox.field(static=True)
    address: typing.Optional[str] = equinox.field(static=True)

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
        self.levy_area, self.source, self.depth, self.address = levy_area, source_of(source, seed), integer(depth, "depth"), device
        self.first_path = jax.numpy.asarray(integer(first_path, "first_path") if isinstance(first_path, int) else first_path)
        _motion(self.t0, self.t1, self.depth, _AREAS[levy_area], "float32", device)  # refuses what is wrong now

    def _leaf(self, struct: typing.Any, begin: typing.Any, end: typing.Any, first_path: typing.Any) -> typing.Any:
        """The increment of one array, as diffrax's class of its areas."""
        dtype = "float64" if struct.dtype == numpy.float64 else "float32"  # others are rounded from these
        count = math.prod(struct.shape)
        draw = _Draw(self.t0, self.t1, self.depth, _AREAS[self.levy_area], dtype, self.source, self.address, count)
        parts = 1 + ("none", "h", "hk").index(draw.areas)
        made = jax.pure_callback(draw, _struct((parts, count), dtype), begin, end, first_path, vmap_method="broadcast_all")
        arrays = made.reshape((parts,) + struct.shape).astype(struct.dtype)
        return self.levy_area((end - begin).astype(struct.dtype), *(arrays[i] for i in range(parts)))

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
