# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Numbers, paths and prices in programs of JAX: bailey.jax.normals, points, paths, simulate and price. They are functions of
only their arguments, compiled and mapped like JAX's own, and fill JAX's arrays where those are, on the host or on a CUDA
device; `seed` and the number of the first element may be traced, and jax.vmap over them draws a batch."""
from __future__ import annotations

import dataclasses
import math
import typing

import jax
import jax.numpy
import numpy

from ._arrays import Adopted
from ._bridge import Bridge
from ._fields import documented, keywords
from ._library import Unsupported, lib, refuse
from ._memory import Memory
from ._node import check_options, check_parameters, evaluate
from ._numbers import fill_normals, fill_points, normal_params, points_params
from ._simulation import Simulation
from ._source import Source
from ._types import NormalOptions, PointsOptions, TracedOptions
from ._typing import Unpack
from ._values import integer, reals
from ._xla import Call, Place, State, address, addresses, called, part_of, together

__all__ = ["Simulated", "normals", "paths", "points", "price", "simulate"]

Options = typing.Dict[str, typing.Any]


def _struct(shape: typing.Sequence[int], dtype: typing.Any) -> typing.Any:
    return jax.ShapeDtypeStruct(tuple(shape), dtype)  # type: ignore[no-untyped-call, unused-ignore]


def _real(dtype: typing.Any) -> numpy.dtype[typing.Any]:
    """A real type that JAX has now."""
    try:
        found: numpy.dtype[typing.Any] = jax.numpy.dtype(dtype)
    except TypeError:
        refuse("dtype", f"dtype is {dtype!r}, not a type of numbers")
    if not jax.numpy.issubdtype(found, jax.numpy.floating):
        refuse("dtype", f"dtype is {found}, not a real type")
    if found == numpy.float64 and jax.numpy.result_type(float) != numpy.float64:
        refuse("dtype", "dtype is float64, which JAX has after jax.config.update('jax_enable_x64', True)")
    return found


def _seeded(seed: typing.Any, source: typing.Optional[Source], **default: typing.Any) -> typing.Tuple[typing.Any, Source]:
    """The seed, which may be traced, and a source that has all else."""
    if (seed is None) == (source is None):
        refuse("seed", "neither seed nor source is given; JAX needs a function of only its arguments" if seed is None else
               "seed and source are both given; a source has its own seed")
    if source is None:
        return seed, Source(seed=0, **default)
    if not isinstance(source, Source):
        refuse("source", f"source is {source!r}, not a bailey.Source")
    return source.seed, source


@dataclasses.dataclass
class _Draw(Call):
    """Numbers of a source at addresses: [batch] + shape. `elements` is how many numbers, points or paths a request has, if
    requests that follow each other in them do so in memory, else 0."""

    source: Source
    shape: typing.Tuple[int, ...]
    elements: int
    options: Options
    device: typing.Optional[str]

    first_name: typing.ClassVar[str] = "first"

    def fill(self, place: Place, operands: typing.List[typing.Any], results: typing.List[Memory]) -> None:
        out, (seeds, firsts) = results[0], addresses(operands[0], self.first_name)
        size = math.prod(self.shape)
        for seed, first, at, requests in together(seeds, firsts, self.elements):
            shape = (requests * self.shape[0],) + self.shape[1:]
            self.draw(place, self.source.replace(seed=seed), first, part_of(out, at * size, shape))

    def draw(self, place: Place, source: Source, first: int, out: Memory) -> None:
        """Requests that follow each other."""
        raise NotImplementedError

    def array(self, seed: typing.Any, first: typing.Any, dtype: typing.Any) -> typing.Any:
        """The numbers, in a program."""
        return called(self, _struct(self.shape, dtype), address(seed, first, self.first_name))


class _Normals(_Draw):

    def draw(self, place: Place, source: Source, first: int, out: Memory) -> None:
        fill_normals(Adopted(place.context(self.device), None, out, True), source, first, self.options)


class _Points(_Draw):
    first_name = "first_point"

    def draw(self, place: Place, source: Source, first: int, out: Memory) -> None:
        count, dims = out.shape if self.elements else out.shape[::-1]
        params, _ = points_params(dims, source, self.options, out.dtype)
        fill_points(Adopted(place.context(self.device), None, out, True), params, source, first, count)


@dataclasses.dataclass
class _Paths(_Draw):
    bridge: State

    first_name = "first_path"

    def draw(self, place: Place, source: Source, first: int, out: Memory) -> None:
        owner = place.context(self.device)
        bridge = self.kept(place.key, owner, lambda: self.bridge.on(owner))
        count = out.shape[0] if self.elements else out.shape[-1]
        with Adopted(bridge._context, None, out, True) as to:
            to.run(lib.bailey_bridge_paths, bridge._handle, source.to_c(), normal_params(bridge.dtype, self.options), first, count,
                   to.buffer)


@documented("normal_params")
def normals(shape: typing.Union[int, typing.Sequence[int]], *, seed: typing.Any = None,
            source: typing.Optional[Source] = None, first: typing.Any = 0, dtype: typing.Any = "float32",
            device: typing.Optional[str] = None, **options: Unpack[NormalOptions]) -> typing.Any:
    """Standard normals with the bits of bailey.normals, in float32, float64, float16 or bfloat16. `seed` and `first` may be
    traced. Where JAX computes on the host, `device` draws."""
    extents = tuple(integer(n, "shape") for n in (shape if isinstance(shape, (tuple, list)) else (shape,)))
    seed, from_ = _seeded(seed, source)
    real = _real(dtype)
    normal_params(real if real.itemsize > 2 else "float32", options)  # refuses what is wrong now
    count = math.prod(extents)
    return _Normals(from_, (count,), count, dict(options), device).array(seed, first, real).reshape(extents)


@documented("points_params")
def points(count: int, dims: int, *, seed: typing.Any = None, source: typing.Optional[Source] = None,
           first_point: typing.Any = 0, dtype: typing.Any = "float32", device: typing.Optional[str] = None,
           **options: Unpack[PointsOptions]) -> typing.Any:
    """Points with the bits of bailey.points: [point][dim], or [dim][point] with layout "dim-major". With a seed they are
    those of bailey.sobol(seed). `seed` and `first_point` may be traced. Where JAX computes on the host, `device` draws."""
    seed, from_ = _seeded(seed, source, generator="sobol")
    real, count, dims = _real(dtype), integer(count, "count"), integer(dims, "dims")
    params, kind = points_params(dims, from_, options, real)
    if kind == "uint64" and jax.numpy.result_type(float) != numpy.float64:
        refuse("form", "words of 64 bits need jax.config.update('jax_enable_x64', True)")
    is_row = params.layout != lib.BAILEY_POINTS_LAYOUT_DIM_MAJOR
    shape = (count, dims) if is_row else (dims, count)
    return _Points(from_, shape, count if is_row else 0, dict(options), device).array(seed, first_point, kind)


@documented("normal_params")
def paths(bridge: Bridge, count: int, *, seed: typing.Any = None, source: typing.Optional[Source] = None,
          first_path: typing.Any = 0, **options: Unpack[NormalOptions]) -> typing.Any:
    """Paths of a bridge, with the shape and the bits of Bridge.paths. `seed` and `first_path` may be traced. Where JAX
    computes on the host, the bridge's device draws."""
    seed, from_ = _seeded(seed, source)
    state = State(bridge, "bridge", Bridge)
    normal_params(bridge.dtype, options)
    count = integer(count, "count")
    shape = bridge._shape(bridge.x_steps, count)
    call = _Paths(from_, shape, count if bridge._is_path_major else 0, dict(options), state.address, state)
    return call.array(seed, first_path, _real(bridge.dtype))


