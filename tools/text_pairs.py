#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/base/text_pairs.inc: the pairs of octets that the ORB's long texts are shortened by (src/base/packed_text.hpp).

The texts are those of the sources below. Again and again the pair that occurs most often becomes one octet, of those above ASCII, then
of control characters (the row of NUL is there for the order alone); a pair may hold such octets itself, so that whole words become one.
Texts that are changed later are packed with the same pairs, only a little worse; run this again when much has been changed.
"""
import collections
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = ("src/base/minor_codes.hpp", "src/mapping/cpp11/corba/orb_options.cpp", "src/mapping/cpp11/corba/other_orbs_options.cpp")
CODES, SHORTEST = [*range(0x80, 0x100), 0, *range(0x01, 0x20)], 15


def texts_of(path):
    """The long string literals of a source and the names of options, each once and with its continuation lines joined."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        source = re.sub(r'//[^\n]*|#include [^\n]*|\\\n', "", file.read())
    found = re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r'"\s*"', "", source))
    return list(dict.fromkeys(text for text in found if text.isascii() and text.isprintable() and
                              (len(text) >= SHORTEST or text.startswith(("-ORB", "OA")))))


def most_frequent(texts):
    """[(first, second)] in the order in which they are to be put into a text."""
    all_octets = [list(text.encode()) for text in texts]
    for code in CODES:
        if code == 0:
            yield 0, 0
            continue
        counts = collections.Counter(pair for octets in all_octets for pair in zip(octets, octets[1:]))
        best = max(counts, key=lambda pair: (counts[pair], pair))
        yield best
        for octets in all_octets:
            at = 0
            while at + 1 < len(octets):
                if (octets[at], octets[at + 1]) == best:
                    octets[at:at + 2] = [code]
                at += 1


def main():
    texts = [text for path in SOURCES for text in texts_of(path)]
    rows = [f"    {{0x{first:02X}, 0x{second:02X}}}," for first, second in most_frequent(texts)]
    with open(os.path.join(ROOT, "src/base/text_pairs.inc"), "w", encoding="utf-8") as file:
        file.write("// SPDX-License-Identifier: Apache-2.0\n// Made by tools/text_pairs.py; do not edit it by hand.\n")
        file.write("\n".join(" ".join(row.strip() for row in rows[at:at + 8]) for at in range(0, len(rows), 8)) + "\n")


if __name__ == "__main__":
    main()
