#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# Every generator, bridge kernel and strategy and the Asian price under Oclgrind, an interpreter that reports
# invalid and unaligned memory accesses, data races, barriers that only some items reach, uses of
# uninitialised values and wrong API calls:
# sh tests/oclgrind.sh path/to/bailey
# Any report, or a byte that differs from --device cpu, is a failure. Exit code 77: no Oclgrind
# (BAILEY_TEST_REQUIRE="oclgrind" makes that a failure).
set -u
LC_ALL=C
export LC_ALL

case ${1:?usage: oclgrind.sh path/to/bailey} in
/*) bailey=$1 ;;
*) bailey=$PWD/$1 ;;
esac
case $0 in
/*) here=${0%/*} ;;
*/*) here=$PWD/${0%/*} ;;
*) here=$PWD ;;
esac
deal=$here/../examples/asian-basket

# The launcher preloads its library; a library that is opened by name and asked for its symbols needs to be
# told instead.
library=$(oclgrind env 2>/dev/null | sed -n 's/^LD_PRELOAD=\([^: ]*\).*/\1/p')
if [ ! -f "$library" ]; then
    echo "Oclgrind is not installed (Debian: apt-get install oclgrind)"
    case ,${BAILEY_TEST_REQUIRE:-}, in
    *,oclgrind,*) exit 1 ;;
    esac
    exit 77
fi
BAILEY_OPENCL_LIBRARY=$library
OCLGRIND_CHECK_API=1
OCLGRIND_DATA_RACES=1
OCLGRIND_UNINITIALIZED=1
# Oclgrind 21.10 does not know some intrinsics that LLVM 14's optimisations
# make (llvm.usub.sat, llvm.experimental.noalias.scope.decl).
OCLGRIND_BUILD_OPTIONS="-O0 -disable-llvm-passes"
BAILEY_CACHE_DIR=
export BAILEY_OPENCL_LIBRARY BAILEY_CACHE_DIR
export OCLGRIND_CHECK_API OCLGRIND_DATA_RACES OCLGRIND_UNINITIALIZED OCLGRIND_BUILD_OPTIONS
unset BAILEY_LOG BAILEY_DEVICE OCLGRIND_LOG OCLGRIND_QUICK OCLGRIND_MAX_ERRORS

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1

passed=0
failed=0

# run DEVICE ARGUMENTS...: bailey succeeds and says nothing on standard error, where Oclgrind reports
run() {
    device=$1
    shift
    "$bailey" "$@" --device "$device" >out 2>err </dev/null
    code=$?
    if [ $code -ne 0 ] || [ -s err ]; then
        echo "FAIL: exit $code, $device: bailey $*"
        sed 's/^/    /' err | head -20
        return 1
    fi
}

equal() {
    if cmp -s "$1" "$2"; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "FAIL: the bytes differ: bailey $3"
}

paths() {
    rm -f c.npy o.npy
    # shellcheck disable=SC2086
    if run cpu paths $1 -o c.npy && run opencl paths $1 -o o.npy; then
        equal c.npy o.npy "paths $1"
    else
        failed=$((failed + 1))
    fi
}

# strategy NAME OPTIONS [NORMALS]: paths by a strategy against those of cpu
strategy() {
    rm -f c.npy o.npy
    # shellcheck disable=SC2086
    if run cpu paths $2 -o z.npy && run cpu paths $2 ${3:-} -o c.npy &&
        run opencl paths $2 ${3:-} --strategy $1 -o o.npy; then
        equal c.npy o.npy "paths $2 ${3:-} --strategy $1"
    else
        failed=$((failed + 1))
    fi
}

numbers() {
    rm -f c.bin o.bin
    # shellcheck disable=SC2086
    if run cpu random $1 -o c.bin && run opencl random $1 -o o.bin; then
        equal c.bin o.bin "random $1"
    else
        failed=$((failed + 1))
    fi
}

# Prices and errors as hexadecimal floats.
price() {
    # shellcheck disable=SC2086
    if run cpu price asian $1 --json && sed '/"hex"/,/}/!d' out >c.txt &&
        run opencl price asian $1 --json && sed '/"hex"/,/}/!d' out >o.txt && [ -s c.txt ]; then
        equal c.txt o.txt "price asian $1"
    else
        failed=$((failed + 1))
    fi
}

if ! "$bailey" devices 2>err | grep -q '^opencl:0:0 .*Oclgrind'; then
    echo "FAIL: bailey does not list the device of $library"
    "$bailey" devices
    cat err
    exit 1
fi

# Oclgrind's device is not a CPU to the library, so that 32 items make a run, and in groups of 128: here the end
# of one run, the beginning of the next, and two runs that are past the end.
cut="--seed 3 --first 8062 --count 700"
for generator in warp warp-add mt19937 xorwow; do
    numbers "--generator $generator $cut"
done
numbers "--generator warp $cut --form normals"
numbers "--seed 3 --first 12285 --count 9000 --form normals --normal wallace"
generators=$("$bailey" random --help | sed -n '/^Generators:/,/^$/s/^  \([a-z0-9-]*\)  *[a-z]* *2^.*/\1/p')
for generator in $generators; do
    case $generator in warp | warp-add | mt19937 | xorwow) continue ;; esac
    numbers "--generator $generator --seed 3 --first 130 --count 300"
