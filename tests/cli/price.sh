#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey price`. See common.sh.
. "${0%/*}/common.sh"

price="price asian --times $deal/fixings.csv --valuation 2026-01-02 --assets $deal/assets.csv"
price="$price --correlation $deal/correlation.csv --strike 100 --rate 0.03 --paths 20000 --seed 1"
good $price
grep -q '^  price  *[0-9]*\.[0-9]*  +- ' out && pass || fail "the price"
grep -q 'expected .* off by -*[0-2]\.[0-9]* standard errors' out && pass || fail "the check line: $(grep expected out)"
grep -q '0x1\.' out && pass || fail "the bits"
grep '0x1\.' out >a
good $price --threads 1
grep '0x1\.' out >b
cmp -s a b && pass || fail "threads change the price"
good $price --json
check "price --json" valid_json out
sed -n 's/^.*"mean": "\(0x.*\)",$/\1/p' out >b
grep -q -e "$(head -n 1 b)" a && pass || fail "the same bits in the JSON"
good price asian --times "$deal/times.csv" --assets "$deal/assets.csv" --correlation "$deal/correlation.csv" \
    --strike 100 --rate 0.03 --paths 20000 --seed 1
grep '0x1\.' out >b
cmp -s a b && pass || fail "fixings as numbers and as dates"

# Other generators: another price of the same deal, and the report says whose it is.
good $price --generator philox --sequence runs --warp-set 0 --stream 0
grep '0x1\.' out >b
cmp -s a b && pass || fail "the defaults, written out"
grep -q 'seed 1, stream 0$' out && pass || fail "the default generator is not named"
cat a >prices
for source in "--generator philox7" "--generator warp" "--generator warp --warp-set 3" "--generator mt19937 --stream 2" \
    "--generator mrg32k3a --sequence published"; do
    good $price $source
    name=${source#--generator }
    grep -q "stream [02], ${name%% *}" out && pass || fail "the report names $name"
    grep -q 'expected .* off by -*[0-3]\.[0-9]* standard errors' out && pass || fail "the check line: $(grep expected out)"
    grep '0x1\.' out >>prices
    case $source in
    *published) grep -q ", ${name%% *} (published)$" out ;;
    *set*) grep -q ", ${name%% *} (set 3)$" out ;;
    *) grep -q ", ${name%% *}$" out ;;
    esac && pass || fail "the report of $source: $(grep ^paths out)"
done
[ "$(grep -c . prices)" -eq 12 ] && [ -z "$(sort prices | uniq -d)" ] && pass || fail "two generators give one price: $(cat prices)"
good $price --generator warp --warp-set 3 --json
check "price --json of a generator" valid_json out
for pair in '"generator": "warp"' '"verdict": "sound"' '"sequence": "runs"' '"warp_set": 3,' '"seed": 1,' '"stream": 0,'; do
    grep -q "^  $pair" out && pass || fail "price --json: $pair: $(cat out)"
done
"$bailey" $price --generator lcg >out 2>err </dev/null
[ $? -eq 0 ] && one_line && grep -q 'warning: lcg is a weak generator: not for results' err && pass || fail "a weak generator"
"$bailey" $price --generator lcg --json >out 2>err </dev/null
grep -q '^    "lcg is a weak generator: not for results"' out && pass || fail "a weak generator in JSON"
bad 2 "\-\-generator: unknown value 'philox4'; choose from philox, .* did you mean philox" $price --generator philox4
bad 2 "\-\-warp-set: 16 is outside" $price --generator warp --warp-set 16
bad 2 "^bailey price asian: --sequence: .*warp" $price --generator warp --sequence published
bad 2 "^bailey price asian: --sequence: .*mt19937" $price --generator mt19937 --sequence published
good $price --word-bits 64
grep -q '^paths .* f32 from 64 bits, ' out && pass || fail "price --word-bits: $(cat out)"
grep 'price  *0x' out >wide
good $price
grep 'price  *0x' out | cmp -s - wide && fail "price --word-bits changes nothing" || pass
good $price --word-bits 64 --json
grep -q '^  "word_bits": 64,' out && pass || fail "price --json: word_bits: $(cat out)"
for order in lr-up incremental; do
    good $price --order $order --precision f64 --normal box-muller
