#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the map parser and of the sums that are made of it, on a map as GNU ld 2.40 writes it."""
import collections
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import bill  # noqa: E402
import held  # noqa: E402
import link_map  # noqa: E402
import more  # noqa: E402
import page  # noqa: E402
import peers  # noqa: E402
import reach  # noqa: E402
import why  # noqa: E402
import workshop  # noqa: E402

MAP = """\
Archive member included to satisfy reference by file (symbol)

/b/libtenon_base.a(log.cpp.o) /b/libtenon_orb.a(orb.cpp.o) (tenon::log(char const*))
/b/libtenon_orb.a(orb.cpp.o)
                              client.o (tenon::orb::Orb::Orb(int))
/b/mapping/libtenon_mapping_cpp11.a(orb.cpp.o)
                              /b/libtenon_orb.a(orb.cpp.o) (tenon::gen::face_of(tenon::orb::Orb&))

Discarded input sections

 .text._ZN5tenon6unusedEv
                0x0000000000000000      0x100 /b/libtenon_orb.a(orb.cpp.o)

Memory Configuration

Linker script and memory map

LOAD client.o

.rela.dyn       0x0000000000000100       0x30
 *(.rela.init)
 .rela.data.rel.ro
                0x0000000000000100       0x30 client.o

.text           0x0000000000001000      0x1c0
 *(.text.unlikely .text.*_unlikely .text.unlikely.*)
 .text.unlikely._ZN5tenon3orb3OrbC2Ei
                0x0000000000001000       0x10 /b/libtenon_orb.a(orb.cpp.o)
 .text.startup.main
                0x0000000000001010       0x10 client.o
                0x0000000000001010                main
 *fill*         0x0000000000001020       0x20 
 .text._ZN5tenon3orb3OrbC2Ei
                0x0000000000001040      0x100 /b/libtenon_orb.a(orb.cpp.o)
                0x0000000000001040                tenon::orb::Orb::Orb(int)
 .text          0x0000000000001140        0x0 /b/mapping/libtenon_mapping_cpp11.a(orb.cpp.o)
 .text._ZN5tenon3gen7face_ofERNS_3orb3OrbE
                0x0000000000001140       0x40 /b/mapping/libtenon_mapping_cpp11.a(orb.cpp.o)
 .text._ZNKSt5ctype 0x0000000000001180       0x40 /usr/lib/libstdc++.a(ctype.o)

.rodata         0x0000000000002000       0x48
 *(.rodata .rodata.* .gnu.linkonce.r.*)
 .rodata._ZN5tenon3orb3OrbC2Ei.str1.1
                0x0000000000002000       0x18 /b/libtenon_orb.a(orb.cpp.o)
 .rodata._ZN5tenon3logEPKc.str1.1
                0x0000000000002018       0x18 /b/libtenon_base.a(log.cpp.o)
 .rodata.str1.1
                0x0000000000002018       0x30 /b/libtenon_base.a(log.cpp.o)
                                         0x38 (size before relaxing)

.eh_frame_hdr   0x0000000000003000       0x14
 .eh_frame_hdr  0x0000000000003000       0x14 client.o

.eh_frame       0x0000000000003100       0x60
 .eh_frame      0x0000000000003100       0x20 client.o
                                         0x40 (size before relaxing)
 *fill*         0x0000000000003120        0x0 
 .eh_frame      0x0000000000003120       0x40 /b/libtenon_orb.a(orb.cpp.o)

.gcc_except_table
                0x0000000000003160        0x8
 *(.gcc_except_table .gcc_except_table.*)
 .gcc_except_table._ZN5tenon3orb3OrbC2Ei
                0x0000000000003160        0x8 /b/libtenon_orb.a(orb.cpp.o)

.data.rel.ro    0x0000000000004000       0x20
 .data.rel.ro.local._ZTVN5tenon3orb3OrbE
                0x0000000000004000       0x20 /b/libtenon_orb.a(orb.cpp.o)

.bss            0x0000000000005000       0x80
 .bss._ZN5tenon5levelE
                0x0000000000005000       0x80 /b/libtenon_base.a(log.cpp.o)

.comment        0x0000000000000000       0x27
 .comment       0x0000000000000000       0x27 client.o
"""
ORB, BASE, MAPPING = "/b/libtenon_orb.a", "/b/libtenon_base.a", "/b/mapping/libtenon_mapping_cpp11.a"


