# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Numbers and prices as operators of PyTorch, which torch.compile and autograd know: bailey.torch.normals, Price and price.
On a CUDA device they work in the caller's stream."""
from __future__ import annotations

import typing

import torch

from ._fields import documented
from ._library import refuse
from ._node import check_options, check_parameters, evaluate
from ._numbers import normals as _draw
from ._operators import EXIST, Known, operator
from ._simulation import Simulation
from ._source import Source
from ._types import GradientOptions
from ._typing import Unpack
from ._values import integer

__all__ = ["Price", "normals", "price"]

Tensors = typing.List[torch.Tensor]

if not EXIST:
    raise ImportError(f"bailey.torch needs PyTorch 2.4 or later; this is {torch.__version__}")


# ---- Numbers


def _make_normals(size: typing.Sequence[int], seed: int, first: int, stream: int, generator: str, dtype: torch.dtype,
                  device: typing.Optional[torch.device]) -> torch.Tensor:
    out = torch.empty(size, dtype=dtype, device=device)
    source = Source(seed=seed % (1 << 64), stream=stream % (1 << 64), generator=generator)
    _draw(out=out, source=source, first=first, device=None if out.is_cuda else "cpu")
    return out


def _like_normals(size: typing.Any, seed: typing.Any, first: typing.Any, stream: typing.Any, generator: typing.Any,
                  dtype: typing.Any, device: typing.Any) -> torch.Tensor:
    return torch.empty(size, dtype=dtype, device=device)


_normals = operator("normals", _make_normals, _like_normals, size=typing.Sequence[int], seed=int, first=int, stream=int,
                    generator=str, dtype=torch.dtype, device=typing.Optional[torch.device], result=torch.Tensor)


def _word(value: int) -> int:
    """64 bits as PyTorch has them, with a sign."""
    return value if value < 1 << 63 else value - (1 << 64)


def normals(*size: typing.Any, seed: int, first: int = 0, stream: int = 0, generator: str = "philox",
            dtype: typing.Any = None, device: typing.Any = None) -> torch.Tensor:
    """Standard normals with the bits of bailey.normals, as a tensor of a type and on a device of PyTorch. torch.compile takes
    it into its graphs, where sizes, `seed` and `first` may change without compiling again."""
    extents = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    kind = torch.get_default_dtype() if dtype is None else dtype
    if not kind.is_floating_point:
        refuse("dtype", f"dtype is {kind}, not a real type")
    for name, value in (("seed", seed), ("stream", stream)):
        if not 0 <= value < 1 << 64:
            refuse(name, f"{name} is {value}, outside 0 .. 2^64 - 1")
    if first < 0:
        refuse("first", f"first is {first}, below 0")
    place = None if device is None else torch.device(device)
    made: torch.Tensor = _normals(list(extents), _word(seed), first, _word(stream), generator, kind, place)
    return made


# ---- Prices

_prices: Known[Price] = Known("simulation", "bailey.torch.Price")


def _make_price(values: Tensors, which: str, names: str, by: str) -> Tensors:
    """The price, and the derivatives by the parameters `by`."""
    node, all_, needed = _prices.of(which), names.split(), by.split()
    arrays = {name: value.detach().cpu().double().numpy() for name, value in zip(all_, values)}
    found, slopes = evaluate(node._simulation, node._paths, arrays, needed, node._options)
    tensors = dict(zip(all_, values))
    like = tensors[needed[0]] if needed else values[0]
    return [torch.tensor(found, dtype=like.dtype, device=like.device),
            *(torch.as_tensor(slopes[name]).to(tensors[name]).clone() for name in needed)]


def _like_price(values: typing.Any, which: typing.Any, names: str, by: str) -> Tensors:
    tensors, needed = dict(zip(names.split(), values)), by.split()
    like = tensors[needed[0]] if needed else values[0]
    return [like.new_empty(()), *(torch.empty_like(tensors[name]) for name in needed)]


def _keep(ctx: typing.Any, inputs: typing.Any, output: typing.Any) -> None:
    values, _, names, by = inputs
    ctx.names, ctx.by, ctx.count = names.split(), by.split(), len(values)
    ctx.save_for_backward(*output[1:])
    ctx.set_materialize_grads(False)


def _backward(ctx: typing.Any, bars: typing.Any) -> typing.Any:
    if any(bar is not None for bar in bars[1:]):
        raise NotImplementedError("a price of bailey.torch is differentiable once; for second derivatives there is "
                                  "Simulation.greeks")
    slopes = dict(zip(ctx.by, ctx.saved_tensors))
    return [bars[0].to(slopes[name]) * slopes[name] if name in slopes else None for name in ctx.names], None, None, None


_price = operator("price", _make_price, _like_price, values=Tensors, which=str, names=str, by=str, result=Tensors)
_price.register_autograd(_backward, setup_context=_keep)


def _check_place(name: str, tensor: torch.Tensor, copy: bool) -> None:
    """Refuses a parameter that is not on the host, where parameters are read, unless it may be copied there."""
    kind = tensor.device.type
    if kind == "meta":
        refuse(name, f"{name} is on the device meta and has no numbers")
    if kind != "cpu" and not copy:
        refuse(name, f"{name} is on {tensor.device}, and parameters are read on the host: copy=True copies it there, "
                     f"and its derivatives back")


@documented("simulation_run_params", "gradient_params")
class Price:
    """The price of a simulation as a function of tensors: Price(option, 1 << 16, seed=1)(spot=spot, volatility=v) is a tensor
    of no dimensions, whose backward has the derivatives by these parameters from the run that gave the price. torch.compile
    takes a call into its graph if the object is made outside of it. Tensors on other devices than the host need `copy=True`."""

    def __init__(self, simulation: Simulation, paths: int = 0, *, copy: bool = False, **options: Unpack[GradientOptions]) -> None:
        check_options(options)
        self._copy = copy
        self._simulation, self._paths, self._options = simulation, integer(paths, "paths"), options
        self._known = frozenset(p.name for p in simulation.description.parameters if p.type == "float")
        self._which = _prices.add(self)

    def __call__(self, **parameters: typing.Any) -> torch.Tensor:
        """The price. The tensors become the simulation's parameters; others stay as they are set."""
        if not parameters or not self._known.issuperset(parameters):
            check_parameters(self._simulation, parameters)
        tensors = [value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=torch.float64)
                   for value in parameters.values()]
        for name, tensor in zip(parameters, tensors):
            _check_place(name, tensor, self._copy)
        by = [name for name, tensor in zip(parameters, tensors) if torch.is_grad_enabled() and tensor.requires_grad]
        made: typing.Any = _price(tensors, self._which, " ".join(parameters), " ".join(by))
        return typing.cast(torch.Tensor, made[0])


@documented("simulation_run_params", "gradient_params")
def price(simulation: Simulation, paths: int = 0, parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None,
          *, copy: bool = False, **options: Unpack[GradientOptions]) -> torch.Tensor:
    """The price of a simulation as a tensor of no dimensions that depends on the tensors in `parameters`, a dict of names:
    its backward has their derivatives, from the run that gave the price (docs/gradients.md). The tensors become the
    simulation's parameters; others stay as they are set. With `expected`, it is the price with control variates. The type
    and device are those of the first tensor that requires grad. It is differentiable once. Parameters are read on the host:
    tensors on a CUDA device are refused unless `copy` is True, and then their derivatives are copied back."""
    return Price(simulation, paths, copy=copy, **options)(**(parameters or {}))
