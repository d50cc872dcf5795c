#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey batch`, whose prices are those of `bailey price`. See common.sh.
. "${0%/*}/common.sh"

if "$bailey" batch nothing 2>&1 | grep -q 'built without jansson'; then
    bad 1 "libjansson-dev" batch nothing
    finish
    exit
fi

# The result of deal ID in `res`, up to the number of paths; and that of `bailey price` in `out`.
of_batch() {
    sed -n "s/^{\"id\": \"$1\", \(.*\), \"paths\": .*/\1/p" res | tr -d ' '
}
of_price() {
    { sed -E '/^  "(product|payoff)": /,$d' out; sed -n '/^  "outputs": \[/,/^  \],$/p' out; } |
        tr -d ' \n' | sed 's/^{//; s/,$//'
}

# same ID ARGUMENTS...: the deal has the digits of bailey price
same() {
    id=$1
    shift
    good price "$@" --json
    [ -n "$(of_batch "$id")" ] && [ "$(of_batch "$id")" = "$(of_price)" ] && pass ||
        fail "deal $id: $(of_batch "$id") is not $(of_price)"
}

# wrong LINE TEXT: the line of the result says what is wrong
wrong() {
    sed -n "$1p" res | grep -q -e "\"error\": \"$2" && pass || fail "line $1 is not '$2': $(sed -n "$1p" res)"
}

without_seconds() {
    sed 's/, "seconds": [^,]*}$/}/' "$1"
}

# batch CODE ARGUMENTS...: `res` is what it writes
batch() {
    want=$1
    shift
    "$bailey" batch "$@" >res 2>err
    code=$?
    [ $code -eq "$want" ] && pass || fail "exit $code, not $want: bailey batch $*"
}

market='"spot": 100, "strike": 100, "rate": 0.05, "volatility": 0.2'
words="--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 3000 --seed 7"

# ---- Every product, and what the options say ----

"$bailey" price --payoff-template >own.c
printf '2026-03-31\n2026-12-31\n' >fixings.csv
printf 'name,spot,volatility,dividend,weight\nA,100,0.2,0.01,0.7\nB,95,0.3,0,0.3\n' >assets.csv
cat >deals.json <<END
{"deals": [
  {"id": "european", "product": "european", $market},
  {"id": "put", "product": "european", $market, "type": "put", "antithetic": true, "precision": "f64", "seed": 8},
  {"id": "points", "product": "european", $market, "generator": "sobol", "scramble": "owen", "paths": 256,
   "replicates": 4, "steps": 3, "order": "lr-down", "numerics": "exact"},
  {"id": "target", "product": "european", $market, "target_error": 0.12, "generator": "mt19937", "paths": 1e6},
  {"id": "geometric", "product": "asian-geometric", $market, "steps": 4, "construction": "pca"},
  {"id": "asian", "product": "asian", "strike": 100, "rate": 0.05, "spot": [100, 90], "volatility": [0.2, 0.30000000000000004],
   "correlation": [[1, 0.5], [0.5, 1]], "weight": [0.6, 0.4], "times": [0.25, 0.5, 1], "steps": null,
   "control": {"geometric": 3.5}, "past_count": 2, "past_average": 98.5},
  {"id": "dates", "product": "asian", "steps": null, "spot": null, "strike": 97, "rate": 0.05,
   "times": ["2026-03-31", "2026-12-31"], "valuation": "2026-01-02", "correlation": 0.25,
   "assets": "assets.csv", "outputs": ["price", "geometric"]},
  {"id": "files", "product": "asian", "strike": 97, "rate": 0.05, "times": "fixings.csv",
   "valuation": "2026-01-02", "correlation": "corr.csv", "assets": "assets.csv", "outputs": "price,geometric"},
  {"id": "max", "product": "asian-max", "steps": 8, "spot_a": 110, "word_bits": 64},
  {"id": "garch", "product": "lookback-garch", "steps": 4, "set": {"spot": 50, "a1": 0.8}},
  {"id": "barrier", "product": "barrier", $market, "side": "down", "barrier": 80, "knock_in": 1, "maturity": 0.5},
  {"id": "digital", "product": "digital", $market, "cash": 10, "stream": "18446744073709551615",
   "sum": "fixed", "sum_limit": 12.5},
  {"id": "heston", "product": "heston", "spot": 100, "strike": 100, "rate": 0.03, "correlation": -0.7, "steps": 8,
   "variance": 0.04, "reversion": 1.5, "mean_variance": 0.04, "sigma": 0.3},
  {"id": "american", "product": "american", $market, "steps": 3, "policy_paths": 512, "outer_paths": 4, "inner_paths": 64},
  {"id": "bermudan", "product": "bermudan-max-call", "spot": [100, 90], "strike": 100, "rate": 0.05, "volatility": 0.2,
   "times": [0.5, 1], "correlation": 0.5, "lower_only": true, "policy_paths": 512},
  {"id": "own", "payoff": "own.c", $market, "barrier": 80, "steps": 3, "outputs": ["price", "knocked_out"]}
 ],
 "defaults": {"paths": 3000, "seed": 7}}
