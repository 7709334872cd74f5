#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that capture.judge() can fail: hand-made captures, one clean and some that are not, without a network."""
import os
import shutil
import struct
import sys
import tempfile
import unittest

import capture

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import absent  # noqa: E402

PORT = 50999


def ip_checksum(header):
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def packet(payload):
    """One TCP segment to the server's port in an IPv4 packet."""
    tcp = struct.pack(">HHIIBBHHH", 40000, PORT, 1, 1, 5 << 4, 0x18, 65535, 0, 0)
    length = 20 + len(tcp) + len(payload)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length, 1, 0, 64, 6, 0, b"\x7f\0\0\1", b"\x7f\0\0\1")
    ip = ip[:10] + struct.pack(">H", ip_checksum(ip)) + ip[12:]
    return ip + tcp + payload


def request(operation_length=5):
    """GIOP 1.2 Request `noop`, little-endian, object key "abcd", no service context, no body."""
    body = struct.pack("<IB3xHxxI4sI5s3xI", 7, 3, 0, 4, b"abcd", operation_length, b"noop\0", 0)
    return b"GIOP" + struct.pack("<BBBBI", 1, 2, 1, 0, len(body)) + body


class Judge(unittest.TestCase):
    def judged(self, *payloads):
        with tempfile.NamedTemporaryFile(suffix=".pcap") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))  # 101: raw IP
            for payload in payloads:
                data = packet(payload)
                file.write(struct.pack("<IIII", 1, 0, len(data), len(data)) + data)
            file.flush()
            return capture.judge(file.name, [PORT])

    def test_clean(self):
        self.assertEqual(self.judged(request()), [])

    def test_empty(self):
        self.assertTrue(self.judged())

    def test_length_past_the_end(self):
        self.assertTrue(self.judged(request(operation_length=5000)))

    def test_not_giop(self):
        self.assertTrue(self.judged(b"HTTP/1.1 200 OK\r\n\r\n"))

    def test_unknown_message_type(self):
        self.assertTrue(self.judged(request()[:7] + b"\x63" + request()[8:]))


if __name__ == "__main__":
    if shutil.which("tshark") is None:
        sys.exit(absent.not_run("tshark is not installed"))
    unittest.main()
