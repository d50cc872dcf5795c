#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# long_runs_page.sh PROGRAM PAGE: the commands of docs/long-runs.md run, those of several devices where there are some.
# What they print again from a checkpoint is the same.
set -eu
program=$1
page=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
unset BAILEY_DEVICE
sed -n '/^```sh$/,/^```$/s/^bailey //p' "$page" >commands
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
