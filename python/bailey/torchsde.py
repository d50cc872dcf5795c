# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""torchsde's Brownian motions, with its names and arguments, drawn by bailey: bailey.torchsde.BrownianInterval and
BrownianTree. A query depends on the seed and its times alone: not on earlier queries, batches or devices.

    bm = bailey.torchsde.BrownianInterval(t0=0.0, t1=1.0, size=(batch, d), entropy=7)
    ys = torchsde.sdeint(sde, y0, ts, bm=bm)

It needs PyTorch. Where torchsde is installed, they are its BaseBrownian too. torch.compile takes a query into its graph, if the
object is made outside of it.
"""
from __future__ import annotations

import typing

import torch

from ._library import Unsupported, refuse, warn
from ._motion import BrownianTree as Tree
from ._operators import EXIST, Known, operator
from ._values import number

try:
    from torchsde import BaseBrownian as _Base
except ImportError:
    _Base = object

__all__ = ["BrownianInterval", "BrownianTree"]

Tensor = typing.Any
_AREAS = ("none", "space-time", "davie", "foster")


def _check_areas(name: str) -> None:
    if name not in _AREAS:
        refuse("levy_area_approximation", f"levy_area_approximation {name!r} is not one of {', '.join(_AREAS)}")
    if name in ("davie", "foster"):
        raise Unsupported(
            f"levy_area_approximation {name!r}: in torchsde, the Levy area A of an interval depends on where earlier queries "
            "have divided it, so that it is not a function of seed and times; 'space-time' is", "ERROR_UNSUPPORTED",
            "levy_area_approximation")


def _common(name: str, given: typing.Any, found: typing.Sequence[typing.Any], default: typing.Any) -> typing.Any:
    """The value that an argument and the given tensors agree on."""
    all_ = ([] if given is None else [given]) + list(found)
    if any(one != all_[0] for one in all_):
        refuse(name, f"{name} is {given}, and the given tensors have {', '.join(map(str, found))}")
    return all_[0] if all_ else default


_known: Known[_Brownian] = Known("bm", "Brownian motion")


def _ask(which: str, ta: Tensor, tb: typing.Optional[Tensor], return_U: bool) -> typing.List[Tensor]:
    return _known.of(which)._found(ta.item(), None if tb is None else tb.item(), return_U)


def _like(which: str, ta: Tensor, tb: typing.Optional[Tensor], return_U: bool) -> typing.List[Tensor]:
    bm = _known.of(which)
    return [torch.empty(bm.shape, dtype=bm.dtype, device=bm.device) for _ in range(1 + return_U)]


_query: typing.Any = None
if EXIST:
    _query = operator("query", _ask, _like, which=str, ta=torch.Tensor, tb=typing.Optional[torch.Tensor], return_U=bool,
                      result=typing.List[torch.Tensor])


class _Brownian(_Base):  # type: ignore[misc, valid-type, unused-ignore]
    """Increments of a tree, with the ends that are asked for: a start, and the increment W and the area H of the whole
    span. E[B(s) | W, H] = s/T W + 6 s/T (1 - s/T) H, so what is missing to them is added with these shares."""

    def __init__(self, t0: typing.Any, t1: typing.Any, size: typing.Any, dtype: typing.Any, device: typing.Any,
                 entropy: typing.Optional[int], levy_area_approximation: str, W: Tensor, H: Tensor, first_path: int) -> None:
        super().__init__()
        _check_areas(levy_area_approximation)
        given = [(name, tensor) for name, tensor in (("W", W), ("H", H)) if tensor is not None]
        for name, tensor in given:
            if not isinstance(tensor, torch.Tensor):
                refuse(name, f"{name} is of type {type(tensor).__name__}, not a tensor")
        shape = _common("size", None if size is None else torch.Size(size), [tensor.shape for _, tensor in given], None)
        if shape is None:
            refuse("size", "size, or a tensor W or H, is needed")
        if H is not None and levy_area_approximation == "none":
            refuse("H", "H is given, which needs levy_area_approximation='space-time'")
        self._dtype = _common("dtype", dtype, [tensor.dtype for _, tensor in given], torch.get_default_dtype())
        if not self._dtype.is_floating_point:
            refuse("dtype", f"dtype is {self._dtype}, not a real type")
        self._device = _common("device", None if device is None else torch.empty(0, device=device).device,
                               [tensor.device for _, tensor in given], torch.empty(0).device)
        wide = torch.float64 if self._dtype == torch.float64 else torch.float32  # others are rounded from these
        self._tree = Tree(float(number(t0, "t0", waits=True)), float(number(t1, "t1", waits=True)),
                          like=torch.empty(shape, dtype=wide, device=self._device), entropy=entropy,
                          levy_area_approximation=levy_area_approximation, first_path=first_path)
        self._shape, self._has_areas = torch.Size(shape), levy_area_approximation != "none"
        self._span = self._tree.t1 - self._tree.t0
        self._missing_w, self._missing_h = self._ends(W, H)
        self._start: Tensor = None
        self._which = _known.add(self)

    def _ends(self, W: Tensor, H: Tensor) -> typing.Tuple[Tensor, Tensor]:
        """The differences from the tree's increment and area over the whole span."""
        if W is None and H is None:
            return None, None
        t0, t1 = self._tree.t0, self._tree.t1
        w, h = self._tree(t0, t1, return_H=True) if self._has_areas else (self._tree(t0, t1), None)
        return None if W is None else W - w, None if H is None else H - h

    def _clamp(self, time: typing.Any, name: str) -> float:
        """A time of the span, as torchsde takes it."""
        value = float(number(time, name, waits=True))
        near = min(max(value, self._tree.t0), self._tree.t1)
        if value != value:
            refuse(name, f"{name} is {value}")
        if near != value:
            warn(f"{name} is {value!r}, and is replaced by {near!r}, where the span ends")
        return near

    def _increment(self, begin: float, end: float, return_U: bool) -> typing.Tuple[Tensor, Tensor]:
        """W between two times, and U if it is asked for."""
        found = self._tree(begin, end, return_U=return_U)
        w, u = found if return_U else (found, None)
        length, span = end - begin, self._span
        low, high = (begin - self._tree.t0) / span, (end - self._tree.t0) / span
        if self._missing_w is not None:
            w = w + self._missing_w * (length / span)
            u = None if u is None else u + self._missing_w * (length * length / (2 * span))
        if self._missing_h is not None:
            w = w + self._missing_h * (6 * (high * (1 - high) - low * (1 - low)))
            inside = (high**2 - low**2) / 2 - (high**3 - low**3) / 3 - low * (1 - low) * (high - low)
            u = None if u is None else u + self._missing_h * (6 * span * inside)
        return w, u

    def _query(self, ta: typing.Any, tb: typing.Any, return_U: bool, return_A: bool) -> typing.Any:
        if return_A:
            _check_areas("davie")
        if return_U and not self._has_areas:
            refuse("return_U", "return_U needs levy_area_approximation='space-time'")
        if _query is not None and torch.compiler.is_compiling() and not self._has_gradient:
            times = [None if t is None else torch.as_tensor(t, dtype=torch.float64) for t in (ta, tb)]
            found = _query(self._which, times[0], times[1], return_U)
        else:
            found = self._found(ta, tb, return_U)
        return tuple(found) if return_U else found[0]

    @property
    def _has_gradient(self) -> bool:
        """Whether autograd follows one of the given ends."""
        return any(end is not None and end.requires_grad for end in (self._start, self._missing_w, self._missing_h))

    def _found(self, ta: typing.Any, tb: typing.Any, return_U: bool) -> typing.List[Tensor]:
        begin, end = (self._tree.t0, self._clamp(ta, "ta")) if tb is None else (self._clamp(ta, "ta"), self._clamp(tb, "tb"))
        if begin > end:
            refuse("tb", f"ta is {begin} and tb is {end}; ta <= tb is needed")
        w, u = self._increment(begin, end, return_U)
        if tb is None and self._start is not None:
            w = w + self._start
        return [one.to(self._dtype) for one in ([w, u] if return_U else [w])]

    def __repr__(self) -> str:
        return (f"{type(self).__name__}(t0={self._tree.t0}, t1={self._tree.t1}, size={tuple(self._shape)}, "
                f"dtype={self._dtype}, device={self._device}, entropy={self.entropy})")

    @property
    def entropy(self) -> int:
        """The seed, drawn where none was given."""
        return self._tree.seed

    @property
    def levy_area_approximation(self) -> str:
        """Which areas there are: "none" or "space-time"."""
        return self._tree.levy_area_approximation

    @property
    def dtype(self) -> typing.Any:
        """The type of the increments."""
        return self._dtype

    @property
    def device(self) -> typing.Any:
        """The device of the increments."""
        return self._device

    @property
    def shape(self) -> typing.Any:
        """The shape of the increments."""
        return self._shape

    def size(self) -> typing.Any:
        """The shape of the increments."""
        return self._shape


