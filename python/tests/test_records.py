# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The library's records of its structs (bailey/describe.h) agree with its headers."""
import pathlib
import re

import pytest

import bailey
from bailey._library import ffi, lib

# Structs that are not described: the descriptions themselves, which payoffs' code fills.
APART = {"bailey_field", "bailey_record", "bailey_interval", "bailey_choice", "bailey_parameter", "bailey_payoff_output",
         "bailey_payoff_example", "bailey_language_function", "bailey_path_needs", "bailey_description"}
FLAG, UINT32, UINT64, REAL, CHOICE, TEXT, CHARS, RECORD, BUFFER, FUNCTION, USER = range(11)
TYPES = {FLAG: "uint32_t", UINT32: "uint32_t", UINT64: "uint64_t", REAL: "double", TEXT: "char const *", BUFFER: "bailey_buffer *",
         USER: "void *"}


def records():
    found, index = {}, 0
    while lib.bailey_describe_at(index):
        record = lib.bailey_describe_at(index)
        found["bailey_" + ffi.string(record.name).decode()] = record
        index += 1
    return found


def is_known(name):
    """Whether the fields of a struct are known. cffi 2.1 aborts where those of an opaque one are asked for."""
    try:
        return ffi.sizeof(name) > 0
    except ffi.error:
        return False


def structs():
    """The structs of the public headers whose fields are known."""
    kinds = {name: ffi.typeof(name) for name in ffi.list_types()[0] if name not in APART}
    return {name: kind for name, kind in kinds.items() if kind.kind == "struct" and is_known(name)}


def word(pointer):
    return ffi.string(pointer).decode() if pointer else None


def check_type(field, kind, where):
    """The field's type says what the header's declaration is."""
    if field.pointer:
        assert kind.kind == "pointer", where
        kind = kind.item
    elif field.count:
        assert kind.kind == "array" and kind.length == field.count, where
        kind = kind.item
    if field.type == CHOICE:
        assert kind.kind == "enum", where
        check_choices(field, kind, where)
    elif field.type == RECORD:
        assert kind.cname.split()[-1] == "bailey_" + word(field.record), where
    elif field.type == FUNCTION:
        assert kind.kind == "pointer" and kind.item.kind == "function" or kind.kind == "function", where
    elif field.type == CHARS:
        assert kind.cname == "char", where
    else:
        declared = kind.cname.replace("struct ", "").replace(" const", "")
        assert declared == TYPES[field.type].replace(" const", ""), where


def check_choices(field, kind, where):
    prefix = word(field.prefix)
    said = {prefix + word(field.choices[i].name).upper().replace("-", "_"): int(field.choices[i].value)
            for i in range(field.choice_count)}
    assert said == {name: value for value, name in kind.elements.items()}, where


def test_all_structs_are_described():
    assert sorted(records()) == sorted(structs())


@pytest.mark.parametrize("name", sorted(structs()))
def test_fields_are_those_of_the_header(name):
    record, kind = records()[name], structs()[name]
    assert record.size == ffi.sizeof(kind)
    *fields, last = kind.fields
    assert last[0] == "reserved"
    assert [word(record.fields[i].name) for i in range(record.field_count)] == [field for field, _ in fields]
    for i, (field, declared) in enumerate(fields):
        described = record.fields[i]
        assert described.offset == declared.offset and described.size == ffi.sizeof(declared.type), f"{name}.{field}"
        check_type(described, declared.type, f"{name}.{field}")


def test_a_wrong_word_is_told_the_right_ones():
    with pytest.raises(bailey.InvalidArgument, match="'box-muler' is not one of icdf, box-muller, wallace; did you mean 'box-muller'"):
        bailey.normals(1, seed=1, method="box-muler")


# ---- What comments of the headers say too ----

NUMBER = r"(\d[\d.]*\d|\d)(?:\^(-?\d+)| / (\d+))?"
CLAUSE, END = r"(?:^|[;,.:] )", r"(?![\w^*/]| [*/]|\.\d)"
SAYS = {  # what a clause says of a field, and the numbers in it
    rf"{CLAUSE}{NUMBER} (?:\.\.|to) {NUMBER}{END}": ("low", "high"),
    rf"{CLAUSE}[Aa]t most {NUMBER}{END}": ("high",),
    rf"{CLAUSE}at least {NUMBER}{END}": ("low",),
    rf"{CLAUSE}(?:0 means|0:|default) {NUMBER}{END}(?! \w)": ("default_value",),
    rf"^{NUMBER}$": ("default_value",),
}


def number(base, power, divisor):
    return float(base) ** int(power or 1) / float(divisor or 1)


def comments():
    """(struct, field, comment) of the headers, with one field each."""
    for path in sorted((pathlib.Path(__file__).parents[2] / "include/bailey").glob("*.h")):
        text = path.read_text()
        constants = dict(re.findall(r"^#define (BAILEY_\w+) (\d+)u?$", text, re.M))
        text = re.sub(r"\bBAILEY_\w+", lambda m: constants.get(m[0], m[0]), text)
        for struct, body in re.findall(r"^typedef struct (\w+) \{\n((?:.*\n)*?)\} \1;", text, re.M):
            for before, declared, after in re.findall(r"(?:/\*(.*?)\*/\s*)?([^;/]+);[ \t]*(?:/\*(.*?)\*/)?", body, re.S):
                names = re.findall(r"(\w+)(?:\[\w+\])?(?:,|$)", declared)
                if len(names) == 1:
                    for comment in filter(None, (before, after)):
                        yield struct, names[0], " ".join(re.sub(r"^\s*\* ?", "", comment, flags=re.M).split())


def test_comments_say_what_descriptions_do():
    """Where a comment states a range or a default, it is the description's: of a default that depends, one of its numbers."""
    said = 0
    for struct, name, comment in comments():
        record = records().get(struct)
        field = lib.bailey_record_field(record, name.encode()) if record else ffi.NULL
        for pattern, parts in SAYS.items() if field else ():
            for match in re.finditer(pattern, comment):
                numbers = [number(*match.groups()[3 * i:3 * i + 3]) for i in range(len(parts))]
                described = [field.default_value if part == "default_value" else getattr(field.range, part) for part in parts]
                if parts == ("default_value",) and field.default_how:
                    described = [n for n in numbers if n in map(float, re.findall(r"\d+", word(field.default_how)))]
                assert numbers == described, f"{struct}.{name}: {comment}"
                said += 1
    assert said > 30
