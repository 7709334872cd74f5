# SPDX-License-Identifier: Apache-2.0
"""What a server holds and gives back: memory when peers claim large messages and for a large reply, and how it ends with thousands of idle connections.

Program: bench/users/resources. The clients are this script. Memory is what the kernel says is resident (VmRSS), so the program itself is in it.
"""
import contextlib
import os
import resource
import socket
import statistics
import struct
import time

import idle
from noop import LOOPBACK
from programs import Commands, Unmeasurable
from report import say

GREEDY = 150
CLAIMED_MIB, SENT_MIB = 250, 10
MEMORY_MIB = 256
WAYS = ["thread-per-connection", "pool", "single-thread"]
IDLE_CONNECTIONS = 5000
MIB = 1 << 20


def server(build, *options):
    return Commands([os.path.join(build, "bench", "users", "resources", "users_resources_server"), *LOOPBACK, *options])


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    raise Unmeasurable("the kernel does not tell resident memory")


def more_descriptors(count):
    """For this process and the servers that it starts."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limits[1] != resource.RLIM_INFINITY and limits[1] < count:
        raise Unmeasurable(f"a process may open only {limits[1]} descriptors here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], count), limits[1]))


# ---- memory ----------------------------------------------------------------------------------------------------------------


def be_greedy(connection, key):
    """Sends the header of a request that claims a large size, and a part of the request; the server may end the connection meanwhile."""
    whole = idle.request(key, "noop")
    claim = whole[:8] + struct.pack("<I", CLAIMED_MIB * MIB - 12) + whole[12:]
    with contextlib.suppress(ConnectionError):
        connection.sendall(claim)
        connection.sendall(bytes(SENT_MIB * MIB - len(claim)))


def settled(pid):
    """Resident memory once it has stopped changing."""
    seen = [resident(pid)]
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        time.sleep(0.1)
        seen.append(resident(pid))
        if len(seen) > 10 and max(seen[-10:]) - min(seen[-10:]) < 1:
            break
    return seen


def greedy_clients(build, way, limit_mib):
    """Resident MiB before, at the worst, and after all have gone; and how many connections the server has ended itself."""
    more_descriptors(4 * GREEDY)
    with server(build, "-ORBMemory", f"{limit_mib}M", "-ORBServing", way) as program:
        host, port, key = idle.target_of(program.ask("reference"))
        pid = program.process.pid
        idle.close(idle.connect(8, (host, port), idle.request(key, "noop")))
        before = settled(pid)[-1]
        worst = before
        connections = idle.connect(GREEDY, (host, port), None)
        try:
            for connection in connections:
                be_greedy(connection, key)
                worst = max(worst, resident(pid))
            worst = max(worst, *settled(pid))
            refused = sum(ended(connection) for connection in connections)
        finally:
            idle.close(connections)
        return before, worst, settled(pid)[-1], refused


def ended(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) != b"" or connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def memory(build, report):
    say(f"memory: {GREEDY} connections that claim {CLAIMED_MIB} MiB each and send {SENT_MIB}, each way of serving")
    got, reason = {}, None
    try:
        got = {way: greedy_clients(build, way, MEMORY_MIB) for way in WAYS}
    except Unmeasurable as why:
        reason = why

    def value(of):
        if reason is not None:
            raise reason
        each = {way: of(*numbers) for way, numbers in got.items()}
        note = ", ".join(f"{way} {each[way]:.1f} ({numbers[3]} refused)" for way, numbers in got.items())
        return [max(each.values())], f"-ORBMemory {MEMORY_MIB}M; {note}"

    report.attempt("memory_worst_mib", "MiB", "<= 310", lambda: value(lambda before, worst, after, refused: worst))
    report.attempt("memory_after_close_mib", "MiB", "<= 16", lambda: value(lambda before, worst, after, refused: after - before))


# ---- a large reply ---------------------------------------------------------------------------------------------------------

FRAGMENT = "64k"
REPLY_MIB = 64


def large_reply(build, *options):
    """MiB that the server holds beyond the result that its servant has returned, and how many messages the reply came in."""
    with server(build, *options) as program:
        host, port, key = idle.target_of(program.ask("reference"))
        with socket.create_connection((host, port)) as connection:
            connection.sendall(idle.request(key, "read"))
            messages, octets, more = 0, 0, True
            while more:
                head = idle.receive(connection, 12)
                size, = struct.unpack("<I", head[8:])
                octets += len(idle.receive(connection, size))
                messages, more = messages + 1, head[6] & 2
        if octets < REPLY_MIB * MIB:
            raise Unmeasurable(f"the reply has {octets} octets only")
        held, most = map(int, program.ask("held").split())
    return (most - held) / 1024, messages


def stream(build, report):
    say(f"memory for a reply of {REPLY_MIB} MiB of strings, in fragments of {FRAGMENT} and whole")

    def beyond_the_value():
        cut, messages = large_reply(build, "-ORBFragmentAbove", FRAGMENT)
        whole, _ = large_reply(build)
        return [cut], f"beyond the value; {messages} messages; in one message {whole:.1f}"

    report.attempt("stream_rss_mib", "MiB", "<= 4", beyond_the_value)


# ---- the end ---------------------------------------------------------------------------------------------------------------


def processor_ms(pid):
    """What all threads of a process have used, those that have ended too, by the clock that Linux has for each process."""
    return time.clock_gettime(~pid << 3 | 2) * 1000


def shutdown_ms(build, way, count):
    """Milliseconds until shutdown() returns, and of processor time."""
    more_descriptors(count + 200)
    with server(build, "-ORBServing", way) as program:
        host, port, key = idle.target_of(program.ask("reference"))
        connections = idle.connect(count, (host, port), idle.request(key, "noop"))
        try:
            used = processor_ms(program.process.pid)
            took = float(program.ask("shutdown"))
            used = processor_ms(program.process.pid) - used
            for connection in connections:
                head = idle.receive(connection, 12)
                if head[7] != 5 or connection.recv(1) != b"":
                    raise Unmeasurable("the server did not say CloseConnection and then end")
        finally:
            idle.close(connections)
    return took, used


def slowest_shutdown(build, count, rounds):
    """Twice (values, note): milliseconds, and milliseconds of processor time, of the slowest way of serving in each round."""
    took = {way: list(zip(*(shutdown_ms(build, way, count) for _ in range(rounds)))) for way in WAYS}
    notes = [", ".join(f"{way} {statistics.median(times[which]):.1f}" for way, times in took.items()) for which in (0, 1)]
    return [([max(times) for times in zip(*(both[which] for both in took.values()))],
             f"the slowest of {notes[which]}; every client finds CloseConnection") for which in (0, 1)]


def shutdown(build, report, rounds):
    say(f"orderly shutdown with {IDLE_CONNECTIONS} idle connections, each way of serving")
    report.attempt("shutdown_5000_ms", "ms", "<= 250", lambda: slowest_shutdown(build, IDLE_CONNECTIONS, rounds)[0])


def measure(build, report, rounds):
    memory(build, report)
    stream(build, report)
    shutdown(build, report, max(3, rounds // 7))
