#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey price` on several devices, with a checkpoint, killed and interrupted. See
# common.sh.
. "${0%/*}/common.sh"

# Some hundredths of a second or more, in 15 parts.
market="--spot 100 --strike 100 --rate 0.05 --volatility 0.2"
run="price asian-geometric $market --steps 200 --threads 1 --paths 60000"
bits() {
    grep '0x' "${1:-out}"
}
good $run
bits >wanted

# ---- Several devices ----

good $run --device cpu
bits | cmp -s - wanted && pass || fail "the device is said"
others=
"$bailey" devices >devices 2>err
grep -q '^opencl:0:0' devices && others="cpu,opencl:0:0 opencl:0:0,cpu"
grep -q '^cuda:0' devices && others="$others cuda:0,cpu"
for list in $others; do
    good $run --device "$list"
    bits | cmp -s - wanted && pass || fail "$list: other bits"
    [ "$(grep -c '^share ' out)" -eq 2 ] && pass || fail "the shares of $list: $(cat out)"
    good $run --device "$list" --json
    check "price --json of $list" valid_json out
    awk -F': ' '/"share"/ { all += $2 } END { exit !(all > 0.999 && all < 1.001) }' out && pass || fail "the shares in JSON"
    BAILEY_DEVICE=$list "$bailey" $run >out 2>err
    bits | cmp -s - wanted && pass || fail "BAILEY_DEVICE=$list: other bits"
done
bad 2 "\-\-device: cpu is given twice" $run --device cpu,cpu
bad 2 "\-\-device: a name is missing" $run --device cpu,
bad 2 "\-\-device: device \"cpu:7\" is not of the form" $run --device cpu,cpu:7
bad 2 "\-\-save-outputs needs one device and no --checkpoint: long runs do not keep samples" $run --device cpu,opencl --save-outputs s.csv

# ---- A checkpoint ----

good $run --checkpoint run.checkpoint
bits | cmp -s - wanted && pass || fail "a checkpoint changes the bits"
good $run --checkpoint run.checkpoint
bits | cmp -s - wanted && pass || fail "what is known has other bits"
grep -q '^loaded   60,000 paths from --checkpoint' out && pass || fail "what was loaded: $(cat out)"
good $run --checkpoint run.checkpoint --json
check "price --json of a checkpoint" valid_json out
grep -q '^  "loaded_paths": 60000,' out && pass || fail "what was loaded, in JSON"
bad 2 "run.checkpoint: it belongs to another run: not the same payoff's parameters" ${run%% --steps*} --steps 200 --type put --paths 60000 --checkpoint run.checkpoint
bad 2 "it belongs to another run: not the same source" $run --seed 2 --checkpoint run.checkpoint
bad 2 "it belongs to another run: not the same paths, or the precision" $run --precision f64 --checkpoint run.checkpoint
bad 2 "it belongs to another run: not the same numbers of paths" $run --replicates 2 --checkpoint run.checkpoint
head -c 300 run.checkpoint >short.checkpoint
bad 2 "short.checkpoint: bytes are damaged, or not a tally" $run --checkpoint short.checkpoint
bad 1 "cannot be created" $run --checkpoint "$dir/nowhere/run.checkpoint"
# A link, a folder, a device and a pipe are refused as they are; nobody waits for the pipe, and none is replaced.
ln -s run.checkpoint link.checkpoint
bad 2 "link.checkpoint is a symbolic link" $run --checkpoint link.checkpoint
bad 2 "is a folder" $run --checkpoint "$dir"
bad 2 "/dev/null is a device" $run --checkpoint /dev/null
ln -s nowhere link.1
bad 2 "link.1 is a symbolic link" mlmc european --no-test --eps 0.5 --checkpoint link
if command -v mkfifo >/dev/null; then
    mkfifo pipe.checkpoint
    bad 2 "pipe.checkpoint is a pipe" $run --checkpoint pipe.checkpoint
    [ -p pipe.checkpoint ] && pass || fail "the pipe is gone"
fi
[ -h link.checkpoint ] && [ -n "$(find run.checkpoint -perm 600)" ] && pass || fail "a checkpoint's mode"
# What a killed run left beside it is gone.
: >.run.checkpoint.0123abcd.tmp
: >.else.checkpoint.0123abcd.tmp
good $run --checkpoint run.checkpoint
[ ! -e .run.checkpoint.0123abcd.tmp ] && [ -e .else.checkpoint.0123abcd.tmp ] && pass || fail "what was left"
rm -f .else.checkpoint.0123abcd.tmp
bad 2 "\-\-checkpoint-seconds needs --checkpoint" $run --checkpoint-seconds 5
bad 2 "\-\-checkpoint-seconds: 0 is not positive" $run --checkpoint x --checkpoint-seconds 0
rm -f run.checkpoint short.checkpoint

# ---- Killed at a random moment, and resumed ----

# Of as many paths as take this machine some tenths of a second.
paths=60000
milliseconds=0
while [ "$milliseconds" -lt 300 ] && [ "$paths" -lt 100000000 ]; do
    paths=$((paths * 2))
    killed="price asian-geometric $market --steps 200 --threads 1 --paths $paths"
    began=$(date +%s%N)
    good $killed
    milliseconds=$((($(date +%s%N) - began) / 1000000))
