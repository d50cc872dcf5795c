#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey bench`. See common.sh.
. "${0%/*}/common.sh"

names=$(generator_names)

# What every row of the JSON in `out` has, and that `rows` names are as the arguments say.
bench_rows() {
    if has python3; then
        python3 - "$@" <<'END'
import json, sys
report = json.load(open("out"))
assert report["device"] and report["driver"] and report["rows"], report
for row in report["rows"]:
    assert {"name", "value", "unit", "ratio", "of"} <= row.keys(), row
    if row["value"] is None:
        assert row["ratio"] is None and row["reason"], row
    else:
        assert row["value"] > 0 and row["ratio"] > 0 and row["of"], row
        assert row["unit"] in ("GB/s", "G words/s", "G numbers/s", "G normals/s", "G steps/s", "deals/s", "results/s", "M/s", "M paths/s", "s"), row
        assert 0 < row["least"] <= row["value"] <= row["most"], row
        of_paths = row["unit"] == "GB/s" or row["name"].startswith(("simulate/", "batch/", "gradient/"))
        of_steps = row["name"].startswith("mlmc/")
        assert row["paths" if of_paths else "steps" if of_steps else "numbers"] > 0, row
names = [row["name"] for row in report["rows"]]
assert len(set(names)) == len(names), names
missing = [name for name in sys.argv[1:] if name not in names]
assert not missing, (missing, names)
END
    else
        valid_json out || return 1
        for wanted in "$@"; do grep -q "\"name\": \"$wanted\"" out || return 1; done
    fi
}

bench="bench bridge --quick"
good $bench --tables strategies,paper --json
check "bench bridge --json" bench_rows bridge/copy bridge/transfer/f32 bridge/strategy/constant/f32 \
    bridge/strategy/vector/f32 bridge/strategy/prefetch/f32 bridge/strategy/shared/f32 bridge/strategy/reuse/f32 \
    bridge/strategy/reuse-prefetch/f32 bridge/strategy/specialised/f32 bridge/strategy/blocks/f32 \
    bridge/strategy/readback/f32 bridge/strategy/auto/f32 bridge/paths/f32 bridge/paths/f64 bridge/increments/f32 \
    bridge/increments/f64 bridge/paths/f32/x8 bridge/increments/f64/x8
# Other backends compile something for nearly every row.
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    check "bench bridge, every table" bench_rows bridge/strategy/auto/f32 bridge/increments/f64/x8 bridge/steps/16/f32 \
        bridge/steps/4096/f64 bridge/dims/1/f32 bridge/dims/16/f64 bridge/layout/step/f32 bridge/layout/path/f64 \
        bridge/orders/worst/f32 bridge/orders/median/f32 bridge/orders/best/f32 bridge/fused/icdf/exact/f32 \
        bridge/fused/box-muller/fast/f32 bridge/fused/box-muller/exact/f64
fi
good $bench --tables layouts --paths 777 --repeat 3
grep -q '^bridge/layout/path/f32  *777  *[0-9.]* GB/s  *[0-9.]*  *[0-9.]* [a-z]* copy' out && pass ||
    fail "the table: $(cat out)"
grep -q '^bridge/strategy' out && fail "a table that was not asked for" || pass
good $bench --tables paper --memory 3000000
grep -q '^bridge/paths/f64/x8  *not measured: .*(--memory)$' out && pass || fail "8 times as many paths in little memory"
good $bench --tables fused,steps --strategy readback --json
check "bench bridge --strategy" bench_rows bridge/steps/1024/f32 bridge/fused/icdf/exact/f64
grep -q '"strategy": "readback"' out && ! grep -q '"strategy": "[^r]' out && pass || fail "bench bridge --strategy readback"
good $bench --tables fused --strategy readback --generator philox7 --json
check "bench bridge --generator" bench_rows bridge/fused/philox7/icdf/fast/f32
grep -q '"generator": "philox7"' out && grep -q '"rounds": 7' out && pass || fail "bench bridge: generator, rounds"
if ! few_programs; then
    good $bench --tables fused --strategy readback --generator xorwow
    grep -q '^Fused: normals of xorwow drawn in pieces through memory' out && pass || fail "the table fused: $(cat out)"
