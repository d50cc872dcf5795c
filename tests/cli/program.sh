#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: help, dispatch, devices, self-test. See common.sh.
. "${0%/*}/common.sh"

# ---- Help, version, dispatch ----

"$bailey" >out 2>err
[ $? -eq 2 ] && grep -q '^usage: bailey' out && pass || fail "bailey alone"
good --help
grep -q 'selftest' out && pass || fail "--help lists the commands"
good --version
grep -q '^bailey [0-9]*\.[0-9]*\.[0-9]*$' out && pass || fail "--version"
for command in paths random batch devices selftest 'price asian' 'bench bridge' 'bench random' 'bench normal' 'bench quality'; do
    # shellcheck disable=SC2086
    good $command --help
    grep -q "^usage: bailey $command " out && grep -q '^Examples:' out && pass || fail "$command --help"
    awk 'length > 120 { exit 1 }' out && pass || fail "$command --help: a long line"
    good help ${command%% *}
done
for words in "price --help" "help price"; do
    # shellcheck disable=SC2086
    good $words
    grep -q '^  european ' out && grep -q '^  heston ' out && grep -q 'bailey price --payoff' out && pass || fail "$words lists the products"
done
products=$("$bailey" price --help | sed -n 's/^  \([a-z-]*\)  *an* .*/\1/p')
[ "$(echo "$products" | wc -l)" -ge 11 ] && pass || fail "price --help lists the products: $products"
for product in $products; do
    good price $product --help
    grep -q "^usage: bailey price $product " out && grep -q '^Examples:' out && pass || fail "price $product --help"
    awk 'length > 120 { exit 1 }' out && pass || fail "price $product --help: a long line"
done
good price --payoff --help
grep -q '^usage: bailey price --payoff FILE ' out && awk 'length > 120 { exit 1 }' out && pass || fail "price --payoff --help"
bad 2 "did you mean 'paths'" path
bad 2 "did you mean 'selftest'" self-test
bad 2 "did you mean 'price'" prices
bad 2 "lists the commands" xyzzy
bad 2 "a product is missing; see" price
bad 2 "unknown product 'swing'; 'bailey price --help' lists them" price swing
for words in "bench --help" "help bench"; do
    # shellcheck disable=SC2086
    good $words
    grep -q '^  bridge ' out && grep -q '^  random ' out && grep -q '^  normal ' out && pass || fail "$words lists the benchmarks"
done
good help bench random
grep -q '^usage: bailey bench random ' out && pass || fail "help bench random"
bad 2 "did you mean 'bench'" bnech
bad 2 "what to measure" bench
bad 2 "what to measure is missing" bench --json
bad 2 "unknown benchmark 'roads'; .*lists them" bench roads
bad 2 "unknown benchmark 'brige'; did you mean 'bridge'" bench brige
bad 2 "unknown benchmark 'roads'" help bench roads
bad 2 "unknown command 'foo'" help foo
bad 2 "did you mean 'paths'" help path
good help help
grep -q '^usage: bailey COMMAND' out && pass || fail "help help"
good selftest --help
grep -q '^usage: bailey selftest .*--threads' out && pass || fail "selftest --help: --threads"
bad 2 "did you mean --steps" paths --step 4
bad 2 "did you mean --precision" paths --precison f32
bad 2 "is not an option" paths 64
bad 2 "unknown option" paths --frobnicate
bad 2 "needs a value: --steps N" paths --steps
bad 2 "needs a value" paths --steps --paths 4
bad 2 "takes no value" devices --json=1
bad 2 "given twice" paths $run --steps 8 -o p.npy
if [ -c /dev/full ]; then
    "$bailey" devices >/dev/full 2>err
    [ $? -eq 1 ] && grep -q 'standard output' err && pass || fail "a full standard output"
    # as many bytes as fill a buffer, and other numbers
    for command in "" paths random devices 'price asian' 'bench bridge' 'bench random' 'bench normal' 'bench quality'; do
        # shellcheck disable=SC2086
        "$bailey" $command --help >/dev/full 2>err
        [ $? -eq 1 ] && grep -q 'cannot write standard output: No space left' err && [ "$(wc -l <err)" -eq 1 ] && pass ||
            fail "$command --help on a full standard output"
    done
fi

