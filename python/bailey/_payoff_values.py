# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What expressions of a payoff written in Python are worth: their kind in Python, their range, and their code.

Python's integers have no limits and divide as reals, C's do neither. So an integer has two codes: as a real, for
arithmetic, and as an integer of C, for indices, ranges, // and %, where it is known that it cannot overflow.
"""
from __future__ import annotations

import dataclasses
import math
import operator
import typing

Number = typing.Union[int, float]

INT = (-(1 << 31), (1 << 31) - 1)
INT64 = (-(1 << 63), (1 << 63) - 1)
# The range of variables that grow in loops. Each addition is below 2^33, so they do not come near 2^63.
GROWN = (-(1 << 62), 1 << 62)
MOST_ADDED = 1 << 33


# Functions of the code for what would repeat a long operand. The code has those that it calls.
LONG = 40
HELPERS = {
    "least": "int64 least(int64 a, int64 b) { return b < a ? b : a; }",
    "greatest": "int64 greatest(int64 a, int64 b) { return b > a ? b : a; }",
    "magnitude": "int64 magnitude(int64 a) { return a < 0 ? -a : a; }",
    "floor_quotient": "int64 floor_quotient(int64 a, int64 b) "
                      "{ return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0); }",
    "floor_rest": "int64 floor_rest(int64 a, int64 b) "
                  "{ return a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0); }",
    "from_end": "int64 from_end(int64 k, int64 size) { return k < 0 ? k + size : k; }",
    "toward_zero": "real toward_zero(real x) { return x < 0 ? ceil(x) : floor(x); }",
}


class Cannot(Exception):
    """Why an expression cannot be translated, as a sentence without its place."""


class Variable:
    """A local, a member of the state, a parameter of a method, or what a method returns. The facts about one grow from
    pass to pass over the class, until nothing changes: whether all that is assigned to it is an integer in Python, from
    where to where, and whether it has to be an integer in the code, as an index is computed from it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.real = False   # something that is not an integer is assigned to it
        self.wanted = False  # as an integer
        self.low: typing.Optional[int] = None
        self.high: typing.Optional[int] = None
        self.saturates = False
        self.growths = 0

    @property
    def whole(self) -> bool:
        """Whether it is an integer in the code."""
        return self.wanted and not self.real

    @property
    def type(self) -> str:
        """In the code."""
        if not self.whole:
            return "real"
        return "int" if fits((self.low or 0, self.high or 0), INT) else "int64"

    def take(self, value: Value) -> bool:
        """Learns of an assignment. Returns whether that was news."""
        if value.kind == "real":
            news, self.real = not self.real, True
            return news
        saturates = self.saturates or value.saturates
        low = value.low if self.low is None else min(self.low, value.low)
        high = value.high if self.high is None else max(self.high, value.high)
        if (low, high) != (self.low, self.high):
            self.growths += 1
        if self.growths > 4:
            low = GROWN[0] if low != self.low else low
            high = GROWN[1] if high != self.high else high
        low, high = max(low, GROWN[0]), min(high, GROWN[1])
        news = (low, high, saturates) != (self.low, self.high, self.saturates)
        self.low, self.high, self.saturates = low, high, saturates
        return news


@dataclasses.dataclass
class Value:
    """An expression. `kind` is "real", "int", "bool" or "array"; a bool is an integer too, and `truth` is its code as a
    condition."""

    kind: str
    real: str = ""
    whole: str = ""  # "": it is too large for an integer of C
    low: int = 0
    high: int = 0
    constant: typing.Optional[Number] = None
    truth: str = ""
    wants: typing.Tuple[Variable, ...] = ()  # that have to be integers before `whole` is right
    saturates: bool = False  # it comes from a real, and is 2^63 - 1 where that is larger
    wide: bool = False       # the type of `whole` is int64
    size: typing.Optional[Value] = None  # of an array
    variable: typing.Optional[Variable] = None  # whose elements an array has; None: reals

    @property
    def is_number(self) -> bool:
        return self.kind != "array"

    @property
    def is_whole(self) -> bool:
        """Whether it is an integer in Python."""
        return self.kind in ("int", "bool")

    @property
    def range(self) -> typing.Tuple[int, int]:
        return self.low, self.high

    def condition(self) -> str:
        """Its truth, as Python has it of numbers."""
        if self.truth:
            return self.truth
        if self.is_whole and self.whole and not any(not v.whole for v in self.wants):
            return f"({self.whole} != 0)"
        return f"({self.real} != 0)"


