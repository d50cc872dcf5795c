#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey mlmc`. See common.sh.
. "${0%/*}/common.sh"

small="--seed 1 --test-samples 2048 --finest 5 --eps 0.05,0.02"

# The tables, which have the same bits on every device: this is what the cpu backend writes.
good mlmc european $small --output -
cp out european.txt
cat >wanted <<'END'
*** MLMC file version 1.0     produced by              ***
*** using N =   2048 samples                           ***
END
while read -r line; do
    grep -qF "$line" european.txt && pass || fail "no line '$line'"
done <wanted
# l, ave(Pf-Pc), ave(Pf), var(Pf-Pc), var(Pf), kurtosis, check, cost; then eps, value, costs, savings, N_l
awk '$1 ~ /^[0-5]$/ && NF == 8 { rows++; if ($8 != 2 ^ $1) bad = 1; if ($1 && ($7 > 1 || $4 > $5)) bad = 1 }
    END { exit !(rows == 6 && !bad) }' european.txt && pass || fail "the convergence test: $(cat european.txt)"
awk '$1 == "0.0500" || $1 == "0.0200" { rows++; d = $2 - 10.4506; if (d < 0) d = -d; if (d > 4 * $1 || $5 < 5) bad = 1;
        for (i = 7; i <= NF; i++) if ($i > $(i - 1)) bad = 1 }
    END { exit !(rows == 2 && !bad) }' european.txt && pass || fail "the complexity tests: $(cat european.txt)"
grep -q '^ alpha = [01]\.' european.txt && grep -q '^ gamma = 1\.0000' european.txt && pass || fail "regressions"
BAILEY_DEVICE=cpu "$bailey" mlmc european $small --output - >cpu.txt 2>err
cmp -s cpu.txt european.txt && pass || fail "other tables than those of the cpu backend"

good mlmc european $small --output tables.txt
cmp -s tables.txt european.txt && pass || fail "--output"

# The report has the answer first, and of the levels only what was estimated.
awk '$1 == "0.05" || $1 == "0.02" { rows++; if (NF != 7 || $7 != "yes" || $3 > $1 || $4 > $1 || $6 < 5) bad = 1 }
    /Differences of levels/ { exit } END { exit !(rows == 2 && !bad) }' out && pass || fail "the answer: $(cat out)"
awk '$1 ~ /^[0-5]$/ && NF == 8 { rows++ } END { exit rows != 6 }' out && grep -q '^means fall as 2^(-0' out && pass ||
    fail "the test of the levels: $(cat out)"
good mlmc european --no-test --seed 1 --eps 0.05
! grep -qE 'Differences|fall as|nan' out && [ "$(awk '$1 == "0.05" { print $6, $7 }' out)" = "- yes" ] && pass ||
    fail "the report of --no-test: $(cat out)"

# JSON and the picture.
good mlmc european $small --json --plot p.svg
check "--json" valid_json out
check "the picture" valid_xml p.svg
[ "$(grep -c '<text class="name"' p.svg)" -eq 4 ] && pass || fail "four panels"
clean --plot
if has python3; then
    check "the JSON's numbers" python3 -c '
import json
report = json.load(open("out"))
assert report["samples"] == 2048 and len(report["level"]) == 6 and report["estimator"] == "european"
assert [t["eps"] for t in report["run"]] == [0.05, 0.02] and report["warnings"] == []
for t in report["run"]:
    r = t["result"]
    assert abs(r["mean"] - 10.4506) < 4 * t["eps"] and r["converged"] is True and r["reason"] == "converged"
    cost = sum(level["samples"] * 2 ** l for l, level in enumerate(r["level"]))
    assert cost == r["cost"] and abs(t["savings"] - t["standard_cost"] / cost) < 1e-9 * t["savings"]
    assert r["standard_error"] ** 2 <= 0.75 * t["eps"] ** 2 * 1.02 and r["correction"][0]["samples"] == 0'
fi

# Nothing but zeros is no price.
"$bailey" mlmc european --strike 1e6 --no-test --seed 1 --eps 0.05 --json >out 2>err
grep -q 'warning: eps 0.05: not converged: no sample differs from 0' err && grep -q '"converged": false' out &&
    grep -q '"reason": "nothing"' out && pass || fail "a price of zeros: $(cat err out)"