END
batch 0 deals.json
silent && pass || fail "a batch is not silent"
cp res whole
[ "$(wc -l <res)" -eq 16 ] && pass || fail "16 deals: $(wc -l <res) lines"

# What the program does with files is tested once; of other devices the bits.
if [ "$BAILEY_DEVICE" != cpu ]; then
    without_seconds res >want
    batch 0 deals.json --device cpu
    without_seconds res | cmp -s want - && pass || fail "other digits than cpu"
    batch 0 deals.json --workers 2 --simulations 1
    without_seconds res | cmp -s want - && pass || fail "other digits with two workers"
    finish
    exit
fi
same european european $words
same put european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 3000 --seed 8 --type put --antithetic \
    --precision f64
same points european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --seed 7 --generator sobol --scramble owen \
    --paths 256 --replicates 4 --steps 3 --order lr-down
same target european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --seed 7 --target-error 0.12 \
    --generator mt19937 --paths 1000000
grep '"id": "target"' res | grep -q '"target": {"standard_error": 0.12, "reached": true' && pass || fail "the target"
same geometric asian-geometric $words --steps 4 --construction pca
printf '0.25\n0.5\n1\n' >years.csv
same asian asian --spot 100,90 --volatility 0.2,0.30000000000000004 --strike 100 --rate 0.05 --correlation corr.csv \
    --set weight=0.6,0.4 --times years.csv --control geometric=3.5 --past-count 2 --past-average 98.5 --paths 3000 \
    --seed 7
basket="asian --assets assets.csv --strike 97 --rate 0.05 --times fixings.csv --valuation 2026-01-02 --paths 3000"
same dates $basket --correlation 0.25 --seed 7 --outputs price,geometric
same files $basket --correlation corr.csv --seed 7 --outputs price,geometric
same max asian-max --steps 8 --set spot_a=110 --word-bits 64 --paths 3000 --seed 7
same garch lookback-garch --steps 4 --spot 50 --set a1=0.8 --paths 3000 --seed 7
same barrier barrier $words --side down --set barrier=80 --set knock_in=1 --maturity 0.5
same digital digital $words --set cash=10 --stream 18446744073709551615 --sum fixed --sum-limit 12.5
same heston heston --spot 100 --strike 100 --rate 0.03 --correlation -0.7 --steps 8 --set variance=0.04 \
    --set reversion=1.5 --set mean_variance=0.04 --set sigma=0.3 --paths 3000 --seed 7
# american ID ARGUMENTS...: likewise, of what American options have
american() {
    id=$1
    shift
    good price "$@" --json
    want=$(tr -d '\n' <out | sed -n 's/.*\("lower": [^,]*,\) *\("lower_standard_error": [^,]*\),.*/\1 \2/p')
    [ -n "$want" ] && grep -q "^{\"id\": \"$id\", $want, " res && pass || fail "deal $id is not $want"
}
american american american $words --steps 3 --policy-paths 512 --outer-paths 4 --inner-paths 64
printf '0.5\n1\n' >halves.csv
american bermudan bermudan-max-call --spot 100,90 --strike 100 --rate 0.05 --volatility 0.2 --times halves.csv \
    --correlation 0.5 --lower-only --policy-paths 512 --paths 3000 --seed 7
