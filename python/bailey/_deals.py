# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Many deals in one call: bailey.price. Deals that differ in the values of parameters alone are scenarios of one
simulation, on the same paths, so that a deal costs its share of a pass and nothing in Python but its reading. Deals with an
estimator are runs of multilevel Monte Carlo, one after the other."""
from __future__ import annotations

import dataclasses
import math
import typing
import weakref

import numpy

from ._fields import keywords
from ._library import BaileyError, Cancelled, InvalidArgument, ffi, refuse
from ._lists import Estimates
from ._mlmc import Mlmc
from ._payoff import AnyPayoff, Payoff
from ._products import american
from ._run import Run
from ._simulation import Simulation
from ._source import source_of
from ._types import Estimate, MlmcResult
from ._values import integer

Deal = typing.Mapping[str, typing.Any]
_MOST = 4096  # scenarios of one run
_KEPT = 64  # simulations
_OWN = ("id", "payoff", "product", "estimator")
_MADE = ("times", "dims", "dtype", "valuation")  # of Simulation, besides the keywords of its records
_DRAWN = ("seed", "source", "rng")
_NAN = math.nan


def _records(deals: typing.Any) -> typing.List[Deal]:
    """Deals as dicts: of a list of them, of a frame, or of columns."""
    if hasattr(deals, "to_dicts"):  # polars
        rows = deals.to_dicts()
    elif hasattr(deals, "to_dict") and hasattr(deals, "columns"):  # pandas
        rows = deals.to_dict("records")
    elif isinstance(deals, typing.Mapping):
        lengths = {len(column) for column in deals.values()}
        if len(lengths) > 1:
            refuse("deals", f"deals has columns of lengths {', '.join(map(str, sorted(lengths)))}")
        rows = [dict(zip(deals, row)) for row in zip(*deals.values())]
    else:
        return list(deals)
    # what a frame lacks is NaN or None
    return [{name: value for name, value in row.items() if value is not None and value == value} if
            all(numpy.ndim(value) == 0 for value in row.values()) else
            {name: value for name, value in row.items() if value is not None and (numpy.ndim(value) or value == value)}
            for row in rows]


def _frozen(value: typing.Any) -> typing.Any:
    """Something that is equal where values are, and can be looked up."""
    if isinstance(value, numpy.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple((name, _frozen(one)) for name, one in value.items())
    return value


class _Shape:
    """The keys of a deal, divided into those of the simulation, those of the run, and parameters. Deals with the same keys
    share it."""

    def __init__(self, names: typing.Tuple[str, ...]) -> None:
        record = "mlmc" if "estimator" in names else "simulation"
        made = {*keywords(f"{record}_params"), *_MADE}
        run = {*keywords(f"{record}_run_params"), *_DRAWN} - {"progress"}
        given = [name for name in names if name not in _OWN and name != "parameters"]
        self.made = [name for name in given if name in made]
        self.run = [name for name in given if name in run and name not in made]
        self.parameters = [name for name in given if name not in made and name not in run]


_last: weakref.WeakKeyDictionary[Simulation, typing.Dict[str, typing.Any]] = weakref.WeakKeyDictionary()  # what was set


def _set(simulation: Simulation, values: typing.Dict[str, typing.Any]) -> None:
    """Sets parameters, but for those that have the object of the deal before: setting one costs as much as a small run."""
    last = _last.setdefault(simulation, {})
    changed = {name: value for name, value in values.items() if last.get(name, last) is not value}
    try:
        simulation.set(**changed)
    except BaseException:
        last.clear()
        raise
    last.update(changed)


class _Group:
    """Deals of one simulation and run, as scenarios."""

    def __init__(self, shape: _Shape, deal: Deal, key: typing.Any, runs: typing.Dict[typing.Any, Run], unseeded: typing.Any) -> None:
        self.shape, self.first, self.key = shape, deal, key  # of its simulation
        self.runs, self.unseeded = runs, unseeded  # runs of all groups, and the key of this one's: all but its seed
        self.numbers: typing.List[int] = []
        self.deals: typing.List[Deal] = []

    def simulation(self, device: typing.Any) -> typing.Any:
        """What prices them: a Simulation."""
        payoff = self.first.get("payoff", self.first.get("product"))
        if payoff is None:
            refuse("payoff", "a deal has no payoff")
        if "times" not in self.first:
            refuse("times", "a deal has no times")
        made = {name: self.first[name] for name in self.shape.made if name != "times"}
        return Simulation(typing.cast(AnyPayoff, payoff), self.first["times"], parameters=self.first.get("parameters"),
                          device=device, **made, **{name: self.first[name] for name in self.shape.parameters})

    def _values(self, deal: Deal) -> typing.Dict[str, typing.Any]:
        return {**{name: deal[name] for name in self.shape.parameters}, **deal.get("parameters", {})}

    def price(self, simulation: typing.Any, source: typing.Any) -> typing.List[Estimate]:
        """Prices all of them: with control variates one after the other, as scenarios would share each other's."""
        most = 1 if any(output.control for output in simulation.description.outputs) else _MOST
        found: typing.List[Estimate] = []
        for at in range(0, len(self.deals), most):
            found += self._price(simulation, self.deals[at:at + most], source)
        return found

    def _price(self, simulation: Simulation, deals: typing.List[Deal], source: typing.Any) -> typing.List[Estimate]:
        options = {name: self.first[name] for name in self.shape.run}
        paths = options.pop("paths", 0)
        if not any(options.get(name) is not None for name in _DRAWN):
            options["source"] = source
        values = [self._values(deal) for deal in deals]
        _set(simulation, values[0])
        names = [name for name in values[0] if len(values) > 1 and any(_frozen(one[name]) != _frozen(values[0][name])
                                                                       for one in values)]
        if names:
            options["scenarios"] = self._scenarios(simulation, values, names)
        elif "expected" not in options and any(output.control for output in simulation.description.outputs):
            expected = simulation.expected()
            options["expected"] = None if None in expected[1:] else expected
        found = self._run(simulation, paths, options)
        each = [found[i] for i in range(0, len(found), simulation.outputs)]
        return each if names else each * len(deals)

    def _run(self, simulation: Simulation, paths: int, options: typing.Dict[str, typing.Any]) -> typing.List[Estimate]:
        """Runs the simulation. Deals with separate seeds, which have little else to say, take the run before and change it:
        making one costs as much as many a run."""
        seed, expected = options.get("seed"), options.get("expected")
        if seed is None or "expected" in self.shape.run or any(options.get(name) is not None for name in ("source", "rng", "scenarios")):
            return Run(simulation, paths, options).go()
        run = self.runs.get(self.unseeded)
        if run is not None and run.simulation is simulation and (run.params.expected == ffi.NULL) == (expected is None):
            return run.again(integer(seed, "seed"), expected)
        run = self.runs[self.unseeded] = Run(simulation, paths, options)
        return run.go()

    @staticmethod
    def _scenarios(simulation: Simulation, values: typing.List[typing.Dict[str, typing.Any]],
                   names: typing.List[str]) -> typing.Dict[str, typing.Any]:
        """A column for each element of a parameter in which they differ."""
        found: typing.Dict[str, typing.Any] = {}
        for name in names:
            parameter = simulation.description.parameter(name)
            column = numpy.array([parameter.numbers(one[name]) if parameter else one[name] for one in values], float)
            if column.ndim == 1:
                found[name] = column
            else:
                found.update((f"{name}[{i}]", column[:, i]) for i in range(column.shape[1]))
        return found


