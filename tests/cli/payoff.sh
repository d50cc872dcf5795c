#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey price` of the built-in products and of payoffs of one's own. See common.sh.
. "${0%/*}/common.sh"

market="--spot 100 --strike 100 --rate 0.05 --volatility 0.2"
few="--paths 20000 --seed 1"

# near LABEL VALUE: the report's line LABEL is within 4 standard errors of VALUE
near() {
    awk -v label="$1" -v value="$2" '
        $1 == label && $3 == "+-" { found = 1; exit !($4 > 0 && $2 > value - 4 * $4 && $2 < value + 4 * $4) }
        END { if (!found) exit 1 }' out && pass || fail "$1 is not near $2: $(grep +- out)"
}

# The numbers of the last report, and its hexadecimal ones.
number() {
    sed -n "s/^  $1  *\([-0-9.e+]*\)  +- .*/\1/p" out
}
error() {
    sed -n "s/^  $1  *[-0-9.e+]*  +- \([-0-9.e+]*\) .*/\1/p" out
}
bits() {
    grep '0x' out
}

# ---- Products ----

# By the formulas of Black and Scholes, and of Reiner and Rubinstein for the barrier.
good price european $market $few
near price 10.450584
grep -q '^european: 1 step, the last in 1 year, 1 dimension, construction bridge$' out && pass || fail "the deal"
bits >a
good price european $market $few --device cpu
bits >b
cmp -s a b && pass || fail "european: other bits than cpu"
good price european $market $few --type put --maturity 2
near price 6.610521
good price european $market $few --dividend 0.03 --precision f64 --type call
near price 8.652529
good price digital $market $few --set cash=10
near price 5.323248
good price digital $market $few --type put
near price 0.418905
if ! few_programs; then
    good price barrier $market $few --side down --set barrier=80
    near price 10.349
    good price barrier $market $few --side down --set barrier=80 --set knock_in=1
    near price 0.1015
    good price asian-geometric $market $few --steps 1
    near price 10.450584
    good price asian-max $few --steps 16
    good price lookback-garch $few --steps 4 --spot 50
    heston="price heston --spot 100 --strike 100 --rate 0.03 --correlation -0.7 --set variance=0.04 --set reversion=1.5"
    heston="$heston --set mean_variance=0.04 --set sigma=0.3 --steps 16 $few"
    good $heston
    grep -q '^heston: 16 steps, .*, 1 dimension, construction walk$' out && pass || fail "Heston's walk"
    grep -q '^  correlation  *-0.7$' out && pass || fail "Heston's correlation"
    bad 2 "\-\-set reversion: reversion is given twice" $heston --set reversion=0
    good ${heston% --paths *} --generator sobol --paths 1024 --replicates 16
    grep -q 'construction bridge$' out && pass || fail "Heston's bridge of points"

    # Names of outputs change nothing.
    good price asian --times "$deal/times.csv" --assets "$deal/assets.csv" --correlation "$deal/correlation.csv" \
        --strike 100 --rate 0.03 $few --precision f64
    number price | cut -c 1-8 >a
    good price asian --times "$deal/times.csv" --assets "$deal/assets.csv" --correlation "$deal/correlation.csv" \
        --strike 100 --rate 0.03 $few --precision f64 --outputs price,control
    number price | cut -c 1-8 >b
    [ -s a ] && cmp -s a b && pass || fail "two ways to price a basket: $(cat a b)"
    grep -q '^  control ' out && pass || fail "the second output"
    bad 2 "\-\-dims and --assets cannot be combined" price asian --times "$deal/times.csv" --assets "$deal/assets.csv" \
        --strike 100 --rate 0.03 --dims 3
    good price asian-geometric --times "$deal/fixings.csv" --valuation 2026-01-02 --assets "$deal/assets.csv" \
        --correlation "$deal/correlation.csv" --strike 100 --rate 0.03 $few
    grep -q '^  weight  *0.4, 0.35, 0.25$' out && pass || fail "the weights of the file: $(grep weight out)"
fi
good price asian --spot 100,50 --volatility 0.2,0.3 --correlation 0.5 --strike 75 --rate 0.05 $few
grep -q '^  spot  *100, 50$' out && grep -q '^  weight  *0.5, 0.5$' out && grep -q '^  correlation  *0.5$' out && pass ||
    fail "a basket without files: $(cat out)"
