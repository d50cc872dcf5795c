#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: scenarios and Greeks of `bailey price`. See common.sh.
. "${0%/*}/common.sh"

option="price european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 20000 --seed 1"

# near NAME VALUE: the Greek NAME is within 4 standard errors of VALUE
near() {
    awk -v name="$1" -v value="$2" '
        $1 == name { found = 1; exit !($3 > 0 && $2 > value - 4 * $3 && $2 < value + 4 * $3) }
        END { if (!found) exit 1 }' out && pass || fail "$1 is not near $2: $(grep "$1" out)"
}

# ---- Greeks ----

# By the formulas of Black and Scholes.
good $option --greeks --greeks-method differences
near delta 0.636831
near gamma 0.018762
near vega 37.524
near rho 53.2325
near theta -6.41403
[ "$(grep -c ' differences ' out)" -eq 7 ] && pass || fail "the method of each number"
good $option --greeks --likelihood
near delta 0.636831
near gamma 0.018762
near theta -6.41403
grep -q 'theta .*likelihood' out && pass || fail "the method of theta"
grep -q 'delta .*likelihood' out && pass || fail "the method"
good $option --greeks --json
check "price --greeks --json" valid_json out
grep -q '"greeks": \[' out && grep -q '"name": "vanna"' out && pass || fail "Greeks as JSON"
bad 2 "\-\-likelihood needs --greeks" $option --likelihood
bad 2 "likelihood ratios of output 0 of barrier" price barrier --spot 100 --strike 100 --rate 0.05 \
    --volatility 0.2 --side down --set barrier=80 --paths 1000 --greeks --likelihood

# Derivatives along each path, which is the default; volga by differences.
for method in "" "--greeks-method gradient"; do
    # shellcheck disable=SC2086
    good $option --greeks $method
    near delta 0.636831
    near vega 37.524
    near rho 53.2325
    near gamma 0.018762
    near theta -6.41403
    grep -q 'volga .*differences' out && [ "$(grep -c ' gradient ' out)" -eq 6 ] && pass || fail "the methods"
done
good $option --greeks --json
check "price --greeks --json" valid_json out
[ "$(grep -c '"method": "gradient"' out)" -eq 6 ] && [ "$(grep -c '"method": "differences"' out)" -eq 1 ] && pass ||
    fail "the method of each number"
good $option --greeks --greeks-method likelihood
grep -q 'delta .*likelihood' out && pass || fail "the method"
bad 2 "\-\-greeks-method needs --greeks" $option --greeks-method gradient
bad 2 "cannot both be given" $option --greeks --greeks-method gradient --likelihood
bad 2 "unknown value" $option --greeks --greeks-method none
jumps="price digital --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 100000 --seed 1"
for width in "" "--width 1"; do
    # shellcheck disable=SC2086
    good $jumps --greeks $width
    near delta 0.018762
    grep -q 'delta .*gradient' out && grep -q 'gamma .*likelihood' out && pass || fail "the methods"
done

# Roles, where no parameter is called spot: two of them.
good price asian-max --paths 1000 --greeks
[ "$(grep -c '^  delta' out)" -eq 2 ] && pass || fail "deltas of two parameters whose role is spot"

# A motion has no dates that move.
good price adaptive-milstein --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 2000 --seed 1 --greeks
grep -q '^  vega' out && ! grep -q '^  theta' out && pass || fail "Greeks of a motion"
bad 2 "no gradients" price adaptive-milstein --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --gradient

# ---- Gradients ----

# Leaves the derivatives of what a command printed.
table() {
    sed -n '/derivative with respect to/,/^$/p' out >table && mv table out
}

good $option --gradient
table
near spot 0.636831
near strike -0.532325
near rate 53.2325
near dividend -63.6831
near volatility 37.524
! grep -q sign out && pass || fail "a choice has no derivative"
good $option --gradient --by spot,volatility --by-covariance
table
grep -q '^  covariance\[0\]\[0\] ' out && ! grep -q strike out && pass || fail "--by"
# more derivatives than can have the controls that the product brings along
good price european --model heston+curve --steps 16 --spot 100 --strike 100 --rate 0.03 --variance 0.04 --reversion 1.5 \
    --mean-variance 0.05 --sigma 0.3 --correlation=-0.7 --paths 64 --gradient
