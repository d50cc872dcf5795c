#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The examples draw_c, draw_opencl and draw_cuda print the same digits.
#
#     draw.sh PROGRAM BACKEND
#
# Exit status 77: there is no device, and BAILEY_TEST_REQUIRE does not name the backend.
expected="xorwow  8.021731001158049
philox  8.014757557348615
exact   8.021352235143176"

found=$("$1" 2>&1)
status=$?
printf '%s\n' "$found"
[ "$status" -eq 0 ] && [ "$found" = "$expected" ] && exit 0
case "$found" in
*"OpenCL error -1001" | *"OpenCL error -1" | *"no CUDA-capable device"* | *"driver version is insufficient"*)
    case ",$BAILEY_TEST_REQUIRE," in
    *",$2,"*) ;;
    *) exit 77 ;;
    esac
    ;;
esac
exit 1
