# SPDX-License-Identifier: Apache-2.0
"""The figures of the Cubit benchmark that are compared with another commit's (bench/common/against.py)."""
import floods
import noop
import programs
import transports
from against import MANY, Counts, Times
from programs import Unmeasurable, two_cores
from transports import TRANSPORTS

WARM_UP_CALLS = 3000
BLOCK_CALLS = 4000
LARGE_OCTETS = 64 * 1024


def started(make, build, stack):
    """Tenon's programs over each transport, by the transport's name."""
    everyone = {f"tenon {transport.name}": make(build, transport)["tenon"] for transport in TRANSPORTS}
    pairs, absent = transports.start(everyone, {"tenon": "calls 50" if make is transports.noops else "calls void 50"}, stack)
    for reason in absent.values():
        raise Unmeasurable(reason)
    return {name.split()[1]: pair for name, pair in pairs.items()}


def compared():
    def latencies(build, stack):
        pairs = started(transports.noops, build, stack)
        noop.settle(pairs, {name: f"pingpong {WARM_UP_CALLS}" for name in pairs}, (0, 0))
        return {f"{name}_noop_p50": lambda p=pair: float(p.ask(f"pingpong {BLOCK_CALLS}").split()[0]) for name, pair in pairs.items()}

    def flood_blocks(build, stack):
        two_cores()
        blocks = {}
        for name, pair in started(transports.noops, build, stack).items():
            for kind in floods.TYPES:
                command = f"flood {kind} {floods.OCTETS} {{}}"
                block = command.format(floods.count(pair, command))
                blocks[f"{name}_flood_{kind}"] = lambda p=pair, b=block: float(p.ask(b))
        return blocks

    def counted(measure, make, command, number=MANY, **more):
        return {transport.name: lambda build, t=transport: programs.both(measure(make(build, t)["tenon"], command, number, **more))
                for transport in TRANSPORTS}

    def figures(what, counts):
        return {f"{name}_{what}": count for name, count in counts.items()}

    instructions = {**figures("noop_instructions", counted(programs.instructions, transports.noops, "calls {}")),
                    **figures("struct_instructions", counted(programs.instructions, transports.cubits, "calls struct {}")),
                    **figures("octet_64k_instructions",
                              counted(programs.instructions, transports.cubits, f"pass {LARGE_OCTETS} {{}}", 500,
                                      environment=programs.IN_VECTORS))}
    system_calls = figures("syscalls", counted(programs.system_calls, transports.noops, "calls {}", 3000))
    return [Times("latency, one core", "ns", latencies), Times("floods, two cores", "MB/s", flood_blocks, more_is_better=True),
            Counts("instructions", "instructions", instructions), Counts("system calls", "calls", system_calls)]
