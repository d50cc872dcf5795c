#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: what `bailey paths` writes. See common.sh.
. "${0%/*}/common.sh"

# ---- Paths: what is written ----

good paths $run -o p.npy
grep -q '^p.npy: 50 paths of 7 steps' out && pass || fail "the line about the file: $(cat out)"
head -c 10 p.npy | cmp -s - magic && pass || fail ".npy magic"
head -c 128 p.npy | tail -c +11 | grep -q "^{'descr': '<f4', 'fortran_order': False, 'shape': (7, 1, 50), } *$" &&
    pass || fail ".npy header"
[ "$(wc -c <p.npy)" -eq $((128 + 7 * 50 * 4)) ] && pass || fail ".npy length"
good paths $run --precision f64 --layout path-major --dims 3 -o q.npy
head -c 128 q.npy | grep -a -q "'<f8', 'fortran_order': False, 'shape': (50, 7, 3)" && pass || fail "f64 path header"
[ "$(wc -c <q.npy)" -eq $((128 + 7 * 50 * 3 * 8)) ] && pass || fail "f64 path length"
"$bailey" paths $run -o - >pipe.npy 2>err </dev/null
cmp -s p.npy pipe.npy && pass || fail "standard output, a file"
"$bailey" paths $run -o - 2>err | cat >pipe.npy
cmp -s p.npy pipe.npy && pass || fail "standard output, a pipe"
(echo first; "$bailey" paths $run -o -; echo last) >mixed
(echo first; cat p.npy; echo last) >expected
cmp -s mixed expected && pass || fail "standard output after and before other text"
(echo first; "$bailey" paths $run -o - --chunk-bytes 400 2>&1) >mixed
(echo first; cat p.npy) >expected
cmp -s mixed expected && pass || fail "the same in pieces"
rm -f mixed; echo first >mixed
"$bailey" paths $run -o - --chunk-bytes 400 >>mixed 2>err
cmp -s mixed expected && pass || fail "the same, appended"
good paths --steps=7 --paths=50 --output=q.npy
cmp -s p.npy q.npy && pass || fail "--option=value"
good paths --steps 7 --paths 5e1 --generator philox --sequence runs --warp-set 0 --seed 0x0 --stream 0 --order bisection \
    --normal icdf -o q.npy
cmp -s p.npy q.npy && pass || fail "the defaults, written out"
good paths $run --seed 1 -o q.npy
cmp -s p.npy q.npy && fail "the seed changes nothing" || pass
good paths $run --stream 1 -o q.npy
cmp -s p.npy q.npy && fail "the stream changes nothing" || pass
good paths $run --threads 1 -o q.npy
cmp -s p.npy q.npy && pass || fail "threads change the bytes"

# ---- Generators: paths of one step of length 1 are the normals that `random` writes ----

: >sums
generators=$(generator_names)
if few_programs; then generators="philox warp mt19937"; fi
for generator in $generators; do
    source="--generator $generator --seed 3 --stream 4"
    good paths --steps 1 --paths 133 $source -o q.npy
    good random --form normals --count 133 $source -o q.bin
    tail -c +129 q.npy | cmp -s - q.bin && pass || fail "the normals of $generator"
    cksum <q.bin >>sums
    good paths --steps 5 --dims 2 --paths 301 $source --normal box-muller --precision f64 -o q.npy
    good paths --steps 5 --dims 2 --paths 301 $source --normal box-muller --precision f64 --chunk-bytes 9999 -o s.npy
    cmp -s q.npy s.npy && pass || fail "pieces change paths of $generator"
done
[ -z "$(sort sums | uniq -d)" ] && pass || fail "two generators make the same paths: $(cat sums)"
# Words of the other width: the same normals as random's
for width in "--word-bits 64" "--word-bits 32 --precision f64" "--word-bits 64 --generator warp" \
    "--word-bits 32 --precision f64 --generator warp"; do
    case $width in "--word-bits 64" | *f64*warp) ;; *) if few_programs; then continue; fi ;; esac
    # shellcheck disable=SC2086
    good paths --steps 1 --paths 133 $width --seed 3 -o q.npy
    # shellcheck disable=SC2086
    good random --form normals --count 133 $width --seed 3 -o q.bin
    tail -c +129 q.npy | cmp -s - q.bin && pass || fail "the normals of $width"