# ---- Prices


@dataclasses.dataclass
class _Run(Call):
    """A run of a simulation for each element of the batch, on the simulation's device. Operands are addresses, parameters and,
    for "slopes", weights of the outputs. Results are means and standard errors of the outputs ("means"), the derivatives of
    their weighted sum ("slopes"), a price ("price"), or a price and its derivatives ("both")."""

    simulation: State
    source: Source
    paths: int
    names: typing.Tuple[str, ...]
    options: Options
    what: str

    def fill(self, place: Place, operands: typing.List[typing.Any], results: typing.List[Memory]) -> None:
        owner = Place(None).context(self.simulation.address)
        simulation = self.kept(None, owner, lambda: self.simulation.on(owner))
        seeds, firsts = addresses(operands[0], "first_path")
        given = [operand.reshape(seeds.size, -1) for operand in operands[1:]]
        places = [dict(source=self.source.replace(seed=int(seed)), first_path=int(first)) for seed, first in zip(seeds, firsts)]
        shared = len(places) > 1 and all(one == places[0] for one in places) and all(v.shape[1] == 1 for v in given)
        if self.what == "means" and shared:
            found = self._scenarios(simulation, dict(zip(self.names, given)), places[0])
        else:
            found = [self._one(simulation, [values[b] for values in given], where) for b, where in enumerate(places)]
        for i, memory in enumerate(results):
            place.write(memory, numpy.concatenate([numpy.ravel(one[i]) for one in found]))

    def _scenarios(self, simulation: Simulation, values: typing.Any, where: Options) -> typing.Any:
        """Parameters of a batch on the same paths, by one run."""
        scenarios = {name: column[:, 0].astype(float) for name, column in values.items()}
        found, outputs = simulation.run(self.paths, scenarios=scenarios, **self._plain(), **where), simulation.outputs
        return [_estimated(found[at:at + outputs]) for at in range(0, len(found), outputs)]

    def _plain(self) -> Options:
        return {name: value for name, value in self.options.items() if name not in keywords("gradient_params")}

    def _one(self, simulation: Simulation, given: typing.List[typing.Any], where: Options) -> typing.Any:
        values = dict(zip(self.names, given))
        if self.what == "means":
            with simulation._lock:
                simulation.set(**values)
                return _estimated(simulation.run(self.paths, **self._plain(), **where))
        more = dict(weights=given[-1]) if self.what == "slopes" else {}
        by = () if self.what == "price" else self.names
        found, slopes = evaluate(simulation, self.paths, values, by, {**self.options, **where, **more})
        return [slopes[name] for name in by] if self.what == "slopes" else [found, *(slopes[name] for name in by)]


