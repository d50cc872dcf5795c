# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Copulas: dependent numbers of any distributions."""
from __future__ import annotations

import typing

import numpy

from ._arrays import given, target
from ._fields import documented
from ._library import ffi, lib, refuse
from ._source import Source, source_of
from ._types import VariateOptions
from ._values import doubles, fill, integer, number, precision_of, reals

Marginals = typing.Sequence[typing.Tuple[str, VariateOptions]]


def _numbers(row: typing.Any, marginal: typing.Any, dtype: typing.Any, device: typing.Any) -> typing.Any:
    """A row of words as numbers of a distribution."""
    name, options = marginal
    keep: typing.List[typing.Any] = []
    params = ffi.new("bailey_variate_params *")
    fields = dict(options, distribution=name, dtype=dtype)
    if fields.get("weights") is not None:
        fields["weights"] = reals(fields["weights"], "weights")
        params.weight_count = fields["weights"].size
    fill(params, "variate_params", fields, keep)
    with target(None, row.shape, dtype, "float32", device) as to, given(row, row.shape, row.dtype, to.context, "words") as words:
        to.run(lib.bailey_variates_of_words, to.context.handle, params, words.buffer, 0, row.size, to.buffer, 0)
        return to.result


def _uniform(words: typing.Any, dtype: typing.Any) -> typing.Any:
    """Uniform numbers of words, as `uniforms` makes them of elements."""
    if words.dtype == numpy.uint64:
        return ((words >> numpy.uint64(12)) + 0.5) * 2.0**-52
    return (((words >> numpy.uint32(9)) + 0.5) * 2.0**-23).astype(dtype)


@documented()
def copula(count: int, correlation: typing.Any, marginals: typing.Optional[Marginals] = None, *, freedom: float = 0,
           seed: typing.Optional[int] = None, source: typing.Optional[Source] = None, rng: typing.Any = None, first: int = 0,
           dtype: typing.Any = "float32", device: typing.Any = None) -> typing.Any:
    """Dependent numbers [dim][vector], of a Gaussian copula, or of Student's with `freedom` degrees of freedom. `marginals`
    has the name and the parameters of each dimension's distribution, such as [("gamma", {"shape": 2}), ("poisson", {"mean":
    3})]; without it, the numbers are uniform. `dtype` is float32 or float64."""
    matrix = reals(correlation, "correlation")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        refuse("correlation", f"correlation has the shape {matrix.shape}, not that of a square matrix")
    dims, kind = len(matrix), numpy.dtype(dtype)
    if marginals is not None and len(marginals) != dims:
        refuse("marginals", f"marginals are {len(marginals)}, but correlation has {dims} rows")
    keep: typing.List[typing.Any] = []
    precision = precision_of(kind)
    entries = ffi.NULL if dims == 1 else doubles(matrix, None, "correlation", keep)
    with target(None, (dims, integer(count, "count")), "uint64" if kind.itemsize == 8 else "uint32", "uint32", device) as to:
        to.run(lib.bailey_copula_generate, to.context.handle, source_of(source, seed, rng).to_c(), entries, dims,
               number(freedom, "freedom"), precision, integer(first, "first"), count, to.buffer)
        words = to.result
    if marginals is None:
        return _uniform(words, kind)
    return numpy.stack([_numbers(row, marginal, kind, device) for row, marginal in zip(words, marginals)])