done

# Points: one replicate has no standard error, several have that of their spread.
points="${price% --paths *} --seed 1 --generator sobol --paths 4096"
good $points
grep -q '^  price  *[0-9]*\.[0-9]*$' out && ! grep -q 'standard error  *0x' out && pass || fail "a price without an error"
grep -q '^No standard error: points of one replicate .*--replicates' out && pass || fail "why there is no error: $(cat out)"
grep -q 'seed 1, stream 0, sobol (scramble lms, 32 bits, gray order, by steps)$' out && pass || fail "whose points: $(cat out)"
good $points --json
check "price --json of points" valid_json out
grep -q '^  "standard_error": null,' out && grep -q '^    "standard_error": null' out && grep -q '^  "replicates": 1,' out &&
    grep -q '^  "paths": 4096,' out && pass || fail "price --json of one replicate: $(cat out)"
for pair in '"generator": "sobol"' '"scramble": "lms"' '"assignment": "steps"' '"point_order": "gray"' '"word_bits": 32' \
    '"stream": 0'; do
    grep -q "^  $pair," out && pass || fail "price --json: $pair: $(cat out)"
done
good $points --replicates 16 --json
check "price --json of replicates" valid_json out
grep -q '^  "replicates": 16,' out && grep -q '^  "paths": 65536,' out && pass || fail "16 replicates: $(cat out)"
good $points --replicates 16 --scramble owen --word-bits 64 --point-order index --assignment diagonal --precision f64
grep -q 'paths    65,536 (16 replicates of 4,096), f64, .* sobol (scramble owen, 64 bits, index order, by diagonal)$' out &&
    pass || fail "the report of points: $(cat out)"
grep -q 'expected .* off by -*[0-3]\.[0-9]* standard errors' out && pass || fail "the check line: $(grep expected out)"
awk '$1 == "price" && $3 == "+-" { exit !($4 > 0 && $4 < 0.05) }' out && pass || fail "the error of points: $(grep +- out)"
good $points --replicates 8 --json
python3 - out <<'END' && pass || fail "the interval of 8 replicates: $(cat out)"
import json, sys
r = json.load(open(sys.argv[1]))
low, high = r["interval_low"], r["interval_high"]
reach = 2.36462425159278 * r["controlled_standard_error"]
assert abs(r["controlled"] - reach - low) < 1e-9 and abs(r["controlled"] + reach - high) < 1e-9
END
# Replicates of a jump that agree exactly have no error bar.
jump="price digital --spot 100 --strike 150 --rate 0.05 --volatility 0.2 --generator sobol --replicates 8 --seed 1"
"$bailey" $jump --paths 1024 >out 2>err </dev/null
grep -q '+- not known$' out && ! grep -q 'interval' out && grep -q 'warning: the standard error is unknown' err &&
    pass || fail "replicates that agree: $(cat out err)"
"$bailey" $jump --paths 1024 --json >out 2>err </dev/null
grep -q '^  "standard_error": null,' out && grep -q '^  "interval_low": null,' out && grep -q 'the standard error is unknown' out &&
    pass || fail "the JSON of replicates that agree: $(cat out)"
for assignment in steps factors diagonal; do
    good $points --assignment $assignment
    grep 'price  *0x' out
done >each
[ "$(sort -u each | wc -l)" -eq 3 ] && pass || fail "assignments: $(cat each)"
good ${price% --paths *} --generator sobol --paths 4096 --scramble none
good $price --replicates 3 --json
grep -q '^  "replicates": 3,' out && grep -q '^  "paths": 60000,' out && pass || fail "replicates of philox"
bad 2 "\-\-replicates: 4, but without a scramble" price asian --times "$deal/times.csv" \
    --assets "$deal/assets.csv" --strike 1 --rate 0 --generator sobol --scramble none --replicates 4
