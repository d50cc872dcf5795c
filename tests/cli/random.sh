#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey random`. See common.sh.
. "${0%/*}/common.sh"

good random --count 50001 --seed 5 --first 77 -o r.bin
grep -q '^r.bin: 50,001 words of philox (sound), 200.0 kB, .* on ' out && pass || fail "the line about the file: $(cat out)"
[ "$(wc -c <r.bin)" -eq 200004 ] && pass || fail "the length of words"
"$bailey" random --count 50001 --seed 5 --first 77 >s.bin 2>err </dev/null
[ $? -eq 0 ] && cmp -s r.bin s.bin && pass || fail "random to standard output, a file"
"$bailey" random --count 50001 --seed 5 --first 77 -o - 2>err | cat >s.bin
cmp -s r.bin s.bin && pass || fail "random to standard output, a pipe"
(echo first; "$bailey" random --count 50001 --seed 5 --first 77 --chunk-bytes 999; echo last) >mixed 2>err
(echo first; cat r.bin; echo last) >expected
cmp -s mixed expected && pass || fail "random after and before other text"
good random --generator philox --sequence runs --warp-set 0 --stream 0 --form words --seed 5 --first 77 --count 50001 -o s.bin
cmp -s r.bin s.bin && pass || fail "the defaults of random, written out"
good random --count 50001 --seed 5 --first 77 --threads 1 -o s.bin
cmp -s r.bin s.bin && pass || fail "threads change random numbers"
# Random123's kat_vectors: philox4x32 10, counter and key zero
good random --count 4 -o s.bin
[ "$(words32 s.bin | tr '\n' ' ')" = "6627e8d5 e169c58d bc57ac4c 9b00dbd8 " ] && pass || fail "Philox's words: $(words32 s.bin)"
# std::mt19937 begins with 3499211612, 581869302
good random --generator mt19937 --sequence published --seed 5489 --count 2 -o s.bin
[ "$(words32 s.bin | tr '\n' ' ')" = "d091bb5c 22ae9ef6 " ] && pass || fail "std::mt19937's words: $(words32 s.bin)"

# Every generator: words of its own, that no cutting changes, and skipping is the tail
names=$(generator_names)
[ "$(echo "$names" | wc -l)" -ge 13 ] && pass || fail "random --help lists the generators: $names"
: >sums
for generator in $names; do
    good random --generator $generator --count 70001 --seed 3 --first 5 -o r.bin
    words32 r.bin | head -n 100 | cksum >>sums
    good random --generator $generator --count 70001 --seed 3 --first 5 --chunk-bytes 100001 -o s.bin
    cmp -s r.bin s.bin && pass || fail "pieces change $generator"
    good random --generator $generator --count 30000 --seed 3 --first 40006 -o s.bin
    tail -c 120000 r.bin | cmp -s - s.bin && pass || fail "--first is not the tail of $generator"
done
[ "$(grep -c . sums)" -eq "$(echo "$names" | wc -l)" ] && [ -z "$(sort sums | uniq -d)" ] && pass ||
    fail "two generators give the same words: $(cat sums)"
for option in "--seed 6" "--stream 1"; do
    # shellcheck disable=SC2086
    good random --count 1000 $option -o s.bin
    words32 s.bin >a
    good random --count 1000 -o s.bin
    words32 s.bin >b
    cmp -s a b && fail "$option changes nothing" || pass
done
good random --generator warp --warp-set 15 --count 100 -o r.bin
good random --generator warp --count 100 -o s.bin
cmp -s r.bin s.bin && fail "--warp-set changes nothing" || pass

# Points: SciPy's first ones in two dimensions, in both layouts and as files; pieces of any size; scrambles
good random --generator sobol --scramble none --form words --dims 2 --points 5 -o r.bin
[ "$(words32 r.bin | tr '\n' ' ')" = "00000000 00000000 80000000 80000000 c0000000 40000000 40000000 c0000000 60000000 60000000 " ] &&
    pass || fail "Sobol's points: $(words32 r.bin)"
