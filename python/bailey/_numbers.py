# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Numbers: words, uniforms, normals, other distributions, points."""
from __future__ import annotations

import typing

import numpy

from ._arrays import given, target
from ._library import check, choice, ffi, lib, refuse, set_fields, whole
from ._source import Source, source_of, warn_of_balance
from ._values import Shape, doubles

Count = typing.Union[int, typing.Sequence[int], None]
_PRECISIONS = {numpy.dtype("float32"): "F32", numpy.dtype("float64"): "F64"}


def precision_of(dtype: typing.Any) -> int:
    """The library's constant for float32 or float64."""
    name = _PRECISIONS.get(numpy.dtype(dtype))
    if name is None:
        refuse("dtype", f"dtype is {numpy.dtype(dtype)}; it may be float32 or float64")
    return int(getattr(lib, "BAILEY_PRECISION_" + name))


def normal_params(dtype: typing.Any, method: str = "icdf", numerics: str = "exact", bits: int = 0) -> typing.Any:
    """bailey_normal_params."""
    params = ffi.new("bailey_normal_params *")
    params.method = choice("NORMAL_METHOD", method, "method")
    params.precision = precision_of(dtype)
    params.numerics = choice("NUMERICS", numerics, "numerics")
    set_fields(params, word_bits=bits)
    return params


def _shape(count: Count) -> typing.Optional[Shape]:
    """The shape that is asked for."""
    if count is None:
        return None
    extents = count if isinstance(count, (tuple, list)) else (count, )
    return tuple(whole(extent, "count") for extent in extents)


def words(count: Count = None, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
          first: int = 0, device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Words of 32 random bits, as uint32: number `first` of the source and those after it.

    count   how many, or a shape; with `out`, that of `out`
    seed    of Philox; or `source`, a bailey.Source. Without either each call draws a seed from the system's entropy. An
            array has no place for it: bailey.Source() draws one too, and shows it in `seed`
    device  where they are made: "cpu", "cuda", "opencl:0:0", ...; by default the best there is
    out     an array to fill: NumPy's, or one of PyTorch, CuPy, ... on the host or on a CUDA device, where it is
            filled in place, on the framework's current stream and without waiting
    """
    with target(out, _shape(count), numpy.uint32, "uint32", device) as to:
        to.run(lib.bailey_words_generate, to.context.handle, source_of(source, seed).to_c(), whole(first, "first"),
               to.count, to.buffer, 0)
        return to.result


def uniforms(count: Count = None, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
             first: int = 0, dtype: typing.Any = None, bits: int = 0, device: typing.Any = None,
             out: typing.Any = None) -> typing.Any:
    """Uniform numbers of the open interval (0, 1), float32 unless `dtype` or `out` says float64. Other arguments
    as for `words`; `bits` (32 or 64) of the elements that they are made from, 0 for the usual."""
    with target(out, _shape(count), dtype, "float32", device) as to:
        to.run(lib.bailey_uniforms_generate, to.context.handle, source_of(source, seed).to_c(), precision_of(to.dtype),
               whole(bits, "bits"), whole(first, "first"), to.count, to.buffer, 0)
        return to.result


def normals(count: Count = None, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
            first: int = 0, dtype: typing.Any = None, method: str = "icdf", numerics: str = "exact", bits: int = 0,
            device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Standard normals, float32 unless `dtype` or `out` says float64. The same seed gives the same bits on every
    device.

    method    "icdf" (inverse CDF), "box-muller", or "wallace"
    numerics  "exact", or "fast": the device's native functions
    Other arguments as for `words` and `uniforms`.
    """
    with target(out, _shape(count), dtype, "float32", device) as to:
        to.run(lib.bailey_normals_generate, to.context.handle, source_of(source, seed).to_c(),
               normal_params(to.dtype, method, numerics, bits), whole(first, "first"), to.count, to.buffer, 0)
        return to.result


def variates(distribution: str, count: Count = None, *, mean: float = 0.0, deviation: float = 0.0, rate: float = 0.0,
             seed: typing.Optional[int] = None, source: typing.Optional[Source] = None, first: int = 0,
             dtype: typing.Any = None, method: str = "icdf", numerics: str = "exact", bits: int = 0,
             device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Numbers of a distribution: "normal" or "log-normal" (mean and deviation, 0 means 1), "exponential" (rate,
    0 means 1). Other arguments as for `normals`."""
    params = ffi.new("bailey_variate_params *")
    params.distribution = choice("DISTRIBUTION", distribution, "distribution")
    set_fields(params, mean=mean, stddev=deviation, rate=rate)
    with target(out, _shape(count), dtype, "float32", device) as to:
        params.normal = normal_params(to.dtype, method, numerics, bits)[0]
        to.run(lib.bailey_variates_generate, to.context.handle, source_of(source, seed).to_c(), params,
               whole(first, "first"), to.count, to.buffer, 0)
        return to.result


def correlate(z: typing.Any, factor: typing.Any, *, device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Correlated normals of independent ones: the lower triangular `factor` times z, which is [dim][vector], float32
    or float64. The covariance is the factor's product with its transpose. With z on a CUDA device, device=z."""
    if not hasattr(z, "shape"):
        z = numpy.asarray(z)
    shape = tuple(int(extent) for extent in z.shape)
    if len(shape) != 2:
        refuse("z", f"z has the shape {shape}, not [dims][count]")
    keep: typing.List[typing.Any] = []
    c = doubles(factor, (shape[0], shape[0]), "factor", keep)
    dtype = numpy.dtype(str(z.dtype).split(".")[-1])
    with target(out, shape, dtype, "float32", device) as to, given(z, shape, dtype, to.context, "z") as from_:
        to.run(lib.bailey_normals_correlate, to.context.handle, c, shape[0], precision_of(dtype), shape[1],
               from_.buffer, to.buffer)
        return to.result


def points(count: int, dims: int, *, source: Source, form: str = "uniforms", first: int = 0, first_dim: int = 0,
           dtype: typing.Any = "float32", layout: str = "point-major", device: typing.Any = None,
           out: typing.Any = None) -> typing.Any:
    """Quasi-random points of a source such as bailey.sobol(seed), as an array [point][dim], or [dim][point] with
    layout "dim-major". `form` is "words", "uniforms" or "normals"."""
    made = plain_points(count, dims, source, form, first, first_dim, dtype, layout, device, out)
    warn_of_balance(source.to_c(), first, count)
    return made


def plain_points(count: int, dims: int, source: Source, form: str = "uniforms", first: int = 0, first_dim: int = 0,
                 dtype: typing.Any = "float32", layout: str = "point-major", device: typing.Any = None,
                 out: typing.Any = None) -> typing.Any:
    """`points` without its warning."""
    params = ffi.new("bailey_points_params *")
    params.form = choice("POINTS_FORM", form, "form")
    params.layout = choice("POINTS_LAYOUT", layout, "layout")
    set_fields(params, first_dim=first_dim, dims=whole(dims, "dims"))
    dtype = numpy.dtype(dtype)
    if form == "words":
        dtype = numpy.dtype("uint64" if source.word_bits == 64 else "uint32")
    else:
        params.precision = precision_of(dtype)
    shape = (count, dims) if layout == "point-major" else (dims, count)
    with target(out, _shape(shape), dtype, "float32", device) as to:
        to.run(lib.bailey_points_generate, to.context.handle, source.to_c(), params, whole(first, "first"), count,
               to.buffer, 0)
        return to.result
