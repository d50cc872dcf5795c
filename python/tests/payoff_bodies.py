# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Payoffs of many method bodies, run by Python and compiled; and bodies made at random."""
import itertools
import linecache
import math
import random
import re

import numpy

import bailey

OUTPUTS = 16
TIMES = [0.5, 1.0, 2.0]
DIMS = 2
PARAMETERS = dict(f=1.25, g=-0.75, n=5, m=-3, many=[0.5, -1.5, 2.5])
_HEAD = """
class Bodies:
    f: float
    g: float
    n: int
    m: int
    many: bailey.array(3)
    which: int = 0

    def start(self):
        self.u = 7.0
        self.v = 0.25
        self.count = 0
        self.w = [1.0, -2.0, 0.5, 4.0]

    def step(self, i, t, x):
        self.u = self.u + x[0] * t
        self.v = x[-1]
        self.w[i - 1] = x[i % 2] + t
        self.count += i + 1

    def half(self, a, b=2):
        return a / b

    def third(self, k: int) -> int:
        return (k + 1) // 3
"""
_numbers = itertools.count()


def make(text, /, **names):
    """The class of a text, as if it were in a file; bailey.payoff(...) makes a payoff of it."""
    file = f"<payoff {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {"bailey": bailey, "math": math, "numpy": numpy, "__name__": "payoffs", **names}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return [thing for thing in space.values() if isinstance(thing, type) and thing.__module__ == "payoffs"][-1]


def run(payoff, paths=4, **parameters):
    """[output][path], compiled and by Python, of the same points."""
    compiled = bailey.Simulation(payoff, TIMES, DIMS, dtype="float64", device="cpu", parameters=parameters)
    points = bailey.Bridge(TIMES, DIMS, dtype="float64", device="cpu").paths(paths, seed=1)
    by_python = [numpy.atleast_1d(payoff.path(TIMES, points[:, :, k], **parameters)) for k in range(paths)]
    return compiled.samples(paths, seed=1), numpy.array(by_python, numpy.float64).T


def compare(bodies, **names):
    """Bodies of methods, each text indented as in a class's method: pairs of (compiled, by Python) for each body. Compilers
    take longer for one class of many bodies than for some of a few."""
    found = []
    for first in range(0, len(bodies), 3 * OUTPUTS):
        found += _compare_in_class(bodies[first:first + 3 * OUTPUTS], **names)
    return found


def _compare_in_class(bodies, **names):
    groups = [bodies[k:k + OUTPUTS] for k in range(0, len(bodies), OUTPUTS)]
    groups[-1] = groups[-1] + ["        return 0.0\n"] * (OUTPUTS - len(groups[-1]))
    text = [_HEAD]
    for number, body in enumerate(itertools.chain(*groups)):
        text.append(f"\n    def body{number}(self):\n{body}")
    text.append("\n    def finish(self):\n")
    for number in range(len(groups)):
        calls = ", ".join(f"self.body{number * OUTPUTS + k}()" for k in range(OUTPUTS))
        text.append(f"        if self.which == {number}:\n            return {calls}\n")
    text.append(f"        return {', '.join(['0.0'] * OUTPUTS)}\n")
    payoff = bailey.payoff(make("".join(text), **names))
    found = []
    for number in range(len(groups)):
        found += list(zip(*run(payoff, which=number, **PARAMETERS)))
    return found[:len(bodies)]


