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


def projected(a, least=0.0, weights=None, fixed=None):
    """Alternating projections with Dykstra's correction (Higham 2002, algorithm 3.3), in the norm of the weights."""
    y, s, n = a.copy(), numpy.zeros_like(a), len(a)
    root = numpy.sqrt(numpy.ones(n) if weights is None else weights)
    scale, floor = numpy.outer(root, root), least * numpy.eye(n)
    for _ in range(10000):
        r = y - s
        w, v = numpy.linalg.eigh((r - floor) * scale)
        x = (v * numpy.maximum(w, 0)) @ v.T / scale + floor
        s, before, y = x - r, y, x.copy()
        numpy.fill_diagonal(y, 1)
        if fixed is not None:
            y[fixed] = a[fixed]
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


TEC03 = numpy.array([[1, -0.55, -0.15, -0.1], [-0.55, 1, 0.9, 0.9], [-0.15, 0.9, 1, 0.9], [-0.1, 0.9, 0.9, 1]])
HIGHAM = numpy.array([[1, 1, 0], [1, 1, 1], [0, 1, 1.0]])  # Higham 2002: 0.7607, 0.1573, distance 0.5278


def test_weights_and_fixed_entries():
    assert abs(bailey.nearest_correlation(HIGHAM)[[0, 0, 1], [1, 2, 2]] - [0.7606898534, 0.1572981061, 0.7606898534]).max() < 1e-9
    fixed = numpy.zeros((4, 4), bool)
    fixed[0, 1] = fixed[1, 0] = fixed[2, 3] = fixed[3, 2] = True
    for least, weights, kept in (0, [1, 4, 1, 2], None), (1e-3, None, fixed), (1e-2, [1, 2, 3, 4], fixed):
        x = bailey.nearest_correlation(TEC03, least_eigenvalue=least, weights=weights, fixed=kept)
        assert abs(x - projected(TEC03, least, weights, kept)).max() < 1e-8
        assert numpy.linalg.eigvalsh(x)[0] > least - 1e-12 and (kept is None or (x[kept] == TEC03[kept]).all())
    rng = numpy.random.default_rng(3)
    a = numpy.tril(rng.uniform(-1, 1, (12, 12)), -1)
    a = a + a.T + numpy.eye(12)
    a[:4, :4] = numpy.eye(4) + 0.3 * (1 - numpy.eye(4))  # a block that is known
    fixed = numpy.zeros((12, 12), bool)
    fixed[:4, :4] = ~numpy.eye(4, dtype=bool)
    x = bailey.nearest_correlation(a, least_eigenvalue=0.01, fixed=fixed)
    assert abs(x - projected(a, 0.01, None, fixed)).max() < 1e-8 and (x[:4, :4] == a[:4, :4]).all()
    everywhere = ~numpy.eye(3, dtype=bool)
    for argument, options in (("weights", {"weights": [1, 0, 1]}), ("weights", {"weights": [1, 2]}), ("weights", {"weights": [1, 1e7, 1]}),
                              ("fixed", {"fixed": [[0, 1], [1, 0]]}), ("fixed", {"fixed": everywhere}),
                              ("fixed", {"fixed": numpy.triu(everywhere)})):
        with pytest.raises(bailey.InvalidArgument) as error:
            bailey.nearest_correlation([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]], **options)
        assert error.value.argument == argument


def test_factors():
    """A matrix of one factor is found again; Higham's has the loadings (t, 1, t) with t^3 + t = 1; more factors come nearer."""
    b = numpy.array([0.9, -0.5, 0.3, 0.7, 0.1])
    exact = numpy.outer(b, b) + numpy.diag(1 - b**2)
    loadings, model = bailey.factor_correlation(exact, 1)
    assert abs(model - exact).max() < 1e-7 and abs(abs(loadings.ravel()) - abs(b)).max() < 1e-6
    assert abs(abs(bailey.factor_correlation(HIGHAM, 1)[0].ravel()) - [0.6823278038, 1, 0.6823278038]).max() < 1e-7
    rng = numpy.random.default_rng(1)
    a = numpy.corrcoef(rng.normal(size=(20, 30)))
    distances = []
    for k in 1, 2, 5, 20:
        loadings, model = bailey.factor_correlation(a, k)
        assert (numpy.linalg.norm(loadings, axis=1) <= 1 + 1e-12).all() and numpy.linalg.eigvalsh(model)[0] > -1e-12
        assert abs(loadings @ loadings.T - model)[~numpy.eye(20, dtype=bool)].max() < 1e-14
        distances.append(numpy.linalg.norm(model - a))
    assert distances == sorted(distances, reverse=True) and distances[-1] < 1e-6
    with pytest.raises(bailey.InvalidArgument, match="factors is 3, not from 1 to 2"):
        bailey.factor_correlation([[1, 0.5], [0.5, 1]], 3)
