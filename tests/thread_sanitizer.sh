#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# Builds the cpu backend's plainest kernels with ThreadSanitizer, and runs test_thread_rule: threads that break the
# rule of one thread at a time are refused and leave no race.
# usage: thread_sanitizer.sh SOURCE_DIR COMPILER GENERATOR
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/bailey-thread-sanitizer.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
echo 'int main(void) { return 0; }' >"$folder/probe.c"
if ! "$2" -fsanitize=thread "$folder/probe.c" -o "$folder/probe" 2>/dev/null || ! "$folder/probe"; then
    echo "no ThreadSanitizer here"
    exit 77
fi
cmake -G "$3" -S "$1" -B "$folder" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=Debug -DBAILEY_SANITIZE=thread \
    -DBAILEY_CPU_LEVELS=scalar -DBAILEY_CUDA=OFF -DBAILEY_MPI=OFF -DBAILEY_PYTHON=OFF -DBAILEY_BUILD_EXAMPLES=OFF \
    -DBAILEY_BUILD_TESTS=ON >"$folder/log" || { cat "$folder/log"; exit 1; }
cmake --build "$folder" --parallel 2 --target test_thread_rule >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
TSAN_OPTIONS=halt_on_error=1:abort_on_error=0 "$folder/tests/test_thread_rule" thread_rule cpu