good random --generator sobol --scramble none --form words --dims 2 --points 4 --first 1 --layout dim-major -o r.bin
[ "$(words32 r.bin | tr '\n' ' ')" = "80000000 c0000000 40000000 60000000 80000000 40000000 c0000000 60000000 " ] &&
    pass || fail "Sobol's points, dimension by dimension: $(words32 r.bin)"
good random --generator sobol --scramble none --points 5 --point-order index --precision f64 -o r.csv
[ "$(tr '\n' ' ' <r.csv)" = "value 1.1641532182693481e-10 0.5000000001164153 0.2500000001164153 0.7500000001164153 0.12500000011641532 " ] &&
    pass || fail "the van der Corput sequence: $(cat r.csv)"
good random --generator sobol --scramble none --form words --dims 20 --points 300 -o r.npy
head -c 128 r.npy | grep -aq "'descr': '<u4', 'fortran_order': False, 'shape': (300, 20)" && pass || fail "the head of points"
[ "$(wc -c <r.npy)" -eq 24128 ] && pass || fail "the length of points"
grep -q '^r.npy: 6,000 words of sobol (points), ' out && pass || fail "the line about points: $(cat out)"
good random --generator sobol --form words --dims 20 --points 300 --layout dim-major --word-bits 64 -o r.npy
head -c 128 r.npy | grep -aq "'descr': '<u8', 'fortran_order': False, 'shape': (20, 300)" && pass || fail "the head of wide points"
for layout in point-major dim-major; do
    for scramble in none shift lms owen; do
        good random --generator sobol --dims 20 --points 300 --layout $layout --scramble $scramble -o r.bin
        words32 r.bin | cksum >>points
        good random --generator sobol --dims 20 --points 300 --layout $layout --scramble $scramble --chunk-bytes 999 -o s.bin
        cmp -s r.bin s.bin && pass || fail "pieces change points: $layout $scramble"
    done
done
good random --generator sobol --dims 20 --points 300 --scramble owen --stream 1 -o r.bin
words32 r.bin | cksum >>points
good random --generator sobol --dims 20 --points 300 --scramble owen --seed 1 -o r.bin
words32 r.bin | cksum >>points
[ "$(sort -u points | wc -l)" -eq 10 ] && pass || fail "layouts, scrambles, replicates and seeds differ: $(cat points)"
good random --generator sobol --dims 3 --points 4 --scramble lms --seed 5 --stream 6 --json -o r.npy
grep -q '"scramble": "lms"' out && grep -q '"stream": 6' out && grep -q '"dims": 3' out && pass || fail "points as JSON: $(cat out)"
bad 2 "--points N is required" random --generator sobol -o r.npy
bad 2 "\-\-count: not with sobol; see --points" random --generator sobol --points 3 --count 3 -o r.npy
bad 2 "only --generator sobol has points" random --count 3 --dims 3 -o r.npy
bad 2 "--dims" random --generator sobol --points 3 --dims 67108865 -o r.npy
bad 2 "exceed the last" random --generator sobol --points 3 --dims 67108864 --first-dim 1 -o r.npy
bad 2 "\-\-points: there are only 2^64" random --generator sobol --points 2 --first 18446744073709551615 -o r.npy
bad 2 "more than 2^64 numbers" random --generator sobol --points 18446744073709551615 --dims 2 -o r.npy
bad 2 "points need icdf" random --generator sobol --points 2 --form normals --normal box-muller -o r.npy
bad 2 "see --scramble" random --generator sobol --points 2 --scramble none --stream 1 -o r.npy