fi
bad 2 "\-\-generator: unknown value 'philox8'; choose from philox, .* did you mean philox" $bench --generator philox8
if ! few_programs; then
    good $bench --tables orders --orders 3 --json
    check "bench bridge --tables orders" bench_rows bridge/orders/worst/f32
fi
bad 2 "unknown value 'layout'; choose from strategies, .* did you mean layouts" $bench --tables paper,layout
bad 2 "unknown value ''" $bench --tables paper,
bad 2 "unknown value 'fastest'; choose from auto" $bench --strategy fastest
bad 2 "\-\-repeat: 0 is outside its limits, 1 to 99" $bench --repeat 0
bad 2 "\-\-orders: 0 is outside" $bench --orders 0
bad 2 "\-\-memory: 'all' is not an integer" $bench --memory all
bad 1 "device" $bench --device cuda:999

bench="bench random --quick"
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    rows="memset plain|philox"
    for generator in $names; do rows="$rows random/$generator/u32 random/$generator/u01"; done
else
    # a program is built for every generator
    good $bench --json --generators philox,warp
    rows="random/philox/u32 random/warp/u32 random/philox/u01 random/warp/u01"
fi
set --
for row in $rows; do set -- "$@" "$(echo "$row" | tr '|' ' ')"; done
check "bench random --json" bench_rows "$@"
grep -q '"error"' out && fail "bench random: $(grep '"error"' out)" || pass
good $bench --count 5001 --repeat 3 --forms u32 --generators warp,mt19937
grep -q '^random/warp/u32  *5,001  *[0-9.]* G words/s  *[0-9.]*  *[0-9.]* device fill  sound$' out && pass ||
    fail "the table: $(cat out)"
grep -q '^mt19937  *2^19937 - 1  *linear  *[0-9.]*  *1.000$' out && pass || fail "the generators' table: $(cat out)"
grep -q '^warp  *2^1024 - 1  *sound  *[0-9.]*  *[0-9.]*$' out && pass || fail "warp in that table"
grep -q '^warp u32: [0-9.]* G words/s, [0-9.]* of a fill' out && pass || fail "the summary"
grep -q 'u01\|philox/' out && fail "a form or a generator that was not asked for" || pass
good $bench --count 5001 --generators mt19937,warp --json
grep -q '"mt19937_ratio": 1$' out && grep -q '"period": "2^1024 - 1"' out && grep -q '"verdict": "sound"' out && pass ||
    fail "bench random: period, verdict, ratio to MT19937"
bad 2 "\-\-generators: unknown value 'mt19973'; choose from philox, .* did you mean mt19937" $bench --generators philox,mt19973
bad 2 "\-\-generators: unknown value ''" $bench --generators philox,
bad 2 "\-\-forms: unknown value 'normal'; choose from u32, u01" $bench --forms normal
bad 2 "\-\-count: 0 is outside its limits, 1 to" $bench --count 0
bad 2 "\-\-repeat: 100 is outside its limits, 1 to 99" $bench --repeat 100
bad 1 "device" $bench --device cuda:999

bench="bench points --quick"
good $bench --json --forms u32,f64 --scrambles none,owen --layouts point --dims 7
check "bench points --json" bench_rows points/u32/none/point points/u32/owen/point points/f64/none/point points/f64/owen/point
grep -q '"error"' out && fail "bench points: $(grep '"error"' out)" || pass
grep -q '"scramble": "owen"' out && grep -q '"layout": "point"' out && grep -q '"dims": 7' out && pass ||
    fail "bench points: scramble, layout, dims"
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --count 64000
    [ "$(grep -c '^points/[a-z0-9]*/[a-z]*/[a-z]*  *64,000  ' out)" -eq 32 ] && pass || fail "the table of points: $(cat out)"