class BrownianInterval(_Brownian):
    """torchsde.BrownianInterval, with its arguments. `bm(ta, tb)` is the increment W, with return_U=True also the integral
    U of W(s) - W(ta). Any times may be asked for in any order, and nothing is stored: tol, pool_size, cache_size, dt and
    halfway_tree are taken and change nothing, as times are ticks of 2^-32 of the span.

    t0, t1      the span
    size        the shape; or that of W or H
    dtype       of the increments; half types are rounded from single precision
    entropy     the seed; without one it is drawn, and `entropy` shows it
    levy_area_approximation   "none" or "space-time"; "davie" and "foster" are refused, as torchsde's A is not a function
                of seed and times
    W, H        the increment, and the space-time Levy area, of the whole span
    first_path  path of the first element (bailey.BrownianTree): sample b of a batch alone has b times its elements
    """

    def __init__(self, t0: typing.Any = 0.0, t1: typing.Any = 1.0, size: typing.Optional[typing.Sequence[int]] = None,
                 dtype: typing.Any = None, device: typing.Any = None, entropy: typing.Optional[int] = None, dt: typing.Any = None,
                 tol: float = 0.0, pool_size: int = 8, cache_size: typing.Optional[int] = 45, halfway_tree: bool = False,
                 levy_area_approximation: str = "none", W: Tensor = None, H: Tensor = None, *, first_path: int = 0) -> None:
        super().__init__(t0, t1, size, dtype, device, entropy, levy_area_approximation, W, H, first_path)

    def __call__(self, ta: typing.Any, tb: typing.Any = None, return_U: bool = False, return_A: bool = False) -> typing.Any:
        """W(tb) - W(ta), or W(ta) - W(t0) without tb; and U."""
        return self._query(ta, tb, return_U, return_A)


class BrownianTree(_Brownian):
    """torchsde.BrownianTree, with its arguments: `bm(t)` is W(t), which starts at w0 at t0 and, if w1 is given, is w1 at
    t1; `bm(ta, tb)` is an increment. tol, pool_size, cache_depth and safety are taken and change nothing."""

    def __init__(self, t0: typing.Any, w0: Tensor, t1: typing.Any = None, w1: Tensor = None,
                 entropy: typing.Optional[int] = None, tol: float = 1e-6, pool_size: int = 24, cache_depth: int = 9,
                 safety: typing.Optional[float] = None, *, first_path: int = 0) -> None:
        if not isinstance(w0, torch.Tensor):
            refuse("w0", f"w0 is of type {type(w0).__name__}, not a tensor")
        begin = float(number(t0, "t0", waits=True))
        super().__init__(begin, begin + 1 if t1 is None else t1, w0.shape, w0.dtype, w0.device, entropy, "none",
                         None if w1 is None else w1 - w0, None, first_path)
        self._start = w0

    def __call__(self, t: typing.Any, tb: typing.Any = None, return_U: bool = False, return_A: bool = False) -> typing.Any:
        """W(t), or W(tb) - W(t)."""
        return self._query(t, tb, return_U, return_A)