# Every form: sizes, pieces of any size, skipping
for form in "--form words" "--form uniforms" "--form uniforms --precision f64" "--form normals" "--form normals --precision f64" \
    "--form normals --normal box-muller" "--form normals --normal box-muller --precision f64" \
    "--form uniforms --word-bits 64" "--form uniforms --word-bits 32 --precision f64" "--form normals --word-bits 64" \
    "--form normals --word-bits 32 --precision f64 --generator warp" \
    "--form normals --normal wallace" "--form normals --numerics fast" "--form uniforms --generator warp" "--form normals --generator mt19937 --normal box-muller"; do
    case $form in *f64*) size=8 ;; *) size=4 ;; esac
    # shellcheck disable=SC2086
    good random --count 3001 --seed 9 --first 1000 $form -o r.bin
    [ "$(wc -c <r.bin)" -eq $((3001 * size)) ] && pass || fail "the length: $form"
    for bytes in 1 52 999 20000; do
        [ $bytes -eq 1 ] && [ "$BAILEY_DEVICE" != cpu ] && continue
        # shellcheck disable=SC2086
        good random --count 3001 --seed 9 --first 1000 $form --chunk-bytes $bytes -o s.bin
        cmp -s r.bin s.bin && pass || fail "pieces of $bytes bytes: $form"
    done
    # shellcheck disable=SC2086
    good random --count 1001 --seed 9 --first 3000 $form -o s.bin
    tail -c $((1001 * size)) r.bin | cmp -s - s.bin && pass || fail "--first is not the tail: $form"
done

# Uniform numbers are made of the words: (floor(w / 2^9) + 1/2) 2^-23
good random --count 5000 --seed 2 -o r.bin
good random --count 5000 --seed 2 --form uniforms -o s.bin
od -An -v -tu4 r.bin | tr -s ' ' '\n' | sed '/^$/d' >a
od -An -v -tf4 s.bin | tr -s ' ' '\n' | sed '/^$/d' >b
paste a b | awk '{ d = (int($1 / 512) + 0.5) / 8388608 - $2; if (d < -5e-8 || d > 5e-8 || $2 <= 0 || $2 >= 1) bad++ }
    END { exit NR != 5000 || bad > 0 }' && pass || fail "uniform numbers are not made of the words"