good price asian --spot 100 --volatility 0.2 --dims 2 --strike 100 --rate 0.05 $few
grep -q '^  spot  *100, 100$' out && grep -q '^  correlation  *independent$' out && pass || fail "a number for all assets"
if ! few_programs; then good price asian $market $few --past-count 2 --past-average 90 --steps 2; fi

# What is missing, unknown or wrong is named.
bad 2 "european needs volatility, strike, which are neither set nor have a default" price european --spot 100 --rate 0
bad 2 "barrier needs barrier, which is neither set nor has a default" price barrier $market --side up
bad 2 "barrier needs side \[-1 (down) or 1 (up)\], which is neither set" price barrier $market --set barrier=80
bad 2 "\-\-set: european has no parameter volatlity; did you mean volatility?" price european $market --set volatlity=1
bad 2 "unknown option '\-\-past-count'" price european $market --past-count 1
bad 2 "\-\-type: it is neither a call nor a put" price asian-max --type put
bad 2 "\-\-set spot: spot is given twice" price european $market --set spot=1
bad 2 "\-\-set: 'spot' is not of the form NAME=VALUE" price european --set spot
bad 2 "\-\-set strike: 'x' is not a finite decimal number" price european --set strike=x
bad 2 "\-\-set knock_in: .*0.5, not an int" price barrier $market --side down --set barrier=80 --set knock_in=0.5
bad 2 "\-\-spot: .*beyond single precision" price european --spot 1e-60 --strike 1 --rate 0 --volatility 1
bad 2 "\-\-spot: 2 numbers, spot has 1" price european --spot 100,50 --strike 1 --rate 0 --volatility 1
bad 2 "\-\-volatility: 2 numbers, volatility has 3" price asian --spot 1,2,3 --strike 1 --rate 0 --volatility 1,2
bad 2 "\-\-assets: 3 dimensions, but european has 1" price european --assets "$deal/assets.csv" --strike 1 --rate 0
bad 2 "\-\-correlation: corr.csv has 2 rows, the path has 3 dimensions" price asian $market --dims 3 --correlation corr.csv
bad 2 "\-\-correlation: 1.5: correlation (row 2, column 1) is 1.5, must be from -1 to 1" price asian --dims 2 --correlation=1.5
bad 2 "\-\-maturity: it counts steps" price asian-max --maturity 1
bad 2 "\-\-correlation: the product has parameters for it" price asian-max --correlation 0.5
bad 2 "\-\-steps and --times cannot be combined" price european $market --steps 2 --times "$deal/times.csv"
bad 2 "\-\-maturity: 0 is not positive" price european $market --maturity 0
bad 2 "unknown product 'europan'; did you mean 'european'" price europan
bad 2 "unknown option '--payoff'" price european --payoff f.c
"$bailey" price european --spot 100 --strike 100 --rate 5 --volatility 0.2 $few >out 2>err </dev/null
[ $? -eq 0 ] && one_line && grep -q 'warning: rate is 5, which means 500 %' err && pass || fail "a rate of 5"

# OpenCL's processors take seconds for each program, and what follows is the program's own work.
case $BAILEY_DEVICE in
cpu | cuda*) ;;
*)
    if [ -z "${BAILEY_TEST_LARGE:-}" ]; then
        finish
        exit
    fi
    ;;
esac

# ---- How it is simulated ----

good price european $market $few --json
check "price --json" valid_json out
for key in mean standard_error paths seconds device; do
    grep -q "^  \"$key\": " out && pass || fail "price --json: $key"
done
grep -q '^  "paths": 20000,' out && grep -q '^  "product": "european",' out && grep -q '^    "strike": 100,' out &&
    grep -q '^  "target": null,' out && pass || fail "the JSON: $(cat out)"
points="price european $market --generator sobol --paths 1024 --seed 1"
good $points
grep -q '^No standard error: points of one replicate' out && pass || fail "points of one replicate"
good $points --json
check "price --json of points" valid_json out
grep -q '^  "standard_error": null,' out && grep -q '^  "paths": 1024,' out && pass || fail "null: $(cat out)"
good $points --replicates 16 --scramble owen
near price 10.450584
grep -q '16 replicates of 1,024' out && pass || fail "replicates"
bad 2 "\-\-target-error: points of one replicate have no standard error; see --replicates" $points --target-error 0.1
bad 2 "\-\-replicates: .*without a scramble" price european $market --generator sobol --paths 64 \
    --replicates 2 --scramble none

