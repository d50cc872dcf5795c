# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Payoffs written in Python compute what Python computes, or are refused with the line."""
import inspect
import math
import os
import re
import sys
import textwrap

import numpy
import pytest
from payoff_bodies import Writer, compare, make, run

import bailey
from bailey.payoff import DIMS, STEPS, exp, log, normal_cdf

N, M, BIG, LEVEL, FLAG, NOTHING = 7, 2, 100000, 2.5, True, False
WEIGHTS, ORDER, GRID = (0.25, 0.75, -1.0), [2, 0, 1], numpy.array([1.5, 2.5])
NAMES = dict(N=N, M=M, BIG=BIG, LEVEL=LEVEL, FLAG=FLAG, NOTHING=NOTHING, WEIGHTS=WEIGHTS, ORDER=ORDER, GRID=GRID,
             exp=exp, log=log, normal_cdf=normal_cdf, HALF=0.5, COUNT=4, np=numpy, SINGLE=numpy.float32(0.1),
             DOUBLE=numpy.float64(0.1), INT64=numpy.int64(7), INFINITE=math.inf, UNKNOWN=math.nan, text="text")


# ---- Bodies at random

@pytest.mark.parametrize("part", range(3 if os.environ.get("BAILEY_TEST_LONG") else 1))
def test_random_bodies(part):
    """Exactly where + - * / sqrt and comparisons are used; exp and its like are rounded otherwise in Python's libm."""
    seeds = range(96 * part, 96 * (part + 1))
    bodies = [Writer(seed).body(smooth=seed % 4 == 3) for seed in seeds]
    for seed, body, (compiled, python) in zip(seeds, bodies, compare(bodies, **NAMES)):
        if seed % 4 == 3:
            assert (abs(compiled - python) <= 1e-14 * abs(python) + 1e-13).all(), (seed, body)
        else:
            assert compiled.tobytes() == python.tobytes() or (compiled == python).all(), (seed, body)


# ---- Common mistakes

