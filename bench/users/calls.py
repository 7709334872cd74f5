# SPDX-License-Identifier: Apache-2.0
"""The call after something went wrong: after a time-out, after the server has closed an idle connection, after clients have left.

Programs: bench/users/calls. Nothing here knows what a number should be but for the bounds that it reports.
"""
import contextlib
import os
import statistics
import subprocess
import time

from noop import LOOPBACK
from programs import Contender, Pair, Unmeasurable
from report import say

QUICK_CALLS = 8
WAIT_MS, TIMEOUT_MS = 5000, 100
WAYS = ["thread-per-connection", "pool", "single-thread"]
TIMED_CALLS = 4000
TICKS, TICK_MS, IDLE_MS = 100, 300, 100
DEPARTED, AT_ONCE = 200, 8
FEW_DESCRIPTORS = 80


def desk(build, name="tenon", server_options=LOOPBACK, client_options=()):
    here = os.path.join(build, "bench", "users", "calls")
    server = {"tenon": "users_desk_server", "omniorb": "users_desk_omniorb_server"}[name]
    return Contender(name, [os.path.join(here, server)], [os.path.join(here, "users_desk_client")],
                     server_options=list(server_options), client_options=list(client_options))


def give_up_a_call(pair):
    pair.ask(f"quick 1 {10 * TIMEOUT_MS}")
    pair.ask(f"timeout {WAIT_MS} {TIMEOUT_MS}")


def calls_after_timeout(build):
    """Quick calls of the client whose call has timed out, in every way of serving and towards omniORB."""
    got, values = [], []
    kinds = [(way, desk(build, server_options=LOOPBACK + ["-ORBServing", way])) for way in WAYS]
    for way, contender in kinds + [("omniORB", desk(build, "omniorb", []))]:
        with Pair(contender) as pair:
            give_up_a_call(pair)
            values.append(int(pair.ask(f"quick {QUICK_CALLS} {TIMEOUT_MS}")))
        got.append(f"{way} {values[-1]}")
    return [min(values)], ", ".join(got)


def speed_after_timeout(build, rounds):
    """A client that has given up a call beside a fresh one, in turn; each round has both anew, since time heals."""
    results, after, fresh = [], [], []
    for _ in range(rounds):
        with contextlib.ExitStack() as stack:
            pairs = [stack.enter_context(Pair(desk(build))) for _ in range(2)]
            for pair in pairs:
                pair.ask(f"pingpong {TIMED_CALLS}")
            pairs[0].ask(f"timeout {WAIT_MS} {TIMEOUT_MS}")
            for pair in pairs:
                pair.ask(f"pingpong {TIMED_CALLS // 4}")
                pair.pin(0, 0)
            times = [float(pair.ask(f"pingpong {TIMED_CALLS}").split()[0]) for pair in pairs]
            results.append(times[0] / times[1])
            after.append(times[0])
            fresh.append(times[1])
    return results, f"p50 {statistics.median(after) / 1000:.2f} us, fresh {statistics.median(fresh) / 1000:.2f} us, one core"


def oneways_after_idle_close(build):
    options = LOOPBACK + ["-ORBServerIdle", str(IDLE_MS)]
    with Pair(desk(build, server_options=options)) as pair:
        return [int(pair.ask(f"ticks {TICKS} {TICK_MS}"))], f"{TICKS} ticks each {TICK_MS} ms, -ORBServerIdle {IDLE_MS}"


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def departed_clients(build, most=None):
    """Clients come, are called back and go; the server's descriptors after the first and after the last."""
    contender = desk(build, client_options=LOOPBACK)
    wrap = None
    if most is not None:
        wrap = lambda role: ["prlimit", f"--nofile={most}", "--"] if role == "server" else []
    with Pair(contender, wrap) as pair:
        pair.ask(f"call_back {AT_ONCE}")
        pid = pair.server.pid
        counts = []
        for _ in range(DEPARTED):
            with Visitor(pair) as visitor:
                visitor.ask(f"call_back {AT_ONCE}")
            if not counts:
                counts.append(settled(pid))
        counts.append(settled(pid))
        return counts


class Visitor(Pair):
    """A further client of a pair's server."""

    def __init__(self, host):
        super().__init__(host.contender)
        self.address = os.path.join(host.folder, "address")

    def __enter__(self):
        c = self.contender
        self.client = self._start("client", c.client + [c.address_option, self.address] + c.client_options, subprocess.PIPE,
                                  subprocess.PIPE)
        return self


def settled(pid):
    """The least number of descriptors in a while: connections of clients that have just gone are about to be closed."""
    seen = []
    for _ in range(20):
        seen.append(descriptors(pid))
        time.sleep(0.1)
    return min(seen)


def descriptors_after_clients(build):
    first, last = departed_clients(build)
    return [last - first], f"{first} after the first client, {last} after {DEPARTED}, each called back {AT_ONCE} times at once"


def callbacks_with_few_descriptors(build):
    try:
        departed_clients(build, FEW_DESCRIPTORS)
    except Unmeasurable as reason:
        return [0], str(reason)
    return [DEPARTED], f"clients called back by a server that may have {FEW_DESCRIPTORS} descriptors"


def measure(build, report, rounds):
    say("calls after a time-out")
    report.attempt("calls_after_timeout_ok", "calls", ">= 8", lambda: calls_after_timeout(build))
    report.attempt("calls_after_timeout_p50_vs_fresh", "ratio", "<= 1.2", lambda: speed_after_timeout(build, max(5, rounds // 3)))
    say("oneways after an idle close")
    report.attempt("oneways_lost_after_idle_close", "oneways", "<= 0", lambda: oneways_after_idle_close(build))
    say("clients that were called back and have gone")
    report.attempt("descriptors_after_200_clients", "descriptors", "<= 10", lambda: descriptors_after_clients(build))
    report.attempt("clients_called_back_with_80_descriptors", "clients", ">= 200",
                   lambda: callbacks_with_few_descriptors(build))
