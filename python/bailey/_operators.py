# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Operators of PyTorch, which torch.compile takes into its graphs, and the objects that they work on."""
from __future__ import annotations

import itertools
import threading
import typing
import weakref

import torch

from ._library import refuse

EXIST = hasattr(torch.library, "register_autograd")  # since PyTorch 2.4

_One = typing.TypeVar("_One")


def operator(name: str, function: typing.Any, fake: typing.Any, **types: typing.Any) -> typing.Any:
    """An operator, by a function and one that makes tensors of the same kind without numbers. `types` are those of its
    arguments and, as `result`, of what it returns: annotations are text here, which PyTorch reads only in later versions."""
    function.__annotations__ = {"return": types.pop("result"), **types}
    made: typing.Any = torch.library.custom_op(f"bailey::{name}", function, mutates_args=())
    made.register_fake(fake)
    return made


class Known(typing.Generic[_One]):
    """Objects that graphs have as a number, as text. They live as long as someone else keeps them."""

    def __init__(self, argument: str, what: str) -> None:
        self._argument, self._what, self._next, self._lock = argument, what, itertools.count(), threading.Lock()
        self._objects: weakref.WeakValueDictionary[str, _One] = weakref.WeakValueDictionary()

    def add(self, one: _One) -> str:
        """Its number."""
        with self._lock:  # which Pythons without a global lock need
            which = str(next(self._next))
            self._objects[which] = one
        return which

    def of(self, which: str) -> _One:
        """The object of a number."""
        found = self._objects.get(which)
        if found is None:
            refuse(self._argument, f"the {self._what} number {which} of this graph is gone: keep it as long as the graph")
        return found
