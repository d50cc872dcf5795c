# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A binding made from what the library says about itself, by ctypes. BAILEY_LIBRARY is the path of libbailey.so.

Structs, constants and limits come from the records of bailey/describe.h as this runs. The layout of the records themselves
is all that is written down, and a call to try it, of an American put. docs/developers/bindings.md explains it.
"""
import ctypes as c
import os

lib = c.CDLL(os.environ["BAILEY_LIBRARY"])
lib.bailey_describe.restype, lib.bailey_error_message.restype = c.c_void_p, c.c_char_p
CODES = {"s": c.c_char_p, "p": c.c_void_p, "i": c.c_int, "u": c.c_uint32, "d": c.c_double, "r": 4 * c.c_uint64}
made = {}


def struct(name, fields):
    return type(name, (c.Structure,), {"_fields_": fields})


def written(name, fields):
    return struct(name, [(word, CODES[code]) for code, word in (pair.split(":") for pair in fields.split())])


Choice = written("Choice", "d:value s:name s:summary")
Field = written("Field", "s:name s:summary s:unit i:type u:offset u:size u:count u:pointer s:shape s:record p:choices "
                "u:choice_count s:prefix d:low d:high u:low_open u:high_open u:nan u:needed d:default_value "
                "s:default_how u:output i:role r:reserved")
Record = written("Record", "s:name s:summary u:size u:result p:fields u:field_count r:reserved")
# By type: flag, uint32, uint64, real, choice, text, chars, record, and pointers to buffers, functions, what is the user's.
TYPES = [c.c_uint32, c.c_uint32, c.c_uint64, c.c_double, c.c_int, c.c_char_p, c.c_char, None] + 3 * [c.c_void_p]


def type_of(field):
    kind = made_from(field.record) if field.record else TYPES[field.type]
    return c.POINTER(kind) if field.pointer else kind * field.count if field.count else kind


def made_from(name):
    """The ctypes.Structure of the record called `name`."""
    if name not in made:
        record = Record.from_address(lib.bailey_describe(name))
        fields = {f.name.decode(): f for f in (Field * record.field_count).from_address(record.fields)}
        known = [(key, type_of(f)) for key, f in fields.items()]
        rest = record.size - c.sizeof(struct("known", known))
        made[name] = struct(name.decode(), known + [("reserved", rest * c.c_char)])
        made[name].fields = fields
    return made[name]


def convert(field, value):
    """What C has for a dict, a list, a word or a number."""
    if isinstance(value, dict):
        return new(field.record, **value)
    if isinstance(value, list):
        return (type_of(field)._type_ * len(value))(*value)
    for choice in (Choice * field.choice_count).from_address(field.choices) if field.choices else ():
        if choice.name.decode() == value:
            return int(choice.value)
    return value.encode() if isinstance(value, str) else value


def new(name, **values):
    kind = made_from(name)
    return kind(**{key: convert(kind.fields[key], value) for key, value in values.items()})


def call(function, *arguments):
    """Structs go by their addresses; a status that is not OK is an exception with the library's message."""
    if getattr(lib, function)(*(c.byref(a) if isinstance(a, c.Structure) else a for a in arguments)):
        raise ValueError(lib.bailey_error_message().decode())


def main():
    context, result = c.c_void_p(), new(b"american_result")
    call("bailey_context_create", b"cpu", None, c.byref(context))
    deal = dict(type="put", spot=[100.0], volatility=[0.2], strike=100, rate=0.05, exercise_times=[1 / 3, 2 / 3, 1.0],
                exercise_count=3, paths=1024, policy_paths=1000, outer_paths=4, inner_paths=50, source={"seed": 1})
    call("bailey_american_price", context, new(b"american_params", **deal), result)
    for key, field in result.fields.items():
        print(f"{key:24} {getattr(result, key):<12.9g} {field.summary.decode()}")
    try:
        call("bailey_american_price", context, new(b"american_params", **{**deal, "strike": -1}), result)
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