def _estimate(mean: float, error: float, low: float, high: float, paths: int, seed: int) -> Estimate:
    """An estimate of which this alone is known."""
    return Estimate(mean, error, mean, error, low, high, _NAN, _NAN, _NAN, _NAN, _NAN, paths, seed)


@dataclasses.dataclass(frozen=True, eq=False)
class MlmcEstimate(Estimate):
    """The estimate of a multilevel run, and the run. `interval_low` and `interval_high` are the mean less and plus 1.96
    standard errors and the bias; `paths` counts the samples of all levels."""

    record: typing.ClassVar[str] = ""
    run: MlmcResult


class _Levels(_Group):
    """Deals of one multilevel estimator."""

    def simulation(self, device: typing.Any) -> typing.Any:
        """What prices them: an Mlmc."""
        if "payoff" in self.first or "product" in self.first:
            refuse("estimator", "a deal has an estimator, and a payoff or product")
        if "eps" not in self.first:
            refuse("eps", "a deal has an estimator, but no eps")
        made = {name: self.first[name] for name in self.shape.made}
        return Mlmc(self.first["estimator"], parameters=self.first.get("parameters"), device=device, **made,
                    **{name: self.first[name] for name in self.shape.parameters})

    def price(self, simulation: typing.Any, source: typing.Any) -> typing.List[Estimate]:
        """Prices all of them, one after the other."""
        return [self._estimate(simulation.set(**self._values(deal)), source) for deal in self.deals]

    def _estimate(self, levels: Mlmc, source: typing.Any) -> Estimate:
        options = {name: self.first[name] for name in self.shape.run}
        if not any(options.get(name) is not None for name in _DRAWN):
            options["source"] = source
        run = levels.run(options.pop("eps"), **options)
        error, low_high = run.standard_error, 1.96 * run.standard_error + run.bias
        paths = sum(level.samples for level in (*run.level, *run.correction))
        return MlmcEstimate(run.mean, error, run.mean, error, run.mean - low_high, run.mean + low_high, _NAN, _NAN, _NAN, _NAN,
                            _NAN, paths, run.seed, run)