good price european $market --target-error 0.1
near price 10.450584
grep -q '^target   standard error of at most 0.1: reached$' out && grep -q '^  pilot  16,384 paths: 0.11' out &&
    grep -q '^  then   32,768 paths: 0.0' out && pass || fail "a target: $(grep -A 3 ^target out)"
error price | awk '{ exit !($1 <= 0.1) }' && pass || fail "the error of a target: $(error price)"
good price european $market --target-error 0.1 --json
check "price --json of a target" valid_json out
grep -q '^    "reached": true,' out && grep -q '^  "paths": 32768,' out && pass || fail "a target in JSON: $(cat out)"
good $points --replicates 16 --target-error 0.05
good price european $market --target-error 1
grep -q '^  pilot ' out && ! grep -q '^  then ' out && pass || fail "a target that the pilot reaches"
"$bailey" price european $market --target-error 0.01 --paths 30000 >out 2>err </dev/null
[ $? -eq 0 ] && one_line && grep -q 'warning: the standard error is .* after 30,000 paths, above 0.01' err &&
    grep -q ': not reached within --paths$' out && grep -q '^  then   30,000 paths' out && pass || fail "a limit: $(cat out)"
bad 2 "\-\-target-error: 0 is not positive" price european $market --target-error 0

good price european $market $few
error price >a
good price european $market $few --antithetic
near price 10.450584
error price | paste a - | awk '{ exit !($2 < 0.8 * $1) }' && pass || fail "antithetic paths: $(error price), $(cat a)"
good price asian-geometric $market $few --steps 12
good price asian $market $few --steps 12 --control geometric=5.9404
controlled=$(sed -n 's/^    with control variate  *[0-9.]*  +- \([0-9.]*\) .*/\1/p' out)
echo "$controlled $(error price)" | awk '{ exit !($1 > 0 && $1 < $2 / 10) }' && pass || fail "a control variate: $(cat out)"
grep -q '^    expected  *5.94040000  off by' out && pass || fail "what was expected"
good price asian $market $few --steps 12 --outputs a,b --control b=5.9404 --target-error 0.01
grep -q '^  pilot  16,384 .*: 0.00' out && pass || fail "a target with a control variate: $(cat out)"
bad 2 "\-\-control: there is no output 'geo'" price asian $market --control geo=1
bad 2 "\-\-control: 'geometric' is not of the form" price asian $market --control geometric
bad 2 "\-\-control: expected gives all 1 outputs" price european $market --control price=1
bad 2 "\-\-outputs: 1 name for 2 outputs" price asian $market --outputs price
bad 2 "\-\-outputs: a is given twice" price asian $market --outputs a,a

for construction in bridge pca walk; do
    good price asian $market $few --steps 8 --construction $construction
    grep -q "construction $construction$" out && pass || fail "construction $construction"
    bits
done >each
good price asian $market $few --steps 8 --order incremental
bits >>each
[ "$(grep -c 'price ' each)" -eq 4 ] && [ -z "$(grep 'price ' each | sort | uniq -d)" ] && pass || fail "constructions: $(cat each)"
bad 2 "\-\-order needs --construction bridge, not" price asian $market --construction pca --order lr-up
for source in "--generator philox7 --stream 2" "--generator mt19937" "--normal box-muller" "--precision f64" "--word-bits 64" \
    "--numerics fast" "--generator mrg32k3a --sequence published"; do
    good price european $market $few $source
    near price 10.450584
done
# In integers: other bits, but everywhere the same.
good price european $market $few
bits >a
good price european $market $few --sum fixed --sum-limit 1000
near price 10.450584
grep -q '^sums     in integers, for outputs up to 1000$' out && pass || fail "sums in integers: $(cat out)"
bits >b
good price european $market $few --sum fixed --sum-limit 1000 --device cpu
bits >c
cmp -s b c && ! cmp -s a b && pass || fail "the bits of integers: $(cat a b c)"
good price asian $market $few --sum fixed --sum-limit 1000 --json
check "price --json in integers" valid_json out
grep -q '^  "sum": "fixed",' out && grep -q '^  "sum_limit": 1000,' out && pass || fail "JSON of sums: $(cat out)"
bad 2 "\-\-sum-limit: european: output 0 of path [0-9]* exceeds sum_limit 50 or is not a number" \
    price european $market $few --sum fixed --sum-limit 50
