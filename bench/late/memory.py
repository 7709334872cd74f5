# SPDX-License-Identifier: Apache-2.0
"""What Java beside C++ costs in octets: of files, and of resident memory; and whether memory grows with calls.

Resident memory is VmRSS of /proc/PID/status: for a program of C++ with Tenon that has made a call, for a bare Java program, and for Java
with Tenon that has made a call and served one. What the last has beyond the others is the price of Java's half.
"""
import contextlib
import os
import shutil
import statistics
import subprocess
import tempfile
import zipfile

from contenders import Local
from programs import Commands, Unmeasurable, answer_of
from report import say

SMALL_HEAP = ["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"]
EARLY, LATE = 200_000, 1_000_000
BLOCK = 10_000
KIB = 1024.0


def rss_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def stripped_kib(path):
    if not os.path.exists(path):
        raise Unmeasurable(f"{os.path.basename(path)} is not built")
    if shutil.which("strip") is None:
        raise Unmeasurable("strip is not installed (Debian: binutils)")
    with tempfile.NamedTemporaryFile() as copy:
        subprocess.run(["strip", "-o", copy.name, path], check=True)
        return os.path.getsize(copy.name) / KIB


def jars(folder):
    """Those that a program with JacORB needs while it runs, in KiB."""
    return {name.removesuffix(".jar"): os.path.getsize(os.path.join(folder, name)) / KIB for name in sorted(os.listdir(folder))
            if name.endswith(".jar") and "compiler" not in name and "cup" not in name}


