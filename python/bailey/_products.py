# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Options that the library prices in one call."""
from __future__ import annotations

import dataclasses
import typing

import numpy

from ._bridge import Floats
from ._correlation import check_correlation
from ._devices import context
from ._library import choice, ffi, lib, number, refuse, set_fields, whole
from ._numbers import normal_params
from ._progress import Argument, Progress
from ._results import Result
from ._simulation import Estimate, Simulation
from ._source import Source, source_of
from ._values import Day, doubles, reals, years


@dataclasses.dataclass(frozen=True, eq=False)
class AmericanPrice(Result):
    """An interval of 95 % for an American option's price, its bounds with their standard errors, and their middle, whose
    error covers how far they are apart. Without outer_paths interval_high is infinite, and `upper`, its error and
    `estimate_error` are NaN. See bailey_american_result."""

    interval_low: float
    interval_high: float
    lower: float
    lower_error: float
    upper: float
    upper_error: float
    estimate: float
    estimate_error: float
    in_sample: float
    in_sample_error: float
    exercise_now: bool
    paths: int
    seed: int


class _Assets:
    """What both structures have of the assets."""

    def __init__(self, params: typing.Any, spot: Floats, volatility: Floats, dividend: typing.Optional[Floats],
                 correlation: typing.Optional[Floats]) -> None:
        self.keep: typing.List[typing.Any] = []
        spots = numpy.atleast_1d(reals(spot, "spot"))
        self.count = spots.size
        params.assets, params.spot = self.count, doubles(spots, None, "spot", self.keep)
        params.volatility = self.each(volatility, "volatility")
        params.dividend = self.each(dividend, "dividend")
        params.correlation = doubles(correlation, (self.count, self.count), "correlation", self.keep)

    def each(self, values: typing.Optional[Floats], name: str) -> typing.Any:
        """A number per asset."""
        array = None if values is None else numpy.atleast_1d(reals(values, name))
        return doubles(array, (self.count,), name, self.keep)

    def times(self, values: Floats, valuation: Day, name: str) -> typing.Tuple[typing.Any, int]:
        """Times, and how many they are."""
        array = numpy.atleast_1d(years(values, valuation, name))
        if array.ndim != 1:
            refuse(name, f"{name} has {array.ndim} dimensions, not one")
        return doubles(array, None, name, self.keep), array.size


def asian(strike: float, *, fixings: Floats, valuation: Day = None, spot: Floats, volatility: Floats,
          rate: float = 0.0, dividend: typing.Optional[Floats] = None, weight: typing.Optional[Floats] = None,
          correlation: typing.Optional[Floats] = None, type: str = "call", past_count: int = 0, past_average: float = 0.0,
          order: typing.Any = None, paths: int = 1 << 20, replicates: int = 0, seed: typing.Optional[int] = None,
          source: typing.Optional[Source] = None, dtype: typing.Any = "float32", method: str = "icdf",
          numerics: str = "exact", bits: int = 0, progress: Argument = None, device: typing.Any = None) -> Estimate:
    """The price of an arithmetic Asian option on a basket, as `bailey price asian` gives it: an Estimate, whose
    `controlled` has the option on the geometric mean as control variate. The same as a Simulation of "asian", which
    has Greeks, scenarios and jobs too.

    fixings       times of those to come, in years or, with valuation, dates (see Bridge); past_count and past_average
                  are of those that are past
    spot, volatility, dividend, weight  a number per asset; weights are 1 / assets each without
    correlation   [assets][assets]; None: independent
    type          "call" or "put"
    order         construction order of the fixings before the last (bailey.order)
    Other arguments as for Simulation.
    """
    given = dict(spot=spot, volatility=volatility, dividend=dividend, weight=weight, strike=number(strike, "strike"),
                 rate=number(rate, "rate"), past_count=whole(past_count, "past_count"),
                 past_average=number(past_average, "past_average"), sign=-1 if choice("OPTION_TYPE", type, "type") else 1)
    parameters = {name: numpy.atleast_1d(reals(value, name)) for name, value in given.items() if value is not None}
    assets = parameters["spot"].size
    for name in ("volatility", "dividend", "weight"):
        if name in parameters and parameters[name].shape != (assets,):
            refuse(name, f"{name} has the shape {parameters[name].shape}, not ({assets},)")
    dates = years(fixings, valuation, "fixings")
    if numpy.ndim(dates) > 1:
        refuse("fixings", f"fixings has {numpy.ndim(dates)} dimensions, not one")
    option = Simulation("asian", numpy.atleast_1d(dates), assets, parameters=parameters, dtype=dtype, device=device,
                        order=order, covariance=None if correlation is None else check_correlation(correlation),
                        planned_paths=whole(paths, "paths") * max(1, whole(replicates, "replicates")))
    expected = option.expected()
    known = any(value is not None for value in expected)
    return typing.cast(Estimate, option.run(paths, replicates=replicates, seed=seed, source=source, method=method,
                                            numerics=numerics, bits=bits, progress=progress,
                                            expected=expected if known else None)[0])


def american(strike: float, *, exercise_times: Floats, valuation: Day = None, spot: Floats, volatility: Floats,
             rate: float = 0.0, dividend: typing.Optional[Floats] = None,
             correlation: typing.Optional[Floats] = None, type: str = "put",
             functions: int = 0, paths: int = 1 << 18, policy_paths: int = 0, outer_paths: int = 0, inner_paths: int = 0,
             antithetic: bool = False, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None,
             dtype: typing.Any = "float32", method: str = "icdf", numerics: str = "exact", bits: int = 0,
             progress: Argument = None, device: typing.Any = None) -> AmericanPrice:
    """Bounds of the price of an American or Bermudan option: by Longstaff and Schwartz from below and, with
    outer_paths, by Andersen and Broadie from above (docs/american.md).

    exercise_times  beside today, in years or, with valuation, dates (see Bridge); the last is the maturity
    type            "put" on one asset, or "call" on the largest of several
    Other arguments as bailey_american_params has them, and as for Simulation.
    """
    p = ffi.new("bailey_american_params *")
    assets = _Assets(p, spot, volatility, dividend, correlation)
    p.exercise_times, p.exercise_count = assets.times(exercise_times, valuation, "exercise_times")
    p.type, p.antithetic = choice("OPTION_TYPE", type, "type"), int(antithetic)
    set_fields(p, strike=strike, rate=rate, basis_functions=functions, paths=paths, policy_paths=policy_paths,
               outer_paths=outer_paths, inner_paths=inner_paths)
    drawn = source_of(source, seed)
    p.source, p.normal = drawn.to_c()[0], normal_params(dtype, method, numerics, bits)[0]
    watch = Progress(progress)
    watch.watch(p)
    r = ffi.new("bailey_american_result *")
    with context(device).opened as opened:
        watch.check(lib.bailey_american_price(opened.pointer, p, r))
    return AmericanPrice(r.interval_low, r.interval_high, r.lower, r.lower_standard_error, r.upper, r.upper_standard_error,
                         r.price, r.standard_error, r.in_sample, r.in_sample_standard_error, bool(r.exercise_now), int(r.paths),
                         drawn.seed)
