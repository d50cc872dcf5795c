# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""bailey.torchsde: torchsde's Brownian motions by its arguments. scripts/peers runs torchsde's own tests of them."""
import math

import pytest

import bailey


@pytest.fixture
def torch(needs):
    return needs("torch")


def test_intervals_are_trees(torch):
    bm = bailey.torchsde.BrownianInterval(0.0, 2.0, size=(3, 5), entropy=9, tol=1e-3, pool_size=3, cache_size=None, halfway_tree=True)
    plain = bailey.BrownianTree(0, 2, (3, 5), seed=9)
    assert (bm(0.25, torch.tensor(0.75)).numpy() == plain(0.25, 0.75)).all() and (bm(0.5).numpy() == plain(0.5)).all()
    assert bm.size() == bm.shape == (3, 5) and bm.entropy == 9 and bm.dtype == torch.float32 and bm.device.type == "cpu"
    assert bm.levy_area_approximation == "none" and "entropy=9" in repr(bm)
    one = bailey.torchsde.BrownianInterval(0.0, 2.0, size=(1, 5), entropy=9, first_path=2 * 5)
    assert (one(0.3, 1.9)[0] == bm(0.3, 1.9)[2]).all()
    assert bailey.torchsde.BrownianInterval(size=(2,)).entropy != bailey.torchsde.BrownianInterval(size=(2,)).entropy


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_types(torch, name):
    dtype = getattr(torch, name)
    w0 = torch.ones(6, 4, dtype=dtype, requires_grad=True).t()
    bm = bailey.torchsde.BrownianTree(0.0, w0, 1.0, entropy=3)
    wide = bailey.torchsde.BrownianTree(0.0, torch.ones(4, 6, dtype=torch.float64 if name == "float64" else torch.float32), 1.0,
                                        entropy=3)
    assert bm(0.5).dtype == dtype and bm(0.5).shape == (4, 6) and bm(0.25, 0.75).requires_grad is False
    assert (bm(0.25, 0.75) == wide(0.25, 0.75).to(dtype)).all()
    bm(0.5).sum().backward()
    assert not w0.is_leaf and bm(0.5).requires_grad


def test_ends_are_met(torch):
    """W and H of the whole span are those that were given, and the law between them is a bridge's."""
    n = 40000
    w, h = torch.full((n,), 1.5, dtype=torch.float64), torch.full((n,), -0.25, dtype=torch.float64)
    bm = bailey.torchsde.BrownianInterval(0.0, 2.0, entropy=1, levy_area_approximation="space-time", W=w, H=h)
    whole, area = bm(0.0, 2.0, return_U=True)
    assert (whole - w).abs().max() < 1e-12 and (area - 2.0 * (w / 2 + h)).abs().max() < 1e-12
    x, u = bm(0.0, 0.5, return_U=True)
    y, v = bm(0.5, 2.0, return_U=True)
    assert (x + y - w).abs().max() < 1e-12 and (u + v + 1.5 * x - area).abs().max() < 1e-12
    s = 0.25
    mean, variance = s * 1.5 + 6 * s * (1 - s) * -0.25, 2.0 * (s * (1 - s) - 3 * s**2 * (1 - s) ** 2)
    assert abs(float(x.mean()) - mean) < 4 * math.sqrt(variance / n)
    assert abs(float(x.var()) / variance - 1) < 4 * math.sqrt(2 / n)
    tree = bailey.torchsde.BrownianTree(0.0, torch.zeros(n), 2.0, torch.ones(n), entropy=1)
    assert (tree(2.0) - 1).abs().max() < 1e-6 and abs(float(tree(1.0).var()) / 0.5 - 1) < 4 * math.sqrt(2 / n)


def test_what_is_refused(torch):
    make, zeros = bailey.torchsde.BrownianInterval, torch.zeros(2, 3)
    calls = [
        ("levy_area_approximation", lambda: make(size=(2,), levy_area_approximation="davie")),
        ("levy_area_approximation", lambda: make(size=(2,), levy_area_approximation="foster")),
        ("levy_area_approximation", lambda: make(size=(2,), levy_area_approximation="full")),
        ("size", make), ("size", lambda: make(size=(2,), W=zeros)), ("dtype", lambda: make(dtype=torch.float64, W=zeros)),
        ("dtype", lambda: make(size=(2,), dtype=torch.int32)), ("H", lambda: make(H=zeros)), ("W", lambda: make(W=[1.0])),
        ("w0", lambda: bailey.torchsde.BrownianTree(0.0, 1.0)), ("tb", lambda: make(size=(2,))(0.5, 0.25)),
        ("ta", lambda: make(size=(2,))(math.nan)), ("return_U", lambda: make(size=(2,))(0.0, 0.5, return_U=True)),
        ("levy_area_approximation", lambda: make(size=(2,))(0.0, 0.5, return_A=True)),
    ]
    for argument, call in calls:
        with pytest.raises(bailey.BaileyError) as error:
            call()
        assert error.value.argument == argument
    with pytest.warns(UserWarning, match="tb is 1.5, and is replaced by 1.0"):
        assert (make(size=(2,), entropy=1)(0.5, 1.5) == make(size=(2,), entropy=1)(0.5, 1.0)).all()


def test_solvers(torch, needs):
    torchsde = needs("torchsde")

    class Geometric(torch.nn.Module):
        noise_type, sde_type = "diagonal", "stratonovich"

        def f(self, t, y):
            return 0.1 * y

        def g(self, t, y):
            return 0.3 * y

    bm = bailey.torchsde.BrownianInterval(0.0, 1.0, size=(64, 2), dtype=torch.float64, entropy=5)
    assert isinstance(bm, torchsde.BaseBrownian)
    y0, ts = torch.ones(64, 2, dtype=torch.float64, requires_grad=True), torch.tensor([0.0, 1.0])
    y = torchsde.sdeint(Geometric(), y0, ts, bm=bm, method="midpoint", dt=2.0**-8)[-1]
    exact = torch.exp(0.1 + 0.3 * bm(0.0, 1.0))
    assert float((y - exact).abs().max()) < 0.01
    y.sum().backward()
    assert float((y0.grad - exact).abs().max()) < 0.01


def test_queries_compile(torch):
    """In whole graphs, of times as numbers and as tensors, also where autograd follows an end."""
    bm = bailey.torchsde.BrownianInterval(0.0, 1.0, size=(4, 3), entropy=7, levy_area_approximation="space-time")
    both = torch.compile(lambda ta, tb: bm(ta, tb, return_U=True), fullgraph=True, backend="aot_eager")
    for times in ((0.25, 0.5), (torch.tensor(0.1), torch.tensor(0.75))):
        assert all(torch.equal(one, wanted) for one, wanted in zip(both(*times), bm(*times, return_U=True)))
    start = torch.ones(3, requires_grad=True)
    tree = bailey.torchsde.BrownianTree(0.0, start, entropy=5)
    torch.compile(lambda t: tree(t).sum(), backend="aot_eager")(0.5).backward()
    assert torch.equal(start.grad, torch.ones(3))
