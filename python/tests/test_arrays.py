# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays of others on the host: DLPack both ways, PyTorch's tensors, what is refused."""
import numpy
import pytest

import bailey

WANTED = bailey.normals(64, seed=5)


class Dlpack:
    """An array that speaks DLPack and nothing else, as libraries without NumPy have it."""

    def __init__(self, array):
        self.array = array
        self.shape, self.dtype = array.shape, array.dtype

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


def test_dlpack_is_filled():
    out = Dlpack(numpy.zeros(64, numpy.float32))
    assert bailey.normals(out=out, seed=5) is out
    assert out.array.tobytes() == WANTED.tobytes()
    double = Dlpack(numpy.zeros((8, 8)))
    bailey.normals(out=double, seed=5)  # its type says float64
    assert double.array.tobytes() == bailey.normals(64, seed=5, dtype="float64").tobytes()


def test_dlpack_is_given():
    """What is returned is NumPy's, which hands it on; what others have is read where it is."""
    assert numpy.from_dlpack(bailey.normals(64, seed=5)).tobytes() == WANTED.tobytes()
    bridge = bailey.Bridge([0.5, 1.0], 2)
    z, x = bridge.normals(16, seed=5), bridge.paths(16, seed=5)
    assert bridge.build(Dlpack(z)).tobytes() == x.tobytes()
    z.flags.writeable = False
    assert bridge.build(z).tobytes() == x.tobytes()
    assert bridge.build(z.astype("float64").tolist()).tobytes() == x.tobytes()
    factor = [[2, 0], [1, 1]]
    assert bailey.correlate(Dlpack(z.reshape(2, -1).copy()), factor).tobytes() == bailey.correlate(
        z.reshape(2, -1), factor).tobytes()


def refused(argument, call, *args, **kwargs):
    with pytest.raises(bailey.InvalidArgument) as error:
        call(*args, **kwargs)
    assert error.value.argument == argument and argument in str(error.value)


def test_out_is_refused():
    readonly = numpy.zeros(64, numpy.float32)
    readonly.flags.writeable = False
    refused("out", bailey.normals, out=readonly)
    refused("out", bailey.normals, out=numpy.zeros((8, 8), numpy.float32)[:, :4])
    refused("out", bailey.normals, out=Dlpack(numpy.zeros((8, 8), numpy.float32)[:, :4]))
    refused("out", bailey.normals, 65, out=numpy.zeros(64, numpy.float32))
    refused("out", bailey.normals, out=numpy.zeros(64, numpy.float32), dtype="float64")
    refused("out", bailey.words, out=numpy.zeros(64, numpy.float32))
    refused("out", bailey.normals, out=[0.0] * 64)
    refused("dtype", bailey.normals, out=numpy.zeros(64, numpy.int64))
    refused("count", bailey.normals)
    refused("z", bailey.Bridge([1.0]).build, numpy.zeros((2, 1, 4), numpy.float32))


class Elsewhere(Dlpack):
    def __dlpack_device__(self):
        return 8, 0  # Metal


def test_other_devices_are_refused():
    refused("out", bailey.normals, out=Elsewhere(numpy.zeros(64, numpy.float32)))


def test_torch(needs):
    torch = needs("torch")
    tensor = torch.empty(8, 8)
    assert bailey.normals(out=tensor, seed=5) is tensor
    assert tensor.numpy().tobytes() == WANTED.tobytes()
    assert (torch.from_dlpack(bailey.normals(64, seed=5)) == tensor.reshape(64)).all()
    bridge = bailey.Bridge([0.5, 1.0], 2, dtype="float64")
    z, x = torch.empty(2, 2, 16, dtype=torch.float64), torch.empty(2, 2, 16, dtype=torch.float64)
    bridge.normals(16, seed=5, out=z)
    bridge.build(z, out=x)
    assert x.numpy().tobytes() == bridge.paths(16, seed=5).tobytes()
    refused("out", bailey.normals, out=torch.empty(8, 8).t())
    samples = torch.empty(1, 1024)
    option = bailey.Simulation("european", [1.0], parameters=dict(spot=1, strike=1, volatility=1))
    option.samples(1024, seed=5, out=samples)
    assert abs(samples.mean().item() - option.run(1024, seed=5).mean) < 1e-6
