# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Expressions of a payoff written in Python: each node of the tree becomes a Value, which is code with its type and
range."""
from __future__ import annotations

import ast
import inspect
import math
import types
import typing

from . import _payoff_names as names
from . import _payoff_values as values
from ._payoff_class import Node, Unit
from ._payoff_values import Cannot, Value, Variable

MOST_CODE = 4000  # characters of an expression
_SIGNS: typing.Dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}
_WORDS = {
    "JoinedStr": "a text is not a number", "Lambda": "write a method", "Dict": "write numbers, lists and tuples",
    "ListComp": "write a loop", "GeneratorExp": "write a loop", "List": "make lists in start, as self.name = [0.0] * 3",
    "Tuple": "finish alone returns several numbers", "NamedExpr": "assign in a line of its own",
    "Starred": "write the arguments one by one", "Await": "a payoff computes at once", "Slice": "write a loop",
}


class Expressions:
    """The reader of a method's expressions. Its other half, _payoff_method.Method, reads statements."""

    unit: Unit
    python: typing.Any
    self_name: str
    locals: typing.Set[str]
    assigned: typing.Optional[typing.Set[typing.Any]]
    path: typing.Optional[str] = None  # the code of x
    reads_state = False
    reads_parameters = False

    def refuse(self, node: Node, text: str) -> typing.NoReturn:
        self.unit.refuse(node, text)

    def local(self, node: Node) -> Value:
        raise NotImplementedError

    def called(self, node: Node, name: str, arguments: typing.List[Value]) -> typing.Any:
        raise NotImplementedError

    # ---- Entries

    def value(self, node: Node) -> Value:
        """Any value, of an array too."""
        method = getattr(self, "on_" + type(node).__name__.lower(), None)
        if method is None:
            kind = type(node).__name__
            self.refuse(node, f"{kind} is not supported" + (f"; {_WORDS[kind]}" if kind in _WORDS else ""))
        try:
            found = typing.cast(Value, method(node))
        except Cannot as why:
            self.refuse(node, str(why))
        if len(found.real) + len(found.whole) > MOST_CODE:
            self.refuse(node, "the expression is too long; give parts of it names")
        return found

    def number(self, node: Node) -> Value:
        """A number."""
        found = self.value(node)
        if not found.is_number:
            self.refuse(node, "a list is not a number; use its elements")
        return found

    def whole(self, node: Node, what: str) -> Value:
        """A number that is an integer in Python, and in the code."""
        found = self.number(node)
        if not found.is_whole:
            self.refuse(node, f"{what} is an integer; write int(...) to convert it")
        self.demand(node, found)
        return found

    def demand(self, node: Node, value: Value) -> str:
        """The code of an integer as one of C."""
        for variable in value.wants:
            if not variable.wanted:
                variable.wanted = self.unit.changed = True
        if not value.whole:
            self.refuse(node, "the integer may be too large for one of 64 bits")
        return value.whole

    def condition(self, node: Node) -> typing.Tuple[str, typing.Optional[bool]]:
        """Whether something is true, as code and, where that is known now, as a bool. What Python does not look at is
        not read."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            code, known = self.condition(node.operand)
            return f"!{code}", None if known is None else not known
        if not isinstance(node, ast.BoolOp):
            value = self.number(node)
            return value.condition(), None if value.constant is None else bool(value.constant)
        parts: typing.List[str] = []
        ends = isinstance(node.op, ast.Or)  # what decides the whole
        for operand in node.values:
            code, known = self.condition(operand)
            if known is ends and not parts:
                return ("1" if ends else "0"), ends
            if known is None or known is ends:
                parts.append(code)
            if known is ends:
                break
        if not parts:
            return ("0" if ends else "1"), not ends
        sign = " || " if ends else " && "
        return (f"({sign.join(parts)})" if len(parts) > 1 else parts[0]), None

    # ---- Names and constants

    def on_constant(self, node: Node) -> Value:
        number = names.number_of(node.value)
        if number is None:
            self.refuse(node, f"{node.value!r} is not a number")
        return values.constant(number)

    def on_name(self, node: Node) -> Value:
        if node.id == self.self_name:
            self.refuse(node, f"{node.id} alone is not a number")
        if node.id in self.locals:
            return self.local(node)
        found = self.unit.look(self.python, node.id)
        if found is names.MISSING and node.id in ("STEPS", "DIMS"):
            return values.size_value(node.id)
        return self.known(node, found, node.id)

    def known(self, node: Node, thing: typing.Any, name: str) -> Value:
        """What stands outside of the method: constants and lists of them."""
        if thing is names.MISSING:
            self.refuse(node, f"{name} is not known")
        if names.is_size(thing):
            return values.size_value(thing.name)
        number = names.number_of(thing)
        if number is not None:
            if isinstance(number, float) and not math.isfinite(number):
                self.refuse(node, f"{name} is {number}, with which a payoff cannot compute")
            return values.constant(number)
        table = self.unit.table(thing, name.split(".")[-1])
        if table is None:
            self.refuse(node, f"{name} is a {type(thing).__name__}, not a number")
        return Value("array", table.code, size=values.constant(len(table.numbers)), variable=table.variable)

    def outside(self, node: Node) -> typing.Any:
        """The value of a.b.c if a is defined outside of the method; else MISSING."""
        if isinstance(node, ast.Name) and node.id != self.self_name and node.id not in self.locals:
            return self.unit.look(self.python, node.id)
        if isinstance(node, ast.Attribute):
            of = self.outside(node.value)
            if isinstance(of, types.ModuleType) or inspect.isclass(of) or of is not names.MISSING and names.number_of(of) is None:
                return getattr(of, node.attr, names.MISSING)
        return names.MISSING

    def is_member(self, node: Node) -> bool:
        """Whether it is self.name."""
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.self_name

    def on_attribute(self, node: Node) -> Value:
        if self.is_member(node):
            return self.member(node)
        found = self.outside(node)
        if found is names.MISSING:
            self.refuse(node, f"{ast.unparse(node)} is not known")
        return self.known(node, found, ast.unparse(node))

    def member(self, node: Node) -> Value:
        """self.name."""
        unit, name = self.unit, node.attr
        if name in unit.parameters:
            self.reads_parameters = True
            p = unit.parameters[name]
            code = f"p->{name}"
            if p.size is not None:
                return Value("array", code, size=p.size)
            return values.integer(code, *values.INT) if p.is_int else values.real(code)
        if name in unit.methods:
            self.refuse(node, f"self.{name} is a method; call it")
        if name in unit.fields and ("self", name) in (self.assigned or ()):
            self.reads_state = True
            field = unit.fields[name]
            code = f"s->{field.code}"
            if field.size is not None:
                return Value("array", code, size=field.size, variable=field.variable)
            return values.of_variable(field.variable, code)
        if name in vars(unit.python) and name not in unit.fields:
            return self.known(node, vars(unit.python)[name], f"self.{name}")
        if unit.role == "start":
            self.refuse(node, f"self.{name} may be read before it is assigned")
        self.refuse(node, f"self.{name} is neither annotated nor assigned in start")

    # ---- Elements

    def on_subscript(self, node: Node) -> Value:
        array = self.value(node.value)
        if array.is_number:
            self.refuse(node, "a number has no elements")
        index = self.whole(node.slice, "an index")
        if array.variable is not None and index.constant is not None:
            self.index(node, array, index)
        code = f"{array.real}[{self.index(node, array, index)}]"
        return values.of_variable(array.variable, code) if array.variable is not None else values.real(code)

    def index(self, node: Node, array: Value, index: Value) -> str:
        """The code of an index; those below 0 count from the end."""
        size = typing.cast(Value, array.size)
        if index.constant is not None and size.constant is not None:
            if not -size.constant <= index.constant < size.constant:
                self.refuse(node, f"{ast.unparse(node.value)} has {size.constant} elements, and no {index.constant}")
            return str(index.constant if index.constant >= 0 else index.constant + size.constant)
        if index.low >= 0:
            return values.bare(index.whole)
        if index.high < 0:
            return f"{size.whole} - {-index.constant}" if index.constant is not None else f"{size.whole} + {index.whole}"
        if len(index.whole) > values.LONG:
            return f"from_end({index.whole}, {size.whole})"
        return f"{index.whole} < 0 ? {size.whole} + {index.whole} : {index.whole}"

    # ---- Operators

    def sign(self, node: Node) -> str:
        if type(node.op) not in _SIGNS:
            self.refuse(node, "operators are + - * / // % and **")
        return _SIGNS[type(node.op)]

    def on_binop(self, node: Node) -> Value:
        return self.apply(node, self.sign(node), self.number(node.left), self.number(node.right))

    def apply(self, node: Node, sign: str, left: Value, right: Value) -> Value:
        if sign in ("//", "%") and left.is_whole and right.is_whole:
            if left.constant is None or right.constant is None:
                self.demand(node, left), self.demand(node, right)
        return values.power(left, right) if sign == "**" else values.arithmetic(sign, left, right)

    def on_unaryop(self, node: Node) -> Value:
        if isinstance(node.op, ast.Not):
            code, known = self.condition(node)
            return values.constant(known) if known is not None else values.truth(code)
        if not isinstance(node.op, (ast.USub, ast.UAdd)):
            self.refuse(node, "operators are + - * / // % and **")
        operand = self.number(node.operand)
        return values.negative(operand) if isinstance(node.op, ast.USub) else values.plus(operand)

    def on_compare(self, node: Node) -> Value:
        parts, left = [], self.number(node.left)
        for operator, right_node in zip(node.ops, node.comparators):
            if type(operator) not in _SIGNS:
                self.refuse(node, "comparisons are < <= > >= == and !=")
            right = self.number(right_node)
            parts.append(values.comparison(_SIGNS[type(operator)], left, right))
            left = right
        if any(part.constant is not None and not part.constant for part in parts):
            return values.constant(False)
        open_ = [part.condition() for part in parts if part.constant is None]
        if not open_:
            return values.constant(True)
        return values.truth(f"({' && '.join(open_)})") if len(open_) > 1 else values.truth(open_[0])

    def on_boolop(self, node: Node) -> Value:
        """Python's `a or b` is a, if that is true, and b otherwise."""
        is_or = isinstance(node.op, ast.Or)
        operands: typing.List[Value] = []
        for operand in node.values:
            value = self.number(operand)
            decides = value.constant is not None and bool(value.constant) is is_or
            if value.constant is None or decides or operand is node.values[-1]:
                operands.append(value)
            if decides:
                break
        found = operands.pop()
        while operands:
            value = operands.pop()
            if value.kind == found.kind == "bool":
                found = values.truth(f"({value.condition()} {'||' if is_or else '&&'} {found.condition()})")
            else:
                found = values.selection(value.condition(), *((value, found) if is_or else (found, value)))
        return found

    def on_ifexp(self, node: Node) -> Value:
        code, known = self.condition(node.test)
        if known is not None:
            return self.number(node.body if known else node.orelse)
        return values.selection(code, self.number(node.body), self.number(node.orelse))

    # ---- Calls

    def on_call(self, node: Node) -> Value:
        if self.is_member(node.func) and node.func.attr in self.unit.methods:
            method = self.call_own(node)
            if method.writes:
                self.refuse(node, f"{node.func.attr} changes the path's state: call it on its own line, such as "
                                  f"{ast.unparse(node)} or as name = {ast.unparse(node)}")
            return self.returned(node, method)
        text = ast.unparse(node.func)
        if isinstance(node.func, ast.Name) and node.func.id in self.locals or self.is_member(node.func):
            self.refuse(node, f"{text} is not a method of {self.unit.name}")
        thing = self.outside(node.func)
        if thing is names.MISSING and isinstance(node.func, ast.Name):
            thing = names.of_language(node.func.id)
        builtin, function = names.builtin_of(thing), names.function_of(thing)
        if node.keywords and (builtin or function):
            self.refuse(node, f"{text} takes no keywords here")
        if builtin is not None:
            return typing.cast(Value, getattr(self, f"call_{builtin}")(node))
        if function is None:
            if inspect.isfunction(thing) and not hasattr(thing, "__wrapped__"):
                self.refuse(node, f"{text} is a function outside {self.unit.name}; make it a method")
            self.refuse(node, f"{text} is not supported; a payoff may call {names.OFFERED}, abs, min, max, int, float, len")
        arguments = self.arguments(node, text, function.arguments)
        code = f"{function.name}({', '.join(a.real for a in arguments)})"
        return values.truncated(code) if function.is_whole and arguments[0].kind == "real" else (
            values.plus(arguments[0]) if function.is_whole else values.real(code))

    def arguments(self, node: Node, name: str, count: int) -> typing.List[Value]:
        if len(node.args) != count or any(isinstance(a, ast.Starred) for a in node.args):
            self.refuse(node, f"{name} takes {count} argument{'s' if count > 1 else ''} here")
        return [self.number(a) for a in node.args]

    def call_abs(self, node: Node) -> Value:
        return values.absolute(self.arguments(node, "abs", 1)[0])

    def call_min(self, node: Node) -> Value:
        return self.extreme(node, "min")

    def call_max(self, node: Node) -> Value:
        return self.extreme(node, "max")

    def extreme(self, node: Node, name: str) -> Value:
        if len(node.args) < 2 or any(isinstance(a, ast.Starred) for a in node.args):
            self.refuse(node, f"{name} takes two numbers or more here")
        found, *others = (self.number(a) for a in node.args)
        for other in others:
            found = values.smallest(name, found, other)
        return found

    def call_pow(self, node: Node) -> Value:
        return values.power(*self.arguments(node, "pow", 2))

    def call_float(self, node: Node) -> Value:
        a = self.arguments(node, "float", 1)[0]
        return values.constant(float(a.constant)) if a.constant is not None else values.real(a.real)

    def call_int(self, node: Node) -> Value:
        a = self.arguments(node, "int", 1)[0]
        if a.constant is not None:
            return values.constant(int(a.constant))
        if a.is_whole:
            return values.plus(a)
        if len(a.real) > values.LONG:
            return values.truncated(f"toward_zero({a.real})")
        return values.truncated(f"({a.real} < 0 ? ceil({a.real}) : floor({a.real}))")

    def call_bool(self, node: Node) -> Value:
        a = self.arguments(node, "bool", 1)[0]
        return values.constant(bool(a.constant)) if a.constant is not None else values.truth(a.condition())

    def call_len(self, node: Node) -> Value:
        if len(node.args) != 1:
            self.refuse(node, "len takes 1 argument")
        array = self.value(node.args[0])
        if array.is_number:
            self.refuse(node, "a number has no length")
        return typing.cast(Value, array.size)

    # ---- Own methods

    def call_own(self, node: Node) -> typing.Any:
        """The method that self.name(...) calls, which has noted its code."""
        name = node.func.attr
        if name in ("start", "step", "finish"):
            self.refuse(node, f"the library calls {name}")
        arguments = self.bind(node, name)
        for argument, value in arguments:
            if not value.is_number and value.real != self.path:
                self.refuse(argument, "lists are not given to methods, which use self's themselves")
        method = self.called(node, name, [value for _, value in arguments])
        if self.unit.role == "start" and self.assigned is not None:
            self.assigned |= method.members_left()
        self.reads_state |= method.reads_state
        self.reads_parameters |= method.reads_parameters
        codes = (["s"] if method.reads_state else []) + (["p"] if method.reads_parameters else [])
        for (argument, value), variable in zip(arguments, method.given):
            whole = variable is not None and variable.whole
            codes.append(self.demand(argument, value) if whole else value.real)
        method.call = f"{method.code}({', '.join(codes)})"
        return method

    def bind(self, node: Node, name: str) -> typing.List[typing.Tuple[Node, Value]]:
        """The arguments of a call of an own method, in the order of its definition."""
        definition, function = self.unit.methods[name]
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            self.refuse(node, "write the arguments one by one")
        try:
            bound = inspect.signature(function).bind(None, *node.args, **{k.arg: k.value for k in node.keywords})
        except TypeError as error:
            self.refuse(node, f"{name}: {error}")
        found = []
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            if parameter.name in bound.arguments:
                given = bound.arguments[parameter.name]
                found.append((given, self.value(given)))
                continue
            found.append((node, self.known(node, parameter.default, f"the default of {parameter.name}")))
        return found

    def returned(self, node: Node, method: typing.Any) -> Value:
        """The value of a call of one of the class's methods."""
        if not method.returns:
            self.refuse(node, f"{node.func.attr} returns nothing")
        variable: Variable = method.result
        return values.of_variable(variable, method.call)
