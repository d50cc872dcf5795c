# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""PyTorch tensors that bailey fills where they are, on a GPU if there is one: on its current stream; nothing is copied,
and nothing waits."""
import torch

import bailey

device = "cuda" if torch.cuda.is_available() else "cpu"
z = torch.empty(1 << 20, device=device)
bailey.normals(out=z, seed=7)
print(f"{device}: mean {z.mean().item():.4f}, deviation {z.std().item():.4f}")

# Paths go to a tensor on the stream that the bridge was made for.
steps, paths = 12, 1 << 16
x = torch.empty(steps, 1, paths, device=device)
bridge = bailey.Bridge([(i + 1) / steps for i in range(steps)], device=x if x.is_cuda else device)
bridge.paths(paths, seed=7, out=x)
t = torch.arange(1, steps + 1, device=device)[:, None] / steps
gain = torch.clamp((100 * torch.exp(0.01 * t + 0.2 * x[:, 0])).mean(dim=0) - 100, min=0)
print(f"Asian call: {0.9704455 * gain.mean().item():.2f} +- {0.9704455 * gain.std().item() / paths**0.5:.2f}")

same = z.cpu().numpy().tobytes() == bailey.normals(1 << 20, seed=7, device="cpu").tobytes()
print("the bits of the processor" if same else "other bits than the processor's")
raise SystemExit(not same)
