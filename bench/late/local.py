# SPDX-License-Identifier: Apache-2.0
"""Calls between C++ and Java in one process: late demarshalling beside a wrapper that crosses the border by JNI, field by field."""
import statistics

from contenders import OCTETS, Local, elements, shown
from programs import Unmeasurable
from remote import SIZES, changed, operations
from report import ratios, say

WAYS = ["up-wrapper", "up-late", "down-wrapper", "down-late", "c++"]
BARS = {"up": {"A": ">= 1"}, "down": {"A": ">= 2.5"}}
STRUCTS = {"up": ">= 12", "down": ">= 30"}


def measured(program, operation, count, times):
    def asking(way):
        return lambda number: program.ask(f"{way} {operation} {count} {number}")

    return times.of({way: asking(way) for way in WAYS})


def border(series, way):
    """The ratio of what the border between the languages costs: of the medians less that of a call from C++ to C++. None where late
    demarshalling costs so little more that the difference says nothing."""
    same, wrapper, late = (statistics.median(series[name]) for name in ("c++", f"{way}-wrapper", f"{way}-late"))
    return (wrapper - same) / (late - same) if late > 1.1 * same and wrapper > same else None


def named(operation, way):
    """The name of a result and its bar: no type may be slower than the wrapper; an empty call is no type."""
    kind = operation[-1]
    if operation.startswith("put_"):
        return f"java_{way}_vs_wrapper_{kind}", BARS[way].get(kind, STRUCTS[way])
    return f"java_{way}_vs_wrapper_{operation}", "" if operation == "noop" else ">= 0.95"


def by_type(kit, times, report, only):
    wanted = [operation for operation in operations() if only(operation)]
    try:
        with Local(kit) as program:
            while wanted:
                one_type(program, wanted[0], times, report)
                del wanted[0]
    except Unmeasurable as reason:
        say(f"in one process: {reason}")
        for operation in wanted:
            for way in ("up", "down"):
                name, bound = named(operation, way)
                report.add(name, "ratio", bound, reason=str(reason))


def one_type(program, operation, times, report):
    say(f"in one process: {operation}")
    series = measured(program, operation, 0 if operation == "noop" else elements(operation[-1]), times)
    if len(series) < len(WAYS):
        raise Unmeasurable("the Java program has ended")
    program.pin()
    report.more["series"]["local"][operation] = series
    for way in ("up", "down"):
        name, bound = named(operation, way)
        note = "us: " + shown({key: series[key] for key in (f"{way}-wrapper", f"{way}-late")})
        beyond = border(series, way)
        if beyond is not None:
            note += f"; both less the same call in C++ alone, {statistics.median(series['c++']) / 1000:.2f}: {beyond:.3g}"
        report.add(name, "ratio", bound, ratios(series, f"{way}-wrapper", f"{way}-late", {}), note)


def by_size(kit, times, report):
    with Local(kit) as program:
        for octets in SIZES:
            say(f"in one process: put_E, {octets} octets")
            report.more["series"]["local_sizes"][str(octets)] = measured(program, "put_E", elements("E", octets), times)


def checked(kit, report):
    def sums():
        wrong = 0
        with Local(kit) as program:
            for kind in OCTETS:
                for count in (0, 1, 7, elements(kind)):
                    wrong += sum(changed(way, lambda text, w=way: program.ask(f"{w} {text}"), kind, count) for way in WAYS)
        return [wrong], f"{len(WAYS)} ways"

    report.attempt("wrong_values_local", "sequences", "<= 0", sums)