# NumPy's files: one axis, and the raw numbers after the header
for form in "u4 --form words" "f4 --form uniforms" "f8 --form normals --precision f64"; do
    # shellcheck disable=SC2086
    good random --count 1000 ${form#* } -o r.bin
    # shellcheck disable=SC2086
    good random --count 1000 ${form#* } -o r.npy
    head -c 10 r.npy | cmp -s - magic && pass || fail "random: .npy magic"
    head -c 128 r.npy | tail -c +11 |
        grep -q "^{'descr': '<${form%% *}', 'fortran_order': False, 'shape': (1000,), } *$" && pass ||
        fail "random: .npy header: $(head -c 128 r.npy | tail -c +11)"
    tail -c +129 r.npy | cmp -s - r.bin && pass || fail "random: what follows the .npy header"
done

# Text: a number a line, which reads back as the raw one; .csv has a heading
for form in "u4 --form words" "f4 --form uniforms" "f4 --form normals" "f8 --form uniforms --precision f64" "f8 --form normals --precision f64"; do
    # shellcheck disable=SC2086
    good random --count 20000 --seed 6 ${form#* } -o r.bin
    # shellcheck disable=SC2086
    good random --count 20000 --seed 6 ${form#* } -o r.csv
    # shellcheck disable=SC2086
    good random --count 20000 --seed 6 ${form#* } --chunk-bytes 999 -o r.txt
    (echo value; cat r.txt) | cmp -s - r.csv && pass || fail "a .csv is a .txt with a heading: $form"
    case $form in
    u4*) od -An -v -tu4 r.bin | tr -s ' ' '\n' | sed '/^$/d' | cmp -s - r.txt && pass || fail "words as text" ;;
    esac
    awk '!/^-?[0-9]+(\.[0-9]+)?(e-[0-9]+)?$/ || length > 25 { exit 1 } END { exit NR != 20000 }' r.txt && pass ||
        fail "text of one number a line: $form"
    if has python3; then
        check "text reads back: $form" python3 -c "
import array
numbers = array.array({'u4': 'I', 'f4': 'f', 'f8': 'd'}['${form%% *}'], open('r.bin', 'rb').read())
texts = open('r.txt').read().split()
kind = int if '${form%% *}' == 'u4' else float
assert array.array(numbers.typecode, map(kind, texts)) == numbers
assert '${form%% *}' != 'f8' or all(len(t) <= len(repr(x)) for t, x in zip(texts, numbers))"
    fi
done
good random --count 100 --form uniforms -o r.txt
"$bailey" random --count 100 --form uniforms --format txt >s.txt 2>err </dev/null
cmp -s r.txt s.txt && pass || fail "--format txt to standard output"
for name in s.raw s; do
    good random --count 100 --form uniforms --format txt -o $name
    cmp -s r.txt $name && pass || fail "--format txt to $name"
done
good random --count 7 --generator warp --warp-set 2 --stream 5 --first 11 --form normals -o r.csv --json
check "random --json" valid_json out
for pair in '"output": "r.csv"' '"format": "csv"' "\"bytes\": $(wc -c <r.csv)," '"count": 7,' '"generator": "warp"' \
    '"verdict": "sound"' '"warp_set": 2,' '"seed": 0,' '"stream": 5,' '"first": 11,' '"form": "normals"' '"precision": "f32"' \
    "\"device\": \"$BAILEY_DEVICE" '"seconds": '; do
    grep -q "^  $pair" out && pass || fail "random --json: $pair: $(cat out)"
done
grep -q '^  "word_bits": 32,' out && pass || fail "random --json: word_bits: $(cat out)"
# The width of the words: the usual one by name changes nothing, and 2^33 words hold 2^32 elements of 64 bits
for form in "--form uniforms" "--form normals"; do
    # shellcheck disable=SC2086
    good random --count 100 $form --word-bits 32 -o r.bin
    # shellcheck disable=SC2086
    good random --count 100 $form -o s.bin
    cmp -s r.bin s.bin && pass || fail "--word-bits 32: $form"
    # shellcheck disable=SC2086
    good random --count 100 $form --word-bits 64 -o s.bin
    cmp -s r.bin s.bin && fail "--word-bits 64: $form" || pass
done
grep -q 'f32 from 64 bits' out && pass || fail "--word-bits 64 in the report: $(cat out)"
# (6627e8d5 + 1/2) / 2^32 and 6627e8d5 + 2^32 e169c58d, both from Philox's first words
good random --count 1 --form uniforms --precision f64 --word-bits 32 --format txt -o -
[ "$(cat out)" = 0.3990464707603678 ] && pass || fail "u01 f64 of a word: $(cat out)"
good random --count 1 --form uniforms --word-bits 64 --format txt -o -
[ "$(cat out)" = 0.88052016 ] && pass || fail "u01 f32 of two words: $(cat out)"
bad 2 "\-\-word-bits: unknown value '16'; choose from 32, 64" random --count 1 --form uniforms --word-bits 16 -o r.bin
bad 2 "\-\-word-bits: --form words has words of 32 bits" random --count 1 --word-bits 32 -o r.bin
bad 2 "method wallace" random --count 1 --form normals --normal wallace --word-bits 64 -o r.bin
bad 2 "beyond the last element" random --count 1 --form uniforms --word-bits 64 --first 9223372036854775808 -o r.bin
good random --count 1 --form uniforms --precision f64 --word-bits 32 --first 9223372036854775808 -o r.bin
good random --count 7 --json -o /dev/null
grep -q '"format": "raw"' out && grep -q '"bytes": 28,' out && ! grep -q precision out && pass || fail "--json of words"
for name in z.cvs z z.npy.old .csv z.csv/; do
    bad 2 "\-\-output: '$name' does not end with .csv, .txt, .npy, .bin or .raw; add --format" random --count 1 -o $name
done
bad 2 "\-\-format: unknown value 'text'; choose from raw, npy, csv, txt" random --count 1 --format text
bad 2 "\-\-json and --output - cannot be combined" random --count 1 --json
bad 2 "\-\-json and --count inf cannot be combined" random --count inf --json -o /dev/null
bad 2 "inf would fill the disk with r.csv" random --count inf -o r.csv
bad 1 "needs .* its file system has" random --count 1e17 -o r.csv
if [ -c /dev/full ]; then
    bad 1 "No space left" random --count 1000 --format csv -o /dev/full
    bad 1 "No space left" random --count 1e6 --format txt -o /dev/full
fi
{ "$bailey" random --count inf --format txt --form uniforms 2>err; echo $? >code; } | head -n 100 >s.txt
[ "$(cat code)" -eq 0 ] && [ ! -s err ] && cmp -s r.txt s.txt && pass || fail "--count inf as text: $(cat code)"

# No end: the reader ends it, or the last element
{ "$bailey" random --count inf --seed 4 2>err; echo $? >code; } | head -c 3000000 >r.bin
[ "$(cat code)" -eq 0 ] && silent && pass || fail "--count inf and a reader that goes: $(cat code)"
good random --count 750000 --seed 4 -o s.bin
cmp -s r.bin s.bin && pass || fail "--count inf gives other words"
{ "$bailey" random --count 1e9 2>err; echo $? >code; } | head -c 1000 >r.bin
[ "$(cat code)" -eq 1 ] && silent && pass || fail "a count and a reader that goes: $(cat code)"
"$bailey" random --count inf --first 18446744073709551600 2>err | head -c 1000 >r.bin
[ "$(wc -c <r.bin)" -eq 64 ] && silent && pass || fail "the last elements: $(wc -c <r.bin) bytes"
good random --count 16 --first 18446744073709551600 -o s.bin
good random --count 16 --first 18446744073709551600 --form normals --precision f64 -o z.bin
cmp -s r.bin s.bin && pass || fail "the last elements differ"
"$bailey" random --count inf --first 9223372036854775801 --form uniforms --precision f64 --chunk-bytes 40 2>err | head -c 1000 >r.bin
[ "$(wc -c <r.bin)" -eq 56 ] && silent && pass || fail "the last doubles: $(wc -c <r.bin) bytes"
if has mkfifo; then
    mkfifo r.fifo
    head -c 1000 r.fifo >r.bin &
    good random --count inf --seed 4 -o r.fifo
    wait
    good random --count 250 --seed 4 -o s.bin
    cmp -s r.bin s.bin && pass || fail "through a named pipe"
fi

# What is refused, and harms nothing
bad 2 "\-\-count N is required" random
bad 2 "\-\-count: 0 is outside its limits, 1 to 18446744073709551615" random --count 0
bad 2 "\-\-count: '-4' is not an integer" random --count -4
bad 2 "\-\-count: 'infinite' is not an integer" random --count infinite
bad 2 "elements, starting at --first" random \
    --count 17 --first 18446744073709551600
bad 2 "elements, starting at --first" random \
    --count 9 --first 9223372036854775800 --form uniforms --precision f64
bad 2 "\-\-first: 9,223,372,036,854,775,808 is beyond the last element, 9,223,372,036,854,775,807" random \
    --count inf --first 9223372036854775808 --form uniforms --precision f64
bad 2 "\-\-count: inf would fill the disk with standard output" random --count inf
bad 2 "\-\-count: inf would fill the disk with r.bin" random --count inf -o r.bin
bad 2 "\-\-count: inf would fill the disk with new.bin" random --count inf -o new.bin
bad 2 "\-\-count: inf has no length for the header of an .npy file" random --count inf -o r.npy
bad 2 "\-\-generator: unknown value 'mt19973'; choose from philox, .* did you mean mt19937" random --count 1 --generator mt19973
bad 2 "\-\-sequence: unknown value 'cuda'; choose from runs, published" random --count 1 --sequence cuda
bad 2 "\-\-form: unknown value 'u64'; choose from uniforms, normals, words" random --count 1 --form u64
bad 2 "\-\-normal: unknown value 'walace'; choose from icdf, box-muller, wallace; did you mean wallace" random --count 1 --form normals \
    --normal walace
bad 2 "wallace generates" random --count 1 --form normals --normal wallace --precision f64
bad 2 "wallace starts from philox" random --count 1 --form normals --normal wallace --generator warp
bad 2 "\-\-normal: unknown value 'wallace'; choose from icdf, box-muller" paths $run --normal wallace -o p.npy
bad 2 "\-\-normal: --form uniforms makes no normals" random --count 1 --form uniforms --normal icdf
bad 2 "\-\-precision: --form words makes integers" random --count 1 --precision f64
bad 2 "\-\-numerics: --form uniforms is always exact" random --count 1 --form uniforms --numerics fast
bad 2 "\-\-warp-set: 16 is outside its limits, 0 to 15" random --count 1 --generator warp --warp-set 16
bad 2 "\-\-seed: 18446744073709551616 is outside" random --count 1 --seed 18446744073709551616
bad 2 "\-\-first: '1.5' is not" random --count 1 --first 1.5
bad 2 "\-\-chunk-bytes: 0 is outside" random --count 1 --chunk-bytes 0
echo old >r.npy
bad 2 "\-\-sequence: .*warp" random --generator warp --sequence published --count 100 -o r.npy
bad 2 "\-\-warp-set: .*mt19937" random --generator mt19937 --warp-set 3 --count 100 -o r.npy
bad 2 "\-\-seed: .*lcg" random --generator lcg --sequence published --seed 4294967296 --count 100 -o r.npy
[ "$(cat r.npy)" = old ] && pass || fail "a request that is refused harmed the file"
bad 1 "cannot write missing/r.bin" random --count 5 -o missing/r.bin
bad 1 "needs .* its file system has" random --count 1e17 -o r.bin
bad 1 "device" random --count 5 --device cuda:999 -o r.bin
if [ -c /dev/full ]; then
    bad 1 "No space left" random --count 1000 -o /dev/full
    "$bailey" random --count 1e6 >/dev/full 2>err
    [ $? -eq 1 ] && one_line && grep -q 'No space left' err && pass || fail "a full standard output"
fi
# A terminal, where one can be had: script needs /dev/pts.
if has script && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    script -qec "'$bailey' random --count 4; echo code \$?" /dev/null </dev/null >out 2>&1
    grep -q 'standard output is a terminal' out && grep -q 'code 2' out && pass || fail "a terminal: $(cat out)"
    script -qec "'$bailey' random --count 4 --format txt" /dev/null </dev/null | tr -d '\r' >out 2>&1
    [ "$(head -n 1 out)" = 1713891541 ] && [ "$(wc -l <out)" -eq 4 ] && pass || fail "text on a terminal: $(cat out)"
fi
for leftover in .r.npy.*.tmp .r.csv.*.tmp .r.bin.*.tmp .s.bin.*.tmp; do
    [ -e "$leftover" ] && fail "left behind: $leftover" || pass
done

# ---- Other distributions ----

# Those that are symmetric begin with opposite numbers of opposite words; pieces change nothing.
for distribution in $("$bailey" completion bash | sed -n "s/.*'random,--distribution') words='\(.*\)' ;;/\1/p"); do
    case $distribution in
    poisson) with="--mean 40" ;;
    binomial) with="--trials 9 --probability 0.3" ;;
    geometric | negative-binomial) with="--probability 0.01 --precision f64 --integers" ;;
    beta) with="--shape 2 --second-shape 0.5" ;;
    chi-square | student-t) with="--freedom 3.5 --precision f64" ;;
    truncated-normal) with="--lower 5 --upper 1e9 --mean 1 --stddev 0.5" ;;
    noncentral-chi-square) with="--freedom 2.5 --noncentrality 7 --precision f64" ;;
    discrete) with="--weights 1,0,2.5" ;;
    *) with="" ;;
    esac
    good random --distribution $distribution $with --count 20001 --seed 3 --first 5 -o r.bin
    good random --distribution $distribution $with --count 20001 --seed 3 --first 5 --chunk-bytes 4001 -o s.bin
    cmp -s r.bin s.bin && pass || fail "pieces change $distribution"
