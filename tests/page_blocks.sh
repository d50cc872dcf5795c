#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# page_blocks.sh CC SOURCE BAILEY: every block of C on a page of docs/ compiles, at file scope or as statements, with the
# variables that the pages take for granted; that of docs/developers/bridge-internals.md is part of what the library writes. Pages that other
# tests read whole are left to them.
set -u
cc=$1
source=$2
bailey=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
flags="-std=c11 -Wall -Wextra -Wconversion -Wno-unused-variable -Wno-unused-but-set-variable -Werror -fsyntax-only"

usual() {
    for header in american bailey exercise gradient greeks job mlmc points simulation; do echo "#include <bailey/$header.h>"; done
    cat <<'END'
extern bailey_context *context;
extern bailey_buffer *buffer, *out;
extern bailey_simulation *simulation, *on_cuda, *on_cpu;
extern bailey_mlmc *mlmc;
extern bailey_tally *tally;
extern bailey_simulation_run_params run;
extern bailey_estimate estimate;
extern bailey_mlmc_result result;
extern uint64_t replicate;
void check(bailey_status status);
END
}

# The text of the program for 8 steps of bisection, which cpu hands to its compiler.
written() {
    # shellcheck disable=SC2016
    printf '#!/bin/sh\ncase " $* " in *" - "*) tee "%s/text" | exec "%s" "$@" ;; *) exec "%s" "$@" ;; esac\n' \
        "$dir" "$cc" "$cc" >"$dir/cc"
    chmod +x "$dir/cc"
    # Normals of one's own, as drawing them would be part of the program.
    set -- "$bailey" paths --device cpu --steps 8
    "$@" --paths 100 --output "$dir/z.npy" >"$dir/said" 2>&1 &&
        BAILEY_CC=$dir/cc BAILEY_CACHE_DIR='' "$@" --normals "$dir/z.npy" --strategy specialised --output "$dir/x.npy" \
            >"$dir/said" 2>&1
}

# stands_in FILE TEXT: all lines of FILE, one after the other, are in TEXT
stands_in() {
    awk 'FNR == NR { lines = lines $0 "\n"; next } { text = text $0 "\n" } END { exit !index(text, lines) }' "$1" "$2"
}

# compiles FILE: what CC says is in `said`
compiles() {
    # shellcheck disable=SC2086
    "$cc" $flags -I "$source/include" "$1" >"$dir/said" 2>&1
}

# right FILE PAGE
right() {
    if [ "$2" = bridge-internals ]; then
        written && stands_in "$1" "$dir/text"
        return
    fi
    { usual && cat "$1"; } >"$dir/declarations.c"
    { usual && echo 'void block(void); void block(void) {' && cat "$1" && echo '}'; } >"$dir/statements.c"
    compiles "$dir/declarations.c" || compiles "$dir/statements.c"
}

count=0
failed=0
for page in "$source"/docs/*.md "$source"/docs/developers/*.md "$source"/docs/records/*.md; do
    name=$(basename "$page" .md)
    # adding.sh, test_mlmc_page, test_payoffs_page, payoffs_page.sh
    case $name in adding | american | gradients | greeks | mlmc | models | payoff-language | payoffs | testing) continue ;; esac
    rm -f "$dir"/block.*
    awk -v dir="$dir" '/^```c$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > (dir "/block." n) }' "$page"
    for block in "$dir"/block.*; do
        [ -e "$block" ] || continue
        case $(head -1 "$block") in '/* payoff: '*) continue ;; esac # cli/console.sh prices it
        count=$((count + 1))
        right "$block" "$name" || {
            echo "FAIL: block ${block##*.} of docs/$name.md:"
            cat "$dir/said"
            failed=1
        }
    done
done
echo "$count blocks"
[ $count -gt 0 ] && [ $failed -eq 0 ]
