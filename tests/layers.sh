#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# layers.sh SOURCE OBJECTS: the tree is as the map of scripts/layers has it, calls included; and of a tree that is not,
# scripts/layers says what is wrong.
set -eu
python3 --version >/dev/null 2>&1 || {
    echo "no Python"
    exit 77
}
"$1/scripts/layers" "$2"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/scripts" "$tree/src/base" "$tree/src/host/source" "$tree/python/bailey"
cp "$1/scripts/layers" "$tree/scripts"

# refuses WORDS: the tree is refused with these words.
refuses() {
    if words=$("$tree/scripts/layers" 2>&1); then
        echo "taken, but should be refused: $1" >&2
        exit 1
    fi
    case $words in
    *"$1"*) ;;
    *)
        printf 'no "%s" in: %s\n' "$1" "$words" >&2
        exit 1
        ;;
    esac
}

echo '#include "status.h"' >"$tree/src/base/log.h"
touch "$tree/src/base/status.h" "$tree/src/host/source/points.h"
"$tree/scripts/layers" >/dev/null
echo '#include <host/source/points.h>' >"$tree/src/base/status.h"
refuses 'src/base/status.h (base) may not use src/host/source/points.h (source): includes it'
echo '#include "log.h"' >"$tree/src/base/status.h"
refuses 'a circle: src/base/log.h src/base/status.h'
: >"$tree/src/base/status.h"
echo 'from ._b import f' >"$tree/python/bailey/_a.py"
echo 'from . import _a' >"$tree/python/bailey/_b.py"
refuses 'a circle: python/bailey/_a.py python/bailey/_b.py'
