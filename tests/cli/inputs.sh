#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: files of times, orders and matrices, numbers, and output that cannot be, mostly of
# `bailey paths`. See common.sh.
. "${0%/*}/common.sh"

# ---- Times, orders, matrices ----

good paths --steps 4 --maturity 2 --paths 9 -o p.npy
printf '\357\273\277time\r\n0.5\r\n\r\n# a remark\r\n 1 \r\n"1.5"\r\n2' >times.csv
good paths --times times.csv --paths 9 -o q.npy
cmp -s p.npy q.npy && pass || fail "a file of times as a spreadsheet writes it"
for order in bisection lr-down lr-up rl-down rl-up incremental; do
    good paths $run --order $order -o p.npy
done
printf 'order\n3\n1\n2\n' >order.csv
good paths --steps 4 --paths 9 --order order.csv -o p.npy
good paths --steps 4 --paths 9 --order incremental --important 3 -o q.npy
cmp -s p.npy q.npy && pass || fail "an order by name and the same from a file"
good paths --steps 4 --paths 9 --order incremental --important 3 -o p.svg
grep -q 'incremental, important times first' p.svg && pass || fail "important times in the picture's subtitle"

bad_times() {
    want=$1
    printf "$2" >t.csv
    bad 2 "$want" paths --times t.csv --paths 2 -o p.npy
}
bad_times "line 2: time 1 is not greater than 1" '1\n1\n'
bad_times "line 3: time 0.5 is not greater" '0.1\n1\n0.5\n'
bad_times "line 1: time -1 is not greater than 0, the start" '%s-1\n'
bad_times "line 1: time 0 is not greater" '0\n1\n'
bad_times "'nan' is not a finite" 'nan\n'
bad_times "'inf' is not a finite" '1\ninf\n'
bad_times "1e400 is beyond" '1\n1e400\n'
bad_times "'0x10' is not" '0x10\n'
bad_times "'1 2' is not" '1 2\n'
bad_times "2 fields" '1,2\n'
bad_times "it contains no time; at least one is required" ''
bad_times "it contains no time; at least one is required" 'time\n\n# nothing\n'
bad_times "zero byte" '1\n\000\n'
bad_times "does not end" '"1\n'
bad_times "'two' is not" '1\ntwo\n'
bad_times "2 fields; one is expected; numbers are written with a decimal point" '0,5\n'
bad_times "\-\-times: t.csv line 2: dates need --valuation" 'date\n2026-03-31\n'
head -c 2000000 /dev/zero | tr '\0' 1 >t.csv
bad 2 "longer than 1048576 bytes" paths --times t.csv --paths 2 -o p.npy
bad 1 "\-\-times: cannot open missing.csv" paths --times missing.csv --paths 2 -o p.npy
bad 1 "cannot read" paths --times . --paths 2 -o p.npy

bad_order() {
    printf "$2" >o.csv
    bad 2 "$1" paths --steps 4 --paths 2 --order o.csv -o p.npy
}
bad_order "2 of 3 indices; 2 is missing" '1\n3\n'
bad_order "index '4' is outside 1 to 3" '1\n2\n4\n'
bad_order "index '0' is outside" '0\n1\n2\n'
bad_order "index 1 occurs in line 1" '1\n2\n1\n'
bad_order "index '-1' is outside" '%s-1\n'
bad_order "index '1.5' is outside" '1.5\n'
bad 2 "did you mean lr-down" paths $run --order lr-dwn -o p.npy
bad 2 "nor a file" paths $run --order sideways -o p.npy
bad 1 "\-\-order: cannot open missing.csv" paths $run --order missing.csv -o p.npy
bad 2 "\-\-order: o.csv line 1" paths $run --order o.csv -o p.npy
bad 2 "\-\-important: '99999999999' is not an integer from 1 to 4294967295" paths $run --important 99999999999 \
    -o p.npy
bad 2 "none before the last" paths --steps 1 --paths 2 --important 1 -o p.npy
bad 2 "outside 1 to 6" paths $run --important 7 -o p.npy
bad 2 "given twice" paths $run --important 2,2 -o p.npy
bad 2 "integer" paths $run --important 2,x -o p.npy
bad 2 "with a name" paths --steps 4 --paths 2 --order order.csv --important 1 -o p.npy

