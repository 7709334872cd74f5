# SPDX-License-Identifier: Apache-2.0
"""Makes the hello programs of programs.toml: generated code, objects, programs, maps. Nothing here counts octets."""
import glob
import os
import subprocess
import tempfile
import tomllib

import link_map

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# As the preset minimal has them; the programs of users would have the same.
COMPILE = ["-std=c++20", "-Os", "-DNDEBUG", "-ffunction-sections", "-fdata-sections", "-w"]
LINK = ["-Wl,--gc-sections"]


class Unmeasurable(Exception):
    """Why there is no figure."""


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        told = [line for line in lines if "error" in line or "undefined" in line] or lines or [f"exit status {done.returncode}"]
        raise Unmeasurable(f"{os.path.basename(command[0])}: {told[0]}")
    return done.stdout


def plan():
    with open(os.path.join(HERE, "programs.toml"), "rb") as file:
        return tomllib.load(file)


class Made:
    """A linked program: its file and map, and the objects that it was linked of, in order."""

    def __init__(self, path, objects):
        self.path, self.objects = path, objects
        self.map = link_map.read(path + ".map")


class Workshop:
    """A folder that programs are made in. `builds` knows the build folder of a tuple of CMake options; () is the preset's own."""

    def __init__(self, builds, tenon_idl, compiler, folder):
        self.builds, self.tenon_idl, self.compiler, self.folder = builds, tenon_idl, compiler, folder
        self.done = {}

    def archives(self, options):
        build = self.builds.folder(options)
        try:
            with open(os.path.join(build, "library_folders.txt")) as file:
                return [path for path in file.read().splitlines() if path.endswith(".a")]
        except FileNotFoundError:
            raise Unmeasurable(f"no libraries in {build}; ./dev build minimal makes them")

    def compile(self, source, flags, folder):
        out = os.path.join(folder, os.path.basename(source).removesuffix(".cpp") + ".o")
        run(self.compiler, *COMPILE, *flags, "-c", source, "-o", out)
        return out

    def generate(self, options, flags):
        """The folder of generated code and its objects, made once for each set of options."""
        key = ("idl", *options)
        if key not in self.done:
            out = tempfile.mkdtemp(prefix="idl-", dir=self.folder)
            kinds = [] if "--any" in options else ["--no-any"]
            run(self.tenon_idl, *kinds, *options, "--out-dir", out, os.path.join(HERE, "programs", "hello.idl"))
            for source in sorted(glob.glob(os.path.join(out, "*.cpp"))):
                self.compile(source, [*flags, f"-I{out}"], out)
            self.done[key] = out
        return self.done[key]

    def objects(self, program):
        """The program's own objects and those of generated code."""
        flags = [f"-I{os.path.join(ROOT, path)}" for path in ("include", "src", "")]
        generated = self.generate(tuple(program.get("idl", ())), flags) if program.get("generated") else None
        flags += [f"-D{name}" for name in program.get("defines", ())] + ([f"-I{generated}"] if generated else [])
        own = tempfile.mkdtemp(prefix="program-", dir=self.folder)
        first = self.compile(os.path.join(HERE, "programs", program["source"]), flags, own)
        return [first, *(os.path.join(generated, stem + ".o") for stem in program.get("generated", ()))]

    def make(self, program, more=(), shared=None):
        """A Made of an entry of programs.toml, linked with the folders' archives or with this shared library."""
        key = repr((sorted(program.items()), more, shared))
        if key not in self.done:
            objects = self.objects(program)
            out = os.path.join(os.path.dirname(objects[0]), program["source"].removesuffix(".cpp"))
            libraries = ([shared] if shared else
                         ["-Wl,--start-group", *self.archives(tuple(program.get("cmake", ()))), "-Wl,--end-group"])
            if not program.get("generated"):
                libraries = []
            run(self.compiler, *LINK, *more, f"-Wl,-Map={out}.map", *objects, *libraries, "-pthread", "-o", out)
            self.done[key] = Made(out, objects)
        return self.done[key]
