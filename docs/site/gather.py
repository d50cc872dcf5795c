# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Gathers the site: the pages of the tree as they are, and pages that are generated: of the headers, from their comments
and the library's descriptions of structs, and those of reference.py.

usage: gather.py OUTPUT [PACKAGE [LIBRARY [PROGRAM]]], in the root of the tree; PACKAGE is the folder in which the Python
package is built: build/release/python, build/release/libbailey.so and build/release/src/cli/bailey if they are not given
"""
import ctypes
import os
import re
import shutil
import sys
import textwrap

import reference
from reference import escape

PUBLIC = ["bailey", "copulas", "halves", "integers", "points", "correlation", "local_volatility", "describe", "description", "simulation", "gradient", "exercise", "greeks", "american", "job", "mlmc", "motion", "advanced",
          "opencl", "cuda", "mpi"]


# ---- Comments as text --------------------------------------------------------------------------------------------

def lines_of(comment):
    """The lines of a C comment without its marks."""
    lines = [re.sub(r"^ \*( |$)", "", line) for line in comment[2:-2].split("\n")]
    return [line.rstrip() for line in [lines[0].strip()] + lines[1:]]


def prose(lines):
    """A comment's lines as Markdown: indented ones are code, "Returns:" and the like begin paragraphs."""
    out, code = [], []

    def end_code():
        if code:
            out.extend(["", "```text", *textwrap.dedent("\n".join(code)).split("\n"), "```", ""])
            code.clear()

    for line in lines:
        if line.startswith("  "):
            code.append(line)
            continue
        end_code()
        line = re.sub(r"(?:^|(?<=\. ))(Returns|Threads|Results|Errors|Source|Order contract):", r"\n\n@\1@", line)
        line = escape(line)
        out.append(re.sub(r"@([A-Z][a-z ]+)@", r"**\1:**", line))
    end_code()
    return "\n".join(out).strip("\n")


# ---- Structs -----------------------------------------------------------------------------------------------------

class Structs:
    """The library's records of its structs, read as a binding reads them (examples/binding.py)."""

    def __init__(self, library):
        if not os.path.exists(library):
            sys.exit(f"gather.py: {library} is not there: tables of fields are read from it; build it first")
        os.environ["BAILEY_LIBRARY"] = os.path.abspath(library)
        sys.path.insert(0, "examples")
        import binding
        self.binding = binding
        binding.lib.bailey_describe_at.restype = ctypes.c_void_p
        self.records, self.pages, index = {}, {}, 0
        while binding.lib.bailey_describe_at(ctypes.c_size_t(index)):
            record = binding.Record.from_address(binding.lib.bailey_describe_at(ctypes.c_size_t(index)))
            self.records[f"bailey_{record.name.decode()}"] = record
            index += 1

    def find(self, name, page):
        """Notes the page of a header's structs; its text is to have their tables."""
        with open(f"include/bailey/{name}") as file:
            self.pages.update({struct: page for struct in re.findall(r"^} (bailey_\w+);", file.read(), re.M)
                               if struct in self.records})

    def link(self, name):
        return f"[`{name}`]({self.pages[name]}#fields-of-{name})"

    def type(self, field):
        """The type of a field in C, and the number of elements of an array."""
        words = ["`uint32_t`", "`uint32_t`", "`uint64_t`", "`double`", "", "text", "text", "", "`bailey_buffer`", "a function",
                 "`void *`"]
        text = words[field.type]
        if field.record:
            text = self.link(f"bailey_{field.record.decode()}")
        elif field.prefix:
            text = f"`{field.prefix.decode().lower().rstrip('_')}`"
        elif field.type == 4:
            text = "`uint32_t`"
        shape = field.shape.decode() if field.shape else f"[{field.count}]" if field.count and field.type != 6 else ""
        brackets = shape.rfind("]") + 1
        return f"{text} `{shape[:brackets]}`{escape(shape[brackets:])}" if shape else text

    def limits(self, field):
        text = ctypes.create_string_buffer(400)
        self.binding.lib.bailey_field_limits(ctypes.byref(field), text, ctypes.c_uint64(400))
        words = [text.value.decode()] if text.value else []
        return escape("; ".join(words + ["must be given"] * field.needed + ["written by the library"] * field.output))

    def table(self, name):
        """A struct's fields, as Markdown."""
        record, result = self.records[name], self.records[name].result
        rows = [["field", "type", "unit", *([] if result else ["values"]), "what it is"]]
        rows.append(["---"] * len(rows[0]))
        for field in (self.binding.Field * record.field_count).from_address(record.fields):
            unit = field.unit.decode() if field.unit else ""
            rows.append([f"`{field.name.decode()}`", self.type(field), escape(unit), *([] if result else [self.limits(field)]),
                         escape(field.summary.decode())])
        return [escape(record.summary.decode()), "", *("| " + " | ".join(row) + " |" for row in rows), ""]


