# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Sobol points as an engine of scipy.stats.qmc. Imported when bailey.SobolEngine is first asked for: it needs SciPy."""
from __future__ import annotations

import inspect
import typing

import numpy
from scipy.stats.qmc import QMCEngine

from ._fields import documented
from ._library import refuse
from ._numbers import plain_points
from ._source import Source, sobol, warn_of_balance
from ._values import integer

_SEEDED = "rng" if "rng" in inspect.signature(QMCEngine.__init__).parameters else "seed"  # SciPy 1.15 has rng


@documented("source")
class SobolEngine(QMCEngine):  # type: ignore[misc, unused-ignore]
    """An engine of scipy.stats.qmc whose points are bailey.points(..., dtype="float64"): the same bits on every device,
    any number of dimensions (the first 21,201 have their own direction numbers), and any point at once, so that
    fast_forward costs nothing.

    d             dimensions
    scramble      True or "lms", "owen", "shift"; False or "none"
    rng           or `seed`: an integer below 2^64 is the seed of bailey.sobol; whatever else numpy.random.default_rng
                  takes, or a Generator or RandomState, gives one. Without either it is drawn; `source` shows it
    optimization  as SciPy's engines take it: None, "random-cd" or "lloyd"

    Coordinates lie in the middle of their cell, so that none is 0 or 1: the first unscrambled point is 2^-33, not 0.
    """

    def __init__(self, d: int, *, scramble: typing.Union[bool, str] = True, word_bits: typing.Literal[32, 64] = 32,
                 rng: typing.Any = None, seed: typing.Any = None, optimization: typing.Any = None,
                 device: typing.Any = None) -> None:
        if rng is not None and seed is not None:
            refuse("seed", "seed and rng are both given; they are two words for one thing")
        given = seed if rng is None else rng
        if isinstance(given, numpy.random.RandomState):
            given = numpy.random.default_rng(given.randint(0, 2**32, 4, numpy.uint64))
        super().__init__(d=d, optimization=optimization, **{_SEEDED: numpy.random.default_rng(given)})
        how: typing.Any = dict(scramble=scramble) if isinstance(scramble, str) else {} if scramble else dict(scramble="none")
        self.source: Source = sobol(self._seed(given), word_bits=word_bits, **how)
        self.scramble, self.word_bits, self._device = scramble, word_bits, device
        # Of replicates in scipy.integrate.qmc_quad, which only scrambled points can have.
        self._init_quad = dict(d=d, scramble=scramble if scramble and scramble != "none" else True, word_bits=word_bits,
                               optimization=optimization, device=device)

    def _seed(self, given: typing.Any) -> int:
        if isinstance(given, (int, numpy.integer)) and 0 <= given < 1 << 64:
            return int(given)
        return int(self.rng.integers(0, 2**64, dtype=numpy.uint64))

    def _random(self, n: typing.Any = 1, *, workers: typing.Any = 1) -> typing.Any:
        count = int(integer(n, "n"))
        if self.d == 0 or count == 0:
            return numpy.empty((count, self.d))
        if self.num_generated == 0:  # of those that follow, the caller knows
            warn_of_balance(self.source.to_c(), 0, count)
        return plain_points(count, int(self.d), self.source, {}, int(self.num_generated), "float64", self._device)

    def random_base2(self, m: typing.Any) -> typing.Any:
        """The next 2^m points, which are balanced if as many, or a multiple, have been drawn before."""
        count = 1 << integer(m, "m")
        if self.num_generated % count:
            refuse("m", f"m is {m}: {count} points are balanced after a multiple of as many, not after {self.num_generated}")
        return self.random(count)

    def fast_forward(self, n: typing.Any) -> SobolEngine:
        """Passes over n points."""
        self.num_generated += integer(n, "n")
        return self
