#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/sensor as its README tells it: after its start the server takes nothing from the heap, and it refuses a client too many while
the others go on.

  tests/memory/sensor.py SERVER CLIENT     SERVER is linked with counting.cpp and counted.cpp
"""
import contextlib
import signal
import socket
import struct
import subprocess
import sys

import heap

CONNECTIONS = 4  # as the server's limits say
RUNS = 3
CLOSE_CONNECTION = 5


class Failed(Exception):
    """What is not as it should be."""


class Peer:
    """A client of the device that speaks GIOP 1.2 by itself, so that it keeps its connection."""

    def __init__(self, address):
        self.socket = socket.create_connection(address, timeout=10)
        self.request = 0

    def close(self):
        self.socket.close()

    def read(self, octets):
        found = b""
        while len(found) < octets:
            part = self.socket.recv(octets - len(found))
            if not part:
                return None
            found += part
        return found

    def message(self):
        """(type, body) of the next message; None: the connection has ended."""
        try:
            header = self.read(12)
            if header is None:
                return None
            magic, _, _, _, kind, size = struct.unpack("<4sBBBBI", header)
            if magic != b"GIOP":
                raise Failed(f"no GIOP message: {header!r}")
            return kind, self.read(size)
        except ConnectionResetError:
            return None

    def probes(self):
        """How many probes the device has; None: it refuses this client."""
        self.request += 1
        operation = b"_get_probes\0"
        key = b"Device"
        body = struct.pack("<IB3xHxxI", self.request, 3, 0, len(key)) + key
        body += b"\0" * (-len(body) % 4) + struct.pack("<I", len(operation)) + operation
        body += b"\0" * (-len(body) % 4) + struct.pack("<I", 0)
        try:
            self.socket.sendall(struct.pack("<4sBBBBI", b"GIOP", 1, 2, 1, 0, len(body)) + body)
        except (BrokenPipeError, ConnectionResetError):
            return None
        reply = self.message()
        if reply is None or reply[0] == CLOSE_CONNECTION:
            return None
        kind, body = reply
        if kind != 1 or struct.unpack("<II", body[:8]) != (self.request, 0):
            raise Failed(f"no good reply: type {kind}, {body!r}")
        return struct.unpack("<H", body[16:18] if len(body) >= 18 else body[12:14])[0]


def address_of(ior):
    """Host and port, which is an unsigned short behind the host's text."""
    octets = bytes.fromhex(ior.removeprefix("IOR:"))
    host = b"127.0.0.1\0"
    return "127.0.0.1", struct.unpack_from("=H", octets, octets.index(host) + len(host))[0]


def run_client(client, reference):
    done = subprocess.run([client, reference], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise Failed(done.stderr.strip() or f"the client ended with status {done.returncode}")
    return done.stdout


def refuse_one(address):
    """With as many clients as may be, one more is refused and the others go on; when one has gone, there is room again."""
    with contextlib.ExitStack() as closing:
        def new():
            made = Peer(address)
            closing.callback(made.close)
            return made

        peers = [new() for _ in range(CONNECTIONS)]
        # A connection that has been idle for a second would be closed to make room.
        if [peer.probes() for peer in peers] != [3] * CONNECTIONS:
            raise Failed("not as many clients are served as the limits say")
        if new().probes() is not None:
            raise Failed("a client too many is served")
        if [peer.probes() for peer in peers] != [3] * CONNECTIONS:
            raise Failed("clients that were there do not go on while another one is refused")
        peers[0].close()
        for _ in range(100):  # the server may learn of the end a little later
            if new().probes() == 3:
                return
        raise Failed("a client has gone, and another one is refused all the same")


def check(server_program, client):
    names = heap.Names(server_program)
    with subprocess.Popen([server_program], stdout=subprocess.PIPE, text=True) as server:
        try:
            reference = server.stdout.readline().strip()
            address = address_of(reference)
            server.send_signal(signal.SIGUSR1)
            if server.stdout.readline().strip() != "counting":
                raise Failed("the server does not count")
            for _ in range(RUNS):
                said = run_client(client, reference)
            refuse_one(address)
            server.send_signal(signal.SIGUSR2)
            text, _ = server.communicate(timeout=60)
        finally:
            if server.poll() is None:
                server.kill()
    found = heap.read("server", text, names)
    print(said)
    for each in found:
        print(f"{each.count} allocations, owner {each.owner}: {'; '.join(each.frames[:8])}")
    for owner in ("orb", "program"):
        if heap.totals(found, owner)["server"] != 0:
            raise Failed(f"the server has taken memory of the heap after its start; whose: {owner}")
    # Each run of the client asks for a probe that is not there: had it not been counted, nothing would have been.
    if heap.totals(found, "language")["server"] < RUNS:
        raise Failed("the exceptions that the server throws have not been counted")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        check(*sys.argv[1:])
    except (Failed, heap.Failed, OSError) as reason:
        sys.exit(f"sensor: {reason}")