SAME = r"""
return N / M
return BIG * BIG + self.u
return self.n * self.n * 100000 * 100000 / 3
return 7 // 2 + -7 // 2 + -7 % 3 + 7 % -3
return self.m // 2 + self.m % 2 + self.m % -2 + self.n // -3 + self.n % -3 + (self.m - 1) // 2 * 10
return self.u or 5.0
return (self.u - self.u) or 5.0
return self.u > 1.0 and self.u - 2.0
return self.u > 100.0 and self.u - 2.0
return 0 or 0.0 or LEVEL
return not self.u
return (self.u > 1) + (self.v < 9) + True
return -1 < self.f < 2 < 3
return 1 < self.u * 0 < 3
return self.w[-1] + self.w[-4] * 10 + self.many[-2]
return self.w[self.m] + self.w[self.n - 6] + self.w[self.n % 3 - 3]
return WEIGHTS[0] + WEIGHTS[-1] + WEIGHTS[ORDER[0]] + GRID[1] + len(WEIGHTS)
return ORDER[self.n - 4] + self.w[ORDER[-1]]
return LEVEL ** 2 + 2 ** 10 + 2 ** -1 + self.n ** 2
return -self.f ** 2
return max(1, 2.5, self.f) + min(3, self.n) + abs(-3) + abs(self.m) + pow(2, 3)
return self.half(3) + self.half(3, 4) + self.half(b=4, a=1)
return float(self.n) / 2 + int(-2.7) + int(self.f * 10) + bool(self.f) + float(3)
return math.floor(-2.5) + math.ceil(self.f) + np.floor(self.f) + math.fabs(-1) + math.floor(self.f) / 2
return math.pi + np.pi + np.e + DOUBLE + INT64 / 2
return 1 if FLAG else undefined_name
return 2.5 if self.u > 1 else 1
return 1e-300 * 1e-10 + 1e22 + 123456789012345678 / 10
return (self.n + 1) / 2 * 2.5
return print(1) if False else 3
p = s = out = x = i = t = 1.5; return p + s + out + x + i + t
real = 1; int64 = 2; params = 3; state = 4; new = 5; double = 6; return real + int64 * params - state / new + double
float4 = 1; _a = 2; __b = 3; STEPS = 4; DIMS = 5; exp = 6; fmax = 7; return float4 + _a * __b + STEPS - DIMS + exp * fmax
a, b = 1, 2.5; a, b = b, a; return a - 10 * b
a = b = self.u; a += 1; return a - b
k = 3; k = k / 2; return k
k = 8; k += 1; k -= 4; k //= 2; k %= 3; return k
k = 3; k *= 2; k **= 2; return k
k = 7; k /= 2; return k
a: float = 2.5; b: int; return a
total = 0\nfor k in range(3):\n    total += k\nreturn total + k
total = 0\nfor k in range(3):\n    k = k + 1\n    total += k\nreturn total
total = 0\nfor k in range(3):\n    k = k * 0.5\n    total += k\nreturn total
n = 3\ntotal = 0\nfor k in range(n):\n    n = 10\n    total += 1\nreturn total + n
total = 0\nfor k in range(5, 0, -2):\n    total = total * 10 + k\nreturn total
total = 0\nfor k in range(2, N, M):\n    total = total * 10 + k\nreturn total
total = 0\nfor k in range(self.n - 3, self.n):\n    total = total * 10 + k\nreturn total
total = 0\nfor k in range(self.m):\n    total = 1\nreturn total
total = 0\nfor k in range(3):\n    for k in range(2):\n        total += k\n    total += 10 * k\nreturn total
total = 0\nfor k in range(9):\n    if k == 2:\n        continue\n    if k > 5:\n        break\n    total += k\nreturn total + k
k = 0\nwhile True:\n    k += 1\n    if k > 4:\n        break\nreturn k
k = 0\nwhile k < 5:\n    k += 2\nreturn self.w[k - 4] + k
k = 10\nwhile k:\n    k -= 1\nreturn k
if self.u > 1e9:\n    a = 1\nelif self.u > -1e9:\n    a = 2\nelse:\n    a = 3\nreturn a
if FLAG:\n    a = 1\nreturn a
if NOTHING:\n    print('never')\n    return 'text'\nreturn 4
if self.u > 1:\n    return 1\nreturn 0
for k in range(3):\n    a = k\nreturn a
"a docstring"\nreturn 1.0\nprint("not reached")
hit = False\nfor k in range(4):\n    if self.w[k] > 3:\n        hit = True\nreturn hit
best = self.w[0]\nfor k in range(1, len(self.w)):\n    best = max(best, self.w[k])\nreturn best
k = self.n\nk = k - 1\nreturn self.w[k - 1] + k / 3
return self.third(7) + self.w[self.third(4)] + self.third(k=self.n)
a = self.w[1] if self.w[1] > self.w[2] else self.w[2]; return a
return max(self.n - 3, 0) + self.w[max(self.n - 3, 0)] + self.w[min(self.n, 3)]
return self.count / 3
return self.n > 3 == True
return (self.u > 0) == True
return bool(0.5) + (1 and 2) + (0 and 2)
"""


def bodies_of(text):
    """Lines as bodies of methods."""
    for line in text.strip().split("\n"):
        yield line, textwrap.indent(line.replace("\\n", "\n"), "        ") + "\n"


def test_bodies():
    cases = list(bodies_of(SAME))
    for (line, _), (compiled, python) in zip(cases, compare([body for _, body in cases], **NAMES)):
        assert (compiled == python).all(), f"{line}: {compiled} compiled, {python} by Python"


