# SPDX-License-Identifier: Apache-2.0
"""Calls over TCP, client and server on one core: each pair of late.idl's programs, by type and by size, and Java beside JacORB."""
import contextlib
import functools

from contenders import OCTETS, elements, shown
from programs import Unmeasurable
from report import ratios, say

PAIRS = ["c++>c++", "java>c++", "c++>java", "java>java", "c++>omniorb", "java>omniorb", "jacorb>omniorb", "omniorb>c++",
         "omniorb>java", "omniorb>jacorb", "omniorb>omniorb", "jacorb>jacorb", "wrapper>c++", "c++>wrapper", "jacorb>c++", "c++>jacorb"]
# Each program in each role.
FEW = ["c++>c++", "java>omniorb", "omniorb>java", "wrapper>c++", "c++>wrapper", "jacorb>omniorb", "omniorb>jacorb"]
SIZES = [64 << i for i in range(10)]
# (part of the name, ours, JacORB's, that of C++)
PLACES = [("client", "java>omniorb", "jacorb>omniorb", "c++>omniorb"), ("servant", "omniorb>java", "omniorb>jacorb", "omniorb>c++")]
BY_SIZE = ["java>c++", "c++>java", "wrapper>c++", "c++>wrapper", "jacorb>c++", "c++>jacorb", "c++>c++"]


def bars():
    """(name, operation, ours, JacORB's, that of C++, bar)"""
    for part, ours, other, native in PLACES:
        for operation in ("noop", "put_E", "get_E", "put_F", "get_F"):
            bound = "<= 0.5" if operation == "noop" else "<= 0.8" if (part, operation) == ("servant", "get_E") else "<= 0.6"
            yield f"java_rtt_vs_jacorb_{part}_{operation}", operation, ours, other, native, bound


def operations():
    return ["noop", *(f"{verb}_{kind}" for kind in OCTETS for verb in ("put", "get"))]


def measured(pairs, operation, count, times):
    def asking(pair):
        return lambda number: pair.ask(f"{operation} {count} {number}")

    return times.of({name: asking(pair) for name, pair in pairs.items()})


def by_type(kit, times, report, only):
    with contextlib.ExitStack() as stack:
        pairs, absent = kit.start(PAIRS, stack)
        for operation in [each for each in operations() if only(each)]:
            say(f"over TCP: {operation}")
            count = 0 if operation == "noop" else elements(operation[-1])
            series = measured(pairs, operation, count, times)
            report.more["series"]["remote"][operation] = series
            for name, of, ours, other, native, bound in bars():
                if of == operation:
                    note = shown({key: series[key] for key in (ours, other, native) if key in series})
                    report.attempt(name, "ratio", bound, lambda o=ours, t=other, n=note: (ratios(series, o, t, absent), "us: " + n))
            lazy_views(operation, report)


def lazy_views(operation, report):
    """Their bars have a place before they are there."""
    bound = {"put_E": "<= 1.3", "put_F": "<= 2.0"}.get(operation)
    if bound:
        report.add(f"java_lazy_vs_cpp_{operation[-1]}", "ratio", bound, reason="lazy views are not part of Tenon yet")


def by_size(kit, times, report):
    with contextlib.ExitStack() as stack:
        pairs, _ = kit.start(BY_SIZE, stack)
        for octets in SIZES:
            say(f"over TCP: put_E, {octets} octets")
            report.more["series"]["remote_sizes"][str(octets)] = measured(pairs, "put_E", elements("E", octets), times)


def checked(kit, report, names):
    """Each of these pairs carries every type unchanged: the sums of both directions are those that all pairs have."""
    def sums():
        with contextlib.ExitStack() as stack:
            pairs, absent = kit.start(names, stack)
            if not pairs:
                raise Unmeasurable("; ".join(absent.values()))
            wrong = 0
            for kind in OCTETS:
                for count in (0, 1, 7, elements(kind)):
                    wrong += sum(changed(name, pair.ask, kind, count) for name, pair in pairs.items())
        return [wrong], f"{len(pairs)} pairs" + "".join(f"; {name}: {reason}" for name, reason in absent.items())

    report.attempt("wrong_values_remote", "sequences", "<= 0", sums)


@functools.cache
def total(shorts):
    """What the programs answer for so many shorts of the pattern."""
    return sum((place + 1) * ((place * 7919 + 13) & 0xFFFF) for place in range(shorts)) % (1 << 64)


def changed(name, ask, kind, count):
    """Whether a sequence of so many elements was not the pattern where it arrived, or when it came back. Each is sent twice."""
    expected = total(count * OCTETS[kind] // 2)
    for _ in range(2):
        answer = ask(f"check_{kind} {count} 1")
        if answer != f"{expected} {expected}":
            say(f"{name}: put and get of {count} elements of Sequence{kind}: the sums are {answer} instead of {expected}")
            return True
    return False
