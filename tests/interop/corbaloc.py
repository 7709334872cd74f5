#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A corbaloc from the first IIOP profile of a stringified reference; by itself: corbaloc.py FILE.

Reads what the profile begins with and no more: version, host, port, object key.
"""
import struct
import sys
import urllib.parse

TAG_INTERNET_IOP = 0


class Encapsulation:
    """Octets that begin with their byte order; what is read is aligned to the beginning."""

    def __init__(self, data):
        self.data = data
        self.order = "<" if data[0] else ">"
        self.at = 1

    def number(self, form):
        size = struct.calcsize(form)
        self.at += -self.at % size
        value = struct.unpack_from(self.order + form, self.data, self.at)[0]
        self.at += size
        return value

    def octets(self):
        size = self.number("I")
        self.at += size
        return self.data[self.at - size:self.at]


def profiles(reference):
    whole = Encapsulation(bytes.fromhex(reference.removeprefix("IOR:")))
    whole.octets()  # type id
    for _ in range(whole.number("I")):
        tag = whole.number("I")
        yield tag, Encapsulation(whole.octets())


def of(path):
    with open(path, encoding="ascii") as text:
        reference = text.read().strip()
    for tag, profile in profiles(reference):
        if tag == TAG_INTERNET_IOP:
            major, minor = profile.number("B"), profile.number("B")
            host = profile.octets().rstrip(b"\0").decode("ascii")
            port = profile.number("H")
            key = urllib.parse.quote(profile.octets(), safe=";/:?@&=+$,-_!~*'()")
            return f"corbaloc:iiop:{major}.{minor}@{host}:{port}/{key}"
    raise RuntimeError("the reference has no IIOP profile")


if __name__ == "__main__":
    print(of(sys.argv[1]))