bad_matrix() {
    printf "$3" >m.csv
    bad 2 "$2" paths $run $1 m.csv -o p.npy
}
bad_matrix --correlation "correlation (row 2, column 2) is 2, must be 1; the matrix looks like a covariance matrix" '1,0\n0,2\n'
bad_matrix --correlation "1 row and 2 columns" '1,0\n'
bad_matrix --correlation "more rows" '1\n1\n'
bad_matrix --correlation "columns, but the first row" '1,0\n0\n'
bad_matrix --correlation "'x' is not" '1,x\n0,1\n'
bad_matrix --correlation "no row" ''
place='correlation (row 2, column 1)'
offer='bailey_correlation_nearest and `bailey correlation FILE --nearest OUT` find the nearest correlation matrix'
bad_matrix --correlation "\-\-correlation: m.csv: $place = 0.8 differs from correlation (row 1, column 2) = 0.9$" \
    '1,0.9\n0.8,1\n'
bad_matrix --correlation "\-\-correlation: m.csv: $place is 2, must be from -1 to 1; the matrix looks like percentages$" \
    '1,2\n2,1\n'
bad_matrix --correlation "m.csv: correlation is not positive semi-definite: its smallest eigenvalue is -0.8, determined \
mostly by $place = 0.9; $offer$" '1,0.9,-0.9\n0.9,1,0.9\n-0.9,0.9,1\n'
bad_matrix --covariance "\-\-covariance: m.csv: covariance (row 1, column 1) = -1 is negative" '%s-1\n'
bad_matrix --covariance "m.csv: covariance is not positive semi-definite: scaled to a diagonal of ones, its smallest \
eigenvalue is -0.8, determined mostly by covariance (row 2, column 1) = 1.8$" '4,1.8,-1.8\n1.8,1,0.9\n-1.8,0.9,1\n'
bad_matrix --covariance "\-\-covariance: m.csv line 1: .*finite" 'nan\n'
for option in correlation covariance; do
    bad 1 "\-\-$option: cannot open missing.csv" paths $run --$option missing.csv -o p.npy
done
bad 2 "cannot be combined" paths $run --correlation corr.csv --covariance corr.csv -o p.npy
bad 2 "\-\-dims has 3 dimensions, --correlation has 2" paths $run --dims 3 --correlation corr.csv -o p.npy
bad 2 "\-\-start has 3 dimensions, --end has 2" paths $run --start 1,2,3 --end 1,2 -o p.npy

# ---- Headings ----

# Files are read alike for every device, and fastest for cpu.
device=$BAILEY_DEVICE
BAILEY_DEVICE=cpu

# same TEXT ARGUMENTS...: bailey succeeds, says on standard error a line with TEXT (empty: nothing), and makes p.npy
# again
same() {
    text=$1
    shift
    "$bailey" "$@" -o q.npy >out 2>err </dev/null
    code=$?
    if [ -n "$text" ]; then
        grep -q -e "$text" err && [ "$(wc -l <err)" -eq 1 ]
    else
        [ ! -s err ]
    fi && [ $code -eq 0 ] && cmp -s p.npy q.npy && pass || fail "exit $code, or another file or text: bailey $*"
}

"$bailey" paths --help >help
awk 'BEGIN { printf "%.17g\n1\n", 28 / 365 }' >t.csv
good paths --times t.csv --paths 3 -o p.npy
for word in $(sed -n 's/^      times  *//p' help | tr -d ,) Date FIXINGS '"Years"'; do
    printf '%s\n2026-01-30\n2027-01-02\n' "$word" >t.csv
    same "" paths --times t.csv --valuation 2026-01-02 --paths 3
done
printf '0.5\n1\n' >t.csv
good paths --times t.csv --paths 3 -o p.npy
for word in Zeitpunkt inflation nanometres 'years from now' Info 'T (a)' "$(printf '\346\227\245\344\273\230')"; do
    printf '%s\n0.5\n1\n' "$word" >t.csv
    same "note: --times: t.csv line 1: '$word' is taken for a header row and skipped" paths --times t.csv --paths 3
