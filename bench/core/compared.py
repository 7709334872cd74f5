# SPDX-License-Identifier: Apache-2.0
"""The figures of the core benchmark that are compared with another commit's (bench/common/against.py)."""
import noop
import programs
import resources
from against import MANY, Counts, Times
from contenders import (BLOCK_CALLS, BUFFERED_CALLS, CLOSED_CONNECTIONS, TAIL_CALLS, THREADS_CALLS, WARM_UP_CALLS,
                        connection_memory, core, latency_contenders, operations, spinning_contender, tail_contender)
from noop import LOOPBACK
from programs import Pair, start, two_cores

def compared():
    def latencies(build, stack):
        everyone = {name: contender for name, contender in latency_contenders(build).items() if name.startswith("tenon")}
        pairs, _ = start(everyone, stack)
        noop.settle(pairs, {name: f"pingpong {WARM_UP_CALLS}" for name in pairs}, (0, 0))
        command = f"pingpong {BLOCK_CALLS}"
        blocks = {f"noop_{name}_p50": lambda p=pair: float(p.ask(command).split()[0]) for name, pair in pairs.items()}
        slowest = stack.enter_context(Pair(tail_contender(build)))
        noop.settle({"tail": slowest}, {"tail": f"tail {WARM_UP_CALLS} 68 24"}, (0, 0))
        return {**blocks, "noop_tenon_p999": lambda: float(slowest.ask(f"tail {TAIL_CALLS // 5} 68 24").split()[0])}

    def spinning_latency(build, stack):
        two_cores()
        pair = stack.enter_context(Pair(spinning_contender(build)))
        noop.settle({"spin": pair}, {"spin": f"pingpong {WARM_UP_CALLS}"}, (1, 0))
        return {"noop_spinning_p50": lambda: float(pair.ask(f"pingpong {BLOCK_CALLS}").split()[0])}

    def throughput(build, stack):
        two_cores()
        blocks = {}
        for threads, connections in ((8, 8), (64, 64), (64, 1)):
            pair = stack.enter_context(Pair(noop.orb(build, "tenon", counted=False, server_options=LOOPBACK,
                                                     client_options=["-ORBConnectionsPerEndpoint", str(connections)])))
            command = f"threads {THREADS_CALLS} {threads}"
            pair.ask(command)
            blocks[f"cps_{threads}{'_shared' if connections == 1 else ''}"] = lambda p=pair, c=command: float(p.ask(c))
        return blocks

    def buffered(build, stack):
        two_cores()
        pair = stack.enter_context(Pair(noop.orb(build, "tenon", counted=False, server_options=LOOPBACK)))
        noop.settle({"buffered": pair}, {"buffered": f"buffered 1024 {BUFFERED_CALLS}"}, (1, 0))
        return {"flood_1k_buffered": lambda: float(pair.ask(f"buffered 1024 {BUFFERED_CALLS}"))}

    def closed(build, stack):
        def close(way):
            took, used = resources.shutdown_ms(build, way, CLOSED_CONNECTIONS)
            return {f"close_1000_ms_{way}": took, f"close_1000_cpu_ms_{way}": used}

        return {way: lambda w=way: close(w) for way in resources.WAYS}

    def tenon(*server_options, kind="tenon", **more):
        return lambda build: noop.orb(build, kind, server_options=LOOPBACK + list(server_options), **more)

    def both(contender, measure, command, number):
        return lambda build: programs.both(measure(contender(build), command, number))

    def counted(contender, command, number=2000):
        return both(contender, programs.instructions, command, number)

    instructions = {"noop_instructions": counted(tenon(), "calls {}", MANY),
                    "noop_instructions_interceptors": counted(tenon(kind="tenon_intercepted", counted=False), "calls {}", MANY),
                    "instructions_poa_depth_8": counted(lambda build: core(build, ""), "nested_calls {} 8 0"),
                    "instructions_poa_depth_8_persistent": counted(lambda build: core(build, ""), "nested_calls {} 8 1"),
                    "instructions_operation_99": counted(lambda build: operations(build, "hash"), "calls {} op_99"),
                    "instructions_operation_999": counted(lambda build: operations(build, "thousand"), "calls {} op_999")}
    # With a pool the number depends on which thread happens to be awake.
    system_calls = {"system_calls": both(tenon(), programs.system_calls, "calls {}", 3000)}
    allocations = {"noop_allocations": both(tenon(), programs.allocations, "calls {}", MANY)}
    return [Times("latency, one core", "ns", latencies), Times("latency, spinning on two cores", "ns", spinning_latency),
            Times("calls per second, two cores", "calls/s", throughput, more_is_better=True),
            Times("buffered oneways, two cores", "MB/s", buffered, more_is_better=True),
            Times("closing 1,000 idle connections", "ms", closed), Counts("instructions", "instructions", instructions),
            Counts("system calls", "calls", system_calls), Counts("allocations", "allocations", allocations),
            Times("memory of idle connections", "octets",
                  lambda build, stack: {"idle_connection_bytes": lambda: connection_memory(build, 2000)[0]}, most=3)]
