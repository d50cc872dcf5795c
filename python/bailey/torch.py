# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Prices as nodes of PyTorch's graphs: bailey.torch.price."""
from __future__ import annotations

import typing

import torch

from ._fields import documented
from ._node import check_options, check_parameters, evaluate
from ._simulation import Simulation
from ._types import GradientOptions
from ._typing import Unpack

__all__ = ["price"]


class _Slope(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    """A derivative. That it depends on the parameters in turn is known, but not how."""

    @staticmethod
    def forward(ctx: typing.Any, slope: typing.Any, *tensors: typing.Any) -> typing.Any:
        return slope.clone()

    @staticmethod
    def backward(ctx: typing.Any, bar: typing.Any) -> typing.Any:
        raise NotImplementedError("a price of bailey.torch is differentiable once; for second derivatives there is "
                                  "Simulation.greeks")


class _Price(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    """One run gives the price and its derivatives, which backward multiplies."""

    @staticmethod
    def forward(ctx: typing.Any, simulation: Simulation, paths: int, options: typing.Any, names: typing.Tuple[str, ...],
                *tensors: typing.Any) -> typing.Any:
        ctx.needed = [name for name, needed in zip(names, ctx.needs_input_grad[4:]) if needed]
        values = {name: tensor.detach().cpu().double().numpy() for name, tensor in zip(names, tensors)}
        found, slopes = evaluate(simulation, paths, values, ctx.needed, options)
        ctx.names, ctx.slopes = names, slopes
        ctx.save_for_backward(*tensors)
        like = next((tensor for tensor, needed in zip(tensors, ctx.needs_input_grad[4:]) if needed), tensors[0])
        return torch.tensor(found, dtype=like.dtype, device=like.device)

    @staticmethod
    def backward(ctx: typing.Any, bar: typing.Any) -> typing.Any:
        tensors = ctx.saved_tensors
        found: typing.List[typing.Any] = [None] * len(tensors)
        for i, (name, tensor) in enumerate(zip(ctx.names, tensors)):
            if name in ctx.slopes:
                found[i] = bar.to(tensor) * _Slope.apply(torch.as_tensor(ctx.slopes[name]).to(tensor), *tensors)
        return (None, None, None, None, *found)


@documented("simulation_run_params", "gradient_params")
def price(simulation: Simulation, paths: int = 0, parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None,
          **options: Unpack[GradientOptions]) -> typing.Any:
    """The price of a simulation as a tensor of no dimensions that depends on the tensors in `parameters`, a dict of names:
    its backward has their derivatives, from the run that gave the price (docs/gradients.md). The tensors become the
    simulation's parameters; others stay as they are set. With `expected`, it is the price with control variates. The type
    and device are those of the first tensor that requires grad. It is differentiable once."""
    given = dict(parameters or {})
    check_parameters(simulation, given)
    check_options(options)
    tensors = [value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=torch.float64) for value in given.values()]
    return _Price.apply(simulation, paths, options, tuple(given), *tensors)
