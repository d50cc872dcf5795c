# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Results to look at: by name, as dicts, data frames and tables of notebooks; objects say what they are; pictures."""
import copy
import html.parser
import json
import pickle
import sys
import types

import numpy
import pytest

import bailey

MARKET = dict(spot=100, strike=100, rate=0.03, volatility=0.2)


def european(**options):
    return bailey.Simulation("european", [1.0], device="cpu", parameters=MARKET, **options)


def basket():
    return bailey.Simulation("asian", [0.5, 1.0], device="cpu", spot=[100, 95], volatility=[0.2, 0.3], weight=[0.5, 0.5],
                             strike=100, rate=0.03)


class Cells(html.parser.HTMLParser):
    """The cells of each row of HTML's tables, and the circles of their bars. Tags must be closed."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.open, self.circles = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attributes):
        if tag == "circle":
            self.circles.append(float(dict(attributes)["cx"]))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def test_a_run_is_a_list_and_its_only_result():
    option = european()
    one = option.run(4096, seed=1)
    assert type(one) is bailey.Estimates and len(one) == 1 and one.mean == one[0].mean and one == one[0] and one[0] == one
    assert one.labels == [{"output": "price"}] and one["price"] == one and repr(one) == repr(one[0])
    for other in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
        assert other == one and other.labels == one.labels and other.seed == 1
    with pytest.raises(AttributeError, match="controlled_error is called controlled_standard_error now"):
        one.controlled_error
    both = basket().run(4096, seed=1)
    assert len(both) == 2 and type(both[0]) is bailey.Estimate
    with pytest.raises(AttributeError, match="the run has 2 results"):
        both.mean
    assert both["price"].mean == both[0].mean and type(both[:1]) is bailey.Estimates and both[1:].mean == both[1].mean


def test_scenarios_by_name():
    grid = basket().run(4096, seed=1, scenarios={"strike": [90, 100, 110]})
    assert [label["strike"] for label in grid.labels] == [90, 90, 100, 100, 110, 110]
    assert grid.where(output="price", strike=110) == grid[4] and len(grid.where(strike=90)) == 2
    assert [one.mean for one in grid["price"]] == [grid[i].mean for i in (0, 2, 4)]
    with pytest.raises(bailey.InvalidArgument, match="no result has strike = 95; it may be 90, 100, 110") as error:
        grid.where(strike=95)
    assert error.value.argument == "strike"
    moved = european().run(4096, seed=1, time_shift=[0, -0.5])
    assert moved.where(time_shift=-0.5) == moved[1]


def test_greeks_by_name():
    greeks = basket().greeks(4096, seed=1, spots=["spot[0]", "spot[1]"], volatilities=["volatility[0]", "volatility[1]"],
                             rate="rate", theta=True, cross=True, correlation=True, greek_method="differences")
    assert greeks.price.mean == greeks[0].mean and greeks.rho.kind == "rho" and greeks.theta.kind == "theta"
    for kind in ("delta", "gamma"):
        for place, name in enumerate(("spot[0]", "spot[1]")):
            found = getattr(greeks, kind)[name]
            assert (found.kind, found.first) == (kind, place)
    assert greeks.vega["volatility[1]"].first == 1 and greeks.vanna["spot[1]", "volatility[1]"].kind == "vanna"
    assert greeks.cross_gamma["spot[0]", "spot[1]"].kind == "cross-gamma" and greeks.correlation[0, 1].kind == "correlation"
    assert greeks.delta.mean == {"spot[0]": greeks.delta["spot[0]"].mean, "spot[1]": greeks.delta["spot[1]"].mean}
    assert pickle.loads(pickle.dumps(greeks)).delta["spot[1]"] == greeks.delta["spot[1]"]
    assert greeks.to_dict()["by"][:3] == ["", "spot[0]", "spot[1]"]
    with pytest.raises(KeyError, match="no delta of 'spot'; there are spot.0., spot.1."):
        greeks.delta["spot"]
    with pytest.raises(KeyError, match="none was asked for"):
        european().greeks(1024, seed=1, spots="spot", greek_method="differences").theta


def everything():
    option = european()
    levels = bailey.Mlmc("european", parameters=MARKET, device="cpu")
    yield option.run(4096, seed=1)
    yield option.run(4096, seed=1)[0]
    yield option.run(4096, seed=1, scenarios={"strike": [90, 110]})
    yield option.greeks(4096, seed=1, spots="spot", volatilities="volatility", greek_method="differences")
    yield option.gradient(4096, seed=1, by=["spot", "volatility"])
    yield option.job(4096, seed=1)
    yield levels.run(0.5, seed=1)
    yield levels.run(0.5, seed=1).level
    yield levels.gradient(0.5, by="spot", seed=1)
    yield levels.test([0.5], samples=512, finest=3, seed=1)
    yield option.histogram(4096, 0, 50, 5, seed=1)
    yield bailey.american(100, exercise_times=[0.5, 1.0], spot=100, volatility=0.2, paths=4096, seed=1, device="cpu")
    yield bailey.price([dict(MARKET, payoff="european", times=[1.0], paths=1024)], device="cpu", seed=1)


def test_all_results_are_shown():
    for result in everything():
        name = type(result).__name__
        plain = result.to_dict()
        if name != "Gradient":  # pairs of names are keys
            assert json.loads(json.dumps(plain)).keys() == plain.keys(), name
        cells = Cells(result._repr_html_())
        assert len(cells.rows) > 1 and len({len(row) for row in cells.rows[:2]}) == 1, name
        assert cells.circles or name in ("Histogram", "ResultList", "MlmcReport", "JobReport"), name
        assert all(0 <= circle <= 160 for circle in cells.circles), name


def test_bars_are_where_the_numbers_are():
    grid = european().run(1 << 14, seed=1, scenarios={"strike": [90, 100, 110]})
    cells = Cells(grid._repr_html_())
    assert cells.rows[0][:3] == ["output", "strike", "mean"] and cells.rows[1][1] == "90"
    assert float(cells.rows[2][2]) == float(f"{grid[1].mean:.6g}")
    low, high = min(one.interval_low for one in grid), max(one.interval_high for one in grid)
    wanted = [4 + 152 * (one.mean - low) / (high - low) for one in grid]
    assert numpy.abs(numpy.subtract(cells.circles, wanted)).max() < 0.06


class Frame(dict):
    """In pandas' place."""


