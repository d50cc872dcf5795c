#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey price`. See common.sh.
. "${0%/*}/common.sh"

price="price asian --fixings $deal/fixings.csv --valuation 2026-01-02 --assets $deal/assets.csv"
price="$price --correlation $deal/correlation.csv --strike 100 --rate 0.03 --paths 20000 --seed 1"
good $price
grep -q '^  price  *[0-9]*\.[0-9]*  +- ' out && pass || fail "the price"
grep -q 'closed form .* off by -*[0-2]\.[0-9]* standard errors' out && pass || fail "the check line: $(grep closed out)"
grep -q '0x1\.' out && pass || fail "the bits"
grep '0x1\.' out >a
good $price --threads 1
grep '0x1\.' out >b
cmp -s a b && pass || fail "threads change the price"
good $price --json
check "price --json" valid_json out
sed -n 's/^.*"price": "\(0x.*\)",$/\1/p' out >b
grep -q -e "$(head -n 1 b)" a && pass || fail "the same bits in the JSON"
good price asian --fixings "$deal/times.csv" --assets "$deal/assets.csv" --correlation "$deal/correlation.csv" \
    --strike 100 --rate 0.03 --paths 20000 --seed 1
grep '0x1\.' out >b
cmp -s a b && pass || fail "fixings as numbers and as dates"
for order in lr-up incremental; do
    good $price --order $order --precision f64 --normal box-muller
done

bad_deal() {
    printf "$2" >d.csv
    bad 2 "$1" price asian --fixings f.csv --assets d.csv --strike 1 --rate 0
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
bad_deal "1 fields where the heading has 2" 'spot,volatility\n1\n'
printf '"name",Spot,VOLATILITY\r\n"a, ""b""",100,0.2\r\n' >d.csv
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0.01 --paths 1000
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0.01 --paths 1000 --json
check "price --json, one asset" valid_json out
printf 'spot,volatility\n100,0\n' >d.csv
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0 --paths 1000
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0 --paths 1000 --json
check "price --json, no risk" valid_json out
deal_of_one="price asian --assets d.csv --fixings f.csv"
for option in lr-dwn bisect; do
    bad 2 "\-\-order: '$option' is neither .* did you mean" $deal_of_one --strike 1 --rate 0 --order $option
done
bad 1 "\-\-order: cannot open missing.csv" $deal_of_one --strike 1 --rate 0 --order missing.csv
bad 1 "\-\-assets: cannot open missing.csv" price asian --assets missing.csv --fixings f.csv --strike 1 --rate 0
bad 1 "\-\-fixings: cannot open missing.csv" price asian --assets d.csv --fixings missing.csv --strike 1 --rate 0
bad 1 "\-\-correlation: cannot open missing.csv" $deal_of_one --strike 1 --rate 0 --correlation missing.csv
printf '2\n' >m.csv
bad 2 "\-\-correlation: correlation\[0\]\[0\]" $deal_of_one --strike 1 --rate 0 --correlation m.csv
bad 2 "has 2 rows, --assets has 1" $deal_of_one --correlation corr.csv --strike 1 --rate 0
bad 2 "\-\-strike K is needed" $deal_of_one --rate 0
bad 2 "\-\-strike: -1 is negative" $deal_of_one --strike -1 --rate 0
bad 2 "\-\-rate" $deal_of_one --strike 1 --rate nan
bad 2 "\-\-paths: 1 is outside" $deal_of_one --strike 1 --rate 0 --paths 1
printf 'spot,volatility\n100,0.2\n' >a.csv
bad 2 "rate" price asian --fixings "$deal/times.csv" --assets a.csv --strike 100 --rate 50 --paths 1000
printf '10\n20\n' >f.csv
bad 2 "rate" price asian --fixings f.csv --assets a.csv --strike 100 --rate 90 --precision f64 --paths 1000
printf '2026-02-30\n' >f.csv
bad 2 "there is no day 2026-02-30" $deal_of_one --valuation 2026-01-02 --strike 1 --rate 0
printf '2026-01-02\n' >f.csv
bad 2 "2026-01-02 is not greater than 0" $deal_of_one --valuation 2026-01-02 --strike 1 --rate 0
bad 2 "dates need --valuation" $deal_of_one --strike 1 --rate 0
bad 2 "no date of the form" $deal_of_one --valuation 2.1.2026 --strike 1 --rate 0
bad 2 "no day" $deal_of_one --valuation 2026-13-01 --strike 1 --rate 0

# Spreadsheets count days: under a heading of dates, or where --valuation expects them, a number is not years.
printf 'Date\n46052\n46080\n' >f.csv
for valuation in '' '--valuation 2026-01-02'; do
    bad 2 "f.csv line 2: 46052 is a number under the heading date: write dates as YYYY-MM-DD.*is 2026-01-30" \
        $deal_of_one --strike 1 --rate 0 $valuation
done
bad 2 "line 2: 46052 is a number under the heading date" paths --times f.csv --paths 2 --output p.npy
printf '0.5\n1\n' >f.csv
bad 2 "line 1: 0.5 is a number where --valuation .* leave out --valuation for numbers of years$" \
    $deal_of_one --strike 1 --rate 0 --valuation 2026-01-02
printf 'time\n2026-01-30\n0.5\n' >f.csv
bad 2 "line 3: 0.5 is a number" $deal_of_one --strike 1 --rate 0 --valuation 2026-01-02
printf 'years\n0.5\n1\n' >f.csv
good $deal_of_one --strike 1 --rate 0 --paths 100

finish
