# SPDX-License-Identifier: Apache-2.0
"""The transports of the Cubit benchmark: how the programs of each contender are told to use one, and what proves that they do."""
import contextlib
import dataclasses
import os
import re

import noop
from programs import Contender, Pair, Unmeasurable, say_absent
from references import connections, endpoints


@dataclasses.dataclass(frozen=True)
class Transport:
    name: str  # as the names of results have it
    endpoint: str  # what Tenon's server listens at, with {folder} for the folder of the pair of programs
    published: str  # what its reference then names, and nothing else: an expression
    socket: str  # the only kind of connection that a client has (references.py)
    raw: tuple = ()  # options of the raw server
    omniorb: tuple = ()  # options of omniORB's server


TRANSPORTS = (
    Transport("tcp", "iiop://127.0.0.1", r"iiop://127\.0\.0\.1:[1-9]\d*", "tcp"),
    Transport("uiop", "uiop://{folder}/socket", r"uiop://{folder}/socket", "unix", ("--unix", "{folder}/socket"),
              ("-ORBendPoint", "giop:unix:{folder}/socket")),
)
NAMES = tuple(transport.name for transport in TRANSPORTS)


def tenon(transport):
    return ["-ORBListenEndpoints", transport.endpoint]


def noops(build, transport):
    """The programs of bench/first and the raw ones."""
    return {"raw": noop.raw(build, server_options=transport.raw),
            "tenon": noop.orb(build, "tenon", counted=False, server_options=tenon(transport)),
            "omniorb": noop.orb(build, "omniorb", counted=False, server_options=transport.omniorb)}


def cubits(build, transport):
    """The programs of this benchmark and the raw ones."""
    here = os.path.join(build, "bench", "cubit")

    def orb(kind, options):
        return Contender(kind, [f"{here}/cubit_{kind}_server"], [f"{here}/cubit_{kind}_client"], server_options=options)

    return {"raw": noop.raw(build, server_options=transport.raw), "tenon": orb("tenon", tenon(transport)),
            "omniorb": orb("omniorb", transport.omniorb)}


def of_all(make, build):
    """make(build, transport) for each transport, as {"contender transport": Contender}."""
    return {f"{name} {transport.name}": contender for transport in TRANSPORTS
            for name, contender in make(build, transport).items()}


def transport_of(name):
    """Of "contender transport"."""
    return next(transport for transport in TRANSPORTS if transport.name == name.split()[-1])


def prove(pair, transport, reference, request):
    """After a call, which is `request`: the server publishes this transport alone, and the client has connections of no other kind."""
    if reference:
        with open(os.path.join(pair.folder, "address"), encoding="ascii") as text:
            named = endpoints(text.read())
        expected = transport.published.replace("{folder}", re.escape(pair.folder))
        if len(named) != 1 or not re.fullmatch(expected, named[0]):
            raise Unmeasurable(f"{pair.contender.name} does not use {transport.name}: its reference names {', '.join(named)}")
    pair.ask(request)
    used = connections(pair.client.pid)
    if used != {transport.socket}:
        raise Unmeasurable(f"{pair.contender.name} does not use {transport.name}: its client's connections are "
                           f"{', '.join(sorted(used)) or 'none'}")


def start(everyone, request, stack):
    """As programs.start(), of contenders named "contender transport"; those that do not use that transport are absent. request: a
    command that makes a call, by contender."""
    pairs, absent = {}, {}
    for name, contender in everyone.items():
        with contextlib.ExitStack() as attempt:
            try:
                pair = attempt.enter_context(Pair(contender))
                prove(pair, transport_of(name), contender.name == "tenon", request[name.split()[0]])
                pairs[name] = pair
                stack.push(attempt.pop_all())
            except Unmeasurable as reason:
                absent[name] = say_absent(name, reason)
    return pairs, absent
