# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Options that the library prices in one call."""
from __future__ import annotations

import typing

import numpy

from ._bridge import Floats
from ._correlation import check_correlation
from ._devices import context
from ._fields import documented, fields
from ._library import ffi, lib, refuse
from ._progress import Argument, Progress
from ._results import read
from ._simulation import Simulation
from ._source import Source, source_of
from ._types import AmericanResult, Estimate
from ._values import Day, constant, fill, number, reals, whole

if typing.TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._types import AmericanOptions, NormalOptions


@documented("bridge_params", "simulation_run_params")
def asian(strike: float, *, times: Floats, valuation: Day = None, spot: Floats, volatility: Floats,
          rate: float = 0.0, dividend: typing.Optional[Floats] = None, weight: typing.Optional[Floats] = None,
          correlation: typing.Optional[Floats] = None, type: str = "call", past_count: int = 0, past_average: float = 0.0,
          order: typing.Any = None, paths: int = 1 << 20, replicates: int = 0,
          seed: typing.Optional[int] = None, source: typing.Optional[Source] = None, dtype: typing.Any = "float32",
          progress: Argument = None, device: typing.Any = None, **normal: Unpack[NormalOptions]) -> Estimate:
    """The price of an arithmetic Asian option on a basket, as `bailey price asian` gives it: an Estimate, whose
    `controlled` has the option on the geometric mean as control variate. The same as a Simulation of "asian", which
    has Greeks, scenarios and jobs too; bailey.describe("asian") says what its parameters are. `times` are those of fixings
    to come; `type` is "call" or "put"; `correlation` [assets][assets] is the identity where it is not given.
    """
    given = dict(spot=spot, volatility=volatility, dividend=dividend, weight=weight, strike=number(strike, "strike"),
                 rate=number(rate, "rate"), past_count=whole(past_count, "past_count"),
                 past_average=number(past_average, "past_average"), sign=-1 if constant(fields("american_params")["type"], type) else 1)
    parameters = {name: numpy.atleast_1d(reals(value, name)) for name, value in given.items() if value is not None}
    assets = parameters["spot"].size
    for name in ("volatility", "dividend", "weight"):
        if name in parameters and parameters[name].shape != (assets,):
            refuse(name, f"{name} has the shape {parameters[name].shape}, not ({assets},)")
    option = Simulation("asian", times, assets, valuation=valuation, parameters=parameters, dtype=dtype, device=device,
                        order=order, covariance=None if correlation is None else check_correlation(correlation),
                        planned_paths=whole(paths, "paths") * max(1, whole(replicates, "replicates")))
    expected = option.expected()
    known = any(value is not None for value in expected)
    return typing.cast(Estimate, option.run(paths, replicates=replicates, seed=seed, source=source, progress=progress,
                                            expected=expected if known else None, **normal)[0])


@documented("american_params")
def american(strike: float, *, valuation: Day = None, dtype: typing.Any = "float32", device: typing.Any = None,
             **options: Unpack[AmericanOptions]) -> AmericanResult:
    """Bounds of the price of an American or Bermudan option: by Longstaff and Schwartz from below and, with
    outer_paths, by Andersen and Broadie from above (docs/american.md). A put is on one asset, a call on the largest of
    several."""
    keep: typing.List[typing.Any] = []
    given = {"type": "put", "paths": 1 << 18, **options, "strike": strike, "dtype": dtype}
    p = fill(ffi.new("bailey_american_params *"), "american_params", given, keep, valuation)
    drawn, watch = source_of(options.get("source"), options.get("seed")), Progress(options.get("progress"))
    p.source = drawn.to_c()[0]
    watch.watch(p)
    r = ffi.new("bailey_american_result *")
    with context(device).opened as opened:
        watch.check(lib.bailey_american_price(opened.pointer, p, r))
    return read(AmericanResult, r, seed=drawn.seed)
