# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes the declarations of the public headers as a Python file that cffi loads.

usage: make_declarations.py COMPILER INCLUDE_DIR OUTPUT
"""
import os
import re
import subprocess
import sys
import tempfile

import cffi

HEADERS = ("bailey", "describe", "copulas", "halves", "integers", "points", "simulation", "gradient", "exercise", "greeks", "american", "job", "mlmc", "motion", "correlation", "local_volatility")

# What bailey/cuda.h declares, without cuda.h: handles are pointers, addresses are numbers.
CUDA = """
bailey_status bailey_context_create_cuda(void *cuda_context, void *stream, const bailey_context_params *params,
                                         bailey_context **context);
bailey_status bailey_buffer_adopt_cuda(bailey_context *context, unsigned long long pointer, uint64_t bytes,
                                       bailey_buffer **buffer);
"""


def preprocess(compiler, include):
    """The declarations, without macros, as the compiler's preprocessor leaves them."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in ("stdint.h", "stddef.h"):
            open(os.path.join(stubs, name), "w").close()
        text = "".join(f"#include <bailey/{name}.h>\n" for name in HEADERS)
        command = [compiler, "-E", "-P", "-U__GNUC__", "-nostdinc", "-I", stubs, "-I", include, "-"]
        done = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, universal_newlines=True)
    return done.stdout


def constants(include):
    """Macros that are plain numbers."""
    found = {}
    for name in HEADERS:
        with open(os.path.join(include, "bailey", name + ".h")) as header:
            for line in header:
                match = re.match(r"#define (BAILEY_[A-Z_0-9]+) (\d+)u?(?:\s|$)", line)
                if match:
                    found[match[1]] = int(match[2])
    return found


def main(compiler, include, output):
    ffi = cffi.FFI()
    ffi.set_source("bailey._declarations", None)
    ffi.cdef(preprocess(compiler, include) + CUDA)
    ffi.emit_python_code(output)
    with open(output, "a") as file:
        file.write("\nconstants = " + repr(constants(include)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
