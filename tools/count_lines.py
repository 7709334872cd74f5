#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""count_lines.py [--against COMMIT] [FOLDER...]: lines of code, folder by folder; without folders, of src, plugins and include.

A line counts unless it is blank or a comment. Tests, benchmarks and fuzzers (x_test, x_test_support, x_bench, x_fuzz) do not count.
With a commit: its lines beside those of the working tree, and what there is now for each hundred of then.
"""
import argparse
import collections
import io
import pathlib
import re
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = re.compile(r"\.(cpp|hpp|inc)$")
APART = re.compile(r"_(test|test_support|bench|fuzz)\.\w+$")
# Matches comments, and also strings (raw ones, too) and characters, whose text may look like a comment; but not the ' in 1'000.
COMMENT = re.compile(r"""//[^\n]*|/\*.*?\*/|(?P<keep>R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*')""",
                     re.DOTALL)


def lines_of_code(text):
    """How many lines of this C++ text have code."""
    def without(match):
        return match[0] if match["keep"] else "\n" * match[0].count("\n")

    return sum(1 for line in COMMENT.sub(without, text).splitlines() if line.strip())


def counts(path):
    return bool(SOURCE.search(path)) and not APART.search(path)


def folder_of(path):
    """The folder below src, plugins or include that a file belongs to."""
    return "/".join(path.split("/")[:2])


def count(files):
    """Lines by folder, of (path, text)."""
    lines = collections.Counter()
    for path, text in files:
        if counts(path):
            lines[folder_of(path)] += lines_of_code(text)
    return lines


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"count_lines: git {' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def of_working_tree(folders):
    for path in git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders).decode().split("\0"):
        if path and (ROOT / path).is_file() and counts(path):
            yield path, (ROOT / path).read_text(encoding="utf-8")


def of_commit(commit, folders):
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit, "--", *folders))) as archive:
        for member in archive:
            if member.isfile() and counts(member.name):
                yield member.name, archive.extractfile(member).read().decode("utf-8")


def table(now, before=None):
    rows = [(name, now[name], before[name] if before is not None else 0) for name in sorted(now | (before or now))]
    rows.append(("all", sum(now.values()), sum(before.values()) if before is not None else 0))
    for name, lines, then in rows:
        if before is None:
            yield f"{name:24} {lines:7}"
        else:
            yield f"{name:24} {then:7} {lines:7} {100 * lines / then if then else 0:7.1f} %"


def main():
    parser = argparse.ArgumentParser(prog="./dev lines", description=__doc__.split("\n\n", 1)[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="COMMIT")
    parser.add_argument("folders", nargs="*", metavar="FOLDER", default=["src", "plugins", "include"])
    asked = parser.parse_args()
    now = count(of_working_tree(asked.folders))
    if not now:
        sys.exit(f"count_lines: no sources below {' '.join(asked.folders)}")
    before = count(of_commit(asked.against, asked.folders)) if asked.against else None
    print(*table(now, before), sep="\n")


if __name__ == "__main__":
    main()
