# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Options that are priced in one call: asian, a simulation of the built-in payoff, and american, which the library prices."""
from __future__ import annotations

import typing

from ._bridge import Floats
from ._correlation import check_correlation
from ._description import length
from ._devices import context
from ._fields import documented
from ._library import ffi, lib
from ._progress import Progress
from ._results import read
from ._simulation import Simulation
from ._source import source_of
from ._types import AmericanOptions, AmericanResult, AsianOptions, Estimate
from ._typing import Unpack
from ._values import Day, fill, integer


@documented("simulation_run_params")
def asian(strike: float, *, times: Floats, valuation: Day = None, spot: Floats, volatility: Floats,
          rate: typing.Optional[float] = None, dividend: typing.Optional[Floats] = None,
          weight: typing.Optional[Floats] = None, correlation: typing.Optional[Floats] = None,
          sign: typing.Union[str, float, None] = None, past_count: typing.Optional[int] = None,
          past_average: typing.Optional[float] = None, order: typing.Any = None, paths: int = 0,
          dtype: typing.Any = "float32", device: typing.Any = None, **options: Unpack[AsianOptions]) -> Estimate:
    """The price of an arithmetic Asian option on a basket, as from `bailey price asian`: an Estimate, whose
    `controlled` uses the option on the geometric mean as control variate. A Simulation of "asian" gives the same, and
    has Greeks, scenarios and jobs too; bailey.describe("asian") lists its parameters and their defaults. `times` are
    those of future fixings; `sign` is "call" or "put"; `correlation`, [assets][assets], defaults to the identity."""
    given = dict(rate=rate, dividend=dividend, weight=weight, past_count=past_count, past_average=past_average, sign=sign)
    parameters = dict(strike=strike, spot=spot, volatility=volatility,
                      **{name: value for name, value in given.items() if value is not None})
    option = Simulation("asian", times, length(spot) or 1, parameters=parameters, valuation=valuation, dtype=dtype,
                        device=device, order=order, covariance=None if correlation is None else check_correlation(correlation),
                        planned_paths=integer(paths, "paths") * (integer(options.get("replicates", 0), "replicates") or 1))
    expected = option.expected()
    return option.run(paths, expected=None if None in expected[1:] else expected, **options)[0]


@documented("american_params")
def american(strike: float, *, valuation: Day = None, dtype: typing.Any = "float32", device: typing.Any = None,
             **options: Unpack[AmericanOptions]) -> AmericanResult:
    """Bounds of the price of an American or Bermudan option: a lower bound (Longstaff and Schwartz) and, without
    lower_only, an upper bound (Andersen and Broadie); see docs/american.md. A put is on one asset, a call on the
    largest of several."""
    keep: typing.List[typing.Any] = []
    given = dict(options, strike=strike, dtype=dtype)
    p = fill(ffi.new("bailey_american_params *"), "american_params", given, keep, valuation)
    drawn, watch = source_of(options.get("source"), options.get("seed"), options.get("rng")), Progress(options.get("progress"))
    p.source = drawn.to_c()[0]
    watch.watch(p)
    r = ffi.new("bailey_american_result *")
    with context(device).opened as opened:
        watch.check(lib.bailey_american_price(opened.pointer, p, r))
    return read(AmericanResult, r, seed=drawn.seed)
