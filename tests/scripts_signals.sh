#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# scripts_signals.sh SOURCE: TERM, INT or HUP to scripts/test ends what it has started, at once, and the script with the
# signal's status. cmake and ctest are stubs here.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$dir/scripts" "$dir/bin"
cp "$1/scripts/test" "$1/scripts/setup" "$dir/scripts"
# Nothing is installed.
printf '\ninstall_missing() {\n    :\n}\n' >>"$dir/scripts/setup"
cat >"$dir/bin/cmake" <<'END'
#!/bin/sh
[ "$1" = --build ] || exit 0
[ "$STEP" = build ] || exit 0
sleep 60 &
echo $! >"$STARTED.new"
mv "$STARTED.new" "$STARTED"
wait
END
sed '/--build/d; s/= build/= test/' "$dir/bin/cmake" >"$dir/bin/ctest"
chmod +x "$dir/bin/cmake" "$dir/bin/ctest"
failed=0
for case in build:TERM:143 build:INT:130 test:TERM:143 test:HUP:129; do
    STEP=${case%%:*} wanted=${case##*:} signal=${case#*:}
    signal=${signal%:*}
    STARTED=$dir/started
    export STEP STARTED
    rm -f "$STARTED"
    env --default-signal=INT PATH="$dir/bin:$PATH" sh "$dir/scripts/test" >"$dir/out" 2>&1 &
    script=$!
    tries=0
    while [ ! -e "$STARTED" ] && [ $tries -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    worker=$(cat "$STARTED" 2>/dev/null)
    kill -"$signal" $script
    wait $script
    code=$?
    tries=0
    while grep -qv '^[0-9]* (sleep) Z' "/proc/${worker:-0}/stat" 2>/dev/null && [ $tries -lt 40 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    if [ "$code" -ne "$wanted" ] || [ -z "$worker" ] || [ $tries -eq 40 ]; then
        echo "FAIL: $signal while scripts/test is at $STEP: exit $code, process ${worker:-none} after $tries looks"
        cat "$dir/out"
        failed=1
    fi
    [ -z "$worker" ] || kill -9 "$worker" 2>/dev/null
done
exit $failed
