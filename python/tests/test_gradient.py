# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Gradients: arrays of the parameters' shapes, prices as nodes of PyTorch's and JAX's graphs, what is refused."""
import copy
import math
import pickle

import numpy
import pytest

import bailey
from bailey import _node

MARKET = dict(spot=100.0, strike=100.0, rate=0.05, volatility=0.2)
TIMES = numpy.arange(1, 5) / 4
PATHS = 1 << 12


def european(**options):
    return bailey.Simulation("european", [1.0], device="cpu", dtype="float64", **{**MARKET, **options})


def basket():
    return bailey.Simulation("asian", TIMES, spot=[100.0, 95.0], weight=[0.5, 0.5], strike=100.0, rate=0.03,
                             volatility=[0.2, 0.3], covariance=[[1, 0.5], [0.5, 1]], device="cpu", dtype="float64")


CURVE = """
typedef struct { real node[3]; real one[1]; int count; } params;
typedef struct { real last; } state;
void start(state *s, const params *p) { s->last = 0; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    s->last = p->node[0] + p->node[1] * x[0] + p->node[2] * x[0] * x[0] + p->one[0] * p->count;
}
void finish(const state *s, const params *p, real out[2]) { out[0] = 2 * s->last; out[1] = s->last * s->last; }
"""


def curve():
    return bailey.Simulation(CURVE, [1.0], device="cpu", dtype="float64", node=[1.0, 2.0, 3.0], one=[1.0], count=1)


# ---- Simulation.gradient


def test_shapes_are_the_parameters():
    found = basket().gradient(PATHS, seed=1)
    assert {name: array.shape for name, array in found.mean.items()} == {
        name: array.shape for name, array in found.standard_error.items()}
    assert found.mean["spot"].shape == found.mean["volatility"].shape == (2,) and found.mean["strike"].shape == ()
    assert found.covariance is None and found.covariance_standard_error is None
    one = curve().gradient(PATHS, seed=1)
    assert found.independent == one.independent == []
    assert one.mean["one"].shape == (1,) and one.mean["node"].shape == (3,) and "count" not in one.mean
    assert all(array.dtype == numpy.float64 for array in one.mean.values())


def test_estimates_are_those_of_run():
    option = curve()
    found = option.gradient(PATHS, seed=1, output=1)
    assert found.estimates == option.run(PATHS, seed=1) and found.seed == 1
    assert option.gradient(PATHS, seed=1, by="node").mean["node"] == pytest.approx([2.0, 0.0, 2.0], abs=0.2)


def test_derivatives_are_differences():
    """Differences on the same paths: the payoff is smooth where they go, and only the truncation error remains."""
    option, h = basket(), 1e-4
    found = option.gradient(PATHS, seed=1, by=["spot", "rate"])
    for i in range(2):
        up, down = [100.0, 95.0], [100.0, 95.0]
        up[i], down[i] = up[i] + h, down[i] - h
        slope = (option.set(spot=up).run(PATHS, seed=1)[0].mean - option.set(spot=down).run(PATHS, seed=1)[0].mean) / (2 * h)
        option.set(spot=[100.0, 95.0])
        assert found.mean["spot"][i] == pytest.approx(slope, abs=1e-4)
    assert list(found.mean) == ["spot", "rate"]


def test_covariances():
    found = basket().gradient(PATHS, seed=1, by="spot", by_covariance=True)
    assert found.covariance.shape == (2, 2) and (found.covariance == found.covariance.T).all()
    assert [(d.name, d.first, d.second) for d in found.derivatives[-3:]] == [
        ("covariance", 0, 0), ("covariance", 1, 0), ("covariance", 1, 1)]
    assert found.covariance[1, 0] == found.derivatives[-2].estimate.mean
    assert found.covariance_standard_error[1, 1] == found.derivatives[-1].estimate.standard_error
    assert list(found.mean) == ["spot"]


def test_times_and_second_derivatives():
    option = european()
    found = option.gradient(1 << 18, seed=1, by=["spot", "volatility"], by_covariance=True, by_time=True, directions="spot", width=1.0)
    assert found.time == found.derivatives[3].estimate.mean and found.time == pytest.approx(
        -6.41403, abs=4 * found.time_standard_error)
    assert list(found.second) == [("spot", name) for name in ("spot", "volatility", "covariance", "time")]
    assert found.second["spot", "spot"] == pytest.approx(0.018762, abs=4 * found.second_standard_error["spot", "spot"] + 1e-4)
    assert found.second["spot", "covariance"].shape == (1, 1) and found.second["spot", "time"].shape == ()
    assert found.derivatives[4].by == "spot" and found.derivatives[0].by == ""
    assert option.gradient(PATHS, seed=1).time is None and not option.gradient(PATHS, seed=1).second


