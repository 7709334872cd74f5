#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that uses another transport than it was told to is not measured."""
import os
import sys
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench", "common"))
import transports  # noqa: E402
from programs import Unmeasurable  # noqa: E402

TCP, UIOP = transports.TRANSPORTS


def prove(transport, named, used, kind="tenon"):
    pair = mock.Mock(folder="/tmp/bench-1.0")
    pair.contender.name = kind
    with mock.patch.object(transports, "endpoints", lambda text: named), \
            mock.patch.object(transports, "connections", lambda pid: used), mock.patch("builtins.open", mock.mock_open(read_data="")):
        transports.prove(pair, transport, kind == "tenon", "calls 1")


class Proof(unittest.TestCase):
    def refused(self, *arguments, **more):
        with self.assertRaises(Unmeasurable) as why:
            prove(*arguments, **more)
        return str(why.exception)

    def test_what_it_was_told(self):
        prove(TCP, ["iiop://127.0.0.1:4711"], {"tcp"})
        prove(UIOP, ["uiop:///tmp/bench-1.0/socket"], {"unix"})
        prove(UIOP, ["profile 0x0"], {"unix"}, kind="omniorb")  # whose reference is omniORB's affair

    def test_another_endpoint(self):
        self.assertEqual(self.refused(TCP, ["uiop:///tmp/bench-1.0/socket"], {"tcp"}),
                         "tenon does not use tcp: its reference names uiop:///tmp/bench-1.0/socket")
        self.refused(TCP, ["iiop://127.0.0.1:0"], {"tcp"})
        self.refused(TCP, ["iiop://10.0.0.1:4711"], {"tcp"})
        self.refused(UIOP, ["uiop:///tmp/bench-1x0/socket"], {"unix"})

    def test_one_endpoint_more(self):
        self.refused(TCP, ["iiop://127.0.0.1:4711", "uiop:///tmp/bench-1.0/socket"], {"tcp"})

    def test_other_connections(self):
        self.assertEqual(self.refused(TCP, ["iiop://127.0.0.1:4711"], {"tcp", "unix"}),
                         "tenon does not use tcp: its client's connections are tcp, unix")
        self.refused(UIOP, [], {"tcp"}, kind="omniorb")
        self.refused(TCP, ["iiop://127.0.0.1:4711"], set())
        self.refused(TCP, ["iiop://127.0.0.1:4711"], {"tcp elsewhere"})


if __name__ == "__main__":
    unittest.main()
