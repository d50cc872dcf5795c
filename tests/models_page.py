#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The tables of models and of products in docs/models.md, made from what their files say of themselves.

    models_page.py SOURCE [--update]

Fails where the page has others; --update writes them.
"""
import glob
import os
import re
import sys

QUESTIONS = ("price", "variance", "discount", "discount_in", "bond", "rate", "growth", "known_growth", "price_growth")


def head(code):
    """Summary and lines of the head comment."""
    text = "\n".join(re.sub(r"^ \* ?", "", line) for line in code.split("/**", 1)[1].split("*/", 1)[0].split("\n"))
    paragraphs = [" ".join(p.split()) if n < 1 else p for n, p in enumerate(re.split(r"\n\s*\n", text.strip()))]
    lines = dict(re.findall(r"^([a-z]+(?:\[\d\] \w+)?): (.*(?:\n    .*)*)", paragraphs[-1], re.M))
    return paragraphs[0].rstrip("."), {name: " ".join(value.split()) for name, value in lines.items()}


def parameters(code):
    """Names of the parameters; those with a default in brackets."""
    body = re.search(r"typedef struct \{(.*?)\} params;", code, re.S)
    found = re.findall(r"^ +(?:real|int) (\w+)(?:\[.*?\])?; +/\*(.*?)\*/", body.group(1) if body else "", re.M | re.S)
    return ", ".join(f"[`{name}`]" if "default" in about else f"`{name}`" for name, about in found)


def read(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.c"))):
        with open(path, encoding="utf-8") as file:
            yield file.read()


def models(folder):
    yield "| model | what it is | usually over | answers | parameters | steps | source |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for code in read(folder):
        summary, lines = head(code)
        answers = [f"`{q}`" for q in QUESTIONS if re.search(rf"^real {q}\(const state", code, re.M)]
        most = "at most " + lines["step"] if "step" in lines else ""
        steps = f"{most}, with a bias" if "coarser" in lines else f"exact, {most}" if most else "exact, any"
        below = f"`{lines['model']}`" if "model" in lines else ""
        steps = steps if answers else "those of its layers"
        yield (f"| `{lines['name']}` | {summary} | {below} | {', '.join(answers)} | {parameters(code)} | {steps} "
               f"| {lines.get('source', '')} |")


def products(folder):
    yield "| product | what it is | asks | parameters | controls | usual model |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for code in read(folder):
        summary, lines = head(code)
        body = re.split(r"^\w+ (?:control_|date_|pays_with|closed_form)", code.split("*/", 2)[-1], maxsplit=1, flags=re.M)[0]
        controls = re.findall(r"^ \* control: (\w+)", code, re.M)
        controls += ["closed form"] if "real closed_form(" in code else []
        asks = [f"`{q}`" for q in QUESTIONS if re.search(rf"\b{q}\(", body)]
        yield (f"| `{lines['name']}` | {summary} | {', '.join(asks)} | {parameters(code)} | {', '.join(controls)} "
               f"| `{lines['model']}` |")


def main():
    source, page = sys.argv[1], os.path.join(sys.argv[1], "docs", "models.md")
    with open(page, encoding="utf-8") as file:
        before = file.read()
    after = before
    for first, rows in (("| model |", models(os.path.join(source, "src/host/simulate/models"))),
                        ("| product |", products(os.path.join(source, "src/host/simulate/products")))):
        table = "\n".join(rows) + "\n"
        after, count = re.subn(rf"^{re.escape(first)}.*\n(\|.*\n)+", lambda _: table, after, count=1, flags=re.M)
        if count != 1 or table.count("\n") < 8:
            sys.exit(f"FAIL: {page} has no table that begins with {first}, or it is too short")
    if "--update" in sys.argv:
        with open(page, "w", encoding="utf-8") as file:
            file.write(after)
    elif before != after:
        sys.exit(f"FAIL: the tables of {page} are not what the files say; models_page.py SOURCE --update writes them")


main()
