#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The wheel as docs/python.md makes it: built in a clean environment, installed in another, and run from there with no
# compiler in reach. It fetches packages and builds the library, so it is for BAILEY_TEST_LARGE alone.
#
#     wheel.sh SOURCE PYTHON
set -eu
[ -n "${BAILEY_TEST_LARGE:-}" ] || exit 77
source=$(cd "${1:?usage: wheel.sh SOURCE PYTHON}" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
unset PYTHONPATH
"$2" -m venv "$dir/build"
"$dir/build/bin/pip" wheel -q --no-deps -C cmake.define.BAILEY_CUDA="${BAILEY_CUDA:-AUTO}" -w "$dir/wheels" "$source"
"$2" -m venv "$dir/run"
"$dir/run/bin/pip" install -q "$dir"/wheels/bailey-*-py3-none-*.whl
found=$(env -i HOME="$dir" PATH=/nonexistent BAILEY_DEVICE=cpu "$dir/run/bin/python" \
    "$source/examples/python/quick_start.py")
[ "$found" = "7.1190 +- 0.0061" ] || {
    echo "quick_start.py of the wheel prints '$found'"
    exit 1
}
"$dir/build/bin/pip" install -q auditwheel
"$dir/build/bin/auditwheel" show "$dir"/wheels/*.whl
