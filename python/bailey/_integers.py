# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Integers of a range, permutations and samples, under NumPy's names."""
from __future__ import annotations

import math
import operator
import typing

import numpy

from ._arrays import target
from ._fields import documented
from ._library import lib, refuse
from ._numbers import Count, _shape, choices
from ._source import Source, source_of
from ._values import integer

_MOST = 1 << 48  # BAILEY_PERMUTATION_MAX
_NARROW = ("bool", "int8", "uint8", "int16", "uint16")  # drawn as integers of 32 bits


def _whole(value: typing.Any, name: str) -> int:
    """An integer of any size and sign."""
    try:
        return operator.index(value)
    except TypeError:
        refuse(name, f"{name} is {value!r}, not an integer")


def _range_of(low: typing.Any, high: typing.Any, endpoint: bool, dtype: numpy.dtype[typing.Any]) -> typing.Tuple[int, int]:
    """The least integer and their number."""
    if high is None:
        low, high = 0, low
    least, end = _whole(low, "low"), _whole(high, "high") + bool(endpoint)
    lowest, highest = (0, 1) if dtype.kind == "b" else (int(numpy.iinfo(dtype).min), int(numpy.iinfo(dtype).max))
    if not lowest <= least <= highest:
        refuse("low", f"low is {least}; {dtype} has integers from {lowest} to {highest}")
    if end > highest + 1:
        refuse("high", f"high is {high}, beyond the integers of {dtype}, from {lowest} to {highest}")
    if end <= least:
        refuse("high", f"high is {high}, which must be above low, {least}")
    return least, end - least


@documented()
def integers(low: int, high: typing.Optional[int] = None, size: Count = None, dtype: typing.Any = None, endpoint: bool = False,
             *, seed: typing.Optional[int] = None, source: typing.Optional[Source] = None, rng: typing.Any = None, first: int = 0,
             device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """Random integers from `low` to high - 1 (`high` with `endpoint`), or from 0 to low - 1; int64 unless `dtype` or `out` says
    another type of integers, or bool. `size` is a number or a shape; without it and `out`, one integer. Each has the same
    probability within 2^-64."""
    shape = () if size is None and out is None else _shape(size)
    asked = numpy.dtype("int64" if dtype is None else dtype)
    narrow = out is None and asked.name in _NARROW
    with target(out, shape, "uint32" if narrow else dtype, "int64", device) as to:
        if to.dtype.kind not in "iu" or to.dtype.itemsize not in (4, 8):
            refuse("dtype", f"dtype is {to.dtype}; integers have 32 or 64 bits, or 8 or 16 without out")
        least, count = _range_of(low, high, endpoint, asked if narrow else to.dtype)
        bits = 8 * to.dtype.itemsize
        to.run(lib.bailey_integers_generate, to.context.handle, source_of(source, seed, rng).to_c(), bits, least % (1 << bits),
               count % (1 << bits), integer(first, "first"), to.count, to.buffer, 0)
        made = to.result.astype(asked) if narrow else to.result
        return made[()] if shape == () and out is None else made


@documented()
def permutation(x: typing.Any, count: typing.Optional[int] = None, *, seed: typing.Optional[int] = None,
                source: typing.Optional[Source] = None, rng: typing.Any = None, first: int = 0, dtype: typing.Any = None,
                device: typing.Any = None, out: typing.Any = None) -> typing.Any:
    """The numbers from 0 to x - 1 in random order, int64 unless `dtype` or `out` says otherwise; or the elements of an array
    `x`, which is copied. `count` elements from `first` on, each found without the others: a sample without replacement. Each
    seed and stream has another order."""
    if numpy.ndim(x):
        array = numpy.asarray(x)
        order = permutation(len(array), count, seed=seed, source=source, rng=rng, first=first, device=device)
        if out is not None or dtype is not None:
            refuse("out" if out is not None else "dtype", "out and dtype are for permutations of numbers, and x is an array")
        return array[order]
    below, first = _whole(x, "x"), integer(first, "first")
    if not 0 <= below <= _MOST:
        refuse("x", f"x is {below}; a permutation has up to 2^48 elements")
    if count is None and out is None:
        count = max(below - first, 0)
    with target(out, None if count is None else (integer(count, "count"),), dtype, "int64", device) as to:
        if to.dtype.kind not in "iu" or to.dtype.itemsize not in (4, 8):
            refuse("dtype", f"dtype is {to.dtype}; permutations have integers of 32 or 64 bits")
        if below > numpy.iinfo(to.dtype).max + 1:
            refuse("x", f"x is {below}, beyond the integers of {to.dtype}")
        if to.count:
            to.run(lib.bailey_permutation_generate, to.context.handle, source_of(source, seed, rng).to_c(),
                   8 * to.dtype.itemsize, below, first, to.count, to.buffer, 0)
        return to.result


def choice(a: typing.Any, size: Count = None, replace: bool = True, p: typing.Any = None, **where: typing.Any) -> typing.Any:
    """Elements of an array `a`, or numbers from 0 to a - 1, with or without replacement; `p` are probabilities, or weights, of
    choices with replacement. `size` is a number or a shape; without it, one element. Keywords: seed, source, rng, first and
    device, as for `integers`."""
    unknown = set(where) - {"seed", "source", "rng", "first", "device"}
    if unknown:
        refuse(min(unknown), f"choice has no keyword {min(unknown)!r}")
    array = numpy.asarray(a) if numpy.ndim(a) else None
    below = _whole(a, "a") if array is None else len(array)
    if below < 1:
        refuse("a", "a is empty; there is nothing to choose from")
    shape = () if size is None else _shape(size) or ()
    many = math.prod(shape)
    if p is not None:
        if not replace:
            refuse("p", "p is for choices with replacement")
        if numpy.shape(p) != (below,):
            refuse("p", f"p has the shape {numpy.shape(p)}, not {(below,)}")
        chosen = choices(p, many, dtype="int64", **where).reshape(shape)
    elif replace:
        chosen = integers(below, size=shape, **where)
    else:
        if many > below:
            refuse("size", f"size is {size}, more than the {below} elements, without replacement")
        chosen = permutation(below, many, **where).reshape(shape)
    if array is None:
        return chosen[()] if shape == () else chosen
    return array[chosen]
