# SPDX-License-Identifier: Apache-2.0
"""Processes under measurement: start, pin, command, stop; and the tools that count what they do.

Every client reads one command a line and answers with one line (bench/raw/blocks.hpp); every server publishes its address in a
file and ends by SIGTERM. Nothing here knows what a number means.
"""
import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time


class Unmeasurable(Exception):
    """A number that cannot be had on this machine; the text is the reason that the report gives."""


class Contender:
    """A server and a client program of one kind, and how they are started."""

    def __init__(self, name, server, client, address_option="--ior", server_options=(), client_options=(), counted=None):
        self.name = name
        self.server = server
        self.client = client
        self.address_option = address_option
        self.server_options = list(server_options)  # {folder} in one stands for the pair's folder
        self.client_options = list(client_options)
        self.counted = counted  # another Contender whose programs count allocations

    def require(self):
        for path in (self.server[0], self.client[0]):
            if not os.access(path, os.X_OK):
                raise Unmeasurable(f"{os.path.basename(path)} is not built")


class Pair:
    """A running server and client. Use as a context: both have ended afterwards, whatever happened."""

    def __init__(self, contender, wrap=None, environment=None):
        contender.require()
        self.contender = contender
        self.wrap = wrap or (lambda role: [])
        self.environment = environment or (lambda role: {})
        self.folder = tempfile.mkdtemp(prefix="bench-")
        self.server = self.client = None

    def __enter__(self):
        address = os.path.join(self.folder, "address")
        c = self.contender
        options = [option.replace("{folder}", self.folder) for option in c.server_options]
        try:
            self.server = self._start("server", c.server + [c.address_option, address, "--idle", "300"] + options,
                                      subprocess.DEVNULL, subprocess.DEVNULL)
            deadline = time.monotonic() + 60
            while not published(address):
                if self.server.poll() is not None or time.monotonic() > deadline:
                    raise Unmeasurable(f"the {c.name} server did not start")
                time.sleep(0.02)
            self.client = self._start("client", c.client + [c.address_option, address] + c.client_options, subprocess.PIPE,
                                      subprocess.PIPE)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _start(self, role, command, stdin, stdout):
        return subprocess.Popen(self.wrap(role) + command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, text=True,
                                env={**os.environ, **self.environment(role)})

    def __exit__(self, *_):
        if self.client is not None:
            try:
                self.client.stdin.write("quit\n")
                self.client.stdin.close()
            except OSError:
                pass
            self._end(self.client)
            self.client.stdout.close()
        if self.server is not None:
            # The program itself, not the tool around it: strace and valgrind then report as at any exit.
            for pid in descendants(self.server.pid) or [self.server.pid]:
                try:
                    os.kill(pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
            self._end(self.server)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def _end(process):
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def pin(self, server_cpu, client_cpu):
        """Pins every thread that exists; later ones inherit the core from the thread that starts them."""
        for process, cpu in ((self.server, server_cpu), (self.client, client_cpu)):
            for pid in [process.pid] + descendants(process.pid):
                for task in os.listdir(f"/proc/{pid}/task"):
                    os.sched_setaffinity(int(task), {cpu})

    def ask(self, command):
        return answer_of(self.client, f"the {self.contender.name} client", command)


def start(all_of_them, stack):
    """Starts those that can run. Returns their pairs by name, and the reasons why the others are missing, by name."""
    pairs, absent = {}, {}
    for name, contender in all_of_them.items():
        try:
            pairs[name] = stack.enter_context(Pair(contender))
        except Unmeasurable as reason:
            absent[name] = say_absent(name, reason)
    return pairs, absent


def say_absent(name, reason):
    print(f"  {name}: {reason}", file=sys.stderr, flush=True)
    return str(reason)


class Commands:
    """A program that answers commands and makes no calls. Use as a context."""

    def __init__(self, command):
        if not os.access(command[0], os.X_OK):
            raise Unmeasurable(f"{os.path.basename(command[0])} is not built")
        self.name = os.path.basename(command[0])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate("quit\n")

    def pin(self, cpu):
        os.sched_setaffinity(self.process.pid, {cpu})

    def ask(self, command):
        return answer_of(self.process, self.name, command)


def answer_of(process, name, command):
    try:
        process.stdin.write(command + "\n")
        process.stdin.flush()
        answer = process.stdout.readline().strip()
    except OSError as error:
        raise Unmeasurable(f"{name} went away at '{command}'") from error
    if not answer or answer.startswith("error"):
        raise Unmeasurable(f"{name}: '{command}' answered '{answer}'")
    return answer


def published(path):
    """True once the file holds a whole line: programs may write it in place."""
    try:
        with open(path, encoding="ascii") as text:
            return text.read().endswith("\n")
    except OSError:
        return False


def descendants(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
                for child in map(int, children.read().split()):
                    found += [child] + descendants(child)
    except OSError:
        pass
    return found


def counts(contender, command, tool, read):
    """What `read` finds in the reports of the tool after one run of a command, or several between semicolons, for server and
    client."""
    with tempfile.TemporaryDirectory(prefix="count-") as folder:
        report = {role: os.path.join(folder, role) for role in ("server", "client")}
        wrap, environment = tool(report)
        with Pair(contender, wrap, environment) as pair:
            for line in command.split(";"):
                pair.ask(line.strip())
        return {role: read(path) for role, path in report.items()}


def difference(contender, command, number, tool, read):
    """Per call, by the difference between N and 2N calls: start-up, connecting and the end cancel out."""
    first = counts(contender, command.format(number), tool, read)
    second = counts(contender, command.format(2 * number), tool, read)
    return {role: (second[role] - first[role]) / number for role in first}


def both(counted):
    return counted["client"] + counted["server"]


def two_cores():
    if len(os.sched_getaffinity(0)) < 2:
        raise Unmeasurable("needs two cores")


def require_tool(name):
    if shutil.which(name) is None:
        raise Unmeasurable(f"{name} is not installed")


# callgrind counts `rep movsb`, by which memcpy moves large blocks where the processor has it, as an instruction for each octet.
IN_VECTORS = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-ERMS,-FSRM"}


def instructions(contender, command, number=2000, environment=None):
    require_tool("valgrind")

    def tool(report):
        return (lambda role: ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={report[role]}"],
                lambda role: environment or {})

    def read(path):
        with open(path, encoding="utf-8", errors="replace") as text:
            match = re.search(r"Collected : (\d+)", text.read())
        if match is None:
            raise Unmeasurable("callgrind wrote no count")
        return int(match[1])

    return difference(contender, command, number, tool, read)


def system_calls(contender, command, number=3000):
    require_tool("strace")

    def tool(report):
        return lambda role: ["strace", "-f", "-c", "-o", report[role]], None

    def read(path):
        if not os.path.exists(path) or os.path.getsize(path) == 0:
            raise Unmeasurable("strace is not permitted here")
        total = 0
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                # % time, seconds, usecs/call, calls, [errors], name
                words = line.split()
                if len(words) >= 5 and re.fullmatch(r"[\d.]+", words[0]) and words[-1] != "total":
                    total += int(words[3])
        return total

    return difference(contender, command, number, tool, read)


def allocations(contender, command, number=1000):
    counted = contender.counted
    if counted is None:
        raise Unmeasurable(f"{contender.name} has no program that counts allocations")

    def tool(report):
        return None, lambda role: {"COUNT_ALLOCATIONS": report[role]}

    def read(path):
        if not os.path.exists(path):
            raise Unmeasurable("no count was written")
        with open(path, encoding="ascii") as text:
            return int(text.read())

    return difference(counted, command, number, tool, read)


def message_sizes(contender, command):
    """Octets of the usual request and reply of a client, seen by strace: what the raw program then sends."""
    require_tool("strace")
    with tempfile.TemporaryDirectory(prefix="sizes-") as folder:
        trace = os.path.join(folder, "trace")
        wrap = lambda role: (["strace", "-f", "-o", trace, "-e", "trace=sendto,sendmsg,write,writev,recvfrom,recvmsg,read,readv"]
                             if role == "client" else [])
        with Pair(contender, wrap) as pair:
            pair.ask(command)
        sent, received = collections.Counter(), collections.Counter()
        if os.path.exists(trace):
            with open(trace, encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    # The commands and answers themselves travel over descriptors 0 and 1.
                    match = re.search(r"(sendto|sendmsg|writev?|recvfrom|recvmsg|readv?)\((\d+),.*=\s+(\d+)$", line.strip())
                    if match and int(match[2]) > 2 and int(match[3]) > 0:
                        (sent if match[1].startswith(("send", "write")) else received)[int(match[3])] += 1
    if not sent or not received:
        raise Unmeasurable("strace is not permitted here")
    return sent.most_common(1)[0][0], received.most_common(1)[0][0]
