# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Where numbers come from."""
from __future__ import annotations

import dataclasses
import typing

from ._library import check, choice, ffi, lib, refuse

if typing.TYPE_CHECKING:
    from ._bit_generator import BitGenerator

_KINDS = ("counter", "run", "point")
_WORDS = {"sequence": "SEQUENCE", "scramble": "SCRAMBLE", "point_order": "POINT_ORDER", "assignment": "ASSIGNMENT"}


@dataclasses.dataclass(frozen=True)
class Source:
    """A sequence of words that is a function of its fields: a seed, one of its streams, and a generator.

    `generator` is one of bailey.generators(): "philox", "warp", "mrg32k3a", ..., or "sobol" for quasi-random points,
    whose scramble is "none", "shift", "linear" or "owen". Making a source costs nothing.
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

    def to_c(self) -> typing.Any:
        """As a bailey_source."""
        source = ffi.new("bailey_source *")
        generator = ffi.new("bailey_generator *")
        check(lib.bailey_generator_from_name(str(self.generator).encode(), generator))
        source.generator = generator[0]
        for name in ("seed", "stream", "warp_set", "word_bits"):
            try:
                setattr(source, name, getattr(self, name))
            except (OverflowError, TypeError) as error:
                refuse(name, f"{name} is {getattr(self, name)!r}: {error}")
        for name, prefix in _WORDS.items():
            setattr(source, name, choice(prefix, getattr(self, name), name))
        return source

    def replace(self, **changes: typing.Any) -> Source:
        """A copy with other values of some fields."""
        return dataclasses.replace(self, **changes)

    @property
    def kind(self) -> str:
        """How it makes its words: "counter" (any word at once), "run" (one after the other) or "point"."""
        kind = ffi.new("bailey_source_kind *")
        check(lib.bailey_source_check(self.to_c(), kind))
        return _KINDS[kind[0]]

    def split(self, first: int, count: int, parts: int, part: int) -> typing.Tuple[int, int]:
        """Divides elements first .. first + count - 1 among `parts` processes: (first, count) of number `part`."""
        found = ffi.new("uint64_t[2]")
        check(lib.bailey_source_split(self.to_c(), first, count, parts, part, found, found + 1))
        return int(found[0]), int(found[1])

    def bit_generator(self, first: int = 0) -> BitGenerator:
        """A bit generator for numpy.random.Generator, which begins at word `first`."""
        from ._bit_generator import BitGenerator

        return BitGenerator(self, first)


def sobol(seed: int = 0, stream: int = 0, scramble: str = "owen", **fields: typing.Any) -> Source:
    """Sobol points, scrambled unless `scramble` is "none"."""
    return Source(seed=seed, stream=stream, generator="sobol", scramble=scramble, **fields)


def generators() -> typing.Dict[str, str]:
    """The generators, and whether each is sound."""
    found = {}
    for number in range(256):
        name = lib.bailey_generator_name(number)
        if name != ffi.NULL:
            found[ffi.string(name).decode()] = ffi.string(lib.bailey_generator_verdict(number)).decode()
    return found


def source_of(source: typing.Optional[Source], seed: typing.Optional[int]) -> typing.Any:
    """The C source of the arguments `source` and `seed`, of which one at most is given."""
    if source is None:
        return Source(seed=0 if seed is None else seed).to_c()
    if seed is not None:
        refuse("seed", "seed and source are both given; a source has its own seed")
    return source.to_c()
