# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Statements of a payoff written in Python, and one method as a function of its code: what it may read at each place,
and in which form the code says the same."""
from __future__ import annotations

import ast
import inspect
import re
import typing

import numpy

from . import _payoff_names as names
from . import _payoff_values as values
from ._payoff_class import Field, Node, Unit
from ._payoff_expressions import MOST_CODE, Expressions
from ._payoff_values import Value, Variable

Known = typing.Set[typing.Any]  # names of locals, and ("self", name), that have values for certain
Ranges = typing.Dict[str, typing.Tuple[int, int]]

_HEADS = {
    "start": ("void start(state *s, const params *p)", ()),
    "step": ("void step(state *s, const params *p, int {0}, real {1}, const real {2}[])", ("i", "t", "x")),
    "finish": ("void finish(const state *s, const params *p, real out[{outputs}])", ()),
}
_INSTEAD = {
    "Try": "a payoff catches nothing", "With": "a payoff opens nothing", "Raise": "a payoff raises nothing",
    "Assert": "a payoff raises nothing", "Import": "import outside of the class", "Delete": "assign 0 instead",
    "ImportFrom": "import outside of the class", "FunctionDef": "write a method of the class",
    "Global": "keep what a path knows in self", "Nonlocal": "keep what a path knows in self", "Match": "write if",
}


def _stored(nodes: typing.Iterable[Node]) -> typing.Dict[str, int]:
    """How often names are assigned there."""
    found: typing.Dict[str, int] = {}
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                found[node.id] = found.get(node.id, 0) + 1
    return found


def _meet(sets: typing.List[typing.Optional[Known]]) -> typing.Optional[Known]:
    """The facts where several branches join; None is a branch that is never taken."""
    found = [s for s in sets if s is not None]
    return set.intersection(*found) if found else None


def _span(one: Ranges, other: Ranges) -> Ranges:
    """Ranges where two ways come together."""
    return {name: (min(one[name][0], other[name][0]), max(one[name][1], other[name][1])) for name in one if name in other}


class _Loop:
    """A loop that is being read: the facts where it is left, and where its body continues."""

    def __init__(self) -> None:
        self.breaks: typing.List[typing.Optional[Known]] = []
        self.continues: typing.List[typing.Optional[Known]] = []


class Method(Expressions):
    """One method, as it is called with arguments of certain kinds."""

    def __init__(self, unit: Unit, name: str, key: typing.Any) -> None:
        self.unit, self.name, self.key = unit, name, key
        self.node, self.python = unit.methods[name]
        self.written: typing.List[typing.Tuple[int, str, Node]] = []
        self.indent = 1
        self.loops: typing.List[_Loop] = []
        self.exits: typing.List[Known] = []
        self.assigned: typing.Optional[Known] = set()
        self.ranges: Ranges = {}  # of integer locals, where they are known better than everywhere in the method
        self.writes = self.returns = self.returns_none = False
        self.reads_state = self.reads_parameters = False
        self.names = names.Names(unit.outside.taken)
        self.codes: typing.Dict[str, str] = {}       # of locals
        self.declared: typing.Dict[str, Variable] = {}
        self.bound: typing.Dict[str, Variable] = {}  # arguments that are not assigned
        self.given: typing.List[typing.Optional[Variable]] = []
        self.counters: typing.Dict[str, Value] = {}  # loop variables that stand for themselves
        self.arrays: typing.Dict[str, Value] = {}
        self.result = unit.variable((key, "return"), name)
        self.call = self.code = self.head = ""
        self.check_shape()
        self.stores = _stored(self.node.body)
        self.locals = set(self.stores) | set(self.argument_names)

    def check_shape(self) -> None:
        node, a = self.node, self.node.args
        if node.decorator_list:
            self.refuse(node, f"{self.name} has a decorator; write a plain method")
        if a.vararg or a.kwarg or a.kwonlyargs or not (a.posonlyargs + a.args):
            self.refuse(node, f"write def {self.name}(self, ...) with plain arguments")
        self.self_name, *self.argument_names = [argument.arg for argument in a.posonlyargs + a.args]

    # ---- Makers

    @classmethod
    def role(cls, unit: Unit, name: str) -> Method:
        """start, step or finish."""
        self = cls(unit, name, name)
        head, arguments = _HEADS[name]
        if len(self.argument_names) != len(arguments) or self.node.args.defaults:
            self.refuse(self.node, f"write def {name}({', '.join(('self',) + arguments)})")
        kinds = [values.integer("", 0, 1_000_000), values.real(""),
                 Value("array", size=values.size_value("DIMS"))] if arguments else []
        if name != "start":
            self.assigned = {("self", member) for member in unit.fields}
        codes = [self.argument(n, kind) for n, kind in zip(self.argument_names, kinds)]
        self.body()
        if name == "start":
            self.check_start()
        self.head = head.format(*codes, outputs=max(unit.outputs, 1))
        return self

    @classmethod
    def own(cls, unit: Unit, key: typing.Any, arguments: typing.List[Value],
            before: typing.Optional[typing.FrozenSet[typing.Any]]) -> Method:
        """A method that others call."""
        self = cls(unit, key[0], key)
        if key not in unit.codes:
            unit.codes[key] = unit.outside.new("own_" + key[0] if re.fullmatch(r"[A-Za-z_]\w*", key[0]) else "own")
        self.code = unit.codes[key]
        self.assigned = {("self", m) for m in unit.fields} if before is None else set(before)
        parts = []
        for name, value in zip(self.argument_names, arguments):
            if not value.is_number:
                parts.append(f"const real {self.argument(name, value)}[]")
                self.given.append(None)
                continue
            variable = unit.variable((key, "argument", name), name)
            unit.take(variable, value)
            self.given.append(variable)
            parts.append(f"{variable.type} {self.argument(name, values.of_variable(variable, ''), variable)}")
        self.body()
        state = [("state *s" if self.writes else "const state *s")] if self.reads_state else []
        parts = state + (["const params *p"] if self.reads_parameters else []) + parts
        self.head = f"{self.result.type if self.returns else 'void'} {self.code}({', '.join(parts) or 'void'})"
        return self

    def called(self, node: Node, name: str, arguments: typing.List[Value]) -> Method:
        """The method that this one calls with such arguments; it is read when it is called so for the first time."""
        unit, key = self.unit, (name, tuple("int" if a.is_whole else a.kind for a in arguments))
        before = frozenset(self.members_assigned()) if unit.role == "start" else None
        if key in unit.stack:
            self.refuse(node, f"{name} calls itself")
        if (key, before) not in unit.done:
            unit.stack.append(key)
            unit.done[key, before] = Method.own(unit, key, arguments, before)
            unit.stack.pop()
            if key not in unit.written:
                unit.written.add(key)
                unit.functions.append(unit.done[key, before])
        method: Method = unit.done[key, before]
        method.called_with(arguments)
        return method

    def called_with(self, arguments: typing.List[Value]) -> None:
        """Notes the arguments of one more call."""
        for variable, value in zip(self.given, arguments):
            if variable is not None:
                self.unit.take(variable, value)

    def argument(self, name: str, value: Value, variable: typing.Optional[Variable] = None) -> str:
        """An argument in the code; where the method assigns to it, it becomes a local variable."""
        code = self.names.new(name)
        self.assigned = {*(self.assigned or ()), name}
        if not value.is_number:
            if name in self.stores:
                self.refuse(self.node, f"{name} belongs to the path and cannot be assigned")
            self.arrays[name] = Value("array", code, size=value.size)
            self.path = code
        elif name in self.stores:
            local = self.variable(name)
            given = values.of_variable(variable, code) if variable is not None else (
                values.integer(code, value.low, value.high) if value.is_whole else values.real(code))
            self.unit.take(local, given)
            self.emit(self.node, f"{self.codes[name]} = {self.stored(self.node, local, given)};")
        elif variable is not None:
            self.codes[name] = code
            self.bound[name] = variable
        else:
            self.counters[name] = values.integer(code, value.low, value.high) if value.is_whole else values.real(code)
        return code

    def body(self) -> None:
        self.block(self.node.body)
        if self.assigned is not None:
            if self.name == "finish" and self.key == "finish":
                self.refuse(self.last(), "finish may end here without returning a number")
            if self.returns:
                self.refuse(self.last(), f"{self.name} may end here without returning a number")
            self.exits.append(self.assigned)
        elif self.returns and not self.written[-1][1].startswith("return"):
            self.emit(self.last(), "return 0;")  # after a loop that always returns, of which the language does not know

    def last(self) -> Node:
        """The last statement, after which the method ends."""
        return self.node.body[-1]

    def check_start(self) -> None:
        left = _meet(list(self.exits)) or set()
        for name, field in self.unit.fields.items():
            if ("self", name) not in left:
                self.refuse(field.node, f"start may end without assigning self.{name}")
        if not self.unit.fields:
            self.emit(self.node, "s->unused = 0;")

    def members_assigned(self) -> Known:
        return {key for key in self.assigned or () if isinstance(key, tuple)}

    def members_left(self) -> Known:
        """Members of the state that have values when it has returned."""
        return {key for key in _meet(list(self.exits)) or () if isinstance(key, tuple)}

    # ---- Locals

    def variable(self, name: str) -> Variable:
        """A local that the code declares."""
        if name not in self.declared:
            self.declared[name] = self.unit.variable((self.key, name), name)
            self.codes[name] = self.names.new(name)
        return self.declared[name]

    def local(self, node: Node) -> Value:
        name = node.id
        if name not in (self.assigned or ()):
            self.refuse(node, f"{name} may be read before it is assigned")
        if name in self.counters:
            return self.counters[name]
        if name in self.arrays:
            return self.arrays[name]
        if name in self.bound:
            return values.of_variable(self.bound[name], self.codes[name])
        return values.of_variable(self.variable(name), self.codes[name], self.ranges.get(name))

    def temporary(self, node: Node, value: Value) -> Value:
        """A value, kept in a variable of the code."""
        variable = self.unit.variable((self.key, "kept", len(self.declared), node.lineno, node.col_offset), "kept")
        self.unit.take(variable, value)
        code = self.names.new("kept")
        self.declared[code] = variable
        self.codes[code] = code
        self.emit(node, f"{code} = {self.stored(node, variable, value)};")
        return values.of_variable(variable, code)

    # ---- Statements

    def emit(self, node: Node, text: str) -> None:
        if len(text) > 2 * MOST_CODE:
            self.refuse(node, "the line is too long; give parts of it names")
        self.written.append((self.indent, text, node))

    def block(self, nodes: typing.Sequence[Node]) -> None:
        for node in nodes:
            if self.assigned is None:
                return  # Python does not get there
            kind = type(node).__name__
            method = getattr(self, "do_" + kind.lower(), None)
            if method is None:
                self.refuse(node, f"{kind} is not supported" + (f": {_INSTEAD[kind]}" if kind in _INSTEAD else ""))
            try:
                method(node)
            except values.Cannot as why:
                self.refuse(node, str(why))

    def do_pass(self, node: Node) -> None:
        pass

    def do_expr(self, node: Node) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Call) and self.is_own_call(node.value):
            method = self.call_own(node.value)
            self.note_write(node, method)
            if method.writes or not method.returns:
                self.emit(node, f"{method.call};")
            return
        if isinstance(node.value, ast.Call):
            self.value(node.value)
        self.refuse(node, "an expression alone does nothing")

    def is_own_call(self, node: Node) -> bool:
        return isinstance(node, ast.Call) and self.is_member(node.func) and typing.cast(Node, node.func).attr in self.unit.methods

    def note_write(self, node: Node, method: typing.Any) -> None:
        if method.writes:
            self.write_state(node, f"{method.name} changes")

    def write_state(self, node: Node, what: str) -> None:
        if self.unit.role == "finish":
            self.refuse(node, f"{what} the path's state, which finish only reads; use a local")
        self.writes = self.reads_state = True

    def right_side(self, node: Node) -> Value:
        """The right side of an assignment or return: only here may a method that changes the state be called."""
        if not self.is_own_call(node):
            return self.number(node)
        method = self.call_own(node)
        self.note_write(node, method)
        return self.returned(node, method)

    def do_assign(self, node: Node) -> None:
        first, *others = node.targets
        if isinstance(first, (ast.Tuple, ast.List)):
            if others:
                self.refuse(node, "write one assignment in a line")
            return self.unpack(node, first)
        elements = self.list_of(node.value)
        if elements is not None:
            if others or not self.is_member(first):
                self.refuse(node, "a list is made as self.name = [0.0] * 3")
            return self.fill(first, *elements)
        writes = self.is_own_call(node.value)
        if writes and isinstance(first, ast.Subscript):
            value = self.temporary(node.value, self.right_side(node.value))
        else:
            value = self.right_side(node.value)
        if others and value.constant is None:
            value = self.temporary(node.value, value)
        for target in node.targets:
            self.assign(target, value)

    def unpack(self, node: Node, target: Node) -> None:
        """a, b = b, a: all of the right side first."""
        if not isinstance(node.value, (ast.Tuple, ast.List)) or len(node.value.elts) != len(target.elts) or any(
                isinstance(e, (ast.Tuple, ast.List, ast.Starred)) for e in node.value.elts + target.elts):
            self.refuse(node, "write as many numbers on the right as there are names on the left")
        found = [self.number(e) for e in node.value.elts]
        kept = [v if v.constant is not None else self.temporary(e, v) for e, v in zip(node.value.elts, found)]
        for to, value in zip(target.elts, kept):
            self.assign(to, value)

    def do_annassign(self, node: Node) -> None:
        if node.value is not None:
            self.do_assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def do_augassign(self, node: Node) -> None:
        target = node.target
        load = ast.copy_location(type(target)(**{**dict(ast.iter_fields(target)), "ctx": ast.Load()}), target)
        left, right = self.number(load), self.number(node.value)
        self.assign(target, self.apply(node, self.sign(node), left, right))

    def assign(self, target: Node, value: Value) -> None:
        if not value.is_number:
            self.refuse(target, "a list is not copied; use its elements")
        if isinstance(target, ast.Name):
            if target.id == self.self_name:
                self.refuse(target, f"{target.id} cannot be assigned")
            variable, code = self.variable(target.id), ""
            self.unit.take(variable, value)
            code = self.codes[target.id]
            known: typing.Any = target.id
            self.note_range(target.id, value)
        elif self.is_member(target):
            field = self.field(target, None)
            variable, code, known = field.variable, f"s->{field.code}", ("self", target.attr)
            self.unit.take(variable, value)
            self.write_state(target, f"self.{target.attr} is of")
        elif isinstance(target, ast.Subscript):
            return self.assign_element(target, value)
        else:
            self.refuse(target, "names, self.name and elements are assigned")
        self.emit(target, f"{code} = {self.stored(target, variable, value)};")
        if self.assigned is not None:
            self.assigned.add(known)

    def note_range(self, name: str, value: Value) -> None:
        self.ranges.pop(name, None)
        if value.is_whole and not value.saturates:
            self.ranges[name] = value.range

    def assign_element(self, target: Node, value: Value) -> None:
        if not self.is_member(target.value) or target.value.attr in self.unit.parameters:
            self.refuse(target, f"{ast.unparse(target.value)} cannot be changed; elements of self's lists are")
        array = self.value(target.value)
        if array.is_number or array.variable is None or not array.real.startswith("s->"):
            self.refuse(target, f"{ast.unparse(target.value)} is not a list of the path's")
        self.unit.take(array.variable, value)
        self.write_state(target, f"{ast.unparse(target.value)} is of")
        index = self.index(target, array, self.whole(target.slice, "an index"))
        self.emit(target, f"{array.real}[{index}] = {self.stored(target, array.variable, value)};")

    def stored(self, node: Node, variable: Variable, value: Value) -> str:
        """The code of a value as a variable takes it."""
        return values.bare(self.demand(node, value) if variable.whole else value.real)

    def field(self, node: Node, size: typing.Optional[Value]) -> Field:
        """The member of the state that is assigned."""
        unit, name = self.unit, node.attr
        if name in unit.parameters:
            self.refuse(node, f"self.{name} is a parameter, which a path does not change")
        if name in unit.methods:
            self.refuse(node, f"self.{name} is a method")
        if name in vars(unit.python):
            self.refuse(node, f"self.{name} is a constant of the class")
        if name not in unit.fields:
            if unit.role != "start":
                self.refuse(node, f"self.{name} is not assigned in start, which makes what a path knows")
            unit.fields[name] = Field(name, unit.members.new(name), node)
            unit.fields[name].size = size
            unit.changed = True
        field = unit.fields[name]
        if (field.size.whole if field.size else "") != (size.whole if size else ""):
            self.refuse(node, f"self.{name} is a list of another length, or a number, elsewhere")
        return field

    def list_of(self, node: Node) -> typing.Optional[typing.Tuple[typing.List[Node], Value]]:
        """The elements and the length of [a] * 3, [a, b, c] and numpy.zeros(3); a single element is that of all."""
        if isinstance(node, ast.List):
            if not node.elts:
                self.refuse(node, "a list of a path has elements, as [0.0] * 3")
            return node.elts, values.constant(len(node.elts))
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            if not self.is_member(node.func) and self.outside(node.func) is numpy.zeros:
                return [ast.copy_location(ast.Constant(0.0), node)], self.length(node.args[0])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            for one, count in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, ast.List):
                    if len(one.elts) != 1:
                        self.refuse(node, "write [a] * n, or all elements")
                    return one.elts, self.length(count)
        return None

    def length(self, node: Node) -> Value:
        size = self.whole(node, "the length of a list")
        if size.low < 1 or not re.fullmatch(r"(STEPS|DIMS|[0-9()+*/ -])+", size.whole):
            self.refuse(node, "the length of a list is a number that is known now, of STEPS and DIMS too, and at least 1")
        return size

    def fill(self, target: Node, elements: typing.List[Node], size: Value) -> None:
        """self.name = [0.0] * 3."""
        found = [self.number(element) for element in elements]
        kept = [v if v.constant is not None else self.temporary(e, v) for e, v in zip(elements, found)]
        field = self.field(target, size)
        self.write_state(target, f"self.{target.attr} is of")
        for value in kept:
            self.unit.take(field.variable, value)
        codes = [self.stored(target, field.variable, value) for value in kept]
        if len(codes) == 1:
            k = self.names.new("k")
            self.emit(target, f"for (int {k} = 0; {k} < {size.whole}; {k}++) s->{field.code}[{k}] = {codes[0]};")
        else:
            for number, code in enumerate(codes):
                self.emit(target, f"s->{field.code}[{number}] = {code};")
        if self.assigned is not None:
            self.assigned.add(("self", target.attr))

    # ---- Ways

    def do_if(self, node: Node, word: str = "if") -> None:
        code, known = self.condition(node.test)
        if known is not None:
            return self.block(node.body if known else node.orelse)
        before, ranges = set(self.assigned or ()), dict(self.ranges)
        self.emit(node.test, f"{word} ({values.bare(code)}) {{")
        self.inside(node.body)
        after, after_ranges = self.assigned, self.ranges
        self.assigned, self.ranges = set(before), ranges
        other = node.orelse
        if len(other) == 1 and isinstance(other[0], ast.If) and self.condition(other[0].test)[1] is None:
            self.do_if(other[0], "} else if")
        else:
            if other:
                self.emit(other[0], "} else {")
                self.inside(other)
            self.emit(node, "}")
        if self.assigned is None:
            self.ranges = after_ranges
        elif after is not None:
            self.ranges = _span(after_ranges, self.ranges)
        self.assigned = _meet([after, self.assigned])

    def inside(self, nodes: typing.Sequence[Node]) -> None:
        self.indent += 1
        self.block(nodes)
        self.indent -= 1

    def do_while(self, node: Node) -> None:
        if node.orelse:
            self.refuse(node.orelse[0], "else of a loop is not supported")
        before = set(self.assigned or ())
        for name in _stored(node.body):
            self.ranges.pop(name, None)  # the condition is examined again after the body
        code, known = self.condition(node.test)
        if known is False:
            return
        loop = self.loop(node.body, f"while ({values.bare(code) if known is None else 1}) {{", node.test)
        if known and not loop.breaks and not any(isinstance(n, ast.Return) for b in node.body for n in ast.walk(b)):
            self.refuse(node, "the loop does not end")
        self.assigned = _meet(list(loop.breaks)) if known else before

    def loop(self, body: typing.Sequence[Node], head: str, node: Node, first: str = "",
             counter: typing.Optional[typing.Tuple[str, Value]] = None) -> _Loop:
        """Reads a body; the facts after it has run become one of the `continues`."""
        loop, stored = _Loop(), _stored(body)
        outside = {name: range_ for name, range_ in self.ranges.items() if name not in stored}
        self.loops.append(loop)
        self.emit(node, head)
        self.ranges = dict(outside)
        if counter is not None:
            self.note_range(*counter)
        if first:
            self.indent += 1
            self.emit(node, first)
            self.indent -= 1
        self.inside(body)
        self.emit(node, "}")
        self.loops.pop()
        self.ranges = outside
        loop.continues.append(self.assigned)
        return loop

    def do_break(self, node: Node) -> None:
        self.loops[-1].breaks.append(self.assigned)
        self.emit(node, "break;")
        self.assigned = None

    def do_continue(self, node: Node) -> None:
        self.loops[-1].continues.append(self.assigned)
        self.emit(node, "continue;")
        self.assigned = None

    def do_for(self, node: Node) -> None:
        first, end, step = self.range_of(node)
        before, name = set(self.assigned or ()), node.target.id
        if end.constant is None and self.changes(node.body, node.iter):
            end = self.temporary(node.iter, end)
            self.demand(node.iter, end)
        up = step > 0
        low, high = (first.low, max(end.high - 1, first.low)) if up else (min(end.low + 1, first.high), first.high)
        if not values.fits((low, high), values.GROWN):
            self.refuse(node.iter, "the range may be too large")
        kind = "int" if abs(step) == 1 and values.fits((low, high), values.INT) else "int64"
        plain = self.is_plain(node)
        code = self.names.new(name)
        move = f"{code}++" if step == 1 else f"{code}--" if step == -1 else f"{code} {'+' if up else '-'}= {abs(step)}"
        head = f"for ({kind} {code} = {first.whole}; {code} {'<' if up else '>'} {end.whole}; {move}) {{"
        counted = values.integer(code, low, high, kind == "int64")
        copy = ""
        self.assigned = (self.assigned or set()) | {name}
        if plain:
            outer, self.counters[name] = self.counters.get(name), counted
        else:
            variable = self.variable(name)
            self.unit.take(variable, counted)
            copy = f"{self.codes[name]} = {self.stored(node, variable, counted)};"
        self.ranges.pop(name, None)
        loop = self.loop(node.body, head, node, copy, None if plain else (name, counted))
        runs = first.high < end.low if up else first.low > end.high
        self.assigned = _meet(loop.breaks + loop.continues) if runs else before
        if plain:
            del self.counters[name]
            if outer is not None:
                self.counters[name] = outer
            if self.assigned is not None:
                self.assigned.discard(name)

    def range_of(self, node: Node) -> typing.Tuple[Value, Value, int]:
        """First, end and step of range(...)."""
        call = node.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id not in self.locals and (
            self.unit.look(self.python, call.func.id) is range)
        if not is_range or call.keywords or not 1 <= len(call.args) <= 3 or not isinstance(node.target, ast.Name):
            self.refuse(node, "loops are for name in range(count), range(first, end) or range(first, end, step)")
        if node.orelse:
            self.refuse(node.orelse[0], "else of a loop is not supported")
        found = [self.whole(a, "what range takes") for a in call.args]
        if len(found) == 1:
            found.insert(0, values.constant(0))
        step = found[2].constant if len(found) == 3 else 1
        if step is None or not 1 <= abs(step) < 1 << 31:
            self.refuse(call.args[2], "the step of a range is a number that is known now, and not 0")
        return found[0], found[1], int(step)

    def is_plain(self, node: Node) -> bool:
        """Whether the loop's variable is changed by its loops alone, and read within them alone: then it needs no
        variable that lives longer."""
        name = node.target.id
        inside: typing.Set[int] = set()
        if name in self.argument_names:
            return False
        for loop in ast.walk(self.node):
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and loop.target.id == name:
                if any(name in _stored([n]) for n in loop.body):
                    return False
                inside.update(id(n) for body in loop.body for n in ast.walk(body))
                inside.add(id(loop.target))
        return all(id(n) in inside for n in ast.walk(self.node) if isinstance(n, ast.Name) and n.id == name)

    def changes(self, body: typing.Sequence[Node], node: Node) -> bool:
        """Whether a loop's body may change what `node` is computed of: Python computes a range once."""
        stored = _stored(body)
        part: Node
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in stored:
                return True
            if self.is_member(part) and part.attr not in self.unit.parameters and part.attr not in vars(self.unit.python):
                return True
        return any(self.is_own_call(part) for part in ast.walk(node))

    # ---- Ends

    def do_return(self, node: Node) -> None:
        none = node.value is None or isinstance(node.value, ast.Constant) and node.value.value is None
        if self.key == "finish":
            self.finish(node, none)
        elif isinstance(self.key, str):
            if not none:
                self.refuse(node, f"{self.name} returns nothing")
            self.emit(node, "return;")
        elif none:
            if self.returns:
                self.refuse(node, f"{self.name} returns a number elsewhere")
            self.emit(node, "return;")
            self.returns_none = True
        else:
            if isinstance(node.value, (ast.Tuple, ast.List)):
                self.refuse(node, "methods return one number; finish alone returns several")
            value = self.right_side(node.value)
            if not value.is_number:
                self.refuse(node, "methods return numbers")
            if self.returns_none:
                self.refuse(node, f"{self.name} returns nothing elsewhere")
            self.returns = True
            self.unit.take(self.result, value)
            self.emit(node, f"return {self.stored(node, self.result, value)};")
        if self.assigned is not None:
            self.exits.append(self.assigned)
        self.assigned = None

    def finish(self, node: Node, none: bool) -> None:
        if none:
            self.refuse(node, "finish returns a number, or several")
        elements = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else [node.value]
        if self.unit.outputs not in (0, len(elements)):
            self.refuse(node, "finish returns as many numbers each time")
        if not elements:
            self.refuse(node, "finish returns a number, or several")
        self.unit.outputs = len(elements)
        for number, element in enumerate(elements):
            self.emit(element, f"out[{number}] = {values.bare(self.number(element).real)};")
        self.emit(node, "return;")

    def lines(self) -> typing.List[typing.Tuple[str, Node]]:
        """The function, line by line, each with what it comes from."""
        found = [(self.head, self.node), ("{", self.node)]
        for name, variable in self.declared.items():
            found.append((f"    {variable.type} {self.codes[name]} = 0;", self.node))
        written = list(self.written)
        if written and written[-1][:2] == (1, "return;"):
            written.pop()
        return found + [("    " * indent + text, node) for indent, text, node in written] + [("}", self.node)]

