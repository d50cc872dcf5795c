# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Numbers, words, arrays and dates as the library takes them, and its structs filled with them. Only numbers count as
numbers: bools, dates and texts, which Python and NumPy would convert, are refused. Which numbers a field takes the
library says."""
from __future__ import annotations

import datetime
import difflib
import os
import re
import typing

import numpy
import numpy.typing

from ._fields import CHOICE, FLAG, FUNCTION, REAL, RECORD, TEXT, UINT32, Field, fields, in_order, insides, keywords, word
from ._library import check, ffi, lib, refuse

Array = numpy.typing.NDArray[typing.Any]
Reals = numpy.typing.NDArray[numpy.float64]
Shape = typing.Tuple[int, ...]
Day = typing.Union[str, datetime.date, numpy.datetime64, None]


# ---- Numbers


def _is_on_cuda(array: typing.Any) -> bool:
    """Whether reading an element waits for a CUDA device: of PyTorch, or of others with its interface."""
    if hasattr(array, "is_cuda"):
        return bool(array.is_cuda)
    return getattr(array, "__cuda_array_interface__", None) is not None


def number(value: typing.Any, argument: str, waits: bool = False) -> typing.Union[int, float]:
    """An argument that is a number: of Python or of NumPy, or an array that holds one, on a CUDA device only if it `waits`
    for that. Not a bool, a date or a text, of which float() would make something."""
    if hasattr(value, "item") and getattr(getattr(value, "dtype", None), "kind", "f") in "iuf":
        if not waits and _is_on_cuda(value):
            refuse(argument, f"{argument} is on a CUDA device; {argument}.item() copies it to the host")
        try:
            value = value.item()
        except (RuntimeError, ValueError):
            refuse(argument, f"{argument} is {value!r}, not one number")
        value = float(value) if isinstance(value, numpy.floating) else value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    refuse(argument, f"{argument} is {value!r}, not a number")


def integer(value: typing.Any, argument: str, bits: int = 64) -> int:
    """An argument that is an integer of so many bits."""
    found = number(value, argument)
    if not isinstance(found, int):
        refuse(argument, f"{argument} is {value!r}, not an integer")
    if not 0 <= found < 1 << bits:
        refuse(argument, f"{argument} is {found}; it may be 0 to 2^{bits} - 1")
    return found


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
    """A C array of doubles, NULL for None; `keep` holds it."""
    if values is None:
        return ffi.NULL
    array = reals(values, argument)
    if shape is not None and array.shape != shape:
        refuse(argument, f"{argument} has the shape {array.shape}, not {shape}")
    return _pointer(array, keep)


def _pointer(array: Array, keep: typing.List[typing.Any]) -> typing.Any:
    keep.append(array)
    return ffi.cast("double *" if array.dtype == numpy.float64 else "uint32_t *", array.ctypes.data)


def strings(texts: typing.Iterable[typing.Any], argument: str, keep: typing.List[typing.Any]) -> typing.Any:
    """A C array of texts."""
    keep.append(ffi.new("char *[]", [text(one, argument, keep) for one in texts]))
    return keep[-1]


def text(value: typing.Any, argument: str, keep: typing.List[typing.Any]) -> typing.Any:
    """Code in C, or the name of a file."""
    if not isinstance(value, (str, os.PathLike)):
        refuse(argument, f"{argument} is {value!r}, not a text")
    keep.append(ffi.new("char[]", os.fsencode(value)))
    return keep[-1]


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


# ---- Structs

_PRECISIONS = {numpy.dtype("float32"): "f32", numpy.dtype("float64"): "f64"}


def precision_of(dtype: typing.Any) -> int:
    """The library's constant for float32 or float64."""
    name = _PRECISIONS.get(numpy.dtype(dtype))
    if name is None:
        refuse("dtype", f"dtype is {numpy.dtype(dtype)}; it may be float32 or float64")
    return fields("normal_params")["precision"].choices[name]


def constant(field: Field, value: typing.Any) -> int:
    """The constant that a word for one of a field's choices stands for."""
    if isinstance(value, str) and value in field.choices:
        return field.choices[value]
    near, name = difflib.get_close_matches(str(value), field.choices, 1), field.keyword
    refuse(name, f"{name} {value!r} is not one of {', '.join(field.choices)}" + (f"; did you mean {near[0]!r}?" if near else ""))


