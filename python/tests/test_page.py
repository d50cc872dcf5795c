# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""docs/python.md: its blocks run one after the other and print what it says, and its links lead somewhere."""
import importlib.util
import os
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "python.md"


def has_cuda():
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def test_blocks(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # the page makes a checkpoint
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 13
    names = {}
    for number, (block, printed) in enumerate(blocks):
        if "torch" in block and not has_cuda() or "import jax" in block and not importlib.util.find_spec("jax"):
            continue
        file = tmp_path / f"block{number}.py"
        file.write_text(block)  # a payoff's source is read from its file
        exec(compile(block, file, "exec"), names)
        assert capsys.readouterr().out == printed
    assert names["long"].reached and os.path.exists("run.checkpoint")
    assert "STEPS" in names["Asian"].code


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", PAGE.read_text()))))
def test_links(link):
    assert (PAGE.parent / link).exists()