# Samples come in multiples of 32, which is said.
"$bailey" mlmc european --test-samples 1000 --finest 2 --eps 0.5 --seed 1 --json >out 2>err
grep -q '^  "samples": 1024' out && ours | grep -q 'note: --test-samples: using 1024, the next multiple of 32' && pass ||
    fail "--test-samples 1000: $(cat err)"
"$bailey" mlmc european --test-samples 1024 --finest 2 --eps 0.5 --seed 1 --json >out 2>err
grep -q '^  "samples": 1024' out && ! ours | grep -q 'note: --test-samples' && pass || fail "--test-samples 1024: $(cat err)"

# Runs alone, with files from which they go on.
good mlmc european --no-test --seed 1 --eps 0.05,0.02 --json
cp out alone
good mlmc european --no-test --seed 1 --eps 0.05,0.02 --json --checkpoint file
grep -v '"seconds"' alone >a
grep -v '"seconds"' out | cmp -s - a && [ -s file.1 ] && [ -s file.2 ] && pass || fail "--checkpoint"
good mlmc european --no-test --seed 1 --eps 0.05,0.02 --json --checkpoint file
grep -v '"seconds"' out | cmp -s - a && pass || fail "going on from a checkpoint"
bad 2 "file.1: .*belongs to another run" mlmc european --no-test --seed 2 --eps 0.05,0.02 --checkpoint file

# Kernels that stay: the digits of the lists, or an error that names the option.
without="seconds|schedule"
case $BAILEY_DEVICE in
cuda*)
    good mlmc european --no-test --seed 1 --eps 0.05,0.02 --json --schedule persistent
    grep -q '"schedule": "persistent"' out && pass || fail "the JSON of --schedule persistent: $(cat out)"
    grep -vE "\"($without)\"" out >persistent
    grep -vE "\"($without)\"" alone | cmp -s - persistent && pass || fail "--schedule persistent: $(cat persistent)"
    ;;
*) bad 1 "does not guarantee the progress that persistent kernels need" mlmc european --eps 1 --schedule persistent ;;
esac

# Options of the deal: a forward has no strike to speak of.
good mlmc european --no-test --seed 1 --eps 0.05 --strike 1e-6 --dividend 0.02 --json
awk '$1 == "\"mean\":" && !seen++ { d = $2 - 98.0199; exit !(d < 0.2 && d > -0.2) }' out && pass || fail "a forward: $(cat out)"

# Approximate normals: the same price, and the numbers of corrections below the table.
if ! few_programs; then
    good mlmc european $small --approximate dyadic --output -
    [ "$(sed -n '/^$/d; /N_l $/,$p' out | sed -n '3,$p' | cut -d, -f1 | grep -c '^ corrections: eps = 0\.0[25]$')" -eq 2 ] &&
        pass || fail "corrections: $(cat out)"
    for kind in constant half; do
        good mlmc european --no-test --seed 1 --eps 0.05 --json --approximate $kind --approximate-cost 0.5
        has python3 && check "corrections, $kind" python3 -c '
import json
report = json.load(open("out"))
t, = report["run"]
r = t["result"]
levels, corrections = r["level"], r["correction"]
assert report["approximate"] == "'$kind'" and abs(r["mean"] - 10.4506) < 0.2 and t["standard_cost"] is None
assert [c["cost"] for c in corrections] == [1.5 * 2 ** l for l in range(len(levels))]
assert sum(c["samples"] * c["cost"] for c in corrections) + sum(
    l["samples"] * 2 ** n / 2 for n, l in enumerate(levels)) == r["cost"]
assert abs(sum(l["mean"] for l in levels) + sum(c["mean"] for c in corrections) - r["mean"]) < 1e-12 * r["mean"]
assert 0 < corrections[0]["variance"] < 1e-3 * levels[0]["variance"]'
    done
    # Last of half: CUDA has its instructions, other devices say what they lack.
    grep -q 'half, but .* emulates half precision: an operation takes about 6 times' err
    emulates=$?
    case $BAILEY_DEVICE in cuda*) [ $emulates -ne 0 ] ;; *) [ $emulates -eq 0 ] || [ -n "${BAILEY_CC-}" ] ;; esac &&
        pass || fail "emulation: $(cat err)"