done
good paths --steps 1 --paths 2 --word-bits 64 -o q.npy --json
grep -q '^  "word_bits": 64,' out && pass || fail "paths --json: word_bits: $(cat out)"
bad 2 "\-\-word-bits: unknown value '8'; choose from 32, 64" paths --steps 1 --paths 2 --word-bits 8 -o q.npy
good paths --steps 1 --paths 20 --generator xorwow --sequence published --seed 7 -o q.npy
good random --form normals --count 20 --generator xorwow --sequence published --seed 7 -o q.bin
tail -c +129 q.npy | cmp -s - q.bin && pass || fail "a published sequence"
# Points: path N is point N, and the dimensions of a point are the steps in order of construction
for points in "--seed 3 --stream 2" "--scramble owen --word-bits 64 --precision f64" "--scramble none --point-order index" \
    "--scramble shift --assignment factors"; do
    case $points in *none* | *shift*) if few_programs; then continue; fi ;; esac
    # shellcheck disable=SC2086
    good paths --steps 1 --paths 133 --generator sobol $points -o q.npy
    random=$(echo "$points" | sed 's/--assignment [a-z]*//')
    # shellcheck disable=SC2086
    good random --generator sobol --form normals --points 133 $random -o q.bin
    tail -c +129 q.npy | cmp -s - q.bin && pass || fail "the points of $points"
    # shellcheck disable=SC2086
    good paths --steps 9 --dims 3 --paths 301 --generator sobol $points -o q.npy
    # shellcheck disable=SC2086
    good paths --steps 9 --dims 3 --paths 301 --generator sobol $points --chunk-bytes 9999 -o s.npy
    cmp -s q.npy s.npy && pass || fail "pieces change paths of $points"
done
good paths --steps 4 --paths 64 --generator sobol -o q.npy
good paths --steps 4 --paths 64 --generator sobol --assignment factors -o s.npy
cmp -s q.npy s.npy && pass || fail "one dimension has one assignment"
good paths --steps 4 --dims 2 --paths 64 --generator sobol -o q.npy
good paths --steps 4 --dims 2 --paths 64 --generator sobol --assignment factors -o s.npy
cmp -s q.npy s.npy && fail "the assignment changes nothing" || pass
good paths $run --generator sobol --stream 1 --json -o q.npy
check "paths --json of points" valid_json out
for pair in '"generator": "sobol"' '"scramble": "lms"' '"assignment": "steps"' '"point_order": "gray"' '"word_bits": 32' \
    '"stream": 1'; do
    grep -q "^  $pair," out && pass || fail "paths --json: $pair: $(cat out)"
done
bad 2 "\-\-normal: points need icdf" paths $run --generator sobol --normal box-muller -o q.npy
bad 2 "\-\-sequence: not with sobol" paths $run --generator sobol --sequence runs -o q.npy
bad 2 "\-\-stream: points without a scramble" paths $run --generator sobol --scramble none --stream 1 -o q.npy
bad 2 "\-\-point-order: unknown value 'grey'; choose from gray, index; did you mean gray" paths $run --generator sobol --point-order grey -o q.npy
bad 2 "\-\-assignment: only --generator sobol" paths $run --assignment steps -o q.npy
bad 2 "\-\-normals and --scramble cannot be combined" paths --steps 4 --normals z.npy --scramble owen -o q.npy
good paths $run --generator warp -o q.npy
good paths $run --generator warp --warp-set 2 -o s.npy
cmp -s q.npy s.npy && fail "the set changes nothing" || pass
good paths $run --generator warp --warp-set 2 --seed 5 --json -o q.npy
check "paths --json of a generator" valid_json out
for pair in '"generator": "warp"' '"verdict": "sound"' '"sequence": "runs"' '"warp_set": 2,' '"seed": 5,' '"stream": 0,'; do
    grep -q "^  $pair" out && pass || fail "paths --json: $pair: $(cat out)"
done
good paths $run --generator warp --seed 5 -o p.svg
grep -q 'seed 5, warp' p.svg && pass || fail "the caption names the generator"
echo old >q.npy
bad 2 "\-\-generator: unknown value 'wrap'; choose from philox, .* did you mean warp" paths $run --generator wrap -o q.npy
bad 2 "\-\-sequence: unknown value 'cuda'; choose from runs, published" paths $run --sequence cuda -o q.npy
bad 2 "\-\-warp-set: 16 is outside its limits, 0 to 15" paths $run --generator warp --warp-set 16 -o q.npy
bad 2 "\-\-warp-set: .*mt19937" paths $run --generator mt19937 --warp-set 3 -o q.npy
bad 2 "\-\-sequence: .*warp" paths $run --generator warp --sequence published -o q.npy
bad 2 "^bailey paths: --sequence: .*mt19937" paths $run --generator mt19937 --sequence published -o q.npy
[ "$(cat q.npy)" = old ] && pass || fail "a generator that is refused harmed the file"
good paths --steps 7 --paths 20 -o q.npy
words p.npy | awk 'NR % 50 >= 1 && NR % 50 <= 20' >a
words q.npy >b
cmp -s a b && pass || fail "the first 20 paths of 50 are other paths"
good paths $run -o p.npy --json
check "paths --json" valid_json out
ln -s p.npy link.npy
good paths $run --seed 3 -o link.npy
[ -h link.npy ] && pass || fail "a link was replaced"
good paths $run --seed 3 -o q.npy
cmp -s p.npy q.npy && pass || fail "through a link"
(umask 027 && "$bailey" paths $run -o mode.npy >out 2>err)
# shellcheck disable=SC2012
[ "$(ls -l mode.npy | cut -c1-10)" = -rw-r----- ] && pass || fail "permissions"
chmod 604 mode.npy
(umask 027 && "$bailey" paths $run --seed 1 -o mode.npy >out 2>err)
# shellcheck disable=SC2012
[ "$(ls -l mode.npy | cut -c1-10)" = -rw----r-- ] && pass || fail "an overwritten file keeps its permissions"

