# SPDX-License-Identifier: Apache-2.0
"""The standard's IDL files: every name of idl/standard/names.txt can be included, alone and with all others; omniidl understands the files
as tenon-idl does; and where omniORB has a file of its own, both declare the same.

standard_files_test.py TENON_IDL NAMES_TXT STANDARD_DIR [OMNIIDL]
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import absent  # noqa: E402
from compare_models import Comparison, normal, one_id_per_module  # noqa: E402

# A name and what one finds under it; each ORB's way to write it.
EXPECTED = {
    "TimeBase.idl": "::TimeBase::UtcT", "COS/TimeBase.idl": "::TimeBase::UtcT", "tao/TimeBase.pidl": "::TimeBase::UtcT",
    "CosNaming.idl": "::CosNaming::NamingContextExt", "COS/CosNaming.idl": "::CosNaming::NamingContextExt",
    "orbsvcs/CosNaming.idl": "::CosNaming::NamingContextExt", "omg/CosNaming.idl": "::CosNaming::NamingContextExt",
    "Naming.idl": "::CosNaming::NamingContext", "orb.idl": "::CORBA::OctetSeq", "tao/OctetSeq.pidl": "::CORBA::OctetSeq",
    "IOP.idl": "::IOP::IOR", "GIOP.idl": "::GIOP::TargetAddress", "IIOP.idl": "::IIOP::ListenPoint",
    "CONV_FRAME.idl": "::CONV_FRAME::CodeSetContext", "BiDirPolicy.idl": "::BiDirPolicy::BidirectionalPolicy",
    "Messaging.idl": "::Messaging::RoutingPolicy", "tao/Messaging/Messaging.pidl": "::Messaging::ReplyHandler",
    "PortableServer.idl": "::PortableServer::POA", "poa.idl": "::PortableServer::ServantLocator",
    "PortableInterceptor.idl": "::PortableInterceptor::ORBInitInfo", "tao/PI/PI.pidl": "::PortableInterceptor::ORBInitializer",
    "Dynamic.idl": "::Dynamic::ParameterList", "DynamicAny.idl": "::DynamicAny::DynAnyFactory",
    "pollable.idl": "::CORBA::PollableSet", "ir.idl": "::CORBA::ExtLocalInterfaceDef",
    "tao/IFR_Client/IFR_Basic.pidl": "::CORBA::InterfaceDef",
    "CSI.idl": "::CSI::SASContextBody", "GSSUP.idl": "::GSSUP::InitialContextToken",
    "CSIIOP.idl": "::CSIIOP::CompoundSecMechList", "orbsvcs/CSIIOP.idl": "::CSIIOP::TLS_SEC_TRANS",
}
# Ours, omniORB's.
SAME = {"CosNaming.idl": "COS/CosNaming.idl", "TimeBase.idl": "COS/TimeBase.idl", "Pollable.idl": "pollable.idl"}
PART = {"ir.idl": "ir.idl"}  # omniORB's is of an older standard, so it declares less
# resolve_str() binds nothing; Naming Service 1.3 took AlreadyBound away.
KNOWN = {'["raises", "::CosNaming::NamingContextExt::resolve_str", "::CosNaming::NamingContext::AlreadyBound"]'}


class Options:
    def __init__(self, compiler, omniidl):
        self.compiler, self.omniidl = compiler, omniidl


def names_of(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {line.split(":")[0]: line.split(":")[1].split() for line in lines}


def includes(compiler, folder, names, *options):
    text = "".join(f"#include <{name}>\n" for name in names)
    path = pathlib.Path(folder) / "includes.idl"
    path.write_text(text)
    run = subprocess.run([compiler, "-Werror", "--color=never", *options, str(path)], capture_output=True, text=True, timeout=60,
                         check=False)
    return run.returncode, run.stdout, run.stderr


def generated(compiler, folder, name, *options):
    """The #include lines of the header that is generated for a file that includes `name`."""
    (pathlib.Path(folder) / "own.idl").write_text(f"#include <{name}>\ninterface Own {{}};\n")
    subprocess.run([compiler, *options, "-o", folder, str(pathlib.Path(folder) / "own.idl")], check=True, timeout=60, cwd=folder)
    text = (pathlib.Path(folder) / "own.hpp").read_text()
    return [line.split()[1] for line in text.splitlines() if line.startswith("#include") and "support.hpp" not in line]


