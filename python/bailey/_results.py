# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What results have in common: they are frozen dataclasses, of which _types.py has one for each struct that the library
writes, and `read` makes them; lists of them; and how both become dicts, data frames and tables of notebooks."""
from __future__ import annotations

import dataclasses
import functools
import typing

import numpy

from . import _tables
from ._fields import CHARS, CHOICE, FLAG, REAL, RECORD, TEXT, UINT32, UINT64, Field, Renamed, attributes, fields, word


def _key(value: typing.Any) -> typing.Any:
    """Something that is equal where values are, NaN and arrays among them."""
    if isinstance(value, numpy.ndarray):
        return value.dtype.str, value.shape, tuple(_key(element) for element in value.ravel().tolist())
    if isinstance(value, (list, tuple)):
        return tuple(_key(element) for element in value)
    if isinstance(value, dict):
        return tuple((name, _key(element)) for name, element in value.items())
    return "nan" if isinstance(value, float) and value != value else value


_Kind = typing.TypeVar("_Kind", bound="Result")
_classes: typing.Dict[str, typing.Type[Result]] = {}  # by record


class Result(Renamed):
    """A frozen dataclass that compares field by field: NaN equals NaN, and arrays as a whole. Most correspond to
    structs of the library, and their attributes have the names in C."""

    record: typing.ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _classes[cls.record] = cls

    def __str__(self) -> str:
        return str(getattr(self, "text", None) or repr(self))

    def to_dict(self) -> typing.Dict[str, typing.Any]:
        """The result as a dict of plain numbers, texts, lists and dicts."""
        return typing.cast(typing.Dict[str, typing.Any], _tables.plain(self))

    def _rows(self) -> typing.List[typing.Dict[str, typing.Any]]:
        """Rows of its table."""
        return [self.to_dict()]

    def to_frame(self, library: typing.Optional[typing.Literal["pandas", "polars"]] = None) -> typing.Any:
        """The result as a data frame of pandas or polars; by default of the one that is imported, else of one that is
        installed."""
        return _tables.frame(_tables.columns(self._rows()), library)

    def _repr_html_(self) -> str:
        return _tables.html_of(type(self).__name__, self.to_dict())

    def _fields(self) -> typing.Any:
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type, unused-ignore]
        return tuple(_key(getattr(self, name)) for name in names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())


class ResultList(typing.List[_Kind]):
    """A list of results of one kind."""

    _title = "Results"
    _share = True  # error bars have one scale

    def _rows(self) -> typing.List[typing.Dict[str, typing.Any]]:
        """A row of the table for each result."""
        return [_tables.plain(one) for one in self]

    def to_dict(self) -> _tables.Columns:
        """The results as columns: a dict of lists."""
        return _tables.columns(self._rows())

    def to_frame(self, library: typing.Optional[typing.Literal["pandas", "polars"]] = None) -> typing.Any:
        """The results as a data frame of pandas or polars, a row each; by default of the one that is imported, else of
        one that is installed."""
        return _tables.frame(self.to_dict(), library)

    def _repr_html_(self) -> str:
        return _tables.html_table(self._title, self._rows(), self._share)


def _element(field: Field, value: typing.Any, more: typing.Dict[str, typing.Any]) -> typing.Any:
    if field.type == RECORD:
        return read(_classes[field.record], value, **more)
    if field.type == CHOICE:
        return next((name for name, number in field.choices.items() if number == value), str(value))
    if field.type in (TEXT, CHARS):
        return word(value)
    return bool(value) if field.type == FLAG else float(value) if field.type == REAL else int(value)


@functools.lru_cache(None)
def _plan(record: str) -> typing.List[typing.Tuple[str, typing.Optional[Field], bool]]:
    """The attributes of a result, the field of each, if it has one, and whether that is one number as cffi returns it."""
    found = []
    for name in attributes(record):
        field = fields(record).get(name)
        is_number = field is not None and field.type in (REAL, UINT32, UINT64) and not (field.count or field.pointer)
        found.append((name, field, is_number))
    return found


def _attribute(field: Field, struct: typing.Any, more: typing.Dict[str, typing.Any]) -> typing.Any:
    value = getattr(struct, field.name)
    if field.type == CHARS or not (field.count or field.pointer):
        return _element(field, value, more)
    elements = value[0:getattr(struct, field.shape.strip("[]"), field.count)] if value else []
    found = [_element(field, one, more) for one in elements]
    return ResultList(found) if field.type == RECORD else found


def read(kind: typing.Type[_Kind], struct: typing.Any, **more: typing.Any) -> _Kind:
    """Reads a struct that the library has written; `more` has the other attributes of the result in Python, and nested
    results take theirs from it too."""
    values = {}
    for name, field, is_number in _plan(kind.record):
        if name in more or field is None:
            values[name] = more[name]
        else:
            values[name] = getattr(struct, name) if is_number else _attribute(field, struct, more)
    return kind(**values)
