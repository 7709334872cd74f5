# SPDX-License-Identifier: Apache-2.0
"""The graph behind a map: which function or object of a program refers to which, down from main().

With -ffunction-sections and -fdata-sections each function and object has a section, and the linker keeps those that main() reaches.
This reads the same objects in the same order and finds the same sections; so it can also say what would go if something were not
referred to. Nodes are sections of object files; an edge is a relocation. A virtual function is reached through its virtual table,
and that through the constructors; a table of a function's exceptions is reached from the function.
"""
import collections
import os
import struct
import sys

import link_map

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "bench", "common"))
from object_code import ALLOCATED, ObjectFile  # noqa: E402

KEPT = (".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors", ".init", ".fini")  # main() reaches it or not
Node = collections.namedtuple("Node", "file section")


def members(path):
    """{name: octets} of an archive as GNU ar writes it."""
    with open(path, "rb") as file:
        octets = file.read()
    if octets[:8] != b"!<arch>\n":
        raise ValueError(f"{path}: no archive")
    at, long_names, found = 8, b"", {}
    while at + 60 <= len(octets):
        name, size = octets[at:at + 16].decode().rstrip(), int(octets[at + 48:at + 58])
        content = octets[at + 60:at + 60 + size]
        if name == "//":
            long_names = content
        elif name not in ("/", "/SYM64/"):
            if name.startswith("/"):
                name = long_names[int(name[1:]):].split(b"\n")[0].decode()
            found[name.removesuffix("/")] = content
        at += 60 + size + size % 2
    return found


