#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# payoffs_page.sh EXAMPLE BACKEND PAGE: what examples/payoff.c prints on a device stands in docs/payoffs.md, each line.
#
# Exit status 77: there is no device, and BAILEY_TEST_REQUIRE does not name the backend.
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
