#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JacORB's interface repository, as Tenon's client sees it.

  repository.py --client PATH --jacorb ARCHIVES --java JAVA --javac JAVAC

Compiles repository.idl with JacORB's compiler, whose classes are what its repository holds, starts that, and runs the client
(tenon/repository.cpp) with it as the initial reference InterfaceRepository.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import naming
import run

CASE = "repository/jacorb/tenon/contents"


def classes(options, folder):
    """The folder of the compiled IDL, with what `-ir` adds for the repository."""
    idl = pathlib.Path(__file__).resolve().parent / "repository.idl"
    generated, made = os.path.join(folder, "generated"), os.path.join(folder, "classes")
    os.mkdir(made)
    subprocess.run([options.java, "-XX:TieredStopAtLevel=1", "-cp", f"{options.jacorb}/*", "org.jacorb.idl.parser", "-ir", "-d", generated,
                    str(idl)], check=True, timeout=60)
    sources = [str(path) for path in sorted(pathlib.Path(generated).rglob("*.java"))]
    subprocess.run([options.javac, "-J-XX:TieredStopAtLevel=1", "-proc:none", "-nowarn", "-Xlint:none", "-d", made, "-cp",
                    f"{options.jacorb}/*", *sources], check=True, timeout=120, stderr=subprocess.DEVNULL)
    return made


def start(options, made, ior):
    orb = [f"-Dorg.omg.CORBA.ORB{name}=org.jacorb.orb.ORB{end}" for name, end in (("Class", ""), ("SingletonClass", "Singleton"))]
    server = subprocess.Popen([options.java, "-XX:TieredStopAtLevel=1", "-cp", f"{options.jacorb}/*:{made}", *orb,
                               "-DOAAddress=iiop://127.0.0.1:0", "org.jacorb.ir.IRServer", made, ior],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not (os.path.exists(ior) and os.path.getsize(ior) > 0):
        if server.poll() is not None or time.monotonic() > deadline:
            run.stop_server(server)
            raise RuntimeError("JacORB's repository published no reference")
        time.sleep(0.05)
    return server


def main():
    parser = argparse.ArgumentParser()
    for name in ("client", "jacorb", "java", "javac"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="repository-")
    results, server = {}, None
    try:
        ior = os.path.join(folder, "repository.ior")
        server = start(options, classes(options, folder), ior)
        done = subprocess.run([options.client, "-ORBInitRef", f"InterfaceRepository=file://{ior}"], stdout=subprocess.PIPE, text=True,
                              timeout=60, check=False)
        naming.parse(done.stdout.splitlines(), results)
        results["client_ends"] = "" if done.returncode == 0 else f"status {done.returncode}"
    except RuntimeError as reason:
        results["start"] = str(reason)
    finally:
        if server is not None:
            run.stop_server(server)
        shutil.rmtree(folder, ignore_errors=True)
    return run.report(CASE, results, run.known_failures(CASE), False)


if __name__ == "__main__":
    sys.exit(main())
