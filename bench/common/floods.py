# SPDX-License-Identifier: Apache-2.0
"""Floods of oneways, made by bench/first's programs, the raw family and what a benchmark puts beside them: client and server on a core
each.

Nothing here knows what a number should be.
"""
import floor
import noop

OCTETS = 128 * 1024
TYPES = ("octet", "double", "long", "short", "char", "binstruct")
BLOCK_SECONDS = 0.12


def message_size(request):
    """Octets of a flood's message: what a noop has before its end, the longer name of the operation, and the length."""
    return OCTETS + request + 12


def count(pair, command, seconds=BLOCK_SECONDS):
    """Pins the pair to two cores and warms it up: how many messages make a block of so many seconds."""
    pair.pin(1, 0)
    speed = float(pair.ask(command.format(200)))
    pair.pin(1, 0)
    return max(50, int(speed * 1e6 * seconds / OCTETS))


def measure(pairs, kind, request, rounds, seconds=BLOCK_SECONDS, other_commands=None):
    """MB/s of each pair by name, the best way of the raw program under "raw"; and the note for the report. other_commands: by the names
    of pairs whose programs are not those of bench/first, with {} where the number of messages goes."""
    commands = {name: f"flood {{}} {message_size(request)} {OCTETS}" if name == "raw" else f"flood {kind} {OCTETS} {{}}"
                for name in pairs}
    commands.update(other_commands or {})
    running = dict(pairs)
    floor.spread(running, commands, floor.FLOODS)
    commands = {name: command.format(count(running[name], command, seconds)) for name, command in commands.items()}
    series = noop.interleave(commands, rounds, lambda name, command: running[name].ask(command))
    way = floor.choose(series, more_is_better=True)
    return series, f"MB/s: {noop.medians(series, digits=0)}; {way}"
