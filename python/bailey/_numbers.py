# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays of numbers in one call each: words, uniforms, normals, other distributions, points."""
from __future__ import annotations

import math
import secrets
import typing

import numpy

from ._arrays import Adopted, given, target
from ._devices import small_context
from ._fields import documented
from ._library import InvalidArgument, check, ffi, lib, refuse, warn
from ._memory import bfloat16
from ._source import Source, source_of, warn_of_balance
from ._types import NormalOptions, PointsOptions, VariateOptions
from ._typing import AnyArray, Float32, Float64, Reals32, Reals64, Unpack, Words
from ._values import Shape, doubles, fill, integer, precision_of, reals

Count = typing.Union[int, typing.Sequence[int], None]
Parameter = typing.Union[float, typing.Sequence[float], AnyArray]
_Out = typing.TypeVar("_Out")


class _Drawn(typing.TypedDict, total=False):
    """Keywords of every function here."""

    size: Count
    seed: typing.Optional[int]
    source: typing.Optional[Source]
    rng: typing.Any
    first: int
    device: typing.Any


class _UniformsDrawn(_Drawn, total=False):
    word_bits: int


class _NormalsDrawn(_Drawn, NormalOptions, total=False):
    pass


class _VariatesDrawn(_Drawn, VariateOptions, total=False):
    pass


def normal_params(dtype: typing.Any, options: typing.Mapping[str, typing.Any]) -> typing.Any:
    """bailey_normal_params."""
    return fill(ffi.new("bailey_normal_params *"), "normal_params", {**options, "dtype": dtype}, [])


# ---- Numbers of 16 bits


def _half_type(dtype: typing.Any, out: typing.Any) -> typing.Any:
    """The type of 16 bits that is asked for by `dtype`, or by `out`; None: another one."""
    if dtype is None:
        kind = str(getattr(out, "dtype", "")).split(".")[-1]
        return {"float16": numpy.dtype("float16"), "bfloat16": bfloat16()}.get(kind)
    if str(dtype) == "bfloat16":
        if out is None and bfloat16().names:
            refuse("dtype", "dtype is bfloat16, for which NumPy needs the package ml_dtypes")
        return bfloat16()
    try:
        found = numpy.dtype(dtype)
    except TypeError:
        return None
    return found if found in (numpy.dtype("float16"), bfloat16()) else None


def _half_of(dtype: typing.Any) -> int:
    """bailey_half."""
    return int(lib.BAILEY_HALF_FLOAT16 if dtype == numpy.dtype("float16") else lib.BAILEY_HALF_BFLOAT16)


def _shape(count: Count, size: Count = None) -> typing.Optional[Shape]:
    """The shape that is asked for, by either word."""
    if size is not None:
        if count is not None:
            refuse("size", "count and size are both given; they are two words for one thing")
        count = size
    if count is None:
        return None
    extents = count if isinstance(count, (tuple, list)) else (count, )
    return tuple(integer(extent, "count") for extent in extents)


# ---- Few numbers
#
# A call that fills an array makes it a buffer of the context and listens for signals, which costs more than a few numbers
# do. So these are made in memory that a context on a processor keeps, and copied. Without a seed, they are the next ones of
# a seed that was drawn before.

_NORMALS: typing.Dict[typing.Any, typing.Any] = {}  # by dtype: the type, a function of the library and its arguments
_UNIFORMS: typing.Dict[typing.Any, typing.Any] = {}
_WORDS: typing.Dict[typing.Any, typing.Any] = {None: ("uint32", lib.bailey_words_generate, ())}
_AHEAD = 256  # counts up to this one are served from numbers that are made ahead


def _make_kinds() -> None:
    for name in ("float32", "float64"):
        params = normal_params(name, {})
        for dtype in (name, numpy.dtype(name), numpy.dtype(name).type, *((None,) if name == "float32" else ())):
            _NORMALS[dtype] = name, lib.bailey_normals_generate, (params,)
            _UNIFORMS[dtype] = name, lib.bailey_uniforms_generate, (params.precision, params.word_bits)


_make_kinds()