same own --payoff own.c $words --set barrier=80 --steps 3 --outputs price,knocked_out

# ---- Parts, workers, simulations that are dropped: the same lines ----

without_seconds whole >want
batch 0 deals.json --simulations 1 --workers 3 --output -
without_seconds res | cmp -s want - && pass || fail "another result with three workers and one simulation each"
batch 0 deals.json --part 0/2 --threads 1 --output even
[ ! -s res ] && pass || fail "--output: something on standard output"
batch 0 deals.json --part 1/2 --output odd
paste -d '\n' even odd >both
without_seconds both | cmp -s want - && pass || fail "two parts are not the whole"
batch 0 deals.json --part 16/17
[ ! -s res ] && pass || fail "a part without deals"

# ---- The other forms ----

cat >lines <<END

{"defaults": {"product": "european", $market, "paths": 1000}}
{"id": "a", "strike": 90}
{"strike": 95}

{"defaults": {"product": "digital", $market, "paths": 1000}}
{"id": "c", "cash": 2}
END
printf '[{"id": "a", "product": "european", %s, "paths": 1000, "strike": 90},\n%s, %s]' "$market" \
    "{\"id\": 1, \"product\": \"european\", $market, \"paths\": 1000, \"strike\": 95}" \
    "{\"id\": \"c\", \"product\": \"digital\", $market, \"paths\": 1000, \"cash\": 2}" |
    sed 's/"strike": 100, \(.*\)"strike": 9/\1"strike": 9/' >array.json
batch 0 lines
without_seconds res >want
grep -q '^{"id": 1, "mean": ' res && pass || fail "a deal without id"
batch 0 array.json
without_seconds res | cmp -s want - && pass || fail "an array: $(cat res)"
batch 0 - <lines
without_seconds res | cmp -s want - && pass || fail "standard input"
batch 0 lines --part 1/2
[ "$(wc -l <res)" -eq 1 ] && grep -q '"id": 1,' res && pass || fail "a part of lines"
printf '\357\273\277%s' '{"deals": []}' >empty.json
batch 0 empty.json
[ ! -s res ] && pass || fail "no deals"

# A result comes before the next deal does.
if has mkfifo && mkfifo pipe; then
    "$bailey" batch - <pipe >res 2>err &
    job=$!
    exec 3>pipe
    echo "{\"id\": \"first\", \"product\": \"european\", $market, \"paths\": 1000}" >&3
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -s res ] || sleep 0.5
    done
    grep -q '"id": "first", "mean"' res && pass || fail "no result before the end of standard input"
    echo '{"id": "second"}' >&3
    exec 3>&-
    wait $job
    [ $? -eq 2 ] && [ "$(wc -l <res)" -eq 2 ] && pass || fail "the end of standard input"
fi

# ---- What is wrong ----

