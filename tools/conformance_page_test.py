#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/conformance_page.py on small lists: what it finds wrong, the page, and the C++ that it makes."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import conformance_page

LIST = """# SPDX-License-Identifier: Apache-2.0
# Module CORBA
@old = because it is old

## Things
@include = tenon/things.hpp
CORBA::Flags | typedef | unsigned long | there | =
CORBA::ARG_IN | constant | Flags = 1 | there | =
CORBA::Thing | interface |  | there | =
CORBA::Thing::go | operation | Thing (in Flags how, out sequence<string> names) raises (Bad) | there | Things.Go
CORBA::Thing::size | attribute | unsigned long | there | Things.Size
CORBA::Thing::stop | operation | void () | absent | @old
CORBA::Thing::free | operation | void () | there | Things.Go | r.reset()
"""
HEADERS = {
    "tenon/things.hpp": '#include "things/thing.hpp"\nusing Flags = int;  // Else is in a comment\n',
    "things/thing.hpp": "class CORBA { int ARG_IN; class Thing { void go(); int size(); void free(); }; };\n",
}
TEST = """
TEST(Things, Go) {
  thing->go(1, names);
  thing.reset();
}

TEST_F(Things, Size) {
  EXPECT_EQ(size_of(thing), 1);
}
"""


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in ("tools/conformance", "docs", "src"):
            (self.root / name).mkdir(parents=True)
        self.write(LIST)
        for name, text in HEADERS.items():
            path = self.root / "include" / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
        self.write_tests(TEST.replace("size_of(thing)", "thing->size()"))

    def write(self, text):
        (self.root / "tools/conformance/corba.txt").write_text(text, encoding="utf-8")

    def write_tests(self, text):
        (self.root / "src/things_test.cpp").write_text(text, encoding="utf-8")

    def run_script(self, *arguments):
        out = io.StringIO()
        before, sys.argv = sys.argv, ["conformance_page.py", "--root", str(self.root), *arguments]
        least, conformance_page.LEAST = conformance_page.LEAST, 80
        try:
            with contextlib.redirect_stdout(out):
                code = conformance_page.main()
        finally:
            sys.argv, conformance_page.LEAST = before, least
        return code, out.getvalue()

    def problem(self, said):
        """The script finds one thing wrong, and says so."""
        self.run_script()
        code, out = self.run_script("--check")
        self.assertEqual(code, 1, out)
        self.assertIn(said, out)
        self.assertIn("1 problem(s)", out)

    def test_in_order(self):
        self.run_script()
        code, out = self.run_script("--check")
        self.assertEqual(code, 0, out)
        page = (self.root / "docs/conformance.md").read_text(encoding="utf-8")
        self.assertIn("**6 of 7 declarations are there: 85.7 %.**", page)
        self.assertIn("| `CORBA::Thing::go` | operation | there: `Things.Go` in `src/things_test.cpp` |", page)
        self.assertIn("| `CORBA::Thing::stop` | operation | absent: because it is old |", page)

    def test_page_is_not_what_the_script_prints(self):
        self.run_script()
        with (self.root / "docs/conformance.md").open("a", encoding="utf-8") as page:
            page.write("and more\n")
        code, out = self.run_script("--check")
        self.assertEqual(code, 1)
        self.assertIn("docs/conformance.md is not what", out)

    def test_absent_without_a_reason(self):
        self.write(LIST.replace("@old\n", "\n").replace("absent | \n", "absent |\n"))
        self.problem("CORBA::Thing::stop: absent without a reason")

    def test_a_reason_that_is_not_there(self):
        self.write(LIST.replace("absent | @old", "absent | @older"))
        self.problem("CORBA::Thing::stop: absent without a reason")

    def test_no_such_test(self):
        self.write(LIST.replace("Things.Size", "Things.Sighs"))
        self.problem("CORBA::Thing::size: there is no test Things.Sighs")

    def test_a_test_that_does_something_else(self):
        self.write_tests(TEST)
        self.problem("CORBA::Thing::size: the test Things.Size does not name size")

    def test_an_operation_without_a_test(self):
        self.write(LIST.replace("Things.Size", "="))
        self.problem("CORBA::Thing::size: names no test")

    def test_generated(self):
        self.write(LIST.replace("@old", "@generated = things_skel.hpp\n@old", 1).replace("Things.Size", "="))
        self.run_script()
        code, out = self.run_script("--check")
        self.assertEqual(code, 0, out)
        page = (self.root / "docs/conformance.md").read_text(encoding="utf-8")
        self.assertIn("| `CORBA::Thing::size` | attribute | there, by the compiler: stub and skeleton are made of the IDL |", page)
        made = self.root / "made.cpp"
        self.run_script("--cpp", str(made))
        text = made.read_text(encoding="utf-8")
        self.assertIn("#include <things_skel.hpp>\n", text)
        size = next(line for line in text.splitlines() if "o.size()" in line)
        self.assertEqual(size.count("o.size(a0)"), 2)
        self.assertIn("std::type_identity<CORBA::servant_traits<CORBA::Thing>::base_type>{}", size)

    def test_headers(self):
        page = "docs/conformance.md"
        self.write(LIST.replace("## Things\n@include = tenon/things.hpp\n", "## Things\n@include = tenon/things.hpp\n"
                                "@include things/thing.hpp = CORBA::Thing CORBA::ARG_IN\n"))
        self.run_script()
        code, out = self.run_script("--check")
        self.assertEqual(code, 0, out)
        self.assertIn("### Things\n\nHeaders: `<tenon/things.hpp>`; `<things/thing.hpp>` for `CORBA::Thing`, `CORBA::ARG_IN`.\n\n|",
                      (self.root / page).read_text(encoding="utf-8"))

    def test_a_header_that_does_not_have_it(self):
        self.write(LIST.replace("tenon/things.hpp\n", "tenon/things.hpp\n@include things/thing.hpp = CORBA::Flags\n"))
        self.problem("CORBA::Flags: not in <things/thing.hpp>, nor in what that includes")

    def test_a_header_that_has_it_in_a_comment(self):
        self.write(LIST + "CORBA::Else | typedef | unsigned long | there | =\n")
        self.problem("CORBA::Else: not in <tenon/things.hpp>, nor in what that includes")

    def test_a_header_that_is_missing(self):
        self.write(LIST.replace("@include = tenon/things.hpp\n", "@include tenon/things.hpp = CORBA::Flags CORBA::ARG_IN CORBA::Things\n"))
        self.run_script()
        _, out = self.run_script("--check")
        self.assertIn("CORBA::Thing::go: no line '@include = HEADER' says what a program includes", out)
        self.assertIn("@include names CORBA::Things, which 'Things' does not declare", out)

    def test_twice(self):
        self.write(LIST + "CORBA::Flags | typedef | unsigned long | there | =\n")
        self.problem("CORBA::Flags: stands in the lists twice")

    def test_too_little_is_there(self):
        self.write(LIST.replace("there | Things.Size", "absent | because"))
        self.problem("5 of 7 declarations are there: less than 80 %")

    def test_refused(self):
        self.write(LIST.replace("there | Things.Size", "refused | Things.Size: with NO_IMPLEMENT"))
        self.problem("5 of 7 declarations are there")  # refused is not there
        page = (self.root / "docs/conformance.md").read_text(encoding="utf-8")
        self.assertIn("| refused: with NO_IMPLEMENT; `Things.Size` in `src/things_test.cpp` |", page)

    def test_finds_tests(self):
        self.write(LIST.replace("Things.Go", "?").replace("Things.Size", "?"))
        self.assertEqual(self.run_script("--find"), (0, "0 declarations have no test yet\n"))
        self.assertEqual((self.root / "tools/conformance/corba.txt").read_text(encoding="utf-8"), LIST)

    def test_cpp(self):  # the C++ of the real lists is a program of tests/standard
        made = self.root / "made.cpp"
        self.run_script("--cpp", str(made))
        lines = made.read_text(encoding="utf-8").splitlines()
        asserted = [line for line in lines if line.startswith("static_assert")]
        self.assertEqual(len(asserted), 6)
        self.assertIn("std::same_as<CORBA::Flags, std::uint32_t>", asserted[0])
        self.assertIn("std::same_as<const CORBA::Flags, decltype(CORBA::ARG_IN)> && CORBA::ARG_IN == 1", asserted[1])
        self.assertIn("const CORBA::Flags& a0, std::vector<std::string>& a1) { { o.go(a0, a1) } -> "
                      "Gives<CORBA::object_reference<CORBA::Thing>>; }", asserted[3])
        self.assertIn("{ o.size() } -> Gives<std::uint32_t>; o.size(a0);", asserted[4])
        self.assertIn("{ r.reset(); }", asserted[5])
        absent = [line for line in lines if line.startswith("constexpr Absent ")]  # which the program looks at
        self.assertEqual(len(absent), 1)
        self.assertIn('"CORBA::Thing::stop is there now: say so in corba.txt, with its test", []', absent[0])


if __name__ == "__main__":
    unittest.main()
