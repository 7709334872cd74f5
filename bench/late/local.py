# SPDX-License-Identifier: Apache-2.0
"""Calls between C++ and Java in one process: late demarshalling beside a wrapper that crosses the border by JNI, field by field.

Where a Java 22 or newer is, a second program has it: late demarshalling over java.lang.foreign, and the same wrapper on the same Java.
"""
import contextlib
import statistics

from contenders import OCTETS, Local, elements, shown
from programs import Unmeasurable
from remote import SIZES, changed, operations
from report import ratios, say

WAYS = ["up-wrapper", "up-late", "down-wrapper", "down-late", "c++"]
# Of the second program: by its names of them.
FFM_WAYS = {"up-wrapper-ffm": "up-wrapper", "up-ffm": "up-late", "down-wrapper-ffm": "down-wrapper", "down-ffm": "down-late"}
BARS = {"up": {"A": ">= 1"}, "down": {"A": ">= 2.5"}}
STRUCTS = {"up": ">= 12", "down": ">= 30"}


class Locals:
    """Both programs; why the second is missing. Use as a context."""

    def __init__(self, kit):
        self.programs = [Local(kit)]
        self.ways = {way: (self.programs[0], way) for way in WAYS}
        self.absent = ""
        self.stack = contextlib.ExitStack()
        try:
            self.programs.append(Local(kit, engine="ffm"))
            self.ways |= {name: (self.programs[1], way) for name, way in FFM_WAYS.items()}
        except Unmeasurable as reason:
            self.absent = str(reason)

    def __enter__(self):
        for program in self.programs:
            self.stack.enter_context(program)
        return self

    def __exit__(self, *all_of_it):
        self.stack.__exit__(*all_of_it)

    def pin(self):
        for program in self.programs:
            program.pin()

    def ask(self, way, command):
        program, its_name = self.ways[way]
        return program.ask(f"{its_name} {command}")


def measured(locals_, operation, count, times):
    def asking(way):
        return lambda number: locals_.ask(way, f"{operation} {count} {number}")

    return times.of({way: asking(way) for way in locals_.ways})


def border(series, way):
    """The ratio of what the border between the languages costs: of the medians less that of a call from C++ to C++. None where late
    demarshalling costs so little more that the difference says nothing."""
    same, wrapper, late = (statistics.median(series[name]) for name in ("c++", f"{way}-wrapper", f"{way}-late"))
    return (wrapper - same) / (late - same) if late > 1.1 * same and wrapper > same else None


def named(operation, way, engine="java"):
    """The name of a result and its bar: no type may be slower than the wrapper; an empty call is no type. Bars are the default engine's."""
    kind = operation[-1]
    bound = "" if operation == "noop" else ">= 0.95"
    if operation.startswith("put_"):
        operation, bound = kind, BARS[way].get(kind, STRUCTS[way])
    return f"{engine}_{way}_vs_wrapper_{operation}", bound if engine == "java" else ""


def by_type(kit, times, report, only):
    wanted = [operation for operation in operations() if only(operation)]
    try:
        with Locals(kit) as programs:
            while wanted:
                one_type(programs, wanted[0], times, report)
                del wanted[0]
    except Unmeasurable as reason:
        say(f"in one process: {reason}")
        for operation in wanted:
            for engine, way in ((engine, way) for engine in ("java", "java_ffm") for way in ("up", "down")):
                name, bound = named(operation, way, engine)
                report.add(name, "ratio", bound, reason=str(reason))


def one_type(programs, operation, times, report):
    say(f"in one process: {operation}")
    series = measured(programs, operation, 0 if operation == "noop" else elements(operation[-1]), times)
    if len(series) < len(programs.ways):
        raise Unmeasurable("a Java program has ended")
    programs.pin()
    report.more["series"]["local"][operation] = series
    for way in ("up", "down"):
        name, bound = named(operation, way)
        note = "us: " + shown({key: series[key] for key in (f"{way}-wrapper", f"{way}-late")})
        beyond = border(series, way)
        if beyond is not None:
            note += f"; both less the same call in C++ alone, {statistics.median(series['c++']) / 1000:.2f}: {beyond:.3g}"
        report.add(name, "ratio", bound, ratios(series, f"{way}-wrapper", f"{way}-late", {}), note)
        name, bound = named(operation, way, "java_ffm")
        if programs.absent:
            report.add(name, "ratio", bound, reason=programs.absent)
            continue
        pair = (f"{way}-wrapper-ffm", f"{way}-ffm")
        report.add(name, "ratio", bound, ratios(series, *pair, {}), "us: " + shown({key: series[key] for key in pair}))


def by_size(kit, times, report):
    with Locals(kit) as programs:
        for octets in SIZES:
            say(f"in one process: put_E, {octets} octets")
            report.more["series"]["local_sizes"][str(octets)] = measured(programs, "put_E", elements("E", octets), times)


def checked(kit, report):
    def sums():
        wrong = 0
        with Locals(kit) as programs:
            for kind in OCTETS:
                for count in (0, 1, 7, elements(kind)):
                    wrong += sum(changed(way, lambda text, w=way: programs.ask(w, text), kind, count) for way in programs.ways)
        return [wrong], f"{len(programs.ways)} ways" + (f"; {programs.absent}" if programs.absent else "")

    report.attempt("wrong_values_local", "sequences", "<= 0", sums)