def check_headers(compiler, standard, vendor, failures):
    """Which C++ header stands for which IDL file, and whose file is found."""
    with tempfile.TemporaryDirectory() as folder:
        for name, wanted in {
                "COS/CosNaming.idl": ["<tenon/standard/CosNaming.hpp>"], "Naming.idl": ["<tenon/standard/CosNaming.hpp>"],
                "tao/TimeBase.pidl": [], "GIOP.idl": ["<tenon/standard/GIOP.hpp>"], "PortableServer.idl": [],
                "tenon/CONV_FRAME.idl": ["<tenon/standard/CONV_FRAME.hpp>"]}.items():
            found = generated(compiler, folder, name)
            if found != wanted:
                failures.append(f"for {name} the generated header includes {found}")
        # From inside the folder of these files, where paths are relative.
        path = pathlib.Path(folder) / "inside.idl"
        path.write_text("#include <CosNaming.idl>\ninterface Inside {};\n")
        subprocess.run([compiler, "-o", folder, str(path)], check=True, timeout=60, cwd=standard)
        if "<tenon/standard/CosNaming.hpp>" not in (pathlib.Path(folder) / "inside.hpp").read_text():
            failures.append("run inside of its folder, the compiler does not know its own files")
        # A program's own file wins, also over one that the standard's files include.
        own = pathlib.Path(folder) / "mine"
        own.mkdir()
        (own / "CosNaming.idl").write_text("module Mine { typedef long Size; };\n")
        (own / "orb.idl").write_text("module CORBA { typedef unsigned long Flags; };\n")
        found = generated(compiler, folder, "CosNaming.idl", f"-I{own}")
        if found != ['"CosNaming.hpp"']:
            failures.append(f"with a CosNaming.idl of its own the generated header includes {found}")
        status, _, err = includes(compiler, folder, ["orb.idl", "IOP.idl"], "--check", f"-I{own}")
        if status != 0:
            failures.append(f"an orb.idl of one's own beside IOP.idl: {err}")
        path = pathlib.Path(folder) / "late.idl"
        path.write_text("#include <CosNaming.idl>\ninterface Late : CosNaming::NamingContext {};\n"
                        "interface Other { void use(in CosNaming::NamingContext one); };\n")
        run = subprocess.run([compiler, "--ami", "-o", folder, str(path)], capture_output=True, text=True, timeout=60, check=False)
        if run.returncode != 1 or run.stderr.count("error:") != 1 or "'Late' inherits 'CosNaming::NamingContext'" not in run.stderr:
            failures.append(f"asynchronous calls of an interface with a base of a standard file: {run.stderr}")
    run = subprocess.run([compiler, "--check", "-Werror", f"-I{vendor}", str(vendor / "program.idl")], capture_output=True,
                         text=True, timeout=60, check=False)
    if run.returncode != 0:
        failures.append(f"vendor/program.idl: {run.stderr}")


def main():
    compiler, names_path, standard = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    omniidl = sys.argv[4] if len(sys.argv) > 4 and sys.argv[4] != "TENON_OMNIIDL-NOTFOUND" else ""
    files = names_of(names_path)
    failures = []
    there = {one.name for one in (names_path.parent / "tenon").glob("*.idl")}
    if there != set(files):
        failures.append(f"names.txt and the files of tenon/ differ: {sorted(there ^ set(files))}")
    names = [name for more in files.values() for name in more]
    if len(names) != len(set(names)):
        failures.append("names.txt has a name twice")
    with tempfile.TemporaryDirectory() as folder:
        for one in [[name] for name in names] + [names, names[::-1]]:
            status, _, err = includes(compiler, folder, one, "--check")
            if status != 0:
                failures.append(f"{one[0] if len(one) == 1 else 'all names together'}: status {status}\n{err}")
        for name, wanted in EXPECTED.items():
            if name not in names:
                failures.append(f"{name} is not in names.txt")
            elif f'"{wanted}"' not in includes(compiler, folder, [name], "--dump=json")[1]:
                failures.append(f"{name} does not declare {wanted}")
    check_headers(str(pathlib.Path(compiler).resolve()), standard, pathlib.Path(__file__).resolve().parent / "vendor", failures)
    print(f"{len(names)} names of {len(files)} files")
    if omniidl:
        comparison = Comparison(Options(compiler, omniidl))
        for name in sorted(files):
            comparison.compare(standard / "tenon" / name, [[f"-I{standard}"]], name)
        for name, reason in comparison.refused_by_judge:
            failures.append(f"omniidl refuses {name}: {reason}")
        for name, theirs in (SAME | PART).items():
            path = pathlib.Path("/usr/share/idl/omniORB") / theirs
            if not path.exists():
                return absent.not_run(f"{path} does not exist (Debian: omniorb-idl)")
            ours = comparison.ours(standard / "tenon" / name, [f"-I{standard}"], False)
            judged, reason = comparison.judge(path, [f"-I{path.parent}"])
            left, right = set(map(normal, ours.found)), set(map(normal, one_id_per_module(judged))) - KNOWN
            left = left & right if name in PART else left
            if left != right:
                failures.append(f"{name}: only here: {sorted(left - right)}; only in omniORB's: {sorted(right - left)}")
        failures += [f"{comparison.failures} of the comparisons above failed"] if comparison.failures else []
    for one in failures:
        print(f"FAILED {one}")
    if not failures and not omniidl:
        return absent.not_run("omniidl is not installed: the files were checked, and compared with nothing")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
