# SPDX-License-Identifier: Apache-2.0
"""Adds up what a map says: ORB octets of a program by part, by object and by function. Pure functions over a LinkMap."""
import collections
import subprocess

from link_map import COUNTED, library_of, owner_of

# Which libraries are a part of the bill; a library that is not named is a part by itself.
PARTS = {"mapping_cpp11": "mapping", "plugin_giop": "giop plug-in", "plugin_iiop": "iiop plug-in", "plugin_uiop": "uiop plug-in",
         "plugin_stream": "stream", "parts": "ORB_init"}


def of_orb(section):
    """Whether the section counts: one of our libraries brought it, and it is more than zeroes to be."""
    return section.archive is not None and "/libtenon" in "/" + section.archive and section.kind in COUNTED


def part_of_archive(archive):
    name = library_of(archive)
    return PARTS.get(name, name)


def part_of(section):
    return part_of_archive(section.archive)


def by_part(made_map):
    """{part: Counter of octets by kind}, heaviest first."""
    found = collections.defaultdict(collections.Counter)
    for section in filter(of_orb, made_map.sections):
        found[part_of(section)][section.kind] += section.size
    return dict(sorted(found.items(), key=lambda item: -item[1].total()))


def by_kind(made_map):
    found = collections.Counter()
    for section in filter(of_orb, made_map.sections):
        found[section.kind] += section.size
    return found


def total(made_map):
    return by_kind(made_map).total()


def beside(made_map, objects):
    """{what is no part of the ORB: octets}: these objects, and all the rest."""
    found = collections.Counter()
    for section in made_map.sections:
        if not of_orb(section) and section.kind in COUNTED:
            found["generated code" if section.archive is None and section.member in objects else "the rest"] += section.size
    return found


def heaviest_objects(made_map, count=10):
    """[(part, member, octets)]"""
    found = collections.Counter()
    for section in filter(of_orb, made_map.sections):
        found[part_of(section), section.member] += section.size
    return [(*key, octets) for key, octets in found.most_common(count)]


def heaviest_functions(made_map, count=10):
    """[(mangled name, part, member, octets)]: the code of a function, with the part of it that the compiler keeps apart because it
    seldom runs."""
    found = collections.Counter()
    for section in filter(of_orb, made_map.sections):
        owner = owner_of(section.name)
        if section.kind == "code" and owner:
            found[owner, part_of(section), section.member] += section.size
    return [(*key, octets) for key, octets in found.most_common(count)]


def that_are_there(made_map, names):
    """Those of these functions that a program has; a name is without its parameters."""
    owners = {owner_of(section.name) for section in made_map.sections} - {None}
    words = demangle(owners).values()
    return [name for name in names if any(word.startswith(name + "(") for word in words)]


def find_members(made_map, asked):
    """The members of our archives that someone means by `poa.cpp.o`, `poa.cpp`, `poa` or `mapping/poa`."""
    part, _, name = asked.rpartition("/")
    found = {(s.archive, s.member) for s in made_map.sections if of_orb(s)} | set(made_map.pulled)
    return sorted(key for key in found
                  if key[1] in (name, name + ".o", name + ".cpp.o") and
                  (not part or part in (library_of(key[0]), PARTS.get(library_of(key[0])))))


def demangle(names):
    names = list(names)
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.split("\n")))
