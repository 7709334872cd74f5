#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Cubit benchmark works: bench/cubit/run --quick measures everything that it is to measure. How fast things are is not looked at.

  bench/cubit/run_test.py BUILD
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FLOODS = [f"{transport}_flood_{kind}_vs_{other}" for transport in ("tcp", "uiop")
          for kind in ("octet", "double", "long", "short", "char", "binstruct") for other in ("raw", "omniorb")]
ZERO_COPY = [f"{transport}_flood_octet_zero_copy_vs_raw" for transport in ("tcp", "uiop")]
NAMES = {"system_call_ns", "tcp_noop_p50_vs_raw", "uiop_noop_p50_vs_raw", "orb_share_tcp", "uiop_calls_vs_iiop", *FLOODS, *ZERO_COPY,
         "noop_instructions", "syscalls_client", "syscalls_server", "uiop_noop_instructions", "uiop_syscalls_client",
         "uiop_syscalls_server", "octet_64k_extra_instructions", "shmiop_noop_p50_vs_raw", "shmiop_instructions_vs_tcp",
         "shmiop_calls_vs_iiop", "shmiop_1mib_copied_vs_iiop", "shmiop_1mib_view_vs_iiop", "shmiop_syscalls_client",
         "shmiop_syscalls_server"}
# Reasons that the machine has, not the benchmark.
MACHINES = r"needs two cores|(valgrind|strace) is not (installed|permitted here)|\w*omniorb\w* is not built"
# A count that no ORB can have; what is far from it was not counted.
BETWEEN = {"noop_instructions": (500, 20000), "uiop_noop_instructions": (500, 20000), "octet_64k_extra_instructions": (1000, 1e6),
           "syscalls_client": (1, 10), "syscalls_server": (1, 10), "uiop_syscalls_client": (1, 10), "uiop_syscalls_server": (1, 10),
           # two that look into the ring while the other one writes need none
           "shmiop_syscalls_client": (-1, 10), "shmiop_syscalls_server": (-1, 10), "shmiop_instructions_vs_tcp": (0.2, 3)}


def problems(report):
    results = {result["name"]: result for result in report["results"]}
    found = [f"{name} is missing" for name in sorted(NAMES - set(results))]
    found += [f"{name} is not known to this test" for name in sorted(set(results) - NAMES)]
    for name, result in results.items():
        value, (least, most) = result["value"], BETWEEN.get(name, (0, float("inf")))
        if value is None:
            if not re.fullmatch(MACHINES, result["note"]):
                found.append(f"{name} was not measured: {result['note']}")
        elif not least < value < most and name != "orb_share_tcp":
            found.append(f"{name} is {value}, not between {least} and {most}")
    return found + table_problems(report)


def table_problems(report):
    tables = report.get("tables", [])
    if len(tables) != 1 or len(tables[0]["rows"]) != 9:
        return ["there is no table of nine types"]
    return [f"{row[0]}: {column} was not measured" for row in tables[0]["rows"] for column, value in zip(tables[0]["columns"], row)
            if value is None and column.startswith("tenon")]


def main():
    with tempfile.TemporaryDirectory(prefix="cubit-") as folder:
        path = os.path.join(folder, "report.json")
        status = subprocess.run([os.path.join(HERE, "run"), "--quick", "--no-build", "--build", sys.argv[1], "--json", path],
                                check=False).returncode
        if status != 0:
            sys.exit(f"bench/cubit/run ended with status {status}")
        with open(path, encoding="utf-8") as file:
            found = problems(json.load(file))
    print("\n".join(found) or "everything was measured")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
