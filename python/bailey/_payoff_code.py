# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The code that a payoff's class becomes: its methods are read again and again until the facts about its variables
(_payoff_values.Variable) no longer change, and are then written with its parameters, its state and its constants."""
from __future__ import annotations

import ast
import inspect
import re
import typing

from ._library import refuse
from ._payoff_class import ROLES, Node, Parameter, Place, Unit
from ._payoff_method import Method
from ._payoff_values import HELPERS

_MOST_PASSES = 60


def _quoted(text: str) -> str:
    """A text within a comment of the code."""
    return text.replace("*/", "* /").replace("/*", "/ *").encode("ascii", "replace").decode()


def _declared(p: Parameter) -> str:
    """The parameter as a member of `params`, with what describes it: its comment in Python, and its default."""
    text = f"{'int' if p.is_int else 'real'} {p.name}{'' if p.size is None else f'[{p.size.whole}]'};"
    comment = _quoted(p.comment)
    known = p.size is None or p.size.constant is not None
    if p.default is not None and known and len(set(p.default)) == 1:
        given = f"default {p.default[0]!r}"
        prose, bracket, inside = comment.rpartition("[")
        if not comment.endswith("]"):
            comment = f"{comment} [{given}]".strip()
        elif not re.search(r"\bdefault\b", inside):
            comment = f"{prose}{bracket}{inside[:-1]}; {given}]"
    return f"{text} /* {comment} */" if comment else text


def _head(unit: Unit) -> typing.List[typing.Tuple[str, Node]]:
    """The class's docstring as the head comment of the code, which describes the payoff."""
    first = unit.node.body[0]
    if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)):
        return []
    texts = inspect.cleandoc(first.value.value).split("\n")
    marks = ["/** "] + [" * "] * (len(texts) - 1)
    lines: typing.List[typing.Tuple[str, Node]] = []
    for number, (mark, text) in enumerate(zip(marks, texts)):
        line = ast.Constant(text, lineno=min(first.lineno + number, first.end_lineno or 0), col_offset=first.col_offset)
        lines.append(((mark + _quoted(text)).rstrip(), line))
    return lines + [(" */", first)]


def _write(unit: Unit, roles: typing.List[Method]) -> typing.Tuple[str, typing.List[Place]]:
    lines = _head(unit)
    for _, table in unit.tables.values():
        kind = table.variable.type
        numbers = ", ".join(str(n) if kind != "real" else repr(float(n)) for n in table.numbers)
        lines.append((f"static const {kind} {table.code}[{len(table.numbers)}] = {{{numbers}}};", None))
    if unit.parameters:
        lines.append(("typedef struct {", None))
        lines += [(f"    {_declared(p)}", p.node) for p in unit.parameters.values()]
        lines += [("} params;", None), ("", None)]
    lines.append(("typedef struct {", None))
    for field in unit.fields.values():
        size = f"[{field.size.whole}]" if field.size is not None else ""
        lines.append((f"    {field.variable.type} {field.code}{size};", field.node))
    if not unit.fields:
        lines.append(("    real unused;", None))
    lines += [("} state;", None)]
    body = [line for method in unit.functions + roles for line in [("", None)] + method.lines()]
    called = {word for text, _ in body for word in re.findall(r"\w+(?=\()", text)}
    lines += [line for name, text in HELPERS.items() if name in called for line in (("", None), (text, None))]
    lines += body
    return "".join(text + "\n" for text, _ in lines), [unit.place(n) if n is not None else (0, 0) for _, n in lines]


def code_of(unit: Unit) -> typing.Tuple[str, typing.List[Place]]:
    """The code, and the place in Python of each of its lines."""
    for number in range(_MOST_PASSES):
        unit.begin_pass()
        roles = []
        for role in ROLES:
            unit.role = role
            roles.append(Method.role(unit, role))
        if not unit.changed and number:
            return _write(unit, roles)
    refuse("payoff", f"{unit.name} is too large, or its integers depend on each other in too many ways")