# ---- Headers -----------------------------------------------------------------------------------------------------

def pieces(text):
    """(comment, code) of a header, in order: a comment that begins a line, and what stands below it."""
    found, at = [], 0
    for match in re.finditer(r"^/\*.*?\*/", text, re.S | re.M):
        if match.start() < at:
            continue
        if found:
            found[-1][1] = text[at:match.start()]
        found.append([match[0], ""])
        at = match.end()
    if found:
        found[-1][1] = text[at:]
    return found


def names_of(code):
    """The names that a piece of code declares."""
    names = re.findall(r"^BAILEY_API [^;(]*?\b(bailey_\w+)\(", code, re.M)
    names += re.findall(r"^BAILEY_FN [\w ]*?\*?\b(bailey_\w+)\(", code, re.M)
    names += re.findall(r"^} (bailey_\w+);", code, re.M) + re.findall(r"^typedef struct \w+ (bailey_\w+);", code, re.M)
    names += re.findall(r"^#define (BAILEY_\w+)", code, re.M)
    return [name for name in dict.fromkeys(names) if not name.endswith("_ENUM")]


def shown(code):
    """The declarations alone: no bodies of functions, no guards, no includes."""
    code = re.sub(r"^#(?:if|ifdef|ifndef|endif|else|elif|undef|include)\b.*\n?", "", code, flags=re.M)
    code = re.sub(r"^#define (?:\w+_H|BAILEY_TABLE_ALONE|BAILEY_API.*)\n", "", code, flags=re.M)
    code = re.sub(r"^(BAILEY_FN [^{;]*?\))\s*\{.*?^\}", r"\1;", code, flags=re.S | re.M)
    code = re.sub(r'^(?:extern "C" \{|\})\s*$', "", code, flags=re.M)
    return re.sub(r"\n{3,}", "\n\n", code).strip("\n")


def tables(code, level, structs):
    """Tables of the structs that a piece of code declares, and links to those of the structs that its functions take."""
    out, own = [], [name for name in names_of(code) if name in structs.records]
    others = dict.fromkeys(name for name in re.findall(r"\bbailey_\w+", code) if name in structs.pages and name not in own)
    if others and "BAILEY_API" in code:
        out += ["Fields of structs: " + ", ".join(map(structs.link, others)) + ".", ""]
    for name in own:
        out += [f"{level}# Fields of `{name}`", "", *structs.table(name)]
    return out


def header_page(name, path, structs):
    """The page of a header."""
    with open(path) as file:
        text = file.read()
    out, first, level, last = [f"# {name}", ""], True, "##", "#"
    for comment, code in pieces(text):
        banner = re.fullmatch(r"/\* -{4} (.*?) -* ?\*/", comment, re.S)
        if banner:
            out += [f"## {escape(banner[1].strip())}", ""]
            level, last = "###", "##"
        else:
            lines = [line for line in lines_of(comment) if "SPDX" not in line and "Copyright" not in line]
            names = [] if first else names_of(code)
            if names:
                last = level
                out += [f"{level} " + ", ".join(f"`{n}`" for n in names[:4]) + (", ..." if len(names) > 4 else ""), ""]
            out += [prose(lines), ""]
        first = False
        code = shown(code)
        if code:
            out += ["```c", code, "```", "", *tables(code, last, structs)]
    return "\n".join(out)


