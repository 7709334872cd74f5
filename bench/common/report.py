# SPDX-License-Identifier: Apache-2.0
"""The common parts of all benchmarks of bench/: options, building what they run, and the report on screen and as JSON.

A benchmark is a script bench/NAME/run that calls run_benchmark(); its programs are made by the target bench_NAME. Nothing here
knows what a number means.
"""
import argparse
import datetime
import importlib
import json
import os
import platform
import statistics
import subprocess
import sys

from programs import Unmeasurable

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def say(text):
    print(text, file=sys.stderr, flush=True)


class Report:
    def __init__(self):
        self.results = []
        self.more = {}  # further keys of the JSON file, such as "tables"

    def add(self, name, unit, bound, values=(), note="", reason=None, unfit=None):
        """unfit: why a bar that is missed says nothing on this machine."""
        entry = {"name": name, "value": None, "unit": unit, "bound": bound, "runs": len(values), "min": None, "max": None,
                 "note": note}
        if reason is not None or not values:
            entry["note"] = reason or "no value"
        else:
            # A server's watchdog adds a call now and then: system calls are told to a tenth.
            digits = {"ratio": 4, "calls": 1}.get(unit, 2)
            entry["value"] = round(statistics.median(values), digits)
            entry["min"], entry["max"] = round(min(values), digits), round(max(values), digits)
        if unfit is not None and verdict(entry) == "MISS":
            entry["unfit"] = unfit
        self.results.append(entry)

    def table(self, title, columns, rows, note=""):
        """Goes into the JSON as it is, under "tables"; None stands for what was not measured."""
        self.more.setdefault("tables", []).append({"title": title, "columns": columns, "rows": rows, "note": note})

    def faster_than_raw(self, name, contender, times, reason):
        """Raw is the floor: what lies below it makes the benchmark fail unless there is a reason."""
        self.more.setdefault("faster_than_raw", []).append({"name": name, "contender": contender, "times": round(times, 4),
                                                            "reason": reason})

    def unexplained(self):
        return [found for found in self.more.get("faster_than_raw", []) if found["reason"] is None]

    def attempt(self, name, unit, bound, measure):
        """measure() returns (values, note)."""
        try:
            values, note = measure()
            self.add(name, unit, bound, values, note)
        except Unmeasurable as reason:
            self.add(name, unit, bound, reason=str(reason))

    def print(self):
        width = max([28, *(len(r["name"]) for r in self.results)])
        print(f"\n{'name':<{width}} {'value':>10} {'min':>10} {'max':>10}  {'bar':<10} {'':<4} note")
        for r in self.results:
            shown = ["-" if r[k] is None else f"{r[k]:g}" for k in ("value", "min", "max")]
            note = "; ".join(text for text in (r["note"], r.get("unfit")) if text)
            print(f"{r['name']:<{width}} {shown[0]:>10} {shown[1]:>10} {shown[2]:>10}  {r['bound']:<10} {verdict(r):<4} {note}")

        for table in self.more.get("tables", []):
            print(f"\n{table['title']}")
            print_rows([table["columns"], *table["rows"]])
        for found in self.more.get("faster_than_raw", []):
            judged = found["reason"] or "FAILED, the reason is not known (bench/common/floor.py)"
            print(f"\n{found['name']}: {found['contender']} is {found['times']:.2f} times as fast as the fastest raw program: {judged}")


def print_rows(rows, left=(0,)):
    """In columns; those named in `left` begin at the left."""
    cells = [["-" if cell is None else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(rows[0]))]
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) if i in left else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def verdict(result):
    words = result["bound"].split()
    if result["value"] is None:
        return "?"
    if not words or words[0] not in ("<=", ">="):
        return ""
    limit = float(words[1])
    good = {"<=": result["value"] <= limit, ">=": result["value"] >= limit}[words[0]]
    return "met" if good else "n/a" if result.get("unfit") else "MISS"


def ratios(series, of, to, absent):
    for name in (of, to):
        if name not in series:
            raise Unmeasurable(absent.get(name, f"{name} did not run"))
    return [a / b for a, b in zip(series[of], series[to])]


def prepare(targets, build, source=ROOT, preset="release"):
    """Builds these targets of the sources; a new folder is configured by the preset. Its IDL compiler is always what ships."""
    if not os.path.exists(os.path.join(build, "build.ninja")):
        more = []
        if preset != "release":
            release = os.path.join(source, "build", "release")
            prepare(["tenon-idl"], release, source)
            more = ["-DTENON_IDL_EXECUTABLE=" + os.path.join(release, "idl", "tenon-idl")]
        subprocess.run(["cmake", "--preset", preset, "-B", build, *more], cwd=source, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, "-j2", *targets], check=True, stdout=sys.stderr)


def get_ready(targets, asked):
    """Builds these targets. With --no-build it says so if they are older than their sources: the figures are of that state then."""
    if not asked.no_build:
        return prepare(targets, asked.build, preset=asked.preset)
    would = subprocess.run(["ninja", "-C", asked.build, "-n", *targets], capture_output=True, text=True, check=False)
    if "no work to do" not in would.stdout:
        say(f"warning: {', '.join(targets)} in {asked.build} are older than the sources or do not exist; without --no-build they are built")


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def commit_of(name):
    sha = first_line("git", "-C", ROOT, "rev-parse", "--short=12", "--verify", name + "^{commit}")
    if sha is None:
        sys.exit(f"'{name}' is no commit of {ROOT}")
    return sha


def versions():
    known = {"tenon": first_line("git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude", "*"),
             "compiler": first_line("g++", "--version"),
             "omniorb": first_line("dpkg-query", "-W", "-f", "${Version}\n", "libomniorb4-2"),
             "kernel": platform.release()}
    return {name: text for name, text in known.items() if text}


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} CPUs"


def default_build(preset="release"):
    return os.environ.get("TENON_BUILD_DIR", os.path.join(ROOT, "build", preset))


def options(name, description, **more):
    """The command line of a benchmark: what all have, and `more`: the name of a flag = what add_argument() takes."""
    parser = argparse.ArgumentParser(prog=f"bench/{name}/run", description=description)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--preset", default="release", help="of CMake, by which the programs are built (default: release)")
    parser.add_argument("--build", metavar="FOLDER", help="(default: build/PRESET)")
    parser.add_argument("--no-build", action="store_true", help="use the programs as they are")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--against", metavar="COMMIT", help="compare with that commit's programs (first, core, cubit, param, marshal)")
    parser.add_argument("--counts", action="store_true", help="with --against: only what is counted, which needs no quiet machine")
    for flag, settings in more.items():
        parser.add_argument("--" + flag.replace("_", "-"), **settings)
    asked = parser.parse_args()
    asked.build = asked.build or default_build(asked.preset)
    return asked


def run_benchmark(name, asked, measure, compared=None, targets=None):
    """Builds what is needed, calls measure(build folder, report), prints and writes the report. With --against it compares the
    figures that compared() lists instead (against.py). Returns the exit status."""
    targets = targets or [f"bench_{name}"]
    if asked.against:
        if compared is None:
            sys.exit(f"bench/{name}/run: --against is for first, core, cubit, param and marshal")
        return importlib.import_module("against").run(name, asked, compared(), targets)
    get_ready(targets, asked)
    report = Report()
    measure(os.path.abspath(asked.build), report)
    report.print()
    if asked.json:
        text = {"bench": name, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                "machine": machine(), "versions": versions(), "results": report.results, **report.more}
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(text, file, indent=2)
            file.write("\n")
    return 1 if report.unexplained() else 0
