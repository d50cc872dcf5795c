# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Payoffs written in Python, as the text in C that is compiled for the device.

    @bailey.payoff
    class Asian:
        spot: float
        strike: float
        rate: float
        volatility: float

        def start(self):
            self.total = 0.0

        def step(self, i, t, x):
            drift = self.rate - self.volatility**2 / 2
            self.total += self.spot * exp(drift * t + self.volatility * x[0])

        def finish(self):
            return max(self.total / STEPS - self.strike, 0.0)

    bailey.Simulation(Asian, times, parameters=dict(spot=100, strike=100, rate=0.03, volatility=0.2))

What is annotated is a parameter (float, int, or an array: bailey.array(3)), what `start` assigns is the state of a
path. It is translated statement by statement, to `Asian.text`: names, arithmetic, comparisons, `and`, `or`, `not`,
conditional expressions, if, for over range(), local numbers, and exp, log, sqrt, pow, abs, min, max, floor, ceil, fma,
normal_cdf. `x ** 2` is x * x. Anything else is an error that names its line. A number is a real, as in C with `real`:
7 / 2 is 3.5, and `//` is refused.
"""
from __future__ import annotations

import ast
import inspect
import linecache
import typing

from ._library import refuse

Node = typing.Any  # of ast

_FUNCTIONS = {
    "exp": ("exp", 1), "log": ("log", 1), "sqrt": ("sqrt", 1), "pow": ("pow", 2), "abs": ("fabs", 1),
    "fabs": ("fabs", 1), "min": ("fmin", 2), "max": ("fmax", 2), "fmin": ("fmin", 2), "fmax": ("fmax", 2),
    "floor": ("floor", 1), "ceil": ("ceil", 1), "fma": ("fma", 3), "normal_cdf": ("normal_cdf", 1),
}
_CONSTANTS = ("STEPS", "DIMS")
_OPERATORS: typing.Dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARISONS: typing.Dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def array(count: int) -> typing.Any:
    """The annotation of a parameter that is an array of so many reals."""
    return f"array:{int(count)}"


class Payoff:
    """A payoff that was written in Python. `text` is what is compiled; `python` is the class, which computes the same
    in Python, up to rounding, and None in what was pickled."""

    def __init__(self, name: str, text: str, python: typing.Any) -> None:
        self.name, self.text, self.python = name, text, python

    def __reduce__(self) -> typing.Any:
        return Payoff, (self.name, self.text, None)  # a pickle cannot name the class: the payoff has its name now

    def __copy__(self) -> Payoff:
        return Payoff(self.name, self.text, self.python)

    def __deepcopy__(self, memo: object) -> Payoff:
        return self.__copy__()


class _Function:
    """One method as a function in C."""

    def __init__(self, owner: _Class, node: ast.FunctionDef) -> None:
        self.owner, self.node = owner, node
        self.reals: typing.List[str] = []
        self.ints: typing.List[str] = []
        self.arguments: typing.List[str] = []
        self.arguments_int: typing.List[str] = []

    def refuse(self, node: Node, text: str) -> typing.NoReturn:
        refuse("payoff", f"{self.owner.name}, line {getattr(node, 'lineno', 0)}: {text}")

    # ---- Expressions

    def is_int(self, node: Node) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int)
        if isinstance(node, ast.Name):
            return node.id in self.ints or node.id in self.arguments_int or node.id in _CONSTANTS
        if isinstance(node, ast.Attribute):
            return node.attr in self.owner.int_parameters
        if isinstance(node, ast.BinOp):
            return (not isinstance(node.op, ast.Div)) and self.is_int(node.left) and self.is_int(node.right)
        return isinstance(node, ast.UnaryOp) and self.is_int(node.operand)

    def real(self, node: Node) -> str:
        """An operand of a division: whole numbers divide as reals."""
        text = self.expression(node)
        return f"(real){text}" if self.is_int(node) else text

    def expression(self, node: Node) -> str:
        method = getattr(self, "on_" + type(node).__name__.lower(), None)
        if method is None:
            self.refuse(node, f"{type(node).__name__} is not offered here")
        return str(method(node))

    def on_constant(self, node: Node) -> str:
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            self.refuse(node, f"{node.value!r} is not a number")
        return repr(node.value)

    def on_name(self, node: Node) -> str:
        if node.id in self.reals or node.id in self.ints or node.id in self.arguments or node.id in _CONSTANTS:
            return str(node.id)
        if node.id in self.owner.constants:
            return repr(self.owner.constants[node.id])
        self.refuse(node, f"{node.id} is not known")

    def on_attribute(self, node: Node) -> str:
        if not (isinstance(node.value, ast.Name) and node.value.id == "self"):
            self.refuse(node, "only self has members")
        if node.attr in self.owner.parameters:
            return f"p->{node.attr}"
        if node.attr in self.owner.state:
            return f"s->{node.attr}"
        self.refuse(node, f"self.{node.attr} is neither annotated nor assigned in start")

    def on_subscript(self, node: Node) -> str:
        if not self.is_int(node.slice):
            self.refuse(node, "an index is a whole number")
        return f"{self.expression(node.value)}[{self.expression(node.slice)}]"

    def on_binop(self, node: Node) -> str:
        if isinstance(node.op, ast.Pow):
            if isinstance(node.right, ast.Constant) and node.right.value == 2:
                text = self.expression(node.left)
                return f"({text} * {text})"
            return f"pow({self.real(node.left)}, {self.real(node.right)})"
        if isinstance(node.op, ast.Div):
            return f"({self.real(node.left)} / {self.real(node.right)})"
        if type(node.op) not in _OPERATORS:
            self.refuse(node, "operators are + - * / and **")
        return f"({self.expression(node.left)} {_OPERATORS[type(node.op)]} {self.expression(node.right)})"

    def on_unaryop(self, node: Node) -> str:
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Not: "!"}.get(type(node.op))
        if sign is None:
            self.refuse(node, "operators are + - * / and **")
        return f"({sign}{self.expression(node.operand)})"

    def on_compare(self, node: Node) -> str:
        parts, left = [], node.left
        for operator, right in zip(node.ops, node.comparators):
            if type(operator) not in _COMPARISONS:
                self.refuse(node, "comparisons are < <= > >= == and !=")
            parts.append(f"{self.expression(left)} {_COMPARISONS[type(operator)]} {self.expression(right)}")
            left = right
        return "(" + " && ".join(parts) + ")"

    def on_boolop(self, node: Node) -> str:
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return "(" + sign.join(self.expression(value) for value in node.values) + ")"

    def on_ifexp(self, node: Node) -> str:
        return f"({self.expression(node.test)} ? {self.real(node.body)} : {self.real(node.orelse)})"

    def on_call(self, node: Node) -> str:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "this")
        if name not in _FUNCTIONS or node.keywords:
            self.refuse(node, f"{name} is not offered; a payoff may call " + ", ".join(sorted(_FUNCTIONS)))
        function, count = _FUNCTIONS[name]
        if name in ("min", "max") and len(node.args) > 2:
            rest = ast.Call(node.func, node.args[1:], [], lineno=node.lineno)
            return f"{function}({self.real(node.args[0])}, {self.on_call(rest)})"
        if len(node.args) != count:
            self.refuse(node, f"{name} takes {count} arguments")
        return f"{function}({', '.join(self.real(a) for a in node.args)})"

    # ---- Statements

    def target(self, node: Node) -> str:
        if isinstance(node, ast.Name):
            if node.id in self.arguments or node.id in self.ints:
                self.refuse(node, f"{node.id} is not to be assigned")
            if node.id not in self.reals:
                self.reals.append(node.id)
            return node.id
        if isinstance(node, ast.Attribute) and self.owner.reading_start:
            self.owner.state.setdefault(node.attr, 0)
        text = self.expression(node)
        if text.startswith("p->"):
            self.refuse(node, f"{ast.unparse(node)} is a parameter, which a path does not change")
        return text

    def statement(self, node: Node, indent: int) -> str:
        method = getattr(self, "do_" + type(node).__name__.lower(), None)
        if method is None:
            self.refuse(node, f"{type(node).__name__} is not offered")
        return str(method(node, " " * 4 * indent, indent))

    def block(self, nodes: typing.Sequence[Node], indent: int) -> str:
        return "".join(self.statement(node, indent) for node in nodes)

    def do_assign(self, node: Node, margin: str, indent: int) -> str:
        if len(node.targets) != 1:
            self.refuse(node, "one name is assigned at a time")
        to = node.targets[0]
        if isinstance(to, ast.Attribute) and isinstance(node.value, ast.BinOp) and isinstance(node.value.left, ast.List):
            return self.fill_array(to, node.value, margin)
        value = self.expression(node.value)
        return f"{margin}{self.target(to)} = {value};\n"

    def fill_array(self, to: Node, value: Node, margin: str) -> str:
        """self.name = [0.0] * 3, in start."""
        count = value.right.value if isinstance(value.right, ast.Constant) else 0
        if not self.owner.reading_start or len(value.left.elts) != 1 or not isinstance(count, int) or count < 1:
            self.refuse(to, "an array of the state is made in start, as self.name = [0.0] * 3")
        self.owner.state[to.attr] = count
        number = self.expression(value.left.elts[0])
        return f"{margin}for (int k = 0; k < {count}; k++) s->{to.attr}[k] = {number};\n"

    def do_augassign(self, node: Node, margin: str, indent: int) -> str:
        load = ast.parse(ast.unparse(node.target), mode="eval").body
        value = self.expression(ast.copy_location(ast.BinOp(ast.copy_location(load, node), node.op, node.value), node))
        return f"{margin}{self.target(node.target)} = {value};\n"

    def do_if(self, node: Node, margin: str, indent: int) -> str:
        text = f"{margin}if ({self.expression(node.test)}) {{\n{self.block(node.body, indent + 1)}{margin}}}"
        if node.orelse:
            text += f" else {{\n{self.block(node.orelse, indent + 1)}{margin}}}"
        return text + "\n"

    def do_for(self, node: Node, margin: str, indent: int) -> str:
        call = node.iter
        if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") == "range" and len(call.args) in (1, 2)
                and isinstance(node.target, ast.Name) and not node.orelse):
            self.refuse(node, "loops are for name in range(count), or range(first, end)")
        if not all(self.is_int(a) for a in call.args):
            self.refuse(node, "range takes whole numbers")
        first = self.expression(call.args[0]) if len(call.args) == 2 else "0"
        name, end = node.target.id, self.expression(call.args[-1])
        self.ints.append(name)
        body = self.block(node.body, indent + 1)
        self.ints.remove(name)
        return f"{margin}for (int {name} = {first}; {name} < {end}; {name}++) {{\n{body}{margin}}}\n"

    def do_return(self, node: Node, margin: str, indent: int) -> str:
        if self.node.name != "finish":
            self.refuse(node, f"{self.node.name} returns nothing")
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        if self.owner.outputs not in (0, len(values)):
            self.refuse(node, "finish returns as many numbers each time")
        self.owner.outputs = len(values)
        return "".join(f"{margin}out[{i}] = {self.expression(v)};\n" for i, v in enumerate(values)) + f"{margin}return;\n"

    def do_expr(self, node: Node, margin: str, indent: int) -> str:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ""
        self.refuse(node, "an expression alone does nothing")

    def do_pass(self, node: Node, margin: str, indent: int) -> str:
        return ""

    def write(self, heads: Heads) -> str:
        head, arguments, ints = heads[self.node.name]
        names = [a.arg for a in self.node.args.args]
        if len(names) != len(arguments) + 1:
            self.refuse(self.node, f"write def {self.node.name}({', '.join(['self'] + arguments)})")
        self.arguments = names[1:]
        self.arguments_int = [n for n, a in zip(self.arguments, arguments) if a in ints]
        body = self.block(self.node.body, 1)
        locals_ = "".join(f"    real {name} = 0;\n" for name in self.reals)
        return head.format(*self.arguments, outputs=self.owner.outputs) + "\n{\n" + locals_ + body + "}\n"


Heads = typing.Dict[str, typing.Tuple[str, typing.List[str], typing.List[str]]]
_HEADS: Heads = {
    "start": ("void start(state *s, const params *p)", [], []),
    "step": ("void step(state *s, const params *p, int {0}, real {1}, const real {2}[])", ["i", "t", "x"], ["i"]),
    "finish": ("void finish(const state *s, const params *p, real out[{outputs}])", [], []),
}


def _find(python: typing.Any, code: typing.Any) -> Node:
    """A class in the text that a method of it was compiled from: of a file, or of a notebook's cell."""
    found = None
    for node in ast.walk(ast.parse("".join(linecache.getlines(code.co_filename)))):
        if isinstance(node, ast.ClassDef) and node.name == python.__name__:
            if node.lineno <= code.co_firstlineno <= (node.end_lineno or 0):
                found = node
    if found is None:
        refuse("payoff", f"the text of {python.__name__} is not known; write it in a file or in a notebook")
    return found


