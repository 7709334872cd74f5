# SPDX-License-Identifier: Apache-2.0
"""How long the IDL compiler takes for 64 structs, each with two members of the one before: as many ways lead to the innermost one as
there are numbers of 64 bits. All forms of output, one after the other."""
import os
import subprocess
import tempfile
import time

from programs import Unmeasurable

DEPTH = 64
FORMS = [["--stubs=compiled"], ["--stubs=interpreted"], ["--any"], ["--report=size"]]
LONGEST = 60  # seconds, for one run


def nested():
    text = "struct S0 { boolean flag; long x; };\n"
    for i in range(1, DEPTH):
        text += f"struct S{i} {{ S{i - 1} a; S{i - 1} b; }};\n"
    return text + f"interface I {{ S{DEPTH - 1} f(in S{DEPTH - 1} x); }};\n"


def seconds(compiler, folder):
    begin = time.monotonic()
    for form in FORMS:
        try:
            done = subprocess.run([compiler, *form, "-w", "--out-dir", folder, os.path.join(folder, "nested.idl")],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            raise Unmeasurable(f"tenon-idl {form[0]} does not end within {LONGEST} s") from None
        if done.returncode != 0:
            raise Unmeasurable(f"tenon-idl {form[0]}: {done.stderr.strip()[:200]}")
    return time.monotonic() - begin


def measure(build, report, rounds):
    def nested_structs():
        compiler = os.path.join(build, "idl", "tenon-idl")
        if not os.path.exists(compiler):
            raise Unmeasurable(f"{compiler} is not built")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "nested.idl"), "w", encoding="ascii") as file:
                file.write(nested())
            return [seconds(compiler, folder) for _ in range(rounds)], f"{DEPTH} nested structs, {len(FORMS)} forms of output"

    report.attempt("idl_nested_64_s", "seconds", "<= 1", nested_structs)
