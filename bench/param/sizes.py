# SPDX-License-Identifier: Apache-2.0
"""Object code of stubs and skeletons: IDL compiled by tenon-idl and omniidl, the result by g++, and the sections added up.

Nothing but the generated files is compiled here, so what is counted is what one IDL file adds to a program: code, tables, virtual
tables, the relocations of what holds addresses, and every template that the generated code makes the compiler instantiate. The
shared engine is told apart. How sections are counted: bench/common/object_code.py.
"""
import concurrent.futures
import os
import re
import subprocess
import tempfile

import object_code
from paper import TYPES, XIV, XV, XVI, XVII
from programs import Unmeasurable
from report import ROOT, say

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILER = ["g++", "-std=c++20", "-DNDEBUG", "-w"]
# The functions that marshal one type, as c++filt prints them.
HELPERS = {"fixed_struct": "Codec<Param::cpp11::FixedStruct>", "var_struct": "Codec<Param::cpp11::VarStruct>",
           "nested_struct": "Codec<Param::cpp11::NestedStruct>", "ubstring": "String<0ul>",
           "strseq": "Sequence<tenon::gen::String<0ul>, 0ul>",
           "struct_seq": "Sequence<tenon::gen::Codec<Param::cpp11::VarStruct>, 0ul>"}


def includes(root=ROOT):
    return [f"-I{os.path.join(root, path)}" for path in ("include", "src", "")]


class Generated:
    """The object files of one IDL file: stub and skeleton apart where the compiler keeps them apart."""

    def __init__(self, stub, skeleton=None):
        self.stub, self.skeleton = stub, skeleton
        self.all = [path for path in (stub, skeleton) if path]

    def sizes(self, once=False):
        return object_code.sizes(self.all, once)


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        told = [line for line in lines if "error" in line] or lines or [f"exit status {done.returncode}"]
        raise Unmeasurable(f"{os.path.basename(command[0])}: {told[0]}")


class Workshop:
    """A folder of generated code. Compilers run in as many threads as there are processors."""

    def __init__(self, build, folder, root=ROOT):
        self.tenon_idl = os.path.join(build, "idl", "tenon-idl")
        self.folder = folder
        self.root = root
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())

    def make(self, kind, idl, level, defines=()):
        """A future Generated. kind: compiled, interpreted or omniorb; level: -O2 or -Os."""
        return self.pool.submit(self._make, kind, idl, level, defines)

    def _make(self, kind, idl, level, defines):
        stem = os.path.splitext(os.path.basename(idl))[0]
        out = tempfile.mkdtemp(prefix=f"{stem}{level}-{kind}-", dir=self.folder)
        flags = [f"-D{name}" for name in defines]
        if kind == "omniorb":
            run("omniidl", "-bcxx", "-Wbuse_quotes", *flags, f"-C{out}", idl)
            run("g++", "-DNDEBUG", "-w", level, f"-I{out}", "-c", f"{out}/{stem}SK.cc", "-o", f"{out}/all.o")
            return Generated(f"{out}/all.o")
        run(self.tenon_idl, f"--stubs={kind}", "--no-any", *flags, "--out-dir", out, idl)
        for name in (stem, f"{stem}_skel"):
            run(*COMPILER, level, *includes(self.root), f"-I{out}", "-c", f"{out}/{name}.cpp",
                "-o", f"{out}/{name}.o")
        return Generated(f"{out}/{stem}.o", f"{out}/{stem}_skel.o")


def share_of(part, whole):
    return None if part is None or not whole else round(100 * part / whole, 1)


def measure(build, report):
    say("object code of Param_Test")
    with tempfile.TemporaryDirectory(prefix="sizes-") as folder:
        workshop = Workshop(build, folder)
        idl = os.path.join(HERE, "param.idl")
        kinds = ("interpreted", "compiled", "omniorb")
        whole = {(kind, level): workshop.make(kind, idl, level) for kind in kinds for level in ("-O2", "-Os")}
        without = {(kind, name): workshop.make(kind, idl, "-O2", defines=[f"WITHOUT_{name.upper()}"])
                   for kind in kinds for name in TYPES}
        bars(report, whole)
        totals(report, whole)
        operations(report, whole, without)
        helpers(report, whole)
        engine(build, report)


