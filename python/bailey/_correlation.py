# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Correlation matrices: whether one is valid, and the nearest that is."""
from __future__ import annotations

import typing

import numpy
import numpy.typing

from ._library import check, ffi, lib, refuse
from ._values import doubles, number, reals

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


def nearest_correlation(correlation: typing.Any, *, least_eigenvalue: float = 0.0) -> Matrix:
    """The correlation matrix that is nearest to a symmetric matrix with ones on its diagonal, in the norm
    numpy.linalg.norm(result - correlation) (Higham 2002). Its eigenvalues are at least `least_eigenvalue`; with 0 it is
    usually singular."""
    array, nearest = _square(correlation)
    keep: typing.List[typing.Any] = []
    least = number(least_eigenvalue, "least_eigenvalue")
    check(lib.bailey_correlation_nearest(doubles(array, None, "correlation", keep), len(array), least,
                                         doubles(nearest, None, "nearest", keep), ffi.NULL))
    return nearest
