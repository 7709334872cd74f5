#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What counts as worse than another commit, and which raw program is the floor."""
import contextlib
import io
import unittest

import floor
from against import Counts, Times, compare, judge
from programs import Unmeasurable
from report import Report

BUILDS = {"before": 0, "after": 1}


def verdicts(group, before, after):
    return [figure["verdict"] for figure in judge(group, {"figure": {"before": before, "after": after}})]


def compared(group, rounds=21):
    with contextlib.redirect_stderr(io.StringIO()):
        return compare(group, BUILDS, rounds)


class Against(unittest.TestCase):
    def test_a_time_may_be_worse_by_two_percent(self):
        times = Times("", "ns", None)
        self.assertEqual(verdicts(times, [100] * 21, [102] * 21), ["ok"])
        self.assertEqual(verdicts(times, [100] * 21, [103] * 21), ["worse"])

    def test_a_time_may_be_worse_by_half_the_interquartile_range(self):
        times = Times("", "ns", None)
        before = [80, 90, 100, 110, 120]
        self.assertEqual(verdicts(times, before, [109] * 5), ["ok"])
        self.assertEqual(verdicts(times, before, [111] * 5), ["worse"])

    def test_a_rate_is_worse_when_it_is_less(self):
        rates = Times("", "MB/s", None, more_is_better=True)
        self.assertEqual(verdicts(rates, [100] * 21, [98] * 21), ["ok"])
        self.assertEqual(verdicts(rates, [100] * 21, [97] * 21), ["worse"])
        self.assertEqual(verdicts(rates, [100] * 21, [200] * 21), ["ok"])

    def test_a_count_may_not_be_worse(self):
        self.assertEqual(verdicts(Counts("", "octets", {}), [68], [69]), ["worse"])
        self.assertEqual(verdicts(Counts("", "instructions", {}), [1794.1], [1794.4]), ["ok"])
        self.assertEqual(verdicts(Counts("", "instructions", {}), [1794], [1795]), ["worse"])
        self.assertEqual(verdicts(Counts("", "allocations", {}), [0], [1]), ["worse"])

    def test_rounds_are_interleaved(self):
        order = []
        group = Times("", "ns", lambda build, stack: {"block": lambda: order.append(build) or 1.0})
        self.assertEqual([figure["rounds"] for figure in compared(group)], [21])
        self.assertEqual([order.count(build) for build in (0, 1)], [21, 21])
        self.assertEqual({tuple(sorted(order[i:i + 2])) for i in range(0, 42, 2)}, {(0, 1)})

    def test_only_what_seems_to_be_worse_is_counted_again(self):
        calls = []

        def count(name, values):
            def measure(build):
                calls.append(name)
                return values[build]
            return measure

        group = Counts("", "octets", {"same": count("same", [1, 1]), "grown": count("grown", [1, 2])})
        self.assertEqual([figure["verdict"] for figure in compared(group)], ["ok", "worse"])
        self.assertEqual((calls.count("same"), calls.count("grown")), (2, 6))

    def test_what_cannot_be_measured_is_told(self):
        def start(build, stack):
            raise Unmeasurable("no tool")

        self.assertEqual([figure["verdict"] for figure in compared(Times("", "ns", start))], ["not measured: no tool"])


class Floor(unittest.TestCase):
    def test_all_ways_take_the_place_of_raw(self):
        pairs, commands = {"raw": "process", "orb": "other"}, {"raw": "pingpong {}", "orb": "pingpong {}"}
        floor.spread(pairs, commands, {"blocking": "", "spinning": "spin=5"})
        self.assertEqual(commands, {"orb": "pingpong {}", "raw: blocking": "pingpong {}", "raw: spinning": "pingpong {} spin=5"})
        self.assertEqual(pairs, {"orb": "other", "raw: blocking": "process", "raw: spinning": "process"})

    def test_the_fastest_way_is_raw(self):
        series = {"raw: blocking": [4, 5, 6], "raw: spinning": [1, 4, 9], "orb": [5, 5, 5]}
        self.assertEqual(floor.choose(series), "raw: spinning (1; blocking 1.25)")
        self.assertEqual(series, {"raw": [1, 4, 9], "orb": [5, 5, 5]})
        series = {"raw: blocking": [4, 5, 6], "raw: spinning": [1, 4, 9]}
        self.assertEqual(floor.choose(series, more_is_better=True), "raw: blocking (1; spinning 0.80)")

    def test_what_is_faster_than_raw_fails_until_the_reason_is_known(self):
        report = Report()
        floor.hold(report, "noop", {"raw": [100, 100], "orb": [96, 96], "other": [94, 94]}, ("orb", "other", "absent"))
        self.assertEqual([found["contender"] for found in report.unexplained()], ["other"])
        floor.hold(report, "flood", {"raw": [100], "orb": [106]}, ("orb",), more_is_better=True)
        self.assertEqual([found["times"] for found in report.unexplained()][1:], [1.06])
        report.faster_than_raw("cps", "orb", 2, "it does less")
        self.assertEqual(len(report.unexplained()), 2)


if __name__ == "__main__":
    unittest.main()