def _american(deal: Deal, device: typing.Any, source: typing.Any) -> Estimate:
    """The middle of the bounds of an American option, as an estimate."""
    given = {name: value for name, value in deal.items() if name not in _OWN and name != "parameters"}
    given.update(deal.get("parameters", {}))
    if not any(given.get(name) is not None for name in _DRAWN):
        given["source"] = source
    found = american(given.pop("strike", None), device=device, **given)
    return _estimate(found.price, found.standard_error, found.interval_low, found.interval_high, found.paths, found.seed)


class _Batch:
    """Deals on one device."""

    def __init__(self, device: typing.Any, source: typing.Any) -> None:
        self.device, self.source = device, source
        self.shapes: typing.Dict[typing.Tuple[str, ...], _Shape] = {}
        self.groups: typing.Dict[typing.Any, _Group] = {}
        self.frozen: typing.Dict[int, typing.Any] = {}
        self.simulations: typing.Dict[typing.Any, typing.Any] = {}  # the one used last comes last
        self.runs: typing.Dict[typing.Any, Run] = {}

    def _freeze(self, value: typing.Any) -> typing.Any:
        """_frozen, once for each object: many deals have the same one."""
        if type(value) in (float, int, str, bool):
            return value
        found = self.frozen.get(id(value))
        if found is None:
            found = self.frozen[id(value)] = value, _frozen(value)
        return found[1]

    def add(self, number: int, deal: Deal) -> None:
        """Puts a deal to those that differ from it in values of parameters alone."""
        names = tuple(deal)
        shape = self.shapes.get(names)
        if shape is None:
            shape = self.shapes[names] = _Shape(names)
        payoff = deal.get("estimator", deal.get("payoff", deal.get("product")))
        same = id(payoff) if isinstance(payoff, (type, Payoff)) else payoff
        lengths = tuple(len(deal[name]) for name in shape.parameters if isinstance(deal[name], (list, tuple, numpy.ndarray)))
        parameters = tuple(deal["parameters"]) if "parameters" in deal else ()
        made = (names, same, lengths, parameters, *[self._freeze(deal[name]) for name in shape.made])
        key = (made, *[self._freeze(deal[name]) for name in shape.run])
        group = self.groups.get(key)
        if group is None:
            unseeded = (made, *[self._freeze(deal[name]) for name in shape.run if name != "seed"])
            group = self.groups[key] = (_Levels if "estimator" in deal else _Group)(shape, deal, made, self.runs, unseeded)
        group.numbers.append(number)
        group.deals.append(deal)

    def price(self, group: _Group) -> typing.List[Estimate]:
        """Prices a group."""
        if group.first.get("payoff", group.first.get("product")) == "american":
            return [_american(deal, self.device, self.source) for deal in group.deals]
        return group.price(self._simulation(group), self.source)

    def _simulation(self, group: _Group) -> typing.Any:
        """A group's simulation, which groups that differ in their runs share."""
        found = self.simulations.pop(group.key, None) or group.simulation(self.device)
        if len(self.simulations) >= _KEPT:
            self.simulations.pop(next(iter(self.simulations))).close()
        self.simulations[group.key] = found
        return found

    def close(self) -> None:
        """Frees the memory of the simulations."""
        for simulation in self.simulations.values():
            simulation.close()


