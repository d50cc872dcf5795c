# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# What `bailey bench simulate` runs in one process per thread: an Asian call by NumPy or by
# QuantLib; and `bailey bench motion`: W(t) / sqrt(t) at random t by diffrax or torchsde, the latter with a tree of the
# queries' own and, as torchsde-halfway, with a dyadic one, which is bailey's; and `bailey bench gradient`: prices with all
# derivatives by JAX. Arguments: the name, f32 or f64, a seed, the deal as JSON. It says what it found in a line of JSON;
# then it prices as many paths, or makes as many numbers, as each line of its input says, and answers with another.
import json
import math
import os
import sys
import time

sys.path[:] = [place for place in sys.path if place]  # no numpy.py of the current directory
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # the other threads have processes like this one

CHUNK = 4096  # paths whose arrays stay in the second cache


def numpy_pricer(real, seed, deal):
    import numpy as np

    real = np.float32 if real == "f32" else np.float64
    generator = np.random.default_rng(seed)
    column = lambda name: np.array(deal[name], real).reshape(-1, 1)
    start, drift = column("start"), column("drift")
    assets, steps, strike = len(start), deal["steps"], real(deal["strike"])
    factor = np.array(deal["factor"], real).reshape(assets, assets)
    z, x, e = (np.empty((assets, CHUNK), real) for _ in range(3))
    total = np.empty(CHUNK, real)

    def chunk():
        np.copyto(x, start)
        total.fill(0)
        for _ in range(steps):
            generator.standard_normal(dtype=real, out=z)
            np.matmul(factor, z, out=e)
            np.add(x, e, out=x)
            np.add(x, drift, out=x)
            np.exp(x, out=e)
            for row in e:
                np.add(total, row, out=total)
        return np.maximum(total * real(1 / steps) - strike, 0)

    def price(paths):
        sums = squares = 0.0
        for first in range(0, paths, CHUNK):
            payoff = chunk()[: paths - first].astype(np.float64)
            sums += float(payoff.sum())
            squares += float((payoff * payoff).sum())
        return sums, squares

    return price, np.__version__, "%s, ziggurat" % type(generator.bit_generator).__name__


def quantlib_pricer(real, seed, deal):
    import QuantLib as ql

    # Fixings are days: 24 or fewer of them divide a year of 360 into equal parts.
    days = 360 // deal["steps"]
    today = ql.Date(1, 1, 2026)
    ql.Settings.instance().evaluationDate = today
    count, rate, calendar = ql.Actual360(), deal["rate"], ql.NullCalendar()
    curve = lambda value: ql.YieldTermStructureHandle(ql.FlatForward(today, value, count))
    volatility = ql.BlackVolTermStructureHandle(ql.BlackConstantVol(today, calendar, deal["volatility"], count))
    spot = ql.QuoteHandle(ql.SimpleQuote(deal["spot"]))
    process = ql.BlackScholesMertonProcess(spot, curve(0.0), curve(rate), volatility)
    dates = [today + days * (i + 1) for i in range(deal["steps"])]
    option = ql.DiscreteAveragingAsianOption(
        ql.Average.Arithmetic, 0.0, 0, dates, ql.PlainVanillaPayoff(ql.Option.Call, deal["strike"]),
        ql.EuropeanExercise(dates[-1]))

    def price(paths):
        option.setPricingEngine(ql.MCDiscreteArithmeticAPEngine(
            process, "pseudorandom", brownianBridge=False, antitheticVariate=False, controlVariate=False,
            requiredSamples=paths, seed=seed))
        mean, error = option.NPV() * math.exp(rate), option.errorEstimate() * math.exp(rate)
        # The error has one path less in its denominator.
        return mean * paths, (error * error * (paths - 1) + mean * mean) * paths

    return price, ql.__version__, "MT19937 of 32 bits, inverse CDF"