done
printf '# remark\n\n"Stichtag",,\n0.5\n1\n' >t.csv
same "t.csv line 3: 'Stichtag'" paths --times t.csv --paths 3
for word in O.5 e5 l I o -l .e .5x 5x '0.5 y' x.5 nan NaN inf -inf Infinity NA n/a null none - --- t0 1st Q1 \
    0x1 '""' '1.2.3'; do
    printf '%s\n0.5\n1\n' "$word" >t.csv
    word=$(echo "$word" | tr -d '"')
    bad 2 "t.csv line 1: time '$word' is not a finite decimal number or a date of the form YYYY-MM-DD" \
        paths --times t.csv --paths 3 -o q.npy
done
bad_times "t.csv line 2: time 'time' is not" '1\ntime\n'
bad_times "t.csv line 2: time 'dates' is not" 'time\ndates\n1\n'
printf '3\n1\n2\n' >o.csv
good paths --steps 4 --paths 3 --order o.csv -o p.npy
for word in $(sed -n 's/^      orders  *//p' help | tr -d ,) Index; do
    printf '%s\n3\n1\n2\n' "$word" >o.csv
    same "" paths --steps 4 --paths 3 --order o.csv
done
printf 'Reihenfolge,\n3,\n1,,\n,,\n2\n,\n' >o.csv
same "note: --order: o.csv line 1: 'Reihenfolge' is taken for a header row" paths --steps 4 --paths 3 --order o.csv
for word in l I3 nan i1; do
    bad_order "o.csv line 1: index '$word' is outside 1 to 3" "$word\\n3\\n1\\n2\\n"
done

# ---- Dates, separators, trailing commas ----

awk 'BEGIN { printf "%.17g\n%.17g\n1\n", 28 / 365, 56 / 365 }' >t.csv
good paths --times t.csv --paths 3 -o p.npy
printf 'date,,\r\n2026-01-30,,\r\n2026-02-27,\r\n,,\r\n2027-01-02,,\r\n,,\r\n' >t.csv
same "" paths --times t.csv --valuation 2026-01-02 --paths 3
bad 2 "\-\-times: t.csv line 2: dates need --valuation YYYY-MM-DD" paths --times t.csv --paths 3 -o p.npy
bad 2 "line 2: time -0.09.* = 2026-01-30 is not greater than 0, the start" paths --times t.csv --valuation 2026-03-07 \
    --paths 3 -o p.npy
bad 2 "\-\-valuation and --steps cannot be combined" paths --steps 3 --valuation 2026-01-02 --paths 3 -o p.npy
bad 2 "\-\-valuation: '2026-02-30' is not a day of the calendar" paths --times t.csv --paths 3 \
    --valuation 2026-02-30 -o p.npy
bad 2 "\-\-valuation: 'today' is not a date of the form YYYY-MM-DD" paths --times t.csv --paths 3 \
    --valuation today -o p.npy
bad 2 "\-\-valuation: '2.1.2026' is a date in another form; write dates as YYYY-MM-DD: 2026-01-02$" paths \
    --times t.csv --valuation 2.1.2026 --paths 3 -o p.npy
form='is a date in another form; write dates as YYYY-MM-DD'
for date in 30/01/2026 30.01.2026 01/30/2026 30.1.2026 2026/01/30 30-Jan-2026 '30 January 2026' '2026-01-30 00:00:00'; do
    bad_times "t.csv line 2: $date $form: 2026-01-30$" "date\\n$date\\n"
    bad_times "t.csv line 1: $date $form: 2026-01-30$" "$date\\n"
done
for date in 02/03/2026 30/01/26 30.02.2026; do
    bad_times "t.csv line 1: $date $form$" "$date\\n"
done
advice="(fields are separated by ';'; commas are expected)$"
bad_times "time '1;2' is not .* $advice" '1;2\n'
bad_times "'30.01.2026;' is not .* $advice" '30.01.2026;\n'
bad_times "2 fields.* $advice" '0,5;1\n'
bad_times "line 2: .* (fields are separated by tabs; commas are expected)$" 'time\n1\t2\n'
bad_order "$advice" '3;1;2\n'
bad_matrix --correlation "$advice" '1;0.5\n0.5;1\n'
bad_matrix --correlation "$advice" '1;0,5\n0,5;1\n'
bad_matrix --correlation "separated by tabs" '1\t0.5\n0.5\t1\n'
bad_matrix --correlation "entry 'a;b' is not a finite decimal number$" '1,"a;b"\n0.5,1\n'
good paths $run --correlation corr.csv -o p.npy
printf ',,\n1,0.5,,\n ,\t,\n0.5,1,,\n,,,\n' >m.csv
same "" paths $run --correlation m.csv

