# SPDX-License-Identifier: Apache-2.0
"""The implied IDL of asynchronous calls against omniidl's: names of handlers and pollers, of sendc_ and sendp_, and what handlers get.

implied_test.py TENON_IDL OMNIIDL FILE...

Beside the files a text of its own, in which names are taken. Not run where there is no omniidl.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import absent  # noqa: E402

TAKEN = """
module M {
  interface AMI_FooHandler { void nothing(); };
  exception E { long code; };
  interface Base {
    attribute string title;
    void op(in long a, inout string b, out double d) raises (E);
    oneway void note(in long x);
  };
  interface Foo : Base {
    long get();
    void get_excep();
    readonly attribute long size;
    void sendc_get();
    void sendp_get();
    long later(in long ami_handler, inout long which);
    void AMI_sendc_get();
  };
  interface AMI_Foo { void more(); };
};
"""


def of_omniidl(omniidl, path):
    """{interface: {operation: [parameter]}} and the names of pollers."""
    done = subprocess.run([omniidl, "-bami", path], capture_output=True, text=True, check=True)
    interfaces, pollers = {}, set()
    operations = None
    for line in done.stdout.splitlines():
        if head := re.match(r"\s*(interface|abstract valuetype) (\w+)\b.*\{", line):
            operations = interfaces.setdefault(head[2], {}) if head[1] == "interface" else {}
            if head[1] != "interface":
                pollers.add(head[2])
        elif operation := re.match(r"\s*\S+ (\w+)\((.*)\)", line):
            parameters = [one.split()[-1] for one in operation[2].split(",") if one.strip()]
            operations[operation[1]] = parameters
    return interfaces, pollers


def of_tenon(compiler, path):
    done = subprocess.run([compiler, "--ami", "--dump=json", path], capture_output=True, text=True, check=True)
    interfaces, pollers = {}, set()

    def visit(declarations):
        for one in declarations:
            if one["kind"] == "module":
                visit(one["contents"])
            elif one["kind"] == "interface" and not one.get("local"):
                if "handler" not in one:  # it is implied itself
                    interfaces[one["name"]] = {
                        each["name"]: [parameter["name"] for parameter in each["parameters"]]
                        for each in one["contents"]}
                    continue
                pollers.add(one["poller"])
                sent = interfaces.setdefault(one["name"], {})
                for form in one["async"]:
                    sent[form["sendc"]] = sent[form["sendp"]] = None
    visit(json.loads(done.stdout)["declarations"])
    return interfaces, pollers


def main():
    if len(sys.argv) < 3 or not os.path.exists(sys.argv[2]):
        return absent.not_run("omniidl is not installed")
    compiler, omniidl, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        taken = os.path.join(folder, "taken.idl")
        with open(taken, "w", encoding="utf-8") as out:
            out.write(TAKEN)
        wrong = 0
        compared = 0
        for path in [*files, taken]:
            theirs, their_pollers = of_omniidl(omniidl, path)
            ours, our_pollers = of_tenon(compiler, path)
            if our_pollers != their_pollers:
                wrong += 1
                print(f"{path}: pollers {our_pollers ^ their_pollers}")
            for name in sorted(set(theirs) | set(ours)):
                mine, other = ours.get(name, {}), theirs.get(name, {})
                if set(mine) != set(other):
                    wrong += 1
                    print(f"{path}: {name}: {sorted(set(mine) ^ set(other))}")
                for operation in set(mine) & set(other):
                    compared += 1
                    # what sendc_ takes is for the test of generated code
                    if mine[operation] is not None and mine[operation] != other[operation]:
                        wrong += 1
                        print(f"{path}: {name}::{operation}: {mine[operation]}, not {other[operation]}")
    print(f"{compared} operations compared")
    return 1 if wrong or compared < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
