# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What results have in common."""
from __future__ import annotations

import dataclasses
import typing

import numpy


def _key(value: typing.Any) -> typing.Any:
    """Something that is equal where values are, NaN and arrays among them."""
    if isinstance(value, numpy.ndarray):
        return value.dtype.str, value.shape, tuple(_key(element) for element in value.ravel().tolist())
    if isinstance(value, (list, tuple)):
        return tuple(_key(element) for element in value)
    return "nan" if isinstance(value, float) and value != value else value


class Result:
    """A frozen dataclass that compares field by field: NaN equals NaN, and arrays as a whole."""

    def _fields(self) -> typing.Any:
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type, unused-ignore]
        return tuple(_key(getattr(self, name)) for name in names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())
