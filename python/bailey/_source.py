# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Where numbers come from."""
import dataclasses

from ._library import check, choice, ffi, lib


@dataclasses.dataclass(frozen=True)
class Source:
    """A sequence of words that is a function of its fields: a seed, one of its streams, and a generator.

    `generator` is "philox", "philox7", "warp", "xorwow", "mrg32k3a", "mt19937", ..., or "sobol" for quasi-random
    points, whose scramble is "none", "shift", "linear" or "owen". Making a source costs nothing.
    """

    seed: int = 0
    stream: int = 0
    generator: str = "philox"
    sequence: str = "runs"
    warp_set: int = 0
    scramble: str = "none"
    point_order: str = "gray"
    word_bits: int = 0
    assignment: str = "steps"

    def to_c(self):
        generator = ffi.new("bailey_generator *")
        check(lib.bailey_generator_from_name(self.generator.encode(), generator))
        source = ffi.new("bailey_source *")
        source.seed, source.stream, source.generator = self.seed, self.stream, generator[0]
        source.sequence = choice("SEQUENCE", self.sequence, "sequence")
        source.warp_set = self.warp_set
        source.scramble = choice("SCRAMBLE", self.scramble, "scramble")
        source.point_order = choice("POINT_ORDER", self.point_order, "point_order")
        source.word_bits = self.word_bits
        source.assignment = choice("ASSIGNMENT", self.assignment, "assignment")
        return source

    def replace(self, **changes):
        """A copy with other values of some fields."""
        return dataclasses.replace(self, **changes)

    def bit_generator(self, first=0):
        """A bit generator for numpy.random.Generator, which begins at word `first`."""
        from ._bit_generator import BitGenerator

        return BitGenerator(self, first)


def sobol(seed=0, stream=0, scramble="owen", **fields):
    """Sobol points, scrambled unless `scramble` is "none"."""
    return Source(seed=seed, stream=stream, generator="sobol", scramble=scramble, **fields)


def source_of(source, seed):
    """The C source of the arguments `source` and `seed`, of which one at most is given."""
    if source is None:
        return Source(seed=0 if seed is None else seed).to_c()
    if seed is not None:
        raise ValueError("seed and source are both given; a source has its own seed")
    return source.to_c()
