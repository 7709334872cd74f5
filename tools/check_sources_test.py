#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_sources.py on small trees."""
import pathlib
import tempfile
import unittest

import check_sources

HEAD = "// SPDX-License-Identifier: Apache-2.0\n"


class CheckSources(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return list(check_sources.check(root, sorted(files)))

    def test_in_order(self):
        self.assertEqual([], self.problems({"src/a.hpp": HEAD, "dev": "#!/bin/sh\n# " + HEAD[3:],
                                            "docs/a.md": "see [b](b.md) and `src/a.hpp`, `src/`\n", "docs/b.md": ""}))

    def test_licence_line(self):
        self.assertIn("src/a.hpp:1:", self.problems({"src/a.hpp": "#pragma once\n"})[0])

    def test_marks(self):
        self.assertIn("src/a.cpp:2:", self.problems({"src/a.cpp": HEAD + "// TO" + "DO: all\n"})[0])

    def test_sleeps(self):
        sleeps = ["usleep(3000);", "::nanosleep(&time, nullptr);", "clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);",
                  "std::this_thread::sleep_for(1ms);", "std::this_thread::sleep_until (then);", "sleep(1);", "::poll(nullptr, 0, 1);",
                  "ppoll({}, 0, &time, nullptr);", "poll(\n    NULL, 0, 5);", "select(0, nullptr, NULL, 0, &time);",
                  "wait_for(-1, 0, deadline);"]
        for sleep in sleeps:
            for name in ("src/net/a.cpp", "plugins/giop/a.hpp"):
                found = self.problems({name: HEAD + "\n" + sleep + "\n"})
                self.assertEqual(1, len(found), sleep)
                self.assertIn(f"{name}:3: error: sleeps", found[0])
        self.assertIn("sleeps", self.problems({"src/a.cpp": HEAD + "usleep(1);\n"})[0])

    def test_what_is_no_sleep(self):
        waits = ["poll(&watched, 1, 5);", "::ppoll(watched.data(), watched.size(), &left, nullptr);", "changed.wait_for(lock, 1ms);",
                 "wait_for(fd, POLLIN, deadline);", "select(most, &readable, nullptr, nullptr, &left);", "oversleep(1);",
                 "// usleep(3000) once stood here", "bool asleep_ = false;"]
        self.assertEqual([], self.problems({"src/a.cpp": HEAD + "\n".join(waits) + "\n"}))

    def test_sleeps_elsewhere_and_with_a_reason(self):
        sleep = HEAD + "usleep(1);\n"
        self.assertEqual([], self.problems({name: sleep for name in ("src/a_test.cpp", "src/a_test_support.hpp", "tests/a.cpp",
                                                                     "examples/a.cpp", "bench/a.cpp")}))
        reason = HEAD + "// Sleeps because the device wants it so.\nusleep(1);\nusleep(2);\n"
        self.assertEqual(["src/a.cpp:4:"], [each[:12] for each in self.problems({"src/a.cpp": reason})])

    BODY = """int name{0}(int a) {{
  int b{0} = a;
  for (int i{0} = 0; i{0} < {0}; ++i{0}) {{
    b{0} += i{0};
    if (b{0} > {0}) break;
  }}
  while (b{0} > {0}) --b{0};
  switch (b{0}) {{
    case {0}: return a;
    default: break;
  }}
  return b{0};
}}
"""

    def test_copies(self):
        one, other = HEAD + self.BODY.format(1), HEAD + "int before;\n" + self.BODY.format(22)
        found = self.problems({"src/a.cpp": one, "idl/b.cpp": other})
        self.assertEqual(1, len(found))
        self.assertIn("idl/b.cpp:3: error: lines 3 to 15 stand again in src/a.cpp, 2 to 14", found[0])
        self.assertEqual(1, len(self.problems({"src/a.cpp": one + self.BODY.format(3)})))

    def test_copies_with_a_reason(self):
        one, other = HEAD + self.BODY.format(1), self.BODY.format(22)
        for reasoned in (HEAD + "// Twice because it is.\n" + other, HEAD + "int a;\n\n\n// Twice because it is.\n\n" + other,
                         HEAD + other.replace("  while", "  // Twice because it is.\n  while")):
            self.assertEqual([], self.problems({"src/a.cpp": one, "idl/b.cpp": reasoned}), reasoned)
        late = HEAD + other + "// Twice because it is.\n"
        far = HEAD + "int a;\n// Twice because it is.\n\n\n\n" + other
        for without in (late, far, HEAD + "int a;\n// Twice because\n" + other):
            self.assertEqual(1, len(self.problems({"src/a.cpp": one, "idl/b.cpp": without})), without)

    def test_what_is_no_copy(self):
        body = HEAD + self.BODY.format(1)
        self.assertEqual([], self.problems({"src/a.cpp": body, "src/a_test.cpp": body, "tests/a.cpp": body, "bench/a.cpp": body}))
        self.assertEqual([], self.problems({"src/a.cpp": body, "src/b.cpp": body.replace("while (b1 > 1) --b1;", "b1 = 2;")}))
        rows = HEAD + "".join(f'{{"{n}", {n}}},\n' for n in range(40))
        self.assertEqual([], self.problems({"src/a.cpp": rows, "src/b.cpp": rows}))

    def test_length(self):
        long = HEAD + "\n" * 600
        self.assertIn("601 lines", self.problems({"src/a.cpp": long, "src/a_test.cpp": long})[0])
        self.assertEqual([], self.problems({"src/a_test.cpp": long}))

    def test_documents_name_what_exists(self):
        found = self.problems({"docs/a.md": "[x](gone.md) `src/gone.hpp` [y](https://example.org/z)\n"})
        self.assertEqual(2, len(found))

    def test_pages_for_users_name_no_sources(self):
        files = {"docs/README.md": "## For users: a\n[a](a.md), [m](made.md)\n## For contributors: b\n[b](b.md)\n", "src/a.hpp": HEAD,
                 "include/tenon/a.hpp": HEAD, "docs/a.md": "`include/tenon/`, `poa/poa.hpp`\n", "docs/b.md": "`src/a.hpp`\n",
                 "docs/made.md": "Made by a script; do not edit it by hand: `src/a.hpp`\n"}
        self.assertEqual([], self.problems(files))
        files["docs/a.md"] += "`src/a.hpp`\n"
        found = self.problems(files)
        self.assertEqual(1, len(found))
        self.assertIn("docs/a.md:2: error: names src/a.hpp, which an installation lacks", found[0])

    def test_glossary_names_what_the_files_have(self):
        row = "| servant | `poa::%s` | `src/a.hpp` |\n"
        files = {"src/a.hpp": HEAD + "class Servant;\n", "docs/glossary.md": row % "Servant"}
        self.assertEqual([], self.problems(files))
        files["docs/glossary.md"] += row % "Serv"
        self.assertEqual(["docs/glossary.md:2: error: src/a.hpp has no poa::Serv"], self.problems(files))

    def test_data_is_not_source(self):
        self.assertEqual([], self.problems({"tests/fuzz/corpus/t/a.idl": "module"}))


if __name__ == "__main__":
    unittest.main()
