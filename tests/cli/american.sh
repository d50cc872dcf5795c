#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey price american` and `bailey price bermudan-max-call`. See common.sh.
. "${0%/*}/common.sh"

few="--paths 20000 --policy-paths 5000 --outer-paths 20 --inner-paths 100 --seed 1"
put="price american --spot 36 --strike 40 --rate 0.06 --volatility 0.2 --steps 10 $few"
other="price american --rate 0.06 --volatility 0.2 --steps 10 --paths 20000 --policy-paths 5000 --inner-paths 100"
call="price bermudan-max-call --spot 100,100 --strike 100 --rate 0.05 --dividend 0.1 --volatility 0.2 --maturity 3 $few"

# value LABEL: the number and the error of a line of the report
value() {
    sed -n "s/^  $1  *\([-0-9.e+]*\)  +- \([0-9.e+-]*\) .*/\1 \2/p" out
}

# holds VALUE: it is between the bounds, within 4 of their errors, and these are as they should be
holds() {
    echo "$(value 'lower bound') $(value 'upper bound') $(value price)" | awk -v value="$1" '
        { exit !($1 < value + 4 * $2 && $3 > value - 4 * $4 && $4 >= $2 && ($1 + $3 - 2 * $5) ^ 2 < 1e-12) }' && pass ||
        fail "$1 is not between the bounds: $(grep +- out)"
}

good $put
holds 4.463
grep -q '^Bermudan put on 1 asset, .* 10 times, the last in 1 year$' out && pass || fail "the deal"
grep -q 'interval of 95 %  *4\.[0-9]* \.\. 4\.[0-9]*$' out && pass || fail "the interval"
grep -q '^policy   from 5,000 paths, with 4 basis functions$' out && pass || fail "the policy"
grep 0x out >a
good $put --device cpu --type put
grep 0x out >b
cmp -s a b && pass || fail "other bits than cpu"
good $put --type call
grep -q '^Bermudan call on 1 asset' out && pass || fail "the call"
good $call
holds 13.902
grep -q 'with 10 basis functions$' out && pass || fail "the functions"
grep 0x out >a
good price bermudan-max-call --spot 100 --dims 2 --strike 100 --rate 0.05 --dividend 0.1 --volatility 0.2 --maturity 3 $few
grep 0x out >b
cmp -s a b && pass || fail "assets that are alike, once and twice"
printf 'name,spot,volatility,dividend\nA,100,0.2,0.1\nB,100,0.2,0.1\n' >assets.csv
good price bermudan-max-call --assets assets.csv --strike 100 --rate 0.05 --maturity 3 $few
grep 0x out >b
cmp -s a b && pass || fail "assets of a file"

good $put --json
check "price american --json" valid_json out
for key in price standard_error lower lower_standard_error upper upper_standard_error in_sample steps paths policy_paths; do
    grep -q "^ *\"$key\": [0-9]" out && pass || fail "the JSON has no $key"
done
good $other --spot 36 --strike 40 --lower-only --json
grep -q '^  "upper": null,' out && check "no upper bound" valid_json out
grep -q '^  "standard_error": null,' out && pass || fail "an error of the price without an upper bound: $(cat out)"
good $other --spot 20 --strike 40 --outer-paths 2
grep -q '^Immediate exercise is optimal.$' out && pass || fail "exercise today"

bad 2 "^bailey price american: --strike K is required" price american --spot 36 --rate 0.06 --volatility 0.2
bad 2 "^bailey price american: --volatility V.* is required" price american --spot 36 --rate 0.06 --strike 40
bad 2 "\-\-spot: 2 numbers for 1 assets" $other --spot 36,37 --strike 40
bad 2 "\-\-target-error: not for American" $put --target-error 0.1
bad 2 "\-\-set: not for American" $put --set strike=3
bad 2 "\-\-model: american has one model; bermudan takes any" $put --model heston
bad 2 "\-\-generator: .*points" $put --generator sobol
bad 2 "\-\-strike: 0 is not positive" $other --spot 36 --strike 0
bad 2 "\-\-basis-functions: 16 is outside" $put --basis-functions 16
bad 2 "\-\-outer-paths is 0; use --lower-only for no upper bound" $other --spot 36 --strike 40 --outer-paths 0
bad 2 "\-\-outer-paths: 4, but lower_only is 1" $other --spot 36 --strike 40 --outer-paths 4 --lower-only
bad 2 "\-\-outer-paths: 1 is outside its limits, 2 to" $other --spot 36 --strike 40 --outer-paths 1
bad 2 "\-\-type: bermudan-max-call is a call" $call --type put
bad 2 "\-\-correlation" $call --correlation 2
finish
