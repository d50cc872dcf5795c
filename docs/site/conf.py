# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""How Sphinx makes the site of the pages that docs/site/gather.py has gathered."""
import os
import re

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../CMakeLists.txt")) as file:
    release = re.search(r"project\(bailey VERSION ([0-9.]+)", file.read())[1]

project = "bailey"
author = "the bailey authors"
copyright = author
version = release
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"bailey {release}"
suppress_warnings = ["misc.highlighting_failure"]  # parts of files
pygments_style = "friendly"
