#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# sh tests/cli/pages.sh path/to/bailey PAGE...: the commands of these pages run. See common.sh.
#
# A command is a line that begins with "bailey" in a block of code, with those that follow a backslash. It is made
# smaller (`adapt` of common.sh), and runs in a folder that has the files of examples/asian-basket and those that are
# made below. "..." stands for the options of the page's last `bailey price asian`, or those of that deal. Of
# benchmarks, which take long, only the options are looked up, unless BAILEY_TEST_LARGE is set.
. "${0%/*}/common.sh"
shift
mkdir bin
ln -s "$bailey" bin/bailey
PATH=$dir/bin:$PATH
cp "$deal"/*.csv .
cp fixings.csv dates.csv
cp correlation.csv corr.csv
good paths --steps 64 --paths 1000 --output mine.npy
printf '{"deals": [{"product": "european", "spot": 100, "strike": 100, "rate": 0.05, "volatility": 0.2, "paths": 1000},\n' \
    >deals.json
printf '{"product": "european", "spot": 100, "strike": 90, "rate": 0.05, "volatility": 0.2, "paths": 1000}]}\n' >>deals.json

# Commands of a page, one a line, without what stands after " # ".
commands() {
    awk '/^```/ { inside = !inside; next }
        inside && (/^bailey / || more) {
            more = sub(/\\$/, "")
            sub(/^ +/, "")
            printf "%s%s", $0, more ? "" : "\n"
        }' "$1" | sed 's/  *# .*//'
}

# The options of a benchmark are those that its help has.
has_options() {
    # shellcheck disable=SC2086
    set -- $1
    "$bailey" bench "$3" --help >help 2>err || return 1
    shift 3
    for word; do
        case $word in --*) grep -q -e "$word" help || return 1 ;; esac
    done
}

for page; do
    options='--fixings fixings.csv --valuation 2026-01-02 --assets assets.csv --strike 100 --rate 0.03'
    case $page in /*) ;; *) page=$here/../../$page ;; esac
    commands "$page" | adapt >list
    [ -s list ] && pass || fail "no command in $page"
    while read -r command; do
        case $command in
        *' ... '*) command="${command%% ... *} $options ${command#* ... }" ;;
        'bailey price asian '*) options=${command#bailey price asian } ;;
        esac
        case $command,${BAILEY_TEST_LARGE:-} in
        'bailey bench'*,)
            has_options "$command" && pass || fail "${page##*/}: $command"
            continue
            ;;
        *'bailey price '*--paths* | *--target-error* | *--payoff-template*) ;;
        *'bailey price '*) command="$command --paths 4000" ;;
        esac
        sh -c "$command" >out 2>err </dev/null && pass || fail "${page##*/}: $command"
    done <list
done
finish
