# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A run divided among processes: each prices its parts wherever the pool sends them, and the results have the bits of one
run, whatever ends first. Dask's and Ray's pools take the same functions."""
import concurrent.futures
import multiprocessing

import bailey

PATHS = 1 << 20


def main() -> None:
    option = bailey.Simulation("asian", [0.25, 0.5, 0.75, 1.0], spot=100, strike=100, rate=0.03, volatility=0.2)
    parts = option.parts(8, PATHS, seed=1)
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, spawn) as pool:
        futures = [pool.submit(part.run) for part in parts]
        price = bailey.merge(future.result() for future in concurrent.futures.as_completed(futures))
    print(f"{price[0].mean:.6f} +- {price[0].standard_error:.6f}")
    print("the bits of one run" if price == option.run(PATHS, seed=1) else "other bits than one run")


if __name__ == "__main__":
    main()