fi
good $bench --json --forms u32,f32,f64 --scrambles none --layouts dim --word-bits 32
check "bench points --word-bits 32" bench_rows points/u32/none/dim points/f32/none/dim points/f64/none/dim/u32
grep -q '"error"' out && fail "bench points --word-bits 32: $(grep '"error"' out)" || pass
bad 2 "\-\-count: 65 is not a multiple of 64: points" $bench --count 65
bad 2 "\-\-scrambles: unknown value 'faure'; choose from lms, owen, shift, none" $bench --scrambles faure
bad 2 "\-\-dims: 67108865 is outside" $bench --dims 67108865

bench="bench motion --quick"
good $bench --json --tables random,walk,intervals --count 3000
check "bench motion --json" bench_rows motion/random/24/f32 motion/walk/1024/f64 motion/intervals/hk/f32
grep -q '"error"' out && fail "bench motion: $(grep '"error"' out)" || pass
good $bench --tables peers
grep -q '^motion/peers/torchsde-halfway/f64 ' out && pass || fail "bench motion: peers: $(cat out)"
bad 2 "unknown value 'walks'; choose from random, .* did you mean walk" $bench --tables walks

bench="bench variates --quick"
good $bench --json --laws poisson-3,gamma-2.5 --generators philox,xorwow
check "bench variates --json" bench_rows variates/philox/poisson-3 variates/xorwow/poisson-3 variates/philox/gamma-2.5 \
    variates/xorwow/gamma-2.5
grep -q '"error"' out && fail "bench variates: $(grep '"error"' out)" || pass

bench="bench normal --quick"
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    set -- 'memset|f32' 'plain|box-muller|f32' 'plain|polar|f64'
    for generator in philox warp; do
        for method in icdf box-muller; do
            for form in exact/f32 exact/f64 fast/f32 fast/f64; do
                set -- "$@" "normal/$generator/$method/$form"
            done
        done
    done
    set -- "$@" normal/philox/wallace/exact/f32
else
    good $bench --json --generators philox --methods box-muller --precisions f32
    set -- normal/philox/box-muller/exact/f32 normal/philox/box-muller/fast/f32
fi
rows="$*"
set --
for row in $rows; do set -- "$@" "$(echo "$row" | tr '|' ' ')"; done
check "bench normal --json" bench_rows "$@"
grep -q '"error"' out && fail "bench normal: $(grep '"error"' out)" || pass
grep -q '"method": "box-muller"' out && grep -q '"numerics": "fast"' out && grep -q '"precision": "f32"' out && pass ||
    fail "bench normal: method, numerics, precision"
good $bench --count 2 --repeat 3 --generators philox --methods icdf --numerics exact --precisions f32
grep -q '^normal/philox/icdf/exact/f32  *2  *[0-9.]* G normals/s  *[0-9.]*  *[0-9.]* device fill  sound$' out && pass ||
    fail "the table: $(cat out)"
grep -q '^philox  *icdf  *[0-9.]*  *-  *-  *-$' out && pass || fail "the transforms' table: $(cat out)"
grep -q '^best exact f32: philox icdf, [0-9.]* G normals/s, [0-9.]* of a fill' out && pass || fail "the summary"
grep -q '/fast\|/f64\|/warp\|/box-muller' out && fail "a row that was not asked for" || pass
good $bench --generators philox --methods icdf,wallace --precisions f32 --word-bits 64 --json
check "bench normal --word-bits" bench_rows normal/philox/icdf/exact/f32/u64 normal/philox/icdf/fast/f32/u64
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --count 10002 --generators philox7,warp --numerics exact --precisions f64 --word-bits 32 --json
    check "bench normal --word-bits 32" bench_rows normal/philox7/icdf/exact/f64/u32 \
        normal/philox7/box-muller/exact/f64/u32 normal/warp/icdf/exact/f64/u32 \
        normal/warp/box-muller/exact/f64/u32
    good $bench --count 1000 --generators all --methods box-muller --numerics exact --precisions f32 --json
    set --
    for generator in $names; do set -- "$@" "normal/$generator/box-muller/exact/f32"; done
    check "bench normal --generators all" bench_rows "$@"
    good $bench --count 100000 --generators adder --methods box-muller --numerics exact --precisions f32
    grep -q '^normal/adder/box-muller/exact/f32 .*  weak: the mean of 65,536 is' out && pass || fail "adder: $(cat out)"
