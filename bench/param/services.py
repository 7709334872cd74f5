# SPDX-License-Identifier: Apache-2.0
"""Object code of stubs and skeletons of OMG services, compiled against interpreted, after the paper's table XVIII.

The IDL is Debian's omniorb-idl where it has the service; the interfaces of A/V Streams and of the log service stand in idl/. The
paper's Scheduling is TAO's own and its Logging a forerunner of the standard's, so the first is left out and the second is ours.
omniORB's library has the Naming service built in, so its generated code cannot be compiled beside its headers.
"""
import concurrent.futures
import json
import os
import subprocess
import tempfile

import sizes
from paper import XVIII
from programs import Unmeasurable
from report import say

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = [os.path.join(HERE, "idl"), *(path for path in ("/usr/share/idl/omniORB/COS", "/usr/share/idl/omniORB")
                                        if os.path.isdir(path))]
# Name in the paper, the files that are measured, and those that these include.
ORB = ["orb", "boxes"]
SERVICES = (("Trading", ["CosTrading", "CosTradingDynamic", "CosTradingRepos"], ORB),
            ("A/V Streams", ["AVStreams"], ["CosPropertyService", *ORB]), ("Property", ["CosPropertyService"], ORB),
            ("Events", ["CosEventComm", "CosEventChannelAdmin"], []), ("Naming", ["CosNaming"], []),
            ("Logging", ["DsLogAdmin"], ["TimeBase"]), ("LifeCycle", ["CosLifeCycle"], ["CosNaming"]))
# Compiled stubs and skeletons at -O2 as docs/benchmarks.md had them at commit 3829245, in octets: interpreted ones are measured by these,
# so that compiled ones may shrink as well. Events and Trading have little to marshal, and a bar of their own.
COMPILED_AT_3829245 = {"Trading": 280307, "A/V Streams": 183357, "Property": 96252, "Events": 65498, "Naming": 57183, "Logging": 110384,
                       "LifeCycle": 41846}
LITTLE_TO_MARSHAL = ("Events", "Trading")
# Debian's CosLifeCycle.idl escapes a keyword of IDL 3 only for omniidl.
DEFINES = ["__OMNIIDL__"]


def path_of(stem):
    for folder in FOLDERS:
        path = os.path.join(folder, f"{stem}.idl")
        if os.path.exists(path):
            return path
    raise Unmeasurable(f"{stem}.idl is missing (Debian: omniorb-idl)")


def flags():
    return [*(f"-I{folder}" for folder in FOLDERS), *(f"-D{name}" for name in DEFINES)]


def contents(tenon_idl, stems):
    """structures, sequences, operations and attributes of the files themselves"""
    found = {"struct": 0, "sequence": 0, "operation": 0, "attribute": 0}

    def walk(node):
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict) and not node.get("included"):
            kind = node.get("kind")
            if kind == "typedef" and isinstance(node["type"], dict):
                kind = node["type"]["kind"]
            if kind in found:
                found[kind] += 1
            walk(node.get("declarations"))
            walk(node.get("contents"))

    for stem in stems:
        done = subprocess.run([tenon_idl, "--dump=json", *flags(), path_of(stem)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Unmeasurable(f"tenon-idl cannot read {stem}.idl")
        walk(json.loads(done.stdout))
    return [found["struct"], found["sequence"], found["operation"] + found["attribute"]]


class Service:
    """Compiles one service with one kind of stubs at one level; the answer is the sum of its objects."""

    def __init__(self, tenon_idl, folder):
        self.tenon_idl, self.folder = tenon_idl, folder

    def total(self, kind, level, stems, others):
        out = tempfile.mkdtemp(dir=self.folder)
        paths = [path_of(stem) for stem in [*stems, *others] if kind != "omniorb" or stem not in ORB]
        if kind == "omniorb":
            with open(os.path.join(out, "COS_sysdep.h"), "w", encoding="ascii"):
                pass  # the service files of omniORB name a header that only its own build has
            for path in paths:
                sizes.run("omniidl", "-bcxx", "-Wbuse_quotes", *flags()[:-1], f"-C{out}", path)
            sources = [f"{out}/{stem}SK.cc" for stem in stems]
            compiler = ["g++", "-DNDEBUG", "-w", "-I/usr/include/omniORB4"]
        else:
            sizes.run(self.tenon_idl, f"--stubs={kind}", "--no-any", *flags(), "--out-dir", out, *paths)
            sources = [f"{out}/{stem}{part}.cpp" for stem in stems for part in ("", "_skel")]
            compiler = [*sizes.COMPILER, *sizes.includes()]
        for source in sources:
            sizes.run(*compiler, level, f"-I{out}", "-c", source, "-o", f"{source}.o")
        return sizes.object_code.sizes([f"{source}.o" for source in sources], False).total


def shares(octets):
    """[(name, share)] of interpreted octets at -O2 by service, largest first: of services with little to marshal, and of the others."""
    found = sorted(((name, octets[name] / COMPILED_AT_3829245[name]) for name in octets), key=lambda one: -one[1])
    return [[one for one in found if (one[0] in LITTLE_TO_MARSHAL) == little] for little in (True, False)]


def interpreted_shares(tenon_idl, folder):
    """The same, of services that are compiled here for it."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        service = Service(tenon_idl, folder)
        made = {name: pool.submit(service.total, "interpreted", "-O2", stems, others) for name, stems, others in SERVICES}
        return shares({name: future.result() for name, future in made.items()})


def bars(report, octets):
    def largest(found):
        return [found[0][1]], "; ".join(f"{name} {share:.3f}" for name, share in found) + "; of compiled ones at commit 3829245"

    for name, bound, found in zip(("interpreted_service_share", "interpreted_service_share_more"), ("<= 0.60", "<= 0.45"),
                                  shares(octets)):
        if found:
            report.attempt(name, "ratio", bound, lambda found=found: largest(found))
        else:
            report.add(name, "ratio", bound, reason="no service could be compiled")


def measure(build, report):
    say("object code of OMG services")
    kinds = ("interpreted", "compiled", "omniorb")
    rows = []
    with tempfile.TemporaryDirectory(prefix="services-") as folder:
        workshop = sizes.Workshop(build, folder)
        service = Service(workshop.tenon_idl, folder)
        made = {(name, kind, level): workshop.pool.submit(service.total, kind, level, stems, others)
                for name, stems, others in SERVICES for kind in kinds for level in ("-O2", "-Os")}
        for name, stems, _ in SERVICES:
            try:
                held = contents(workshop.tenon_idl, stems)
            except Unmeasurable:
                held = [None] * 3
            row = [name, *held, "/".join(map(str, XVIII[name]))]
            for level in ("-O2", "-Os"):
                total = {}
                for kind in kinds:
                    try:
                        total[kind] = made[name, kind, level].result()
                    except Unmeasurable as reason:
                        say(f"  {name}, {kind}, {level}: {reason}")
                        total[kind] = None
                row += [total["interpreted"], total["compiled"], sizes.share_of(total["interpreted"], total["compiled"]),
                        total["omniorb"]]
            rows.append(row)
    report.table("Object code of OMG services, stubs and skeletons, octets (after table XVIII)",
                 ["Service", "Structures", "Sequences", "Operations and attributes", "The paper's (structures/sequences/operations)",
                  "Interpreted, -O2", "Compiled, -O2", "%", "omniORB, -O2", "Interpreted, -Os", "Compiled, -Os", "%",
                  "omniORB, -Os"], rows)
    bars(report, {row[0]: row[5] for row in rows if row[5] is not None})