REFUSED = r"""
return self.u // 2 | 7 | // is of integers
return self.u % 2.0 | 7 | % is of integers
return 1 // 0 | 7 | by zero
return 1 / 0 | 7 | division by zero
return 10 ** 400 | 7 | too large
return (-8) ** 0.5 | 7 | complex
return INFINITE | 7 | INFINITE is inf
return math.inf | 7 | math.inf is inf
return UNKNOWN | 7 | UNKNOWN is nan
return 1e999 | 7 | inf
return SINGLE * 2 | 7 | float32
return text | 7 | text is a str
return "text" | 7 | not a number
return nothing | 7 | nothing is not known
return self.nothing | 7 | self.nothing is neither annotated nor assigned
return self.half | 7 | is a method
return self.half() | 7 | missing a required argument
return self.half(1, 2, 3) | 7 | too many
return self.half(1, c=2) | 7 | unexpected keyword
return self.w | 7 | a list is not a number
return self.w + 1 | 7 | a list is not a number
return self.w[4] | 7 | has 4 elements, and no 4
return self.w[-5] | 7 | has 4 elements, and no -5
return self.w[1.0] | 14 | an index is an integer
return self.w[self.u] | 14 | an index is an integer
return self.w[0:2] | 14 | Slice
return self.u[0] | 7 | a number has no elements
return self.w[self.count * self.count] | 14 | too large
return print(1) | 7 | print is not supported
return round(self.u) | 7 | round is not supported
return sum(self.w) | 7 | sum is not supported
return max(self.w) | 7 | max takes two numbers or more
return max(1, 2, key=abs) | 7 | takes no keywords
return math.exp(x=1) | 7 | takes no keywords
return math.sin(1) | 7 | math.sin is not supported
return math.log(8, 2) | 7 | math.log takes 1 argument
return exp() | 7 | exp takes 1 argument
return own(1.0) | 7 | make it a method
return f"{self.u}" | 7 | JoinedStr
return [k for k in range(3)][0] | 7 | ListComp
return (lambda: 1)() | 7 | is not supported
return 1 if self.u in (1, 2) else 2 | 12 | comparisons are
return 1 if self.u is None else 2 | 12 | comparisons are
return self.u @ 2 | 7 | operators are
return self.n & 1 | 7 | operators are
return ~self.n | 7 | operators are
return (k := 3) | 8 | NamedExpr
return (1.0, 2.0) | 0 | finish alone returns several
return self | 7 | self alone
a = self.w; return 1 | 4 | a list is not a number
a = [1.0] * 3; return 1 | 0 | a list is made as
a, b = 1; return a | 0 | as many numbers
a, *b = 1, 2; return a | 0 | as many numbers
a += 1; return a | 0 | a may be read before
LEVEL = LEVEL + 1; return LEVEL | 8 | LEVEL may be read before
self.strange = 1; return 1 | 0 | not assigned in start
self.f = 1; return 1 | 0 | is a parameter
self.half = 1; return 1 | 0 | is a method
self.u = 1; return 1 | 0 | finish only reads
self.w[0] = 1; return 1 | 0 | finish only reads
self.many[0] = 1; return 1 | 0 | cannot be changed
WEIGHTS[0] = 1; return 1 | 0 | cannot be changed
import math | 0 | Import is not supported
del self.u | 0 | Delete is not supported
assert self.u > 0 | 0 | Assert is not supported
global LEVEL; return 1 | 0 | Global is not supported
self.u; return 1 | 0 | does nothing
if self.u > 1:\n    return 1.0 | 0 | may end here without returning
if self.u > 1:\n    a = 1\nreturn a | 7 | a may be read before
for k in range(self.n):\n    a = 1\nreturn a | 7 | a may be read before
for k in range(self.n):\n    pass\nreturn k | 7 | k may be read before
for k in range(3):\n    pass\nelse:\n    return 1 | 4 | else of a loop
for k in self.w:\n    pass\nreturn 1 | 0 | loops are for name in range
for k in range(2.5):\n    pass\nreturn 1 | 15 | an integer
for k in range(self.u):\n    pass\nreturn 1 | 15 | an integer
for k in range(0, 3, self.n):\n    pass\nreturn 1 | 21 | known now
for k in range(0, 3, 0):\n    pass\nreturn 1 | 21 | not 0
for k in range(10**20):\n    pass\nreturn 1 | 15 | too large
while True:\n    pass | 0 | does not end
while self.u > 0:\n    pass\nelse:\n    return 1 | 4 | else of a loop
with open('f'):\n    return 1 | 0 | With is not supported
try:\n    return 1\nexcept ValueError:\n    return 2 | 0 | Try is not supported
raise ValueError | 0 | Raise is not supported
def f():\n    return 1\nreturn f() | 0 | FunctionDef is not supported
return self.body0() | 7 | calls itself
return self.finish() | 7 | the library calls finish
return self.many[self.third] | 17 | is a method
return self.half(self.w) | 17 | lists are not given
k = 0\nfor i in range(9):\n    k = k * 3 + 1\nreturn self.w[k] | 4 | too large
"""


