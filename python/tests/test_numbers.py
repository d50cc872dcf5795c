# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
import math
import warnings

import numpy
import pytest
import scipy.special
import scipy.stats

import bailey


def test_words_are_philox():
    """Random123's known answers: counter and key zero, and their neighbours by numpy.random.Philox."""
    words = bailey.words(4, seed=0, device="cpu")
    assert [hex(w) for w in words] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]


def test_normals_are_quantiles_of_words():
    words = bailey.words(100000, seed=7)
    z = bailey.normals(100000, seed=7)
    assert z.dtype == numpy.float32
    assert numpy.abs(z - scipy.special.ndtri((words.astype(float) + 0.5) / 2**32)).max() < 1e-6


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normals_do_not_depend_on_calls(dtype):
    whole = bailey.normals(1000, seed=3, dtype=dtype)
    parts = [bailey.normals(n, seed=3, first=f, dtype=dtype) for f, n in ((0, 1), (1, 501), (502, 498))]
    assert whole.tobytes() == numpy.concatenate(parts).tobytes()


def test_normals_have_the_law():
    z = bailey.normals((1000, 500), seed=11, dtype="float64")
    assert z.shape == (1000, 500)
    assert scipy.stats.kstest(z.ravel(), "norm").pvalue > 1e-3


def test_out_is_filled_where_it_is():
    out = numpy.full(64, numpy.nan, numpy.float32)
    assert bailey.normals(out=out, seed=5) is out
    assert out.tobytes() == bailey.normals(64, seed=5).tobytes()


def test_errors_name_the_argument():
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.normals(-1, seed=1)
    assert error.value.argument == "count" and error.value.status == "ERROR_INVALID"
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.normals(1, source=bailey.Source(scramble="nonsense"))
    assert error.value.argument == "scramble"
    with pytest.raises(bailey.InvalidArgument):
        bailey.normals(1, source=bailey.Source(generator="nonsense"))
    with pytest.raises(ValueError):
        bailey.normals(1, source=bailey.Source(), seed=1)


def test_variates():
    x = bailey.variates("exponential", 100000, rate=2, seed=1, dtype="float64")
    assert abs(x.mean() - 0.5) < 0.01
    x = bailey.variates("log-normal", 100000, mean=0.1, stddev=0.2, seed=1)
    assert abs(numpy.log(x).std() - 0.2) < 0.005


def test_points_are_those_of_scipy():
    theirs = scipy.stats.qmc.Sobol(5, scramble=False).random(64)
    ours = bailey.points(64, 5, source=bailey.sobol(scramble="none"), form="words")
    assert (theirs * 2**32 == ours).all()
    scrambled = bailey.points(1024, 3, source=bailey.sobol(1), dtype="float64")
    assert scipy.stats.qmc.discrepancy(scrambled) < 1e-4


def test_torch_tensors_on_a_gpu(needs):
    torch = needs("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        tensor = torch.empty(1 << 20, device="cuda")
        bailey.normals(out=tensor, seed=5)
        doubled = tensor * 2
    stream.synchronize()
    wanted = bailey.normals(1 << 20, seed=5, device="cpu")
    assert (doubled.cpu().numpy() == 2 * wanted).all()


def test_cupy_arrays_on_a_gpu(needs):
    cupy = needs("cupy")
    if cupy.cuda.runtime.getDeviceCount() == 0:
        pytest.skip("no CUDA device")
    out = cupy.empty(1 << 20, dtype=cupy.float64)
    bailey.normals(out=out, seed=5)
    assert cupy.asnumpy(out).tobytes() == bailey.normals(1 << 20, seed=5, dtype="float64", device="cpu").tobytes()


def test_points_that_are_not_balanced():
    source = bailey.sobol(1)
    bridge = bailey.Bridge([0.5, 1], device="cpu")
    option = bailey.Simulation("european", [1.0], parameters=dict(spot=100, strike=100, rate=0, volatility=0.2), device="cpu")
    calls = (lambda n, first: bailey.points(n, 2, source=source, first_point=first, device="cpu"),
             lambda n, first: bridge.paths(n, source=source, first_path=first),
             lambda n, first: option.run(n, source=source, replicates=2, first_path=first))
    for call in calls:
        with pytest.warns(UserWarning, match="1000 points are not a power of two") as seen:
            call(1000, 0)
        assert seen[0].filename == __file__
        with pytest.warns(UserWarning, match="points starting at 4 are not balanced"):
            call(1024, 4)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(1024, 2048)
    with pytest.warns(UserWarning, match="1000 points"):
        bailey.asian(100, times=[1], spot=[100.0], volatility=[0.2], rate=0, source=source, replicates=2, paths=1000, device="cpu")


def test_neighbouring_seeds():
    """What docs/records/quality.md says of published seedings: those of MRG32k3a and XORWOW are correlated, runs are not."""
    seeds = 4096

    def deviations(generator, sequence, apart):
        u = numpy.array([bailey.uniforms(64, source=bailey.Source(seed, generator=generator, sequence=sequence), word_bits=32,
                                         dtype="float64", device="cpu") for seed in range(1, seeds + 1)]) - 0.5
        one, other = u[:-apart], u[apart:]
        return (one * other).mean(axis=0) * 12 * math.sqrt(seeds - apart)

    assert abs(deviations("mrg32k3a", "published", 1)).max() > 30
    assert abs(deviations("xorwow", "published", 4)).max() > 5
    for generator in "mrg32k3a", "xorwow":
        for apart in 1, 4:
            assert abs(deviations(generator, "runs", apart)).max() < 5