def headers(output, structs):
    """Pages of all headers; a list of them."""
    device = sorted(n for n in os.listdir("include/bailey/device") if n.endswith(".h"))
    index = ["# Headers", "", "Read each from top to bottom.", ""]
    toctree = ["```{toctree}", ":hidden:", ""]
    for title, folder, names in (("The library", "bailey", [n + ".h" for n in PUBLIC]),
                                 ("For kernels of your own", "bailey/device", device)):
        index += [f"## {title}", ""]
        for name in names:
            page = name if folder == "bailey" else "device-" + name
            text = header_page(f"{folder}/{name}", f"include/{folder}/{name}", structs)
            write(f"{output}/reference/{page}.md", text)
            index.append(f"- [{folder}/{name}]({page}.md)")
            toctree.append(page)
        index.append("")
    index += ["## Structs", "", *(f"- {structs.link(name)}: {escape(record.summary.decode())}"
                                  for name, record in sorted(structs.records.items())), ""]
    write(f"{output}/reference/index.md", "\n".join(index + toctree + ["```", ""]))


# ---- The reference -----------------------------------------------------------------------------------------------

def generated(output, package, program):
    """The pages of reference.py; without the package or the program, pages that say so."""
    try:
        for name, text in reference.command_line(program).items():
            write(f"{output}/reference/command-line/{name}.md", text)
    except OSError:
        sys.exit(f"gather.py: {program} is not there: the pages of the command line are its help; build it first")
    sys.path.insert(0, package)
    try:
        import bailey
    except ImportError:
        absent = f"The package is not in {package}."
        write(f"{output}/reference/python.md", f"# Python reference\n\n{absent}\n")
        return write(f"{output}/reference/payoffs.md", f"# Built-in payoffs\n\n{absent}\n")
    with open(f"{output}/docs/reference/README.md", "a") as file:
        file.write("\nOn this site: [command line](../../reference/command-line/index.md), [built-in payoffs]"
                   "(../../reference/payoffs.md), [headers](../../reference/index.md), "
                   "[Python](../../reference/python.md).\n")
    write(f"{output}/reference/payoffs.md", reference.payoffs(bailey))
    write(f"{output}/reference/python.md", reference.python(bailey))


# ---- Pages -------------------------------------------------------------------------------------------------------

def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def linked(text, folder, output, structs):
    """A page whose links to headers and folders lead to pages of the site, and those to other files to copies. That to a
    struct of a header, as ../include/bailey/mlmc.h#bailey_mlmc_params, leads to the table of its fields."""

    def target(match):
        to = match[1]
        path = os.path.normpath(os.path.join(folder, to.split("#")[0]))
        up = os.path.relpath(".", folder or ".")
        header = re.fullmatch(r"include/bailey/(device/)?(\w+\.h)", path)
        if header and "#" in to:
            struct = to.split("#")[1]
            if structs.pages.get(struct) != f"{header[2]}.md":
                sys.exit(f"gather.py: a link of {folder or '.'} leads to {to}, and {header[2]} has no such struct")
            return f"]({up}/reference/{header[2]}.md#fields-of-{struct})"
        if header:
            return f"]({up}/reference/{'device-' if header[1] else ''}{header[2]}.md)"
        if path in ("include/bailey", "include/bailey/device"):
            return f"]({up}/reference/index.md)"
        if os.path.isdir(path):
            return f"]({up}/examples/README.md)" if path == "examples" else f"]({up}/docs/developers/architecture.md)"
        if to.startswith("http") or to.startswith("#") or path.endswith(".md"):
            return match[0]
        if not os.path.exists(path):
            sys.exit(f"gather.py: a link of {folder or '.'} leads to {to}, which is not there")
        copy(path, output)
        return match[0]

    return re.sub(r"\]\(([^)\s]+)\)", target, text)


def copy(path, output):
    os.makedirs(os.path.dirname(f"{output}/{path}"), exist_ok=True)
    shutil.copy(path, f"{output}/{path}")


def page(path, output, structs):
    with open(path) as file:
        write(f"{output}/{path}", linked(file.read(), os.path.dirname(path), output, structs))


def main(output, package="build/release/python", library="build/release/libbailey.so",
         program="build/release/src/cli/bailey"):
    shutil.rmtree(output, ignore_errors=True)
    structs = Structs(library)
    for name in PUBLIC:
        structs.find(f"{name}.h", f"{name}.h.md")
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        page(name, output, structs)
    for folder in ("docs", "examples"):
        for where, _, files in sorted(os.walk(folder)):
            for name in files:
                if name.endswith(".md") and where != "docs/site":
                    page(f"{where}/{name}", output, structs)
    shutil.copy("docs/site/index.md", f"{output}/index.md")
    headers(output, structs)
    generated(output, package, program)


if __name__ == "__main__":
    main(*sys.argv[1:])
