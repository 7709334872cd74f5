#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one interoperability case: a server program, a client program, a variant.

  run.py --server KIND=PATH --client KIND=PATH VARIANT [--suite NAME] [--only TEXT] [--client-option=OPTION]... [--tls LIBRARY] [--keep]

The client prints "ok NAME" or "FAIL NAME reason" per check; this adds the case's name, holds the failures against
known_failures.txt, and prints a list. Exit status: 0 when only known failures are left, 77 when the variant cannot run here.
Programs of both kinds take --ior FILE --giop V --port N --native SET; what else a kind needs stands in arguments().
"""
import argparse
import fcntl
import fnmatch
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import capture
import corbaloc

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "omniorbpy"), os.path.dirname(HERE)]
import absent  # noqa: E402
import peer as omniorbpy  # noqa: E402
import tls  # noqa: E402
MIB = 1 << 20

# Each of a hundred calls that wait for a callback keeps a thread of the server.
STAND_INS = ["-ORBPoolThreadsMost", "200"]

# What a server's reference names besides 127.0.0.1 (JacORB's listen on one address: it names that twice), and an address where nobody
# listens.
OTHER_HOST = {"tenon": "127.0.0.2", "omniorb": "127.0.0.2", "jacorb": "127.0.0.1"}
GONE_HOST = "127.0.0.3"

VARIANTS = {
    "giop12": {"giop": "1.2"},
    "giop11": {"giop": "1.1"},
    "giop10": {"giop": "1.0"},
    "utf8": {"giop": "1.2", "native": "UTF-8"},
    "mixed": {"giop": "1.2", "native": "ISO-8859-1", "server_native": "UTF-8"},
    "mixed_back": {"giop": "1.2", "native": "UTF-8", "server_native": "ISO-8859-1"},
    "large": {"giop": "1.2", "big": 64 * MIB, "only": "blob"},
    # What only Tenon has switches for.
    "pool": {"giop": "1.2", "tenon_server": ["-ORBServing", "pool"]},
    "fragments": {"giop": "1.2", "tenon_server": ["-ORBFragmentAbove", "1024"], "tenon_client": ["-ORBFragmentAbove", "1024"]},
    # Memory errors, and padding that was never written and yet is sent, end the program with a status.
    "memcheck": {"giop": "1.2", "wrap": ["valgrind", "-q", "--error-exitcode=9"], "only": "_bin", "big": 100_000},
    "capture": {"giop": "1.2", "capture": True, "big": 100_000},
    # Text of every plane of Unicode between each two native sets: codesets_SERVER_CLIENT.
    **{f"codesets_{server}_{client}": {"giop": "1.2", "native": sets[client], "server_native": sets[server], "planes": True,
                                       "only": "planes"}
       for sets in [{"latin1": "ISO-8859-1", "utf8": "UTF-8"}] for server in sets for client in sets},
    # The same where one of ours has UCS-2 for wide text.
    "codesets_ucs2": {"giop": "1.2", "native": "UTF-8", "planes": True, "only": "planes",
                      "tenon_server": ["-ORBNativeWCharCodeSet", "UCS-2"],
                      "tenon_client": ["-ORBNativeWCharCodeSet", "UCS-2", "--bmp-only"]},
    # A switch of docs/compatibility.md: omniORB's long double.
    "x87": {"giop": "1.2", "only": "longdouble", "tenon_server": ["-ORBLongDouble", "x87"],
            "tenon_client": ["-ORBLongDouble", "x87"]},
    # Nobody says which code sets are meant, because the reference is an address and a key; both sides were told.
    "unstated": {"giop": "1.2", "native": "UTF-8", "corbaloc": True, "only": "code_points",
                 "tenon_server": ["-ORBUnstatedCharCodeSet", "UTF-8", "-ORBUnstatedWCharCodeSet", "UTF-16"],
                 "tenon_client": ["-ORBUnstatedCharCodeSet", "UTF-8", "-ORBUnstatedWCharCodeSet", "UTF-16"],
                 "omniorb_client": ["-ORBdefaultCharCodeSet", "UTF-8", "-ORBdefaultWCharCodeSet", "UTF-16"]},
    # For the client that does not wait for its calls. With fragments; and one that kills its server at the end.
    "slow": {"giop": "1.2", "big": 64 * MIB, "tenon_server": STAND_INS},
    "slow_fragments": {"giop": "1.2", "tenon_server": [*STAND_INS, "-ORBFragmentAbove", "1024"],
                       "tenon_client": ["-ORBFragmentAbove", "1024"]},
    "slow_dies": {"giop": "1.2", "dies": True, "tenon_server": STAND_INS},
    # omniORB's server says LOCATION_FORWARD_PERM.
    "forward_perm": {"giop": "1.2", "capture": True, "only": "forwarded", "omniorb_server": ["--permanent"],
                     "wants": {"LOCATION_FORWARD_PERM": "giop.replystatus == 4"}},
    # The reference as an address and a key: no type id, no code sets.
    "corbaloc": {"giop": "1.2", "corbaloc": True, "only": "limits"},
    # Calls back take the connection that the client has opened. omniORB connects to itself at its end, so only requests count.
    "bidir": {"giop": "1.2", "capture": True, "only": "_back",
              "omniorb_server": ["-ORBacceptBiDirectionalGIOP", "1", "-ORBserverTransportRule", "* unix,tcp,bidir"],
              "omniorb_client": ["-ORBofferBiDirectionalGIOP", "1", "-ORBclientTransportRule", "* unix,tcp,bidir"],
              "omniorbpy_server": ["-ORBacceptBiDirectionalGIOP", "1", "-ORBserverTransportRule", "* unix,tcp,bidir"],
              "omniorbpy_client": ["-ORBofferBiDirectionalGIOP", "1", "-ORBclientTransportRule", "* unix,tcp,bidir"],
              "jacorb_server": ["--both-ways"], "jacorb_client": ["--both-ways"],
              "tenon_server": ["-ORBBidirectional", "accept"], "tenon_client": ["-ORBBidirectional", "offer"],
              "wants": {"request_of_the_server": "giop.type == 0 && tcp.srcport == {server}"},
              "never": {"request_to_the_clients_port": "giop && tcp.dstport == {client}"}},
    # Over Unix-domain sockets, which stand in the IIOP profiles of references in omniORB's way; there is no TCP port.
    "unix": {"giop": "1.2", "unix": True},
    # Over TLS: "server" has a certificate, or both have one ("mutual"), or a server of "both" ways has clients that take TLS alone, or
    # such as know of "none". Callbacks to a client without a certificate go in the clear.
    "tls": {"giop": "1.2", "tls": "server"},
    "tls_mutual": {"giop": "1.2", "tls": "mutual"},
    "tls_large": {"giop": "1.2", "tls": "mutual", "big": 64 * MIB, "only": "blob"},
    "tls_fragments": {"giop": "1.2", "tls": "mutual", "tenon_server": ["-ORBFragmentAbove", "1024"],
                      "tenon_client": ["-ORBFragmentAbove", "1024"]},
    "tls_pool": {"giop": "1.2", "tls": "mutual", "tenon_server": ["-ORBServing", "pool"]},
    "tls_bidir": {"giop": "1.2", "tls": "mutual", "capture": True, "only": "_back",
                  "omniorb_server": ["-ORBacceptBiDirectionalGIOP", "1", "-ORBserverTransportRule", "* ssl,bidir"],
                  "omniorb_client": ["-ORBofferBiDirectionalGIOP", "1", "-ORBclientTransportRule", "* ssl,bidir"],
                  "jacorb_server": ["--both-ways"], "jacorb_client": ["--both-ways"],
                  "tenon_server": ["-ORBBidirectional", "accept"], "tenon_client": ["-ORBBidirectional", "offer"],
                  "wants": {"octets_of_the_server": "tcp.srcport == {server} && tcp.len > 0"},
                  "never": {"request_to_the_clients_port": "tcp.dstport == {client} && tcp.len > 0", "octets_in_the_clear": "giop"}},
    "tls_both": {"giop": "1.2", "tls": "both", "only": "limits", "tenon_client": ["-ORBProtocol", "ssliop"],
                 "omniorb_client": ["-ORBclientTransportRule", "* ssl"]},
    "tls_none": {"giop": "1.2", "tls": "none", "only": "limits"},
    # Two addresses in one reference, of which the first leads nowhere.
    "tls_alternates": {"giop": "1.2", "tls": "mutual", "alternates": True, "only": "limits"},
    "tls_memcheck": {"giop": "1.2", "tls": "mutual", "wrap": ["valgrind", "-q", "--error-exitcode=9"], "only": "_bin", "big": 100_000},
    # JacORB asks where an object is only when told to; "wants" must be in the traffic.
    "locate": {"giop": "1.2", "capture": True, "only": "limits", "jacorb_client": ["--set", "jacorb.locate_on_bind=on"],
               "wants": {"LocateRequest": "giop.type == 3", "LocateReply": "giop.type == 4"}},
}


def arguments(kind, role, server_kind, variant):
    """What this kind of program needs beyond the common options."""
    engine = "tenon" if kind == "java" else kind  # Java programs take the options of the ORB that they run on
    extra = list(variant.get(f"{engine}_{role}", []))
    if kind == "omniorb":
        extra += ["-ORBtraceLevel", "0"]
        if variant.get("big", 0) > MIB:
            # omniORB's own limit is 2 MiB, in both directions.
            extra += ["-ORBgiopMaxMsgSize", str(variant["big"] + MIB)]
    if role == "client":
        extra += ["--big", str(variant.get("big", MIB))]
        if variant.get("planes"):
            extra.append("--planes")
            if kind == "tenon" and server_kind != "tenon":
                # A wchar of theirs is one UTF-16 unit.
                extra.append("--wchar-is-unit")
        if server_kind == "java" and kind == "jacorb":
            # It sends text in its own native set, if the server knows that; and a Java servant has a place for all text.
            extra += ["--peer-native", variant.get("native", "ISO-8859-1")]
        if kind == "tenon" and server_kind == "jacorb":
            # Of random types JacORB has too few: it forgets the bounds of strings, writes no leading zeros of a fixed, and has no
            # union over long long or wchar in an Any.
            extra += ["--skip", "random_any"]
        if kind == "tenon" and server_kind == "omniorbpy":
            # Most random types have a wchar, which omniORBpy loses.
            extra += ["--skip", "random_any"]
        if "omniorb" in (kind, server_kind) and variant["giop"] == "1.1":
            # omniORB neither publishes code sets in an IIOP 1.1 profile nor negotiates them from one.
            extra.append("--no-wide")
    return extra


# Below those that the system gives to clients.
PORTS = range(20000, 30000)
held_ports = []  # files whose locks last as long as this process


def free_ports(count):
    """Ports that are free, and that no other test of this user takes while this process lives."""
    folder = os.path.join(tempfile.gettempdir(), f"tenon-test-ports-{os.getuid()}")
    os.makedirs(folder, exist_ok=True)
    ports = []
    for port in random.sample(PORTS, len(PORTS)):
        if len(ports) == count:
            return ports
        lock = open(os.path.join(folder, str(port)), "w", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as s:
                s.bind(("127.0.0.1", port))
        except OSError:
            lock.close()
            continue
        held_ports.append(lock)
        ports.append(port)
    raise RuntimeError(f"of the ports {PORTS.start} to {PORTS.stop - 1} fewer than {count} are free")


def program(path):
    """A script is run by the Python that runs this, for which its modules are."""
    return [sys.executable, path] if path.endswith(".py") else [path]


def start_server(path, common, extra, ior, wrap=()):
    server = subprocess.Popen([*wrap, *program(path), "--ior", ior, "--idle", "120", *common, *extra])
    wait_for(server, ior)
    return server


def wait_for(server, ior):
    """Until it has published its reference."""
    deadline = time.monotonic() + 30
    while not os.path.exists(ior):
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with status {server.returncode} before it published its reference")
        if time.monotonic() > deadline:
            server.kill()
            server.wait()
            raise RuntimeError("the server published no reference within 30 seconds")
        time.sleep(0.02)


def stop_server(server):
    """SIGTERM must be enough: what it returns is part of the case."""
    server.send_signal(signal.SIGTERM)
    try:
        return server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
        return None


def over_tls(kind, role, variant, ports, options):
    """What a program is told of TLS."""
    how = variant["tls"]
    if role == "server":
        clear_port = ports[2] if how in ("both", "none") else None
        also_at = OTHER_HOST[kind] if variant.get("alternates") else None
        side = options.world.side("server", ports[0], mutual=how != "server", clear_port=clear_port, also_at=also_at)
        return side.options(kind, options.tls)
    if how == "none":
        return []
    return options.world.side(None if how == "server" else "client", ports[1], mutual=True).options(kind, options.tls)


def lose_first_host(path, other):
    """Nobody listens at the first address of the reference any more; certificates are for it all the same."""
    with open(path, encoding="ascii") as file:
        whole = bytes.fromhex(file.read().strip().removeprefix("IOR:"))
    first = b"127.0.0.1\0"
    if whole.count(other.encode() + b"\0") < (2 if other == "127.0.0.1" else 1):
        raise RuntimeError(f"the server's reference does not name {other} besides")
    whole = whole.replace(first, GONE_HOST.encode() + b"\0", 1 if other == "127.0.0.1" else -1)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"IOR:{whole.hex()}\n")


def run_pair(server_path, client_path, server_kind, client_kind, variant, folder, ports, options):
    native = variant.get("native", "ISO-8859-1")
    server_native = variant.get("server_native", native)
    ior = os.path.join(folder, "server.ior")

    def listening(role, number):
        if variant.get("unix"):
            return ["--unix", os.path.join(folder, f"{role}.sock")]
        if variant.get("tls"):
            kind = server_kind if role == "server" else client_kind
            return ["--port", str(ports[number + 2]), *over_tls(kind, role, variant, ports, options)]
        return ["--port", str(ports[number])]

    server = start_server(server_path, ["--giop", variant["giop"], "--native", server_native, *listening("server", 0)],
                          arguments(server_kind, "server", server_kind, variant), ior, variant.get("wrap", ()))
    try:
        reference = corbaloc.of(ior) if variant.get("corbaloc") else ior
        if variant.get("alternates"):
            lose_first_host(ior, OTHER_HOST[server_kind])
        command = [*variant.get("wrap", ()), *program(client_path), "--ior", reference, "--giop", variant["giop"],
                   "--native", native, "--peer-native", server_native, *listening("client", 1),
                   *arguments(client_kind, "client", server_kind, variant), *options.client_option]
        if variant.get("alternates") and client_kind == "tenon":
            # JacORB's alternate addresses are also ones in the clear, which a client would go on to while a handshake is slow.
            command += ["-ORBProtocol", "ssliop"]
        if variant.get("dies"):
            command += ["--server-pid", str(server.pid)]
        if options.only or "only" in variant:
            command += ["--only", options.only or variant["only"]]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, errors="replace", timeout=240)
        lines, status = done.stdout.splitlines(), done.returncode
    except subprocess.TimeoutExpired as expired:
        text = expired.stdout or b""
        lines, status = text.decode(errors="replace").splitlines(), None
    finally:
        ended = stop_server(server)
    print_table(lines)
    results = {}
    for line in lines:
        match = re.match(r"(ok|FAIL) (\S+) ?(.*)", line)
        if match:
            results[match[2]] = "" if match[1] == "ok" else match[3] or "no reason given"
    failed = any(results.values())
    if status is None:
        results["client_ends"] = "still running after 240 seconds"
    elif not any(line.startswith("done ") for line in lines) or (status != 0) != failed:
        results["client_ends"] = f"status {status}; {len(results)} checks reported"
    if ended != (-signal.SIGKILL if variant.get("dies") else 0):
        results["server_ends"] = "killed: SIGTERM did not end it" if ended is None else f"status {ended}"
    return results


def print_table(lines):
    """The lines "table ROW COLUMN OUTCOME" of a client, as one."""
    cells = [line.split()[1:4] for line in lines if line.startswith("table ")]
    columns = sorted({column for _, column, _ in cells})
    if cells:
        print("plane " + " ".join(f"{column:16}" for column in columns))
    for row in sorted({row for row, _, _ in cells}):
        found = {column: outcome for r, column, outcome in cells if r == row}
        print(f"{row:5} " + " ".join(f"{found.get(column, '-'):16}" for column in columns))


def captured(run, folder, ports, keep, wants, never, hidden):
    """The same case with its traffic recorded; the dissector's complaints become failed checks. hidden: it sees no GIOP, so it has none."""
    path = os.path.join(folder, "traffic.pcap")
    recorder = capture.Capture(path, ports)
    recorder.start()
    try:
        results = run()
    finally:
        recorder.stop()
    complaints = [] if hidden else capture.judge(path, ports)
    for number, complaint in enumerate(complaints[:20]):
        results[f"traffic_{number}"] = complaint
    results.setdefault("traffic_clean", "" if not complaints else f"{len(complaints)} complaints")
    for wanted, expressions in ((True, wants), (False, never)):
        for name, expression in expressions.items():
            found = capture.holds(path, ports, expression.format(server=ports[0], client=ports[1]))
            results[f"traffic_{name}"] = "" if found == wanted else "in the traffic" if found else "not in the traffic"
    if keep:
        print(f"traffic kept in {path}, ports {ports}")
    return results