class Map(unittest.TestCase):
    def setUp(self):
        self.map = link_map.LinkMap(MAP)

    def sizes(self, archive, member):
        return [(s.kind, s.size) for s in self.map.sections if (s.archive, s.member) == (archive, member)]

    def test_sections_of_an_object(self):
        self.assertEqual([("code", 16), ("code", 256), ("constants", 24), ("unwinding", 64), ("unwinding", 8), ("data", 32)],
                         self.sizes(ORB, "orb.cpp.o"))

    def test_objects_of_one_name_in_two_archives(self):
        self.assertEqual([("code", 64)], self.sizes(MAPPING, "orb.cpp.o"))

    def test_what_was_discarded_and_what_holds_no_octets_of_the_program_is_left_out(self):
        for name in (".text._ZN5tenon6unusedEv", ".comment", ".eh_frame_hdr", "*fill*", ".rela.data.rel.ro"):
            self.assertIn(name, MAP)
            self.assertNotIn(name, [s.name for s in self.map.sections])

    def test_strings_that_were_merged_count_once(self):
        self.assertEqual([("constants", 0x30), ("zeroed", 128)], self.sizes(BASE, "log.cpp.o"))

    def test_sizes_before_relaxing_do_not_count(self):
        self.assertEqual([("code", 16), ("unwinding", 32)], self.sizes(None, "client.o"))

    def test_relocations_are_of_the_whole_program(self):
        self.assertEqual(0x30, self.map.relocations)

    def test_why(self):
        self.assertEqual(["tenon::log(char const*)", "tenon::orb::Orb::Orb(int)"],
                         [step.symbol for step in self.map.chain(BASE, "log.cpp.o")])
        self.assertEqual([f"{ORB}(orb.cpp.o)", "client.o"], [step.user for step in self.map.chain(BASE, "log.cpp.o")])
        self.assertEqual([], self.map.chain(BASE, "absent.cpp.o"))

    def test_other_texts_are_refused(self):
        with self.assertRaisesRegex(ValueError, "not a map of GNU ld"):
            link_map.LinkMap("hello\n")


class Names(unittest.TestCase):
    def test_owner_of_a_section(self):
        for section, owner in {".text._ZN1a1bEv": "_ZN1a1bEv", ".text.unlikely._ZN1a1bEv": "_ZN1a1bEv",
                               ".text.startup.main": "main",
                               ".text.unlikely._ZN1a1bEv.cold": "_ZN1a1bEv", ".text.unlikely": None, ".text": None,
                               ".rodata._ZN1a1bEv.str1.8": "_ZN1a1bEv", ".rodata.str1.1": None, ".rodata.cst16": None,
                               ".data.rel.ro.local._ZTV1a": "_ZTV1a", ".data.rel.ro._ZTI1a": "_ZTI1a", ".data.rel.ro": None,
                               ".data.rel.local.DW.ref._ZTI1a": "DW.ref._ZTI1a", ".gcc_except_table._Z1av": "_Z1av"}.items():
            self.assertEqual(owner, link_map.owner_of(section), section)

    def test_kinds(self):
        for output, kind in {".text": "code", ".rodata": "constants", ".data.rel.ro": "data", ".eh_frame": "unwinding",
                             ".eh_frame_hdr": None, ".bss": "zeroed", ".rela.dyn": None, ".dynsym": None}.items():
            self.assertEqual(kind, link_map.kind_of(output), output)


