# SPDX-License-Identifier: Apache-2.0
"""Makes docs/footprint.md, .svg and .png out of what `./dev footprint --json FILE` found. Every figure is one that was seen.

The picture is drawn by matplotlib (Debian: python3-matplotlib), which nothing else here needs.
"""
import os
import textwrap

from link_map import COUNTED
from workshop import ROOT, Unmeasurable

PAGE = os.path.join(ROOT, "docs", "footprint.md")
ROLES = ("client", "server", "both")
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#997700", "#77aadd", "#bbbbbb")
SHOWN = 8  # parts with a colour of their own; what is smaller is drawn together

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# What the ORB costs in octets

Made by `./dev footprint --page` out of what it measured; do not edit it by hand.

    ./dev footprint                            the figures of this page, and more
    ./dev footprint --why poa.cpp --in server  why an object, a part (poa/), a function or a class is in a program
    ./dev footprint --without poa/ mapping/orb_options.cpp --in full
                                               what would go without these, and which references have to be cut for it
    ./dev footprint --retained 30 --in server  what is there for the sake of one function alone

The programs are hello programs with one string operation and a user exception, over IIOP, GIOP 1.2, with time-outs
(`tools/footprint/programs`), made with the options of the preset `minimal`: `-Os`, a section for each function and object, those
that nobody reaches left out. *ORB octets* are what our libraries bring to the linked program by the linker's map: code, constants,
data and unwinding tables. The program and its generated code, the C++ library, relocations and zeroed memory are not in them. A KiB
is 1,024 octets.

