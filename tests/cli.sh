#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program `bailey`, seen from outside: sh tests/cli.sh path/to/bailey
# BAILEY_TEST_DEVICE chooses the device (default cpu); exit code 77: it cannot be used. Needs od, cmp, awk, grep,
# sed, sort, paste, cksum; uses python3, xmllint, mkfifo and script if they are there.
set -u
LC_ALL=C
export LC_ALL

case ${1:?usage: cli.sh path/to/bailey} in
/*) bailey=$1 ;;
*) bailey=$PWD/$1 ;;
esac
case $0 in
/*) here=${0%/*} ;;
*/*) here=$PWD/${0%/*} ;;
*) here=$PWD ;;
esac
deal=$here/../examples/asian-basket
BAILEY_DEVICE=${BAILEY_TEST_DEVICE:-cpu}
export BAILEY_DEVICE
unset BAILEY_LOG

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1

passed=0
failed=0

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAIL: $*"
    sed 's/^/    stderr: /' err 2>/dev/null | head -5
}

# check NAME COMMAND...: the command succeeds
check() {
    name=$1
    shift
    if "$@" >/dev/null 2>err; then pass; else fail "$name: $*"; fi
}

# good ARGUMENTS...: bailey succeeds and says nothing on standard error
good() {
    "$bailey" "$@" >out 2>err </dev/null
    code=$?
    if [ $code -eq 0 ] && [ ! -s err ]; then pass; else fail "exit $code: bailey $*"; fi
}

# bad CODE TEXT ARGUMENTS...: bailey fails with CODE, standard error is one line with TEXT, standard output
# is empty
bad() {
    want=$1
    text=$2
    shift 2
    "$bailey" "$@" >out 2>err </dev/null
    code=$?
    if [ $code -eq "$want" ] && grep -q -e "$text" err && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ]; then
        pass
    else
        fail "exit $code, not $want with '$text': bailey $*"
    fi
}

# Prints the elements of a .npy file as hexadecimal words of 4 bytes, one a line.
words() {
    tail -c +129 "$1" | od -An -v -tx4 | tr -s ' ' '\n' | sed '/^$/d'
}

has() {
    command -v "$1" >/dev/null 2>&1
}

valid_json() {
    if has python3; then
        python3 -m json.tool "$1"
    else
        head -c 1 "$1" | grep -q '{' && tail -n 1 "$1" | grep -q '^}$'
    fi
}

valid_xml() {
    if has xmllint; then
        xmllint --noout "$1"
    else
        head -n 1 "$1" | grep -q '^<?xml' && tail -n 1 "$1" | grep -q '^</svg>$'
    fi
}

# No temporary file may be left beside `p`.
clean() {
    for leftover in p.npy.?????? p.csv.?????? p.svg.??????; do
        if [ -e "$leftover" ]; then
            fail "left behind: $leftover ($*)"
            rm -f "$leftover"
        fi
    done
}

run="--steps 7 --paths 50"

# A device that is not there is no failure, unless BAILEY_TEST_REQUIRE ("cuda,opencl") names its backend.
if ! "$bailey" paths $run -o probe.npy >out 2>err; then
    echo "$BAILEY_DEVICE cannot be used:"
    cat err
    case ,cpu,${BAILEY_TEST_REQUIRE:-}, in
    *,${BAILEY_DEVICE%%:*},*) exit 1 ;;
    esac
    exit 77
fi

# ---- Help, version, dispatch ----

"$bailey" >out 2>err
[ $? -eq 2 ] && grep -q '^usage: bailey' out && pass || fail "bailey alone"
good --help
grep -q 'selftest' out && pass || fail "--help lists the commands"
good --version
grep -q '^bailey [0-9]*\.[0-9]*\.[0-9]*$' out && pass || fail "--version"
for command in paths random devices selftest 'price asian' 'bench bridge' 'bench random' 'bench normal'; do
    # shellcheck disable=SC2086
    good $command --help
    grep -q "^usage: bailey $command " out && grep -q '^Examples:' out && pass || fail "$command --help"
    awk 'length > 120 { exit 1 }' out && pass || fail "$command --help: a long line"
    good help ${command%% *}
done
good price --help
bad 2 "did you mean 'paths'" path
bad 2 "did you mean 'selftest'" self-test
bad 2 "did you mean 'price asian'" prices
bad 2 "lists the commands" xyzzy
bad 2 "what to price" price
bad 2 "unknown product 'european'" price european
for words in "bench --help" "help bench"; do
    # shellcheck disable=SC2086
    good $words
    grep -q '^  bridge ' out && grep -q '^  random ' out && grep -q '^  normal ' out && pass || fail "$words lists the benchmarks"
done
good help bench random
grep -q '^usage: bailey bench random ' out && pass || fail "help bench random"
bad 2 "did you mean 'bench'" bnech
bad 2 "what to measure" bench
bad 2 "what to measure is missing" bench --json
bad 2 "unknown benchmark 'roads'; .*lists them" bench roads
bad 2 "unknown benchmark 'brige'; did you mean 'bridge'" bench brige
bad 2 "unknown benchmark 'roads'" help bench roads
bad 2 "unknown command 'foo'" help foo
bad 2 "did you mean 'paths'" help path
good help help
grep -q '^usage: bailey COMMAND' out && pass || fail "help help"
good selftest --help
grep -q '^usage: bailey selftest .*--threads' out && pass || fail "selftest --help: --threads"
bad 2 "did you mean --steps" paths --step 4
bad 2 "did you mean --precision" paths --precison f32
bad 2 "is no option" paths 64
bad 2 "unknown option" paths --frobnicate
bad 2 "needs a value: --steps N" paths --steps
bad 2 "needs a value" paths --steps --paths 4
bad 2 "takes no value" devices --json=1
bad 2 "given twice" paths $run --steps 8 -o p.npy
if [ -c /dev/full ]; then
    "$bailey" devices >/dev/full 2>err
    [ $? -eq 1 ] && grep -q 'standard output' err && pass || fail "a full standard output"
fi

# ---- Devices, self-test ----

good devices
for backend in cpu cuda opencl; do
    grep -q "^$backend" out && pass || fail "devices lists $backend"
done
good devices --json
check "devices --json" valid_json out
"$bailey" selftest >out 2>err
code=$?
grep -q '^ok    ' out && pass || fail "selftest prints its items"
if [ $code -eq 0 ]; then
    grep -q 'items passed' out && ! grep -q '^FAIL' out && pass || fail "selftest passes"
else
    fail "selftest on $BAILEY_DEVICE: exit $code"
fi
"$bailey" selftest --json >out 2>err
check "selftest --json" valid_json out
bad 2 "tpu" selftest --device tpu
bad 1 "device" selftest --device cuda:999
bad 1 "device" paths $run -o p.npy --device opencl:99:99
clean "no such device"
bad 2 "threads" selftest --threads 0

# ---- Paths: what is written ----

good paths $run -o p.npy
grep -q '^p.npy: 50 paths of 7 steps' out && pass || fail "the line about the file: $(cat out)"
printf '\223NUMPY\001\000v\000' >magic
head -c 10 p.npy | cmp -s - magic && pass || fail ".npy magic"
head -c 128 p.npy | tail -c +11 | grep -q "^{'descr': '<f4', 'fortran_order': False, 'shape': (7, 1, 50), } *$" &&
    pass || fail ".npy header"
[ "$(wc -c <p.npy)" -eq $((128 + 7 * 50 * 4)) ] && pass || fail ".npy length"
good paths $run --precision f64 --layout path --dims 3 -o q.npy
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
good paths --steps 7 --paths 5e1 --seed 0x0 --stream 0 --order bisection --normal icdf -o q.npy
cmp -s p.npy q.npy && pass || fail "the defaults, written out"
good paths $run --seed 1 -o q.npy
cmp -s p.npy q.npy && fail "the seed changes nothing" || pass
good paths $run --stream 1 -o q.npy
cmp -s p.npy q.npy && fail "the stream changes nothing" || pass
good paths $run --threads 1 -o q.npy
cmp -s p.npy q.npy && pass || fail "threads change the bytes"
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

# A strategy changes no bit. `auto` and `readback` every device can do; others may be refused, with a reason.
for variant in "" "--precision f64 --increments" "--layout path --dims 3" "--end 1,2 --start 2,0"; do
    # shellcheck disable=SC2086
    good paths --steps 13 --paths 301 --seed 2 $variant -o p.npy
    # shellcheck disable=SC2086
    good paths --steps 13 --paths 301 --seed 2 $variant --strategy readback -o q.npy
    cmp -s p.npy q.npy && pass || fail "--strategy readback changes bits: $variant"
    for strategy in constant vector prefetch shared reuse reuse-prefetch specialised blocks; do
        rm -f q.npy
        # shellcheck disable=SC2086
        "$bailey" paths --steps 13 --paths 301 --seed 2 $variant --strategy $strategy -o q.npy >out 2>err
        code=$?
        case $code in
        0) cmp -s p.npy q.npy && pass || fail "--strategy $strategy changes bits: $variant" ;;
        1) [ ! -e q.npy ] && [ "$(wc -l <err)" -eq 1 ] && pass || fail "--strategy $strategy refused: $variant" ;;
        *) fail "--strategy $strategy: exit $code: $variant" ;;
        esac
    done
done
bad 2 "'specialized' is none of auto, .* did you mean specialised" paths $run --strategy specialized -o p.npy
bad 2 "'fastest' is none of auto, constant, vector" paths $run --strategy fastest -o p.npy

# The four layouts of one set: step and path layout hold the same bits
good paths $run --dims 3 --seed 5 -o step.npy
good paths $run --dims 3 --seed 5 --layout path -o path.npy
words step.npy >a
words path.npy | awk -v P=50 -v S=7 -v D=3 '{ v[NR - 1] = $1 }
    END { for (s = 0; s < S; s++) for (d = 0; d < D; d++) for (p = 0; p < P; p++) print v[(p * S + s) * D + d] }' >b
cmp -s a b && pass || fail "step layout is not path layout transposed"

# Pieces: the bytes do not depend on them
printf '1,0.5\n0.5,1\n' >corr.csv
for variant in "" "--layout path" "--precision f64" "--correlation corr.csv --normal box-muller" \
    "--correlation corr.csv --layout path --increments" "--end 1 --start 2" "--numerics fast"; do
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
for layout in step path; do
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
bad 2 'needed, \[step\]\[dim\]\[path\]' paths $run --dims 1 --normals z.npy --precision f64 -o p.npy
bad 2 "one step fewer" paths --times times.csv --end 0 --normals z.npy --precision f64 -o p.npy
bad 2 "holds double" paths --times times.csv --normals z.npy -o p.npy
bad 2 "exclude each other" paths --times times.csv --normals z.npy --seed 1 -o p.npy
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
(printf '\223NUMPY\002\000'; tail -c +9 z.npy) >version.npy
bad 2 "version 2.0" paths --times times.csv --normals version.npy --precision f64 -o p.npy
bad 2 "no .npy file" paths --times times.csv --normals times.csv -o p.npy
bad 2 "no regular file" paths --times times.csv --normals . -o p.npy
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
good paths --steps 4 --paths 6 --dims 2 --layout path --seed 4 -o z.npy
(head -c $((128 + 4 * 37)) z.npy; printf '\000\000\200\177'; tail -c $((4 * 10)) z.npy) >wild.npy
for bytes in 1 70 1000000; do
    bad 2 "wild.npy holds inf at \[4, 2, 1\]" paths --steps 4 --normals wild.npy --layout path --chunk-bytes $bytes -o p.npy
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
bad 2 "\-\-horizon: .*beyond 3.4e38" paths --steps 4 --paths 1000 --horizon 1e77 -o p.npy
clean "results that overflow"
[ ! -e p.npy ] && [ ! -e p.csv ] && [ ! -e p.svg ] && pass || fail "results that overflow were written"

# ---- CSV and SVG ----

good paths --times times.csv --paths 4 -o p.csv
[ "$(head -n 1 p.csv)" = "time,path 1,path 2,path 3,path 4" ] && pass || fail "csv heading"
[ "$(cut -d, -f1 p.csv | tr '\n' ' ')" = "time 1 2 3 " ] && pass || fail "csv times"
awk -F, 'NF != 5 { exit 1 }' p.csv && pass || fail "csv columns"
good paths --times times.csv --paths 4 --layout path --dims 2 -o p.csv
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

# ---- Times, orders, matrices ----

good paths --steps 4 --horizon 2 --paths 9 -o p.npy
printf '\357\273\277time\r\n0.5\r\n\r\n# a remark\r\n 1 \r\n"1.5"\r\n2' >times.csv
good paths --times times.csv --paths 9 -o q.npy
cmp -s p.npy q.npy && pass || fail "a file of times as a spreadsheet writes it"
for order in bisection lr-down lr-up rl-down rl-up incremental; do
    good paths $run --order $order -o p.npy
done
printf 'order\n3\n1\n2\n' >order.csv
good paths --steps 4 --paths 9 --order order.csv -o p.npy
good paths --steps 4 --paths 9 --order incremental --important 3 -o q.npy
cmp -s p.npy q.npy && pass || fail "an order by name and the same from a file"
good paths --steps 4 --paths 9 --order incremental --important 3 -o p.svg
grep -q 'incremental, important times first' p.svg && pass || fail "important times in the picture's subtitle"

bad_times() {
    want=$1
    printf "$2" >t.csv
    bad 2 "$want" paths --times t.csv --paths 2 -o p.npy
}
bad_times "line 2: time 1 is not greater than 1" '1\n1\n'
bad_times "line 3: time 0.5 is not greater" '0.1\n1\n0.5\n'
bad_times "line 1: time -1 is not greater than 0, the start" '%s-1\n'
bad_times "line 1: time 0 is not greater" '0\n1\n'
bad_times "'nan' is not a finite" 'nan\n'
bad_times "'inf' is not a finite" '1\ninf\n'
bad_times "1e400 is beyond" '1\n1e400\n'
bad_times "'0x10' is not" '0x10\n'
bad_times "'1 2' is not" '1 2\n'
bad_times "2 fields" '1,2\n'
bad_times "no time in it" ''
bad_times "no time in it" 'time\n\n# nothing\n'
bad_times "zero byte" '1\n\000\n'
bad_times "does not end" '"1\n'
bad_times "'two' is not" '1\ntwo\n'
bad_times "separated by commas" '1;2\n'
bad_times "\-\-times: t.csv line 2: 2026-03-31 is a date; --times takes numbers, such as years" 'date\n2026-03-31\n'
head -c 2000000 /dev/zero | tr '\0' 1 >t.csv
bad 2 "longer than 1048576 bytes" paths --times t.csv --paths 2 -o p.npy
bad 1 "\-\-times: cannot open missing.csv" paths --times missing.csv --paths 2 -o p.npy
bad 1 "cannot read" paths --times . --paths 2 -o p.npy

bad_order() {
    printf "$2" >o.csv
    bad 2 "$1" paths --steps 4 --paths 2 --order o.csv -o p.npy
}
bad_order "2 of 3 indices; 2 is missing" '1\n3\n'
bad_order "index '4' is outside 1 to 3" '1\n2\n4\n'
bad_order "index '0' is outside" '0\n1\n2\n'
bad_order "index 1 stands in line 1" '1\n2\n1\n'
bad_order "index '-1' is outside" '%s-1\n'
bad_order "index '1.5' is outside" '1.5\n'
bad 2 "did you mean lr-down" paths $run --order lr-dwn -o p.npy
bad 2 "nor a file" paths $run --order sideways -o p.npy
bad 1 "\-\-order: cannot open missing.csv" paths $run --order missing.csv -o p.npy
bad 2 "\-\-order: o.csv line 1" paths $run --order o.csv -o p.npy
bad 2 "\-\-important: '99999999999' is not a whole number from 1 to 4294967295" paths $run --important 99999999999 \
    -o p.npy
bad 2 "none before the last" paths --steps 1 --paths 2 --important 1 -o p.npy
bad 2 "outside 1 to 6" paths $run --important 7 -o p.npy
bad 2 "given twice" paths $run --important 2,2 -o p.npy
bad 2 "whole number" paths $run --important 2,x -o p.npy
bad 2 "with a name" paths --steps 4 --paths 2 --order order.csv --important 1 -o p.npy

bad_matrix() {
    printf "$3" >m.csv
    bad 2 "$2" paths $run $1 m.csv -o p.npy
}
bad_matrix --correlation "diagonal entry of row 2 is 2" '1,0\n0,2\n'
bad_matrix --correlation "1 rows and 2 columns" '1,0\n'
bad_matrix --correlation "more rows" '1\n1\n'
bad_matrix --correlation "columns where the first row" '1,0\n0\n'
bad_matrix --correlation "'x' is not" '1,x\n0,1\n'
bad_matrix --correlation "no row" ''
bad_matrix --correlation "\-\-correlation: covariance" '1,0.9\n0.8,1\n'
bad_matrix --correlation "\-\-correlation: covariance" '1,2\n2,1\n'
bad_matrix --covariance "\-\-covariance: covariance" '%s-1\n'
bad_matrix --covariance "\-\-covariance: m.csv line 1: .*finite" 'nan\n'
for option in correlation covariance; do
    bad 1 "\-\-$option: cannot open missing.csv" paths $run --$option missing.csv -o p.npy
done
bad 2 "exclude each other" paths $run --correlation corr.csv --covariance corr.csv -o p.npy
bad 2 "\-\-dims has 3 dimensions, --correlation has 2" paths $run --dims 3 --correlation corr.csv -o p.npy
bad 2 "\-\-start has 3 dimensions, --end has 2" paths $run --start 1,2,3 --end 1,2 -o p.npy

# ---- Numbers ----

bad 2 "\-\-steps N or --times" paths --paths 4 -o p.npy
bad 2 "\-\-paths P is needed" paths --steps 4 -o p.npy
bad 2 "\-\-output FILE is needed" paths --steps 4 --paths 4
bad 2 "exclude each other" paths --steps 4 --times times.csv --paths 4 -o p.npy
bad 2 "horizon" paths --times times.csv --horizon 2 --paths 4 -o p.npy
bad 2 "\-\-paths: 0 is outside its limits, 1 to 274877906944" paths --steps 4 --paths 0 -o p.npy
bad 2 "\-\-paths: 1e30 is outside" paths --steps 4 --paths 1e30 -o p.npy
bad 2 "\-\-paths: '-4' is not a whole number" paths --steps 4 --paths -4 -o p.npy
bad 2 "\-\-paths: '2.7e11' must be written without a point or sign: 270000000000" paths --steps 4 --paths 2.7e11 \
    -o p.npy
bad 2 "\-\-paths: '1.5' is not" paths --steps 4 --paths 1.5 -o p.npy
bad 2 "\-\-steps: 0 is outside its limits, 1 to 1000001" paths --steps 0 --paths 4 -o p.npy
bad 2 "\-\-steps: 1000002 is outside" paths --steps 1000002 --paths 4 -o p.npy
bad 2 "\-\-dims: 65 is outside" paths $run --dims 65 -o p.npy
bad 2 "\-\-seed: 18446744073709551616 is outside" paths $run --seed 18446744073709551616 -o p.npy
good paths $run --seed 18446744073709551615 -o p.npy
for value in nan inf -inf 1x 0x1p3 "" " "; do
    bad 2 "\-\-horizon" paths $run --horizon "$value" -o p.npy
    bad 2 "\-\-start" paths $run --start "$value" -o p.npy
done
bad 2 "\-\-horizon: 1e400 is beyond" paths $run --horizon 1e400 -o p.npy
bad 2 "\-\-horizon: -1 is not greater" paths $run --horizon -1 -o p.npy
bad 2 "\-\-horizon: 1e308" paths $run --horizon 1e308 -o p.npy
bad 2 "too many" paths --steps 1000 --start-time 1 --horizon 1.0000000000000002 --paths 2 -o p.npy
bad 2 "\-\-start: '' is not" paths $run --start 1,,2 -o p.npy
many=$(awk 'BEGIN { for (i = 0; i < 65; i++) printf "%s1", i ? "," : "" }')
bad 2 "more than 64" paths $run --start "$many" -o p.npy
bad 2 "'f16' is none of f32, f64" paths $run --precision f16 -o p.npy
bad 2 "none of step, path" paths $run --layout column -o p.npy
bad 2 "none of icdf, box-muller" paths $run --normal ziggurat -o p.npy
bad 2 "none of exact, fast" paths $run --numerics sloppy -o p.npy
bad 2 "more than 2^63 bytes" paths --steps 1000001 --dims 64 --paths 274877906944 -o p.npy
clean "bad numbers"

# ---- Output that cannot be ----

bad 2 "does not end with" paths $run -o p.txt
bad 2 "does not end with" paths $run -o npy
bad 2 "exclude each other" paths $run -o - --json
bad 1 "cannot write missing/p.npy" paths $run -o missing/p.npy
mkdir folder.npy
bad 1 "cannot write folder.npy" paths $run -o folder.npy
bad 1 "needs .* its file system has" paths --steps 1000000 --paths 1e9 -o p.npy
clean "too large"
if [ "$(id -u)" -ne 0 ]; then
    echo old >locked.npy
    chmod 400 locked.npy
    bad 1 "cannot write locked.npy" paths $run -o locked.npy
fi
if [ -c /dev/full ]; then
    bad 1 "No space left" paths $run --format npy -o /dev/full
    bad 1 "No space left" paths $run --format csv -o /dev/full
    bad 1 "No space left" paths $run --format svg -o /dev/full
    [ -c /dev/full ] && pass || fail "a device was removed"
fi
echo old >p.npy
for format in npy csv svg; do
    (ulimit -f 1 && exec "$bailey" paths --steps 50 --paths 500 --format $format -o p.npy >out 2>err)
    code=$?
    [ $code -eq 1 ] && grep -q 'cannot write p.npy' err && pass || fail "a limit of the file's size: exit $code"
    [ "$(cat p.npy)" = old ] && pass || fail "the old file was harmed"
    clean "a limit of the file's size"
done
bad 1 "must be kept in memory" paths --steps 1000000 --paths 1e7 --format csv -o /dev/null
"$bailey" paths --steps 100000 --paths 100000000 --layout path --chunk-bytes 10000000 -o - 2>err |
    head -c 1000 >head.npy
[ "$(wc -c <head.npy)" -eq 1000 ] && pass || fail "a pipe that is closed early"
rm -f p.npy
"$bailey" paths --steps 64 --paths 3000000 --chunk-bytes 1000000 -o p.npy >out 2>err &
pid=$!
n=0
while ! ls p.npy.* >/dev/null 2>&1 && [ $n -lt 100 ]; do
    sleep 0.1
    n=$((n + 1))
done
kill -TERM $pid
wait $pid 2>/dev/null
code=$?
if [ $code -eq 143 ]; then
    clean "a signal"
    [ ! -e p.npy ] && pass || fail "half a file after a signal"
else
    fail "a signal: exit $code"
fi
rm -f p.npy

# ---- Random numbers ----

words32() {
    od -An -v -tx4 "$1" | tr -s ' ' '\n' | sed '/^$/d'
}

good random --count 50001 --seed 5 --skip 77 -o r.bin
grep -q '^r.bin: 50,001 words of philox (sound), 200.0 kB, .* on ' out && pass || fail "the line about the file: $(cat out)"
[ "$(wc -c <r.bin)" -eq 200004 ] && pass || fail "the length of words"
"$bailey" random --count 50001 --seed 5 --skip 77 >s.bin 2>err </dev/null
[ $? -eq 0 ] && cmp -s r.bin s.bin && pass || fail "random to standard output, a file"
"$bailey" random --count 50001 --seed 5 --skip 77 -o - 2>err | cat >s.bin
cmp -s r.bin s.bin && pass || fail "random to standard output, a pipe"
(echo first; "$bailey" random --count 50001 --seed 5 --skip 77 --chunk-bytes 999; echo last) >mixed 2>err
(echo first; cat r.bin; echo last) >expected
cmp -s mixed expected && pass || fail "random after and before other text"
good random --generator philox --sequence runs --warp-set 0 --stream 0 --form u32 --seed 5 --skip 77 --count 50001 -o s.bin
cmp -s r.bin s.bin && pass || fail "the defaults of random, written out"
good random --count 50001 --seed 5 --skip 77 --threads 1 -o s.bin
cmp -s r.bin s.bin && pass || fail "threads change random numbers"
# Random123's kat_vectors: philox4x32 10, counter and key zero
good random --count 4 -o s.bin
[ "$(words32 s.bin | tr '\n' ' ')" = "6627e8d5 e169c58d bc57ac4c 9b00dbd8 " ] && pass || fail "Philox's words: $(words32 s.bin)"
# std::mt19937 begins with 3499211612, 581869302
good random --generator mt19937 --sequence published --seed 5489 --count 2 -o s.bin
[ "$(words32 s.bin | tr '\n' ' ')" = "d091bb5c 22ae9ef6 " ] && pass || fail "std::mt19937's words: $(words32 s.bin)"

# Every generator: words of its own, that no cutting changes, and skipping is the tail
names=$("$bailey" random --help | awk '/^Generators:/ { on = 1; next } on && /^  [a-z]/ && $2 ~ /^(sound|linear|weak)$/ { print $1 }')
[ "$(echo "$names" | wc -l)" -ge 13 ] && pass || fail "random --help lists the generators: $names"
: >sums
for generator in $names; do
    good random --generator $generator --count 70001 --seed 3 --skip 5 -o r.bin
    words32 r.bin | head -n 100 | cksum >>sums
    good random --generator $generator --count 70001 --seed 3 --skip 5 --chunk-bytes 100001 -o s.bin
    cmp -s r.bin s.bin && pass || fail "pieces change $generator"
    good random --generator $generator --count 30000 --seed 3 --skip 40006 -o s.bin
    tail -c 120000 r.bin | cmp -s - s.bin && pass || fail "--skip is not the tail of $generator"
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

# Every form: sizes, pieces of any size, skipping
for form in "--form u32" "--form u01" "--form u01 --precision f64" "--form normal" "--form normal --precision f64" \
    "--form normal --normal box-muller" "--form normal --normal box-muller --precision f64" \
    "--form normal --normal wallace" "--form normal --numerics fast" "--form u01 --generator warp" "--form normal --generator mt19937 --normal box-muller"; do
    case $form in *f64*) size=8 ;; *) size=4 ;; esac
    # shellcheck disable=SC2086
    good random --count 3001 --seed 9 --skip 1000 $form -o r.bin
    [ "$(wc -c <r.bin)" -eq $((3001 * size)) ] && pass || fail "the length: $form"
    for bytes in 1 52 999 20000; do
        [ $bytes -eq 1 ] && [ "$BAILEY_DEVICE" != cpu ] && continue
        # shellcheck disable=SC2086
        good random --count 3001 --seed 9 --skip 1000 $form --chunk-bytes $bytes -o s.bin
        cmp -s r.bin s.bin && pass || fail "pieces of $bytes bytes: $form"
    done
    # shellcheck disable=SC2086
    good random --count 1001 --seed 9 --skip 3000 $form -o s.bin
    tail -c $((1001 * size)) r.bin | cmp -s - s.bin && pass || fail "--skip is not the tail: $form"
done

# Uniform numbers are made of the words: (floor(w / 2^9) + 1/2) 2^-23
good random --count 5000 --seed 2 -o r.bin
good random --count 5000 --seed 2 --form u01 -o s.bin
od -An -v -tu4 r.bin | tr -s ' ' '\n' | sed '/^$/d' >a
od -An -v -tf4 s.bin | tr -s ' ' '\n' | sed '/^$/d' >b
paste a b | awk '{ d = (int($1 / 512) + 0.5) / 8388608 - $2; if (d < -5e-8 || d > 5e-8 || $2 <= 0 || $2 >= 1) bad++ }
    END { exit NR != 5000 || bad > 0 }' && pass || fail "uniform numbers are not made of the words"

# NumPy's files: one axis, and the raw numbers after the header
for form in "u4 --form u32" "f4 --form u01" "f8 --form normal --precision f64"; do
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

# No end: the reader ends it, or the last element
{ "$bailey" random --count inf --seed 4 2>err; echo $? >code; } | head -c 3000000 >r.bin
[ "$(cat code)" -eq 0 ] && [ ! -s err ] && pass || fail "--count inf and a reader that goes: $(cat code)"
good random --count 750000 --seed 4 -o s.bin
cmp -s r.bin s.bin && pass || fail "--count inf gives other words"
{ "$bailey" random --count 1e9 2>err; echo $? >code; } | head -c 1000 >r.bin
[ "$(cat code)" -eq 1 ] && [ ! -s err ] && pass || fail "a count and a reader that goes: $(cat code)"
"$bailey" random --count inf --skip 18446744073709551600 2>err | head -c 1000 >r.bin
[ "$(wc -c <r.bin)" -eq 64 ] && [ ! -s err ] && pass || fail "the last elements: $(wc -c <r.bin) bytes"
good random --count 16 --skip 18446744073709551600 -o s.bin
good random --count 16 --skip 18446744073709551600 --form normal --precision f64 -o a
cmp -s r.bin s.bin && pass || fail "the last elements differ"
"$bailey" random --count inf --skip 9223372036854775801 --form u01 --precision f64 --chunk-bytes 40 2>err | head -c 1000 >r.bin
[ "$(wc -c <r.bin)" -eq 56 ] && [ ! -s err ] && pass || fail "the last doubles: $(wc -c <r.bin) bytes"
if has mkfifo; then
    mkfifo r.fifo
    head -c 1000 r.fifo >r.bin &
    good random --count inf --seed 4 -o r.fifo
    wait
    good random --count 250 --seed 4 -o s.bin
    cmp -s r.bin s.bin && pass || fail "through a named pipe"
fi

# What is refused, and harms nothing
bad 2 "\-\-count N is needed" random
bad 2 "\-\-count: 0 is outside its limits, 1 to 18446744073709551615" random --count 0
bad 2 "\-\-count: '-4' is not a whole number" random --count -4
bad 2 "\-\-count: 'infinite' is not a whole number" random --count infinite
bad 2 "\-\-count: 17 from --skip 18,446,744,073,709,551,600 on goes beyond the last element, 2^64 - 1" random \
    --count 17 --skip 18446744073709551600
bad 2 "\-\-count: 9 from --skip 9,223,372,036,854,775,800 on goes beyond the last element, 2^63 - 1" random \
    --count 9 --skip 9223372036854775800 --form u01 --precision f64
bad 2 "\-\-skip: 9,223,372,036,854,775,808 is beyond the last element, 9,223,372,036,854,775,807" random \
    --count inf --skip 9223372036854775808 --form u01 --precision f64
bad 2 "\-\-count: inf would fill the disk with standard output" random --count inf
bad 2 "\-\-count: inf would fill the disk with r.bin" random --count inf -o r.bin
bad 2 "\-\-count: inf would fill the disk with new.bin" random --count inf -o new.bin
bad 2 "\-\-count: an .npy file begins with its length" random --count inf -o r.npy
bad 2 "\-\-generator: 'mt19973' is none of philox, .* did you mean mt19937" random --count 1 --generator mt19973
bad 2 "\-\-sequence: 'cuda' is none of runs, published" random --count 1 --sequence cuda
bad 2 "\-\-form: 'u64' is none of u32, u01, normal" random --count 1 --form u64
bad 2 "\-\-normal: 'walace' is none of icdf, box-muller, wallace; did you mean wallace" random --count 1 --form normal \
    --normal walace
bad 2 "wallace makes" random --count 1 --form normal --normal wallace --precision f64
bad 2 "wallace starts from philox" random --count 1 --form normal --normal wallace --generator warp
bad 2 "\-\-normal: 'wallace' is none of icdf, box-muller" paths $run --normal wallace -o p.npy
bad 2 "\-\-normal: --form u01 makes no normals" random --count 1 --form u01 --normal icdf
bad 2 "\-\-precision: --form u32 makes integers" random --count 1 --precision f64
bad 2 "\-\-numerics: --form u01 is always exact" random --count 1 --form u01 --numerics fast
bad 2 "\-\-warp-set: 16 is outside its limits, 0 to 15" random --count 1 --generator warp --warp-set 16
bad 2 "\-\-seed: 18446744073709551616 is outside" random --count 1 --seed 18446744073709551616
bad 2 "\-\-skip: '1.5' is not" random --count 1 --skip 1.5
bad 2 "\-\-chunk-bytes: 0 is outside" random --count 1 --chunk-bytes 0
echo old >r.npy
bad 2 "warp: .*sequence" random --generator warp --sequence published --count 100 -o r.npy
bad 2 "mt19937: .*warp_set" random --generator mt19937 --warp-set 3 --count 100 -o r.npy
bad 2 "kiss: .*seed" random --generator kiss --sequence published --seed 7 --count 100 -o r.npy
[ "$(cat r.npy)" = old ] && pass || fail "a request that is refused harmed the file"
bad 1 "cannot write missing/r.bin" random --count 5 -o missing/r.bin
bad 1 "needs .* its file system has" random --count 1e17 -o r.bin
bad 1 "device" random --count 5 --device cuda:999 -o r.bin
if [ -c /dev/full ]; then
    bad 1 "No space left" random --count 1000 -o /dev/full
    "$bailey" random --count 1e6 >/dev/full 2>err
    [ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'No space left' err && pass || fail "a full standard output"
fi
if has script; then
    script -qec "'$bailey' random --count 4; echo code \$?" /dev/null </dev/null >out 2>&1
    grep -q 'standard output is a terminal' out && grep -q 'code 2' out && pass || fail "a terminal: $(cat out)"
fi
for leftover in r.npy.?????? r.bin.?????? s.bin.??????; do
    [ -e "$leftover" ] && fail "left behind: $leftover" || pass
done

# ---- Prices ----

price="price asian --fixings $deal/fixings.csv --valuation 2026-01-02 --assets $deal/assets.csv"
price="$price --correlation $deal/correlation.csv --strike 100 --rate 0.03 --paths 20000 --seed 1"
good $price
grep -q '^  price  *[0-9]*\.[0-9]*  +- ' out && pass || fail "the price"
grep -q 'closed form .* off by -*[0-2]\.[0-9]* standard errors' out && pass || fail "the check line: $(grep closed out)"
grep -q '0x1\.' out && pass || fail "the bits"
grep '0x1\.' out >a
good $price --threads 1
grep '0x1\.' out >b
cmp -s a b && pass || fail "threads change the price"
good $price --json
check "price --json" valid_json out
sed -n 's/^.*"price": "\(0x.*\)",$/\1/p' out >b
grep -q -e "$(head -n 1 b)" a && pass || fail "the same bits in the JSON"
good price asian --fixings "$deal/times.csv" --assets "$deal/assets.csv" --correlation "$deal/correlation.csv" \
    --strike 100 --rate 0.03 --paths 20000 --seed 1
grep '0x1\.' out >b
cmp -s a b && pass || fail "fixings as numbers and as dates"
for order in lr-up incremental; do
    good $price --order $order --precision f64 --normal box-muller
done

bad_deal() {
    printf "$2" >d.csv
    bad 2 "$1" price asian --fixings f.csv --assets d.csv --strike 1 --rate 0
}
printf '1\n' >f.csv
bad_deal "d.csv is empty" ''
bad_deal "no asset" 'spot,volatility\n'
bad_deal "column volatility is missing" 'spot\n1\n'
bad_deal "did you mean volatility" 'spot,volatilty\n1,1\n'
bad_deal "unknown column '1'" '1,0.2\n'
bad_deal "occurs twice" 'spot,spot\n1,1\n'
bad_deal "line 2: spot -1 is not positive" 'spot,volatility\n-1,0.2\n'
bad_deal "spot 0 is not positive" 'spot,volatility\n0,0.2\n'
bad_deal "volatility -0.2 is negative" 'spot,volatility\n1,-0.2\n'
bad_deal "weight 0 is not positive" 'spot,volatility,weight\n1,0.2,0\n'
bad_deal "spot 'nan' is not" 'spot,volatility\nnan,0.2\n'
bad_deal "1 fields where the heading has 2" 'spot,volatility\n1\n'
printf '"name",Spot,VOLATILITY\r\n"a, ""b""",100,0.2\r\n' >d.csv
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0.01 --paths 1000
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0.01 --paths 1000 --json
check "price --json, one asset" valid_json out
printf 'spot,volatility\n100,0\n' >d.csv
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0 --paths 1000
good price asian --fixings f.csv --assets d.csv --strike 90 --rate 0 --paths 1000 --json
check "price --json, no risk" valid_json out
deal_of_one="price asian --assets d.csv --fixings f.csv"
for option in lr-dwn bisect; do
    bad 2 "\-\-order: '$option' is neither .* did you mean" $deal_of_one --strike 1 --rate 0 --order $option
done
bad 1 "\-\-order: cannot open missing.csv" $deal_of_one --strike 1 --rate 0 --order missing.csv
bad 1 "\-\-assets: cannot open missing.csv" price asian --assets missing.csv --fixings f.csv --strike 1 --rate 0
bad 1 "\-\-fixings: cannot open missing.csv" price asian --assets d.csv --fixings missing.csv --strike 1 --rate 0
bad 1 "\-\-correlation: cannot open missing.csv" $deal_of_one --strike 1 --rate 0 --correlation missing.csv
printf '2\n' >m.csv
bad 2 "\-\-correlation: correlation\[0\]\[0\]" $deal_of_one --strike 1 --rate 0 --correlation m.csv
bad 2 "has 2 rows, --assets has 1" $deal_of_one --correlation corr.csv --strike 1 --rate 0
bad 2 "\-\-strike K is needed" $deal_of_one --rate 0
bad 2 "\-\-strike: -1 is negative" $deal_of_one --strike -1 --rate 0
bad 2 "\-\-rate" $deal_of_one --strike 1 --rate nan
bad 2 "\-\-paths: 1 is outside" $deal_of_one --strike 1 --rate 0 --paths 1
printf 'spot,volatility\n100,0.2\n' >a.csv
bad 2 "rate" price asian --fixings "$deal/times.csv" --assets a.csv --strike 100 --rate 50 --paths 1000
printf '10\n20\n' >f.csv
bad 2 "rate" price asian --fixings f.csv --assets a.csv --strike 100 --rate 90 --precision f64 --paths 1000
printf '2026-02-30\n' >f.csv
bad 2 "there is no day 2026-02-30" $deal_of_one --valuation 2026-01-02 --strike 1 --rate 0
printf '2026-01-02\n' >f.csv
bad 2 "2026-01-02 is not greater than 0" $deal_of_one --valuation 2026-01-02 --strike 1 --rate 0
bad 2 "dates need --valuation" $deal_of_one --strike 1 --rate 0
bad 2 "no date of the form" $deal_of_one --valuation 2.1.2026 --strike 1 --rate 0
bad 2 "no day" $deal_of_one --valuation 2026-13-01 --strike 1 --rate 0

# ---- Benchmarks ----

# What every row of the JSON in `out` has, and that `rows` names are as the arguments say.
bench_rows() {
    if has python3; then
        python3 - "$@" <<'END'
import json, sys
report = json.load(open("out"))
assert report["device"] and report["driver"] and report["rows"], report
for row in report["rows"]:
    assert {"name", "value", "unit", "ratio", "of"} <= row.keys(), row
    if row["value"] is None:
        assert row["ratio"] is None and row["reason"], row
    else:
        assert row["value"] > 0 and row["ratio"] > 0 and row["of"], row
        assert row["unit"] in ("GB/s", "G words/s", "G numbers/s", "G normals/s"), row
        assert 0 < row["least"] <= row["value"] <= row["most"], row
        assert row["paths" if row["unit"] == "GB/s" else "numbers"] > 0, row
names = [row["name"] for row in report["rows"]]
assert len(set(names)) == len(names), names
missing = [name for name in sys.argv[1:] if name not in names]
assert not missing, (missing, names)
END
    else
        valid_json out || return 1
        for wanted in "$@"; do grep -q "\"name\": \"$wanted\"" out || return 1; done
    fi
}

bench="bench bridge --quick"
good $bench --tables strategies,paper --json
check "bench bridge --json" bench_rows bridge/copy bridge/transfer/f32 bridge/strategy/constant/f32 \
    bridge/strategy/vector/f32 bridge/strategy/prefetch/f32 bridge/strategy/shared/f32 bridge/strategy/reuse/f32 \
    bridge/strategy/reuse-prefetch/f32 bridge/strategy/specialised/f32 bridge/strategy/blocks/f32 \
    bridge/strategy/readback/f32 bridge/strategy/auto/f32 bridge/paths/f32 bridge/paths/f64 bridge/increments/f32 \
    bridge/increments/f64 bridge/paths/f32/x8 bridge/increments/f64/x8
# Other backends compile something for nearly every row.
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    check "bench bridge, every table" bench_rows bridge/strategy/auto/f32 bridge/increments/f64/x8 bridge/steps/16/f32 \
        bridge/steps/4096/f64 bridge/dims/1/f32 bridge/dims/16/f64 bridge/layout/step/f32 bridge/layout/path/f64 \
        bridge/orders/worst/f32 bridge/orders/median/f32 bridge/orders/best/f32 bridge/fused/icdf/exact/f32 \
        bridge/fused/box-muller/fast/f32 bridge/fused/box-muller/exact/f64
fi
good $bench --tables layouts --paths 777 --repeat 3
grep -q '^bridge/layout/path/f32  *777  *[0-9.]* GB/s  *[0-9.]*  *[0-9.]* [a-z]* copy' out && pass ||
    fail "the table: $(cat out)"
grep -q '^bridge/strategy' out && fail "a table that was not asked for" || pass
good $bench --tables paper --memory 3000000
grep -q '^bridge/paths/f64/x8  *not measured: .*(--memory)$' out && pass || fail "8 times as many paths in little memory"
good $bench --tables fused,steps --strategy readback --json
check "bench bridge --strategy" bench_rows bridge/steps/1024/f32 bridge/fused/icdf/exact/f64
grep -q '"strategy": "readback"' out && ! grep -q '"strategy": "[^r]' out && pass || fail "bench bridge --strategy readback"
good $bench --tables orders --orders 3 --json
check "bench bridge --tables orders" bench_rows bridge/orders/worst/f32
bad 2 "'layout' is none of strategies, .* did you mean layouts" $bench --tables paper,layout
bad 2 "'' is none of" $bench --tables paper,
bad 2 "'fastest' is none of auto" $bench --strategy fastest
bad 2 "\-\-repeat: 0 is outside its limits, 1 to 99" $bench --repeat 0
bad 2 "\-\-orders: 0 is outside" $bench --orders 0
bad 2 "\-\-memory: 'all' is not a whole number" $bench --memory all
bad 1 "device" $bench --device cuda:999

bench="bench random --quick"
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    rows="memset plain|philox"
    for generator in $names; do rows="$rows random/$generator/u32 random/$generator/u01"; done
else
    # a program is built for every generator
    good $bench --json --generators philox,warp
    rows="random/philox/u32 random/warp/u32 random/philox/u01 random/warp/u01"
fi
set --
for row in $rows; do set -- "$@" "$(echo "$row" | tr '|' ' ')"; done
check "bench random --json" bench_rows "$@"
grep -q '"error"' out && fail "bench random: $(grep '"error"' out)" || pass
good $bench --count 5001 --repeat 3 --forms u32 --generators warp,mt19937
grep -q '^random/warp/u32  *5,001  *[0-9.]* G words/s  *[0-9.]*  *[0-9.]* device fill  sound$' out && pass ||
    fail "the table: $(cat out)"
grep -q '^mt19937  *2^19937 - 1  *linear  *[0-9.]*  *1.000$' out && pass || fail "the generators' table: $(cat out)"
grep -q '^warp  *2^1024 - 1  *sound  *[0-9.]*  *[0-9.]*$' out && pass || fail "warp in that table"
grep -q '^warp u32: [0-9.]* G words/s, [0-9.]* of a fill' out && pass || fail "the summary"
grep -q 'u01\|philox/' out && fail "a form or a generator that was not asked for" || pass
good $bench --count 5001 --generators mt19937,warp --json
grep -q '"mt19937_ratio": 1$' out && grep -q '"period": "2^1024 - 1"' out && grep -q '"verdict": "sound"' out && pass ||
    fail "bench random: period, verdict, ratio to MT19937"
bad 2 "\-\-generators: 'mt19973' is none of philox, .* did you mean mt19937" $bench --generators philox,mt19973
bad 2 "\-\-generators: '' is none of" $bench --generators philox,
bad 2 "\-\-forms: 'normal' is none of u32, u01" $bench --forms normal
bad 2 "\-\-count: 0 is outside its limits, 1 to" $bench --count 0
bad 2 "\-\-repeat: 100 is outside its limits, 1 to 99" $bench --repeat 100
bad 1 "device" $bench --device cuda:999

bench="bench normal --quick"
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --json
    set -- 'memset|f32' 'plain|box-muller|f32' 'plain|polar|f64'
    for generator in philox warp; do
        for method in icdf box-muller; do
            for form in exact/f32 exact/f64 fast/f32 fast/f64; do
                set -- "$@" "normal/$generator/$method/$form"
            done
        done
    done
    set -- "$@" normal/philox/wallace/exact/f32
else
    good $bench --json --generators philox --methods box-muller --precisions f32
    set -- normal/philox/box-muller/exact/f32 normal/philox/box-muller/fast/f32
fi
rows="$*"
set --
for row in $rows; do set -- "$@" "$(echo "$row" | tr '|' ' ')"; done
check "bench normal --json" bench_rows "$@"
grep -q '"error"' out && fail "bench normal: $(grep '"error"' out)" || pass
grep -q '"method": "box-muller"' out && grep -q '"numerics": "fast"' out && grep -q '"precision": "f32"' out && pass ||
    fail "bench normal: method, numerics, precision"
good $bench --count 2 --repeat 3 --generators philox --methods icdf --numerics exact --precisions f32
grep -q '^normal/philox/icdf/exact/f32  *2  *[0-9.]* G normals/s  *[0-9.]*  *[0-9.]* device fill  sound$' out && pass ||
    fail "the table: $(cat out)"
grep -q '^philox  *icdf  *[0-9.]*  *-  *-  *-$' out && pass || fail "the transforms' table: $(cat out)"
grep -q '^best exact f32: philox icdf, [0-9.]* G normals/s, [0-9.]* of a fill' out && pass || fail "the summary"
grep -q '/fast\|/f64\|/warp\|/box-muller' out && fail "a row that was not asked for" || pass
if [ "$BAILEY_DEVICE" = cpu ]; then
    good $bench --count 1000 --generators all --methods box-muller --numerics exact --precisions f32 --json
    set --
    for generator in $names; do set -- "$@" "normal/$generator/box-muller/exact/f32"; done
    check "bench normal --generators all" bench_rows "$@"
fi
bad 2 "\-\-count: 5,001 is no multiple of 2: .* in pairs" $bench --count 5001
bad 2 "\-\-count: 0 is outside its limits, 1 to" $bench --count 0
bad 2 "\-\-generators: 'wrap' is none of philox, .* all; did you mean warp" $bench --generators wrap
bad 2 "\-\-methods: 'box' is none of icdf, box-muller" $bench --methods box
bad 2 "wallace makes normals of philox and in f32 only" $bench --methods wallace --generators warp
bad 2 "\-\-numerics: 'slow' is none of exact, fast" $bench --numerics slow
bad 2 "\-\-precisions: 'f16' is none of f32, f64" $bench --precisions f32,f16
bad 2 "\-\-repeat: 100 is outside its limits, 1 to 99" $bench --repeat 100
bad 2 "unknown option '\-\-forms'" $bench --forms u32
bad 1 "device" $bench --device cuda:999

echo "$passed checks passed, $failed failed"
[ "$failed" -eq 0 ]