class Bill(unittest.TestCase):
    def setUp(self):
        self.map = link_map.LinkMap(MAP)

    def test_sums(self):
        self.assertEqual({"orb": 400, "mapping": 64, "base": 48}, {part: found.total() for part, found in
                                                                  bill.by_part(self.map).items()})
        self.assertEqual({"code": 336, "constants": 72, "unwinding": 72, "data": 32}, dict(bill.by_kind(self.map)))
        self.assertEqual(512, bill.total(self.map))

    def test_what_is_not_ours_is_told_apart(self):
        self.assertEqual({"the rest": 48 + 64}, dict(bill.beside(self.map, ["hello.o"])))
        self.assertEqual({"generated code": 48, "the rest": 64}, dict(bill.beside(self.map, ["client.o"])))

    def test_heaviest(self):
        self.assertEqual([("orb", "orb.cpp.o", 400), ("mapping", "orb.cpp.o", 64)], bill.heaviest_objects(self.map, 2))
        self.assertEqual([("_ZN5tenon3orb3OrbC2Ei", "orb", "orb.cpp.o", 272)], bill.heaviest_functions(self.map, 1))

    def test_functions_that_are_there(self):
        self.assertEqual(["tenon::orb::Orb::Orb"], bill.that_are_there(
            self.map, ["tenon::orb::Orb::Orb", "tenon::orb::Or", "tenon::unused", "tenon::log"]))

    def test_objects_are_found_by_short_names(self):
        self.assertEqual([(ORB, "orb.cpp.o"), (MAPPING, "orb.cpp.o")], bill.find_members(self.map, "orb"))
        self.assertEqual([(MAPPING, "orb.cpp.o")], bill.find_members(self.map, "mapping/orb.cpp"))
        self.assertEqual([(BASE, "log.cpp.o")], bill.find_members(self.map, "log.cpp.o"))
        self.assertEqual([], bill.find_members(self.map, "none"))


class Held(unittest.TestCase):
    KEPT = {"compiler": "g++ (Debian 12.2.0-14+deb12u1) 12.2.0", "sizes": {"client": 10000, "server": 20000},
            "parts": {"client": {"orb": 7000, "poa": 3000}},
            "notes": [{"size": "server", "from": 19000, "to": 20000, "why": "it serves"}]}

    def faults(self, **sizes):
        return list(held.faults(self.KEPT, sizes, {"client": {"orb": 7300, "poa": 2001}}))

    def test_three_percent_pass(self):
        self.assertEqual([], self.faults(client=10300, server=20000))
        self.assertEqual([], self.faults(client=9000, server=20600))

    def test_more_fails_and_says_what_to_do(self):
        found = self.faults(client=10301, server=20000)
        self.assertEqual(1, len(found))
        self.assertRegex(found[0],
                         "^client: 10301 octets, 3.0 % more than the 10000 .*sizes.json .orb 300 more.. .*--update --note WHY")

    def test_what_is_on_one_side_alone_fails(self):
        self.assertRegex(self.faults(client=1, server=1, both=2)[0], "^both: 2 octets, and sizes.json does not have it")
        self.assertRegex(self.faults(client=1)[0], "^server: .* is not measured any more")

    def test_less_is_told(self):
        self.assertEqual([], list(held.gains(self.KEPT, {"client": 9700, "server": 20000})))
        self.assertRegex(list(held.gains(self.KEPT, {"client": 9000, "server": 20000}))[0], "^client: 9000 octets, 10.0 % less")

    def test_growth_wants_a_note_however_small(self):
        with self.assertRaisesRegex(held.Refused, "client from 10000 to 10001. Say why"):
            held.updated(self.KEPT, {"client": 10001, "server": 20000}, {}, "g++", None)
        after = held.updated(self.KEPT, {"client": 10001, "server": 15000}, {"client": {"orb": 1}}, "g++", "because")
        self.assertEqual(({"client": 10001, "server": 15000}, {"client": {"orb": 1}}), (after["sizes"], after["parts"]))
        self.assertEqual([*self.KEPT["notes"], {"size": "client", "from": 10000, "to": 10001, "why": "because"}], after["notes"])

    def test_less_and_new_want_none(self):
        after = held.updated(self.KEPT, {"client": 9000, "both": 5}, {}, "g++", None)
        self.assertEqual(({"client": 9000, "both": 5}, self.KEPT["notes"]), (after["sizes"], after["notes"]))

    def test_compilers(self):
        self.assertTrue(held.same_compiler(self.KEPT["compiler"], "g++ (Debian 12.3.0-1) 12.3.0"))
        self.assertFalse(held.same_compiler(self.KEPT["compiler"], "g++ (Debian 13.2.0-1) 13.2.0"))

    def test_what_is_checked_in(self):
        kept = held.read()
        self.assertEqual({*workshop.plan()["programs"], *(f"static {name}" for name in workshop.plan()["programs"])},
                         set(kept["sizes"]))
        self.assertEqual({name: kept["sizes"][name] for name in kept["parts"]},
                         {name: sum(parts.values()) for name, parts in kept["parts"].items()})
        for note in kept["notes"]:
            self.assertTrue(note["why"].strip() and note["from"] < note["to"], note)