def _scalar(field: Field, value: typing.Any, valuation: Day) -> typing.Any:
    """A number that the library takes for a field."""
    if type(value) is int and 0 <= value < field.free_below:
        return value
    name = field.keyword
    if field.type == FLAG and isinstance(value, (bool, numpy.bool_)):
        return int(value)
    if name == "start_time":
        found: typing.Union[int, float] = start_of(value, valuation)
    else:
        found = year(value, valuation, name) if name in ("time", "end_time") else number(value, name)
    if abs(found) < 1e300:
        check(lib.bailey_field_check(field.c, name.encode(), float(found)))
    return float(found) if field.type == REAL else integer(found, name, 32 if field.type in (FLAG, UINT32) else 64)


def _count(struct: typing.Any, field: Field, count: int, whose: str) -> None:
    """Sets how many elements there are of an argument."""
    if lib.bailey_field_check(field.c, f"len({whose})".encode(), float(count)) != lib.BAILEY_OK:
        refuse(whose, word(lib.bailey_error_message()))
    setattr(struct, field.name, count)


def _extents(struct: typing.Any, field: Field, record: str, array: Array, sizes: typing.Mapping[str, int]) -> Shape:
    """The shape that an array has to have, by the field's, as "[rows][count * outputs]", whose brackets are expressions in
    Python too. It may be the first to say how many elements of a kind there are."""
    found, known = fields(record), dict(sizes)
    wanted = re.findall(r"\[([^]]*)\]", field.shape)
    if len(wanted) != array.ndim:
        refuse(field.keyword, f"{field.keyword} has the shape {array.shape}, not {field.shape}")
    for axis, size in enumerate(wanted):
        if size in found and found[size].is_apart and getattr(struct, size) == 0:
            _count(struct, found[size], array.shape[axis], field.keyword)
    known.update({name: getattr(struct, name) or int(f.c.default_value) for name, f in found.items()
                  if name not in known and not f.pointer and f.type not in (RECORD, FUNCTION)})
    return tuple(int(eval(size, {}, known)) if set(re.findall("[a-z_]+", size)) <= set(known) else array.shape[axis]
                 for axis, size in enumerate(wanted))


def _elements(struct: typing.Any, field: Field, record: str, values: typing.Any, keep: typing.List[typing.Any], valuation: Day,
              sizes: typing.Mapping[str, int]) -> typing.Any:
    """An array of a field. A number is an array of one, and a row a matrix of one."""
    name, axes = field.keyword, field.shape.count("[")
    if field.type == TEXT:
        words = numpy.atleast_1d(numpy.array(values, object))
        _extents(struct, field, record, words, sizes)
        return strings(words, name, keep)
    if field.type == UINT32:
        array = integers(values, numpy.uint32, name)
    else:
        array = years(values, valuation, name) if name.endswith("times") else reals(values, name)
    if array.ndim < axes <= 2:
        array = array.reshape((1,) * (axes - array.ndim) + array.shape)
    shape = _extents(struct, field, record, array, sizes)
    if array.shape != shape:
        refuse(name, f"{name} has the shape {array.shape}, not {shape}")
    return _pointer(array, keep)


def _set(struct: typing.Any, record: str, field: Field, value: typing.Any, keep: typing.List[typing.Any], valuation: Day,
         sizes: typing.Mapping[str, int]) -> None:
    if value is None and (field.default is None or field.name == "precision"):
        return
    if field.name == "precision":
        struct.precision = precision_of(value)
    elif field.pointer:
        setattr(struct, field.name, _elements(struct, field, record, value, keep, valuation, sizes))
    elif field.type == CHOICE:
        setattr(struct, field.name, constant(field, value))
    elif field.type == TEXT:
        setattr(struct, field.name, text(value, field.keyword, keep))
    elif field.type < CHOICE:
        setattr(struct, field.name, _scalar(field, value, valuation))


def fill(struct: typing.Any, record: str, values: typing.Mapping[str, typing.Any], keep: typing.List[typing.Any],
         valuation: Day = None, **sizes: int) -> typing.Any:
    """Sets the fields of a struct whose keywords `values` has, None where None is the default. `keep` holds what its
    pointers lead to; `sizes` are those of arrays that the struct itself does not have."""
    for inside in insides(record):
        fill(getattr(struct, inside.name), inside.record, values, keep, valuation, **sizes)
    for keyword, field in in_order(record):
        if keyword in values:
            _set(struct, record, field, values[keyword], keep, valuation, sizes)
    return struct


def own_keywords(arguments: typing.Mapping[str, typing.Any], *records: str) -> typing.Dict[str, typing.Any]:
    """Those of a function's arguments that are keywords of records, and are given."""
    return {name: value for name, value in arguments.items() if value is not None and name in keywords(*records)}
