#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of lint: which changes of a file make it another one, and which files belong to a source."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("lint", str(pathlib.Path(__file__).resolve().parent / "lint"))
lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", LOADER))
LOADER.exec_module(lint)


class Code(unittest.TestCase):
    def same(self, one, other):
        return lint.code(one) == lint.code(other)

    def test_comments_and_spaces_do_not_count(self):
        self.assertTrue(self.same("int a;  // one\n\nint b;\n", "int a; // two\n/* more\nof it */ int b;\n"))

    def test_code_counts(self):
        self.assertFalse(self.same("int a;\n", "int b;\n"))
        self.assertFalse(self.same("int a;  // one\n", "int b;  // one\n"))

    def test_what_looks_like_a_comment_counts(self):
        self.assertFalse(self.same('f("// a");\n', 'f("// b");\n'))
        self.assertFalse(self.same('f(R"(// a)");\n', 'f(R"(// b)");\n'))
        self.assertFalse(self.same("f('\"', 1'000);  // a\ng(\"a\");\n", "f('\"', 1'000);  // a\ng(\"b\");\n"))

    def test_comments_that_clang_tidy_looks_at_count(self):
        self.assertFalse(self.same("f();  // NOLINT\n", "f();\n"))
        self.assertFalse(self.same("catch (...) {\n  // why\n}\n", "catch (...) {\n}\n"))
        self.assertTrue(self.same("catch (...) {\n  // why\n}\n", "catch (...) {  // for this reason\n}\n"))


class Closure(unittest.TestCase):
    def test_is_what_the_compiler_finds(self):
        with tempfile.TemporaryDirectory() as name:
            top = pathlib.Path(name)
            for path, text in {
                "src/a/x.cpp": '#include "x.hpp"\n#include <vector>\n  #  include "b/y.hpp"\n',
                "src/a/x.hpp": "int beside;\n",
                "src/x.hpp": "int elsewhere;\n",
                "src/b/y.hpp": '#include "a/x.cpp"\n',
            }.items():
                (top / path).parent.mkdir(parents=True, exist_ok=True)
                (top / path).write_text(text, encoding="utf-8")
            found = lint.closure(top / "src/a/x.cpp", [top / "src"])
            self.assertEqual({str(path.relative_to(top)) for path in found}, {"src/a/x.cpp", "src/a/x.hpp", "src/b/y.hpp"})


if __name__ == "__main__":
    unittest.main()