# A strategy changes no bit. `auto` and `readback` every device can do; others may be refused, with a reason. OpenCL
# compiles each anew, for seconds: two strategies for each variant are enough there, as tests/test_strategies.c has all.
strategies="constant reuse vector blocks prefetch shared reuse-prefetch specialised"
variants=0
for variant in "" "--precision f64 --increments" "--layout path-major --dims 3" "--end 1,2 --start 2,0"; do
    # shellcheck disable=SC2086
    good paths --steps 13 --paths 301 --seed 2 $variant -o p.npy
    # shellcheck disable=SC2086
    good paths --steps 13 --paths 301 --seed 2 $variant --strategy readback -o q.npy
    cmp -s p.npy q.npy && pass || fail "--strategy readback changes bits: $variant"
    variants=$((variants + 1))
    if few_programs; then fields=$((2 * variants - 1))-$((2 * variants)); else fields=1-; fi
    for strategy in $(echo "$strategies" | cut -d ' ' -f $fields); do
        rm -f q.npy
        # shellcheck disable=SC2086
        "$bailey" paths --steps 13 --paths 301 --seed 2 $variant --strategy $strategy -o q.npy >out 2>err
        code=$?
        case $code in
        0) cmp -s p.npy q.npy && pass || fail "--strategy $strategy changes bits: $variant" ;;
        1) [ ! -e q.npy ] && one_line && pass || fail "--strategy $strategy refused: $variant" ;;
        *) fail "--strategy $strategy: exit $code: $variant" ;;
        esac
    done
done
bad 2 "unknown value 'specialized'; choose from auto, .* did you mean specialised" paths $run --strategy specialized -o p.npy
bad 2 "unknown value 'fastest'; choose from auto, constant, vector" paths $run --strategy fastest -o p.npy

# Principal components: other paths, with the same end points and strategy, in pieces too.
good paths --steps 13 --paths 301 --seed 2 --start 5 --end 3 -o bridge.npy
good paths --steps 13 --paths 301 --seed 2 --start 5 --end 3 --construction bridge -o p.npy
cmp -s p.npy bridge.npy && pass || fail "--construction bridge is the default"
good paths --steps 13 --paths 301 --seed 2 --start 5 --end 3 --construction pca -o p.npy
cmp -s p.npy bridge.npy && fail "--construction pca changes nothing" || pass
tail -c 1204 p.npy >p.end && tail -c 1204 bridge.npy >bridge.end
cmp -s p.end bridge.end && pass || fail "--construction pca: the fixed end"
good paths --steps 13 --paths 301 --seed 2 --start 5 --end 3 --construction pca --strategy readback \
    --chunk-bytes 4000 -o q.npy
cmp -s p.npy q.npy && pass || fail "--construction pca in pieces"
bad 2 "unknown value 'eigen'; choose from auto, bridge, pca, walk" paths $run --construction eigen -o p.npy
bad 2 "--construction and --order cannot be combined: pca has no order" \
    paths $run --construction pca --order lr-up -o p.npy
bad 2 "--construction and --important cannot be combined: pca has no order" \
    paths $run --construction pca --important 2 -o p.npy
bad 2 "not auto or readback as construction pca requires" \
    paths $run --construction pca --strategy blocks -o p.npy
bad 2 "--steps: 1025; the maximum with construction pca is 1024" \
    paths --steps 1025 --paths 1 --construction pca -o p.npy

