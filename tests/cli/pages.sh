#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# sh tests/cli/pages.sh path/to/bailey PAGE...: the commands of these pages run. See common.sh.
#
# A command is a line that begins with "bailey" or "sed" in a block of code, with those that follow a backslash. It is made
# smaller (`adapt` of common.sh), and runs in a folder that has the files of examples/asian-basket, those that are made
# below and, of the page of an example, those beside it. "..." stands for the options of the page's last
# `bailey price asian`, or those of that deal. A benchmark of values that are spoilt on purpose has to fail;
# with BAILEY_TEST_QUICK there are no benchmarks.
. "${0%/*}/common.sh"
shift
mkdir bin
ln -s "$bailey" bin/bailey
PATH=$dir/bin:$PATH
cp "$deal"/*.csv .
cp fixings.csv dates.csv
cp correlation.csv corr.csv
printf '1,0.9,0.2\n0.9,1,0.9\n0.2,0.9,1\n' >estimated.csv
good paths --steps 64 --paths 1000 --output mine.npy
printf '{"deals": [{"product": "european", "spot": 100, "strike": 100, "rate": 0.05, "volatility": 0.2, "paths": 1000},\n' \
    >deals.json
printf '{"product": "european", "spot": 100, "strike": 90, "rate": 0.05, "volatility": 0.2, "paths": 1000}]}\n' >>deals.json

# Commands of a page, one a line, without what stands after " # ".
commands() {
    awk '/^```/ { inside = !inside; next }
        inside && (/^(bailey|sed) / || more) {
            more = sub(/\\$/, "")
            sub(/^ +/, "")
            printf "%s%s", $0, more ? "" : "\n"
        }' "$1" | sed 's/  *# .*//'
}

for page; do
    options='--times fixings.csv --valuation 2026-01-02 --assets assets.csv --strike 100 --rate 0.03'
    case $page in /*) ;; *) page=$here/../../$page ;; esac
    case $page in */examples/*) cp "${page%/*}"/* . ;; esac
    commands "$page" | adapt >list
    [ -s list ] && pass || fail "no command in $page"
    while read -r command; do
        case $command in
        *' ... '*) command="${command%% ... *} $options ${command#* ... }" ;;
        'bailey price asian '*) options=${command#bailey price asian } ;;
        esac
        case $command in 'bailey bench '*) [ -z "${BAILEY_TEST_QUICK:-}" ] || continue ;; esac
        case $command in
        'bailey bench '*--plant*) command="$command | grep FAILS" ;;
        *'bailey price '*--paths* | *--target-error* | *--payoff-template*) ;;
        *'bailey price '*) command="$command --paths 4000" ;;
        esac
        sh -c "$command" >out 2>err </dev/null && pass || fail "${page##*/}: $command"
    done <list
done
finish
