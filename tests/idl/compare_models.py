# SPDX-License-Identifier: Apache-2.0
"""Compares what tenon-idl and omniidl understand of the same IDL files.

compare_models.py --compiler TENON_IDL --standard DIR [--omniidl PROGRAM] [--tree DIR] [file.idl ...]

With --tree, all IDL files below the directory are compiled (Debian's omniorb-idl has 71); each must be accepted by
tenon-idl, and each that omniidl accepts too must yield the same facts: repository ids, types, constants, labels,
operations. Prints which files declare value types. Files that omniidl refuses are listed with its reason.
"""
import argparse
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import absent  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# The published files have branches for compilers that know escaped identifiers, and leave the interface repository
# out of orb.idl unless asked. omniidl defines the first name itself.
OUR_DEFINES = ["-D__OMNIIDL__"]
DEFINES = ["-DENABLE_CLIENT_IR_SUPPORT"]


def type_text(node):
    if isinstance(node, str):
        return node
    kind = node["kind"]
    if kind == "sequence":
        bound = f",{node['bound']}" if "bound" in node else ""
        return f"sequence<{type_text(node['element'])}{bound}>"
    if kind == "array":
        return type_text(node["element"]) + "".join(f"[{size}]" for size in node["dimensions"])
    if kind == "fixed":
        return f"fixed<{node['digits']},{node['scale']}>"
    return f"{kind}<{node['bound']}>"


class Facts:
    """The facts of tenon-idl's JSON in the words of omniidl_facts.py."""

    def __init__(self, model):
        self.found = []
        self.values = set()
        self.enums = {}
        for node in model["declarations"]:
            self.visit(node)

    def add(self, *fact):
        self.found.append(json.dumps(fact))

    def members(self, node):
        for one in node["members"]:
            self.add("member", node["scoped_name"], one["name"], type_text(one["type"]))

    def label(self, value, discriminator):
        return value if isinstance(value, str) or discriminator not in ("char", "wchar") else chr(value)

    def union(self, node):
        name = node["scoped_name"]
        self.add("union", name, node["repository_id"], type_text(node["discriminator"]))
        for case in node["cases"]:
            self.add("member", name, case["name"], type_text(case["type"]))
            for label in case["labels"]:
                self.add("label", name, case["name"], self.label(label, node["discriminator"]))
            if case.get("default"):
                self.add("default", name, case["name"])

    def operation(self, node):
        name = node["scoped_name"]
        self.add("operation", name, node["repository_id"], node.get("oneway", False), type_text(node["result"]))
        for one in node["parameters"]:
            self.add("parameter", name, one["direction"], one["name"], type_text(one["type"]))
        for one in node.get("raises", []):
            self.add("raises", name, one)
        for one in node.get("contexts", []):
            self.add("context", name, one)

    def constant(self, node):
        value = node["value"]
        if node["type"] in ("char", "wchar"):
            value = chr(value)
        if isinstance(value, bool):
            value = int(value)
        self.add("constant", node["scoped_name"], node["repository_id"], type_text(node["type"]), value)

    def inherited(self, node):
        for base in node.get("bases", []):
            self.add("inherits", node["scoped_name"], base)
        for one in node.get("supports", []):
            self.add("supports", node["scoped_name"], one)

    def visit(self, node):
        kind, name, repo = node["kind"], node["scoped_name"], node["repository_id"]
        for one in node.get("contents", []):
            self.visit(one)
        if kind == "module":
            self.add("module", name, repo)
        elif kind == "interface":
            self.add("interface", name, repo, node.get("abstract", False), node.get("local", False))
            self.inherited(node)
        elif kind == "constant":
            self.constant(node)
        elif kind == "typedef":
            self.add("typedef", name, repo, type_text(node["type"]))
        elif kind == "struct":
            self.add("struct", name, repo, node.get("recursive", False))
            self.members(node)
        elif kind == "exception":
            self.add("exception", name, repo)
            self.members(node)
        elif kind == "union":
            self.union(node)
        elif kind == "enum":
            self.add("enum", name, repo)
            scope = name.rpartition("::")[0]
            prefix = repo.rpartition(":")[0].rpartition("/")[0]
            for one in node["enumerators"]:
                self.add("enumerator", name, f"{scope}::{one['name']}", f"{prefix}/{one['name']}")
        elif kind == "attribute":
            self.add("attribute", name, repo, node.get("readonly", False), type_text(node["type"]))
        elif kind == "operation":
            self.operation(node)
        elif kind == "native":
            self.add("native", name, repo)
        elif kind == "value box":
            self.add("value box", name, repo, type_text(node["type"]))
        elif kind == "valuetype":
            self.add("valuetype", name, repo, *(node.get(flag, False) for flag in ("abstract", "custom", "truncatable")))
            self.inherited(node)
        elif kind == "state member":
            self.add("state", name, node["public"], type_text(node["type"]))
        elif kind == "factory":
            self.add("factory", node["name"], [one["name"] for one in node["parameters"]])
        if kind in ("value box", "valuetype") and not node.get("included"):
            self.values.add(name)


