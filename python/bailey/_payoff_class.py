# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A class written in Python as a payoff, before its methods are read: its source, its parameters, what names mean in
it; and facts about its state and variables, which reading its methods finds out."""
from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import typing

import numpy

from . import _payoff_names as names
from ._library import refuse
from ._payoff_values import INT, Cannot, Number, Value, Variable, constant, fits, size_value

Node = typing.Any  # of ast
Place = typing.Tuple[int, int]  # line and column in the Python file, from 1; (0, 0): none

ROLES = {"start": (), "step": ("i", "t", "x"), "finish": ()}


class Array:
    """The annotation of a parameter that is an array."""

    def __init__(self, count: typing.Union[int, str]) -> None:
        self.count = count

    def __repr__(self) -> str:
        return f"bailey.array({self.count!r})"


class Parameter(typing.NamedTuple):
    """A parameter: what is annotated in the class."""

    name: str
    is_int: bool
    size: typing.Optional[Value]  # of an array
    default: typing.Optional[typing.List[Number]]
    node: Node
    comment: str


class Table:
    """A list of numbers outside of the class, as a constant of the code."""

    def __init__(self, name: str, code: str, numbers: typing.List[Number]) -> None:
        self.code, self.numbers = code, numbers
        self.variable = Variable(name)
        for number in numbers:
            self.variable.take(constant(number))


def find_class(python: typing.Any, code: typing.Any) -> Node:
    """A class in the text that a method of it was compiled from: of a file, or of a notebook's cell."""
    found = None
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        refuse("payoff", f"the source of {python.__name__} has changed since it was read, and is not valid Python")
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == python.__name__:
            if node.lineno <= code.co_firstlineno <= (node.end_lineno or 0):
                found = node
    if found is None:
        refuse("payoff", f"the source of {python.__name__} is not available; define it in a file or a notebook")
    return found


class Field:
    """A member of the state."""

    def __init__(self, name: str, code: str, node: Node) -> None:
        self.code, self.node = code, node
        self.variable = Variable(name)
        self.size: typing.Optional[Value] = None


