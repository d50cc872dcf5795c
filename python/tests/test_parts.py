# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Runs in parts: in pools, in any order, the bits of the whole run."""
import concurrent.futures
import functools
import multiprocessing
import operator
import pickle

import pytest

import bailey

MARKET = dict(spot=100, strike=100, rate=0.03, volatility=0.2)
PATHS = (1 << 16) + 100


def european(**options):
    return bailey.Simulation("european", [1.0], device="cpu", parameters=MARKET, **options)


def run(part):
    return part.run()


def test_any_order_has_the_bits_of_the_run():
    option = european()
    options = dict(seed=7, moments=True, scenarios={"strike": [90, 110]})
    whole, parts = option.run(PATHS, **options), option.parts(5, PATHS, **options)
    option.set(strike=3)  # does not change what is divided
    partials = [part() for part in parts]
    assert len(parts) == 5 and sum(partial.paths for partial in partials) == PATHS
    assert bailey.merge(partials) == bailey.merge(iter(partials[::-1])) == whole
    assert bailey.merge(partials).labels == whole.labels
    tree = (partials[3] + partials[0]) + (partials[4] + (partials[1] + partials[2]))
    assert tree.complete and tree.estimates() == whole and tree.data == sum(partials).data
    assert functools.reduce(operator.add, partials).estimates() == whole


def test_pools():
    option = european()
    whole = option.run(PATHS, seed=7)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert bailey.merge(pool.map(run, option.parts(6, PATHS, seed=7))) == whole
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
        futures = [pool.submit(part) for part in option.parts(4, PATHS, seed=7)]
        assert bailey.merge(future.result() for future in concurrent.futures.as_completed(futures)) == whole


@pytest.mark.parametrize("name", ["dask.distributed", "ray"])
def test_clusters(needs, name):
    """Workers that are other processes; their partial results come in any order."""
    cluster, option = needs(name), european()
    parts, whole = option.parts(4, PATHS, seed=7), option.run(PATHS, seed=7)
    if name == "ray":
        cluster.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            waiting, partials = [cluster.remote(lambda part: part.run()).remote(part) for part in parts], []
            while waiting:
                done, waiting = cluster.wait(waiting)
                partials += cluster.get(done)
        finally:
            cluster.shutdown()
    else:
        with cluster.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local, cluster.Client(local) as client:
            partials = [future.result() for future in cluster.as_completed(client.map(run, parts))]
    assert bailey.merge(partials) == whole


def test_pickles_and_replicates():
    option = bailey.Simulation("asian", [0.5, 1.0], device="cpu", spot=100, volatility=0.2, strike=100, rate=0.03)
    options = dict(source=bailey.sobol(3), replicates=4, expected=option.expected())
    whole = option.run(1 << 14, **options)
    partials = [pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(part)).run())) for part in option.parts(3, 1 << 14, **options)]
    assert bailey.merge(partials) == whole


def test_what_is_refused():
    option = european()
    parts, others = option.parts(3, PATHS, seed=1), option.parts(3, PATHS, seed=2)
    first = parts[0].run()
    assert not first.complete and "missing" in repr(first)
    for text, call in (("parts are missing", first.estimates), ("is completed|are completed|already", lambda: first + first),
                       ("another run|differ", lambda: first + others[1].run()), ("n is 0", lambda: option.parts(0, PATHS, seed=1)),
                       ("no partial result", lambda: bailey.merge([])), ("progress is given", lambda: option.parts(
                           2, PATHS, seed=1, progress=print)), ("integer", lambda: option.parts(1.5, PATHS, seed=1))):
        with pytest.raises(bailey.InvalidArgument, match=text):
            call()
    assert len(option.parts(1000, 1 << 14, seed=1)) <= 4  # it has no more
    assert bailey.merge(part.run() for part in option.parts(2, PATHS)).paths == PATHS  # of a seed that is drawn once
    with pytest.raises(bailey.Cancelled):
        option.parts(1, 1 << 36, seed=1)[0].run(progress=lambda done, total: True)
