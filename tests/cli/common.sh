# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# What the tests of the program `bailey` seen from outside share; each part sources it and ends with `finish`:
#     sh tests/cli/<part>.sh path/to/bailey
# BAILEY_TEST_DEVICE chooses the device (default cpu); exit code 77: it cannot be used. Needs od, cmp, awk, grep,
# sed, sort, paste, cksum; uses python3, xmllint, mkfifo and script if they are there.
set -u
LC_ALL=C
export LC_ALL

case ${1:?usage: sh tests/cli/<part>.sh path/to/bailey} in
/*) bailey=$1 ;;
*) bailey=$PWD/$1 ;;
esac
case $0 in
/*) here=${0%/*} ;;
*/*) here=$PWD/${0%/*} ;;
*) here=$PWD ;;
esac
deal=$here/../../examples/asian-basket
BAILEY_DEVICE=${BAILEY_TEST_DEVICE:-cpu}
export BAILEY_DEVICE
unset BAILEY_LOG

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1

passed=0
failed=0

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAIL: $*"
    sed 's/^/    stderr: /' err 2>/dev/null | head -5
}

# check NAME COMMAND...: the command succeeds
check() {
    name=$1
    shift
    if "$@" >/dev/null 2>err; then pass; else fail "$name: $*"; fi
}

# What bailey itself wrote to `err`. A driver may write there too, such as its compiler's count of warnings; our
# lines begin with "bailey", and cpu has no driver. Sanitizers say that they do not know makecontext.
ours() {
    case $BAILEY_DEVICE in
    cpu) grep -v '^==[0-9]*==WARNING: ASan' err ;;
    *) grep '^bailey' err ;;
    esac
}

# Nothing, except that points are not balanced, which random.sh and paths.sh test.
silent() {
    [ -z "$(ours | grep -v -e 'warning: .*points .*balance' -e 'warning: .*emulates half precision')" ]
}

one_line() {
    # The line of payoff code that an error is of stands below it, with a caret.
    [ "$(ours | grep -vc '^    ')" -eq 1 ]
}

# good ARGUMENTS...: bailey succeeds and says nothing on standard error
good() {
    "$bailey" "$@" >out 2>err </dev/null
    code=$?
    if [ $code -eq 0 ] && silent; then pass; else fail "exit $code: bailey $*"; fi
}

# bad CODE TEXT ARGUMENTS...: bailey fails with CODE, standard error is one line with TEXT, standard output
# is empty
bad() {
    want=$1
    text=$2
    shift 2
    "$bailey" "$@" >out 2>err </dev/null
    code=$?
    if [ $code -eq "$want" ] && ours | grep -q -e "$text" && one_line && [ ! -s out ]; then
        pass
    else
        fail "exit $code, not $want with '$text': bailey $*"
    fi
}

# Prints the elements of a .npy file as hexadecimal words of 4 bytes, one a line.
words() {
    tail -c +129 "$1" | od -An -v -tx4 | tr -s ' ' '\n' | sed '/^$/d'
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# required WORD: BAILEY_TEST_REQUIRE has it, so that its absence is a failure
required() {
    case ,${BAILEY_TEST_REQUIRE:-}, in
    *,"$1",*) return 0 ;;
    *) return 1 ;;
    esac
}

valid_json() {
    if has python3; then
        python3 -c 'import json, sys
def unique(pairs):
    assert len(dict(pairs)) == len(pairs), f"a key twice: {pairs}"
json.load(open(sys.argv[1]), object_pairs_hook=unique)' "$1"
    else
        head -c 1 "$1" | grep -q '{' && tail -n 1 "$1" | grep -q '^}$'
    fi
}

valid_xml() {
    if has xmllint; then
        xmllint --noout "$1"
    else
        head -n 1 "$1" | grep -q '^<?xml' && tail -n 1 "$1" | grep -q '^</svg>$'
    fi
}

# No temporary file may be left beside `p`.
clean() {
    for leftover in .p.npy.*.tmp .p.csv.*.tmp .p.svg.*.tmp; do
        if [ -e "$leftover" ]; then
            fail "left behind: $leftover ($*)"
            rm -f "$leftover"
        fi
    done
}

# Commands that are printed somewhere, as they are run here: sizes are a thousandth of those printed, errors ten times
# as large, devices the one that is tested, benchmarks quick.
adapt() {
    sed -e 's/\([1-9]\)000000/\1000/g; s/--count 1e\([6-9]\)/--count 1e3/; s/--target-error 0\.01/--target-error 0.1/' \
        -e 's/--paths 100000\b/--paths 1000/; s/--paths 25000\b/--paths 1000/; s/--count 1073741824/--count 1048576/' \
        -e 's/--count-log2 26/--count-log2 20/; s/--paths-log2 6\.\.1[26]/--paths-log2 6..8/; s/--eps 0\.001,/--eps 0.02,/' \
        -e "s/--device [a-z][a-z:0-9]*/--device $BAILEY_DEVICE/; s/\(bailey bench [a-z]*\)/\1 --quick/"
}

# Prints the words of a raw file as hexadecimal numbers of 4 bytes, one a line.
words32() {
    od -An -v -tx4 "$1" | tr -s ' ' '\n' | sed '/^$/d'
}

# The names of the generators, as the help lists them.
generator_names() {
    "$bailey" random --help |
        awk '/^Generators:/ { on = 1; next } on && /^  [a-z]/ && $2 ~ /^(sound|linear|weak)$/ { print $1 }'
}

# OpenCL compiles for a second or more what a new kind of request needs. What the tests of the library ask such a device
# for is not asked for here again, unless BAILEY_TEST_LARGE is set.
few_programs() {
    case $BAILEY_DEVICE,${BAILEY_TEST_LARGE:-} in
    opencl*,) return 0 ;;
    *) return 1 ;;
    esac
}

# The end of every part.
finish() {
    echo "$passed checks passed, $failed failed"
    [ "$failed" -eq 0 ]
}

run="--steps 7 --paths 50"
printf '\223NUMPY\001\000v\000' >magic
printf '1,0.5\n0.5,1\n' >corr.csv

# A device that is not there is no failure, unless BAILEY_TEST_REQUIRE ("cuda,opencl") names its backend.
if ! "$bailey" paths $run -o probe.npy >out 2>err; then
    echo "$BAILEY_DEVICE cannot be used:"
    cat err
    [ "${BAILEY_DEVICE%%:*}" != cpu ] && ! required "${BAILEY_DEVICE%%:*}" || exit 1
    exit 77
fi
