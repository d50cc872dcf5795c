#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# hostile_macros.sh SOURCE CC [CXX [NVCC]]: the public device headers, included after macros that a user may have: the
# names that the head of bailey/device/dialect.h promises to leave alone. In C at 1, 8 and 16 lanes, and in C++, CUDA
# and, by clang, OpenCL C where those are. A macro that reaches a header makes it fail to compile.
set -eu
source=${1:?usage: hostile_macros.sh SOURCE CC [CXX [NVCC]]}
cc=${2:?usage: hostile_macros.sh SOURCE CC [CXX [NVCC]]}
cxx=${3:-} nvcc=${4:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

letters="a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"
words="PI EPS INF MIN MAX ABS SWAP REAL SEED STEPS DIMS LANES PATHS ROUNDS WARP BLOCK THREADS TABLE NONE ON
    min max abs round sqr square swap small near far index nan inf eps pi real byte u8 u16 u32 u64 i8 i16 i32 i64 s32 s64
    f32 f64"

# The system's headers come first: they are not ours to mend.
headers() {
    [ "$1" = cl ] || printf '#include <%s>\n' math.h stddef.h stdint.h string.h
    case $1-$(uname -m) in c-x86_64 | cc-x86_64) echo '#include <immintrin.h>' ;; esac
    for letter in $letters; do
        printf '#undef %s\n#define %s (hostile %s)\n' "$letter" "$letter" "$letter"
        for digit in 0 1 2 3 4 5 6 7 8 9; do
            printf '#undef %s\n#define %s (hostile %s)\n' "$letter$digit" "$letter$digit" "$letter"
        done
    done
    for word in $words; do printf '#undef %s\n#define %s (hostile word)\n' "$word" "$word"; done
    for header in "$source"/include/bailey/device/*.h; do printf '#include "bailey/device/%s"\n' "${header##*/}"; done
}

# try NAME COMMAND...: the command takes the file as its last argument.
try() {
    name=$1
    shift
    "$@" >"$dir/said" 2>&1 || {
        echo "FAIL: $name: a device header uses a name that its user may have as a macro"
        head -n 40 "$dir/said"
        exit 1
    }
    echo "$name"
}

for form in c cc cl cu; do headers $form >"$dir/all.$form"; done
printf 'int hostile = K;\n' | cat "$dir/all.c" - >"$dir/bad.c"
if "$cc" -std=c11 -fsyntax-only -I "$source/include" "$dir/bad.c" >/dev/null 2>&1; then
    echo "FAIL: the macros are not hostile"
    exit 1
fi

set -- -fsyntax-only -Wno-psabi -I "$source/include"
try "C" "$cc" -std=c11 "$@" "$dir/all.c"
try "C, 8 lanes" "$cc" -std=gnu11 "$@" -DBAILEY_LANES=8 "$dir/all.c"
case $(uname -m) in
x86_64)
    try "C, AVX2" "$cc" -std=gnu11 "$@" -mavx2 -mfma -DBAILEY_LANES=8 "$dir/all.c"
    for lanes in 8 16; do
        try "C, AVX-512, $lanes lanes" "$cc" -std=gnu11 "$@" -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl \
            -DBAILEY_LANES=$lanes "$dir/all.c"
    done
    ;;
esac
[ -z "$cxx" ] || try "C++" "$cxx" -std=c++17 "$@" "$dir/all.cc"
if command -v clang >/dev/null; then
    for more in -DBAILEY_LANES=1 -DBAILEY_LANES=4 -DBAILEY_ICDF_COPIES=2; do
        try "OpenCL C, $more" clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header "$@" $more "$dir/all.cl"
    done
fi
if [ -n "$nvcc" ]; then
    for more in -DBAILEY_LANES=1 -DBAILEY_ICDF_COPIES=4; do
        try "CUDA, $more" "$nvcc" -std=c++17 -ptx -o "$dir/all.ptx" -I "$source/include" $more "$dir/all.cu"
    done
fi
