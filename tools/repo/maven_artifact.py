#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""maven_artifact.py VERSION FOLDER JAR MACHINE=BUILD=STRIP...: org.tenon:tenon as a Maven repository of one artifact below FOLDER.

The jar is JAR, tenon.jar, and in it the native libraries of each machine: those of the build folder BUILD, without symbols that the
program STRIP takes away. With it go the sources and the POM. The same input gives the same octets.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARIES = ["libtenon.so.1", "libtenon-c.so.1", "libtenon-jni.so"]
MOMENT = (2026, 1, 1, 0, 0, 0)
POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.tenon</groupId>
  <artifactId>tenon</artifactId>
  <version>{version}</version>
  <packaging>jar</packaging>
  <name>Tenon</name>
  <description>{description} The run time for Java, with its native libraries for Linux on {machines}.</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
      <distribution>repo</distribution>
    </license>
  </licenses>
</project>
"""
METADATA = """<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>org.tenon</groupId>
  <artifactId>tenon</artifactId>
  <versioning>
    <latest>{version}</latest>
    <release>{version}</release>
    <versions>
      <version>{version}</version>
    </versions>
  </versioning>
</metadata>
"""


def add(archive, name, octets):
    entry = zipfile.ZipInfo(name, MOMENT)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, octets)


def stripped(library, strip):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "library")
        subprocess.run([strip, "--strip-unneeded", "-o", copy, os.path.realpath(library)], check=True)
        return pathlib.Path(copy).read_bytes()


def write_jar(to, jar, machines):
    with zipfile.ZipFile(jar) as classes, zipfile.ZipFile(to, "w") as archive:
        for entry in classes.infolist():
            if not entry.is_dir():
                add(archive, entry.filename, classes.read(entry))
        add(archive, "META-INF/LICENSE", (ROOT / "LICENSE").read_bytes())
        for machine, build, strip in machines:
            for name in LIBRARIES:
                add(archive, f"native/linux-{machine}/{name}", stripped(os.path.join(build, name), strip))


def write_sources(to):
    with zipfile.ZipFile(to, "w") as archive:
        for folder, inside in (("java", ""), ("java22", "META-INF/versions/22/")):
            top = ROOT / "bindings/java/src/main" / folder
            for path in sorted(top.rglob("*.java")):
                add(archive, f"{inside}{path.relative_to(top)}", path.read_bytes())
        add(archive, "META-INF/LICENSE", (ROOT / "LICENSE").read_bytes())


def with_sums(path):
    """Maven asks for these beside each file."""
    octets = path.read_bytes()
    for kind in ("md5", "sha1"):
        path.with_name(f"{path.name}.{kind}").write_text(hashlib.new(kind, octets).hexdigest(), encoding="ascii")


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    version, folder, jar = sys.argv[1:4]
    machines = [argument.split("=") for argument in sys.argv[4:]]
    artifact = pathlib.Path(folder) / "org/tenon/tenon"
    shutil.rmtree(artifact, ignore_errors=True)
    files = artifact / version
    files.mkdir(parents=True)
    description = re.search(r'DESCRIPTION "([^"]*)"', (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    (files / f"tenon-{version}.pom").write_text(
        POM.format(version=version, description=description + ".", machines=" and ".join(machine for machine, *_ in machines)), encoding="utf-8")
    write_jar(files / f"tenon-{version}.jar", jar, machines)
    write_sources(files / f"tenon-{version}-sources.jar")
    (artifact / "maven-metadata.xml").write_text(METADATA.format(version=version), encoding="utf-8")
    made = [path for path in sorted(artifact.rglob("*")) if path.is_file()]
    for path in made:
        with_sums(path)
        print(f"{path.stat().st_size:>10,}  {path}")


if __name__ == "__main__":
    main()
