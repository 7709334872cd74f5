#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Users and passwords by CSIv2 between us and JacORB: users.py --server KIND=PROGRAM --client KIND=PROGRAM

The right password, a wrong one, and none. Where our side is, its sentences are looked at as well.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time


def command(kind, program, role, *words):
    if kind == "tenon":
        return [program, role, *words]
    return [program, "--ior", *words]


def serve(kind, program, file):
    server = subprocess.Popen(command(kind, program, "server", file), stdout=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not os.path.exists(file):
        if server.poll() is not None or time.monotonic() > end:
            server.kill()
            sys.exit("the server does not start")
        time.sleep(0.05)
    with open(file, encoding="ascii") as text:
        return server, text.read().strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    parser.add_argument("--client", required=True)
    arguments = parser.parse_args()
    server_kind, server_program = arguments.server.split("=", 1)
    client_kind, client_program = arguments.client.split("=", 1)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        server, reference = serve(server_kind, server_program, os.path.join(folder, "reference"))
        try:
            def call(user, password):
                done = subprocess.run(command(client_kind, client_program, "client", reference, user, password),
                                      capture_output=True, text=True, timeout=60, check=False)
                return done.stdout.strip() or done.stderr.strip()

            def expect(what, said, good):
                nonlocal failed
                print("ok" if good else "FAIL", what, said)
                failed += not good

            said = call("alice", "secret")
            expect("the right password:", said, said == "alice")
            said = call("alice", "guess")
            expect("a wrong password:", said, said.startswith("NO_PERMISSION"))
            if client_kind == "tenon":
                expect("and its status:", said, "the server refused the credentials: CSIv2 status 1.1" in said)
                said = call("", "")
                expect("no password:", said, said.startswith("NO_PERMISSION") and "and the call has none" in said)
            said = call("bob", "secret")
            expect("the next one:", said, said == "bob")
        finally:
            server.terminate()
            server.wait(30)
    sys.exit(1 if failed else 0)


main()
