# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
# Of _declarations.py, which the build makes of the headers.
from typing import Any, Dict

ffi: Any
constants: Dict[str, int]