fi
bad 2 "\-\-count: 5,001 is not a multiple of 2: .* in pairs" $bench --count 5001
bad 2 "\-\-count: 0 is outside its limits, 1 to" $bench --count 0
bad 2 "\-\-generators: unknown value 'wrap'; choose from philox, .* all; did you mean warp" $bench --generators wrap
bad 2 "\-\-methods: unknown value 'box'; choose from icdf, box-muller" $bench --methods box
bad 2 "wallace makes normals of philox and in f32 only" $bench --methods wallace --generators warp
bad 2 "\-\-numerics: unknown value 'slow'; choose from exact, fast" $bench --numerics slow
bad 2 "\-\-precisions: unknown value 'f16'; choose from f32, f64" $bench --precisions f32,f16
bad 2 "\-\-word-bits: unknown value '16'; choose from 32, 64" $bench --word-bits 16
bad 2 "\-\-repeat: 100 is outside its limits, 1 to 99" $bench --repeat 100
bad 2 "unknown option '\-\-forms'" $bench --forms u32
bad 1 "device" $bench --device cuda:999

bench="bench simulate --quick"
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    check "bench simulate --json" bench_rows simulate/basket/philox/box-muller/fast/f32 \
        simulate/basket/philox7/icdf/exact/f64 simulate/basket/sobol/icdf/exact/f32 simulate/bridge/sobol/random/f64 \
        simulate/today/basket/philox/icdf/exact/f64 simulate/small/10000/f32 simulate/small/1000000/f64 \
        simulate/asian-max/constant simulate/asian-max/mt19937/ziggurat simulate/asian-max/wallace \
        simulate/asian-max/philox/icdf/exact simulate/lookback-garch/constant \
        simulate/lookback-garch/hybrid-taus-gems/box-muller/fast
    grep -q '"of": "plain ' out && grep -q '"of": "built-in"' out && grep -q '"price": ' out && pass ||
        fail "bench simulate: rivals, price"
else
    # a program is built for every row
    good $bench --tables basket,small --only 10000/f32 --json
    check "bench simulate --json" bench_rows simulate/small/10000/f32
fi
grep -q '"error"' out && fail "bench simulate: $(grep '"error"' out)" || pass

# NumPy and QuantLib are nobody's duty: a line says that one is missing.
if [ "$BAILEY_DEVICE" = cpu ]; then
    python=${BAILEY_PYTHON-python3}
    good $bench --tables peers --json
    check "bench simulate, peers" bench_rows simulate/peers/numpy/f32 simulate/peers/numpy/f64 simulate/peers/quantlib/f64
    grep -q '"error"' out && fail "bench simulate, peers: $(grep '"error"' out)" || pass
    if "$python" -c 'import numpy' 2>err; then
        check "bench simulate, NumPy" bench_rows simulate/peers/numpy/philox/icdf/exact/f32 \
            simulate/peers/numpy/philox/box-muller/fast/f32 simulate/peers/numpy/philox/icdf/exact/f64
        grep -q '"source": "PCG64, ziggurat"' out && grep -q '"reference_processor_seconds": ' out && pass ||
            fail "bench simulate: facts of NumPy"
    fi
    if "$python" -c 'import QuantLib' 2>err; then
        check "bench simulate, QuantLib" bench_rows simulate/peers/quantlib/philox/icdf/exact/f64
    fi
