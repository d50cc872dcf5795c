#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Every block of Python, and every C program, that a page shows with its output prints that output.

    BAILEY_LIBRARY=... PYTHONPATH=... page_outputs.py CC PAGE...

The output is a block of `text` directly below the code. Python blocks of a page run one after the other and share
their names. A C block with main is compiled by CC and linked with the library.
"""
import contextlib
import importlib.util
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def run_c(cc, code, folder):
    """The output of the program, including standard error."""
    library = pathlib.Path(os.environ["BAILEY_LIBRARY"])
    source, program = folder / "page.c", folder / "page"
    source.write_text(code)
    subprocess.run([cc, "-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror", f"-I{ROOT}/include",
                    str(source), "-o", str(program), str(library), f"-Wl,-rpath,{library.parent}", "-lm"], check=True)
    return subprocess.run([str(program)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def run_python(code, names, folder):
    file = folder / f"block{len(list(folder.iterdir()))}.py"
    file.write_text(code)  # a payoff's source is read from its file
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, file, "exec"), names)
    return printed.getvalue()


def is_left_out(code):
    """Whether it needs a framework that is not here."""
    required = os.environ.get("BAILEY_TEST_REQUIRE", "").split(",")
    frameworks = set(re.findall(r"^import (torch|jax)$", code, re.M)) - set(required)
    return any(importlib.util.find_spec(name) is None for name in frameworks)


def check(cc, page, folder):
    """The number of outputs compared, and the failures."""
    text = (ROOT / page).read_text()
    blocks = list(BLOCK.finditer(text))
    names, compared, failures = {"__name__": "page"}, 0, []
    for block, following in zip(blocks, blocks[1:] + [None]):
        language, code = block.groups()
        shown = following and following[1] == "text" and not text[block.end():following.start()].strip()
        if language == "python" and is_left_out(code):
            print(f"{page}: a block is left out")
            continue
        if language == "python":
            printed = run_python(code, names, folder)
        elif language == "c" and shown and "int main(" in code:
            printed = run_c(cc, code, folder)
        else:
            continue
        if shown:
            compared += 1
            if printed != following[2]:
                failures.append(f"FAIL: {page}: this prints\n{printed}and the page shows\n{following[2]}of\n{code}")
    return compared, failures


def main(cc, *pages):
    failures = []
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            compared, found = check(cc, page, pathlib.Path(folder))
        print(f"{page}: {compared} outputs compared")
        failures += found if compared else [f"FAIL: {page} shows no output"]
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
