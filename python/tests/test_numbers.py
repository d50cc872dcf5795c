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


FEW = [(bailey.words, {}), (bailey.uniforms, {}), (bailey.uniforms, dict(dtype="float64")), (bailey.normals, {}),
       (bailey.normals, dict(dtype=numpy.float64)), (bailey.normals, dict(dtype=numpy.dtype("float32")))]


@pytest.mark.parametrize("number", range(len(FEW)))
def test_few_numbers_are_those_of_a_long_call(number):
    """A count that is an integer may go a shorter way than a shape."""
    function, options = FEW[number]
    source = bailey.Source(seed=9, stream=2, generator="mrg32k3a")
    for more in (dict(seed=3), dict(seed=2**64 - 1, first=2**40 + 1), dict(source=source, first=5)):
        for count in (1, 7, 2048, 2049):
            few = function(count, device="cpu", **more, **options)
            assert few.shape == (count,) and few.flags.owndata and few.flags.writeable
            assert few.tobytes() == function((count,), device="cpu", **more, **options).tobytes()
    assert function(0, seed=1, device="cpu", **options).shape == (0,)
    assert function(3, device="cpu", **options).tobytes() != function(3, device="cpu", **options).tobytes()
    for argument, wrong in (("seed", -1), ("seed", 2**64), ("first", -1), ("first", 2**64), ("seed", True)):
        with pytest.raises(bailey.InvalidArgument) as error:
            function(3, device="cpu", **{argument: wrong}, **options)
        assert error.value.argument == argument


def test_few_numbers_where_contexts_come_and_go(monkeypatch):
    wanted = bailey.normals((5,), seed=1, device="cpu").tobytes()
    for _ in range(3):
        assert bailey.normals(5, seed=1, device="cpu").tobytes() == wanted
        bailey.context("cpu").close()
    monkeypatch.setenv("BAILEY_DEVICE", "nowhere")
    with pytest.raises(bailey.BaileyError):
        bailey.normals(5, seed=1)
    monkeypatch.setenv("BAILEY_DEVICE", "cpu")
    assert bailey.normals(5, seed=1).tobytes() == wanted
    seen = []
    option = bailey.Simulation("european", [1.0], spot=100, strike=100, rate=0, volatility=0.2, device="cpu")
    option.run(1 << 20, seed=1, progress=lambda done, total: seen.append(bailey.normals(5, seed=1, device="cpu").tobytes()))
    assert set(seen) == {wanted}
    option.close()


def test_numpys_words():
    """size and rng, as NumPy and SciPy have them."""
    z = bailey.normals(size=(2, 3), rng=7, device="cpu")
    assert (z == bailey.normals((2, 3), seed=7, device="cpu")).all() and z.shape == (2, 3)
    for function in (bailey.words, bailey.uniforms, lambda **more: bailey.variates("exponential", **more)):
        assert (function(size=4, rng=7) == function(count=4, seed=7)).all()
    for make in (numpy.random.default_rng, numpy.random.RandomState, numpy.random.PCG64, lambda seed: bailey.BitGenerator(seed)):
        one, other = make(5), make(5)
        first, second = (bailey.normals(3, rng=one, device="cpu") for _ in range(2))
        assert (first != second).all() and (bailey.normals(3, rng=other, device="cpu") == first).all()
    seeds = numpy.random.SeedSequence(5)
    assert (bailey.normals(3, rng=seeds) == bailey.normals(3, rng=numpy.random.default_rng(seeds))).all()
    option = bailey.Simulation("european", [1.0], spot=100, strike=100, rate=0, volatility=0.2, device="cpu")
    assert option.run(1024, rng=5) == option.run(1024, seed=5)
    for argument, call in (("size", lambda: bailey.normals(3, size=3)), ("rng", lambda: bailey.normals(3, rng=1, seed=1)),
                           ("rng", lambda: bailey.normals(3, rng=-1)), ("rng", lambda: bailey.normals(3, rng="x")),
                           ("rng", lambda: option.run(8, rng=1, source=bailey.Source()))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument
