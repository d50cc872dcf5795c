# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""bailey's numbers by docs/developers/specification.md: an independent implementation in NumPy, which neither calls the
library nor shares code with it; it reads the two tables of data. Read it together with the page; it is not fast.

Section numbers are the page's. Arrays of words are np.uint32 and np.uint64, of numbers np.float32 and np.float64.
"""
import math
import os

import numpy as np

U32, U64, F32, F64 = np.uint32, np.uint64, np.float32, np.float64
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")


def h(text):
    """A hexadecimal floating-point literal."""
    return float.fromhex(text)


# ---- 1 Arithmetic ----------------------------------------------------------------------------------

def bits(x):
    x = np.asarray(x)
    return x.view(U32 if x.dtype == F32 else U64)


def _two_sum(a, b):
    """s + e = a + b exactly, s rounded. D. Knuth, The Art of Computer Programming, vol. 2, 4.2.2."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _two_product(a, b):
    """p + e = a b exactly. T. Dekker, Numer. Math. 18, 1971."""
    split = F64(2**27 + 1)
    p = a * b
    t = split * a
    ah = t - (t - a)
    al = a - ah
    t = split * b
    bh = t - (t - b)
    bl = b - bh
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def _add_to_odd(a, b):
    """a + b of doubles, rounded to odd: if inexact, the neighbour whose last bit is 1."""
    s, e = _two_sum(a, b)
    u = np.array(s, dtype=F64).view(np.int64)
    away = np.where((e > 0) == (s > 0), 1, -1)
    return np.where((e != 0) & (u & 1 == 0), u + away, u).view(F64)


def fma(a, b, c):
    """a b + c, rounded once. The type of the result is that of c; all three have it.

    f32: the product is exact in double, and a sum that is rounded to odd in 53 bits rounds to 24 as the exact sum
    does. f64: S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding
    to odd", IEEE Trans. Comput. 57, 2008. Neither overflow nor underflow occurs here.
    """
    if np.asarray(c).dtype == F32:
        product = np.asarray(a, dtype=F64) * np.asarray(b, dtype=F64)
        return _add_to_odd(product, np.asarray(c, dtype=F64)).astype(F32)
    a, b, c = np.asarray(a, F64), np.asarray(b, F64), np.asarray(c, F64)
    uh, ul = _two_product(a, b)
    th, tl = _two_sum(c, ul)
    vh, vl = _two_sum(uh, th)
    return vh + _add_to_odd(tl, vl)


def polynomial(x, coefficients):
    """Horner's rule, the highest power first."""
    real = x.dtype.type
    y = np.full_like(x, real(h(coefficients[0])))
    for c in coefficients[1:]:
        y = fma(y, x, np.full_like(x, real(h(c))))
    return y


# ---- 2 Words ---------------------------------------------------------------------------------------

def philox(rounds, counter, key):
    """Philox4x32: four arrays of counter words, two key words."""
    c = [np.asarray(w, dtype=U64) for w in counter]
    low, k0, k1 = U64(0xFFFFFFFF), int(key[0]), int(key[1])
    for _ in range(rounds):
        p0, p1 = c[0] * U64(0xD2511F53), c[2] * U64(0xCD9E8D57)
        c = [(p1 >> U64(32)) ^ c[1] ^ U64(k0), p1 & low, (p0 >> U64(32)) ^ c[3] ^ U64(k1), p0 & low]
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return c


def halves(x):
    return x % 2**32, x >> 32


