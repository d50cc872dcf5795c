# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Brownian bridges of any construction order."""
from __future__ import annotations

import typing

import numpy
import numpy.typing

from ._arrays import given, target
from ._handle import Made
from ._library import check, choice, ffi, lib, refuse, set_fields, whole
from ._numbers import normal_params, precision_of
from ._source import Source, source_of, warn_of_balance
from ._values import Day, Shape, doubles, integers, start_of, years

if typing.TYPE_CHECKING:
    from typing_extensions import Unpack

Floats = numpy.typing.ArrayLike


class PathOptions(typing.TypedDict, total=False):
    """What Bridge takes, and Simulation for its paths."""

    start_time: typing.Union[float, Day]
    valuation: Day
    order: typing.Any
    covariance: typing.Optional[Floats]
    factor: typing.Optional[Floats]
    start: typing.Optional[Floats]
    end: typing.Optional[Floats]
    construction: str
    output: str
    layout: str
    strategy: str


def order(kind: str, interior: int, important: typing.Sequence[int] = ()) -> numpy.typing.NDArray[numpy.uint32]:
    """A construction order of so many interior times, one-based: "bisection", "bisection-lr-up",
    "bisection-rl-down", "bisection-rl-up" or "incremental"; those that are `important` come first."""
    out = numpy.empty(whole(interior, "interior"), numpy.uint32)
    first = integers(important, numpy.uint32, "important")
    check(lib.bailey_order_make(choice("ORDER", kind, "kind"), interior,
                                ffi.cast("uint32_t *", first.ctypes.data) if first.size else ffi.NULL, first.size,
                                ffi.cast("uint32_t *", out.ctypes.data)))
    return out


def path_params(times: Floats, dims: int, dtype: typing.Any, *, start_time: typing.Union[float, Day] = 0.0,
                valuation: Day = None, order: typing.Any = None,
                covariance: typing.Optional[Floats] = None, factor: typing.Optional[Floats] = None,
                start: typing.Optional[Floats] = None, end: typing.Optional[Floats] = None, construction: str = "bridge",
                output: str = "paths", layout: str = "step-major",
                strategy: str = "auto") -> typing.Tuple[typing.Any, typing.List[typing.Any]]:
    """bailey_bridge_params, and what it points to."""
    keep: typing.List[typing.Any] = []
    points = years(times, valuation, "times")
    if points.ndim != 1:
        refuse("times", f"times has {points.ndim} dimensions, not one")
    p = ffi.new("bailey_bridge_params *")
    p.times, p.steps = doubles(points, None, "times", keep), points.size
    set_fields(p, start_time=start_of(start_time, valuation), dims=dims)
    if order is not None:
        array = integers(order, numpy.uint32, "order")
        if array.shape != (points.size - 1,):
            refuse("order", f"order has the shape {array.shape}; there are {points.size - 1} interior times")
        keep.append(array)
        p.order = ffi.cast("uint32_t *", array.ctypes.data)
    p.factor = doubles(factor, (dims, dims), "factor", keep)
    p.covariance = doubles(covariance, (dims, dims), "covariance", keep)
    p.start = doubles(start, (dims,), "start", keep)
    p.end = doubles(end, (dims,), "end", keep)
    p.output = choice("BRIDGE_OUTPUT", output, "output")
    p.layout = choice("LAYOUT", layout, "layout")
    p.precision = precision_of(dtype)
    p.strategy = choice("BRIDGE_STRATEGY", strategy, "strategy")
    p.construction = choice("CONSTRUCTION", construction, "construction")
    return p, keep


class Bridge(Made):
    """A plan for Brownian paths at one set of times. Threads may share it; their calls run one after the other, and those
    of bridges that different threads made at once.

    times         increasing; the last is where paths end. In years or, with valuation, dates
    start_time    0, or a time before the first
    valuation     the day from which dates are counted, actual / 365 fixed. Dates are datetime.date and datetime, NumPy's
                  datetime64, and texts of the form YYYY-MM-DD
    dims          of the Brownian motion; covariance [dims][dims] per unit of time, or its `factor`
    order         construction order (bailey.order), one-based; None: bisection
    construction  "bridge", "pca" or "walk"
    output        "paths", or "increments": differences divided by the time they take
    start, end    where paths begin; where they end, if that is fixed
    layout        "step-major": [step][dim][path]; "path-major": [path][step][dim]
    device        as for bailey.context; to fill arrays on a CUDA device, one of them
    """

    def __init__(self, times: Floats, dims: int = 1, *, dtype: typing.Any = "float32", device: typing.Any = None,
                 **options: Unpack[PathOptions]) -> None:
        self.dtype = numpy.dtype(dtype)
        params, keep = path_params(times, dims, dtype, **options)
        self.layout = options.get("layout", "step-major")
        self._make(lib.bailey_bridge_create, "bailey_bridge", lib.bailey_bridge_destroy, device, params)
        del keep
        info = ffi.new("bailey_bridge_info *")
        check(lib.bailey_bridge_describe(self._handle, info))
        self.steps, self.z_steps, self.dims = int(info.x_steps), int(info.z_steps), int(info.dims)
        self.strategy = ffi.string(lib.bailey_bridge_strategy_name(info.strategy)).decode()
        self._remember(times=times, dims=dims, dtype=dtype, **options)

    def _shape(self, steps: int, paths: int) -> Shape:
        return (paths, steps, self.dims) if self.layout == "path-major" else (steps, self.dims, paths)

    def _draw(self, call: typing.Any, steps: int, paths: int, seed: typing.Optional[int],
              source: typing.Optional[Source], first: int, method: str, numerics: str, bits: int,
              out: typing.Any) -> typing.Any:
        paths = whole(paths, "count")
        from_ = source_of(source, seed).to_c()
        normal = normal_params(self.dtype, method, numerics, bits)
        with target(out, self._shape(steps, paths), self.dtype, "float32", self._context) as to:
            to.run(call, self._handle, from_, normal, whole(first, "first"), paths, to.buffer)
            warn_of_balance(from_, first, paths)
            return to.result

    def paths(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
              first: int = 0, method: str = "icdf", numerics: str = "exact", bits: int = 0,
              out: typing.Any = None) -> typing.Any:
        """Paths first .. first + count - 1 of a source. `out` is on the host, or the array on a CUDA device that the
        bridge was made with as its device, or another one on the same stream."""
        return self._draw(lib.bailey_bridge_paths, self.steps, count, seed, source, first, method, numerics, bits,
                          out)

    def normals(self, count: int, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
                first: int = 0, method: str = "icdf", numerics: str = "exact", bits: int = 0,
                out: typing.Any = None) -> typing.Any:
        """The normals that `paths` with the same arguments draws, [z_steps][dims][count]."""
        return self._draw(lib.bailey_bridge_normals, self.z_steps, count, seed, source, first, method, numerics, bits,
                          out)

    def build(self, z: typing.Any, out: typing.Any = None) -> typing.Any:
        """Paths of normals of your own, in the bridge's layout: rows in construction order. A NaN or an infinity makes
        NaN or infinities of its own path, and of no other."""
        if not hasattr(z, "shape"):
            z = numpy.asarray(z)
        if len(z.shape) != 3:
            refuse("z", f"z has {len(z.shape)} dimensions, not three")
        count = int(z.shape[0] if self.layout == "path-major" else z.shape[-1])
        with given(z, self._shape(self.z_steps, count), self.dtype, self._context, "z") as from_:
            with target(out, self._shape(self.steps, count), self.dtype, "float32", self._context) as to:
                to.run(lib.bailey_bridge_build, self._handle, count, from_.buffer, to.buffer)
                return to.result