cat >bad.jsonl <<END
{"id": "fine", "product": "european", $market, "paths": 100}
{"id": 2, "product": "european", $market, "pahts": 100}
{"id": 3, "product": "european", $market, "typ": "put"}
{"id": 4, "product": "european", $market, "paths": "many"}
{"id": 5, "product": "european", $market, "paths": 1}
{"id": 6, "product": "european", $market, "paths": 1.5}
{"id": 7, "product": "european", "spot": "100"}
{"id": 8, "product": "european", $market, "antithetic": 1}
{"id": 9, "product": "europaen"}
{"id": 10, $market}
{"id": 11, "product": "european", "payoff": "own.c"}
{"id": 12, "product": "european", "spot": 100}
{"id": 13, "product": "asian", $market, "times": [0.5, 0.5]}
{"id": 14, "product": "asian", $market, "times": ["2026-06-30", 1]}
{"id": 15, "product": "asian", $market, "times": ["2026-06-30"]}
{"id": 16, "product": "asian", $market, "times": [1], "steps": 3}
{"id": 17, "product": "asian", $market, "correlation": [[1, 0.5]]}
{"id": 18, "product": "asian", "strike": 1, "rate": 0, "volatility": 0.2, "spot": [1, 2], "correlation": [[1, 1.5], [1.5, 1]]}
{"id": 19, "product": "asian", "dims": 3, "correlation": [[1, 0.5], [0.5, 1]]}
{"id": 20, "product": "barrier", $market, "barrier": "80"}
{"id": 21, "product": "european", $market, "generator": "philix"}
{"id": 22, "product": "european", $market, "increments": true}
{"id": 23, "product": "european", $market, "device": "cpu"}
{"id": 24, "product": "european", $market, "strike": 3}
not JSON
[1]
{"id": [27], "product": "european"}
{"id": 28, "payoff": "broken.c", "paths": 100}
{"id": 29, "payoff": "broken.c", "paths": 100, "seed": 2}
{"id": 30, "product": "european", $market, "set": {"strikes": 3}}
{"id": 31, "payoff": "nowhere.c"}
{"id": 32, "product": "european", $market, "times": ["31.12.2026"], "valuation": "2026-01-02"}
{"id": 33, "product": "european", $market, "seed": -1}
{"id": "last", "product": "european", $market, "paths": 100}
END
cat >broken.c <<'END'
typedef struct { real sum; } state;
void step(state *s, const void *p, int i, real t, const real x[]) { s->sum += y; }
END
cat >fails.c <<'END'
typedef struct { int k; } params;
typedef struct { real sum; } state;
void start(state *s, const params *p) { s->sum = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { while (s->sum < p->k) s->sum += 1; }
void finish(const state *s, const params *p, real out[]) { out[0] = s->sum; }
END
cat >fails.jsonl <<'END'
{"id": 1, "payoff": "fails.c", "k": 20, "paths": 100, "loop_budget": 19}
{"id": 2, "payoff": "fails.c", "k": 20, "paths": 100, "loop_budget": 20}
{"id": 3, "payoff": "fails.c", "k": 21, "paths": 100, "loop_budget": 20}
{"id": 4, "product": "european", "loop_budget": 20}
END
batch 2 fails.jsonl
wrong 1 "fails.c:4:71: this while takes more than the loop budget of 19 trips, on path 0\""
sed -n 2p res | grep -q '"id": 2, "mean"' && pass || fail "a payoff within its budget: $(sed -n 2p res)"
wrong 3 "fails.c:4:71: this while takes more than the loop budget of 20 trips, on path 0\""
wrong 4 "unknown key 'loop_budget'"
# A parameter leaves the default of another whose name begins with its own.
sed 's/int k;/real k, k2;/; s/while.*/s->sum = p->k + 10 * p->k2; }/' fails.c >names.c
printf '%s' '{"defaults": {"payoff": "names.c", "k2": 3, "paths": 100}, "deals": [{"id": 1, "k": 2}]}' >names.json
batch 0 names.json
sed -n 1p res | grep -q '"id": 1, "mean": 32,' && pass || fail "names that begin alike: $(sed -n 1p res)"
# Early exercise, whose policy is the deal's alone.
cat >early.c <<'TEXT'
typedef struct { real spot, strike, rate, volatility; } params;
typedef struct { real price; } state;
void start(state *s, const params *p) { s->price = p->spot; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * x[0]);
}
real exercise(const state *s, const params *p, real t) { return fmax(p->strike - s->price, 0) * exp(-p->rate * t); }
void finish(const state *s, const params *p, real out[]) { out[0] = fmax(p->strike - s->price, 0) * exp(-p->rate); }
TEXT
deal='"payoff": "early.c", "strike": 40, "rate": 0.06, "volatility": 0.2, "steps": 4, "paths": 1000, "policy_paths": 2000, "outer_paths": 50, "inner_paths": 10'
printf '{"id": 1, "spot": 36, %s}\n{"id": 2, "spot": 44, %s, "exercise_every": 2}\n{"id": 3, "spot": 36, %s}\n' \
    "$deal" "$deal" "$deal" >early.jsonl
batch 0 early.jsonl
good price --payoff early.c --spot 44 --strike 40 --rate 0.06 --volatility 0.2 --steps 4 --paths 1000 --policy-paths 2000 \
    --exercise-every 2 --lower-only --json