def philox_words(seed, stream, first, count, rounds=10):
    """Words first .. first + count - 1 of a Philox sequence."""
    blocks = np.array([b for b in range(first // 4, (first + count + 3) // 4)], dtype=U64)
    counter = [blocks & U64(0xFFFFFFFF), blocks >> U64(32)]
    counter += [np.full_like(blocks, w) for w in halves(stream)]
    words = np.stack(philox(rounds, counter, halves(seed)), axis=1).reshape(-1).astype(U32)
    return words[first % 4:first % 4 + count]


# Set 0 of the warp generator: lane i reads lanes qa[i] and qb[i], the latter shifted right by zb[i].
WARP = """27.4.3 20.6.2 30.24.2 29.1.1 12.2.1 26.11.2 9.14.2 19.9.3 2.27.0 24.28.1 0.7.0 28.13.2 5.17.3 7.20.1 16.25.3
18.22.3 22.29.2 31.10.2 10.23.1 6.12.1 14.18.3 1.26.3 23.8.2 21.19.1 15.3.3 8.15.3 13.16.3 11.5.3 3.30.3 17.21.2
25.31.3 4.0.0"""
QA, QB, ZB = np.array([[int(n) for n in t.split(".")] for t in WARP.split()]).T


def warp_run(seed, stream, run):
    """The 8192 words of a run, in their order."""
    high = run >> 32
    c1 = [((high & 0x1FFFF) | 2 << 25 | (high >> 17) << 30) + (index << 17) for index in range(8)]
    counter = [np.full(8, run % 2**32), np.array(c1)] + [np.full(8, w) for w in halves(stream)]
    state = np.stack(philox(10, counter, halves(seed)), axis=1).reshape(32)
    steps, low = np.empty((256, 32), dtype=U32), U64(0xFFFFFFFF)
    for step in range(256):
        a, b = state[QA], state[QB]
        product = a * U64(0x9E3779B9)
        steps[step] = (((product & low) + b) & low) ^ (product >> U64(32))
        state = ((a << U64(3)) & low) ^ (b >> ZB.astype(U64))
    return steps.reshape(64, 4, 32).transpose(0, 2, 1).reshape(8192)


def warp_words(seed, stream, first, count):
    runs = range(first // 8192, (first + count + 8191) // 8192)
    words = np.concatenate([warp_run(seed, stream, run) for run in runs])
    return words[first % 8192:first % 8192 + count]


def words(generator, seed, stream, first, count):
    if generator == "warp":
        return warp_words(seed, stream, first, count)
    return philox_words(seed, stream, first, count, {"philox": 10, "philox7": 7}[generator])


def elements(generator, seed, stream, first, count):
    """64-bit elements."""
    w = words(generator, seed, stream, 2 * first, 2 * count).astype(U64)
    return w[0::2] | w[1::2] << U64(32)


# ---- 3 Numbers between 0 and 1 ---------------------------------------------------------------------

def u01_f32(w):
    return fma((w >> U32(9)).astype(F32), F32(2.0**-23), np.full(w.shape, F32(2.0**-24)))


def u01_f64(e):
    return (e >> U64(12)).astype(F64) * F64(2.0**-52) + F64(2.0**-53)


# ---- 4 Normals by the inverse CDF ------------------------------------------------------------------

def _table(name, kind, columns):
    return np.fromfile(os.path.join(DATA, name), dtype=kind).reshape(-1, columns)


def _top_bit(k):
    """The number of the highest bit that is 1, of uint64 below 2^33."""
    return np.frexp(k.astype(F64))[1].astype(U64) - U64(1)


def icdf_f32(w):
    w = w.astype(U64)
    upper = w >= U64(2**31)
    k = np.where(upper, U64(2**32 - 1) - w, w) * U64(2) + U64(1)
    n = U64(31) - _top_bit(k)
    m = k << n
    row = U64(16) * n + (m >> U64(27)) - U64(16)
    u = ((m & U64(2**27 - 1)).astype(np.int64) - 2**27).astype(F32)
    c = _table("icdf_f32.bin", "<f4", 4)[row.astype(np.int64)]
    x = c[..., 3]
    for power in (2, 1, 0):
        x = fma(x, u, c[..., power])
    return np.where(upper, np.abs(x), -np.abs(x)).astype(F32)


def icdf_f64(e):
    upper = e >= U64(2**63)
    k = np.where(upper, ~e, e) >> U64(11)
    p = (k.astype(F64) + F64(0.5)) * F64(2.0**-53)  # k < 2^52: exact
    b = bits(p)
    row = (U64(1021) - (b >> U64(52))) * U64(32) + ((b >> U64(47)) & U64(31))
    u = ((~b & U64(2**47 - 1)) + U64(1)).astype(F64) * F64(2.0**-52)
    c = _table("icdf_f64.bin", "<f8", 8)[row.astype(np.int64)]
    x = c[..., 7]
    for power in range(6, -1, -1):
        x = fma(x, u, c[..., power])
    return np.where(upper, np.abs(x), -np.abs(x))


# ---- 5 Normals by Box and Muller -------------------------------------------------------------------

LOG2_F32 = ["0x1.95a2aep-3", "-0x1.c6faf8p-3", "0x1.9fb0f6p-3", "-0x1.e4f75ep-3", "0x1.278a7p-2", "-0x1.717298p-2",
            "0x1.ec70c6p-2", "-0x1.715456p-1", "0x1.715476p0"]
SINE_F32 = ["-0x1.2f5992p-8", "0x1.466b2p-4", "-0x1.4abbecp-1", "0x1.921fb6p0"]
COSINE_F32 = ["0x1.d09c24p-11", "-0x1.55a5cp-6", "0x1.03c19ep-2", "-0x1.3bd3ccp0"]
LOG2_F64 = ["0x1.47a084cc7fd43p-3", "-0x1.71fb070210ae9p-3", "0x1.a617fc472937ap-3", "-0x1.ec707e796823fp-3",
            "0x1.2776c4fec7437p-2", "-0x1.71547653cf199p-2", "0x1.ec709dc3a16f9p-2", "-0x1.71547652b82d4p-1",
            "0x1.71547652b82fep0"]
SINE_F64 = ["0x1.e357ef99ead45p-25", "-0x1.e2fe76fdffd28p-19", "0x1.50782d5f14825p-13", "-0x1.32d2ccdfe9424p-8",
            "0x1.466bc67754fffp-4", "-0x1.4abbce625be09p-1", "0x1.921fb54442d18p0"]
COSINE_F64 = ["-0x1.ac2eafc93ccdap-28", "0x1.f9b8188b0a512p-22", "-0x1.a6d1d35595887p-16", "0x1.e1f506654c60ap-11",
              "-0x1.55d3c7e3b7b01p-6", "0x1.03c1f081b5a24p-2", "-0x1.3bd3cc9be45dep0"]

# Factors c near 1 / m, m = 1/2 + i/32, and 2^20 (1 - log2(c)).
LOG2_ROWS = [
    ("0x1.f0732ec601a57p0", 0xB641), ("0x1.d41df9bd4aca6p0", 0x21182), ("0x1.bac548ef4374ap0", 0x35A75),
    ("0x1.a430dc32c741fp0", 0x48FC4), ("0x1.8f9f93b1fc3f3p0", 0x5B855), ("0x1.7d0205121cd7fp0", 0x6D238),
    ("0x1.6c1fb62ada2a1p0", 0x7DE10), ("0x1.5c978a72a6023p0", 0x8DFA9), ("0x1.4e5a05dc434b5p0", 0x9D621),
    ("0x1.4165f69567f73p0", 0xABF9E), ("0x1.351bbd2e32da1p0", 0xBA604), ("0x1.29e119c8c4cabp0", 0xC80AE),
    ("0x1.1f5cf274407e4p0", 0xD5512), ("0x1.15afcc7105583p0", 0xE1F7B), ("0x1.0c8c593a3a8cfp0", 0xEE539),
    ("0x1p0", 0x100000)]


def place(r, c, s, negative, swap):
    """The two normals of a radius, a cosine and a sine."""
    c = np.where(negative, -c, c)
    return r * np.where(swap, s, c), r * np.where(swap, c, s)


def pairs(z0, z1):
    return np.stack([z0, z1], axis=1).reshape(-1)


def box_muller_f32(w):
    u, v = w[0::2], w[1::2]
    one = np.ones(u.shape, dtype=F32)
    upper = u >= U32(2**31)
    k = np.where(upper, ~u, u)
    p = fma(k.astype(F32), F32(2.0**-32), np.full(u.shape, F32(2.0**-33)))
    y = np.where(upper, one - p, p)
    i = bits(y) - U32(0x3F2AAAAB)
    e = i & U32(0xFF800000)
    f = (bits(y) - e).view(F32) - one
    f = np.where(i.view(np.int32) < 0, f, -p)
    scaled = [float(h(c) * 2**23).hex() for c in LOG2_F32]
    log2 = fma(f, polynomial(f, scaled), e.view(np.int32).astype(F32))
    r = np.sqrt(log2 * F32(h("-0x1.62e43p0") * 2.0**-23))
    t = ((v << U32(2)) | U32(2)).view(np.int32).astype(F32) * F32(2.0**-32)
    square = t * t
    c, s = fma(square, polynomial(square, COSINE_F32), one), t * polynomial(square, SINE_F32)
    return pairs(*place(r, c, s, v >> U32(31) == 1, (v >> U32(30)) & U32(1) == 1))


def sqrt_f64(x):
    """The sequence of the page; it has rounded correctly in every trial, so np.sqrt would do."""
    half = np.full_like(x, 0.5)
    r = (U64(0x5FE1670BA0000000) - (bits(x) >> U64(1))).view(F64)
    r = r * fma(-(x * r), r, np.full_like(x, h("0x1.e417eap0")))
    e = fma(-(x * r), r, np.ones_like(x))
    e = e * fma(e, np.full_like(x, 0.375), half)
    r = fma(r, e, r)
    g, q = x * r, half * r
    e = fma(-g, q, half)
    g, q = fma(g, e, g), fma(q, e, q)
    return fma(fma(-g, g, x), q, g)


def box_muller_f64(x):
    u, v = x[0::2], x[1::2]
    one = np.ones(u.shape)
    upper = u >= U64(2**63)
    k = np.where(upper, ~u, u) >> U64(11)
    p = (k.astype(F64) + 0.5) * 2.0**-53
    known = np.where(upper, k ^ U64(0x3FEFFFFFFFFFFFFF), bits(p))  # of U, less its last bit where U >= 1/2
    m = ((bits(p) & U64(2**52 - 1)) | U64(0x3FE0000000000000)).view(F64)
    f = np.where(upper, p, one - m)
    row = ((known >> U64(48)) & U64(15)).astype(np.int64)
    c = np.array([h(factor) for factor, _ in LOG2_ROWS])[row]
    rest = np.array([n for _, n in LOG2_ROWS], dtype=F64)[row] * 2.0**-20
    e = (known >> U64(52)).astype(F64) - 1023 + rest  # exact
    r = fma(-f, c, c - one)
    log2 = fma(r, polynomial(r, LOG2_F64), e)
    radius = sqrt_f64(log2 * h("-0x1.62e42fefa39efp0"))
    t = (((v << U64(2)) >> U64(12)) | U64(0x3FF0000000000001)).view(F64) - 1.5
    w = t * t
    cosine, sine = fma(w, polynomial(w, COSINE_F64), one), t * polynomial(w, SINE_F64)
    return pairs(*place(radius, cosine, sine, v >> U64(63) == 1, (v >> U64(62)) & U64(1) == 1))


def normals(real, method, generator, seed, stream, first, count):
    """Normals first .. first + count - 1. Those of Box and Muller come in pairs, of which the first has an even
    number."""
    low, high = first // 2 * 2, (first + count + 1) // 2 * 2
    draw, transform = {
        ("f32", "icdf"): (words, icdf_f32), ("f64", "icdf"): (elements, icdf_f64),
        ("f32", "box-muller"): (words, box_muller_f32), ("f64", "box-muller"): (elements, box_muller_f64),
    }[real, method]
    return transform(draw(generator, seed, stream, low, high - low))[first - low:first - low + count]


# ---- 6 The bridge ----------------------------------------------------------------------------------

def bisection(interior, up=False, right_to_left=False):
    """Halves of (0, interior + 1), level by level."""
    order, level = [], [(0, interior + 1)]
    while level:
        below = []
        for lo, hi in level:
            if hi - lo < 2:
                continue
            middle = lo + (hi - lo + up) // 2
            order.append(middle)
            below += [(middle, hi), (lo, middle)] if right_to_left else [(lo, middle), (middle, hi)]
        level = below
    return order


ORDERS = {
    "bisection": bisection, "lr-down": bisection, "lr-up": lambda n: bisection(n, up=True),
    "rl-down": lambda n: bisection(n, right_to_left=True),
    "rl-up": lambda n: bisection(n, up=True, right_to_left=True), "incremental": lambda n: list(range(1, n + 1)),
}


def cholesky(covariance):
    """For a positive definite matrix."""
    n = len(covariance)
    c = [[0.0] * n for _ in range(n)]
    for j in range(n):
        pivot = covariance[j][j]
        for k in range(j):
            pivot = float(fma(-c[j][k], c[j][k], F64(pivot)))
        c[j][j] = math.sqrt(pivot)
        for i in range(j + 1, n):
            rest = covariance[i][j]
            for k in range(j):
                rest = float(fma(-c[i][k], c[j][k], F64(rest)))
            c[i][j] = rest / c[j][j]
    return c


def rows_of(real, factor, dims, method, generator, seed, stream, paths):
    """A function: step row k to the `dims` rows of C z."""
    def scaled(value, z):
        return F32(value) * z if real == "f32" else F64(value) * z

    def row(k):
        z = [normals(real, method, generator, seed, stream, (k * dims + j) << 38, paths) for j in range(dims)]
        if factor is None:
            return z
        kind, out = z[0].dtype.type, []
        for i in range(dims):
            total = scaled(factor[i][0], z[0])
            for j in range(1, i + 1):
                total = fma(kind(factor[i][j]), z[j], total)
            out.append(total)
        return out
    return row


def bridge(real, times, order, dims, factor, start, end, increments, method, generator, seed, stream, paths,
           start_time=0.0):
    """X or its increments, [step][dim][path]."""
    kind = F32 if real == "f32" else F64
    t = [start_time] + list(times)
    steps = len(times)
    cz = rows_of(real, factor, dims, method, generator, seed, stream, paths)
    build = increments_of if increments else points_of
    return build(kind, t, steps, order, dims, [kind(s) for s in start], end and [kind(e) for e in end], cz, paths)


def weights(t, lo, mid, hi):
    left, right, span = t[mid] - t[lo], t[hi] - t[mid], t[hi] - t[lo]
    return right / span, left / span, math.sqrt(right * left / span)


def points_of(kind, t, steps, order, dims, start, end, cz, paths):
    value = {0: [np.full(paths, s, dtype=kind) for s in start]}
    if end is None:
        sigma, y = kind(math.sqrt(t[steps] - t[0])), cz(0)
        value[steps] = [fma(sigma, y[i], value[0][i]) for i in range(dims)]
    else:
        value[steps] = [np.full(paths, e, dtype=kind) for e in end]
    for k, point in enumerate(order, 0 if end else 1):
        lo, hi = max(p for p in value if p < point), min(p for p in value if p > point)
        left, right, sigma = (kind(w) for w in weights(t, lo, point, hi))
        y = cz(k)
        value[point] = [fma(sigma, y[i], fma(right, value[hi][i], left * value[lo][i])) for i in range(dims)]
    return np.array([value[p] for p in range(1, steps + 1)])


def increments_of(kind, t, steps, order, dims, start, end, cz, paths):
    """gap[lo] is the change of X from point lo to the next one that is known, hi[lo]."""
    span = t[steps] - t[0]
    length = span if steps == 1 else 1.0
    zero = np.zeros(paths, dtype=kind)
    if end is None:
        y = cz(0)
        gap = {0: [fma(kind(math.sqrt(span) / length), y[i], zero) for i in range(dims)]}
    else:
        gap = {0: [np.full(paths, kind(1 / length) * (end[i] - start[i])) for i in range(dims)]}
    upper = {0: steps}
    for k, point in enumerate(order, 0 if end else 1):
        lo = max(p for p in gap if p < point)
        hi = upper[lo]
        _, _, sigma = weights(t, lo, point, hi)
        to_left, to_right, whole = t[point] - t[lo], t[hi] - t[point], t[hi] - t[lo]
        left, right, left_sigma, right_sigma = to_left / whole, to_right / whole, sigma, sigma
        if point - lo == 1:
            left, left_sigma = 1 / whole, sigma / to_left
        if hi - point == 1:
            right, right_sigma = 1 / whole, sigma / to_right
        y, change = cz(k), gap[lo]
        gap[lo] = [fma(kind(left_sigma), y[i], kind(left) * change[i]) for i in range(dims)]
        gap[point] = [fma(kind(-right_sigma), y[i], kind(right) * change[i]) for i in range(dims)]
        upper[lo], upper[point] = point, hi
    return np.array([gap[p] for p in range(steps)])


# ---- 7 Sums ----------------------------------------------------------------------------------------

def tree_sum(values):
    """In double; a node whose sibling is absent is its own parent."""
    level = np.asarray(values, dtype=F64)
    while len(level) > 1:
        even = len(level) // 2 * 2
        level = np.concatenate([level[0:even:2] + level[1:even:2], level[even:]])
    return float(level[0])


def estimate(values):
    """The mean and its standard error."""
    x = np.asarray(values, dtype=F64)
    n, total, squares = float(len(x)), tree_sum(x), tree_sum(x * x)
    mean = total / n
    variance = float(fma(F64(-mean), F64(total), F64(squares))) / (n - 1)
    if variance <= 2.0**-44 * (squares / n):
        variance = 0.0
    return mean, math.sqrt(variance / n)


# ---- 8 Motions -------------------------------------------------------------------------------------

class Motion:
    """W of paths first .. first + paths - 1 in f32 or f64: [dim][path]."""

    def __init__(self, real, time, levels, areas, fixed, seed, stream, dims, first, paths):
        self.real, self.time, self.levels, self.areas, self.fixed = real, time, levels, areas, fixed
        self.dims = np.arange(dims, dtype=U64)[:, None]
        key = philox(10, [0, 0x80000000, *halves(stream)], halves(seed))
        self.key = [int(k) for k in key[:2]]
        self.paths = U64(first) + np.arange(paths, dtype=U64)

    def number(self, x):
        return F32(x) if self.real == "f32" else F64(x)

    def normal(self, node, i):
        """Element i of a node, as a normal of each path."""
        per = 4 if self.real == "f32" else 2
        low, high = halves(node)
        last = (self.paths >> U64(32)) + (self.dims << U64(8)) + U64((i // per << 14) + (self.areas << 16))
        words = philox(10, [low, high + 2**31, self.paths & U64(0xFFFFFFFF), last], self.key)
        if self.real == "f32":
            return icdf_f32(words[i % 4])
        return icdf_f64(words[i % 2 * 2] | words[i % 2 * 2 + 1] << U64(32))

    def deviations(self, level):
        length = math.ldexp(self.time, 1 - level)
        if not self.areas:
            return [self.number(math.sqrt(length) / 2)]
        # A level has the numbers of level 1 or 2, times a power of 2.
        odd = self.time if level % 2 else self.time / 2
        of_h, of_k = (odd / 48, None) if self.areas == 1 else (odd / 768, odd / 2880)
        all_of_them = [math.sqrt(odd) / 4, math.sqrt(of_h)] + ([math.sqrt(of_k)] if of_k else [])
        return [self.number(x) * self.number(2.0**-((level - 1) // 2)) for x in all_of_them]

    def whole(self):
        """W, H and K of the whole interval."""
        zero = np.zeros((len(self.dims), len(self.paths)), F32 if self.real == "f32" else F64)
        end = self.number(0 if self.fixed else math.sqrt(self.time))
        if not self.areas:
            return [end * self.normal(1, 3), zero, zero]
        h_ = self.number(math.sqrt(self.time / 12)) * self.normal(0, 1)
        k = self.number(math.sqrt(self.time / 720)) * self.normal(0, 2) if self.areas == 2 else zero
        return [end * self.normal(0, 0), h_, k]

    def node_normal(self, level, i):
        node = 2**(level - 1) + i
        return self.normal(node, 0) if level % 2 else self.normal(node // 2, 1 + node % 2)

    def value(self, tick):
        """Areas 0: W at a tick."""
        low, high, left, right = 0, 2**self.levels, self.whole()[1], self.whole()[0]
        if tick in (low, high):
            return left if tick == low else right
        half = self.number(0.5)
        for level in range(1, self.levels + 1):
            middle = (low + high) // 2
            z = self.node_normal(level, low // (high - low))
            x = fma(self.deviations(level)[0], z, fma(half, right, half * left))
            if middle == tick:
                return x
            if tick < middle:
                high, right = middle, x
            else:
                low, left = middle, x

    def halve(self, level, i, part):
        """W, H and K of the halves of an interval."""
        s, c = self.deviations(level), self.number
        w, h_, k = part
        zero = w - w
        if not self.areas:
            z = self.node_normal(level, i)
            return [fma(s[0], z, c(0.5) * w), zero, zero], [fma(-s[0], z, c(0.5) * w), zero, zero]
        node = 2**(level - 1) + i
        z = [self.normal(node, n) for n in range(1 + self.areas)]
        mean = fma(c(-0.5) * s[0], z[0], c(0.25) * h_)
        apart = fma(s[1], z[1], c(3.75) * k)
        left = [fma(s[0], z[0], fma(c(1.5), h_, c(0.5) * w)), mean + apart, zero]
        right = [fma(-s[0], z[0], fma(c(-1.5), h_, c(0.5) * w)), mean - apart, zero]
        if self.areas == 2:
            rest = fma(c(-0.5) * s[1], z[1], c(0.125) * k)
            left[2], right[2] = fma(s[2], z[2], rest), fma(-s[2], z[2], rest)
        return left, right

    def joined(self, p, first, q, second):
        """Neighbouring intervals of p and q ticks as one."""
        w = first[0] + second[0]
        if not self.areas or not p or not q:
            return [w, first[1] + second[1], first[2] + second[2]]
        c = self.number
        length = c(p + q)
        a, b = np.full_like(w, c(p) / length), np.full_like(w, c(q) / length)
        e = fma(b, first[0], -(a * second[0]))
        h_ = fma(c(0.5), e, fma(a, first[1], b * second[1]))
        if self.areas == 1:
            return [w, h_, second[2]]
        k = fma(a * a, first[2], b * b * second[2])
        k = fma(a * b * c(0.5), first[1] - second[1], k)
        return [w, h_, fma((b - a) * c(h("0x1.555556p-4") if self.real == "f32" else h("0x1.5555555555555p-4")), e, k)]

    def between(self, a, b):
        """W, H and K of the interval of ticks [a, b]."""
        low, high, now = 0, 2**self.levels, self.whole()
        zero = now[0] - now[0]
        if a == b:
            return [zero, zero, zero]
        for level in range(1, self.levels + 1):
            if (a, b) == (low, high):
                return now
            middle = (low + high) // 2
            left, right = self.halve(level, low // (high - low), now)
            if a < middle < b:
                break
            low, high, now = (low, middle, left) if b <= middle else (middle, high, right)
        else:
            return now
        before = self.end(level + 1, low, middle, left, a, True)
        after = self.end(level + 1, middle, high, right, b, False)
        return self.joined(middle - a, before, b - middle, after)

    def end(self, level, low, high, now, tick, is_left):
        """[tick, high], or [low, tick], from its largest nodes, the ones at the far end first."""
        total, size, far = None, 0, high if is_left else low
        while far != tick:
            if tick == (low if is_left else high):
                piece, length = now, high - low
            else:
                middle = (low + high) // 2
                left, right = self.halve(level, low // (high - low), now)
                level += 1
                towards = tick < middle if is_left else tick > middle
                piece, length = (right, high - middle) if is_left else (left, middle - low)
                if is_left:
                    low, high, now = (low, middle, left) if tick < middle else (middle, high, right)
                else:
                    low, high, now = (middle, high, right) if tick > middle else (low, middle, left)
                if not towards:
                    continue
            if total is None:
                total = piece
            elif is_left:
                total = self.joined(length, piece, size, total)
            else:
                total = self.joined(size, total, length, piece)
            size += length
            far = far - length if is_left else far + length
        return total


def motion(real, time, levels, ticks, dims, factor, start, end, increments, areas, seed, stream, first, paths):
    """[tick][part][dim][path]; increments are from each tick to the next, starting at 0."""
    number = F32 if real == "f32" else F64
    m = Motion(real, time, levels, areas, end is not None, seed, stream, dims, first, paths)
    c = np.eye(dims) if factor is None else np.asarray(factor)
    unit, all_ticks, out = number(2.0**-levels), 2**levels, []
    for before, tick in zip([0] + ticks[:-1], ticks):
        if increments:
            w = m.between(before, tick)[:1 + areas]
        else:
            w = [m.between(0, tick)[0] if areas else m.value(tick)]
        mixes = factor is not None or end is not None or (start is not None and not increments)
        share = tick - before if increments else tick
        parts = []
        for part in range(len(w)):
            rows = []
            for i in range(dims):
                if not mixes:
                    rows.append(w[part][i])
                    continue
                at_start = 0.0 if increments or start is None else start[i]
                at_end = 0.0 if end is None else end[i] - (start[i] if increments and start else 0.0)
                sooner = number(all_ticks - share) * unit if end is not None else number(1)
                x = fma(number(share) * unit, number(at_end), sooner * number(at_start)) if part == 0 else number(0)
                x = np.full_like(w[part][i], x)
                for j in range(i + 1):
                    x = fma(np.full_like(x, number(c[i][j])), w[part][j], x)
                rows.append(x)
            parts.append(rows)
        out.append(parts)
    array = np.array(out, dtype=number)
    return array if array.shape[1] > 1 else array[:, 0]
