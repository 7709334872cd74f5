# SPDX-License-Identifier: Apache-2.0
"""Calls over TCP, client and server on one core: each pair of late.idl's programs, by type and by size, and Java beside JacORB."""
import contextlib
import functools

from contenders import OCTETS, elements, shown
from programs import Unmeasurable
from report import ratios, say

# Those of a group are interleaved: what is compared stands in one. Many virtual machines that take turns find their caches cold.
GROUPS = [["java>omniorb", "jacorb>omniorb", "c++>omniorb", "omniorb>omniorb"],
          ["omniorb>java", "omniorb>jacorb", "omniorb>c++"],
          ["c++>c++", "java>c++", "c++>java", "ffm>c++", "c++>ffm", "wrapper>c++", "c++>wrapper", "jacorb>c++", "c++>jacorb"],
          ["java>java", "jacorb>jacorb"]]
PAIRS = [name for group in GROUPS for name in group]
# Each program in each role.
FEW = ["c++>c++", "java>omniorb", "omniorb>java", "ffm>omniorb", "omniorb>ffm", "wrapper>c++", "c++>wrapper", "jacorb>omniorb", "omniorb>jacorb"]
SIZES = [64 << i for i in range(10)]
# (part of the name, ours, JacORB's, that of C++)
PLACES = [("client", "java>omniorb", "jacorb>omniorb", "c++>omniorb"), ("servant", "omniorb>java", "omniorb>jacorb", "omniorb>c++")]
BY_SIZE = ["java>c++", "c++>java", "ffm>c++", "c++>ffm", "wrapper>c++", "c++>wrapper", "jacorb>c++", "c++>jacorb", "c++>c++"]


def bars():
    """(name, operation, ours, JacORB's, that of C++, bar)"""
    for part, ours, other, native in PLACES:
        for operation in ("noop", "put_E", "get_E", "put_F", "get_F"):
            bound = "<= 0.5" if operation == "noop" else "<= 0.8" if (part, operation) == ("servant", "get_E") else "<= 0.6"
            yield f"java_rtt_vs_jacorb_{part}_{operation}", operation, ours, other, native, bound


# (name, ours, JacORB's without views, that of C++, the operation, that of JacORB, bar): lazy views, of which each field is read. Of omniORB's
# round trips omniORB's own part is larger than the bar, so that its peer is Tenon's C++.
VIEWS = [(f"java_rtt_vs_jacorb_lazy_{part}_{kind}{of}", ours, other, native, f"{verb}_{kind}", f"{plain}_{kind}", bound)
         for kind in "EF" for part, ours, other, native, verb, plain, of, bound in (
             ("client", "java>c++", "jacorb>c++", "c++>c++", "read", "get", "", "<= 0.3"),
             ("servant", "c++>java", "c++>jacorb", "c++>c++", "view", "put", "", "<= 0.3"),
             ("client", "java>omniorb", "jacorb>omniorb", "c++>omniorb", "read", "get", "_of_omniorb", ""),
             ("servant", "omniorb>java", "omniorb>jacorb", "omniorb>c++", "view", "put", "_of_omniorb", ""))]
# By engine, which stand for their Java as well.
LAZY_VS_CPP = [(f"{name}_lazy_vs_cpp_{kind}", pair, f"view_{kind}", bound) for kind, bound in (("E", "<= 1.3"), ("F", "<= 2.0"))
               for name, pair in (("java", "c++>java"), ("java_ffm", "c++>ffm"))]


def operations():
    return ["noop", *(f"{verb}_{kind}" for kind in OCTETS for verb in ("put", "get"))]


def with_views():
    return [f"{verb}_{kind}" for kind in "EF" for verb in ("view", "read")]


def takes(name, operation):
    """Whether the pair has the operation: views are Tenon's, those of results Java's."""
    client, server = name.split(">")
    if operation.startswith("view_"):
        return server in ("java", "ffm", "c++") and client in ("java", "ffm", "c++", "omniorb")
    return client in ("java", "ffm") if operation.startswith("read_") else True


def measured(pairs, operation, count, times):
    def asking(pair):
        return lambda number: pair.ask(f"{operation} {count} {number}")

    return times.of({name: asking(pair) for name, pair in pairs.items() if takes(name, operation)})


def by_type(kit, times, report, only, names):
    rows, absent = report.more["series"]["remote"], {}
    wanted = [operation for operation in operations() + with_views() if only(operation)]
    for group in GROUPS:
        with contextlib.ExitStack() as stack:
            pairs, missing = kit.start([name for name in group if name in names], stack)
            absent |= missing
            for operation in wanted if pairs else []:
                say(f"over TCP: {operation} ({', '.join(pairs)})")
                count = 0 if operation == "noop" else elements(operation[-1])
                rows.setdefault(operation, {}).update(measured(pairs, operation, count, times))
    for name, operation, ours, other, native, bound in bars():
        if operation in wanted:
            series = rows.get(operation, {})
            note = shown({key: series[key] for key in (ours, other, native) if key in series})
            report.attempt(name, "ratio", bound, lambda s=series, o=ours, t=other, n=note: (ratios(s, o, t, absent), "us: " + n))
    lazy_views(report, rows, wanted, absent)


def lazy_views(report, rows, wanted, absent):
    for name, pair, operation, bound in LAZY_VS_CPP:
        if operation in wanted:
            series = rows.get(operation, {})
            note = shown({key: series[key] for key in (pair, "c++>c++") if key in series})
            report.attempt(name, "ratio", bound, lambda s=series, p=pair, n=note: (ratios(s, p, "c++>c++", absent), "us: " + n))
    for name, ours, other, native, operation, plain, bound in VIEWS:
        if operation in wanted and plain in wanted:
            found = {ours: rows.get(operation, {}).get(ours), other: rows.get(plain, {}).get(other), native: rows.get(plain, {}).get(native)}
            series = {key: values for key, values in found.items() if values}
            report.attempt(name, "ratio", bound, lambda s=series, o=ours, t=other: (ratios(s, o, t, absent), "us: " + shown(s)))


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