grep -q "\"id\": 2, $(sed -n 's/^  \("mean": .*\),$/\1/p' out | head -1)," res && grep -q '"dates": 2' res && pass || fail "early exercise: $(cat res)"
[ "$(sed -n '1s/.*"mean": \([^,]*\),.*/\1/p' res)" = "$(sed -n '3s/.*"mean": \([^,]*\),.*/\1/p' res)" ] && pass || fail "a policy stays"
grep -q '"id": 1, .*"upper": 4\.[0-9]*, "upper_standard_error": 0\.[0-9]*, "interval_high": 4\.' res && pass || fail "bounds: $(cat res)"
# Deals that share launches have the digits of each alone, and the errors.
deal='"product": "bermudan", "model": "black-scholes", "strike": 40, "rate": 0.06, "volatility": 0.2, "type": "put", "steps": 3, "paths": 500, "policy_paths": 600'
for spot in 36 44 38; do printf '{"id": %s, "spot": %s, "lower_only": true, %s}\n' $spot $spot "$deal"; done >alike.jsonl
batch 0 alike.jsonl
without_seconds res >together
for spot in 36 44 38; do grep "\"id\": $spot," alike.jsonl >alone.jsonl; batch 0 alone.jsonl; without_seconds res; done >alone
cmp -s together alone && grep -q '"id": 44, .*"regressions": 2,.*"regress' alone && pass || fail "deals that share launches: $(cat together)"
sed 's/"spot": 44/"spot": -1/' alike.jsonl >one.jsonl
batch 2 one.jsonl
wrong 2 "spot: "
without_seconds res | sed -n '1p;3p' >rest
sed -n '1p;3p' together | cmp -s - rest && pass || fail "deals beside a wrong one: $(cat res)"
batch 2 bad.jsonl
grep -q '32 of 34 deals failed' err && one_line && pass || fail "how many failed: $(cat err)"
wrong 2 "unknown key 'pahts': .*; did you mean paths?\", \"line\": 2}"
wrong 3 "unknown key 'typ': .*; did you mean type?"
wrong 4 "paths: 'many' is not an integer"
wrong 5 "paths: 1 is too few"
wrong 6 "paths: an integer that is not negative"
wrong 7 "spot: a number or an array of numbers is expected"
wrong 8 "antithetic: true or false is expected"
wrong 9 "product: there is no 'europaen'; did you mean european?"
wrong 10 "give product, a name from 'bailey price --help', or payoff, a file; or estimator"
wrong 11 "product and payoff cannot be combined"
wrong 12 "european needs volatility, rate, strike, which are neither set nor have a default\""
wrong 13 "times: time number 2, 0.5 years, is not after the previous one"
wrong 14 "times: years and dates in one array"
wrong 15 "times: dates need valuation"
wrong 16 "steps and times cannot be combined"
wrong 17 "correlation: row 1 of 1 has 2 numbers"
wrong 18 "correlation: correlation (row 2, column 1) is 1.5, must be from -1 to 1"
wrong 19 "correlation: the array has 2 rows, the path has 3 dimensions"
wrong 20 "barrier: a number or an array of numbers is expected"
wrong 21 "generator: unknown value 'philix'"
wrong 22 "unknown key 'increments'"
wrong 23 "device: not an option of a deal"
wrong 24 "bad.jsonl line 24: duplicate object key"
wrong 25 ""
grep -q '^{"id": 24, .*"line": 25}$' res && pass || fail "a line that is no JSON has its number"
wrong 26 "bad.jsonl line 26: a deal is not an object"
wrong 27 "id: a string or an integer"
wrong 28 "broken.c:2:"
wrong 29 "broken.c:2:"
wrong 30 "unknown key 'strikes': .*; did you mean strike?"
wrong 31 "payoff: cannot open nowhere.c"
wrong 32 "times: '31.12.2026' is a date in another form"
wrong 33 "seed: an integer that is not negative"
sed -n 34p res | grep -q '"id": "last", "mean"' && pass || fail "a good deal after bad ones"
if has python3; then
    python3 -c 'import json; [json.loads(line) for line in open("res")]' 2>err && pass || fail "lines that are no JSON"
fi

