# SPDX-License-Identifier: Apache-2.0
"""Raw is the floor of every ratio: not one program without an ORB, but the fastest of a family of them, in the same run.

Which way of sending and waiting is the fastest depends on the machine: how long a sleeping thread takes to wake, how many
processors there are. All ways run in every round, and the one with the best median is called raw afterwards. A program that is faster
still does something that the family lacks: the benchmark fails until the reason is written down here.
"""
import statistics

# The words of bench/raw/raw.cpp that choose the way, put behind the command.
ONE_CORE = {"blocking": "", "large reads": "read=65536"}
SPINNING = {"spinning for 50 us": "spin=50", "spinning for 1 ms": "spin=1000"}
THREADS = {"blocking": "", "large reads": "read=65536", "spinning": "spin=20", "one thread": "loops=1", "two threads": "loops=2",
           "two threads, large reads": "loops=2 read=65536", "one spinning thread": "loops=1 spin=50", "shared connections": "pool=1",
           "shared connections, large reads": "pool=1 read=65536"}
LARGE_MESSAGES = {"blocking": "", "large reads": "read=65536", "head of 1 KiB": "head=1024", "head of 8 KiB": "head=8192"}
FLOODS = {"blocking": "", "spinning": "spin=50", "head of 1 KiB": "head=1024", "head of 8 KiB": "head=8192",
          "large reads": "read=262144", "head of 1 KiB, large reads": "head=1024 read=262144",
          "head of 1 KiB, spinning": "head=1024 spin=50", "large reads, spinning": "read=262144 spin=50"}
# Behind `batches COUNT SIZE PAYLOAD`: the size of a batch comes first.
BATCHES = {"64 KiB": "65536", "16 KiB": "16384", "256 KiB": "262144", "64 KiB, spinning": "65536 spin=50",
           "64 KiB, head of 1 KiB": "65536 head=1024", "256 KiB, head of 1 KiB": "262144 head=1024"}

TOLERANCE = 1.05
# (figure, contender): why it is faster than every raw program.
KNOWN_REASONS = {}


def spread(pairs, commands, ways, name="raw"):
    """Puts all ways in the place of the raw program: the same processes, with a command for each."""
    if name not in pairs:
        return
    pair, command = pairs.pop(name), commands.pop(name)
    for way, words in ways.items():
        pairs[f"{name}: {way}"] = pair
        commands[f"{name}: {way}"] = f"{command} {words}".strip()


def choose(series, more_is_better=False, name="raw"):
    """Puts the times of the fastest way under `name`, in place of all ways. Returns a note for the report that names it."""
    of_ways = {key.removeprefix(f"{name}: "): series.pop(key) for key in list(series) if key.startswith(f"{name}: ")}
    if not of_ways:
        return f"{name} not measured"
    medians = {way: statistics.median(values) for way, values in of_ways.items()}
    best = (max if more_is_better else min)(medians, key=medians.get)
    series[name] = of_ways[best]
    others = ", ".join(f"{way} {medians[way] / medians[best]:.2f}" for way in medians if way != best)
    return f"{name}: {best}" + (f" (1; {others})" if others else "")


def hold(report, figure, series, others, more_is_better=False, name="raw"):
    """Notes those of the others that are faster than raw by more than 5 % in the median."""
    for other in others:
        if name not in series or other not in series:
            continue
        pairs = zip(series[other], series[name]) if more_is_better else zip(series[name], series[other])
        times = statistics.median(a / b for a, b in pairs)
        if times > TOLERANCE:
            report.faster_than_raw(figure, other, times, KNOWN_REASONS.get((figure, other)))
