# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Pictures of paths, estimates, convergence and multilevel runs, with matplotlib. Each function draws on `ax`, or on new
axes, and returns the axes."""
from __future__ import annotations

import typing

import matplotlib.pyplot
import numpy

from ._library import refuse
from ._types import MlmcReport, MlmcResult

__all__ = ["convergence", "estimates", "mlmc", "paths"]

_SIZES = tuple(2**power for power in range(10, 21))


def _axes(ax: typing.Any) -> typing.Any:
    return matplotlib.pyplot.subplots()[1] if ax is None else ax


def paths(x: typing.Any, times: typing.Any = None, *, dim: int = 0, most: int = 100, ax: typing.Any = None) -> typing.Any:
    """Paths as lines: of an array [step][dim][path], as bailey.Bridge.paths and bailey.Motion.values return it, dimension
    `dim` of the first `most` paths. `times` has the time of each step."""
    array = numpy.asarray(x)
    if array.ndim != 3:
        refuse("x", f"x has the shape {array.shape}, not [step][dim][path]")
    if not 0 <= dim < array.shape[1]:
        refuse("dim", f"dim is {dim}; the paths have dimensions 0 to {array.shape[1] - 1}")
    at = numpy.arange(1, array.shape[0] + 1) if times is None else numpy.asarray(times)
    if at.shape != array.shape[:1]:
        refuse("times", f"times has the shape {at.shape}, and there are {array.shape[0]} steps")
    ax = _axes(ax)
    ax.plot(at, array[:, dim, :most], linewidth=0.8, alpha=0.7)
    ax.set_xlabel("step" if times is None else "time")
    return ax


def estimates(results: typing.Any, *, labels: typing.Optional[typing.Sequence[str]] = None, ax: typing.Any = None) -> typing.Any:
    """Means with their 95 % intervals, one below the other: of the results of a run, or of Greeks."""
    rows = results._rows()
    if not rows:
        refuse("results", "there is no result")
    numbers = ("mean", "standard_error", "controlled", "controlled_standard_error", "interval_low", "interval_high", "variance",
               "skewness", "kurtosis", "minimum", "maximum", "paths", "seed", "bump", "method")
    names = labels or [" ".join(str(value) if isinstance(value, str) else f"{name} {value:g}"
                                for name, value in row.items() if name not in numbers) for row in rows]
    if len(names) != len(rows):
        refuse("labels", f"labels has {len(names)} texts, and there are {len(rows)} results")
    ax = _axes(ax)
    ax.errorbar([row["mean"] for row in rows], range(len(rows)), xerr=[1.96 * row["standard_error"] for row in rows], fmt="o",
                capsize=3)
    ax.set_yticks(range(len(rows)), names)
    ax.invert_yaxis()
    return ax


def convergence(simulation: typing.Any, paths: typing.Sequence[int] = _SIZES, *, output: int = 0,
                ax: typing.Any = None, **options: typing.Any) -> typing.Any:
    """The estimate of an output by runs of these numbers of paths, with their 95 % intervals. Other arguments are those of
    Simulation.run; runs with the same seed share their paths."""
    if options.get("seed") is None and options.get("source") is None and options.get("rng") is None:
        options["seed"] = 0
    found = [simulation.run(count, **options)[output] for count in paths]
    ax = _axes(ax)
    ax.errorbar(list(paths), [one.mean for one in found], yerr=[1.96 * one.standard_error for one in found], fmt="o-", capsize=3)
    ax.set_xscale("log", base=2)
    ax.set_xlabel("paths")
    ax.set_ylabel("estimate")
    return ax


def mlmc(result: typing.Union[MlmcResult, MlmcReport], *, ax: typing.Any = None) -> typing.Any:
    """The mean and the variance of the differences of each level, of a multilevel run or test, as logarithms of base 2."""
    if not isinstance(result, (MlmcResult, MlmcReport)):
        refuse("result", f"result is of type {type(result).__name__}, not a result of Mlmc.run or Mlmc.test")
    ax = _axes(ax)
    for name, style in (("variance", "o-"), ("mean", "s--")):
        values = numpy.abs([getattr(level, name) for level in result.level])
        with numpy.errstate(divide="ignore"):
            ax.plot(range(len(values)), numpy.log2(values), style, label=name)
    ax.set_xlabel("level")
    ax.set_ylabel("log2 of the absolute value")
    ax.legend()
    return ax