def normal(line):
    """Floats by value, whatever their spelling; ids of enumerators without version and root."""
    fact = json.loads(line)
    if fact[0] == "label" and isinstance(fact[3], bool):
        fact[3] = int(fact[3])
    if fact[0] == "enumerator":
        fact[3] = fact[3].rpartition(":")[0] if fact[3].count(":") > 1 else fact[3]
        fact[3] = fact[3].replace("IDL:", "").lstrip("/")
    if fact[0] == "constant" and fact[3].startswith("fixed"):
        fact[3] = "fixed"  # digits and scale of a constant follow from its value; omniidl does not compute them
    if fact[0] == "constant" and fact[3] == "wchar" and isinstance(fact[4], int):
        fact[4] = chr(fact[4])
    if fact[0] == "constant" and isinstance(fact[4], float):
        fact[4] = float(f"{fact[4]:.6g}")
    return json.dumps(fact)


def one_id_per_module(lines):
    """A module has one id throughout; omniidl gives a #pragma version to one opening alone."""
    last = {}
    for line in lines:
        fact = json.loads(line)
        if fact[0] == "module":
            last[fact[1]] = max(fact[2], last.get(fact[1], ""))
    for line in lines:
        fact = json.loads(line)
        if fact[0] == "module":
            fact[2] = last[fact[1]]
        yield json.dumps(fact)


class Comparison:
    def __init__(self, options):
        self.options = options
        self.failures = 0
        self.compared = 0
        self.with_values = []
        self.refused_by_judge = []

    def fail(self, path, text):
        self.failures += 1
        print(f"FAILED {path}: {text}")

    def ours(self, path, includes, quiet):
        command = [self.options.compiler, "--dump=json", "--color=never", "-w", *OUR_DEFINES, *DEFINES, *includes, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if run.returncode != 0:
            if not quiet:
                self.fail(path, f"tenon-idl: status {run.returncode}\n{run.stderr}")
            return None
        return Facts(json.loads(run.stdout))

    def judge(self, path, includes):
        command = [self.options.omniidl, f"-p{HERE}", "-bomniidl_facts", *DEFINES, *includes, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if run.returncode != 0:
            return None, (run.stderr.strip().splitlines() or [f"died with status {run.returncode}"])[0]
        return [line for line in run.stdout.splitlines() if line.startswith("[")], ""

    def compare(self, path, searches, name):
        """Under the first of the include paths that both accept; ours must accept one anyway."""
        ours = theirs = None
        reason = ""
        for includes in searches:
            quiet = includes is not searches[-1]
            ours = self.ours(path, includes, quiet) or ours
            if self.options.omniidl:
                theirs, refusal = self.judge(path, includes)
                reason = reason or refusal
            if ours and (theirs is not None or not self.options.omniidl):
                break
        if ours is None:
            return
        if ours.values:
            self.with_values.append((name, sorted(ours.values)))
        if not self.options.omniidl:
            return
        if theirs is None:
            self.refused_by_judge.append((name, reason))
            return
        self.compared += 1
        left = sorted(set(map(normal, ours.found)))
        right = sorted(set(map(normal, one_id_per_module(theirs))))
        if left == right:
            return
        only_ours = [line for line in left if line not in set(right)][:5]
        only_theirs = [line for line in right if line not in set(left)][:5]
        self.fail(name, f"{len(left)} facts here, {len(right)} by omniidl; only here: {only_ours}; "
                        f"only there: {only_theirs}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--standard", required=True)
    parser.add_argument("--omniidl", default="")
    parser.add_argument("--tree")
    parser.add_argument("--expect", type=int, help="how many files the tree must have")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    comparison = Comparison(options)
    standard = [f"-I{options.standard}"]
    for name in options.files:
        comparison.compare(pathlib.Path(name), [standard], name)
    total = len(options.files)
    if options.tree:
        tree = pathlib.Path(options.tree)
        if not tree.is_dir():
            return absent.not_run(f"{tree} does not exist (Debian: omniorb-idl)")
        files = sorted(tree.rglob("*.idl"))
        total += len(files)
        if options.expect is not None and len(files) != options.expect:
            comparison.fail(tree, f"{len(files)} IDL files instead of {options.expect}")
        below = [f"-I{tree}", f"-I{tree}/COS"]
        # A few files need more of orb.idl than omniORB's has: ours goes first for them.
        searches = [below, [*standard, *below]]
        for path in files:
            comparison.compare(path, searches, str(path.relative_to(tree)))
    for name, values in comparison.with_values:
        print(f"value types in {name}: {', '.join(values)}")
    for path, reason in comparison.refused_by_judge:
        print(f"not compared, omniidl refuses {path}: {reason}")
    print(f"{total} files parsed, {comparison.compared} compared with omniidl, {comparison.failures} failed")
    if comparison.failures == 0 and not options.omniidl:
        return absent.not_run("omniidl is not installed: the files were parsed, and compared with nothing")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
