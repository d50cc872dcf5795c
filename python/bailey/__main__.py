# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""python -m bailey: the program `bailey`, which wheels bring with them."""
import os
import shutil
import sys


def program() -> str:
    """The program that BAILEY_PROGRAM names, that of the wheel, or one in the PATH."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "bailey")
    found = os.environ.get("BAILEY_PROGRAM") or (beside if os.path.exists(beside) else shutil.which("bailey"))
    if found is None:
        sys.exit("bailey: this package has no program: it was built without BAILEY_BUILD_CLI, and PATH has none")
    return found


if __name__ == "__main__":
    path = program()
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"bailey: {path}: {error.strerror}")
