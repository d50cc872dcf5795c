# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""What bailey.torch and bailey.jax share: a price, and its derivatives by the parameters that a framework asks for."""
from __future__ import annotations

import typing

import numpy

from ._fields import keywords
from ._gradient import Doubles
from ._library import refuse
from ._types import Estimate

Arrays = typing.Dict[str, Doubles]


def check_parameters(simulation: typing.Any, names: typing.Iterable[str]) -> None:
    """Refuses none, and what is not a real parameter."""
    known = [p.name for p in simulation.description.parameters if p.type == "float"]
    names = list(names)
    if not names:
        refuse("parameters", "no parameter is given; the price would depend on nothing")
    for name in names:
        if name not in known:
            refuse(name, f"{name} is not a real parameter of the payoff; these are {', '.join(known) or 'none'}")


def check_options(options: typing.Mapping[str, typing.Any]) -> None:
    """Refuses derivatives that no parameter takes."""
    for name in ("by", "by_covariance", "by_time", "directions"):
        if options.get(name):
            refuse(name, f"{name} is given; derivatives are with respect to the given parameters that need them")


def _value(estimates: typing.List[Estimate], options: typing.Mapping[str, typing.Any]) -> float:
    """The output that is differentiated, or the sum of all of them times the weights."""
    weights = options.get("weights")
    if weights is None:
        return estimates[int(options.get("output", 0))].controlled
    return sum(float(weight) * estimate.controlled for weight, estimate in zip(weights, estimates) if weight)


def evaluate(simulation: typing.Any, paths: int, values: typing.Mapping[str, typing.Any], by: typing.Sequence[str],
             options: typing.Mapping[str, typing.Any]) -> typing.Tuple[float, Arrays]:
    """The price at these values of the parameters, which the simulation keeps, and its derivatives. Both come from one run;
    with `expected`, control variates are used."""
    arrays = {name: numpy.asarray(value, numpy.float64) for name, value in values.items()}
    with simulation._lock:
        simulation.set(**arrays)
        if not by:
            plain = {name: value for name, value in options.items() if name not in keywords("gradient_params")}
            found = simulation.run(paths, **plain)
            return _value(found, options), {}
        gradient = simulation.gradient(paths, by=list(by), **options)
    slopes: typing.Dict[str, typing.List[float]] = {}
    for derivative in gradient.derivatives:
        slopes.setdefault(derivative.name, []).append(derivative.estimate.controlled)
    return _value(gradient.estimates, options), {
        name: numpy.array(slopes[name]).reshape(arrays[name].shape) for name in by}