# ---- Names of rows and columns ----

for text in ',A,B\n A,1,0.5\nB,0.5,1\n' 'name,S&P 500,3M\nS&P 500,1,0.5\n3M,0.5,1\n' 'A,B\n1,0.5\n0.5,1\n' \
    'A,1,0.5\nB,0.5,1\n' ',0,1\n0,1,0.5\n1,0.5,1\n' 'A,B\nA,1,0.5\nB,0.5,1\n' ',A,B,\nB,0.5,1,\nA,1,0.5,\n'; do
    printf "$text" >m.csv
    same "" paths $run --correlation m.csv
done
bad_matrix --correlation "m.csv line 3: 'Bee' is not the name of a column; did you mean 'Be'?" ',A,Be\nA,1,0\nBee,0,1\n'
bad_matrix --correlation "m.csv line 3: the name 'A' occurs twice" ',A,B\nA,1,0\nA,0,1\n'
bad_matrix --correlation "m.csv line 1: the name 'A' occurs twice" ',A,A\nA,1,0\nB,0,1\n'
bad_matrix --correlation "m.csv line 2: 2 numbers, but the header row has 3 names" 'A,B,C\n1,0\n0,1\n'
bad_matrix --correlation "m.csv line 2: '0.5' differs from the name in the first row" 'A,1\n0.5,1\n'
bad_matrix --correlation "no number after the name 'B'" 'A\nB\n'
bad_matrix --correlation "no row of numbers" 'A,B\n'
bad_matrix --correlation "line 1: entry 'O.5' is not" '1,O.5\n0.5,1\n'
bad_matrix --correlation "line 1: entry 'l' is not" 'l,0.5\n0.5,1\n'
bad_matrix --correlation "line 1: entry '1x' is not" '1x,0.5\n0.5,1\n'
bad_matrix --correlation "line 2: 2 columns, but the first row has 3" 'A,1,0\nB,0\n'
bad_matrix --correlation "2 rows and 3 columns" ',A,B,C\nA,1,0,0\nB,0,1,0\n'

# Those of the assets: the price is that of the matrix without names.
printf '0.5\n1\n' >f.csv
printf 'name,spot,volatility,\nHarbour,100,0.2,\n"Meridian, Inc",90,0.3,,\n3M,110,0.1\n,,,\n' >assets.csv
basket="price asian --times f.csv --assets assets.csv --strike 100 --rate 0.03 --paths 1000 --seed 1"
printf '1,0.4,0.5\n0.4,1,0.3\n0.5,0.3,1\n' >m.csv
good $basket --correlation m.csv
grep '0x1\.' out >a
for text in ',Harbour,"Meridian, Inc",3M\nHarbour,1,0.4,0.5\n"Meridian, Inc",0.4,1,0.3\n3M,0.5,0.3,1\n' \
    ',3M,Harbour,"Meridian, Inc"\n3M,1,0.5,0.3\nHarbour,0.5,1,0.4\n"Meridian, Inc",0.3,0.4,1\n' \
    'x,3M,Harbour,"Meridian, Inc"\n"Meridian, Inc",0.3,0.4,1\n3M,1,0.5,0.3\nHarbour,0.5,1,0.4\n' \
    '3M,Harbour,"Meridian, Inc",\n1,0.5,0.3,\n0.5,1,0.4,\n0.3,0.4,1,\n' \
    '3M,1,0.5,0.3\nHarbour,0.5,1,0.4\n"Meridian, Inc",0.3,0.4,1\n'; do
    printf "$text" >m.csv
    good $basket --correlation m.csv
    grep '0x1\.' out >b
    cmp -s a b && pass || fail "a matrix with names: $text"
done
bad_names() {
    printf "$2" >m.csv
    bad 2 "\-\-correlation: m.csv$1" $basket --correlation m.csv
}
bad_names " line 1: 'Harbor' is not the name of an asset; did you mean 'Harbour'?" ',Harbor,3M\nHarbor,1,0\n3M,0,1\n'
bad_names " line 3: '4M' is not the name of an asset" ',Harbour,3M\nHarbour,1,0\n4M,0,1\n'
bad_names ": the asset 'Meridian, Inc' is missing" ',Harbour,3M\nHarbour,1,0\n3M,0,1\n'
bad_names " line 2: the name '3M' occurs twice" '3M,1,0,0\n3M,0,1,0\nHarbour,0,0,1\n'
bad_names " line 1: '0' is not the name of an asset" ',0,1,2\n0,1,0,0\n1,0,1,0\n2,0,0,1\n'
bad_names ": correlation ('3M', 'Harbour') = 0.6 differs from correlation ('Harbour', '3M') = 0.5$" \
    '1,0.4,0.5\n0.4,1,0.3\n0.6,0.3,1\n'
