#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a reference names, and over which sockets a process speaks."""
import os
import socket
import struct
import tempfile
import unittest

from references import IIOP, SHMIOP, UIOP, connections, endpoints


class Writer:
    """An encapsulation, little-endian."""

    def __init__(self):
        self.data = b"\1"

    def number(self, kind, size, value):
        self.data += b"\0" * (-len(self.data) % size) + struct.pack("<" + kind, value)
        return self

    def block(self, data):
        self.number("I", 4, len(data))
        self.data += data
        return self


def iiop(host, port, key=b"key"):
    profile = Writer()
    profile.data += b"\1\2"
    return IIOP, profile.block(host.encode() + b"\0").number("H", 2, port).block(key).data


def uiop(path, key=b"key"):
    profile = Writer()
    profile.data += b"\1\2"
    return UIOP, profile.block(path.encode() + b"\0").block(key).data


def shmiop(place, name, key=b"key"):
    profile = Writer()
    profile.data += b"\1\2"
    return SHMIOP, profile.block(place.encode() + b"\0").block(name.encode() + b"\0").block(key).data


def reference(*profiles):
    ior = Writer().block(b"IDL:x:1.0\0").number("I", 4, len(profiles))
    for tag, content in profiles:
        ior.number("I", 4, tag).block(content)
    return "IOR:" + ior.data.hex() + "\n"


class References(unittest.TestCase):
    def test_each_profile_is_named_as_an_endpoint(self):
        self.assertEqual(endpoints(reference(iiop("127.0.0.1", 4711))), ["iiop://127.0.0.1:4711"])
        self.assertEqual(endpoints(reference(uiop("/run/a.sock"), iiop("h", 1), (9, b"\1"))),
                         ["uiop:///run/a.sock", "iiop://h:1", "profile 0x9"])
        self.assertEqual(endpoints(reference(shmiop("machine/4:1/0", "@name"))), ["shmiop://@name"])
        self.assertEqual(endpoints(reference()), [])

    def test_connections_are_told_by_their_kind(self):
        before = connections(os.getpid())  # the one that starts this test may have given it some
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener, \
                socket.socket(socket.AF_UNIX) as client:
            listener.bind(os.path.join(folder, "socket"))
            listener.listen()
            self.assertEqual(connections(os.getpid()), before)
            client.connect(os.path.join(folder, "socket"))
            self.assertEqual(connections(os.getpid()), before | {"unix"})
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.assertEqual(connections(os.getpid()), before)
            with socket.create_connection(listener.getsockname()):
                self.assertEqual(connections(os.getpid()), before | {"tcp"})


if __name__ == "__main__":
    unittest.main()
