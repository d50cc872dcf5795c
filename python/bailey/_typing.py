# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Names for annotations: Unpack and Required, which typing has since Python 3.11, so that typing.get_type_hints works
everywhere; and the types of arrays and of arguments that say an array's type."""
from __future__ import annotations

import typing

import numpy
import numpy.typing
from numpy.typing import ArrayLike

if typing.TYPE_CHECKING:
    from typing_extensions import Required, Unpack
else:

    class _Of:
        """What stands for a type of another one where no module has it."""

        def __class_getitem__(cls, what):
            return what

    try:
        from typing import Required, Unpack
    except ImportError:
        try:
            from typing_extensions import Required, Unpack
        except ImportError:
            Required = Unpack = _Of

__all__ = ["AnyArray", "ArrayLike", "Float32", "Float64", "Reals", "Reals32", "Reals64", "Required", "Ticks", "Unpack",
           "Words"]

Float32 = typing.Union[typing.Literal["float32", "f4"], typing.Type[numpy.float32], "numpy.dtype[numpy.float32]"]
Float64 = typing.Union[typing.Literal["float64", "f8"], typing.Type[numpy.float64], "numpy.dtype[numpy.float64]"]
Reals32 = numpy.typing.NDArray[numpy.float32]
Reals64 = numpy.typing.NDArray[numpy.float64]
Reals = numpy.typing.NDArray[numpy.floating[typing.Any]]
Ticks = numpy.typing.NDArray[numpy.uint64]
Words = numpy.typing.NDArray[numpy.uint32]
AnyArray = numpy.typing.NDArray[typing.Any]
