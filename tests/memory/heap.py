#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an ORB takes from the heap after its start: allocations of a client and of a server by call stack, most frequent first.

  tests/memory/heap.py [--program FILE] [--calls N] [--each N] [--way WAY]... [--transport iiop|uiop]... [--list COUNT] [--owner OWNER] [--frames COUNT]
                       [--steady MOST] [--most MOST] [--known]

Every allocation has an owner: the ORB; the program, which are its servants and the values of its calls; or the language, which are
exception objects. The first frame of the stack that is neither of the C++ library nor of a reader of values says whose it is.
"""
import argparse
import bisect
import collections
import itertools
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WAYS = ("single-thread", "thread-per-connection", "pool")
PHASES = ("first calls", "calls", "user exceptions", "system exceptions", "time-outs", "reconnects", "refusals", "oneways")
OWNERS = ("orb", "program", "language")
# A reference to a port at which nobody can listen.
ABSENT = {"iiop": "corbaloc:iiop:1.2@127.123.123.123:1/Nobody", "uiop": "corbaloc:uiop:1.2@@tenon-nobody|Nobody"}

EXCEPTION = re.compile(r"!__cxa_allocate")
# Who asked for the memory is further up.
NEUTRAL = re.compile(r"!|^(operator new|std::|__gnu_cxx::|void std::|bool std::|\?|counting::|malloc|calloc|realloc|memalign)"
                     r"|^(\S+ )?tenon::(cdr|marshal|allocate|make_room)\b")
# Stubs, skeletons, servants, and how values are written and read. run_built_in() makes the argument of _is_a().
PROGRAM = re.compile(r"^(\S+ )?(Param|Heap|heap|POA_\w+|IDL)::|::\(anonymous namespace\)::Client|^(auto )?\(anonymous namespace\)|^main$|^param::"
                     r"|tenon::gen::(\(anonymous namespace\)::)?run_built_in\("
                     r"|^(\S.* )?tenon::gen::(\(anonymous namespace\)::)?(Codec|get|put|read|write|decode|encode|Held|Kept)"
                     r"|tenon::gen::(Codec|Sequence|String|Array|Map)<|tenon::FunctionRef<.*\b(Param|Heap)::")

Allocation = collections.namedtuple("Allocation", "role phase count octets owner frames")


class Failed(Exception):
    """Why nothing was measured."""


class Names:
    """Functions of a program by address."""

    def __init__(self, program):
        lines = subprocess.run(["nm", "-C", "-n", "--defined-only", program], capture_output=True, text=True, check=True).stdout
        found = [line.split(" ", 2) for line in lines.splitlines()]
        self.symbols = [(int(at, 16), name) for at, kind, name in found if kind in "tTwW"]
        self.starts = [at for at, _ in self.symbols]

    def name(self, frame):
        if "!" in frame or frame == "?":
            return frame
        at = bisect.bisect(self.starts, int(frame, 16)) - 1
        return self.symbols[at][1] if at >= 0 else "?"


def owner_of(frames):
    if any(EXCEPTION.search(frame) for frame in frames[:3]):
        return "language"
    for frame in frames:
        if not NEUTRAL.search(frame):
            return "program" if PROGRAM.search(frame) else "orb"
    return "program"


def read(role, text, names):
    found = collections.Counter()
    octets = collections.Counter()
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["L"]:
            raise Failed(f"the {role} had no place to count {words[1]} allocations in")
        if words[:1] == ["A"]:
            key = (PHASES[int(words[1])], tuple(names.name(frame) for frame in words[4:]))
            found[key] += int(words[2])
            octets[key] += int(words[3])
    return [Allocation(role, phase, count, octets[phase, frames], owner_of(frames), frames)
            for (phase, frames), count in found.most_common()]


def measure(program, way, calls, each, known=False, transport="iiop"):
    """The allocations of client and server, that serves in this way; with `known` both have limits."""
    names = Names(program)
    limits = ["known"] if known else []
    with subprocess.Popen([program, "server", way, transport, *limits], stdout=subprocess.PIPE, text=True) as server:
        try:
            references = server.stdout.readline().split()
            if len(references) != 2:
                raise Failed("the server did not start")
            client = subprocess.run([program, "client", *references, ABSENT[transport], str(calls), str(each), *limits], capture_output=True, text=True,
                                    timeout=600)
            if client.returncode != 0:
                raise Failed(client.stderr.strip() or f"the client ended with status {client.returncode}")
            text, _ = server.communicate(timeout=60)
        except subprocess.TimeoutExpired as error:
            raise Failed("the client or the server does not end") from error
        finally:
            if server.poll() is None:
                server.kill()
    return read("client", client.stdout, names) + read("server", text, names)


def totals(found, owner):
    """{role: allocations of this owner}"""
    return {role: sum(each.count for each in found if (each.role, each.owner) == (role, owner)) for role in ("client", "server")}


def of_orb(program, transports, calls=100_000, each=1000):
    """Allocations of an ORB with limits, the worse of client and server, over all ways of serving and these transports."""
    return max(max(totals(measure(program, way, calls, each, known=True, transport=transport), "orb").values())
               for transport in transports for way in WAYS)


def print_totals(found):
    print(f"  {'phase':18}" + "".join(f"{role + ' ' + owner:>18}" for role in ("client", "server") for owner in OWNERS))
    for phase in PHASES:
        counts = [sum(each.count for each in found if (each.role, each.phase, each.owner) == (role, phase, owner))
                  for role in ("client", "server") for owner in OWNERS]
        print(f"  {phase:18}" + "".join(f"{count:18}" for count in counts))


def print_list(found, asked):
    # By the frames that are shown: what differs further up is one place.
    places = collections.Counter()
    where = collections.defaultdict(collections.Counter)
    for each in found:
        if each.owner == asked.owner:
            key = (each.role, tuple(frame for frame in each.frames if not re.match(r"^(malloc|calloc|realloc|counting::)", frame))
                   [:asked.frames])
            places[key] += each.count
            where[key][each.phase] += each.count
    for (role, frames), count in places.most_common(asked.list):
        print(f"{count:9} {role}: " + ", ".join(f"{phase} {number}" for phase, number in where[role, frames].most_common()))
        for frame in frames:
            print(f"            {frame if len(frame) < 150 else frame[:147] + '...'}")


def main():
    parser = argparse.ArgumentParser(description="what an ORB takes from the heap after its start")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "dev", "tests", "memory", "heap"), help="(default: of build/dev)")
    parser.add_argument("--calls", type=int, default=100_000, help="of all types of Param_Test (default: 100,000)")
    parser.add_argument("--each", type=int, default=1000, help="exceptions, time-outs, reconnects, refusals, oneways (default: 1,000)")
    parser.add_argument("--way", choices=WAYS, action="append", help="of serving (default: all)")
    parser.add_argument("--transport", choices=tuple(ABSENT), action="append", help="(default: both)")
    parser.add_argument("--known", action="store_true", help="with limits, so that all memory is taken at the start")
    parser.add_argument("--list", type=int, default=0, metavar="COUNT", help="show so many call stacks")
    parser.add_argument("--owner", choices=OWNERS, default="orb", help="whose call stacks (default: the ORB's)")
    parser.add_argument("--frames", type=int, default=8, help="of a call stack (default: 8)")
    parser.add_argument("--most", type=int, metavar="MOST", help="fail if the ORB allocates more often than this")
    parser.add_argument("--steady", type=int, metavar="MOST", help="fail if the ORB allocates more often than this while calls of "
                        "Param_Test are made on connections that exist")
    asked = parser.parse_args()
    for transport, way in itertools.product(asked.transport or ABSENT, asked.way or WAYS):
        try:
            found = measure(asked.program, way, asked.calls, asked.each, asked.known, transport)
        except (Failed, OSError) as reason:
            sys.exit(f"heap: {reason}")
        print(f"{way}, {transport}: allocations of the ORB after its start: {totals(found, 'orb')}")
        print_totals(found)
        print_list(found, asked)
        whole = max(totals(found, "orb").values())
        if asked.most is not None and whole > asked.most:
            print_list(found, argparse.Namespace(owner="orb", list=20, frames=asked.frames))
            sys.exit(f"heap: {whole} allocations of the ORB, and at most {asked.most} were expected")
        steady = sum(each.count for each in found if (each.phase, each.owner) == ("calls", "orb"))
        if asked.steady is not None and steady > asked.steady:
            sys.exit(f"heap: {steady} allocations of the ORB in {asked.calls} ordinary calls, and at most {asked.steady} were expected")


if __name__ == "__main__":
    main()
