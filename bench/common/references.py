# SPDX-License-Identifier: Apache-2.0
"""What a reference as text ("IOR:...") names, and over which sockets a process then speaks: a benchmark of a transport asserts both."""
import contextlib
import os
import struct

IIOP = 0
UIOP = 0x54414F00  # TAO's, of Unix-domain sockets
SHMIOP = 0x544E0002  # of shared memory

ESTABLISHED = "01"  # /proc/net/tcp
CONNECTED = "03"  # /proc/net/unix


class Encapsulation:
    """CDR whose first octet is its byte order."""

    def __init__(self, data):
        self.data, self.at, self.order = data, 1, "<" if data[0] & 1 else ">"

    def number(self, kind, size):
        self.at = -(-self.at // size) * size
        value = struct.unpack_from(self.order + kind, self.data, self.at)[0]
        self.at += size
        return value

    def block(self):
        size = self.number("I", 4)
        self.at += size
        return self.data[self.at - size:self.at]

    def text(self):
        return self.block()[:-1].decode("utf-8")


def profiles(reference):
    """[(tag, content)] in the order of the reference."""
    ior = Encapsulation(bytes.fromhex(reference.strip()[4:]))
    ior.block()  # the type
    return [(ior.number("I", 4), ior.block()) for _ in range(ior.number("I", 4))]


def iiop_profile(content):
    """Host, port and object key."""
    profile = Encapsulation(content)
    profile.at += 2  # the version
    return profile.text(), profile.number("H", 2), profile.block()


def endpoints(reference):
    """What each profile names, as -ORBListenEndpoints has it: "iiop://host:port", "uiop://path", "shmiop://@name"; others by their tag."""
    named = []
    for tag, content in profiles(reference):
        if tag == IIOP:
            host, port, _ = iiop_profile(content)
            named.append(f"iiop://{host}:{port}")
        elif tag == UIOP:
            profile = Encapsulation(content)
            profile.at += 2
            named.append(f"uiop://{profile.text()}")
        elif tag == SHMIOP:
            profile = Encapsulation(content)
            profile.at += 2
            profile.text()  # the place
            named.append(f"shmiop://{profile.text()}")
        else:
            named.append(f"profile 0x{tag:x}")
    return named


def connections(pid):
    """The kinds of connected sockets that a process has: "tcp" over IPv4's loopback, "unix", else "tcp elsewhere"."""
    inodes = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            target = os.readlink(f"/proc/{pid}/fd/{name}")
            if target.startswith("socket:["):
                inodes.add(target[len("socket:["):-1])
    found = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{table}", encoding="ascii") as lines:
            for words in map(str.split, lines):
                if words[3] == ESTABLISHED and words[9] in inodes:
                    found.add("tcp" if words[2].startswith("0100007F:") else "tcp elsewhere")
    with open(f"/proc/{pid}/net/unix", encoding="utf-8", errors="replace") as lines:
        for words in map(str.split, lines):
            if words[5] == CONNECTED and words[6] in inodes:
                found.add("unix")
    return found
