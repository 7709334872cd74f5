# SPDX-License-Identifier: Apache-2.0
"""The programs of bench/late: which there are, how they are started, and blocks of calls of a chosen time.

A pair is named CLIENT>SERVER, each of c++ (Tenon), java (Tenon, late demarshalling), ffm (the same over java.lang.foreign, on a newer
Java), wrapper (Tenon, JNI field by field), omniorb and jacorb. Nothing here knows what a number should be.
"""
import json
import os
import statistics

from programs import Contender, Unmeasurable, answer_of, descendants, say_absent
from report import first_line
import programs

JACORB_MAIN = {"server": "measured.Server", "client": "measured.Client"}
HEAP = ["-Xms256m", "-Xmx256m", "-XX:+UseG1GC"]
PAYLOAD = 32 * 1024
OCTETS = {"A": 2, "B": 4, "C": 8, "D": 16, "E": 32, "F": 64}  # of an element
NEVER = ["--idle", "36000"]
HERE = ([], [], "127.0.0.1")


def elements(kind, octets=PAYLOAD):
    return octets // OCTETS[kind]


class Kit:
    """What was built, and the Java that runs it."""

    def __init__(self, build, java_options=()):
        self.build = os.path.abspath(build)
        self.here = os.path.join(self.build, "bench", "late")
        self.heap = list(java_options) or HEAP
        try:
            with open(os.path.join(self.here, "java.json"), encoding="utf-8") as file:
                self.paths = json.load(file)
        except OSError:
            self.paths = None

    def versions(self):
        """Of Java and JacORB, where they are."""
        java = first_line(self.paths["java"], "--version") if self.paths else None
        java22 = first_line(self.paths["java22"], "--version") if self.paths and self.paths["java22"] else None
        jacorb = os.path.basename(self.paths["jacorb"]).removeprefix("jacorb-") if java else None
        return {name: text for name, text in (("java", java), ("java of ffm", java22), ("jacorb", jacorb)) if text}

    def need_java(self):
        if self.paths is None or not os.path.exists(os.path.join(self.here, "tenon.stamp")):
            raise Unmeasurable("the Java run time is not built: it wants a JDK 17 (Debian: openjdk-17-jdk-headless)")

    def java(self, main, heap=None, engine="jni"):
        """The command of a Java program with Tenon; over java.lang.foreign it wants a newer Java."""
        self.need_java()
        program, more = [self.paths["java"]], []
        if engine == "ffm":
            if not self.paths["java22"]:
                raise Unmeasurable("no Java 22 or newer is there: ./dev setup fetches one")
            program, more = [self.paths["java22"], "--enable-native-access=ALL-UNNAMED"], ["-Dtenon.engine=ffm"]
        libraries = [f"-Dtenon.library.path={self.build}", f"-Djava.library.path={self.here}"]
        return [*program, *(self.heap if heap is None else heap), *libraries, *more, "-cp",
                self.paths["tenon_jar"] + ":" + self.paths["classes"], main]

    def jacorb(self, role, heap=None):
        if self.paths is None:
            self.need_java()
        if not self.paths["jacorb"] or not os.path.exists(os.path.join(self.here, "jacorb.stamp")):
            raise Unmeasurable("JacORB is not there: ./dev setup fetches it")
        return [self.paths["java"], *(self.heap if heap is None else heap), "-cp",
                os.path.join(self.paths["jacorb"], "*") + ":" + os.path.join(self.here, "jacorb_classes"), JACORB_MAIN[role]]

    def native(self, kind, role):
        path = os.path.join(self.here, f"late_{kind}_{role}")
        if not os.access(path, os.X_OK):
            raise Unmeasurable("omniORB is not there (Debian: omniidl libomniorb4-dev omniorb-idl)" if kind == "omniorb" else
                               f"{os.path.basename(path)} is not built")
        return [path]

    def side(self, kind, role, heap=None, address="127.0.0.1"):
        """The command, and options behind it; servers listen at the address."""
        listen = ["-ORBListenEndpoints", f"iiop://{address}"] if role == "server" else []
        if kind == "c++":
            return self.native("tenon", role), listen
        if kind == "omniorb":
            return self.native("omniorb", role), ["-ORBendPoint", f"giop:tcp:{address}:"] if role == "server" else []
        if kind == "jacorb":
            return self.jacorb(role, heap), ["--address", address] if role == "server" else []
        engine = "ffm" if kind == "ffm" else "jni"
        return self.java(f"measured.{role.capitalize()}", heap, engine), listen + (["--wrapper"] if kind == "wrapper" else [])

    def pair(self, name, heap=None, place=HERE):
        """place: what stands before the server's command, and the client's, and the server's address."""
        client, server = name.split(">")
        before_server, before_client, address = place
        of_client, client_options = self.side(client, "client", heap)
        of_server, server_options = self.side(server, "server", heap, address)
        return Contender(name, before_server + of_server, before_client + of_client, server_options=NEVER + server_options,
                         client_options=client_options)

    def start(self, names, stack, heap=None, place=HERE):
        """The pairs that run, by name, and why others do not."""
        contenders, absent = {}, {}
        for name in names:
            try:
                contenders[name] = self.pair(name, heap, place)
            except Unmeasurable as reason:
                absent[name] = say_absent(name, reason)
        started, more = programs.start(contenders, stack)
        for pair in started.values():
            pair.pin(0, 0)
        return started, {**absent, **more}


class Local:
    """The program that calls between C++ and Java in one process. Use as a context."""

    def __init__(self, kit, heap=None, engine="jni", main="measured.Local"):
        self.command = kit.java(main, heap, engine)
        self.inner = None

    def __enter__(self):
        self.inner = programs.Commands(self.command).__enter__()
        self.pin()
        return self

    def __exit__(self, *all_of_it):
        self.inner.__exit__(*all_of_it)

    @property
    def pid(self):
        return self.inner.process.pid

    def pin(self):
        for pid in [self.pid] + descendants(self.pid):
            for task in os.listdir(f"/proc/{pid}/task"):
                os.sched_setaffinity(int(task), {0})

    def ask(self, command):
        return answer_of(self.inner.process, "the Java program", command)


class Times:
    """Blocks of calls, interleaved. Each block is to take `block` seconds, after `warm` seconds of warming up."""

    def __init__(self, rounds, block, warm, least=5):
        self.rounds, self.block, self.warm, self.least = rounds, block, warm, least

    def _settled(self, ask):
        """How many calls a block has; until then they are being compiled."""
        spent, count = 0.0, self.least
        while True:
            each = max(float(ask(count)), 1.0) / 1e9
            spent += each * count
            count = max(self.least, int(self.block / each))
            if spent >= self.warm:
                return count

    def of(self, asks):
        """asks: what makes so many calls and answers with the mean in ns, by name. Series of nanoseconds by name."""
        counts = {}
        for name, ask in asks.items():
            try:
                counts[name] = self._settled(ask)
            except Unmeasurable as reason:
                say_absent(name, reason)
        series = {name: [] for name in counts}
        for number in range(self.rounds):
            for name in list(counts)[:: 1 if number % 2 == 0 else -1]:
                series[name].append(float(asks[name](counts[name])))
        return series


def shown(series, unit=1000.0):
    """Median (minimum) of each, in microseconds."""
    return ", ".join(f"{name} {statistics.median(values) / unit:.2f} ({min(values) / unit:.2f})" for name, values in series.items())
