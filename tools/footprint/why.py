# SPDX-License-Identifier: Apache-2.0
"""Answers for those who shrink the ORB: why something is in a program, and what would go with it. Text of --why, --without and
--retained."""
import collections
import os
import sys

import bill
import link_map
from reach import Graph

MANY = 12  # lines of a list


def graph_of(made):
    return Graph(made.objects, made.map.pulled)


class Words:
    """Names for readers: demangled, with their object."""

    def __init__(self, graph):
        self.graph = graph
        self.of = bill.demangle({graph.owner(node) for node in graph.size} |
                                {symbol for targets in graph.refers.values() for symbol in targets.values()})

    def name(self, node):
        owner = self.graph.owner(node)
        return self.of.get(owner, owner)

    def object(self, node):
        archive, member = self.graph.names[node.file]
        return f"{bill.part_of_archive(archive)}/{member.removesuffix('.o')}" if archive else os.path.basename(member)

    def full(self, node, most=100):
        name = self.name(node)
        return f"{name if len(name) <= most else name[:most - 3] + '...'}  [{self.object(node)}]"


def find(graph, words, asked):
    """The sections that someone means: `poa/` is a part, `poa.cpp` or `mapping/poa.cpp` an object, anything else a function or
    object of that name, or the functions of that class. To a part or object belongs what no other object could stand in for."""
    part, slash, name = asked.rpartition("/")
    if slash and not name:
        return {node for node in graph.size if words.object(node).startswith(part + "/") and not graph.replaceable(node)}
    if not asked.startswith(("vtable", "typeinfo")) and "::" not in asked:
        found = {node for node in graph.size if graph.ours(node) and not graph.replaceable(node) and
                 words.object(node).split("/")[1].removesuffix(".cpp") == name.removesuffix(".o").removesuffix(".cpp") and
                 (not part or words.object(node).startswith(part + "/"))}
        if found:
            return found
    return {node for node in graph.size
            if words.name(node) == asked or words.name(node).startswith((asked + "(", asked + "[", asked + "::", asked + "<"))}


def found_or_exit(graph, words, asked, reached):
    nodes = find(graph, words, asked)
    if not nodes & reached.keys():
        sys.exit(f"footprint: nothing of '{asked}' is in this program. Name an object, as poa.cpp or mapping/poa.cpp, a part, as "
                 "poa/, or a function or class, as tenon::poa::Poa::get_servant")
    return nodes


def users(graph, words, nodes, reached):
    """Lines that say who refers to these from outside, the most referred to first."""
    found = collections.defaultdict(set)
    for source in reached:
        if source not in nodes:
            for target, symbol in graph.refers[source].items():
                if target in nodes and not (symbol or "").startswith(".LC"):  # a literal that functions share is nobody's choice
                    found[words.full(source, 80)].add(words.of.get(symbol, symbol) if symbol else words.name(target))
    for source, targets in sorted(found.items(), key=lambda item: -len(item[1])):
        shown = sorted(target if len(target) <= 80 else target[:77] + "..." for target in targets)
        yield f"{source} -> {', '.join(shown[:3])}" + (f" and {len(shown) - 3} more" if len(shown) > 3 else "")


def print_some(lines):
    lines = list(lines)
    for line in lines[:MANY]:
        print(f"    {line}")
    if len(lines) > MANY:
        print(f"    ... and {len(lines) - MANY} more")


def print_why(made, asked):
    graph = graph_of(made)
    words, reached = Words(graph), graph.reached()
    nodes = found_or_exit(graph, words, asked, reached)
    here = nodes & reached.keys()
    print(f"{asked}: {graph.octets(here)} octets are in the program")
    for archive, member in bill.find_members(made.map, asked):
        print("  The linker took the object because")
        for step in made.map.chain(archive, member):
            user = link_map.split_object(step.user)
            where = f"{bill.part_of_archive(user[0])}/{user[1]}" if user[0] else os.path.basename(user[1])
            print(f"    {where} refers to {step.symbol}")
    print("  The shortest way from main(), or from what runs before it")
    first = min(here, key=lambda node: len(graph.way(node, reached)))
    for node, _ in graph.way(first, reached):
        print(f"    {words.full(node)}")
    print("  What refers to it")
    print_some(users(graph, words, nodes, reached))
    print_gone(graph, words, nodes, reached)


def print_gone(graph, words, nodes, reached):
    gone = reached.keys() - graph.reached(nodes).keys()
    parts = collections.Counter()
    for node in gone:
        if graph.ours(node):
            parts[words.object(node)] += graph.size[node]
    print(f"  Without it {graph.octets(gone)} octets of {graph.octets(reached)} go")
    print_some(f"{octets:7} {name}" for name, octets in parts.most_common())


def print_without(made, asked):
    """Of several names together: what would go, and which references have to be cut for it."""
    graph = graph_of(made)
    words, reached = Words(graph), graph.reached()
    nodes = set().union(*(found_or_exit(graph, words, name, reached) for name in asked))
    print(f"without {', '.join(asked)}")
    print_gone(graph, words, nodes, reached)
    print("  The references to cut")
    left = graph.reached(nodes)
    print_some(users(graph, words, nodes, left))


def print_retained(made, count):
    """Functions and objects by what is there for their sake alone, themselves included."""
    graph = graph_of(made)
    words, reached = Words(graph), graph.reached()
    print("octets that go if nothing refers to it; of it its own")
    for node, octets in graph.retained(reached).most_common(count):
        print(f"  {octets:7} {graph.size[node]:6}  {words.full(node)}")
