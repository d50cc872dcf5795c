#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# identical.sh PROGRAM DEVICE [PART]: `bailey random`, `bailey paths`, `bailey motion`, `bailey price` and `bailey mlmc`
# with one seed give the same bytes on DEVICE as on the cpu: every generator and sequence, points, uniforms and normals, and paths of each; all named
# orders and 100 random ones, principal components, random walks, every strategy, 1 and 5 dimensions, both precisions, normals, layouts
# and outputs, odd numbers of paths. PART is one of numbers, points, variants, pca, orders, strategies, sources, motion, prices,
# products, mlmc; without it all run.
# BAILEY_TEST_LARGE also runs 1,000,003 paths in every variant, not only in two.
#
# The time goes into programs that are built at run time, one for each bridge and strategy that needs one, and
# into opening the device: so a case is here for what it alone would find.
set -eu
program=$1
device=$2
parts=${3:-numbers points variants pca orders strategies sources motion prices products mlmc}
if ! "$program" devices | grep -v 'not usable' | grep -q "^$device"; then
    case ",${BAILEY_TEST_REQUIRE:-}," in *",${device%%:*},"*) exit 1 ;; esac
    exit 77
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cat >"$directory/correlation.csv" <<'CSV'
1,0.5,0.2,0,-0.1
0.5,1,-0.3,0.1,0
0.2,-0.3,1,0.25,0.4
0,0.1,0.25,1,-0.2
-0.1,0,0.4,-0.2,1
CSV
cases=0

# same OPTIONS...: one case of seed 2026; --strategy never changes the bytes.
same() {
    same_as_given --seed 2026 "$@"
}
same_as_given() {
    "$program" paths "$@" --device cpu --output "$directory/cpu.npy" >/dev/null
    "$program" paths "$@" --device "$device" --output "$directory/device.npy" >/dev/null
    if ! cmp "$directory/cpu.npy" "$directory/device.npy"; then
        echo "$device differs from cpu: bailey paths $*"
        exit 1
    fi
    cases=$((cases + 1))
}

# The options of variant 0 .. 31, one a bit.
variant() {
    set -- "$1" ""
    [ $(($1 & 1)) = 0 ] || set -- "$1" "$2 --dims 5 --correlation $directory/correlation.csv"
    [ $(($1 & 2)) = 0 ] || set -- "$1" "$2 --precision f64"
    [ $(($1 & 4)) = 0 ] || set -- "$1" "$2 --normal box-muller"
    [ $(($1 & 8)) = 0 ] || set -- "$1" "$2 --layout path-major"
    [ $(($1 & 16)) = 0 ] || set -- "$1" "$2 --increments"
    echo "$2"
}

# Words, in pieces that begin inside a pack and a quad of steps, with the ends of runs; then what is made of them.
numbers() {
    "$program" random "$@" --device cpu --output "$directory/cpu.bin" >/dev/null
    "$program" random "$@" --device "$device" --output "$directory/device.bin" >/dev/null
    if ! cmp "$directory/cpu.bin" "$directory/device.bin"; then
        echo "$device differs from cpu: bailey random $*"
        exit 1
    fi
    cases=$((cases + 1))
}
generators=$("$program" random --help | sed -n '/^Generators:/,/^$/s/^  \([a-z0-9-]*\)  *[a-z]* *2^.*/\1/p')

# The options of a generator's published sequence, if it has one: of seed 2026 where it has seeds.
published() {
    for seed in 2026 0; do
        set -- "$1" "--generator $1 --sequence published --seed $seed"
        # shellcheck disable=SC2086
        if "$program" random $2 --count 1 --device cpu >"$directory/one.bin" 2>/dev/null; then
            echo "$2"
            return
        fi
    done
}
part_numbers() {
    for generator in $generators; do
        numbers --generator "$generator" --seed 2026 --stream 5 --first 8102 --count 40021
    done
    numbers --generator warp --warp-set 15 --seed 2026 --first 1e15 --count 40021
    # Cut into many launches: --chunk-bytes 4096 makes 40.
    numbers --generator warp --seed 2026 --first 8102 --count 40021 --chunk-bytes 4096
    sequences=0
    for generator in $generators; do
        options=$(published "$generator")
        [ -n "$options" ] || continue
        # shellcheck disable=SC2086
        numbers $options --first 1000003 --count 40021
        sequences=$((sequences + 1))
    done
    [ $sequences -ge 9 ]
    numbers --generator xorwow --sequence published --seed 2026 --stream 5 --first 1e12 --count 101
    numbers --generator mrg32k3a --sequence published --seed 2026 --stream 5 --first 1e12 --count 101
    for precision in f32 f64; do
        for generator in philox warp xorwow; do
            numbers --generator "$generator" --form uniforms --precision $precision --seed 2026 --first 4051 --count 20021
        done
        for normal in icdf box-muller; do
            for generator in philox warp xorwow; do
                for skip in 4050 4051; do # whole runs of f64, and all packs, lie aligned, or do not
                    numbers --generator "$generator" --form normals --normal $normal --precision $precision \
                        --seed 2026 --first $skip --count 20021
                done
            done
        done
    done
    for width in "f32 --word-bits 64" "f64 --word-bits 32"; do
        for generator in philox philox7 warp; do
            for form in u01 "normal --normal icdf" "normal --normal box-muller"; do
                # shellcheck disable=SC2086
                numbers --generator "$generator" --form $form --precision $width --seed 2026 --first 4051 --count 20021
            done
        done
    done
}

