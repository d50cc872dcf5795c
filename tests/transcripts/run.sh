#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# What the program says, command by command, is what the files beside this one have:
#     sh tests/transcripts/run.sh [--update] path/to/bailey [NAME.txt ...]
# --update writes the files anew; the difference that `git diff` then shows is what a change did to the program.
#
# A file is a list of `$ COMMAND`, what the command wrote to standard output, to standard error (each line after `! `)
# and its exit code (`= CODE`, unless 0). Commands run in one folder, in the order of the lines; `bailey` is the
# program on the cpu device. What differs by machine is written as <...>. A file begins with comments.
# Exit code 77: the program has no jansson.
set -u
LC_ALL=C
export LC_ALL
update=false
[ "$1" = --update ] && update=true && shift
case ${1:?usage: sh run.sh [--update] path/to/bailey [NAME.txt ...]} in
/*) program=$1 ;;
*) program=$PWD/$1 ;;
esac
shift
case $0 in */*) here=$(cd "${0%/*}" && pwd) ;; *) here=$PWD ;; esac
deal=$here/../../examples/asian-basket
BAILEY_DEVICE=cpu BAILEY_BACKENDS=cpu COLUMNS=80
export BAILEY_DEVICE BAILEY_BACKENDS COLUMNS
unset BAILEY_LOG

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$dir/work" && cd "$dir/work" || exit 1
cp "$here"/*.c "$here"/*.json "$here"/*.csv "$deal"/*.csv .
sed 's|^ \* A call or put.*| * What is refused: a state without the member that is read. */|; s/= s->sum/= s->summ/' mean.c >wrong.c

bailey() {
    "$program" "$@"
}

# Help without the list of generators and the part about points, which many commands share.
folded() {
    sed '/^Generators:$/,/^$/d; /^Points:$/,/^$/d'
}

# How long it took, on what, by which version.
steady() {
    sed -E "s|$dir/work|<folder>|g
        s/(\"seconds\": )[0-9.e+-]+/\1<seconds>/g; s/^(time +)[0-9.,]+ (s|ms|min|h).*/\1<seconds>/
        s/(\"[a-z_]*per_second\": )[0-9.e+-]+/\1<speed>/g; s/[0-9.,]+ (deals|paths) per second/<speed> \1 per second/
        s/ in [0-9.]+ (ms|s|seconds)([,;: ]|$)/ in <seconds>\2/g; s/, [0-9.]+ s on cpu/, <seconds> on cpu/
        s/(\"device_name\": )\"[^\"]*\"/\1<device>/; s/^(device +cpu: ).*/\1<device>/
        s/\bbailey [0-9]+\.[0-9]+\.[0-9]+( +\*)?/bailey <version>\1/"
}

# No object of the documents on standard input has a key twice.
unique_keys() {
    python3 -c '
import json, sys
def unique(pairs):
    keys = [key for key, _ in pairs]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice: sys.exit("twice in an object: " + ", ".join(twice))
    return dict(pairs)
decoder, text = json.JSONDecoder(object_pairs_hook=unique), sys.stdin.read().strip()
while text:
    text = text[decoder.raw_decode(text)[1]:].lstrip()'
}

# transcript FILE: the file as it is now, to standard output
transcript() {
    sed '/^\$ /,$d; /^$/d' "$1"
    sed -n 's/^\$ //p' "$1" >"$dir/commands"
    while IFS= read -r command; do
        printf '\n$ %s\n' "$command"
        (eval "$command") >"$dir/out" 2>"$dir/err" </dev/null
        code=$?
        steady <"$dir/out"
        grep -v '^==[0-9]*==WARNING: ASan' "$dir/err" | steady | sed 's/^/! /; s/ $//'
        [ $code -eq 0 ] || echo "= $code"
        case $command in
        *--json* | *'bailey batch deals'*) unique_keys <"$dir/out" 2>&1 | sed 's/^/JSON: /' ;;
        esac
    done <"$dir/commands"
}

bailey batch nothing 2>&1 | grep -q 'built without jansson' && exit 77
command -v python3 >/dev/null || unique_keys() { cat >/dev/null; }
[ $# -gt 0 ] || set -- "$here"/*.txt
failed=0
for name; do
    file=$here/${name##*/}
    transcript "$file" >"$dir/now"
    if $update; then
        cp "$dir/now" "$file"
    elif ! diff -u "$file" "$dir/now"; then
        failed=$((failed + 1))
    fi
done
[ $failed -eq 0 ] || echo "FAIL: $failed of $# transcripts differ; where that is meant, run.sh --update writes them anew"
[ $failed -eq 0 ]
