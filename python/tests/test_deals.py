# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""bailey.price: deals of any kind in one list have the prices that each has alone."""
import math

import numpy
import pytest

import bailey

TIMES = [0.25, 0.5, 0.75, 1.0]
COMMON = dict(rate=0.03, paths=1 << 12, seed=1)
DEALS = [
    dict(id="A1", payoff="european", times=[1.0], spot=100, strike=95, volatility=0.2),
    dict(id="A2", payoff="european", times=[1.0], spot=100, strike=105, volatility=0.2),
    dict(id="A3", payoff="european", times=[1.0], spot=90, strike=105, volatility=0.3),
    dict(id="A4", payoff="european", times=[2.0], spot=90, strike=105, volatility=0.3),
    dict(id="P", payoff="european", times=[1.0], spot=100, strike=95, volatility=0.2, sign="put", antithetic=True),
    dict(id="S", payoff="european", times=[1.0], spot=100, strike=95, volatility=0.2, seed=5),
    dict(id="B", payoff="asian", times=TIMES, spot=[100, 95], weight=[0.6, 0.4], strike=97, volatility=[0.2, 0.3],
         covariance=[[1, 0.5], [0.5, 1]]),
    dict(id="B2", payoff="asian", times=TIMES, spot=[100, 90], weight=[0.6, 0.4], strike=99, volatility=[0.2, 0.3],
         covariance=[[1, 0.5], [0.5, 1]]),
    dict(id="A5", payoff="european", times=[1.0], spot=100, strike=95, volatility=0.2),
]


def alone(deal):
    given = {**COMMON, **deal}
    run = {name: given.pop(name) for name in ("paths", "seed", "antithetic") if name in given}
    given.pop("id")
    option = bailey.Simulation(given.pop("payoff"), given.pop("times"), device="cpu", **given)
    expected = option.expected()
    return option.run(expected=expected if len(expected) > 1 else None, **run)[0]


def test_each_has_its_price():
    found = bailey.price(DEALS, device="cpu", **COMMON)
    assert [label["id"] for label in found.labels] == [deal["id"] for deal in DEALS]
    for deal, one in zip(DEALS, found):
        assert one == alone(deal), deal["id"]
    assert found.where(id="A5") == found[0] and len({one.mean for one in found}) == len(DEALS) - 1
    assert found[6].controlled_standard_error < found[6].standard_error


def test_separate_seeds():
    """Deals that take a run before theirs and change it: seeds, strikes, scenarios between them, control variates or none."""
    asian = dict(payoff="asian", times=TIMES, spot=[100, 95], weight=[0.6, 0.4], volatility=[0.2, 0.3])
    plain = dict(payoff="european", times=[1.0], spot=100, volatility=0.2)
    deals = [dict(kind, id=f"{number}", seed=seed, strike=strike) for kind in (plain, asian) for number, (seed, strike) in
             enumerate(((5, 95), (6, 95), (7, 100.0), (7, 110), (8, 90), (None, 90), (2**64 - 1, 90.0)))]
    found = bailey.price(deals, device="cpu", rate=0.03, paths=1 << 10, source=bailey.Source(seed=1))
    assert [one.seed for one in found] == 2 * [5, 6, 7, 7, 8, 1, 2**64 - 1]
    for deal, one in zip(deals, found):
        assert one == alone(dict(deal, paths=1 << 10, seed=1 if deal["seed"] is None else deal["seed"])), deal
    with pytest.raises(bailey.InvalidArgument, match="seed"):
        bailey.price([dict(deals[0], seed=5), dict(deals[0], seed=-6)], device="cpu", rate=0.03, paths=8)


class Frame:
    """What bailey.price uses of pandas' frames."""

    def __init__(self, rows):
        self.rows, self.columns = rows, list(rows[0])

    def to_dict(self, how):
        assert how == "records"
        return self.rows


def test_frames_and_columns():
    strikes = [90.0, 100.0, 110.0]
    common = dict(COMMON, payoff="european", times=[1.0], spot=100, volatility=0.2, device="cpu")
    rows = bailey.price([dict(strike=strike) for strike in strikes], **common)
    assert bailey.price({"strike": strikes}, **common) == rows
    frame = Frame([dict(strike=strike, dividend=dividend) for strike, dividend in zip(strikes, (math.nan, 0.01, None))])
    mixed = bailey.price(frame, **common)
    assert mixed[0] == rows[0] and mixed[2] == rows[2] and mixed[1].mean < rows[1].mean
    assert bailey.price([], **common) == []
    option = bailey.Simulation("european", [1.0], device="cpu", spot=100, volatility=0.2, rate=0.03, strike=1)
    assert rows == option.run(1 << 12, seed=1, scenarios={"strike": strikes})
    with pytest.raises(bailey.InvalidArgument, match="lengths 2, 3"):
        bailey.price({"strike": strikes, "spot": [1, 2]}, **common)


