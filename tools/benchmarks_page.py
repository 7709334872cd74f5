#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/benchmarks.md out of what `./dev bench NAME --json FILE` wrote.

  tools/benchmarks_page.py [--page FILE] RESULT.json...

Every figure on the page comes from the files given, together with their date, machine and versions. A bar that is missed is
shown as missed, a result that could not be measured with its reason. Nothing is rounded beyond what the benchmark did.
"""
import argparse
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "benchmarks.md")

HEAD = """# Benchmarks

Made by `tools/benchmarks_page.py` out of what the benchmarks reported; do not edit it by hand. To measure again:

    ./dev bench NAME --json NAME.json
    tools/benchmarks_page.py first.json param.json ladder.json marshal.json core.json users.json

All of them together: the page has what it is given, no more.

A *ratio* compares two programs that ran side by side in one run, blocks interleaved; the value is the median over the rounds,
the range its least and greatest. *Raw* sends the same octets by a minimal program without an ORB. Instructions, system calls and
allocations are per call, as the difference between N and 2N calls, client and server together unless named apart.

*Object code* is counted in object files, before linking, of generated code alone: code (`.text*`), constants (`.rodata*`), data
(`.data*`, with virtual tables and all tables that hold addresses) and 24 octets of relocation for each address in data, which a
position-independent program keeps for its loader. Inline functions and instances of templates count in every object that holds
them, or once where it says so. Unwinding tables are told apart. Figures in KB called *text* are what the program `size` calls so:
code, constants and unwinding tables.
"""


def number(value):
    return f"{value:.10g}" if isinstance(value, (int, float)) else "-"


def verdict(result):
    """met, missed, or empty where there is no bar; a bar is "<= X" or ">= X"."""
    if result["value"] is None:
        return "not measured"
    words = result.get("bound", "").split()
    if len(words) != 2 or words[0] not in ("<=", ">="):
        return ""
    limit = float(words[1])
    met = result["value"] <= limit if words[0] == "<=" else result["value"] >= limit
    return "met" if met else "**missed**"


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def row(result):
    spread = f"{number(result.get('min'))} to {number(result.get('max'))}" if result.get("runs", 0) > 1 else ""
    return [f"`{result['name']}`", number(result["value"]), result["unit"], spread, result.get("bound", ""), verdict(result),
            result.get("note", "")]


def table(content):
    """A table that a benchmark reports beside its results: text to the left, figures to the right."""
    rows = [["-" if value is None else number(value) if isinstance(value, (int, float)) else cell(value) for value in row]
            for row in content["rows"]]
    figures = [any(isinstance(row[i], (int, float)) for row in content["rows"]) for i in range(len(content["columns"]))]
    lines = [f"\n### {content['title']}\n", *([content["note"] + "\n"] if content.get("note") else []),
             "| " + " | ".join(map(cell, content["columns"])) + " |",
             "| " + " | ".join("---:" if right else "---" for right in figures) + " |"]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def section(report):
    versions = ", ".join(f"{name} {text}" for name, text in report.get("versions", {}).items())
    lines = [f"\n## {report['bench']}\n", f"{report['date']}, {report['machine']}; {versions}.\n",
             "| Result | Value | Unit | Range | Bar | | Note |", "| --- | ---: | --- | --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(cell(text) for text in row(result)) + " |" for result in report["results"]]
    for content in report.get("tables", []):
        lines += table(content)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="makes docs/benchmarks.md")
    parser.add_argument("--page", default=PAGE, help="where to write; - for standard output")
    parser.add_argument("reports", nargs="+", metavar="RESULT.json")
    options = parser.parse_args()
    page = HEAD
    for path in options.reports:
        with open(path, encoding="utf-8") as file:
            try:
                page += section(json.load(file))
            except (json.JSONDecodeError, KeyError) as error:
                sys.exit(f"{path}: not a report of ./dev bench NAME --json FILE ({error!r})")
    if options.page == "-":
        sys.stdout.write(page)
    else:
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    main()