def known_failures(case):
    """By check: the outcome as a compiled expression, and the reason."""
    known = {}
    with open(os.path.join(HERE, "known_failures.txt"), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            words = re.fullmatch(r"(\S+) (\S+) `(.+)` (.+)\n", line)
            if not words:
                sys.exit(f"known_failures.txt:{number}: wants CASE CHECK `OUTCOME` reason")
            if fnmatch.fnmatchcase(case, words[1]):
                known[words[2]] = (re.compile(re.escape(words[3]).replace(r"\*", ".*")), words[4])
    return known


def report(case, results, known, partial):
    surprises = 0
    for name, wrong in results.items():
        outcome, reason = known.get(name, (None, ""))
        if wrong and outcome and outcome.fullmatch(wrong.strip()):
            print(f"known {case} {name}: {wrong.strip()} [{reason}]")
        elif wrong:
            surprises += 1
            print(f"FAIL  {case} {name}: {wrong}" + (f" (known_failures.txt knows another outcome: {reason})" if outcome else ""))
        elif name in known:
            surprises += 1
            print(f"FIXED {case} {name}: remove its line from known_failures.txt")
    if not partial:
        for name in sorted(set(known) - set(results)):
            surprises += 1
            print(f"STALE {case} {name}: known_failures.txt names a check that did not run")
    passed = sum(1 for wrong in results.values() if not wrong)
    print(f"{case}: {passed} of {len(results)} checks pass" + (f", {surprises} surprises" if surprises else ""))
    return 1 if surprises or passed == 0 else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True, metavar="KIND=PATH")
    parser.add_argument("--client", required=True, metavar="KIND=PATH")
    parser.add_argument("--suite", default="", help="which programs these are, when not those of echo.idl: part of the case")
    parser.add_argument("--only", default="", help="only checks whose name contains this")
    parser.add_argument("--client-option", action="append", default=[], help="given to the client in addition; may be repeated")
    parser.add_argument("--tls", default="", metavar="LIBRARY", help="Tenon's plug-in for TLS")
    parser.add_argument("--keep", action="store_true", help="keep the folder with the reference and the capture")
    parser.add_argument("variant", choices=sorted(VARIANTS))
    options = parser.parse_args()
    server_kind, server_path = options.server.split("=", 1)
    client_kind, client_path = options.client.split("=", 1)
    case = "/".join(filter(None, [options.suite, server_kind, client_kind, options.variant]))
    variant = VARIANTS[options.variant]
    if "wrap" in variant and shutil.which(variant["wrap"][0]) is None:
        return absent.not_run(f"{case}: {variant['wrap'][0]} is not installed")
    missing = omniorbpy.why_not() if "omniorbpy" in (server_kind, client_kind) else ""
    if missing:
        return absent.not_run(f"{case}: {missing}")
    folder = tempfile.mkdtemp(prefix="interop-")
    ports = free_ports(4)
    try:
        options.world = tls.World(folder) if variant.get("tls") else None
    except tls.Unavailable as missing:
        return absent.not_run(f"{case}: {missing}")

    def run():
        return run_pair(server_path, client_path, server_kind, client_kind, variant, folder, ports, options)

    try:
        if variant.get("capture"):
            results = captured(run, folder, ports[:2], options.keep, variant.get("wants", {}), variant.get("never", {}), "tls" in variant)
        else:
            results = run()
    except capture.NotPermitted as reason:
        # Root who cannot capture is a machine set up wrongly, and says so; another user simply may not.
        status = absent.not_run(f"{case}: {reason}")
        return 1 if os.geteuid() == 0 else status
    except RuntimeError as reason:
        results = {"start": str(reason)}
    finally:
        if not options.keep:
            subprocess.run(["rm", "-rf", folder], check=False)
    return report(case, results, known_failures(case), bool(options.only or "only" in variant))


if __name__ == "__main__":
    sys.exit(main())
