#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The examples that help prints do what they say. See common.sh.
#     sh tests/cli/hints.sh path/to/bailey [PYTHON]
# runs the commands, each once; with PYTHON, which takes the place of python3, what hands files and pipes to it, and nothing
# (exit code 77) where it has no NumPy. They are made smaller, see `adapt` of common.sh.
. "${0%/*}/common.sh"
python=${2+python}

mkdir bin
ln -s "$bailey" bin/bailey
printf '#!/bin/sh\nhead -c 1000000 >/dev/null\n' >bin/RNG_test
[ -z "${2:-}" ] || printf '#!/bin/sh\nexec "%s" "$@"\n' "$2" >bin/python3
chmod +x bin/*
PATH=$dir/bin:$PATH
cp "$deal"/*.csv .
cp fixings.csv dates.csv
printf '1,0.9,-0.9\n0.9,1,0.9\n-0.9,0.9,1\n' >estimated.csv
good paths --steps 64 --paths 4096 -o z.npy

if [ "$python" ] && ! python3 -c 'import numpy' 2>err; then
    echo "skipped: python3 has no NumPy"
    required python && exit 1
    exit 77
fi

# The examples of a command, one a line: as bailey prints them, lines that end with \ joined.
examples() {
    "$bailey" "$@" --help | awk '
        /^Examples:/ { on = 1; next }
        on && !/^  / { exit }
        on && (/^  [^ ]/ || more) {
            more = sub(/\\$/, "")
            sub(/^ +/, "")
            printf "%s%s", $0, more ? "" : "\n"
        }'
}

: >seen
{
    printf '\n%s\n' paths random devices selftest 'bench bridge' 'bench normal' 'bench quality' \
        'bench random' correlation
    "$bailey" price --help | sed -n 's/^  \([a-z-]*\)  *an* .*/price \1/p'
} >commands
[ "$(grep -c '^price ' commands)" -ge 11 ] && pass || fail "price --help lists the products"
while read -r command; do
    case $command,$python in
    *, | paths,* | random,* | 'price asian',*) ;;
    *) continue ;;
    esac
    # shellcheck disable=SC2086
    examples $command | adapt >list
    [ -s list ] && pass || fail "no example in the help: bailey $command --help"
    while read -r example; do
        # "..." stands for the options of the example before
        case $example in
        *' ... '*) example="${example%% ... *} $options ${example#* ... }" ;;
        *) options=${example#bailey ${command:-none} } ;;
        esac
        case "$example $python" in
        *python3*python) ;;
        *python3*) continue ;;
        *' bench '*python) continue ;;
        "bailey bench "*" --quick " | "bailey bench "*" --quick --device $BAILEY_DEVICE ") continue ;; # bench.sh has these
        esac
        case $example in
        *--paths[\ -]* | *--target-error*) ;;
        *'bailey price '*) example="$example --paths 4000" ;;
        esac
        if grep -qxF -e "$example" seen; then continue; fi
        echo "$example" >>seen
        sh -c "$example" >out 2>err </dev/null
        code=$?
        case $example in BAILEY_LOG=*) : >err ;; esac
        [ $code -eq 0 ] && silent && pass || fail "the help's example: $example"
    done <list
done <commands

if [ "$python" ]; then
    for command in paths random 'price asian'; do
        # shellcheck disable=SC2086
        "$bailey" $command --help | grep -oE "(numpy|pandas)\.[a-z_]+\('[^')]*'[^)]*\)(\[[^]]*\])?" >list
        while read -r expression; do
            if [ "${expression#pandas}" != "$expression" ] && ! python3 -c 'import pandas' 2>err; then
                echo "skipped: python3 has no pandas: $expression"
                continue
            fi
            check "the help's Python" python3 -c "
import ${expression%%.*}
i = j = p = 0
assert ($expression).size > 0"
        done <list
    done
fi
finish
