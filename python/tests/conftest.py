# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Helpers that the tests share."""
import importlib
import os

import pytest


@pytest.fixture
def needs():
    """needs(name) imports the module and returns it. Without it the test is skipped, or fails where BAILEY_TEST_REQUIRE
    names the module or, for `installed=True`, which scripts/test installs, "python"."""
    required = os.environ.get("BAILEY_TEST_REQUIRE", "").split(",")

    def find(name, installed=False):
        if name in required or installed and "python" in required:
            return importlib.import_module(name)
        return pytest.importorskip(name)

    return find
