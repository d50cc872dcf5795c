# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
import concurrent.futures
import copy
import gc
import json
import os
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


def generator(**fields):
    return numpy.random.Generator(bailey.Source(**fields).bit_generator())


def test_places_are_checked():
    for first in (1, -2, 2.0, 2**64):
        with pytest.raises(ValueError):
            bailey.Source().bit_generator(first)


def test_points_are_refused():
    with pytest.raises(bailey.BaileyError):
        bailey.sobol(1).bit_generator()


COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy}
COPIES.update({f"pickle {p}": lambda o, p=p: pickle.loads(pickle.dumps(o, p)) for p in range(2, 6)})


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", ["philox", "mrg32k3a", "warp"])
def test_copies_continue(name, how):
    """In the middle of a block, and of a number whose other half is left."""
    for drawn in (0, 5, 4096, 5000):
        one = generator(seed=7, generator=name)
        one.integers(0, 2**32, 2 * drawn + 1, dtype=numpy.uint32)
        if how == "copy":  # in which NumPy's generators share the bit generator
            other = numpy.random.Generator(copy.copy(one.bit_generator))
        else:
            other = COPIES[how](one)
        assert other.bit_generator is not one.bit_generator
        expected = one.integers(0, 2**32, 9001, dtype=numpy.uint32)
        assert (other.integers(0, 2**32, 9001, dtype=numpy.uint32) == expected).all()
        alone = COPIES[how](one.bit_generator)
        assert type(alone) is type(one.bit_generator)
        assert (alone.random_raw(9) == one.bit_generator.random_raw(9)).all()


def test_random_state_continues():
    one = numpy.random.RandomState(bailey.Source(seed=7).bit_generator())
    one.standard_normal(3)
    other = pickle.loads(pickle.dumps(one))
    assert (other.standard_normal(5) == one.standard_normal(5)).all()


def test_state():
    one = generator(seed=7, stream=3)
    one.integers(0, 2**32, 5, dtype=numpy.uint32)
    state = one.bit_generator.state
    assert state["bit_generator"] == "BitGenerator" and state["has_uint32"] == 1
    assert state["state"]["place"] == 6 and state["state"]["source"]["stream"] == 3
    assert json.loads(json.dumps(state)) == state
    expected = one.random(5)
    other = generator(seed=1, generator="warp")
    other.bit_generator.state = state
    assert (other.random(5) == expected).all() and other.bit_generator.source == bailey.Source(seed=7, stream=3)
    assert state == dict(state, has_uint32=1)  # setting leaves it alone
    for wrong in ({}, numpy.random.PCG64(1).state, dict(state, state=dict(state["state"], place=3))):
        with pytest.raises(ValueError):
            one.bit_generator.state = wrong
    with pytest.raises(TypeError):
        one.bit_generator.state = 7


def test_seeds():
    """A sequence of seeds gives its bit generator, and that of a source names it."""
    seeds = numpy.random.SeedSequence(5).spawn(3)[2]
    one = bailey.Source(seed=0).bit_generator()
    assert one.seed_seq.entropy == 0 and one.seed_seq.spawn_key == (0,)
    from_seeds = bailey.BitGenerator(seeds)
    assert from_seeds.seed_seq is seeds
    seed, stream = seeds.generate_state(2, numpy.uint64)
    assert from_seeds.source == bailey.Source(seed=int(seed), stream=int(stream))
    assert bailey.BitGenerator(5).source == bailey.BitGenerator(numpy.random.SeedSequence(5)).source == bailey.BitGenerator([5]).source
    assert bailey.BitGenerator().source != bailey.BitGenerator().source
    assert bailey.Source(seed=8, stream=2).bit_generator().seed_seq.entropy == 8


def test_spawn():
    """Other numbers for each child, and for the children of each stream; copies know how many there were."""
    parents = [bailey.Source(seed=7, stream=s, generator=g).bit_generator() for g in ("philox", "warp") for s in (0, 1)]
    children = [child for parent in parents for child in parent.spawn(3)]
    children += [child for parent in parents for child in parent.spawn(2)]
    children += [child for parent in parents for child in pickle.loads(pickle.dumps(parent)).spawn(1)]
    children += [children[0].spawn(1)[0], children[1].spawn(1)[0]]
    assert len({int(g.random_raw()) for g in parents + children}) == len(parents) + len(children)
    assert children[3].source.generator == "philox" and children[6].source.generator == "warp"
    again = bailey.Source(seed=7).bit_generator().spawn(3)
    assert [int(g.random_raw()) for g in again] == [int(g.random_raw(2)[0]) for g in bailey.Source(seed=7).bit_generator().spawn(3)]
    published = bailey.Source(seed=7, sequence="published", generator="mt19937").bit_generator()
    assert published.spawn(1)[0].source.stream == 0


