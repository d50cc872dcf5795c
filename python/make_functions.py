# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes the functions of the payoff language as Python functions, from the only list of them.

usage: make_functions.py payoff_functions.h OUTPUT
"""
import re
import sys

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
# Made by the build of src/kernels/payoff_functions.h.
"""The functions of the payoff language. The library computes them, in double precision."""
from ._library import lib

__all__ = [{names}]
'''
FUNCTION = '''

def {name}({parameters}) -> float:
    """{summary}"""
    return float(lib.bailey_payoff_function_value({index}, [{values}]))
'''


def rows(text):
    """Name, number of arguments and summary of each function."""
    found = re.search(r"#define BLY_PAYOFF_FUNCTIONS\(X\)(.*?[^\\])\n", text, re.S)
    return re.findall(r'X\((\w+), (\d), \w+, [01],[\s\\]*"([^"]*)"\)', found[1])


def sentence(summary):
    """A summary as the first line of a docstring; x stays small."""
    return (summary if summary[1] == " " else summary[0].upper() + summary[1:]) + "."


def main(header, output):
    with open(header) as file:
        functions = rows(file.read())
    with open(output, "w") as file:
        file.write(HEAD.format(names=", ".join(f'"{name}"' for name, _, _ in functions)))
        for index, (name, count, summary) in enumerate(functions):
            arguments = "xyz"[:int(count)]
            file.write(FUNCTION.format(name=name, parameters=", ".join(f"{a}: float" for a in arguments), index=index,
                                       summary=sentence(summary), values=", ".join(f"float({a})" for a in arguments)))


if __name__ == "__main__":
    main(*sys.argv[1:])
