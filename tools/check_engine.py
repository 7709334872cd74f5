#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_engine.py [--nm NM] [--throws SOURCE]... [--only SOURCE]... LIBRARY...: looks for exceptions and type information in the engine's libraries.

An object of the engine (docs/decisions/0044-no-exceptions-in-the-engine.md) may neither throw, catch nor clean up after an exception, and
needs no type information. --throws names a source that may; --only names the sources of a library with exceptions that may not.
Exit 1: one does, and which; 2: usage."""
import argparse
import re
import subprocess
import sys

# What an object refers to that throws, catches, cleans up or asks for a type.
FORBIDDEN = re.compile(r"__cxa_(throw|rethrow|begin_catch|end_catch|allocate_exception|call_unexpected)|_Unwind_Resume|"
                       r"__gxx_personality|__dynamic_cast|_ZTI|_ZTVN10__cxxabiv1")


def findings(listing, throws, only=()):
    """Of what `nm --undefined-only` prints of archives: (object, symbol) pairs that are not allowed; and how many objects were seen.
    `only`: if not empty, other objects are passed over."""
    found, objects, name, counts = [], 0, "", True
    for line in listing.splitlines():
        if line.endswith(":"):
            name = line[:-1].removesuffix(".o")
            counts = not only or name in only
            objects += name != "" and counts
        elif counts and line.split() and name not in throws and FORBIDDEN.match(line.split()[-1]):
            found.append((name, line.split()[-1]))
    return found, objects


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--throws", action="append", default=[], metavar="SOURCE")
    parser.add_argument("--only", action="append", default=[], metavar="SOURCE")
    parser.add_argument("libraries", nargs="+", metavar="LIBRARY")
    given = parser.parse_args(arguments)
    bad, seen = 0, 0
    for library in given.libraries:
        listing = subprocess.run([given.nm, "--undefined-only", library], capture_output=True, text=True, check=True).stdout
        found, objects = findings(listing, given.throws, given.only)
        if objects == 0:
            print(f"{library}: no objects")
            bad += 1
        for name, symbol in found:
            print(f"{library}: {name} refers to {symbol}: the engine neither throws nor catches and asks for no type")
        bad += len(found)
        seen += objects
    if given.only and seen != len(given.only):
        print(f"of {len(given.only)} sources {seen} were found")
        bad += 1
    print(f"{len(given.libraries)} libraries, {bad} findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
