# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays of others on the host: DLPack both ways, PyTorch's tensors, what is refused."""
import ctypes

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
    """Results are NumPy arrays, which export DLPack; arrays of others are read where they are."""
    if hasattr(numpy, "from_dlpack"):  # since 1.23
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
    option = bailey.Simulation("european", [1.0], parameters=dict(spot=1, strike=1, rate=0, volatility=1))
    option.samples(1024, seed=5, out=samples)
    assert abs(samples.mean().item() - option.run(1024, seed=5).mean) < 1e-6


# ---- Writing where it should not be


def fill(out, **options):
    return bailey.normals(out=out, seed=5, device="cpu", **options)


def test_out_has_the_shape():
    bridge, levels = bailey.Bridge([0.5, 1.0], 3, device="cpu"), bailey.Motion(depth=4, device="cpu")
    option = bailey.Simulation("european", [1.0], parameters=dict(spot=1, strike=1, rate=0, volatility=1), device="cpu")
    tree = bailey.BrownianTree(0.0, 1.0, (4, 6), seed=1, device="cpu")
    areas = bailey.BrownianTree(0.0, 1.0, (4, 6), seed=1, levy_area_approximation="space-time", device="cpu")
    factor = numpy.eye(3)
    for shape, call in (((2, 3, 8), lambda out: bridge.paths(8, out=out)), ((2, 3, 8), lambda out: bridge.normals(8, out=out)),
                        ((2, 3, 8), lambda out: bridge.build(numpy.zeros((2, 3, 8)), out=out)),
                        ((4, 6), lambda out: bailey.normals((4, 6), out=out)), ((4, 6), lambda out: tree(0.0, 1.0, out=out)),
                        ((4, 6), lambda out: areas(0.0, 1.0, out=out)), ((1, 24), lambda out: option.samples(24, out=out)),
                        ((3, 8), lambda out: bailey.correlate(numpy.zeros((3, 8), "f4"), factor, out=out)),
                        ((8, 4), lambda out: bailey.points(8, 4, source=bailey.sobol(1), out=out)),
                        ((3, 1, 8), lambda out: levels.values([0.0, 0.5, 1.0], 8, out=out))):
        size = int(numpy.prod(shape))
        for other in (shape[::-1], (size,), shape + (1,), (1,) + shape):
            if other != shape:
                refused("out", call, numpy.zeros(other, numpy.float32))
        assert call(numpy.zeros(shape, numpy.float32)).shape == shape


def test_sizes_of_zero():
    bridge, path_major = (bailey.Bridge([0.5, 1.0], 3, layout=layout, device="cpu") for layout in ("step-major", "path-major"))
    fixed = bailey.Bridge([1.0], end=[1.0], device="cpu")
    levels = bailey.Motion(depth=4, areas="h", device="cpu")
    option = bailey.Simulation("european", [1.0], parameters=dict(spot=1, strike=1, rate=0, volatility=1), device="cpu")
    tree = bailey.BrownianTree(0.0, 1.0, (0, 6), device="cpu")
    empty = numpy.zeros((2, 3, 0))
    for shape, found in ((0,), bailey.words(0)), ((0,), bailey.uniforms(0)), ((3, 0), bailey.normals((3, 0))), (
            (0, 2), bailey.variates("normal", (0, 2))), ((0, 4), bailey.points(0, 4, source=bailey.sobol(1))), (
                (4, 0), bailey.points(4, 0, source=bailey.sobol(1))), ((2, 3, 0), bridge.paths(0)), (
                    (2, 3, 0), bridge.normals(0)), ((2, 3, 0), bridge.build(empty)), ((0, 2, 3), path_major.paths(0)), (
                        (0, 1, 5), fixed.normals(5)), ((1, 1, 5), fixed.build(numpy.zeros((0, 1, 5)))), (
                            (3, 0), bailey.correlate(numpy.zeros((3, 0), "f4"), numpy.eye(3))), (
                                (1, 0), option.samples(0)), ((0, 1, 5), levels.values([], 5)), (
                                    (2, 1, 0), levels.values([0.5, 1.0], 0)), ((0, 2, 1, 5), levels.increments([], [], 5)), (
                                        (1, 1, 0), levels.values(ticks=numpy.zeros((1, 0), "u8"), paths=0)), (
                                            (0, 6), tree(0.0, 0.5)), ((0,), levels.ticks([])), (
                                                (0,), bailey.order("bisection", 0)), ((2, 0), fill(numpy.zeros((2, 0)))):
        assert found.shape == shape
    assert (fixed.build(numpy.zeros((0, 1, 5))) == 1).all()
    refused("method", bailey.normals, 0, method="nonsense")
    refused("first", bailey.words, 0, first=-1)


