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

    ./dev bench first --json first.json
    tools/benchmarks_page.py first.json

A *ratio* compares two programs that ran side by side in one run, blocks interleaved; the value is the median over the rounds,
the range its least and greatest. *Raw* sends the same octets by a minimal program without an ORB. Instructions, system calls and
allocations are per call, as the difference between N and 2N calls, client and server together unless named apart.
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


def section(report):
    versions = ", ".join(f"{name} {text}" for name, text in report.get("versions", {}).items())
    lines = [f"\n## {report['bench']}\n", f"{report['date']}, {report['machine']}; {versions}.\n",
             "| Result | Value | Unit | Range | Bar | | Note |", "| --- | ---: | --- | --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(cell(text) for text in row(result)) + " |" for result in report["results"]]
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