def test_second_derivatives_of_arrays():
    option = curve()
    found = option.gradient(PATHS, seed=1, by="node", output=1, directions=["node", "one"])
    hessian = found.second["node", "node"]
    assert hessian.shape == (3, 3) and found.second["one", "node"].shape == (1, 3)
    assert numpy.abs(hessian - hessian.T).max() < 1e-12
    assert hessian[0] == pytest.approx([2.0, 0.0, 2.0], abs=0.2)
    one = option.gradient(PATHS, seed=1, by="node", output=1, directions="node[1]")
    assert (one.second["node[1]", "node"] == hessian[1]).all()


def test_weights():
    option, weights = curve(), [2.0, -1.0]
    found = option.gradient(PATHS, seed=1, by="node", weights=weights)
    parts = [option.gradient(PATHS, seed=1, by="node", output=output).mean["node"] for output in (0, 1)]
    assert found.mean["node"] == pytest.approx(2 * parts[0] - parts[1], abs=1e-9)
    with pytest.raises(bailey.InvalidArgument):
        option.gradient(PATHS, seed=1, weights=[1.0])


def test_a_parameter_called_covariance():
    code = CURVE.replace("one[1]", "covariance[1]").replace("p->one", "p->covariance")
    option = bailey.Simulation(code, [1.0], device="cpu", dtype="float64", node=[1.0, 2.0, 3.0], parameters={"count": 1},
                               start=[0.0])
    option.set(covariance=[1.0])
    found = option.gradient(PATHS, seed=1, by="covariance", by_covariance=True)
    assert [d.estimate.mean for d in found.derivatives] == [found.mean["covariance"][0], found.covariance[0, 0]]
    assert found.mean["covariance"] == pytest.approx([2.0]) and found.covariance.item() == pytest.approx(6.0, abs=1)


def test_control_variates():
    option = basket()
    plain = option.gradient(PATHS, seed=1, by="spot")
    controlled = option.gradient(PATHS, seed=1, by="spot", expected=option.expected())
    assert (plain.mean["spot"] == controlled.mean["spot"]).all()
    for derivative in controlled.derivatives:
        e = derivative.estimate
        assert e.controlled != e.mean and e.controlled_standard_error < e.standard_error


def test_results_are_values():
    option = european()
    found = option.gradient(PATHS, seed=1)
    assert found == option.gradient(PATHS, seed=1) == pickle.loads(pickle.dumps(found)) == copy.deepcopy(found)
    assert hash(found) == hash(pickle.loads(pickle.dumps(found))) and found != option.gradient(PATHS, seed=2)
    assert found != option.gradient(PATHS, seed=1, by="spot")


def test_a_payoff_that_jumps():
    option = bailey.Simulation("digital", [1.0], device="cpu", dtype="float64", **MARKET)
    with pytest.raises(bailey.Unsupported, match="jumps"):
        option.gradient(PATHS, seed=1, widths=[0.0])
    standard = option.gradient(1 << 18, seed=1, by="spot")
    assert standard.mean["spot"] == pytest.approx(0.018762, abs=4 * standard.standard_error["spot"])
    assert standard.derivatives[0].by_jumps.mean == standard.mean["spot"]
    delta = option.gradient(1 << 18, seed=1, by="spot", width=1.0)
    assert delta.mean["spot"] == pytest.approx(0.018762, abs=4 * delta.standard_error["spot"])


@pytest.mark.parametrize("argument, options", [
    ("names", dict(by="colour")), ("names", dict(by="count")), ("names", dict(by="node[1]")), ("output", dict(output=2)), ("width", dict(width=-1.0)),
    ("by", dict(by=3)),
])
def test_refusals(argument, options):
    with pytest.raises(bailey.InvalidArgument) as error:
        curve().gradient(PATHS, seed=1, **options)
    assert error.value.argument == argument


# ---- bailey.torch


def test_torch(needs):
    torch = needs("torch")
    spot = torch.tensor(100.0, dtype=torch.float64, requires_grad=True)
    volatility = torch.tensor(0.25, requires_grad=True)
    option, wanted = european(), european(volatility=0.25).gradient(PATHS, seed=1)
    price = bailey.torch.price(option, PATHS, dict(spot=spot, volatility=volatility), seed=1)
    assert price.shape == () and price.dtype == torch.float64 and price.item() == wanted.estimates[0].mean
    (3 * price).backward()
    assert spot.grad.item() == 3 * wanted.mean["spot"]
    assert volatility.grad.dtype == torch.float32
    assert volatility.grad.item() == pytest.approx(3 * wanted.mean["volatility"], rel=1e-6)