def test_overlaps_are_refused():
    bridge = bailey.Bridge([0.5, 1.0], 3, device="cpu")
    memory = numpy.zeros(2 * 3 * 8 + 16, numpy.float32)
    z, near, behind = (memory[at:at + 48].reshape(2, 3, 8) for at in (0, 8, 16))
    for out in (z, near):
        refused("z", bridge.build, z, out=out)
    bridge.build(z[:, :, ::2], out=z[:1].reshape(-1)[:24].reshape(2, 3, 4).copy())
    flat = memory[:24].reshape(3, 8)
    refused("z", bailey.correlate, flat, numpy.eye(3), out=flat)
    bridge.normals(8, seed=1, out=behind)
    wanted = bridge.build(behind.astype("float64"))
    assert bridge.build(behind.astype("float64"), out=behind).tobytes() == wanted.tobytes()  # a copy of other elements
    ticks = numpy.zeros((1, 8), numpy.uint64)
    refused("ticks", bailey.Motion(depth=4, dtype="float64", device="cpu").values, ticks=ticks, paths=8,
            out=ticks.view("float64").reshape(1, 1, 8))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_alignment(dtype):
    size = numpy.dtype(dtype).itemsize
    room = numpy.zeros(65 * size, numpy.uint8)
    at = 8 - room.ctypes.data % 8 if room.ctypes.data % 8 else 0
    for more in range(8):
        out = room[at + more:at + more + 8 * size].view(dtype)
        if more % size:
            refused("out", fill, out)
        else:
            assert fill(out).tobytes() == bailey.normals(8, seed=5, dtype=dtype, device="cpu").tobytes()
    z = room[at + 1:at + 1 + 8 * size].view(dtype).reshape(1, 1, 8)  # what is read is copied there
    assert bailey.Bridge([1.0], dtype=dtype, device="cpu").build(z).tobytes() == z.tobytes()


def test_masked_arrays_are_refused():
    masked = numpy.ma.zeros((1, 1, 8), numpy.float32)
    refused("out", fill, masked)
    refused("z", bailey.Bridge([1.0]).build, masked)


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("data", ctypes.c_void_p),
                ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64)]


class OfVersion(Dlpack):
    """An array that says in DLPack's flags what may be done with it."""

    def __init__(self, array, flags, major=1):
        super().__init__(array)
        self.extents = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.held = Versioned(major, 0, None, None, flags, array.ctypes.data, (1, 0), array.ndim, 2,
                              8 * array.itemsize, 1, self.extents, None, 0)

    def __dlpack__(self, stream=None, max_version=None):
        assert max_version == (1, 0)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.held), b"dltensor_versioned", None)


def test_flags_of_dlpack():
    out = OfVersion(numpy.zeros(64, numpy.float32), 0)
    assert fill(out) is out and out.array.tobytes() == WANTED.tobytes()
    for flags in (1, 2, 3):  # read-only, a copy
        out = OfVersion(numpy.zeros(64, numpy.float32), flags)
        refused("out", fill, out)
        assert not out.array.any()
    refused("out", fill, OfVersion(numpy.zeros(64, numpy.float32), 0, major=2))
    z = OfVersion(WANTED.reshape(1, 1, 64), 1)
    assert bailey.Bridge([1.0]).build(z).tobytes() == WANTED.tobytes()


def test_jax_arrays_are_immutable(needs):
    jax = needs("jax")
    array = jax.numpy.zeros(64, jax.numpy.float32)
    refused("out", fill, array)
    assert not numpy.asarray(array).any()
    refused("like", bailey.BrownianTree, 0.0, 1.0, like=array)
    z = jax.numpy.asarray(WANTED.reshape(1, 1, 64))
    assert bailey.Bridge([1.0], device="cpu").build(z).tobytes() == WANTED.tobytes()


def test_tensors_that_are_refused(needs):
    torch = needs("torch")
    tensor = torch.zeros(64, requires_grad=True)
    refused("out", fill, tensor)
    with torch.no_grad():
        assert fill(tensor) is tensor
    assert tensor.detach().numpy().tobytes() == WANTED.tobytes()
    refused("out", fill, torch.zeros(64, dtype=torch.complex64).conj().imag)  # with its negative bit set
    with torch.inference_mode():
        made = fill(torch.zeros(64))
    refused("out", fill, made)
    refused("out", fill, torch.zeros(64).expand(2, 64))
    refused("dtype", fill, torch.zeros(64, dtype=torch.int64))
    bridge = bailey.Bridge([1.0], device="cpu")
    refused("z", bridge.build, torch.zeros(1, 1, 64, requires_grad=True))
    turned = torch.complex(torch.zeros(64), torch.from_numpy(WANTED.copy())).conj().imag.reshape(1, 1, 64)
    assert (bridge.build(turned.contiguous()) == -WANTED).all()
    assert bailey.BrownianTree(0.0, 1.0, like=tensor, seed=1)(0.0, 1.0).shape == (64,)


def test_autograd_sees_what_is_written(needs):
    torch = needs("torch")
    for call in (fill, lambda out: bailey.BrownianTree(0.0, 1.0, (64,), seed=1, device="cpu")(0.0, 1.0, out=out)):
        kept, weight = torch.ones(64), torch.ones(64, requires_grad=True)
        loss = (kept * weight).sum()  # saves `kept` for the gradient
        call(kept)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()
