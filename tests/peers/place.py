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


class Conditioned:
    """A bailey.BrownianTree that starts at w0 and, where w1 is given, ends there: as torchsde's BrownianInterval,
    BrownianPath and BrownianTree are made and called. The end is the textbook's bridge: what is missing to it is added
    in proportion to time."""

    def __init__(self, t0, t1, w0, like, levy_area_approximation, entropy=None, increment=None):
        import bailey

        self.t0, self.t1, self.w0, self.drift = float(t0), float(t1), w0, None
        self.tree = bailey.BrownianTree(self.t0, self.t1, like=like, entropy=entropy,
                                        levy_area_approximation=levy_area_approximation)
        if increment is not None:
            self.drift = (increment - self.tree(self.t0, self.t1)) / (self.t1 - self.t0)

    def __call__(self, ta, tb=None, return_U=False, return_A=False):
        begin, end = (self.t0, float(ta)) if tb is None else (float(ta), float(tb))
        found = self.tree(begin, end, return_U=return_U, return_A=return_A)
        parts = list(found) if isinstance(found, tuple) else [found]
        if self.drift is not None:
            for number, length in enumerate((end - begin, (end - begin) ** 2 / 2)[:len(parts)]):
                parts[number] = parts[number] + self.drift * length
        if tb is None and self.w0 is not None:
            parts[0] = parts[0] + self.w0
        return tuple(parts) if len(parts) > 1 else parts[0]


def interval(t0=0.0, t1=1.0, size=None, dtype=None, device=None, entropy=None, levy_area_approximation="none", W=None,
             tol=0.0, halfway_tree=False):
    import torch

    like = W if W is not None else torch.empty(size, dtype=dtype, device=device)
    return Conditioned(t0, t1, None, like, levy_area_approximation, entropy, W)


def tree(t0, w0, t1=None, w1=None, entropy=None, tol=1e-6, pool_size=24, cache_depth=9, safety=None):
    return Conditioned(t0, float(t0) + 1 if t1 is None else t1, w0, w0, "none", entropy,
                       None if w1 is None else w1 - w0)


def path(t0, w0, window_size=8):
    return Conditioned(t0, float(t0) + 1, w0, w0, "none")


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
        torchsde.BrownianInterval, torchsde.BrownianTree, torchsde.BrownianPath = interval, tree, path


def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        if module.__name__.startswith("numpy."):
            for_numpy(module)
        elif "brownian" in module.__name__:
            for_torchsde()


def pytest_runtest_logreport(report):
    name = report.nodeid.split("/")[-1].replace("scipy_engine.py::TestSobolEngine", "::TestSobol")
    if report.when == "call" or report.outcome != "passed":
        outcomes[name] = [report.outcome, str(getattr(report.longrepr, "reprcrash", None) or "")]


def pytest_sessionfinish():
    with open(os.environ["PEERS_OUTCOMES"], "w") as file:
        json.dump(outcomes, file)