@pytest.mark.parametrize("case", REFUSED.strip().split("\n"), ids=lambda case: case.split(" | ")[0][:40])
def test_refused_bodies(case):
    """Each with its line, column and a caret under it. (A column of 0 is that of the statement, and is not checked.)"""
    body, column, words = case.rsplit(" | ", 2)
    with pytest.raises(bailey.InvalidArgument) as error:
        compare([text for _, text in bodies_of(body)], own=lambda x: x, **NAMES)
    assert error.value.argument == "payoff"
    first, line, caret = str(error.value).split("\n")
    place = re.match(r"<payoff \d+>:(\d+):(\d+): ", first)
    assert place and words in first, first
    assert line.strip() and line.strip() in body.replace("\\n", "\n")
    assert caret == " " * (int(place[2]) - 1) + "^"
    if column != "0":
        assert int(place[2]) == 8 + int(column) + 1, first


# ---- Classes

def of(*bodies, head="", start="self.a = 0.0", step="self.a = x[0]", finish="return self.a", **names):
    """A class, with the bodies of its methods."""
    text = "".join(["class One:\n", textwrap.indent(head, "    "), "\n    def start(self):\n", textwrap.indent(start, "        "),
                    "\n    def step(self, i, t, x):\n", textwrap.indent(step, "        "),
                    "\n    def finish(self):\n", textwrap.indent(finish, "        "), "\n"])
    return make(text, **{**NAMES, **names})


def same(python, **parameters):
    compiled, by_python = run(bailey.payoff(python), **parameters)
    assert compiled.shape == by_python.shape and (compiled == by_python).all(), (compiled, by_python)
    return compiled


def test_defaults():
    text = "strike: float = 100.0\nn: int = 3\nw: bailey.array(2) = (0.5, 1.5)\nspot: float\n"
    payoff = of(head=text, finish="return self.strike + self.n + self.w[1] + self.spot")
    same(payoff, spot=1)
    same(payoff, spot=1, strike=90, w=[1, 2])
    assert bailey.payoff(payoff).defaults == dict(strike=100.0, n=3, w=[0.5, 1.5])
    for given, word in (("strike: float = True", "not a number"), ("strike: float = 'a'", "not a number"),
                        ("n: int = 2.5", "not an integer"), ("n: int = 3000000000", "not an integer"),
                        ("w: bailey.array(2) = [1.0]", "has 1 elements"), ("strike: float = math.inf", "not a number"),
                        ("strike: float = SINGLE", "float32")):
        with pytest.raises(bailey.InvalidArgument, match=word):
            bailey.payoff(of(head=given))


