#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# sh tests/cli/console.sh path/to/bailey PAGE...: each `console` block of these pages prints what it shows. See common.sh.
#
# A line that begins with "$ " is a command; after a backslash it has another line. The lines below it stand in its errors
# and then its output, in their order, not necessarily side by side: a page leaves out lines that name the device or the
# time. Commands run in a folder that has the files of examples/heston-levels and asian-basket, and blocks of the page: of
# JSON as deals.json, of text that begins with "name," as scenarios.csv and with "expiry," as quotes.csv, of C that begins with the comment "payoff: NAME"
# or "levels: NAME" as NAME.c. They see what earlier ones have written. Those of mpirun are for mpi.sh, and those of OpenCL for machines
# that have it.
. "${0%/*}/common.sh"
shift
mkdir bin
ln -s "$bailey" bin/bailey
PATH=$dir/bin:$PATH

# stands_in WANTED OUTPUT
stands_in() {
    awk 'FILENAME == ARGV[1] { wanted[++count] = $0; next } next_line < count && $0 == wanted[next_line + 1] { next_line++ }
        END { if (next_line < count) { print wanted[next_line + 1]; exit 1 } }' "$1" "$2"
}

# shown PAGE: the commands of the page, numbered; what number n prints is to have the lines of shown.n
shown() {
    awk '/^```console$/ { inside = 1; next }
        /^```/ { inside = 0 }
        inside && (/^\$ / || more) {
            more = /\\$/
            if (/^\$ /) { n++; printf "" >("shown." n); $0 = substr($0, 3) }
            sub(/\\$/, "")
            printf "%s%s", $0, more ? "" : "\n"
            next
        }
        inside { print >("shown." n) }' "$1"
}

bailey devices >devices 2>/dev/null || :
reads_json=yes
bailey batch none 2>&1 | grep -q 'built without jansson' && reads_json=
for page; do
    case $page in /*) ;; *) page=$here/../../$page ;; esac
    rm -rf page
    mkdir page
    cp "$here"/../../examples/heston-levels/* "$deal"/*.csv page
    printf '1,0.9,0.2\n0.9,1,0.9\n0.2,0.9,1\n' >page/estimated.csv
    awk '/^```json$/ { file = "page/deals.json"; next }
        /^```(c|text)$/ { first = 1; next }
        /^```/ { file = "" }
        first && /^\/\* (payoff|levels): [a-z-]+ \*\/$/ { file = "page/" $3 ".c" }
        first && /^name,/ { file = "page/scenarios.csv" }
        first && /^expiry,/ { file = "page/quotes.csv" }
        { first = 0 }
        file { print >file }' "$page"
    rm -f shown.*
    shown "$page" >list
    [ -s list ] && pass || fail "no command in $page"
    n=0
    while read -r command; do
        n=$((n + 1))
        case $command in
        mpirun*) continue ;;
        *opencl*) grep -q '^opencl:0:0.* yes ' devices || continue ;;
        *'bailey batch'*) [ -n "$reads_json" ] || continue ;;
        esac
        (cd page && sh -c "$command") >out 2>err </dev/null && pass || fail "${page##*/}: $command"
        missing=$(cat err out | stands_in "shown.$n" -) && pass || fail "${page##*/}: $command does not print '$missing' but $(cat out)"
    done <list
done
finish