# Random walks: other paths, without an order or a fixed end, in pieces too.
good paths --steps 13 --paths 301 --seed 2 --start 5 --construction walk -o p.npy
good paths --steps 13 --paths 301 --seed 2 --start 5 -o bridge.npy
cmp -s p.npy bridge.npy && fail "--construction walk changes nothing" || pass
good paths --steps 13 --paths 301 --seed 2 --start 5 --construction walk --strategy readback --chunk-bytes 4000 -o q.npy
cmp -s p.npy q.npy && pass || fail "--construction walk in pieces"
good paths --steps 1 --paths 301 --seed 2 --start 5 --construction walk -o p.npy
good paths --steps 1 --paths 301 --seed 2 --start 5 -o q.npy
cmp -s p.npy q.npy && pass || fail "--construction walk: one step is that of a bridge"
good paths --steps 13 --paths 301 --seed 2 --construction walk --increments -o p.npy
good paths --steps 13 --paths 301 --seed 2 --construction walk --increments --start 5 --strategy readback -o q.npy
cmp -s p.npy q.npy && pass || fail "--construction walk: increments have no start"
bad 2 "--construction and --order cannot be combined: walk has no order" \
    paths $run --construction walk --order incremental -o p.npy
bad 2 "--construction and --important cannot be combined: walk has no order" \
    paths $run --construction walk --important 2 -o p.npy
bad 2 "--construction and --end cannot be combined: walk has a free end" \
    paths $run --construction walk --end 1 -o p.npy

# The four layouts of one set: step and path layout hold the same bits
good paths $run --dims 3 --seed 5 -o step.npy
good paths $run --dims 3 --seed 5 --layout path-major -o path.npy
words step.npy >a
words path.npy | awk -v P=50 -v S=7 -v D=3 '{ v[NR - 1] = $1 }
    END { for (s = 0; s < S; s++) for (d = 0; d < D; d++) for (p = 0; p < P; p++) print v[(p * S + s) * D + d] }' >b
cmp -s a b && pass || fail "step layout is not path layout transposed"

# Pieces: the bytes do not depend on them
for variant in "" "--layout path-major" "--precision f64" "--correlation corr.csv --normal box-muller" \
    "--correlation corr.csv --layout path-major --increments" "--end 1 --start 2" "--numerics fast"; do
    case $variant in "" | --corr*ts) ;; *) if few_programs; then continue; fi ;; esac
    # shellcheck disable=SC2086
    good paths --steps 13 --paths 301 --seed 9 $variant -o p.npy
    for bytes in 1 52 999 20000; do
        # shellcheck disable=SC2086
        good paths --steps 13 --paths 301 --seed 9 $variant --chunk-bytes $bytes -o q.npy
        cmp -s p.npy q.npy && pass || fail "pieces of $bytes bytes change the file: $variant"
    done
    # shellcheck disable=SC2086
    "$bailey" paths --steps 13 --paths 301 --seed 9 $variant --chunk-bytes 999 -o - 2>err | cmp -s - p.npy &&
        pass || fail "pieces change what a pipe gets: $variant"
    for format in csv svg; do
        # shellcheck disable=SC2086
        good paths --steps 13 --paths 301 --seed 9 $variant -o p.$format
        # shellcheck disable=SC2086
        good paths --steps 13 --paths 301 --seed 9 $variant --chunk-bytes 999 -o q.$format
        cmp -s p.$format q.$format && pass || fail "pieces change the .$format: $variant"
    done
    check "a well-formed picture: $variant" valid_xml p.svg
done

# The user's own Z: a file of any numbers of the right shape
for layout in step-major path-major; do
    good paths $run --dims 2 --seed 8 --layout $layout -o z.npy
    good paths --steps 7 --normals z.npy --layout $layout --correlation corr.csv -o p.npy
    grep -q '^p.npy: 50 paths of 7 steps in 2 dim' out && pass || fail "paths and dims of Z: $(cat out)"
    good paths $run --normals z.npy --layout $layout --correlation corr.csv --chunk-bytes 200 -o q.npy
    cmp -s p.npy q.npy && pass || fail "pieces of Z, $layout layout"
    good paths --steps 8 --paths 50 --normals z.npy --layout $layout --end 0,1 -o p.npy
done
# One step of unit length is Z itself
good paths --steps 1 --paths 40 --dims 2 --seed 4 -o z.npy
good paths --steps 1 --normals z.npy -o q.npy
cmp -s z.npy q.npy && pass || fail "one unit step is not Z"
printf '1\n2\n3\n' >times.csv
good paths --times times.csv --paths 5 --precision f64 --seed 4 -o z.npy
bad 2 'required, \[step\]\[dim\]\[path\]' paths $run --dims 1 --normals z.npy --precision f64 -o p.npy
bad 2 "one step fewer" paths --times times.csv --end 0 --normals z.npy --precision f64 -o p.npy
bad 2 "holds double" paths --times times.csv --normals z.npy -o p.npy
for option in "--word-bits 64" "--seed 1" "--stream 1" "--generator warp" "--sequence runs" "--warp-set 0"; do
    bad 2 "\-\-normals and ${option% *} cannot be combined" paths --times times.csv --normals z.npy $option -o p.npy
