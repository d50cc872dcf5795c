# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""bailey: random numbers, Brownian paths and Monte Carlo prices on whatever accelerator a machine has, with the
same bits on every one of them.

    import bailey
    z = bailey.normals(1000, seed=1)                      # on the best device there is
    option = bailey.Simulation("european", [1.0], spot=100, strike=100, rate=0.05, volatility=0.2)
    print(option.run(1 << 20, seed=1))

A device is an address as bailey.devices() lists them: "cpu", "cuda", "opencl:0:0". Any object may be used from any
thread: its calls run one after the other. Functions run in parallel, and so do objects that different threads made. Arrays that are given as `out` are filled where they are.
"""
import importlib
import typing

from ._bridge import Bridge, order
from ._copulas import copula
from ._correlation import check_correlation, factor_correlation, nearest_correlation
from ._local_volatility import local_volatility
from ._deals import MlmcEstimate, price
from ._description import Description
from ._devices import Context, context, devices
from ._fields import renamed as _renamed
from ._gradient import Gradient
from ._integers import choice, integers, permutation
from ._library import BaileyError, Cancelled, InvalidArgument, OutOfMemory, PayoffError, Unsupported, ffi, lib
from ._lists import Estimates, Greeks
from ._mlmc import Mlmc, MlmcGradient, mlmc, mlmc_levels
from ._motion import BrownianTree, Motion
from ._numbers import (beta, binomial, chi_square, choices, correlate, exponential, gamma, geometric, gumbel, laplace, logistic,
                       lognormal, negative_binomial, noncentral_chi_square, normals, points, poisson, standard_cauchy, student_t,
                       truncated_normal, uniforms, variates, weibull, words)
from ._parts import Part, Partial, merge
from . import payoff as _payoff_module  # before the function of this name
from ._payoff import Payoff, PayoffClass, array, payoff
from ._products import american, asian
from ._simulation import Histogram, Policy, Simulation, describe, models, payoffs, products
from ._source import BitGenerator, Source, generators, sobol
from ._types import (AmericanResult, Derivative, Device, Estimate, ExerciseBounds, ExerciseResult, GreekEstimate, JobDevice, JobReport, MlmcChoice, MlmcLevel, MlmcReport,
                     MlmcResult, MlmcTestLevel, MlmcTestRun, Moment)

from . import _types
from ._progress import Argument as _Argument
from ._values import Day as _Day

# Names in annotations of _types.py, which these modules import.
vars(_types).update(Argument=_Argument, Day=_Day, Estimates=Estimates, Source=Source)

if typing.TYPE_CHECKING:
    from ._sobol_engine import SobolEngine as SobolEngine


def __getattr__(name: str) -> typing.Any:
    """SobolEngine, which needs SciPy; torch, torchsde, jax and diffrax, which need PyTorch and JAX; plot, which needs matplotlib."""
    if name in ("torch", "torchsde", "jax", "diffrax", "plot"):
        return importlib.import_module(f".{name}", __name__)
    if name != "SobolEngine":
        raise AttributeError(_renamed(name, __all__) or f"module {__name__!r} has no attribute {name!r}")
    from ._sobol_engine import SobolEngine

    return SobolEngine


__version__: str = ffi.string(lib.bailey_version()).decode()
__all__ = [
    "AmericanResult", "BaileyError", "BitGenerator", "Bridge", "BrownianTree", "Cancelled", "Context", "Derivative",
    "Description", "Device", "Estimate", "Estimates", "ExerciseBounds", "ExerciseResult", "Gradient", "GreekEstimate", "Greeks", "Histogram", "InvalidArgument", "JobDevice",
    "JobReport", "Mlmc", "MlmcChoice", "MlmcEstimate", "MlmcGradient", "MlmcLevel", "MlmcReport", "MlmcResult", "MlmcTestLevel", "MlmcTestRun", "Moment",
    "Motion", "OutOfMemory", "Part", "Partial", "Payoff", "PayoffClass", "PayoffError", "Policy", "Simulation", "Source", "Unsupported", "american",
    "array", "asian", "beta", "binomial", "check_correlation", "chi_square", "choice", "choices", "context", "copula", "correlate", "describe", "devices", "exponential", "factor_correlation", "gamma", "generators", "geometric", "gumbel", "integers", "laplace", "local_volatility", "logistic", "lognormal", "merge", "mlmc", "mlmc_levels", "models",
    "nearest_correlation", "negative_binomial", "noncentral_chi_square", "normals", "order", "payoff", "payoffs", "permutation", "points", "poisson", "price", "products", "sobol", "standard_cauchy", "student_t", "truncated_normal", "uniforms", "variates", "weibull", "words"
]
