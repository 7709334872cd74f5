#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev footprint: what the ORB costs in octets, measured in hello programs (programs.toml) by the linker's map.

  footprint.py [--json FILE] [--page]
  footprint.py --why NAME | --without NAME... | --retained COUNT [--in PROGRAM]
  footprint.py --check | --update [--note WHY]

ORB octets are code, constants, data and unwinding tables of what our libraries bring to a program; the program itself and its
generated code are told beside them. KiB are of 1,024 octets. docs/footprint.md tells readers how to read the figures.
"""
import argparse
import contextlib
import datetime
import functools
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import bill
import files
import held
import link_map
import more
import page
import peers
import why
from workshop import ROOT, Unmeasurable, Workshop, plan, run

sys.path.insert(0, os.path.join(ROOT, "bench", "common"))
from report import machine, print_rows, say, versions  # noqa: E402

ROLES = ("client", "server", "both")
KINDS = link_map.COUNTED
EMPTY, IDLE = {"source": "empty.cpp"}, {"source": "idle.cpp"}
SHARED = "TENON_SHARED=ON"
RAW_SERVER, FIRST_REPLY = {"source": "raw_server.cpp"}, {"source": "first_reply.cpp"}


def kib(octets):
    return None if octets is None else round(octets / 1024, 1)


class Builds:
    """Build folders by their CMake options. That of the preset is there already; others are made below build/footprint."""

    def __init__(self, base, jobs):
        self.base, self.jobs, self.done = base, jobs, set()

    def folder(self, options):
        if not options:
            return self.base
        name = re.sub(r"[^a-z0-9]+", "-", "_".join(options).lower()).strip("-")
        build = os.path.join(os.path.dirname(self.base), "footprint", name)
        if build not in self.done:
            say(f"building {os.path.relpath(build, ROOT)}")
            if not os.path.exists(os.path.join(build, "build.ninja")):
                run("cmake", "--preset", "minimal", "-B", build, *(f"-D{option}" for option in options), cwd=ROOT)
            targets = [line.split(":")[0] for line in run("ninja", "-C", build, "-t", "targets", "all").splitlines()]
            wanted = [name for name in targets if name.startswith(("src/", "plugins/")) and name.endswith(".a")]
            run("ninja", "-C", build, "-j", str(self.jobs), *(["tenon_shared"] if SHARED in options else wanted))
            self.done.add(build)
        return build

    def shared(self, options):
        """The shared library: of a build of its own, since objects for programs alone are smaller than what it is made of."""
        return os.path.join(self.folder((*options, SHARED)), "libtenon.so")


class Measured:
    """Everything that one run finds; what could not be measured has a reason."""

    def __init__(self, shop, asked):
        self.shop, self.plan = shop, asked

    def made(self, name, **changed):
        return self.shop.make({**self.plan["programs"][name], **changed})

    def program(self, name):
        made = self.made(name)
        parts = bill.by_part(made.map)
        functions = bill.heaviest_functions(made.map)
        words = bill.demangle(name for name, *_ in functions)
        return {"title": self.plan["programs"][name]["title"], "octets": bill.total(made.map), "kinds": bill.by_kind(made.map),
                "parts": parts, "beside": bill.beside(made.map, made.objects), "relocations": made.map.relocations,
                "objects": bill.heaviest_objects(made.map),
                "functions": [[words[name], *rest] for name, *rest in functions]}

    def try_interpreted(self):
        """Calls between interpreted and compiled stubs, both ways. Raises Unmeasurable if one does not work."""
        for server, client in (("interpreted", "compiled"), ("compiled", "interpreted")):
            options = [] if self.plan["programs"]["server"].get("defines") else more.LOCAL
            more.try_call(self.made("server", idl=[f"--stubs={server}"]).path, self.made("client", idl=[f"--stubs={client}"]).path,
                          *options)

    def static_files(self):
        """{program: octets of the file, linked with -static and stripped}, and of one without an ORB."""
        names = {name: entry for name, entry in self.plan["programs"].items()} | {"empty": EMPTY}
        return {name: files.stripped_octets(self.shop.make(entry, ("-static",)).path) for name, entry in names.items()}

    def shared_files(self):
        """The shared library and what the programs that are linked with it have themselves."""
        library = self.shop.builds.shared(())
        return {"library": files.by_kind(library), "library_file": files.stripped_octets(library),
                "programs": {name: files.stripped_octets(self.shop.make(entry, (), library).path)
                             for name, entry in (self.plan["programs"] | {"empty": EMPTY}).items()}}

    def more(self):
        """{name: figure or None, and the reason}: bars that are no sum of a map."""
        found = {}
        static = lambda entry: self.shop.make(entry, ("-static",)).path
        shares = functools.cache(lambda: more.interpreted_service_shares(self.shop))
        for name, measure in (("interface_octets", lambda: more.interface_octets(self.shop)),
                              ("interpreted_service_share", lambda: shares()[0]),
                              ("interpreted_service_share_more", lambda: shares()[1]),
                              ("sensor_kib", lambda: more.sensor_kib(self.shop)),
                              ("heap_after_start", lambda: more.heap_after_start(self.shop)),
                              ("idle_kib", lambda: more.idle_kib(static(self.plan["programs"]["server_micro"]), static(IDLE))),
                              ("start_to_first_reply", lambda: more.first_reply(
                                  self.shop.make(FIRST_REPLY).path, static(self.plan["programs"]["server_micro"]),
                                  static(RAW_SERVER))["ratio"])):
            try:
                found[name] = measure()
            except (Unmeasurable, OSError) as reason:
                say(f"{name}: {reason}")
                found[name] = None
        return found

    def bar(self, entry, found):
        values = {"programs": {name: kib(program["octets"]) for name, program in found["programs"].items()},
                  "static_files": {name: kib(octets) for name, octets in found["static_files"].items()},
                  "more": found["more"]}[entry.get("of", "programs")]
        bar = {"title": entry["title"], "unit": entry.get("unit", "KiB"), "most": entry["most"], "aim": entry.get("aim"),
               "value": values[entry["figure"]] if "figure" in entry else None, "reason": entry.get("reason"),
               "program": entry.get("figure", entry.get("now")) if "of" not in entry else None}
        if bar["value"] is None and "reason" not in entry:
            bar["reason"] = "it could not be measured here"
        if "now" in entry:
            bar["now"] = values[entry["now"]]
        return bar

    def feature(self, entry):
        """{role: octets that it adds, or None}, the same for the shared library, and a reason where there is no figure."""
        found = {"title": entry["title"], "adds": {role: None for role in ROLES}, "adds_to_shared": None,
                 "reason": entry.get("reason")}
        if "reason" in entry:
            return found
        try:
            for role in entry.get("programs", ROLES):
                changed = {key: [*self.plan["programs"][role].get(key, ()), *entry[key]]
                           for key in ("defines", "idl", "cmake") if key in entry}
                found["adds"][role] = bill.total(self.made(role, **changed).map) - bill.total(self.made(role).map)
            whole = [sum(files.by_kind(self.shop.builds.shared(tuple(options)))[kind] for kind in KINDS)
                     for options in ((), entry.get("cmake", ()))]
            found["adds_to_shared"] = whole[1] - whole[0]
        except Unmeasurable as reason:
            found["reason"] = str(reason)
        return found

    def quick(self):
        """What costs no build but the preset's: what is held by sizes.json."""
        say("hello programs")
        for name, entry in self.plan["programs"].items():
            if name != "client":
                more.try_call(self.made(name).path, self.made("client").path, *([] if entry.get("defines") else more.LOCAL))
            there = bill.that_are_there(self.made(name).map, entry.get("absent", ()))
            if there:
                raise Unmeasurable(f"{name} has what it must not have: {', '.join(there)}; --why NAME --in {name} tells for whose sake")
        return {"programs": {name: self.program(name) for name in self.plan["programs"]}, "static_files": self.static_files()}

    def everything(self):
        self.try_interpreted()
        found = {"bench": "footprint", "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                 "machine": machine(), "versions": versions(), **self.quick()}
        say("shared library")
        found["shared"] = self.shared_files()
        say("features")
        found["features"] = {name: self.feature(entry) for name, entry in self.plan["features"].items()}
        say("memory, one interface more")
        found["more"] = self.more()
        say("peers")
        found["peers"] = peers.measure(self.shop, self.plan["programs"])
        found["bars"] = {name: self.bar(entry, found) for name, entry in self.plan["bars"].items()}
        return found


def print_programs(programs):
    for name, found in programs.items():
        print(f"\n{found['title']} ({name}): {kib(found['octets'])} KiB of ORB")
        rows = [["part", *KINDS, "sum"]]
        rows += [[part, *(sizes[kind] for kind in KINDS), sum(sizes.values())] for part, sizes in found["parts"].items()]
        rows.append(["all", *(found["kinds"][kind] for kind in KINDS), found["octets"]])
        print_rows(rows)
        told = ", ".join(f"{what} {octets}" for what, octets in found["beside"].items())
        print(f"  beside the ORB: {told}, relocations of the whole program {found['relocations']}")
        print_rows([["heaviest objects", "of", "octets"],
                    *([member, part, octets] for part, member, octets in found["objects"])], (0, 1))
        print_rows([["heaviest functions", "of", "octets"],
                    *([text if len(text) < 90 else text[:87] + "...", f"{part}: {member}", octets]
                      for text, part, member, octets in found["functions"])], (0, 1))


def print_all(found):
    print_programs(found["programs"])
    print("\nWhat a feature adds, octets")
    print_rows([["feature", *ROLES, "shared library", "why there is no figure"],
                *([entry["title"], *(entry["adds"][role] for role in ROLES), entry["adds_to_shared"], entry["reason"] or ""]
                  for entry in found["features"].values())], (0, 5))
    print("\nStripped files, octets")
    print_rows([["linked", *found["static_files"]], ["-static", *found["static_files"].values()],
                ["with the shared library", *found["shared"]["programs"].values()]])
    told = ", ".join(f"{kind} {octets}" for kind, octets in found["shared"]["library"].items())
    print(f"  the shared library itself: {found['shared']['library_file']}; of it {told}")
    print("\nBeside others, linked with -static, KiB; files less the empty program's")
    empty = found["static_files"]["empty"]
    print_rows([["program", "version", "client", "file", "server", "file", ""],
                *([peer["title"], peer.get("version", ""),
                   *(kib(peer[role][what] - (empty if what == "file" else 0)) if role in peer else None
                     for role in ("client", "server") for what in ("octets", "file")), peer.get("reason", "")]
                  for peer in found["peers"].values())], (0, 1, 6))
    print("\nBars")
    print_rows([["bar", "of", "value", "at most", "aim", "unit", ""],
                *([name, entry["title"], entry["value"], entry["most"], entry["aim"] or "", entry["unit"],
                   f"{entry['reason']}{': ' + str(entry['now']) if 'now' in entry else ''}" if entry["value"] is None else
                   "met" if entry["value"] <= entry["most"] else "missed"] for name, entry in found["bars"].items())], (0, 1, 5, 6))


def compiler_of(command):
    return run(command, "--version").splitlines()[0]


def check(found, compiler):
    """Exit status: 1 if a size has grown without a note. With another compiler nothing can be said, and CI has the right one."""
    kept, sizes = held.read(), held.sizes_of(found)
    if not held.same_compiler(kept["compiler"], compiler):
        print(f"footprint: not checked: the sizes were written down with {kept['compiler']}, and this is {compiler}")
        return 1 if os.environ.get("CI") == "true" else 0
    for name, octets in sizes.items():
        print(f"footprint: {name}: {octets} octets, held to {kept['sizes'].get(name)}")
    for line in held.gains(kept, sizes):
        print(f"footprint: {line}")
    faults = list(held.faults(kept, sizes, held.parts_of(found)))
    for line in faults:
        print(f"footprint: error: {line}", file=sys.stderr)
    return 1 if faults else 0


def update(found, compiler, note):
    kept = held.read() if os.path.exists(held.FILE) else {"sizes": {}, "notes": []}
    try:
        held.write(held.updated(kept, held.sizes_of(found), held.parts_of(found), compiler, note))
    except held.Refused as reason:
        sys.exit(f"footprint: {reason}")
    print("footprint: tools/footprint/sizes.json is written")
    return 0


def write_page(found):
    try:
        page.write(found)
    except Unmeasurable as reason:
        sys.exit(f"footprint: {reason}")
    return 0


def look(made, asked):
    if asked.why:
        why.print_why(made, asked.why)
    if asked.without:
        why.print_without(made, asked.without)
    if asked.retained:
        why.print_retained(made, asked.retained)
    return 0


def questions(parser, shown_in=("embedded.md", "footprint.md")):
    """[(line, its options)]: what docs show of --why, --without and --retained."""
    for page_name in shown_in:
        with open(os.path.join(ROOT, "docs", page_name), encoding="utf-8") as file:
            for line in re.findall(r"^ *(\./dev footprint .*--(?:why|without|retained)\b.*)$", file.read(), re.MULTILINE):
                line = re.split(r" #|  ", line)[0].strip()  # what follows says what it is for
                yield line, parser.parse_args(line.split()[2:])


def ask_as_shown(parser, measured):
    """Raises Unmeasurable when a command of the docs finds nothing."""
    for line, asked in questions(parser):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                look(measured.made(asked.program), asked)
        except SystemExit as error:
            raise Unmeasurable(f"docs show '{line}': {error}") from error


def main():
    parser = argparse.ArgumentParser(prog="./dev footprint", description="what the ORB costs in octets")
    parser.add_argument("--json", metavar="FILE", help="write everything that was found as JSON, too")
    parser.add_argument("--page", action="store_true", help="write docs/footprint.md and its picture")
    parser.add_argument("--from", dest="given", metavar="FILE", help="with --page: of figures that --json wrote, measuring nothing")
    parser.add_argument("--why", metavar="NAME", help="through which references an object, a part, a function or a class of our "
                        "libraries comes into a program, and what would go with it")
    parser.add_argument("--without", metavar="NAME", nargs="+", help="what would go with all of these, and what refers to them")
    parser.add_argument("--retained", metavar="COUNT", type=int, help="so many functions and objects with the most octets that are "
                        "there for their sake alone")
    parser.add_argument("--in", dest="program", default="client", metavar="PROGRAM", help="of programs.toml (default: client)")
    parser.add_argument("--check", action="store_true",
                        help="fail if a size has grown by more than 3 %% since sizes.json was written")
    parser.add_argument("--update", action="store_true", help="write sizes.json")
    parser.add_argument("--note", metavar="WHY", help="with --update: why sizes have grown")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "minimal"), help=argparse.SUPPRESS)
    parser.add_argument("--tenon-idl", default=os.path.join(ROOT, "build", "dev", "idl", "tenon-idl"), help=argparse.SUPPRESS)
    parser.add_argument("--compiler", default="g++", help="(default: g++)")
    asked = parser.parse_args()
    if asked.given:
        with open(asked.given, encoding="utf-8") as file:
            return write_page(json.load(file))
    plans = plan()
    if asked.program not in plans["programs"]:
        sys.exit(f"footprint: no program '{asked.program}'; programs.toml has {', '.join(plans['programs'])}")
    jobs = int(os.environ.get("JOBS") or os.cpu_count())
    with tempfile.TemporaryDirectory(prefix="footprint-") as folder:
        shop = Workshop(Builds(os.path.abspath(asked.build), jobs), asked.tenon_idl, asked.compiler, folder)
        measured = Measured(shop, plans)
        try:
            if asked.why or asked.without or asked.retained:
                return look(measured.made(asked.program), asked)
            if asked.check:
                measured.try_interpreted()
                ask_as_shown(parser, measured)
                return check(measured.quick(), compiler_of(asked.compiler))
            if asked.update:
                return update(measured.quick(), compiler_of(asked.compiler), asked.note)
            found = measured.everything()
        except (Unmeasurable, OSError, subprocess.CalledProcessError) as reason:
            sys.exit(f"footprint: {reason}")
    print_all(found)
    absent = [peer["title"] for peer in found["peers"].values() if "reason" in peer]
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)
            file.write("\n")
    if asked.page:
        write_page(found)
    if absent and os.environ.get("CI") == "true":
        sys.exit(f"footprint: CI wants these beside the ORB: {', '.join(absent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