# ---- The benchmarks' program ----

mkdir -p alone/bin
cp "$bailey" alone/bin
whole=$bailey
export LD_LIBRARY_PATH="${whole%/*}/../..${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" # it looks for the library from where it lies
bailey=$dir/alone/bin/bailey
good paths --help
bad 1 '^bailey bench: bailey-bench is neither in /.*/alone/bin nor in /.*/alone/bin/[^ ]*bailey$' bench random --quick
libexec=$(sed -n 's/.* nor in //p' err)
bad 1 'bailey-bench is neither in' help bench
mkdir -p "$libexec"
: >"$libexec/bailey-bench"
bad 1 "^bailey bench: cannot run $libexec/bailey-bench: Permission denied$" bench
ln -sf "${whole%/*}/bailey-bench" "$libexec"
good bench random --help
bad 2 "^bailey bench random: --count: 0 is outside" bench random --count 0
bad 2 "^bailey bench: unknown benchmark 'roads'" bench roads
bad 2 "^bailey bench: unknown benchmark 'two words'" bench 'two words' ''
bailey=$whole
"$whole-bench" random --help >direct 2>err
good bench random --help
cmp -s direct out && pass || fail "bailey-bench by itself"

# ---- Devices, self-test ----

good devices
for backend in cpu cuda opencl; do
    grep -q "^$backend" out && pass || fail "devices lists $backend"
done
awk 'length > 100 { exit 1 }' out && pass || fail "devices: a long line"
good devices --json
check "devices --json" valid_json out
"$bailey" selftest >out 2>err
code=$?
grep -q '^ok    ' out && pass || fail "selftest prints its items"
[ -z "$(sed -n 's/^[a-zFAIL]*  *\(.*\)  (.*/\1/p' out | sort | uniq -d)" ] && pass || fail "selftest prints an item twice"
for item in 'words, warp' 'words, mt19937' 'normals, inverse CDF, f32' 'normals, Box-Muller, f32' 'exponential' \
    'paths, .* step-major' 'paths, .* path-major' 'increments, .* step-major' 'increments, .* path-major'; do
    grep -q "^ok  *$item" out && pass || fail "selftest has no item $item"
done
if [ $code -eq 0 ]; then
    grep -q 'items passed' out && ! grep -q '^FAIL' out && pass || fail "selftest passes"
else
    fail "selftest on $BAILEY_DEVICE: exit $code"
fi
if [ "$BAILEY_DEVICE" = cpu ]; then
    few=$(grep -c '^ok ' out)
    good selftest --all
    [ "$(grep -c '^ok ' out)" -gt $((2 * few)) ] && pass || fail "selftest --all has no more items"
    for item in 'words, warp-add' 'words, lcg, published' 'normals, Wallace' 'strategy readback' \
        'payoff of a text' 'Greeks' 'price, American put' 'multilevel'; do
        grep -q "^ok .*$item" out && pass || fail "selftest --all has no item $item"
    done
    [ -z "$(sed -n 's/^[a-zFAIL]*  *\(.*\)  (.*/\1/p' out | sort | uniq -d)" ] && pass || fail "selftest --all prints an item twice"
fi
"$bailey" selftest --json >out 2>err
check "selftest --json" valid_json out
few=$(grep -c '"item"' out)
good selftest --digests
awk -F '\t' -v few="$few" '
    NF != 3 || $2 != $3 || $2 !~ /^[0-9a-f]+$/ || length($2) != 16 { wrong = 1 }
    END { exit wrong || NR != few }' out && pass || fail "selftest --digests has not $few known digests"
bad 2 "choose one form" selftest --digests --json
bad 2 "tpu" selftest --device tpu
bad 1 "device" selftest --device cuda:999
bad 1 "device" paths $run -o p.npy --device opencl:99:99
clean "no such device"
bad 2 "threads" selftest --threads 0
# Kernels that are compiled anew: nothing in them is worth a warning of the driver's compiler.
mkdir pocl
BAILEY_CACHE_DIR='' POCL_CACHE_DIR=$dir/pocl "$bailey" random --count 4 -o r.bin >out 2>err
[ $? -eq 0 ] && [ "$(wc -c <r.bin)" -eq 16 ] && ! grep -q 'warning' err && pass || fail "a device without caches"

finish
