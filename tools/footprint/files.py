# SPDX-License-Identifier: Apache-2.0
"""Sizes of linked files: by section, and on disk after stripping."""
import collections
import os
import shutil

from link_map import kind_of
from workshop import run


def by_kind(path):
    """Octets of a program or shared library by kind, relocations and dynamic symbols apart."""
    found = collections.Counter()
    for line in run("size", "-A", "-d", path).splitlines()[2:]:
        words = line.split()
        if len(words) != 3 or not words[0].startswith("."):
            continue
        kind = ("relocations" if words[0].startswith((".rela", ".relr")) else
                "symbols" if words[0].startswith((".dynsym", ".dynstr", ".gnu.hash", ".hash", ".gnu.version")) else
                kind_of(words[0]))
        if kind:
            found[kind] += int(words[1])
    return found


def stripped_octets(path):
    """Of the file without its symbols."""
    out = path + ".stripped"
    shutil.copy(path, out)
    try:
        run("strip", out)
        return os.path.getsize(out)
    finally:
        os.remove(out)
