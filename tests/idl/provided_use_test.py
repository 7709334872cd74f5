# SPDX-License-Identifier: Apache-2.0
"""Each type that the library declares is in provided_use.idl, whose C++ is compiled, or is refused where it would travel.

provided_use_test.py TENON_IDL PROVIDED_USE_IDL
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TYPES = {"struct", "union", "enum", "typedef", "interface", "valuetype", "value box", "native", "bitmask", "bitset"}


def provided(declarations, inside=False):
    """Kind and name of each type and exception that the library has, those inside interfaces too."""
    for decl in declarations:
        is_provided = inside or decl.get("provided_by_orb", False)
        if is_provided and decl["kind"] in TYPES | {"exception"}:
            yield decl["kind"], decl["scoped_name"]
        yield from provided(decl.get("contents", []), is_provided and decl["kind"] != "module")


def used(declarations):
    """The types of members and the exceptions that are raised, as far as the file itself declares them."""
    for decl in declarations:
        for member in decl.get("members", []):
            yield member["type"] if isinstance(member["type"], str) else json.dumps(member["type"])
        yield from decl.get("raises", [])
        yield from used(decl.get("contents", []))


def main():
    compiler, idl = sys.argv[1], pathlib.Path(sys.argv[2])
    run = subprocess.run([compiler, "--dump=json", idl], capture_output=True, text=True, timeout=60, check=True)
    declarations = json.loads(run.stdout)["declarations"]
    own = [decl for decl in declarations if decl["name"] in ("Sent", "Raised")]
    known = set(used(own))
    includes = "".join(line + "\n" for line in idl.read_text().splitlines() if line.startswith("#include"))
    wrong = []
    refused = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "one.idl"
        for kind, name in provided(declarations):
            if name in known:
                continue
            if kind == "exception":
                wrong.append(f"{name}: no operation raises it")
                continue
            path.write_text(f"{includes}interface Carrier {{ void take(in {name} given); }};\n")
            run = subprocess.run([compiler, "--color=never", "-o", folder, path], capture_output=True, text=True, timeout=60, check=False)
            if run.returncode == 0:
                wrong.append(f"{name}: neither in {idl.name} nor refused")
            elif "cannot travel" not in run.stderr:
                wrong.append(f"{name}: refused without a reason: {run.stderr}")
            else:
                refused += 1
    print(f"{len(known)} types and exceptions are used, {refused} are refused")
    print(*wrong, sep="\n")
    sys.exit(1 if wrong or len(known) < 100 or refused < 50 else 0)


if __name__ == "__main__":
    main()
