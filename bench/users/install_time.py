# SPDX-License-Identifier: Apache-2.0
"""How long a first user waits: ./dev install, of a fresh clone, static and shared, two jobs, no compiler cache.

Packages are installed before the clock starts. The clone is of what is committed.
"""
import os
import resource
import shutil
import subprocess
import tempfile
import time

from programs import Unmeasurable
from report import ROOT, say

LIMIT_S = 3600
WANTED = ("lib/libtenon.a", "lib/libtenon.so.1", "lib/pkgconfig/tenon.pc", "include/tenon/tenon.hpp", "bin/tenon-idl")


def run(command, log, **how):
    try:
        done = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False, **how)
    except subprocess.TimeoutExpired:
        raise Unmeasurable(f"{' '.join(command)} took more than {LIMIT_S} s") from None
    if done.returncode != 0:
        log.seek(0)
        raise Unmeasurable(f"{' '.join(command)} failed: " + " / ".join(log.read().splitlines()[-3:]))


def install_once():
    """Seconds by the clock, seconds of processors."""
    folder = tempfile.mkdtemp(prefix="bench-")
    try:
        clone, prefix = os.path.join(folder, "tenon"), os.path.join(folder, "prefix")
        with open(os.path.join(folder, "log"), "w+", encoding="utf-8", errors="replace") as log:
            run(["git", "-c", f"safe.directory={ROOT}", "clone", "--quiet", "--no-hardlinks", ROOT, clone], log)
            run(["bash", "-c", "source tools/repo/common.sh; need build"], log, cwd=clone)
            environment = {**os.environ, "CCACHE_DISABLE": "1", "JOBS": "2"}
            environment.pop("DESTDIR", None)
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            run(["./dev", "install", "--prefix", prefix], log, cwd=clone, env=environment)
            seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        missing = [name for name in WANTED if not os.path.exists(os.path.join(prefix, name))]
        if missing:
            raise Unmeasurable("./dev install left out " + ", ".join(missing))
        return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure(build, report, rounds):
    """One run, however many rounds: it takes minutes. `build` is not used."""
    del build, rounds

    def once():
        load = os.getloadavg()[0]
        seconds, processors = install_once()
        return [seconds], (f"a fresh clone, static and shared, 2 jobs, no cache; {processors:.0f} s of processors; the load before "
                           f"was {load:.1f}")

    say("install: a fresh clone is built (takes minutes)")
    report.attempt("install_seconds", "s", "<= 300", once)