def _alone(group: _Group, i: int) -> _Group:
    """A deal of a group, alone."""
    found = type(group)(group.shape, group.deals[i], group.key, group.runs, group.unseeded)
    found.deals = [group.deals[i]]
    return found


def price(deals: typing.Any, *, device: typing.Any = None, errors: typing.Literal["raise", "return"] = "raise",
          progress: typing.Optional[typing.Callable[[int, int], object]] = None, **defaults: typing.Any) -> Estimates:
    """The prices of many deals: an Estimate of each, in their order, as results of one list, which becomes a data frame or
    a table.

    deals     dicts, a data frame of pandas or polars, or a dict of columns. A deal has the arguments of bailey.Simulation
              and its run: `payoff` (or `product`), `times`, `paths`, parameters by name (or as `parameters`), ...; payoff
              "american" has those of bailey.american, and a deal with `estimator` and `eps` those of bailey.Mlmc
              and its run, with that run's result as `run` of its estimate. `id` is its label, by default its number. Where the payoff has control
              variates, they are used
    defaults  arguments of all deals that do not have them
    errors    "raise" raises the error of the first deal that is wrong, "return" gives it NaN, and the error as a label
    progress  a function of (done, total), called between groups of deals

    Without a seed or source, all deals share one that is drawn, so that their differences have little noise. Deals that
    differ in values of parameters alone are priced on the same paths, in one pass, with the bits of separate runs.
    """
    if errors not in ("raise", "return"):
        refuse("errors", f"errors {errors!r} is not one of raise, return")
    source = source_of(*(defaults.pop(name, None) for name in ("source", "seed", "rng")))
    rows = [{**defaults, **deal} if defaults else deal for deal in _records(deals)]
    batch, found = _Batch(device, source), typing.cast(typing.List[Estimate], [None] * len(rows))
    labels: typing.List[typing.Dict[str, typing.Any]] = [{"id": deal.get("id", number)} for number, deal in enumerate(rows)]
    for number, deal in enumerate(rows):
        batch.add(number, deal)
    done = 0
    try:
        for group in batch.groups.values():
            try:
                priced = batch.price(group)
            except (BaileyError, TypeError, ValueError):
                priced = _one_by_one(batch, group, labels, errors)
            for number, one in zip(group.numbers, priced):
                found[number] = one
            done += len(priced)
            if progress is not None and progress(done, len(rows)) is True:
                raise Cancelled(f"stopped after {done} of {len(rows)} deals", "ERROR_CANCELLED", "progress")
    finally:
        batch.close()
    return Estimates(found, labels)


def _one_by_one(batch: _Batch, group: _Group, labels: typing.List[typing.Dict[str, typing.Any]],
                errors: str) -> typing.List[Estimate]:
    """The deals of a group in which one is wrong."""
    found = []
    for i, number in enumerate(group.numbers):
        try:
            found += batch.price(_alone(group, i))
        except (BaileyError, TypeError, ValueError) as error:
            if errors == "raise":
                said = f"deal {labels[number]['id']}: {error}"
                if isinstance(error, BaileyError):
                    raise type(error)(said, error.status, error.argument) from None
                raise InvalidArgument(said, "ERROR_INVALID", "") from None
            labels[number]["error"] = str(error)
            found.append(_estimate(_NAN, _NAN, _NAN, _NAN, 0, batch.source.seed))
    return found
