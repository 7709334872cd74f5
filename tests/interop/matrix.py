#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/java-conformance.md: each check of the interoperability tests, by clients and servants in C++ and Java, and of other ORBs.

  matrix.py --server KIND=PATH... --client KIND=PATH... [--values-server KIND=PATH... --values-client KIND=PATH...] [--version TEXT]...
            [--write | --compare] [PAGE]

Runs each pair of which one is Tenon's, in C++ ("tenon") or in Java ("java"), in GIOP 1.2. --write makes the page of what came out;
--compare says where the page differs from that, and without either the page is printed. Exit status: 0; 1 where something differs, or
failed without being in known_failures.txt.
"""
import argparse
import datetime
import os
import re
import shutil
import sys
import tempfile
import types

import run

ROOT = os.path.dirname(os.path.dirname(run.HERE))
NAMES = {"tenon": "C++", "java": "Java", "omniorb": "omniORB", "jacorb": "JacORB"}
ORDER = list(NAMES)
MADE = "Made on "  # begins the line that no comparison looks at

# Each check is in the first group of which one word is in its name, or begins it where the word ends with "*".
GROUPS = [
    ("Value types", ["value_*"]),
    ("Any and TypeCode", ["any", "typecode", "kind_of", "card_rank", "holder"]),
    ("Exceptions", ["fail_*", "alive_after_exceptions", "unknown_operation"]),
    ("Timeouts", ["timeout"]),
    ("References, callbacks and inheritance",
     ["call_back*", "note_back", "make_callback", "echo_callback", "echo_object", "echo_subscriber", "attribute_reference", "inheritance",
      "is_a", "gone", "forwarded", "locate", "reference_text"]),
    ("Oneways, attributes, threads", ["oneways", "attribute_", "several_threads", "noop"]),
    ("Large messages", ["blob*", "make_blob", "sum_"]),
    ("Unions", ["echo_by_"]),
    ("Fixed-point numbers", ["money", "huge", "fraction"]),
    ("Sequences", ["_seq", "blobs", "four_longs", "two_strings", "three_structs"]),
    ("Text and characters", ["echo_char", "echo_wchar", "string", "text", "code_points", "wchar_", "wstring_"]),
    ("Structs and arrays", ["bin", "primitives", "mixed", "outer", "tree", "row", "matrix", "names", "limits", "describe"]),
    ("Numbers, booleans and enums", ["echo_"]),
]
NOT_THERE = "–"

# What passes, by check, client and server, but says less than it seems to.
BUT = {("echo_longdouble", "omniorb", "java"): "omniORB sends the x87 format: Java reads other numbers, and gives the same octets back"}


def group_of(check):
    for title, words in GROUPS:
        for word in words:
            if check.startswith(word[:-1]) if word.endswith("*") else word in check:
                return title
    return "Others"


def pairs(servers, clients):
    """Client and server, of which one at least is ours: first ours with ours."""
    ours = ("tenon", "java")
    all_pairs = [(client, server) for client in ORDER for server in ORDER if client in clients and server in servers]
    return sorted((pair for pair in all_pairs if pair[0] in ours or pair[1] in ours),
                  key=lambda pair: (pair[1] not in ours, pair[0] not in ours, ORDER.index(pair[0]), ORDER.index(pair[1])))


def outcomes(server, client, paths):
    """By check: what is wrong, or nothing."""
    folder = tempfile.mkdtemp(prefix="interop-matrix-")
    options = types.SimpleNamespace(client_option=[], only="", tls="", world=None)
    try:
        return run.run_pair(paths[0], paths[1], server, client, run.VARIANTS["giop12"], folder, run.free_ports(4), options)
    except RuntimeError as reason:
        return {"start": str(reason)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Matrix:
    def __init__(self):
        self.columns = []
        self.cells = {}  # by check and column
        self.reasons = []
        self.surprises = []

    def add(self, client, server, results, suite=""):
        column = (client, server)
        if column not in self.columns:
            self.columns.append(column)
        known = run.known_failures(f"{suite}{server}/{client}/giop12")
        for check, wrong in results.items():
            outcome, reason = known.get(check, (None, ""))
            check = re.sub(r"_\d+$", "_*", check)
            if not wrong:
                but = BUT.get((check, client, server))
                cell = self.cells.get((check, column)) or ("ok" if not but else f"ok ({self.number(but)})")
            elif outcome and outcome.fullmatch(wrong.strip()):
                cell = self.failed(wrong, reason)
            else:
                cell = "**failed**"
                self.surprises.append(f"{NAMES[client]} client, {NAMES[server]} servant: {check}: {wrong}")
            self.cells[check, column] = cell

    def failed(self, wrong, reason):
        if "BAD_OPERATION" in wrong or "NO_IMPLEMENT" in wrong:
            return NOT_THERE
        return f"failed ({self.number(reason)})"

    def number(self, reason):
        if reason not in self.reasons:
            self.reasons.append(reason)
        return self.reasons.index(reason) + 1

    def checks(self):
        """By group, in the groups' order, each in the order of the clients."""
        by_group = {title: [] for title, _ in GROUPS[::-1]}
        by_group["Others"] = []
        for check, _ in self.cells:
            found = by_group[group_of(check)]
            if check not in found:
                found.append(check)
        return {title: found for title, found in by_group.items() if found}