grep -q '^  sigma  *-\{0,1\}[0-9.]*  *[0-9.]* ' out && pass || fail "a gradient of many: $(cat out)"
good $option --gradient --json
check "price --gradient --json" valid_json out
grep -q '"gradient": \[' out && grep -q '"name": "volatility"' out && pass || fail "a gradient as JSON"
bad 2 "\-\-by needs --gradient" $option --by spot
bad 2 "\-\-by-covariance needs --gradient" $option --by-covariance
bad 2 "\-\-width needs --gradient" $option --width 1
bad 2 "\-\-by: colour is not a parameter" $option --gradient --by colour
bad 2 "\-\-by: sign is a choice" $option --gradient --by sign
bad 2 "given twice" $option --gradient --by spot,spot
bad 2 "missing" $option --gradient --by spot,
bad 2 "\-\-width: -1 is not" $option --gradient --width -1
bad 2 "\-\-widths needs --gradient" $option --widths 1
bad 2 "\-\-output needs --gradient" $option --output price
bad 2 "\-\-weights needs --gradient" $option --weights 1
good $jumps --gradient --by spot
cp out usual
width=$(awk '/^  jump in line/ { getline; print $3 }' out)
awk '$1 == "spot" && NF == 4 { exit $2 != $4 || $3 <= 0 }' out && [ -n "$width" ] && pass || fail "jumps: $(cat out)"
good $jumps --gradient --by spot --widths 2
! cmp -s out usual && grep -q '^  [0-9]* .*  2.00000000$' out && pass || fail "--widths"
table
near spot 0.018762
good $jumps --gradient --by spot --widths 2 --json
check "price --gradient --json" valid_json out
grep -q '"by_jumps": 0.018' out && grep -q '"jumps": \[' out && pass || fail "jumps as JSON"
bad 1 "its width is 0" $jumps --gradient --widths 0
bad 2 "\-\-widths: width_count is 2" $jumps --gradient --widths 1,2
bad 2 "\-\-widths: .*one of them" $jumps --gradient --widths 1 --width 1
good $option --gradient
! grep -q 'by jumps' out && pass || fail "a call has no jumps"
basket="price asian --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 20000 --seed 1 --gradient --by spot"
# mean NAME: the estimate without control variates
mean() {
    sed -n '/"name": "spot"/,/"mean"/s/.*"mean": \([-0-9.e]*\),/\1/p' out
}
good $basket --json
price=$(mean)
good $basket --output geometric --json
control=$(mean)
good $basket --weights 2,-1 --json
awk -v a="$price" -v b="$control" -v c="$(mean)" 'BEGIN { d = 2 * a - b - c; exit !(a != b && d < 1e-6 && d > -1e-6) }' &&
    pass || fail "--output, --weights: $price $control $(mean)"
good $basket --derivative-code --output geometric
grep -q 'geometric' out && pass || fail "--derivative-code --output"
bad 2 "\-\-output: there is no output 'mean'" $basket --output mean
bad 2 "\-\-output and --weights cannot both be given" $basket --output price --weights 1,1
bad 2 "\-\-weights: 1 number for 2 outputs" $basket --weights 1
for width in "" "--width 1"; do
    # shellcheck disable=SC2086
    good $jumps --gradient --by spot $width
    table
    near spot 0.018762
done

# A payoff that does not say what the rate does to it has no theta.
cat >call.c <<'END'
/** A call.
 *
 * out[0] price: its value [likelihood]
 */
typedef struct { real spot, volatility, rate, strike; } params;
typedef struct { real s; } state;
void start(state *s, const params *p) { s->s = p->spot; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    s->s = p->spot * exp((p->rate - 0.5 * p->volatility * p->volatility) * t + p->volatility * x[0]);
}
void finish(const state *s, const params *p, real out[]) { out[0] = exp(-p->rate) * fmax(s->s - p->strike, 0); }
END
good price --payoff call.c --steps 1 --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 1000 --greeks --likelihood
grep -q 'delta .*likelihood' out && ! grep -q theta out && pass || fail "theta of a payoff that says nothing of it"
sed 's/fmax(\(.*\), 0)/floor(\1)/' call.c >rounded.c
rounded="price --payoff rounded.c --steps 1 --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 1000"
bad 1 "rounded.c:12:.*floor" $rounded --gradient
bad 1 "rounded.c:12:.*floor" $rounded --greeks --greeks-method gradient
good $rounded --greeks
grep -q 'delta .*differences' out && ! grep -q ' gradient ' out && pass || fail "what cannot be differentiated"

# All of the example, of fewer paths and steps; elsewhere compilers take too long.
basket() {
    price="price --payoff payoff.c --dims 10 --correlation correlation.csv --increments --construction walk"
    cp "$here/../../examples/heston-basket/payoff.c" "$here/../../examples/heston-basket/correlation.csv" .
    good $price --steps 4 --spot 100 --strike 100 --rate 0.03 --set variance=0.04 --set reversion=1.5 \
        --set mean_variance=0.04 --set sigma=0.3 --paths 200 --seed 1 --greeks
    for count in delta:5 gamma:5 "cross gamma:10" vega:5 volga:5 vanna:5 rho:1 theta:1 correlation:45; do
        [ "$(sed -n '/^  Greek /,$p' out | grep -c "^  ${count%:*} ")" -eq "${count#*:}" ] && pass ||
            fail "${count%:*}"
    done
}
[ "$BAILEY_DEVICE" = cpu ] && basket

# ---- Scenarios ----

cat >table.csv <<END
name,spot,time_shift
today,100,0
higher,101,0
sooner,100,-0.5
END
good $option --scenarios table.csv
near today 10.450584
near higher 11.097
near sooner 6.888
cp out three
good price european --spot 101 --strike 100 --rate 0.05 --volatility 0.2 --paths 20000 --seed 1
price=$(sed -n 's/^  price  *\([0-9.]*\) .*/\1/p' out)
awk -v price="$price" '$1 == "higher" { exit !($2 - price < 1e-6 && price - $2 < 1e-6) }' three && pass ||
    fail "a scenario is not the price with its spot, $price"
good $option --scenarios table.csv --json
check "price --scenarios --json" valid_json out
grep -q '"difference_standard_error"' out && pass || fail "scenarios as JSON"
echo "strike" >one.csv
bad 2 "no scenario" $option --scenarios one.csv
printf 'barrier\n1\n' >one.csv
bad 2 "barrier" $option --scenarios one.csv
printf 'strike\n1,2\n' >one.csv
bad 2 "line 2" $option --scenarios one.csv
printf 'strike\nx\n' >one.csv
bad 2 "line 2" $option --scenarios one.csv
printf 'time_shift\n-1\n' >one.csv
bad 2 "start_time" $option --scenarios one.csv
bad 1 "missing.csv" $option --scenarios missing.csv

finish
