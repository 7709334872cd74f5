#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of benchmarks says what the report says."""
import unittest

import benchmarks_page as page


def result(**changed):
    return {"name": "n", "value": 1.1, "unit": "ratio", "bound": "<= 1.20", "runs": 7, "min": 1.0, "max": 1.3, "note": "",
            **changed}


def report(**changed):
    return {"bench": "first", "date": "d", "machine": "m", "versions": {"tenon": "abc", "gcc": "12"}, "results": [result()],
            **changed}


class Page(unittest.TestCase):
    def test_the_page_that_is_there_begins_as_one_made_now(self):
        with open(page.PAGE, encoding="utf-8") as made:
            self.assertTrue(made.read().startswith(page.HEAD), "HEAD and docs/benchmarks.md differ: change both")

    def test_verdicts(self):
        self.assertEqual(page.verdict(result()), "met")
        self.assertEqual(page.verdict(result(value=1.21)), "**missed**")
        self.assertEqual(page.verdict(result(bound=">= 1.2")), "**missed**")
        self.assertEqual(page.verdict(result(bound=">= 1.1")), "met")
        self.assertEqual(page.verdict(result(value=None)), "not measured")
        self.assertEqual(page.verdict(result(bound="the values")), "")

    def test_a_bar_that_a_machine_cannot_show(self):
        self.assertEqual(page.verdict(result(value=1.21, unfit="memcpy is fast")), "not for this machine")
        self.assertEqual(page.verdict(result(unfit="memcpy is fast")), "met")
        self.assertEqual(page.row([result(value=1.21, unfit="memcpy is fast")])[-1], "memcpy is fast")

    def test_row(self):
        self.assertEqual(page.row([result(value=1234567.25)]),
                         ["`n`", "ratio", "<= 1.20", "1234567.25", "1 to 1.3", "**missed**", ""])
        self.assertEqual(page.row([result(runs=1)])[4], "")

    def test_machines_side_by_side(self):
        self.assertEqual(page.row([result(note="x"), None, result(value=1.3, runs=1, note="y")]),
                         ["`n`", "ratio", "<= 1.20", "1.1", "1 to 1.3", "met", "", "", "", "1.3", "", "**missed**",
                          "A: x<br>C: y"])

    def test_a_bar_in_a_note_does_not_break_the_table(self):
        last = page.section("abc", [report(results=[result(note="a|b")])]).splitlines()[-1]
        self.assertTrue(last.endswith("| a\\|b |"), last)

    def test_commits_have_sections_of_their_own(self):
        made = page.page_of([report(), report(machine="n"), report(versions={"tenon": "def", "gcc": "13"})])
        first, second = made.split("\n## Commit ")[1:]
        self.assertTrue(first.startswith("abc\n\n* A: m; gcc 12.\n* B: n; gcc 12.\n\n### first\n\nA: d; B: d.\n\n"
                                         "| Result | Unit | Bar | A | Range |  | B | Range |  | Note |\n"), first)
        self.assertTrue(second.startswith("def\n\n* m; gcc 13.\n"), second)

    def test_parts_of_a_benchmark_are_joined_and_a_result_is_not_told_twice(self):
        made = page.section("abc", [report(), report(date="e", results=[result(name="o")])])
        self.assertIn("\n### first\n\nd, e.\n", made)
        self.assertIn("| `o` |", made)
        with self.assertRaises(SystemExit):
            page.section("abc", [report(), report()])

    def test_what_is_faster_than_raw_is_told(self):
        found = {"name": "cps", "contender": "orb", "times": 1.2, "reason": None}
        self.assertIn("\n**Faster than raw**: cps, orb, 1.2 times: the reason is not known.",
                      page.section("abc", [report(faster_than_raw=[found])]))

    def test_tables(self):
        tables = [{"title": "Sizes", "note": "Octets.", "columns": ["Name", "Size"], "rows": [["a|b", 12], ["c", None]]}]
        lines = ["", "Octets.", "", "| Name | Size |", "| --- | ---: |", "| a\\|b | 12 |", "| c | - |"]
        self.assertEqual(page.section("abc", [report(tables=tables)]).splitlines()[-8:], ["#### Sizes", *lines])
        # Of two machines that agree once.
        self.assertEqual(page.section("abc", [report(tables=tables), report(machine="n", tables=tables)]).splitlines()[-8:],
                         ["#### Sizes (A, B)", *lines])


if __name__ == "__main__":
    unittest.main()
