# SPDX-License-Identifier: Apache-2.0
"""For tests of the program tenon-call: a server of its own for each class of tests, and the ways to call that."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

INTEROP = pathlib.Path(__file__).resolve().parent.parent / "interop"


class CallTest(unittest.TestCase):
    """`reference` is that of the server's object, `folder` is there for files and goes afterwards."""
    program = ""  # tenon-call
    server_program = ""
    idl = INTEROP / "echo.idl"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="tenon-call-")
        ior = os.path.join(cls.folder, "server.ior")
        cls.server = subprocess.Popen([cls.server_program, "--ior", ior, "--idle", "120", "--giop", "1.2", "--native", "UTF-8",
                                       "--port", "0"])
        deadline = time.monotonic() + 30
        while not os.path.exists(ior):
            if cls.server.poll() is not None or time.monotonic() > deadline:
                sys.exit("the server published no reference")
            time.sleep(0.02)
        cls.reference = pathlib.Path(ior).read_text(encoding="ascii").strip()

    @classmethod
    def tearDownClass(cls):
        cls.server.send_signal(signal.SIGTERM)
        cls.server.wait(timeout=20)
        subprocess.run(["rm", "-rf", cls.folder], check=False)

    def run_plain(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, text=True, timeout=60, check=False)

    def run_it(self, *arguments, reference=None, idl=None, options=()):
        """`idl` as a name is a file of tests/interop."""
        return self.run_plain("--idl", str(INTEROP / (idl or self.idl)), *options, reference or self.reference, *arguments)

    def call(self, *arguments, status=0, **more):
        done = self.run_it(*arguments, **more)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def refused(self, *arguments, **more):
        done = self.run_it(*arguments, **more)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        return done.stderr


def main():
    """The tests of the program that calls this: TENON_CALL KIND=SERVER [OPTION OF UNITTEST]..."""
    CallTest.program = sys.argv[1]
    CallTest.server_program = sys.argv[2].split("=", 1)[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
