#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# points_tools.sh NETS ERROR: points_nets (tools/) finds the pairs of dimensions that are known to be bad and good, and
# draws all points; of points_error the errors fall as they should, and error bars cover the truth.
set -eu
nets=$1
error=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# In dimensions 358 and 401 the first 2^10 points are in two of the four quadrants; with 2^11 no pair of them is.
"$nets" pairs 402 10 >"$folder/pairs"
cat "$folder/pairs"
grep -q '^ *0 .* (0, 1)' "$folder/pairs"
grep -q '^ *9  *1  .* (358, 401)$' "$folder/pairs"
"$nets" pairs 403 11 >"$folder/pairs"
[ "$(awk '$1 == 10' "$folder/pairs" | wc -l)" -eq 0 ]
"$nets" draw 0 1 6 "$folder/pair.svg"
grep -q 't = 0' "$folder/pair.svg"
[ "$(grep -o 'h0' "$folder/pair.svg" | wc -l)" -eq 64 ]

# 65,536 points of the product: scrambled ones have less than a hundredth of the error of independent ones.
"$error" table 8 8 >"$folder/table"
cat "$folder/table"
awk '$1 == "product" { last[$2] = $NF }
     END { exit !(last["(random)"] > 0 && last["lms"] > 0 && last["owen"] > 0 && last["shift"] * 100 < last["(random)"] &&
                  last["lms"] * 100 < last["(random)"] && last["owen"] * 100 < last["(random)"]) }' "$folder/table"
"$error" cover 4 16 4 >"$folder/cover"
cat "$folder/cover"
# 95 % of 1,000 bars: 950, with a deviation of 7
awk 'NR > 1 && $2 == "product" { rows++; if ($3 < 915 || $3 > 985) exit 1 } END { exit rows != 4 }' "$folder/cover"

for wrong in "" "pairs 1 10" "pairs 22000 10" "draw 0 1 99 $folder/no.svg"; do
    status=0
    # shellcheck disable=SC2086
    "$nets" $wrong 2>"$folder/why" || status=$?
    [ "$status" -eq 2 ] && grep -q '^usage' "$folder/why"
done
status=0
"$error" table 7 8 2>"$folder/why" || status=$?
[ "$status" -eq 2 ] && grep -q '^usage' "$folder/why"
