# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""scripts/lint on small files: what is found, and what is not.

usage: python3 lint.py SOURCE_DIR
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
loader = importlib.machinery.SourceFileLoader("lint", str(SOURCE / "scripts" / "lint"))
spec = importlib.util.spec_from_loader("lint", loader)
sys.dont_write_bytecode = True
lint = importlib.util.module_from_spec(spec)
loader.exec_module(lint)

FOUND = {
    "comment.c": "/* A whole number of paths. */\nint a;\n",
    "string.c": 'const char *a = "take a whole number of paths";\n',
    "line.hpp": "int a; // a whole number of paths\n",
    "over_lines.h": "/* First line,\n * and a whole number. */\n",
    "docstring.py": 'def f():\n    """A whole number of paths."""\n',
    "remark.py": "a = 1  # a whole number of paths\n",
    "page.md": "Pass a whole number of paths.\n",
    "item.md": "- Pass a whole number of paths.\n",
}
NOT_FOUND = {
    "code.c": "int whole_number = 1;\n",
    "word.c": 'const char *a = "whole-number";\n',
    "fence.md": "Text.\n\n```c\n/* a whole number */\n```\n",
    "span.md": "Pass `a whole number` here.\n",
    "code.py": "whole = number = 1\n",
    "table.txt": "a whole number\n",
}
LONG = "This sentence " + "goes along and " * 14 + "ends.\n"
PAGES = {  # long sentences, mean above 20, lines that hold more or less than a sentence
    "One sentence.\n": [0, 0, 0, 0],
    "One sentence. Another one.\n": [0, 0, 0, 1],
    "One sentence\nover two lines.\n": [0, 0, 0, 1],
    "One sentence.\nAnother one.\n\n- An item.\n- Another item.\n": [0, 0, 0, 0],
    LONG: [0, 1, 45.0, 0],
    "```c\n" + LONG + "```\n": [0, 0, 0, 0],
    "| a | " + LONG.strip() + " |\n": [0, 0, 0, 0],
    "See M. Giles (2008), e.g. the table.\n": [0, 0, 0, 0],
    "Pass `a. B` to it.\n": [0, 0, 0, 0],
}
failed = 0


def check(holds, what):
    global failed
    if not holds:
        failed += 1
        print(f"FAIL: {what}")


def run(*arguments, cwd):
    done = subprocess.run([sys.executable, str(cwd / "scripts" / "lint"), *arguments], cwd=cwd, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in {**FOUND, **NOT_FOUND}.items():
        pathlib.Path(name).write_text(text)
        hits = lint.Tree([name]).counts["whole-numbers"]
        check(hits == (name in FOUND), f"{name}: {hits} hits")
    for text, figures in PAGES.items():
        pathlib.Path("page.md").write_text(text)
        found = lint.Tree(["page.md"]).pages["page.md"].figures()
        check(found == figures, f"{text[:40]!r}: {found}, not {figures}")

    # The rest needs a list of files. A machine that runs a copied clone may have no git.
    if not shutil.which("git"):
        print("lint: failed" if failed else "lint: the cases without git are as they should be")
        sys.exit(1 if failed else 77)

    # A tree of its own: its table holds what there is, and nothing may become worse.
    tree = pathlib.Path(folder, "tree")
    (tree / "scripts").mkdir(parents=True)
    for name in ("lint", "lint.patterns"):
        (tree / "scripts" / name).write_bytes((SOURCE / "scripts" / name).read_bytes())
    (tree / "old.md").write_text("One. Two of your own.\n")
    subprocess.run("git init -q . && git add -A", shell=True, cwd=tree, check=True)
    check(run(cwd=tree)[0] == 1, "without a table a page is held to the rules")
    run("--update", cwd=tree)
    code, says = run(cwd=tree)
    check(code == 0, f"with its table a tree passes: {says}")
    (tree / "old.md").write_text("One. Two of your own. Three of its own.\n")
    code, says = run(cwd=tree)
    check(code == 1 and "of-own: 2 hits" in says, f"one hit more: {says}")
    (tree / "old.md").write_text("One.\n")
    check(run(cwd=tree)[0] == 0, "a page becomes better")
    (tree / "new.c").write_text("/* A whole number. */\n")
    subprocess.run(["git", "add", "-A"], cwd=tree, check=True)
    code, says = run(cwd=tree)
    check(code == 1 and "new.c:1: whole-numbers" in says, f"an error pattern in a comment: {says}")
    check(run("new.c", cwd=tree)[0] == 1 and run("old.md", cwd=tree)[0] == 0, "files that are named")

print("lint: failed" if failed else "lint: all cases as they should be")
sys.exit(failed > 0)
