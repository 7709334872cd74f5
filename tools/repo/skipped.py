#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""skipped.py LOG: lists what ctest's LastTest.log says was skipped, whole tests and single ones inside a program.

A whole test says `not run: WHY`. GoogleTest says `FILE:LINE: Skipped` and the reason in the next line, and the program counts as
passed. A stage of CI prints the list of its own ctest run, which is repeated under the stage's name.
"""
import collections
import os
import re
import sys

TEST = re.compile(r"^\d+/\d+ Test: (\S+)$")
WHOLE = re.compile(r"^(?:-- )?not run: (.*)$")
SINGLE = re.compile(r"^(?:\.\./)*(\S+:\d+): Skipped$")
LISTED = re.compile(r"^skipped: (.*)$")


def skipped(lines):
    """What was skipped, in the order of the log, each with its number of times."""
    found = collections.Counter()
    test = ""
    lines = iter(lines)
    for line in lines:
        line = line.rstrip("\n")
        if match := TEST.match(line):
            test = match[1]
        elif match := WHOLE.match(line) or LISTED.match(line):
            found[f"{test}: {match[1]}"] += 1
        elif match := SINGLE.match(line):
            place = match[1].removeprefix(f"{os.getcwd()}/")
            found[f"{test}: {place}: {next(lines, '').strip()}"] += 1
    return found


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        found = skipped(log)
    for what, times in found.items():
        print(f"skipped: {what}" + (f" ({times} times)" if times > 1 else ""))
    if not found:
        print("Nothing was skipped.")


if __name__ == "__main__":
    main()
