#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# identical.sh PROGRAM DEVICE [PART]: what the program writes on DEVICE is what it writes on the cpu, byte for byte:
# files of each command, cut into many pieces, prices with all their digits, runs of levels. PART is one of files, motion,
# prices, products, mlmc; without it all run.
#
# That the library has the same bits on DEVICE is said elsewhere, once for each row of its subjects: by the golden values
# of `bailey selftest` (selftest.sh, scripts/prove), and by the laws of test_laws.c.
set -eu
program=$1
device=$2
parts=${3:-files motion prices products mlmc}
if ! "$program" devices | grep -v 'not usable' | grep -q "^$device"; then
    case ",${BAILEY_TEST_REQUIRE:-}," in *",${device%%:*},"*) exit 1 ;; esac
    exit 77
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cat >"$directory/correlation.csv" <<'CSV'
1,0.5,0.2
0.5,1,-0.3
0.2,-0.3,1
CSV
cases=0

# same COMMAND OPTIONS...: one file
same() {
    case "$*" in *--normals*) ;; *) set -- "$@" --seed 2026 ;; esac
    "$program" "$@" --device cpu --output "$directory/cpu.npy" >/dev/null
    "$program" "$@" --device "$device" --output "$directory/device.npy" >/dev/null
    if ! cmp "$directory/cpu.npy" "$directory/device.npy"; then
        echo "$device differs from cpu: bailey $*"
        exit 1
    fi
    cases=$((cases + 1))
}
part_files() {
    # In pieces that begin inside a pack and a quad of steps, with the ends of runs.
    same random --generator warp --stream 5 --first 8102 --count 40021 --chunk-bytes 4096
    same random --generator xorwow --sequence published --first 1e12 --count 40021 --chunk-bytes 5000
    same random --generator philox --form uniforms --precision f64 --first 4051 --count 20021 --chunk-bytes 5000
    same random --generator philox --form normals --precision f32 --word-bits 64 --first 4051 --count 20021
    same random --generator warp --form normals --normal box-muller --precision f64 --first 4051 --count 20021 \
        --chunk-bytes 5000
    same random --generator sobol --dims 3 --points 65536 --first 4294901760 --point-order index --layout dim-major
    same random --generator sobol --scramble owen --form normals --first-dim 21100 --dims 101 --points 1024 \
        --chunk-bytes 10000

    set -- --dims 3 --correlation "$directory/correlation.csv"
    same paths --steps 7 --paths 1000003
    same paths --steps 64 --paths 33 --precision f64 --normal box-muller --layout path-major --increments "$@"
    same paths --steps 64 --paths 31 --order lr-up --start 1 --end 2 --chunk-bytes 5000
    same paths --steps 20 --paths 131 --construction pca --generator xorwow --start 3 --end 2
    same paths --steps 20 --paths 131 --construction walk --strategy readback --layout path-major --precision f64
    same paths --steps 7 --paths 100003 --generator warp --chunk-bytes 1000000
    same paths --steps 64 --paths 4096 --generator sobol --scramble owen --increments --chunk-bytes 100000 "$@"
    "$program" paths --steps 16 --paths 100 --seed 5 --device cpu --output "$directory/z.npy" >/dev/null
    same paths --steps 16 --normals "$directory/z.npy"
}

# Ticks of all depths, in no order.
part_motion() {
    awk 'BEGIN { srand(1); print "ticks"; print 0; print 1; printf "%.0f\n%.0f\n", 2 ^ 52 - 1, 2 ^ 52
        for (i = 0; i < 40; i++) printf "%.0f\n", int(rand() * 2 ^ 20) * 2 ^ (i % 32) }' >"$directory/ticks.csv"
    { head -n 1 "$directory/ticks.csv" && tail -n +2 "$directory/ticks.csv" | sort -n; } >"$directory/ordered.csv"
    same motion --depth 52 --first-path 137438953400 --end 1.5 --start 0.25 --at "$directory/ticks.csv" --paths 133
    same motion --depth 52 --at "$directory/ordered.csv" --increments --areas hk --precision f64 --paths 133
    same motion --grid 1024 --depth 10 --dims 3 --correlation "$directory/correlation.csv" --paths 35 \
        --chunk-bytes 100000
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
    for heston in heston heston-euler; do
        product $heston --spot 100 --strike 100 --rate 0.03 --correlation -0.7 --set variance=0.04 --set reversion=1.5 \
            --set mean_variance=0.04 --set sigma=0.3 --steps 8
    done
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