fi
# peers TEXT: what is printed without Python, or with what is none
peers() {
    good $bench --tables peers
    [ "$(grep -c "^simulate/peers/[a-z]*/f[0-9]*  *not measured: .*$1" out)" = 3 ] && pass ||
        fail "BAILEY_PYTHON=$BAILEY_PYTHON: $(cat out)"
}
kept=${BAILEY_PYTHON-unset}
export BAILEY_PYTHON
BAILEY_PYTHON=
peers .
if [ "$BAILEY_DEVICE" = cpu ]; then
    BAILEY_PYTHON=/nonexistent/python3
    peers "BAILEY_PYTHON may name a Python with"
    BAILEY_PYTHON=false
    peers "it ends before it has said"
    # What passes for QuantLib has another price, or ends.
    hello='printf "{\"version\": \"1\", \"note\": \"none\"}\n"'
    answer='printf "{\"sum\": %s, \"squares\": %s, \"processor\": 1}\n"'
    printf '%s\n' '#!/bin/sh' "$hello" "while read -r n; do $answer \$n \$n; done" >price
    printf '%s\n' '#!/bin/sh' "$hello" 'read -r n' >end
    chmod +x price end
    BAILEY_PYTHON=./price
    "$bailey" $bench --tables peers --only quantlib >out 2>err
    [ $? = 1 ] && grep -q 'FAILED: the price is [0-9.]*, of the quantlib 1, the standard error' out && pass ||
        fail "another price: $(cat out)"
    BAILEY_PYTHON=./end
    "$bailey" $bench --tables peers --only quantlib >out 2>err
    [ $? = 1 ] && grep -q '^simulate/peers/quantlib/f64  *FAILED: ./end: it ends while it prices' out && pass ||
        fail "Python that ends: $(cat out)"
fi
if [ "$kept" = unset ]; then unset BAILEY_PYTHON; else BAILEY_PYTHON=$kept; fi
good $bench --tables scenarios --only /4/ --json
check "bench simulate, scenarios" bench_rows simulate/scenarios/4/philox/icdf/exact/f32
grep -q '"multiple": ' out && pass || fail "bench simulate: no multiple"
good $bench --tables basket --only sobol --paths 512 --repeat 3
grep -q '^simulate/basket/sobol/icdf/exact/f32  *512  *[0-9.]* G normals/s  *[0-9.]*  *[0-9.]* [a-z0-9+ ]*  *[0-9.]*$' out &&
    pass || fail "the table: $(cat out)"
grep -q '^simulate/basket/philox' out && fail "a row that was not asked for" || pass
bad 2 "\-\-tables: unknown value 'baskets'; choose from basket, bridge, .* did you mean basket" $bench --tables baskets
bad 2 "\-\-paths: 1 is outside its limits, 2 to" $bench --paths 1
bad 2 "\-\-repeat: 100 is outside its limits, 1 to 99" $bench --repeat 100
bad 1 "device" $bench --device cuda:999

bench="bench mlmc --quick"
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    check "bench mlmc --json" bench_rows mlmc/run/european/0.5/exact/f32 mlmc/run/barrier/0.5/fast/f32 \
        mlmc/run/digital/0.5/exact/f64 mlmc/rate/european/level0/exact/f32 mlmc/rate/european/level10/exact/f64 \
        mlmc/rate/lookback/mix/fast/f32 mlmc/rate/asian/large-mix/exact/f32 mlmc/peers/standard/asian/0.5/f64 \
        mlmc/peers/plain/lookback/0.5/f32 mlmc/peers/plain-thread/digital/0.5/f64 mlmc/peers/r/european/0.5/f32 \
        mlmc/peers/r/european/0.5/f64 mlmc/run/european/0.5/constant/f32 mlmc/run/asian/0.5/dyadic/f32 \
        mlmc/run/barrier/0.5/sobol/f32 \
        mlmc/cost/european/0.5/exact/f32 mlmc/cost/barrier/0.5/plain/f32
    grep -q '"of": "one launch"' out && grep -q '"of": "exact run"' out && grep -q '"samples": "[0-9][0-9 ]*"' out && grep -q '"exact_price": 5.76309' out &&
        pass || fail "bench mlmc: facts"
    grep -q '"error"' out && fail "bench mlmc: $(grep '"error"' out)" || pass
    good $bench --tables run --eps 0.3,0.4 --only exact/f32 --repeat 3
    [ "$(grep -c '^mlmc/run/[a-z]*/0.[34]/exact/f32' out)" = 10 ] && pass || fail "--eps: $(cat out)"
else
    # a program is built for every option
    good $bench --tables run --only european/0.5/exact/f32 --json
    check "bench mlmc --json" bench_rows mlmc/run/european/0.5/exact/f32
