# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
import numpy
import pytest

import bailey


def test_values_do_not_depend_on_how_they_are_asked_for():
    motion = bailey.Motion(2.0, depth=10, dims=2, covariance=[[1, 0.5], [0.5, 2]], start=[1, 2])
    times = [0.25, 2.0, 0.0, 1.5, 0.25]
    x = motion.values(times, 50, seed=3)
    assert x.shape == (5, 2, 50) and x.dtype == numpy.float32
    assert (x[2] == [[1], [2]]).all() and (x[0] == x[4]).all()
    assert motion.values(1.5, 7, seed=3, first_path=20)[0].tobytes() == x[3, :, 20:27].tobytes()
    fine = bailey.Motion(2.0, depth=40, dims=2, covariance=[[1, 0.5], [0.5, 2]], start=[1, 2])
    assert fine.values(times, 50, seed=3).tobytes() == x.tobytes()
    own = numpy.repeat(motion.ticks(times)[:, None], 50, axis=1)
    assert motion.values(ticks=own, paths=50, seed=3).tobytes() == x.tobytes()
    assert motion.time(512) == 1.0
    with pytest.raises(bailey.InvalidArgument) as error:
        motion.values(2.5, 1, seed=3)
    assert error.value.argument == "time"


def test_increments_and_their_areas():
    motion = bailey.Motion(areas="hk", dtype="float64", depth=20)
    low, high = [0.0, 0.25, 0.1], [0.25, 0.5, 0.100001]
    x = motion.increments(low, high, 20000, seed=1)
    assert x.shape == (3, 3, 1, 20000)
    lengths = numpy.array([0.25, 0.25, motion.time(motion.ticks(0.100001)) - motion.time(motion.ticks(0.1))])
    for part, divisor in enumerate((1, 12, 720)):
        ratio = x[:, part, 0].var(axis=1) * divisor / lengths
        assert numpy.abs(ratio - 1).max() < 0.06
    assert abs(numpy.corrcoef(x[0, 0, 0], x[0, 1, 0])[0, 1]) < 0.04
    ticks = numpy.stack([motion.ticks(low), motion.ticks(high)])
    each = numpy.repeat(ticks[:, :, None], 20000, axis=2)
    assert motion.increments(ticks=each, paths=20000, seed=1).tobytes() == x.tobytes()
    with pytest.raises(bailey.InvalidArgument):
        motion.increments([0.5], [0.25], 1)
    with pytest.raises(bailey.InvalidArgument):
        bailey.Motion(areas="full")


def test_tree_has_one_noise_for_any_batch():
    tree = bailey.BrownianTree(0.0, 14.6, (8, 4, 16), seed=5)
    all_of_them = tree(1.0, 2.5)
    assert all_of_them.shape == (8, 4, 16)
    alone = bailey.BrownianTree(0.0, 14.6, (1, 4, 16), seed=5, first_path=3 * 4 * 16)
    assert (alone(1.0, 2.5)[0] == all_of_them[3]).all()
    assert (tree(2.5, 1.0) == -all_of_them).all()
    total = tree(0.0, 1.0) + all_of_them
    assert numpy.abs(tree(2.5) - total).max() < 1e-5
    out = numpy.empty((8, 4, 16), numpy.float32)
    assert tree(1.0, 2.5, out=out) is out and (out == all_of_them).all()
    w, u, h = bailey.BrownianTree(0, 2, (5,), seed=1, levy_area_approximation="space-time")(0.5, 1.5, return_U=True,
                                                                                             return_H=True)
    assert numpy.abs(u - (w / 2 + h)).max() < 1e-6
    with pytest.raises(bailey.InvalidArgument):
        tree(0.0, 1.0, return_U=True)
    with pytest.raises(bailey.InvalidArgument):
        bailey.BrownianTree(0, 1)


def test_tree_fills_tensors(needs):
    torch = needs("torch")
    like = torch.empty((3, 5), dtype=torch.float64)
    tree = bailey.BrownianTree(0, 1, like=like, seed=9)
    w = tree(0.25, torch.tensor(0.75))
    assert isinstance(w, torch.Tensor) and w.dtype == torch.float64 and w.shape == (3, 5)
    plain = bailey.BrownianTree(0, 1, (3, 5), seed=9, dtype="float64")(0.25, 0.75)
    assert (w.numpy() == plain).all()
    with pytest.raises(bailey.Unsupported) as error:
        tree(0.25, 0.75, return_A=True)
    assert error.value.argument == "return_A"