bad 2 "\-\-sum-limit: 0 is not from 2^-60" price european $market --sum fixed --sum-limit 0
bad 2 "\-\-sum fixed needs --sum-limit" price european $market --sum fixed
bad 2 "\-\-sum-limit needs --sum fixed" price european $market --sum-limit 50
bad 2 "\-\-greeks cannot be combined with --sum fixed" price european $market --sum fixed --sum-limit 50 --greeks
bad 2 "\-\-sum: .*double, fixed" price european $market --sum exact
"$bailey" price european $market $few --generator lcg >out 2>err </dev/null
[ $? -eq 0 ] && one_line && grep -q 'warning: lcg is a weak generator' err && pass || fail "a weak generator"

# ---- All outputs of all paths ----

good price asian $market --steps 2 --paths 1000 --replicates 2 --save-outputs s.csv --precision f64
head -n 1 s.csv | grep -q '^replicate,path,price,geometric$' && [ "$(grep -c . s.csv)" -eq 2001 ] && pass ||
    fail "the table: $(head -n 3 s.csv)"
awk -F, 'NR > 1 { sum += $3 } END { printf "%.6f\n", sum / (NR - 1) }' s.csv >a
number price | awk '{ printf "%.6f\n", $1 }' >b
cmp -s a b && pass || fail "the mean of the samples: $(cat a b)"
good price asian $market --steps 2 --paths 1000 --replicates 2 --save-outputs s.npy --precision f64
head -c 128 s.npy | grep -a -q "'<f8', 'fortran_order': False, 'shape': (2, 2, 1000)" && [ "$(wc -c <s.npy)" -eq 32128 ] && pass ||
    fail "the array of samples"
tail -c +129 s.npy | od -An -v -tf8 -w8 | awk 'NR <= 2000 { sum += $1 } END { printf "%.6f\n", sum / 2000 }' >b
cmp -s a b && pass || fail "the mean of the array: $(cat a b)"
good price european $market --target-error 0.1 --save-outputs s.csv
[ "$(grep -c . s.csv)" -eq 32769 ] && head -n 1 s.csv | grep -q '^path,price$' && pass || fail "the samples of a target"
bad 2 "\-\-save-outputs: s.txt ends neither" price european $market --save-outputs s.txt
bad 1 "missing/s.csv" price european $market --paths 100 --save-outputs missing/s.csv

# ---- Payoffs of one's own ----

good price --payoff-template
cp out payoff.c
own="price --payoff payoff.c --steps 12 $market $few --set barrier=80 --outputs price,knocked_out"
good $own
grep -q '^payoff payoff.c: 12 steps' out && grep -q '^  knocked_out ' out && grep -q '^  barrier  *80$' out && pass ||
    fail "the template's report: $(cat out)"
bits >a
good $own --device cpu
bits >b
cmp -s a b && pass || fail "the template: other bits than cpu"
good $own --json
check "price --json of a payoff" valid_json out
grep -q '^  "payoff": "payoff.c",' out && grep -q '^      "name": "knocked_out",' out && pass || fail "its JSON: $(cat out)"
good price --payoff payoff.c --steps 12 $market $few --set barrier=1
grep -q '^  out0 ' out && grep -q '^  out1  *0.0000' out && pass || fail "names of outputs: $(cat out)"
bad 2 "payoff.c needs barrier, which is neither set nor has a default" price --payoff payoff.c $market

