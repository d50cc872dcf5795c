# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Copulas: dependent numbers of any distributions."""
from __future__ import annotations

import typing

import numpy

from ._arrays import target
from ._fields import documented
from ._library import ffi, lib, refuse
from ._numbers import numbers_of_words
from ._source import Source, source_of
from ._types import VariateOptions
from ._values import doubles, integer, number, precision_of, reals

Marginals = typing.Sequence[typing.Tuple[str, VariateOptions]]


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
    return numpy.stack([numbers_of_words(row, name, options, kind, device) for row, (name, options) in zip(words, marginals)])
