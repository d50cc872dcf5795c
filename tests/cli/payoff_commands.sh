#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# payoff_commands.sh PROGRAM PAGE: the commands of docs/payoffs.md, docs/american.md or docs/greeks.md run, on the page's
# texts and its table of scenarios if it has any, and give the page's numbers.
#
# Exit status 77: the program has no --payoff.
set -eu
program=$1
page=$2
"$program" price --help 2>&1 | grep -q -e --payoff || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

# The texts as NAME.c, and the commands, a line each.
awk -v dir="$dir" '
    /^```/ { inside = !inside; file = ""; next }
    inside && /^\/\* payoff: [a-z]+ \*\/$/ { file = dir "/" $3 ".c" }
    inside && /^name,/ { file = dir "/scenarios.csv" }
    inside && file { print > file; next }
    inside && (/^bailey price / || joined) { joined = /\\$/; sub(/\\$/, ""); printf "%s%s", $0, joined ? "" : "\n" }
' "$page" >"$dir/commands"
[ -s "$dir/commands" ] || exit 1
cd "$dir"
while read -r _ words; do
    # shellcheck disable=SC2086
    "$program" $words --device cpu >out
    case $words in
    *--explain*) # all of it is on the page
        if ! grep -vxF -e '' out | grep -qvxF -f "$page"; then continue; fi
        cat out
        echo "FAIL: the page does not have this, of bailey $words"
        exit 1
        ;;
    esac
    said=$(awk '$1 == "price" && $3 == "+-" { printf ": %.5f +- %.5f", $2, $4; exit }' out)
    if [ -z "$said" ] || ! grep -qF -e "$said" "$page"; then
        cat out
        echo "FAIL: the page does not have '$said', of bailey $words"
        exit 1
    fi
done <commands