def test_torch_arrays(needs):
    """The chain rule, through a tensor of which the parameters are made; numbers without a gradient have none."""
    torch = needs("torch")
    option, wanted = basket(), basket().gradient(PATHS, seed=1, by=["spot", "strike"])
    base = torch.tensor([10.0, 9.5], dtype=torch.float64, requires_grad=True)
    price = bailey.torch.price(option, PATHS, dict(spot=10 * base, strike=torch.tensor(100.0), rate=0.03), seed=1)
    price.backward()
    assert base.grad.tolist() == (10 * wanted.mean["spot"]).tolist()
    assert option.gradient(PATHS, seed=1, by=["spot", "strike"]).mean["strike"] == wanted.mean["strike"]


def test_torch_weights(needs):
    torch = needs("torch")
    option, weights, node = curve(), [2.0, -1.0], torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    price = bailey.torch.price(option, PATHS, dict(node=node), weights=weights, seed=1)
    price.backward()
    found = option.gradient(PATHS, seed=1, by="node", weights=weights)
    assert price.item() == 2 * found.estimates[0].mean - found.estimates[1].mean
    assert node.grad.tolist() == found.mean["node"].tolist()
    with torch.no_grad():
        assert bailey.torch.price(option, PATHS, dict(node=node), weights=weights, seed=1).item() == price.item()


def test_torch_without_gradients(needs):
    torch = needs("torch")
    price = bailey.torch.price(european(), PATHS, dict(spot=torch.tensor(101.0)), seed=1)
    assert not price.requires_grad and price.item() == pytest.approx(european(spot=101.0).run(PATHS, seed=1).mean, rel=1e-6)
    spot = torch.tensor(101.0, requires_grad=True)
    with torch.no_grad():
        assert not bailey.torch.price(european(), PATHS, dict(spot=spot), seed=1).requires_grad


def test_price_alone():
    """Options of gradients mean nothing to a price that nothing is differentiated with."""
    price, slopes = _node.evaluate(european(), PATHS, {"spot": 101.0}, [],
                                   {"seed": 1, "width": 2.0, "width_paths": 1000, "memory": 1 << 16})
    assert price == european(spot=101.0).run(PATHS, seed=1).mean and not slopes


def test_torch_refusals(needs):
    torch = needs("torch")
    spot = torch.tensor(100.0, requires_grad=True)
    for argument, parameters, options in (("colour", dict(colour=spot), {}), ("parameters", {}, {}),
                                          ("by", dict(spot=spot), dict(by="spot")),
                                          ("by_covariance", dict(spot=spot), dict(by_covariance=True)),
                                          ("directions", dict(spot=spot), dict(directions="spot")),
                                          ("spot", dict(spot=torch.empty((), device="meta")), dict(copy=True)),
                                          ("paths", dict(spot=spot), dict(seed=1, paths=-1))):
        with pytest.raises(bailey.InvalidArgument) as error:
            bailey.torch.price(european(), **{"paths": PATHS, **options}, parameters=parameters)
        assert error.value.argument == argument
    price = bailey.torch.price(european(), PATHS, dict(spot=spot), seed=1)
    with pytest.raises(NotImplementedError, match="differentiable once"):
        slope, = torch.autograd.grad(price, spot, create_graph=True)
        slope.backward()


