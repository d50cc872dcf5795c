# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""How often the tests of NumPy's that look at statistics fail with other seeds: as often with bailey as with PCG64."""
import math
import sys

import numpy
from bailey import BitGenerator
from numpy.random.tests import test_generator_mt19937 as theirs

SEEDS = 400


def failures(place, method):
    theirs.MT19937, suite, failed = place, theirs.TestRandomDist(), 0
    for seed in range(SEEDS):
        suite.seed = seed
        try:
            suite.test_multivariate_normal_basic_stats(method)
        except AssertionError:
            failed += 1
    return failed


peer, own = (failures(place, "svd") for place in (numpy.random.PCG64, BitGenerator))
print(f"test_multivariate_normal_basic_stats fails with {peer} of {SEEDS} seeds with PCG64, with {own} with bailey.")
sys.exit(own > peer + 4 * math.sqrt(peer + own))
