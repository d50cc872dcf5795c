#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# prove.sh SCRIPT PROGRAM: scripts/prove on a program that plays three devices with the results of cpu, and then on
# cpu and OpenCL, where it is. The short self-test: that of all items runs in selftest_cpu.
set -eu
script=$1
program=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "FAIL: $*"
    cat "$dir/out" "$dir/err"
    exit 1
}

# has TEXT: the table has it
has() {
    grep -qF -- "$1" "$dir/out" || fail "no line with: $1"
}

# prove CODE ARGUMENT...
prove() {
    wanted=$1
    shift
    code=0
    "$script" --few "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ $code = "$wanted" ] || fail "exit code $code, not $wanted"
}

# Alters item `words, warp` of opencl:0:0 where $dir/change is, and stops there after an item where $dir/stop is.
BAILEY_BACKENDS=cpu "$program" selftest --digests --device cpu >"$dir/digests"
items=$(wc -l <"$dir/digests" | tr -d ' ')
[ "$items" -gt 10 ] || fail "the self-test has $items digests"
cat >"$dir/program" <<END
#!/bin/sh
case "\$*" in
--version) echo 'bailey 9.9.9' ;;
devices*) cat "$dir/devices" ;;
*opencl*)
    if [ -e "$dir/change" ]; then
        awk -F '\t' -v OFS='\t' '\$1 == "words, warp" { \$2 = "0123456789abcdef" } { print }' "$dir/digests"
        echo 'bailey selftest: 1 of 9 items failed on opencl:0:0, first: words, warp' >&2
        exit 1
    elif [ -e "$dir/stop" ]; then
        head -n 1 "$dir/digests"
        echo 'bailey selftest: the driver | said no' >&2
        exit 1
    else
        sed '\$d' "$dir/digests"
    fi ;;
*) cat "$dir/digests" ;;
esac
END
chmod +x "$dir/program"
device() {
    printf '    {\n      "address": "%s",\n      "usable": %s,\n      "reason": "%s",\n' "$1" "$2" "$3"
    printf '      "kind": "cpu",\n      "name": "%s",\n      "driver": "%s",\n      "allocation_bytes": 1\n    },\n' "$4" "$5"
}
{
    device cuda false 'no \"libcuda.so.1\"' '' ''
    device opencl:0:0 true '' 'a | device' 'driver 1.0'
    device cpu true '' processor C
} >"$dir/devices"

prove 0 --program "$dir/program"
has 'bailey 9.9.9, '
has '| cuda | cuda |  |  | refused: no "libcuda.so.1" |'
has "| opencl:0:0 | opencl | a   device | driver 1.0 | $((items - 1)) items as known |"
has "| cpu | cpu | processor | C | $items items as known |"
has '| item | digest | opencl:0:0 | cpu |'
[ "$(grep -c '| = |$' "$dir/out")" = "$items" ] || fail "not a row for each item"
has "all 2 devices agree on all $items items, opencl:0:0 has $((items - 1)) of them"
prove 0 --program "$dir/program" --device cpu
has "1 device agrees with the known digests on all $items items"
prove 1 --program "$dir/program" --device cuda
touch "$dir/change"
prove 1 --program "$dir/program"
has "| 1 of $items items differ |"
has '| **0123456789abcdef** | = |'
[ "$(sed -n '$p' "$dir/out")" = 'these differ: words, warp on opencl:0:0' ] || fail "the last line"
rm "$dir/change"
touch "$dir/stop"
prove 1 --program "$dir/program"
has '| 1 items as known; stopped: bailey selftest: the driver   said no |'
[ "$(sed -n '$p' "$dir/out")" = 'these differ: opencl:0:0 stopped' ] || fail "the last line"
prove 2 --unknown

# The devices themselves.
prove 0 --program "$program" --device cpu
has "1 device agrees with the known digests on all $items items"
opencl=$("$program" devices | awk '$1 ~ "^opencl:" && !/not usable/ { print $1; exit }')
[ -n "$opencl" ] || exit 0
prove 0 --program "$program" --device cpu --device "$opencl"
has 'all 2 devices agree on all '