fi

good mlmc european --no-test --seed 1 --eps 0.05 --approximate auto
grep -q "^exact normals for eps 0.05: the run is too short for others to be faster$" out && pass || fail "auto: $(cat out)"

# The others, and quasi-random points.
if ! few_programs; then
    for what in asian/5.76309 lookback/17.2168 digital/53.2325 barrier/9.94927; do
        case $what in barrier*) side="--side down" ;; *) side= ;; esac
        # shellcheck disable=SC2086
        good mlmc "${what%/*}" $side --no-test --seed 1 --eps 0.1 --initial-samples 4096 --json
        awk -v exact="${what#*/}" '$1 == "\"mean\":" && !seen++ { d = $2 - exact; exit !(d < 0.4 && d > -0.4) }' out && pass ||
            fail "${what%/*}: $(grep '"mean"' out)"
    done
    good mlmc european --no-test --seed 1 --eps 0.02 --generator sobol --replicates 16 --json
    awk '$1 == "\"mean\":" && !seen++ { d = $2 - 10.4506; exit !(d < 0.08 && d > -0.08) }' out && pass || fail "points: $(cat out)"
fi

# Levels of one's own: E (W(1) - a)^2 of a Brownian motion, in which only rounding depends on the level.
cat >own.c <<'END'
typedef struct { real a; } params;
typedef struct { real fine, coarse; } state;
void start(state *s, const params *p, int level) { s->fine = 0; s->coarse = 0; }
void step(state *s, const params *p, real t, real h, const noise *n) { s->fine += n->dw[0]; }
void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)
{
    s->fine += n->dw[0];
    s->fine += m->dw[0];
    s->coarse += n->dw[0] + m->dw[0];
}
void finish(const state *s, const params *p, real t, real out[2])
{
    out[0] = (s->fine - p->a) * (s->fine - p->a);
    out[1] = (s->coarse - p->a) * (s->coarse - p->a);
}
END
good mlmc --code own.c --set a=0.5 --no-test --seed 1 --eps 0.02 --json
awk '$1 == "\"mean\":" && !seen++ { d = $2 - 1.25; exit !(d < 0.08 && d > -0.08) }' out && pass || fail "own levels: $(cat out)"
bad 2 "own.c has no parameter b" mlmc --code own.c --set b=1
bad 2 "is not of the form NAME=VALUE" mlmc --code own.c --set a
echo 'void start(void) {}' >wrong.c
bad 2 "wrong.c:" mlmc --code wrong.c
bad 1 "cannot open nothing.c" mlmc --code nothing.c

bad 2 "name an estimator" mlmc
bad 2 "did you mean european" mlmc europaen
bad 2 "are both given" mlmc european --code own.c
bad 2 "\-\-eps: 0 is not positive" mlmc european --eps 0.1,0
bad 2 "\-\-eps: 'x' is not" mlmc european --eps x
bad 2 "\-\-bias-share: 1 is not positive and below 1" mlmc european --bias-share 1
bad 2 "\-\-max-level: 21 is outside" mlmc european --max-level 21
bad 2 "\-\-min-level: 1 is outside" mlmc european --min-level 1
bad 2 "\-\-first-steps: 3, not a power of two" mlmc european --first-steps 3
bad 2 "\-\-maturity: 0 is not positive" mlmc european --maturity 0
bad 2 "\-\-replicates applies to --generator sobol" mlmc european --replicates 8
bad 2 "\-\-dims: european has one asset" mlmc european --dims 2
bad 2 "does not end with .svg" mlmc european --plot p.png
bad 2 "unknown option '--barrier'" mlmc european --barrier 80
bad 2 "barrier needs side, which is neither set nor has a default" mlmc barrier
bad 2 "\-\-side: unknown value 'dwn'; choose from down, up; did you mean down?" mlmc barrier --side dwn
bad 2 "unknown estimator 'euro'; choose from asian, barrier, digital, european, lookback; did you mean european?" mlmc euro
bad 2 "applies to --code FILE; european is a built-in" mlmc european --loop-budget 4
# The help of each built-in has examples that do what they say.
for name in $("$bailey" mlmc --help | sed -n 's/^NAME is one of \(.*\)\. For.*/\1/p' | tr -d ,); do
    good mlmc "$name" --help
    sed -n '/^Examples of/,$s/^  bailey //p' out >examples
    check "an example of $name" test -s examples
    while read -r example; do
        # shellcheck disable=SC2086
        good $example --no-test
    done <examples