bad 2 "\-\-seed: points without a scramble" $points --scramble none
bad 2 "\-\-replicates: 0 is outside" $points --replicates 0
bad 2 "\-\-replicates: stream 18446744073709551615 + replicates 2 exceeds" $points --replicates 2 --stream 18446744073709551615
bad 2 "\-\-scramble: unknown value 'own'; choose from .*did you mean owen" $points --scramble own
bad 2 "\-\-assignment: unknown value 'step'; choose from .*did you mean steps" $points --assignment step
bad 2 "\-\-normal: points need icdf" $points --normal box-muller
bad 2 "\-\-sequence: not with sobol" $points --sequence runs
bad 2 "\-\-scramble: only --generator sobol" $price --scramble owen
bad 2 "\-\-sequence: .*mt19937" $price --generator mt19937 --sequence published --replicates 2
"$bailey" ${points% *} 5000 >out 2>err </dev/null
[ $? -eq 0 ] && one_line && grep -q 'warning: 5000 points are not a power of two, so they are not balanced' err && pass || fail "5000 points"

bad_deal() {
    printf "$2" >d.csv
    bad 2 "$1" price asian --times f.csv --assets d.csv --strike 1 --rate 0
}
printf '1\n' >f.csv
bad_deal "d.csv is empty" ''
bad_deal "no asset" 'spot,volatility\n'
bad_deal "column volatility is missing" 'spot\n1\n'
bad_deal "did you mean volatility" 'spot,volatilty\n1,1\n'
bad_deal "unknown column '1'" '1,0.2\n'
bad_deal "occurs twice" 'spot,spot\n1,1\n'
bad_deal "line 2: spot -1 is not positive" 'spot,volatility\n-1,0.2\n'
bad_deal "spot 0 is not positive" 'spot,volatility\n0,0.2\n'
bad_deal "volatility -0.2 is negative" 'spot,volatility\n1,-0.2\n'
bad_deal "weight 0 is not" 'spot,volatility,weight\n1,0.2,0\n'
bad_deal "spot 'nan' is not" 'spot,volatility\nnan,0.2\n'
bad_deal "1 fields, but the header row has 2" 'spot,volatility\n1\n'
printf '"name",Spot,VOLATILITY\r\n"a, ""b""",100,0.2\r\n' >d.csv
good price asian --times f.csv --assets d.csv --strike 90 --rate 0.01 --paths 1000
good price asian --times f.csv --assets d.csv --strike 90 --rate 0.01 --paths 1000 --json
check "price --json, one asset" valid_json out
printf 'spot,volatility\n100,0\n' >d.csv
good price asian --times f.csv --assets d.csv --strike 90 --rate 0 --paths 1000
good price asian --times f.csv --assets d.csv --strike 90 --rate 0 --paths 1000 --json
check "price --json, no risk" valid_json out
deal_of_one="price asian --assets d.csv --times f.csv"
for option in lr-dwn bisect; do
    bad 2 "\-\-order: '$option' is not .* did you mean" $deal_of_one --strike 1 --rate 0 --order $option
done
bad 1 "\-\-order: cannot open missing.csv" $deal_of_one --strike 1 --rate 0 --order missing.csv
bad 1 "\-\-assets: cannot open missing.csv" price asian --assets missing.csv --times f.csv --strike 1 --rate 0
bad 1 "\-\-times: cannot open missing.csv" price asian --assets d.csv --times missing.csv --strike 1 --rate 0
bad 1 "\-\-correlation: cannot open missing.csv" $deal_of_one --strike 1 --rate 0 --correlation missing.csv
printf '2\n' >m.csv
bad 2 "\-\-correlation: m.csv: correlation is given, but there is only one dimension" \
    $deal_of_one --strike 1 --rate 0 --correlation m.csv
printf '1e-310\n' >close.csv
printf 'spot,volatility\n1,1e-40\n' >calm.csv
bad 2 "^bailey price asian: --times: times\[0\]" price asian --times close.csv --assets calm.csv --strike 1 --rate 0
bad 2 "^bailey price asian: --assets: .*beyond single precision" price asian --times f.csv --assets calm.csv \
    --strike 1 --rate 0