def test_annotations():
    for head in ("a: 'float'\nn: 'int'\nw: 'bailey.array(N)'", "a: np.float64\nn: int\nw: Annotated[Sequence[float], 7]",
                 "a: float\nn: int\nw: Annotated[Sequence[float], bailey.array(7)]"):
        import typing

        names = dict(Annotated=getattr(typing, "Annotated", None), Sequence=typing.Sequence)
        python = of(head=head, start="pass", step="pass", finish="return self.a + self.n + self.w[6]", **names)
        same(python, a=1.5, n=2, w=[1, 2, 3, 4, 5, 6, 7])
    future = make("from __future__ import annotations\n" + "class One:\n    a: float\n    w: bailey.array(2) = (1.0, 2.0)\n"
                  "    def start(self): pass\n    def step(self, i, t, x): pass\n    def finish(self): return self.a + self.w[1]\n")
    assert same(future, a=2.5)[0][0] == 4.5
    sized = of(head="w: bailey.array('DIMS')", finish="return self.w[-1] + len(self.w)", start="pass", step="pass")
    assert same(sized, w=[1, 2])[0][0] == 4
    for head in ("a: str", "a: bool", "a: bailey.array(0)", "a: list", "a: 'float or so'", "a: bailey.array('x')"):
        with pytest.raises(bailey.InvalidArgument, match="One|a|array"):
            bailey.payoff(of(head=head))


def test_methods_of_ones_own():
    """Those called as functions are; they have defaults, keywords, lists, and may change the path's state."""
    head = """
def max(self, a, b): return 42.0
def exp(self, a): return a + 0.5
def add(self, x, weight=2.0, *, more=1): pass
"""
    with pytest.raises(bailey.InvalidArgument, match="plain arguments"):
        bailey.payoff(of(head=head, step="self.add(x[0])"))
    head = """
LIMIT = 3
def max(self, a, b): return 42.0
def exp(self, a): return a + 0.5
def add(self, p, weight=2.0):
    self.a += weight * p
    self.n += 1
def last(self, x): return x[-1] + x[0]
def pop(self):
    self.a -= 1
    return self.a
def at(self, k): return self.w[k]
def late(self):
    if self.a > 0:
        return
    self.a += 1
def scaled(self, a):
    a = a * 2
    return a
"""
    start = "self.a = 0.0\nself.n = 0\nself.w = [1.0, 2.0, 3.0]\nself.reset()"
    head += "def reset(self):\n    self.b = LEVEL\n"
    step = "self.add(self.last(x))\nself.add(weight=t, p=1)\nself.w[i] = self.pop()\ny = self.pop()\nself.a += y\nself.late()"
    finish = "return self.max(1.0, 2.0), self.exp(1), self.a, self.w[self.n - 5], self.at(-1), self.b + self.LIMIT, self.scaled(3) + self.scaled(self.a)"
    assert (same(of(head=head, start=start, step=step, finish=finish))[0] == 42).all()
    for line, word in (("self.a = self.pop() + 1", "on its own line"), ("self.a += self.pop()", "on its own line"),
                       ("self.a = self.late()", "returns nothing"), ("self.a = self.one()", "not a method"),
                       ("self.a()", "not a method")):
        with pytest.raises(bailey.InvalidArgument, match=word):
            bailey.payoff(of(head=head, start=start, step=line))
    with pytest.raises(bailey.InvalidArgument, match="finish only reads"):
        bailey.payoff(of(head=head, start=start, finish="a = self.pop()\nreturn a"))
    with pytest.raises(bailey.InvalidArgument, match="decorator"):
        bailey.payoff(of(head="@own\ndef one(self): return 1\n", finish="return self.one()", own=lambda f: f))


