#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# prebuilt_texts.sh PREBUILT_PAYOFFS SOURCE: the built-in payoffs that the library is compiled with are what their
# texts say now.
set -eu
tool=${1:?usage: prebuilt_texts.sh PREBUILT_PAYOFFS SOURCE}
source=${2:?usage: prebuilt_texts.sh PREBUILT_PAYOFFS SOURCE}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
for real in f32 f64; do
    "$tool" $real "$dir/prebuilt_$real.h"
    cmp "$dir/prebuilt_$real.h" "$source/src/kernels/prebuilt_$real.h" || {
        echo "FAIL: src/kernels/prebuilt_$real.h is not current: cmake --build BUILD --target prebuilt writes it"
        exit 1
    }
done
