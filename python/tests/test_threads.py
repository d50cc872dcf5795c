# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Objects that threads share, contexts that end with their thread, and closing. Each class is shared for a moment, for
BAILEY_TEST_SECONDS, or for 2 seconds with BAILEY_TEST_LONG."""
import concurrent.futures
import copy
import gc
import hashlib
import os
import sys
import threading
import time

import numpy
import pytest

import bailey

SECONDS = float(os.environ.get("BAILEY_TEST_SECONDS") or (2 if os.environ.get("BAILEY_TEST_LONG") else 0.3))
DEAL = dict(spot=100, strike=100, rate=0.05, volatility=0.2)


def digest(array):
    return hashlib.md5(numpy.ascontiguousarray(array).tobytes()).hexdigest()


def _simulation():
    o = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")
    return lambda seed: o.run(1 << 12, seed=seed).mean


def _samples():
    o = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")
    return lambda seed: digest(o.samples(1000, seed=seed))


def _job():
    o = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")
    other = bailey.context("cpu", threads=1)
    devices = [other, o.context], [o.context, other]
    return lambda seed: o.job(1 << 12, seed=seed, devices=devices[seed % 2]).estimates[0].mean


def _greeks():
    o = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")
    return lambda seed: [g.mean for g in o.greeks(1 << 12, spots=["spot"], seed=seed)]


def _bridge():
    o = bailey.Bridge(numpy.arange(1, 13) / 12, device="cpu")
    return lambda seed: digest(o.paths(400, seed=seed)) + digest(o.build(o.normals(100, seed=seed)))


def _motion():
    o = bailey.Motion(1.0, depth=20, device="cpu")
    return lambda seed: digest(o.values([0.1, 0.5, 0.7], 400, seed=seed))


def _tree():
    o = bailey.BrownianTree(0, 1, size=(400,), seed=3, device="cpu")
    return lambda seed: digest(o(seed / 100, 0.9))


def _mlmc():
    o = bailey.Mlmc("european", parameters=DEAL, device="cpu")
    return lambda seed: o.run(0.3, seed=seed).mean


def _numbers():
    shared = bailey.context("cpu")
    return lambda seed: digest(bailey.normals(1000, seed=seed, device=shared))


def _few():
    return lambda seed: digest(bailey.normals(100, seed=seed, device="cpu")) + digest(bailey.words(3, seed=seed, device="cpu"))


def _parts():
    o = bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")
    divided = [o.parts(2, 1 << 15, seed=seed) for seed in range(16)]
    return lambda seed: bailey.merge(part.run() for part in reversed(divided[seed])).mean


def _deals():
    deals = [dict(DEAL, strike=strike) for strike in (90, 100, 110)]
    return lambda seed: bailey.price(deals, payoff="european", times=[1.0], paths=1 << 10, seed=seed, device="cpu").to_dict()["mean"]


def _asian():
    shared = bailey.context("cpu")
    return lambda seed: bailey.asian(100, times=[0.5, 1.0], spot=100, volatility=0.2, rate=0, paths=1 << 10, seed=seed,
                                     device=shared).mean


SHARED = [_simulation, _samples, _job, _greeks, _bridge, _motion, _tree, _mlmc, _numbers, _asian]


@pytest.mark.parametrize("make", SHARED, ids=lambda make: make.__name__[1:])
def test_threads_share_an_object(make):
    """Eight threads on one object: the bits that one thread gets."""
    call = make()
    expected = [call(seed) for seed in range(16)]
    end, wrong, calls = time.monotonic() + SECONDS, [], []

    def work(number):
        seed = number
        while time.monotonic() < end and not wrong:
            try:
                if call(seed % 16) != expected[seed % 16]:
                    wrong.append(seed % 16)
            except BaseException as error:
                wrong.append(error)
            seed += 1
        calls.append(seed - number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(calls) == 8 and min(calls) > 0


@pytest.mark.parametrize("make", [_few, _parts, _deals], ids=lambda make: make.__name__[1:])
def test_threads_have_contexts_of_their_own(make):
    """The bits that one thread gets, where each opens what it needs."""
    call, seeds = make(), [number % 16 for number in range(400 if make is _few else 64)]
    expected = [call(seed) for seed in range(16)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, seeds)) == [expected[seed] for seed in seeds]


def in_thread(function, *arguments):
    """The result of a call in a separate thread, or its exception."""
    found = []

    def work():
        try:
            found.append(function(*arguments))
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    return found[0]


def os_threads():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("Threads"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_contexts_end_with_their_thread():
    call = lambda: bailey.normals(10, seed=1, device=bailey.context("cpu", threads=3))
    call()
    before = os_threads()
    for _ in range(50):
        assert (in_thread(call) == call()).all()
    gc.collect()
    assert os_threads() < before + 10  # one that ends may be there for a moment


def test_an_object_outlives_the_thread_that_made_it():
    made = in_thread(lambda: bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu"))
    assert made.run(1 << 12, seed=1) == _fresh().run(1 << 12, seed=1)


def _fresh():
    return bailey.Simulation("european", [1.0], parameters=DEAL, device="cpu")


CLOSED = {
    "simulation": (_fresh, lambda o: o.run(16, seed=1)),
    "bridge": (lambda: bailey.Bridge([1.0], device="cpu"), lambda o: o.paths(1, seed=1)),
    "motion": (lambda: bailey.Motion(1.0, device="cpu"), lambda o: o.values([0.5], seed=1)),
    "tree": (lambda: bailey.BrownianTree(0, 1, size=(3,), seed=1, device="cpu"), lambda o: o(0.5)),
    "mlmc": (lambda: bailey.Mlmc("european", parameters=DEAL, device="cpu"), lambda o: o.run(1.0, seed=1)),
}


@pytest.mark.parametrize("name", CLOSED)
def test_close(name):
    make, use = CLOSED[name]
    with make() as o:
        use(o)
    o.close()
    with pytest.raises(bailey.InvalidArgument, match="closed"):
        use(o)
    with pytest.raises(ValueError), o:
        pass


def test_a_closed_context():
    o = _fresh()
    with bailey.context("cpu") as context:
        assert context.device.usable
    for use in (lambda: context.device, lambda: bailey.normals(1, seed=1, device=context), lambda: context.sync()):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert bailey.context("cpu") is not context and bailey.context("cpu") is bailey.context("cpu")
    assert o.run(64, seed=1) == _fresh().run(64, seed=1)  # what was made on it goes on
    o.context.close()
    assert o.run(64, seed=1) == _fresh().run(64, seed=1)


def test_close_waits_for_the_call_of_another_thread():
    o, inside, done = _fresh(), threading.Event(), []

    def progress(*_):
        inside.set()
        time.sleep(0.05)

    def work():
        done.append(o.run(1 << 14, seed=1, progress=progress))

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(60)
    o.close()
    thread.join(60)
    assert done == [_fresh().run(1 << 14, seed=1)]


def test_the_collector_waits_for_nobody():
    """An object dropped while another thread works on its context is freed later."""
    o, inside, leave = _fresh(), threading.Event(), threading.Event()
    others = [bailey.Simulation("european", [1.0], parameters=DEAL, device=o.context) for _ in range(3)]

    def progress(*_):
        inside.set()
        leave.wait(60)

    thread = threading.Thread(target=o.run, args=(1 << 14,), kwargs=dict(seed=1, progress=progress))
    thread.start()
    inside.wait(60)
    began = time.monotonic()
    del others
    gc.collect()
    assert time.monotonic() - began < 30
    leave.set()
    thread.join(60)
    assert o.run(64, seed=1) == _fresh().run(64, seed=1)


def test_a_progress_function_may_call():
    o, found = _fresh(), []

    def progress(done, total):
        if found:
            return
        found.append(bailey.normals(100, seed=1, device="cpu"))
        found.append(_fresh().run(64, seed=1))
        with pytest.raises(bailey.BaileyError, match="progress function"):
            o.run(64, seed=1)
        found.append(copy.copy(o).run(64, seed=1))

    whole = o.run(1 << 14, seed=1, progress=progress)
    assert whole == o.run(1 << 14, seed=1)
    assert (found[0] == bailey.normals(100, seed=1, device="cpu")).all()
    assert found[1] == found[2] == o.run(64, seed=1)


def test_progress_functions_that_wait_for_each_other():
    """One of them gets an error; none of them hangs."""
    first, second = _fresh(), in_thread(_fresh)
    meet, errors = threading.Barrier(2, timeout=60), []

    def run(mine, other):
        once = []

        def progress(*_):
            if once:
                return
            once.append(1)
            meet.wait()
            try:
                other.run(64, seed=1)
            except bailey.BaileyError as error:
                errors.append(str(error))

        mine.run(1 << 14, seed=1, progress=progress)

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in ((first, second), (second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert len(errors) == 1 and "wait" in errors[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork():
    """In the child objects are made again; what was the parent's is left alone."""
    o, bridge = _fresh(), bailey.Bridge([0.5, 1.0], device="cpu")
    tree = bailey.BrownianTree(0, 1, size=(5,), seed=2, device="cpu")
    expected = o.run(1 << 12, seed=1), digest(bridge.paths(9, seed=1)), digest(tree(0.25, 0.5))
    child = os.fork()
    if child == 0:
        try:
            found = o.run(1 << 12, seed=1), digest(bridge.paths(9, seed=1)), digest(tree(0.25, 0.5))
            assert found == expected
            assert len(bailey.normals(10, seed=1, device="cpu")) == 10
            del o, bridge, tree
            gc.collect()
            os._exit(0)
        except BaseException:
            os._exit(1)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert status == 0
    assert o.run(1 << 12, seed=1) == expected[0]