def test_states():
    start = "self.p = self.s = 1\nself.new = self.real = False\nself.__a = 2.5\nself.σ = [0.5] * 2\nself.w = np.zeros(3)\nself.k = 0"
    step = "if x[0] > 0: self.new = True\nself.p += 1; self.σ[i % 2] += t\nself.w[self.k] = x[1]\nself.k = (self.k + 1) % 3\nself.real = x[0] < x[1] < 9"
    finish = "return self.p + self.s, self.new, self.__a, self.σ[-1], self.w[self.k - 1], self.k, self.real"
    same(of(start=start, step=step, finish=finish))
    same(of(start="self.a = [0.0] * DIMS", step="for d in range(DIMS): self.a[d] += x[d] / STEPS",
            finish="return self.a[-1], len(self.a), STEPS - 1", DIMS=DIMS, STEPS=STEPS))
    same(of(start="self.a = [1.0, 2.0]", step="self.a = [self.a[1], self.a[0] + t]", finish="return self.a[0], self.a[1]"))
    for text, word in (("pass", "not assigned in start"), ("if LEVEL * 1 > N: self.a = 1", "not assigned in start"),
                       ("for k in range(3): self.a = 1\nself.a = [1.0]", "another length"), ("self.a = [0.0] * N / 2", "List"),
                       ("self.a = []", "has elements"), ("self.a = [0.0] * 0", "at least 1"), ("return 1", "returns nothing"),
                       ("self.a = self.a + 1", "may be read before"), ("self.a = [[0.0] * 2] * 2", "List"),
                       ("if self.f > 1: self.a = 1", "start may end without assigning self.a"),
                       ("if self.f > 1: return\nself.a = 1", "start may end without assigning self.a")):
        with pytest.raises(bailey.InvalidArgument, match=word):
            bailey.payoff(of(start=text, head="f: float"))


def test_arguments_of_step():
    """They may be called anything, and be assigned; x is the path's."""
    same(make("class One:\n    def start(me): me.a = 0.0\n    def step(me, out, p, s):\n        p = p * 2\n        out += 1\n"
              "        me.a += s[0] * out / p\n    def finish(me): return me.a\n"))
    for step, word in (("x = 1", "belongs to the path"), ("x[0] = 1", "cannot be changed"), ("self = 1", "cannot be assigned"),
                       ("y = x", "not a number")):
        with pytest.raises(bailey.InvalidArgument, match=word):
            bailey.payoff(of(step=step))


def test_names_of_the_program_win():
    """STEPS is the simulation's unless the program has one, and functions are what they are in Python."""
    assert (same(of(finish="return STEPS", STEPS=99)) == 99).all()
    with pytest.raises(bailey.InvalidArgument, match="make it a method"):
        bailey.payoff(of(finish="return exp(1)", exp=lambda x: 42))
    with pytest.raises(bailey.InvalidArgument, match="exp is a float|not supported"):
        bailey.payoff(of(finish="return exp(1)", exp=2.5))

    def inside():
        level = 1.5

        class Local:
            def start(self):
                self.a = level

            def step(self, i, t, x):
                pass

            def finish(self):
                return self.a

        return Local

    assert (same(inside()) == 1.5).all()


def test_shapes():
    for text, word in (("def finish(self, a): return 1", "write def finish"), ("def step(self, i): pass", "write def step"),
                       ("def step(self, i, t, x=1): pass", "write def step"), ("def start(): pass", "plain arguments"),
                       ("def finish(self): return 1, 2\ndef f(self): pass", None), ("def finish(self):\n    if LEVEL * self.a > 1: return 1\n    return 1, 2", "as many"),
                       ("def finish(self): return", "returns a number"), ("def finish(self): return ()", "returns a number")):
        python = make("class One:\n    def start(self): self.a = 1\n    def step(self, i, t, x): pass\n    def finish(self): return 1\n"
                      + textwrap.indent(text, "    "), **NAMES)
        if word is None:
            assert same(python).shape == (2, 4)
            continue
        with pytest.raises(bailey.InvalidArgument, match=word):
            bailey.payoff(python)
    derived = make("class Base:\n    def f(self): return 1\nclass One(Base):\n    def start(self): pass\n"
                   "    def step(self, i, t, x): pass\n    def finish(self): return self.f()\n")
    with pytest.raises(bailey.InvalidArgument, match="base class"):
        bailey.payoff(derived)