bad_names ": correlation is not positive semi-definite: its smallest eigenvalue is -0.8, determined mostly by correlation \
('Meridian, Inc', 'Harbour') = 0.9; $offer$" '1,0.9,-0.9\n0.9,1,0.9\n-0.9,0.9,1\n'
printf '1,0.4,0.5\n0.4,1,0.3\n0.5,0.3,1\n' >m.csv
prices="paths --times f.csv --assets assets.csv --rate 0.03 --paths 10"
good $prices --correlation m.csv -o p.npy
printf ',3M,Harbour,"Meridian, Inc"\n3M,1,0.5,0.3\nHarbour,0.5,1,0.4\n"Meridian, Inc",0.3,0.4,1\n' >m.csv
same "" $prices --correlation m.csv
printf 'name,spot,volatility\n1,100,0.2\n0,90,0.3\nO,110,0.1\n' >assets.csv # names that look like entries
for text in '1,0.4,0.5\n0.4,1,0\n0.5,0,1\n' ',0,1,O\n0,1,0.4,0\n1,0.4,1,0.5\nO,0,0.5,1\n'; do
    printf "$text" >m.csv
    good $basket --correlation m.csv
    grep '0x1\.' out >b
    [ "$text" = "${text#,}" ] && cp b a
    cmp -s a b && pass || fail "assets with numbers for names: $text"
done
printf 'name;spot;volatility\nHarbour;100;0,2\n' >assets.csv
bad 2 "unknown column 'name;spot;volatility'.* $advice" $basket
printf 'name\tspot\tvolatility\nHarbour\t100\t0.2\n' >assets.csv
bad 2 "unknown column .*separated by tabs; commas are expected" $basket

BAILEY_DEVICE=$device

# ---- Numbers ----

bad 2 "\-\-steps N or --times" paths --paths 4 -o p.npy
bad 2 "\-\-paths P is required" paths --steps 4 -o p.npy
bad 2 "\-\-output FILE is required" paths --steps 4 --paths 4
bad 2 "cannot be combined" paths --steps 4 --times times.csv --paths 4 -o p.npy
bad 2 "maturity" paths --times times.csv --maturity 2 --paths 4 -o p.npy
bad 2 "\-\-paths: 0 is outside its limits, 1 to 274877906944" paths --steps 4 --paths 0 -o p.npy
bad 2 "\-\-paths: 1e30 is outside" paths --steps 4 --paths 1e30 -o p.npy
bad 2 "\-\-paths: '-4' is not an integer" paths --steps 4 --paths -4 -o p.npy
bad 2 "\-\-paths: '2.7e11' must be written without a point or sign: 270000000000" paths --steps 4 --paths 2.7e11 \
    -o p.npy
bad 2 "\-\-paths: '1.5' is not" paths --steps 4 --paths 1.5 -o p.npy
bad 2 "\-\-steps: 0 is outside its limits, 1 to 1000001" paths --steps 0 --paths 4 -o p.npy
bad 2 "\-\-steps: 1000002 is outside" paths --steps 1000002 --paths 4 -o p.npy
bad 2 "\-\-dims: 65 is outside" paths $run --dims 65 -o p.npy
bad 2 "\-\-seed: 18446744073709551616 is outside" paths $run --seed 18446744073709551616 -o p.npy
good paths $run --seed 18446744073709551615 -o p.npy
for value in nan inf -inf 1x 0x1p3 "" " "; do
    bad 2 "\-\-maturity" paths $run --maturity "$value" -o p.npy
    bad 2 "\-\-start" paths $run --start "$value" -o p.npy
