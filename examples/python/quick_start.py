# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The price of a European call, in under ten lines."""
import bailey

option = bailey.Simulation("european", times=[1.0])
option.set(spot=100, strike=105, rate=0.03, volatility=0.2)
price = option.run(1 << 22, seed=1)
print(f"{price.mean:.4f} +- {price.standard_error:.4f}")