def test_long_expressions():
    with pytest.raises(bailey.InvalidArgument, match="give some of them names|too long"):
        bailey.payoff(of(finish="return self.a" + " + self.a" * 2000))
    assert same(of(finish="return self.a" + " + self.a" * 100)).shape == (1, 4)


def test_errors_of_the_library_name_the_python_line():
    """An error that the front end finds in the code is reported for the Python line, and the code is not shown."""
    payoff = bailey.payoff(of(head="new: float\n", finish="return self.a + 1e39"))
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.Simulation(payoff, [1.0], dtype="float32")
    first, line, caret = str(error.value).split("\n")
    assert re.match(r"<payoff \d+>:\d+:\d+: ", first) and line.strip() in ("return self.a + 1e39", "new: float")
    assert caret.strip() == "^"
    many = bailey.payoff(of(finish="return " + ", ".join(["self.a"] * 17)))
    with pytest.raises(bailey.InvalidArgument, match=r"<payoff \d+>:\d+:\d+: "):
        bailey.Simulation(many, [1.0])


FAULTS = {
    "self.w[int(x[0] * 1000)] = 1": "index 1192 of self.w, which has 3 elements",
    "self.a = self.w[self.n - 9]": "index -6 of self.w, which has 3 elements",
    "self.w[3 // self.n] = 1": "division of an integer by 0",
    "self.a += i % self.n": "division of an integer by 0",
    "while x[0] < 100: self.a += 1": "loop budget",
}


def test_faults():
    """What Python raises as it runs, a run raises too, with the line."""
    start = "self.a = 0.0\nself.w = [0.0] * 3"
    step = "".join(f"if self.which == {k}:\n    {line}\n" for k, line in enumerate(FAULTS))
    simulation = bailey.Simulation(of(head="n: int = 0\nwhich: int", start=start, step=step), [0.5, 1.0], which=0, dtype="float64",
                                   device="cpu")
    for which, (wanted, words) in enumerate(FAULTS.items()):
        simulation.set(which=which)
        with pytest.raises(bailey.PayoffError) as error:
            simulation.samples(4, seed=1)
        first, line, caret = str(error.value).split("\n")
        assert re.match(r"<payoff \d+>:\d+:\d+: ", first) and words in first and first.endswith("on path 0"), first
        assert line.strip() == wanted and caret.strip() == "^"
    with pytest.raises(bailey.InvalidArgument, match=r"<payoff \d+>:\d+:\d+: x\[2\]"):
        bailey.Simulation(of(step="self.a = x[2]"), [1.0], 2)


def test_explanations():
    """A path step by step is what the class computes in Python, by the names that it has there."""
    start, step = "self.p = 0.0\nself.w = [0.0] * 2", "self.p += x[0]\nself.w[i] = x[1]"
    simulation = bailey.Simulation(of(start=start, step=step, finish="return self.p, self.w[1]"), [0.5, 1.0], 2,
                                   dtype="float64", device="cpu")
    begin, one, two, end = simulation.explain(3, seed=1)
    points = bailey.Bridge([0.5, 1.0], 2, dtype="float64", device="cpu").paths(4, seed=1)[:, :, 3]
    assert (begin.kind, one.kind, two.kind, end.kind) == ("start", "step", "step", "finish")
    assert begin.state == dict(p=0.0, w=[0.0, 0.0]) and (one.x, two.x) == tuple(points.tolist()) and two.time == 1
    assert two.state == dict(p=points[0, 0] + points[1, 0], w=points[:, 1].tolist())
    assert end.outputs == simulation.samples(1, seed=1, first_path=3)[:, 0].tolist() and end.fault == ""
    failing = bailey.Simulation(of(start=start, step="self.w[i + int(x[0] * 0) + 1] = 1", finish="return 1"), [0.5, 1.0], device="cpu")
    last = failing.explain(0, seed=1)[-1]
    assert last.kind == "step" and last.step == 1 and "index 2 of self.w" in last.fault


