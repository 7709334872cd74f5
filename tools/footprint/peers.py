# SPDX-License-Identifier: Apache-2.0
"""Hello programs of other ORBs and of gRPC, from Debian's packages, measured as ours are: linked statically with the same options
for what is compiled here, octets of what is neither the program nor the C and C++ library, and stripped files less one without an
ORB.

Debian compiles its packages with -O2 and without a section for each function. So a second build of ours stands beside them that is
made in the same way. A peer that is not installed is named with the reason; where CI is true that is a failure.
"""
import collections
import os
import re
import shutil
import tempfile

import files
import link_map
import more
from workshop import COMPILE, HERE, LINK, Unmeasurable, run

SOURCES = os.path.join(HERE, "peers")
IDL = os.path.join(HERE, "programs", "hello.idl")
SYSTEM = re.compile(r"/lib(?:c|c_nonshared|stdc\+\+|supc\+\+|gcc|gcc_eh|m|mvec|pthread|dl|rt|resolv|nsl|util|anl)(?:-[\d.]+)?\.a$")
# Options of CMake that make of our sources what Debian would make of them.
AS_DEBIAN = ("CMAKE_BUILD_TYPE=Release", "CMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "TENON_TYPES=ON", "TENON_UIOP=ON")


def need(*programs):
    for name in programs:
        if shutil.which(name) is None:
            raise Unmeasurable(f"{name} is not installed")


def omniorb(out):
    need("omniidl")
    run("omniidl", "-bcxx", "-Wbuse_quotes", f"-C{out}", IDL)
    return ["helloSK.cc"], [], ["-lomniORB4", "-lomnithread"]


def ice(out):
    need("slice2cpp")
    run("slice2cpp", "--output-dir", out, os.path.join(SOURCES, "hello.ice"))
    return ["hello.cpp"], ["-DICE_CPP11_MAPPING"], ["-lIce++11", "-lbz2", "-ldl"]


def grpc(out):
    need("protoc", "grpc_cpp_plugin", "pkg-config")
    run("protoc", f"--cpp_out={out}", f"--grpc_out={out}", f"--plugin=protoc-gen-grpc={shutil.which('grpc_cpp_plugin')}", "-I",
        SOURCES, os.path.join(SOURCES, "hello.proto"))
    libraries = run("pkg-config", "--static", "--libs", "grpc++_unsecure", "protobuf").split()
    return (["hello.pb.cc", "hello.grpc.pb.cc"], [],
            [*libraries, "-lupb", "-laddress_sorting", "-lcares", "-lre2"])


# Title, package, what generates code, options of the server.
PEERS = {"omniorb": ("omniORB", "libomniorb4-dev", omniorb, ["-ORBendPoint", "giop:tcp:127.0.0.1:"]),
         "ice": ("Ice, C++11 mapping", "libzeroc-ice-dev", ice, []), "grpc": ("gRPC, unsecured", "libgrpc++-dev", grpc, [])}


def brought(made_map):
    """Octets of what comes from libraries that are neither C's nor C++'s."""
    return sum(s.size for s in made_map.sections if s.kind in link_map.COUNTED and s.archive and not SYSTEM.search(s.archive))


def measure_one(name, compiler, folder):
    """{role: {"octets", "file"}} of a peer."""
    _, package, generate, options = PEERS[name]
    out = tempfile.mkdtemp(prefix=f"{name}-", dir=folder)
    generated, flags, libraries = generate(out)
    flags = [*COMPILE, "-std=c++17", *flags, f"-I{out}"]
    for source in generated:
        run(compiler, *flags, "-c", os.path.join(out, source), "-o", os.path.join(out, source + ".o"))
    found = {}
    for role in ("client", "server"):
        program, source = os.path.join(out, role), os.path.join(SOURCES, f"{name}_{role}.cpp")
        run(compiler, *flags, "-c", source, "-o", program + ".o")
        run(compiler, *LINK, "-static", f"-Wl,-Map={program}.map", program + ".o",
            *(os.path.join(out, text + ".o") for text in generated),
            "-Wl,--start-group", *libraries, "-Wl,--end-group", "-pthread", "-o", program)
        found[role] = {"octets": brought(link_map.read(program + ".map")), "file": files.stripped_octets(program)}
    more.try_call(os.path.join(out, "server"), os.path.join(out, "client"), *options)
    return found, run("dpkg-query", "-W", "-f", "${Version}", package).strip() if shutil.which("dpkg-query") else ""


def ours(shop, programs, options):
    found = collections.defaultdict(dict)
    for role in ("client", "server"):
        made = shop.make({**programs[role], "cmake": options} if options else programs[role], ("-static",))
        found[role] = {"octets": brought(made.map), "file": files.stripped_octets(made.path)}
    return found


def measure(shop, programs):
    """{name: {"title", "version", "client", "server"} or {"title", "reason"}}"""
    found = {"tenon": {"title": "Tenon, preset minimal", **ours(shop, programs, ())}}
    for name, title, attempt in (("tenon_debian", "Tenon, all of it at -O2", lambda: (ours(shop, programs, AS_DEBIAN), "")),
                                 *((name, title, lambda name=name: measure_one(name, shop.compiler, shop.folder))
                                   for name, (title, *_) in PEERS.items())):
        try:
            sizes, version = attempt()
            found[name] = {"title": title, "version": version, **sizes}
        except Unmeasurable as reason:
            found[name] = {"title": title, "reason": str(reason)}
    return found