def _few(kinds: typing.Dict[typing.Any, typing.Any], count: typing.Any, dtype: typing.Any, seed: typing.Any, source: typing.Any,
         first: typing.Any, device: typing.Any) -> typing.Any:
    """`count` numbers, where that is a small number or shape and all else is plain; else None, and the long way has them."""
    if type(count) is tuple and count:
        if not all(type(extent) is int and extent > 0 for extent in count):
            return None
        made = _few(kinds, math.prod(count), dtype, seed, source, first, device)
        return None if made is None else made.reshape(count)
    if type(count) is not int or type(first) is not int or not 0 <= first < 1 << 63:
        return None
    try:
        kind = kinds.get(dtype)
    except TypeError:
        return None
    small = small_context(device)
    if kind is None or small is None or not 0 < count <= small[1].count:
        return None
    opened, few = small
    lock = opened._lock
    if not lock.acquire(False):
        return None
    try:
        if opened._depth:
            return None
        if source is None:
            if seed is None and first == 0 and count <= _AHEAD:
                return few.next(kind, count)
            from_ = few.source
            if seed is None:
                from_.seed = secrets.randbits(64)
            elif type(seed) is int and 0 <= seed < 1 << 64:
                from_.seed = seed
            else:
                return None
        elif type(source) is Source and seed is None:
            from_ = source.to_c()
        else:
            return None
        name, function, arguments = kind
        status = function(opened.pointer, from_, *arguments, first, count, few.buffer, 0)
        if status:
            check(status)
        return few.arrays[name][:count].copy()
    finally:
        lock.release()
        if opened._dead:
            opened._sweep()


@typing.overload
def words(count: Count = None, *, out: None = None, **options: Unpack[_Drawn]) -> Words:
    ...


@typing.overload
def words(count: Count = None, *, out: _Out, **options: Unpack[_Drawn]) -> _Out:
    ...


@documented()
def words(count: Count = None, *, size: Count = None, seed: typing.Optional[int] = None,
          source: typing.Optional[Source] = None, rng: typing.Any = None, first: int = 0, device: typing.Any = None,
          out: typing.Any = None) -> typing.Any:
    """Words of 32 random bits, as uint32, starting at index `first` of the source. `count`, or `size`, is a number or a
    shape; with `out`, it is the shape of `out`. An array cannot show a seed that was drawn: use bailey.Source(), which
    shows it in `seed`."""
    if out is None and rng is None and (size is None or count is None):
        made = _few(_WORDS, count if size is None else size, None, seed, source, first, device)
        if made is not None:
            return made
    with target(out, _shape(count, size), numpy.uint32, "uint32", device) as to:
        to.run(lib.bailey_words_generate, to.context.handle, source_of(source, seed, rng).to_c(), integer(first, "first"),
               to.count, to.buffer, 0)
        return to.result


@typing.overload
def uniforms(  # type: ignore[overload-overlap, unused-ignore]  # NumPy's float32 is a float64 to mypy
        count: Count = None, *, dtype: Float64, out: None = None, **options: Unpack[_UniformsDrawn]) -> Reals64:
    ...


@typing.overload
def uniforms(count: Count = None, *, dtype: typing.Optional[Float32] = None, out: None = None,
             **options: Unpack[_UniformsDrawn]) -> Reals32:
    ...


@typing.overload
def uniforms(count: Count = None, *, dtype: typing.Any = None, out: _Out, **options: Unpack[_UniformsDrawn]) -> _Out:
    ...


@typing.overload
def uniforms(count: Count = None, *, dtype: typing.Any, out: None = None, **options: Unpack[_UniformsDrawn]) -> AnyArray:
    ...