fi
grep -q '"error"' out && fail "bench mlmc: $(grep '"error"' out)" || pass
good $bench --tables cost --only european/0.5/exact/f32 --price-per-hour 3.6
grep -q '^mlmc/cost/european/0.5/exact/f32  *[0-9,]* .* plain f32 .*, price [0-9.e-]*$' out && pass || fail "a price: $(cat out)"

# R is nobody's duty either.
r_says() {
    good $bench --tables peers --only /r/european
    grep -q "^mlmc/peers/r/european/0.5/f64  *not measured: .*$1" out && pass || fail "BAILEY_RSCRIPT=$BAILEY_RSCRIPT: $(cat out)"
}
if [ "$BAILEY_DEVICE" = cpu ]; then
    kept=${BAILEY_RSCRIPT-unset}
    export BAILEY_RSCRIPT
    BAILEY_RSCRIPT=
    r_says "BAILEY_RSCRIPT is empty"
    BAILEY_RSCRIPT=/nonexistent/Rscript
    r_says "BAILEY_RSCRIPT may name an Rscript with"
    BAILEY_RSCRIPT=false
    r_says "it ends before it has said"
    # What passes for the package has another price, or fails, or ends.
    hello='printf "{\"version\": \"1\", \"note\": \"none\"}\n"'
    price='printf "{\"value\": 20, \"cost\": 9, \"first\": 3, \"levels\": 3, \"processor\": 1}\n"'
    refusal='printf "{\"failed\": \"no such option\"}\n"'
    printf '%s\n' '#!/bin/sh' "$hello" "while read -r n; do $price; done" >price
    printf '%s\n' '#!/bin/sh' "$hello" "while read -r n; do $refusal; done" >refusal
    printf '%s\n' '#!/bin/sh' "$hello" 'read -r n' >end
    chmod +x price refusal end
    for r in "price the.price.is.20," "refusal ./refusal:.no.such.option" "end ./end:.it.ends.while.it.runs"; do
        BAILEY_RSCRIPT=./${r%% *}
        "$bailey" $bench --tables peers --only /r/european >out 2>err
        [ $? = 1 ] && grep -q "^mlmc/peers/r/european/0.5/f64  *FAILED: ${r#* }" out && pass || fail "R, $r: $(cat out)"
    done
    if [ "$kept" = unset ]; then unset BAILEY_RSCRIPT; else BAILEY_RSCRIPT=$kept; fi
fi
bad 2 "\-\-tables: unknown value 'runs'; choose from run, rate, .* did you mean run" $bench --tables runs
bad 2 "\-\-eps: 0 is outside its limits, 1e-6 to 10" $bench --eps 0.1,0
bad 2 "\-\-steps: 0 is outside its limits, 1 to" $bench --steps 0
bad 2 "\-\-price-per-hour: -1 is not a price" $bench --price-per-hour -1
bad 1 "device" $bench --device cuda:999

bench="bench quality --quick"
good $bench --generators philox
grep -q '^philox:icdf:exact:f32: 1,048,576 normals' out && grep -q '^  passes$' out && pass || fail "the row: $(cat out)"
grep -q '^| philox:icdf:exact:f32 | 2^20 | ' out && pass || fail "the summary: $(cat out)"
good $bench --generators philox --fill-log2 17 --json
check "bench quality --json" valid_json out
[ "$(grep -c '"observed"' out)" = 194 ] && grep -q '"verdict": "passes"' out && pass || fail "bench quality --json"
"$bailey" $bench --methods box-muller --precisions f64 --plant serial >out 2>err
[ $? = 1 ] && grep -q '^  FAILS$' out && grep -q '^bailey bench quality: 1 of 1 rows fail$' err && pass || fail "--plant"
bad 2 "\-\-plant: unknown value 'wrong'; choose from none, mean" $bench --plant wrong
bad 2 "\-\-count-log2: 19 is outside its limits, 20 to 44" $bench --count-log2 19
bad 2 "the library has none of these normals" $bench --methods wallace --generators warp
bad 1 "device" $bench --device cuda:999

