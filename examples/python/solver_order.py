# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The error of the built-in adaptive-milstein against its steps, as docs/motion.md shows it.

solver_order.py [SIZES] [PATHS] solves dS = rate S dt + volatility S dW with steps that each path chooses to a tolerance, and
with equal ones, on the same paths of a Brownian motion throughout, with so many tolerances and numbers of steps
(default 10). Prints the errors against the exact solution and the order at which they fall, 1 for Milstein's scheme.
Draws solver.svg where matplotlib is. BAILEY_DEVICE names the device.
"""
import pathlib
import sys

import numpy
import scipy.stats

import bailey

SPOT, VOLATILITY, MATURITY = 100, 0.4, 1
Point = tuple[float, float]  # steps and an error
FINEST = 40  # 2^40 ticks: as fine as chosen steps may want


def measure(depth: int, tolerance: float, paths: int) -> Point:
    """The mean number of steps that were tried, and the root mean square error at the end."""
    solver = bailey.Simulation("adaptive-milstein", [MATURITY], motion_depth=depth, dtype="float64",
                               parameters=dict(spot=SPOT, strike=SPOT, rate=0.05, volatility=VOLATILITY,
                                               tolerance=tolerance, sign=1))
    _, square, trials = solver.run(paths, seed=0)
    # An accepted trial is two steps. Without a tolerance steps are of one tick.
    return 2 * trials.mean if tolerance else 2.0 ** depth, square.mean ** 0.5


def order(points: list[Point]) -> str:
    steps, errors = numpy.log(numpy.array(points).T)
    line = scipy.stats.linregress(steps, errors)
    by = scipy.stats.t.ppf(0.975, len(points) - 2) * line.stderr
    return f"{-line.slope:.3f} ({-line.slope - by:.3f} to {-line.slope + by:.3f})"


def main(sizes: str = "10", paths: str = "16384") -> None:
    first = SPOT * VOLATILITY * MATURITY ** 0.5 / 4
    chosen = [measure(FINEST, first / 2 ** i, int(paths)) for i in range(int(sizes))]
    equal = [measure(i + 1, 0, int(paths)) for i in range(int(sizes))]
    for (tried, error), (steps, other) in zip(chosen, equal):
        print(f"{tried:12.1f} steps tried, error {error:10.4g}    {steps:6.0f} equal steps, error {other:10.4g}")
    print(f"order {order(chosen)} with steps that each path chooses, {order(equal)} with equal ones")
    try:
        from matplotlib import pyplot
    except ImportError:
        print("no picture: matplotlib is not here")
        return
    pyplot.style.use(pathlib.Path(__file__).with_name("picture.mplstyle"))
    figure, axes = pyplot.subplots()
    for points, name in ((chosen, f"steps that each path chooses, order {float(order(chosen).split()[0]):.2f}"),
                         (equal, f"equal steps, order {float(order(equal).split()[0]):.2f}")):
        axes.loglog(*zip(*points), ".-", label=name)
    axes.set_xscale("log", base=2)
    axes.set(title="Error against steps", xlabel="steps of a path", ylabel="root-mean-square error of S(T), money")
    axes.legend()
    figure.savefig("solver.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
