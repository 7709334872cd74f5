#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/late works: each program, in each role, and each way carries every type unchanged; with --all, each pair does, and everything is
measured that is to be. How fast anything is, is not looked at.

  bench/late/run_test.py BUILD [--all]
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "common")]
import memory  # noqa: E402
import remote  # noqa: E402
import wrappers  # noqa: E402

CHECKS = {"wrong_values_remote", "wrong_values_local"}
TYPES = "ABCDEF"
BARS = {*(name for name, *_ in remote.bars()), *(name for name, *_ in remote.LAZY_VS_CPP), *(name for name, *_ in remote.VIEWS),
        *(f"java{ffm}_{way}_vs_wrapper_{kind}" for ffm in ("", "_ffm") for way in ("up", "down") for kind in TYPES),
        "java_footprint_native_kib", "java_footprint_jar_kib", *wrappers.names()}
MAY_BE_NEGATIVE = {"java_footprint_rss_mb", "java_ffm_footprint_rss_mb", *(f"leak_{way}" for way in memory.LEAKS)}
# Reasons that the machine has, not the benchmark.
MACHINES = r"(JacORB|omniORB|the Java run time|\w+ is not installed|no Java 22|network namespaces).*"
# Their programs live for seconds: what the optimizing compiler would do comes too late for them.
BRIEF = "-Xmx96m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"


def problems(results, names):
    found = [f"{name} is missing" for name in sorted(names - set(results))]
    for name, result in results.items():
        if result["value"] is None:
            if not re.match(MACHINES, result["note"]):
                found.append(f"{name} was not measured: {result['note']}")
        elif name in CHECKS and result["value"] != 0:
            found.append(f"{name}: {result['value']:.0f} sequences came back changed")
        elif name in BARS and result["value"] <= 0:
            found.append(f"{name} is {result['value']}")
    return found


def main():
    everything = "--all" in sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="late-test-") as folder:
        path = os.path.join(folder, "report.json")
        more = ["--quick"] if everything else ["--only", "check", "--few"]
        subprocess.run([os.path.join(HERE, "run"), *more, f"--java-options={BRIEF}", "--no-build", "--build", sys.argv[1], "--json", path],
                       check=True)
        with open(path, encoding="utf-8") as file:
            results = {result["name"]: result for result in json.load(file)["results"]}
    found = problems(results, CHECKS | BARS | MAY_BE_NEGATIVE if everything else CHECKS)
    print("\n".join(found) or ("everything was measured" if everything else "every value came back as it was sent"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
