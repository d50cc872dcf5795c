# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""CuPy arrays that bailey fills where they are, on the program's stream: nothing is copied, and nothing waits."""
import cupy

import bailey

stream = cupy.cuda.Stream(non_blocking=True)
with stream:
    z = cupy.empty(1 << 24, dtype=cupy.float32)
    bailey.normals(out=z, seed=7)
    gain = cupy.maximum(100 * cupy.exp(0.01 + 0.2 * z) - 105, 0)  # queued behind the normals
    price = 0.9704455 * gain.mean()
stream.synchronize()
print(f"European call: {float(price):.2f}")

same = cupy.asnumpy(z[:1000]).tobytes() == bailey.normals(1000, seed=7, device="cpu").tobytes()
print("the bits of the processor" if same else "other bits than the processor's")
raise SystemExit(not same)