def test_frames(monkeypatch):
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    grid = european().run(4096, seed=1, scenarios={"strike": [90, 110]})
    with pytest.raises(ImportError, match="pandas or polars"):
        grid.to_frame()
    monkeypatch.setitem(sys.modules, "polars", types.SimpleNamespace(DataFrame=Frame))
    frame = grid.to_frame()
    assert type(frame) is Frame and frame["strike"] == [90, 110] and frame["mean"] == [one.mean for one in grid]
    assert len(grid[0].to_frame("polars")["mean"]) == 1
    with pytest.raises(bailey.InvalidArgument) as error:
        grid.to_frame("excel")
    assert error.value.argument == "library"


def test_objects_say_what_they_are():
    option = european()
    seen = [repr(o) for o in (option, bailey.Bridge([0.5, 1.0], device="cpu"), bailey.Motion(device="cpu"), bailey.context("cpu"),
                              bailey.BrownianTree(0, 1, (3,), seed=5, device="cpu"),
                              bailey.Mlmc("european", parameters=MARKET, device="cpu"), option.parts(1, 4096, seed=1)[0])]
    assert all(text.startswith("<bailey.") and "cpu" in text and " at 0x" not in text for text in seen), seen
    assert "european, steps 1, dims 1, float32" in seen[0] and "seed 5" in seen[4]
    option.close()
    assert repr(option).endswith("closed>")
    assert "seed=7" in repr(bailey.Source(seed=7).bit_generator())


def test_pictures(needs, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    needs("matplotlib")
    option = european()
    lines = bailey.plot.paths(bailey.Bridge([0.5, 1.0], device="cpu").paths(7, seed=1), [0.5, 1.0]).get_lines()
    assert len(lines) == 7 and (lines[0].get_xdata() == [0.5, 1.0]).all()
    bars = bailey.plot.convergence(option, [1024, 4096], seed=1)
    assert [line.get_ydata()[1] for line in bars.get_lines()[:1]] == [option.run(4096, seed=1).mean]
    names = [label.get_text() for label in bailey.plot.estimates(
        option.greeks(1024, seed=1, spots="spot", greek_method="differences")).get_yticklabels()]
    assert names[:2] == ["price ", "delta spot"]
    result = bailey.Mlmc("european", parameters=MARKET, device="cpu").run(0.5, seed=1)
    assert len(bailey.plot.mlmc(result).get_lines()[0].get_xdata()) == len(result.level)
    for argument, call in (("x", lambda: bailey.plot.paths([1, 2])), ("result", lambda: bailey.plot.mlmc(3))):
        with pytest.raises(bailey.InvalidArgument) as error:
            call()
        assert error.value.argument == argument