echo old >kept
batch 2 bad.jsonl --strict --output kept
grep -q 'bad.jsonl line 2: deal 2: unknown key' err && [ "$(cat kept)" = old ] && pass || fail "--strict: $(cat err)"
batch 2 bad.jsonl --strict
[ "$(wc -l <res)" -eq 1 ] && pass || fail "--strict: $(cat res)"
for text in '{"deals": [{"id": 1]}' '{"deals": [{"id": 1}}' '{"deals": 3}' '{"deals": [], "more": 1}' '{"defaults": {}}
{"deals": []}' '[1]' '[}' 'deals' '' '{"deals": []} x' '{"deals": [], "deals": []}' '{"defaults": 1, "deals": []}'; do
    printf '%s' "$text" >no.json
    batch 2 no.json
    one_line && pass || fail "not one line of error of: $text"
done
bad 1 "cannot open" batch nowhere.json
bad 2 "name the file of deals; - is standard input" batch
bad 2 "'two' is not an option" batch one two
bad 2 "\-\-part: '2/2' is not of the form I/N" batch lines --part 2/2
bad 2 "\-\-part: '1' is not of the form I/N" batch lines --part 1
bad 2 "\-\-workers: 0 is outside" batch lines --workers 0
bad 1 "device" batch lines --device cuda:999

printf '{"deals": [{"id": 1, "id": 1, "x": [{}, "]}"]},\n{"id": 2, "product": "european", %s, "paths": 100}]}' "$market" >twice.json
batch 2 twice.json
wrong 1 "twice.json line 1: duplicate object key"
sed -n 2p res | grep -q '"id": 2, "mean"' && pass || fail "a deal after one with a key twice"

# ---- Keys of the release before, and what a product does not take ----

cat >old.jsonl <<END
{"product": "asian", $market, "paths": 64, "fixings": [0.5, 1], "bits": 64}
{"product": "asian", $market, "paths": 64, "times": [0.5, 1], "word_bits": 64, "fixings": [0.5, 1]}
{"product": "american", $market, "steps": 2, "replicates": 2}
{"product": "american", $market, "dims": 2}
{"product": "european", $market, "paths": 64, "greeks": null, "motion_depth": null}
{"product": "european", $market, "motion_depth": 4}
END
batch 2 old.jsonl
[ "$(grep -c 'note: the key fixings is called times now' err)" -eq 1 ] && grep -q 'the key bits is called word_bits now' err &&
    pass || fail "keys of before: $(cat err)"
