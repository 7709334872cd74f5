#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Certificates of an authority that the other side does not know: no call succeeds, and Tenon says which side has refused what.

  tls_refusals.py --server KIND=PATH --client KIND=PATH --tls LIBRARY

One of the two is Tenon. A refusal is looked for where Tenon says it: in what its client prints, or in its server's log.
"""
import argparse
import re
import subprocess
import sys
import tempfile

import run
import tls
from run import absent

OURS = "this side refused the peer"  # or its certificate: Java shows none that is not of an authority that the server has named
THEIRS = "the peer refused this side"
# Which side has the stranger's certificate, and which side so refuses the other.
CASES = {"servers_certificate": ("server", "client"), "clients_certificate": ("client", "server")}


def call(asked, world, stranger, folder):
    """What the client has printed, and what the server has logged, which ends by itself after the call."""
    kinds = {"server": asked.server.split("=", 1), "client": asked.client.split("=", 1)}
    ports = run.free_ports(4)
    ior = f"{folder}/{stranger}.ior"

    def command(role, number):
        kind, path = kinds[role]
        side = world.side("stranger" if role == stranger else role, ports[number], mutual=True)
        # Strangers trust the others: they refuse nobody.
        log = ["-ORBLog", "warning"] if kind == "tenon" else []
        return [path, "--ior", ior, "--port", str(ports[number + 2]), *side.options(kind, asked.tls), *log]

    with open(f"{folder}/{stranger}.log", "w+", encoding="utf-8") as log:
        server = subprocess.Popen([*command("server", 0), "--idle", "60"], stdout=log, stderr=log)
        try:
            run.wait_for(server, ior)
            done = subprocess.run([*command("client", 1), "--only", "limits"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=120, check=False)
        finally:
            ended = run.stop_server(server)
        log.seek(0)
        return done, ended, log.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True, metavar="KIND=PATH")
    parser.add_argument("--client", required=True, metavar="KIND=PATH")
    parser.add_argument("--tls", required=True, metavar="LIBRARY", help="Tenon's plug-in")
    asked = parser.parse_args()
    ours = {role for role, text in (("server", asked.server), ("client", asked.client)) if text.startswith("tenon=")}
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="interop-") as folder:
        try:
            world = tls.World(folder)
            for name, (stranger, refuses) in CASES.items():
                done, ended, log = call(asked, world, stranger, folder)
                problems = []
                if re.search(r"^ok ", done.stdout, re.MULTILINE) or done.returncode == 0:
                    problems.append("a call succeeded")
                if ended != 0:
                    problems.append(f"the server's status is {ended}")
                for role in ours:
                    said, sentence = (log, done.stdout)[role == "client"], OURS if role == refuses else THEIRS
                    if sentence not in said:
                        problems.append(f"the {role} does not say '{sentence}'")
                wrong += len(problems)
                print(f"FAIL {name}: {'; '.join(problems)}\nclient: {done.stdout}\nserver: {log}" if problems else f"ok {name}")
        except tls.Unavailable as missing:
            return absent.not_run(str(missing))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
