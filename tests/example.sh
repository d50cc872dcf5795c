#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# What an example prints is the same in all its languages, and on every device.
#
#     example.sh PROGRAM BACKEND draw | adopt | paths | price
#
# Exit status 77: there is no device, and BAILEY_TEST_REQUIRE does not name the backend.
case $3 in
draw)
    expected="xorwow  8.021731001158049
philox  8.014757557348615
exact   8.021352235143176"
    ;;
adopt) expected="mean maximum of 1000 paths: 0.7302" ;;
paths)
    expected="path 0 ends at 0.287042
path 1 ends at -0.0788235
path 2 ends at -1.45214
path 3 ends at -0.410113
path 4 ends at 2.24821"
    ;;
price)
    expected="price: 6.94006 +- 0.01881, of 262144 paths
price: 6.94006 +- 0.01881
delta: 0.60177 +- 0.00105
gamma: 0.02755 +- 0.00012
vega: 25.74224 +- 0.09414
volga: 6.44885 +- 0.56472
vanna: -0.31565 +- 0.00309
rho: 31.33156 +- 0.05447
refused: times[1] = 1 does not exceed times[0] = 2 (argument: times)"
    ;;
*) exit 1 ;;
esac

found=$(BAILEY_DEVICE=$2 "$1" 2>&1)
status=$?
printf '%s\n' "$found"
[ "$status" -eq 0 ] && [ "$found" = "$expected" ] && exit 0
case "$found" in
*"OpenCL error -1001" | *"OpenCL error -1" | "no OpenCL device" | *"no CUDA-capable device"* | \
    *"driver version is insufficient"* | *"libcuda.so.1: cannot open"*)
    case ",$BAILEY_TEST_REQUIRE," in
    *",$2,"*) ;;
    *) exit 77 ;;
    esac
    ;;
esac
exit 1
