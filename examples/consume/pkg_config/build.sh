#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# With bailey installed, by hand: build.sh [DIRECTORY], with PKG_CONFIG_PATH=DIR/lib/pkgconfig where bailey is not in
# /usr or /usr/local, and LDFLAGS=-Wl,-rpath,DIR/lib for a program that then finds the library.
set -eu
main=$(dirname "$0")/../main.c
to=${1:-.}
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 -o "$to/consumer" "$main" $(pkg-config --cflags --libs bailey) ${LDFLAGS:-}
# The static library, also where both are.
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 -o "$to/consumer_static" "$main" \
    $(pkg-config --cflags --libs --static bailey | sed 's/-lbailey/-l:libbailey.a/') ${LDFLAGS:-}
