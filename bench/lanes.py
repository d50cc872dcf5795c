#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The vector instructions of payoff code on processors: python3 bench/lanes.py PROGRAM [PRODUCT ...].

Prices the example of each product's help on one thread, with the C compiler as it is and without vectorisation,
and prints processor time per path, without that of 2^14 paths, and whether the bits agree.
"""
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile

PRODUCTS = "autocall barrier-dates basket bermudan double-barrier-dates parisian range-accrual tarn"
FEW, PATHS = 1 << 14, 1 << 18


def example(program, product):
    text = subprocess.run([program, "price", product, "--help"], capture_output=True, text=True, check=True).stdout
    line = re.search(rf"^  bailey price ({product} .*)$", text.replace("\\\n", " "), re.M)
    return shlex.split(line.group(1))


def price(program, options, paths, environment):
    """The processor time in seconds, and the bits."""
    command = [program, "price", *options, "--device", "cpu", "--threads", "1", "--paths", str(paths)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, re.findall(r"0x\S+", text)


def measure(program, options, environment):
    """The processor time per path in nanoseconds, and the bits."""
    price(program, options, FEW, environment)  # which compiles
    few = min(price(program, options, FEW, environment)[0] for _ in range(3))
    many = [price(program, options, PATHS, environment) for _ in range(3)]
    return (min(seconds for seconds, _ in many) - few) / (PATHS - FEW) * 1e9, many[0][1]


def main(program, *products):
    with tempfile.TemporaryDirectory() as folder:
        compiler = os.path.join(folder, "cc")
        with open(compiler, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nexec cc -fno-tree-vectorize -fno-tree-slp-vectorize "$@"\n')
        os.chmod(compiler, 0o755)
        ours = dict(os.environ, XDG_CACHE_HOME=folder)
        scalar = dict(ours, BAILEY_CC=compiler)
        for product in products or PRODUCTS.split():
            for precision in ("f32", "f64"):
                options = [*example(program, product), "--precision", precision]
                (lanes, bits), (slow, same) = measure(program, options, ours), measure(program, options, scalar)
                print(f"{product:24} {precision} {lanes:10.1f} ns, scalar {slow:10.1f}: {slow / lanes:5.2f}",
                      "" if bits == same else "OTHER BITS", flush=True)


main(*sys.argv[1:])
