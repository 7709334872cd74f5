# SPDX-License-Identifier: Apache-2.0
"""What idle connections cost: many of them to one server, each of which has made one call, and then nothing more.

The client is this script: it speaks just enough GIOP to make a call. Memory is the server's anonymous memory, which is what a
process has of its own; the kernel's socket buffers are not in it.
"""
import socket
import struct

from programs import Unmeasurable
from references import IIOP, iiop_profile, profiles


def target_of(reference):
    """Host, port and object key of the first IIOP profile."""
    for tag, content in profiles(reference):
        if tag == IIOP:
            return iiop_profile(content)
    raise Unmeasurable("the server publishes no IIOP profile")


def request(key, operation):
    """A GIOP 1.2 request without arguments that wants a reply, little-endian."""
    name = operation.encode("ascii") + b"\0"
    body = struct.pack("<IB3xHxxI", 7, 3, 0, len(key)) + key
    body += b"\0" * (-len(body) % 4) + struct.pack("<I", len(name)) + name
    body += b"\0" * (-len(body) % 4) + struct.pack("<I", 0)  # no service contexts
    return b"GIOP\x01\x02\x01\x00" + struct.pack("<I", len(body)) + body


def receive(connection, size):
    octets = b""
    while len(octets) < size:
        got = connection.recv(size - len(octets))
        if not got:
            raise Unmeasurable("the server closed a connection")
        octets += got
    return octets


def call(connection, message):
    connection.sendall(message)
    head = receive(connection, 12)
    reply = receive(connection, struct.unpack_from("<I" if head[6] & 1 else ">I", head, 8)[0])
    status = struct.unpack_from("<I" if head[6] & 1 else ">I", reply, 4)[0]
    if head[:4] != b"GIOP" or head[7] != 1 or status != 0:
        raise Unmeasurable(f"a call was answered by a message of type {head[7]}, status {status}")


def anonymous_memory(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("Anonymous:"):
                return int(line.split()[1]) * 1024
    raise Unmeasurable("the kernel does not tell anonymous memory")


def processor_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as text:
        fields = text.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def connect(count, address, message):
    """Opens `count` connections, with one call over each if there is a message."""
    made = []
    try:
        for _ in range(count):
            connection = socket.create_connection(address, timeout=30)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            made.append(connection)
            if message:
                call(connection, message)
        return made
    except BaseException:
        close(made)
        raise


def close(connections):
    for connection in connections:
        connection.close()