def generated(folder):
    """KiB of the classes that an IDL compiler and javac made of late.idl, as an archive has them."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(os.listdir(os.path.join(folder, "Late"))):
                archive.write(os.path.join(folder, "Late", name), name)
        return file.tell() / KIB


def jar_kib(path):
    """Without native libraries, where the archive has some; and a note."""
    with zipfile.ZipFile(path) as opened:
        entries = opened.infolist()
    classes = [entry for entry in entries if entry.filename.endswith(".class")]
    native = sum(entry.compress_size for entry in entries if ".so" in entry.filename)
    return (os.path.getsize(path) - native) / KIB, f"{len(classes)} classes, {sum(each.file_size for each in classes) / KIB:.0f} KiB unpacked"


def files(kit, report):
    parts = {"two ORBs": {}, "simple wrapper": {}, "late": {}}
    report.more["series"]["footprint"] = {"KiB of files": parts}
    late = parts["late"]

    def native():
        kit.need_java()
        late["libtenon-jni.so"] = stripped_kib(os.path.join(kit.build, "libtenon-jni.so"))
        late["libtenon-c.so"] = stripped_kib(os.path.join(kit.build, "libtenon-c.so"))
        parts["simple wrapper"]["wrapper of late.idl"] = stripped_kib(os.path.join(kit.here, "liblate-wrapper.so"))
        return [late["libtenon-jni.so"]], f"libtenon-jni.so, stripped; libtenon-c.so, which any binding has: {late['libtenon-c.so']:.1f}"

    def jar():
        kit.need_java()
        late["tenon.jar"], note = jar_kib(kit.paths["tenon_jar"])
        late["generated of late.idl"] = generated(kit.paths["classes"])
        note += f"; generated of late.idl: {late['generated of late.idl']:.1f}"
        if kit.paths["jacorb"]:
            parts["two ORBs"].update(jars(kit.paths["jacorb"]))
            parts["two ORBs"]["JacORB's of late.idl"] = generated(os.path.join(kit.here, "jacorb_classes"))
            note += "; two ORBs: " + ", ".join(f"{name} {size:.0f}" for name, size in parts["two ORBs"].items())
        return [late["tenon.jar"]], note

    report.attempt("java_footprint_native_kib", "KiB", "<= 40", native)
    report.attempt("java_footprint_jar_kib", "KiB", "<= 120", jar)


def of_pair(kit, name, stack, heap):
    """Resident memory of the client and of the server of a pair whose client has called each operation once."""
    pairs, absent = kit.start([name], stack, heap)
    if name not in pairs:
        raise Unmeasurable(absent[name])
    pair = pairs[name]
    for command in ("noop 0 2", "put_E 64 2", "get_E 64 2"):
        pair.ask(command)
    return rss_kib(pair.client.pid), rss_kib(pair.server.pid)


def hello(kit, heap, engine="jni"):
    with Commands(kit.java("measured.Hello", heap, engine)) as program:
        answer_of(program.process, "measured.Hello", "noop 0 1")
        return rss_kib(program.process.pid)


def megabytes(kib):
    return kib * 1.024 / 1000


def resident(kit, rounds, report):
    heap = []  # as Java does it by itself
    found = {}

    def seen(key, name, role):
        """Of the client (0) or the server (1) of a pair."""
        with contextlib.ExitStack() as stack:
            found.setdefault(key, []).append(of_pair(kit, name, stack, heap)[role])

    def both():
        for _ in range(rounds):
            found.setdefault("bare java", []).append(hello(kit, heap))
            for key, name, role in (("c++ client", "c++>c++", 0), ("c++ servant", "c++>c++", 1), ("java client", "java>c++", 0),
                                    ("java servant", "c++>java", 1), ("wrapper client", "wrapper>c++", 0)):
                seen(key, name, role)
        report.more["series"]["rss_kib"] = found
        more = [beyond(role) for role in ("client", "servant")]
        note = "; ".join(f"{name} {megabytes(statistics.median(values)):.1f}" for name, values in found.items())
        return [max(pair) for pair in zip(*more)], f"the larger of client and servant less bare java less the same in c++; MB: {note}"

    def beyond(role, kind="java"):
        return [megabytes(java - bare - native)
                for java, bare, native in zip(found[f"{kind} {role}"], found["bare java"], found[f"c++ {role}"])]

    def jacorb():
        for _ in range(rounds):
            seen("jacorb client", "jacorb>c++", 0)
        return [megabytes(one - bare) for one, bare in zip(found["jacorb client"], found["bare java"])], "JacORB's client less bare java"

    def ffm():
        for _ in range(rounds):
            found.setdefault("bare java of ffm", []).append(hello(kit, heap, "ffm"))
            seen("ffm client", "ffm>c++", 0)
        more = [megabytes(java - bare - native)
                for java, bare, native in zip(found["ffm client"], found["bare java of ffm"], found["c++ client"])]
        return more, "the client less bare java of that version less the same in c++"

    report.attempt("java_footprint_rss_mb", "MB", "<= 4", both)
    report.attempt("java_ffm_footprint_rss_mb", "MB", "", ffm)
    report.attempt("jacorb_footprint_rss_mb", "MB", "", jacorb)
    if "java client" in found:
        report.more["series"].setdefault("footprint", {})["MB of memory over a bare Java program"] = drawn(
            {key: megabytes(statistics.median(values)) for key, values in found.items()})


def drawn(medians):
    """Of a client by each method, for the figure. Two ORBs are JacORB, and a program of C++ beside it."""
    bare = medians["bare java"]
    parts = {"two ORBs": {}, "simple wrapper": {"Java, wrapper and C++ ORB": medians["wrapper client"] - bare},
             "late": {"Java's half and C++ ORB": medians["java client"] - bare}}
    if "ffm client" in medians:
        parts["late, FFM"] = {"Java's half over FFM and C++ ORB": medians["ffm client"] - medians["bare java of ffm"]}
    if "jacorb client" in medians:
        parts["two ORBs"] = {"JacORB": medians["jacorb client"] - bare, "a C++ program with its ORB": medians["c++ client"]}
    return parts


def calls(quick):
    """Between which calls memory may not grow, and how many are made at a time."""
    return (200, 1000, 100) if quick else (EARLY, LATE, BLOCK)


def grown(pid, ask, quick):
    """MiB from the early call to the late one."""
    early, late, block = calls(quick)
    done, first = 0, None
    while done < late:
        ask(block)
        done += block
        if done == early:
            first = rss_kib(pid)
    return (rss_kib(pid) - first) / KIB


def leak_local(way):
    def measured(kit, quick):
        with Local(kit, SMALL_HEAP) as program:
            return grown(program.pid, lambda count: program.ask(f"{way} put_E 2 {count}"), quick)
    return measured


def leak_remote(name, role):
    def measured(kit, quick):
        with contextlib.ExitStack() as stack:
            pairs, absent = kit.start([name], stack, SMALL_HEAP)
            if name not in pairs:
                raise Unmeasurable(absent[name])
            return grown(getattr(pairs[name], role).pid, lambda count: pairs[name].ask(f"put_E 2 {count}"), quick)
    return measured


# Each way: from C++ to Java and from Java to C++, in one process and over TCP.
LEAKS = {"up": leak_local("up-late"), "down": leak_local("down-late"), "client": leak_remote("java>c++", "client"),
         "servant": leak_remote("c++>java", "server")}


def leaks(kit, quick, report):
    for way, measured in LEAKS.items():
        say(f"memory: {way}")
        report.attempt(f"leak_{way}", "MiB", "<= 1", lambda m=measured: (
            [m(kit, quick)], f"VmRSS from call {calls(quick)[0]:,} to call {calls(quick)[1]:,}, put of SequenceE of 64 octets, {' '.join(SMALL_HEAP)}"))