def fits(inner: typing.Tuple[int, int], outer: typing.Tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def constant(value: typing.Any) -> Value:
    """A number that is known now."""
    if isinstance(value, bool):
        return Value("bool", "1.0" if value else "0.0", str(int(value)), int(value), int(value), value, str(int(value)))
    if isinstance(value, int):
        try:
            as_real = float(value)
        except OverflowError:
            raise Cannot("the number is too large") from None
        whole = literal(value) if fits((value, value), INT64) and value != INT64[0] else ""
        return Value("int", bracketed(repr(as_real)), whole, value, value, value, wide=not fits((value, value), INT))
    if not math.isfinite(value):
        raise Cannot(f"{value} is not a number that a payoff can compute with")
    return Value("real", bracketed(repr(float(value))), constant=float(value))


def literal(value: int) -> str:
    return bracketed(str(value)) if fits((value, value), INT) and value != INT[0] else f"((int64){value})"


def bracketed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def bare(code: str) -> str:
    """Without the brackets around it."""
    if not code.startswith("(") or not code.endswith(")"):
        return code
    depth = 0
    for place, sign in enumerate(code):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(code) - 1:
            return code
    return code[1:-1]


def real(code: str) -> Value:
    return Value("real", code)


def truth(code: str) -> Value:
    """A bool."""
    return Value("bool", f"({code} ? 1.0 : 0.0)", f"({code} ? 1 : 0)", 0, 1, truth=code)


def integer(code: str, low: int, high: int, wide: bool = False) -> Value:
    """An integer that is one in the code too."""
    return Value("int", f"(real){code}", code, low, high, wide=wide)


def of_variable(variable: Variable, code: str, range_: typing.Optional[typing.Tuple[int, int]] = None) -> Value:
    """A variable that is read as `code`; `range_` is its range there."""
    if variable.real:
        return real(code)
    low, high = range_ or (variable.low or 0, variable.high or 0)
    if variable.whole:
        return Value("int", f"(real){code}", code, low, high, saturates=variable.saturates,
                     wide=variable.type == "int64")
    return Value("int", code, code, low, high, wants=(variable,), saturates=variable.saturates,
                 wide=not fits((low, high), INT))


# ---- Arithmetic

_FOLDS: typing.Dict[str, typing.Callable[[typing.Any, typing.Any], typing.Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow,
}


def fold(sign: str, left: Number, right: Number) -> Value:
    """What Python computes of two numbers that are known now."""
    if sign == "**" and isinstance(left, int) and isinstance(right, int) and right > 0:
        if right * max(1, left.bit_length()) > 1100:
            raise Cannot("the number is too large")
    try:
        found = _FOLDS[sign](left, right)
    except (ArithmeticError, ValueError) as error:
        raise Cannot(f"Python says: {error}") from None
    if isinstance(found, complex):
        raise Cannot("the result is a complex number")
    return constant(found)


def both(left: Value, right: Value) -> typing.Tuple[Variable, ...]:
    return left.wants + right.wants


def _ends(sign: str, a: Value, b: Value) -> typing.Tuple[int, int]:
    if sign == "+":
        return a.low + b.low, a.high + b.high
    if sign == "-":
        return a.low - b.high, a.high - b.low
    products = [p * q for p in a.range for q in b.range]
    return min(products), max(products)


def whole_code(sign: str, a: Value, b: Value, ends: typing.Tuple[int, int]) -> typing.Tuple[str, bool]:
    """The code of a sum, difference or product of integers, and whether it is an int64; "" where it may overflow."""
    if not (a.whole and b.whole) or not fits(ends, (GROWN[0] - MOST_ADDED, GROWN[1] + MOST_ADDED)):
        return "", False
    if sign == "*" and (a.saturates or b.saturates):
        return "", False
    wide = a.wide or b.wide
    if not wide and not fits(ends, INT):
        return f"((int64){a.whole} {sign} {b.whole})", True
    return f"({a.whole} {sign} {b.whole})", wide


def arithmetic(sign: str, a: Value, b: Value) -> Value:
    """a + b, a - b, a * b, a / b, a // b, a % b."""
    if a.constant is not None and b.constant is not None:
        return fold(sign, a.constant, b.constant)
    if sign in ("//", "%"):
        return floored(sign, a, b)
    code = f"({a.real} {sign} {b.real})"
    if sign == "/":
        if b.constant == 0:
            raise Cannot("Python says: division by zero")
        return real(code)
    if not (a.is_whole and b.is_whole):
        return real(code)
    ends = _ends(sign, a, b)
    whole, wide = whole_code(sign, a, b, ends)
    return Value("int", code, whole, *ends, wants=both(a, b), saturates=a.saturates or b.saturates, wide=wide)


def _quotients(a: Value, b: Value) -> typing.Tuple[int, int]:
    divisors = [d for d in (b.low, b.high, -1, 1) if b.low <= d <= b.high and d != 0]
    found = [n // d for n in a.range for d in divisors]
    return (min(found), max(found)) if found else (0, 0)


def floored(sign: str, a: Value, b: Value) -> Value:
    """a // b and a % b of integers, rounded down as Python does; C rounds towards 0."""
    if not (a.is_whole and b.is_whole):
        raise Cannot(f"{sign} is of integers here" + ("; write floor(a / b)" if sign == "//" else ""))
    if b.constant == 0:
        raise Cannot("Python says: integer division or modulo by zero")
    if not (a.whole and b.whole) or a.saturates or b.saturates:
        raise Cannot(f"an integer may be too large for {sign}")
    if a.low == INT64[0] or (a.wide and not fits(a.range, (GROWN[0] - MOST_ADDED, GROWN[1] + MOST_ADDED))):
        raise Cannot(f"an integer may be too large for {sign}")
    wide = a.wide or b.wide or (a.low == INT[0] and b.low <= -1 <= b.high)
    first = f"(int64){a.whole}" if wide and not a.wide else a.whole
    quotient, rest = f"{first} / {b.whole}", f"{first} % {b.whole}"
    if a.low >= 0 and b.low > 0:
        code = f"({quotient})" if sign == "//" else f"({rest})"
    elif len(a.whole) + len(b.whole) > LONG:
        code, wide = f"{'floor_quotient' if sign == '//' else 'floor_rest'}({a.whole}, {b.whole})", True
    elif b.low > 0:
        below = f"{rest} < 0"
        code = f"({quotient} - ({below} ? 1 : 0))" if sign == "//" else f"({rest} + ({below} ? {b.whole} : 0))"
    else:
        below = f"{rest} != 0 && ({rest} < 0) != ({b.whole} < 0)"
        code = f"({quotient} - ({below} ? 1 : 0))" if sign == "//" else f"({rest} + ({below} ? {b.whole} : 0))"
    if sign == "//":
        low, high = _quotients(a, b)
    else:
        low, high = min(0, b.low + 1), max(0, b.high - 1)
        if a.low >= 0 and b.low > 0:
            high = min(high, a.high)
    return Value("int", f"(real){code}", code, low, high, wants=both(a, b), wide=wide)


def power(a: Value, b: Value) -> Value:
    """a ** b. The square is a product."""
    if a.constant is not None and b.constant is not None:
        return fold("**", a.constant, b.constant)
    if b.constant == 2:
        if a.kind == "real":
            return real(f"({a.real} * {a.real})")
        product = arithmetic("*", a, a)
        return dataclasses.replace(product, low=0 if product.low <= 0 <= product.high else product.low)
    if a.is_whole and b.is_whole and b.constant is not None and b.constant == 1:
        return a
    if a.is_whole and b.is_whole and not (b.constant is not None and b.constant < 0):
        if b.constant is not None and 0 <= b.constant <= 64:
            ends = [e ** int(b.constant) for e in a.range] + ([0] if a.low <= 0 <= a.high else [])
            return Value("int", f"pow({a.real}, {b.real})", "", min(ends), max(ends))
    return real(f"pow({a.real}, {b.real})")


def negative(a: Value) -> Value:
    """-a."""
    if a.constant is not None:
        return constant(-a.constant)
    if a.kind == "real":
        return real(f"(-{a.real})")
    wide = a.wide or a.low == INT[0]
    fitting = a.whole and a.low > INT64[0]
    whole = f"(-{'(int64)' if wide and not a.wide else ''}{a.whole})" if fitting else ""
    return Value("int", f"(-{a.real})", whole, -a.high, -a.low, wants=a.wants, saturates=a.saturates, wide=wide)


def plus(a: Value) -> Value:
    """+a, an integer of a bool."""
    return dataclasses.replace(a, kind="int", truth="", constant=None if a.constant is None else +a.constant) \
        if a.kind == "bool" else a


_COMPARED: typing.Dict[str, typing.Callable[[typing.Any, typing.Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}


def comparison(sign: str, a: Value, b: Value) -> Value:
    """a < b and so on. Integers are compared as such where they are some in the code."""
    if a.constant is not None and b.constant is not None:
        return constant(_COMPARED[sign](a.constant, b.constant))
    if a.is_whole and b.is_whole and a.whole and b.whole and all(v.whole for v in both(a, b)):
        return truth(f"({a.whole} {sign} {b.whole})")
    return truth(f"({a.real} {sign} {b.real})")


def selection(condition: str, a: Value, b: Value) -> Value:
    """a if condition else b."""
    if a.kind == b.kind == "bool":
        return truth(f"({condition} ? {a.condition()} : {b.condition()})")
    code = f"({condition} ? {a.real} : {b.real})"
    if not (a.is_whole and b.is_whole):
        return real(code)
    whole = f"({condition} ? {a.whole} : {b.whole})" if a.whole and b.whole else ""
    return Value("int", code, whole, min(a.low, b.low), max(a.high, b.high), wants=both(a, b),
                 saturates=a.saturates or b.saturates, wide=a.wide or b.wide)


def smallest(name: str, a: Value, b: Value) -> Value:
    """min or max of two."""
    choose = min if name == "min" else max
    if a.constant is not None and b.constant is not None:
        return constant(choose(a.constant, b.constant))
    code = f"f{name}({a.real}, {b.real})"
    if not (a.is_whole and b.is_whole):
        return real(code)
    sign = "<" if name == "min" else ">"
    whole = f"({b.whole} {sign} {a.whole} ? {b.whole} : {a.whole})" if a.whole and b.whole else ""
    low, high = choose(a.low, b.low), choose(a.high, b.high)
    wide = a.wide or b.wide
    if whole and len(a.whole) + len(b.whole) > LONG:
        whole, wide = f"{'least' if name == 'min' else 'greatest'}({a.whole}, {b.whole})", True
    saturates = (a.saturates or b.saturates) and not fits((low, high), INT)  # what is kept in bounds does not
    return Value("int", code, whole, low, high, wants=both(a, b), saturates=saturates, wide=wide)


def absolute(a: Value) -> Value:
    """abs(a)."""
    if a.constant is not None:
        return constant(abs(a.constant))
    if a.kind == "real":
        return real(f"fabs({a.real})")
    if a.low >= 0:
        return plus(a)
    low = 0 if a.high >= 0 else -a.high
    minus = negative(a)
    whole, wide = f"({a.whole} < 0 ? {minus.whole} : {a.whole})" if a.whole and minus.whole else "", minus.wide
    if whole and len(a.whole) > LONG:
        whole, wide = f"magnitude({a.whole})", True
    return Value("int", f"fabs({a.real})", whole, low, max(-a.low, a.high), wants=a.wants, saturates=a.saturates, wide=wide)


def truncated(code: str) -> Value:
    """An integer of a real; `code` is it as a real."""
    return Value("int", code, f"((int64){code})", *GROWN, saturates=True, wide=True)


_SIZES = {"STEPS": 1_000_001, "DIMS": 64}


def size_value(name: str) -> Value:
    """STEPS or DIMS."""
    return integer(name, 1, _SIZES[name])
