# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Lists of results: of a run, of Greeks. They know what each result is of, so that one is found by name, and become dicts
of columns, data frames and tables of notebooks."""
from __future__ import annotations

import typing

from ._library import refuse
from ._results import ResultList
from ._tables import plain
from ._types import Estimate, GreekEstimate, OneEstimate

class Estimates(ResultList[Estimate], OneEstimate):
    """The results of a run: a list with an Estimate of each output, for each scenario. A run with one result has the
    attributes of its Estimate too. `labels` says what each is of: its output, and the values of its scenario. By name,
    results["control"] are those of an output."""

    _title = "Estimates"

    def __init__(self, found: typing.Iterable[Estimate] = (),
                 labels: typing.Optional[typing.Sequence[typing.Mapping[str, typing.Any]]] = None) -> None:
        super().__init__(found)
        self.labels: typing.List[typing.Dict[str, typing.Any]] = [dict(label) for label in labels or ({},) * len(self)]

    def _one(self) -> Estimate:
        if len(self) != 1:
            raise AttributeError(f"the run has {len(self)} results: take one of them, as results[0].mean")
        return list.__getitem__(self, 0)

    if not typing.TYPE_CHECKING:

        def __getattr__(self, name: str) -> typing.Any:
            if name in Estimate.__dataclass_fields__ and len(self) != 1:
                self._one()
            return super().__getattr__(name)

    def __eq__(self, other: object) -> bool:
        return len(self) == 1 and self._one() == other if isinstance(other, Estimate) else list.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    @typing.overload
    def __getitem__(self, index: typing.SupportsIndex) -> Estimate:
        ...

    @typing.overload
    def __getitem__(self, index: typing.Union[slice, str]) -> Estimates:
        ...

    def __getitem__(self, index: typing.Union[typing.SupportsIndex, slice, str]) -> typing.Union[Estimate, Estimates]:
        if isinstance(index, str):
            return self.where(output=index)
        if isinstance(index, slice):
            return Estimates(list.__getitem__(self, index), self.labels[index])
        return list.__getitem__(self, index)

    def where(self, **label: typing.Any) -> Estimates:
        """The results whose label has these values, as where(spot=110) or where(output="price")."""
        for name, value in label.items():
            known = list(dict.fromkeys(own[name] for own in self.labels if name in own))
            if value not in known:
                refuse(name, f"no result has {name} = {value!r}; " +
                       (f"it may be {', '.join(map(repr, known[:20]))}" if known else f"results have no {name}"))
        at = [i for i, own in enumerate(self.labels) if all(own.get(name) == value for name, value in label.items())]
        return Estimates([list.__getitem__(self, i) for i in at], [self.labels[i] for i in at])

    def _rows(self) -> typing.List[typing.Dict[str, typing.Any]]:
        return [{**label, **plain(one)} for label, one in zip(self.labels, self)]

    def __str__(self) -> str:
        return str(self._one()) if len(self) == 1 else repr(self)

    def __repr__(self) -> str:
        return repr(self._one()) if len(self) == 1 else list.__repr__(self)


class Named(typing.Dict[typing.Any, GreekEstimate]):
    """Greeks of one kind, by the name of their parameter; those of two parameters, by both names."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def __missing__(self, name: typing.Any) -> GreekEstimate:
        raise KeyError(f"there is no {self._kind} of {name!r}; " +
                       (f"there are {', '.join(map(str, self))}" if self else "none was asked for"))

    @property
    def mean(self) -> typing.Dict[typing.Any, float]:
        """The numbers, by name."""
        return {name: greek.mean for name, greek in self.items()}


class Greeks(ResultList[GreekEstimate]):
    """The price and Greeks of a simulation, as a list, and by name: `greeks.delta["spot"]`, `greeks.vanna["spot",
    "volatility"]`, `greeks.rho`. `names` has the parameters of each."""

    _title, _share = "Greeks", False

    def __init__(self, found: typing.Iterable[GreekEstimate] = (), spots: typing.Sequence[str] = (),
                 volatilities: typing.Sequence[str] = ()) -> None:
        super().__init__(found)
        self._spots, self._volatilities = list(spots), list(volatilities)

    def __reduce__(self) -> typing.Any:
        return Greeks, (list(self), self._spots, self._volatilities)

    def _name(self, greek: GreekEstimate) -> typing.Any:
        """Its parameter, parameters, or pair of dimensions; "" of a Greek that has none."""
        spots, volatilities = self._spots, self._volatilities
        first, second = greek.first, greek.second
        if greek.kind in ("delta", "gamma"):
            return spots[first]
        if greek.kind in ("vega", "volga"):
            return volatilities[first]
        if greek.kind == "cross-gamma":
            return spots[first], spots[second]
        if greek.kind == "vanna":
            return spots[first], volatilities[first]
        return (first, second) if greek.kind == "correlation" else ""

    @property
    def names(self) -> typing.List[typing.Any]:
        """The parameter of each, or two of them, or a pair of dimensions; "" where there is none."""
        return [self._name(greek) for greek in self]

    def _of(self, kind: str) -> Named:
        found = Named(kind)
        found.update((self._name(greek), greek) for greek in self if greek.kind == kind)
        return found

    def _single(self, kind: str) -> GreekEstimate:
        return self._of(kind)[""]

    @property
    def price(self) -> GreekEstimate:
        """The price."""
        return self._single("price")

    @property
    def delta(self) -> Named:
        """First derivatives by spots."""
        return self._of("delta")

    @property
    def gamma(self) -> Named:
        """Second derivatives by a spot."""
        return self._of("gamma")

    @property
    def cross_gamma(self) -> Named:
        """Second derivatives by two spots."""
        return self._of("cross-gamma")

    @property
    def vega(self) -> Named:
        """First derivatives by volatilities."""
        return self._of("vega")

    @property
    def volga(self) -> Named:
        """Second derivatives by a volatility."""
        return self._of("volga")

    @property
    def vanna(self) -> Named:
        """Second derivatives by a spot and its volatility."""
        return self._of("vanna")

    @property
    def correlation(self) -> Named:
        """Derivatives by the correlation of two dimensions of the path."""
        return self._of("correlation")

    @property
    def rho(self) -> GreekEstimate:
        """The derivative by the rate."""
        return self._single("rho")

    @property
    def theta(self) -> GreekEstimate:
        """The derivative by today's date."""
        return self._single("theta")

    def _rows(self) -> typing.List[typing.Dict[str, typing.Any]]:
        by = [name if isinstance(name, str) else ", ".join(map(str, name)) for name in self.names]
        return [{"kind": greek.kind, "by": name,
                 **{key: value for key, value in plain(greek).items() if key not in ("kind", "first", "second")}}
                for greek, name in zip(self, by)]