done
for generator in $generators; do
    "$bailey" random --generator "$generator" --sequence published --count 1 --device cpu >c.bin 2>/dev/null || continue
    numbers "--generator $generator --sequence published --first 1001 --count 1030"
done
# Points: an item's packs, and tiles that end within them.
for layout in dim-major point-major; do
    points="--generator sobol --first 1020 --layout $layout --seed 3"
    numbers "$points --dims 3 --points 1100 --scramble owen"
    numbers "$points --dims 5 --points 300 --scramble lms --word-bits 64"
    numbers "$points --dims 7 --points 90 --scramble shift --form uniforms --precision f64"
    for precision in f32 f64; do
        for bits in 32 64; do
            numbers "$points --dims 2 --points 150 --form normals --precision $precision --word-bits $bits --scramble lms"
        done
    done
done
for normal in icdf box-muller; do
    for precision in f32 f64; do
        numbers "--generator xorwow --first 13 --count 211 --form normals --normal $normal --precision $precision"
    done
    numbers "--first 13 --count 211 --form normals --normal $normal"
done
# Items that take all their packs, aligned and not, and items that take fewer; then a whole run, likewise.
for skip in 128 131; do
    numbers "--seed 3 --first $skip --count 2501"
    numbers "--seed 3 --first $skip --count 2301 --form uniforms"
    numbers "--seed 3 --first $skip --count 1301 --form uniforms --precision f64"
done
numbers "--generator warp --seed 3 --first 8064 --count 8400"
numbers "--generator warp --seed 3 --first 4032 --count 4300 --form uniforms --precision f64"
numbers "--generator warp $cut --form uniforms"
numbers "--generator warp $cut --form normals --normal box-muller --precision f64"
numbers "--generator xorwow --first 13 --count 211 --form uniforms"
numbers "--generator xorwow --first 13 --count 211 --form uniforms --precision f64"

printf '1,0.5,0.2\n0.5,1,-0.3\n0.2,-0.3,1\n' >corr.csv
for precision in f32 f64; do
    for dims in 1 3; do
        if [ $dims = 1 ]; then fixed="--end 1.5"; else fixed="--correlation corr.csv --start 1,2,3 --end 1.5,-1,.25"; fi
        for increments in "" --increments; do
            all="--steps 7 --paths 37 --precision $precision --dims $dims $increments"
            for normal in icdf box-muller; do
                paths "$all --normal $normal"
                paths "$all --normal $normal --layout path-major $fixed --order rl-up"
            done
            # shellcheck disable=SC2086
            "$bailey" paths $all --device cpu -o z.npy >/dev/null || exit 1
            paths "$all --normals z.npy --order incremental"
        done
    done
    paths "--steps 5 --paths 300 --precision $precision --chunk-bytes 2600"
    paths "--steps 9 --paths 37 --precision $precision --construction pca"
    paths "--steps 9 --paths 37 --precision $precision --construction walk"
    paths "--steps 9 --paths 37 --precision $precision --construction walk --increments"
    paths "--steps 9 --paths 37 --precision $precision --construction pca --layout path-major --dims 3 \
--correlation corr.csv --start 1,2,3 --end 1.5,-1,.25"
    for generator in philox7 warp xorwow; do
        paths "--steps 5 --paths 133 --precision $precision --generator $generator"
    done
    price "--times $deal/fixings.csv --valuation 2026-01-02 --assets $deal/assets.csv --correlation \
$deal/correlation.csv --strike 100 --rate 0.03 --paths 37 --precision $precision"
done

# From Z where normals are fetched ahead or through a tile.
few="--steps 7 --paths 37"
three="$few --dims 3 --correlation corr.csv"
strategy constant "$three --increments"
strategy vector "$three --precision f64"
strategy prefetch "$three --layout path-major" "--normals z.npy"
strategy shared "$three --order incremental" "--normals z.npy"
strategy reuse "$three --increments --layout path-major"
strategy reuse-prefetch "--steps 70 --paths 37 --increments" "--normals z.npy"
strategy specialised "$three --order rl-up --layout path-major" "--normals z.npy"
strategy specialised "$few --layout path-major --increments --precision f64"
strategy blocks "--steps 33 --paths 37"
# Drawn from points: whole vectors and ends, and more than a chunk.
strategy specialised "--steps 3 --paths 1027 --generator sobol --scramble owen"
strategy specialised "$three --precision f64 --generator sobol --word-bits 64"
strategy blocks "--steps 33 --paths 36 --generator sobol"

# Items that share out the dimensions, of which the last has one fewer.
i=0
while [ $i -lt 7 ]; do
    case $i in 0) row=1 ;; *) row=0.3 ;; esac
    for j in 1 2 3 4 5 6; do
        case $j in "$i") row=$row,1 ;; *) row=$row,0.3 ;; esac
    done
    echo "$row"
    i=$((i + 1))
done >corr7.csv
seven="--dims 7 --correlation corr7.csv"
strategy specialised "--steps 9 --paths 37 $seven" "--normals z.npy"
strategy specialised "--steps 6 --paths 36 --increments --precision f64 $seven" "--normals z.npy"
strategy specialised "--steps 6 --paths 37 --end 1,2,3,4,5,6,7 $seven"
strategy specialised "--steps 5 --paths 36 --dims 7"

echo "$passed of $((passed + failed)) runs under $(oclgrind --version | sed -n '/Oclgrind/{p;q;}') passed"
[ $failed -eq 0 ]