Sizes are held: `./dev footprint --check`, which CI runs, fails when one grows by more than 3 % over `tools/footprint/sizes.json`.
After `./dev footprint --update --note WHY` the note stands in that file.
"""


def kib(octets):
    return "-" if octets is None else f"{octets / 1024:.1f}"


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(columns, rows, left=1):
    """The first `left` columns are text."""
    lines = ["| " + " | ".join(map(cell, columns)) + " |",
             "| " + " | ".join("---" if i < left else "---:" for i in range(len(columns))) + " |"]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows]) + "\n"


def paragraph(text):
    return textwrap.fill(text, 132, break_long_words=False, break_on_hyphens=False) + "\n"


def bars(found):
    rows = []
    for name, bar in found["bars"].items():
        value = bar["value"]
        if value is None:
            state = f"not measured: {bar['reason']}" + (f" ({bar['now']:g})" if bar.get("now") is not None else "")
        else:
            state = "met" if value <= bar["most"] else "**missed**"
        rows.append([f"`{name}`", bar["title"], state, "-" if value is None else f"{value:g}",
                     f"{bar['most']:g}{' ' + bar['unit'] if bar['unit'] != 'KiB' else ''}",
                     f"{bar['aim']:g}" if bar["aim"] else ""])
    return table(["Bar", "Of", "", "Value", "At most", "Aim"], rows, 3)


def parts(found):
    programs = found["programs"]
    names = sorted({part for role in ROLES for part in programs[role]["parts"]},
                   key=lambda part: -max(sum(programs[role]["parts"].get(part, {}).values()) for role in ROLES))
    rows = [[part, *(kib(sum(programs[role]["parts"].get(part, {}).values())) for role in ROLES)] for part in names]
    rows += [[f"*of it {kind}*", *(kib(programs[role]["kinds"][kind]) for role in ROLES)] for kind in COUNTED]
    rows.append(["**all**", *(kib(programs[role]["octets"]) for role in ROLES)])
    return table(["Part", *("client and server" if role == "both" else role for role in ROLES)], rows)


def features(found):
    rows = [[one["title"], one["reason"] or "", *("-" if octets is None else f"{octets}" for octets in
                                                  (*(one["adds"][role] for role in ROLES), one["adds_to_shared"]))]
            for one in found["features"].values()]
    return table(["Feature", "Why there is no figure", "client", "server", "client and server", "shared library"], rows, 2)


def linked(found):
    rows = [["`-static`", *(kib(found["static_files"][name]) for name in (*ROLES, "empty"))],
            ["with `libtenon.so`", *(kib(found["shared"]["programs"][name]) for name in (*ROLES, "empty"))]]
    library = found["shared"]["library"]
    told = ", ".join(f"{kind} {kib(octets)}" for kind, octets in library.items())
    return table(["Linked", "client", "server", "client and server", "no ORB"], rows) + (
        "\n" + paragraph(f"The shared library itself, stripped: {kib(found['shared']['library_file'])} KiB. Of it {told}."))


def beside(found):
    empty, rows, absent = found["static_files"]["empty"], [], []
    for peer in found["peers"].values():
        if "reason" in peer:
            absent.append(f"{peer['title']} was not measured: {peer['reason']}.")
        else:
            rows.append([f"{peer['title']} {peer.get('version', '')}".strip(),
                         *(kib(octets) for role in ("client", "server") for octets in (peer[role]["octets"],
                                                                                      peer[role]["file"] - empty))])
    return table(["Program", "client", "its file", "server", "its file"], rows) + "".join(f"\n{text}\n" for text in absent)


def heaviest(found, role):
    program = found["programs"][role]
    objects = table(["Object", "Part", "Octets"], [[f"`{member.removesuffix('.o')}`", part, octets]
                                                   for part, member, octets in program["objects"]], 2)
    functions = table(["Function", "Part", "Octets"], [[f"`{short(name)}`", part, octets]
                                                       for name, part, _, octets in program["functions"]], 2)
    return f"{objects}\n{functions}"


def short(name):
    """A function without its parameters: they are long and say little."""
    depth = 0
    for at, letter in enumerate(name):
        if letter == "(" and depth == 0 and not name.startswith("(anonymous", at):
            plain = "operator" not in name and "(anonymous" not in name  # else a space may be more than the end of a result's type
            return name[:at].split(" ")[-1] if plain else name[:at]
        depth += {"<": 1, ">": -1}.get(letter, 0)
    return name


def page_of(found):
    versions = ", ".join(f"{name} {text}" for name, text in found["versions"].items() if name in ("compiler", "kernel"))
    sections = [
        ("Bars", "In KiB unless it says otherwise. What a start-up cannot leave out yet has no figure of its own; the nearest that "
         "there is stands in brackets.", bars(found)),
        ("By part", "ORB octets in KiB.", parts(found)),
        ("What a feature adds", "Octets of ORB, by difference: the program with the feature less the program without it. "
         "`tools/footprint/programs.toml` lists the features and says how to add one. In the shared library a feature costs what "
         "it adds to the library, and nothing if it is in there anyway.", features(found)),
        ("Files", "Stripped, in KiB. The program without an ORB has a thread, strings and an exception.", linked(found)),
        ("Beside others", "The same hello programs, linked with `-static`, in KiB: octets of all libraries but C's and C++'s by "
         "the linker's map, and the stripped file less that of the program without an ORB. Debian makes its packages with `-O2` "
         "and without a section for each function; the second row is ours made in the same way, with everything that ships. gRPC "
         "comes with protocol buffers and has no user exceptions. For Ice an empty function stands in for the journal of "
         "systemd, of which Debian has no static library.", beside(found)),
        ("The heaviest of the client", "Octets; of a function its code.", heaviest(found, "client")),
        ("The heaviest of the server", "Octets; of a function its code.", heaviest(found, "server"))]
    return "\n".join([
        HEAD,
        paragraph(f"Measured at commit {found['versions'].get('tenon', 'unknown')}, {found['date']}, on {found['machine']}; "
                  f"{versions}. Stubs are compiled ones unless it says otherwise."),
        "![ORB octets of hello programs by part, and files beside those of others](footprint.svg)\n",
        *(f"## {title}\n\n{paragraph(text)}\n{content}" for title, text, content in sections)])


def draw(found, stem):
    """Stem.svg and stem.png: our programs by part, and files beside those of others."""
    try:
        import matplotlib
    except ImportError as error:
        raise Unmeasurable("the picture wants matplotlib (Debian: python3-matplotlib), for the Python that runs this") from error
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "footprint", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.6), gridspec_kw={"width_ratios": [3, 2]})
    stacked(left, found)
    files_beside(right, found)
    figure.text(0.01, 0.01, f"commit {found['versions'].get('tenon')}, {found['date'][:10]}, {found['versions'].get('compiler')}, "
                f"-Os, {found['machine']}", fontsize=7, color="#555555")
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(stem + ".svg", metadata={"Date": None})
    figure.savefig(stem + ".png", dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def stacked(axes, found):
    programs = found["programs"]
    weight = {part: sum(sizes.values()) for part, sizes in programs["both"]["parts"].items()}
    named = sorted(weight, key=weight.get, reverse=True)[:SHOWN]
    bottom = [0.0] * len(ROLES)
    for part, colour in zip([*named, "the rest"], COLOURS):
        heights = [sum(sum(sizes.values()) for name, sizes in programs[role]["parts"].items()
                       if name == part or (part == "the rest" and name not in named)) / 1024 for role in ROLES]
        axes.bar(ROLES, heights, 0.55, bottom=bottom, color=colour, label=part)
        for at, (height, base) in enumerate(zip(heights, bottom)):
            if height > 20:
                axes.text(at, base + height / 2, f"{height:.0f}", ha="center", va="center", color="white", fontsize=8)
        bottom = [base + height for base, height in zip(bottom, heights)]
    for at, top in enumerate(bottom):
        axes.text(at, top, f"{top:.0f}", ha="center", va="bottom", fontweight="bold")
    limits = {role: [bar["most"] for bar in found["bars"].values() if bar.get("program") == role and bar["unit"] == "KiB"]
              for role in ROLES}
    for at, role in enumerate(ROLES):
        for limit in limits[role]:
            axes.hlines(limit, at - 0.36, at + 0.36, color="black", linewidth=1.2, linestyle="--")
    axes.plot([], [], color="black", linewidth=1.2, linestyle="--", label="bar")
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)
    axes.set_xticks(range(len(ROLES)), ["client", "server", "client and server"])
    axes.set_ylabel("KiB of ORB")
    axes.set_title("Hello programs, preset minimal, by part", fontsize=10)


def files_beside(axes, found):
    empty = found["static_files"]["empty"]
    there = [peer for peer in found["peers"].values() if "reason" not in peer][::-1]
    for shift, role, colour in ((0.18, "client", "#4477aa"), (-0.18, "server", "#ee6677")):
        values = [(peer[role]["file"] - empty) / 1024 for peer in there]
        axes.barh([at + shift for at in range(len(there))], values, 0.34, color=colour, label=role)
        for at, value in enumerate(values):
            axes.text(value, at + shift, f" {value:.0f}", va="center", fontsize=7)
    axes.set_yticks(range(len(there)), [peer["title"] for peer in there])
    axes.set_xlabel("KiB")
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    axes.set_title("Static files, stripped, less an empty one's", fontsize=10)


def write(found, path=PAGE):
    with open(path, "w", encoding="utf-8") as file:
        file.write(page_of(found))
    draw(found, os.path.splitext(path)[0])
