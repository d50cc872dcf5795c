#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# python_example.sh PYTHON EXAMPLE [ARGUMENT... --] TEXT...: an example in Python, or the program of the README, prints each
# TEXT; the one that draws writes deal.png too.
#
# Exit code 77: a module is not here, and BAILEY_TEST_REQUIRE has neither its name nor, for matplotlib and SciPy, "python".
set -u
python=$1
example=$2
shift 2
arguments=
case " $* " in
*' -- '*)
    while [ "$1" != -- ]; do
        arguments="$arguments $1"
        shift
    done
    shift
    ;;
esac
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1

# skip WORD...: ends, as BAILEY_TEST_REQUIRE has it
skip() {
    for word; do
        case ",${BAILEY_TEST_REQUIRE:-}," in *",$word,"*) exit 1 ;; esac
    done
    exit 77
}

# shellcheck disable=SC2086 # words of letters and digits
"$python" "$example" $arguments >said 2>&1
code=$?
cat said
if [ $code -ne 0 ]; then
    for module in torch cupy; do
        grep -q "No module named '$module'" said && skip $module
    done
    grep -q "No module named 'scipy'" said && skip python scipy
    grep -qE 'cudaError(NoDevice|InsufficientDriver)' said && skip cuda
    exit 1
fi
for text; do
    grep -qF -e "$text" said || {
        echo "FAIL: it does not print '$text'"
        exit 1
    }
done
case $example in *deal.py) ;; *) exit 0 ;; esac
grep -q '^no pictures' said && skip python
# The numbers of columns and rows stand in a PNG file at byte 16; axes with nothing in them are a third as long.
[ "$(od -An -tx1 -j1 -N3 deal.png | tr -d ' ')" = 504e47 ] &&
    [ "$(od -An -tu1 -j16 -N8 deal.png | tr -s ' ')" = " 0 0 4 76 0 0 3 32" ] && [ "$(wc -c <deal.png)" -gt 100000 ] || {
    echo "FAIL: deal.png is not four pictures of 1100 by 800: $(wc -c <deal.png) bytes"
    exit 1
}
