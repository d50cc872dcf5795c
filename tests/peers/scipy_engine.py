# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""SciPy's generic tests of engines, of bailey.SobolEngine."""
import bailey
import numpy
import pytest

theirs = pytest.importorskip("scipy.stats.tests.test_qmc", reason="this SciPy comes without its tests")


class TestSobolEngine(theirs.QMCEngineTests):
    qmce = bailey.SobolEngine
    can_scramble = True
    # Joe and Kuo, in Gray-code order.
    unscramble_nd = numpy.array([[0, 0], [4, 4], [6, 2], [2, 6], [3, 3], [7, 7], [5, 1], [1, 5]]) / 8

    @property
    def scramble_nd(self):
        """What no table has: the library's points of the seed that the engine draws."""
        source = self.engine(d=2, scramble=True).source
        return bailey.points(8, 2, source=source, dtype="float64")
