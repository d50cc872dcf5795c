# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Noise for a sampler of diffusion models: the same for a batch of 1 and a batch of 8, for 20 steps and for 40, on the
processor and on a GPU. The model is one whose answer is known, of pictures that are normal around a disc; the sampler is
Euler's with noise added at each step."""
from typing import Any, Optional

import numpy
from numpy.typing import NDArray

import bailey

Picture = NDArray[Any]
SHAPE, MOST, LEAST = (1, 32, 32), 14.6, 0.03
y, x = numpy.mgrid[-1:1:32j, -1:1:32j]
disc = (x**2 + y**2 < 0.5).astype(numpy.float32)


def denoised(picture: Picture, sigma: float) -> Picture:
    """The model's estimate of the picture, disc + 0.1 N, from one with noise of standard deviation sigma."""
    found: Picture = (0.01 * picture + sigma**2 * disc) / numpy.float32(0.01 + sigma**2)
    return found


def sample(batch: int, steps: int, seed: int, first: int = 0, device: Optional[str] = None) -> Picture:
    """Pictures first .. first + batch - 1 of a seed, with noise of a device."""
    size = (batch,) + SHAPE
    tree = bailey.BrownianTree(LEAST / 2, MOST, size, seed=seed, first_path=first * disc.size, device=device)
    start = bailey.normals(size, source=bailey.Source(seed, stream=1), first=first * disc.size, device=device)
    picture = numpy.float32(MOST) * start
    sigmas = numpy.geomspace(MOST, LEAST, steps + 1)
    for high, low in zip(sigmas, sigmas[1:]):
        up = low * numpy.sqrt(1 - (low / high) ** 2)  # the part of the next noise that is new
        down = numpy.sqrt(low**2 - up**2)
        slope = (picture - denoised(picture, high)) / numpy.float32(high)
        noise = tree(low, high) / numpy.float32(numpy.sqrt(high - low))
        picture = picture + slope * numpy.float32(down - high) + numpy.float32(up) * noise
    return picture


eight, fourth = sample(8, 20, seed=5), sample(1, 20, seed=5, first=3)
print(f"mean error of a pixel: {abs(eight - disc).mean():.3f}")
same = fourth[0].tobytes() == eight[3].tobytes()
print("picture 3 alone is picture 3 of the batch" if same else "the batch changes a picture")
finer = sample(1, 40, seed=5, first=3)
print(f"40 steps instead of 20 move a pixel by {abs(finer[0] - eight[3]).mean():.3f}")
for gpu in (device.address for device in bailey.devices() if device.usable and device.address.startswith("cuda")):
    of_gpu, of_cpu = (sample(8, 20, seed=5, device=device) for device in (gpu, "cpu"))
    equal = of_gpu.tobytes() == of_cpu.tobytes()
    print(f"{gpu} has {'the noise of the processor' if equal else 'other noise than the processor'}")
    same = same and equal
raise SystemExit(not same)
