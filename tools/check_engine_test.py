#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_engine.py on what nm prints."""
import unittest

import check_engine

LISTING = """
error.cpp.o:
                 U _Znwm
                 U __cxa_guard_acquire

memory.cpp.o:
                 U __cxa_throw

trail.cpp.o:
                 U _Unwind_Resume
                 U _ZTISt9bad_alloc
"""


class Findings(unittest.TestCase):
    def test_names_each_object_and_symbol(self):
        found, objects = check_engine.findings(LISTING, ["memory.cpp"])
        self.assertEqual(found, [("trail.cpp", "_Unwind_Resume"), ("trail.cpp", "_ZTISt9bad_alloc")])
        self.assertEqual(objects, 3)

    def test_a_source_that_may_throw_must_be_named(self):
        self.assertIn(("memory.cpp", "__cxa_throw"), check_engine.findings(LISTING, [])[0])

    def test_of_other_libraries_only_the_sources_that_are_named_are_looked_at(self):
        self.assertEqual(check_engine.findings(LISTING, [], ["error.cpp"]), ([], 1))
        self.assertEqual(check_engine.findings(LISTING, [], ["memory.cpp"]), ([("memory.cpp", "__cxa_throw")], 1))

    def test_an_empty_archive_has_no_objects(self):
        self.assertEqual(check_engine.findings("", []), ([], 0))


if __name__ == "__main__":
    unittest.main()
