# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Brownian bridges of any construction order."""
import numpy

from ._arrays import target
from ._devices import context
from ._library import check, choice, ffi, lib
from ._numbers import normal_params, precision_of
from ._source import source_of


def _doubles(values, shape, name, keep):
    """A C array of doubles, NULL of None; `keep` holds it."""
    if values is None:
        return ffi.NULL
    array = numpy.ascontiguousarray(values, numpy.float64)
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}, not {shape}")
    keep.append(array)
    return ffi.cast("double *", array.ctypes.data)


def order(kind, interior, important=()):
    """A construction order of so many interior times, one-based: "bisection", "bisection-lr-up",
    "bisection-rl-down", "bisection-rl-up" or "incremental"; those that are `important` come first."""
    out = numpy.empty(interior, numpy.uint32)
    first = numpy.ascontiguousarray(important, numpy.uint32)
    check(lib.bailey_order_make(choice("ORDER", kind, "kind"), interior,
                                ffi.cast("uint32_t *", first.ctypes.data) if first.size else ffi.NULL, first.size,
                                ffi.cast("uint32_t *", out.ctypes.data)))
    return out


def path_params(times, dims, dtype, *, start_time=0.0, order=None, covariance=None, factor=None, start=None, end=None,
                construction="bridge", output="paths", layout="step-major", strategy="auto"):
    """bailey_bridge_params, and what it points to."""
    keep = []
    times = numpy.ascontiguousarray(times, numpy.float64)
    if times.ndim != 1:
        raise ValueError(f"times has {times.ndim} dimensions, not one")
    p = ffi.new("bailey_bridge_params *")
    p.times, p.steps = _doubles(times, None, "times", keep), times.size
    p.start_time, p.dims = start_time, dims
    if order is not None:
        array = numpy.ascontiguousarray(order, numpy.uint32)
        if array.shape != (times.size - 1,):
            raise ValueError(f"order has the shape {array.shape}; there are {times.size - 1} interior times")
        keep.append(array)
        p.order = ffi.cast("uint32_t *", array.ctypes.data)
    p.factor = _doubles(factor, (dims, dims), "factor", keep)
    p.covariance = _doubles(covariance, (dims, dims), "covariance", keep)
    p.start = _doubles(start, (dims,), "start", keep)
    p.end = _doubles(end, (dims,), "end", keep)
    p.output = choice("BRIDGE", output, "output")
    p.layout = choice("LAYOUT", layout, "layout")
    p.precision = precision_of(dtype)
    p.strategy = choice("BRIDGE_STRATEGY", strategy, "strategy")
    p.construction = choice("CONSTRUCTION", construction, "construction")
    return p, keep


class Bridge:
    """A plan for Brownian paths at one set of times.

    times         increasing; the last is where paths end
    dims          of the Brownian motion; covariance [dims][dims] per unit of time, or its `factor`
    order         construction order (bailey.order), one-based; None: bisection
    construction  "bridge", "pca" or "walk"
    output        "paths", or "increments": differences divided by the time they take
    start, end    where paths begin; where they end, if that is fixed
    layout        "step-major": [step][dim][path]; "path-major": [path][step][dim]
    """

    def __init__(self, times, dims=1, *, dtype="float32", device=None, **options):
        self._context = context(device)
        self._device = device
        self.dtype = numpy.dtype(dtype)
        self._params, self._keep = path_params(times, dims, dtype, **options)
        self.layout = options.get("layout", "step-major")
        handle = ffi.new("bailey_bridge **")
        check(lib.bailey_bridge_create(self._context.handle, self._params, handle))
        self._handle = ffi.gc(handle[0], lib.bailey_bridge_destroy)
        info = ffi.new("bailey_bridge_info *")
        check(lib.bailey_bridge_describe(self._handle, info))
        self.steps, self.z_steps, self.dims = int(info.x_steps), int(info.z_steps), int(info.dims)
        self.strategy = ffi.string(lib.bailey_bridge_strategy_name(info.strategy)).decode()

    def _shape(self, steps, paths):
        return (paths, steps, self.dims) if self.layout == "path-major" else (steps, self.dims, paths)

    def _draw(self, call, steps, paths, seed, source, first, method, numerics, bits, out):
        source = source_of(source, seed)
        normal = normal_params(self.dtype, method, numerics, bits)
        with target(out, self._shape(steps, paths), self.dtype, self._context) as to:
            check(call(self._handle, source, normal, first, paths, to.buffer))
            return to.result

    def paths(self, count, *, seed=None, source=None, first=0, method="icdf", numerics="exact", bits=0, out=None):
        """Paths first .. first + count - 1 of a source. `out` is an array on the bridge's own device: NumPy's."""
        return self._draw(lib.bailey_bridge_simulate, self.steps, count, seed, source, first, method, numerics, bits,
                          out)

    def normals(self, count, *, seed=None, source=None, first=0, method="icdf", numerics="exact", bits=0, out=None):
        """The normals that `paths` with the same arguments draws, [z_steps][dims][count]."""
        return self._draw(lib.bailey_bridge_normals, self.z_steps, count, seed, source, first, method, numerics, bits,
                          out)

    def build(self, z, out=None):
        """Paths of normals of your own, in the bridge's layout: rows in construction order."""
        z = numpy.ascontiguousarray(z, self.dtype)
        count = z.shape[0] if self.layout == "path-major" else z.shape[-1]
        if z.shape != self._shape(self.z_steps, count):
            raise ValueError(f"z has the shape {z.shape}, not {self._shape(self.z_steps, count)}")
        with target(z if z.flags.writeable else z.copy(), None, self.dtype, self._context) as from_:
            with target(out, self._shape(self.steps, count), self.dtype, self._context) as to:
                check(lib.bailey_bridge_generate(self._handle, count, from_.buffer, to.buffer))
                return to.result
