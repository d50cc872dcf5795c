# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Brownian bridges of any construction order: one path at all its times from as many normals, and the orders by name."""
from __future__ import annotations

import typing

import numpy
import numpy.typing

from ._arrays import given, target
from ._fields import documented, word
from ._library import check, ffi, lib, refuse
from ._numbers import normal_params
from ._objects import ContextObject
from ._results import read
from ._source import Source, source_of, warn_of_balance
from ._types import BridgeInfo, BridgeOptions, NormalOptions
from ._typing import Reals, Unpack
from ._values import Day, Shape, fill, integer, integers

Floats = numpy.typing.ArrayLike
_Out = typing.TypeVar("_Out")


def order(kind: str, interior: int, important: typing.Sequence[int] = ()) -> numpy.typing.NDArray[numpy.uint32]:
    """A construction order of this many interior times, counted from 1: "bisection", "lr-up", "rl-down", "rl-up" or
    "incremental"; `important` times come first."""
    out, made = numpy.empty(integer(interior, "interior"), numpy.uint32), ffi.new("bailey_order *")
    first = integers(important, numpy.uint32, "important")
    if lib.bailey_order_from_name(str(kind).encode(), made) != lib.BAILEY_OK:
        refuse("kind", word(lib.bailey_error_message()).replace("name", "kind", 1))
    check(lib.bailey_order_make(made[0], interior, ffi.cast("uint32_t *", first.ctypes.data) if first.size else ffi.NULL,
                                first.size, ffi.cast("uint32_t *", out.ctypes.data)))
    return out


@documented("bridge_params")
class Bridge(ContextObject):
    """A plan for Brownian paths at one set of times. Threads may share it; their calls run one after the other, while
    bridges that different threads created run in parallel. To fill arrays on a CUDA device, pass one of them as
    `device`."""

    def __init__(self, times: Floats, dims: int = 0, *, dtype: typing.Any = "float32",
                 device: typing.Any = None, valuation: Day = None, **options: Unpack[BridgeOptions]) -> None:
        self.dtype = numpy.dtype(dtype)
        keep: typing.List[typing.Any] = []
        given = dict(options, times=times, dims=dims, dtype=dtype)
        params = fill(ffi.new("bailey_bridge_params *"), "bridge_params", given, keep, valuation)
        self._is_path_major = params.layout == lib.BAILEY_LAYOUT_PATH_MAJOR
        self._make(lib.bailey_bridge_create, "bailey_bridge", lib.bailey_bridge_destroy, device, params)
        c = ffi.new("bailey_bridge_info *")
        check(lib.bailey_bridge_describe(self._handle, c))
        info = read(BridgeInfo, c)
        self.x_steps, self.z_steps, self.dims, self.strategy = info.x_steps, info.z_steps, info.dims, info.strategy
        self._remember(valuation=valuation, **given)

    def __repr__(self) -> str:
        return self._shown(f"steps {self.x_steps}, dims {self.dims}, {self.dtype}, strategy {self.strategy}")

    def _shape(self, steps: int, paths: int) -> Shape:
        return (paths, steps, self.dims) if self._is_path_major else (steps, self.dims, paths)

    def _draw(self, call: typing.Any, steps: int, paths: int, source: Source, first_path: int,
              options: typing.Mapping[str, typing.Any], out: typing.Any) -> typing.Any:
        paths, first_path = integer(paths, "count"), integer(first_path, "first_path")
        from_, normal = source.to_c(), normal_params(self.dtype, options)
        with target(out, self._shape(steps, paths), self.dtype, "float32", self._context) as to:
            to.run(call, self._handle, from_, normal, first_path, paths, to.buffer)
            warn_of_balance(from_, first_path, paths)
            return to.result

    @typing.overload
    def paths(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
              rng: typing.Any = None, first_path: int = 0, out: None = None, **options: Unpack[NormalOptions]) -> Reals:
        ...

    @typing.overload
    def paths(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
              rng: typing.Any = None, first_path: int = 0, out: _Out, **options: Unpack[NormalOptions]) -> _Out:
        ...

    @documented("normal_params")
    def paths(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
              rng: typing.Any = None, first_path: int = 0, out: typing.Any = None, **options: Unpack[NormalOptions]) -> typing.Any:
        """Paths first_path .. first_path + count - 1 of a source. `out` is on the host, or on the CUDA device and
        stream of the array that was the bridge's `device`."""
        return self._draw(lib.bailey_bridge_paths, self.x_steps, count, source_of(source, seed, rng), first_path, options, out)

    @typing.overload
    def normals(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
                rng: typing.Any = None, first_path: int = 0, out: None = None, **options: Unpack[NormalOptions]) -> Reals:
        ...

    @typing.overload
    def normals(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
                rng: typing.Any = None, first_path: int = 0, out: _Out, **options: Unpack[NormalOptions]) -> _Out:
        ...

    @documented("normal_params")
    def normals(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
                rng: typing.Any = None, first_path: int = 0, out: typing.Any = None, **options: Unpack[NormalOptions]) -> typing.Any:
        """The normals that `paths` with the same arguments draws, [z_steps][dims][count]."""
        return self._draw(lib.bailey_bridge_normals, self.z_steps, count, source_of(source, seed, rng), first_path, options, out)

    @typing.overload
    def build(self, z: typing.Any, out: None = None) -> Reals:
        ...

    @typing.overload
    def build(self, z: typing.Any, out: _Out) -> _Out:
        ...

    @documented()
    def build(self, z: typing.Any, out: typing.Any = None) -> typing.Any:
        """Paths from your own normals, in the bridge's layout, with rows in construction order. A NaN or infinity
        affects only its path."""
        if not hasattr(z, "shape"):
            z = numpy.asarray(z)
        if len(z.shape) != 3:
            refuse("z", f"z has {len(z.shape)} dimensions, not three")
        count = int(z.shape[0] if self._is_path_major else z.shape[-1])
        with given(z, self._shape(self.z_steps, count), self.dtype, self._context, "z") as from_:
            with target(out, self._shape(self.x_steps, count), self.dtype, "float32", self._context) as to:
                to.run(lib.bailey_bridge_build, self._handle, count, from_.buffer, to.buffer)
                return to.result
