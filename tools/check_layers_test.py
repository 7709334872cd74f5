#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_layers.py on small trees: each test writes one, and says what must be reported."""
import pathlib
import tempfile
import unittest

import check_layers

RULES = """
test_support = ["tests/support"]
[folders."src/base"]
sees = []
[folders."src/cdr"]
sees = ["src/base"]
[folders."src/net"]
sees = ["src/base"]
[folders."src/protocol"]
sees = ["src/cdr", "src/net"]
[folders."src/orb"]
sees = ["src/protocol"]
blind = ["src/net"]
tests_see = ["src/net"]
[folders."src/orb/inner"]
sees = ["src/base"]
may_include = ["src/cdr"]
[folders."tests"]
sees = ["src/orb"]
[[headers]]
pattern = "fmt/*"
allowed = ["tools"]
reason = "no libraries"
[[headers]]
pattern = "iostream"
allowed = ["src/orb"]
in_headers = false
reason = "not in headers"
"""


class CheckLayers(unittest.TestCase):
    def problems(self, files, rules=RULES):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "layers.toml").write_text(rules)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return list(check_layers.check(root))

    def test_downward_is_fine(self):
        self.assertEqual([], self.problems({
            "src/base/a.hpp": "#pragma once\n",
            "src/cdr/b.hpp": '#include "base/a.hpp"\n#include <vector>\n#include "generated.hpp"\n'}))

    def test_upward_names_file_and_line(self):
        found = self.problems({"src/base/a.hpp": '// first\n#include "cdr/b.hpp"\n', "src/cdr/b.hpp": ""})
        self.assertEqual(1, len(found))
        self.assertTrue(found[0].startswith("src/base/a.hpp:2: error: src/base may not see src/cdr"), found)

    def test_headers_elsewhere_belong_to_their_folder(self):
        rules = RULES + '[folders."include"]\nsees = ["src/orb"]\n'
        rules = rules.replace('[folders."src/cdr"]\n', '[folders."src/cdr"]\nheaders = ["include/cdr", "include/x.hpp"]\n')
        files = {"include/cdr/b.hpp": '#include "base/a.hpp"\n', "src/base/a.hpp": "", "include/x.hpp": "", "include/y.hpp": "",
                 "src/cdr/b.cpp": '#include "cdr/b.hpp"\n#include "x.hpp"\n'}
        self.assertEqual([], self.problems(files, rules))
        files["src/base/a.hpp"] = '#include "cdr/b.hpp"\n'
        files["src/cdr/b.cpp"] = '#include "y.hpp"\n'
        self.assertEqual(["src/base may not see src/cdr", "src/cdr may not see include"],
                         [found.split("error: ")[1].split(" (")[0] for found in self.problems(files, rules)])

    def test_same_floor_is_blind(self):
        self.assertEqual(1, len(self.problems({"src/cdr/b.cpp": '#include "net/c.hpp"\n', "src/net/c.hpp": ""})))

    def test_angle_brackets_count_too(self):
        self.assertEqual(1, len(self.problems({"src/cdr/b.cpp": "#include <net/c.hpp>\n", "src/net/c.hpp": ""})))

    def test_sees_is_transitive_and_blind_takes_away(self):
        files = {"src/base/a.hpp": "", "src/net/c.hpp": "", "src/orb/o.cpp": '#include "base/a.hpp"\n'}
        self.assertEqual([], self.problems(files))
        files["src/orb/o.cpp"] += '#include "net/c.hpp"\n'
        self.assertEqual(1, len(self.problems(files)))

    def test_tests_see_more(self):
        files = {"src/net/c.hpp": "", "src/orb/o_test.cpp": '#include "net/c.hpp"\n'}
        self.assertEqual([], self.problems(files))

    def test_support_is_for_every_test(self):
        files = {"tests/support/s.hpp": "", "src/base/a_test.cpp": '#include "tests/support/s.hpp"\n',
                 "src/base/wire_test_support.hpp": '#include "tests/support/s.hpp"\n'}
        self.assertEqual([], self.problems(files))
        files["src/base/a.cpp"] = files["src/base/a_test.cpp"]
        self.assertEqual(1, len(self.problems(files)))

    def test_inner_folder_has_its_own_rules(self):
        files = {"src/cdr/b.hpp": "", "src/net/c.hpp": "", "src/orb/inner/i.cpp": '#include "cdr/b.hpp"\n'}
        self.assertEqual([], self.problems(files))
        files["src/orb/inner/i.cpp"] = '#include "net/c.hpp"\n'
        self.assertEqual(1, len(self.problems(files)))

    def test_relative_include_is_resolved(self):
        self.assertEqual(1, len(self.problems({"src/base/a.hpp": '#include "../cdr/b.hpp"\n', "src/cdr/b.hpp": ""})))

    def test_comments_do_not_count_and_keep_the_line(self):
        files = {"src/cdr/b.hpp": "", "src/base/a.hpp": '/*\n#include "cdr/b.hpp"\n*/\n// #include "cdr/b.hpp"\n'}
        self.assertEqual([], self.problems(files))
        files["src/base/a.hpp"] += '#include "cdr/b.hpp"\n'
        self.assertIn("a.hpp:5:", self.problems(files)[0])

    def test_library_headers(self):
        self.assertIn("no libraries", self.problems({"src/cdr/b.cpp": "#include <fmt/core.h>\n"})[0])
        self.assertEqual([], self.problems({"tools/t.cpp": "#include <fmt/core.h>\n",
                                            "src/orb/o.cpp": "#include <iostream>\n"}))
        self.assertIn("not in headers", self.problems({"src/orb/o.hpp": "#include <iostream>\n"})[0])

    def test_cmake_dependencies(self):
        files = {"src/base/CMakeLists.txt": "tenon_folder(base DEPENDS cdr LIBS Threads::Threads)\n",
                 "src/cdr/CMakeLists.txt": "tenon_folder(cdr DEPENDS base)\n"}
        found = self.problems(files)
        self.assertEqual(1, len(found))
        self.assertIn("src/base may not depend on src/cdr", found[0])

    def test_mistakes_in_the_rules_are_told(self):
        with self.assertRaisesRegex(ValueError, "unknown folder 'src/nowhere'"):
            self.problems({}, '[folders."src/a"]\nsees = ["src/nowhere"]\n')
        with self.assertRaisesRegex(ValueError, "cycle"):
            self.problems({}, '[folders."a"]\nsees = ["b"]\n[folders."b"]\nsees = ["a"]\n')


if __name__ == "__main__":
    unittest.main()
