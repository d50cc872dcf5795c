#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# Jobs over MPI: sh tests/mpi.sh test_mpi bailey bailey-mpi. Exit status 77: there is no mpirun.
set -u
LC_ALL=C
export LC_ALL
command -v mpirun >/dev/null || exit 77
# Open MPI asks root, which containers have, and more ranks than processors, whether they are meant.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
BAILEY_DEVICE=cpu
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe BAILEY_DEVICE
export OMPI_MCA_btl_vader_single_copy_mechanism
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

for n in 1 2 3; do
    mpirun -n $n "$1" "$dir/checkpoint" >"$dir/out" 2>&1 || fail "$n ranks: $(cat "$dir/out")"
    grep -q "^$n ranks: all right" "$dir/out" || fail "$n ranks say: $(cat "$dir/out")"
done

deal="price european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --threads 1 --paths 3000000"
"$2" $deal | grep 0x >"$dir/wanted"
for n in 1 2 3; do
    mpirun -n $n "$3" $deal >"$dir/out" 2>"$dir/err" || fail "bailey-mpi, $n ranks: $(cat "$dir/err")"
    grep 0x "$dir/out" | cmp -s - "$dir/wanted" || fail "bailey-mpi, $n ranks: other bits, or more than once"
    [ "$(grep -c '^share  *rank' "$dir/out")" -eq $n ] || fail "bailey-mpi, $n ranks: $(cat "$dir/out")"
done
mpirun -n 2 "$3" $deal --json >"$dir/out" && grep -q '"device": "rank 1"' "$dir/out" || fail "JSON: $(cat "$dir/out")"
# What is wrong for all is said once, by rank 0.
mpirun -n 2 "$3" $deal --strike x >"$dir/out" 2>"$dir/err" && fail "a wrong strike is taken"
mpirun -n 2 "$3" $deal --seed x >"$dir/out" 2>"$dir/err" && fail "a wrong seed is taken"
[ "$(grep -c '^bailey price european: --seed' "$dir/err")" -eq 1 ] || fail "errors: $(cat "$dir/err")"
mpirun -n 2 "$3" $deal --device cpu:% >"$dir/out" 2>"$dir/err" && fail "cpu:1 is taken"
grep -q 'device "cpu:0"' "$dir/err" || fail "the number of a rank: $(cat "$dir/err")"
mpirun -n 2 "$3" $deal --save-outputs s.npy >"$dir/out" 2>"$dir/err" && fail "--save-outputs is taken"
mpirun -n 2 "$3" --help >"$dir/out" 2>"$dir/err" || fail "--help"
[ "$(grep -c '^usage' "$dir/out")" -eq 1 ] || fail "--help: $(cat "$dir/out")"
mpirun -n 2 "$3" --version >"$dir/out" 2>"$dir/err" || fail "--version"
[ "$(cat "$dir/out")" = "bailey-mpi $("$2" --version | sed 's/bailey //')" ] || fail "--version: $(cat "$dir/out")"
"$3" manual >"$dir/out" 2>"$dir/err" || fail "manual: $(cat "$dir/err")"
grep -q '^.TH "BAILEY-MPI" 1' "$dir/out" && grep -q '^usage: mpirun' "$dir/out" || fail "manual: $(cat "$dir/out")"
mpirun -n 2 "$3" random >"$dir/out" 2>"$dir/err" && fail "random is taken"

# A batch of deals has the lines of `bailey batch`, in their order, but for the seconds; one deal is wrong, and some take
# much longer than others.
without_seconds() {
    sed 's/, "seconds": [^}]*//' "$1"
}

# deals COUNT: a document, whose deals have a line each.
deals() {
    echo '{"defaults": {"product": "european", "spot": 100, "rate": 0.03, "volatility": 0.2, "paths": 2000}, "deals": ['
    i=0
    while [ $i -lt "$1" ]; do
        more=
        [ $((i % 7)) -eq 3 ] && more=', "paths": 300000'
        [ $((i % 11)) -eq 5 ] && more=', "target_error": 0.2'
        strike=$((80 + i))
        [ $i -eq 20 ] && strike='"x"'
        echo "{\"id\": \"d$i\", \"strike\": $strike$more}$([ $((i + 1)) -lt "$1" ] && echo ,)"
        i=$((i + 1))
    done
    echo ']}'
}

# What a rank does while another has the only deal that is left: it waits, and does not turn round and round.
idle() {
    paths=1000000
    milliseconds=0
    while [ "$milliseconds" -lt 600 ] && [ $paths -lt 2000000000 ]; do
        paths=$((paths * 2))
        for n in $((paths / 8)) $paths; do # the other rank has asked when the first one is done
            echo "{\"product\": \"european\", \"spot\": 100, \"strike\": 100, \"rate\": 0, \"volatility\": 0.2, \"paths\": $n}"
        done >idle.json
        began=$(date +%s%N)
        "$bailey" batch idle.json --threads 1 >out 2>err || fail "an idle rank: $(cat err)"
        milliseconds=$((($(date +%s%N) - began) / 1000000))
    done
    # The last line of times is what the rank has taken of the processor.
    rank='"$@"; times >"times.$OMPI_COMM_WORLD_RANK"'
    mpirun -n 2 sh -c "$rank" rank "$bailey_mpi" batch idle.json --threads 1 >out 2>err || fail "an idle rank: $(cat err)"
    tail -qn 1 times.0 times.1 | awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); all[NR] += 60 * t[1] + t[2] } }
        END { exit !(all[1] < 0.6 * all[2] || all[2] < 0.6 * all[1]) }' || fail "an idle rank takes $(cat times.0 times.1)"
}

