# SPDX-License-Identifier: Apache-2.0
"""Operations of numbers in one process, late and over wrappers: what the rule of tenon-idl's --java-wrappers=auto knows, and what it gives."""
import statistics

from contenders import Local
from report import ratios, say

OPERATIONS = ["noop", "six", "given", "add", "mixed"]
WAYS = ["down-never", "down-always", "down-auto", "up-never", "up-always", "up-auto", "c++"]
NAMES = {"down-never": "late_from_java", "down-always": "wrapped_from_java", "up-never": "late_into_java",
         "up-always": "wrapped_into_java"}
# A call goes by the better way, or by one that is about as good.
BOUND = "<= 1.1"


def names():
    return [f"java_{way}_auto_vs_best_{operation}" for operation in OPERATIONS for way in ("down", "up")]


def measure(kit, times, report):
    all_series = report.more["series"]["numbers"]
    with Local(kit, main="measured.Numbers") as program:
        for operation in OPERATIONS:
            say(f"in one process: numbers, {operation}")
            all_series[operation] = times.of({way: lambda number, w=way, o=operation: program.ask(f"{w} {o} {number}") for way in WAYS})
            program.pin()
    for operation, series in all_series.items():
        for way in ("down", "up"):
            best = min((f"{way}-never", f"{way}-always"), key=lambda name: statistics.median(series[name]))
            note = "ns: " + ", ".join(f"{name} {statistics.median(values):.0f} ({min(values):.0f})" for name, values in series.items()
                                      if name.startswith(way) or name == "c++")
            report.add(f"java_{way}_auto_vs_best_{operation}", "ratio", BOUND, ratios(series, f"{way}-auto", best, {}), note)
    say("for idl/backends/java/wrapper_costs.hpp:")
    for line in constants(all_series):
        say("  " + line)


def constants(series):
    def least(operation, way):
        return min(series[operation][way])

    for way, name in NAMES.items():
        call = least("noop", way)
        argument = max((least("six", way) - call) / 6, 0)
        yield f"constexpr BorderCosts {name}{{{call:.0f}, {argument:.1f}, {max(least('given', way) - call, 0):.0f}}};"
