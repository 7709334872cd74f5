# SPDX-License-Identifier: Apache-2.0
"""Calls between two network namespaces, whose link (veth) is slowed down to a rate by a token bucket (tbf): only root may make them."""
import contextlib
import os
import shutil
import subprocess

from contenders import elements
from programs import Unmeasurable
from remote import measured
from report import say

# Of the paper's time, and of a line card today: octets of the bucket.
RATES = {"155mbit": 32 * 1024, "1gbit": 128 * 1024}
PAIRS = ["c++>c++", "java>c++", "c++>java", "wrapper>c++", "c++>wrapper", "jacorb>c++", "c++>jacorb"]
SERVER, CLIENT = "10.231.77.1", "10.231.77.2"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unmeasurable(f"network namespaces: '{' '.join(command)}' said: {done.stderr.strip() or done.returncode}")


class Link:
    """Two namespaces and the link between them. Use as a context."""

    def __init__(self, rate):
        self.rate = rate
        self.holders = []

    def __enter__(self):
        for tool in ("unshare", "nsenter", "ip", "tc"):
            if shutil.which(tool) is None:
                raise Unmeasurable(f"network namespaces: {tool} is not installed (Debian: util-linux iproute2)")
        if os.geteuid() != 0:
            raise Unmeasurable("network namespaces: only root may make them")
        try:
            for _ in range(2):
                holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo there; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=subprocess.DEVNULL, text=True)
                self.holders.append(holder)
                if holder.stdout.readline() != "there\n":
                    raise Unmeasurable("network namespaces: unshare --net is not permitted here")
            server, client = (str(holder.pid) for holder in self.holders)
            run("ip", "link", "add", "late0", "netns", server, "type", "veth", "peer", "name", "late0", "netns", client)
            for holder, address in zip(self.holders, (SERVER, CLIENT)):
                inside = self.inside(holder)
                run(*inside, "ip", "address", "add", f"{address}/24", "dev", "late0")
                run(*inside, "ip", "link", "set", "late0", "up")
                run(*inside, "ip", "link", "set", "lo", "up")
                run(*inside, "tc", "qdisc", "add", "dev", "late0", "root", "tbf", "rate", self.rate, "burst", str(RATES[self.rate]),
                    "latency", "100ms")
        except BaseException:
            self.__exit__()
            raise
        return self

    @staticmethod
    def inside(holder):
        return [shutil.which("nsenter"), f"--net=/proc/{holder.pid}/ns/net", "--"]

    def __exit__(self, *_):
        for holder in self.holders:
            holder.communicate()  # it lives as long as its input, and so not longer than this program


def measure(kit, times, report, pairs=PAIRS):
    for rate in RATES:
        with Link(rate) as link, contextlib.ExitStack() as stack:
            server, client = (link.inside(holder) for holder in link.holders)
            started, _ = kit.start(pairs, stack, place=(server, client, SERVER))
            rows = report.more["series"]["networks"]
            for operation in ("noop", "put_E", "get_E"):
                say(f"over a link of {rate}: {operation}")
                rows[f"{operation}, {rate}"] = measured(started, operation, 0 if operation == "noop" else elements("E"), times)
