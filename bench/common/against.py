# SPDX-License-Identifier: Apache-2.0
"""`./dev bench NAME --against COMMIT`: the same figures of the programs of two commits, measured in turn.

The other commit is checked out and built below build/against. This commit's scripts drive the programs of both, so the commands
that the programs understand have to stay as they are. A benchmark says which figures it compares: a list of Times and Counts.

A count may not be worse. The median of a time may be worse by 2 %, or by half the interquartile range of the rounds before,
whichever is larger. What seems to be worse is measured again, and judged by all rounds together.
"""
import contextlib
import datetime
import json
import os
import statistics
import subprocess
import sys

from programs import Unmeasurable
from report import ROOT, commit_of, get_ready, machine, prepare, print_rows, say, versions

SIDES = ("before", "after")
STARTS = 7  # how often the programs are started anew: where the pages of one start happen to lie is worth several percent
REPEATS = 3
SLACK = 0.02
MANY = 10000  # calls of a count: what a timer does during one of them is then worth less than one instruction a call
# What two counts of one program may differ by, as a number and as a share: a timer may run during one of them. Others are exact.
NOISE = {"instructions": (0.5, 0.0005), "calls": (0.05, 0), "allocations": (0.005, 0)}


class Times:
    """start(build, stack) starts programs, warms them up, and returns {block: function that measures it once}; such a function
    returns a number, of the figure that is named as the block is, or {figure: number}."""

    def __init__(self, what, unit, start, more_is_better=False, most=None):
        """At most so many rounds, where a figure takes long and hardly varies."""
        self.what, self.unit, self.start, self.more_is_better, self.most = what, unit, start, more_is_better, most

    def measure(self, builds, rounds, series):
        rounds = min(rounds, self.most or rounds)
        starts = min(STARTS, rounds)
        for number in range(starts):
            say(f"{self.what}: part {number + 1} of {starts}")
            with contextlib.ExitStack() as stack:
                blocks = {side: self.start(build, stack) for side, build in builds.items()}
                for turn in range(-(-rounds // starts)):
                    for block in blocks["before"]:
                        for side in SIDES[:: 1 if (number + turn) % 2 == 0 else -1]:
                            got = blocks[side][block]()
                            for name, value in (got if isinstance(got, dict) else {block: got}).items():
                                series.setdefault(name, {}).setdefault(side, []).append(value)

    def allowed(self, before):
        low, _, high = statistics.quantiles(before, n=4, method="inclusive") if len(before) > 1 else before * 3
        middle = statistics.median(before)
        margin = max(SLACK * middle, (high - low) / 2)
        return middle - margin if self.more_is_better else middle + margin


class Counts:
    """figures: {figure: function of a build folder that counts it}; it returns a number, or {part of it: number}."""

    more_is_better = False

    def __init__(self, what, unit, figures):
        self.what, self.unit, self.figures = what, unit, figures

    def measure(self, builds, rounds, series):
        again = bool(series)  # then only what seemed to be worse
        worse = {figure["name"] for figure in judge(self, series) if figure["verdict"] != "ok"}
        for name, count in self.figures.items():
            if again and not any(found == name or found.startswith(name + "_") for found in worse):
                continue
            say(f"counting {self.what}: {name}")
            for side, build in builds.items():
                got = count(build)
                named = {f"{name}_{part}": value for part, value in got.items()} if isinstance(got, dict) else {name: got}
                for found, value in named.items():
                    series.setdefault(found, {}).setdefault(side, []).append(value)

    def allowed(self, before):
        number, share = NOISE.get(self.unit, (0, 0))
        return statistics.median(before) + max(number, share * statistics.median(before))


def judge(group, series):
    """The figures of a group, each with its bound and whether it is within that."""
    figures = []
    for name, values in series.items():
        before, after = (statistics.median(values[side]) for side in SIDES)
        allowed = group.allowed(values["before"])
        worse = after < allowed if group.more_is_better else after > allowed
        figures.append({"name": name, "unit": group.unit, "before": before, "after": after,
                        "ratio": after / before if before else None, "allowed": allowed, "rounds": len(values["after"]),
                        "verdict": "worse" if worse else "ok"})
    return figures


def compare(group, builds, rounds):
    series = {}
    try:
        for _ in range(REPEATS):
            group.measure(builds, rounds, series)
            figures = judge(group, series)
            if all(figure["verdict"] == "ok" for figure in figures):
                break
        return figures
    except Unmeasurable as reason:
        return [{"name": group.what, "unit": group.unit, "before": None, "after": None, "ratio": None, "allowed": None, "rounds": 0,
                 "verdict": f"not measured: {reason}"}]


def build_of(commit, targets, preset):
    """The folder in which the programs of that commit are built."""
    sha = commit_of(commit)
    source = os.path.join(ROOT, "build", "against", sha)
    if not os.path.exists(os.path.join(source, "CMakeLists.txt")):
        # By force: the folder may have been removed while git still knows it.
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--force", "--detach", source, sha], check=True, stdout=sys.stderr)
    build = os.path.join(source, "build", preset)
    say(f"building {sha} in {os.path.relpath(build, ROOT)}")
    prepare(targets, build, source, preset)
    return build


def show(figures):
    def text(value, digits=None):
        return "-" if value is None else f"{value:.{digits}f}" if digits else f"{value:.6g}"

    rows = [["figure", "unit", "before", "after", "ratio", "allowed", "rounds", "verdict"]]
    rows += [[f["name"], f["unit"], text(f["before"]), text(f["after"]), text(f["ratio"], 4), text(f["allowed"]), f["rounds"],
              f["verdict"]] for f in figures]
    print()
    print_rows(rows, left={0, 1, 7})


def run(name, asked, groups, targets):
    """Exit status 0 when no figure is worse than that commit's, and every figure was measured."""
    builds = {"before": build_of(asked.against, targets, asked.preset), "after": os.path.abspath(asked.build)}
    get_ready(targets, asked)
    figures = []
    for group in groups:
        if asked.counts and not isinstance(group, Counts):
            continue
        figures += compare(group, builds, asked.rounds)
    show(figures)
    bad = [figure["name"] for figure in figures if figure["verdict"] != "ok"]
    commits = {"before": commit_of(asked.against), "after": versions()["tenon"]}
    print(f"\n{name}: {len(figures)} figures of {commits['after']} beside {commits['before']}, {asked.rounds} rounds; "
          + (f"worse or not measured: {', '.join(bad)}" if bad else "none is worse"))
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"bench": name, "against": commits,
                       "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "machine": machine(),
                       "versions": versions(), "figures": figures}, file, indent=2)
            file.write("\n")
    return 1 if bad else 0