done
{ printf '/** Own levels.\n *\n * example: --seed 1: the usual tables\n */\n' && cat own.c; } >described.c
good mlmc --code described.c --help
check "the examples of code of one's own" grep -q '^  bailey mlmc --code described.c --seed 1$' out
good mlmc digital --help
grep -q '^  cash  *cash payout; money; default strike$' out && pass || fail "the parameters of digital: $(cat out)"
sed 's|^void finish|void endless(real x) { while (x < 100) x += 1; }\n&|; s|^    out\[0\]|    endless(0);\n&|' own.c >loops.c
good mlmc --code own.c --help
grep -q '^  a  ' out && pass || fail "the parameters of own.c: $(cat out)"
bad 2 "more than the loop budget of 9 trips" mlmc --code loops.c --a 0.5 --loop-budget 9 --no-test
bad 2 "\-\-approximate: unknown value 'quarter'" mlmc european --approximate quarter
for other in "approximate: .*need single precision/--precision f64" "approximate: .*source of points/--generator sobol" \
    "schedule: .*approximate normals need/--schedule persistent"; do
    # shellcheck disable=SC2086
    bad 2 "^bailey mlmc: --${other%/*}" mlmc european --no-test --approximate dyadic ${other#*/}
done
bad 2 "approximate normals need the inverse CDF of 32-bit words in single precision" mlmc european --no-test --approximate dyadic --word-bits 64
bad 2 "\-\-approximate-cost needs --approximate" mlmc european --approximate-cost 0.5
bad 2 "\-\-approximate-cost needs --approximate" mlmc european --approximate exact --approximate-cost 0.5
bad 2 "\-\-approximate-cost: 1.5 is not positive and at most 1" mlmc european --approximate dyadic --approximate-cost 1.5
bad 2 "\-\-approximate-cost: 0 is not positive" mlmc european --approximate dyadic --approximate-cost 0
bad 2 "both write to standard output" mlmc european --json --output -

# Derivatives: exact 0.63683 and 37.524; the run itself is the same.
good mlmc european --no-test --seed 1 --eps 0.02,0.05
grep -E '^ +0.0[25] ' out >plain.txt
good mlmc european --no-test --seed 1 --eps 0.02,0.05 --gradient --by spot,volatility
grep -E '^ +0.0[25] +[0-9]' out | cmp -s - plain.txt && pass || fail "the run with derivatives: $(cat out)"
awk '$2 == "spot" || $2 == "volatility" { rows++; d = $3 - ($2 == "spot" ? 0.63683 : 37.524); if (d < 0) d = -d
        if (d > 4 * $4 + $5) bad = 1 } END { exit !(rows == 4 && !bad) }' out && pass || fail "derivatives: $(cat out)"
good mlmc european --seed 1 --eps 0.1 --test-samples 2048 --finest 4 --gradient --json
check "the JSON of derivatives" valid_json out
[ "$(grep -c '"name"' out)" -ge 4 ] && grep -q '"finest"\|"level"' out && pass || fail "all derivatives: $(cat out)"
bad 2 "\-\-by needs --gradient" mlmc european --by spot
bad 2 "\-\-by: sopt is not a parameter" mlmc european --gradient --by sopt --eps 0.1 --no-test
bad 2 "\-\-by: spot is given twice" mlmc european --gradient --by spot,spot
bad 2 "\-\-generator: .*points" mlmc european --gradient --generator sobol --eps 0.1 --no-test
finish
