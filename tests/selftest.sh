#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# selftest.sh PROGRAM BACKEND: `bailey selftest` on every usable device of a backend.
set -eu
program=$1
backend=$2
tested=0
# Compiling everything takes minutes with OpenCL.
all=--all
[ "$backend" != opencl ] || all=${BAILEY_TEST_LARGE:+--all}
for device in $("$program" devices | awk -v backend="$backend" '$1 ~ "^" backend "(:|$)" && !/not usable/ {print $1}'); do
    # shellcheck disable=SC2086
    "$program" selftest $all --device "$device"
    tested=$((tested + 1))
done
[ "$tested" -gt 0 ] && exit 0
case ",${BAILEY_TEST_REQUIRE:-}," in
*"$backend"*) echo "no usable $backend device"; exit 1 ;;
esac
exit 77
