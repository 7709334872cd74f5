#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""count_lines.py on small texts."""
import unittest

import count_lines


class CountLines(unittest.TestCase):
    def test_what_is_code(self):
        self.assertEqual(0, count_lines.lines_of_code("// a\n\n/* b\n c */\n  \n"))
        self.assertEqual(2, count_lines.lines_of_code("int a;  // of it\n/* long\nlong */ int b;\n"))

    def test_what_looks_like_a_comment(self):
        self.assertEqual(2, count_lines.lines_of_code('f("//", \'"\', 1\'000);\ng(); // "\n// h();\n'))
        self.assertEqual(4, count_lines.lines_of_code('auto text = R"x(a\n// b\n/* c */\n)x";\n'))

    def test_files(self):
        files = [("src/a/b.cpp", "int x;\n"), ("src/a/c/d.hpp", "int y;\n"), ("src/a/b_test.cpp", "int z;\n"),
                 ("plugins/p/q_fuzz.cpp", "int z;\n"), ("plugins/p/r_test_support.hpp", "int z;\n"), ("plugins/p/r.inc", "X\n"),
                 ("src/a/CMakeLists.txt", "x\n")]
        self.assertEqual({"src/a": 2, "plugins/p": 1}, dict(count_lines.count(files)))

    def test_table(self):
        counter = count_lines.collections.Counter
        self.assertEqual(["src/a 3", "all 3"], [" ".join(row.split()) for row in count_lines.table(counter({"src/a": 3}))])
        rows = count_lines.table(counter({"src/a": 3, "src/c": 1}), counter({"src/a": 4, "src/b": 4}))
        self.assertEqual(["src/a 4 3 75.0 %", "src/b 4 0 0.0 %", "src/c 0 1 0.0 %", "all 8 4 50.0 %"],
                         [" ".join(row.split()) for row in rows])


if __name__ == "__main__":
    unittest.main()
