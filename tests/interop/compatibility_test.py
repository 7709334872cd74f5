#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/compatibility.md against the sources: each test that it names exists, each row names one, each option is one of ORB_init.

  compatibility_test.py REPOSITORY BUILD
"""
import fnmatch
import os
import re
import sys

SOURCES = ("src", "plugins", "tests", "tools", "idl")


def gtest_names(root):
    names = set()
    pattern = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", re.MULTILINE)
    for top in SOURCES:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                if name.endswith("_test.cpp"):
                    with open(os.path.join(folder, name), encoding="utf-8") as source:
                        names.update(f"{suite}.{test}" for suite, test in pattern.findall(source.read()))
    return names


def ctest_names(build):
    """Out of the files that CMake wrote: another ctest beside the one that runs this would overwrite its log."""
    names = set()
    left = [build]
    while left:
        folder = left.pop()
        with open(os.path.join(folder, "CTestTestfile.cmake"), encoding="utf-8") as file:
            text = file.read()
        names.update(re.findall(r'^ *add_test\((?:\[=*\[)?([^\s"\]]+)', text, re.MULTILINE))
        left += [os.path.join(folder, below) for below in re.findall(r'^subdirs\("(.*)"\)', text, re.MULTILINE)]
    return names


def rows(root):
    """Line number and cells of each row of the document's tables."""
    with open(os.path.join(root, "docs/compatibility.md"), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("| ") and not line.startswith(("| ---", "| trap")):
                yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


def main():
    root, build = sys.argv[1:3]
    known = gtest_names(root)
    cases = ctest_names(build)
    # Peers that are not installed have no cases; those that every build has must be there.
    peers = {peer for peer in ("omniorb_", "jacorb_") if any(peer in case for case in cases)}
    with open(os.path.join(root, "docs/options.md"), encoding="utf-8") as document:
        options = set(re.findall(r"^\| `(-ORB\w+)`", document.read(), re.MULTILINE))
    wrong = []
    count = 0
    for number, cells in rows(root):
        count += 1
        if len(cells) != 5:
            wrong.append(f"{number}: {len(cells)} cells, not 5")
            continue
        named = re.findall(r"`([^`]+)`", cells[4])
        if not named:
            wrong.append(f"{number}: names no test")
        for test in named:
            if test.startswith("interop_"):
                missing = any(peer in test and peer not in peers for peer in ("omniorb_", "jacorb_"))
                if not missing and peers and not fnmatch.filter(cases, test):
                    wrong.append(f"{number}: ctest has no {test}")
            elif test not in known:
                wrong.append(f"{number}: there is no test {test}")
        for option in re.findall(r"`(-ORB\w+)`", cells[3]):
            if option not in options:
                wrong.append(f"{number}: there is no option {option}")
    for line in wrong:
        print(f"docs/compatibility.md:{line}")
    print(f"{count} rows, {len(wrong)} wrong")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
