#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Places in C++ sources that are alike over a number of lines once names, numbers and strings are taken for the same.

Lists, tables and enumerations repeat one shape of line; a run of lines counts only if it has enough shapes. A comment
"// Twice because ..." in one of the two places, up to three lines before it, or in the comment that begins one of the two files, says
why they stay.
"""
import collections
import itertools
import re

LINES = 12
SHAPES = 6  # different ones in a run
KEYWORDS = set("""alignas alignof auto bool break case catch char class const const_cast consteval constexpr constinit continue
    decltype default delete do double dynamic_cast else enum explicit extern false final float for friend if inline int long mutable
    namespace new noexcept nullptr operator override private protected public reinterpret_cast return short signed sizeof static
    static_assert static_cast struct switch template this throw true try typedef typename union unsigned using virtual void volatile
    while""".split())
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\d[\w.\']*|\S')
COMMENT = re.compile(r"//.*$")
REASON = re.compile(r"// Twice because \w")


def shape(line):
    def word(token):
        if token[0].isalpha() or token[0] == "_":
            return token if token in KEYWORDS else "name"
        if token[0].isdigit():
            return "0"
        return token if token[0] not in "\"'" else "text"

    return " ".join(word(token) for token in TOKEN.findall(line))


def rows(text):
    """Number and shape of each line of code; preprocessor lines do not count."""
    for number, line in enumerate(text.splitlines(), 1):
        line = COMMENT.sub("", line).strip()
        if line and not line.startswith("#"):
            yield number, shape(line)


def copies(texts):
    """Yields (file, first line, last line, other file, its first line, its last line) of each pair in {file: text}."""
    code = {name: list(rows(text)) for name, text in sorted(texts.items())}
    places = collections.defaultdict(list)
    for name, lines in code.items():
        for at in range(len(lines) - LINES + 1):
            run = tuple(each for _, each in lines[at:at + LINES])
            if len(set(run)) >= SHAPES:
                places[run].append((name, at))
    seen = set()
    for found in places.values():
        for i, (one, at) in enumerate(found):
            for other, there in found[i + 1:]:
                known = (one, at - 1, other, there - 1) in seen
                seen.add((one, at, other, there))
                if known or (one == other and there < at + LINES):
                    continue
                count = LINES
                while (at + count < len(code[one]) and there + count < len(code[other])
                       and code[one][at + count][1] == code[other][there + count][1]):
                    count += 1
                pair = [(name, code[name][begin][0], code[name][begin + count - 1][0])
                        for name, begin in ((one, at), (other, there))]
                if not any(has_reason(texts[name], first, last) for name, first, last in pair):
                    yield (*pair[0], *pair[1])


def has_reason(text, first, last):
    lines = text.splitlines()
    head = list(itertools.takewhile(lambda line: line.startswith("//"), lines))
    return any(REASON.search(line) for line in head + lines[max(0, first - 4):last])
