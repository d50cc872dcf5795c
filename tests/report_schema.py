# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Holds JSON against docs/reference/report.schema.json: that of every command in tests/transcripts, and from
tests/cli/json.sh that of the program. Of JSON Schema it knows what schema.py writes, and refuses the rest.

usage: report_schema.py
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "..", "docs", "reference", "report.schema.json")) as schema_file:
    SCHEMA = json.load(schema_file)
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float), "integer": int}
KNOWN = {"$ref", "type", "enum", "minimum", "items", "properties", "required", "additionalProperties", "description"}


def is_kind(value, name):
    return isinstance(value, KINDS[name]) and (name == "boolean" or not isinstance(value, bool))


def problems(value, schema, where="report"):
    """The errors of a value, a sentence each."""
    assert schema.keys() <= KNOWN, schema.keys() - KNOWN
    if "$ref" in schema:
        yield from problems(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], where)
        return
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_kind(value, kind) for kind in kinds):
        yield f"{where} is {value!r:.60}, not {' or '.join(kinds)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {value!r}, none of {', '.join(schema['enum'])}"
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        yield f"{where} is {value}, below {schema['minimum']}"
    if isinstance(value, list) and "items" in schema:
        for i, inner in enumerate(value):
            yield from problems(inner, schema["items"], f"{where}[{i}]")
    if isinstance(value, dict):
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        yield from (f"{where} has no {key}" for key in schema.get("required", []) if key not in value)
        for key, inner in value.items():
            if key not in properties and others is False:
                yield f"{where} has {key}, which the schema has not"
            elif key in properties or isinstance(others, dict):
                yield from problems(inner, properties.get(key, others), f"{where}.{key}")


def name_of(words, report):
    """Which of the schemas the report of a command line has."""
    command = words.split()[0]
    if command == "batch":
        return "bailey batch" + (" error" if "error" in report else " american" if "lower" in report
                                 else " mlmc" if "rounds" in report else "")
    if "moments" in report:
        return "bailey price explain"
    return "bailey price american" if "basis_functions" in report else f"bailey {command}"


def check(words, report):
    """Fails where the report of `bailey WORDS` is not as the schema has it."""
    found = list(problems(report, SCHEMA["$defs"][name_of(words, report)]))
    assert not found, "; ".join(found[:5])


def reports_of(transcript):
    """(command line, its JSON) of a transcript, without what differs by machine."""
    with open(transcript) as file:
        parts = re.split(r"^\$ ", file.read(), flags=re.M)[1:]
    for part in parts:
        command, _, text = part.partition("\n")
        text = "\n".join(line for line in text.split("\n") if not line.startswith(("! ", "= ", "!")))
        if "|" in command or not re.match(r"bailey \w+ .*--json|bailey devices --json|bailey batch deals", command):
            continue
        text = re.sub(r": <\w+>", ": 1", text.replace('"device_name": <device>', '"device_name": ""')).strip()
        while text.startswith("{"):
            report, end = json.JSONDecoder().raw_decode(text)
            yield command.removeprefix("bailey "), report
            text = text[end:].lstrip()


def main():
    folder, count, wrong = os.path.join(HERE, "transcripts"), 0, 0
    for name in sorted(os.listdir(folder)):
        for words, report in reports_of(os.path.join(folder, name)) if name.endswith(".txt") else ():
            if words.startswith("manual"):
                continue
            count += 1
            try:
                check(words, report)
            except AssertionError as problem:
                wrong += 1
                print(f"{name}: bailey {words}: {problem}")
    print(f"{count} reports, {wrong} of them not as the schema has it")
    # A report with a key, a type or a word that is wrong is found.
    good = {"version": "1", "devices": [], "warnings": []}
    check("devices", good)
    for bad in ({**good, "more": 1}, {**good, "devices": {}}, {"version": "1", "devices": []}, {**good, "version": None}):
        wrong += not list(problems(bad, SCHEMA["$defs"]["bailey devices"]))
    sys.exit(wrong > 0 or count < 15)


if __name__ == "__main__":
    main()
