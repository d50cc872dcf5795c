# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The pages of the reference that are generated: the command line from the program's help, the built-in payoffs from
their descriptions, the Python package from its signatures and docstrings. Each returns Markdown."""
import inspect
import json
import re
import subprocess

WIDTH = 90  # columns of code

# The jobs of a user of the package, and the names for each. Every exported name stands in one group.
GROUPS = {
    "Random numbers": "Source generators words uniforms normals variates gamma beta chi_square student_t truncated_normal "
                      "noncentral_chi_square exponential laplace logistic gumbel lognormal weibull standard_cauchy poisson binomial "
                      "negative_binomial geometric choices integers permutation choice correlate copula BitGenerator",
    "Sobol points": "sobol points SobolEngine",
    "Brownian paths": "Bridge order Motion BrownianTree",
    "Prices": "price asian american Simulation Estimates Estimate Greeks GreekEstimate Gradient Derivative Histogram Moment "
              "AmericanResult Policy ExerciseResult ExerciseBounds",
    "Payoffs": "payoffs models products describe Description payoff array Payoff PayoffClass",
    "Correlation": "check_correlation nearest_correlation factor_correlation",
    "Local volatility": "local_volatility",
    "Multilevel Monte Carlo": "mlmc mlmc_levels Mlmc MlmcEstimate MlmcGradient MlmcResult MlmcLevel MlmcChoice MlmcReport MlmcTestLevel MlmcTestRun",
    "Long runs": "JobReport JobDevice Part merge Partial",
    "Devices": "devices Device context Context",
    "Errors": "BaileyError InvalidArgument Unsupported OutOfMemory PayoffError Cancelled",
}


def escape(text):
    """Plain text as Markdown; names of C and of the package are code, and so is what stands between backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\*<>\[\]$|#{}~`])", r"\\\1", parts[i])
        parts[i] = re.sub(r"(?<![\w.\-])(bailey\.\w+(?:\.\w+)*(?:\(\))?|\w*_\w+(?:\(\))?|--[a-z][\w\-]*)", r"`\1`", parts[i])
    return "".join(parts)


# ---- The command line --------------------------------------------------------------------------------------------

def two_columns(lines):
    """(option, what it does) of each entry of a section that is a list of these; else None."""
    entries = []
    for line in lines:
        if re.match(r" {26}\S", line):
            if not entries:
                return None
            entries[-1][1] += " " + line.strip()
        elif re.match(r" {2}\S", line) and (line[24:26].isspace() or len(line) <= 26 or "--" in line[:6]):
            head, *text = re.split(r" {2,}", line.strip(), maxsplit=1)
            entries.append([head, "".join(text)])
        else:
            return None
    return entries if entries and any(text for _, text in entries) else None


def options(lines):
    """A section of a help screen as Markdown."""
    entries = two_columns(lines)
    if entries is None:
        return ["```text", *(line[2:] if line.startswith("  ") else line for line in lines), "```", ""]
    rows = ["| `{}` | {} |".format(head.replace("|", r"\|"), escape(text.strip())) for head, text in entries]
    return ["| option | meaning |" if entries[0][0].startswith("-") else "| name | meaning |", "| --- | --- |", *rows, ""]


def help_page(title, text):
    """A help screen as Markdown: usage and examples are code, options are tables."""
    out, lines = [f"# {title}", ""], text.rstrip("\n").split("\n")
    end = lines.index("")
    out += ["```text", *lines[:end], "```", ""]
    heading, section = "", []

    def finish():
        body = list(section)
        while body and not body[-1]:
            body.pop()
        if heading:
            name, _, note = heading.partition(" (")
            name, *more = name.split(", ", 1)
            out.extend([f"## {name}", ""] + ([escape(", ".join(more) + (" (" + note if note else "")).strip() + ".", ""]
                                             if more or note else []))
        if body and (heading or body[0].startswith("  ")):
            out.extend(options([line for line in body if line] if two_columns([b for b in body if b]) else body))
        elif body:
            split = next((i for i, line in enumerate(body) if line.startswith("  ")), len(body))
            out.extend([*map(escape, body[:split]), ""])
            if body[split:]:
                out.extend(options(body[split:]))
        section.clear()

    for line in lines[end + 1:]:
        match = re.fullmatch(r"([A-Z][^.]*):", line)
        if match:
            finish()
            heading = match[1]
        else:
            section.append(line)
    finish()
    return "\n".join(out)