class Plan(unittest.TestCase):
    def test_names_that_are_there(self):
        plan = workshop.plan()
        for name, bar in plan["bars"].items():
            if bar.get("of") != "more":
                self.assertIn(bar.get("figure", bar.get("now", "client")), plan["programs"], name)
            self.assertEqual("figure" in bar, "reason" not in bar, name)
        for name, feature in plan["features"].items():
            self.assertLessEqual(set(feature.get("programs", ())), set(plan["programs"]), name)
            self.assertTrue("reason" in feature or feature.keys() & {"defines", "idl", "cmake"}, name)

    def test_defines_are_used(self):
        texts = ""
        folder = os.path.join(workshop.HERE, "programs")
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts += file.read()
        for name, feature in workshop.plan()["features"].items():
            for define in feature.get("defines", ()):
                self.assertRegex(texts, rf"#ifn?def {define.split('=')[0]}\n", name)


class Programs(unittest.TestCase):
    def script(self, folder, name, text):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def test_a_pair_that_does_not_work_has_no_size(self):
        with tempfile.TemporaryDirectory(prefix="footprint-test-") as folder:
            server = self.script(folder, "server", "echo here; exec sleep 60")
            good = self.script(folder, "good", 'test "$1" = here || exit 2; test -n "$2" && echo "hello, $2" || '
                               '{ echo "nobody to greet"; exit 1; }')
            more.try_call(server, good)
            with self.assertRaisesRegex(workshop.Unmeasurable, "the deaf of server was told '', not 'hello, you'"):
                more.try_call(server, self.script(folder, "deaf", "exit 0"))
            with self.assertRaisesRegex(workshop.Unmeasurable, "told 'hello, you', not 'nobody to greet'"):
                more.try_call(server, self.script(folder, "unchecked", "echo hello, you"))

    def test_what_a_peer_brings(self):
        ours = {"/usr/lib/x86_64-linux-gnu/libomniORB4.a", "/b/libtenon_base.a", "/usr/lib/libcares.a", "/usr/lib/libgpr.a"}
        system = {"/usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/libc.a",
                  "/usr/lib/gcc/x86_64-linux-gnu/12/libstdc++.a", "/usr/lib/gcc/x86_64-linux-gnu/12/libgcc_eh.a",
                  "/usr/lib/x86_64-linux-gnu/libm-2.36.a"}
        sections = [link_map.Section(".text", "code", 1, archive, "x.o") for archive in (*ours, *system, None)]
        counted = type("Map", (), {"sections": sections})
        self.assertEqual(len(ours), peers.brought(counted))


