#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates C++ for every IDL file below a directory and checks that it compiles without warnings.

Prints which files were skipped and why. A file may only be skipped for a reason of the list below; anything else fails the test.
The support header is compiled once, so that each file costs its own text.
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import absent  # noqa: E402

# What a file may be skipped for, as tenon-idl says it.
REASONS = [
    (re.compile(r"native type '.*' has no C\+\+ mapping"), "native types"),
]
# As the files themselves ask for it.
DEFINES = ["-D__OMNIIDL__", "-DENABLE_CLIENT_IR_SUPPORT", "-w"]
WARNINGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


def skip_reason(text):
    errors = [line for line in text.splitlines() if " error: " in line]
    reasons = set()
    for error in errors:
        known = [reason for pattern, reason in REASONS if pattern.search(error)]
        if not known:
            return None
        reasons.update(known)
    return ", ".join(sorted(reasons)) or None


def standard_files(args):
    return pathlib.Path(args.tenon_idl).resolve().parent / "standard"


def generate(args, file):
    """None when the C++ is there, else (skipped, text)."""
    below = [f"-I{path}" for path in sorted({path.parent for path in args.root.rglob("*.idl")})]
    # A few files need more of orb.idl than omniORB's has: ours goes first for them, and what is made of it stands apart.
    standard = [f"-I{standard_files(args)}", *below]
    for search, out in (below, args.out), (standard, args.out / "standard"):
        result = run([args.tenon_idl, *DEFINES, f"--stubs={args.stubs}", "--no-any", "--out-dir", str(out), *search,
                      str(file)])
        if result.returncode == 0:
            return None
        reason = skip_reason(result.stderr)
        if reason:
            return (True, reason)
    return (False, result.stderr)


def compile_one(args, flags, source):
    # a quoted #include looks beside its file first
    result = run([*args.compiler.split(), *WARNINGS, "-fsyntax-only", *flags, f"-I{source.parent}", f"-I{args.out}",
                  f"-I{args.out / 'standard'}", str(source)])
    return result.stderr if result.returncode != 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tenon-idl", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--stubs", default="compiled")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--expect", type=int, required=True, help="how many IDL files there must be")
    parser.add_argument("--expect-skipped", type=int, required=True, help="of how many sources nothing may be compiled")
    parser.add_argument("root", type=pathlib.Path)
    args = parser.parse_args()
    if not args.root.is_dir():
        return absent.not_run(f"{args.root} does not exist (Debian: omniorb-idl)")
    (args.out / "standard").mkdir(parents=True, exist_ok=True)
    for old in args.out.rglob("*.?pp"):
        old.unlink()
    files = sorted(args.root.rglob("*.idl"))
    # As tenon::standard has them, but with these stubs.
    for file in (standard_files(args) / "tenon").glob("*.idl"):
        run([args.tenon_idl, f"--stubs={args.stubs}", "--no-any", "--include-prefix", "tenon/standard", "--out-dir",
             str(args.out / "standard" / "tenon" / "standard"), str(file)])
    failed = []
    skipped = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for file, result in zip(files, pool.map(lambda file: generate(args, file), files)):
            if result is None:
                continue
            (skipped if result[0] else failed).append((file.name, result[1]))
        # A header that another file includes may belong to a skipped file: such files are skipped with it.
        without = {name.removesuffix(".idl") + ".hpp" for name, _ in skipped}
        headers = {header.name: set(re.findall(r'#include "(.*)"', header.read_text())) for header in args.out.rglob("*.hpp")}
        grew = True
        while grew:
            lost = {name for name, included in headers.items() if name not in without and included & without}
            without |= lost
            grew = bool(lost)
        sources = []
        for source in sorted(args.out.rglob("*.cpp")):
            if source.with_suffix(".hpp").name in without:
                skipped.append((source.name, "includes what was skipped"))
            else:
                sources.append(source)

        includes = [f"-I{args.source / 'include'}", f"-I{args.source / 'src'}"]
        support = args.out / "support.hpp"
        header = "interpreted" if args.stubs == "interpreted" else "support"
        support.write_text(f"#include <tenon/gen/{header}.hpp>\n#include <tenon/gen/support.hpp>\n")
        result = run([*args.compiler.split(), *WARNINGS, *includes, "-x", "c++-header", str(support), "-o",
                      str(support) + (".pch" if "clang" in args.compiler else ".gch")])
        if result.returncode != 0:
            sys.exit(result.stderr)
        flags = [*includes, "-include-pch", str(support) + ".pch"] if "clang" in args.compiler else [
            *includes, "-include", str(support)]
        for source, text in zip(sources, pool.map(lambda each: compile_one(args, flags, each), sources)):
            if text is not None:
                failed.append((source.name, text))

    for name, reason in skipped:
        print(f"skipped {name}: {reason}")
    for name, text in failed:
        print(f"FAILED {name}:\n" + "\n".join(text.splitlines()[:12]))
    print(f"{len(files)} IDL files, {len(sources)} sources compiled, {len(skipped)} skipped, {len(failed)} failed")
    if len(files) != args.expect or len(skipped) != args.expect_skipped:
        print(f"There must be {args.expect} IDL files, and {args.expect_skipped} skipped")
        return 1
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
