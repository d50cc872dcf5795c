# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays of numbers in one call each: words, uniforms, normals, other distributions, points."""
from __future__ import annotations

import typing

import numpy

from ._arrays import given, target
from ._fields import documented
from ._library import ffi, lib, refuse
from ._source import Source, source_of, warn_of_balance
from ._values import Shape, doubles, fill, integer, precision_of

if typing.TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import NormalOptions, PointsOptions, VariateOptions

Count = typing.Union[int, typing.Sequence[int], None]


def normal_params(dtype: typing.Any, options: typing.Mapping[str, typing.Any]) -> typing.Any:
    """bailey_normal_params."""
    return fill(ffi.new("bailey_normal_params *"), "normal_params", {**options, "dtype": dtype}, [])


def _shape(count: Count) -> typing.Optional[Shape]:
    """The shape that is asked for."""
    if count is None:
        return None
    extents = count if isinstance(count, (tuple, list)) else (count, )
    return tuple(integer(extent, "count") for extent in extents)


@documented()
def words(count: Count = None, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
          first: int = 0, device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Words of 32 random bits, as uint32, starting at index `first` of the source. `count` is a number or a shape; with
    `out`, it is the shape of `out`. An array cannot show a seed that was drawn: use bailey.Source(), which shows it in
    `seed`."""
    with target(out, _shape(count), numpy.uint32, "uint32", device) as to:
        to.run(lib.bailey_words_generate, to.context.handle, source_of(source, seed).to_c(), integer(first, "first"),
               to.count, to.buffer, 0)
        return to.result


@documented("normal_params")
def uniforms(count: Count = None, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
             first: int = 0, dtype: typing.Any = None, word_bits: int = 0, device: typing.Any = None,
             out: typing.Any = None) -> typing.Any:
    """Uniform numbers of the open interval (0, 1), float32 unless `dtype` or `out` says float64; `count` as for `words`."""
    with target(out, _shape(count), dtype, "float32", device) as to:
        params = normal_params(to.dtype, dict(word_bits=word_bits))
        to.run(lib.bailey_uniforms_generate, to.context.handle, source_of(source, seed).to_c(), params.precision,
               params.word_bits, integer(first, "first"), to.count, to.buffer, 0)
        return to.result


@documented("normal_params")
def normals(count: Count = None, *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
            first: int = 0, dtype: typing.Any = None, device: typing.Any = None, out: typing.Any = None,
            **options: Unpack[NormalOptions]) -> typing.Any:
    """Standard normals, float32 unless `dtype` or `out` says float64; `count` as for `words`. The same seed gives the same
    bits on every device."""
    with target(out, _shape(count), dtype, "float32", device) as to:
        to.run(lib.bailey_normals_generate, to.context.handle, source_of(source, seed).to_c(),
               normal_params(to.dtype, options), integer(first, "first"), to.count, to.buffer, 0)
        return to.result


@documented("variate_params")
def variates(distribution: str, count: Count = None, *, seed: typing.Optional[int] = None,
             source: typing.Optional[Source] = None, first: int = 0, dtype: typing.Any = None, device: typing.Any = None,
             out: typing.Any = None, **options: Unpack[VariateOptions]) -> typing.Any:
    """Numbers of a distribution, float32 unless `dtype` or `out` says float64; `count` as for `words`."""
    params = ffi.new("bailey_variate_params *")
    with target(out, _shape(count), dtype, "float32", device) as to:
        fill(params, "variate_params", dict(options, distribution=distribution, dtype=to.dtype), [])
        to.run(lib.bailey_variates_generate, to.context.handle, source_of(source, seed).to_c(), params,
               integer(first, "first"), to.count, to.buffer, 0)
        return to.result


@documented()
def correlate(z: typing.Any, factor: typing.Any, *, device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Correlated normals from independent ones: the lower triangular `factor` times z, which is [dim][vector], float32
    or float64. The covariance is the factor times its transpose. If z is on a CUDA device, pass device=z."""
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


@documented("points_params")
def points(count: int, dims: int, *, source: Source, first_point: int = 0, dtype: typing.Any = "float32",
           device: typing.Any = None, out: typing.Any = None, **options: Unpack[PointsOptions]) -> typing.Any:
    """Quasi-random points of a source such as bailey.sobol(seed), as an array [point][dim], or [dim][point] with
    layout "dim-major"."""
    made = plain_points(count, dims, source_of(source, None), options, first_point, dtype, device, out)
    warn_of_balance(source.to_c(), first_point, count)
    return made


def plain_points(count: int, dims: int, source: Source, options: typing.Any, first_point: int, dtype: typing.Any,
                 device: typing.Any, out: typing.Any = None) -> typing.Any:
    """`points` without its warning."""
    params = fill(ffi.new("bailey_points_params *"), "points_params", dict(options, dims=dims), [])
    if params.form == lib.BAILEY_POINTS_FORM_WORDS:
        dtype = "uint64" if source.word_bits == 64 else "uint32"
    else:
        params.precision = precision_of(dtype)
    shape = (dims, count) if params.layout == lib.BAILEY_POINTS_LAYOUT_DIM_MAJOR else (count, dims)
    with target(out, _shape(shape), dtype, "float32", device) as to:
        to.run(lib.bailey_points_generate, to.context.handle, source.to_c(), params, integer(first_point, "first_point"), count,
               to.buffer, 0)
        return to.result