def test_paths_in_python():
    payoff = bailey.payoff(of(head="b: float = 2.0", finish="return self.a * self.b"))
    assert payoff.path([0.5, 1.0], [[1.0], [3.0]]) == 6 and payoff.path([0.5], [[1.5]], b=4) == 6


def test_functions_of_the_language():
    """They work in Python, and STEPS is known where a payoff runs."""
    language = sys.modules["bailey.payoff"]
    cases = (("exp", (1.5,)), ("log", (1.5,)), ("sqrt", (2.0,)), ("pow", (1.5, 2.5)), ("fabs", (-2.0,)), ("fmin", (1.0, 2.0)),
             ("fmax", (1.0, 2.0)), ("floor", (-1.5,)), ("ceil", (-1.5,)), ("fma", (0.1, 10.0, -1.0)), ("normal_cdf", (0.5,)),
             ("uniform", (-0.5,)), ("normal_icdf", (0.3,)), ("poisson_icdf", (0.9, 3.5)), ("gamma_icdf", (0.3, 2.5)),
             ("gamma_icdf_by_shape", (0.3, 2.5)), ("gamma_density", (1.5, 2.5)))
    assert {name for name, _ in cases} == {name for name, _ in language.functions()}
    calls = [f"f{k}({', '.join(map(repr, arguments))})" for k, (_, arguments) in enumerate(cases)]
    python = of(head="which: int", finish=f"if self.which:\n    return {', '.join(calls[:9])}\nreturn {', '.join(calls[8:])}",
                **{f"f{k}": getattr(language, name) for k, (name, _) in enumerate(cases)})
    for which, some in ((1, cases[:9]), (0, cases[8:])):
        compiled = bailey.Simulation(bailey.payoff(python), [1.0], which=which, dtype="float64", device="cpu").samples(1, seed=1)[:, 0]
        for (name, arguments), one in zip(some, compiled):
            found = getattr(language, name)(*arguments)
            assert isinstance(found, float) and abs(found - one) <= 2e-16 * abs(one) and found != 0, name
    assert list(language.__all__) == ["DIMS", "STEPS"] + [name for name, _ in language.functions()]
    for name, count in language.functions():  # which the build derived from the library's list
        function = getattr(language, name)
        assert len(inspect.signature(function).parameters) == count and function.__doc__.endswith(".")
        assert function.__annotations__ == {**dict.fromkeys("xyz"[:count], float), "return": float}
    with pytest.raises(ValueError, match="where a payoff runs"):
        range(language.STEPS)
    assert bailey.payoff.exp is language.exp and bailey.payoff.STEPS is STEPS
    assert (same(of(finish="return bailey.payoff.sqrt(4) + bailey.payoff.STEPS"))[0] == 5).all()


def test_integers():
    """A product of integers is as large as in Python; what is not an integer of 32 bits is not an integer parameter."""
    python = of(head="n: int", finish="return self.n * self.n + self.a * 0, self.n / 3, -self.n ** 2")
    assert (same(python, n=100000)[0] == 1e10).all()
    for value in (2.7, 3e9):
        with pytest.raises(bailey.InvalidArgument, match="not an int"):
            bailey.Simulation(bailey.payoff(python), [1.0], parameters=dict(n=value))
    assert (same(of(step="self.a = x[-1] - x[1]")) == 0).all()


def test_typed_payoffs():
    """What mypy --strict accepts (test_interface.py runs it) is what runs."""
    import typed_payoff

    call, above, digital = typed_payoff.prices()
    assert 5 < call.mean < 7 and 0.4 < digital.mean < 0.6 and 0.4 < above.mean < 0.6
    assert typed_payoff.in_python() is True
