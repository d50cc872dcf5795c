# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""An autocallable note under Heston's model with a curve of rates: price, bias, derivatives, and a picture of its payments.

The note and the model are built in, so that nothing is compiled from Python. A derivative by a rate of the curve is that of
one period. Draws autocall.svg where matplotlib is.
"""
import pathlib

import numpy

import bailey

DATES, PATHS = 6, 1 << 16
times = numpy.arange(1, DATES + 1) / 2  # three years, with a date each half year
curve = [0.020, 0.024, 0.027, 0.029, 0.030, 0.0305]  # forward rates, continuously compounded

note = bailey.Simulation("autocall", times, model="heston+curve", dtype="float64", spot=100, rate=curve, dividend=DATES * [0.01],
                         variance=0.05, reversion=1.5, mean_variance=0.06, sigma=0.5, correlation=-0.7, coupon=0.035,
                         coupon_barrier=0.8, protection=0.65)
price, life = note.run(PATHS, seed=1)
bias = note.bias(PATHS, seed=1)[0]
print(f"price {price.mean:.3f} +- {price.standard_error:.3f}, {life.mean:.2f} dates on average")
print(f"discretisation bias, about {bias.mean:.3f} +- {bias.standard_error:.3f}")

# Comparisons with barriers jump: each jump is spread over a width that suits the number of paths.
NAMES = ("spot", "variance", "mean_variance", "sigma", "correlation", "protection")
gradient = note.gradient(PATHS, seed=1, by=[*NAMES, "rate"])
slope, error = gradient.mean, gradient.standard_error
for name in NAMES:
    print(f"by {name:14} {float(numpy.squeeze(slope[name])):9.4f} +- {float(numpy.squeeze(error[name])):.4f}")
rates, bars = slope["rate"] / 10000, error["rate"] / 10000  # of a basis point
for time, one, bar in zip(times, rates, bars):
    print(f"by the rate of the half year to {time:3.1f}, a basis point: {one:.5f} +- {bar:.5f}")
print(f"by all of them: {rates.sum():.5f}")

paid, ended = note.samples(PATHS, seed=1)
shares = [numpy.mean(ended == date + 1) for date in range(DATES)]
print("ended at each date: " + ", ".join(f"{100 * share:.1f} %" for share in shares))

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no picture: matplotlib is not here")
else:
    plt.style.use(pathlib.Path(__file__).parent / "picture.mplstyle")
    figure, (left, right) = plt.subplots(1, 2)
    parts = [paid[ended == date + 1] for date in range(DATES)]
    shades = plt.get_cmap("viridis")(numpy.linspace(0.9, 0.1, DATES))
    left.hist(parts, bins=numpy.arange(20, 124, 4), stacked=True, color=list(shades),
              weights=[numpy.full(len(part), 100 / PATHS) for part in parts], label=[f"after {time:g} years" for time in times])
    left.axvline(price.mean, color="black", linewidth=1)
    left.set(title="Payments", xlabel="discounted payments, for a notional of 100", ylabel="% of the paths", yscale="log")
    left.legend()
    right.bar(times - 0.25, rates, width=0.4, yerr=1.96 * bars, color="#1f6fb4")
    right.set(title="By the curve", xlabel="half year of the forward rate, in years",
              ylabel="change of the price for a basis point")
    figure.savefig("autocall.svg")