def _estimated(estimates: typing.Any) -> typing.Any:
    return ([one.controlled for one in estimates], [one.controlled_standard_error for one in estimates])


class Simulated(typing.NamedTuple):
    """What bailey.jax.simulate gives: the mean of each output and its standard error, with control variates if there are
    `expected` values."""

    mean: typing.Any
    standard_error: typing.Any


def _prepared(simulation: Simulation, paths: int, parameters: typing.Any, seed: typing.Any, source: typing.Optional[Source],
              first_path: typing.Any, options: Options) -> typing.Any:
    """A function of `what` that makes the call, the address, and the arrays of the parameters."""
    state = State(simulation, "simulation", Simulation)
    arrays = {name: value if hasattr(value, "dtype") else reals(value, name) for name, value in (parameters or {}).items()}
    given = {name: jax.numpy.asarray(value, jax.numpy.result_type(float, value)) for name, value in arrays.items()}
    check_parameters(simulation, given)
    check_options(options)
    for name in ("progress", "scenarios", "time_shift", "rng"):
        if options.get(name) is not None:
            refuse(name, f"{name} is given, which has no place in a program of JAX")
    for name, value in given.items():
        known = simulation.parameters[name]
        if value.size != known:
            refuse(name, f"{name} has {value.size} numbers, not {known}")
    seed, from_ = _seeded(seed, source)

    def call(what: str) -> _Run:
        return _Run(state, from_, integer(paths, "paths"), tuple(given), options, what)

    return call, address(seed, first_path, "first_path"), given