def table(title, checks, matrix, columns):
    heads = [f"{NAMES[client]} → {NAMES[server]}" for client, server in columns]
    lines = [f"### {title}", "", "| check | " + " | ".join(heads) + " |", "| --- |" + " --- |" * len(heads)]
    for check in checks:
        lines.append(f"| `{check}` | " + " | ".join(matrix.cells.get((check, column), NOT_THERE) for column in columns) + " |")
    return [*lines, ""]


def page(matrix, versions):
    said = ", ".join(versions)
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->", "# Conformance of Java", "",
             "Which checks pass between clients and servants in C++ and Java, and those of omniORB and JacORB. Each check calls operations",
             "of the interoperability tests' `echo.idl`, `dynamic.idl` or `values.idl` with telling values, most of them as in, inout, out",
             "and result at once, in GIOP 1.2 over TCP. The tests' `matrix.py` made this page, and the test `java_conformance` compares",
             "it. What else is exchanged, such as other versions of GIOP, fragments and other code sets, is in the tests",
             "`interop_java_server_*` and `interop_*_server_java_client_*`.", "",
             f"{MADE}{date}" + (f" with {said}." if said else "."), "",
             f"A column is CLIENT → SERVANT. A row whose name ends with `*` is several checks. {NOT_THERE}: not there, since the client",
             "has no such check or the servant's side has no such feature. Numbers lead to the notes at the end. Java servants cannot",
             "forward yet, and Java clients cannot ask where an object is (`locate_*`).",
             ""]
    lines += ["## Rows by outcome", "", "| client → servant | ok | failed | not there |", "| --- | --- | --- | --- |"]
    checks = [check for found in matrix.checks().values() for check in found]
    for column in matrix.columns:
        cells = [matrix.cells.get((check, column), NOT_THERE) for check in checks]
        good, absent = sum(cell.startswith("ok") for cell in cells), cells.count(NOT_THERE)
        lines.append(f"| {NAMES[column[0]]} → {NAMES[column[1]]} | {good} | {len(cells) - good - absent} | {absent} |")
    lines += ["", "## Checks", ""]
    for title, found in matrix.checks().items():
        lines += table(title, found, matrix, matrix.columns)
    if matrix.reasons:
        lines += ["## Notes", ""]
        lines += [f"{number}. {reason}." for number, reason in enumerate(matrix.reasons, 1)]
    return "\n".join(lines).rstrip() + "\n"


def differences(text, path):
    if not os.path.exists(path):
        return [f"{path} does not exist"]
    with open(path, encoding="utf-8") as file:
        there = [line for line in file.read().splitlines() if not line.startswith(MADE)]
    here = [line for line in text.splitlines() if not line.startswith(MADE)]
    return [f"not in the page: {line}" for line in here if line not in there] + [
        f"only in the page: {line}" for line in there if line not in here]


def by_kind(words):
    return dict(word.split("=", 1) for word in words)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", action="append", default=[], metavar="KIND=PATH")
    parser.add_argument("--client", action="append", default=[], metavar="KIND=PATH")
    parser.add_argument("--values-server", action="append", default=[], metavar="KIND=PATH")
    parser.add_argument("--values-client", action="append", default=[], metavar="KIND=PATH")
    parser.add_argument("--version", action="append", default=[], metavar="TEXT", help="of a peer, for the page")
    parser.add_argument("--write", action="store_true", help="make the page")
    parser.add_argument("--compare", action="store_true", help="compare the page")
    parser.add_argument("page", nargs="?", default=os.path.join(ROOT, "docs/java-conformance.md"))
    options = parser.parse_args()
    servers = by_kind(options.server)
    clients = by_kind(options.client)
    missing = [NAMES[kind] for kind in ORDER if kind not in servers or kind not in clients]
    if missing and (options.write or options.compare):
        return run.absent.not_run(f"java_conformance: not built: {', '.join(missing)}")
    matrix = Matrix()
    suites = [("", servers, clients), ("values/", by_kind(options.values_server), by_kind(options.values_client))]
    for suite, suite_servers, suite_clients in suites:
        for client, server in pairs(suite_servers, suite_clients):
            results = outcomes(server, client, (suite_servers[server], suite_clients[client]))
            matrix.add(client, server, results, suite)
            failed = sum(map(bool, results.values()))
            print(f"{suite}{NAMES[client]} → {NAMES[server]}: {len(results)} checks, {failed} failed", flush=True)
    text = page(matrix, options.version)
    wrong = matrix.surprises
    if options.write:
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(text)
    elif options.compare:
        wrong = wrong + differences(text, options.page)
    else:
        print(text)
    for line in wrong:
        print("WRONG: " + line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
