#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: correlation matrices at every door, and `bailey correlation`. See common.sh.
. "${0%/*}/common.sh"

# ---- Every door refuses what is not a correlation matrix, and says what it looks like ----

printf '0.04,0.03\n0.03,0.09\n' >covariance.csv
printf '100,50\n50,100\n' >percent.csv
printf '1,0.5\n0.4,1\n' >lopsided.csv
printf '1\n' >one.csv
printf '0.9999999999999998,0.5\n0.50000003,1.0000001\n' >rounded.csv
echo 'which is not read so far' >own.c
asian="price asian --spot 100,50 --volatility 0.2,0.3 --strike 75 --rate 0.05 --steps 2 --paths 64"
american="price american --type put --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --steps 2 --paths 64"
bermudan="price bermudan-max-call --spot 100,100 --strike 100 --rate 0.05 --volatility 0.2 --steps 2 --paths 64
 --policy-paths 64 --lower-only"
geometric="price asian-geometric --spot 100,50 --volatility 0.2,0.3 --strike 75 --rate 0.05 --steps 2 --paths 64"
paths="paths --steps 2 --paths 4 --dims 2 -o p.npy"
motion="motion --grid 2 --paths 4 --dims 2 -o p.npy"
convergent="mlmc --code own.c --dims 2 --no-test --eps 1"
for door in "$asian" "$bermudan" "$geometric" "$paths" "$motion" "$convergent"; do
    bad 2 "correlation (row 1, column 1) is 0.04, must be 1; the matrix looks like a covariance matrix" $door \
        --correlation covariance.csv
    bad 2 "correlation (row 1, column 1) is 100, must be 1; the matrix looks like percentages" $door \
        --correlation percent.csv
    bad 2 "correlation (row 2, column 1) is 50, must be from -1 to 1; the matrix looks like percentages" $door \
        --correlation 50
    bad 2 "= 0.4 differs from" $door --correlation lopsided.csv
done
unused="is given, but there is only one dimension"
european="price european --spot 100 --strike 100 --rate 0 --volatility 0.2 --paths 64"
for door in "$european" "$american"; do
    bad 2 "\-\-correlation: .*on one asset" $door --correlation 0.5
done
for door in "price asian --spot 1 --volatility 0.2 --strike 1 --rate 0 --paths 64" \
    "paths --steps 2 --paths 4 -o p.npy" "motion --grid 2 --paths 4 -o p.npy"; do
    bad 2 "$unused" $door --correlation 0.5
    bad 2 "$unused" $door --correlation one.csv
done

# What single precision rounds passes, and is exact.
for door in "$asian" "$bermudan" "$geometric"; do
    for file in corr.csv rounded.csv 0.5; do
        good $door --correlation $file --json
        grep -v 'seconds\|per_second\|correlation_source' out >report.$file
    done
    cmp -s report.corr.csv report.0.5 && pass || fail "one number and a matrix: $door"
done
for door in "$paths" "$motion"; do
    good $door --correlation corr.csv
    mv p.npy q.npy
    good $door --correlation 0.5
    cmp -s p.npy q.npy && pass || fail "one number and a matrix: $door"
    good $door --correlation rounded.csv
done
good paths --steps 2 --paths 4 --start 1,2,3 --correlation 0.5 -o p.npy
good motion --grid 2 --paths 4 --start 1,2,3 --correlation 0.5 -o p.npy

# ---- The command ----

good correlation corr.csv
grep -q '^corr.csv: 2 rows, eigenvalues from 0.5 to 1.5, a correlation matrix$' out && pass || fail "$(cat out)"
bad 2 "matrix: covariance.csv: matrix (row 1, column 1) is 0.04, must be 1; the matrix looks like a covariance" \
    correlation covariance.csv
