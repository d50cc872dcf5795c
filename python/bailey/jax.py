# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Prices as functions that JAX differentiates, compiles and maps: bailey.jax.price."""
from __future__ import annotations

import typing

import jax
import jax.numpy
import numpy

from ._fields import documented
from ._library import refuse
from ._node import check_options, check_parameters, evaluate
from ._simulation import Simulation
from ._types import GradientOptions
from ._typing import Unpack

__all__ = ["price"]


def _function(simulation: Simulation, paths: int, options: typing.Any) -> typing.Any:
    """A function of a dict of arrays. JAX calls back with arrays of NumPy or JAX, from any thread."""

    def shapes(values: typing.Any) -> typing.Any:
        kind = jax.numpy.result_type(float, *values.values())
        struct: typing.Any = jax.ShapeDtypeStruct
        return struct((), kind), {name: struct(v.shape, v.dtype) for name, v in values.items()}

    def plain(values: typing.Any) -> typing.Any:
        kind = shapes(values)[0].dtype
        return numpy.asarray(evaluate(simulation, paths, values, (), options)[0], kind)

    def both(values: typing.Any) -> typing.Any:
        kind, parts = shapes(values)
        found, slopes = evaluate(simulation, paths, values, tuple(values), options)
        return numpy.asarray(found, kind.dtype), {n: numpy.asarray(slopes[n], p.dtype) for n, p in parts.items()}

    @jax.custom_vjp  # type: ignore[misc, untyped-decorator, unused-ignore]
    def run(values: typing.Any) -> typing.Any:
        return jax.pure_callback(plain, shapes(values)[0], values, vmap_method="sequential")

    def forward(values: typing.Any) -> typing.Any:
        return jax.pure_callback(both, shapes(values), values, vmap_method="sequential")

    def backward(slopes: typing.Any, bar: typing.Any) -> typing.Any:
        return ({name: (bar * slope).astype(slope.dtype) for name, slope in slopes.items()},)

    run.defvjp(forward, backward)
    return run


@documented("simulation_run_params", "gradient_params")
def price(simulation: Simulation, paths: int = 0, parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None,
          **options: Unpack[GradientOptions]) -> typing.Any:
    """The price of a simulation as an array of no dimensions that depends on the arrays in `parameters`, a dict of names:
    jax.grad has their derivatives, from the run that gives the price (docs/gradients.md), also under jit and vmap. The
    arrays become the simulation's parameters; others stay as they are set. With `expected`, it is the price with control
    variates. It is differentiable once, in reverse mode."""
    given = {name: jax.numpy.asarray(value, jax.numpy.result_type(float, value)) for name, value in (parameters or {}).items()}
    check_parameters(simulation, given)
    check_options(options)
    if options.get("seed") is None and options.get("source") is None:
        refuse("seed", "neither seed nor source is given; JAX needs a function of the parameters alone")
    return _function(simulation, paths, options)(given)
