# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Correlation matrices."""
import warnings

import bailey
import numpy
import pytest


def price(correlation, **others):
    n = len(correlation)
    return bailey.asian(100, times=[0.5, 1], spot=[100.0] * n, volatility=[0.2] * n, rate=0, correlation=correlation, paths=64,
                        seed=1, device="cpu", **others)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_corrcoef_passes(dtype):
    rng = numpy.random.default_rng(1)
    for _ in range(100):
        n = rng.integers(3, 20)
        c = numpy.corrcoef(rng.normal(size=(n, rng.integers(n + 2, 60)))).astype(dtype)
        exact = bailey.check_correlation(c)
        assert (exact == exact.T).all() and (numpy.diag(exact) == 1).all() and abs(exact - c).max() < 5e-7
        assert price(c) == price(exact)


def test_refused():
    covariance, percent = [[0.04, 0.03], [0.03, 0.09]], [[100, 50], [50, 100]]
    for take in price, bailey.check_correlation, bailey.nearest_correlation:
        with pytest.raises(bailey.InvalidArgument, match="looks like a covariance matrix"):
            take(covariance)
        with pytest.raises(bailey.InvalidArgument, match="looks like percent"):
            take(percent)
        with pytest.raises(bailey.InvalidArgument, match="correlation is given, but there is only one dimension"):
            take([[1]])
    with pytest.raises(bailey.InvalidArgument, match="correlation is given, but there is only one dimension"):
        bailey.american(100, exercise_times=[1], spot=100, volatility=0.2, correlation=[[1]], paths=64, device="cpu")
    with pytest.raises(bailey.InvalidArgument, match="find the nearest correlation matrix"):
        price([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    with pytest.raises(bailey.InvalidArgument, match="square"):
        bailey.nearest_correlation([[1, 0.5]])
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.nearest_correlation(numpy.eye(2), least_eigenvalue=2)
    assert error.value.argument == "least_eigenvalue"


def projected(a, least=0.0):
    """Alternating projections with Dykstra's correction (Higham 2002, algorithm 3.3)."""
    y, s = a.copy(), numpy.zeros_like(a)
    for _ in range(10000):
        r = y - s
        w, v = numpy.linalg.eigh(r)
        x = (v * numpy.maximum(w, least)) @ v.T
        s, before, y = x - r, y, x.copy()
        numpy.fill_diagonal(y, 1)
        if abs(y - before).max() < 1e-13:
            break
    return y


def test_nearest():
    rng = numpy.random.default_rng(7)
    for n in (3, 5, 10, 20):
        a = numpy.clip(numpy.eye(n) + rng.uniform(-1, 1, (n, n)) * (1 - numpy.eye(n)), -1, 1)
        a = numpy.tril(a, -1) + numpy.tril(a, -1).T + numpy.eye(n)
        for least in (0, 0.05):
            x = bailey.nearest_correlation(a, least_eigenvalue=least)
            assert abs(x - projected(a, least)).max() < 1e-9
            assert (numpy.diag(x) == 1).all() and numpy.linalg.eigvalsh(x)[0] > least - 1e-12
        assert price(bailey.nearest_correlation(a)).mean > 0


def test_nearest_against_statsmodels():
    tools = pytest.importorskip("statsmodels.stats.correlation_tools")
    a = numpy.array([[1, -0.55, -0.15, -0.1], [-0.55, 1, 0.9, 0.9], [-0.15, 0.9, 1, 0.9], [-0.1, 0.9, 0.9, 1]])  # tec03
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it ended at its last iteration
        theirs = tools.corr_nearest(a, threshold=1e-15, n_fact=100)
    ours = bailey.nearest_correlation(a)
    assert abs(numpy.linalg.norm(ours - a) - 0.037416672638) < 1e-11
    assert abs(theirs - ours).max() < 1e-10
