#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Writes <generator>.txt for each: what the generators of bailey/device/*.h must give, from their recurrences in whole
numbers of any size with % for every modulus, and from the order contract of their starts. Nothing here is
shared with the C code, and the values that others published are asserted.

    python3 generators.py
"""
WORD = 0xFFFFFFFF
M1, M2, MERSENNE = 2**32 - 209, 2**32 - 22853, 2**31 - 1


def tausworthe(z, s1, s2, s3, mask):
    """GPU Gems 3, listing 37-2."""
    b = (((z << s1) & WORD) ^ z) >> s2
    return (((z & mask) << s3) & WORD) ^ b


def hybrid_step(s):
    s[0] = tausworthe(s[0], 13, 19, 12, 4294967294)
    s[1] = tausworthe(s[1], 2, 25, 4, 4294967288)
    s[2] = tausworthe(s[2], 3, 11, 17, 4294967280)
    s[3] = (1664525 * s[3] + 1013904223) % 2**32


def hybrid_taus(s):
    hybrid_step(s)
    return ((s[0] ^ s[1] ^ s[2]) + s[3] * 0x9E3779B9 // 2**32) % 2**32


def hybrid_taus_gems(s):
    hybrid_step(s)
    return s[0] ^ s[1] ^ s[2] ^ s[3]


def xorwow(s):
    """Marsaglia 2003, section 3.1: x, y, z, w, v, d."""
    x, y, z, w, v, d = s
    t = x ^ (x >> 2)
    new = (v ^ (v << 4)) ^ (t ^ (t << 1))
    s[:] = [y, z, w, v, new & WORD, (d + 362437) % 2**32]
    return (s[4] + s[5]) % 2**32


def mrg32k3a(s):
    x = (1403580 * s[1] - 810728 * s[0]) % M1
    y = (527612 * s[5] - 1370589 * s[3]) % M2
    s[:] = [s[1], s[2], x, s[4], s[5], y]
    return (x - y) % M1


def mrg32k3a_curand(s):
    return min(int(float(mrg32k3a(s) or M1) * 1.000000048662), WORD)


def kiss(s):
    z, w, jsr, jcong = s
    z = 36969 * (z % 65536) + z // 65536
    w = 18000 * (w % 65536) + w // 65536
    jsr ^= (jsr << 17) & WORD
    jsr ^= jsr >> 13
    jsr ^= (jsr << 5) & WORD
    jcong = (69069 * jcong + 1234567) % 2**32
    s[:] = [z % 2**32, w % 2**32, jsr, jcong]
    return (((65536 * z + w) % 2**32 ^ jcong) + jsr) % 2**32


def park_miller(s):
    s[0] = 16807 * s[0] % MERSENNE
    return 2 * s[0]


def lcg(s):
    s[0] = (1664525 * s[0] + 1013904223) % 2**32
    return s[0]


def adder(s):
    s[0] = (s[0] + 0x9E3779B9) % 2**32
    return s[0]


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & WORD, p >> 32 ^ c[3] ^ k[1], p & WORD]
        k = [(k[0] + 0x9E3779B9) & WORD, (k[1] + 0xBB67AE85) & WORD]
    return c


def run_hash(tag, seed, stream, run, index):
    high = (run >> 32) % 2**17 + (index << 17) + (tag << 25) + (run >> 49 << 30)
    counter = [run & WORD, high, stream & WORD, stream >> 32]
    return philox(counter, [seed & WORD, seed >> 32])


TAGS = {
    "hybrid_taus": 4, "hybrid_taus_gems": 4, "xorwow": 6, "mrg32k3a": 7, "kiss": 9, "park_miller": 10, "lcg": 11, "adder": 12
}


def start(name, seed, stream, run, lane):
    tag = TAGS[name]
    a = run_hash(tag, seed, stream, run, lane)
    if name.startswith("hybrid_taus"):
        return [z + 129 if z < 129 else z for z in a[:3]] + a[3:]
    if name == "xorwow":
        return a + run_hash(tag, seed, stream, run, 32 + lane)[:2]
    if name == "mrg32k3a":
        return [w % M1 for w in a[:3]] + [w % M2 for w in run_hash(tag, seed, stream, run, 32 + lane)[:3]]
    if name == "kiss":
        return [1 + a[0] * 0x9068FFFE // 2**32, 1 + a[1] * 0x464FFFFE // 2**32, a[2] or 1, a[3]]
    if name == "park_miller":
        return [1 + a[0] * (2**31 - 2) // 2**32]
    return a[:1]


def words(values):
    return " ".join(f"{value:08x}" for value in values)


answers = {}  # lines of <generator>.txt, by generator
remark = ()


def comment(*lines):
    """Stands before the answers that follow, in every file that gets one."""
    global remark
    remark = lines


def answer(generator, line):
    lines = answers.setdefault(generator.removesuffix("_curand"), [])
    lines += [text for text in remark if text not in lines] + [line]


def draw(generator, state, skip=0, count=8, published=None):
    """A line: the generator, how many words to pass over, the state before them, the words."""
    s = list(state)
    for _ in range(skip):
        generator(s)
    found = [generator(s) for _ in range(count if published is None else len(published))]
    assert published is None or found == published, (generator, found, published)
    answer(generator.__name__, f"draw {generator.__name__} {skip} {words(state)} : {words(found)}")


def published(name, state, seed=0):
    """A line: the state that the reference begins with."""
    answer(name, f"published {name} {seed:x} 0 : {words(state)}")


comment("# Published: Park and Miller 1988: the 10,000th number after 1 is 1043618065 (a word is twice that).")
draw(park_miller, [1], 9999, published=[2 * 1043618065])
comment("# Published: Press et al. 1992, section 7.1: ranqd1 from 0.")
draw(lcg, [0], published=[int(word, 16) for word in """3C6EF35F 47502932 D1CCF6E9 AAF95334 6252E503 9F2EC686
    57FE6C2D A3D95FA8 81FDBEE7 94F0AF1A CBF633B1""".split()])
comment("# Published: Marsaglia 1999: settable(12345, 65435, 34221, 12345, ...) draws 256 words, and of those",
        "# after them the 1,000,000th is 1372460312.")
draw(kiss, [12345, 65435, 34221, 12345], 1000255, published=[1372460312])
comment("# Marsaglia's default seeds (1999; 2003) and L'Ecuyer's (1999); the words by generators.py.")
draw(kiss, [362436069, 521288629, 123456789, 380116160])
marsaglia = [123456789, 362436069, 521288629, 88675123, 5783321, 6615241]
draw(xorwow, marsaglia)
draw(xorwow, marsaglia, 999999)
for generator in mrg32k3a, mrg32k3a_curand:
    draw(generator, [12345] * 6)
    draw(generator, [12345] * 6, 999999)

comment("# The ends of the ranges: x = y (z = 0), x = 0 and y = 1 (z = m1 - 1), and the largest states.")


def state_for(x, y):
    """A state whose next x and y are those."""
    a, b = 2718281828, 3141592653
    u = (x + 810728 * a) * pow(1403580, -1, M1) % M1
    v = (y + 1370589 * b) * pow(527612, -1, M2) % M2
    return [a, u, 1, b, 2, v]


for generator in mrg32k3a, mrg32k3a_curand:
    for x, y in (5, 5), (0, 1), (0, 0), (M1 - 1, 0), (0, M2 - 1), (M2 - 1, M2 - 1), (2**31, 2**31 - 1):
        draw(generator, state_for(x, y))
    draw(generator, [M1 - 1] * 3 + [M2 - 1] * 3)
    draw(generator, [0, 0, 1, 0, 0, 1])
for x in 1, 2, MERSENNE - 1, MERSENNE - 2, 2**30, 127773, 127774:
    draw(park_miller, [x])
for generator in hybrid_taus, hybrid_taus_gems:
    draw(generator, [129, 129, 129, 0])
    draw(generator, [2, 8, 16, WORD], 999)
    draw(generator, [WORD] * 4)
    draw(generator, marsaglia[:4], 999999)
draw(xorwow, [0, 0, 0, 0, 1, 0])
draw(xorwow, [WORD] * 6)
draw(kiss, [WORD] * 4)
draw(kiss, [0x9068FFFE, 0x464FFFFE, 1, 0])
draw(lcg, [WORD])
draw(adder, [0])
draw(adder, [WORD], 999999)

comment("# Starts: from zeros, from large numbers, and (seed 1) where the hash is not a state.")
for name in "hybrid_taus", "hybrid_taus_gems", "xorwow", "mrg32k3a", "kiss", "park_miller", "lcg", "adder":
    places = [(0, 0, 0, 0), (0x0123456789ABCDEF, 0xFEDCBA9876543210, 2**48 + 12345, 31),
              (2, 3, 2**49, 1), (4, 5, 2**51 - 1, 30)]
    places += {
        "hybrid_taus": [(1, 0, 446572, 6), (1, 0, 505581, 7), (1, 0, 526990, 2)],
        "mrg32k3a": [(1, 0, 669260, 11), (1, 0, 1415595, 8), (1, 0, 5718, 7), (1, 0, 11247, 7)],
        "kiss": [(1, 0, 195145, 8)],
    }.get(name, [])
    for place in places:
        seed, stream, run, lane = place
        answer(name, f"start {name} {seed:x} {stream:x} {run:x} {lane:x} : {words(start(name, *place))}")

comment("# The published sequences: L'Ecuyer's seeds (1999) and Marsaglia's (1999); x_0 is the seed in the others.")
published("mrg32k3a", [12345] * 6)
published("kiss", [362436069, 521288629, 123456789, 380116160])
for seed in 1, MERSENNE - 1:
    published("park_miller", [seed], seed)
for name in "lcg", "adder":
    for seed in 0, WORD:
        published(name, [seed], seed)

for generator, lines in answers.items():
    with open(f"{generator}.txt", "w", encoding="ascii") as file:
        file.write(f"""\
# Known answers of {generator}, in hexadecimal words. Written by generators.py beside this file, from the
# recurrence alone, in integers of any size; that file asserts what others published.
#
# draw output, words passed over, state (in the order of the generator's header) : the words that follow
# start generator, seed, stream, run, lane : state
# published generator, seed, stream : the state from which word 0 of the published sequence is drawn

""" + "\n".join(lines) + "\n")