[ "$(sed -n '1s/.*"mean"//; 1s/, "seconds.*//p' res)" = "$(sed -n '2s/.*"mean"//; 2s/, "seconds.*//p' res)" ] && pass ||
    fail "keys of before say something else: $(cat res)"
wrong 3 "replicates: not for American and Bermudan options"
wrong 4 "dims: american is on one asset"
sed -n 5p res | grep -q '"mean"' && pass || fail "null of what is not taken: $(cat res)"
wrong 6 "motion_depth: its path has steps"

# ---- Gradients: those of bailey price ----

cat >gradients.jsonl <<END
{"product": "european", $market, "paths": 3000, "seed": 7, "gradient": true}
{"product": "european", $market, "paths": 3000, "seed": 7, "gradient": true, "by": ["spot", "rate"], "by_covariance": true}
{"product": "digital", $market, "paths": 3000, "seed": 7, "gradient": true, "by": "spot", "widths": [1]}
{"product": "european", $market, "paths": 3000, "seed": 7}
{"product": "digital", $market, "paths": 3000, "seed": 7, "gradient": true}
{"product": "european", $market, "paths": 3000, "by": "spot"}
{"product": "european", $market, "paths": 3000, "gradient": true, "by": "colour"}
END
batch 2 gradients.jsonl
# gradient LINE PRODUCT ARGUMENTS...
gradient() {
    line=$1
    product=$2
    shift 2
    # shellcheck disable=SC2086
    good price "$product" $words "$@" --gradient --json
    found=$(sed -n "${line}s/.*\(\"gradient\": .*\), \"paths\": .*/\1/p" res | tr -d ' ' | sed 's/,"jumps":.*//')
    [ -n "$found" ] && [ "$found" = "$(sed -n '/^  "gradient": \[/,/^  \],$/p' out | tr -d ' \n' | sed 's/,$//')" ] && pass ||
        fail "the gradient of deal $line is $found"
}
gradient 1 european
gradient 2 european --by spot,rate --by-covariance
gradient 3 digital --by spot --widths 1
sed -n 4p res | grep -q gradient && fail "a gradient without the key" || pass
gradient 5 digital
wrong 6 "by needs gradient"
wrong 7 "by: colour is not a parameter"

# ---- Multilevel Monte Carlo: the digits of bailey mlmc ----

if ! few_programs; then
cat >levels.c <<'TEXT'
typedef struct { real spot, rate, volatility; } params;
typedef struct { real fine, coarse; } state;
void start(state *s, const params *p, int level) { s->fine = 1; s->coarse = 1; }
void step(state *s, const params *p, real t, real h, const noise *n) { s->fine *= 1 + p->rate * h + p->volatility * n->dw[0]; }
void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    step(s, p, t, h, n);
    step(s, p, t + h, h, m);
    s->coarse *= 1 + 2 * p->rate * h + p->volatility * (n->dw[0] + m->dw[0]);
}
void finish(const state *s, const params *p, real t, real out[2])
{
    out[0] = p->spot * fmax(s->fine - 1, 0);
    out[1] = p->spot * fmax(s->coarse - 1, 0);
}
TEXT
cat >levels.json <<'END'
{"defaults": {"estimator": "european", "eps": 0.2, "seed": 3},
 "deals": [{"strike": 90}, {"strike": 90, "approximate": "half"}, {}, {"approximate": "auto", "spot": 90},
  {"code": "levels.c", "spot": 100, "rate": 0.05, "volatility": 0.2, "first_steps": 2},
  {"gradient": true, "by": ["spot"], "strike": 90}, {"max_level": 2, "eps": 0.001, "initial_samples": 64, "spot": 0.01},
  {"estimator": "europaen"}, {"eps": null}, {"strik": 3}, {"code": "levels.c", "product": "european"},
  {"approximate": "half", "generator": "sobol", "scramble": "owen"}, {"approximate": "half", "volatility": 1e-9},
  {"approximate": "quarter"}, {"eps": [0.1, 0.2]}, {"checkpoint": "f"}, {"code": "levels.c", "spot": 1}, {"product": "asian"}]}
END
batch 2 levels.json
case $BAILEY_DEVICE in
cuda*) ;;
*) [ -n "${BAILEY_CC-}" ] || grep -q 'warning: approximate is half, but .* emulates half precision' err && pass || fail "no warning of emulation: $(cat err)" ;;
esac
# levels LINE ARGUMENTS...
levels() {
    line=$1
    shift
    "$bailey" mlmc --no-test --seed 3 "$@" --json >out 2>err
    found=$(sed -n "${line}s/^{\"id\": [0-9]*, \(\"mean\": .*\"choice\": \[[^]]*\]\).*/\1/p" res | tr -d ' ')
    [ -n "$found" ] && [ "{$found}" = "$(sed -n '/"result": {/,/^      }$/p' out | tr -d ' \n' | sed 's/^"result"://')" ] && pass ||
        fail "levels of deal $line: $(sed -n "${line}p" res)"
}
levels 1 european --eps 0.2 --strike 90
levels 2 european --eps 0.2 --strike 90 --approximate half
levels 3 european --eps 0.2 # and not the strike of the deal before
levels 4 european --eps 0.2 --spot 90 --approximate auto
levels 5 --code levels.c --eps 0.2 --spot 100 --rate 0.05 --volatility 0.2 --first-steps 2
sed -n 6p res | grep -q '"derivatives": \[{"eps": 0.2, "name": "spot", "mean": 0\.' && pass || fail "derivatives: $(sed -n 6p res)"
sed -n 7p res | grep -q '"warnings": \["eps 0.001: ' && pass || fail "a warning: $(sed -n 7p res)"
wrong 8 "unknown estimator 'europaen'.*; did you mean european?"
wrong 9 "eps: give the root-mean-square error"
wrong 10 "unknown key 'strik': .*; did you mean strike?"
wrong 11 "product and code cannot be combined"
wrong 12 "approximate: "
wrong 13 "approximate: half, but volatility is 1e-09, beyond half precision"
wrong 14 "approximate: unknown value 'quarter'"
wrong 15 "eps: a number is expected"
wrong 16 "checkpoint: not an option of a deal; see 'bailey mlmc'"
wrong 17 "levels.c: levels.c needs rate, volatility"
wrong 18 "unknown key 'eps'"
fi

