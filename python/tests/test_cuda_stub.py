# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Arrays on a CUDA device, without one: with the stub driver of tests/stub_cuda.c, in whose memory the host can read.
An array of each protocol is filled where it is, on its stream."""
import ctypes
import os

import numpy
import pytest

import bailey

if "stub" not in os.environ.get("BAILEY_CUDA_LIBRARY", ""):
    pytest.skip("needs the stub driver", allow_module_level=True)
stub = ctypes.CDLL(os.environ["BAILEY_CUDA_LIBRARY"])
LEGACY, PER_THREAD = 1, 2


stub.bly_stub_cuda_last.restype = ctypes.c_uint64  # the stream in which something was queued last


@pytest.fixture(autouse=True)
def device():
    """The primary context is current, as a framework leaves it."""
    primary, popped = ctypes.c_void_p(), ctypes.c_void_p()
    assert stub.cuInit(0) == 0 and stub.cuDevicePrimaryCtxRetain(ctypes.byref(primary), 0) == 0
    stub.cuCtxPushCurrent_v2(primary)
    yield
    stub.cuCtxPopCurrent_v2(ctypes.byref(popped))


class Array:
    """Memory of the device."""

    def __init__(self, shape, dtype="float32"):
        self.shape, self.dtype = shape, numpy.dtype(dtype)
        size = int(numpy.prod(shape)) * self.dtype.itemsize
        pointer = ctypes.c_uint64()
        assert stub.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)) == 0
        self.pointer, self.size = pointer.value, size

    def read(self):
        return numpy.frombuffer(ctypes.string_at(self.pointer, self.size), self.dtype).reshape(self.shape)


class OfInterface(Array):
    stream = None

    @property
    def __cuda_array_interface__(self):
        return dict(version=3, typestr=self.dtype.str, data=(self.pointer, False), shape=self.shape, strides=None,
                    stream=self.stream)


class OfDlpack(Array):
    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        assert stream == LEGACY
        host = numpy.empty(self.shape, self.dtype)  # which lives by the capsule
        capsule = host.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        ctypes.c_uint64.from_address(get(capsule, b"dltensor")).value = self.pointer  # DLTensor.data
        return capsule


@pytest.mark.parametrize("kind", [OfInterface, OfDlpack])
def test_numbers(kind):
    out = kind((1000, ))
    assert bailey.normals(out=out, seed=5) is out
    assert stub.bly_stub_cuda_last() == LEGACY  # never a stream that does not wait for the framework's
    bailey.context(out).sync()
    assert out.read().tobytes() == bailey.normals(1000, seed=5, device="cpu").tobytes()
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.normals(out=out, device="cpu", seed=5)
    assert error.value.argument == "out"


def test_streams_are_the_arrays():
    out = OfInterface((1000, ))
    out.stream = PER_THREAD
    bailey.normals(out=out, seed=5)
    assert stub.bly_stub_cuda_last() == PER_THREAD
    assert bailey.context(out) is bailey.context(out)
    other = OfInterface((1000, ))
    assert bailey.context(other) is not bailey.context(out)


def test_bridges():
    out = OfInterface((4, 2, 100))
    times, z = [0.25, 0.5, 0.75, 1.0], OfInterface((4, 2, 100))
    bridge = bailey.Bridge(times, 2, device=out)
    assert bridge.paths(100, seed=3, out=out) is out
    bridge.normals(100, seed=3, out=z)
    wanted = bailey.Bridge(times, 2, device="cpu").paths(100, seed=3)
    bailey.context(out).sync()
    assert out.read().tobytes() == wanted.tobytes()
    assert bridge.build(z).tobytes() == wanted.tobytes()
    with pytest.raises(bailey.InvalidArgument, match="device=array") as error:
        bailey.Bridge(times, 2, device="cpu").paths(100, seed=3, out=out)
    assert error.value.argument == "out"


def test_motions():
    motion, ours = (bailey.Motion(2.0, depth=20, areas="h", device=where) for where in (OfInterface((1,)), "cpu"))
    ticks = numpy.random.default_rng(1).integers(0, 1 << 20, (2, 3, 100)).astype("uint64")
    ticks.sort(axis=0)
    out, at = OfInterface((3, 2, 1, 100)), OfInterface(ticks.shape, "int64")  # as tensors count
    ctypes.memmove(at.pointer, ticks.ctypes.data, at.size)
    assert motion.increments(ticks=at, paths=100, seed=3, out=out) is out
    bailey.context(out).sync()
    assert out.read().tobytes() == ours.increments(ticks=ticks, paths=100, seed=3).tobytes()
    assert motion.values([0.5, 2.0], 100, seed=3).tobytes() == ours.values([0.5, 2.0], 100, seed=3).tobytes()


@pytest.mark.parametrize("kind", [OfInterface, OfDlpack])
def test_trees(kind):
    like, out = kind((4, 25)), kind((4, 25))
    tree = bailey.BrownianTree(0, 2, like=like, seed=5)
    assert tree(0.25, 1.5, out=out) is out
    bailey.context(like).sync()
    assert out.read().tobytes() == bailey.BrownianTree(0, 2, (4, 25), seed=5)(0.25, 1.5).tobytes()


def test_refusals():
    out = OfInterface((1000, ))
    out.pointer = numpy.empty(4).ctypes.data
    with pytest.raises(bailey.InvalidArgument, match="not memory of a CUDA device"):
        bailey.normals(out=out, seed=5)
    with pytest.raises(bailey.InvalidArgument) as error:
        bailey.Bridge([1.0], device=numpy.empty(4))
    assert error.value.argument == "device"
