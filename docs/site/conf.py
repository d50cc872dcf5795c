# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""How Sphinx makes the site of the pages that docs/site/gather.py has gathered."""
import os
import re

from pygments.lexers.special import TextLexer

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "../../CMakeLists.txt")) as file:
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
html_static_path = ["static"]
html_css_files = ["bailey.css"]
html_js_files = ["theme.js"]
html_search_scorer = os.path.join(HERE, "scorer.js")
html_copy_source = False
smartquotes = False
suppress_warnings = ["misc.highlighting_failure"]  # parts of files
pygments_style = "default"  # both have a contrast of 4.5 at least
pygments_dark_style = "github-dark"


def setup(app):
    app.add_lexer("csv", TextLexer)