done
good random --form normals --count 100 -o r.bin
good random --distribution normal --count 100 -o s.bin
cmp -s r.bin s.bin && pass || fail "the distribution normal is that of normals"
good random --distribution weibull --shape 1e20 --scale 3 --count 2 --format txt
[ "$(cat out)" = "3
3" ] && pass || fail "Weibull numbers of a great shape: $(cat out)"
good random --distribution pareto --shape 2 --scale 3 --precision f64 --count 9 -o p.bin --json
grep -q '"distribution": "pareto"' out && grep -q '"shape": 2' out && grep -q '"scale": 3' out && pass || fail "random --json: $(cat out)"
good random --distribution binomial --trials 7 --probability 1 --integers --count 2 --format txt
[ "$(cat out)" = "7
7" ] && pass || fail "binomial numbers of probability 1: $(cat out)"
good random --distribution poisson --mean 3000 --integers --alias --seed 1 --count 4000 --format txt
awk '{ sum += $1 } END { exit !(sum / 4000 > 2996 && sum / 4000 < 3004) }' out && pass || fail "random --alias"
bad 2 "alias: 1, but numbers of points must grow" random --distribution poisson --mean 3 --alias --generator sobol --points 4
good random --distribution poisson --mean 1e9 --precision f64 --integers --count 9 -o p.npy --json
grep -q '"integers": true' out && grep -aq "'<u8'" p.npy && pass || fail "random --integers: $(cat out)"
good random --distribution discrete --weights 0,0,1 --count 2 --format txt --json -o d.txt
grep -q '"weight_count": 3' out && [ "$(head -n 1 d.txt)" = 2 ] && pass || fail "random --weights: $(cat out d.txt)"
bad 2 "probability: 1e-09, too small" random --distribution geometric --probability 1e-9 --count 9 -o p.bin
bad 2 "trials: 0; distribution binomial needs at least 1" random --distribution binomial --probability 0.5 --count 9 -o p.bin
bad 2 "shape: 0.0001; with distribution gamma it must be from 0.001" random --distribution gamma --shape 0.0001 --count 9 -o p.bin
bad 2 "weights" random --distribution discrete --weights 1,-2 --count 9 -o p.bin
bad 2 "distribution: not with --form words" random --distribution gumbel --scale 2 --form words --count 9 -o p.bin
good random --distribution poisson --mean 3 --integers --generator sobol --dims 3 --points 8 --format txt
cp out whole.txt
good random --distribution poisson --mean 3 --integers --generator sobol --dims 3 --points 8 --format txt --chunk-bytes 20
[ "$(wc -l < out)" = 24 ] && cmp -s out whole.txt && pass || fail "Poisson numbers of points: $(cat out)"
bad 2 "word_bits of the source is 32" random --distribution gumbel --generator sobol --points 8 --precision f64 -o p.bin
bad 2 "shape: 2; with distribution gumbel it must be 0" random --distribution gumbel --shape 2 --count 9 -o p.bin
bad 2 "reach exp" random --distribution pareto --shape 0.1 --count 9 -o p.bin
bad 2 "distribution" random --distribution levy --count 9 -o p.bin

# ---- Points that are not balanced: a warning, which says why ----

# points WARNING ARGUMENTS...: succeeds with one line of warning, or with none where it is ""
points() {
    wanted=$1
    shift
    "$bailey" random --generator sobol --word-bits 32 "$@" -o p.bin >out 2>err </dev/null
    code=$?
    if [ -z "$wanted" ]; then
        [ $code -eq 0 ] && [ -z "$(ours)" ]
    else
        [ $code -eq 0 ] && one_line && ours | grep -q "^bailey random: warning: $wanted"
    fi && pass || fail "exit $code: points $*"
}
points "" --points 256
points "" --points 1
points "" --points 256 --first 512
points "300 points are not a power of two, so they are not balanced$" --points 300
points "points starting at 100 are not balanced: 256 points should start at a multiple of 256$" --points 256 --first 100
points "points beyond 2^32 need words of 64 bits, because 32-bit words have only 2^32 values$" --points 256 --first 4294967296
points "" --points 256 --first 4294967040
"$bailey" random --generator sobol --word-bits 64 --points 256 --first 4294967296 -o p.bin >out 2>err
[ -z "$(ours)" ] && pass || fail "64 bits beyond 2^32"
points "3 points are not .*; points beyond 2^32" --points 3 --first 4294967294

finish