done
head -c 200 z.npy >short.npy
bad 2 "holds 72 bytes" paths --times times.csv --normals short.npy --precision f64 -o p.npy
(cat z.npy; echo) >long.npy
bad 2 "where its shape needs" paths --times times.csv --normals long.npy --precision f64 -o p.npy
sed "s/False/True /" z.npy >fortran.npy
bad 2 "Fortran order" paths --times times.csv --normals fortran.npy --precision f64 -o p.npy
sed "s/<f8/>f8/" z.npy >big.npy
bad 2 "'>f8'" paths --times times.csv --normals big.npy --precision f64 -o p.npy
sed "s/(3, 1, 5)/(3, 15,) /" z.npy >flat.npy
bad 2 "2 axes" paths --times times.csv --normals flat.npy --precision f64 -o p.npy
sed "s/'shape'/'shope'/" z.npy >damaged.npy
bad 2 "damaged" paths --times times.csv --normals damaged.npy --precision f64 -o p.npy
# The length of a header of versions 2.0 and 3.0 has four bytes.
good paths --times times.csv --normals z.npy --precision f64 -o p.npy
for version in 2 3; do
    (printf "\223NUMPY\00$version\000"; head -c 10 z.npy | tail -c 2; printf '\000\000'; tail -c +11 z.npy) >version.npy
    good paths --times times.csv --normals version.npy --precision f64 -o q.npy
    cmp -s p.npy q.npy && pass || fail "normals of .npy version $version.0"
done
(printf '\223NUMPY\004\000'; tail -c +9 z.npy) >version.npy
bad 2 "version 4.0; 1.0, 2.0 or 3.0 is required" paths --times times.csv --normals version.npy --precision f64 -o p.npy
(printf '\223NUMPY\002\000\000\000\001\000'; head -c 100000 /dev/zero) >version.npy
bad 2 "its header has 65536 bytes; at most 65535" paths --times times.csv --normals version.npy --precision f64 -o p.npy
(printf '\223NUMPY\002\000\377\377\377\377'; tail -c +13 z.npy) >version.npy
bad 2 "ends inside its header" paths --times times.csv --normals version.npy --precision f64 -o p.npy
bad 2 "not an .npy file" paths --times times.csv --normals times.csv -o p.npy
bad 2 "not a regular file" paths --times times.csv --normals . -o p.npy
bad 1 "\-\-normals: cannot open missing.npy" paths --times times.csv --normals missing.npy -o p.npy
# Z must be finite: the last number of [3][1][5] is path 5 at the last step
for case in 'nan \000\000\000\000\000\000\370\177' 'inf \000\000\000\000\000\000\360\177' \
    '-inf \000\000\000\000\000\000\360\377'; do
    # shellcheck disable=SC2059
    (head -c 240 z.npy; printf "${case#* }") >wild.npy
    for bytes in 1 1000000; do
        bad 2 "\-\-normals: wild.npy holds ${case%% *} at \[2, 0, 4\]" paths --times times.csv --normals wild.npy \
            --precision f64 --chunk-bytes $bytes -o p.npy
    done
done
clean "bad Z"
good paths --steps 4 --paths 6 --dims 2 --layout path-major --seed 4 -o z.npy
(head -c $((128 + 4 * 37)) z.npy; printf '\000\000\200\177'; tail -c $((4 * 10)) z.npy) >wild.npy
for bytes in 1 70 1000000; do
    bad 2 "wild.npy holds inf at \[4, 2, 1\]" paths --steps 4 --normals wild.npy --layout path-major --chunk-bytes $bytes -o p.npy
done
clean "a Z that is not finite"

# Results that overflow are refused, not written
rm -f p.npy p.csv p.svg
ends="--start 3e38 --end=-3e38 --increments"
for format in npy csv svg; do
    bad 2 "\-\-start and --end: .*increments beyond 3.4e38.*f32; f64 has" paths --steps 4 --paths 3 $ends -o p.$format
    bad 2 "increments beyond 3.4e38" paths --steps 4 --paths 3 $ends --chunk-bytes 1 -o p.$format
done
bad 2 "increments beyond 1.8e308.*f64$" paths --steps 4 --paths 3 --start 1.7e308 --end=-1.7e308 --increments \
    --precision f64 -o p.npy
good paths --steps 4 --paths 3 $ends --precision f64 -o q.npy
printf '1e76\n' >large.csv
bad 2 "\-\-covariance: .*paths beyond 3.4e38" paths --steps 4 --paths 1000 --covariance large.csv -o p.npy
good paths --steps 4 --paths 1000 --covariance large.csv --precision f64 -o q.npy
bad 2 "\-\-start: .*beyond 3.4e38" paths --steps 4 --paths 1000 --start 3.4e38 --covariance large.csv --end 0 \
    --increments -o p.npy