def diffrax_queries(real, seed, deal):
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import diffrax
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", real == "f64")
    kind = jnp.float64 if real == "f64" else jnp.float32
    key = jax.random.PRNGKey(seed)

    @jax.jit
    def values(times, keys):
        def value(t, k):
            tree = diffrax.VirtualBrownianTree(0.0, 1.0, tol=2.0 ** -deal["levels"], shape=(), key=k)
            return tree.evaluate(t)

        return jax.vmap(value)(times, keys)

    made = {}

    def query(count):
        if count not in made:
            # Multiples of 2^-levels, above 0.
            ticks = jax.random.randint(key, (count,), 1, 2 ** deal["levels"])
            made[count] = ticks.astype(kind) * kind(2.0 ** -deal["levels"]), jax.random.split(key, count)
        times, keys = made[count]
        w = (values(times, keys) / jnp.sqrt(times)).astype(jnp.float64 if real == "f64" else jnp.float32)
        return float(w.sum()), float((w * w).sum())

    return query, diffrax.__version__, "threefry, one thread"


def torchsde_queries(real, seed, deal, halfway_tree=False):
    import torch
    import torchsde

    elements = 1000
    torch.set_num_threads(1)
    kind = torch.float64 if real == "f64" else torch.float32
    tree = torchsde.BrownianInterval(0.0, 1.0, size=(elements,), dtype=kind, entropy=seed, tol=2.0 ** -deal["levels"],
                                     halfway_tree=halfway_tree)
    generator = torch.Generator().manual_seed(seed)

    def query(count):
        # A query has one time for its elements. Those are independent, and what one has at two times is not: `squares`
        # is what as many independent numbers would have to give the mean the error that it has.
        sums = torch.zeros(elements, dtype=torch.float64)
        for first in range(0, count, elements):
            t = max(torch.rand((), generator=generator).item(), 2.0 ** -deal["levels"])
            w = tree(0.0, t) / math.sqrt(t)
            sums[: count - first] += w[: count - first]
        times = (count - 1 - torch.arange(elements)) // elements + 1
        total = sums.sum().item()
        apart = ((sums - times * (total / count)) ** 2).sum().item()
        return total, apart + total * total / count

    return query, torchsde.__version__, "%d elements per query" % elements


def torchsde_halfway_queries(real, seed, deal):
    return torchsde_queries(real, seed, deal, halfway_tree=True)


