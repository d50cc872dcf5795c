#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# docs_site.sh PYTHON SOURCE OUTPUT: the site of the documentation is made of what docs/site/gather.py has gathered in
# SOURCE, without a warning. Exit code 77: Python has not what scripts/docs installs, and BAILEY_TEST_REQUIRE has no "docs".
set -eu
for python in "$1" python3 /usr/bin/python3; do
    if "$python" -c 'import sphinx, myst_parser, furo' 2>/dev/null; then
        cd "$(dirname "$0")/.."
        rm -rf "$3/html" # pages that are gone
        exec "$python" -m sphinx -q -W --keep-going -b html -c docs/site -d "$3/doctrees" "$2" "$3/html"
    fi
done
echo "no Python has Sphinx, MyST and Furo"
case ",${BAILEY_TEST_REQUIRE:-}," in *,docs,*) exit 1 ;; esac
exit 77
