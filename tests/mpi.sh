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
mpirun -n 2 "$3" $deal --samples s.npy >"$dir/out" 2>"$dir/err" && fail "--samples is taken"
mpirun -n 2 "$3" --help >"$dir/out" 2>"$dir/err" || fail "--help"
[ "$(grep -c '^usage' "$dir/out")" -eq 1 ] || fail "--help: $(cat "$dir/out")"
mpirun -n 2 "$3" random >"$dir/out" 2>"$dir/err" && fail "random is taken"

# Begun by three ranks, killed, and ended by two.
long="price asian-geometric --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --steps 200 --threads 1 --paths 150000"
"$2" $long | grep 0x >"$dir/wanted"
mpirun -n 3 "$3" $long --checkpoint "$dir/run" --checkpoint-every 0.01 >"$dir/out" 2>"$dir/err" &
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
