# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Runs examples/python/first_steps.ipynb, as a stranger would beside a folder `wheels`, and looks at what its cells show.

    notebook.py NOTEBOOK FOLDER
"""
import sys

import nbclient
import nbformat

notebook = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": sys.argv[2]}}).execute()
shown = [output.get("data", {}) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
tables = [data["text/html"] for data in shown if "text/html" in data]
slopes = [data["text/plain"] for data in shown if "'spot'" in data.get("text/plain", "")]
pictures = [data for data in shown if "image/png" in data]
if not (tables and "5.63" in tables[0] and slopes and pictures):
    sys.exit(f"first_steps.ipynb has {len(tables)} tables, {len(slopes)} gradients, {len(pictures)} pictures: {shown}")