def _once(run: _Run, shapes: typing.Any, *operands: typing.Any) -> typing.Any:
    """A call that JAX cannot differentiate."""

    @jax.custom_jvp  # type: ignore[misc, untyped-decorator, unused-ignore]
    def make(*operands: typing.Any) -> typing.Any:
        return called(run, shapes, *operands)

    @make.defjvp  # type: ignore[misc, untyped-decorator, unused-ignore]
    def _(values: typing.Any, tangents: typing.Any) -> typing.Any:
        raise Unsupported("a price of bailey.jax is differentiable once; for second derivatives there is Simulation.greeks",
                          "ERROR_UNSUPPORTED", "parameters")

    return make(*operands)


def _like(values: typing.Any) -> typing.Any:
    return [_struct(value.shape, value.dtype) for value in values]


@documented("simulation_run_params", "gradient_params")
def simulate(simulation: Simulation, paths: int = 0, parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None, *,
             seed: typing.Any = None, source: typing.Optional[Source] = None, first_path: typing.Any = 0,
             **options: Unpack[TracedOptions]) -> Simulated:
    """The means and standard errors of a simulation's outputs, as arrays [outputs] that depend on the arrays in `parameters`,
    a dict of names. jax.grad has the derivatives of means (docs/gradients.md); errors count as constants. jax.vmap over
    only parameters is one run, on the same paths. `seed` and `first_path` may be traced too. It runs on the device of the simulation."""
    for name in ("output", "weights"):
        if options.get(name) is not None:
            refuse(name, f"{name} is given; all outputs are differentiated")
    call, where, given = _prepared(simulation, paths, parameters, seed, source, first_path, dict(options))
    kind = jax.numpy.result_type(float, *given.values())
    shapes = [_struct((simulation.outputs,), kind)] * 2

    @jax.custom_vjp  # type: ignore[misc, untyped-decorator, unused-ignore]
    def run(where: typing.Any, *values: typing.Any) -> typing.Any:
        return _once(call("means"), shapes, where, *values)

    def forward(where: typing.Any, *values: typing.Any) -> typing.Any:
        return run(where, *values), (where, values)

    def backward(kept: typing.Any, bars: typing.Any) -> typing.Any:
        where, values = kept
        return (None, *_once(call("slopes"), _like(values), where, *values, bars[0]))

    run.defvjp(forward, backward)
    return Simulated(*run(where, *given.values()))


@documented("simulation_run_params", "gradient_params")
def price(simulation: Simulation, paths: int = 0, parameters: typing.Optional[typing.Mapping[str, typing.Any]] = None, *,
          seed: typing.Any = None, source: typing.Optional[Source] = None, first_path: typing.Any = 0,
          **options: Unpack[TracedOptions]) -> typing.Any:
    """The price of a simulation as an array of no dimensions that depends on the arrays in `parameters`, a dict of names:
    jax.grad has their derivatives, from the run that gives the price (docs/gradients.md), also under jit and vmap. Other
    parameters are as they were set before. With `expected`, it is the price with control variates. It is differentiable once,
    in reverse mode. `seed` and `first_path` may be traced too."""
    call, where, given = _prepared(simulation, paths, parameters, seed, source, first_path, dict(options))
    shape = _struct((), jax.numpy.result_type(float, *given.values()))

    @jax.custom_vjp  # type: ignore[misc, untyped-decorator, unused-ignore]
    def run(where: typing.Any, *values: typing.Any) -> typing.Any:
        return _once(call("price"), [shape], where, *values)[0]

    def forward(where: typing.Any, *values: typing.Any) -> typing.Any:
        found, *slopes = _once(call("both"), [shape] + _like(values), where, *values)
        return found, slopes

    def backward(slopes: typing.Any, bar: typing.Any) -> typing.Any:
        return (None, *((bar * slope).astype(slope.dtype) for slope in slopes))

    run.defvjp(forward, backward)
    return run(where, *given.values())