bad 2 "\-\-maturity: .*beyond 3.4e38" paths --steps 4 --paths 1000 --maturity 1e77 -o p.npy
# What the library refuses is said of the option that gave it.
for option in "--maturity 1e-310" "--start 1e300" "--end 1e-60"; do
    bad 2 "^bailey paths: ${option% *}: " paths --steps 2 --paths 2 $option -o p.npy
done
printf '1e-310\n1\n' >close.csv
bad 2 "^bailey paths: --times: times\[0\]" paths --times close.csv --paths 2 -o p.npy
printf '1e90\n' >large.csv
bad 2 "^bailey paths: --covariance: large.csv: .*beyond single precision" paths --steps 2 --paths 2 \
    --covariance large.csv -o p.npy
clean "results that overflow"
[ ! -e p.npy ] && [ ! -e p.csv ] && [ ! -e p.svg ] && pass || fail "results that overflow were written"

# ---- CSV and SVG ----

good paths --times times.csv --paths 4 -o p.csv
[ "$(head -n 1 p.csv)" = "time,path 1,path 2,path 3,path 4" ] && pass || fail "csv heading"
[ "$(cut -d, -f1 p.csv | tr '\n' ' ')" = "time 1 2 3 " ] && pass || fail "csv times"
awk -F, 'NF != 5 { exit 1 }' p.csv && pass || fail "csv columns"
good paths --times times.csv --paths 4 --layout path-major --dims 2 -o p.csv
[ "$(head -n 1 p.csv)" = "path,t=1 dim 1,t=1 dim 2,t=2 dim 1,t=2 dim 2,t=3 dim 1,t=3 dim 2" ] && pass ||
    fail "csv heading, path layout"
[ "$(wc -l <p.csv)" -eq 5 ] && pass || fail "csv rows, path layout"
good paths --times times.csv --paths 4 --increments --dims 2 -o p.csv
[ "$(head -n 1 p.csv)" = "from,to,dim,path 1,path 2,path 3,path 4" ] && pass || fail "csv heading, increments"
good paths --times times.csv --paths 1 --start 5 --end 7.25 -o p.csv
[ "$(tail -n 1 p.csv)" = "3,7.25" ] && pass || fail "the fixed end"
"$bailey" paths --times times.csv --paths 1 --start 5 --end 7.25 --format csv -o - 2>err | cmp -s - p.csv &&
    pass || fail "--format csv -o -"
for more in "--dims 12" "--steps 1" "--steps 1 --paths 1" "--steps 1000 --increments" "--start 1e308 --dims 1" \
    "--start 1e-300 --end 1e-300 --steps 1"; do
    # shellcheck disable=SC2086
    case $more in *--steps*) steps= ;; *) steps="--steps 5" ;; esac
    # shellcheck disable=SC2086
    case $more in *--paths*) paths= ;; *) paths="--paths 40" ;; esac
    # shellcheck disable=SC2086
    good paths $steps $paths $more --precision f64 -o p.svg
    check "a well-formed picture: $more" valid_xml p.svg
    grep -q 'nan\|inf[^o]' p.svg && fail "no number in the picture: $more" || pass
done

# The README's picture is what its command draws
good paths --steps 128 --paths 20000 --seed 11 -o p.svg
cmp -s p.svg "$here/../../docs/paths.svg" && pass || fail "docs/paths.svg is not what the README's command draws"

# Bands from 200 paths on; the caption says how many paths are drawn; few are drawn stronger
for case in "1 1 path drawn" "20 20 paths drawn" "199 199 paths, 60 of them drawn" "200 200 paths, 60 of them drawn" \
    "30000 the first 20,000 of 30,000 paths, 60 of them drawn"; do
    count=${case%% *}
    good paths --steps 9 --paths $count -o p.svg
    grep -q ">${case#* } \(·\|&#183;\) 9 steps to T = 1 " p.svg && pass || fail "the caption of $case"
    drawn=$((count < 60 ? count : 60))
    [ "$(grep -c '<path class="path"' p.svg)" -eq $drawn ] && pass || fail "how many of $count paths are drawn"
    bands=$((count < 200 ? 0 : 5))
    [ "$(grep -cE '<path class="(outer|inner|edge|median)"' p.svg)" -eq $bands ] && pass || fail "bands of $count paths"
    [ "$(grep -c '>median<' p.svg)" -eq $((bands > 0)) ] && pass || fail "the legend of $count paths"