class Unit:
    """The class that is read."""

    def __init__(self, python: typing.Any) -> None:
        self.python = python
        self.name: str = getattr(python, "__name__", repr(python))
        own = vars(python) if inspect.isclass(python) else {}
        for role in ROLES:
            if not inspect.isfunction(own.get(role)):
                refuse("payoff", f"{self.name} is not a class with the methods start, step and finish"
                       + (f": it has no {role}" if own else ""))
        self.file: str = own["start"].__code__.co_filename
        self.node = find_class(python, own["start"].__code__)
        self.methods: typing.Dict[str, typing.Tuple[ast.FunctionDef, typing.Any]] = {}
        for node in self.node.body:
            if isinstance(node, ast.FunctionDef) and inspect.isfunction(own.get(node.name)):
                self.methods[node.name] = node, own[node.name]
        for node, function in self.methods.values():
            self.check_source(node, function)
        if any(getattr(base, "__name__", "") not in ("object", "Protocol", "Generic", "PayoffClass")
               for base in python.__mro__[1:]):
            self.refuse(self.node, f"{self.name} has a base class, whose methods are not read; write everything in one class")
        self.role = ""  # that is read
        self.fields: typing.Dict[str, Field] = {}
        self.tables: typing.Dict[int, typing.Tuple[typing.Any, Table]] = {}
        self.outside = names.Names(list(self.methods))  # names of functions and tables in the code
        self.members = names.Names()
        self.codes: typing.Dict[typing.Any, str] = {}  # names of methods in the code
        self.variables: typing.Dict[typing.Any, Variable] = {}
        self.begin_pass()
        self.parameters: typing.Dict[str, Parameter] = {}
        for node in self.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self.add_parameter(node)

    def begin_pass(self) -> None:
        """Begins another reading of its methods, with the facts so far about variables, fields and tables."""
        self.changed, self.outputs = False, 0
        self.stack: typing.List[typing.Any] = []  # calls that are being read
        self.done: typing.Dict[typing.Any, typing.Any] = {}  # calls, and the _payoff_method.Method that serves each
        self.functions: typing.List[typing.Any] = []  # Methods, as the code has them
        self.written: typing.Set[typing.Any] = set()

    # ---- Places

    def check_source(self, node: ast.FunctionDef, function: typing.Any) -> None:
        lines = {node.lineno} | {d.lineno for d in node.decorator_list}
        if function.__code__.co_firstlineno not in lines:
            self.refuse(node, f"the source of {self.name} has changed since Python read it")

    def line(self, number: int) -> str:
        return linecache.getline(self.file, number).rstrip("\n")

    def place(self, node: Node) -> Place:
        """From 1, in characters."""
        line = int(getattr(node, "lineno", 0))
        return line, len(self.line(line).encode()[:getattr(node, "col_offset", 0)].decode("utf-8", "ignore")) + 1

    def refuse(self, node: Node, text: str) -> typing.NoReturn:
        """Raises an error that shows the line of the Python source."""
        refuse("payoff", message(self.file, self.place(node), self.line(self.place(node)[0]), text))

    # ---- Names

    def look(self, function: typing.Any, name: str) -> typing.Any:
        """The meaning of a name that is not local to a method."""
        code = function.__code__
        if name in code.co_freevars:
            try:
                return function.__closure__[code.co_freevars.index(name)].cell_contents
            except ValueError:
                return names.MISSING
        found = function.__globals__.get(name, names.MISSING)
        if found is names.MISSING:
            found = getattr(builtins, name, names.MISSING)
            inside = names.of_language(name)
            if inside is not names.MISSING and name != "pow":
                found = inside
        return found

    def lookup(self, name: str) -> typing.Any:
        """The same of a name in the class itself."""
        return self.python.__dict__.get(name, self.look(self.python.__dict__["start"], name))

    def table(self, thing: typing.Any, name: str) -> typing.Optional[Table]:
        """A list of constants."""
        if id(thing) not in self.tables:
            numbers = names.table_of(thing)
            if numbers is None:
                return None
            self.tables[id(thing)] = thing, Table(name, self.outside.new(name), numbers)
        return self.tables[id(thing)][1]

    def variable(self, key: typing.Any, name: str) -> Variable:
        return self.variables.setdefault(key, Variable(name))

    def take(self, variable: Variable, value: Value) -> None:
        self.changed |= variable.take(value)

    # ---- Parameters

    def evaluate(self, node: Node) -> typing.Any:
        """The value of an annotation, which may be a string, perhaps because of `from __future__ import
        annotations`."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                return self.evaluate(ast.parse(node.value, mode="eval").body)
            except SyntaxError:
                return names.MISSING
        if isinstance(node, ast.Name):
            return self.lookup(node.id)
        if isinstance(node, ast.Attribute):
            return getattr(self.evaluate(node.value), node.attr, names.MISSING)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            count = node.args[0].value if isinstance(node.args[0], ast.Constant) else self.evaluate(node.args[0])
            return array(count) if self.evaluate(node.func) is array and self.is_count(count) else names.MISSING
        if isinstance(node, ast.Subscript):
            of = self.evaluate(node.value)
            if of in (typing.ClassVar, getattr(typing, "Final", None)):
                return typing.ClassVar
            elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
            if getattr(of, "__name__", getattr(of, "_name", "")) == "Annotated" and len(elements) == 2:
                inside = self.evaluate(elements[1])
                if isinstance(inside, Array) or inside is float or inside is int:
                    return inside
                if self.is_count(inside):
                    return array(inside)
        return names.MISSING

    @staticmethod
    def is_count(thing: typing.Any) -> bool:
        return names.is_size(thing) or isinstance(thing, (int, str, numpy.integer)) and not isinstance(thing, bool)

    def add_parameter(self, node: ast.AnnAssign) -> None:
        name = node.target.id  # type: ignore[union-attr]
        kind = self.evaluate(node.annotation)
        if kind is typing.ClassVar or kind is getattr(typing, "Final", None):
            return
        size = None
        if isinstance(kind, Array):
            size = self.size_of(node, kind.count)
        elif kind not in (float, int) and getattr(kind, "__name__", "") != "float64":
            self.refuse(node.annotation, f"the parameter {name} is neither float, int nor bailey.array(count)")
        if name in self.methods:
            self.refuse(node, f"{name} is a parameter and a method")
        self.parameters[name] = Parameter(name, kind is int, size, self.default(node, kind is int, size), node,
                                          self.comment(node))

    def size_of(self, node: Node, count: typing.Any) -> Value:
        if isinstance(count, str):
            if count not in ("DIMS", "STEPS"):
                self.refuse(node.annotation, f"an array has a number of elements, DIMS or STEPS, not {count!r}")
            return size_value(count)
        if not 1 <= count <= 1 << 17:
            self.refuse(node.annotation, f"an array has 1 to {1 << 17} elements, not {count}")
        return constant(count)

    def default(self, node: ast.AnnAssign, is_int: bool, size: typing.Optional[Value]) -> typing.Optional[typing.List[Number]]:
        """The default that the class gives a parameter, as in `strike: float = 100.0`."""
        name = node.target.id  # type: ignore[union-attr]
        if node.value is None:
            return None
        given = vars(self.python).get(name)
        try:
            numbers = names.table_of(given) if size is not None else [names.number_of(given)]
        except Cannot as why:
            self.refuse(node.value, str(why))
        if numbers is None or None in numbers or any(isinstance(number, bool) for number in numbers):
            self.refuse(node.value, f"the default of {name} is {given!r}, not a number" + ("" if size is None else "s"))
        if size is not None and size.constant not in (None, len(numbers)):
            self.refuse(node.value, f"the default of {name} has {len(numbers)} elements, not {size.constant}")
        if is_int and not all(isinstance(n, int) and fits((n, n), INT) for n in numbers):
            self.refuse(node.value, f"the default of {name} is {given!r}, not an integer of 32 bits")
        if any(isinstance(n, float) and not abs(n) < float("inf") for n in numbers):
            self.refuse(node.value, f"the default of {name} is {given!r}, not a number")
        return typing.cast(typing.List[Number], numbers)

    def comment(self, node: Node) -> str:
        """What stands behind the parameter, after #."""
        line = self.line(node.end_lineno)
        rest = line.encode()[node.end_col_offset:].decode("utf-8", "ignore").strip()
        text = rest[1:].strip() if rest.startswith("#") else ""
        return "" if text.split(":")[0].lower() in ("noqa", "type", "pragma", "pylint", "fmt") else text


def array(count: typing.Any) -> typing.Any:
    """The annotation of a parameter that is an array of so many reals: a number, DIMS or STEPS."""
    if names.is_size(count):
        return Array(count.name)
    return Array(count if isinstance(count, str) else int(count))


def message(file: str, place: Place, line: str, text: str) -> str:
    """An error with its place in the Python file, the line itself, and a caret under the column."""
    margin = "".join("\t" if sign == "\t" else " " for sign in line[:max(place[1] - 1, 0)])
    return f"{file}:{place[0]}:{place[1]}: {text}\n{line}\n{margin}^"
