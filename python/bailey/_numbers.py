# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Numbers: words, uniforms, normals, other distributions, points."""
import numpy

from ._arrays import dtype_of, elements, target
from ._library import InvalidArgument, check, choice, ffi, lib
from ._source import source_of

_PRECISIONS = {numpy.dtype("float32"): "F32", numpy.dtype("float64"): "F64"}


def precision_of(dtype):
    """The library's constant for float32 or float64."""
    name = _PRECISIONS.get(numpy.dtype(dtype))
    if name is None:
        raise ValueError(f"dtype is {numpy.dtype(dtype)}; it may be float32 or float64")
    return getattr(lib, "BAILEY_PRECISION_" + name)


def normal_params(dtype, method="icdf", numerics="exact", bits=0):
    params = ffi.new("bailey_normal_params *")
    params.method = choice("NORMAL", method, "method")
    params.precision = precision_of(dtype)
    params.numerics = choice("NUMERICS", numerics, "numerics")
    params.bits = bits
    return params


def _shape(count, out):
    """The shape and the number of elements of what is asked for."""
    if count is None:
        if out is None:
            raise ValueError("neither count nor out is given")
        return None, elements(out)
    shape = (int(count),) if numpy.ndim(count) == 0 else tuple(int(extent) for extent in count)
    total = 1
    for extent in shape:
        total *= extent
    if total < 1:
        raise InvalidArgument(f"count is {count}; it must be at least 1", "ERROR_INVALID", "count")
    if out is not None and elements(out) != total:
        raise ValueError(f"out has {elements(out)} elements, and count is {count}")
    return shape, total


def _dtype(dtype, out, default):
    if dtype is not None:
        return numpy.dtype(dtype)
    return dtype_of(out) if out is not None else numpy.dtype(default)


def words(count=None, *, seed=None, source=None, first=0, device=None, out=None):
    """Words of 32 random bits, as uint32: number `first` of the source and those after it.

    count   how many, or a shape; with `out`, as many as it has
    seed    of Philox; or `source`, a bailey.Source
    device  where they are made: "cpu", "cuda", "opencl:0:0", ...; by default the best there is
    out     an array to fill: NumPy's, or one of PyTorch, CuPy, ... on the host or on a CUDA device, where it is
            filled in place, on the framework's current stream and without waiting
    """
    shape, total = _shape(count, out)
    with target(out, shape, numpy.uint32, device) as to:
        check(lib.bailey_words_generate(to.context.handle, source_of(source, seed), first, total, to.buffer, 0))
        return to.result


def uniforms(count=None, *, seed=None, source=None, first=0, dtype=None, bits=0, device=None, out=None):
    """Uniform numbers of the open interval (0, 1), float32 unless `dtype` or `out` says float64. Other arguments
    as for `words`; `bits` (32 or 64) of the elements that they are made from, 0 for the usual."""
    shape, total = _shape(count, out)
    dtype = _dtype(dtype, out, "float32")
    with target(out, shape, dtype, device) as to:
        check(lib.bailey_uniforms_generate(to.context.handle, source_of(source, seed), precision_of(dtype), bits, first,
                                           total, to.buffer, 0))
        return to.result


def normals(count=None, *, seed=None, source=None, first=0, dtype=None, method="icdf", numerics="exact", bits=0,
            device=None, out=None):
    """Standard normals, float32 unless `dtype` or `out` says float64. The same seed gives the same bits on every
    device.

    method    "icdf" (inverse CDF), "box-muller", or "wallace"
    numerics  "exact", or "fast": the device's native functions
    Other arguments as for `words` and `uniforms`.
    """
    shape, total = _shape(count, out)
    dtype = _dtype(dtype, out, "float32")
    with target(out, shape, dtype, device) as to:
        check(lib.bailey_normals_generate(to.context.handle, source_of(source, seed),
                                          normal_params(dtype, method, numerics, bits), first, total, to.buffer, 0))
        return to.result


def variates(distribution, count=None, *, mean=0.0, deviation=0.0, rate=0.0, seed=None, source=None, first=0,
             dtype=None, method="icdf", numerics="exact", bits=0, device=None, out=None):
    """Numbers of a distribution: "normal" or "log-normal" (mean and deviation, 0 means 1), "exponential" (rate,
    0 means 1). Other arguments as for `normals`."""
    shape, total = _shape(count, out)
    dtype = _dtype(dtype, out, "float32")
    params = ffi.new("bailey_variate_params *")
    params.normal = normal_params(dtype, method, numerics, bits)[0]
    params.distribution = choice("DISTRIBUTION", distribution, "distribution")
    params.mean, params.deviation, params.rate = mean, deviation, rate
    with target(out, shape, dtype, device) as to:
        check(lib.bailey_variates_generate(to.context.handle, source_of(source, seed), params, first, total, to.buffer,
                                           0))
        return to.result


def points(count, dims, *, source, form="uniforms", first=0, first_dim=0, dtype="float32", layout="point-major",
           device=None, out=None):
    """Quasi-random points of a source such as bailey.sobol(seed), as an array [point][dim], or [dim][point] with
    layout "dim-major". `form` is "words", "uniforms" or "normals"."""
    params = ffi.new("bailey_points_params *")
    params.form = choice("POINTS", form, "form")
    params.layout = choice("POINTS", layout, "layout")
    params.first_dim, params.dims = first_dim, dims
    dtype = numpy.dtype(dtype)
    if form == "words":
        dtype = numpy.dtype("uint64" if source.word_bits == 64 else "uint32")
    else:
        params.precision = precision_of(dtype)
    shape = (count, dims) if layout == "point-major" else (dims, count)
    with target(out, shape, dtype, device) as to:
        check(lib.bailey_points_generate(to.context.handle, source.to_c(), params, first, count, to.buffer, 0))
        return to.result
