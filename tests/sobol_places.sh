#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# sobol_places.sh SOURCE: sobol_places.c under clang's sanitizers, which, unlike gcc's, see a pointer made from an
# offset that has wrapped. Skipped without clang.
set -eu
command -v clang >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$dir/empty.c" <<'END'
int main(void) { return 0; }
END
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
clang $sanitize -o "$dir/empty" "$dir/empty.c" 2>/dev/null && "$dir/empty" || exit 77 # clang without its runtime
clang -std=gnu11 -O1 -ffp-contract=off -w $sanitize -I"$1/include" -I"$1/src" -o "$dir/places" "$1/tests/sobol_places.c" -lm
"$dir/places"
