# SPDX-License-Identifier: Apache-2.0
"""The program tenon-idl from outside: exit codes, output files, dependency files, preprocessing.

command_line_test.py TENON_IDL
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMPILER = ""
GOOD = "module M { interface I { long f(in long x); }; };\n"


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, name, text):
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    def run_it(self, *arguments, environment=None):
        return subprocess.run([COMPILER, *arguments], cwd=self.path, capture_output=True, text=True, timeout=60,
                              check=False, env=environment)

    def files(self):
        return sorted(str(p.relative_to(self.path)) for p in self.path.rglob("*") if p.is_file())

    def stub_kinds(self, *options, idl=None):
        """Which operations of the file are compiled, by what the skeleton has a function of."""
        self.write("kinds.idl", idl or """interface I {
          long scalars(in long x);
          string texts(in string x);
          void records(in sequence_of x);
        };""".replace("interface I", "typedef sequence<string> sequence_of; interface I"))
        done = self.run_it("--out-dir", "kinds", *options, "kinds.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        skeleton = (self.path / "kinds" / "kinds_skel.hpp").read_text()
        names = ["scalars", "texts", "records"]
        return [name for name in names if f"_upcall_{name}(" in skeleton]

    def test_words_are_shown_as_words(self):
        shown = self.run_it("--help").stdout
        self.assertIn("compiled, interpreted, auto", shown)
        self.assertEqual([c for c in shown if not c.isprintable() and c != "\n"], [])
        for option in ("--stubs", "--operations", "--dump", "--color"):
            refused = self.run_it(f"{option}=foo", "a.idl")
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"{option}: 'foo' is none of: ", refused.stderr + refused.stdout)
        self.assertEqual(self.stub_kinds("--stubs=Interpreted"), [])

    def test_stubs_of_both_kinds(self):
        self.assertEqual(self.stub_kinds(), ["scalars", "texts", "records"])
        self.assertEqual(self.stub_kinds("--stubs=compiled"), ["scalars", "texts", "records"])
        self.assertEqual(self.stub_kinds("--stubs=interpreted"), [])
        self.assertEqual(self.stub_kinds("--stubs=auto"), ["scalars"])

    def test_annotations_win_and_the_nearest_one_first(self):
        idl = """@tenon::interpreted module M {
          @tenon::compiled interface I {
            void scalars(in long x);
            @tenon::interpreted void texts(in string x);
          };
          interface J { void records(in string x); };
        };"""
        for stubs in "compiled", "interpreted", "auto":
            self.assertEqual(self.stub_kinds(f"--stubs={stubs}", idl=idl), ["scalars"])

    def test_operations_with_views_are_compiled(self):
        idl = """typedef sequence<octet> Octets;
        @tenon::interpreted interface I {
          void records(in long x, @tenon::view in Octets data);
          void texts(in long x, in Octets data);
        };"""
        for stubs in "compiled", "interpreted", "auto":
            self.assertEqual(self.stub_kinds(f"--stubs={stubs}", idl=idl), ["records"])

    def test_usage_says_what_is_hot(self):
        self.write("usage", "tenon-usage 1\n# a comment\n1000 9 client texts IDL:I:1.0\n2 9 server scalars IDL:I:1.0\n"
                   "1 100000 server records IDL:of/a/program/elsewhere:1.0\n500 0 client scalars IDL:Other:1.0\ndropped 3\n")
        idl = """typedef sequence<string> sequence_of;
        interface I { long scalars(in long x); string texts(in string x); void records(in sequence_of x); };
        interface Other {};"""
        self.assertEqual(self.stub_kinds("--stubs=auto", "--usage", "usage", idl=idl), ["texts", "records"])

    def test_refuses_bad_usage_files(self):
        self.write("good.idl", GOOD)
        for text, wanted in (("", "line 1"), ("other\n", "line 1"), ("tenon-usage 2\n", "reads 'tenon-usage 1' only"),
                             ("tenon-usage 1\n1 2 client f IDL:I:1.0\n1 x client f IDL:I:1.0\n", "line 3"),
                             ("tenon-usage 1\n1 2 nobody f IDL:I:1.0\n", "line 2"),
                             ("tenon-usage 1\n1 2 client f\n", "line 2")):
            self.write("usage", text)
            done = self.run_it("--stubs=auto", "--usage", "usage", "good.idl")
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: ", done.stderr)
            self.assertIn(wanted, done.stderr)
        done = self.run_it("--stubs=auto", "--usage", "nowhere", "good.idl")
        self.assertEqual((done.returncode, "nowhere: " in done.stderr), (2, True))
        self.write("usage", "tenon-usage 1\n")
        done = self.run_it("--usage", "usage", "good.idl")
        self.assertIn("goes with --stubs=auto", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_report_of_sizes_writes_nothing(self):
        self.write("good.idl", GOOD)
        done = self.run_it("--report=size", "--stubs=interpreted", "good.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ *\d+ +\d+  interpreted  M::I::f$")
        self.assertEqual(self.files(), ["good.idl"])

    def test_report_of_sizes_has_operations_with_views(self):
        self.write("views.idl", "typedef sequence<octet> Octets; interface I { void f(@tenon::view in Octets data); };")
        done = self.run_it("--report=size", "--stubs=interpreted", "views.idl")
        self.assertRegex(done.stdout, r"(?m)^ *(\d+) +\1  compiled     I::f$")

    def test_writes_exactly_what_it_lists(self):
        self.write("good.idl", GOOD)
        for flags in ([], ["--any"], ["--ami"], ["--any", "--ami"], ["--any", "--signatures"]):
            listed = self.run_it("--list-outputs", *flags, "good.idl").stdout.split()
            out = "out" + "".join(flags)
            run = self.run_it("--out-dir", out, *flags, "good.idl")
            self.assertEqual(run.returncode, 0, run.stderr)
            written = sorted(p.name for p in (self.path / out).iterdir())
            self.assertEqual(written, sorted(listed))
        self.assertIn("good.hpp", listed)

    def test_java_writes_exactly_what_it_lists(self):
        self.write("good.idl", GOOD)
        java = ["--backend=java", "--java-package", "com.example"]
        listed = self.run_it("--list-outputs", *java, "good.idl").stdout.split()
        self.assertEqual(self.files(), ["good.idl"])
        self.assertEqual(listed, [f"com/example/M/{name}.java" for name in ("I", "IStub", "IServant")])
        run = self.run_it("--out-dir", "out", "--depfile", "good.d", *java, "good.idl")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.files(), sorted(["good.d", "good.idl", *("out/" + name for name in listed)]))
        rule = (self.path / "good.d").read_text()
        for name in listed:
            self.assertIn("out/" + name, rule)

    def test_java_wrappers_are_chosen(self):
        self.write("good.idl", "interface I { long f(in long x); };")
        for which, wrapped in (("auto", True), ("always", True), ("never", False)):
            run = self.run_it("--backend=java", "--java-wrappers", which, "--out-dir", which, "good.idl")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual("WrapperCall" in (self.path / which / "IStub.java").read_text(), wrapped)
        run = self.run_it("--backend=java", "--java-wrappers", "some", "good.idl")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--java-wrappers", run.stderr)
        self.assertIn("--java-wrappers", self.run_it("--help").stdout)

    def test_java_has_asynchronous_calls_when_told(self):
        self.write("good.idl", GOOD)
        listed = self.run_it("--backend=java", "--ami", "--list-outputs", "good.idl").stdout.split()
        self.assertEqual(listed, [f"M/{name}.java" for name in ("I", "IStub", "IAsync", "IServant")])

    def test_java_has_typecodes_when_told(self):
        self.write("any.idl", GOOD + "typedef any T;\n")
        self.assertNotIn("T.java", self.run_it("--backend=java", "--list-outputs", "any.idl").stdout.split())
        self.assertIn("T.java", self.run_it("--backend=java", "--any", "--list-outputs", "any.idl").stdout.split())
        self.assertEqual(self.run_it("--backend=java", "--any", "any.idl").returncode, 0)
        self.assertIn("TCKind.tk_any", (self.path / "T.java").read_text())

    def test_java_refuses_what_is_for_cpp(self):
        self.write("good.idl", GOOD)
        done = self.run_it("--backend=java", "--any", "--signatures", "good.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--signatures goes with --backend=cpp11", done.stderr)
        done = self.run_it("--backend=java", "--report=size", "good.idl")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no report of sizes for Java", done.stderr)
        self.write("native.idl", GOOD + "native N;\nstruct S {\n  N x;\n};\n")
        for option in ("--list-outputs", "--touch"):
            done = self.run_it("--backend=java", option, "native.idl")
            self.assertEqual(done.returncode, 1)
            self.assertIn("native.idl:2:8: error: native type 'N' has no Java form yet", done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), ["good.idl", "native.idl"])

    def test_signatures_are_in_the_any_files(self):
        self.write("good.idl", GOOD)
        self.assertEqual(self.run_it("--any", "--signatures", "good.idl").returncode, 0)
        self.assertIn("operation_signatures<::M::I>()", (self.path / "good_any.hpp").read_text())
        done = self.run_it("--signatures", "good.idl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--signatures goes with --any", done.stderr)

    def test_touches_nothing_after_an_error(self):
        self.write("bad.idl", GOOD + "typedef Nothing T;\n")
        run = self.run_it("--out-dir", "out", "--depfile", "bad.d", "bad.idl")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(self.files(), ["bad.idl"])
        self.assertIn("bad.idl:2:9: error: 'Nothing' is not declared", run.stderr)
        self.assertNotIn("\033", run.stderr)

    def test_keeps_time_stamps_of_unchanged_files(self):
        self.write("good.idl", GOOD)
        self.run_it("good.idl")
        header = self.path / "good.hpp"
        os.utime(header, (1000, 1000))
        self.run_it("good.idl")
        self.assertEqual(header.stat().st_mtime, 1000)
        self.run_it("--touch", "good.idl")
        self.assertGreater(header.stat().st_mtime, 1000)
        os.utime(header, (1000, 1000))
        self.write("good.idl", GOOD.replace("long f", "short f"))
        self.run_it("good.idl")
        self.assertGreater(header.stat().st_mtime, 1000)

    def test_names_all_inputs_in_the_dependency_file(self):
        self.write("sub dir/inner.idl", "typedef long Inner;\n")
        self.write("good.idl", '#include "sub dir/inner.idl"\n' + GOOD)
        run = self.run_it("--out-dir", "out", "--depfile", "good.d", "good.idl")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.path / "good.d").read_text()
        self.assertIn("out/good.hpp", text.split(":")[0])
        self.assertIn("good.idl", text.split(":")[1])
        self.assertIn("sub\\ dir/inner.idl", text)

    def test_passes_macros_and_include_directories_to_the_preprocessor(self):
        self.write("inc/types.idl", "typedef WIDTH Width;\n")
        self.write("main.idl", "#ifndef SKIP\n#error not defined\n#endif\n#include <types.idl>\nconst Width w = N;\n")
        run = self.run_it("--check", "-Iinc", "-DSKIP", "-D", "WIDTH=unsigned short", "-DN=0xffff", "main.idl")
        self.assertEqual(run.returncode, 0, run.stderr)
        run = self.run_it("--check", "-Iinc", "-DSKIP", "-DWIDTH=short", "-DN=0xffff", "main.idl")
        self.assertEqual(run.returncode, 1)
        self.assertIn("main.idl:5:17: error: the value 65535 is out of range for short", run.stderr)
        run = self.run_it("--check", "-DSKIP", "-USKIP", "main.idl")
        self.assertIn("main.idl:2:1: error: ", run.stderr)

    def test_reports_missing_files_and_a_missing_preprocessor(self):
        run = self.run_it("nowhere.idl")
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot read 'nowhere.idl'", run.stderr)
        self.write("main.idl", '#include "nowhere.idl"\ntypedef Far Away;\n')
        run = self.run_it("main.idl")
        self.assertEqual(run.returncode, 1)
        self.assertIn("main.idl:1:1: error: Can't open include file", run.stderr)
        self.assertNotIn("Far", run.stderr)
        run = self.run_it("--preprocessor", "no-such-program", "main.idl")
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot run the preprocessor 'no-such-program'", run.stderr)
        self.assertIn("install mcpp", run.stderr)

    def test_finds_files_beside_those_that_include_them(self):
        self.write("idl/top.idl", '#include "sub/one.idl"\ntypedef long Top;\n')
        self.write("idl/sub/one.idl", '#include "two.idl"\n#include "more/three.idl"\ntypedef Two One;\n')
        self.write("idl/sub/two.idl", "#ifndef TWO\n#define TWO\ntypedef long Two;\n#endif\n")
        self.write("idl/sub/more/three.idl", '#include "../two.idl"\ntypedef Two Three;\n')
        self.write("idl/two.idl", "#error another file of that name\n")
        (self.path / "elsewhere").mkdir()
        for folder, to in (".", "idl/"), ("idl", ""), ("elsewhere", "../idl/"), ("idl/sub", "../"):
            run = subprocess.run([COMPILER, "--out-dir", self.path / "out", "--depfile", self.path / "top.d", to + "top.idl"],
                                 cwd=self.path / folder, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            inputs = (self.path / "top.d").read_text().split(":")[1].replace("\\\n", " ").split()
            self.assertEqual(len(inputs), 4, inputs)
            for name in inputs:
                self.assertTrue((self.path / folder / name).is_file(), name)
        self.write("idl/sub/two.idl", "#ifndef TWO\n#define TWO\ntypedef Lnog Two;\n#endif\n")
        run = self.run_it("--check", "idl/top.idl")
        self.assertIn("idl/sub/two.idl:3:9: error: 'Lnog' is not declared", run.stderr)
        self.assertIn("    3 | typedef Lnog Two;\n", run.stderr)

    def test_tells_files_of_one_name_apart(self):
        self.write("a.idl", '#include "sub/a.idl"\ntypedef Inner Outer;\n')
        self.write("sub/a.idl", '#include "sub/a.idl"\ntypedef long Inner;\n')
        self.write("sub/sub/a.idl", "// nothing\ntypedef Nothing Innermost;\n")
        run = self.run_it("--check", "a.idl")
        self.assertIn("sub/sub/a.idl:2:9: error: 'Nothing' is not declared", run.stderr)
        self.assertEqual(run.stderr.count("error:"), 1, run.stderr)

    def test_reports_what_the_preprocessor_could_not_read(self):
        good = "module M { interface I {}; };\n"
        for name, text, wanted in (
                ("line", good + "// " + "x" * 65532 + "\n" + good, "line.idl:2:1: error: this line has more than 65534 octets"),
                ("text", good + 'const string s = "' + "x" * 70000 + '";\n', "text.idl:2:1: error: this line has more than"),
                ("loop", '#include "loop.idl"\n', "loop.idl:1:1: error: includes are nested more than 256 deep"),
                ("joined", "typedef long \\\n" * 70000 + "T;\n", ": error: these lines, joined by '\\', have more than"),
                ("ifs", "#if 1\n" * 300 + "#endif\n" * 300, "ifs.idl:257:1: error: More than 256 nesting of #if"),
                ("comment", good + "/* never closed\n" + good, "comment.idl:3:1: error: the file ends inside a comment"),
                ("zero", good + "typedef long\0 T;\n", "zero.idl:2:1: error: a zero octet in the source"),
                ("open", "#if 1\n" + good, "open.idl:2:1: error: End of input within #if"),
                ("deep", "module M {\n" * 100000, "deep.idl:102:1: error: nested too deeply"),
                ("deeper", "module M {" * 100000, "deeper.idl:1:1: error: this line has more than 65534 octets")):
            self.write(name + ".idl", text)
            for options in ["--check"], ["-E"], ["--out-dir", "out"]:
                if options == ["-E"] and name in ("deep", "zero"):
                    continue  # nothing is wrong before the parser sees it
                run = self.run_it(*options, name + ".idl")
                self.assertEqual(run.returncode, 1, (name, options))
                self.assertIn(wanted, run.stderr)
            self.assertFalse((self.path / "out").exists())

    def test_reads_long_comments_windows_lines_and_files_without_a_last_line_feed(self):
        self.write("fine.idl", "typedef long A;\r\n/*" + ("x" * 100 + "\r\n") * 2000 + "*/\r\n//" + "x" * 65530 + "\r\ntypedef A B;")
        run = self.run_it("--check", "-Werror", "fine.idl")
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_reports_any_word_of_the_preprocessor(self):
        self.write("main.idl", GOOD)
        for complaint, wanted in (("main.idl:1: fatal error: Something new", "main.idl:1:1: error: Something new"),
                                  ("something without a place", "error: the preprocessor says: something without a place")):
            program = self.write("preprocessor", f"#!/bin/sh\necho '{complaint}' >&2\n")
            program.chmod(0o755)
            run = self.run_it("--check", "--preprocessor", str(program), "main.idl")
            self.assertEqual(run.returncode, 1)
            self.assertIn(wanted, run.stderr)

    def test_reports_wrong_usage(self):
        self.write("good.idl", GOOD)
        for arguments in ([], ["--no-such-option", "good.idl"], ["--dump=xml", "good.idl"],
                          ["--backend=ada", "good.idl"], ["--depfile", "d", "good.idl", "good.idl"]):
            self.assertEqual(self.run_it(*arguments).returncode, 2, arguments)
        self.assertEqual(self.run_it("--help").returncode, 0)
        self.assertTrue(self.run_it("--version").stdout.startswith("tenon-idl "))

    def test_reports_output_that_cannot_be_written(self):
        self.write("good.idl", GOOD)
        self.write("file", "")
        run = self.run_it("--out-dir", "file/sub", "good.idl")
        self.assertEqual(run.returncode, 3)
        self.assertIn("file", run.stderr)

    def test_counts_warnings_as_asked(self):
        self.write("warn.idl", "@nonsense typedef long T;\n")
        self.assertEqual(self.run_it("--check", "warn.idl").returncode, 0)
        self.assertIn("unknown annotation", self.run_it("--check", "warn.idl").stderr)
        self.assertEqual(self.run_it("--check", "-w", "warn.idl").stderr, "")
        self.assertEqual(self.run_it("--check", "-Werror", "warn.idl").returncode, 1)
        self.write("anonymous.idl", "struct S { sequence<long> a; };\n")
        self.assertEqual(self.run_it("--check", "anonymous.idl").stderr, "")
        self.assertIn("anonymous", self.run_it("--check", "-Wanonymous", "anonymous.idl").stderr)

    def test_finds_the_standard_files_by_itself(self):
        self.write("user.idl", "#include <orb.idl>\nstruct S { CORBA::OctetSeq o; CORBA::TypeCode t; };\n")
        run = self.run_it("--check", "user.idl")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_prints_preprocessed_text_and_colours_on_request(self):
        self.write("main.idl", "#define N 7\nconst long a = N;\n")
        self.assertIn("constlonga=7;", "".join(self.run_it("-E", "main.idl").stdout.split()))
        self.write("bad.idl", "typedef Nothing T;\n")
        self.assertIn("\033[1;31m", self.run_it("--color=always", "bad.idl").stderr)


if __name__ == "__main__":
    COMPILER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
