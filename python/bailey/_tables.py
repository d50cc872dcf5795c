# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Results as tables: rows of plain values become dicts of columns, data frames of pandas or polars, and HTML with error
bars, as notebooks show it."""
from __future__ import annotations

import dataclasses
import html
import importlib
import math
import sys
import typing

import numpy

Row = typing.Mapping[str, typing.Any]
Columns = typing.Dict[str, typing.List[typing.Any]]
_FRAMES = ("pandas", "polars")

# The names of the mean of a result, its standard error, and the ends of its interval.
_ESTIMATES = (("mean", "standard_error", "interval_low", "interval_high"),
              ("price", "standard_error", "interval_low", "interval_high"))


def plain(value: typing.Any) -> typing.Any:
    """A value as Python's own types: dicts and lists of numbers and texts."""
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, typing.Mapping):
        return {name: plain(element) for name, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.tolist()
    return value


def columns(rows: typing.Iterable[Row]) -> Columns:
    """Rows as columns; None where a row does not have one."""
    all_ = list(rows)
    names = dict.fromkeys(name for row in all_ for name in row)
    return {name: [row.get(name) for row in all_] for name in names}


def frame(table: Columns, library: typing.Optional[str]) -> typing.Any:
    """Columns as a data frame of the library, by default of the one that the program has imported, else of one that is
    installed."""
    if library not in (None, *_FRAMES):
        from ._library import refuse

        refuse("library", f"library {library!r} is not one of {', '.join(_FRAMES)}")
    known = [library] if library else sorted(_FRAMES, key=lambda name: name not in sys.modules)
    for name in known:
        try:
            return importlib.import_module(str(name)).DataFrame(table)
        except ImportError:
            continue
    raise ImportError(f"a data frame needs {library or 'pandas or polars'}: pip install {library or 'pandas'}")


# ---- HTML


def _number(value: typing.Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _estimated(row: Row) -> typing.Optional[typing.Tuple[float, float, float]]:
    """The estimate in a row and its 95 % interval, if the row has one."""
    for mean, error, low, high in _ESTIMATES:
        if isinstance(row.get(mean), float) and isinstance(row.get(error), float):
            half = 1.959964 * row[error]
            ends = row.get(low, row[mean] - half), row.get(high, row[mean] + half)
            return (row[mean], *ends) if all(map(math.isfinite, (row[mean], *ends))) else None
    return None


def _bar(of: typing.Optional[typing.Tuple[float, float, float]], left: float, right: float) -> str:
    """An error bar between the ends of a scale."""
    if of is None:
        return ""
    width, scale = 160, (right - left) or 1.0
    at = [4 + (width - 8) * (value - left) / scale for value in of]
    zero = f'<line x1="{4 - (width - 8) * left / scale:.1f}" x2="{4 - (width - 8) * left / scale:.1f}" y1="0" y2="14" ' \
           'stroke="#bbb"/>' if left <= 0 <= right else ""
    return (f'<svg width="{width}" height="14">{zero}'
            f'<line x1="{at[1]:.1f}" x2="{at[2]:.1f}" y1="7" y2="7" stroke="#1f77b4" stroke-width="2"/>'
            f'<circle cx="{at[0]:.1f}" cy="7" r="3" fill="#1f77b4"/></svg>')


def _scales(found: typing.Sequence[typing.Optional[typing.Tuple[float, float, float]]],
            share: bool) -> typing.List[typing.Tuple[float, float]]:
    """The scale of each row: one for all, or from its interval to 0."""
    ends = [(min(e[1:]), max(e[1:])) if e else (0.0, 0.0) for e in found]
    if share and any(found):
        known = [end for end, e in zip(ends, found) if e]
        return [(min(low for low, _ in known), max(high for _, high in known))] * len(found)
    return [(min(low, 0.0), max(high, 0.0)) for low, high in ends]


def html_table(title: str, rows: typing.Sequence[Row], share: bool = True) -> str:
    """Rows as a table, with an error bar for each that has an estimate. Bars share a scale, or each shows where 0 is."""
    table = columns({name: value for name, value in row.items() if not isinstance(value, (list, dict))} for row in rows)
    found = [_estimated(row) for row in rows]
    has_bars = any(found)
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in table) + ("<th></th>" if has_bars else "")
    body = []
    for index, (estimate, scale) in enumerate(zip(found, _scales(found, share))):
        cells = "".join(f"<td>{html.escape(_number(column[index]))}</td>" for column in table.values())
        body.append(f"<tr>{cells}" + (f"<td>{_bar(estimate, *scale)}</td>" if has_bars else "") + "</tr>")
    return (f"<table><caption>{html.escape(title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table>")


def html_of(title: str, values: typing.Mapping[str, typing.Any]) -> str:
    """One result: its numbers as a table of a row, and a table for each list of results in it."""
    parts = [html_table(title, [values], share=False)]
    for name, value in values.items():
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            parts.append(html_table(name.replace("_", " "), value))
    return "".join(parts)
