# SPDX-License-Identifier: Apache-2.0
"""What no map of a hello program says: what one more interface costs, what memory an idle server holds, what the ORB takes from the
heap, and whether the programs work at all."""
import glob
import os
import re
import statistics
import subprocess
import sys
import tempfile

import bill
import link_map
from link_map import COUNTED
from workshop import COMPILE, LINK, ROOT, Unmeasurable, run

sys.path[:0] = [os.path.join(ROOT, "bench", part) for part in ("common", "param")] + [os.path.join(ROOT, "tests", "memory")]
import heap  # noqa: E402
import object_code  # noqa: E402
import services  # noqa: E402

ONE = "module Footprint { interface First { void ping(); }; };"
TWO = "module Footprint { interface First { void ping(); }; interface Second { void ping(); }; };"


def interface_octets(shop):
    """Code, constants, data and unwinding tables of stub and skeleton that a second interface with one void operation adds,
    interpreted; relocations are not in it."""
    found = []
    for text in (ONE, TWO):
        out = tempfile.mkdtemp(prefix="interface-", dir=shop.folder)
        with open(os.path.join(out, "interface.idl"), "w", encoding="ascii") as file:
            file.write(text + "\n")
        run(shop.tenon_idl, "--no-any", "--stubs=interpreted", "--out-dir", out, file.name)
        includes = [f"-I{path}" for path in (os.path.join(ROOT, "include"), os.path.join(ROOT, "src"), ROOT, out)]
        objects = []
        for source in sorted(glob.glob(os.path.join(out, "*.cpp"))):
            objects.append(source + ".o")
            run(shop.compiler, *COMPILE, *includes, "-c", source, "-o", source + ".o")
        sizes = object_code.sizes(objects, once=True)
        found.append(sum(sizes[kind] for kind in COUNTED))
    return found[1] - found[0]


def interpreted_service_shares(shop):
    """What interpreted stubs and skeletons of the OMG's services are of compiled ones, at most: of services with little to marshal, and
    of the others (bench/param/services.py says which, and of what)."""
    try:
        return [round(found[0][1], 3) for found in services.interpreted_shares(shop.tenon_idl, shop.folder)]
    except services.Unmeasurable as error:
        raise Unmeasurable(str(error)) from error


def sensor_kib(shop):
    """KiB of ORB in the server of examples/sensor: interpreted stubs, known memory."""
    example = os.path.join(ROOT, "examples", "sensor")
    out = tempfile.mkdtemp(prefix="sensor-", dir=shop.folder)
    run(shop.tenon_idl, "--no-any", "--stubs=interpreted", "--out-dir", out, os.path.join(example, "sensor.idl"))
    flags = [f"-I{path}" for path in (os.path.join(ROOT, "include"), os.path.join(ROOT, "src"), ROOT, out)]
    objects = [shop.compile(source, flags, out)
               for source in (os.path.join(example, "server.cpp"), *sorted(glob.glob(os.path.join(out, "*.cpp"))))]
    program = os.path.join(out, "sensor_server")
    run(shop.compiler, *LINK, f"-Wl,-Map={program}.map", *objects, "-Wl,--start-group", *shop.archives(()), "-Wl,--end-group",
        "-pthread", "-o", program)
    return round(bill.total(link_map.read(program + ".map")) / 1024, 1)


LOCAL = ["-ORBListenEndpoints", "iiop://127.0.0.1:0"]


def try_call(server, client, *options):
    """Whether the client is answered by the server, which is started with these options, and told of the exception. Raises
    Unmeasurable: a program that does not work has no size that means anything."""
    names = f"{os.path.basename(client)} of {os.path.basename(server)}"
    with subprocess.Popen([server, *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip()
            for who, expected in (("you", (0, "hello, you")), ("", (1, "nobody to greet"))):
                done = subprocess.run([client, address, who], capture_output=True, text=True, timeout=20)
                if (done.returncode, done.stdout.strip()) != expected:
                    raise Unmeasurable(f"the {names} was told '{(done.stdout + done.stderr).strip()}', not '{expected[1]}'")
        except subprocess.TimeoutExpired as error:
            raise Unmeasurable(f"the {names} gets no answer") from error
        finally:
            process.kill()


def anonymous_kib(command):
    """(KiB of memory that belongs to no file, number of threads) of a program that has printed a line and waits."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            if not process.stdout.readline():
                raise Unmeasurable(f"{os.path.basename(command[0])} does not start")
            with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as text:
                held = re.search(r"^Anonymous:\s+(\d+) kB", text.read(), re.MULTILINE)
            return int(held[1]), len(os.listdir(f"/proc/{process.pid}/task"))
        finally:
            process.kill()


ROUNDS = 51


def idle_kib(server, idle):
    """What a static server holds while it waits, less a static program without an ORB that has as many threads: medians of both,
    since where the system places heap and stack is worth a page or two."""
    _, threads = anonymous_kib([server])
    held, empty = (statistics.median(anonymous_kib(command)[0] for _ in range(ROUNDS)) for command in ([server], [idle, str(threads)]))
    return held - empty


def first_reply(client, server, raw):
    """How long a server takes from its start to its first reply, beside a raw socket server: medians of both, and their ratio."""
    text = run(client, str(ROUNDS), server, raw)
    times = [[int(word) for word in line.split()] for line in text.splitlines()]
    ours, theirs = (statistics.median(column) for column in zip(*times))
    return {"ms": ours / 1e6, "raw_ms": theirs / 1e6, "ratio": ours / theirs}


def heap_after_start(shop):
    """Allocations of the ORB, in the worse of client and server and of the ways of serving, after their start: over 100,000 calls of
    Param_Test and 1,000 each of exceptions, time-outs, reconnects and refusals (tests/memory/heap.py lists them)."""
    out = tempfile.mkdtemp(prefix="heap-", dir=shop.folder)
    memory = os.path.join(ROOT, "tests", "memory")
    run(shop.tenon_idl, "--no-any", "--out-dir", out, os.path.join(ROOT, "bench", "param", "param.idl"),
        os.path.join(memory, "heap.idl"))
    flags = [f"-I{path}" for path in (os.path.join(ROOT, "include"), os.path.join(ROOT, "src"), ROOT, out)]
    objects = [shop.compile(source, flags, out) for source in sorted(glob.glob(os.path.join(out, "*.cpp")))]
    own = tempfile.mkdtemp(prefix="heap-own-", dir=shop.folder)
    objects += [shop.compile(os.path.join(memory, source), flags, own) for source in ("heap.cpp", "counting.cpp")]
    program = os.path.join(own, "heap_after_start")
    run(shop.compiler, *LINK, *objects, "-Wl,--start-group", *shop.archives(()), "-Wl,--end-group", "-pthread", "-o", program)
    try:
        return heap.of_orb(program, ("iiop",))
    except heap.Failed as reason:
        raise Unmeasurable(str(reason)) from reason
