#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Tenon's programs of the interoperability tests, each machine's server against each machine's client.

  run_pairs.py [--jobs N] [--only TEXT] HOST_BUILD CROSS_BUILD...

The folders are builds: the first one is the build machine's, the others have programs of other machines, which run under an emulator
(tests/cross/CMakeLists.txt). So bytes in both orders and words of both sizes meet. A pair of the build machine with itself is left out:
the ordinary tests run it. Exit status: 0 when every pair has passed.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys

RUN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "interop", "run.py")
# Suite (tests/interop/run.py), the programs' common name, variants. Where both machines are emulated, the first variant is enough.
SUITES = [("", "interop_tenon_", ["giop12", "giop11", "giop10", "mixed", "fragments", "pool"]),
          ("values", "interop_tenon_values_", ["giop12", "fragments"])]


def program(build, host, name, suite):
    if build != host:
        return os.path.join(build, "tests", "cross", f"run_{name}")
    return os.path.join(build, "tests", "interop", "values" if suite else "tenon", name)


def cases(builds):
    host = builds[0]
    for server in builds:
        for client in builds:
            if server == client == host:
                continue
            for suite, common, variants in SUITES:
                for variant in variants if host in (server, client) else variants[:1]:
                    name = f"{os.path.basename(server)} server, {os.path.basename(client)} client, {suite or 'echo'} {variant}"
                    yield name, [sys.executable, RUN, "--server", "tenon=" + program(server, host, common + "server", suite),
                                 "--client", "tenon=" + program(client, host, common + "client", suite),
                                 *(["--suite", suite] if suite else []), variant,
                                 # A long double has 53, 64 or 113 bits.
                                 *(["--client-option=--double-digits"] if server != client and not suite else [])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="only pairs whose name contains this")
    parser.add_argument("builds", nargs="+")
    options = parser.parse_args()
    wanted = [case for case in cases([os.path.abspath(build) for build in options.builds]) if options.only in case[0]]
    if not wanted:
        parser.error(f"no pair is called '{options.only}'")

    def run(case):
        return subprocess.run(case[1], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, _), done in zip(wanted, pool.map(run, wanted)):
            if done.returncode != 0:
                failed += 1
                print(done.stdout, end="")
            last = done.stdout.strip().rpartition("\n")[2]
            print(f"{'ok  ' if done.returncode == 0 else 'FAIL'} {name}: {last or done.returncode}", flush=True)
    print(f"{len(wanted) - failed} of {len(wanted)} pairs passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
