#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The paper's figures 9 to 12, drawn anew from a report of ./dev bench late --json FILE.

  bench/late/figures.py REPORT.json [--out FOLDER]

Writes late-9 to late-12 as SVG and PNG. Wants matplotlib (Debian: python3-matplotlib), which may be that of /usr/bin/python3. A
figure whose series the report lacks is left out, and said so.
"""
import argparse
import json
import os
import statistics
import sys

TYPES = "ABCDEF"
# (name in the legend, colour, marker, what it is over TCP by direction, what it is in one process by direction)
METHODS = [("two ORBs: Tenon and JacORB", "#1b6ca8", "o", {"up": "c++>jacorb", "down": "jacorb>c++"}, None),
           ("one ORB, simple wrapper", "#c0392b", "s", {"up": "c++>wrapper", "down": "wrapper>c++"}, "{}-wrapper"),
           ("one ORB, late demarshalling", "#2e8b57", "^", {"up": "c++>java", "down": "java>c++"}, "{}-late"),
           ("late over java.lang.foreign", "#8e5ea2", "v", {"up": "c++>ffm", "down": "ffm>c++"}, "{}-ffm")]
TITLES = {"up": "C++ calls a Java object", "down": "Java calls a C++ object"}
# Elements of the paper's axis: objects that the wrapper makes or reads for 32 KiB.
OBJECTS = {kind: sum(32768 // size for size in (4, 8, 16, 32, 64) if size <= width)
           for kind, width in zip(TYPES, (2, 4, 8, 16, 32, 64))}


def medians(rows, keys, name):
    """Microseconds; None where the report lacks one."""
    return [statistics.median(rows[key][name]) / 1000 if key in rows and name in rows[key] else None for key in keys]


def panels(plot, title, x_label, draw):
    figure, axes = plot.subplots(1, 2, figsize=(10, 4.2), sharey=True)
    for axis, way in zip(axes, TITLES):
        draw(axis, way)
        axis.set_title(TITLES[way], fontsize=10)
        axis.set_xlabel(x_label)
        axis.set_yscale("log")
        axis.grid(True, which="both", alpha=0.25)
    axes[0].set_ylabel("microseconds a call, median")
    axes[0].yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
    figure.legend(*axes[0].get_legend_handles_labels(), fontsize=9, loc="lower center", ncols=len(METHODS), columnspacing=1.2)
    figure.suptitle(title, fontsize=11)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    return figure


def lines(axis, places, values, label, colour, marker):
    known = [(place, value) for place, value in zip(places, values) if value is not None]
    if known:
        axis.plot(*zip(*known), label=label, color=colour, marker=marker, markersize=4)


def by_type(plot, series, local):
    rows = series["local" if local else "remote"]
    remote = series["remote"]
    keys = [f"put_{kind}" for kind in TYPES]

    def draw(axis, way):
        for label, colour, marker, pair, inside in METHODS:
            # Two ORBs have to go through TCP, wherever the object is.
            of, name = (rows, inside.format(way)) if local and inside else (remote, pair[way])
            lines(axis, range(len(TYPES)), medians(of, keys, name), label, colour, marker)
        axis.set_xticks(range(len(TYPES)), [f"{kind}\n({OBJECTS[kind]:,})" for kind in TYPES])

    where = "in one process" if local else "over TCP, both ends on one core"
    return panels(plot, f"Calls {where}: 32 KiB, by type", "type (structs that the wrapper carries)", draw)


def by_size(plot, series):
    keys = sorted(series["local_sizes"], key=int)

    def draw(axis, way):
        for label, colour, marker, pair, inside in METHODS:
            of, name = (series["local_sizes"], inside.format(way)) if inside else (series["remote_sizes"], pair[way])
            lines(axis, [int(key) for key in keys], medians(of, keys, name), label, colour, marker)
        axis.set_xscale("log", base=2)
        shown = [int(key) for key in keys if int(key) in (64, 256, 1024, 4096, 16384, 32768)]
        axis.set_xticks(shown, [f"{octets:,}" for octets in shown], fontsize=8)

    return panels(plot, "SequenceE in one process, by size; two ORBs over TCP", "octets", draw)


def footprint(plot, parts):
    """Bars of KiB, stacked: files that a second language adds; beside them MB of resident memory."""
    figure, axes = plot.subplots(1, 2, figsize=(10, 4.2))
    colours = plot.get_cmap("tab20").colors
    for axis, (unit, of_methods) in zip(axes, parts.items()):
        number = 0
        for place, (method, stack) in enumerate(of_methods.items()):
            height = 0
            for name, value in stack.items():
                axis.bar(place, value, bottom=height, width=0.6, color=colours[number % len(colours)], label=name)
                number += 1
                height += value
            axis.text(place, height, f"{height:.1f}" if height < 100 else f"{height:,.0f}", ha="center", va="bottom", fontsize=8)
        axis.set_xticks(range(len(of_methods)), list(of_methods))
        axis.set_ylabel(unit)
        axis.legend(fontsize=7)
        axis.margins(y=0.12)
    figure.suptitle("What Java beside C++ adds", fontsize=11)
    figure.tight_layout()
    return figure


def all_of_them(plot, report):
    """(name, what it needs, how it is drawn)"""
    series = report["series"]
    return [("late-9", series["remote"], lambda: by_type(plot, series, False)),
            ("late-10", series["local"], lambda: by_type(plot, series, True)),
            ("late-11", series["local_sizes"], lambda: by_size(plot, series)),
            ("late-12", series.get("footprint"), lambda: footprint(plot, series["footprint"]))]


def main():
    parser = argparse.ArgumentParser(prog="bench/late/figures.py", description="the paper's figures 9 to 12 from a report")
    parser.add_argument("report", metavar="REPORT.json")
    parser.add_argument("--out", metavar="FOLDER", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs"),
                        help="default: docs")
    asked = parser.parse_args()
    try:
        import matplotlib
    except ImportError:
        if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
            os.execv("/usr/bin/python3", ["/usr/bin/python3", os.path.abspath(__file__), *sys.argv[1:]])
        sys.exit("bench/late/figures.py: matplotlib is missing (Debian: python3-matplotlib)")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "late"  # the same report gives the same file
    from matplotlib import pyplot
    with open(asked.report, encoding="utf-8") as file:
        report = json.load(file)
    if "series" not in report:
        sys.exit(f"{asked.report}: no report of ./dev bench late --json FILE")
    for name, needed, draw in all_of_them(pyplot, report):
        if not needed:
            print(f"{name}: left out, the report has nothing of it")
            continue
        figure = draw()
        for kind, more in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 130, "metadata": {"Software": None}})):
            figure.savefig(os.path.join(asked.out, f"{name}.{kind}"), **more)
        pyplot.close(figure)
        print(f"{name}: drawn")


if __name__ == "__main__":
    main()
