# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Where numbers come from."""
from __future__ import annotations

import dataclasses
import secrets
import typing

from ._fields import documented
from ._library import check, ffi, lib, refuse, warn
from ._types import SourceFields
from ._values import fill, whole

if typing.TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._bit_generator import BitGenerator
    from ._types import SourceOptions

_KINDS = ("counter", "run", "point")


@documented("source")
@dataclasses.dataclass(frozen=True)
class Source(SourceFields):
    """A sequence of words that is a function of its fields: a seed, one of its streams, and a generator, which is one of
    bailey.generators(). Making a source costs nothing. Without a seed it draws one from the system's entropy, 64 bits
    where the generator takes so many, which `seed` then shows."""

    seed: int = typing.cast(int, None)

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
        return fill(ffi.new("bailey_source *"), "source", vars(self), [])

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


@documented("source")
def sobol(seed: typing.Optional[int] = None, stream: int = 0, **options: Unpack[SourceOptions]) -> Source:
    """Sobol points, scrambled unless `scramble` is "none"."""
    return Source(seed=typing.cast(int, seed), stream=stream, generator="sobol", **options)


def generators() -> typing.Dict[str, str]:
    """The generators, and whether each is sound."""
    found = {}
    for number in range(256):
        name = lib.bailey_generator_name(number)
        if name != ffi.NULL:
            found[ffi.string(name).decode()] = ffi.string(lib.bailey_generator_verdict(number)).decode()
    return found


def check_seeded(options: typing.Mapping[str, typing.Any]) -> None:
    """Refuses a checkpoint of a run whose seed the same call would not draw again."""
    if options.get("checkpoint") is not None and options.get("seed") is None and options.get("source") is None:
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
        warn(ffi.string(text).decode())