def jax_gradients(real, seed, deal):
    on_gpu = deal["platform"] != "cpu"
    os.environ["JAX_PLATFORMS"] = deal["platform"]
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    if not on_gpu:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import jax.numpy as jnp
    import numpy as np

    try:
        jax.devices()
    except RuntimeError as error:
        raise ImportError("JAX has no device: %s" % error) from error
    jax.config.update("jax_enable_x64", real == "f64")
    jax.config.update("jax_default_matmul_precision", "highest")
    kind = jnp.float64 if real == "f64" else jnp.float32
    steps, dims = deal["steps"], len(deal["correlation"])
    names = ["spot", "variance", "reversion", "mean_variance", "sigma"]
    if deal["model"] == "asian":
        names = ["spot", "volatility", "dividend", "weight"]
    parameters = {name: jnp.array(deal[name], kind).reshape(-1, 1) for name in names}
    parameters.update(rate=jnp.array(deal["rate"][0], kind), strike=jnp.array(deal["strike"][0], kind),
                      # of the covariance, whose derivatives are computed from those of its factor
                      factor=jnp.array(np.linalg.cholesky(np.array(deal["correlation"])), kind))
    dt = kind(1 / steps)

    def heston(p, dw, i, state):
        change, variance = state
        v = jnp.maximum(variance, 0)
        root = jnp.where(v > 0, jnp.sqrt(jnp.where(v > 0, v, 1)), 0)
        change += dt * (p["rate"] - v / 2) + root * dw[: dims // 2]
        variance += dt * p["reversion"] * (p["mean_variance"] - v) + p["sigma"] * root * dw[dims // 2 :]
        return change, variance

    def asian(p, dw, i, state):
        w, total = state
        w += dw
        drift = p["rate"] - p["dividend"] - p["volatility"] ** 2 / 2
        price = p["spot"] * jnp.exp(p["volatility"] * w + drift * (dt * (i + 1)))
        return w, total + (p["weight"] * price).sum(0)

    def begin(p, paths):
        if deal["model"] == "asian":
            return jnp.zeros((dims, paths), kind), jnp.zeros(paths, kind)
        return jnp.zeros((dims // 2, paths), kind), jnp.broadcast_to(p["variance"], (dims // 2, paths))

    def mean_of(p, state):
        return state[1] / steps if deal["model"] == "asian" else (p["spot"] * jnp.exp(state[0])).mean(0)

    def payoffs(p, key, paths, wrap):
        def step(state, i):
            z = jax.random.normal(jax.random.fold_in(key, i), (dims, paths), kind)
            dw = (p["factor"] @ z) * jnp.sqrt(dt)
            return (asian if deal["model"] == "asian" else heston)(p, dw, i, state), None

        state, _ = jax.lax.scan(wrap(step), begin(p, paths), jnp.arange(steps))
        out = jnp.exp(-p["rate"]) * jnp.maximum(mean_of(p, state) - p["strike"], 0)
        return out.sum(), (out * out).sum()

    # A part's arrays stay in the second cache of a processor, or in the memory of a GPU.
    parts = -(-deal["paths"] // (1 << 18 if on_gpu else CHUNK))
    paths = -(-deal["paths"] // parts)

    def make(wrap, generator):
        run = jax.jit(jax.value_and_grad(lambda p, key: payoffs(p, key, paths, wrap), has_aux=True))
        key = jax.random.key(seed, impl=generator)
        keys = [jax.random.fold_in(key, part) for part in range(parts)]
        return lambda: jax.block_until_ready([run(parameters, k) for k in keys])

    def seconds_of(call):
        begun = time.perf_counter()
        call()
        return time.perf_counter() - begun

    found = []
    forms = ("stored", lambda f: f), ("rematerialised", jax.checkpoint)
    for form, wrap in forms:
        for generator in ("threefry2x32", "rbg") if on_gpu else ("threefry2x32",):
            call = make(wrap, generator)
            try:
                compiled = seconds_of(call)
                found.append((min(seconds_of(call) for _ in range(3)), form, generator, compiled, call))
            except Exception:  # without memory for what is stored
                continue
    _, form, generator, compiled, call = min(found, key=lambda one: one[0])

    def price(count):
        results = call()
        scale = count / (paths * parts)
        total = lambda numbers: float(np.sum(np.array(numbers, np.float64))) * scale
        return (total([r[0][0] for r in results]), total([r[0][1] for r in results]),
                total([r[1]["spot"][0, 0] for r in results]))

    return price, jax.__version__, "%s, %s, first call %.1f s" % (form, generator, compiled)


def main():
    name, real, seed, deal = sys.argv[1:5]
    make = {"numpy": numpy_pricer, "quantlib": quantlib_pricer, "diffrax": diffrax_queries,
            "torchsde": torchsde_queries, "torchsde-halfway": torchsde_halfway_queries, "jax": jax_gradients}[name]
    answer = lambda **what: print(json.dumps(what), flush=True)
    try:
        price, version, note = make(real, int(seed), json.loads(deal))
    except ImportError as error:
        answer(missing=str(error))
        return
    answer(version=version, note=note)
    for line in sys.stdin:
        begun = time.perf_counter()
        used = time.process_time()
        try:
            sums, squares, *slope = price(int(line))
        except Exception as error:
            answer(failed=repr(error))
            return
        answer(sum=sums, squares=squares, slope=slope[0] if slope else None, seconds=time.perf_counter() - begun,
               processor=time.process_time() - used)


main()