# Points, in every form, scramble and layout.
points() {
    numbers --generator sobol --seed 2026 --stream 5 "$@"
}
part_points() {
    numbers --generator sobol --dims 1000 --points 4097
    numbers --generator sobol --dims 3 --points 100003 --first 4294960000 --point-order index --layout dim-major
    for scramble in shift lms owen; do
        for layout in point-major dim-major; do
            for bits in 32 64; do
                points --scramble $scramble --layout $layout --word-bits $bits --dims 50 --first 1 --points 4099
            done
        done
    done
    for precision in f32 f64; do
        for layout in point-major dim-major; do
            points --scramble lms --layout $layout --form uniforms --precision $precision --dims 9 --points 5000
            for bits in 32 64; do
                points --scramble owen --layout $layout --form normals --precision $precision --word-bits $bits --dims 9 \
                    --points 5000
            done
        done
    done
    points --scramble owen --first-dim 21100 --dims 101 --points 999 --chunk-bytes 10000
}

# In every variant one path more than whole vectors; in half of the variants a single one, in half one less.
part_variants() {
    i=0
    while [ $i -lt 32 ]; do
        odd=$(((i ^ i >> 1 ^ i >> 2 ^ i >> 3 ^ i >> 4) & 1))
        for paths in $((1 + 30 * odd)) 33; do
            # shellcheck disable=SC2046
            same --steps 64 --paths $paths $(variant $i)
        done
        if [ -n "${BAILEY_TEST_LARGE:-}" ] || [ $i = 4 ] || [ $i = 27 ]; then
            # shellcheck disable=SC2046
            same --steps 7 --paths 1000003 $(variant $i)
        fi
        i=$((i + 1))
    done
}

# Principal components, and random walks by the strategy that is chosen, in every variant, with more steps than an item keeps, and with a fixed end.
part_pca() {
    i=0
    while [ $i -lt 32 ]; do
        # shellcheck disable=SC2046
        same --steps $((5 + i)) --paths $((33 + i % 3)) --construction pca $(variant $i)
        # shellcheck disable=SC2046
        same --steps $((5 + i)) --paths $((33 + i % 3)) --construction walk $(variant $i)
        i=$((i + 1))
    done
    for precision in f32 f64; do
        same --steps 300 --paths 131 --construction pca --precision $precision
        same --steps 20 --paths 131 --construction pca --precision $precision --start 3 --end 2 --generator xorwow
    done
}

# All named orders, and 100 random ones.
part_orders() {
    i=0
    for order in bisection lr-up rl-down rl-up incremental; do
        # shellcheck disable=SC2046
        same --steps 64 --paths 33 --order $order $(variant $i)
        i=$((i + 7))
    done
    # An order is data to most strategies, and a program to the others: those get every fifth one.
    i=0
    while [ $i -lt 100 ]; do
        strategy=readback
        [ $((i % 5)) != 0 ] || strategy=auto
        awk -v seed=$i 'BEGIN { srand(seed); for (k = 1; k < 64; k++) o[k] = k
            for (k = 63; k > 1; k--) { j = int(rand() * k) + 1; t = o[k]; o[k] = o[j]; o[j] = t }
            for (k = 1; k < 64; k++) print o[k] }' >"$directory/order.txt"
        # shellcheck disable=SC2046
        same --steps 64 --paths 31 --order "$directory/order.txt" --strategy $strategy $(variant $((i * 13 % 32)))
        i=$((i + 1))
    done
}

