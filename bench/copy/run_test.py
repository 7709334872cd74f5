#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/copy works: with --quick it measures every size over each transport. How fast anything is, is not looked at.

  bench/copy/run_test.py BUILD
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RATIOS = {f"{transport}_lent_vs_copied_{size}" for transport in ("tcp", "uiop") for size in (512, 1024, 2048, 4096, 8192, 16384, 32768)}
THRESHOLDS = {"tcp_lend_from", "uiop_lend_from"}


def problems(results):
    found = [f"{name} is missing" for name in sorted((RATIOS | THRESHOLDS) - set(results))]
    found += [f"{name} was not measured: {results[name]['note']}" for name in sorted(RATIOS & set(results)) if results[name]["value"] is None]
    # One short block may find any size, or none.
    found += [f"{name}: {results[name]['note']}" for name in sorted(THRESHOLDS & set(results))
              if not results[name]["note"].startswith(("the smallest of", "lending was slower up to 32768"))]
    return found


def main():
    with tempfile.TemporaryDirectory(prefix="copy-") as folder:
        path = os.path.join(folder, "report.json")
        subprocess.run([os.path.join(HERE, "run"), "--quick", "--no-build", "--build", sys.argv[1], "--json", path], check=True)
        with open(path, encoding="utf-8") as file:
            found = problems({result["name"]: result for result in json.load(file)["results"]})
    print("\n".join(found) or "everything was measured")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