def test_many_chunks_of_scenarios():
    strikes = numpy.linspace(50, 150, 5000)
    common = dict(COMMON, payoff="european", times=[1.0], spot=100, volatility=0.2, paths=64, device="cpu")
    found = bailey.price({"strike": strikes}, **common)
    for at in (0, 4095, 4096, 4999):
        assert found[at] == alone(dict(DEALS[0], strike=strikes[at], paths=64))


def test_american_and_seeds():
    deal = dict(payoff="american", strike=100, spot=100, volatility=0.2, exercise_times=[0.5, 1.0], lower_only=True)
    found = bailey.price([deal, dict(deal, strike=105)], device="cpu", **COMMON)
    wanted = bailey.american(105, spot=100, volatility=0.2, exercise_times=[0.5, 1.0], lower_only=True, device="cpu", **COMMON)
    assert found[1].mean == wanted.price and found[1].interval_low == wanted.interval_low
    plain = dict(DEALS[0], rate=0.03, paths=1024)
    one, other = bailey.price([plain, dict(plain, times=[1.5])], device="cpu")
    assert one.seed == other.seed != bailey.price([plain], device="cpu")[0].seed


LEVELS = dict(estimator="european", spot=100, strike=100, rate=0.05, volatility=0.2, eps=0.2, seed=3)


def run_alone(deal):
    given = {**LEVELS, **deal}
    run = {name: given.pop(name) for name in ("eps", "seed", "approximate") if name in given}
    return bailey.Mlmc(given.pop("estimator"), device="cpu", **given).run(**run)


def test_multilevel_runs():
    deals = [dict(strike=90.0), dict(strike=90.0, approximate="half"), {}, dict(approximate="auto"),
             dict(time=2.0, strike=110.0), dict(strike=110.0, time=2.0)]
    found = bailey.price(deals, device="cpu", **LEVELS)
    for deal, one in zip(deals, found):
        run = run_alone(deal)
        assert one.run == run and one.mean == run.mean and one.standard_error == run.standard_error and one.seed == 3
        assert one.paths == sum(level.samples for level in (*run.level, *run.correction))
        assert one.interval_low < run.mean - run.bias and one.interval_high > run.mean + run.bias
    assert found[3].run.choice and found[4] == found[5] and found[0] != found[2]
    mixed = bailey.price([dict(COMMON, **DEALS[0]), LEVELS], device="cpu")
    assert mixed[0] == alone(DEALS[0]) and mixed[1] == found[2] and mixed.to_dict()["run"][0] is None


@pytest.mark.parametrize("wrong, argument", [({"eps": 0.0}, "eps"), ({"approximate": "quarter"}, "approximate"),
                                             ({"payoff": "european"}, "estimator"), ({"strikes": 3}, "strikes")])
def test_a_wrong_multilevel_deal_is_named(wrong, argument):
    with pytest.raises(bailey.BaileyError, match="deal 1: ") as error:
        bailey.price([{}, wrong], device="cpu", **LEVELS)
    assert error.value.argument == argument
    with pytest.raises(bailey.BaileyError, match="no eps"):
        bailey.price([{name: value for name, value in LEVELS.items() if name != "eps"}], device="cpu")


WRONG = [
    (dict(DEALS[1], strikes=5), "strikes"), (dict(DEALS[1], volatility=-1), "volatility"), (dict(DEALS[1], payoff="call"), ""),
    ({"payoff": "european"}, "times"), ({"times": [1.0]}, "payoff"), (dict(DEALS[1], paths=-3), "paths"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_deal_is_named(number):
    wrong, argument = WRONG[number]
    wrong = dict(wrong, id="W")
    with pytest.raises(bailey.BaileyError, match="deal W: ") as error:
        bailey.price([DEALS[0], wrong, DEALS[2]], device="cpu", **COMMON)
    assert error.value.argument == argument or not argument
    found = bailey.price([DEALS[0], wrong, DEALS[2]], device="cpu", errors="return", **COMMON)
    assert math.isnan(found[1].mean) and found.labels[1]["error"] and "error" not in found.labels[0]
    assert found[0] == alone(DEALS[0]) and found[2] == alone(DEALS[2])


def test_progress():
    seen = []
    bailey.price(DEALS, device="cpu", progress=lambda done, total: seen.append((done, total)), **COMMON)
    assert seen[-1] == (len(DEALS), len(DEALS)) and sorted(seen) == seen
    with pytest.raises(bailey.Cancelled):
        bailey.price(DEALS, device="cpu", progress=lambda done, total: True, **COMMON)
