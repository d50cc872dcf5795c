# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The library's descriptions of its structs (bailey/describe.h) as keywords: signatures and docstrings are derived from
them here, and the types of _types.py when the package is built. The name, type and meaning of a keyword are written
nowhere else."""
from __future__ import annotations

import difflib
import functools
import inspect
import textwrap
import typing

from ._library import ffi, lib

FLAG, UINT32, UINT64, REAL, CHOICE, TEXT, CHARS, RECORD, BUFFER, FUNCTION, USER = range(11)
EMPTY = inspect.Parameter.empty

# Names of before, of keywords, attributes and classes, and what they are called now.
RENAMED: typing.Dict[str, typing.Tuple[str, ...]] = {
    "bits": ("word_bits",), "deviation": ("stddev",), "shape": ("moments",), "theta": ("bias_share",),
    "first": ("first_path", "first_point"), "first_paths": ("initial_paths",), "samples": ("initial_samples",),
    "functions": ("basis_functions",), "fixings": ("times",), "type": ("sign",),
    "levels": ("motion_depth", "depth", "estimator", "level"),
    "corrections": ("correction",), "steps": ("x_steps",), "runs": ("run",), "devices": ("device",), "text": ("code",),
    "value": ("mean",), "estimate": ("price",), "estimate_error": ("standard_error",),
    "error": ("standard_error", "message"), "controlled_error": ("controlled_standard_error",),
    "lower_error": ("lower_standard_error",), "upper_error": ("upper_standard_error",),
    "in_sample_error": ("in_sample_standard_error",), "checkpoint_error": ("checkpoint_message",),
    "AmericanPrice": ("AmericanResult",), "Greek": ("GreekEstimate",), "Job": ("JobReport",), "Level": ("MlmcLevel",),
    "MlmcTest": ("MlmcReport",),
}

# Fields that are neither keywords nor attributes, by name or with their record's, and why. The same holds for those with a
# struct, which has keywords itself or is an object in Python, and for those that the library writes to.
APART = {
    **dict.fromkeys(("bridge_params.steps", "american_params.assets", "american_params.exercise_count",
                     "greeks_params.spot_count", "greeks_params.volatility_count", "gradient_params.count",
                     "gradient_params.direction_count", "gradient_params.width_count", "mlmc_test_params.eps_count",
                     "scenarios.count", "variate_params.weight_count", "scenarios.columns", "scenarios.rows", "job_report.stages", "mlmc_result.levels",
                     "mlmc_result.choices",
                     "mlmc_report.levels", "mlmc_report.runs"), "arrays have so many elements"),
    "precision": "dtype says it",
    **dict.fromkeys(("payoff.model_code", "payoff.model_name", "payoff.substeps", "payoff.controls"), "simulations have model, substeps and controls"),
    "scenarios.names": "scenarios has them, with their values",
    "payoff.code": "the payoff is code, or a name", "payoff.name": "the payoff is code, or a name",
    "serve": "is for programs that share out work", "report": "Context.selftest returns what it is told",
}
INSIDE = ("normal", "path")  # structs in others, whose keywords are among theirs
KEYWORDS = {"gradient_params.names": "by", "gradient_params.covariance": "by_covariance",
            "gradient_params.time": "by_time",
            "greeks_params.method": "greek_method",  # as opposed to the method of the normals
            "scenarios.values": "scenarios"}  # a dict, with their names

# Keywords that take what a field in C does not, and what is said of them instead of its summary.
_TIME, _FILE = ("Union[float, Day]", ""), ("Union[str, os.PathLike[str], None]", "")
_WIDER = {
    "start_time": _TIME, "end_time": _TIME, "time": _TIME, "checkpoint": _FILE, "cache_dir": _FILE, "expected": ("Any", ""),
    "progress": ("Argument", "a function of (done, total), whose True stops the run, or True for a bar"),
    "scenarios": ("Optional[Mapping[str, ArrayLike]]",
                  "a dict from names of parameters, such as \"spot\" or \"spot[1]\", to arrays of values: scenario s takes "
                  "element s of each, and has separate results"),
}

# Arguments that no struct has.
ABOUT = {
    "seed": "seed of the generator philox, if no source is given; without either, a seed is drawn from the system's entropy",
    "source": "a bailey.Source, which replaces the seed",
    "rng": "as in SciPy: an integer is the seed; a numpy.random.Generator, or what numpy.random.default_rng takes, draws one",
    "dtype": "type of the results, float32 or float64",
    "device": "an address such as \"cpu\", \"cuda\", \"opencl:0:0\", one of bailey.devices(), a context, or an array on a "
              "CUDA device, whose stream is then used; the default is the best device",
    "out": "array to fill, of NumPy, PyTorch, CuPy, ..., on the host or on a CUDA device; a CUDA array is filled on its "
           "framework's current stream, without waiting",
    "valuation": "day from which dates are counted, as actual / 365. Times may then be datetime.date, datetime, numpy."
                 "datetime64, or strings of the form YYYY-MM-DD",
    "model": "model of a product: the name of a built-in one (bailey.models()), or code; default as the product says",
    "substeps": "of a product under a model that discretises: steps of the model from each time to the next; 0: as few as "
                "its scheme is meant for",
    "controls": "control variates of a product are outputs after its own, if the model has what they ask; `expected` says "
                "their means",
    "parameters": "parameters of the code, by name; they may also be arguments",
    "first": "index of the first element",
    "first_path": "index of the first path",
    "first_point": "index of the first point",
}


class Plain(str):
    """An annotation that help() shows as it is written."""

    def __repr__(self) -> str:
        return self.replace("typing.", "")


def word(c: typing.Any) -> str:
    """A text of the library; "" for NULL."""
    return "" if c == ffi.NULL else bytes(ffi.string(c)).decode("utf-8", "replace")


class Field:
    """A field of a record."""

    def __init__(self, record: str, c: typing.Any) -> None:
        self.c, self.name = c, word(c.name)
        self.summary, self.unit, self.shape, self.record = word(c.summary), word(c.unit), word(c.shape), word(c.record)
        self.type, self.count, self.pointer = int(c.type), int(c.count), bool(c.pointer)
        self.output, self.needed = bool(c.output), bool(c.needed)
        self.choices = {word(c.choices[i].name): int(c.choices[i].value) for i in range(c.choice_count)}
        whose = f"{record}.{self.name}"
        self.keyword = KEYWORDS.get(whose, self.name)
        self.is_apart = whose in APART or self.name in APART or self.type == USER
        self.is_inside = self.type == RECORD and self.name in INSIDE
        self.is_keyword = not (self.is_apart or self.output or self.type in (RECORD, BUFFER))

    @functools.cached_property
    def default(self) -> typing.Any:
        """The default; None if it is not a number, choice or flag."""
        value = self.c.default_value
        if self.needed:
            return EMPTY
        if self.pointer or self.type > CHOICE or self.c.default_how != ffi.NULL:
            return None
        if self.type == CHOICE:
            return next(name for name, number in self.choices.items() if number == value)
        return bool(value) if self.type == FLAG else float(value) if self.type == REAL else int(value)

    @functools.cached_property
    def free_below(self) -> int:
        """Integers below it are valid without asking the library about each: all that the type can hold if the field has
        no limits; otherwise 0 alone, or none."""
        c = self.c
        if self.type not in (UINT32, UINT64):
            return 0
        if c.range.low == c.range.high == 0 and not self.choices:
            return 1 << 32 if self.type == UINT32 else 1 << 64
        return 1 if lib.bailey_field_check(c, c.name, 0.0) == lib.BAILEY_OK else 0

    @property
    def annotation(self) -> str:
        """Its type in Python."""
        if self.keyword in _WIDER:
            return _WIDER[self.keyword][0]
        if self.pointer:
            plain = "Union[str, Sequence[str]]" if self.type == TEXT else "ArrayLike"
        else:
            plain = {FLAG: "bool", REAL: "float", UINT32: "int", UINT64: "int", TEXT: "str"}.get(self.type, "Any")
            if self.choices:
                words = self.choices if self.type == CHOICE else self.choices.values()
                plain = f"Literal[{', '.join(repr(word) for word in words)}]"
        return f"Optional[{plain}]" if self.default is None else plain

    @functools.cached_property
    def about(self) -> str:
        """Its summary, with shape, unit, limits and default."""
        wider = _WIDER.get(self.keyword, ("", ""))[1]
        if wider:
            return wider
        size = int(lib.bailey_field_limits(self.c, ffi.NULL, 0)) + 1
        limits = ffi.new("char[]", size)
        lib.bailey_field_limits(self.c, limits, size)
        more = [part for part in (self.unit, "" if self.type == FLAG else word(limits)) if part]
        return self.summary + (f", {self.shape}" if self.shape else "") + (f" [{'; '.join(more)}]" if more else "")


@functools.lru_cache(None)
def fields(record: str) -> typing.Dict[str, Field]:
    """The fields of a record, by name."""
    c = lib.bailey_describe(record.encode())
    return {field.name: field for field in (Field(record, c.fields + i) for i in range(c.field_count))}


@functools.lru_cache(None)
def insides(record: str) -> typing.List[Field]:
    """The structs in it whose keywords are among its own."""
    return [field for field in fields(record).values() if field.is_inside]


@functools.lru_cache(None)
def in_order(record: str) -> typing.List[typing.Tuple[str, Field]]:
    """Keywords, and the fields that they set: sizes before the arrays that have as many elements."""
    are_set = [f for f in fields(record).values() if f.is_keyword or f.name == "precision"]
    return [("dtype" if f.name == "precision" else f.keyword, f) for f in sorted(are_set, key=lambda field: field.pointer)]


def summary(record: str) -> str:
    """The summary of a record."""
    return word(lib.bailey_describe(record.encode()).summary)


@functools.lru_cache(None)
def keywords(*records: str) -> typing.Dict[str, Field]:
    """The keywords that functions have of records."""
    found: typing.Dict[str, Field] = {}
    for record in records:
        for field in fields(record).values():
            if field.is_inside:
                found.update(keywords(field.record))
            elif field.is_keyword:
                found[field.keyword] = field
    return found


def draws(*records: str) -> bool:
    """Whether functions of these records take a seed or a source."""
    return any(field.record == "source" for record in records for field in fields(record).values())


@functools.lru_cache(None)
def _paragraph(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False)


def listed(about: typing.Mapping[str, str]) -> str:
    """Names with what they are, a paragraph each."""
    return "\n".join(_paragraph(f"{name}: {text}") for name, text in about.items())


# ---- Signatures and docstrings


def renamed(name: str, known: typing.Container[str]) -> typing.Optional[str]:
    """Says what a former name is called now, if that is among the known ones."""
    return next((f"{name} is called {new} now" for new in RENAMED.get(name, ()) if new in known), None)


def _shown(p: inspect.Parameter, known: typing.Mapping[str, Field]) -> inspect.Parameter:
    """With the default of its record, and its annotation as it is written."""
    is_zero = p.default is None or isinstance(p.default, (int, float)) and p.default == 0
    default = known[p.name].default if is_zero and p.name in known and p.name not in DRAWN else p.default
    return p.replace(default=default, annotation=p.annotation if p.annotation is EMPTY else Plain(p.annotation))


def _signature(function: typing.Any, records: typing.Tuple[str, ...]) -> inspect.Signature:
    """With each keyword that **options stands for."""
    plain, known = inspect.signature(function), keywords(*records)
    given = {name: _shown(p, known) for name, p in plain.parameters.items() if name != "options"}
    last = [given.pop(name) for name, p in list(given.items()) if p.kind == p.VAR_KEYWORD]

    def add(name: str, annotation: str, default: typing.Any) -> None:
        given.setdefault(name, inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default,
                                                annotation=Plain(annotation)))

    if "options" in plain.parameters:
        for name, annotation in DRAWN.items() if draws(*records) else ():
            add(name, annotation, None)
        own = next((own for of, own in OPTIONS.values() if of == records), ())
        for name, field in known.items():
            if name not in own:
                add(name, field.annotation, field.default)
    return plain.replace(parameters=[*given.values(), *last], return_annotation=Plain(plain.return_annotation))


def _complain(function: str, name: str, known: typing.Container[str]) -> None:
    near = difflib.get_close_matches(name, list(typing.cast(typing.Iterable[str], known)), 1)
    raise TypeError(renamed(name, known) or f"{function}() has no argument {name!r}" +
                    (f"; did you mean {near[0]!r}?" if near else ""))


def _checked(function: typing.Any, records: typing.Tuple[str, ...]) -> typing.Any:
    """The function, which says of an unknown keyword what it may mean."""
    signature = _signature(function, records)
    names, known = signature.parameters, frozenset(signature.parameters)
    takes_more = any(p.kind == p.VAR_KEYWORD for p in names.values())
    needed = [name for name, field in keywords(*records).items() if field.needed and name in names and name not in
              inspect.signature(function).parameters]

    @functools.wraps(function)
    def call(*args: typing.Any, **given: typing.Any) -> typing.Any:
        if not given.keys() <= known:
            for name in given:
                if name not in names and (not takes_more or renamed(name, names)):
                    _complain(function.__qualname__.replace(".__init__", ""), name, names)
        for name in needed:
            if name not in given:
                raise TypeError(f"{function.__qualname__}() needs {name}")
        return function(*args, **given)

    call.records, call.__signature__ = records, signature  # type: ignore[attr-defined]
    return call


_Target = typing.TypeVar("_Target")


def documented(*records: str) -> typing.Callable[[_Target], _Target]:
    """A function or class with the keywords of these records, some of which may be its own arguments: its signature and
    docstring list them."""
    known = keywords(*records)

    def decorate(target: typing.Any) -> typing.Any:
        is_class = isinstance(target, type)
        made = _checked(target.__init__ if is_class else target, records)
        about = {name: known[name].about if name in known else ABOUT[name] for name in made.__signature__.parameters
                 if name in known or name in ABOUT}
        text = f"{inspect.cleandoc(target.__doc__ or '')}\n\nArguments:\n{listed(about)}"
        if is_class:
            target.__init__, target.__doc__ = made, text
            return target
        made.__doc__ = text
        return made

    return decorate


# ---- Attributes


class Renamed:
    """Objects some of whose attributes have new names."""

    if not typing.TYPE_CHECKING:

        def __getattr__(self, name: str) -> typing.Any:
            new = renamed(name, dir(self)) if name in RENAMED else None
            raise AttributeError(new or f"{type(self).__name__!r} object has no attribute {name!r}")


# ---- What _types.py has: for type checkers, and results

DRAWN = {"seed": "Optional[int]", "source": "Optional[Source]", "rng": "Any"}

# The keywords that **options stands for: of these records, but those that are arguments of the function's own.
OPTIONS = {
    "NormalOptions": (("normal_params",), ()),
    "VariateOptions": (("variate_params",), ("distribution",)),
    "PointsOptions": (("points_params",), ("dims",)),
    "SourceOptions": (("source",), ("seed", "stream", "generator")),
    "BridgeOptions": (("bridge_params",), ("times", "dims")),
    "MotionOptions": (("motion_params",), ("end_time",)),
    "RunOptions": (("simulation_run_params", "scenarios"), ("paths",)),
    "GradientOptions": (("simulation_run_params", "gradient_params"), ("paths",)),
    "TracedOptions": (("simulation_run_params", "gradient_params"), ("paths", "seed", "source", "rng", "first_path", "progress")),
    "ExerciseOptions": (("exercise_params",), ("paths",)),
    "ExercisePricesOptions": (("simulation_run_params", "scenarios", "exercise_params"), ("paths",)),
    "BoundOptions": (("exercise_bounds_params",), ("paths",)),
    "GreekOptions": (("simulation_run_params", "scenarios", "greeks_params"), ("paths",)),
    "JobOptions": (("simulation_run_params", "scenarios", "job_params"), ("paths",)),
    "MlmcOptions": (("mlmc_run_params",), ("eps",)),
    "MlmcTestOptions": (("mlmc_run_params", "mlmc_test_params"), ("eps",)),
    "AsianOptions": (("simulation_run_params",), ("paths", "expected")),
    "AmericanOptions": (("american_params",), ("strike",)),
}  # type: typing.Dict[str, typing.Tuple[typing.Tuple[str, ...], typing.Tuple[str, ...]]]

# What results have in Python alone.
_MORE = {
    "seed": "of the source, which drew one where none was given",
    "address": "of the device",
    "estimates": "one of each result",
    "text": "the tables as text",
}

# Results, and the types of what they have besides.
RESULTS: typing.Dict[str, typing.Dict[str, str]] = {
    "device": {}, "bridge_info": {}, "estimate": {"seed": "int"}, "derivative": {"seed": "int"}, "moment": {"state": "Dict[str, Any]"},
    "greek_estimate": {"seed": "int"}, "american_result": {"seed": "int"}, "exercise_result": {"seed": "int"}, "exercise_bounds": {"seed": "int"}, "job_device": {"address": "str"},
    "job_report": {"estimates": "Estimates", "seed": "int"}, "mlmc_level": {}, "mlmc_choice": {},
    "mlmc_result": {"seed": "int"},
    "mlmc_test_level": {}, "mlmc_test_run": {}, "mlmc_report": {"text": "str", "seed": "int"},
}


def class_name(record: str) -> str:
    """As "GreekEstimate"."""
    return record.title().replace("_", "")


def attribute(field: Field) -> str:
    """The type of an attribute of a result."""
    if field.type == RECORD:
        plain = class_name(field.record)
    else:
        plain = {FLAG: "bool", REAL: "float", UINT32: "int", UINT64: "int"}.get(field.type, "str")
    if field.type == CHARS or not (field.count or field.pointer):
        return plain
    return f"ResultList[{plain}]" if field.type == RECORD else f"List[{plain}]"


@functools.lru_cache(None)
def attributes(record: str) -> typing.Dict[str, typing.Tuple[str, str]]:
    """For a result: their types and what they are."""
    found = {f.name: (attribute(f), f.about) for f in fields(record).values() if not f.is_apart}
    more = {name: (kind, _MORE.get(name) or found[name][1]) for name, kind in RESULTS[record].items()}
    return {**found, **more}