def command_line(program):
    """{name: Markdown} of the pages of all commands, and of their list."""
    def printed(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout

    pages = {"bailey": help_page("bailey", printed("--help"))}
    for command in json.loads(printed("manual", "--json"))["commands"]:
        name = command["name"]
        if name.startswith("completion"):
            continue
        own = name == "price"  # a custom payoff
        page = help_page("bailey price --payoff" if own else f"bailey {name}",
                         printed(*name.split(), *["--payoff"] * own, "--help"))
        lost = [option["name"] for option in command["options"] if option["name"] not in page]
        if lost:
            raise SystemExit(f"reference.py: the page of bailey {name} has no {lost}")
        pages[name.replace(" ", "-")] = page
    toctree = ["```{toctree}", ":maxdepth: 1", "", *pages, "```", ""]
    pages["index"] = "\n".join(["# Command line", "", "Every command, as its `--help` explains it.", "", *toctree])
    return pages


# ---- Built-in payoffs --------------------------------------------------------------------------------------------

def payoffs(bailey):
    """The page of the built-in payoffs, from their descriptions."""
    out = ["# Built-in payoffs", "", "Each payoff is a name for `bailey.Simulation`, `bailey price` and "
           "`bailey_payoff.name`. [Payoffs](../docs/payoffs.md) shows how to write your own.", ""]
    for name in bailey.payoffs():
        description = bailey.describe(name)
        details = [line for paragraph in description.details.split("\n\n") for line in (escape(" ".join(paragraph.split())), "")]
        out += [f"## {name}", "", escape(description.summary), "", *details,
                "| parameter | meaning | unit | values | default |", "| --- | --- | --- | --- | --- |"]
        for p in description.parameters:
            values = "; ".join(filter(None, [p.range, p.usual and f"usually {p.usual}"]))
            default = "" if p.default is None else f"{p.default:g}" if isinstance(p.default, float) else str(p.default)
            size = f"[{p.size}]" if p.size else ""
            out.append(f"| `{p.name}{size}` | {escape(p.summary)} | {escape(p.unit)} | {escape(values)} | {escape(default)} |")
        out += ["", "| output | meaning |", "| --- | --- |",
                *(f"| `{o.name}` | {escape(o.summary)} |" for o in description.outputs), ""]
        if description.source:
            out += [f"Source: {escape(description.source)}.", ""]
    return "\n".join(out)


# ---- Python ------------------------------------------------------------------------------------------------------

class Plain(str):
    """An annotation that is shown as it is written."""

    def __repr__(self):
        return str(self)


def signature(name, function):
    """`name(...) -> type`, in lines of at most WIDTH columns; annotations as they are written."""
    found = inspect.signature(function)
    found = found.replace(parameters=[p for p in found.parameters.values() if p.name != "self"])
    given = [p if p.annotation is p.empty else p.replace(annotation=Plain(p.annotation)) for p in found.parameters.values()]
    back = "" if found.return_annotation is found.empty or inspect.isclass(function) else f" -> {Plain(found.return_annotation)}"
    whole = str(found.replace(parameters=given, return_annotation=found.empty))
    if len(name) + len(whole) + len(back) <= WIDTH:
        return [name + whole + back]
    parts, star = [], False
    for p in given:
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        parts.append(str(p))
    lines = [f"{name}("]
    for part in parts:
        if len(lines) > 1 and len(lines[-1]) + len(part) + 2 < WIDTH:
            lines[-1] += f" {part},"
        else:
            lines.append(f"    {part},")
    lines[-1] = lines[-1][:-1] + f"){back}"
    return lines


def item(match):
    """`name: text` of a list of arguments or fields."""
    return f"- `{match[1]}`: {escape(match[2])}"


def docstring(text):
    """A docstring as Markdown: paragraphs, lists of arguments and of fields, indented code."""
    out = []
    for paragraph in (text or "").split("\n\n"):
        lines = paragraph.split("\n")
        if lines[0] == "Arguments:":
            out += ["**Arguments**", ""]
            lines = inspect.cleandoc("\n".join(lines[1:])).split("\n")
        if all(re.match(r"\w+: | {4}", line) for line in lines) and not lines[0].startswith(" "):
            joined = re.sub(r"\n {4}", " ", "\n".join(lines))
            out += [item(re.fullmatch(r"(\w+): (.*)", line)) for line in joined.split("\n")] + [""]
        elif all(line.startswith("    ") for line in lines):
            out += ["```python", *(line[4:] for line in lines), "```", ""]
        else:
            out += [*map(escape, lines), ""]
    return out


def documented(name, thing):
    """A class or function as Markdown."""
    if inspect.isclass(thing):
        try:
            head = signature(name, thing) if "__init__" in vars(thing) and thing.__doc__ and "Arguments:" in thing.__doc__ else []
        except (TypeError, ValueError):
            head = []
    else:
        head = signature(name, thing)
    code = ["```python", *head, "```", ""] if head else []
    return [*code, *docstring(inspect.getdoc(thing))]


def python(bailey):
    """The page of the package, grouped by job; its signatures and docstrings are made as it is imported."""
    out = ["# Python reference", "", "[Python](../docs/python.md) shows how to use these.", ""]
    grouped = [name for names in GROUPS.values() for name in names.split()]
    if sorted(grouped) != sorted([*bailey.__all__, "SobolEngine"]):
        raise SystemExit(f"reference.py: in one of GROUPS and __all__ only: {sorted(set(grouped) ^ set(bailey.__all__))}")
    for group, names in GROUPS.items():
        out += [f"## {group}", ""]
        for name in names.split():
            try:
                thing = getattr(bailey, name)
            except ImportError:  # SciPy is not here
                continue
            out += [f"### {name}", "", *documented(f"bailey.{name}", thing)]
            for method, value in vars(thing).items() if inspect.isclass(thing) else ():
                if inspect.isfunction(value) and not method.startswith("_"):
                    out += [f"#### {name}.{method}", "", *documented(method, value)]
    return "\n".join(out)
