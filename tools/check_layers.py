#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every #include, and every DEPENDS of a tenon_folder(), against layers.toml.

It reads text, it does not preprocess: an include behind an #if counts like any other, which is what a rule
about folders wants. Quoted includes that no source tree holds are generated headers and pass.
"""
import argparse
import fnmatch
import os
import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)
FOLDER_CALL = re.compile(r'\btenon_folder\s*\(\s*(\w+)([^)]*)\)')
SOURCES = {".cpp", ".hpp", ".h", ".cc", ".c", ".inc"}
ROOTS = ("", "src", "include")


class Layers:
    """layers.toml as questions: whose is this file, may that folder see this one."""

    def __init__(self, table):
        self.folders = table.get("folders", {})
        self.headers = table.get("headers", [])
        self.test_support = table.get("test_support", [])
        self.home = {path: name for name, rules in self.folders.items() for path in rules.get("headers", [])}
        self.closure = {}
        for name, rules in self.folders.items():
            for key in ("sees", "blind", "may_include", "tests_see"):
                for other in rules.get(key, []):
                    if key != "may_include" and other not in self.folders and not self.owner(other):
                        raise ValueError(f"layers.toml: folder '{name}' names unknown folder '{other}'")
            self.closure[name] = self._reach(name, [])

    def _reach(self, name, path):
        if name in path:
            raise ValueError("layers.toml: a cycle: " + " -> ".join([*path, name]))
        rules = self.folders.get(name, {})
        seen = set(rules.get("sees", []))
        for other in list(seen):
            seen |= self._reach(other, [*path, name])
        return seen - set(rules.get("blind", []))

    def owner(self, path):
        """The folder that `path` (a posix path relative to the repository) belongs to: what is named longest holds it."""
        best = ""
        for name in [*self.folders, *self.home]:
            if (path == name or path.startswith(name + "/")) and len(name) > len(best):
                best = name
        return self.home.get(best, best) or None

    def allows(self, user, target, is_test):
        mine, theirs = self.owner(user), self.owner(target)
        if mine is None or theirs is None or mine == theirs or theirs in self.closure[mine]:
            return True
        rules = self.folders[mine]
        extra = list(rules.get("may_include", []))
        if is_test:
            for other in [*self.test_support, *rules.get("tests_see", [])]:
                extra.append(other)
                extra.extend(self.closure.get(other, []))
        # A folder that may be included as a whole stands for the folders named below it, too, but not the other way round.
        return any(target == e or target.startswith(e + "/") for e in extra)

    def header_complaint(self, user, header):
        for rule in self.headers:
            if not fnmatch.fnmatch(header, rule["pattern"]):
                continue
            inside = any(user.startswith(a + "/") for a in rule["allowed"])
            if not inside or (user.endswith(".hpp") and not rule.get("in_headers", True)):
                return rule["reason"]
        return None


def is_test(path):
    return re.search(r"_(test|bench|fuzz)(_\w+)?\.\w+$", path) is not None


def blank(match):
    """Replaces a comment by as many empty lines, so that line numbers stay the same."""
    return "\n" * match.group(0).count("\n")


def resolve(root, user, name, quoted):
    """The repository path that `name` stands for, or None for a system or generated header."""
    places = [(root / user).parent] if quoted else []
    places += [root / r for r in ROOTS]
    for place in places:
        candidate = (place / name).resolve()
        if candidate.is_file() and candidate.is_relative_to(root):
            return candidate.relative_to(root).as_posix()
    return None


def check_file(root, layers, user):
    text = COMMENT.sub(blank, (root / user).read_text(encoding="utf-8", errors="replace"))
    for match in INCLUDE.finditer(text):
        name = match.group(1) or match.group(2)
        line = text.count("\n", 0, match.start()) + 1
        target = resolve(root, user, name, match.group(1) is not None)
        if target is None:
            reason = layers.header_complaint(user, name)
            if reason:
                yield f"{user}:{line}: error: <{name}> is not for this folder: {reason}"
        elif not layers.allows(user, target, is_test(user)):
            yield (f"{user}:{line}: error: {layers.owner(user)} may not see {layers.owner(target)} "
                   f"(includes \"{name}\"); layers.toml has the floors")


def check_cmake(root, layers, lists):
    """A folder's DEPENDS obeys the same rules as its includes."""
    calls = []
    for path in lists:
        for match in FOLDER_CALL.finditer((root / path).read_text(encoding="utf-8")):
            calls.append((path, match.group(1), match.group(2).split()))
    home = {name: pathlib.PurePosixPath(path).parent.as_posix() for path, name, _ in calls}
    for path, name, words in calls:
        mode = None
        for word in words:
            if word.isupper():
                mode = word
            elif mode in ("DEPENDS", "TEST_DEPENDS") and word in home:
                if not layers.allows(home[name] + "/x", home[word] + "/x", mode == "TEST_DEPENDS"):
                    yield f"{path}:1: error: {home[name]} may not depend on {home[word]}; layers.toml has the floors"


def find(root, suffixes, names=()):
    for folder, below, files in os.walk(root):
        below[:] = sorted(d for d in below if d != "build" and not d.startswith("."))
        for name in sorted(files):
            if name in names or pathlib.PurePath(name).suffix in suffixes:
                yield (pathlib.Path(folder) / name).relative_to(root).as_posix()


def check(root):
    """Yields one line per violation found below `root`."""
    root = root.resolve()
    layers = Layers(tomllib.loads((root / "layers.toml").read_text(encoding="utf-8")))
    for user in find(root, SOURCES):
        if layers.owner(user):
            yield from check_file(root, layers, user)
    yield from check_cmake(root, layers, find(root, (), ("CMakeLists.txt",)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    problems = list(check(parser.parse_args().root))
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} violation(s)" if problems else "layers: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
