# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What names in a payoff written in Python mean, and what they are called in its code: a name of the payoff language, of C or
of another variable is avoided."""
from __future__ import annotations

import builtins
import math
import re
import typing

import numpy

from . import payoff as language
from ._payoff_values import HELPERS, Cannot, Number

MISSING = object()

# Names of C, C++, OpenCL C and the payoff language: locals and members with these names get others in the code.
_RESERVED = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const constant
    constexpr const_cast continue decltype default defined delete do double dynamic_cast else enum event_t explicit export
    extern false float for friend generic global goto half if image2d_t inline int kernel local long mutable namespace new
    noexcept not not_eq nullptr operator or or_eq pipe private protected public read_only read_write register
    reinterpret_cast requires restrict return sampler_t short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename typeof uchar uint ulong uniform union unsigned ushort
    using virtual void volatile wchar_t while write_only xor xor_eq linux unix i386 errno main
    real int32 uint32 int64 uint64 size_t params state noise path start step finish whole pair at time
    sin cos tan sinh cosh tanh asin acos atan atan2 exp2 expm1 log1p log2 log10 erf erfc lgamma tgamma cbrt hypot round
    trunc rint fmod abs min max clamp step mix sign cross dot length distance normalize select all any isnan isinf
    STEPS DIMS LEVELS NORMALS UNIFORMS NULL NAN INFINITY s p out
""".split())
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,50}")
_TAKEN = re.compile(r"bly_|bailey_|BLY_|BAILEY_|M_|FLT_|DBL_|FP_|CL_|cl_|CLK_|cuda|CUDA|.*__|(char|uchar|short|ushort|int|"
                    r"uint|long|ulong|longlong|ulonglong|float|double|half|bool)[0-9]+$")


class Names:
    """Names of one scope of the code, each one taken once."""

    def __init__(self, taken: typing.Iterable[str] = ()) -> None:
        self.taken = set(_RESERVED) | set(language.__all__) | set(HELPERS) | set(taken)

    def new(self, wanted: str) -> str:
        """A name like `wanted`, or itself."""
        plain = wanted if _PLAIN.fullmatch(wanted) and not _TAKEN.match(wanted) else "v"
        name, number = plain, 0
        while name in self.taken:
            number += 1
            name = f"{plain}_{number}"
        self.taken.add(name)
        return name


# ---- Functions

class Function(typing.NamedTuple):
    """A function of the language: its name, how many arguments it takes, and whether Python's returns an integer."""

    name: str
    arguments: int
    is_whole: bool = False


_FUNCTIONS = {name: Function(name, arguments) for name, arguments in language.functions()}
_OF_MATH = {name: _FUNCTIONS[name] for name in ("exp", "log", "sqrt", "pow", "fabs", "fma")}
_OF_MATH["floor"], _OF_MATH["ceil"] = Function("floor", 1, True), Function("ceil", 1, True)
_OF_NUMPY = {name: _FUNCTIONS[name] for name in ("exp", "log", "sqrt", "fabs", "floor", "ceil")}
_OF_NUMPY.update(minimum=_FUNCTIONS["fmin"], maximum=_FUNCTIONS["fmax"], float_power=_FUNCTIONS["pow"])
_BUILTINS = {id(getattr(builtins, name)): name for name in ("abs", "min", "max", "pow", "float", "int", "bool", "len")}
_KNOWN: typing.Dict[int, Function] = {}
for _module, _rows in ((math, _OF_MATH), (numpy, _OF_NUMPY), (language, _FUNCTIONS)):
    for _name, _row in _rows.items():
        if hasattr(_module, _name):
            _KNOWN[id(getattr(_module, _name))] = _row
OFFERED = ", ".join(sorted(_FUNCTIONS))


def function_of(thing: typing.Any) -> typing.Optional[Function]:
    """The function of the language that corresponds to a Python function."""
    return _KNOWN.get(id(thing))


def builtin_of(thing: typing.Any) -> typing.Optional[str]:
    """The name of a built-in function of Python's that is offered."""
    return _BUILTINS.get(id(thing))


def of_language(name: str) -> typing.Any:
    """The meaning of a name of the language that was not imported."""
    return getattr(language, name, MISSING) if name in language.__all__ else MISSING


# ---- Constants

def number_of(thing: typing.Any) -> typing.Optional[Number]:
    """A constant as a Python number, or None if it is not a number. NumPy's smaller types, which round and overflow,
    are refused."""
    if isinstance(thing, numpy.generic):
        if isinstance(thing, (numpy.float64, numpy.int64, numpy.bool_)):
            return typing.cast(Number, thing.item())
        raise Cannot(f"{thing!r} is a {type(thing).__name__}, with which NumPy computes otherwise than in double; "
                     "write float(...) or int(...) where it is made")
    if isinstance(thing, (int, float)) and type(thing) in (int, float, bool):
        return thing
    return None


def table_of(thing: typing.Any) -> typing.Optional[typing.List[Number]]:
    """A list, tuple or array of one dimension as numbers, or None."""
    if isinstance(thing, numpy.ndarray) and thing.ndim == 1 and thing.dtype in (numpy.float64, numpy.int64):
        return list(thing.tolist())
    if not isinstance(thing, (list, tuple)) or not thing:
        return None
    numbers = [number_of(element) for element in thing]
    return None if None in numbers else typing.cast(typing.List[Number], numbers)


def is_size(thing: typing.Any) -> bool:
    """Whether it is STEPS or DIMS, which the simulation knows."""
    return isinstance(thing, language.Size)
