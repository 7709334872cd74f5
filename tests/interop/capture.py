#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures loopback traffic and lets tshark's GIOP dissector judge it.

Used by run.py; by itself it judges a file: capture.py FILE PORT [PORT...]. A judgement is a list of complaints: malformed
packets, expert notes of the level warning and above that are not about TCP itself, message types and service contexts that
the dissector does not know. An empty list is a clean capture, and an empty capture is a complaint too.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time


class NotPermitted(Exception):
    """The machine does not let this user capture (or has no dumpcap): nothing can be said about the traffic."""


class Capture:
    """dumpcap on the loopback interface between start() and stop(), into one file."""

    def __init__(self, path, ports):
        self.path = path
        self.ports = ports
        self.process = None

    def start(self):
        dumpcap = shutil.which("dumpcap")
        if dumpcap is None or shutil.which("tshark") is None:
            raise NotPermitted("tshark and dumpcap are not installed (Debian: tshark)")
        expression = " or ".join(f"tcp port {port}" for port in self.ports)
        # -P: pcap, not pcapng, so that the size tells when the header is written; -B: loopback is quick.
        self.process = subprocess.Popen(
            [dumpcap, "-i", "lo", "-P", "-B", "64", "-f", expression, "-w", self.path],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        deadline = time.monotonic() + 20
        while not (os.path.exists(self.path) and os.path.getsize(self.path) >= 24):
            if self.process.poll() is not None:
                complaint = self.process.stderr.read().strip()
                hint = "even as root: is CAP_NET_RAW dropped?" if os.geteuid() == 0 else "try as root"
                raise NotPermitted(f"dumpcap cannot capture on lo ({hint}): {complaint}")
            if time.monotonic() > deadline:
                self.stop()
                raise NotPermitted("dumpcap did not start within 20 seconds")
            time.sleep(0.05)
        time.sleep(0.3)  # the file's header precedes the first packet that the kernel hands over

    def stop(self):
        if self.process is None:
            return
        self.settle()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        self.process = None

    def settle(self):
        """dumpcap writes what it has about once a second: wait until the file stands still."""
        size = -1
        while size != os.path.getsize(self.path):
            size = os.path.getsize(self.path)
            time.sleep(1.2)


def tshark(path, ports, *arguments):
    command = ["tshark", "-r", path, "-n", "-o", "tcp.check_checksum:FALSE", "-o", "ip.check_checksum:FALSE",
               "-o", "giop.desegment_giop_messages:TRUE"]
    for port in ports:
        command += ["-d", f"tcp.port=={port},giop"]
    done = subprocess.run(command + list(arguments), capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise RuntimeError(f"tshark: {done.stderr.strip()}")
    return done.stdout


def holds(path, ports, expression):
    """Whether a GIOP message of the capture meets the display filter."""
    return bool(tshark(path, ports, "-Y", expression, "-T", "fields", "-e", "frame.number").strip())


def judge(path, ports):
    complaints = []
    messages = tshark(path, ports, "-Y", "giop", "-T", "fields", "-e", "frame.number")
    if not messages.strip():
        complaints.append("the capture holds no GIOP message")
    for line in tshark(path, ports, "-Y", "_ws.malformed", "-T", "fields", "-e", "frame.number", "-e",
                       "_ws.col.Info").splitlines():
        complaints.append(f"malformed packet: frame {line}")
    # 4194304 is a note, 6291456 a warning, 8388608 an error. Loopback under load shows TCP's own: window full, reset.
    expert = tshark(path, ports, "-Y", "giop and _ws.expert.severity >= 6291456 and not tcp.analysis.flags", "-T", "fields",
                    "-e", "frame.number", "-e", "_ws.expert.message")
    for line in expert.splitlines():
        if not tcp_only(line):
            complaints.append(f"expert: frame {line}")
    details = tshark(path, ports, "-Y", "giop", "-O", "giop")
    for line in unknown_fields(details):
        complaints.append(f"unknown: {line}")
    return complaints


def tcp_only(line):
    notes = line.split("\t", 1)[-1]
    return re.fullmatch(r"(Connection (reset|finish|establish)[^,]*(,|$))*", notes) is not None


def unknown_fields(details):
    """Lines of the detailed print in which the dissector gives up: a number without a name."""
    seen = {}
    for line in details.splitlines():
        text = line.strip()
        if re.search(r"\bunknown\b", text, re.IGNORECASE) and not known_to_be_private(text):
            seen.setdefault(text, None)
    return list(seen)


def known_to_be_private(text):
    # The name of an exception (CORBA::UNKNOWN) and the reply status UNKNOWN_OBJECT are values, not gaps.
    return "CORBA/UNKNOWN" in text or "UNKNOWN_OBJECT" in text or "Unknown Object" in text


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: capture.py FILE PORT...")
    complaints = judge(sys.argv[1], sys.argv[2:])
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
