#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# products_page.sh PROGRAM PAGE [--update]: the page's table of products is what the program's help says of them.
# --update writes it.
set -eu
LC_ALL=C
export LC_ALL
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

# A row of the help of a product: the options that it needs.
row() {
    "$1" price "$2" --help | awk -v name="$2" -v summary="$3" '
        /^usage:/ { usage = 1 }
        /^$/ { usage = 0 }
        usage && !/^usage:/ && / bailey price / { usage = 0 }
        usage { for (i = 1; i <= NF; i++) if ($i ~ /^--/) needs = needs (needs ? " " : "") $i }
        END { printf "| `%s` | %s | %s |\n", name, summary, needs ? "`" needs "`" : "" }'
}

{
    echo '| product | what it is | what it needs |'
    echo '| --- | --- | --- |'
    "$1" price --help | sed -n 's/^  \([a-z][a-z0-9-]*\)  *\(an* .*\)$/\1 \2/p' | while read -r name summary; do
        row "$1" "$name" "$summary" </dev/null
    done
} >"$dir/table"
[ "$(wc -l <"$dir/table")" -gt 10 ] || { echo "FAIL: $1 price --help lists too few products" && exit 1; }
awk -v table="$dir/table" '
    /^\| product \| what it is \|/ { while ((getline line <table) > 0) print line; old = 1; found = 1 }
    old && /^\|/ { next }
    { old = 0; print }
    END { exit !found }' "$2" >"$dir/page" || { echo "FAIL: $2 has no table of products" && exit 1; }
if [ "${3:-}" = --update ]; then
    cp "$dir/page" "$2"
elif ! diff "$2" "$dir/page"; then
    echo "FAIL: the table of $2 is not what $1 says; sh tests/products_page.sh PROGRAM $2 --update writes it"
    exit 1
fi
