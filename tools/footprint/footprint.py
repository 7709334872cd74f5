#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev footprint: what the ORB costs in octets, measured in hello programs (programs.toml) by the linker's map.

  footprint.py [--json FILE]
  footprint.py --why NAME | --without NAME... | --retained COUNT [--in PROGRAM]

ORB octets are code, constants, data and unwinding tables of what our libraries bring to a program; the program itself and its
generated code are told beside them. KiB are of 1,024 octets. docs/footprint.md tells readers how to read the figures.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile

import bill
import link_map
import why
from workshop import ROOT, Unmeasurable, Workshop, plan, run

sys.path.insert(0, os.path.join(ROOT, "bench", "common"))
from report import machine, print_rows, say, versions  # noqa: E402

ROLES = ("client", "server", "both")
KINDS = link_map.COUNTED


def kib(octets):
    return None if octets is None else round(octets / 1024, 1)


def builds(base, jobs):
    """Options of CMake -> build folder. The preset's own is there already; others are made below build/footprint."""
    def folder(options):
        if not options:
            return base
        name = "_".join(option.replace("=", "-").lower() for option in options)
        build = os.path.join(os.path.dirname(base), "footprint", name)
        say(f"building {os.path.relpath(build, ROOT)}")
        if not os.path.exists(os.path.join(build, "build.ninja")):
            run("cmake", "--preset", "minimal", "-B", build, *(f"-D{option}" for option in options), cwd=ROOT)
        targets = run("ninja", "-C", build, "-t", "targets", "all").splitlines()
        libraries = [line.split(":")[0] for line in targets
                     if line.startswith(("src/", "plugins/")) and line.split(":")[0].endswith(".a")]
        run("ninja", "-C", build, "-j", str(jobs), *libraries)
        return build
    return folder


class Measured:
    """Everything that one run finds; what could not be measured has a reason."""

    def __init__(self, shop, asked):
        self.shop, self.plan = shop, asked

    def made(self, name, **more):
        return self.shop.make({**self.plan["programs"][name], **more})

    def program(self, name):
        made = self.made(name)
        parts = bill.by_part(made.map)
        functions = bill.heaviest_functions(made.map)
        words = bill.demangle(name for name, *_ in functions)
        return {"title": self.plan["programs"][name]["title"], "octets": bill.total(made.map), "kinds": bill.by_kind(made.map),
                "parts": parts, "beside": bill.beside(made.map, made.objects), "relocations": made.map.relocations,
                "objects": bill.heaviest_objects(made.map),
                "functions": [[words[name], *rest] for name, *rest in functions]}

    def bar(self, entry, programs):
        value = programs[entry["program"]]["octets"] if "program" in entry else None
        found = {"title": entry["title"], "most": entry["most"], "aim": entry.get("aim"), "value": kib(value),
                 "reason": entry.get("reason")}
        if "now" in entry:
            found["now"] = kib(programs[entry["now"]]["octets"])
        return found

    def feature(self, entry):
        """{role: octets that it adds, or None}, and a reason where there is no figure."""
        found = {"title": entry["title"], "adds": {role: None for role in ROLES}, "reason": entry.get("reason")}
        for role in entry.get("programs", ROLES) if "reason" not in entry else ():
            try:
                more = {key: entry[key] for key in ("defines", "idl", "cmake") if key in entry}
                found["adds"][role] = bill.total(self.made(role, **more).map) - bill.total(self.made(role).map)
            except Unmeasurable as reason:
                found["reason"] = str(reason)
        return found

    def everything(self):
        say("hello programs")
        programs = {name: self.program(name) for name in self.plan["programs"]}
        bars = {name: self.bar(entry, programs) for name, entry in self.plan["bars"].items()}
        say("features")
        features = {name: self.feature(entry) for name, entry in self.plan["features"].items()}
        return {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "machine": machine(),
                "versions": versions(), "bars": bars, "programs": programs, "features": features}


def print_programs(programs):
    for name, found in programs.items():
        print(f"\n{found['title']} ({name}): {kib(found['octets'])} KiB of ORB")
        rows = [["part", *KINDS, "sum"]]
        rows += [[part, *(sizes[kind] for kind in KINDS), sum(sizes.values())] for part, sizes in found["parts"].items()]
        rows.append(["all", *(found["kinds"][kind] for kind in KINDS), found["octets"]])
        print_rows(rows)
        told = ", ".join(f"{what} {octets}" for what, octets in found["beside"].items())
        print(f"  beside the ORB: {told}, relocations of the whole program {found['relocations']}")
        print_rows([["heaviest objects", "of", "octets"], *([member, part, octets] for part, member, octets in found["objects"])], (0, 1))
        print_rows([["heaviest functions", "of", "octets"],
                    *([text if len(text) < 90 else text[:87] + "...", f"{part}: {member}", octets]
                      for text, part, member, octets in found["functions"])], (0, 1))


def print_all(found):
    print_programs(found["programs"])
    print("\nWhat a feature adds, octets")
    print_rows([["feature", *ROLES, "why there is no figure"],
                *([entry["title"], *(entry["adds"][role] for role in ROLES), entry["reason"] or ""]
                  for entry in found["features"].values())], (0, 4))
    print("\nBars, KiB")
    print_rows([["bar", "of", "value", "at most", "aim", ""],
                *([name, entry["title"], entry["value"], entry["most"], entry["aim"] or "",
                   f"{entry['reason']}: {entry.get('now')}" if entry["value"] is None else
                   "met" if entry["value"] <= entry["most"] else "missed"] for name, entry in found["bars"].items())], (0, 1, 5))


def main():
    parser = argparse.ArgumentParser(prog="./dev footprint", description="what the ORB costs in octets")
    parser.add_argument("--json", metavar="FILE", help="write everything that was found as JSON, too")
    parser.add_argument("--why", metavar="NAME", help="through which references an object, a part, a function or a class of our "
                        "libraries comes into a program, and what would go with it")
    parser.add_argument("--without", metavar="NAME", nargs="+", help="what would go with all of these, and what refers to them")
    parser.add_argument("--retained", metavar="COUNT", type=int, help="so many functions and objects with the most octets that are "
                        "there for their sake alone")
    parser.add_argument("--in", dest="program", default="client", metavar="PROGRAM", help="of programs.toml (default: client)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "minimal"), help=argparse.SUPPRESS)
    parser.add_argument("--tenon-idl", default=os.path.join(ROOT, "build", "dev", "idl", "tenon-idl"), help=argparse.SUPPRESS)
    parser.add_argument("--compiler", default="g++", help="(default: g++)")
    asked = parser.parse_args()
    plans = plan()
    if asked.program not in plans["programs"]:
        sys.exit(f"footprint: no program '{asked.program}'; programs.toml has {', '.join(plans['programs'])}")
    jobs = int(os.environ.get("JOBS") or os.cpu_count())
    with tempfile.TemporaryDirectory(prefix="footprint-") as folder:
        shop = Workshop(builds(os.path.abspath(asked.build), jobs), asked.tenon_idl, asked.compiler, folder)
        measured = Measured(shop, plans)
        try:
            if asked.why or asked.without or asked.retained:
                made = measured.made(asked.program)
                if asked.why:
                    why.print_why(made, asked.why)
                if asked.without:
                    why.print_without(made, asked.without)
                if asked.retained:
                    why.print_retained(made, asked.retained)
                return 0
            found = measured.everything()
        except (Unmeasurable, OSError, subprocess.CalledProcessError) as reason:
            sys.exit(f"footprint: {reason}")
    print_all(found)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
