#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: the JSON of every command that has --json is as docs/reference/report.schema.json has it.
# No object has a key twice, and "seconds" is the whole call. See common.sh.
. "${0%/*}/common.sh"

has python3 || exit 77

cat >look.py <<'E2'
import json, subprocess, sys, time

sys.path.insert(0, sys.argv[2])
from report_schema import check

def unique(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        assert keys.count(key) == 1, f"the key {key} comes twice"
    return dict(pairs)


def call(command, words):
    began = time.monotonic()
    text = subprocess.run([sys.argv[1], *words.split()], stdout=subprocess.PIPE, check=True).stdout
    took = time.monotonic() - began
    for document in text.splitlines() if command == "batch" else [text]:
        report = json.loads(document, object_pairs_hook=unique)
        if command != "manual":
            check(words, report)
        if command in ("devices", "manual"):
            continue
        assert 0 < report["seconds"] <= took, (report["seconds"], took)
        if command != "batch" and took > 1:  # less may be the start of the process; batch has lines of one deal each
            assert report["seconds"] > took / 4, f"{report['seconds']} s, of a call of {took} s"


for line in open("requests"):
    command, words = line.rstrip("\n").split("|")
    try:
        call(command, words)
    except (AssertionError, ValueError, KeyError, subprocess.CalledProcessError) as problem:
        print(f"{words}: {problem}")
E2

printf 'expiry,forward,90,110\n1,100,0.2,\n2,100,0.21,0.2\n' >quotes.csv
market="--spot 100 --strike 100 --rate 0.05 --volatility 0.2"
echo '[{"id": "a", "product": "european", "spot": 100, "strike": 100, "rate": 0.05, "volatility": 0.2, "paths": 1000},
  {"id": "b", "product": "heston", "spot": 100, "strike": 100, "rate": 0.05, "correlation": -0.5, "paths": 1000,
   "variance": 0.04, "reversion": 1.5, "mean_variance": 0.04, "sigma": 0.3, "steps": 4, "target_error": 1}]' >deals.json