# Arrays, --increments, --dims, --assets.
cat >basket.c <<'TEXT'
typedef struct { real spot[DIMS], weight[DIMS], share; int n; } params;
typedef struct { real sum; } state;
void start(state *s, const params *p) { s->sum = 0; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int d = 0; d < DIMS; d++) s->sum += p->weight[d] * p->spot[d] + p->share * x[d] * x[d];
}
void finish(const state *s, const params *p, real out[]) { out[0] = s->sum / p->n; }
TEXT
good price --payoff basket.c --assets "$deal/assets.csv" --correlation "$deal/correlation.csv" --set share=0 --set n=1 $few
grep -q '^  weight  *0.4, 0.35, 0.25$' out && pass || fail "columns of a text: $(cat out)"
good price --payoff basket.c --dims 3 --set weight=0 --set spot=1,2,3 --set share=1 --set n=3 --maturity 4 $few
near price 4
grep -q '^  spot  *1, 2, 3$' out && grep -q '^  weight  *0, 0, 0$' out && pass || fail "arrays of a text: $(cat out)"
good price --payoff basket.c --increments --construction walk --set weight=0 --spot 1 --set share=1 --set n=1 --maturity 0.25 $few
near price 4
good price --payoff basket.c --correlation corr.csv --set weight=0 --spot 1 --set share=1 --set n=2 $few
grep -q ' 2 dimensions' out && pass || fail "dimensions of a correlation"
bad 2 "\-\-set spot: 2 numbers, spot has 3" price --payoff basket.c --dims 3 --set spot=1,2

# A loop without a condition, which gcc does not unroll, and three loops in one another, which would take it eight
# seconds to: they compile, and price what a plain loop does.
cat >loops.c <<'TEXT'
typedef struct { int unused; } params;
typedef struct { real sum; } state;
void start(state *s, const params *p) { s->sum = 0; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int k = 0;; k++) if (k == 16) break; else for (int l = 0; l < 16; l++) for (int m = 0; m < 16; m++) s->sum += x[0];
}
void finish(const state *s, const params *p, real out[]) { out[0] = s->sum; }
TEXT
sed 's/for (int k = 0;; k++) if (k == 16) break; else/for (int k = 0; k < 16; k++)/' loops.c >nested.c
sed 's/for (int k.*$/for (int k = 0; k < 4096; k++) s->sum += x[0];/' loops.c >plain.c
for text in loops nested plain; do
    good price --payoff $text.c --set unused=0 --paths 4096 --steps 2
    bits >$text
done
[ -s plain ] && cmp -s loops plain && cmp -s nested plain && pass || fail "loops in loops: $(cat loops nested plain)"