class Writer:
    """A body at random. Names are read only where they have values, indices are in range, nothing is divided by 0: what
    Python would raise is not what is compared."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.reals, self.ints = [], []
        self.loops = 0
        self.lines = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def fill(self, template, depth):
        """A template's letters become expressions: R, I, T are a number, an integer, a condition; r, i and t simple ones;
        W and M are indices of lists of 4 and 3, and K is a constant that is not 0."""
        make = {"R": lambda: self.real(depth - 1), "r": lambda: self.real(0), "I": lambda: self.integer(depth - 1),
                "i": lambda: self.integer(0), "T": lambda: self.truth(depth - 1), "t": lambda: self.truth(0),
                "W": lambda: self.index(4), "M": lambda: self.index(3), "K": lambda: self.pick("2", "3", "7", "-4", "-5")}
        return re.sub(r"<([RrIiTtWMK])>", lambda found: make[found[1]](), template)

    def real(self, depth):
        """A number: whatever Python computes with."""
        if depth <= 0:
            return self.fill(self.pick(repr(round(self.random.uniform(-3, 3), 2)), "self.f", "self.g", "self.u", "self.v",
                                       "self.w[<W>]", "self.many[<M>]", "HALF", "<i>", *self.reals), 0)
        return self.fill(self.pick(
            "(<R> + <R>)", "(<R> - <r>)", "<R> * <R>", "(<R> / (abs(<R>) + 1))", "-<r>", "(<R> if <T> else <R>)",
            "max(<R>, <R>)", "min(<R>, <R>, <r>)", "abs(<R>)", "(<R> or <R>)", "(<R> and <R>)", "(<T> and <R>)",
            "self.half(<R>)", "self.half(<R>, b=4)", "self.half(b=0.5, a=<r>)", "float(<R>)", "(<t> + <R>)",
            "math.sqrt(abs(<R>))", "<I>", "(<I>) / <K>", "((<I>) // <K>)", "((<I>) % <K>)", "(<I> / (abs(<i>) + 1) - <i>)"), depth)

    def integer(self, depth):
        """A small Python integer."""
        if depth <= 0:
            return self.pick("0", "1", "-3", "self.n", "self.m", "len(self.w)", "COUNT", "(self.count % 100 - 50)", "(self.m - 4)",
                             *self.ints, *self.ints)
        return self.fill(self.pick(
            "(<I> + <i>)", "(<i> - <I>)", "(<I>) % <K> * <i>", "(<I>) // <K>", "(<I>) % (abs(<i>) + 1)", "-(<I>)",
            "(<I>) // -(abs(<i>) + 1)", "max(<I>, <i>)", "min(<I>, <i>)", "abs(<I>)", "max(-9, min(int(<r>), 9))",
            "self.third(<K> + <i> % 9)", "(<I> if <t> else <i>)"), depth)

    def index(self, size):
        """An index, which may count from the end."""
        return self.fill(self.pick(str(self.random.randrange(-size, size)), f"(<i>) % {size}", f"<i> % {size} - {size}",
                                   f"(<i>) % {size} - 1"), 0)

    def truth(self, depth):
        sign = self.pick("<", "<=", ">", ">=", "==", "!=")
        return self.fill(self.pick(
            f"<R> {sign} <r>", "<r> < <R> <= <r>", f"not <R> {sign} <r>", f"(<R> {sign} <r> or <r> > 0)",
            f"(<R> {sign} <r> and not <i>)", "<I> == <i>", "True"), depth)

    def bounded(self, depth):
        return f"max(-9.0, min(9.5, {self.real(depth)}))"

    def statement(self, margin, depth):
        kind = self.random.random()
        if kind < 0.3 or depth == 0:
            name = self.pick("a", "b", "c", "p", "out")
            self.line(margin, f"{name} = {self.bounded(2)}")
            self.reals = sorted({*self.reals, name})
        elif kind < 0.45 and self.reals:
            name = self.pick(*self.reals)
            self.line(margin, f"{name} {self.pick('+', '-', '*')}= {self.real(1)}")
            self.line(margin, f"{name} = max(-9.0, min(9.5, {name}))")
        elif kind < 0.55:
            self.line(margin, f"k = {self.integer(2)} % 11")
            self.ints = sorted({*self.ints, "k"})
        elif kind < 0.62 and len(self.reals) > 1:
            one, two = self.random.sample(self.reals, 2)
            self.line(margin, f"{one}, {two} = {two}, {one}")
        elif kind < 0.8:
            self.choice(margin, depth)
        else:
            self.loop(margin, depth)

    def line(self, margin, text):
        self.lines.append(" " * margin + text)

    def block(self, margin, depth, *more):
        """Variables assigned in it may be unassigned after it."""
        reals, ints = list(self.reals), list(self.ints)
        for _ in range(self.random.randint(1, 2)):
            self.statement(margin, depth)
        for text in more:
            self.line(margin, text)
        self.reals, self.ints = reals, ints

    def choice(self, margin, depth):
        self.line(margin, f"if {self.truth(2)}:")
        self.block(margin + 4, depth - 1)
        for _ in range(self.pick(0, 0, 1)):
            self.line(margin, f"elif {self.truth(1)}:")
            self.block(margin + 4, depth - 1)
        if self.pick(True, False):
            self.line(margin, "else:")
            self.block(margin + 4, depth - 1)

    def loop(self, margin, depth):
        self.loops += 1
        name = f"i{self.loops}"
        if self.pick(True, True, False):
            sure = self.pick(True, True, False)  # to run at least once
            range_ = self.pick("3", "1, 4", "4, 0, -1", "0, 7, 3") if sure else self.pick(
                "self.n - 2", f"({self.integer(1)}) % 4")
            self.line(margin, f"for {name} in range({range_}):")
            changed = self.pick(True, False)
            if changed:
                self.line(margin + 4, f"{name} = {name} * 2 - {self.pick(1, 5)}")
            inside = f"({name} % 9)" if changed else name
            self.ints.append(inside)
            self.block(margin + 4, depth - 1, self.pick("pass", f"if {self.truth(1)}: break", f"if {self.truth(1)}: continue",
                                                        f"{name} += 1"))
            self.ints.remove(inside)
            if sure:
                self.ints.append(f"({name} % 9)")
        else:
            self.line(margin, f"{name} = 0")
            self.line(margin, f"while {name} < {self.pick(2, 3, 5)}:")
            self.line(margin + 4, f"{name} += {self.pick(1, 2)}")
            self.ints.append(f"({name} % 9)")
            self.block(margin + 4, depth - 1)

    def body(self, smooth):
        """The body; `smooth`: it returns what exp, log, pow and normal_cdf make of its numbers, which Python's libm
        rounds otherwise."""
        self.line(8, "out = 0.5")
        self.reals.append("out")
        for _ in range(self.random.randint(2, 4)):
            self.statement(8, 2)
        a, b, c = self.bounded(2), self.bounded(1), self.bounded(1)
        if smooth:
            a = self.pick(f"exp({a})", f"log(abs({a}) + 0.125)", f"normal_cdf({a})", f"({a}) ** 2", f"({a}) ** 3",
                          f"(abs({a}) + 0.5) ** ({b})", f"2 ** ({b})", f"pow(abs({a}) + 0.25, {b})") + f" + {c}"
        self.line(8, f"return {a}")
        return "\n".join(self.lines) + "\n"
