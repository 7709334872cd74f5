#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/benchmarks.md out of what `./dev bench NAME --json FILE` wrote.

  tools/benchmarks_page.py [--page FILE] RESULT.json...

Every figure on the page comes from the files given, together with their date, machine and versions. A bar that is missed is
shown as missed, a result that could not be measured with its reason. Nothing is rounded beyond what the benchmark did. Each commit
has a section of its own; a benchmark that ran on several machines has them side by side.
"""
import argparse
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "benchmarks.md")

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

HEAD = """# Benchmarks

Made by `tools/benchmarks_page.py` out of what the benchmarks reported; do not edit it by hand. To measure again:

    ./dev bench all --json MACHINE              on each machine, at the same commit
    tools/benchmarks_page.py MACHINE/*.json OTHER/*.json

`./dev bench NAME --json FILE` runs one benchmark. The page has what it is given, no more: a section for each commit, in which
machines stand side by side. `./dev bench NAME --against COMMIT` (first, core, cubit, param, marshal) measures the programs of another
commit and of this one in turn, and fails where this one is worse; with `--preset minimal` those of the small build.

| Benchmark | What it measures |
| --- | --- |
| `first` | an empty call and floods of large messages over TCP, beside raw sockets and omniORB; instructions, system calls, allocations |
| `param` | interpreted beside compiled stubs: speed, marshalling alone, object code |
| `ladder`, `marshal` | ways to marshal, one beside the other |
| `core` | how objects and operations are found, slowest calls, calls a second, idle connections |
| `cubit` | calls of simple types, and floods, over each transport (TCP, Unix-domain sockets, shared memory), beside raw programs over the same one |
| `copy` | from which size on sequences are sent from where they are in no more time than they are copied into the message |
| `tls` | empty calls, floods, connections with one call each and idle connections over TLS, beside OpenSSL alone and omniORB's TLS |
| `late` | C++ and Java over one ORB: sequences of structs over TCP and in one process, beside a wrapper that crosses field by field, and beside JacORB; memory |
| `users` | what users notice first: the call after an error, what remains of peers that have gone, how long builds take |

A *ratio* compares two programs that ran side by side in one run, blocks interleaved; the value is the median over the rounds,
the range its least and greatest. Instructions, system calls and allocations are per call, as the difference between N and 2N calls,
client and server together unless named apart.

*Raw* sends the same octets without an ORB. It is a family of programs (blocking or spinning for a bounded time, a first part by a
send of its own, large reads, batches, threads of the server that share connections; `bench/common/floor.py`), of which each ratio
takes the fastest on that machine in that run; the note says which, and how the others compare with it. Where a note says nothing of
this, raw was one blocking program. A result that is faster than raw by more than 5 % in the median fails the benchmark until the
reason is known. Octets are counted in KiB and MiB where 1,024 divides them, and rates in MB/s and GB/s, of powers of ten.

*Object code* is counted in object files, before linking, of generated code alone: code (`.text*`), constants (`.rodata*`), data
(`.data*`, with virtual tables and all tables that hold addresses) and 24 octets of relocation for each address in data, which a
position-independent program keeps for its loader. Inline functions and instances of templates count in every object that holds
them, or once where it says so. Unwinding tables are told apart. Figures in KiB called *text* are what the program `size` calls so:
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
    return "met" if met else "not for this machine" if result.get("unfit") else "**missed**"


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def figures(result):
    """What one machine has in a row: value, range, verdict."""
    spread = f"{number(result.get('min'))} to {number(result.get('max'))}" if result.get("runs", 0) > 1 else ""
    return [number(result["value"]), spread, verdict(result)]


def notes(result):
    return "; ".join(text for text in (result.get("note"), result.get("unfit")) if text)


def row(of_machines):
    """A result of several machines, None where one has not measured it."""
    one = next(result for result in of_machines if result is not None)
    bounds = list(dict.fromkeys(result.get("bound", "") for result in of_machines if result is not None))
    told = [(letter, notes(result)) for letter, result in zip(LETTERS, of_machines) if result is not None and notes(result)]
    if len(of_machines) == 1:
        note = notes(one)
    else:
        note = "<br>".join(f"{letter}: {text}" for letter, text in told)
    return [f"`{one['name']}`", one["unit"], " or ".join(bounds),
            *(text for result in of_machines for text in (["", "", ""] if result is None else figures(result))), note]


def table(content):
    """A table that a benchmark reports beside its results: text to the left, figures to the right."""
    rows = [["-" if value is None else number(value) if isinstance(value, (int, float)) else cell(value) for value in row]
            for row in content["rows"]]
    right = [any(isinstance(row[i], (int, float)) for row in content["rows"]) for i in range(len(content["columns"]))]
    lines = [f"\n#### {content['title']}\n", *([content["note"] + "\n"] if content.get("note") else []),
             "| " + " | ".join(map(cell, content["columns"])) + " |",
             "| " + " | ".join("---:" if each else "---" for each in right) + " |"]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def joined(reports):
    """Reports of one benchmark, commit and machine as one: parts may have been measured apart."""
    results = [result for report in reports for result in report["results"]]
    names = [result["name"] for result in results]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"{reports[0]['bench']}: {twice[0]} was measured twice at {reports[0]['versions'].get('tenon')} on "
                 f"{reports[0]['machine']}; give one of the reports")
    return {"date": ", ".join(report["date"] for report in reports), "results": results,
            "tables": [content for report in reports for content in report.get("tables", [])],
            "faster_than_raw": [found for report in reports for found in report.get("faster_than_raw", [])]}


def bench_section(bench, reports):
    """reports: of each machine, None where it has not run."""
    names = dict.fromkeys(result["name"] for report in reports if report for result in report["results"])
    by_name = [{result["name"]: result for result in report["results"]} if report else {} for report in reports]
    several = len(reports) > 1
    dates = [f"{letter + ': ' if several else ''}{report['date']}" for letter, report in zip(LETTERS, reports) if report]
    lines = [f"\n### {bench}\n", "; ".join(dates) + ".\n"]
    columns = ["Result", "Unit", "Bar"]
    for letter, _ in zip(LETTERS, reports):
        columns += [letter if several else "Value", "Range", ""]
    lines += ["| " + " | ".join([*columns, "Note"]) + " |",
              "| " + " | ".join(["---"] * 3 + ["---:", "---", "---"] * len(reports) + ["---"]) + " |"]
    lines += ["| " + " | ".join(cell(text) for text in row([found.get(name) for found in by_name])) + " |" for name in names]
    for letter, report in zip(LETTERS, reports):
        for found in report["faster_than_raw"] if report else []:
            lines.append(f"\n**Faster than raw**{' on ' + letter if several else ''}: {found['name']}, {found['contender']}, "
                         f"{number(found['times'])} times: {found['reason'] or 'the reason is not known'}.")
    return lines + bench_tables(reports)


def bench_tables(reports):
    """The same table of several machines stands once."""
    shown = {}
    for letter, report in zip(LETTERS, reports):
        for content in report["tables"] if report else []:
            shown.setdefault(json.dumps(content), (content, []))[1].append(letter)
    lines = []
    for content, letters in shown.values():
        title = content["title"] if len(reports) == 1 else f"{content['title']} ({', '.join(letters)})"
        lines += table({**content, "title": title})
    return lines


def section(commit, reports):
    """Everything that was measured at one commit."""
    machines = list(dict.fromkeys(report["machine"] for report in reports))
    lines = [f"\n## Commit {commit}\n"]
    for letter, machine in zip(LETTERS, machines):
        versions = {}
        for report in reports:
            if report["machine"] == machine:
                for name, text in report.get("versions", {}).items():
                    versions.setdefault(name, {})[text] = None
        told = ", ".join(f"{name} {' and '.join(texts)}" for name, texts in versions.items() if name != "tenon")
        lines.append(f"* {letter + ': ' if len(machines) > 1 else ''}{machine}; {told}.")
    for bench in dict.fromkeys(report["bench"] for report in reports):
        of_machines = [[r for r in reports if r["bench"] == bench and r["machine"] == machine] for machine in machines]
        lines += bench_section(bench, [joined(found) if found else None for found in of_machines])
    return "\n".join(lines) + "\n"


def page_of(reports):
    commits = {}
    for report in reports:
        commits.setdefault(report["versions"].get("tenon", "unknown"), []).append(report)
    return HEAD + "".join(section(commit, found) for commit, found in commits.items())


def main():
    parser = argparse.ArgumentParser(description="makes docs/benchmarks.md")
    parser.add_argument("--page", default=PAGE, help="where to write; - for standard output")
    parser.add_argument("reports", nargs="+", metavar="RESULT.json")
    options = parser.parse_args()
    reports = []
    for path in options.reports:
        with open(path, encoding="utf-8") as file:
            try:
                report = json.load(file)
                reports.append({key: report[key] for key in ("bench", "date", "machine", "versions", "results")} | report)
            except (json.JSONDecodeError, KeyError) as error:
                sys.exit(f"{path}: not a report of ./dev bench NAME --json FILE ({error!r})")
    page = page_of(reports)
    if options.page == "-":
        sys.stdout.write(page)
    else:
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    main()
