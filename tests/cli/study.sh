#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey study`. See common.sh.
. "${0%/*}/common.sh"

# reduction METHOD: how many times smaller its variance is, of the last JSON report
reduction() {
    awk -v name="\"$1\"," '$1 == "\"name\":" { on = index($0, name) } on && /"variance_reduction"/ { getline; print $2 + 0; exit }' out
}

# The gains are so large that noise cannot hide them: with 32 replicates a ratio of variances is known to a factor of 2.
good study convergence --paths-log2 5..11 --replicates 32 --seed 1 --json -o c.svg
check "study --json" valid_json out
check "the picture" valid_xml c.svg
cp out asian.json
awk -v gain="$(reduction 'Sobol, bridge')" -v less="$(reduction 'Sobol, increments')" 'BEGIN { exit !(gain > 100 && less > 10 && gain > less) }' &&
    pass || fail "the bridge gains $(reduction 'Sobol, bridge'), increments $(reduction 'Sobol, increments')"
[ "$(grep -c '"name":' out)" -eq 3 ] && [ "$(grep -c '<g class="m' c.svg)" -eq 6 ] && pass || fail "three methods"
grep -q 'Sobol, bridge, slope -0\.[6-9]\|Sobol, bridge, slope -1\.' c.svg && pass || fail "the legend: $(grep slope c.svg)"
if has python3; then
    check "errors, slopes and intervals" python3 -c '
import json
study = json.load(open("out"))
assert study["payoff"] == "asian" and study["replicates"] == 32 and study["scramble"] == "lms"
for m in study["methods"]:
    assert [s["paths"] for s in m["sizes"]] == [2 ** n for n in range(5, 12)]
    assert m["slope"]["low"] < m["slope"]["value"] < m["slope"]["high"]
    assert abs(m["sizes"][-1]["value"] - 5.8369) < 5 * m["sizes"][-1]["error"] / 32 ** 0.5 + 1e-5
slopes = [m["slope"]["value"] for m in study["methods"]]
assert -0.65 < slopes[0] < -0.35 and slopes[2] < -0.7, slopes
assert study["methods"][0]["variance_reduction"]["value"] == 1'
fi
good study convergence --paths-log2 5..11 --replicates 32 --seed 1 --json --threads 1
grep -v '"seconds"' out >a
grep -v '"seconds"' asian.json | cmp -s - a && pass || fail "another run, other numbers"

# A digital on one time: that time first lowers the error of the bridge.
good study convergence --payoff digital --digital-time 23 --paths-log2 7..13 --seed 1 --json
check "study --json of a digital" valid_json out
awk -v first="$(reduction 'Sobol, important first')" -v bridge="$(reduction 'Sobol, bridge')" \
    'BEGIN { exit !(first > 2 * bridge && bridge > 2) }' && pass ||
    fail "a digital: $(reduction 'Sobol, important first') and $(reduction 'Sobol, bridge')"
if has python3; then
    # e^-0.05 N(d2), d2 = ((0.05 - 0.02) t) / (0.2 sqrt(t)), t = 23/64
    check "the digital's price" python3 -c '
import json, math
t = 23 / 64
exact = math.exp(-0.05) * 0.5 * math.erfc(-0.03 * t / (0.2 * t ** 0.5) * 0.5 ** 0.5)
for m in json.load(open("out"))["methods"]:
    last = m["sizes"][-1]
    assert abs(last["value"] - exact) < 5 * last["error"] / 32 ** 0.5, m["name"]'
fi
good study convergence --payoff digital --digital-time 3 --steps 6 --type put --paths-log2 6..8 --replicates 4 --precision f64
grep -q '^Digital put at step 3 of 6: spot 100, ' out && grep -q '^important first: built first are the last step and 3$' out &&
    pass || fail "the report of a digital: $(cat out)"
good study convergence --payoff digital --digital-time 6 --steps 6 --paths-log2 6..8 --replicates 4
! grep -q important out && pass || fail "the last time is first in any case"
good study convergence --steps 12 --important 6,3 --paths-log2 5..5 --replicates 4 --scramble owen -o c.svg
grep -q '^  *slope  *-  *-  *-  *-$' out && grep -q 'step and 6, 3$' out && pass || fail "one size has no slope: $(cat out)"
check "the picture of one size" valid_xml c.svg
for extreme in "--strike 1e9" "--strike 1e-9 --volatility 1e-6" "--steps 1" "--steps 1 --payoff digital --digital-time 1"; do
    # shellcheck disable=SC2086
    good study convergence $extreme --paths-log2 3..6 --replicates 4 -o c.svg
    check "the picture of $extreme" valid_xml c.svg
    # shellcheck disable=SC2086
    good study convergence $extreme --paths-log2 3..6 --replicates 4 --json
    check "the JSON of $extreme" valid_json out
done

bad 2 "what to study is missing" study
bad 2 "unknown study 'speed'" study speed
bad 2 "unknown command 'studdy'; did you mean 'study'" studdy
for sizes in 6 6-16 16..6 0..4 6..31 a..b 6..; do
    bad 2 "\-\-paths-log2: '$sizes' is not two increasing numbers from 1 to 30" study convergence --paths-log2 $sizes
done
bad 2 "\-\-scramble: without one all replicates" study convergence --scramble none
bad 2 "\-\-replicates: 3 is outside" study convergence --replicates 3
bad 2 "\-\-digital-time I is needed" study convergence --payoff digital
bad 2 "\-\-digital-time: only" study convergence --digital-time 3
bad 2 "\-\-digital-time: 9 is outside its limits, 1 to 8" study convergence --payoff digital --steps 8 --digital-time 9
bad 2 "\-\-important: .*64" study convergence --important 64
bad 2 "\-\-important" study convergence --important 3,3
bad 2 "\-\-volatility: 0 is not positive" study convergence --volatility 0
bad 2 "\-\-payoff: 'asain' is none of asian, digital; did you mean asian" study convergence --payoff asain
bad 2 "does not end with .svg" study convergence -o c.png
bad 1 "cannot" study convergence --paths-log2 3..4 --replicates 4 -o missing/c.svg

# ---- The solver ----

good study solver --sizes 6 --paths 4096 --seed 1 --json -o s.svg
check "study solver --json" valid_json out
check "the picture of the solver" valid_xml s.svg
cp out solver.json
if has python3; then
    check "the order is 1" python3 -c '
import json
chosen, equal = json.load(open("out"))["methods"]
assert abs(equal["order"]["value"] - 1) < 0.05, equal
assert abs(chosen["order"]["value"] - 1) < 0.25, chosen
assert all(a["error"] > b["error"] for m in (chosen, equal) for a, b in zip(m["sizes"], m["sizes"][1:]))
assert [s["steps"] for s in equal["sizes"]] == [2, 4, 8, 16, 32, 64]'
fi
good study solver --sizes 6 --paths 4096 --seed 1 --json --threads 1
grep -v '"seconds"' out >a
grep -v '"seconds"' solver.json | cmp -s - a && pass || fail "another run of the solver, other numbers"
good study solver --sizes 3 --paths 100 --precision f32
grep -q '^order  *[0-9]' out && pass || fail "the report of the solver: $(cat out)"
bad 2 "^bailey study solver: --sizes: 2 is outside" study solver --sizes 2
bad 2 "^bailey study solver: --spot: 0 is not positive" study solver --spot 0
bad 2 "does not end with .svg" study solver --output s.png

finish