def compared(build):
    """Octets of Param_Test's generated code. The headers are those that the build folder was made of."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as lines:
        root = next(line.split("=", 1)[1].strip() for line in lines if line.startswith("CMAKE_HOME_DIRECTORY:"))
    with tempfile.TemporaryDirectory(prefix="sizes-") as folder:
        workshop = Workshop(build, folder, root)
        made = {(kind, level): workshop.make(kind, os.path.join(HERE, "param.idl"), level)
                for kind in ("interpreted", "compiled") for level in ("-O2", "-Os")}
        return {f"{kind}{level.replace('-', '_')}": future.result().sizes().total for (kind, level), future in made.items()}


def bars(report, whole):
    def text(kind):
        # As the program `size` counts text, which the peers' published figures are: code, constants and unwinding tables.
        found = whole[kind, "-Os"].result().sizes()
        return [(found["code"] + found["constants"] + found["unwinding"]) / 1024], found.words()

    def share(level):
        part, all_of_it = (whole[kind, level].result() for kind in ("interpreted", "compiled"))
        each, once = ([part.sizes(way).total, all_of_it.sizes(way).total] for way in (False, True))
        return [each[0] / each[1]], (f"{each[0]} of {each[1]} octets; with templates counted once {once[0]} of {once[1]}. "
                                     f"Interpreted: {part.sizes().words()}")

    report.attempt("interpreted_size_share", "ratio", "<= 0.25", lambda: share("-O2"))
    report.attempt("interpreted_size_share_os", "ratio", "<= 0.40", lambda: share("-Os"))
    report.attempt("interpreted_param_text_os", "KiB", "<= 6", lambda: text("interpreted"))
    report.attempt("param_text_os", "KiB", "<= 15", lambda: text("compiled"))
    report.attempt("param_text_os_omniorb", "KiB", "", lambda: text("omniorb"))


def totals(report, whole):
    rows = []
    for (kind, level), made in whole.items():
        try:
            found = made.result()
        except Unmeasurable:
            continue
        each, once = found.sizes(), found.sizes(once=True)
        rows.append([kind, level, each["code"], each["constants"], each["data"], each["relocations"], each.total, once.total,
                     each["unwinding"]])
    report.table("Object code of Param_Test, stub and skeleton, octets",
                 ["Generated code", "Level", "Code", "Constants", "Data", "Relocations", "Sum", "Sum, templates once", "Unwinding"],
                 rows)


def marginal(whole, without, kind, name):
    """What one operation adds to the stub and to the skeleton: [(code, tables), (code, tables)]."""
    try:
        all_of_it, rest = whole[kind, "-O2"].result(), without[kind, name].result()
    except Unmeasurable:
        return None
    found = []
    for one, other in zip(all_of_it.all, rest.all):
        difference = {part: object_code.sizes([one], False)[part] - object_code.sizes([other], False)[part]
                      for part in ("code", "constants", "data", "relocations")}
        found.append((difference["code"], sum(difference.values()) - difference["code"]))
    return found


def operations(report, whole, without):
    helper = helper_sizes(whole, "-O2")
    for number, (title, paper, column) in enumerate((("Stub sizes (after table XV)", XV, 1), ("Skeleton sizes (after table XVI)",
                                                                                             XVI, 2))):
        rows = []
        for name in TYPES:
            interpreted, compiled = (marginal(whole, without, kind, name) for kind in ("interpreted", "compiled"))
            row = [f"test_{name}"]
            row += [*interpreted[number], sum(interpreted[number])] if interpreted else [None] * 3
            added = helper.get(name, 0)
            row += [*compiled[number], added, sum(compiled[number]) + added] if compiled else [None] * 4
            mine = row[3]
            theirs = paper[name]
            rows.append([*row, share_of(mine, row[7]), sum(theirs[:2]), sum(theirs[2:]), XVII[name][column]])
        report.table(f"{title}, octets at -O2",
                     ["Operation", "Interpreted: code", "Tables", "Total", "Compiled: code", "Tables", "Helper", "Total",
                      "Interpreted, %", "The paper's interpreted", "The paper's compiled", "The paper's %"], rows,
                     "What the operation adds to the object: with it less without it. Helper: the type's own functions, which "
                     "stub and skeleton share.")
    rows = [[f"test_{name}", *(sum(map(sum, parts)) if (parts := marginal(whole, without, kind, name)) else None
                               for kind in ("interpreted", "compiled", "omniorb"))] for name in TYPES]
    report.table("What one operation adds, stub and skeleton, octets at -O2", ["Operation", "Interpreted", "Compiled", "omniORB"],
                 rows)


def codec_functions(whole, level):
    """{type: {"put": octets, "get": octets}} of compiled code."""
    try:
        found, _ = object_code.pieces(whole["compiled", level].result().all)
    except Unmeasurable:
        return {}
    names = object_code.demangled(found)
    sizes = {}
    for name, piece in found.items():
        for kind, codec in HELPERS.items():
            match = re.match(rf"(?:void |bool )?tenon::gen::{re.escape(codec)}::(\w+)\(", names[name])
            if match and piece.part == "code":
                side = "get" if match[1] in ("get", "get_each", "clean") else "put"
                sizes.setdefault(kind, {"put": 0, "get": 0})[side] += piece.size
    return sizes


def helper_sizes(whole, level):
    """Of those that generated code declares; templates are part of what an operation adds already."""
    return {kind: sum(sides.values()) for kind, sides in codec_functions(whole, level).items()
            if kind in ("fixed_struct", "var_struct", "nested_struct")}


def helpers(report, whole):
    rows = []
    found = {level: codec_functions(whole, level) for level in ("-O2", "-Os")}
    for kind, paper in XIV.items():
        row = [kind]
        for level in found:
            sides = found[level].get(kind)
            row += [sides["put"], sides["get"]] if sides else [None, None]
        rows.append([*row, *paper])
    report.table("Functions that marshal and demarshal one value, compiled (after table XIV), octets",
                 ["Type", "put, -O2", "get, -O2", "put, -Os", "get, -Os", "The paper's operator<<", "The paper's operator>>"], rows)


def engine(build, report):
    """The code that all stubs of a program share, whatever their number."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="archive-") as folder:
        for name, library, wanted in (("interpreted stubs", "src/interpreted/libtenon_interpreted.a", lambda _: True),
                                      ("marshal programs", "src/marshal/libtenon_marshal.a", lambda _: True),
                                      ("programs of TypeCodes, for the dynamic side",
                                       "src/marshal/typecodes/libtenon_marshal_typecodes.a", lambda _: True),
                                      ("CDR, of which compiled stubs need as much", "src/cdr/libtenon_cdr.a", lambda _: True)):
            path = os.path.join(build, library)
            if not os.path.exists(path):
                rows.append([name, None, None])
                continue
            inside = tempfile.mkdtemp(dir=folder)
            run("ar", "x", path, cwd=inside)
            members = [os.path.join(inside, member) for member in sorted(os.listdir(inside)) if wanted(member)]
            found = object_code.sizes(members, True)
            rows.append([name, found.total, found["unwinding"]])
    report.table("The shared engine, octets at -O2", ["Part", "Sum", "Unwinding"], rows,
                 "Whole libraries; a linker takes of them what is referred to.")