bad 2 "has 2 rows, --assets has 1" $deal_of_one --correlation corr.csv --strike 1 --rate 0
bad 2 "asian needs strike, which is neither set" $deal_of_one --rate 0
bad 2 "strike is -1, .*only a spread" $deal_of_one --strike -1 --rate 0
bad 2 "\-\-rate" $deal_of_one --strike 1 --rate nan
bad 2 "\-\-paths: 1 is too few" $deal_of_one --strike 1 --rate 0 --paths 1
printf 'spot,volatility\n100,0.2\n' >a.csv
bad 2 "not finite" price asian --times "$deal/times.csv" --assets a.csv --strike 100 --rate 50 --paths 1000
printf '10\n20\n' >f.csv
bad 2 "not finite" price asian --times f.csv --assets a.csv --strike 100 --rate 90 --precision f64 --paths 1000
printf '2026-02-30\n' >f.csv
bad 2 "there is no day 2026-02-30" $deal_of_one --valuation 2026-01-02 --strike 1 --rate 0
printf '2026-01-02\n' >f.csv
bad 2 "2026-01-02 is not greater than 0" $deal_of_one --valuation 2026-01-02 --strike 1 --rate 0
bad 2 "dates need --valuation" $deal_of_one --strike 1 --rate 0
bad 2 "a date in another form; write dates as YYYY-MM-DD: 2026-01-02" $deal_of_one --valuation 2.1.2026 --strike 1 --rate 0
bad 2 "not a day of the calendar" $deal_of_one --valuation 2026-13-01 --strike 1 --rate 0

# Spreadsheets count days: under a heading of dates, or where --valuation expects them, a number is not years.
printf 'Date\n46052\n46080\n' >f.csv
for valuation in '' '--valuation 2026-01-02'; do
    bad 2 "f.csv line 2: 46052 is a number under the header row date: write dates as YYYY-MM-DD.*is 2026-01-30" \
        $deal_of_one --strike 1 --rate 0 $valuation
done
bad 2 "line 2: 46052 is a number under the header row date" paths --times f.csv --paths 2 --output p.npy
printf '0.5\n1\n' >f.csv
bad 2 "line 1: 0.5 is a number where --valuation .* leave out --valuation for numbers of years$" \
    $deal_of_one --strike 1 --rate 0 --valuation 2026-01-02
printf 'time\n2026-01-30\n0.5\n' >f.csv
bad 2 "line 3: 0.5 is a number" $deal_of_one --strike 1 --rate 0 --valuation 2026-01-02
printf 'years\n0.5\n1\n' >f.csv
good $deal_of_one --strike 1 --rate 0 --paths 100

# The deal that was priced, and the words beside +-.
good $price
grep -q '^  price  *[0-9.]*  +- [0-9.]* standard error$' out && pass || fail "the words standard error"
grep -q '^  assets  *Harbour Energy Networks, Meridian Semiconductors, Alder Foods$' out &&
    grep -q '^  volatility  *0.19, 0.34, 0.15$' out && pass || fail "the assets"
grep -q "^  correlation  *.*asian-basket/correlation.csv$" out && pass || fail "the correlation's file"
good $price --json
if has python3; then
    check "the deal in JSON" python3 -c '
import json, sys
deal = json.load(open("out"))
values = deal["parameters"]
assert values["sign"] == 1 and values["past_count"] == 0 and values["past_average"] == 0
assert deal["assets"] == ["Harbour Energy Networks", "Meridian Semiconductors", "Alder Foods"]
assert [values[n][0] for n in ("spot", "volatility", "dividend", "weight")] == [104.5, 0.19, 0.031, 0.4]
assert deal["correlation"] == [[1, 0.42, 0.55], [0.42, 1, 0.31], [0.55, 0.31, 1]]
assert deal["correlation_source"].endswith("correlation.csv") and deal["warnings"] == []'
fi
printf 'years\n0.5\n1\n' >f.csv
printf 'name,spot,volatility\n"Fj\303\241rd, ""A""",100,0.2\n,50,0.3\n' >d.csv
good $deal_of_one --strike 75 --rate 0.01 --paths 1000
grep -q '^  correlation  *independent$' out && pass || fail "the word independent"
grep -q '^  assets  *Fj.*rd, "A", asset 2$' out && grep -q '^  spot  *100, 50$' out && pass || fail "names"
good $deal_of_one --strike 75 --rate 0.01 --paths 1000 --json
grep -q '"correlation": null' out && grep -q '"correlation_source": "independent"' out && pass ||
    fail "the JSON of independent assets"

# money: prints price, standard error of the last report
money() {
    sed -n 's/^  price  *\([-0-9.e+]*\)  +- \([-0-9.e+]*\) standard error$/\1 \2/p' out
}