# Every strategy, in a variant of its own; blocks is for the step layout. Some need a compiler, which a CUDA
# device may not have, and PoCL 5 is refused some.
strategy() {
    name=$1
    shift
    "$program" paths "$@" --seed 2026 --device cpu --output "$directory/cpu.npy" >/dev/null
    if ! "$program" paths "$@" --seed 2026 --device "$device" --strategy "$name" \
        --output "$directory/device.npy" >/dev/null 2>"$directory/error.txt"; then
        if [ "${device%%:*}" = cuda ] && grep -q 'must be compiled' "$directory/error.txt"; then return; fi
        if grep -q 'PoCL 5 compiles it to wrong values' "$directory/error.txt"; then return; fi
        cat "$directory/error.txt"
        exit 1
    fi
    if ! cmp "$directory/cpu.npy" "$directory/device.npy"; then
        echo "$device differs from cpu: bailey paths $* --strategy $name"
        exit 1
    fi
    cases=$((cases + 1))
}
part_strategies() {
    i=1
    for name in constant vector prefetch shared reuse reuse-prefetch specialised readback blocks; do
        # shellcheck disable=SC2046
        strategy $name --steps 19 --paths 33 $(variant $((i * 11 % 32)))
        i=$((i + 1))
    done

    # A fixed end, and the user's own normals.
    same --steps 64 --paths 33 --start 1 --end 2
    same --steps 64 --paths 33 --end 2 --increments --precision f64
    "$program" paths --steps 16 --paths 100 --seed 5 --device cpu --output "$directory/z.npy" >/dev/null
    "$program" paths --steps 16 --normals "$directory/z.npy" --device cpu --output "$directory/cpu.npy" >/dev/null
    "$program" paths --steps 16 --normals "$directory/z.npy" --device "$device" --output "$directory/device.npy" >/dev/null
    cmp "$directory/cpu.npy" "$directory/device.npy"
    cases=$((cases + 1))
}

# Paths of every generator and of its published sequence, to which mt19937 cannot skip. The strategy is one that is
# built in: how paths are built has nothing to do with where their normals come from.
part_sources() {
    for generator in $generators; do
        for form in "" "--precision f64 --normal box-muller"; do
            # shellcheck disable=SC2086
            same_as_given --steps 5 --paths 133 --strategy readback --generator "$generator" --seed 2026 --stream 3 $form
        done
        options=$(published "$generator")
        if [ "$generator" = mt19937 ] || [ -z "$options" ]; then continue; fi
        # shellcheck disable=SC2086
        same_as_given --steps 5 --paths 32 --strategy readback $options
    done
    same_as_given --steps 7 --paths 100003 --generator warp --seed 2026 --chunk-bytes 1000000
    for points in "--scramble none" "--seed 2026 --stream 3 --assignment factors --precision f64" \
        "--seed 2026 --scramble owen --word-bits 64 --assignment diagonal --layout path-major" \
        "--scramble shift --point-order index --increments --chunk-bytes 100000"; do
        # shellcheck disable=SC2086
        same_as_given --steps 64 --dims 3 --paths 4099 --generator sobol $points
    done
}

# Motions at ticks of all depths, in no order, and their increments, with areas, a fixed end and 64 dimensions. Areas in
# single precision are not for devices that do not round divisions.
motion() {
    "$program" motion "$@" --seed 2026 --stream 3 --device cpu --output "$directory/cpu.npy" >/dev/null
    if ! "$program" motion "$@" --seed 2026 --stream 3 --device "$device" --output "$directory/device.npy" \
        >/dev/null 2>"$directory/error.txt"; then
        if grep -q 'does not round its divisions' "$directory/error.txt"; then return; fi
        cat "$directory/error.txt"
        exit 1
    fi
    if ! cmp "$directory/cpu.npy" "$directory/device.npy"; then
        echo "$device differs from cpu: bailey motion $*"
        exit 1
    fi
    cases=$((cases + 1))
}
part_motion() {
    awk 'BEGIN { srand(1); print "ticks"; print 0; print 1; printf "%.0f\n%.0f\n", 2 ^ 52 - 1, 2 ^ 52
        for (i = 0; i < 40; i++) printf "%.0f\n", int(rand() * 2 ^ 20) * 2 ^ (i % 32) }' >"$directory/ticks.csv"
    { head -n 1 "$directory/ticks.csv" && tail -n +2 "$directory/ticks.csv" | sort -n; } >"$directory/ordered.csv"
    for precision in f32 f64; do
        for end in "" "--end 1.5 --start 0.25"; do
            # shellcheck disable=SC2086
            set -- --depth 52 --precision $precision --first-path 137438953400 $end
            motion --at "$directory/ticks.csv" --paths 133 "$@"
            for areas in none h hk; do
                motion --at "$directory/ordered.csv" --increments --areas $areas --paths 133 "$@"
            done
        done
        motion --grid 1024 --depth 10 --dims 5 --correlation "$directory/correlation.csv" --precision $precision \
            --paths 35 --chunk-bytes 100000
        motion --at "$directory/ticks.csv" --dims 64 --precision $precision --paths 3
    done
}

