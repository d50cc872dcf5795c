# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""A plugin of pytest that runs peers' own tests with bailey in their place, or with the peer, and writes what became of
each test. PEERS_PLACE is bailey or peer, PEERS_OUTCOMES a file."""
import json
import os

import numpy
import pytest

OURS = os.environ["PEERS_PLACE"] == "bailey"
outcomes = {}


def path(t0, w0, window_size=8):
    """torchsde's BrownianPath, whose span is open: a tree of one unit."""
    import bailey

    return bailey.torchsde.BrownianTree(t0, w0)


def for_numpy(module):
    """Their bit generator of the module, MT19937 or PCG64, is another one."""
    if OURS:
        from bailey import BitGenerator as place
    else:
        from numpy.random import PCG64 as place
    if module.__name__.endswith("test_generator_mt19937"):
        module.MT19937 = place
        module.random = numpy.random.Generator(place())
    elif module.__name__.endswith("test_smoke"):
        module.PCG64 = place


def for_torchsde(skip=pytest.skip):
    import torch
    import torchsde

    # What its tests need of older releases.
    pytest.skip = lambda reason="", msg="": skip(reason or msg)
    if not hasattr(torch.testing, "assert_allclose"):
        torch.testing.assert_allclose = torch.testing.assert_close
    if OURS:
        import bailey

        torchsde.BrownianInterval, torchsde.BrownianTree = bailey.torchsde.BrownianInterval, bailey.torchsde.BrownianTree
        torchsde.BrownianPath = path


def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        if module.__name__.startswith("numpy."):
            for_numpy(module)
        elif hasattr(module, "torchsde"):
            for_torchsde()


def pytest_runtest_logreport(report):
    name = report.nodeid.split("/")[-1].replace("scipy_engine.py::TestSobolEngine", "::TestSobol")
    if report.when == "call" or report.outcome != "passed":
        outcomes[name] = [report.outcome, str(getattr(report.longrepr, "reprcrash", None) or "")]


def pytest_sessionfinish():
    with open(os.environ["PEERS_OUTCOMES"], "w") as file:
        json.dump(outcomes, file)