# A put: what the call is worth, less the forward on the mean; one fixing is a European option.
printf 'spot,volatility\n100,0.2\n' >d.csv
printf '1\n' >f.csv
good $deal_of_one --strike 100 --rate 0.05 --paths 100000
grep -q '^asian: 1 step, ' out && pass || fail "one fixing"
good $deal_of_one --strike 100 --rate 0.05 --paths 100000 --type put
grep -q '^  sign  *-1$' out && pass || fail "a European put"
money | awk '{ exit !($1 > 5.5735 - 3 * $2 && $1 < 5.5735 + 3 * $2) }' && pass ||
    fail "a European put's price: $(money)"
grep -q '^    expected  *5.573526' out && pass || fail "a European put's closed form"
bad 2 "\-\-type: unknown value 'putt'; choose from put, call; did you mean put" $deal_of_one --strike 1 --rate 0 --type putt

# After the first fixings: (2 x 80 + 2 F) / 4 against 100 is half of F against 120.
printf '0.5\n1\n' >f.csv
good $deal_of_one --strike 120 --rate 0.05 --paths 1000 --precision f64
money | awk '{ printf "%.6f %.6f\n", $1 / 2, $2 / 2 }' >a
good $deal_of_one --strike 100 --rate 0.05 --paths 1000 --precision f64 --past-count 2 --past-average 80
money | awk '{ printf "%.6f %.6f\n", $1, $2 }' >b
cmp -s a b && pass || fail "after the first fixings: $(cat a) $(cat b)"
grep -q '^asian: 2 steps' out && grep -q '^  past_average  *80$' out && grep -q '^  past_count  *2$' out && pass ||
    fail "the report of a deal after its first fixings"
good $deal_of_one --strike 100 --rate 0.05 --paths 1000 --past-count 1 --past-average 80 --json
grep -q '"past_average": 80' out && grep -q '"past_count": 1' out && pass || fail "the past in JSON"
bad 2 "\-\-past-count 3 needs --past-average" $deal_of_one --strike 1 --rate 0 --past-count 3
bad 2 "\-\-past-average 3 needs --past-count" $deal_of_one --strike 1 --rate 0 --past-average 3
bad 2 "past_average is -3, .*the mean of the past fixings" $deal_of_one --strike 1 --rate 0 --past-count 1 \
    --past-average -3

# A spread has no geometric option, and may have a negative strike.
printf 'spot,volatility,weight\n100,0.2,1\n90,0.3,-1\n' >d.csv
good $deal_of_one --strike -5 --rate 0.05 --paths 1000
! grep -q -e 'control variate' -e 'expected' out && pass || fail "a spread with a control variate"
good $deal_of_one --strike 5 --rate 0.05 --paths 1000 --type put --past-count 1 --past-average -2 --json
! grep -q '"expected": [0-9]' out && pass || fail "a spread with a control variate"
check "price --json, a spread" valid_json out

# warned TEXT ARGUMENTS...: succeeds, with one line on standard error
warned() {
    text=$1
    shift
    "$bailey" "$@" >out 2>err </dev/null
    code=$?
    if [ $code -eq 0 ] && grep -q -e "warning: $text" err && [ "$(wc -l <err)" -eq 1 ]; then
        pass
    else
        fail "exit $code, not one warning with '$text': bailey $*"
    fi
}
printf 'name,spot,volatility,dividend\nAcme,100,4,0\n' >d.csv
warned "volatility of Acme is 4, which means 400 %; 4 % is written 0.04" $deal_of_one --strike 1 --rate 0 \
    --paths 1000
printf 'name,spot,volatility,dividend\nAcme,100,0.2,3\n' >d.csv
warned "dividend of Acme is 3" $deal_of_one --strike 1 --rate 0 --paths 100
printf 'spot,volatility\n100,0.2\n' >d.csv
warned "rate is -3" $deal_of_one --strike 1 --rate -3 --paths 100 --json
grep -A 1 '"warnings": \[' out | grep -q 'rate is -3' && pass || fail "a warning in JSON"
check "price --json with a warning" valid_json out
warned "every payoff is 0: the price is 0, or too small for this number of paths" $deal_of_one --strike 100000 --rate 0 --paths 100
printf '1\n101\n' >f.csv
warned "the last fixing is more than 100 years away (101)" $deal_of_one --strike 100 --rate 0 --paths 100

