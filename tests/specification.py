#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The specification's implementation (specification/bailey_spec.py) against specification/answers.txt and against
the program.

    python3 specification.py PROGRAM [DEVICE]     the test
    python3 specification.py --answers            prints answers.txt, from the implementation alone

A case is the arguments of a command of the program, less what says where results go. The answers have a digest of
all results, in the order of the array, and the first and the last four of them.
"""
import hashlib
import io
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "specification")
ANSWERS = os.path.join(FOLDER, "answers.txt")
sys.dont_write_bytecode = True
sys.path.insert(0, FOLDER)
import bailey_spec as spec  # noqa: E402

TIMES = [0.25, 0.75, 1.0, 1.625, 2.0, 2.3, 3.5, 3.51, 4.0, 6.0, 6.5]
SINGLE = [0.7]
COVARIANCE = [[0.04, 0.018, -0.01], [0.018, 0.09, 0.005], [-0.01, 0.005, 0.0625]]
ODD = [6, 1, 10, 3, 2, 9, 4, 8, 5, 7]  # a custom order
# Ticks of motions from 0.25 to 2.75, by their levels; most of the deep ones need all of these. 36507224065 and
# 2251802095386625 lie just above the middle of two floats.
TICKS = {20: [1, 2, 7, 4096, 500000, 524288, 786433, 1048576],
         36: [1, 4294967295, 8483587001, 34359738369, 34359738371, 36507224065, 68719476735, 68719476736],
         52: [1, 4294967297, 555555555555557, 2251799813685247, 2251799813685249, 2251802095386625, 4503599627370495,
              4503599627370496]}
PAYOFF = """typedef struct { real strike; } params;
typedef struct { real last; } state;
void start(state *s, const params *p) { s->last = 0; }
void step(state *s, const params *p, int i, real t, const real x[]) { s->last = x[0]; }
void finish(const state *s, const params *p, real out[1]) { out[0] = fmax(s->last - p->strike, 0); }
"""


def random_case(form, generator="philox", precision="", normal="", seed=0, stream=0, skip=0, count=1000):
    text = f"random --form {form} --generator {generator} --seed {seed} --stream {stream} --first {skip} --count {count}"
    return text + (precision and f" --precision {precision}") + (normal and f" --normal {normal}")


def cases():
    for generator in ("philox", "philox7", "warp"):
        for skip in (0, 8189, 2**37 + 5):
            yield random_case("words", generator, seed=77777777777, stream=12345678901, skip=skip, count=9001)
    for precision in ("f32", "f64"):
        yield random_case("uniforms", "philox", precision, seed=5)
        yield random_case("uniforms", "warp", precision, seed=5, skip=3)
        for normal in ("icdf", "box-muller"):
            yield random_case("normals", "philox", precision, normal, seed=6, skip=2**40 + 1, count=30001)
            yield random_case("normals", "warp", precision, normal, seed=6, stream=2, skip=2, count=9000)
            for more in ("", " --end 2", " --increments", " --increments --end 2"):
                yield f"paths --seed 9 --paths 37 --precision {precision} --normal {normal}{more}"
        yield f"paths --seed 9 --paths 21 --precision {precision} --order incremental --start 0.3"
        yield f"paths --seed 9 --paths 21 --precision {precision} --order rl-up --increments"
        for order in ("bisection", "odd"):
            for more in ("", " --end 1,0,-2", " --increments", " --increments --end 1,0,-2"):
                yield (f"paths --seed 3 --stream 4 --paths 21 --precision {precision} --dims 3 --covariance covariance"
                       f" --start 0.5,-1,100 --order {order}{more}")
        for more in ("", " --end 2", " --increments", " --increments --end 2"):
            yield f"paths --seed 8 --paths 9 --precision {precision} --times single --start 0.75{more}"
        for more in ("", " --increments", " --increments --areas h", " --increments --areas hk"):
            yield f"motion --depth 20 --paths 19 --precision {precision} --seed 3{more}"
            yield (f"motion --depth 20 --paths 7 --precision {precision} --seed 3 --stream 99 --dims 3 --covariance covariance"
                   f" --start 0.5,-1,100 --end 1,0,-2{more}")
        for levels in (36, 52):
            for more in (" --dims 64", " --dims 64 --increments", " --dims 64 --increments --areas h",
                         " --dims 64 --increments --areas hk", " --end 2", " --end 2 --increments --areas hk"):
                yield f"motion --depth {levels} --first-path {2**37 - 2} --paths 3 --precision {precision} --seed 3{more}"
        yield f"price --seed 4 --paths 1003 --precision {precision}"
        yield f"price --seed 4 --paths 4096 --precision {precision}"


def options(words):
    found, i = {}, 0
    while i < len(words):
        name = words[i][2:]
        alone = i + 1 == len(words) or words[i + 1].startswith("--")
        found[name] = True if alone else words[i + 1]
        i += 1 if alone else 2
    return found


def floats(text):
    return text and [float(n) for n in text.split(",")]


def compute_random(o):
    where = (o["generator"], int(o["seed"]), int(o["stream"]), int(o["first"]), int(o["count"]))
    if o["form"] == "words":
        return spec.words(*where)
    if o["form"] == "uniforms":
        f32 = o["precision"] == "f32"
        return spec.u01_f32(spec.words(*where)) if f32 else spec.u01_f64(spec.elements(*where))
    return spec.normals(o["precision"], o["normal"], *where)


def compute_paths(o):
    times = SINGLE if o.get("times") == "single" else TIMES
    dims, order = int(o.get("dims", 1)), o.get("order", "bisection")
    return spec.bridge(o["precision"], times, ODD if order == "odd" else spec.ORDERS[order](len(times) - 1), dims,
                       spec.cholesky(COVARIANCE) if "covariance" in o else None,
                       floats(o.get("start")) or [0.0] * dims, floats(o.get("end")), "increments" in o,
                       o.get("normal", "icdf"), "philox", int(o["seed"]), int(o.get("stream", 0)), int(o["paths"]))


def compute_price(o):
    x = compute_paths(o)[-1][0]
    real = x.dtype.type
    return np.array(spec.estimate(np.maximum(x - real(0.25), real(0))))


def compute_motion(o):
    dims = int(o.get("dims", 1))
    return spec.motion(o["precision"], 2.5, int(o["depth"]), TICKS[int(o["depth"])], dims,
                       spec.cholesky(COVARIANCE) if "covariance" in o else None, floats(o.get("start")),
                       floats(o.get("end")), "increments" in o, {None: 0, "h": 1, "hk": 2}[o.get("areas")],
                       int(o["seed"]), int(o.get("stream", 0)), int(o.get("first-path", 0)), int(o["paths"]))


COMPUTE = {"random": compute_random, "paths": compute_paths, "motion": compute_motion, "price": compute_price}


def compute(case):
    words = case.split()
    return COMPUTE[words[0]](options(words[1:]))


def literal(x):
    return f"{int(x):#x}" if x.dtype.kind == "u" else float(x).hex()


def answer(result):
    """`result` as its line has it."""
    flat = result.reshape(-1)
    digest = hashlib.sha256(np.ascontiguousarray(flat).tobytes()).hexdigest()[:32]
    return f"{digest} {flat.dtype.str[1:]} " + " ".join(literal(x) for x in np.concatenate([flat[:4], flat[-4:]]))


def read_answers():
    with open(ANSWERS) as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and line[0] != "#"]
    return dict(line.split(" : ", 1) for line in lines)


HEAD = """# Answers to docs/developers/specification.md. Written by `python3 tests/specification.py --answers` from
# specification/bailey_spec.py alone, which does not call the library; the test of that name compares them with the
# library's. A line is
#   case : digest type first four and last four results
# The case is a command of the program, with the times {times}
# (single: {single}),
# and where it says so the covariance {covariance}
# and the order `odd`, {odd}. Motions are from 0.25 to 2.75, at ticks by
# their levels:
#   {ticks}
# price is the mean and the standard error of max(X(T) - 0.25, 0).
# The digest is the first half of SHA-256 of the results, little-endian, in the order [step][dim][path].
"""


def print_answers():
    print(HEAD.format(times=TIMES, single=SINGLE, covariance=COVARIANCE, odd=ODD,
                      ticks="\n#   ".join(f"{levels}: {ticks}" for levels, ticks in TICKS.items())), end="")
    for case in cases():
        print(f"{case} : {answer(compute(case))}")


# ---- The program -----------------------------------------------------------------------------------

def write_inputs(folder):
    text = {"times": "\n".join(map(repr, TIMES)), "single": repr(SINGLE[0]), "odd": "\n".join(map(str, ODD)),
            "payoff.c": PAYOFF,
            "covariance": "\n".join(",".join(map(repr, row)) for row in COVARIANCE)}
    for levels, ticks in TICKS.items():
        text[f"ticks{levels}"] = "ticks\n" + "\n".join(map(str, ticks))
    for name, content in text.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(content + "\n")


def ask(program, device, case, folder):
    words = case.split()
    command = [program] + words + ["--device", device]
    if words[0] == "price":
        command += ["--payoff", "payoff.c", "--set", "strike=0.25", "--times", "times", "--json"]
        told = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
        told = told[told.index('"hex"'):].split('"')
        return np.array([float.fromhex(told[told.index(name) + 2]) for name in ("mean", "standard_error")])
    if words[0] == "paths" and "--times" not in words:
        command += ["--times", "times"]
    if words[0] == "motion":
        command += ["--at", "ticks" + words[words.index("--depth") + 1], "--start-time", "0.25", "--maturity", "2.75"]
    command += ["--format", "npy", "-o", "-"]
    return np.load(io.BytesIO(subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE).stdout))


def rounded(exact):
    """A Fraction to f64, half to even."""
    return exact.numerator / exact.denominator


def check_fma():
    """Of doubles against fractions, with sums that cancel."""
    generate = random.Random(1)
    for _ in range(4000):
        a, b = (generate.uniform(-1, 1) * 2.0**generate.randint(-30, 30) for _ in "ab")
        other = generate.uniform(-1, 1) * 2.0**generate.randint(-80, 80)
        c = generate.choice([other, -(a * b), -(a * b) * (1 + 2**-52)])
        exact = rounded(Fraction(a) * Fraction(b) + Fraction(c))
        if float(spec.fma(np.float64(a), np.float64(b), np.float64(c))) != exact:
            raise SystemExit(f"fma({a.hex()}, {b.hex()}, {c.hex()}) is not {exact.hex()}")
    # Just above the middle of two floats by less than a double shows.
    a, c = np.float32(1 + 2.0**-12), np.float32(2.0**-60)
    if float(spec.fma(a, a, c)) != 1 + 2.0**-11 + 2.0**-23:
        raise SystemExit("fma of floats rounds twice")


def check_page():
    """Its constants are those of the implementation."""
    with open(os.path.join(FOLDER, "bailey_spec.py")) as file:
        constants = set(re.findall(r"0x[0-9a-f.]+p[-+]?[0-9]+", file.read()))
    with open(os.path.join(HERE, "..", "docs", "developers", "specification.md")) as file:
        missing = constants - set(re.findall(r"0x[0-9a-f.]+p[-+]?[0-9]+", file.read()))
    if missing or len(constants) < 50:
        raise SystemExit(f"of {len(constants)} constants docs/developers/specification.md lacks {missing}")


def main():
    if sys.argv[1] == "--answers":
        print_answers()
        return
    program, device = os.path.abspath(sys.argv[1]), (sys.argv[2:] or ["cpu"])[0]
    check_fma()
    check_page()
    answers, wanted, failed = read_answers(), list(cases()), 0
    if list(answers) != wanted:
        raise SystemExit("answers.txt has other cases than this program")
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(folder)
        for case in wanted:
            for who, result in (("specification", compute(case)), ("program", ask(program, device, case, folder))):
                if answer(result) != answers[case]:
                    failed += 1
                    print(f"FAIL {who}: {case}\n  {answer(result)}\n  {answers[case]}")
    print(f"{len(wanted)} cases, {failed} failures")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
