# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""bailey.SobolEngine, as engines of scipy.stats.qmc are used."""
import pickle
import warnings

import numpy
import pytest

import bailey

qmc = pytest.importorskip("scipy.stats.qmc")


@pytest.mark.parametrize("scramble, bits", [(True, 32), (False, 32), ("owen", 64), ("shift", 32)])
def test_points_are_the_librarys(scramble, bits):
    name = {True: "lms", False: "none"}.get(scramble, scramble)
    engine = bailey.SobolEngine(3, scramble=scramble, word_bits=bits, seed=7, device="cpu")
    wanted = bailey.points(256, 3, source=bailey.sobol(7, scramble=name, word_bits=bits), dtype="float64", device="cpu")
    parts = [engine.random(128), engine.fast_forward(32).random(), engine.random(95)]
    assert (numpy.concatenate(parts) == wanted[numpy.r_[0:128, 160:256]]).all() and engine.num_generated == 256
    assert isinstance(engine, qmc.QMCEngine) and wanted.min() > 0 and wanted.max() < 1
    assert (engine.reset().random(4) == wanted[:4]).all()


def test_shapes():
    assert bailey.SobolEngine(0).random(4).shape == (4, 0)
    assert bailey.SobolEngine(2).random(0).shape == (0, 2)
    assert bailey.SobolEngine(21202).random(2).shape == (2, 21202)
    with pytest.raises(ValueError, match="non-negative integer"):
        bailey.SobolEngine(2.5)
    with pytest.raises(bailey.InvalidArgument, match="two words for one thing"):
        bailey.SobolEngine(2, seed=1, rng=2)
    with pytest.raises(ValueError, match="not a valid optimization method"):
        bailey.SobolEngine(2, optimization="toto")


def test_seeds():
    first = [bailey.SobolEngine(2, seed=seed).random(4).tolist() for seed in (None, None, 1, 2, 1 << 100, (1 << 100) + 1)]
    assert len({str(points) for points in first}) == 6
    rng = numpy.random.default_rng(3)
    engines = [bailey.SobolEngine(2, rng=rng) for _ in range(2)]
    assert engines[0].source.seed != engines[1].source.seed
    assert bailey.SobolEngine(2, rng=numpy.random.default_rng(3)).source.seed == engines[0].source.seed
    legacy = [bailey.SobolEngine(2, seed=numpy.random.RandomState(3)).source.seed for _ in range(2)]
    assert legacy[0] == legacy[1]


def test_uses():
    engine = bailey.SobolEngine(2, seed=1)
    assert set(numpy.unique(engine.integers(10, n=64))) <= set(range(10))
    plain = bailey.SobolEngine(2, seed=1, scramble=False).random(64)
    better = bailey.SobolEngine(2, seed=1, scramble=False, optimization="random-cd").random(64)
    assert qmc.discrepancy(better) < qmc.discrepancy(plain)
    normal = qmc.MultivariateNormalQMC([0, 0], engine=bailey.SobolEngine(2, seed=1)).random(1024)
    assert abs(normal.mean()) < 0.01 and abs(normal.std() - 1) < 0.02
    again = pickle.loads(pickle.dumps(engine))
    assert (again.random(8) == engine.random(8)).all()


def test_integration():
    """scipy.integrate.qmc_quad, by each scramble: the volume under a product of polynomials."""
    integrate = pytest.importorskip("scipy.integrate")
    if not hasattr(integrate, "qmc_quad"):
        pytest.skip("this SciPy has no qmc_quad")
    for scramble in ("lms", "owen", "shift"):
        engine = bailey.SobolEngine(3, scramble=scramble, seed=1, device="cpu")
        found = integrate.qmc_quad(lambda x: numpy.prod(3 * x**2, axis=0), numpy.zeros(3), numpy.ones(3), n_points=1024, qrng=engine)
        assert abs(found.integral - 1) < max(6 * found.standard_error, 1e-3)


def test_dimensions_have_their_own_numbers():
    engine = bailey.SobolEngine(21201, seed=1, device="cpu")
    assert engine.random(2).shape == (2, 21201) and engine.d == 21201


def test_balance():
    with pytest.warns(UserWarning):
        bailey.SobolEngine(2, seed=1).random(10)
    engine = bailey.SobolEngine(2, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine.random(8)
        engine.random(3)
    with pytest.raises(bailey.InvalidArgument, match="m is 3"):
        engine.random_base2(3)
    assert (engine.reset().random_base2(4) == bailey.SobolEngine(2, seed=1).random(16)).all()
