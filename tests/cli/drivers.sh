#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program and drivers: those that end its process, those that are not there, BAILEY_BACKENDS, mistyped variables.
#     sh tests/cli/drivers.sh path/to/bailey path/to/stub_icd.so [path/to/stub_opencl.so] [path/to/stub_cuda.so]
icd=${2:-}
stub='' cuda=''
for driver in "${3:-}" "${4:-}"; do
    case $driver in
    *stub_opencl*) stub=$driver ;;
    *stub_cuda*) cuda=$driver ;;
    esac
done
case $icd in /* | "") ;; *) icd=$PWD/$icd ;; esac
case $stub in /* | "") ;; *) stub=$PWD/$stub ;; esac
case $cuda in /* | "") ;; *) cuda=$PWD/$cuda ;; esac
. "${0%/*}/common.sh"
unset BAILEY_BACKENDS OCL_ICD_FILENAMES OPENCL_VENDOR_PATH OMP_NUM_THREADS BAILEY_CPU_LEVEL

# ---- BAILEY_BACKENDS ----

BAILEY_BACKENDS=cpu,cuda
export BAILEY_BACKENDS
good devices
grep -q '^opencl *not usable: .*BAILEY_BACKENDS is "cpu,cuda"' out && pass || fail "a backend that is left out"
grep -q '^cpu *cpu ' out && pass || fail "a backend that is not left out"
bad 1 'BAILEY_BACKENDS is "cpu,cuda"' random --count 4 -o p.npy --device opencl
BAILEY_BACKENDS=" cpu, "
good random --count 4 -o p.npy --device auto
BAILEY_LOG=1 "$bailey" random --count 4 -o p.npy --device auto >out 2>err
! grep -q 'opening' err && pass || fail "a driver was opened that is left out"
BAILEY_BACKENDS=cpu,cdua
for words in devices "random --count 4 -o p.npy" "random --count 4 -o p.npy --device opencl"; do
    # shellcheck disable=SC2086
    bad 2 'BAILEY_BACKENDS: unknown backend "cdua"; choose from cuda, opencl, cpu' $words
done
unset BAILEY_BACKENDS

# ---- Mistyped variables ----

BAILEY_CPU_LEVEL=sse9
export BAILEY_CPU_LEVEL
bad 2 '^bailey random: BAILEY_CPU_LEVEL: unknown level "sse9"; choose baseline, avx2 or avx512' random --count 4 -o p.npy --device cpu
good devices
grep -q '^cpu  *not usable.*BAILEY_CPU_LEVEL' out && pass || fail "devices with a level that is none"
BAILEY_CPU_LEVEL=avx512 # the best below it where it is not there
good random --count 4 -o p.npy
unset BAILEY_CPU_LEVEL
for count in abc 0 -2 2x; do
    OMP_NUM_THREADS=$count
    export OMP_NUM_THREADS
    bad 2 "^bailey random: OMP_NUM_THREADS: \"$count\" is not a positive integer" random --count 4 -o p.npy --device cpu
    good random --count 4 -o p.npy --threads 1
done
for count in 2 "4,2" " 3 "; do
    OMP_NUM_THREADS=$count
    good random --count 4 -o p.npy
done
unset OMP_NUM_THREADS
BAILEY_DEVICE=tpu
bad 2 '^bailey random: BAILEY_DEVICE: device "tpu" is not of the form' random --count 4 -o p.npy
bad 2 '^bailey random: --device: device "gpu" is not of the form' random --count 4 -o p.npy --device gpu
BAILEY_DEVICE=cpu
for words in "random --count 4 -o p.npy" devices; do
    # shellcheck disable=SC2086
    BAILEY_LOG=/nonexistent/log "$bailey" $words >out 2>err
    code=$?
    [ $code -eq 0 ] && [ "$(grep -c 'BAILEY_LOG: cannot open /nonexistent/log: No such file' err)" -eq 1 ] &&
        pass || fail "exit $code: an unwritable log: $words"
done

# ---- Drivers that are not there ----

can_opencl() {
    "$bailey" devices >out 2>err
    ! grep -q '^opencl .*libOpenCL\|built without OpenCL' out
}

# reason TEXT: the reason for no OpenCL has the text.
reason() {
    good devices --json
    grep -q "\"reason\": .*$1" out && pass || fail "the reason for no OpenCL: $1"
}

if [ -n "$icd" ] && can_opencl; then
    mkdir none broken bad
    echo libbailey-not-there.so >broken/some.icd
    echo "$icd" >bad/stub.icd
    OCL_ICD_VENDORS=$dir/none
    export OCL_ICD_VENDORS
    reason 'OCL_ICD_VENDORS is '
    reason 'a folder without .icd files'
    OCL_ICD_VENDORS=$dir/broken
    reason "broken/some.icd names libbailey-not-there.so, which cannot be loaded"

    # ---- Drivers that end the process ----

    # The loader may load the stub, or leave that to the library, which looks why there is no platform. Where there is
    # a GPU too, auto would take that.
    OCL_ICD_VENDORS=$dir/bad
    BAILEY_BACKENDS=opencl,cpu
    export BAILEY_BACKENDS
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0 # builds with sanitizers would exit
    export ASAN_OPTIONS
    for how in "abort signal 6" "crash signal 11" "exit exit code 3"; do
        BAILEY_STUB_ICD=${how%% *}
        export BAILEY_STUB_ICD
        text="opencl: a driver ended the process that tried it, with ${how#* }.*opening .*stub.*no topology, good-bye"
        "$bailey" devices >out 2>err
        code=$?
        [ $code -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$text" err && grep -q '^cpu *cpu ' out &&
            pass || fail "exit $code: devices, $how"
        grep -q '^opencl  *not usable: a driver ended' out && awk 'length > 100 { exit 1 }' out &&
            pass || fail "devices wraps a long reason"
        rm -f p.npy
        "$bailey" random --count 4 -o p.npy --device auto >out 2>err
        code=$?
        [ $code -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$text\"; continuing without it" err && [ -s p.npy ] &&
            pass || fail "exit $code: auto, $how"
        bad 1 '^bailey random: --device: device "opencl:0": a driver ended' random --count 4 -o p.npy --device opencl:0
        good random --count 4 -o p.npy --device cpu
    done
    # The log names the driver before it says its last words.
    BAILEY_STUB_ICD=abort BAILEY_LOG=1 "$bailey" devices >out 2>err
    sed -n '/^stub_icd/{x;p;q;};h' err | grep -q "opening .*$icd.* \.\.\.$" && pass ||
        fail "the log does not name a driver before it is opened"
    BAILEY_BACKENDS=opencl
    bad 1 'opencl: a driver ended' random --count 4 -o p.npy --device auto
    unset BAILEY_BACKENDS OCL_ICD_VENDORS BAILEY_STUB_ICD
fi

# ---- A driver that is known to open ----

# opens TIMES WHAT: so often the driver is initialised, by the child and by the program.
opens() {
    BAILEY_LOG=1 "$bailey" random --count 4 -o p.npy --device cuda >out 2>err
    [ "$(grep -c 'initialising the driver' err)" -eq "$1" ] && pass || fail "not opened $1 times: $2"
}

if [ -n "$cuda" ]; then
    cp "$cuda" driver.so
    BAILEY_CUDA_LIBRARY=$dir/driver.so
    BAILEY_CACHE_DIR=$dir/cache
    export BAILEY_CUDA_LIBRARY BAILEY_CACHE_DIR
    opens 2 "the first time"
    opens 1 "known"
    STUB_FAIL=cuStreamCreate:1:999 opens 1 "a run that fails"
    opens 2 "after it"
    cp "$cuda" other.so
    mv other.so driver.so
    opens 2 "another file"
    CUDA_VISIBLE_DEVICES=0 opens 2 "another variable"
    BAILEY_CACHE_DIR='' opens 2 "no folder"
    unset BAILEY_CUDA_LIBRARY BAILEY_CACHE_DIR
fi

# ---- What takes long ----

if [ -n "$stub" ]; then
    BAILEY_OPENCL_LIBRARY=$stub
    BAILEY_CACHE_DIR=
    STUB_SECONDS=2
    export BAILEY_OPENCL_LIBRARY BAILEY_CACHE_DIR STUB_SECONDS
    good random --count 4 -o p.npy --device opencl
    if has script; then
        script -qec "'$bailey' random --count 4 -o p.npy --device opencl" /dev/null </dev/null >out 2>&1
        tr '\r' '\n' <out | grep -q 'opencl: building bly_words_philox \.\.\.$' && pass ||
            fail "what is compiled, on a terminal"
        # Each such line is cleared: what remains of the last is the result.
        tail -n 1 out | tr '\r' '\n' | grep -q 'K.*p.npy: 4 words' && pass || fail "the line is cleared"
        STUB_SECONDS=0
        script -qec "'$bailey' random --count 4 -o p.npy --device opencl" /dev/null </dev/null >out 2>&1
        ! grep -q building out && pass || fail "what is compiled in no time"
    fi
    # PoCL before 4.0 compiles in one process at a time.
    STUB_SECONDS=0
    POCL_CACHE_DIR=$dir/kernels
    export POCL_CACHE_DIR STUB_VERSION
    mkdir kernels
    if has flock; then
        for version in 3.1 4.0; do
            STUB_VERSION="1.2/PoCL-$version 1.2"
            flock kernels sleep 2 &
            sleep 0.5
            BAILEY_LOG=1 "$bailey" random --count 4 -o p.npy --device opencl >out 2>err
            code=$?
            waited=$(grep -c 'waiting for another process' err)
            wait
            [ $code -eq 0 ] && [ "$waited" -eq "$([ $version = 3.1 ] && echo 1 || echo 0)" ] && pass ||
                fail "exit $code: PoCL $version waited $waited times"
        done
    fi
fi

finish
