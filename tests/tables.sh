#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# tables.sh PYTHON TREE: tools/fit_icdf.py and fit_approximate.py write the tables of TREE/data, byte for byte.
set -eu
python=$1
tree=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$python" "$tree/tools/fit_icdf.py" "$folder"
"$python" "$tree/tools/fit_approximate.py" "$folder"
for table in icdf_f32 icdf_f64 approximate; do
    cmp "$folder/$table.bin" "$tree/data/$table.bin"
done