class Page(unittest.TestCase):
    ROLES = {"client": 1024, "server": 2048, "both": 3072}

    def found(self):
        programs = {role: {"octets": octets, "kinds": dict.fromkeys(link_map.COUNTED, octets // 4),
                           "parts": {"orb": dict.fromkeys(link_map.COUNTED, octets // 4)}, "objects": [["orb", "orb.cpp.o", 100]],
                           "functions": [["void tenon::f<std::less<int>>(int, char)", "orb", "orb.cpp.o", 50]]}
                    for role, octets in self.ROLES.items()}
        sizes = {**self.ROLES, "empty": 512}
        adds = {"client": 7, "server": None, "both": 9}
        return {"date": "2026-01-01", "machine": "a machine", "versions": {"tenon": "abc", "compiler": "g++ 12"},
                "programs": programs,
                "static_files": sizes, "shared": {"library": {"code": 10}, "library_file": 20, "programs": sizes},
                "features": {"a": {"title": "a feature", "adds": adds, "adds_to_shared": 8, "reason": None},
                             "b": {"title": "another", "adds": dict.fromkeys(adds), "adds_to_shared": None, "reason": "not yet"}},
                "bars": {"client_kib": {"title": "client", "unit": "KiB", "most": 1, "aim": None, "value": 1.0, "reason": None},
                         "server_kib": {"title": "server", "unit": "KiB", "most": 1, "aim": 0.5, "value": 2.0, "reason": None},
                         "micro_kib": {"title": "micro", "unit": "KiB", "most": 1, "aim": None, "value": None, "reason": "not yet",
                                       "now": 2.0}},
                "peers": {"x": {"title": "X", "version": "1.2", "client": {"octets": 1024, "file": 1536},
                                "server": {"octets": 2048, "file": 2560}},
                          "y": {"title": "Y", "reason": "it is not installed"}}}

    def test_figures_and_reasons(self):
        text = page.page_of(self.found())
        for line in ("| `client_kib` | client | met | 1 | 1 |  |", "| `server_kib` | server | **missed** | 2 | 1 | 0.5 |",
                     "| `micro_kib` | micro | not measured: not yet (2) | - | 1 |  |", "| orb | 1.0 | 2.0 | 3.0 |",
                     "| a feature |  | 7 | - | 9 | 8 |", "| another | not yet | - | - | - | - |",
                     "| X 1.2 | 1.0 | 1.0 | 2.0 | 2.0 |",
                     "Y was not measured: it is not installed.", "| `tenon::f<std::less<int>>` | orb | 50 |"):
            self.assertIn(line + "\n", text)
        self.assertIn("commit abc, 2026-01-01, on a machine; compiler g++ 12.", text)


SOURCES = {
    # A class with a virtual function that is reached through its virtual table alone, and one that nobody reaches.
    "shape.cpp": """#include "shape.hpp"
                    namespace tenon { int area(int); int unused() { return 7; }
                    struct Square : Shape { int size() override { told("a size"); return area(3); } };
                    Shape* make() { return new Square; } }""",
    "area.cpp": """#include <stdexcept>
                   #include "shape.hpp"
                   namespace tenon { void warn(const char*);
                   void note() { told("an area"); }
                   int area(int a) { note(); try { warn("an area was asked for"); } catch (const std::exception&) { return 1; }
                                     return a * a; } }""",
    "warn.cpp": """#include <cstdio>
                   namespace tenon { void warn(const char* what) { std::puts(what); } }""",
    "main.cpp": """#include "shape.hpp"
                   namespace tenon { Shape* make(); void warn(const char*); }
                   int main(int argc, char**) { if (argc > 1) tenon::warn("more"); return tenon::make()->size(); }""",
    "shape.hpp": """#include <cstdio>
                    namespace tenon { struct Shape { virtual int size() = 0; };
                    __attribute__((noinline)) inline void told(const char* what) { std::puts(what); } }""",
}


class Linked(unittest.TestCase):
    """A program that g++ links here: the graph of its objects against the linker's map."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="footprint-test-")
        top = cls.folder.name
        for name, text in SOURCES.items():
            with open(os.path.join(top, name), "w", encoding="ascii") as file:
                file.write(text + "\n")
        run = lambda *command: subprocess.run(command, cwd=top, check=True)
        for name in SOURCES:
            if name.endswith(".cpp"):
                run("g++", *workshop.COMPILE, "-c", name, "-o", name + ".o")
        run("ar", "rcs", "libtenon_shapes.a", "shape.cpp.o", "area.cpp.o")
        run("ar", "rcs", "libtenon_base.a", "warn.cpp.o")
        run("g++", *workshop.LINK, "-Wl,-Map=program.map", os.path.join(top, "main.cpp.o"), "-Wl,--start-group",
            os.path.join(top, "libtenon_base.a"), os.path.join(top, "libtenon_shapes.a"), "-Wl,--end-group", "-o", "program")
        os.rename(os.path.join(top, "program.map"), os.path.join(top, "main.map"))
        cls.made = workshop.Made(os.path.join(top, "main"), [os.path.join(top, "main.cpp.o")])
        cls.graph = why.graph_of(cls.made)
        cls.words, cls.reached = why.Words(cls.graph), cls.graph.reached()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_graph_reaches_what_the_linker_kept(self):
        kept = {(s.member, s.name) for s in self.made.map.sections if bill.of_orb(s) and s.name != ".eh_frame"}
        mine = {(self.graph.names[node.file][1], self.graph.files[node.file].sections[node.section].name)
                for node in self.reached if self.graph.ours(node) and self.graph.size[node]}
        self.assertEqual(kept, mine)
        self.assertIn("_ZN5tenon6unusedEv", {self.graph.owner(node) for node in self.graph.size})
        self.assertNotIn("_ZN5tenon6unusedEv", {self.graph.owner(node) for node in self.reached})

    def test_its_sum_is_the_maps(self):
        # The linker drops what frames of several objects have in common: 24 octets an object.
        self.assertAlmostEqual(bill.total(self.made.map), self.graph.octets(self.reached), delta=24 * 3)

    def test_what_goes_without_something(self):
        def left(*asked):
            nodes = set().union(*(why.find(self.graph, self.words, name) for name in asked))
            return {self.words.name(node) for node in self.graph.reached(nodes) if self.graph.ours(node)}
        self.assertIn("tenon::area(int)", left("warn.cpp"))
        self.assertIn("tenon::warn(char const*)", left("shapes/"))
        self.assertNotIn("tenon::area(int)", left("tenon::make"))
        self.assertNotIn("tenon::area(int)", left("vtable for tenon::(anonymous namespace)::Square", "vtable for tenon::Square"))

    def test_what_several_objects_have_stays_without_one(self):
        told = {node for node in self.graph.size if self.words.name(node) == "tenon::told(char const*)" and node in self.reached}
        self.assertEqual(1, len(told))
        for asked in ("shape.cpp", "area.cpp", "shapes/"):
            self.assertFalse(told & why.find(self.graph, self.words, asked), asked)
        self.assertEqual(told, why.find(self.graph, self.words, "tenon::told") & self.reached.keys())

    def test_octets_that_are_there_for_something_alone(self):
        sums = collections.Counter()
        for node, octets in self.graph.retained(self.reached).items():
            sums[self.words.name(node)] = max(octets, sums[self.words.name(node)])
        everything = self.graph.octets(self.reached)
        self.assertEqual(everything, sums["main"])
        self.assertEqual(everything - sums["tenon::warn(char const*)"], sums["tenon::make()"])
        self.assertLess(sums["tenon::area(int)"], sums["tenon::Square::size()"])

    def text(self, function, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            function(self.made, *arguments)
        return text.getvalue()

    def test_why_in_words(self):
        told = self.text(why.print_why, "area.cpp")
        self.assertIn("shapes/shape.cpp.o refers to tenon::area(int)", told)
        self.assertIn("main.cpp.o refers to tenon::make()", told)
        self.assertIn("tenon::Square::size()  [shapes/shape.cpp] -> tenon::area(int)", told)

    def test_references_to_cut(self):
        told = self.text(why.print_without, ["base/warn.cpp"])
        self.assertIn("tenon::area(int)  [shapes/area.cpp] -> tenon::warn(char const*)", told)
        self.assertIn("main  [main.cpp.o] -> tenon::warn(char const*)", told)

    def test_an_unknown_name_says_what_names_there_are(self):
        with self.assertRaisesRegex(SystemExit, "nothing of 'areas' is in this program. Name an object"):
            self.text(why.print_why, "areas")


if __name__ == "__main__":
    unittest.main()