# The same digits in a currency 2^-120 as large; what single precision does not hold is refused.
printf '0.5\n1\n' >f.csv
good $deal_of_one --strike 100 --rate 0.05 --paths 1000 --precision f64 --json
sed -n 's/^.*"mean": "\(0x[0-9a-f.]*\)p.*$/\1/p' out >a
printf 'spot,volatility\n7.52316384526264e-35,0.2\n' >d.csv
good $deal_of_one --strike 7.52316384526264e-35 --rate 0.05 --paths 1000 --precision f64 --json
sed -n 's/^.*"mean": "\(0x[0-9a-f.]*\)p.*$/\1/p' out >b
[ -s a ] && [ "$(cut -c 1-8 a)" = "$(cut -c 1-8 b)" ] && pass || fail "a price of 1e-35"
printf 'spot,volatility\n1e-39,0.2\n' >d.csv
bad 2 "\-\-assets: .*beyond single precision" $deal_of_one --strike 0 --rate 0 --paths 1000
good $deal_of_one --strike 0 --rate 0 --paths 1000 --precision f64

# Each default of each product, written out, leaves the bits alone; so do names of outputs, a checkpoint and a
# batch.
printf '{"product": "asian", "fixings": "%s", "valuation": "2026-01-02", "assets": "%s", "correlation": "%s", ' \
    "$deal/fixings.csv" "$deal/assets.csv" "$deal/correlation.csv" >deal.json
printf '"strike": 100, "rate": 0.03, "paths": 20000, "seed": 1}\n' >>deal.json
cat >defaults.py <<'END'
import json, subprocess, sys
bailey, asian = sys.argv[1], sys.argv[2:]
market = "--spot 100 --strike 100 --rate 0.05 --volatility 0.2"
products = {"european": market, "asian": market + " --steps 3", "asian-geometric": market + " --steps 3",
            "asian-max": "--steps 8", "lookback-garch": "", "barrier": market + " --side down --set barrier=80",
            "digital": market, "heston": "--spot 100 --strike 100 --rate 0.03 --correlation -0.7 --steps 4 --set variance=0.04"
            " --set reversion=1.5 --set mean_variance=0.04 --set sigma=0.3"}
products["heston-euler"] = products["heston"]
options = ["--replicates 1", "--generator philox", "--sequence runs", "--stream 0", "--normal icdf", "--precision f32",
           "--word-bits 32", "--numerics exact", "--sum double"]
keys = ["mean", "standard_error", "controlled", "controlled_standard_error", "interval_low", "interval_high"]

