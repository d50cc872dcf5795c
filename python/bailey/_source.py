# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Where numbers come from: a generator, its seed and one of its streams; and the bit generator by which
numpy.random.Generator draws from it."""
from __future__ import annotations

import dataclasses
import importlib
import operator
import secrets
import typing

import numpy

from ._bit_generator import WordState
from ._fields import documented
from ._library import check, ffi, lib, refuse, warn
from ._types import SourceFields, SourceOptions
from ._typing import Unpack
from ._values import fill, integer

_KINDS = ("counter", "run", "point")


@documented("source")
@dataclasses.dataclass(frozen=True)
class Source(SourceFields):
    """A sequence of random words, defined by a seed, one of its streams, and a generator (one of bailey.generators()).
    Making a source costs nothing. Without a seed it draws one from the system's entropy, of 64 bits if the generator
    takes as many; `seed` then shows it."""

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
        """As a bailey_source, which must not be changed."""
        made = vars(self).get("_c")
        if made is None:
            made = fill(ffi.new("bailey_source *"), "source", vars(self), [])
            vars(self)["_c"] = made
        return made

    def __getstate__(self) -> typing.Dict[str, typing.Any]:
        return {name: value for name, value in vars(self).items() if name != "_c"}

    def replace(self, **changes: typing.Any) -> Source:
        """A copy with other values of some fields."""
        return dataclasses.replace(self, **changes)

    @property
    def kind(self) -> str:
        """How words are generated: "counter" (any word at once), "run" (one after the other) or "point"."""
        kind = ffi.new("bailey_source_kind *")
        check(lib.bailey_source_check(self.to_c(), kind))
        return _KINDS[kind[0]]

    def split(self, first: int, count: int, parts: int, part: int) -> typing.Tuple[int, int]:
        """Divides elements first .. first + count - 1 among `parts` processes; returns (first, count) for process
        `part`."""
        found = ffi.new("uint64_t[2]")
        check(lib.bailey_source_split(self.to_c(), integer(first, "first"), integer(count, "count"), integer(parts, "parts"),
                                      integer(part, "part"), found, found + 1))
        return int(found[0]), int(found[1])

    def bit_generator(self, first: int = 0) -> BitGenerator:
        """A bit generator for numpy.random.Generator, which begins at word `first`."""
        return BitGenerator(self, first)


@documented("source")
def sobol(seed: typing.Optional[int] = None, stream: int = 0, **options: Unpack[SourceOptions]) -> Source:
    """Sobol points, scrambled unless `scramble` is "none"."""
    return Source(seed=typing.cast(int, seed), stream=stream, generator="sobol", **options)


def generators() -> typing.Dict[str, str]:
    """The generators, each with a verdict on its quality: sound, linear, weak or points."""
    found = {}
    for number in range(256):
        name = lib.bailey_generator_name(number)
        if name != ffi.NULL:
            found[ffi.string(name).decode()] = ffi.string(lib.bailey_generator_verdict(number)).decode()
    return found


def check_seeded(options: typing.Mapping[str, typing.Any]) -> None:
    """Refuses a checkpoint of a run whose seed the same call would not draw again."""
    if options.get("checkpoint") is not None and all(options.get(name) is None for name in ("seed", "source", "rng")):
        refuse("seed", "a run with a checkpoint needs a seed or source: without one the next call would draw another")


def seed_of(rng: typing.Any) -> int:
    """The seed that an argument `rng` gives: an integer is one, and whatever else numpy.random.default_rng takes draws
    one."""
    if isinstance(rng, (int, numpy.integer)) and not isinstance(rng, bool):
        return integer(rng, "rng")
    if isinstance(rng, numpy.random.RandomState):
        return int(rng.randint(0, 2**64, dtype=numpy.uint64))
    try:
        generator = numpy.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        refuse("rng", f"rng is {rng!r}: {error}")
    return int(generator.integers(0, 2**64, dtype=numpy.uint64))


def source_of(source: typing.Optional[Source], seed: typing.Optional[int], rng: typing.Any = None) -> Source:
    """The source of the arguments `source`, `seed` and `rng`, of which one at most is given."""
    if rng is not None:
        if seed is not None or source is not None:
            refuse("rng", f"rng and {'source' if seed is None else 'seed'} are both given; each says what to draw from")
        return Source(seed=seed_of(rng))
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


# ---- For NumPy


def _of_seeds(seeds: typing.Any, like: Source) -> Source:
    """The source of a sequence of seeds, else like another one."""
    seed, stream = (int(n) for n in seeds.generate_state(2, numpy.uint64))
    return like.replace(seed=seed, stream=stream if like.sequence == "runs" else 0)


def _restore(made: typing.Tuple[Source, typing.Any]) -> BitGenerator:
    """Makes what pickles then set the state of."""
    return BitGenerator(made[0], _seeds=made[1])


_ANY = Source()


class BitGenerator(numpy.random.BitGenerator):
    """numpy.random.Generator(source.bit_generator()) draws from the source: 64-bit number i consists of words 2i and 2i
    + 1, the lower half first. Sobol points are not supported.

    source  a bailey.Source; or what NumPy's bit generators take as a seed (None, an integer, several, a
            SeedSequence), from which come the seed and the stream of a Philox source
    first   the first word, which is even

    Threads with separate bit generators run in parallel; calls on a shared one run one after the other. Copies and
    pickles continue at its position. Drawing more numbers than a stream has is an error.
    """

    def __init__(self, source: typing.Any = None, first: int = 0, *, _seeds: typing.Any = None) -> None:
        if isinstance(source, Source):
            seeds = _seeds or numpy.random.SeedSequence(source.seed, spawn_key=(source.stream,))
        else:
            plain = not hasattr(source, "generate_state")
            seeds = numpy.random.SeedSequence(source) if plain else source
            source = _of_seeds(seeds, _ANY)
        super().__init__(seeds)
        self._seeds = seeds
        self._words = WordState()
        self._go_to(source, integer(first, "first"))
        self._words.serve(self.capsule)

    def _go_to(self, source: Source, place: int, has_half: int = 0, half: int = 0) -> None:
        """Word `place` of a source is the next."""
        if place != 1 << 64 and integer(place, "place") % 2:
            refuse("first", f"first is {place}; it must be even, as a number is two words")
        if source.kind == "point":
            refuse("source", "source is of points, which are not a sequence of words")
        made = source.to_c()
        check(lib.bailey_source_check(made, ffi.NULL))
        with self.lock:
            self._words.go_to(made, place, has_half, half)
            self._source = source

    def close(self) -> None:
        """Frees its memory; its state can still be read. Drawing from it afterwards is a ValueError."""
        if self._words.is_open:
            with self.lock:
                self._words.close()

    def __enter__(self) -> BitGenerator:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def state(self) -> typing.Dict[str, typing.Any]:
        """The source, the index of its next word, and the unused half of a number after a draw of 32 bits, as a dict of
        numbers and strings. It can be set."""
        with self.lock:
            has_half, half = self._words.half
            return dict(bit_generator=type(self).__name__, state=dict(source=dataclasses.asdict(self._source),
                                                                      place=self._words.place),
                        has_uint32=has_half, uinteger=half)

    @state.setter
    def state(self, value: typing.Mapping[str, typing.Any]) -> None:
        if not isinstance(value, dict):
            raise TypeError(f"state is a {type(value).__name__}, not a dict")
        if value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state is of a {value.get('bit_generator')}, not of a {type(self).__name__}")
        inner = value["state"]
        self._go_to(Source(**inner["source"]), inner["place"], int(value["has_uint32"]), int(value["uinteger"]))

    def __getstate__(self) -> typing.Dict[str, typing.Any]:
        return self.state

    def __setstate__(self, value: typing.Dict[str, typing.Any]) -> None:
        self.state = value

    def __reduce__(self) -> typing.Any:
        return _restore, ((self._source, self._seeds),), self.state

    def __repr__(self) -> str:
        return f"<bailey.BitGenerator: {self._source!r}, word {self._words.place}>"

    @property
    def source(self) -> Source:
        """The source that its numbers come from."""
        return self._source

    @property
    def seed_seq(self) -> typing.Any:
        """The SeedSequence behind its seed; for a bailey.Source, one with its seed as entropy and its stream as
        spawn_key, from which `spawn` derives its sources."""
        return self._seeds

    def spawn(self, n_children: int) -> typing.List[BitGenerator]:
        """Bit generators of the same kind, with seeds and streams from seed_seq.spawn. Each call returns new ones."""
        return [BitGenerator(_of_seeds(child, self._source), _seeds=child) for child in self._seeds.spawn(n_children)]

    def advance(self, delta: int) -> BitGenerator:
        """Skips `delta` numbers of 64 bits, backwards if negative. The 2^63 numbers of a stream are followed by those
        of the next stream, and preceded by those of the previous one. Returns the bit generator."""
        source, place = self._moved(2 * operator.index(delta))
        self._go_to(source, place)
        return self

    def jumped(self, jumps: int = 1) -> BitGenerator:
        """A new bit generator at the same index of stream + jumps; each stream is 2^63 numbers long."""
        source, place = self._moved(operator.index(jumps) << 64)
        return BitGenerator(source, place)

    def _moved(self, words: int) -> typing.Tuple[Source, int]:
        """The source and the place so many words from here."""
        with self.lock:
            to = (self._source.stream << 64) + self._words.place + words
        return self._source.replace(stream=(to >> 64) % 2**64), to % 2**64


if numpy.lib.NumpyVersion(numpy.__version__) < "1.24.0":  # where generators are copied and pickled by the name of this class
    importlib.import_module("numpy.random._pickle").BitGenerators["BitGenerator"] = BitGenerator
