#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_sources.py on small trees."""
import pathlib
import tempfile
import unittest

import check_sources

HEAD = "// SPDX-License-Identifier: Apache-2.0\n"


class CheckSources(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return list(check_sources.check(root, sorted(files)))

    def test_in_order(self):
        self.assertEqual([], self.problems({"src/a.hpp": HEAD, "dev": "#!/bin/sh\n# " + HEAD[3:],
                                            "docs/a.md": "see [b](b.md) and `src/a.hpp`, `src/`\n", "docs/b.md": ""}))

    def test_licence_line(self):
        self.assertIn("src/a.hpp:1:", self.problems({"src/a.hpp": "#pragma once\n"})[0])

    def test_marks(self):
        self.assertIn("src/a.cpp:2:", self.problems({"src/a.cpp": HEAD + "// TO" + "DO: all\n"})[0])

    def test_length(self):
        long = HEAD + "\n" * 600
        self.assertIn("601 lines", self.problems({"src/a.cpp": long, "src/a_test.cpp": long})[0])
        self.assertEqual([], self.problems({"src/a_test.cpp": long}))

    def test_documents_name_what_exists(self):
        found = self.problems({"docs/a.md": "[x](gone.md) `src/gone.hpp` [y](https://example.org/z)\n"})
        self.assertEqual(2, len(found))

    def test_glossary_names_what_the_files_have(self):
        row = "| servant | `poa::%s` | `src/a.hpp` |\n"
        files = {"src/a.hpp": HEAD + "class Servant;\n", "docs/glossary.md": row % "Servant"}
        self.assertEqual([], self.problems(files))
        files["docs/glossary.md"] += row % "Serv"
        self.assertEqual(["docs/glossary.md:2: error: src/a.hpp has no poa::Serv"], self.problems(files))

    def test_data_is_not_source(self):
        self.assertEqual([], self.problems({"tests/fuzz/corpus/t/a.idl": "module"}))


if __name__ == "__main__":
    unittest.main()
