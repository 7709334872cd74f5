#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tenon-idl --report=size estimates must be within a factor of two of what the compiler makes, for compiled and for interpreted
stubs: .text, .rodata, .data of stub and skeleton at -O2."""
import argparse
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import absent  # noqa: E402

FACTOR = 2.0


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def measured(args, idl, stubs):
    out = args.out / f"{idl.stem}_{stubs}"
    shutil.rmtree(out, ignore_errors=True)
    standard = ["-I", str(args.source / "idl" / "standard")]
    run([args.tenon_idl, *standard, f"--stubs={stubs}", "--no-any", "--out-dir", out, idl])
    total = 0
    for source in sorted(out.glob("*.cpp")):
        obj = source.with_suffix(".o")
        run([*args.compiler.split(), "-std=c++20", "-O2", "-DNDEBUG", "-fPIC", f"-I{args.source / 'include'}",
             f"-I{args.source / 'src'}", f"-I{out}", "-c", source, "-o", obj])
        for line in run(["size", "-A", obj]).splitlines():
            words = line.split()
            if len(words) == 3 and words[0].startswith((".text", ".rodata", ".data")):
                total += int(words[1])
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tenon-idl", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    if shutil.which("size") is None:
        return absent.not_run("size is not installed (Debian: binutils)")
    bad = 0
    for idl in args.files:
        standard = ["-I", str(args.source / "idl" / "standard")]
        report = run([args.tenon_idl, *standard, "--report=size", "--stubs=interpreted", idl]).splitlines()
        compiled, interpreted, chosen = (int(word) for word in report[-1].split()[:3])
        if chosen != interpreted:
            print(f"{idl.name}: everything is interpreted, and yet {chosen} octets are chosen of {interpreted}")
            bad += 1
        for stubs, estimate in ("compiled", compiled), ("interpreted", interpreted):
            real = measured(args, idl, stubs)
            good = real / FACTOR <= estimate <= real * FACTOR
            print(f"{idl.name} {stubs}: estimated {estimate}, measured {real}{'' if good else '  TOO FAR OFF'}")
            bad += not good
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
