# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
import pickle

import numpy
import pytest

import bailey


def test_numbers_are_words():
    words = bailey.words(40000, seed=9, device="cpu").astype(numpy.uint64)
    both = words[0::2] | words[1::2] << numpy.uint64(32)
    generator = numpy.random.Generator(bailey.Source(seed=9).bit_generator())
    assert (generator.bit_generator.random_raw(10000) == both[:10000]).all()
    doubles = generator.random(10000)
    assert (doubles == (both[10000:] >> numpy.uint64(11)) * 2.0**-53).all()


def test_halves():
    words = bailey.words(6, seed=9, device="cpu")
    generator = numpy.random.Generator(bailey.Source(seed=9).bit_generator())
    assert (generator.integers(0, 2**32, 6, dtype=numpy.uint32) == words).all()


def test_place():
    one = numpy.random.Generator(bailey.Source(seed=9).bit_generator())
    one.random(5)
    two = numpy.random.Generator(bailey.Source(seed=9).bit_generator(first=10))
    assert (one.random(100) == two.random(100)).all()
    with pytest.raises(ValueError):
        bailey.Source().bit_generator(first=1)


def test_other_generators_and_pickling():
    source = bailey.Source(seed=3, generator="mrg32k3a")
    generator = source.bit_generator()
    assert (pickle.loads(pickle.dumps(generator)).random_raw(4) == generator.random_raw(4)).all()
    with pytest.raises(bailey.BaileyError):
        bailey.sobol(1).bit_generator()
