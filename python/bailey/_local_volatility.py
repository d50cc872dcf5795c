# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Local volatility from quotes of implied volatilities."""
from __future__ import annotations

import typing

import numpy

from ._library import check, ffi, lib
from ._values import fill


def local_volatility(expiries: typing.Any, forwards: typing.Any, strikes: typing.Any, volatilities: typing.Any, *,
                     horizon: float = 0.0, low: float = 0.0, high: float = 0.0) -> typing.Dict[str, typing.Any]:
    """The parameters horizon, low, high and volatility of the model dupire, from implied volatilities of the shape
    (expiries, strikes), numpy.nan where there is no quote. `forwards` are the forward prices at the expiries.

    Quotes with arbitrage are errors that name the expiry and strike. A warning names the farthest node of the grid that
    prices are likely to reach and that lies beyond the quotes. `horizon` is the time of the grid's last row, by default the
    last expiry; `low` and `high` are the logarithms of price divided by forward of its first and last column, by default 4
    standard deviations to both sides."""
    quotes, grid = ffi.new("bailey_volatility_quotes *"), ffi.new("bailey_local_volatility *")
    keep: typing.List[typing.Any] = []
    quotes.expiry_count, quotes.strike_count = numpy.size(expiries), numpy.size(strikes)
    fill(quotes, "volatility_quotes", {
        "expiries": expiries, "forwards": forwards, "strikes": strikes, "volatilities": volatilities, "horizon": horizon,
        "low": low, "high": high}, keep)
    check(lib.bailey_local_volatility_find(quotes, grid))
    return {"horizon": grid.horizon, "low": grid.low, "high": grid.high,
            "volatility": numpy.array(list(grid.volatility))}