def geometric(torch):
    """A geometric Brownian motion for torchsde, whose volatility is a parameter, and where it starts."""

    class Geometric(torch.nn.Module):
        noise_type, sde_type = "diagonal", "ito"

        def __init__(self):
            super().__init__()
            self.volatility = torch.nn.Parameter(torch.tensor(0.2, dtype=torch.float64))

        def f(self, t, y):
            return 0.05 * y

        def g(self, t, y):
            return self.volatility * y

        def end(self, y0, w):
            return y0 * torch.exp(0.05 - self.volatility**2 / 2 + self.volatility * w)

    return Geometric(), torch.full((64, 2), 100.0, dtype=torch.float64), torch.tensor([0.0, 1.0], dtype=torch.float64)


@pytest.mark.parametrize("method, areas, gain, least", [("milstein", "none", 3, 0.02), ("srk", "space-time", 6, 5e-4)])
def test_tree_drives_torchsde(needs, method, areas, gain, least):
    torch, torchsde = needs("torch"), needs("torchsde")
    equation, y0, times = geometric(torch)
    tree = bailey.BrownianTree(0, 1, like=y0, seed=4, levy_area_approximation=areas)
    exact, errors = equation.end(y0, tree(0.0, 1.0)), []
    for steps in (16, 64):
        y = torchsde.sdeint(equation, y0, times, bm=tree, method=method, dt=1.0 / steps)
        errors.append((y[-1] - exact).abs().mean().item())
    assert errors[1] < errors[0] / gain and errors[1] < least


def test_tree_drives_adjoints_of_torchsde(needs):
    torch, torchsde = needs("torch"), needs("torchsde")
    equation, y0, times = geometric(torch)
    tree = bailey.BrownianTree(0, 1, like=y0, seed=4)
    y = torchsde.sdeint_adjoint(equation, y0, times, bm=tree, method="milstein", dt=1.0 / 64)
    found, = torch.autograd.grad(y[-1].mean(), equation.parameters())
    exact, = torch.autograd.grad(equation.end(y0, tree(0.0, 1.0)).mean(), equation.parameters())
    assert abs(found - exact) < 0.01 * abs(exact)


def test_tree_clamps_what_rounding_moves():
    low, high = 0.029167533, 14.614643
    tree = bailey.BrownianTree(low, high, (4,), seed=1)
    whole = tree(low, high)
    for ta, tb in ((low, float(numpy.float32(high))), (0.0, high), (0, numpy.nextafter(numpy.float32(high), numpy.float32(99))),
                   (numpy.nextafter(numpy.float32(low), numpy.float32(0)), high)):
        with pytest.warns(UserWarning, match="is replaced by") as caught:
            assert tree(ta, tb).tobytes() == whole.tobytes()
        assert caught[0].filename == __file__
    with pytest.warns(UserWarning):
        assert (tree(low, 0.0) == 0).all()
    for ta, tb in ((low, high + 1e-4), (-1e-3, high), (1e-3, high), (low, numpy.nan), (low, numpy.inf)):
        with pytest.raises(bailey.InvalidArgument) as error:
            tree(ta, tb)
        assert error.value.argument == "time"
    with pytest.raises(bailey.InvalidArgument):
        bailey.BrownianTree(-1.0, -0.5, (4,), seed=1)(0.0, -1.0)


def test_tree_takes_the_times_of_sdeint(needs):
    torch, torchsde = needs("torch"), needs("torchsde")
    equation, y0, _ = geometric(torch)
    times = torch.linspace(0, 0.3, 7)  # which ends at 0.30000001
    tree = bailey.BrownianTree(0.0, 0.3, like=y0, seed=1, device="cpu")
    with pytest.warns(UserWarning, match="is replaced by 0.3"):
        y = torchsde.sdeint(equation, y0, times, bm=tree, dt=0.05, method="euler")
    assert y.shape == (7, 64, 2)


def test_ticks_are_the_librarys():
    """Many times at once have the ticks that each has: near the ends and halfway between ticks, and refusals too."""
    from bailey._library import ffi, lib

    motion = bailey.Motion(3.3, start_time=0.7, depth=20, device="cpu")
    rng = numpy.random.default_rng(1)
    middles = 0.7 + (rng.integers(0, 2**20, 500) + 0.5) * (3.3 - 0.7) / 2**20
    times = numpy.concatenate([rng.uniform(0.7, 3.3, 2000), middles, [0.7, 3.3, numpy.nextafter(3.3, 0)]])
    found, tick = motion.ticks(times), ffi.new("uint64_t *")
    for time, one in zip(times, found):
        assert lib.bailey_motion_tick(motion._handle, time, tick) == lib.BAILEY_OK and tick[0] == one
    assert motion.ticks(2.0).shape == () and motion.ticks([[2.0, 3.0]]).shape == (1, 2) and motion.ticks([]).shape == (0,)
    for wrong in (0.5, 3.5, numpy.nan):
        with pytest.raises(bailey.InvalidArgument) as error:
            motion.ticks([1.0, wrong])
        assert error.value.argument == "time"
