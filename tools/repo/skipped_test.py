#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of skipped.py: the log of a run in which whole tests, single ones and tests of a stage were skipped."""
import unittest

import skipped

LOG = """\
1/4 Testing: whole
1/4 Test: whole
Command: "python3"
not run: no tool
<end of output>
2/4 Testing: single
2/4 Test: single
../../tests/orb/some_test.cpp:7: Skipped
depends on nothing

../../tests/orb/some_test.cpp:7: Skipped
depends on nothing

[  PASSED  ] 3 tests.
3/4 Testing: script
3/4 Test: script
-- not run: clang is not installed
4/4 Testing: stage.tsan
4/4 Test: stage.tsan
Nothing of this was not run: that is no line of a test.
skipped: orb_suite_tests: why
"""


class Skipped(unittest.TestCase):
    def test_all_kinds(self):
        self.assertEqual(skipped.skipped(LOG.splitlines(keepends=True)), {
            "whole: no tool": 1,
            "single: tests/orb/some_test.cpp:7: depends on nothing": 2,
            "script: clang is not installed": 1,
            "stage.tsan: orb_suite_tests: why": 1,
        })

    def test_nothing(self):
        self.assertEqual(skipped.skipped(["1/1 Test: one\n", "[  PASSED  ] 3 tests.\n"]), {})


if __name__ == "__main__":
    unittest.main()
