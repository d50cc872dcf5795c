# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Correlation matrices: whether one is valid, and the nearest that is."""
from __future__ import annotations

import typing

import numpy
import numpy.typing

from ._library import check, ffi, lib, refuse
from ._values import doubles, integer, number, reals

Matrix = numpy.typing.NDArray[numpy.float64]


def _square(correlation: typing.Any) -> typing.Tuple[Matrix, Matrix]:
    """The matrix, and room for another."""
    array = reals(correlation, "correlation")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        refuse("correlation", f"correlation has the shape {array.shape}, not that of a square matrix")
    return array, numpy.empty_like(array)


def check_correlation(correlation: typing.Any) -> Matrix:
    """Checks a correlation matrix and returns it exactly symmetric, with ones on the diagonal. Deviations within the
    rounding of single precision, as in matrices of numpy.corrcoef, are allowed; larger ones are errors, which say if
    the matrix looks like a covariance matrix or like percent. `asian` and `american` check theirs; check a correlation
    before passing it as a `covariance`. Whether it is positive semi-definite is checked where it is used."""
    array, exact = _square(correlation)
    keep: typing.List[typing.Any] = []
    check(lib.bailey_correlation_check(doubles(array, None, "correlation", keep), len(array),
                                       doubles(exact, None, "exact", keep)))
    return exact


def nearest_correlation(correlation: typing.Any, *, least_eigenvalue: float = 0.0, weights: typing.Any = None,
                        fixed: typing.Any = None) -> Matrix:
    """The correlation matrix that is nearest to a symmetric matrix with ones on its diagonal, in the norm
    numpy.linalg.norm(result - correlation) (Higham 2002). Its eigenvalues are at least `least_eigenvalue`; with 0 it is
    usually singular. `weights` has a positive number for each row: the squared change of entry (i, j) counts weights[i] *
    weights[j] times. Entries where `fixed`, a symmetric matrix of bools, is true keep their values."""
    array, nearest = _square(correlation)
    keep: typing.List[typing.Any] = []
    least = number(least_eigenvalue, "least_eigenvalue")
    w = ffi.NULL if weights is None else doubles(weights, (len(array),), "weights", keep)
    kept = ffi.NULL
    if fixed is not None:
        mask = numpy.ascontiguousarray(numpy.asarray(fixed, bool), numpy.uint32)
        if mask.shape != array.shape:
            refuse("fixed", f"fixed has the shape {mask.shape}, not {array.shape}")
        kept = ffi.from_buffer("uint32_t[]", mask)
    check(lib.bailey_correlation_adjust(doubles(array, None, "correlation", keep), len(array), least, w, kept,
                                        doubles(nearest, None, "nearest", keep), ffi.NULL))
    return nearest


def factor_correlation(correlation: typing.Any, factors: int) -> typing.Tuple[Matrix, Matrix]:
    """A model of `factors` factors near a correlation matrix (Borsdorf, Higham and Raydan 2010): its loadings, [row][factor],
    whose rows have lengths of at most 1, and its correlation matrix, loadings @ loadings.T with ones on the diagonal."""
    array, nearest = _square(correlation)
    count = integer(factors, "factors")
    if not 1 <= count <= len(array):
        refuse("factors", f"factors is {count}, not from 1 to {len(array)}")
    loadings = numpy.empty((len(array), count))
    keep: typing.List[typing.Any] = []
    check(lib.bailey_correlation_factors(doubles(array, None, "correlation", keep), len(array), count,
                                         doubles(loadings, None, "loadings", keep), doubles(nearest, None, "nearest", keep),
                                         ffi.NULL))
    return loadings, nearest
