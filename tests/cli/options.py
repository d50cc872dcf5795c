#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Every option that `bailey manual --json` lists, of every command and product: given its default it changes
nothing, and given what it does not take the message has its name. An option that all products have in the same words is
refused by one of them: the same lines read it for all.

    python3 tests/cli/options.py path/to/bailey [COMMAND]

A new option is tested without a line here, unless it needs another option (BESIDE) or takes whatever it is given
(ANYTHING). A new command needs a line of what it is run with (BASE); a product, an example in its help.
"""
import concurrent.futures
import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# Arguments with which each command takes little time.
BASE = {
    "paths": "--steps 4 --paths 8 --output -",
    "motion": "--grid 8 --paths 8 --output - --format csv",
    "random": "--count 16 --output -",
    "mlmc": "european --eps 0.5 --no-test --json",
    "batch": "deals.json",
    "correlation": "matrix.csv",
    "devices": "",
    "selftest": "--device cpu",
    "manual": "bailey-paths",
    "price american": "--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 512 --policy-paths 512 "
    "--outer-paths 2 --inner-paths 2 --steps 3 --json",
    "price bermudan-max-call": "--spot 100,90 --strike 100 --rate 0.05 --volatility 0.2 --paths 512 "
    "--policy-paths 512 --outer-paths 2 --inner-paths 2 --steps 3 --json",
    "price bermudan": "--spot 36 --strike 40 --rate 0.06 --volatility 0.2 --steps 2 --paths 512 --policy-paths 512 "
    "--outer-paths 2 --inner-paths 2 --json",
    "price": "--payoff payoff.c --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --barrier 80 --paths 512 --json",
}
ALIKE = "bermudan-rainbow bermudan-swaption callable-range-accrual"  # products whose options are those of bermudan
PRODUCT = "--paths 512 --json"  # behind the first example of a product's help

# Options that others need, by command and options; and words of the command's line that they replace. The first row counts.
BESIDE = [
    ("random", "--points --dims --first-dim --layout --form --point-order --scramble",
     "--generator sobol --points 16", "--count"),
    ("random", "--bits", "--form integers --below 6", ""),
    ("random", "--precision --word-bits --numerics --normal --distribution", "--form normals", ""),
    ("random", "--mean --stddev", "--distribution normal", ""),
    ("random", "--rate", "--distribution exponential", ""),
    ("random", "--location --scale", "--distribution logistic", ""),
    ("random", "--shape", "--distribution weibull", ""),
    ("random", "--probability --trials --integers", "--distribution binomial --trials 3 --probability 0.5", ""),
    ("random", "--weights", "--distribution discrete", ""),
    ("random", "--second-shape", "--distribution beta", ""),
    ("random", "--freedom --noncentrality", "--distribution noncentral-chi-square", ""),
    ("random", "--lower", "--distribution truncated-normal --upper 2", ""),
    ("random", "--upper", "--distribution truncated-normal --lower -1", ""),
    ("*", "--scramble --assignment --point-order", "--generator sobol", ""),
    ("*", "--warp-set", "--generator warp", ""),
    ("*", "--sum-limit", "--sum fixed", ""),
    ("*", "--checkpoint-seconds", "--checkpoint {new}", ""),
    ("*", "--likelihood --greeks-method", "--greeks", ""),
    ("mlmc", "--by", "--gradient", ""),
    ("price*", "--by --by-covariance --by-time --directions --width --widths --output --weights", "--gradient", ""),
    ("price", "--exercise-every --policy-paths --memory --outer-paths --inner-paths --horizon", "--payoff early.c", "--payoff --barrier"),
    ("*", "--approximate-cost", "--approximate constant", ""),
    ("price*", "--maturity", "", "--times --valuation"),
    ("price*", "--valuation", "--times dates.csv", "--steps --maturity"),
    ("price asian", "--dims", "--spot 100 --volatility 0.2", "--assets --correlation"),
    ("price basket", "--dims", "--spot 100 --volatility 0.2", "--correlation"),
    ("price*", "--model", "", "--correlation"),
    ("price bermudan*", "--dims", "--spot 100", ""),
    ("correlation", "--least-eigenvalue", "--nearest nearest.csv", ""),
]

# Options that take every word.
ANYTHING = [
    ("*", "--output"),
    ("*", "--checkpoint"),
    ("*", "--nearest"),
    ("price*", "--outputs"),
]

# Options whose default is that of the product or of the kind of run, which no list can say.
DEFAULTS = [
    ("mlmc", "--loop-budget --dims"),  # of --code alone
    ("price", "--type"),
    ("random", "--form"),
    ("price asian", "--weight"),  # that of --assets
    ("price basket", "--weight"),  # one divided by the number of assets
    ("price rainbow", "--dims --rank-weight"),  # at least two assets; one divided by their number
]

# Options of the program that are the same for all products and whose default takes seconds: one product is enough.
ONCE = ["--greeks-method", "--likelihood", "--paths"]

# The product that refuses the options of all products.
REFUSES = "price european"

# A payoff with early exercise.
EARLY = """typedef struct { real spot, strike, rate, volatility; } params;
typedef struct { real price; } state;
void start(state *s, const params *p) { s->price = p->spot; }
void step(state *s, const params *p, int i, real t, const real x[])
{
    s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * x[0]);
}
real exercise(const state *s, const params *p, real t) { return fmax(p->strike - s->price, 0) * exp(-p->rate * t); }
void finish(const state *s, const params *p, real out[]) { out[0] = fmax(p->strike - s->price, 0); }
"""

# Known faults: command and options. Remove a row with its fault.
FAULTS = []

TIMES = re.compile(r'("[a-z_]*seconds[a-z_]*": )[^,}\n]*|^time .*$|"seconds".*', re.M)


def matches(rows, command, option):
    return [row for row in rows if fnmatch.fnmatch(command, row[0]) and option in row[1].split()]


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.ran = {}

    def run(self, words):
        """Exit code, output and error. Words that many cases compare with run once."""
        key = tuple(words)
        if key not in self.ran:
            self.ran[key] = self.run_once(words)
        return self.ran[key]

    def run_once(self, words):
        with tempfile.TemporaryDirectory() as folder:
            words = [w.replace("{new}", os.path.join(folder, "new")) for w in words]
            done = subprocess.run([self.path, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def commands(self):
        code, out, error = self.run(["manual", "--json"])
        assert code == 0, error
        return json.loads(out)["commands"]


def first_example(command):
    """The words of the first example, without the program and the command."""
    text = re.sub(r"\\\n\s*", " ", command["examples"])
    for line in text.splitlines():
        words = shlex.split(line)
        name = command["name"].split()
        if words[: 1 + len(name)] == ["bailey", *name] and "..." not in words:
            return words[1 + len(name) :]
    raise SystemExit(f"the help of {command['name']} has no example")


def base_of(command):
    name = command["name"]
    if name in BASE:
        return shlex.split(BASE[name])
    if not name.startswith("price ") or name.split()[1] in ALIKE.split():
        return None
    return drop(drop(first_example(command), "--paths", True), "--json", False) + shlex.split(PRODUCT)


def drop(words, option, has_value):
    """The words without the option."""
    left, skip = [], False
    for word in words:
        if not skip and word != option and not word.startswith(option + "="):
            left.append(word)
        skip = not skip and word == option and has_value
    return left


def default_of(option):
    """The value that changes nothing; None if it is not known."""
    if "default" in option:
        return option["default"]
    for form in (r"(\S+) \(default\)", r"default:? ([^\s;,.]+(?:\.\d+)?(?:,[\d.]+)*)"):
        found = re.search(form, option["help"])
        if found and re.fullmatch(r"[\w.,+-]*\d[\w.,+-]*", found[1]) or found and found[1] in (option["value"] or "").split("|"):
            return found[1]
    return None


def wrong_of(option):
    """Values that it does not take."""
    kind = option.get("type")
    wrong = ["no-such-thing"]
    if kind in ("integer", "number"):
        if "low" in option and option["low"] is not None:
            wrong.append(repr(option["low"] - 1) if kind == "number" else str(int(option["low"]) - 1))
        if option.get("high") is not None and option["high"] < 1e15:
            wrong.append(str(int(option["high"]) + 1))
        wrong.append("1e999")
    return wrong


def cases(command, shared):
    """(what, option, words of the base, words of the run, whether the same comes out)."""
    name, base = command["name"], base_of(command)
    if base is None:
        return
    for option in command["options"] + command.get("parameters", []):
        rows = matches(BESIDE, name, option["name"])[:1]
        takes = option["value"] is not None
        there = drop(base, option["name"], takes)
        for row in rows:
            for other in row[3].split() + row[2].split()[::2]:
                there = drop(there, other, True)
            there += row[2].split()
        there = name.split() + there
        refused = name == REFUSES or option not in shared
        if not takes and refused:
            yield "a value", option, None, there + [option["name"] + "=1"]
        if not takes:
            continue
        default = default_of(option)
        elsewhere = option["name"] in ONCE and name.startswith("price ") and name != "price european"
        if default is not None and not elsewhere and not matches(DEFAULTS, name, option["name"]):
            yield "default " + default, option, there, there + [option["name"], default]
        if refused and not matches(ANYTHING, name, option["name"]):
            for wrong in wrong_of(option):
                yield wrong, option, None, there + [option["name"] + "=" + wrong]


def verdict(program, option, before, words):
    """The error; None if there is none."""
    code, out, error = program.run(words)
    if before is None:
        if code == 0:
            return "is taken"
        return None if option["name"] in error else "is refused without the option's name: " + error.strip()[:200]
    if code:
        return "is refused: " + error.strip()[:200]
    want_code, want, want_error = program.run(before)
    if want_code:
        return "cannot be told, for the run without it fails: " + want_error.strip()[:200]
    plain = [TIMES.sub("", o.decode("latin-1")) for o in (out, want)]
    return None if plain[0] == plain[1] else "changes the result"


def check(program, command, case):
    what, option, before, words = case
    return command["name"], option["name"], what, words, verdict(program, option, before, words)


def write_files():
    with open("payoff.c", "wb") as file:
        file.write(subprocess.run([PROGRAM.path, "price", "--payoff-template"], capture_output=True).stdout)
    texts = {
        "early.c": EARLY,
        "deals.json": '[{"product": "european", "spot": 100, "strike": 100, "rate": 0, "volatility": 0.2, "paths": 512}]',
        "matrix.csv": "1,0.5\n0.5,1\n",
        "dates.csv": "2027-01-02\n",
        "fixings.csv": "2026-03-31\n2026-12-31\n",
        "assets.csv": "name,spot,volatility\nA,100,0.2\nB,95,0.3\n",
        "correlation.csv": "1,0.5\n0.5,1\n",
    }
    for name, text in texts.items():
        with open(name, "w") as file:
            file.write(text)


def main(only):
    write_files()
    commands = PROGRAM.commands()
    shared = next(c["options"] for c in commands if c["name"] == REFUSES)
    jobs = [(c, case) for c in commands if not only or c["name"] == only
            for case in cases(c, shared if c["name"].startswith("price ") else [])]
    unused = {id(row) for row in FAULTS}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, option, what, words, wrong in pool.map(lambda job: check(PROGRAM, *job), jobs):
            fault = matches(FAULTS, name, option)
            if wrong and fault:
                unused -= {id(row) for row in fault}
            elif wrong:
                failed += 1
                print(f"FAIL: bailey {name}: {option} {what} {wrong}\n    {shlex.join(words)}")
    for row in FAULTS:
        if id(row) in unused and not only:
            failed += 1
            print(f"FAIL: {row[0]} {row[1]} is right by now: take it from FAULTS")
    print(f"{len(jobs)} runs, {failed} failed")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    os.environ.setdefault("BAILEY_DEVICE", "cpu")
    PROGRAM = Program(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        code = main(" ".join(sys.argv[2:]))
        os.chdir("/")
    sys.exit(code)
