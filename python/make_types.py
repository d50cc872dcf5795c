# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes _types.py: results as dataclasses, and keywords for type checkers, as the library describes its structs.

usage: make_types.py PACKAGE OUTPUT

PACKAGE is the folder of the package as it is built, with the library.
"""
import sys
import types

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
# By python/make_types.py.
"""The library's structs in Python: results, and keywords as type checkers see them."""
from __future__ import annotations

import dataclasses
import os
import typing
from typing import Any, ClassVar, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

from ._fields import Renamed
from ._results import Result, ResultList
from ._typing import ArrayLike, Required

if typing.TYPE_CHECKING:  # modules that import this one; the package enters them here in the end
    from ._lists import Estimates
    from ._progress import Argument
    from ._source import Source
    from ._values import Day
'''


def open_package(folder):
    """The module _fields of the package, whose __init__ wants what is written here."""
    package = sys.modules["bailey"] = types.ModuleType("bailey")
    package.__path__ = [folder]
    import bailey._fields

    return bailey._fields


def options(fields, name):
    """A TypedDict of keywords."""
    records, own = fields.OPTIONS[name]
    drawn = fields.DRAWN.items() if fields.draws(*records) else ()
    lines = [f"    {word}: {kind}" for word, kind in drawn if word not in own]
    for word, field in fields.keywords(*records).items():
        if word not in own:
            lines.append(f"    {word}: " + (f"Required[{field.annotation}]" if field.needed else field.annotation))
    summaries = " ".join(fields.summary(record) for record in records)
    return f'class {name}(TypedDict, total=False):\n    """{summaries}"""\n\n' + "\n".join(lines)


def words(fields, record):
    """The words for the choices of a record's fields, for functions that have them as arguments."""
    return "\n".join(f"{f.name.title()} = {f.annotation}" for f in fields.fields(record).values()
                     if f.type == fields.CHOICE and not f.is_apart)


def result(fields, record):
    """A frozen dataclass."""
    found = fields.attributes(record)
    about = fields.listed({name: text for name, (_, text) in found.items()})
    lines = [f"    {name}: {kind}" for name, (kind, _) in found.items()]
    return (f'@dataclasses.dataclass(frozen=True, eq=False)\nclass {fields.class_name(record)}(Result):\n'
            f'    """{fields.summary(record)}\n\n{about}\n    """\n\n'
            f'    record: ClassVar[str] = "{record}"\n\n' + "\n".join(lines))


def one_estimate(fields):
    """The attributes of an estimate, for a list that may hold a single one."""
    found = "\n\n".join(f'    @property\n    def {name}(self) -> {kind}:\n        """{about[:1].upper() + about[1:]}."""\n'
                        f"        return self._one().{name}" for name, (kind, about) in fields.attributes("estimate").items())
    return ('class OneEstimate(Renamed):\n    """The attributes of the only estimate of a run."""\n\n'
            '    def _one(self) -> Estimate:\n        raise NotImplementedError\n\n' + found)


def source(fields):
    """The fields of a Source, with their defaults: 0 stands for one that is said in words."""
    lines = [f"    {f.name}: " + (f"str = {f.default!r}" if f.type == fields.CHOICE else "int = 0")
             for f in fields.fields("source").values()]
    return ('@dataclasses.dataclass(frozen=True)\nclass SourceFields:\n'
            f'    """{fields.summary("source")}"""\n\n' + "\n".join(lines))


def main(package, output):
    fields = open_package(package)
    parts = [HEAD.strip("\n"), words(fields, "bridge_params"), source(fields)]
    parts += [result(fields, record) for record in fields.RESULTS] + [one_estimate(fields)]
    parts += [options(fields, name) for name in fields.OPTIONS]
    with open(output, "w") as file:
        file.write("\n\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
