# SPDX-License-Identifier: Apache-2.0
"""tools/footprint/sizes.json: the sizes that may not grow by more than 3 % without a word why.

  {"compiler": "g++ ... 12.2.0", "sizes": {"client": 582589, ...}, "parts": {"client": {"mapping": 167000, ...}, ...},
   "notes": [{"size": "client", "from": 570000, "to": 582589, "why": "..."}]}

A size is octets of ORB in a program, or of a file (`static server`); its parts are there to say which of them has grown. `./dev
footprint --check` compares; `--update` writes what was measured, and wants `--note WHY` as soon as one size has grown, by however
little: so that nothing creeps.
"""
import json
import os
import re

from workshop import HERE

FILE = os.path.join(HERE, "sizes.json")
SLACK = 0.03


class Refused(Exception):
    """Why sizes are not written."""


def read(path=FILE):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(held, path=FILE):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(held, file, indent=2)
        file.write("\n")


def sizes_of(found):
    """{name: octets} of what Measured.quick() found."""
    return ({name: program["octets"] for name, program in found["programs"].items()} |
            {f"static {name}": octets for name, octets in found["static_files"].items() if name != "empty"})


def parts_of(found):
    return {name: {part: sum(kinds.values()) for part, kinds in program["parts"].items()}
            for name, program in found["programs"].items()}


def grown_parts(held, name, parts):
    """Which parts of a program have grown, the most first, in words."""
    before, now = held.get("parts", {}).get(name, {}), parts.get(name, {})
    grown = sorted(((octets - before.get(part, 0), part) for part, octets in now.items() if octets > before.get(part, 0)),
                   reverse=True)
    return f" ({', '.join(f'{part} {more} more' for more, part in grown)})" if before and grown else ""


def same_compiler(one, other):
    """Sizes of two major versions of a compiler cannot be compared."""
    major = lambda text: re.sub(r"(\d+)\.[\d.]+.*", r"\1", text.split(")")[-1]).strip()
    return major(one) == major(other)


def faults(held, sizes, parts):
    """A line for each size that has grown by too much or that is not written down, or that is written down and gone."""
    for name, octets in sizes.items():
        before = held["sizes"].get(name)
        if before is None:
            yield f"{name}: {octets} octets, and sizes.json does not have it; ./dev footprint --update writes it down"
        elif octets > before * (1 + SLACK):
            yield (f"{name}: {octets} octets, {100 * (octets / before - 1):.1f} % more than the {before} of "
                   f"tools/footprint/sizes.json{grown_parts(held, name, parts)}. ./dev footprint shows of what, --why NAME for "
                   "whose sake; if it has to be, ./dev footprint --update --note WHY")
    for name in held["sizes"].keys() - sizes.keys():
        yield f"{name}: tools/footprint/sizes.json has it, and it is not measured any more; ./dev footprint --update takes it out"


def gains(held, sizes):
    for name, octets in sizes.items():
        before = held["sizes"].get(name, 0)
        if octets < before * (1 - SLACK):
            yield (f"{name}: {octets} octets, {100 * (1 - octets / before):.1f} % less than before; ./dev footprint --update "
                   "holds the gain")


def updated(held, sizes, parts, compiler, note):
    """What sizes.json shall be. Raises Refused when a size has grown and there is no note."""
    grown = {name: octets for name, octets in sizes.items() if octets > held["sizes"].get(name, octets)}
    if grown and not note:
        told = ", ".join(f"{name} from {held['sizes'][name]} to {octets}" for name, octets in grown.items())
        raise Refused(f"these have grown: {told}. Say why: ./dev footprint --update --note WHY")
    notes = [{"size": name, "from": held["sizes"][name], "to": octets, "why": note} for name, octets in grown.items()]
    return {"compiler": compiler, "sizes": sizes, "parts": parts, "notes": held["notes"] + notes}
