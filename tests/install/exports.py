#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""exports.py ARCHIVE LIBRARY: whether the shared library shows what it should.

Every symbol has a version. What the static library defines for others, the shared one shows too, but for the C++ library's
own templates, what the compiler made up, and the protocols (cmake/libtenon.namespaces).
"""
import re
import subprocess
import sys

HIDDEN = re.compile(r"_Z[A-Z]*K?(St|S[absiod]|9__gnu_cxx)|_ZTC"  # the C++ library's, the compiler's
                    r"|_Z[A-Zhvn\d_]*5tenon(4[a-z]iop|6shmiop|6inproc)")


def names(file, *options):
    lines = subprocess.run(["nm", "--extern-only", "--defined-only", *options, file], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if len(line.split()) == 3}


def main():
    archive, library = sys.argv[1:]
    shown = {name for name in names(library, "--dynamic") if not re.fullmatch(r"TENON_\d+", name)}
    faults = [f"without a version: {name}" for name in shown if not re.search(r"@@TENON_\d+$", name)]
    shown = {name.split("@")[0] for name in shown}
    faults += [f"of the C++ library: {name}" for name in shown if re.match(r"_ZN?K?St", name)]
    faults += [f"hidden: {name}" for name in names(archive) - shown if name.startswith("_Z") and not HIDDEN.match(name)]
    for fault in sorted(faults):
        print(fault)
    if faults:
        print("cmake/libtenon.namespaces says what the shared library shows: is a namespace missing there?")
    return 1 if faults or not shown else 0


if __name__ == "__main__":
    sys.exit(main())