class _Class:
    def __init__(self, python: typing.Any) -> None:
        self.name: str = getattr(python, "__name__", repr(python))
        methods = [value for value in vars(python).values() if inspect.isfunction(value)] if inspect.isclass(python) else []
        if not methods:
            refuse("payoff", f"{self.name} is not a class with the methods start, step and finish")
        self.node = _find(python, methods[0].__code__)
        self.constants = {k: v for k, v in methods[0].__globals__.items() if type(v) in (int, float)}
        self.parameters: typing.Dict[str, str] = {}
        self.int_parameters: typing.Set[str] = set()
        self.state: typing.Dict[str, int] = {}
        self.outputs = 0
        self.reading_start = False
        for name, annotation in getattr(python, "__annotations__", {}).items():
            self.add_parameter(name, annotation)

    def add_parameter(self, name: str, annotation: typing.Any) -> None:
        text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        if text.startswith("array:"):
            self.parameters[name] = f"real {name}[{text[6:]}]"
        elif text in ("float", "int"):
            self.parameters[name] = ("real " if text == "float" else "int ") + name
            if text == "int":
                self.int_parameters.add(name)
        else:
            refuse("payoff", f"{self.name}: the parameter {name} is neither float, int nor bailey.array(count)")

    def text(self) -> str:
        methods = {n.name: n for n in self.node.body if isinstance(n, ast.FunctionDef)}
        parts = []
        for name in ("start", "step", "finish"):
            if name not in methods:
                refuse("payoff", f"{self.name} has no method {name}")
            self.reading_start = name == "start"
            parts.append(_Function(self, methods[name]).write(_HEADS))
        fields = "".join(f"    {field};\n" for field in self.parameters.values())
        kept = "".join(f"    real {name}{f'[{count}]' if count else ''};\n" for name, count in self.state.items())
        heading = f"typedef struct {{\n{fields}}} params;\n\ntypedef struct {{\n{kept}}} state;\n\n"
        return (heading if fields else heading.replace("typedef struct {\n} params;\n\n", "", 1)) + "\n".join(parts)


def payoff(python: type) -> Payoff:
    """Turns a class with the methods start, step and finish into a payoff (see this module's text)."""
    return Payoff(python.__name__, _Class(python).text(), python)
