#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/tls works: with --quick it measures everything that it is to measure. How fast anything is, is not looked at.

  bench/tls/run_test.py BUILD
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {"tls_noop_p50_vs_raw", "tls_noop_vs_omniorb_ssl", "tls_flood_octet_vs_raw", "tls_handshakes_per_s_vs_raw",
         "tls_resumed_handshakes_per_s_vs_raw", "tls_idle_connection_kib"}
# Reasons that the machine has, not the benchmark.
MACHINES = r"needs two cores|\w*omniorb\w* is not built|openssl is not installed"


def problems(results):
    found = [f"{name} is missing" for name in sorted(NAMES - set(results))]
    found += [f"{name} is not known to this test" for name in sorted(set(results) - NAMES)]
    for name, result in results.items():
        if result["value"] is None:
            if not re.fullmatch(MACHINES, result["note"]):
                found.append(f"{name} was not measured: {result['note']}")
        elif result["value"] <= 0:
            found.append(f"{name} is {result['value']}")
    return found


def main():
    with tempfile.TemporaryDirectory(prefix="tls-test-") as folder:
        path = os.path.join(folder, "report.json")
        # Status 1 says that a program without an ORB was slower, as may be in one short round.
        subprocess.run([os.path.join(HERE, "run"), "--quick", "--no-build", "--build", sys.argv[1], "--json", path], check=False)
        with open(path, encoding="utf-8") as file:
            found = problems({result["name"]: result for result in json.load(file)["results"]})
    print("\n".join(found) or "everything was measured")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