def price(words):
    done = subprocess.run([bailey, *words, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return json.loads(done.stdout)

def check(words, more):
    found = price(words + more)
    same = found["hex"] == plain["hex"] and all(found[k] == plain[k] for k in keys)
    assert same and [o["expected"] for o in found["outputs"]] == expected, (words, more, found["hex"], plain["hex"])

for words, others in [(["price", product, *text.split(), "--paths", "1000", "--seed", "1"], options)
                      for product, text in products.items()] + [
        (asian, options + ["--type call", "--outputs price,control", "--construction bridge", "--order bisection",
                           "--past-count 0", "--past-average 0", "--checkpoint long.checkpoint"])]:
    plain = price(words)
    expected = [o["expected"] for o in plain["outputs"]]
    given = {w[2:] for w in words if w.startswith("--")} | {w.split("=")[0] for w in words if "=" in w}
    if "--assets" in words:
        given |= {"spot", "volatility", "dividend", "weight"}
    for option in others:
        check(words, option.split())
    for name, value in plain["parameters"].items():
        if name not in given:
            values = value if isinstance(value, list) else [value]
            check(words, ["--set", name + "=" + ",".join(map(repr, values))])
assert plain["controlled"] != plain["mean"]
deal = subprocess.run([bailey, "batch", "deal.json"], capture_output=True, text=True).stdout
assert all(json.loads(deal)[k] == plain[k] for k in keys + ["outputs"]), (deal, plain)
END
has python3 && check "defaults, written out" python3 defaults.py "$bailey" $price

# The bias of Euler's scheme is said, and is not in the standard error: 13.0847 by the formula (Andersen 2008, case I).
good price heston-euler --spot 100 --strike 100 --rate 0 --correlation -0.9 --set variance=0.04 --set reversion=0.5 \
    --set mean_variance=0.04 --set sigma=1 --maturity 10 --paths 65536 --steps 32 --json
bias=$(sed -n 's/^  "bias": \(.*\),$/\1/p' out)
echo "${bias:-0}" | awk '{ exit !($1 > 0.5 && $1 < 5) }' && pass || fail "the bias of heston-euler: $(cat out)"

# A target is of the error with the bias: reached by fewer errors of paths, or not at all. Exact models say so.
case1="price european --model heston --spot 100 --strike 100 --rate 0 --variance 0.04 --reversion 0.5 --mean-variance 0.04 --sigma 1"
good $case1 --correlation -0.9 --maturity 2 --target-error 0.1
grep -q '^target   error with the bias of at most 0.1: reached$' out && pass || fail "a target with the bias: $(cat out)"
error=$(sed -n 's/^  price .*+- \([0-9.]*\) standard.*/\1/p' out)
bias=$(sed -n 's/^  discretisation bias, about *\(.*\) standard error/\1/p' out)
echo "$error $bias" | awk '{ exit !($1 > 0 && $4 > 0 && $1 * $1 + $2 * $2 + $4 * $4 <= 0.01) }' && pass || fail "its parts: $error, $bias"
"$bailey" price heston-euler --spot 100 --strike 100 --rate 0 --correlation -0.9 --variance 0.04 --reversion 0.5 \
    --mean-variance 0.04 --sigma 1 --maturity 10 --steps 32 --target-error 0.5 >out 2>err
grep -q '^target   error with the bias of at most 0.5: not reached$' out && grep -q 'because the discretisation bias is about' err &&
    pass || fail "a bias above the target: $(cat out err)"
good price autocall --spot 100 --rate 0.03 --volatility 0.25 --paths 64
grep -q 'The steps of the model are exact: there is no discretisation bias' out && pass || fail "an exact model"

# A path that is explained pays what its sample says.
european="price european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --seed 7"
good $european --paths 20 --save-outputs paths.csv
good $european --explain 13
[ "$(sed -n 's/^price *//p' out)" = "$(sed -n 's/^13,//p' paths.csv)" ] && pass || fail "a path that is explained: $(cat out)"
grep -q '^path 13 of european, seed 7$' out && pass || fail "its heading"
good price asian --spot 100,90 --strike 95 --rate 0.05 --volatility 0.2 --steps 3 --explain 0
[ "$(grep -c '^[0-2] ' out)" -eq 3 ] && grep -q '^geometric ' out && pass || fail "its steps and outputs: $(cat out)"
good $european --explain 13 --json
check "price --explain --json" valid_json out
grep -q '"kind": "finish"' out && grep -q '"fault": null' out && pass || fail "moments as JSON"
bad 2 "\-\-explain and --save-outputs cannot be combined" $european --explain 1 --save-outputs paths.csv
bad 2 "\-\-explain" $european --explain -1
bad 2 "\-\-explain shows one path, on one --device" $european --explain 1 --device cpu,cpu
bad 2 "\-\-explain needs --numerics exact" $european --explain 1 --numerics fast
cat >fails.c <<'END'
typedef struct { int n; } params;
typedef struct { real h[3]; } state;
void start(state *s, const params *p) { for (int i = 0; i < 3; i++) s->h[i] = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { s->h[i / p->n] = x[0]; }
void finish(const state *s, const params *p, real out[]) { out[0] = s->h[0]; }
END
"$bailey" price --payoff fails.c --set n=1 --steps 5 --explain 4 >out 2>err
[ $? -ne 0 ] && grep -q '^failed here: fails.c:4:75: index 3 of h\[3\]$' out && grep -q ', on path 4$' err && pass ||
    fail "where code fails: $(cat out err)"
"$bailey" price --payoff fails.c --set n=1 --steps 5 --explain 4 --json >out 2>err
check "where code fails, as JSON" valid_json out
grep -q '"fault": "fails.c:4:75: index 3 of h\[3\]"' out && pass || fail "the fault: $(cat out)"
finish
