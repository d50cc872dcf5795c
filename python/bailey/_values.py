# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Numbers and dates as the library takes them. Only numbers count as numbers: bools, dates and texts, which Python
and NumPy would convert, are refused."""
from __future__ import annotations

import datetime
import re
import typing

import numpy
import numpy.typing

from ._library import ffi, number, refuse

Array = numpy.typing.NDArray[typing.Any]
Reals = numpy.typing.NDArray[numpy.float64]
Shape = typing.Tuple[int, ...]
Day = typing.Union[str, datetime.date, numpy.datetime64, None]


# ---- Numbers


def _holds_bools(values: typing.Any) -> bool:
    """Whether a list has them, which an array of it would hide among its numbers."""
    if isinstance(values, (list, tuple)):
        return any(_holds_bools(value) for value in values)
    return isinstance(values, (bool, numpy.bool_))


def _array(values: typing.Any, argument: str) -> Array:
    """Values as a NumPy array, of whatever type they have."""
    if isinstance(values, numpy.ma.MaskedArray) and numpy.ma.is_masked(values):
        refuse(argument, f"{argument} has masked elements")
    try:
        return numpy.asarray(values)
    except (RuntimeError, TypeError, ValueError) as error:
        refuse(argument, f"{argument} is {values!r}: {error}")


def check_kind(kind: str, dtype: typing.Any, argument: str, what: str = "numbers") -> None:
    """Refuses elements whose kind is not one of the letters in `kind` (numpy.dtype.kind)."""
    if dtype.kind not in kind:
        refuse(argument, f"{argument} has elements of type {dtype}, not {what}")


def reals(values: typing.Any, argument: str) -> Reals:
    """Values as doubles."""
    array = _array(values, argument)
    if _holds_bools(values):
        refuse(argument, f"{argument} is {values!r}, and a bool is not a number")
    check_kind("iuf", array.dtype, argument)
    return numpy.ascontiguousarray(array, numpy.float64)


def integers(values: typing.Any, dtype: typing.Any, argument: str) -> Array:
    """Values as integers of an unsigned type."""
    array, most = _array(values, argument), numpy.iinfo(dtype).max
    if array.size and (_holds_bools(values) or array.dtype.kind not in "iu"):
        refuse(argument, f"{argument} has elements of type {array.dtype}, not integers")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) <= most:
        refuse(argument, f"{argument} has elements from {array.min()} to {array.max()}; they may be 0 to {most}")
    return numpy.ascontiguousarray(array, dtype)


def doubles(values: typing.Any, shape: typing.Optional[Shape], argument: str, keep: typing.List[typing.Any]) -> typing.Any:
    """A C array of doubles, NULL of None; `keep` holds it."""
    if values is None:
        return ffi.NULL
    array = reals(values, argument)
    if shape is not None and array.shape != shape:
        refuse(argument, f"{argument} has the shape {array.shape}, not {shape}")
    keep.append(array)
    return ffi.cast("double *", array.ctypes.data)


# ---- Dates

_ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", re.ASCII)
_EPOCH = datetime.datetime(1970, 1, 1)
_DAY = datetime.timedelta(days=1)


def _are_dates(values: typing.Any) -> bool:
    """Whether they are, or begin with, a date or a text."""
    while isinstance(values, (list, tuple)) and values:
        values = values[0]
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    return kind in ("M", "U") or isinstance(values, (str, datetime.date))


def _days_of_array(array: Array, argument: str) -> Reals:
    """Elements of datetime64 as days since 1970, with the time of the day as a fraction."""
    if numpy.isnat(array).any():
        refuse(argument, f"{argument} has NaT, which is not a date")
    unit = numpy.datetime_data(array.dtype)[0]
    if unit in ("Y", "M", "W"):
        refuse(argument, f"{argument} has elements of type {array.dtype}, whose unit is longer than a day")
    days = array.astype("M8[D]")
    fractions = (array - days).astype("m8[us]").astype(numpy.int64) / 86400e6
    return numpy.asarray(days.astype(numpy.int64) + fractions, numpy.float64)


def _day(value: typing.Any, argument: str) -> float:
    """A date as days since 1970."""
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(value if _ISO.fullmatch(value) else "")
        except ValueError:
            refuse(argument, f"{argument}: {value!r} is not a date of the form YYYY-MM-DD")
    if isinstance(value, numpy.datetime64):
        return float(_days_of_array(numpy.asarray(value), argument))
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            refuse(argument, f"{argument}: {value!r} has a time zone; dates are taken without one")
        since: datetime.timedelta = value - _EPOCH
        return since.days + (since - since.days * _DAY) / _DAY
    if isinstance(value, datetime.date):
        return float(value.toordinal() - _EPOCH.toordinal())
    refuse(argument, f"{argument}: {value!r} is not a date; with valuation all times are dates")


def years(values: typing.Any, valuation: Day, argument: str) -> Reals:
    """Times in years: as they are given, or of dates, which are counted from `valuation`, actual / 365 fixed."""
    if valuation is None:
        if _are_dates(values):
            refuse(argument, f"{argument} has dates or texts; dates need valuation, the day from which they are counted")
        return reals(values, argument)
    array = _array(values, argument)
    if array.dtype.kind == "M":
        days = _days_of_array(array, argument)
    else:
        objects = numpy.asarray(values, object)
        days = numpy.array([_day(value, argument) for value in objects.flat], numpy.float64).reshape(objects.shape)
    return numpy.ascontiguousarray((days - _day(valuation, "valuation")) / 365.0)


def year(value: typing.Any, valuation: Day, argument: str) -> float:
    """One time in years."""
    if valuation is None and not _are_dates(value):
        return float(number(value, argument))
    return float(years([value], valuation, argument)[0])


def start_of(start_time: typing.Any, valuation: Day) -> float:
    """The argument start_time in years; 0 is `valuation` itself."""
    if isinstance(start_time, (int, float)) and start_time == 0:
        valuation = None
    return year(start_time, valuation, "start_time")
