#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""References as omniORB's tools see them, and omniNames as our programs see it.

  naming.py --server KIND=PATH --client KIND=PATH

Starts an echo server and omniNames; catior must read the server's reference; the client (naming.cpp of its kind) binds it,
lists and resolves; nameclt must then find under the name what the server published.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import run


def start_names(port, folder):
    names = subprocess.Popen(["omniNames", "-start", str(port), "-logdir", folder, "-errlog", os.path.join(folder, "errors"),
                              "-ORBendPoint", f"giop:tcp:127.0.0.1:{port}"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and names.poll() is None:
        if nameclt(port, "list").returncode == 0:
            return names
        time.sleep(0.1)
    names.kill()
    names.wait()
    raise RuntimeError("omniNames did not start")


def nameclt(port, *arguments):
    return subprocess.run(["nameclt", "-ORBInitRef", f"NameService=corbaloc:iiop:1.2@127.0.0.1:{port}/NameService",
                           *arguments], capture_output=True, text=True, timeout=30, check=False)


def catior(reference):
    return subprocess.run(["catior", reference], capture_output=True, text=True, timeout=30, check=False).stdout


def addresses(text):
    """Type id and the (version, host, port, key) of each IIOP profile, as catior prints them."""
    type_id = re.search(r'Type ID: "([^"]*)"', text)
    return type_id[1] if type_id else None, re.findall(r'IIOP (\d\.\d) (\S+) (\d+) ("[^\n]*")', text)


def check_reference(reference, port, results):
    text = catior(reference)
    type_id, profiles = addresses(text)
    results["catior_type_id"] = "" if type_id == "IDL:tenon.test/Interop/Echo:1.0" else f"{type_id}"
    right = [p for p in profiles if p[0] == "1.2" and p[1] == "127.0.0.1" and p[2] == str(port)]
    results["catior_profile"] = "" if right else f"no IIOP 1.2 profile of 127.0.0.1:{port} in {profiles}"
    # catior says "Unknown" (or nothing at all) of a code set whose number it does not know.
    sets = re.search(r"char native code set:\s+(\S+).*?wchar native code set:\s+(\S+)", text, re.DOTALL)
    known = sets is not None and sets[1] in ("ISO-8859-1", "UTF-8") and sets[2] == "UTF-16"
    results["catior_code_sets"] = "" if known else f"{sets.groups() if sets else text.strip()[-200:]}"


def parse(lines, results):
    for line in lines:
        match = re.match(r"(ok|FAIL) (\S+) ?(.*)", line)
        if match:
            results[match[2]] = "" if match[1] == "ok" else match[3] or "no reason given"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True, metavar="KIND=PATH")
    parser.add_argument("--client", required=True, metavar="KIND=PATH")
    options = parser.parse_args()
    server_kind, server_path = options.server.split("=", 1)
    client_kind, client_path = options.client.split("=", 1)
    case = f"{server_kind}/{client_kind}/naming"
    for tool in ("omniNames", "nameclt", "catior"):
        if shutil.which(tool) is None:
            return run.absent.not_run(f"{case}: {tool} is not installed (Debian: omniorb omniorb-nameserver)")
    folder = tempfile.mkdtemp(prefix="naming-")
    server_port, names_port = run.free_ports(2)
    results = {}
    server = names = None
    try:
        ior = os.path.join(folder, "server.ior")
        server = run.start_server(server_path, ["--port", str(server_port)], [], ior)
        with open(ior, encoding="ascii") as text:
            reference = text.read().strip()
        check_reference(reference, server_port, results)
        names = start_names(names_port, folder)
        done = subprocess.run([client_path, "--ior", ior, "-ORBInitRef",
                               f"NameService=corbaloc:iiop:1.2@127.0.0.1:{names_port}/NameService"],
                              stdout=subprocess.PIPE, text=True, timeout=60, check=False)
        parse(done.stdout.splitlines(), results)
        results["client_ends"] = "" if done.returncode == 0 else f"status {done.returncode}"
        listed = nameclt(names_port, "list", "tenon.test").stdout
        results["nameclt_list"] = "" if "echo.object" in listed else listed.strip() or "nothing listed"
        found = nameclt(names_port, "resolve", "tenon.test/echo.object").stdout.strip()
        same = addresses(catior(found)) == addresses(catior(reference)) if found.startswith("IOR:") else False
        results["nameclt_resolve"] = "" if same else found[:200] or "nothing resolved"
    except RuntimeError as reason:
        results["start"] = str(reason)
    finally:
        if names is not None:
            names.terminate()
            names.wait()
        if server is not None:
            run.stop_server(server)
        shutil.rmtree(folder, ignore_errors=True)
    return run.report(case, results, run.known_failures(case), False)


if __name__ == "__main__":
    sys.exit(main())
