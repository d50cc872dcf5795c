# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A run divided among processes: each prices its parts wherever the pool sends them, and the results have the bits of one
run, whatever ends first.

    parts.py          two processes
    parts.py dask     Dask's workers, here or at the scheduler that $DASK_SCHEDULER_ADDRESS names
    parts.py ray      Ray's workers, here or in the cluster that $RAY_ADDRESS names
"""
import concurrent.futures
import multiprocessing
import sys
from typing import Any, Iterator, List

import bailey

PATHS = 1 << 20


def processes(parts: List[Any]) -> Iterator[Any]:
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        for future in concurrent.futures.as_completed([pool.submit(part.run) for part in parts]):
            yield future.result()


def with_dask(parts: List[Any]) -> Iterator[Any]:
    import dask.distributed

    distributed: Any = dask.distributed  # which has no types
    with distributed.Client() as client:
        for future in distributed.as_completed(client.map(lambda part: part.run(), parts)):
            yield future.result()


def with_ray(parts: List[Any]) -> Iterator[Any]:
    import ray

    ray.init()
    run: Any = ray.remote(lambda part: part.run())
    waiting = [run.remote(part) for part in parts]
    while waiting:
        done, waiting = ray.wait(waiting)
        yield from ray.get(done)
    ray.shutdown()


def main(pool: str = "processes") -> None:
    option = bailey.Simulation("asian", [0.25, 0.5, 0.75, 1.0], spot=100, strike=100, rate=0.03, volatility=0.2)
    parts = option.parts(8, PATHS, seed=1)
    price = bailey.merge({"processes": processes, "dask": with_dask, "ray": with_ray}[pool](parts))
    print(f"{price[0].mean:.6f} +- {price[0].standard_error:.6f}")
    print("the bits of one run" if price == option.run(PATHS, seed=1) else "other bits than one run")


if __name__ == "__main__":
    main(*sys.argv[1:])