done
bad 2 "\-\-maturity: 1e400 is beyond" paths $run --maturity 1e400 -o p.npy
bad 2 "\-\-maturity: -1 is not greater" paths $run --maturity -1 -o p.npy
bad 2 "\-\-maturity: 1e308" paths $run --maturity 1e308 -o p.npy
bad 2 "too many" paths --steps 1000 --start-time 1 --maturity 1.0000000000000002 --paths 2 -o p.npy
bad 2 "\-\-start: '' is not" paths $run --start 1,,2 -o p.npy
many=$(awk 'BEGIN { for (i = 0; i < 65; i++) printf "%s1", i ? "," : "" }')
bad 2 "more than 64" paths $run --start "$many" -o p.npy
bad 2 "unknown value 'f16'; choose from f32, f64" paths $run --precision f16 -o p.npy
bad 2 "choose from step-major, path-major" paths $run --layout column -o p.npy
bad 2 "choose from icdf, box-muller" paths $run --normal ziggurat -o p.npy
bad 2 "choose from exact, fast" paths $run --numerics sloppy -o p.npy
bad 2 "exceed 2^63 bytes" paths --steps 1000001 --dims 64 --paths 274877906944 -o p.npy
clean "bad numbers"

# ---- Output that cannot be ----

bad 2 "does not end with" paths $run -o p.txt
bad 2 "does not end with" paths $run -o npy
bad 2 "cannot be combined" paths $run -o - --json
bad 1 "cannot write missing/p.npy" paths $run -o missing/p.npy
mkdir folder.npy
bad 1 "cannot write folder.npy" paths $run -o folder.npy
bad 1 "needs .* its file system has" paths --steps 1000000 --paths 1e9 -o p.npy
clean "too large"
good paths $run -o p.npy
mkdir links
for target in new.npy links/new.npy "$dir/links/whole.npy"; do # symbolic links that lead nowhere yet
    ln -s "$target" dangling.npy
    ln -s ../dangling.npy links/chain.npy
    good paths $run -o links/chain.npy
    [ -h dangling.npy ] && [ -h links/chain.npy ] && cmp -s p.npy "$target" && pass || fail "a link to $target"
    rm -f dangling.npy links/chain.npy "$target"
done
ln -s missing/new.npy dangling.npy
bad 1 "cannot write dangling.npy: No such file" paths $run -o dangling.npy
ln -sf dangling.npy dangling.npy
bad 1 "cannot write dangling.npy: Too many" paths $run -o dangling.npy
[ -h dangling.npy ] && pass || fail "a link was removed"
if [ "$(id -u)" -ne 0 ]; then
    echo old >locked.npy
    chmod 400 locked.npy
    bad 1 "cannot write locked.npy" paths $run -o locked.npy
fi
if [ -c /dev/full ]; then
    bad 1 "No space left" paths $run --format npy -o /dev/full
    bad 1 "No space left" paths $run --format csv -o /dev/full
    bad 1 "No space left" paths $run --format svg -o /dev/full
    [ -c /dev/full ] && pass || fail "a device was removed"
fi
echo old >p.npy
for format in npy csv svg; do
    (ulimit -f 1 && exec "$bailey" paths --steps 50 --paths 500 --format $format -o p.npy >out 2>err)
    code=$?
    [ $code -eq 1 ] && grep -q 'cannot write p.npy' err && pass || fail "a limit of the file's size: exit $code"
    [ "$(cat p.npy)" = old ] && pass || fail "the old file was harmed"
    clean "a limit of the file's size"
done
bad 1 "keeps .* in memory" paths --steps 1000000 --paths 1e7 --format csv -o /dev/null
"$bailey" paths --steps 100000 --paths 100000000 --layout path-major --chunk-bytes 10000000 -o - 2>err |
    head -c 1000 >head.npy
[ "$(wc -c <head.npy)" -eq 1000 ] && pass || fail "a pipe that is closed early"
rm -f p.npy
"$bailey" paths --steps 64 --paths 3000000 --chunk-bytes 1000000 -o p.npy >out 2>err &
pid=$!
n=0
while ! ls .p.npy.*.tmp >/dev/null 2>&1 && [ $n -lt 100 ]; do
    sleep 0.1
    n=$((n + 1))
done
kill -TERM $pid
wait $pid 2>/dev/null
code=$?
if [ $code -eq 143 ]; then
    clean "a signal"
    [ ! -e p.npy ] && pass || fail "half a file after a signal"
else
    fail "a signal: exit $code"
fi
rm -f p.npy

# ---- What numbers were probably meant to be ----

