# SPDX-License-Identifier: Apache-2.0
"""The bars of shared memory (shmiop): empty calls beside a raw ring with a futex, instructions beside TCP's, and, where client and server
have a core each, small messages and large ones beside TCP's with both spinning."""
import contextlib
import os
import statistics

import noop
import programs
import transports
from noop import per_call
from programs import Contender, Unmeasurable, two_cores
from report import ratios, say
from transports import Transport

SHMIOP = Transport("shmiop", "shmiop://", r"shmiop://@[\w.-]+", "unix")
TCP = transports.TRANSPORTS[0]
SPIN_US = 200
LARGE = 1 << 20
LARGE_CALLS = 40


def options(transport, spin_us):
    """Of both sides: how long they spin, whatever the transport would do by itself."""
    return ["-ORBProtocolOption", f"shmiop.spin={spin_us}", *(["-ORBSpin", str(spin_us)] if spin_us else [])]


def told(contender, transport, spin_us):
    contender.server_options = transports.tenon(transport) + options(transport, spin_us)
    contender.client_options = options(transport, spin_us)
    return contender


def raw_ring(build):
    program = os.path.join(build, "bench", "raw", "raw_ring")
    return Contender("raw_ring", [program, "server"], [program, "client"], address_option="--address")


def started(everyone, requests, stack):
    """Those that run over the transport that they were told; the reasons why others are absent."""
    pairs, absent = {}, {}
    for name, (contender, transport) in everyone.items():
        with contextlib.ExitStack() as attempt:
            try:
                pair = attempt.enter_context(programs.Pair(contender))
                if transport is None:
                    pair.ask(requests[0])
                else:
                    transports.prove(pair, transport, True, requests[1])
                pairs[name] = pair
                stack.push(attempt.pop_all())
            except Unmeasurable as reason:
                absent[name] = programs.say_absent(name, reason)
    return pairs, absent


def empty_calls(build, scale, report):
    """On one core, where nobody spins: a futex wakes the other side of each message."""
    say(f"empty calls through shared memory: {scale.rounds} rounds of {scale.block} calls each, one core")
    ours = told(noop.orb(build, "tenon", counted=False), SHMIOP, 0)
    with contextlib.ExitStack() as stack:
        pairs, absent = started({"raw ring": (raw_ring(build), None), "tenon shmiop": (ours, SHMIOP)},
                                ("calls 50 72 24", "calls 50"), stack)
        commands = {"raw ring": "pingpong {} 68 24", "tenon shmiop": "pingpong {}"}
        commands = {name: commands[name] for name in pairs}
        series = noop.latency(pairs, commands, scale.rounds, scale.warm_up, scale.block) if pairs else {}
    report.attempt("shmiop_noop_p50_vs_raw", "ratio", "<= 1.15",
                   lambda: (ratios(series, "tenon shmiop", "raw ring", absent), f"p50 {noop.medians(series, 1000, ' us')}; octets 68 + 24"))


def instructions(build, scale, report):
    say("counting instructions: shared memory")
    counted = {}

    def measure(transport):
        contender = told(noop.orb(build, "tenon", counted=False), transport, 0)
        counted[transport.name] = programs.instructions(contender, "calls {}", scale.counted)
        return programs.both(counted[transport.name])

    def ratio():
        mine, theirs = measure(SHMIOP), measure(TCP)
        return [mine / theirs], f"of both sides, which do not spin; shmiop {mine:.1f}, tcp {theirs:.1f}"

    report.attempt("shmiop_instructions_vs_tcp", "ratio", "<= 1.2", ratio)
    per_call(report, ["shmiop_syscalls_client", "shmiop_syscalls_server"], "calls", "<= 2",
             told(noop.orb(build, "tenon", counted=False), SHMIOP, 0),
             lambda c: programs.system_calls(c, "calls {}", scale.counted))


def cubits(build, transport):
    here = os.path.join(build, "bench", "cubit")
    return told(Contender("tenon", [f"{here}/cubit_tenon_server"], [f"{here}/cubit_tenon_client"]), transport, SPIN_US)


def on_two_cores(build, scale, report, small):
    bars = (("shmiop_calls_vs_iiop", ">= 3"), ("shmiop_1mib_copied_vs_iiop", ">= 1.4"), ("shmiop_1mib_view_vs_iiop", ">= 3"))
    try:
        two_cores()
    except Unmeasurable as reason:
        for name, bar in bars:
            report.add(name, "ratio", bar, reason=str(reason))
        return
    say(f"shared memory and TCP, both spinning: {scale.rounds} rounds, two cores")
    calls, large = {}, {"pass": {}, "see": {}}
    with contextlib.ExitStack() as stack:
        pairs, absent = started({f"tenon {t.name}": (cubits(build, t), t) for t in (SHMIOP, TCP)}, ("", "calls void 50"), stack)
        for kind in small:
            commands = {name: f"pingpong {kind} {{}}" for name in pairs}
            calls[kind] = noop.latency(pairs, commands, scale.rounds, scale.warm_up, scale.cubit_block, (0, 1)) if pairs else {}
        number = min(LARGE_CALLS, scale.cubit_block)
        for _ in range(scale.rounds):
            for command, series in large.items():
                for name, pair in pairs.items():
                    # The median of its calls, in nanoseconds; making a mebibyte to send takes longer than sending it.
                    answer = pair.ask(f"{command} {LARGE} {number}")
                    series.setdefault(name, []).append(float(answer.split()[0]))

    def least():
        gains = {kind: ratios(series, "tenon tcp", "tenon shmiop", absent) for kind, series in calls.items()}
        kind = min(gains, key=lambda one: statistics.median(gains[one]))
        each = ", ".join(f"{one} {statistics.median(values):.2f}" for one, values in gains.items())
        return gains[kind], f"calls/s, a core each, spinning for {SPIN_US} us; the least of the small messages: {each}"

    def moved(command, how):
        return (ratios(large[command], "tenon tcp", "tenon shmiop", absent),
                f"sequence<octet> of 1 MiB {how}, a core each, both spinning: {noop.medians(large[command], 1e6, ' ms')}")

    report.attempt(bars[0][0], "ratio", bars[0][1], least)
    report.attempt(bars[1][0], "ratio", bars[1][1], lambda: moved("pass", "there and back"))
    report.attempt(bars[2][0], "ratio", bars[2][1], lambda: moved("see", "there, a view over both transports"))


def measure(build, scale, report, small):
    """`small`: the types whose messages are small."""
    empty_calls(build, scale, report)
    on_two_cores(build, scale, report, small)
    instructions(build, scale, report)