# JAX is nobody's duty either. On other devices programs are built for every row.
bench="bench gradient --quick"
if [ "$BAILEY_DEVICE" = cpu ]; then
    kept=${BAILEY_PYTHON-unset}
    good $bench --json
    check "bench gradient --json" bench_rows gradient/asian/f32/compile gradient/asian/f64/1003/price \
        gradient/asian/f64/1003/jax gradient/asian-all/f32/1003/gradient gradient/asian-bridge/f64/1003/gradient \
        gradient/heston/f32/1003/gradient gradient/heston/f64/compile
    grep -q '"derivatives": 82' out && grep -q '"prices": ' out && ! grep -q '"error"' out && pass ||
        fail "bench gradient: $(cat out)"
    BAILEY_PYTHON=
    export BAILEY_PYTHON
    good $bench --tables asian --only asian/f32 --paths 500
    grep -q '^gradient/asian/f32/500/jax  *not measured: .' out && pass || fail "without Python: $(cat out)"
    grep -q '^gradient/asian/f32/500/gradient  *500  *[0-9.]* M paths/s .* price  *[0-9.]*, [0-9.]* prices$' out && pass ||
        fail "the table: $(cat out)"
    # What passes for JAX has the price and not the delta, or neither.
    answer='printf "{\"sum\": %s, \"squares\": %s, \"slope\": %s, \"processor\": 1}\n"'
    printf '%s\n' '#!/bin/sh' 'printf "{\"version\": \"1\", \"note\": \"none\"}\n"' \
        "while read -r n; do $answer \$((n * \${SUM-1})) \$((n * 100)) \$((n * 9)); done" >price
    chmod +x price
    BAILEY_PYTHON=./price
    "$bailey" $bench --only asian/f32/1003 --threads 1 >out 2>err
    [ $? = 1 ] && grep -q '^gradient/asian/f32/1003/jax  *FAILED: the price is 1, of bailey' out && pass ||
        fail "another price: $(cat out)"
    SUM=5 "$bailey" $bench --only asian/f32/1003 --threads 1 >out 2>err
    [ $? = 1 ] && grep -q '^gradient/asian/f32/1003/jax  *FAILED: the delta is 9, of bailey' out && pass ||
        fail "another delta: $(cat out)"
    if [ "$kept" = unset ]; then unset BAILEY_PYTHON; else BAILEY_PYTHON=$kept; fi
else
    good $bench --tables asian --only asian-all/f32
fi
bad 2 "\-\-tables: unknown value 'asia'; choose from asian, heston; did you mean asian" $bench --tables asia
bad 2 "\-\-paths: 1 is outside its limits, 2 to" $bench --paths 1
bad 1 "device" $bench --device cuda:999

# A report that is stopped after its first rows has them, and is whole; one that is killed has them too.
# stopped SIGNAL CODE
stopped() {
    "$bailey" bench random --json --forms u32 --repeat 99 --count 1000000 >out 2>err &
    until grep -q '"verdict": ' out || ! kill -0 $!; do sleep 0.1; done
    kill -"$1" $!
    wait $! 2>err
    [ $? = "$2" ] && grep -q '"name": "random/philox/u32"' out && pass || fail "stopped by $1: $(cat out)"
}
if [ "$BAILEY_DEVICE" = cpu ]; then
    stopped TERM 143
    check "what was measured before SIGTERM" bench_rows random/philox/u32
    stopped KILL 137
    printf '\n]}\n' >>out
    check "what was measured before SIGKILL" bench_rows random/philox/u32
fi

# Only where there is jansson.
if "$bailey" bench --help | grep -q '^  batch '; then
    good bench batch --quick --json
    check "bench batch" bench_rows batch/basket/workers1/f32 batch/basket/workers4/f32
    good bench batch --quick --paths 50 --deals 7 --precision f64 --numerics fast
    grep -q '^batch/basket/workers2/f64  *350  *[0-9.]* deals/s  *[0-9.]*  *[0-9.]* runs alone ' out && pass ||
        fail "bench batch: $(cat out)"
    bad 2 "\-\-deals: 0 is outside" bench batch --deals 0
fi

finish
