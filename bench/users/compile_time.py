# SPDX-License-Identifier: Apache-2.0
"""How long generated C++ takes to compile, beside omniORB's for the same IDL.

User seconds and peak memory are the compiler's own, as the kernel counts them, so other load on the machine hardly disturbs them; no
compiler cache takes part. Both get -O2 and are compiled as make would do it: each source by itself, without a precompiled header.
"""
import os
import re
import shutil
import statistics
import subprocess
import tempfile

from programs import Unmeasurable
from report import ROOT, say

IDL = os.path.join(ROOT, "bench", "users", "exchange.idl")
COMPILER = "g++"


def generate(command, folder):
    if shutil.which(command[0]) is None:
        raise Unmeasurable(f"{command[0]} is not here")
    os.makedirs(folder)
    done = subprocess.run([*command, IDL], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unmeasurable(f"{os.path.basename(command[0])} refuses the IDL: {done.stderr.strip()[-200:]}")


def compile_once(folder, source, options):
    """(user seconds, peak MiB)"""
    command = [COMPILER, "-O2", "-c", "-o", os.devnull, "-I", folder, *options, os.path.join(folder, source)]
    with open(os.path.join(folder, "errors"), "w+", encoding="utf-8") as errors:
        child = subprocess.Popen(command, stdout=errors, stderr=errors, env={**os.environ, "CCACHE_DISABLE": "1"})
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            errors.seek(0)
            raise Unmeasurable(f"{source} does not compile: {errors.read()[:300]}")
    return used.ru_utime, used.ru_maxrss / 1024


def tenon_options():
    return ["-std=c++20", "-I", os.path.join(ROOT, "include"), "-I", os.path.join(ROOT, "src")]


def standard_headers(folder):
    """A source with the headers of the C++ library that the generated header includes, and one with the generated header."""
    with open(os.path.join(folder, "header.cpp"), "w", encoding="utf-8") as file:
        file.write('#include "exchange.hpp"\n')
    done = subprocess.run([COMPILER, *tenon_options(), "-I", folder, "-M", os.path.join(folder, "header.cpp")], capture_output=True,
                          text=True, check=True)
    names = sorted(set(re.findall(r"/c\+\+/[0-9.]+/([a-z_]+)(?=\s)", done.stdout)))
    with open(os.path.join(folder, "standard.cpp"), "w", encoding="utf-8") as file:
        file.writelines(f"#include <{name}>\n" for name in names)


def jobs(build, folder):
    """{what: [(folder, source, options)]}"""
    compiler = os.path.join(build, "idl", "tenon-idl")
    plain, ami, omni = (os.path.join(folder, name) for name in ("plain", "ami", "omniorb"))
    generate([compiler, "--any", "--out-dir", "."], plain)
    generate([compiler, "--any", "--ami", "--out-dir", "."], ami)
    standard_headers(plain)
    sources = ("exchange.cpp", "exchange_skel.cpp", "exchange_any.cpp")
    wanted = {
        "plain": [(plain, name, tenon_options()) for name in sources],
        "ami": [(ami, name, tenon_options())
                for name in (*sources, *(name for name in sorted(os.listdir(ami)) if name.endswith("_ami.cpp")))],
        "header": [(plain, "header.cpp", tenon_options())],
        "standard": [(plain, "standard.cpp", tenon_options())],
    }
    try:
        generate(["omniidl", "-bcxx", "-Wba"], omni)
        wanted["omniorb"] = [(omni, name, []) for name in ("exchangeSK.cc", "exchangeDynSK.cc")]
    except Unmeasurable as reason:
        say(str(reason))
    return wanted


def rounds_of(wanted, rounds):
    """Interleaved: {what: [user seconds of a round]}, {what: peak MiB}"""
    seconds, peak = {name: [] for name in wanted}, dict.fromkeys(wanted, 0)
    for _ in range(rounds):
        for name, sources in wanted.items():
            used = [compile_once(*source) for source in sources]
            seconds[name].append(sum(user for user, _ in used))
            peak[name] = max(peak[name], *(memory for _, memory in used))
    return seconds, peak


def measure(build, report, rounds):
    bars = (("stub_compile_vs_omniorb", "ratio", "<= 1.0"), ("ami_compile_extra", "ratio", "<= 0.4"),
            ("header_compile_extra_s", "s", "<= 0.4"), ("stub_compile_mib", "MiB", "<= 180"))
    say(f"compiling generated code: {rounds} rounds")
    folder = tempfile.mkdtemp(prefix="bench-")
    try:
        seconds, peak = rounds_of(jobs(build, folder), rounds)
    except Unmeasurable as reason:
        for bar in bars:
            report.add(*bar, reason=str(reason))
        return
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    note = "user seconds: " + ", ".join(f"{name} {statistics.median(values):.2f}" for name, values in seconds.items())

    def against_omniorb():
        if "omniorb" not in seconds:
            raise Unmeasurable("omniidl or omniORB's headers are not here")
        return [a / b for a, b in zip(seconds["plain"], seconds["omniorb"])], note

    report.attempt(*bars[0], against_omniorb)
    report.add(*bars[1], [(a - b) / b for a, b in zip(seconds["ami"], seconds["plain"])], note)
    report.add(*bars[2], [a - b for a, b in zip(seconds["header"], seconds["standard"])], note)
    report.add(*bars[3], [peak["plain"]], ", ".join(f"{name} {value:.0f}" for name, value in peak.items()))
