#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: what it prints of itself for man and for shells. See common.sh.
. "${0%/*}/common.sh"

# A page for each command, with all of its options, that roff has nothing to say about.
good manual --list
cp out pages
while read -r page; do
    good manual "$page"
    cp out page.1
    grep -q '^\.SH NAME$' page.1 && ! grep -q '^[.'\''][^A-Zfn]' page.1 && pass || fail "the page $page"
    if has groff; then
        groff -man -ww -Tutf8 -K utf8 page.1 >/dev/null 2>err && [ ! -s err ] && pass || fail "roff of $page"
    fi
done <pages
! required docs || check "roff is here" has groff
for command in paths motion random mlmc batch devices selftest; do
    grep -q "^bailey-$command\$" pages && pass || fail "no page of $command"
done
good manual bailey-paths
cp out page.1
"$bailey" paths --help | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' | sort -u >options
while read -r option; do
    grep -qF -- "$(printf '%s' "$option" | sed 's/-/\\-/g')" page.1 && pass || fail "the page has no $option"
done <options
[ "$(wc -l <options)" -gt 25 ] && pass || fail "options of paths: $(cat options)"
good manual bailey-price-heston
check "the page has the parameters of its product" grep -q '^.fB.-.-mean.-variance.fR .fIX.fR$' out
bad 2 "there is no page nothing" manual nothing
bad 2 "unknown shell" completion csh

# What bash completes: `words LINE...` prints the candidates for the last word.
good completion bash
cp out bailey.bash
if has bash; then
    bash -n bailey.bash && pass || fail "bash does not read it"
    cat >words.bash <<'END'
source ./bailey.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_bailey
printf '%s\n' "${COMPREPLY[@]}"
END
    # completes WORD LINE...: WORD is among the candidates; an empty WORD: there are none
    completes() {
        word=$1
        shift
        bash words.bash bailey "$@" >words 2>err
        if [ -n "$word" ]; then
            grep -qx -e "$word" words && pass || fail "no '$word' after 'bailey $*': $(tr '\n' ' ' <words)"
        else
            [ -z "$(cat words)" ] && pass || fail "after 'bailey $*': $(tr '\n' ' ' <words)"
        fi
    }
    completes paths pa
    completes price ''
    completes bench be
    completes asian price as
    completes lookback-garch price lo
    completes --payoff price --pay
    completes --strategy paths --st
    completes readback paths --steps 5 --strategy re
    completes f64 paths --precision ''
    completes mt19937 random --generator mt
    completes cuda price asian --device cu
    completes f64 price asian --precision ''
    completes '' paths --steps ''
    : >file.csv
    completes file.csv paths --times fi
    completes hk motion --areas h
    completes zsh completion z
    completes --mean-variance price heston --mean
    completes '' price european --mean
    completes --tolerance price adaptive-milstein --to
    completes down price barrier --side d
    completes in price barrier --knock-in ''
    completes '' paths --strategy nothing
fi
good completion zsh
cp out _bailey
if has zsh; then zsh -n _bailey && pass || fail "zsh does not read it"; fi
good completion fish
cp out bailey.fish
if has fish; then fish -n bailey.fish && pass || fail "fish does not read it"; fi
for file in _bailey bailey.fish; do
    grep -q 'mt19937' $file && grep -q 'lookback-garch' $file && grep -q 'mean-variance.*mean of the variance' $file && pass || fail "$file has not all words"
done
finish