# same_batch RANKS OPTION...: of deals.json, as `bailey batch` does it; with --output in a file too.
same_batch() {
    ranks=$1
    shift
    rm -f prices
    "$bailey" batch deals.json --threads 1 "$@" >out 2>err
    wanted=$?
    without_seconds out >wanted
    [ ! -f prices ] || without_seconds prices >>wanted
    grep '^bailey' err >wanted.err
    rm -f prices
    mpirun -n "$ranks" "$bailey_mpi" batch deals.json --threads 1 "$@" >out 2>err
    got=$?
    [ $got -eq $wanted ] || fail "batch, $ranks ranks, $*: exit code $got, not $wanted: $(cat err)"
    without_seconds out >got
    [ ! -f prices ] || without_seconds prices >>got
    cmp -s got wanted || fail "batch, $ranks ranks, $*: other lines: $(diff got wanted | head -4)"
    grep '^bailey' err | cmp -s - wanted.err || fail "batch, $ranks ranks, $*: other errors: $(cat err)"
}

test_batch() {
    idle
    deals 40 >deals.json
    for n in 1 2 3; do same_batch $n; done
    [ "$(wc -l <out)" -eq 40 ] || fail "batch: not 40 lines"
    grep -q '"error": "strike' out || fail "batch: the wrong deal is not said: $(cat out)"
    same_batch 2 --workers 2 --part 1/3 --output prices
    [ "$(wc -l <prices)" -eq 13 ] || fail "batch: not 13 lines in a file"
    same_batch 3 --strict
    [ "$(wc -l <out)" -eq 20 ] || fail "a strict batch writes $(wc -l <out) lines"
    grep -q 'deal "d20": strike' err || fail "a strict batch says $(cat err)"
    same_batch 2 --strict --output prices
    [ ! -e prices ] || fail "a strict batch leaves a file"
    # An error of the file, of which only one rank reads the deal. Lines before it are written.
    sed -i '/"d30"/s/strike/strike" "/' deals.json
    same_batch 3
    [ "$(wc -l <out)" -eq 30 ] || fail "a damaged file gives $(wc -l <out) lines"
    rm deals.json
    same_batch 2
    mpirun -n 2 "$bailey_mpi" batch - >out 2>err </dev/null && fail "two ranks read standard input"
    [ "$(grep -c '^bailey batch: standard input' err)" -eq 1 ] || fail "standard input: $(cat err)"
    # The command of docs/long-runs.md.
    deals 20 >deals.json
    sed -n 's/^\$ \(mpirun .* batch .*\)/\1/p' "$docs/long-runs.md" >commands
    [ -s commands ] || fail "no batch in long-runs.md"
    sh -e ./commands >out 2>err || fail "$(cat commands): $(cat err)"
    grep -q '^ranks    3, which priced from ' err || fail "--summary: $(cat err)"
    [ "$(wc -l <prices.jsonl)" -eq 20 ] || fail "$(cat commands): $(cat prices.jsonl)"
}

# The command of docs/long-runs.md has the digits of `bailey price`.
test_long_runs() {
    sed -n 's/^\$ \(mpirun .* price .*\)/\1/p' "$docs/long-runs.md" >commands
    [ -s commands ] || fail "no command in long-runs.md"
    sed 's/^mpirun .*bailey-mpi/bailey/' commands >alone
    sh -e ./commands >out 2>err && sh -e ./alone >wanted 2>err || fail "$(cat commands): $(cat err)"
    grep 0x wanted >wanted.bits && grep 0x out | cmp -s - wanted.bits || fail "$(cat commands): other bits"
    grep -q '^share  *rank 2' out || fail "$(cat commands): $(cat out)"
}

docs=$(cd "$(dirname "$0")/../docs" && pwd)
mkdir "$dir/bin"
ln -s "$(realpath "$2")" "$dir/bin/bailey"
ln -s "$(realpath "$3")" "$dir/bin/bailey-mpi"
PATH=$dir/bin:$PATH
bailey=$2
bailey_mpi=$3
cd "$dir" || exit 1
test_long_runs
mpirun -n 2 "$bailey_mpi" batch none >out 2>err && fail "a batch of no file"
if grep -q 'built without jansson' err; then
    [ "$(grep -c '^bailey' err)" -eq 1 ] || fail "without jansson: $(cat err)"
else
    test_batch
fi

# Begun by three ranks, killed, and ended by two.
long="price asian-geometric --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --steps 200 --threads 1 --paths 150000"
"$2" $long | grep 0x >"$dir/wanted"
mpirun -n 3 "$3" $long --checkpoint "$dir/run" --checkpoint-seconds 0.01 >"$dir/out" 2>"$dir/err" &
pid=$!
tries=0
while [ ! -s "$dir/run" ] && [ $tries -lt 100 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
sleep 0.3
kill -9 $pid
wait $pid 2>/dev/null
mpirun -n 2 "$3" $long --checkpoint "$dir/run" >"$dir/out" 2>"$dir/err" || fail "resumed: $(cat "$dir/err")"
grep 0x "$dir/out" | cmp -s - "$dir/wanted" || fail "killed and resumed: other bits"
[ $failed -eq 0 ] && echo "all right"
exit $failed