european="price european --spot 100 --strike 100 --volatility 0.2 --paths 64"
bad 2 "\-\-paths: '1M' is not an integer from .*; write 1000000$" price european --paths 1M
bad 2 "\-\-paths: '5k' is not .*; write 5000$" paths --steps 1 --paths 5k -o p.npy
bad 2 "\-\-paths: 1e30 is outside its limits, 1 to" price european --paths 1e30
bad 2 "\-\-rate: '5%' is not a finite decimal number; write 0.05$" $european --rate 5%
bad 2 "\-\-rate: '25bp' is not a finite decimal number; write 0.0025$" $european --rate 25bp
bad 2 "\-\-maturity: '6m' is not a finite decimal number; times are in years: 0.5$" $european --rate 0 --maturity 6m
bad 2 "\-\-maturity: '2y' is not .*; times are in years: 2$" $european --rate 0 --maturity 2y
bad 2 "\-\-maturity: '3M' is not .*; times are in years: 0.25$" paths --steps 1 --paths 2 --maturity 3M -o p.npy
bad 2 "\-\-maturity: '0,5' is not .*; use a decimal point, not a comma: 0.5$" $european --rate 0 --maturity 0,5
bad 2 "\-\-rate: 0,05 looks like a number with a decimal comma; use a decimal point$" $european --rate 0,05
bad 2 "\-\-rate: 2 numbers, rate has 1; use a decimal point, not a comma$" $european --rate 0,5
bad 2 "\-\-set rate: 0,05 looks like" $european --set rate=0,05
printf 'spot,volatility\n100,"0,2"\n' >comma.csv
bad 2 "comma.csv line 2: volatility '0,2' is not .*; use a decimal point, not a comma: 0.2" \
    price asian --times f.csv --strike 1 --rate 0 --assets comma.csv

# A name of two assets.
printf 'name,spot,volatility\nA,1,0.2\nB,1,0.2\nA,1,0.3\n' >twice.csv
bad 2 "twice.csv line 4: the name 'A' occurs twice" price asian --times f.csv --strike 1 --rate 0 --assets twice.csv
printf 'name,spot,volatility\n,1,0.2\n,1,0.2\n' >nameless.csv
good price asian --times f.csv --strike 1 --rate 0 --assets nameless.csv --paths 64
bad 2 "\-\-rate: 0,05 looks like a number with a decimal comma; use a decimal point$" \
    price asian --times f.csv --assets nameless.csv --strike 1 --rate 0,05

# What options and words were called in the release before is still taken, with a note, and says the same
was() { # COMMAND BEFORE NOW WHAT
    "$bailey" $1 $2 >old 2>err </dev/null || fail "exit $?: bailey $1 $2"
    grep -q "^bailey ${1%% *}: note: $4 now\$" err && pass || fail "no note '$4': bailey $1 $2"
    "$bailey" $1 $3 >new 2>err </dev/null
    [ -s new ] && cmp -s old new && ! grep -q note: err && pass || fail "bailey $1 $2 is not $3"
}
numbers="random --count 9 --format txt"
points="random --generator sobol --points 4 --dims 2 --format txt"
was "$numbers" "--skip 5" "--first 5" "--skip is called --first"
was "$numbers" "--form u32" "--form words" "--form u32 is called words"
was "$numbers" "--form u01" "--form uniforms" "--form u01 is called uniforms"
was "$numbers" "--form normal" "--form normals" "--form normal is called normals"
bad 2 "\-\-bits: only with --form integers or permutation" $numbers --form normals --bits 64
was "$points" "--order index" "--point-order index" "--order is called --point-order"
was "$points" "--layout dim" "--layout dim-major" "--layout dim is called dim-major"
was "$points" "--layout point" "--layout point-major" "--layout point is called point-major"
was "$points" "--replicate 3" "--stream 3" "--replicate is called --stream"
paths="paths --steps 4 --paths 3 --output - --format csv"
was "$paths" "--horizon 2" "--maturity 2" "--horizon is called --maturity"
was "$paths" "--layout step" "--layout step-major" "--layout step is called step-major"
was "$paths" "--layout path" "--layout path-major" "--layout path is called path-major"
motion="motion --grid 4 --paths 3 --output - --format csv"
was "$motion" "--horizon 2" "--maturity 2" "--horizon is called --maturity"
was "$motion" "--levels 20" "--depth 20" "--levels is called --depth"
finish