def test_advance_and_jump():
    numbers = bailey.Source(seed=7).bit_generator().random_raw(10000)
    one = bailey.Source(seed=7).bit_generator()
    assert one.advance(5) is one and one.random_raw() == numbers[5]
    assert one.advance(9000 - 6).random_raw() == numbers[9000]
    assert one.advance(-8990).random_raw() == numbers[11]
    numpy.random.Generator(one).integers(0, 2**32, dtype=numpy.uint32)
    assert one.advance(0).state["has_uint32"] == 0
    one = bailey.Source(seed=7).bit_generator(first=4)
    jumped = one.jumped(2)
    assert jumped.source == bailey.Source(seed=7, stream=2) and one.random_raw() == numbers[2]
    assert jumped.random_raw() == one.advance(2 * 2**63 - 1).random_raw()
    with pytest.raises(ValueError):
        bailey.Source(sequence="published", generator="mt19937").bit_generator().jumped()


@pytest.mark.parametrize("name", [g for g in bailey.generators() if g != "sobol"])
def test_a_stream_ends(name):
    source = bailey.Source(seed=7, generator=name)
    one = numpy.random.Generator(source.bit_generator(first=2**64 - 10))
    words = bailey.words(10, source=source, first=2**64 - 10, device="cpu").astype(numpy.uint64)
    assert (one.bit_generator.random_raw(5) == (words[0::2] | words[1::2] << numpy.uint64(32))).all()
    copied = copy.deepcopy(one)
    calls = [lambda g: g.random(), lambda g: g.random(10**5), lambda g: g.integers(0, 10**18 + 1, 1000),
             lambda g: g.standard_normal(1000), lambda g: g.bit_generator.random_raw(2)]
    for g in (one, copied):
        for call in calls:
            with pytest.raises(ValueError, match="no more words"):
                call(g)
    assert copied.bit_generator.advance(-5).random_raw() == words[0] | words[1] << numpy.uint64(32)
    before = numpy.random.Generator(source.bit_generator(first=2**64 - 8))
    with pytest.raises(ValueError, match="no more words"):
        before.random(5)


def test_interfaces_of_c():
    """By ctypes and cffi, as Numba uses them: the numbers of the generator."""
    for interface in ("ctypes", "cffi"):
        one, other = bailey.BitGenerator(5), bailey.BitGenerator(5)
        c = getattr(one, interface)
        assert [c.next_uint64(c.state) for _ in range(3)] == other.random_raw(3).tolist()
        assert c.next_double(c.state) == numpy.random.Generator(other).random()
        assert c.next_uint32(c.state) == other.random_raw() % 2**32
        assert int(c.state_address) == int(getattr(one, interface).state_address) != 0


def test_lock():
    """The thread that holds it draws alone."""
    one = bailey.BitGenerator(5)
    with concurrent.futures.ThreadPoolExecutor(1) as pool, one.lock:
        drawn = pool.submit(numpy.random.Generator(one).random)
        with pytest.raises(concurrent.futures.TimeoutError):
            drawn.result(0.05)
    assert drawn.result() == numpy.random.Generator(bailey.BitGenerator(5)).random()


def test_close():
    with bailey.Source(seed=7).bit_generator() as one:
        numbers = one.random_raw(3)
    state = one.state
    with pytest.raises(ValueError, match="closed"):
        one.random_raw(1)
    other = bailey.Source().bit_generator()
    other.state = state
    assert other.advance(-3).random_raw() == numbers[0]


def test_cycles_end():
    """The collector ends a bit generator and its context in any order."""
    for _ in range(20):
        one = generator(seed=7)
        one.random()
        one.bit_generator.itself = one.bit_generator, one.bit_generator._words.opened
        one.bit_generator._words.opened.itself = one.bit_generator
        del one
    gc.collect()
    assert generator(seed=7).random() == generator(seed=7).random()


def test_threads():
    """Generators that one thread has made, each drawn from by another; and one that all draw from."""
    made = lambda: [generator(seed=1, stream=s) for s in range(16)]
    expected = [g.random(30000) for g in made()]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            found = pool.map(lambda g: g.random(30000), made())
            assert all((a == b).all() for a, b in zip(found, expected))
        shared = generator(seed=1)
        parts = list(pool.map(lambda n: shared.random(1000), range(64)))
    assert (numpy.sort(numpy.concatenate(parts)) == numpy.sort(generator(seed=1).random(64000))).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_continues():
    one = generator(seed=7)
    one.random(5000)
    child = os.fork()
    if child == 0:
        os._exit(0 if (one.random(20000) == generator(seed=7).random(25000)[5000:]).all() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert (one.random(20000) == generator(seed=7).random(25000)[5000:]).all()