bad 2 "looks like percent" correlation percent.csv --nearest p.csv
[ ! -e p.csv ] && pass || fail "a matrix of percent"
bad 2 "is given, but there is only one dimension" correlation one.csv
bad 2 "name a file" correlation
bad 1 "cannot open missing.csv" correlation missing.csv
bad 2 "\-\-least-eigenvalue applies to the matrix of --nearest; add --nearest OUT" correlation corr.csv --least-eigenvalue 0.1
bad 2 "least_eigenvalue is 1, not from 0 to below 1" correlation corr.csv --nearest p.csv --least-eigenvalue 1
bad 2 "cannot be combined" correlation corr.csv --nearest - --json
# high02 of Higham's collection: the distance is 0.527790463582
printf ',"a, b",c,"d""e"\n"a, b",1,1,0\nc,1,1,1\n"d""e",0,1,1\n' >high02.csv
"$bailey" correlation high02.csv >out 2>err
[ $? -eq 2 ] && grep -q 'eigenvalues from -0.414214 to 2.41421, not positive semi-definite' out &&
    ours | grep -q 'nearest OUT writes the nearest' && one_line && pass || fail "high02"
good correlation high02.csv --nearest p.csv
grep -q 'distance (Frobenius norm)     0.527790463582$' out && pass || fail "its distance: $(cat out)"
grep -q 'largest change  *0.239' out && pass || fail "its largest change: $(cat out)"
head -1 p.csv | grep -q '^"a, b","c","d""e"$' && pass || fail "its names: $(head -1 p.csv)"
good correlation p.csv
good correlation high02.csv --nearest p.csv --json
check "correlation --json" valid_json out
grep -q '"distance": 0.5277904635' out && pass || fail "the distance in JSON: $(cat out)"
good correlation p.csv --json
grep -q '"is_correlation": true' out && pass || fail "$(cat out)"
good correlation high02.csv --nearest p.csv --least-eigenvalue 0.1
good correlation p.csv --json
grep -q '"smallest_eigenvalue": \(0.1\|0.09999999\)' out && pass || fail "$(cat out)"
good correlation corr.csv --nearest -
[ "$(tr -d '\n' <out)" = "1,0.50.5,1" ] && pass || fail "nothing to change: $(cat out)"
good price asian --spot 1,1,1 --volatility 0.2 --strike 1 --rate 0 --paths 64 --correlation p.csv

# ---- bailey copula ----

printf 'fire,flood\n1,0.7\n0.7,1\n' >two.csv
printf 'fire,flood\n37,10.552507\n35,28.891632\n31,20.998407\n32,16.313326\n' >wanted
of="copula two.csv --seed 1 --freedom 4"
good $of --count 4 --marginal 'poisson mean=30' --marginal 'gamma shape=2 scale=10'
cmp -s wanted out && pass || fail "the copula of docs/random.md: $(cat out)"
good $of --count 2 --first 2 --marginal 'poisson mean=30' --marginal 'gamma  shape=2 scale=10'
tail -2 wanted | cmp -s - out || [ "$(tail -2 out)" = "$(tail -2 wanted)" ] && pass || fail "its end: $(cat out)"
good $of --count 40000 -o p.csv --json
check "copula --json" valid_json out
awk -F, 'NR > 1 { a += $1 < $2; if ($1 <= 0 || $1 >= 1) exit 1 } END { exit !(a > 19000 && a < 21000) }' p.csv && pass ||
    fail "uniform numbers of a copula"
good copula two.csv --count 5 --marginal 'discrete weights=0,1,0' --precision f64 -o p.npy
[ "$(tail -c +129 p.npy | od -An -v -tf8 | tr -s ' \n' '\n' | sort -u | tr -d '\n')" = 1 ] && pass || fail "weights"
bad 2 "marginal: 3 of them for 2 rows" $of --count 1 --marginal normal --marginal normal --marginal normal
bad 2 "'shape' is not a name and parameters" $of --count 1 --marginal 'gamma shape'
bad 2 "'size=2'\|--size" $of --count 1 --marginal 'gamma size=2'
bad 2 "shape is 0.0001" $of --count 1 --marginal 'gamma shape=0.0001'
bad 2 "freedom is 0.1" copula two.csv --freedom 0.1 --count 1
bad 2 "looks like percentages" copula percent.csv --count 1
bad 2 "count N is required" copula two.csv

finish