# ---- Thousands ----

awk -v market="$market" 'BEGIN {
    printf "{\"defaults\": {\"product\": \"european\", %s, \"paths\": 16}, \"deals\": [", market
    for (i = 0; i < 3000; i++) printf "%s\n{\"id\": %d, \"spot\": %d, \"seed\": %d}", i ? "," : "", i, 90 + i % 20, i
    print "]}" }' >many.json
batch 0 many.json --summary
awk '$2 != n++ "," { exit 1 } END { exit n != 3000 }' res && pass || fail "3000 deals in order"
grep -q '^deals    3,000$' err && grep -q ' deals/s; .* of which 1 were made$' err && pass || fail "--summary: $(cat err)"

# ---- Ids that occur twice, integers beyond 2^63 ----

market='"product": "european", "spot": 100, "strike": 95, "volatility": 0.2, "rate": 0'
few='"paths": 64'
cat >ids.jsonl <<EOF
{"id": "a", $market, $few}
{$market, $few, "set": {"id": 3}, "stream": "0"}
{"id": "b{\\"id\\": 9", $market, $few, "seed": 18446744073709551615}
{$market, $few, "seed": "18446744073709551615", "id": "c"}
{ "id" : "a", $market, $few}
{$market, $few, "id":1}
{$market, $few, "seed": 18446744073709551616}
{$market, "id": "t", "paths": 1e30}
{$market, "id": "m", "paths": "1M"}
{$market, $few, "id": "n", "seed": "9223372036854775808"}
{$market, $few, "id": "o", "seed": 9223372036854775808}
{"product": "european", $few, "strike": 95, "volatility": 0.2, "rate": 0, "id": "neg", "spot": -100}
{"product": "european", $few, "strike": 95, "spot": 100, "rate": 0, "id": "negvol", "volatility": -0.2}
EOF
sed '1s/^/{"deals": [/; $!s/$/,/; $s/$/]}/' ids.jsonl >ids.json
for file in ids.jsonl ids.json; do
    "$bailey" batch $file -o ids.out >out 2>err
    wrong_line() { sed -n "$1p" ids.out | grep -q "$2" && pass || fail "$file, deal $1: $(sed -n "$1p" ids.out)"; }
    wrong_line 5 '^{"id": "a", "error": "id: the deal in line 1 has the id ..a.. already"'
    wrong_line 6 '^{"id": 1, "error": "id: the deal in line 2 has the id 1 already"'
    wrong_line 7 'seed: 18446744073709551616 is outside its limits, 0 to 18446744073709551615'
    wrong_line 8 'paths: 1e30 is outside its limits, 1 to'
    wrong_line 12 '"id": "neg", "error": "spot: spot of european is -100, not positive"'
    wrong_line 13 '"id": "negvol", "error": "volatility: volatility of european is -0.2, not 0 or more"'
    wrong_line 9 "paths: '1M' is not an integer from 1 to 9223372036854775808; write 1000000"
    for deal in 1 3 4 10 11; do wrong_line $deal '"mean": [0-9]'; done
    [ "$(sed -n 3p ids.out | sed 's/.*"outputs"//; s/, "seconds.*//')" = "$(sed -n 4p ids.out | sed 's/.*"outputs"//; s/, "seconds.*//')" ] &&
        pass || fail "the largest seed, as a number and as a text"
    [ "$(sed -n 10p ids.out | sed 's/.*"outputs"//; s/, "seconds.*//')" = "$(sed -n 11p ids.out | sed 's/.*"outputs"//; s/, "seconds.*//')" ] &&
        pass || fail "the seed 2^63, as a number and as a text"
done

finish
