#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside, where little is as it should be: several processes on a cache that is cold, homes that are
# missing, are no folders or cannot be written, disks that are full. Programs are compiled at run time, and results are
# the same. See common.sh.
. "${0%/*}/common.sh"
command -v "${BAILEY_CC:-cc}" >/dev/null || exit 77

cat >own.c <<'END'
typedef struct { real k; } params;
typedef struct { real m; } state;
void start(state *s, const params *p) { s->m = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { s->m += exp(x[0]); }
void finish(const state *s, const params *p, real out[]) { out[0] = fmax(s->m - p->k, 0.); }
END
run="price --payoff own.c --steps 2 --paths 1000 --set k=1"
unset XDG_CACHE_HOME BAILEY_CACHE_DIR
mkdir home
HOME=$dir/home
export HOME
good $run
grep '0x' out >wanted

# same WHAT [LOG]: the run has worked, with the same bits; its log says so
same() {
    [ $code -eq 0 ] && grep '0x' out | cmp -s - wanted && pass || fail "$1: exit $code"
    [ $# -lt 2 ] || { grep -q "$2" err && pass; } || fail "$1: not in the log: $2"
}

# logged: runs, with the log
logged() {
    BAILEY_LOG=1 "$bailey" $run >out 2>err
    code=$?
}

# ---- One cold cache ----

for round in 1 2 3; do
    rm -rf home/.cache
    pids=
    for process in 1 2 3; do
        "$bailey" $run >"out.$process" 2>"err.$process" &
        pids="$pids $!"
    done
    for process in $pids; do wait "$process" || fail "a cold cache: a process ends with $?"; done
    for process in 1 2 3; do
        mv "err.$process" err
        grep '0x' "out.$process" | cmp -s - wanted && silent && pass ||
            fail "a cold cache: process $process"
    done
    [ "$(ls home/.cache/bailey)" = "$(cd home/.cache/bailey && ls -- *.bin)" ] && pass || fail "left behind: $(ls home/.cache/bailey)"
    logged
    same "a cache that several have made" "loaded own.c from cache"
done

# ---- Homes ----

echo text >file
for place in "$dir/nowhere" "$dir/file" /proc ""; do
    HOME=$place
    logged
    same "the home \"$place\"" "no program cache: "
done
[ ! -e nowhere ] && [ "$(cat file)" = text ] && pass || fail "a home was made or harmed"
(
    unset HOME
    BAILEY_LOG=1 "$bailey" $run >out 2>err
)
code=$?
same "no home" "no program cache: neither XDG_CACHE_HOME nor HOME is set"
HOME=$dir/home
rm -rf home/.cache
if [ "$(id -u)" -ne 0 ]; then
    chmod 500 home
    logged
    same "a home that is read-only" "no program cache: .*Permission denied"
    chmod 700 home
fi
# Nothing is closed to root but a file system that is read-only, of this command alone.
closed='mount --bind home home && mount -o remount,bind,ro home && ! touch home/probe'
if unshare -m sh -c "$closed" 2>/dev/null; then
    BAILEY_LOG=1 unshare -m sh -c "$closed 2>/dev/null && exec \"\$@\"" sh "$bailey" $run >out 2>err
    code=$?
    same "a home on a file system that is read-only" "no program cache: .*Read-only file system"
    [ -z "$(ls -A home)" ] && pass || fail "a read-only home has got $(ls -A home)"
elif [ "$(id -u)" -eq 0 ]; then
    echo "no file system of our own can be mounted here: a home that is read-only is left out"
fi
for place in "$dir/file" "$dir/file/below" "$dir/nowhere/below"; do
    XDG_CACHE_HOME=$place
    export XDG_CACHE_HOME
    logged
    same "XDG_CACHE_HOME=$place" "no program cache: "
done
unset XDG_CACHE_HOME
BAILEY_CACHE_DIR=$dir/file
export BAILEY_CACHE_DIR
logged
same "a cache that is a file" "no program cache: "
unset BAILEY_CACHE_DIR

# ---- Compilers ----

# A built-in payoff needs none: without a folder for temporary files, with a compiler that fails or is stopped, it runs as
# it was compiled with the library. (With a target nobody knows how few paths will do, so that the compiler is asked.)
# Code of one's own names what is wrong.
BAILEY_CACHE_DIR=
export BAILEY_CACHE_DIR
built_in="price barrier --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --set barrier=80 --side down --target-error 1"
printf '#!/bin/sh\ntest "$1" = --version || { echo no, thanks >&2; exit 1; }\n' >failing
printf '#!/bin/sh\ntest "$1" = --version || sleep 60\n' >slow
chmod +x failing slow
mv wanted own.wanted
good $built_in
grep '0x' out >wanted
# falls_back WHAT WORDS ENVIRONMENT...
falls_back() {
    what=$1
    words=$2
    shift 2
    env BAILEY_LOG=1 "$@" "$bailey" $built_in >out 2>err
    code=$?
    same "$what" "$words"
    env "$@" "$bailey" $run >out 2>err
    [ $? -ne 0 ] && [ ! -s out ] && grep -q "$words" err && pass || fail "$what: of a text"
}
falls_back "no TMPDIR" "no directory in TMPDIR: No such file or directory" TMPDIR="$dir/nowhere"
falls_back "a compiler that fails" "no, thanks\|failing says" BAILEY_CC="$dir/failing"
falls_back "a compiler that is stopped" "longer than the limit BAILEY_CC_SECONDS" BAILEY_CC="$dir/slow" BAILEY_CC_SECONDS=1
unset BAILEY_CACHE_DIR
mv own.wanted wanted

# ---- Full disks ----

# A file system of some pages that belongs to this command alone; needs rights that not every user has.
mkdir full
disk="mount -t tmpfs -o size=8k,mode=700 none full && head -c 8192 /dev/zero >full/zeros 2>/dev/null"
if unshare -m sh -c "$disk; [ -s full/zeros ]" 2>/dev/null; then
    # on_full_disk ENVIRONMENT COMMAND...: prints what is on the disk at the end
    on_full_disk() {
        unshare -m sh -c "$disk; "'env "$@" >out 2>err; code=$?; rm -f full/zeros; find full -type f; exit $code' sh "$@"
    }
    left=$(on_full_disk BAILEY_LOG=1 BAILEY_CACHE_DIR="$dir/full" "$bailey" $run)
    code=$?
    same "a cache on a full disk" "own.c not cached: No space left on device"
    [ -z "$left" ] && pass || fail "a cache on a full disk: left behind: $left"
    left=$(on_full_disk TMPDIR="$dir/full" BAILEY_CACHE_DIR= "$bailey" $run)
    code=$?
    [ $code -ne 0 ] && [ ! -s out ] && [ -z "$left" ] && pass || fail "a TMPDIR on a full disk: exit $code, $left"
    grep -q 'No space left on device' err && pass || fail "a TMPDIR on a full disk"
    left=$(on_full_disk "$bailey" $run --checkpoint full/run.checkpoint)
    code=$?
    [ $code -eq 1 ] && [ ! -s out ] && [ -z "$left" ] && pass || fail "a checkpoint on a full disk: exit $code, $left"
    grep -q 'full/run.checkpoint.*No space left on device' err && pass || fail "a checkpoint on a full disk"
    left=$(on_full_disk "$bailey" mlmc european --no-test --eps 0.5 --checkpoint full/run)
    code=$?
    [ $code -eq 1 ] && [ ! -s out ] && [ -z "$left" ] && pass || fail "a checkpoint of levels on a full disk: exit $code, $left"
    grep -q 'full/run.*No space left on device' err && pass || fail "a checkpoint of levels on a full disk"
else
    echo "no file system of our own can be mounted here: disks that are full are left out"
fi

# limited COMMAND...: no file may have contents, which is as good as a full disk
limited() {
    (ulimit -f 0 && exec "$@") 2>&1 >/dev/null | cat >err
}
rm -rf home/.cache
limited "$bailey" $run --checkpoint limited.checkpoint
grep -q 'limited.checkpoint.*File too large' err && [ ! -e limited.checkpoint ] && pass || fail "a checkpoint beyond the limit"
limited "$bailey" mlmc european --no-test --eps 0.5 --checkpoint limited
grep -q 'File too large' err && [ ! -e limited.1 ] && pass || fail "a checkpoint of levels beyond the limit"
finish
