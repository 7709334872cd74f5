# SPDX-License-Identifier: Apache-2.0
"""What the programs over omniORBpy share: finding it, its stubs, options, checks.

load(IDL...) comes before any import of omniORB or CORBA. `tools/repo/from_pypi omniorbpy` fetches it.
"""
import argparse
import atexit
import ctypes
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INTEROP = HERE.parent


def prefix():
    where = subprocess.run([str(INTEROP.parent.parent / "tools/repo/from_pypi"), "--where", "omniorbpy"], capture_output=True, text=True,
                           check=True).stdout.strip()
    return pathlib.Path(where) / "cmeel.prefix"


def why_not():
    """Why no program over omniORBpy can run here, in words; empty where it can."""
    packages = prefix() / "lib" / "python{}.{}".format(*sys.version_info[:2]) / "site-packages"
    if not (packages / "_omnipy.so").exists():
        return "omniORBpy for Python {}.{} is not there; ./dev setup fetches it from PyPI".format(*sys.version_info[:2])
    return ""


def load(*names):
    """Makes omniORBpy and the stubs of these files of tests/interop ready for import."""
    top = prefix()
    packages = top / "lib" / "python{}.{}".format(*sys.version_info[:2]) / "site-packages"
    # Its modules look for these by name only: loaded already, they are found.
    for library in ("libomnithread.so.4", "libomniORB4.so.3"):
        ctypes.CDLL(str(top / "lib" / library))
    stubs = tempfile.mkdtemp(prefix="omniorbpy-")
    atexit.register(shutil.rmtree, stubs, ignore_errors=True)
    subprocess.run([sys.executable, str(top / "bin" / "omniidl"), "-bpython", f"-I{top}/share/idl/omniORB", f"-C{stubs}",
                    *(str(INTEROP / name) for name in names)],
                   env={**os.environ, "PYTHONPATH": str(packages), "LD_LIBRARY_PATH": str(top / "lib")}, check=True)
    sys.path[:0] = [stubs, str(packages), str(packages / "omniORB")]


def options():
    """The common options of the programs of tests/interop; what is left over is for the ORB."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ior", required=True)
    parser.add_argument("--idle", type=int, default=120)
    parser.add_argument("--giop", default="1.2")
    parser.add_argument("--native", default="ISO-8859-1")
    parser.add_argument("--peer-native")
    parser.add_argument("--port", default="0")
    parser.add_argument("--big", type=int, default=1 << 20)
    parser.add_argument("--only", default="")
    known, rest = parser.parse_known_args()
    known.orb = ["peer", "-ORBendPoint", "giop:tcp:127.0.0.1:" + (known.port if known.port != "0" else ""), "-ORBmaxGIOPVersion",
                 known.giop, "-ORBnativeCharCodeSet", known.native, *rest]
    known.bidirectional = any("BiDirectionalGIOP" in word for word in rest)  # ORB_init takes its words away
    return known


def adapter(orb, chosen):
    """An active POA; its references may be called over connections that their holder has opened, where that was asked for."""
    from omniORB import CORBA, BiDirPolicy
    root = orb.resolve_initial_references("RootPOA")
    manager = root._get_the_POAManager()
    manager.activate()
    if not chosen.bidirectional:
        return root
    both = orb.create_policy(BiDirPolicy.BIDIRECTIONAL_POLICY_TYPE,
                             CORBA.Any(BiDirPolicy._tc_BidrectionalPolicyValue, BiDirPolicy.BOTH))
    return root.create_POA("bidirectional", manager, [both])


def reference_of(poa, servant):
    return poa.id_to_reference(poa.activate_object(servant))


def serve(make):
    """A server whose object is what make(orb, poa) gives, until SIGTERM."""
    from omniORB import CORBA
    chosen = options()
    ends = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)  # before there are other threads
    orb = CORBA.ORB_init(chosen.orb, CORBA.ORB_ID)
    poa = adapter(orb, chosen)
    text = orb.object_to_string(make(orb, poa))
    # moved, so that a reader never sees half a reference
    pathlib.Path(chosen.ior + ".partial").write_text(text + "\n", encoding="ascii")
    os.rename(chosen.ior + ".partial", chosen.ior)
    signal.sigtimedwait(ends, chosen.idle)
    orb.destroy()


class Checks:
    """Prints "ok NAME" or "FAIL NAME reason" for each check, and the totals."""

    def __init__(self, only):
        self.only, self.passed, self.failed = only, 0, 0

    def check(self, name, body):
        """`body` gives what is wrong, or nothing."""
        if self.only not in name:
            return
        try:
            wrong = body() or ""
        except Exception as error:  # whatever it is, it is what is wrong
            wrong = f"{type(error).__name__}: {error}".replace("\n", " ")
        self.passed += not wrong
        self.failed += bool(wrong)
        print(f"FAIL {name} {wrong}" if wrong else f"ok {name}", flush=True)

    def equal(self, name, body, wanted):
        def compare():
            got = body()
            return "" if alike(got, wanted) else f"got {got!r}"[:200]
        self.check(name, compare)

    def raises(self, name, wanted, body, right=lambda error: True):
        def catch():
            try:
                body()
            except wanted as error:
                return "" if right(error) else f"other members: {error!r}"
            return "no exception"
        self.check(name, catch)

    def summary(self):
        print(f"done {self.passed + self.failed} checks, {self.failed} failed", flush=True)
        return 0 if self.passed and not self.failed else 1


def alike(a, b, seen=None):
    """The same values, in values (which may be rings) at the same places."""
    from omniORB import CORBA, EnumItem
    seen = {} if seen is None else seen
    if isinstance(a, CORBA.Object) or isinstance(b, CORBA.Object):
        return isinstance(a, CORBA.Object) and isinstance(b, CORBA.Object) and a._is_equivalent(b)
    if isinstance(a, CORBA.TypeCode):
        return isinstance(b, CORBA.TypeCode) and a.equal(b)
    if isinstance(a, CORBA.Any):
        return isinstance(b, CORBA.Any) and a.typecode().equivalent(b.typecode()) and alike(a.value(), b.value(), seen)
    if isinstance(a, EnumItem):
        return a is b
    if isinstance(a, float):
        return isinstance(b, float) and (a == b or math.isnan(a) and math.isnan(b))
    if isinstance(a, (bytes, list, tuple)) and isinstance(b, (bytes, list, tuple)):
        return len(a) == len(b) and all(alike(x, y, seen) for x, y in zip(a, b))
    if not hasattr(a, "__dict__"):
        return a == b
    if id(a) in seen:
        return seen[id(a)] is b
    if type(a) is not type(b) or vars(a).keys() != vars(b).keys():
        return False
    seen[id(a)] = b
    return all(alike(value, vars(b)[name], seen) for name, value in vars(a).items())


def call(check):
    """A client that runs check(checks, orb, poa, object, options)."""
    from omniORB import CORBA
    chosen = options()
    signal.alarm(300)  # a client that hangs is a failure, not a guest
    orb = CORBA.ORB_init(chosen.orb, CORBA.ORB_ID)
    poa = adapter(orb, chosen)
    text = chosen.ior if chosen.ior.startswith(("IOR:", "corba")) else pathlib.Path(chosen.ior).read_text(encoding="ascii").strip()
    checks = Checks(chosen.only)
    check(checks, orb, poa, orb.string_to_object(text), chosen)
    status = checks.summary()
    orb.destroy()
    sys.exit(status)
