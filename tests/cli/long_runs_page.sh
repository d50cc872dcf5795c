#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# long_runs_page.sh PROGRAM PAGE: the prices of docs/long-runs.md are the same when their commands run again, from a
# checkpoint if they have one; those of several devices where there are some. What they print is for console.sh.
set -eu
program=$1
page=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
unset BAILEY_DEVICE
sed -n '/^```console$/,/^```$/s/^\$ bailey \(price .*\)/\1/p' "$page" >commands
[ "$(grep -c . commands)" -ge 3 ] || exit 1
"$program" devices >devices 2>/dev/null || :
while read -r words; do
    case $words in
    *opencl*) grep -q '^opencl:0:0.* yes ' devices || continue ;;
    *) words="$words --device cpu" ;;
    esac
    for again in once twice; do
        # shellcheck disable=SC2086
        "$program" $words >out 2>err || {
            cat err
            echo "FAIL: bailey $words"
            exit 1
        }
        grep 0x out >$again
    done
    cmp once twice || exit 1
done <commands