done
good paths --steps 9 --paths 1 -o p.svg
grep -q '\.path .* stroke-width: 1.8; stroke-opacity: 1.00;' p.svg && pass || fail "a single path is faint"
good paths --steps 9 --paths 30000 --dims 3 --seed 18446744073709551615 --order rl-down --important 1,2 -o p.svg
check "a well-formed picture with a long caption" valid_xml p.svg
grep -q 'seed 18446744073709551615<' p.svg && pass || fail "a long caption is cut in two lines"

# The height of 1 in each panel, from its first and last tick: pixels a unit, a line a panel
heights() {
    awk -F'[<>"]' '/<line class="grid" x1="92"/ { if (!ticks++) { y = $7; value = $(NF - 2) } last_y = $7; last = $(NF - 2) }
        /<path class="axis"/ { printf "%.4f\n", (y - last_y) / (last - value); ticks = 0 }' "$1"
}
# panels COUNT FACTOR: as many panels in p.svg, the height of 1 in the first is that in the others times FACTOR
panels() {
    heights p.svg | awk -v count="$1" -v factor="$2" 'NR == 1 { first = $1 }
        NR > 1 && ($1 * factor / first > 1.01 || $1 * factor / first < 0.99) { bad++ }
        END { exit NR != count || bad > 0 }'
}
printf '1,0\n0,100\n' >unequal.csv
good paths --steps 9 --paths 300 --covariance unequal.csv -o p.svg
panels 2 1 && pass || fail "panels of unequal variance have one scale: $(heights p.svg)"
good paths --steps 9 --paths 300 --dims 3 --start 0,1000,-5 -o p.svg
panels 3 1 && pass || fail "panels of unequal starts have one scale: $(heights p.svg)"
good paths --steps 9 --paths 30 --dims 2 --end 3,-200 --increments -o p.svg
panels 2 1 && pass || fail "panels of increments have one scale: $(heights p.svg)"
good paths --steps 9 --paths 30 --dims 2 --start 1.7e308,-1.7e308 --precision f64 -o p.svg
grep -q 'nan\|inf[^o]' p.svg && fail "no number in the picture of huge numbers" || pass

# ---- Prices ----

cp "$deal"/assets.csv "$deal"/correlation.csv "$deal"/fixings.csv .
cp "$deal"/times.csv years.csv
prices="paths --times years.csv --correlation correlation.csv --seed 2 --paths 3000"
assets="--assets assets.csv --rate 0.03"
good $prices $assets --precision f64 --layout path-major -o p.csv
[ "$(head -n 1 p.csv | cut -d, -f1-4)" = "path,t=0.07671232876712329 Harbour Energy Networks,t=0.07671232876712329 \
Meridian Semiconductors,t=0.07671232876712329 Alder Foods" ] && pass || fail "prices: csv heading: $(head -n 1 p.csv)"
good price asian --times fixings.csv --valuation 2026-01-02 $assets --correlation correlation.csv --strike 100 --seed 2 \
    --paths 3000 --precision f64 --json
sed -n 's/^  "mean": \(.*\),$/\1/p' out >price
# Dates of fixings.csv are those of years.csv, so these are the paths that price asian averages
awk -F, -v price="$(cat price)" 'NR > 1 {
        a = 0
        for (i = 2; i <= NF; i += 3) a += 0.4 * $i + 0.35 * $(i + 1) + 0.25 * $(i + 2)
        a = a / 24 - 100
        sum += a > 0 ? a : 0
    }
    END { off = exp(-0.03 * 1.9945205479452055) * sum / 3000 / price - 1; exit !(NR == 3001 && off * off < 1e-26) }' p.csv &&
    pass || fail "the paths that price asian averages"
for variant in "" "--layout path-major" "--precision f64" "--precision f64 --layout path-major"; do
    case $variant in "" | *64*path) ;; *) if few_programs; then continue; fi ;; esac
    # shellcheck disable=SC2086
    good $prices $assets $variant -o p.npy --json
    check "prices: --json" valid_json out
    grep -q '"content": "prices"' out && grep -q '"Alder Foods"' out && grep -q '"rate": 0.03' out && pass || fail "prices: --json"
    # shellcheck disable=SC2086
    good $prices $assets $variant --device cpu --chunk-bytes 5000 -o q.npy
    cmp -s p.npy q.npy && pass || fail "prices: pieces, or the device, change bits: $variant"
