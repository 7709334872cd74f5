# SPDX-License-Identifier: Apache-2.0
"""What object files hold, and which part of it belongs to what: sizes by section, and the graph of who refers to whom.

Reads 64-bit little-endian ELF as compilers write it before linking. How sizes are counted (docs/benchmarks.md tells readers):
  code         .text*                      constants    .rodata*, string literals included
  data         .data*, .data.rel.ro* (virtual tables, tables with addresses), .init_array
  relocations  24 octets (an Elf64_Rela) for each address in data: what a position-independent program keeps for its loader
  unwinding    .eh_frame and .gcc_except_table; told apart, part of no sum
A COMDAT group (an inline function, a template's instance) is counted in every object that holds it, or once among several.
"""
import bisect
import collections
import struct
import subprocess

ALLOCATED, WRITABLE, GROUP_COMDAT = 0x2, 0x1, 0x1
SECTION_SYMBOLS, SECTION_RELA, SECTION_GROUP, SECTION_NOBITS = 2, 4, 17, 8
ADDRESS_64, PC_RELATIVE = 1, (2, 4, 9, 41, 42)  # R_X86_64_64; PC32, PLT32, GOTPCREL and its relaxable forms
RELA_OCTETS = 24

Section = collections.namedtuple("Section", "name kind flags offset size link info group")
Piece = collections.namedtuple("Piece", "name part size weak")


class Sizes(collections.Counter):
    """Octets by kind; the sum that bars are about leaves unwinding out."""

    @property
    def total(self):
        return sum(self[kind] for kind in ("code", "constants", "data", "relocations"))

    def words(self):
        return ", ".join(f"{kind} {self[kind]}" for kind in ("code", "constants", "data", "relocations", "unwinding"))


def kind_of(name):
    for kind, prefixes in (("code", (".text",)), ("constants", (".rodata",)), ("unwinding", (".eh_frame", ".gcc_except_table")),
                           ("data", (".data", ".init_array", ".tdata"))):
        if name.startswith(prefixes):
            return kind
    return None


class ObjectFile:
    def __init__(self, path, octets=None):
        """`octets`: what the file holds, if it is not to be read: a member of an archive."""
        if octets is None:
            with open(path, "rb") as file:
                octets = file.read()
        self.bytes = octets
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: not a 64-bit little-endian ELF file")
        self._read_sections()
        self._read_symbols()

    def _read_sections(self):
        (table,) = struct.unpack_from("<Q", self.bytes, 0x28)
        count, names_at = struct.unpack_from("<HH", self.bytes, 0x3C)
        raw = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, table + 64 * i) for i in range(count)]
        names = raw[names_at]
        self.sections = [Section(self._text(names[4], r[0]), r[1], r[2], r[4], r[5], r[6], r[7], None) for r in raw]
        self.symbol_table = next(s for s in self.sections if s.kind == SECTION_SYMBOLS)
        for section in [s for s in self.sections if s.kind == SECTION_GROUP]:
            words = struct.unpack_from(f"<{section.size // 4}I", self.bytes, section.offset)
            if words[0] & GROUP_COMDAT:
                signature = self._symbol(section.info)[0]
                for member in words[1:]:
                    self.sections[member] = self.sections[member]._replace(group=signature)

    def _text(self, table, at):
        begin = table + at
        return self.bytes[begin:self.bytes.index(b"\0", begin)].decode()

    def _symbol(self, number):
        """name, binding << 4 | type, section, value, size"""
        name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", self.bytes, self.symbol_table.offset + 24 * number)
        return self._text(self.sections[self.symbol_table.link].offset, name), info, section, value, size

    def _read_symbols(self):
        self.symbols = [self._symbol(i) for i in range(self.symbol_table.size // 24)]

    def relocations(self):
        """(index of the section that is patched, offset, type, symbol number, addend)"""
        for section in self.sections:
            if section.kind == SECTION_RELA:
                for at in range(section.offset, section.offset + section.size, 24):
                    offset, info, addend = struct.unpack_from("<QQq", self.bytes, at)
                    yield section.info, offset, info & 0xFFFFFFFF, info >> 32, addend

    def sizes(self, seen=None):
        """`seen`: COMDAT groups that another object has brought already; those of this one are added."""
        found, mine = Sizes(), set()
        skipped = set()
        for number, section in enumerate(self.sections):
            kind = kind_of(section.name)
            if not section.flags & ALLOCATED or section.kind == SECTION_NOBITS or kind is None:
                continue
            if seen is not None and section.group is not None:
                mine.add(section.group)
                if section.group in seen:
                    skipped.add(number)
                    continue
            found[kind] += section.size
        for number, _, kind, _, _ in self.relocations():
            section = self.sections[number]
            if kind == ADDRESS_64 and section.flags & WRITABLE and kind_of(section.name) == "data" and number not in skipped:
                found["relocations"] += RELA_OCTETS
        if seen is not None:
            seen |= mine
        return found

    def pieces(self):
        """Every function and object with a name: {mangled name: Piece}, and who refers to whom: {name: set of names}."""
        found, by_section = {}, collections.defaultdict(list)
        for name, info, section, value, size in self.symbols:
            if info & 0xF not in (1, 2) or size == 0 or section == 0 or section >= len(self.sections):
                continue
            kind = kind_of(self.sections[section].name)
            if kind in ("code", "constants", "data"):
                found[name] = Piece(name, kind, size, info >> 4 == 2)
                by_section[section].append((value, size, name))
        starts = {section: sorted(entries) for section, entries in by_section.items()}

        def covering(section, offset):
            entries = starts.get(section, ())
            at = bisect.bisect_right(entries, (offset, float("inf"), "")) - 1
            if at >= 0 and entries[at][0] <= offset < entries[at][0] + entries[at][1]:
                return entries[at][2]
            return None

        refers, addresses = collections.defaultdict(set), collections.Counter()
        for section, offset, kind, symbol, addend in self.relocations():
            source = covering(section, offset)
            if source is None:
                continue
            name, info, target_section, value, _ = self.symbols[symbol]
            target = name if name in found else covering(target_section,
                                                         value + addend + (4 if kind in PC_RELATIVE else 0))
            if target is not None and target != source:
                refers[source].add(target)
            if kind == ADDRESS_64 and found[source].part == "data":
                addresses[source] += RELA_OCTETS
        return {name: piece._replace(size=piece.size + addresses[name]) for name, piece in found.items()}, refers


def sizes(paths, once):
    """Of several object files together; `once`: COMDAT groups that several hold are counted once."""
    seen = set() if once else None
    found = Sizes()
    for path in paths:
        found += ObjectFile(path).sizes(seen)
    return found


def pieces(paths):
    """All named pieces of several objects and their graph; what several objects hold is there once."""
    found, refers = {}, collections.defaultdict(set)
    for path in paths:
        more, edges = ObjectFile(path).pieces()
        found.update(more)
        for source, targets in edges.items():
            refers[source] |= targets
    return found, refers


def demangled(names):
    names = list(names)
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.split("\n")))
