# SPDX-License-Identifier: Apache-2.0
"""The empty call, made by bench/first's programs: which programs take part, how large the messages are, and how blocks are interleaved.

Nothing here knows what a number should be.
"""
import os
import statistics

import programs
from programs import Contender, Unmeasurable

LOOPBACK = ["-ORBListenEndpoints", "iiop://127.0.0.1"]


def raw(build, name="raw", **settings):
    program = os.path.join(build, "bench", "raw", "raw")
    return Contender(name, [program, "server"], [program, "client"], address_option="--address", **settings)


def raw_unix(build, name="raw_unix"):
    """The same programs over a Unix-domain socket."""
    return raw(build, name, server_options=["--unix", "{folder}/socket"])


def orb(build, kind, name=None, counted=True, **settings):
    """The server and client of bench/first, and their twins that count allocations."""
    here = os.path.join(build, "bench", "first")
    twin = None
    if counted:
        twin = Contender(name or kind, [f"{here}/first_{kind}_server_counted"], [f"{here}/first_{kind}_client_counted"],
                         **settings)
    return Contender(name or kind, [f"{here}/first_{kind}_server"], [f"{here}/first_{kind}_client"], counted=twin, **settings)


def sizes(all_of_them):
    """The raw program sends what Tenon sends; without Tenon, what omniORB sends; else a GIOP noop of common size."""
    for name in ("tenon", "omniorb"):
        try:
            request, reply = programs.message_sizes(all_of_them[name], "calls 50")
            return request, reply, f"as {name}'s messages, {request} + {reply} octets"
        except Unmeasurable:
            continue
    return 72, 24, "72 + 24 octets, assumed"


def interleave(commands, rounds, ask):
    """ask(name, command) of every name in every round, forwards and backwards in turn, so that none always follows the same neighbour.
    The answers' first words as numbers, by name."""
    series = {name: [] for name in commands}
    for number in range(rounds):
        for name in list(commands)[:: 1 if number % 2 == 0 else -1]:
            series[name].append(float(ask(name, commands[name]).split()[0]))
    return series


def settle(pairs, commands, cores):
    """Warms them up, with server and client on these cores."""
    for name, pair in pairs.items():
        pair.pin(*cores)
        pair.ask(commands[name])
        pair.pin(*cores)  # the threads that the first call started, too


def latency(pairs, commands, rounds, warm_up, block, cores=(0, 0)):
    """Blocks with server and client on these cores; a command has {} where its number of calls goes."""
    settle(pairs, {name: commands[name].format(warm_up) for name in pairs}, cores)
    blocks = {name: commands[name].format(block) for name in pairs}
    return interleave(blocks, rounds, lambda name, command: pairs[name].ask(command))


def medians(series, scale=1.0, unit="", digits=2):
    return ", ".join(f"{name} {statistics.median(values) / scale:.{digits}f}{unit}" for name, values in series.items())


def peer_note(measure, contender):
    try:
        peer = measure(contender)
        return f"omniORB {peer['client']:.2f} + {peer['server']:.2f}"
    except Unmeasurable as reason:
        return f"omniORB not measured: {reason}"


def per_call(report, names, unit, bound, contender, measure, peer=None):
    """One counting run, reported under one name (the sum) or two (client, server)."""
    try:
        got = measure(contender)
    except Unmeasurable as reason:
        for name in names:
            report.add(name, unit, bound, reason=str(reason))
        return
    note = f"client {got['client']:.2f}, server {got['server']:.2f}"
    if peer is not None:
        note += "; " + peer_note(measure, peer)
    parts = [got["client"] + got["server"]] if len(names) == 1 else [got["client"], got["server"]]
    for name, value in zip(names, parts):
        report.add(name, unit, bound, [value], note)