# Errors have the text's name and line, whoever finds them.
wrong() {
    sed "$1" payoff.c >wrong.c
    "$bailey" price --payoff wrong.c --steps 12 $market --set barrier=80 --paths 100 >out 2>err </dev/null
    [ $? -eq 2 ] && grep -q "wrong.c.*$2" err && [ ! -s out ] && pass || fail "$1: $(head -n 3 err)"
}
line=$(grep -n 'fmax(s->sum' payoff.c | cut -d : -f 1)
wrong "$line""s/fmax(/fmaxx(/" ":$line:.*fmaxx is not supported"
wrong "$line""s/s->sum/s->summ/" ":$line:.*did you mean sum"
wrong "$line""s/;/ +;/" ":$line:"
# And code that fails as it runs, with the first path that does.
cat >fails.c <<'TEXT'
typedef struct { int k; } params;
typedef struct { real sum, h[2]; } state;
void start(state *s, const params *p) { s->sum = 0; s->h[0] = 0; s->h[1] = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { s->h[p->k] = x[0]; }
void finish(const state *s, const params *p, real out[]) { out[0] = s->h[1]; }
TEXT
sed 's/s->h.p->k. = x.0.;/for (int j = 0; j != p->k; j += 2) s->h[1] += j;/' fails.c >loops.c
good price --payoff fails.c --set k=1 --paths 1000
bad 2 "fails.c:4:75: index 12 of h\[2\], on path 0$" price --payoff fails.c --set k=12 --paths 1000
bad 2 "fails.c:4:75: index -1 of h\[2\], on path 0 of replicate 0$" \
    price --payoff fails.c --set k=-1 --paths 1000 --replicates 2
good price --payoff loops.c --set k=100 --paths 1000
bad 2 "loops.c:4:71: this for takes more than the loop budget of 1048576 trips, on path 0$" \
    price --payoff loops.c --set k=1 --paths 1000
bad 2 "loop budget of 49 trips, on path 0$" price --payoff loops.c --set k=100 --paths 1000 --loop-budget 49
good price --payoff loops.c --set k=100 --paths 1000 --loop-budget 50
bad 2 "\-\-loop-budget: 0 is outside its limits, 1 to" price --payoff loops.c --set k=100 --loop-budget 0
# Early exercise: a put of ten dates, 4.44253 by quadrature, and of two; as a job, and with little memory.
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
early="--payoff early.c --spot 36 --strike 40 --rate 0.06 --volatility 0.2 --seed 1 --policy-paths 20000"
good price $early --steps 10 --paths 40000
near price 4.44253
grep -q '^  policy .* at 9 of 10 dates;' out && pass || fail "the policy"
sed -n 's/^  interval of 95 %  *\([0-9.]*\) \.\. \([0-9.]*\)$/\1 \2/p' out | awk '{ found = $1 < 4.44253 && 4.44253 < $2 && $2 - $1 < 0.2 }
    END { exit !found }' && grep -q '^  upper bound  *4\.4[0-9]*  +- ' out && pass || fail "the interval: $(cat out)"
bits >a
bad 2 "\-\-outer-paths: there is no upper bound with --lower-only" price $early --steps 10 --lower-only --outer-paths 4
early="$early --lower-only"
good price $early --steps 10 --paths 40000 --memory 1 --checkpoint early.checkpoint
bits >b
cmp -s a b && pass || fail "early exercise as a job, with little memory: $(cat b)"
good price $early --steps 10 --paths 4096 --exercise-every 5 --json
grep -q '"dates": 2' out && ! grep -q '"upper"' out && pass || fail "two dates, without an upper bound"
good price $early --steps 10 --generator sobol --paths 4096 --replicates 16
near price 4.44253
good price $early --steps 10 --paths 4096 --gradient --by spot
sed 's/real exercise/real exercised/' early.c >never.c
bad 2 "\-\-exercise-every: never.c has no function exercise" price $(echo "$early" | sed 's/early.c/never.c/;s/--policy.*//') --exercise-every 2
bad 1 "\-\-payoff: cannot open missing.c" price --payoff missing.c
bad 2 "name a product or --payoff FILE" price --strike 100
: >empty.c
bad 2 "empty.c" price --payoff empty.c
printf 'a\000b' >zero.c
bad 2 "zero.c has a zero byte" price --payoff zero.c

# Code of one's own says what its parameters are, and what path it needs.
cat >own.c <<'C'
/** A call with a floor.
 *
 * path: increments
 * dims: at least 2
 * steps: 4
 * construction: walk
 * start: any time
 * out[0] price: what it pays
 * out[1] floored: 1 where it paid the floor
 */
typedef struct {
    real spot;      /* price today [> 0; role spot] */
    real strike;    /* [default spot] */
    real cash_back; /* the least it pays [>= 0; unit money; default 1] */
} params;
typedef struct { real x; } state;
void start(state *s, const params *p) { s->x = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { s->x += 0.2 * x[0] + 0.1 * x[1]; }
void finish(const state *s, const params *p, real out[2])
{
    const real gain = p->spot * exp(s->x) - p->strike;
    out[0] = fmax(gain, p->cash_back);
    out[1] = gain < p->cash_back;
}
C
"$bailey" price --payoff own.c --help >out 2>err </dev/null
[ $? -eq 0 ] && [ ! -s err ] && grep -q '^  cash_back  *the least it pays; 0 or more; money; default 1$' out &&
    grep -q '^  strike  *default spot$' out && grep -q '^  floored  *1 where it paid the floor$' out && pass ||
    fail "the help of own.c: $(tail -9 out)"
"$bailey" price heston --help >out 2>err </dev/null
grep -q '^  sigma  *volatility of the variance; its square may exceed' out && pass || fail "the help of heston"
bad 2 "own.c needs spot, strike, which are neither set nor have a default" price --payoff own.c
bad 2 "\-\-cash-back: cash_back of own.c is -2, not 0 or more" price --payoff own.c --spot 1 --cash-back=-2
bad 2 "unknown option '--cash-bac'" price --payoff own.c --spot 1 --cash-bac 2
bad 2 "\-\-cash-back needs a value" price --payoff own.c --spot 1 --cash-back
if ! few_programs; then
    good price --payoff own.c --spot 100 --cash-back 2 $few
    grep -q '4 steps.*2 dimensions, construction walk$' out && grep -q '^  strike  *100$' out &&
        grep -q '^  cash_back  *2$' out && grep -q '^  floored ' out && pass || fail "own.c: $(cat out)"
fi

finish
