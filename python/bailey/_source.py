# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Where numbers come from."""
from __future__ import annotations

import dataclasses
import os
import secrets
import sys
import typing
import warnings

from ._library import check, choice, ffi, lib, refuse, set_fields, whole

if typing.TYPE_CHECKING:
    from ._bit_generator import BitGenerator

_KINDS = ("counter", "run", "point")
_WORDS = {"sequence": "SEQUENCE", "scramble": "SCRAMBLE", "point_order": "POINT_ORDER", "assignment": "ASSIGNMENT"}


@dataclasses.dataclass(frozen=True)
class Source:
    """A sequence of words that is a function of its fields: a seed, one of its streams, and a generator.

    `generator` is one of bailey.generators(): "philox", "warp", "mrg32k3a", ..., or "sobol" for quasi-random points,
    whose scramble is "none", "shift", "lms" or "owen". Making a source costs nothing. Without a seed it draws one from
    the system's entropy, 64 bits where the generator takes so many, which `seed` then shows.
    """

    seed: int = typing.cast(int, None)
    stream: int = 0
    generator: str = "philox"
    sequence: str = "runs"
    warp_set: int = 0
    scramble: str = "none"
    point_order: str = "gray"
    word_bits: int = 0
    assignment: str = "steps"

    def __post_init__(self) -> None:
        if self.seed is None:
            object.__setattr__(self, "seed", self._fresh())

    def _fresh(self) -> int:
        """A seed from the system's entropy, of as many bits as the generator takes."""
        if self.generator == "sobol" and self.scramble == "none":
            return 0  # nothing is random
        if self.sequence != "published":
            return secrets.randbits(64)
        for bits in (64, 32):
            seed = secrets.randbits(bits)
            if lib.bailey_source_check(self.replace(seed=seed).to_c(), ffi.new("bailey_source_kind *")) == lib.BAILEY_OK:
                return seed
        return 0

    def to_c(self) -> typing.Any:
        """As a bailey_source."""
        source = ffi.new("bailey_source *")
        generator = ffi.new("bailey_generator *")
        check(lib.bailey_generator_from_name(str(self.generator).encode(), generator))
        source.generator = generator[0]
        set_fields(source, seed=self.seed, stream=self.stream, warp_set=self.warp_set, word_bits=self.word_bits)
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
        check(lib.bailey_source_split(self.to_c(), whole(first, "first"), whole(count, "count"), whole(parts, "parts"),
                                      whole(part, "part"), found, found + 1))
        return int(found[0]), int(found[1])

    def bit_generator(self, first: int = 0) -> BitGenerator:
        """A bit generator for numpy.random.Generator, which begins at word `first`."""
        from ._bit_generator import BitGenerator

        return BitGenerator(self, first)


def sobol(seed: typing.Optional[int] = None, stream: int = 0, scramble: str = "owen", **fields: typing.Any) -> Source:
    """Sobol points, scrambled unless `scramble` is "none"."""
    return Source(seed=typing.cast(int, seed), stream=stream, generator="sobol", scramble=scramble, **fields)


def generators() -> typing.Dict[str, str]:
    """The generators, and whether each is sound."""
    found = {}
    for number in range(256):
        name = lib.bailey_generator_name(number)
        if name != ffi.NULL:
            found[ffi.string(name).decode()] = ffi.string(lib.bailey_generator_verdict(number)).decode()
    return found


def check_seeded(checkpoint: typing.Any, options: typing.Mapping[str, typing.Any]) -> None:
    """Refuses a checkpoint of a run whose seed the same call would not draw again."""
    if checkpoint is not None and options.get("seed") is None and options.get("source") is None:
        refuse("seed", "a run with a checkpoint needs a seed or source: without one the next call would draw another")


def source_of(source: typing.Optional[Source], seed: typing.Optional[int]) -> Source:
    """The source of the arguments `source` and `seed`, of which one at most is given."""
    if source is None:
        return Source(seed=typing.cast(int, seed))
    if seed is not None:
        refuse("seed", "seed and source are both given; a source has its own seed")
    if not isinstance(source, Source):
        refuse("source", f"source is {source!r}, not a bailey.Source")
    return source


def warn_of_balance(source: typing.Any, first: int, count: int) -> None:
    """Warns the caller of the package if points first .. first + count - 1 of a bailey_source are not balanced."""
    text = ffi.new("char[400]")
    if lib.bailey_points_advice(source, first, count, text, 400):
        frame, level, here = sys._getframe(), 1, os.path.dirname(__file__)
        while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == here:
            frame, level = frame.f_back, level + 1
        warnings.warn(ffi.string(text).decode(), UserWarning, stacklevel=level)