printf 'name,spot\nnow,100\nup,101\n' >ladder.csv
heston="--spot 100 --strike 100 --rate 0.05 --correlation -0.5 --set variance=0.04 --set reversion=1.5 --set mean_variance=0.04 --set sigma=0.3"
american="--steps 3 --policy-paths 1000 --outer-paths 4 --inner-paths 50"
cat >payoff.c <<'E2'
typedef struct { real last; } state;
void start(state *s, const params *p) { s->last = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { s->last = x[0]; }
void finish(const state *s, const params *p, real out[2]) { out[0] = s->last * s->last; out[1] = s->last; }
E2
cat >requests <<E2
paths|paths --steps 4 --paths 10 --output paths.npy --json
paths|paths --steps 4 --paths 16 --generator sobol --stream 1 --output points.npy --json
motion|motion --grid 4 --paths 10 --output motion.npy --json
random|random --count 100 --output random.npy --json
random|random --generator sobol --points 16 --dims 2 --output points.bin --json
mlmc|mlmc european --eps 0.5 --json
mlmc|mlmc european --eps 0.5 --no-test --approximate dyadic --json
batch|batch deals.json
copula|copula corr.csv --count 4 -o copula.npy --json
correlation|correlation corr.csv --nearest nearest.csv --json
local-volatility|local-volatility quotes.csv --output grid.csv --json
local-volatility|local-volatility quotes.csv --horizon 2 --json
price european|price european --model dupire --spot 100 --rate 0 --strike 100 --horizon 1 --low=-1 --high 1 --set volatility=@grid.csv --paths 64 --json
devices|devices --json
manual|manual --json
selftest|selftest --json
price european|price european $market --paths 4000000 --greeks --scenarios ladder.csv --json
price european|price european $market --paths 1024 --generator sobol --replicates 8 --json
price asian|price asian --times $deal/fixings.csv --valuation 2026-01-02 --assets $deal/assets.csv --correlation $deal/correlation.csv --strike 100 --rate 0.03 --paths 1024 --json
price asian|price asian $market --steps 3 --paths 1024 --control geometric=5 --sum fixed --sum-limit 4096 --json
price asian-geometric|price asian-geometric $market --steps 3 --paths 1024 --target-error 0.5 --json
price asian-max|price asian-max --steps 8 --paths 1024 --json
price lookback-garch|price lookback-garch --paths 1024 --json
price barrier|price barrier $market --side down --set barrier=80 --paths 1024 --json
price digital|price digital $market --paths 1024 --json
price heston|price heston $heston --steps 8 --paths 1024 --json
price heston-euler|price heston-euler $heston --steps 8 --paths 1024 --json
price adaptive-milstein|price adaptive-milstein $market --paths 128 --json
price autocall|price autocall --spot 100 --rate 0.05 --volatility 0.2 --model black-scholes --paths 64 --steps 2 --json
price barrier-dates|price barrier-dates $market --side down --barrier 80 --paths 64 --steps 2 --json
price basket|price basket --spot 100,95 --rate 0.05 --volatility 0.2 --paths 64 --json --strike 100
price rainbow|price rainbow --spot 100,95 --rate 0.05 --volatility 0.2 --paths 64 --json --strike 100
price quanto|price quanto --spot 100,0.9 --rate 0.05 --volatility 0.2 --paths 64 --json --strike 100
price exchange|price exchange --spot 100,95 --rate 0.05 --volatility 0.2 --paths 64 --json
price caplet|price caplet --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --steps 1 --paths 64 --json --strike 0.03
price swaption|price swaption --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --steps 1 --paths 64 --json --strike 0.03
price zero-bond|price zero-bond --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --steps 1 --paths 64 --json
price cliquet|price cliquet --spot 100 --rate 0.05 --volatility 0.2 --paths 64 --steps 2 --json
price double-barrier|price double-barrier $market --lower 80 --upper 120 --paths 64 --steps 2 --json
price double-barrier-dates|price double-barrier-dates $market --lower 80 --upper 120 --paths 64 --steps 2 --json
price parisian|price parisian $market --side down --barrier 90 --window 1 --paths 64 --steps 2 --json
price tarn|price tarn $market --target 9 --paths 64 --steps 2 --json
price chooser|price chooser $market --paths 64 --steps 2 --json
price bermudan|price bermudan $market --paths 64 --steps 2 --policy-paths 64 --lower-only --json
price bermudan-rainbow|price bermudan-rainbow --spot 100,100 --rate 0.05 --volatility 0.2,0.2 --strike 100 --paths 64 --steps 2 --policy-paths 64 --lower-only --json
price bermudan-swaption|price bermudan-swaption --short-rate 0.03 --reversion 0.5 --mean-rate 0.04 --sigma 0.01 --steps 2 --strike 0.03 --paths 64 --policy-paths 64 --lower-only --json
price callable-range-accrual|price callable-range-accrual --spot 100 --rate 0.05 --volatility 0.2 --lower 90 --upper 110 --paths 64 --steps 2 --policy-paths 64 --lower-only --json
price compound|price compound $market --premium 5 --paths 64 --steps 2 --json
price forward-start|price forward-start --spot 100 --rate 0.05 --volatility 0.2 --paths 64 --steps 2 --json
price lookback|price lookback --spot 100 --rate 0.05 --volatility 0.2 --paths 64 --steps 2 --json
price range-accrual|price range-accrual --spot 100 --rate 0.05 --volatility 0.2 --lower 90 --upper 110 --paths 64 --steps 2 --json
price variance-swap|price variance-swap --spot 100 --rate 0.05 --volatility 0.2 --strike 0.04 --paths 64 --steps 2 --json
price american|price american $market $american --paths 1024 --json
price bermudan-max-call|price bermudan-max-call $market $american --dims 2 --paths 1024 --json
price|price --payoff payoff.c --paths 1024 --json
price|price european $market --paths 4096 --checkpoint state --json
E2

python3 look.py "$bailey" "$here/.." >wrong
[ ! -s wrong ] && pass || fail "$(cat wrong)"

# No command that has --json was left out.
"$bailey" completion bash | sed -n "s/^ *'\([a-z -]*\)') words=' .* --json .*/\1/p" | grep -v '^manual$' >commands # whose tables are no report
[ -s commands ] && pass || fail "no command has --json"
while read -r command; do
    grep -q "^$command|" requests && pass || fail "the JSON of bailey $command is not looked at"
done <commands
finish
