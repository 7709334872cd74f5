#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""House rules that no compiler checks: licence lines, left-over marks, sleeps, file length, copies, paths named in documents.

A document that names `src/x/y.hpp` or links to another one must be right about it: that is what keeps the glossary
and the architecture in step with the code.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

import find_copies

CODE = {".cpp", ".hpp", ".py", ".cmake", ".toml", ".idl", ".java", ".sh"}
SCRIPT_NAMES = {"CMakeLists.txt", "dev", "run"}
LICENCE = "SPDX-License-Identifier: Apache-2.0"
LONGEST_FILE = 500  # lines; a test or a table may be longer
MARKS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
# Code that runs in users' programs waits for an event, with a deadline, or does not wait: a sleep is left over from provoking a race, or
# a guess at how long something takes. A pause that tests need is a hook that tests set.
ENGINE = re.compile(r"^(include|plugins|src)/")
NOT_TWICE = re.compile(r"^(idl|plugins|src)/.*\.[ch]pp$")
TEST_FILE = re.compile(r"_(test|fuzz|bench)\.cpp$|_test_support\.hpp$")
NOTHING = r"(?:nullptr|NULL|0|\{\s*\})"
SLEEP = re.compile(
    r"\b(?:usleep|nanosleep|clock_nanosleep|thrd_sleep|sleep_for|sleep_until|sleep)\s*\("
    rf"|\bp?poll\s*\(\s*{NOTHING}\s*,"
    rf"|\bp?select\s*\(\s*[^,()]+,\s*{NOTHING}\s*,\s*{NOTHING}\s*,\s*{NOTHING}\s*,"
    rf"|\bwait_for\s*\(\s*-1\s*,")
COMMENT = re.compile(r"//.*$")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
PATH = re.compile(r"`((?:src|include|plugins|idl|tools|tests|bench|examples|docs|cmake|man)/[\w./-]+)`")
SOURCE = re.compile(r"`((?:src|plugins|idl|tools|tests|bench|examples|cmake)/[\w./-]*)`")
# Test data is bytes or deliberate mistakes, not source.
DATA = re.compile(r"^tests/(fuzz/corpus|idl/data|wire)/|/(testdata|golden)/")


def is_code(path):
    return path.suffix in CODE or path.name in SCRIPT_NAMES


def check_code(name, text):
    lines = text.splitlines()
    if LICENCE not in "\n".join(lines[:2]):
        yield f"{name}:1: error: no line '{LICENCE}'"
    for number, line in enumerate(lines, 1):
        if MARKS.search(line):
            yield f"{name}:{number}: error: a mark for later; write it down as an issue or do it"
    if ENGINE.search(name) and not TEST_FILE.search(name):
        yield from check_sleeps(name, text)
    if name.endswith((".cpp", ".hpp")) and not re.search(r"_(test|fuzz|bench)\.cpp$|^tests/", name):
        if len(lines) > LONGEST_FILE and "// Long because " not in text:
            yield (f"{name}:{LONGEST_FILE}: error: {len(lines)} lines; split by kind of data, or say in the header "
                   "comment '// Long because ...'")


def check_sleeps(name, text):
    """Calls may be broken into lines; calls in comments do not count."""
    lines = text.splitlines()
    code = "\n".join(COMMENT.sub("", line) for line in lines)
    for found in SLEEP.finditer(code):
        number = code.count("\n", 0, found.start()) + 1
        if "// Sleeps because " not in lines[number - 2] + lines[number - 1]:
            yield (f"{name}:{number}: error: sleeps; wait for what is to happen, put a pause that tests need behind a hook that "
                   "they set, or say in a comment on the line before '// Sleeps because ...'")


def check_document(root, name, text):
    for number, line in enumerate(text.splitlines(), 1):
        for target in LINK.findall(line):
            if not re.match(r"[a-z]+:", target) and not ((root / name).parent / target).exists():
                yield f"{name}:{number}: error: links to {target}, which does not exist"
        for path in PATH.findall(line):
            if not (root / path.rstrip("./")).exists():
                yield f"{name}:{number}: error: names {path}, which does not exist"


def check_readers(root, name, text):
    """Pages for users and operators name no sources, which an installation lacks; those that scripts make do, as evidence."""
    for group in re.split(r"^## ", text, flags=re.M)[1:]:
        if not group.startswith(("For users", "For operators")):
            continue
        for target in LINK.findall(group):
            page = (root / name).parent / target
            lines = page.read_text(encoding="utf-8").splitlines() if page.is_file() else []
            if any("do not edit it by hand" in line for line in lines):
                continue
            for number, line in enumerate(lines, 1):
                for path in SOURCE.findall(line):
                    yield (f"{page.relative_to(root)}:{number}: error: names {path}, which an installation lacks; say what the reader "
                           "can see of it")


def check_glossary(root, name, text):
    """Each `name` of a row's second column occurs in one of the files of its last column."""
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        files = PATH.findall(cells[-1])
        if len(cells) != 3 or not files:
            continue
        found = "".join((root / f).read_text(encoding="utf-8") for f in files if (root / f).is_file())
        for term in re.findall(r"`([\w:]+)`", cells[1]):
            if not re.search(rf"\b{term.split('::')[-1]}\b", found):
                yield f"{name}:{number}: error: {', '.join(files)} has no {term}"


def tracked(root):
    listing = subprocess.run(["git", "-c", f"safe.directory={root}", "ls-files", "-z"], cwd=root, check=True,
                             capture_output=True, text=True).stdout
    return [name for name in listing.split("\0") if name and (root / name).is_file()]


def check_copies(root, names):
    texts = {name: (root / name).read_text(encoding="utf-8", errors="replace") for name in names
             if NOT_TWICE.search(name) and not TEST_FILE.search(name) and not DATA.search(name)}
    for one, first, last, other, there, end in find_copies.copies(texts):
        yield (f"{one}:{first}: error: lines {first} to {last} stand again in {other}, {there} to {end}, with other names at most; "
               "make one of them, or say in a comment '// Twice because ...'")


def check(root, names):
    """Yields one line per violation in the files `names` below `root`."""
    yield from check_copies(root, names)
    for name in names:
        if DATA.search(name):
            continue
        path = root / name
        if is_code(path):
            yield from check_code(name, path.read_text(encoding="utf-8", errors="replace"))
        elif path.suffix == ".md":
            yield from check_document(root, name, path.read_text(encoding="utf-8"))
            if name == "docs/README.md":
                yield from check_readers(root, name, path.read_text(encoding="utf-8"))
            if path.name == "glossary.md":
                yield from check_glossary(root, name, path.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    root = parser.parse_args().root.resolve()
    if not (root / ".git").exists():
        print("not run: this is no git checkout, so that nothing says which files belong to it")
        return 1 if os.environ.get("CI") == "true" else 77
    problems = list(check(root, tracked(root)))
    for problem in problems:
        print(problem)
    print(f"sources: {len(problems)} violation(s)" if problems else "sources: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
