#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an IDL file of random types, or the C++ file that lists them for the tests.

random_idl.py --seed N --count N --module NAME --idl FILE
random_idl.py --seed N --count N --cases FILE

The same seed and count give the same types, whatever the module is called. Every struct and union also is a parameter of an
operation of interface Echo, which has one repository id in all modules: stubs of one module may call servants of another.
"""

import argparse
import random
from pathlib import Path

NUMBERS = ["octet", "short", "unsigned short", "long", "unsigned long", "long long", "unsigned long long", "float",
           "double", "boolean", "char"]
OTHERS = ["string", "wstring", "wchar", "long double", "any", "string", "CORBA::TypeCode"]
SWITCHES = {"short": (-32768, 32767), "unsigned short": (0, 65535), "long": (-2**31, 2**31 - 1),
            "unsigned long": (0, 2**32 - 1), "long long": (-2**63, 2**63 - 1), "unsigned long long": (0, 2**64 - 1)}


class Types:
    """A list of declarations, each of types that stand before it."""

    def __init__(self, seed, count):
        self.random = random.Random(seed)
        self.lines = []
        self.names = []    # every type that may be a part
        self.enums = {}    # name: enumerators
        self.classes = []  # structs and unions
        self.number = 0
        makers = [self.struct, self.struct, self.numbers, self.runs, self.union, self.sequence, self.sequence,
                  self.array, self.enumeration, self.text, self.fixed, self.recursive]
        for maker in makers:  # one of each kind at least
            maker()
        while self.number < count:
            self.random.choice(makers)()

    def new_name(self):
        self.number += 1
        return f"T{self.number}"

    def part(self):
        draw = self.random.random()
        if draw < 0.4:
            return self.random.choice(NUMBERS)
        if draw < 0.55 or not self.names:
            return self.random.choice(OTHERS)
        return self.random.choice(self.names)

    def add(self, name, text):
        self.lines.append(text)
        self.names.append(name)

    def add_class(self, name, text):
        self.add(name, text)
        self.classes.append(name)

    def bound(self):
        return f", {self.random.randint(50, 90)}" if self.random.random() < 0.3 else ""

    def struct(self):
        name = self.new_name()
        members = [f"{self.part()} m{i};" for i in range(self.random.randint(1, 6))]
        self.add_class(name, f"struct {name} {{ {' '.join(members)} }};")

    def numbers(self):
        """What may be one block in memory."""
        name = self.new_name()
        kinds = NUMBERS + list(self.enums)
        members = [f"{self.random.choice(kinds)} m{i};" for i in range(self.random.randint(2, 9))]
        self.add_class(name, f"struct {name} {{ {' '.join(members)} }};")

    def runs(self):
        """Blocks between texts: members that are no more aligned than the first one of their run."""
        name = self.new_name()
        size = {"octet": 1, "boolean": 1, "char": 1, "short": 2, "unsigned short": 2, "long long": 8,
                "unsigned long long": 8, "double": 8}
        members = []
        for _ in range(2):
            kinds = self.random.choices(NUMBERS + list(self.enums), k=self.random.randint(4, 8))
            first = max(kinds, key=lambda kind: size.get(kind, 4))
            kinds.remove(first)
            members += ["string", first, *kinds]
        members = [f"{kind} m{i};" for i, kind in enumerate(members)]
        self.add_class(name, f"struct {name} {{ {' '.join(members)} }};")

    def sequence(self):
        name = self.new_name()
        self.add(name, f"typedef sequence<{self.part()}{self.bound()}> {name};")
        self.holder(name)

    def array(self):
        name = self.new_name()
        sizes = "".join(f"[{self.random.randint(1, 4)}]" for _ in range(self.random.randint(1, 2)))
        self.add(name, f"typedef {self.part()} {name}{sizes};")
        self.holder(name)

    def text(self):
        name = self.new_name()
        kind = self.random.choice(["string", "wstring"])
        self.add(name, f"typedef {kind}<{self.random.randint(50, 90)}> {name};")

    def fixed(self):
        name = self.new_name()
        digits = self.random.randint(1, 31)
        self.add(name, f"typedef fixed<{digits}, {self.random.randint(0, digits)}> {name};")

    def holder(self, of):
        name = self.new_name()
        self.add_class(name, f"struct {name} {{ octet before; {of} held; {self.random.choice(NUMBERS)} after; }};")

    def enumeration(self):
        name = self.new_name()
        self.enums[name] = [f"{name}_{i}" for i in range(self.random.randint(1, 6))]
        self.add(name, f"enum {name} {{ {', '.join(self.enums[name])} }};")

    def recursive(self):
        name = self.new_name()
        self.add_class(name, f"struct {name}; typedef sequence<{name}> {name}Seq;\n"
                             f"  struct {name} {{ {self.part()} m0; {name}Seq again; {self.part()} m2; }};")

    def switch(self):
        """A discriminator, some labels of it, and whether others are left."""
        kinds = list(SWITCHES) + ["boolean", "char", "wchar"] + list(self.enums)
        kind = self.random.choice(kinds)
        if kind in SWITCHES:
            low, high = SWITCHES[kind]
            labels = {self.random.choice([low, high, low + 1, self.random.randint(low, high), 0, 1, 2, 3])
                      for _ in range(self.random.randint(1, 5))}
            return kind, sorted(labels), True
        if kind == "boolean":
            labels = ["TRUE", "FALSE"]
        elif kind in self.enums:
            labels = list(self.enums[kind])
        else:
            labels = [("L" if kind == "wchar" else "") + f"'{letter}'" for letter in "abcxyz"]
        chosen = self.random.sample(labels, self.random.randint(1, min(len(labels), 5)))
        return kind, chosen, len(chosen) < len(labels) or kind in ("char", "wchar")

    def union(self):
        name = self.new_name()
        kind, labels, may_default = self.switch()
        cases = []
        while labels:
            take = min(len(labels), self.random.choice([1, 1, 1, 2]))
            cases.append(" ".join(f"case {label}:" for label in labels[:take]) + f" {self.part()} c{len(cases)};")
            labels = labels[take:]
        if may_default and self.random.random() < 0.5:
            cases.append(f"default: {self.part()} other;")
        self.add_class(name, f"union {name} switch ({kind}) {{ {' '.join(cases)} }};")


def write_idl(types, module, path):
    operations = [f"    {name} echo_{name}(in {name} a, inout {name} b, out {name} c);" for name in types.classes]
    path.write_text("\n".join([
        "// SPDX-License-Identifier: Apache-2.0", "// Random types, written by random_idl.py.", "#include <orb.idl>",
        f"module {module} {{"] + ["  " + line for line in types.lines] + [
        "  interface Echo {", *operations, "  };", '#pragma ID Echo "IDL:tenon.test/equality/Echo:1.0"', "};", ""]))


def write_cases(types, path):
    lines = ["// SPDX-License-Identifier: Apache-2.0", "// The types of random_idl.py, for the tests.",
             '#include "random_compiled_any.hpp"', '#include "random_compiled_skel.hpp"',
             '#include "random_interpreted_any.hpp"', '#include "random_interpreted_skel.hpp"',
             '#include "tests/equality/generated/generated.hpp"', "", "namespace tenon::equality {", "namespace {", ""]
    for module in ("Compiled", "Interpreted"):
        lines.append(f"class {module}Echo final : public CORBA::servant_traits<::{module}::Echo>::base_type {{")
        for name in types.classes:
            full = f"::{module}::{name}"
            lines.append(f"  {full} echo_{name}(const {full}& a, {full}& b, {full}& c) override"
                         " { return echo(a, b, c); }")
        lines.append("};")
        lines.append("")
    lines.append("constexpr GeneratedType all_types[] = {")
    for name in types.classes:
        ways = ", ".join(f"one_way<::{module}::{name}>(), &call<::{module}::Echo, ::{module}::{name}, "
                         f"&::{module}::Echo::echo_{name}>" for module in ("Compiled", "Interpreted"))
        lines.append(f'    {{"{name}", &::Compiled::_type_{name}, {ways}}},')
    lines += ["};", "", "}  // namespace", "",
              "std::span<const GeneratedType> generated_types() { return all_types; }", "",
              "Echoes publish_echoes(const CORBA::object_reference<CORBA::ORB>& orb) {",
              "  return {tenon::publish(orb, CORBA::make_reference<CompiledEcho>()),",
              "          tenon::publish(orb, CORBA::make_reference<InterpretedEcho>())};", "}", "",
              "}  // namespace tenon::equality", ""]
    path.write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--module", default="Random")
    parser.add_argument("--idl", type=Path)
    parser.add_argument("--cases", type=Path)
    arguments = parser.parse_args()
    types = Types(arguments.seed, arguments.count)
    if arguments.idl:
        write_idl(types, arguments.module, arguments.idl)
    if arguments.cases:
        write_cases(types, arguments.cases)


if __name__ == "__main__":
    main()
