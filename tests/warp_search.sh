#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# warp_search.sh PROGRAM REFUSED: warp_search (tools/) proves the shipped sets of the warp generator, refuses those of
# the file REFUSED for the reasons that they were made for, and finds a set that it proves.
set -eu
program=$1
refused=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$program" prove shipped > "$folder/shipped"
cat "$folder/shipped"
[ "$(grep -c '^set [0-9]*: period 2^1024 - 1;' "$folder/shipped")" -eq 17 ]

status=0
"$program" prove "$refused" > "$folder/refused" || status=$?
cat "$folder/refused"
[ "$status" -eq 1 ]
cat > "$folder/expected" << 'END'
set 0: NO: linear complexity 1007
set 1: NO: the characteristic polynomial is reducible
set 2: NO: irreducible, but the order divides (2^1024 - 1) / 3
set 3: NO: the characteristic polynomial is another one
set 4: NO: qa or qb is not a permutation, or a shift is not one
END
grep '^set' "$folder/refused" | diff "$folder/expected" -

# One set is enough, and a thousand candidates are made in a second; the limit is for slow builds.
"$program" find --seed 7 --count 1 --seconds 600 > "$folder/found"
"$program" prove "$folder/found" | grep '^set 0: period 2^1024 - 1;'