class Graph:
    """Of a workshop's Made. `size` and `refers` have an entry for each section that could be in the program, reached or not."""

    def __init__(self, objects, pulled):
        """objects: paths of the program's own, in order; pulled: (archive, member) in the map's order."""
        self.files, self.names = [], []
        archives = {}
        for path in objects:
            self._add(ObjectFile(path), (None, path))
        for archive, member in pulled:
            if os.path.basename(archive).startswith("libtenon"):
                if archive not in archives:
                    archives[archive] = members(archive)
                self._add(ObjectFile(f"{archive}({member})", archives[archive][member]), (archive, member))
        self._define()
        self._connect()

    def _add(self, file, name):
        self.files.append(file)
        self.names.append(name)

    def _define(self):
        """Which section defines a symbol: the first strong one, else the first weak one. Of a COMDAT group the first stays."""
        self.dropped, self.defined, self.several, groups, weak = set(), {}, set(), set(), {}
        for number, file in enumerate(self.files):
            mine = set()
            for at, section in enumerate(file.sections):
                if section.group is not None:
                    if section.group in groups:
                        self.dropped.add(Node(number, at))
                        self.several.add(section.group)
                    else:
                        mine.add(section.group)
            groups |= mine
            for name, info, section, _, _ in file.symbols:
                node = Node(number, section)
                if section == 0 or section >= len(file.sections) or info >> 4 == 0 or node in self.dropped:
                    continue
                (self.defined if info >> 4 == 1 else weak).setdefault(name, node)
        self.defined = weak | self.defined

    def _connect(self):
        self.size, self.refers = collections.Counter(), collections.defaultdict(dict)
        for number, file in enumerate(self.files):
            groups = collections.defaultdict(list)
            for at, section in enumerate(file.sections):
                kind = link_map.kind_of(section.name)
                if section.flags & ALLOCATED and kind in link_map.COUNTED and section.name != ".eh_frame":
                    self.size[Node(number, at)] += section.size
                if section.flags & ALLOCATED and section.group is not None and Node(number, at) not in self.dropped:
                    groups[section.group].append(Node(number, at))
            for group in groups.values():  # the linker keeps a group as a whole
                for one, other in zip(group, group[1:] + group[:1]):
                    if one != other:
                        self.refers[one].setdefault(other, "its group")
            relocated = collections.defaultdict(list)
            for section, offset, _, symbol, _ in file.relocations():
                relocated[section].append((offset, symbol))
            for section, entries in relocated.items():
                if not file.sections[section].flags & ALLOCATED:
                    continue
                if file.sections[section].name == ".eh_frame":
                    self._read_frames(number, section, sorted(entries))
                    continue
                source = Node(number, section)
                for _, symbol in entries:
                    self._edge(source, number, symbol)

    def _target(self, number, symbol):
        name, info, section, _, _ = self.files[number].symbols[symbol]
        if info >> 4 != 0 and name in self.defined:
            return self.defined[name], name
        node = Node(number, section)
        return (node, name) if 0 < section < len(self.files[number].sections) and node not in self.dropped else (None, name)

    def _edge(self, source, number, symbol):
        target, name = self._target(number, symbol)
        if target is not None and target != source:
            self.refers[source].setdefault(target, name)

    def _read_frames(self, number, section, entries):
        """Each entry of .eh_frame belongs to the function that it describes, and makes that refer to its table of exceptions and to
        the routine that reads it, which a common entry names."""
        file = self.files[number]
        start, size = file.sections[section].offset, file.sections[section].size
        at, begin, common = 0, 0, {}
        while at + 8 <= size:
            length, cie = struct.unpack_from("<II", file.bytes, start + at)
            if length == 0:
                break
            inside = []
            while begin < len(entries) and entries[begin][0] < at + length + 4:
                inside.append(entries[begin][1])
                begin += 1
            if cie == 0:
                common[at] = inside
            elif inside:
                function = self._described(number, inside[0])
                if function is not None:
                    self.size[function] += length + 4
                    for symbol in inside[1:] + common.get(at + 4 - cie, []):
                        self._edge(function, number, symbol)
            at += length + 4

    def _described(self, number, symbol):
        """A frame describes the function of its own object file, whatever another one has of the same name."""
        section = self.files[number].symbols[symbol][2]
        node = Node(number, section)
        return node if 0 < section < len(self.files[number].sections) and node not in self.dropped else None

    def roots(self):
        found = [self.defined["main"]]
        for number, file in enumerate(self.files):
            found += [Node(number, at) for at, section in enumerate(file.sections)
                      if section.flags & ALLOCATED and section.name.startswith(KEPT) and Node(number, at) not in self.dropped]
        return found

    def reached(self, without=()):
        """{node: the node that it was reached from}, breadth first, so that ways are the shortest. `without`: nodes to leave
        out."""
        without = set(without)
        found = dict.fromkeys((root for root in self.roots() if root not in without))
        todo = collections.deque(found)
        while todo:
            source = todo.popleft()
            for target in self.refers[source]:
                if target not in found and target not in without:
                    found[target] = source
                    todo.append(target)
        return found

    def ours(self, node):
        return self.names[node.file][0] is not None

    def replaceable(self, node):
        """Whether another object has it too: an inline function or a template's instance that stays without this object."""
        return self.files[node.file].sections[node.section].group in self.several

    def octets(self, nodes):
        return sum(self.size[node] for node in nodes if self.ours(node))

    def owner(self, node):
        """The mangled name of what the section was made for."""
        name = self.files[node.file].sections[node.section].name
        return link_map.owner_of(name) or name

    def way(self, node, reached):
        """From main() to a node: [(node, symbol by which the one before refers to it)]."""
        found = [node]
        while reached[found[-1]] is not None:
            found.append(reached[found[-1]])
        found.reverse()
        return [(this, self.refers[before][this] if before else None) for before, this in zip([None, *found], found)]

    def retained(self, reached):
        """{node: octets that are there for its sake alone}: what would go if nobody referred to it. Sums over the dominator tree,
        found as Cooper, Harvey and Kennedy do."""
        root = Node(-1, -1)
        follow = lambda node: self.roots() if node == root else self.refers[node]
        order, numbers, stack = [], {}, [(root, iter(follow(root)))]
        seen = {root}
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if target in reached and target not in seen:
                    seen.add(target)
                    stack.append((target, iter(follow(target))))
                    break
            else:
                order.append(node)
                stack.pop()
        order.reverse()
        numbers = {node: number for number, node in enumerate(order)}
        before = collections.defaultdict(list)
        for node in order:
            for target in follow(node):
                if target in numbers:
                    before[target].append(node)
        above, changed = {root: root}, True
        while changed:
            changed = False
            for node in order[1:]:
                best = None
                for one in before[node]:
                    if one in above:
                        best = one if best is None else self._meet(one, best, above, numbers)
                if above.get(node) != best:
                    above[node], changed = best, True
        sums = collections.Counter({node: self.size[node] if self.ours(node) else 0 for node in order[1:]})
        for node in reversed(order[1:]):
            if above[node] != root:
                sums[above[node]] += sums[node]
        return sums

    @staticmethod
    def _meet(one, other, above, numbers):
        while one != other:
            while numbers[one] > numbers[other]:
                one = above[one]
            while numbers[other] > numbers[one]:
                other = above[other]
        return one