def test_torch_on_cuda(needs):
    torch = needs("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    spot = torch.tensor(100.0, dtype=torch.float64, device="cuda", requires_grad=True)
    option = bailey.Simulation("european", [1.0], device="cuda", dtype="float64", **MARKET)
    with pytest.raises(bailey.InvalidArgument, match="copy=True") as error:
        bailey.torch.price(option, PATHS, dict(spot=spot), seed=1)
    assert error.value.argument == "spot"
    price = bailey.torch.price(option, PATHS, dict(spot=spot), copy=True, seed=1)
    price.backward()
    assert price.device == spot.grad.device == spot.device
    assert spot.grad.item() == european().gradient(PATHS, seed=1).mean["spot"]


def test_torch_compiles(needs):
    """Whole graphs, with sizes and seeds that change without compiling again, and derivatives through them."""
    torch = needs("torch")
    normals, spot = bailey.torch.normals, torch.tensor(100.0, requires_grad=True)
    drawn = torch.compile(lambda n, seed: 2 * normals(n, 4, seed=seed), fullgraph=True, dynamic=True, backend="aot_eager")
    for n, seed in ((3, 7), (5, 2**40)):
        assert drawn(n, seed).numpy().tobytes() == (2 * bailey.normals((n, 4), seed=seed, device="cpu")).tobytes()
    far = dict(seed=2**64 - 1, first=5, stream=2**63, dtype=torch.bfloat16)
    source = bailey.Source(far["seed"], stream=far["stream"])
    assert torch.equal(normals(8, **far), bailey.normals(out=torch.empty(8, dtype=torch.bfloat16), source=source, first=5, device="cpu"))
    node = bailey.torch.Price(european(), PATHS, seed=1)
    square = torch.compile(lambda spot: node(spot=spot, volatility=0.2) ** 2, fullgraph=True, backend="aot_eager")
    square(spot).backward()
    wanted = european().gradient(PATHS, seed=1)
    assert spot.grad.item() == pytest.approx(2 * wanted.estimates[0].mean * wanted.mean["spot"], rel=1e-6)
    torch.library.opcheck(bailey.torch._price, ([spot], node._which, "spot", "spot"),
                          test_utils=("test_schema", "test_faketensor", "test_autograd_registration"))
    for argument, options in (("seed", dict(seed=-1)), ("first", dict(seed=1, first=-1)), ("dtype", dict(seed=1, dtype=torch.int32))):
        with pytest.raises(bailey.InvalidArgument) as error:
            normals(5, **options)
        assert error.value.argument == argument


# ---- bailey.jax


@pytest.fixture
def jax(needs):
    module = needs("jax")
    before = module.config.jax_enable_x64
    module.config.update("jax_enable_x64", True)
    yield module
    module.config.update("jax_enable_x64", before)


def test_jax(jax):
    option, wanted = european(), european().gradient(PATHS, seed=1)

    def price(spot, volatility):
        return 3 * bailey.jax.price(option, PATHS, dict(spot=spot, volatility=volatility), seed=1)

    assert float(price(100.0, 0.2)) == 3 * wanted.estimates[0].mean
    for function in (price, jax.jit(price)):
        found, slopes = jax.value_and_grad(function, argnums=(0, 1))(100.0, 0.2)
        assert float(found) == 3 * wanted.estimates[0].mean
        assert [float(slope) for slope in slopes] == [3 * wanted.mean[name] for name in ("spot", "volatility")]


def test_jax_maps(jax):
    option, spots = european(), numpy.array([90.0, 100.0, 110.0])

    def price(spot):
        return bailey.jax.price(option, PATHS, dict(spot=spot), seed=1)

    wanted = [option.set(spot=spot).gradient(PATHS, seed=1) for spot in spots]
    slopes = jax.jit(jax.vmap(jax.grad(price)))(spots)
    assert slopes.tolist() == [float(found.mean["spot"]) for found in wanted]
    assert jax.vmap(price)(spots).tolist() == [found.estimates[0].mean for found in wanted]


def test_jax_arrays(jax):
    option, wanted = basket(), basket().gradient(PATHS, seed=1, by="spot")

    def price(base):
        return bailey.jax.price(option, PATHS, dict(spot=10 * base, rate=0.03), seed=1)

    assert jax.grad(price)(jax.numpy.array([10.0, 9.5])).tolist() == (10 * wanted.mean["spot"]).tolist()


def test_jax_refusals(jax):
    for argument, parameters, options in (("colour", dict(colour=1.0), dict(seed=1)), ("parameters", {}, dict(seed=1)),
                                          ("by", dict(spot=1.0), dict(seed=1, by="spot")), ("seed", dict(spot=1.0), {})):
        with pytest.raises(bailey.InvalidArgument) as error:
            bailey.jax.price(european(), PATHS, parameters, **options)
        assert error.value.argument == argument
    with pytest.raises(bailey.Unsupported, match="once"):
        jax.grad(jax.grad(lambda spot: bailey.jax.price(european(), PATHS, dict(spot=spot), seed=1)))(100.0)
    with pytest.raises(TypeError):
        jax.jvp(lambda spot: bailey.jax.price(european(), PATHS, dict(spot=spot), seed=1), (100.0,), (1.0,))


# ---- Mlmc.gradient


def test_multilevel():
    levels = bailey.Mlmc("european", device="cpu", dtype="float64", **MARKET)
    found = levels.gradient(0.05, by=["spot", "volatility"], seed=3)
    assert found.estimate == levels.run(0.05, seed=3)
    delta = 0.5 * math.erfc(-0.35 / math.sqrt(2))  # of Black and Scholes, whose d is 0.35 here
    assert abs(found.mean["spot"] - delta) < 5 * found.standard_error["spot"] + 2 * abs(found.bias["spot"])
    assert set(found.derivatives) == {"spot", "volatility"}
    assert levels.gradient(0.05, by="volatility", seed=3).mean["volatility"] == found.mean["volatility"]


@pytest.mark.parametrize("by, options", [("colour", {}), (["spot"], dict(approximate="constant"))])
def test_multilevel_refusals(by, options):
    with pytest.raises(bailey.BaileyError):
        bailey.Mlmc("european", device="cpu", **MARKET).gradient(0.5, by=by, **options)
