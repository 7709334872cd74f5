# SPDX-License-Identifier: Apache-2.0
"""What a test does that needs a tool or a peer that is not there (in C++: src/base/absent_test_support.hpp)."""
import os


def not_run(why):
    """Says so and returns the exit status: 77, which ctest takes as skipped, or failure where CI is `true`."""
    in_ci = os.environ.get("CI") == "true"
    print(f"{'missing under CI' if in_ci else 'not run'}: {why}", flush=True)
    return 1 if in_ci else 77
