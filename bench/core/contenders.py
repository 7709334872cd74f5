# SPDX-License-Identifier: Apache-2.0
"""Which programs take part in the core benchmark, and with how many objects and calls."""
import os
import time

import idle
import noop
import resources
from noop import LOOPBACK
from programs import Contender, Pair

BLOCK_CALLS = 4000
WARM_UP_CALLS = 4000
POPULATIONS = [1, 100, 10000, 1000000]
DRAWN = 40000  # objects of each population; a block calls them all
BUFFERED_CALLS = 50000
TAIL_CALLS = 100000
SPIN_US = 50  # longer than any of the calls that are measured with it
THREADS_CALLS = 16000
IDLE_CONNECTIONS = [500, 10000]
CLOSED_CONNECTIONS = 1000


def core(build, program, **settings):
    here = os.path.join(build, "bench", "core")
    return Contender("tenon", [f"{here}/core_{program}server"], [f"{here}/core_client"], server_options=LOOPBACK, **settings)


def latency_contenders(build):
    return {
        "raw": noop.raw(build),
        "raw_unix": noop.raw_unix(build),
        "tenon": noop.orb(build, "tenon", server_options=LOOPBACK),
        "tenon_pool": noop.orb(build, "tenon", name="tenon_pool", server_options=LOOPBACK + ["-ORBServing", "pool"]),
        "tenon_uiop": noop.orb(build, "tenon", name="tenon_uiop", server_options=["-ORBListenEndpoints", "uiop://"]),
    }


def tail_contender(build):
    program = os.path.join(build, "bench", "core", "core_tail")
    return Contender("core_tail", [program, "server"], [program, "client"], server_options=LOOPBACK)


def spinning_contender(build):
    spin = ["-ORBSpin", str(SPIN_US)]
    return noop.orb(build, "tenon", counted=False, server_options=LOOPBACK + spin, client_options=spin)


def operations(build, kind, client=""):
    here = os.path.join(build, "bench", "core")
    return Contender("tenon", [f"{here}/core_operations_server_{kind}"], [f"{here}/core_operations_client{client}"],
                     server_options=LOOPBACK)


def connection_memory(build, many):
    """Octets of an idle connection, beyond the first ones; and clock ticks of the processor that all used in two seconds."""
    few = IDLE_CONNECTIONS[0]
    resources.more_descriptors(many + 200)
    contender = noop.orb(build, "tenon", server_options=LOOPBACK + ["-ORBServing", "pool", "-ORBMaxServerConnections",
                                                                    str(many + 100)])
    with Pair(contender) as pair:
        with open(os.path.join(pair.folder, "address"), encoding="ascii") as text:
            host, port, key = idle.target_of(text.read())
        message = idle.request(key, "noop")
        connections = []
        try:
            connections += idle.connect(few, (host, port), message)
            before = idle.anonymous_memory(pair.server.pid)
            connections += idle.connect(many - few, (host, port), message)
            after = idle.anonymous_memory(pair.server.pid)
            ticks = idle.processor_ticks(pair.server.pid)
            time.sleep(2)
            ticks = idle.processor_ticks(pair.server.pid) - ticks
        finally:
            idle.close(connections)
    return (after - before) / (many - few), ticks
