#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of benchmarks says what the report says."""
import unittest

import benchmarks_page as page


def result(**changed):
    return {"name": "n", "value": 1.1, "unit": "ratio", "bound": "<= 1.20", "runs": 7, "min": 1.0, "max": 1.3, "note": "",
            **changed}


class Page(unittest.TestCase):
    def test_verdicts(self):
        self.assertEqual(page.verdict(result()), "met")
        self.assertEqual(page.verdict(result(value=1.21)), "**missed**")
        self.assertEqual(page.verdict(result(bound=">= 1.2")), "**missed**")
        self.assertEqual(page.verdict(result(bound=">= 1.1")), "met")
        self.assertEqual(page.verdict(result(value=None)), "not measured")
        self.assertEqual(page.verdict(result(bound="the values")), "")

    def test_row(self):
        self.assertEqual(page.row(result(value=1234567.25)), ["`n`", "1234567.25", "ratio", "1 to 1.3", "<= 1.20", "**missed**", ""])
        self.assertEqual(page.row(result(runs=1))[3], "")

    def test_a_bar_in_a_note_does_not_break_the_table(self):
        report = {"bench": "first", "date": "d", "machine": "m", "versions": {"gcc": "12"}, "results": [result(note="a|b")]}
        last = page.section(report).splitlines()[-1]
        self.assertTrue(last.endswith("| a\\|b |"), last)
        self.assertIn("d, m; gcc 12.", page.section(report))

    def test_tables(self):
        report = {"bench": "param", "date": "d", "machine": "m", "versions": {}, "results": [],
                  "tables": [{"title": "Sizes", "note": "Octets.", "columns": ["Name", "Size"], "rows": [["a|b", 12], ["c", None]]}]}
        self.assertEqual(page.section(report).splitlines()[-8:],
                         ["### Sizes", "", "Octets.", "", "| Name | Size |", "| --- | ---: |", "| a\\|b | 12 |", "| c | - |"])


if __name__ == "__main__":
    unittest.main()