deal=$(dirname "$0")/../examples/asian-basket
# price DEVICE ASSETS OPTIONS...
price() {
    on=$1
    assets=$2
    shift 2
    "$program" price asian --times "$deal/fixings.csv" --valuation 2026-01-02 --assets "$assets" \
        --correlation "$deal/correlation.csv" --rate 0.03 --paths 200003 --json --device "$on" "$@" |
        grep -oE '"(mean|standard_error|controlled)": *[^,}]*'
}

# The precisions that payoffs which divide have on the device: not every one rounds divisions in f32.
payoff_precisions() {
    if "$program" price asian --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 32 --precision f32 \
        --device "$device" >/dev/null 2>"$directory/error.txt"; then
        echo f32 f64
    elif grep -q 'does not round correctly' "$directory/error.txt"; then
        echo f64
    else
        cat "$directory/error.txt" >&2
        exit 1
    fi
}
same_price() {
    for precision in $precisions; do
        price cpu "$@" --precision "$precision" >"$directory/cpu.txt"
        price "$device" "$@" --precision "$precision" >"$directory/device.txt"
        [ -s "$directory/cpu.txt" ]
        cmp "$directory/cpu.txt" "$directory/device.txt"
        cases=$((cases + 1))
    done
}
part_prices() {
    precisions=$(payoff_precisions)
    same_price "$deal/assets.csv" --strike 100
    same_price "$deal/assets.csv" --strike 100 --generator warp --seed 7
    same_price "$deal/assets.csv" --strike 100 --generator sobol --scramble owen --seed 7 --replicates 3
    same_price "$deal/assets.csv" --strike 100 --type put --past-count 3 --past-average 104.5
    sed 's/0\.35$/-0.35/' "$deal/assets.csv" >"$directory/spread.csv"
    same_price "$directory/spread.csv" --strike 30
}

# product OPTIONS...: what `bailey price` simulates, of each output and as hexadecimal floats.
product_on() {
    on=$1
    shift
    "$program" price "$@" --paths 20003 --seed 7 --json --device "$on" |
        grep -E '^ *"(mean|price|standard_error|variance)":' >"$directory/${on%%:*}.txt"
    [ -s "$directory/${on%%:*}.txt" ]
}
product() {
    product_on cpu "$@" --precision "${precisions%% *}"
    product_on "$device" "$@" --precision "${precisions%% *}"
    if ! cmp "$directory/cpu.txt" "$directory/${device%%:*}.txt"; then
        echo "$device differs from cpu: bailey price $*"
        exit 1
    fi
    cases=$((cases + 1))
}
part_products() {
    market="--spot 100 --strike 100 --rate 0.05 --volatility 0.2"
    precisions=$(payoff_precisions)
    # shellcheck disable=SC2086
    {
        product european $market --sum fixed --sum-limit 2000
        product asian $market --steps 6
        product asian-geometric $market --steps 5 --dims 2 --correlation 0.3
        product barrier $market --steps 4 --side down --set barrier=80
        product digital $market --type put
    }
    product asian-max --steps 7
    product lookback-garch --steps 8
    product heston --spot 100 --strike 100 --rate 0.03 --correlation -0.7 --set variance=0.04 --set reversion=1.5 \
        --set mean_variance=0.04 --set sigma=0.3 --steps 8
}

# mlmc OPTIONS...: the JSON of `bailey mlmc`, except where it ran and how long.
mlmc_on() {
    on=$1
    shift
    "$program" mlmc "$@" --seed 7 --json --device "$on" |
        grep -vE '^ *"(device|device_name|seconds)":' >"$directory/${on%%:*}.txt"
    grep -q '"mean":' "$directory/${on%%:*}.txt"
}
mlmc() {
    mlmc_on cpu "$@"
    mlmc_on "$device" "$@"
    if ! cmp "$directory/cpu.txt" "$directory/${device%%:*}.txt"; then
        echo "$device differs from cpu: bailey mlmc $*"
        exit 1
    fi
    cases=$((cases + 1))
}
part_mlmc() {
    precisions=$(payoff_precisions)
    for precision in $precisions; do
        mlmc european --eps 0.05,0.02 --test-samples 2048 --finest 4 --precision "$precision"
    done
    mlmc barrier --side down --eps 0.1 --no-test --precision "${precisions##* }"
    mlmc european --eps 0.05 --no-test --generator sobol --replicates 8 --precision "${precisions%% *}"
    case $precisions in f32*) mlmc european --eps 0.05 --no-test --approximate dyadic ;; esac
}

for part in $parts; do
    "part_$part"
done
echo "$device: $cases cases are identical to cpu"