done
# One asset: spot exp((rate - dividend - volatility^2 / 2) (t - start) + volatility X)
printf 'dividend,volatility,spot\n0.01,0.3,50\n' >one.csv
one="paths --times times.csv --start-time 0.5 --paths 100 --precision f64 --seed 4"
good $one --assets one.csv --rate 0.04 -o p.csv
good $one -o q.csv
paste -d, p.csv q.csv | awk -F, 'NR > 1 {
        for (i = 2; i <= 101; i++) {
            off = $i / (50 * exp((0.04 - 0.01 - 0.045) * ($1 - 0.5) + 0.3 * $(i + 101))) - 1
            if (off > 1e-14 || off < -1e-14) bad++
        }
    }
    END { exit NR != 4 || bad > 0 }' && pass || fail "the price of one asset"
good paths --steps 1 --paths 40 --seed 4 -o z.npy
good paths --steps 1 --paths 40 --seed 4 --assets one.csv --rate 0.04 -o p.npy
good paths --steps 1 --normals z.npy --assets one.csv --rate 0.04 -o q.npy
cmp -s p.npy q.npy && pass || fail "prices with normals of one's own"
printf 'name,spot,volatility\n"A, ""B"" & <C>",1,0\n"A, ""B"" & <D>",2,0\n' >odd.csv
good paths --steps 2 --paths 1 --assets odd.csv --rate 0 -o p.csv
[ "$(tail -n 1 p.csv)" = '1,"A, ""B"" & <D>",2' ] && pass || fail "prices: a quoted name: $(tail -n 1 p.csv)"
good paths --steps 2 --paths 1 --assets odd.csv --rate 0 -o p.csv --layout path-major
grep -q '^path,"t=0.5 A, ""B"" & <C>","t=0.5 A, ' p.csv && pass || fail "prices: a quoted name in a heading: $(head -n 1 p.csv)"
printf 'name,spot,volatility\nC,1,0\n"""D""",2,0\n' >quoted.csv
good paths --steps 2 --paths 1 --assets quoted.csv --rate 0 -o p.csv
[ "$(tail -n 1 p.csv)" = '1,"""D""",2' ] && pass || fail "prices: a name in quotes: $(tail -n 1 p.csv)"
good paths --steps 2 --paths 300 --assets odd.csv --rate 0 -o p.svg
check "prices: a well-formed picture" valid_xml p.svg
[ "$(grep -c '>A, &quot;B&quot; &amp; &lt;[CD]&gt;<' p.svg)" -eq 2 ] && pass || fail "prices: the names of panels"
printf 'name,spot,volatility\nsmall,100,0.2\nlarge,4000,0.3\n' >levels.csv
good paths --steps 9 --paths 300 --assets levels.csv --rate 0.03 -o p.svg
panels 2 40 && pass || fail "panels of prices have one scale, relative to the spots: $(heights p.svg)"
grep -q 'Prices of 2 assets' p.svg && grep -q 'one scale, relative to the spots' p.svg && pass || fail "prices: title and caption"
bad 2 "\-\-assets needs --rate R" $prices --assets assets.csv -o p.npy
bad 2 "\-\-rate needs prices; add --assets FILE" $prices --rate 0.03 -o p.npy
bad 2 "\-\-rate: 1e3 is outside its limits, -100 to 100" $prices --assets assets.csv --rate 1e3 -o p.npy
bad 2 "\-\-assets has 3 dimensions, --correlation has 2" paths $run $assets --correlation corr.csv -o p.npy
bad 2 "\-\-dims has 2 dimensions, --assets has 3" paths $run $assets --dims 2 -o p.npy
for other in "--start 1,1,1" "--end 1,1,1" --increments "--covariance correlation.csv"; do
    # shellcheck disable=SC2086
    bad 2 "\-\-assets and ${other%% *} cannot be combined: " paths $run $assets $other -o p.npy
done
printf 'spot,volatility\n1e39,0.1\n' >large.csv
bad 2 "\-\-assets: this gives prices beyond 3.4e38, .*f64 has" paths $run --assets large.csv --rate 0 -o p.npy
good paths $run --assets large.csv --rate 0 --precision f64 -o q.npy
printf 'spot,volatility\n1,101\n' >large.csv
bad 2 "\-\-assets: the volatility of asset 1 is 101; its limits are 0 to 100" paths $run --assets large.csv --rate 0 -o p.npy
printf 'spot,volatility,dividend\n1,0,-101\n' >large.csv
bad 2 "\-\-assets: the dividend of asset 1 is -101; its limits are -100 to 100" paths $run --assets large.csv --rate 0 -o p.npy
clean "prices that are refused"

# Points that are not balanced.
"$bailey" paths --steps 4 --paths 50 --generator sobol -o p.npy >out 2>err
[ $? -eq 0 ] && one_line && ours | grep -q 'warning: 50 points are not a power of two' && pass || fail "50 points"
"$bailey" paths --steps 4 --paths 64 --generator sobol -o p.npy >out 2>err
[ $? -eq 0 ] && [ -z "$(ours)" ] && pass || fail "64 points"

finish
