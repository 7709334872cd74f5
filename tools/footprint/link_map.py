# SPDX-License-Identifier: Apache-2.0
"""Reads the map that GNU ld writes (-Wl,-Map=FILE): what of which object is in the program, and why an object of an archive is.

What a map says is not always its plain sum:
* A string that several objects have is kept once, in the first of them. The others are still listed with the size that they had, at
  the address of what follows: a section reaches at most to the next one.
* `(size before relaxing)` on a line of its own is the size before the linker took something out, and no size of the program.
* What padding adds is `*fill*`, and belongs to nobody.
* The relocations of a position-independent program are all listed under the first object, so they are told for the whole program.
"""
import collections
import os
import re

# What a section of the program is, by its name there.
KINDS = (("code", (".text", ".init", ".fini")), ("unwinding", (".eh_frame", ".gcc_except_table")), ("constants", (".rodata",)),
         ("zeroed", (".bss", ".tbss")), ("data", (".data", ".tdata", ".init_array", ".fini_array")))
COUNTED = ("code", "constants", "data", "unwinding")  # what a sum holds: all that is in a file but the relocations
# What begins the name of a section that one function or object has for itself, longest first: .text.startup.main,
# .rodata._ZN...str1.8, .data.rel.ro.local._ZTV...
OWNED = (".text.unlikely.", ".text.startup.", ".text.exit.", ".text.hot.", ".text.", ".rodata.", ".gcc_except_table.",
         ".data.rel.ro.local.", ".data.rel.local.", ".data.rel.ro.", ".data.rel.", ".data.", ".tdata.", ".tbss.", ".bss.")
SHARED = re.compile(r"(?:unlikely|startup|exit|hot|rel|ro|local|ro\.local|(?:str|cst)\d+(?:\.\d+)?)$")
LITERALS = re.compile(r"\.(?:str|cst)\d+(?:\.\d+)?$")
MEMBER = re.compile(r"^(.+?\.a)\((.+)\)$")

Section = collections.namedtuple("Section", "name kind size archive member")
# One line of the table at the map's beginning: `archive(member)` came for the sake of `symbol`, which `user` refers to.
Pulled = collections.namedtuple("Pulled", "archive member user symbol")


def kind_of(output):
    return next((kind for kind, names in KINDS if any(output == name or output.startswith(name + ".") for name in names)
                 and output != ".eh_frame_hdr"), None)


def split_object(text):
    """`path/libx.a(y.o)` as (path/libx.a, y.o), an object file as (None, path)."""
    found = MEMBER.match(text)
    return (found[1], found[2]) if found else (None, text)


def owner_of(section):
    """The mangled name of the function or object that has this section for itself; None where several share it."""
    beginning = next((text for text in OWNED if section.startswith(text)), None)
    owner = LITERALS.sub("", section[len(beginning):]) if beginning else ""
    return None if not owner or SHARED.match(owner) else owner.removesuffix(".cold")


class LinkMap:
    """sections: what is in the program; pulled: {(archive, member): Pulled}; relocations: octets of the whole program."""

    def __init__(self, text):
        self.sections, self.pulled, self.relocations = [], {}, 0
        lines = text.splitlines()
        begin = next((i for i, line in enumerate(lines) if line.startswith("Linker script and memory map")), None)
        if begin is None:
            raise ValueError("not a map of GNU ld: it has no 'Linker script and memory map'")
        self._read_pulled(lines[:begin])
        self._read_sections(lines[begin:])

    def _read_pulled(self, lines):
        at = None
        for line in lines:
            if line.startswith(("Discarded input sections", "There are no discarded", "Memory Configuration")):
                break
            if line[:1] not in ("", " "):
                # Both on one line when the name is short.
                at, _, line = line.partition(" ") if MEMBER.match(line.split(" ")[0]) else (line.strip(), "", "")
            found = re.match(r"\s*(\S.*?) \((.*)\)$", line)
            if at and found and MEMBER.match(at):
                archive, member = split_object(at)
                self.pulled[archive, member] = Pulled(archive, member, found[1], found[2])

    def _read_sections(self, lines):
        output, name, found = None, None, []
        for line in lines:
            top = re.match(r"(\.\S+)(?:\s+0x([0-9a-f]+)\s+0x([0-9a-f]+))?", line)
            if top:
                output, name = top[1], None
                if output in (".rela.dyn", ".rela.plt") and top[3]:
                    self.relocations += int(top[3], 16)
                continue
            if re.match(r" \S+$", line):  # a long name; the rest is on the next line
                name = line.strip()
                continue
            entry = re.match(r" (\S*)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)(?: (\S.*))?$", line)
            if entry and output and (entry[1] or name):
                found.append([output, entry[1] or name, int(entry[2], 16), int(entry[3], 16), entry[4]])
            name = None
        for this, after in zip(found, [*found[1:], None]):
            output, name, address, size, file = this
            kind = kind_of(output)
            if after and after[0] == output and after[2] >= address:
                size = min(size, after[2] - address)
            if kind and size and file and not name.startswith("*"):
                self.sections.append(Section(name, kind, size, *split_object(file)))

    def chain(self, archive, member):
        """Why this object is there, from itself to the program: a list of Pulled. Each names the first reference that the linker
        met; there may be others."""
        found, seen = [], set()
        while (archive, member) in self.pulled and (archive, member) not in seen:
            seen.add((archive, member))
            found.append(self.pulled[archive, member])
            archive, member = split_object(found[-1].user)
        return found


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return LinkMap(file.read())


def library_of(archive):
    """libtenon_mapping_cpp11.a as mapping_cpp11."""
    return re.sub(r"^lib(?:tenon_)?|\.a$", "", os.path.basename(archive))