done
bits >wanted
same=0
lived=0
for trial in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    rm -f killed.checkpoint
    "$bailey" $killed --checkpoint killed.checkpoint --checkpoint-seconds 0.005 >out 2>err &
    pid=$!
    sleep "$(awk -v n="$trial$$" -v t="$milliseconds" 'BEGIN { srand(n); print 0.02 + t / 1000 * rand() }')"
    kill -9 $pid 2>/dev/null || lived=$((lived + 1))
    wait $pid 2>/dev/null
    "$bailey" $killed --checkpoint killed.checkpoint >out 2>err || fail "trial $trial: $(cat err)"
    bits | cmp -s - wanted && same=$((same + 1))
    grep -q '^loaded ' out && cat out >resumed
done
[ $same -eq 20 ] && pass || fail "killed and resumed: the same bits $same times of 20"
[ $lived -lt 20 ] && pass || fail "no run was killed in time"
[ -s resumed ] && pass || fail "no run was resumed in the middle"
find . -name '.killed.checkpoint.*' -exec rm -f {} +

# ---- Interrupted ----

# interrupt SIGNAL: starts the long run in the background, where shells have SIGINT ignored, and sends it a signal
# as soon as it has saved something new.
long="price asian-geometric $market --steps 200 --threads 1 --paths 100000000"
interrupt() {
    cp int.checkpoint before 2>/dev/null
    env --default-signal=INT "$bailey" $long --checkpoint int.checkpoint --checkpoint-seconds 0.02 >out 2>err &
    pid=$!
    tries=0
    while { [ ! -s before ] || cmp -s int.checkpoint before; } && [ $tries -lt 400 ]; do
        [ -s before ] || cp int.checkpoint before 2>/dev/null # with nothing in it yet
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -s "$1" $pid
    wait $pid
    code=$?
}
if env --default-signal=INT true 2>/dev/null; then
    rm -f int.checkpoint before
    interrupt INT
    [ $code -eq 1 ] && [ ! -s out ] && pass || fail "an interrupted run ends with $code: $(cat out)"
    grep -q 'cancelled after [0-9]* of 100000000 paths' err && pass || fail "interrupted"
    grep -q 'the same command resumes the run' err && pass || fail "how to go on"
    first=$(sed -n 's/.*cancelled after \([0-9]*\) of.*/\1/p' err)
    interrupt TERM
    second=$(sed -n 's/.*cancelled after \([0-9]*\) of.*/\1/p' err)
    [ "${second:-0}" -gt "${first:-0}" ] && pass || fail "it does not go on: ${first:-none}, then ${second:-none}"

    # The run of above, to its end.
    rm -f int.checkpoint before
    long=$killed
    interrupt INT
    "$bailey" $killed --checkpoint int.checkpoint >out 2>err
    [ $? -eq 0 ] && bits | cmp -s - wanted && pass || fail "interrupted with $code and resumed"

    # Levels, up to an eps that takes this machine some tenths of a second.
    milliseconds=0
    for eps in 0.02 0.01 0.005 0.0025 0.00125 0.0008 0.0005 0.0003; do
        [ "$milliseconds" -lt 300 ] || break
        levels="mlmc european --no-test --seed 1 --threads 1 --max-level 14 --eps $eps --json"
        began=$(date +%s%N)
        good $levels
        milliseconds=$((($(date +%s%N) - began) / 1000000))
    done
    grep -v '"seconds"' out >wanted
    caught=0
    for trial in 1 2 3 4 5; do
        rm -f levels.1
        env --default-signal=INT "$bailey" $levels --checkpoint levels >out 2>err &
        pid=$!
        sleep "$(awk -v n="$trial" -v t="$milliseconds" 'BEGIN { print 0.02 + t / 1000 * n / 7 }')"
        kill -s INT $pid 2>/dev/null
        wait $pid
        [ $? -eq 1 ] && [ ! -s out ] && grep -q 'the same command resumes it' err && caught=$((caught + 1))
        good $levels --checkpoint levels
        grep -v '"seconds"' out | cmp -s - wanted && pass || fail "levels, interrupted and resumed: trial $trial"
    done
    [ $caught -gt 0 ] && pass || fail "no run of levels was interrupted in time"
fi

# ---- Up to an error ----

good price european $market --target-error 0.05 --checkpoint target.checkpoint
bits >target
grep '^  pilot\|^  then' out >stages
good price european $market --target-error 0.05 --checkpoint target.checkpoint
bits | cmp -s - target && grep '^  pilot\|^  then' out | cmp -s - stages && pass || fail "a target that is known: $(cat out)"
good price european $market --target-error 0.03 --checkpoint target.checkpoint
grep '^  pilot\|^  then' out | head -n "$(grep -c . stages)" | cmp -s - stages && pass || fail "a target goes on: $(cat out)"
for list in $others; do
    good price european $market --target-error 0.05 --device "$list"
    bits | cmp -s - target && pass || fail "a target on $list"
done

finish