@documented("normal_params")
def uniforms(count: Count = None, *, size: Count = None, seed: typing.Optional[int] = None,
             source: typing.Optional[Source] = None, rng: typing.Any = None, first: int = 0, dtype: typing.Any = None,
             word_bits: int = 0, device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Uniform numbers of the open interval (0, 1), float32 unless `dtype` or `out` says float64, or float16 or bfloat16, to
    which those of float32 are rounded; `count` and `size` as for `words`."""
    if out is None and rng is None and word_bits == 0 and (size is None or count is None):
        made = _few(_UNIFORMS, count if size is None else size, dtype, seed, source, first, device)
        if made is not None:
            return made
    half = _half_type(dtype, out)
    if half is not None:
        with target(out, _shape(count, size), half, "float16", device) as to:
            to.run(lib.bailey_uniforms_generate_half, to.context.handle, source_of(source, seed, rng).to_c(), _half_of(half),
                   integer(word_bits, "word_bits"), integer(first, "first"), to.count, to.buffer, 0)
            return to.result
    with target(out, _shape(count, size), dtype, "float32", device) as to:
        params = normal_params(to.dtype, dict(word_bits=word_bits))
        to.run(lib.bailey_uniforms_generate, to.context.handle, source_of(source, seed, rng).to_c(), params.precision,
               params.word_bits, integer(first, "first"), to.count, to.buffer, 0)
        return to.result


@typing.overload
def normals(  # type: ignore[overload-overlap, unused-ignore]  # NumPy's float32 is a float64 to mypy
        count: Count = None, *, dtype: Float64, out: None = None, **options: Unpack[_NormalsDrawn]) -> Reals64:
    ...


@typing.overload
def normals(count: Count = None, *, dtype: typing.Optional[Float32] = None, out: None = None,
            **options: Unpack[_NormalsDrawn]) -> Reals32:
    ...


@typing.overload
def normals(count: Count = None, *, dtype: typing.Any = None, out: _Out, **options: Unpack[_NormalsDrawn]) -> _Out:
    ...


@typing.overload
def normals(count: Count = None, *, dtype: typing.Any, out: None = None, **options: Unpack[_NormalsDrawn]) -> AnyArray:
    ...


@documented("normal_params")
def normals(count: Count = None, *, size: Count = None, seed: typing.Optional[int] = None,
            source: typing.Optional[Source] = None, rng: typing.Any = None, first: int = 0, dtype: typing.Any = None,
            device: typing.Any = None, out: typing.Any = None, **options: Unpack[NormalOptions]) -> typing.Any:
    """Standard normals, float32 unless `dtype` or `out` says float64, or float16 or bfloat16, to which those of float32 are
    rounded; `count` and `size` as for `words`. The same seed gives the same bits on every device."""
    if out is None and rng is None and not options and (size is None or count is None):
        made = _few(_NORMALS, count if size is None else size, dtype, seed, source, first, device)
        if made is not None:
            return made
    half = _half_type(dtype, out)
    to = target(out, _shape(count, size), dtype if half is None else half, "float32", device)
    fill_normals(to, source_of(source, seed, rng), integer(first, "first"), options)
    return to.result


def fill_normals(to: Adopted, source: Source, first: int, options: typing.Mapping[str, typing.Any]) -> None:
    """Normals of the array's type."""
    with to:
        if to.dtype.itemsize > 2:
            to.run(lib.bailey_normals_generate, to.context.handle, source.to_c(), normal_params(to.dtype, options), first,
                   to.count, to.buffer, 0)
        else:
            to.run(lib.bailey_normals_generate_half, to.context.handle, source.to_c(), normal_params("float32", options),
                   _half_of(to.dtype), first, to.count, to.buffer, 0)


_POSITIVE = {"stddev", "rate", "scale", "shape", "second_shape", "freedom"}  # of which C takes 0 for 1


def _variate_params(distribution: str, options: typing.Mapping[str, typing.Any], dtype: typing.Any,
                    keep: typing.List[typing.Any]) -> typing.Any:
    """bailey_variate_params of numbers of this type."""
    params, whole = ffi.new("bailey_variate_params *"), dtype.kind in "iu"
    if whole and dtype.itemsize not in (4, 8):
        refuse("dtype", f"dtype is {dtype}; integers may have 32 or 64 bits")
    wanted = dict(options, distribution=distribution, dtype=numpy.dtype(f"float{8 * dtype.itemsize}") if whole else dtype,
                  integers=whole)
    if options.get("weights") is not None:
        wanted["weights"] = reals(options["weights"], "weights")
        params.weight_count = wanted["weights"].size
        keep.append(wanted["weights"])
    for name in _POSITIVE.intersection(options):
        if options[name] == 0:
            refuse(name, f"{name} is 0; it must be above 0")
    return fill(params, "variate_params", wanted, keep)


def numbers_of_words(row: typing.Any, distribution: str, options: typing.Mapping[str, typing.Any], dtype: typing.Any,
                     device: typing.Any) -> typing.Any:
    """Numbers of a distribution, each of one word of a row of uint32 or, for 64 bits, uint64."""
    keep: typing.List[typing.Any] = []
    params = _variate_params(distribution, options, numpy.dtype(dtype), keep)
    with target(None, row.shape, dtype, "float32", device) as to, given(row, row.shape, row.dtype, to.context, "words") as drawn:
        to.run(lib.bailey_variates_of_words, to.context.handle, params, drawn.buffer, 0, row.size, to.buffer, 0)
        return to.result


def _by_element(distribution: str, arrays: typing.Mapping[str, typing.Any], options: typing.Mapping[str, typing.Any],
                shape: typing.Optional[Shape], source: Source, first: int, dtype: typing.Any, device: typing.Any) -> typing.Any:
    """Numbers that have their own parameters. Elements whose parameters are the same share a table."""
    wanted = [array.shape for array in arrays.values()]
    try:
        extents: typing.Optional[Shape] = numpy.broadcast_shapes(*wanted, *([] if shape is None else [shape]))
    except ValueError:
        extents = None
    if extents is None or (shape is not None and extents != shape):
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        refuse(next(iter(arrays)), f"the shapes of parameters do not fit one another and the count: {shapes}")
    if source.generator == "sobol":
        refuse("source", "source is of points, whose parameters cannot be arrays")
    table = numpy.stack([numpy.broadcast_to(array, extents).ravel() for array in arrays.values()], axis=-1).astype(numpy.float64)
    if not len(table):
        return numpy.empty(extents, dtype)
    per = max(dtype.itemsize // 4, 1)
    drawn = words(len(table) * per, source=source, first=first * per, device=device).view(numpy.uint64 if per == 2 else numpy.uint32)
    found = numpy.empty(len(table), dtype)
    sets, which, sizes = numpy.unique(table, axis=0, return_inverse=True, return_counts=True)
    order, ends = numpy.argsort(which.ravel(), kind="stable"), numpy.cumsum(sizes)
    refused: typing.List[typing.Tuple[int, int, str]] = []
    for values, end, size in zip(sets.tolist(), ends, sizes):
        chosen = order[end - size:end]
        own = {name: int(value) if array.dtype.kind in "iu" else value for (name, array), value in zip(arrays.items(), values)}
        try:
            found[chosen] = numbers_of_words(drawn[chosen], distribution, {**options, **own}, dtype, device)
        except InvalidArgument as error:
            if error.argument not in arrays:
                raise
            refused.append((int(chosen[0]), int(size), str(error)))
            if dtype.kind == "f":
                found[chosen] = numpy.nan
    if refused:
        index, _, text = min(refused)
        many = f"{sum(size for _, size, _ in refused)} of {len(table)} numbers"
        if dtype.kind != "f":
            refuse(next(iter(arrays)), f"{many} have parameters beyond the limits, the first number {index}: {text}")
        warn(f"{many} are NaN, the first number {index}: {text}", RuntimeWarning)
    return found.reshape(extents)


@typing.overload
def variates(  # type: ignore[overload-overlap, unused-ignore]
        distribution: str, count: Count = None, *, dtype: Float64, out: None = None, **options: Unpack[_VariatesDrawn]) -> Reals64:
    ...


@typing.overload
def variates(distribution: str, count: Count = None, *, dtype: typing.Optional[Float32] = None, out: None = None,
             **options: Unpack[_VariatesDrawn]) -> Reals32:
    ...


@typing.overload
def variates(distribution: str, count: Count = None, *, dtype: typing.Any = None, out: _Out, **options: Unpack[_VariatesDrawn]) -> _Out:
    ...


@typing.overload
def variates(distribution: str, count: Count = None, *, dtype: typing.Any, out: None = None, **options: Unpack[_VariatesDrawn]) -> AnyArray:
    ...


@documented("variate_params")
def variates(distribution: str, count: Count = None, *, size: Count = None, seed: typing.Optional[int] = None,
             source: typing.Optional[Source] = None, rng: typing.Any = None, first: int = 0, dtype: typing.Any = None,
             device: typing.Any = None, out: typing.Any = None, **options: Unpack[VariateOptions]) -> typing.Any:
    """Numbers of a distribution, float32 unless `dtype` or `out` says float64; `count` and `size` as for `words`. Those of
    discrete distributions may also be integers: int32 and uint32, or int64 and uint64 from words of 64 bits. Parameters may
    be arrays, of the shape `count` or one that NumPy makes like it: element i is the number i of its parameters. Where a
    distribution does not have them it is NaN, and a warning says how many are; integers are refused."""
    drawn = source_of(source, seed, rng)
    arrays = {name: numpy.asarray(value) for name, value in typing.cast(typing.Mapping[str, typing.Any], options).items()
              if name != "weights" and numpy.ndim(value)}
    if arrays:
        if out is not None:
            refuse("out", "out is given; numbers of parameters that are arrays have no place but a new array")
        kind = numpy.dtype(dtype if dtype is not None else "int32" if options.get("integers") else "float32")
        return _by_element(distribution, arrays, options, _shape(count, size), drawn, integer(first, "first"), kind, device)
    keep: typing.List[typing.Any] = []
    with target(out, _shape(count, size), dtype, "int32" if options.get("integers") else "float32", device) as to:
        params = _variate_params(distribution, options, to.dtype, keep)
        if drawn.generator == "sobol":
            return _points_in(drawn, params, integer(first, "first"), to)
        to.run(lib.bailey_variates_generate, to.context.handle, drawn.to_c(), params, integer(first, "first"), to.count,
               to.buffer, 0)
        return to.result


def _points_in(source: Source, variate: typing.Any, first: int, to: typing.Any) -> typing.Any:
    """Points in a distribution, of the shape (points, dimensions)."""
    shape = tuple(int(extent) for extent in to.result.shape)
    if len(shape) not in (1, 2):
        refuse("count", f"count is {shape}; with a source of points it is (points, dimensions)")
    params = ffi.new("bailey_points_params *")
    params.dims = shape[1] if len(shape) == 2 else 1
    to.run(lib.bailey_points_variates, to.context.handle, source.to_c(), params, variate, first, shape[0], to.buffer, 0)
    warn_of_balance(source.to_c(), first, shape[0])
    return to.result


def _discrete(distribution: str, count: Count, where: typing.Mapping[str, typing.Any],
              **parameters: typing.Any) -> typing.Any:
    default = {} if where.get("out") is not None or where.get("dtype") is not None else {"dtype": "int32"}
    return variates(distribution, count, **{**parameters, **where, **default})


def poisson(mean: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Poisson numbers, int32 unless `dtype` or `out` says otherwise; other keywords as for `variates`."""
    return _discrete("poisson", count, where, mean=mean)


def binomial(trials: Parameter, probability: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Successes in `trials` trials of this probability, int32 unless `dtype` or `out` says otherwise; other keywords as for
    `variates`."""
    return _discrete("binomial", count, where, trials=trials, probability=probability)


def geometric(probability: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Trials up to the first success, int32 unless `dtype` or `out` says otherwise; other keywords as for `variates`."""
    return _discrete("geometric", count, where, probability=probability)


def negative_binomial(successes: Parameter, probability: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Failures before success number `successes`, int32 unless `dtype` or `out` says otherwise; other keywords as for
    `variates`."""
    return _discrete("negative-binomial", count, where, shape=successes, probability=probability)


def choices(weights: typing.Any, count: Count = None, **where: typing.Any) -> typing.Any:
    """Indices of `weights`, with probabilities proportional to them, int32 unless `dtype` or `out` says otherwise; other
    keywords as for `variates`."""
    return _discrete("discrete", count, where, weights=weights)


def _named(distribution: str, count: Count, where: typing.Mapping[str, typing.Any], **parameters: typing.Any) -> typing.Any:
    return variates(distribution, count, **{**parameters, **where})


def gamma(shape: Parameter, scale: Parameter = 1, count: Count = None, **where: typing.Any) -> typing.Any:
    """Gamma numbers, float32 unless `dtype` or `out` says float64; other keywords as for `variates`."""
    return _named("gamma", count, where, shape=shape, scale=scale)


def chi_square(freedom: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Chi-square numbers, float32 unless `dtype` or `out` says float64; other keywords as for `variates`."""
    return _named("chi-square", count, where, freedom=freedom)


def beta(shape: Parameter, second_shape: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Beta numbers, float32 unless `dtype` or `out` says float64; other keywords as for `variates`."""
    return _named("beta", count, where, shape=shape, second_shape=second_shape)


def student_t(freedom: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Student's t numbers, float32 unless `dtype` or `out` says float64; other keywords as for `variates`."""
    return _named("student-t", count, where, freedom=freedom)


def noncentral_chi_square(freedom: Parameter, noncentrality: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Non-central chi-square numbers, float32 unless `dtype` or `out` says float64; other keywords as for `variates`."""
    return _named("noncentral-chi-square", count, where, freedom=freedom, noncentrality=noncentrality)


def truncated_normal(lower: Parameter, upper: Parameter, mean: Parameter = 0, stddev: Parameter = 1, count: Count = None,
                     **where: typing.Any) -> typing.Any:
    """Normal numbers, of this mean and standard deviation before they are confined between `lower` and `upper`, which may be
    infinite; float32 unless `dtype` or `out` says float64; other keywords as for `variates`."""
    far = 50 * numpy.asarray(stddev, numpy.float64)  # beyond 40 standard deviations there is nothing
    low = numpy.where(numpy.isneginf(lower), numpy.minimum(mean, upper) - far, lower)[()]
    high = numpy.where(numpy.isposinf(upper), numpy.maximum(mean, low) + far, upper)[()]
    return _named("truncated-normal", count, where, lower=low, upper=high, mean=mean, stddev=stddev)


# ---- Under the names and with the parameters that NumPy's generators have


def exponential(scale: Parameter = 1, count: Count = None, **where: typing.Any) -> typing.Any:
    """Exponential numbers of mean `scale`; otherwise as `gamma`."""
    return _named("exponential", count, where, rate=numpy.divide(1, scale, dtype=numpy.float64))


def laplace(loc: Parameter = 0, scale: Parameter = 1, count: Count = None, **where: typing.Any) -> typing.Any:
    """Laplace numbers; otherwise as `gamma`."""
    return _named("laplace", count, where, location=loc, scale=scale)


def logistic(loc: Parameter = 0, scale: Parameter = 1, count: Count = None, **where: typing.Any) -> typing.Any:
    """Logistic numbers; otherwise as `gamma`."""
    return _named("logistic", count, where, location=loc, scale=scale)


def gumbel(loc: Parameter = 0, scale: Parameter = 1, count: Count = None, **where: typing.Any) -> typing.Any:
    """Gumbel numbers; otherwise as `gamma`."""
    return _named("gumbel", count, where, location=loc, scale=scale)


def lognormal(mean: Parameter = 0, sigma: Parameter = 1, count: Count = None, **where: typing.Any) -> typing.Any:
    """Exponentials of normals of this mean and standard deviation; otherwise as `gamma`."""
    return _named("log-normal", count, where, mean=mean, stddev=sigma)


def weibull(a: Parameter, count: Count = None, **where: typing.Any) -> typing.Any:
    """Weibull numbers of shape `a` and scale 1; otherwise as `gamma`."""
    return _named("weibull", count, where, shape=a)


def standard_cauchy(count: Count = None, **where: typing.Any) -> typing.Any:
    """Cauchy numbers about 0; otherwise as `gamma`."""
    return _named("cauchy", count, where)


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


@typing.overload
def points(count: int, dims: int, *, source: Source, first_point: int = 0, dtype: Float64, device: typing.Any = None,
           out: None = None, **options: Unpack[PointsOptions]) -> Reals64:
    ...


@typing.overload
def points(count: int, dims: int, *, source: Source, first_point: int = 0, dtype: Float32 = "float32",
           device: typing.Any = None, out: None = None, **options: Unpack[PointsOptions]) -> AnyArray:
    ...


@typing.overload
def points(count: int, dims: int, *, source: Source, first_point: int = 0, dtype: typing.Any = "float32",
           device: typing.Any = None, out: _Out, **options: Unpack[PointsOptions]) -> _Out:
    ...


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
    params, dtype = points_params(dims, source, options, dtype)
    shape = (dims, count) if params.layout == lib.BAILEY_POINTS_LAYOUT_DIM_MAJOR else (count, dims)
    to = target(out, _shape(shape), dtype, "float32", device)
    fill_points(to, params, source, integer(first_point, "first_point"), count)
    return to.result


def points_params(dims: int, source: Source, options: typing.Any, dtype: typing.Any) -> typing.Tuple[typing.Any, typing.Any]:
    """bailey_points_params, and the type of the numbers."""
    params = fill(ffi.new("bailey_points_params *"), "points_params", dict(options, dims=dims), [])
    if params.form == lib.BAILEY_POINTS_FORM_WORDS:
        return params, "uint64" if source.word_bits == 64 else "uint32"
    params.precision = precision_of(dtype)
    return params, dtype


def fill_points(to: Adopted, params: typing.Any, source: Source, first_point: int, count: int) -> None:
    """Points, in an array of their shape."""
    with to:
        to.run(lib.bailey_points_generate, to.context.handle, source.to_c(), params, first_point, count, to.buffer, 0)
