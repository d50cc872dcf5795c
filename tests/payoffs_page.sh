#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# payoffs_page.sh EXAMPLE BACKEND PAGE [SOURCE]: each line that an example prints on a device stands on the page, and the
# page's blocks of C stand in SOURCE, the example's.
#
# Exit status 77: there is no device, and BAILEY_TEST_REQUIRE does not name the backend.
if [ $# -gt 3 ]; then
    awk '
        FNR == NR { source = source $0 "\n"; next }
        /^```c$/ { inside = 1; block = ""; next }
        /^```/ && inside { inside = 0; if (!index(source, block)) { printf "FAIL: not in the example:\n%s", block; exit 1 } }
        inside { block = block $0 "\n" }
    ' "$4" "$3" || exit 1
fi
found=$("$1" "$2" 2>&1)
status=$?
printf '%s\n' "$found"
if [ "$status" -ne 0 ]; then
    case "$found" in
    "device \"$2\": "*) ;;
    *) exit 1 ;;
    esac
    case ",${BAILEY_TEST_REQUIRE:-}," in
    *",$2,"*) exit 1 ;;
    *) exit 77 ;;
    esac
fi
printf '%s\n' "$found" | while IFS= read -r line; do
    grep -qxF -e "$line" "$3" || {
        echo "FAIL: $3 does not have '$line'"
        exit 1
    }
done
