#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/conformance.md out of tools/conformance/*.txt: what the standard declares, and what Tenon has of it.

  tools/conformance_page.py            writes the page
  tools/conformance_page.py --check    fails where a list, a test that it names, or the page is wrong
  tools/conformance_page.py --find     looks for a test where a list says "?", and writes its name there
  tools/conformance_page.py --cpp F    writes C++ that compiles only if the headers have what the lists call "there"

Long because all of it needs the lists as one model: the page, the checks and the C++ are three ways to print that.

A line of a list is a declaration in the columns `name | kind | declaration | state | reason or test | C++`. States:

  there     a test calls it: "Suite.Test", the name of a GoogleTest. "=" for types and constants: the compiler checks them.
  refused   it raises an exception, as the reason says; a test shows that: "Suite.Test: reason".
  absent    for a reason; "@word" stands for the line "@word = reason" of the same list.

A list whose declarations come as IDL with the library names the header of its skeletons: "@generated = HEADER". There "=" will do for
operations and attributes, too: they are made of the IDL as those of any program are, which other tests call, so what can be wrong is
the IDL, and the compiler of C++ compares stubs and skeletons with the list.

"@include = HEADER" at the beginning of a section, or of a list without sections, says what a program includes to have what follows, and
"@include HEADER = NAME NAME" what it includes for some of these, with what is inside them. --check looks into that header, and into what
it includes, for each declaration that is there; of a header of tenon/standard, into the IDL file that it is made of.

The last column is there where the mapping to C++ is not the usual one: a type, or what is called, with `o` for the object, `r` for
a reference to it and `a0`, `a1` for the arguments. C++ that calls something in the usual way is made of the declaration.
"""
import argparse
import collections
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTS = ["corba", "portable_server", "portable_interceptor", "messaging", "dynamic_any", "iop", "supporting",
         "interface_repository"]
APART = {"interface_repository"}  # counted on its own; the page says why
STATES = ("there", "refused", "absent")
CHECKED_BY_COMPILER = {"constant", "enum", "typedef", "struct", "native", "interface", "valuetype", "value box"}
LEAST = 97.0  # per cent that must be there

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# Conformance

What CORBA 3.4 declares in IDL, and what Tenon has of it. Made by `tools/conformance_page.py` from the lists in
`tools/conformance`; do not edit it by hand. The test `conformance_page` fails when something is absent without a reason, when a test
that is named here does not exist or does not name the declaration, or when this page is not what the script prints. The test
`standard_declarations` is C++ that the script makes of the lists: it compiles only if the headers have each operation, attribute
and exception with the parameters and results of the standard's IDL, each type as IDL to C++11 maps it, and each constant with its
value. "By the compiler" below means that this test is the one that checks it.

*Headers* says per section what a program includes; the first test looks for each declaration there. Headers below `tenon/gen` come with
generated headers that need them, and those below `tenon/standard` are of the library `tenon::standard`
([installing](install.md#the-standards-idl-files)).

*There*: a program can use it, and the test that is named does. The operations of the interface repository are made of IDL, as those of a
program are; where no test calls one, the compiler compares its stub and its skeleton with the standard's declaration. *Refused*: it
raises an exception, which a test shows. *Absent*: for the reason given. Where the C++ is not what the mapping makes of IDL (the
standard's pseudo objects, mostly), it is shown.
"""


class Entry:
    def __init__(self, where, columns):
        self.where = where
        self.name, self.kind, self.declaration, self.state, self.evidence = columns[:5]
        self.cpp = columns[5] if len(columns) > 5 else ""
        self.scope, _, self.last = self.name.rpartition("::")

    def line(self):
        columns = [self.name, self.kind, self.declaration, self.state, self.evidence]
        return " | ".join(columns + ([self.cpp] if self.cpp else []))


class List:
    """One file: its title, and entries and titles of sections in order."""

    def __init__(self, path):
        self.key, self.path = path.stem, path
        self.reasons = {}
        self.generated = ""  # the header of the skeletons
        self.headers = {}  # title of a section, "" for what comes before the first: {name, "" for the others: header}
        self.items = []  # (text of a line, Entry or None)
        self.title = ""
        section = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{path.name}:{number}"
            reason = re.fullmatch(r"@(\w+) = (.+)", line)
            columns = [column.strip() for column in re.split(r" \|(?: |$)", line)]
            include = re.fullmatch(r"@include ([\w/.]+) = (.+)", line) or re.fullmatch(r"@include( )= (.+)", line)
            if line.startswith("# ") and number > 1:
                self.title = line[2:]
            elif line.startswith("## "):
                section = line[3:]
            elif include and include.group(1) == " ":
                self.headers.setdefault(section, {})[""] = include.group(2)
            elif include:
                for name in include.group(2).split():
                    self.headers.setdefault(section, {})[name] = include.group(1)
            elif reason and reason.group(1) == "generated":
                self.generated = reason.group(2)
            elif reason:
                self.reasons[reason.group(1)] = reason.group(2)
            elif len(columns) in (5, 6):
                self.items.append((line, Entry(where, columns)))
                self.items[-1][1].section = section
                continue
            elif line and not line.startswith("#"):
                raise SystemExit(f"{where}: neither a declaration nor a reason: {line}")
            self.items.append((line, None))

    def entries(self):
        return [entry for _, entry in self.items if entry]

    def header(self, entry):
        """What a program includes to have it; empty: nothing says so."""
        headers = self.headers.get(entry.section, {})
        inner = [name for name in headers if name and (entry.name == name or entry.name.startswith(name + "::"))]
        return headers.get(max(inner, key=len, default=""), "")

    def reason(self, entry):
        if entry.evidence.startswith("@"):
            return self.reasons.get(entry.evidence[1:], "")
        return entry.evidence

    def write(self):
        self.path.write_text("".join((entry.line() if entry else line) + "\n" for line, entry in self.items), encoding="utf-8")


def read_lists(folder):
    return [List(folder / f"{key}.txt") for key in LISTS if (folder / f"{key}.txt").exists()]


# --- headers ---

class Headers:
    """The words of public headers, with those of all that they include."""

    def __init__(self, root):
        self.root = root
        self.known = {}

    def text(self, header, seen):
        if header in seen:
            return ""
        seen.add(header)
        made = re.fullmatch(r"tenon/standard/(\w+?)(?:_skel|_any)?\.hpp", header)
        path = self.root / f"idl/standard/tenon/{made.group(1)}.idl" if made else self.root / "include" / header
        if not path.exists() and not made:
            path = self.root / "src" / header
        if not path.exists():
            return ""
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        included = [] if made else re.findall(r'#include ["<]([\w/.]+)[">]', text)
        return text + "".join(self.text(other, seen) for other in included)

    def declare(self, header, entry):
        if header not in self.known:
            self.known[header] = set(re.findall(r"\w+", self.text(header, set())))
        known = self.known[header]
        names = [entry.last, *words_of(entry), *re.findall(r"\w+$", entry.cpp)]
        return entry.scope.rpartition("::")[2] in known and (not words_of(entry) or any(name in known for name in names))


# --- tests ---

TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+), *(\w+)\)", re.M)


class Tests:
    """The GoogleTests of a tree: name -> (path, body). What a file has beside its tests is its `rest`."""

    def __init__(self, root):
        self.bodies = collections.defaultdict(list)
        self.rest = {}
        self.texts = {}
        for folder in ("src", "plugins", "tests", "idl", "tools"):
            for path in sorted((root / folder).rglob("*.[ch]pp")):
                name = path.relative_to(root).as_posix()
                if re.search(r"_test\.cpp$|_test_support\.[ch]pp$", name) or name.startswith("tests/"):
                    self.add(name, path.read_text(encoding="utf-8", errors="replace"))

    def add(self, name, text):
        self.texts[name] = text
        rest, end = [], 0
        for match in TEST.finditer(text):
            rest.append(text[end:match.start()])
            close = text.find("\n}\n", match.end())
            end = len(text) if close < 0 else close + 3
            self.bodies[f"{match.group(1)}.{match.group(2)}"].append((name, text[match.end():end]))
        rest.append(text[end:])
        self.rest[name] = "".join(rest)

    def helpers(self, name):
        """What a test file has beside its tests, and what the test headers that it includes have."""
        text = self.rest.get(name, "")
        for included in re.findall(r'#include "([^"]+)"', text):
            for candidate in (included, f"src/{included}"):
                stem = candidate.rsplit(".", 1)[0]
                for other in (candidate, stem + ".cpp"):
                    if other != name and other in self.texts:
                        text += self.texts[other]
        return text

    def find(self, names):
        """The places of tests with that name."""
        return self.bodies.get(names, [])


def words_of(entry):
    """What a test that calls it has in its text; nothing for what has no name in C++."""
    if entry.kind == "state":
        return []
    if entry.cpp and entry.kind in ("operation", "attribute", "readonly attribute"):
        called = re.findall(r"(\w+)\(|::(\w+)>?\(", entry.cpp)
        words = [a or b for a, b in called if (a or b) not in ("static_cast", "string", "Any", "object_reference")]
        return words[-1:] if words else []
    return [("_" if entry.scope == "CORBA::Object" else "") + entry.last]


def names_it(text, entry):
    words = words_of(entry)
    return not words or any(re.search(rf"\b{re.escape(word)}\b", text) for word in words)


def calls_it(text, entry):
    words = words_of(entry)
    if entry.kind in ("operation", "attribute", "readonly attribute"):
        return any(re.search(rf"(?:->|\.|::|&){re.escape(word)}\s*\(", text) for word in words)
    return any(re.search(rf"\b{re.escape(word)}\b", text) for word in words)


def find_tests(lists, tests):
    """Replaces "?" by a test that calls it, where one is found."""
    scopes = collections.defaultdict(set)
    for each in lists:
        for entry in each.entries():
            scopes[entry.last].add(entry.scope)
    left = 0
    for each in lists:
        for entry in each.entries():
            if entry.state != "there" or entry.evidence != "?":
                continue
            if entry.kind in CHECKED_BY_COMPILER:
                entry.evidence = "="
                continue
            interface = entry.scope.rpartition("::")[2]
            module = entry.name.split("::")[0]
            best = (0, "?")
            for name, places in tests.bodies.items():
                if len(places) != 1:
                    continue
                path, body = places[0]
                if not calls_it(body, entry):
                    continue
                score = 1
                if re.search(rf"\b{interface}\b", body):
                    score += 4
                elif re.search(rf"\b{interface}\b", tests.helpers(path)):
                    score += 2
                if re.search(rf"\b{module}\b", body + tests.helpers(path)):
                    score += 2
                score += 1 / (1 + len(body))
                if score < 3 and len(scopes[entry.last]) > 1:
                    continue
                best = max(best, (score, name))
            entry.evidence = best[1]
            left += entry.evidence == "?"
    for each in lists:
        each.write()
    return left


def test_name(entry):
    """The GoogleTest that an entry names; empty: none."""
    if entry.state == "there" and entry.evidence != "=":
        return entry.evidence
    if entry.state == "refused":
        return entry.evidence.partition(": ")[0]
    return ""


def header_problems(lists, headers):
    for each in lists:
        for entry in each.entries():
            header = each.header(entry)
            if entry.state == "absent":
                continue
            if not header:
                yield f"{entry.where}: {entry.name}: no line '@include = HEADER' says what a program includes"
            elif not headers.declare(header, entry):
                yield f"{entry.where}: {entry.name}: not in <{header}>, nor in what that includes"
        names = {entry.name for entry in each.entries()}
        for section, of_section in each.headers.items():
            for name in of_section:
                if name and name not in names:
                    yield f"{each.path.name}: @include names {name}, which '{section}' does not declare"


def problems_of(lists, tests):
    seen = set()
    for each in lists:
        for entry in each.entries():
            say = f"{entry.where}: {entry.name}: "
            if entry.name in seen:
                yield say + "stands in the lists twice"
            seen.add(entry.name)
            if entry.state not in STATES:
                yield say + f"the state '{entry.state}' is none of {', '.join(STATES)}"
            elif entry.state == "absent":
                if not each.reason(entry):
                    yield say + "absent without a reason"
            elif entry.state == "there" and entry.evidence == "=":
                if entry.kind not in CHECKED_BY_COMPILER and not each.generated:
                    yield say + f"names no test; the compiler alone cannot show that a {entry.kind} works"
            else:
                if entry.state == "refused" and not entry.evidence.partition(": ")[2]:
                    yield say + "refused without saying with what"
                places = tests.find(test_name(entry))
                if not places:
                    yield say + f"there is no test {test_name(entry) or '(none is named)'}"
                elif not any(names_it(body, entry) or names_it(tests.helpers(path), entry) for path, body in places):
                    yield say + f"the test {test_name(entry)} does not name {' or '.join(words_of(entry))}"
    there, all_of_them = count(lists, lambda each: each.key not in APART)
    if all_of_them and 100 * there / all_of_them < LEAST:
        yield f"{there} of {all_of_them} declarations are there: less than {LEAST:g} %"


def count(lists, which):
    entries = [entry for each in lists if which(each) for entry in each.entries()]
    return sum(entry.state == "there" for entry in entries), len(entries)


# --- the page ---

def cell(text):
    return text.replace("|", "\\|")


def summary(lists):
    yield "| Part | Declarations | There | Refused | Absent |"
    yield "| --- | --- | --- | --- | --- |"
    for each in lists:
        states = collections.Counter(entry.state for entry in each.entries())
        link = re.sub(r"[^\w -]", "", each.title.lower()).replace(" ", "-")
        yield f"| [{each.title}](#{link}) | {sum(states.values())} | " + " | ".join(str(states[state]) for state in STATES) + " |"


def row(each, entry, tests):
    name = f"`{entry.name}`" + (f", in C++ `{cell(entry.cpp)}`" if entry.cpp else "")
    if entry.state == "absent":
        return f"| {name} | {entry.kind} | absent: {cell(each.reason(entry))} |"
    if entry.evidence == "=":
        generated = "" if entry.kind in CHECKED_BY_COMPILER else ": stub and skeleton are made of the IDL"
        return f"| {name} | {entry.kind} | there, by the compiler{generated} |"
    places = tests.find(test_name(entry))
    where = f"`{test_name(entry)}` in `{places[0][0]}`" if places else f"`{test_name(entry)}`"
    if entry.state == "refused":
        return f"| {name} | {entry.kind} | refused: {cell(entry.evidence.partition(': ')[2])}; {where} |"
    return f"| {name} | {entry.kind} | there: {where} |"


def headers_text(each, section):
    """The lines that say what a program includes for a section."""
    headers = each.headers.get(section, {})
    if not headers:
        return []
    parts = [f"Headers: `<{headers['']}>`"] if "" in headers else []
    for header in sorted({of for name, of in headers.items() if name}):
        names = ", ".join(f"`{name}`" for name, of in headers.items() if name and of == header)
        parts.append(f"`<{header}>` for {names}")
    return textwrap.wrap("; ".join(parts) + ".", 130, break_long_words=False, break_on_hyphens=False) + [""]


def page(lists, tests):
    there, counted = count(lists, lambda each: each.key not in APART)
    all_there, everything = count(lists, lambda each: True)
    out = [HEAD]
    out.append(f"**{there} of {counted} declarations are there: {100 * there / counted:.1f} %.** This leaves out the interface repository, a "
               "chapter of its own that the\nstandard makes part of the core and CORBA/e leaves out: Tenon has its stubs and skeletons, and no "
               f"server. With it, the count is\n{all_there} of {everything}: {100 * all_there / everything:.1f} %.\n")
    out += list(summary(lists)) + [""]
    absent = [(each, entry) for each in lists if each.key not in APART for entry in each.entries() if entry.state != "there"]
    out += ["## What is not there", "", "| Declared | Kind | State |", "| --- | --- | --- |"]
    out += [row(each, entry, tests) for each, entry in absent] + [""]
    for each in lists:
        out += [f"## {each.title}", ""] + headers_text(each, "")
        open_table = False
        for line, entry in each.items:
            if line.startswith("## "):
                out += ([""] if open_table else []) + [f"### {line[3:]}", ""] + headers_text(each, line[3:])
                open_table = False
            elif entry:
                if not open_table:
                    out += ["| Declared | Kind | State |", "| --- | --- | --- |"]
                    open_table = True
                out.append(row(each, entry, tests))
        out.append("")
    return "\n".join(out).rstrip("\n") + "\n"


# --- C++ ---

BASIC = {
    "void": "void", "boolean": "bool", "octet": "std::uint8_t", "char": "char", "wchar": "wchar_t", "short": "std::int16_t",
    "unsigned short": "std::uint16_t", "long": "std::int32_t", "unsigned long": "std::uint32_t", "long long": "std::int64_t",
    "unsigned long long": "std::uint64_t", "float": "float", "double": "double", "long double": "long double",
    "string": "std::string", "wstring": "std::wstring", "any": "CORBA::Any", "Object": "CORBA::object_reference<CORBA::Object>",
    "ValueBase": "CORBA::valuetype_reference<CORBA::ValueBase>", "TypeCode": "CORBA::TypeCodeRef",
    "CORBA::TypeCode": "CORBA::TypeCodeRef", "AbstractBase": "CORBA::object_reference<CORBA::AbstractBase>",
    "CORBA::AbstractBase": "CORBA::object_reference<CORBA::AbstractBase>",
}
PRELUDE = """// Made by tools/conformance_page.py: each assertion is a declaration of the standard, as the mapping writes it in C++.
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include <tenon/dynamic.hpp>
#include <tenon/gen/custom_value.hpp>
#include <tenon/gen/messaging.hpp>
#include <tenon/gen/orb_types.hpp>
#include <tenon/messaging.hpp>
#include <tenon/portable_interceptor.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/standard/IOP.hpp>
#include <tenon/standard/Messaging.hpp>
#include <tenon/standard/Pollable.hpp>
#include <tenon/standard/orb.hpp>
#include <tenon/tenon.hpp>

namespace {

/// What is not to be there; the program says which of them are.
struct Absent {
  const char* message;
  bool there;
};

template <typename G, typename R>
concept Gives = std::same_as<std::remove_cvref_t<G>, R>;

"""


ENDING = """
constexpr const Absent* absent[] = {
CHECKS    nullptr};

}  // namespace

int main() {
  int wrong = 0;
  for (const Absent* each : absent) {
    if (each == nullptr || !each->there) continue;
    std::puts(each->message);
    wrong = 1;
  }
  return wrong;
}
"""


class Unmapped(Exception):
    """A type that has no C++ here, because it is absent."""


class Cpp:
    def __init__(self, lists):
        self.absent = []  # what says that it is absent, of classes that are there
        self.entries = {entry.name: entry for each in lists for entry in each.entries()}
        self.generated = {entry.name for each in lists if each.generated for entry in each.entries()}

    def resolve(self, name, scope):
        """The entry of a type that is named in that scope (IDL's rules: inside out)."""
        while True:
            entry = self.entries.get(f"{scope}::{name}" if scope else name)
            if entry or not scope:
                return entry
            scope = scope.rpartition("::")[0]

    def type(self, idl, scope):
        if idl in BASIC:
            return BASIC[idl]
        sequence = re.fullmatch(r"sequence<(.+)>", idl)
        if sequence:
            return f"std::vector<{self.type(sequence.group(1), scope)}>"
        entry = self.resolve(idl, scope)
        if entry and entry.kind == "typedef" and entry.state == "absent":
            return self.type(entry.declaration, entry.scope)
        if entry is None or entry.state == "absent":
            raise Unmapped(idl)
        name = entry.cpp if entry.cpp and entry.kind != "struct" else entry.name
        if entry.kind in ("interface", "valuetype"):
            return f"CORBA::object_reference<{name}>"
        if entry.name == "PortableServer::Servant":
            return "CORBA::servant_reference<PortableServer::Servant>"
        return name

    def class_name(self, scope):
        entry = self.entries.get(scope)
        return entry.cpp if entry and entry.kind in ("interface", "valuetype") and entry.cpp else scope

    def test(self, scope, parameters, calls, message, there=True):
        listed = ", ".join(["S& o", "CORBA::object_reference<S>& r"] + [f"{kind} a{i}" for i, kind in parameters])
        body = " ".join(f"{call};" for call in calls)
        classes = [self.class_name(scope)]
        if scope in self.generated:
            classes.append(f"CORBA::servant_traits<{scope}>::base_type")
        has = " && ".join(f"[]<typename S>(std::type_identity<S>) {{ return requires({listed}) {{ {body} }}; }}"
                          f"(std::type_identity<{each}>{{}})" for each in classes)
        return f'static_assert({has}, "{message}");' if there else f'constexpr Absent absent_{len(self.absent)}{{"{message}", {has}}};'

    def operation(self, entry, message):
        result, parameters = re.fullmatch(r"(.+?) \((.*?)\)(?: raises \(.*\))?", entry.declaration).groups()
        arguments = []
        for i, parameter in enumerate(filter(None, parameters.split(", "))):
            direction, idl, _ = re.fullmatch(r"(in|out|inout) (.+) (\w+)", parameter).groups()
            arguments.append((i, direction, idl))
        call = entry.cpp or self.called(entry) + "(" + ", ".join(f"a{i}" for i, _, _ in arguments) + ")"
        kinds = [(i, ("const " if direction == "in" else "") + self.type(idl, entry.scope) + "&") for i, direction, idl in arguments
                 if re.search(rf"\ba{i}\b", call)]
        if entry.scope not in self.entries:  # of a module, not of an interface
            return (f'static_assert(Gives<decltype({self.free_call(call, kinds)}), {self.type(result, "CORBA")}>, "{message}");')
        calls = [call if entry.cpp else f"{{ {call} }} -> Gives<{self.type(result, entry.scope)}>"]
        if result == "void" or entry.cpp:
            calls = [call]
        return self.test(entry.scope, kinds, calls, message, entry.state != "absent")

    @staticmethod
    def free_call(call, kinds):
        for i, kind in kinds:
            call = re.sub(rf"\ba{i}\b", f"std::declval<{kind}>()", call)
        return call

    @staticmethod
    def called(entry):
        if entry.scope.count("::") == 0:
            return entry.name
        return "o." + ("_" if entry.scope == "CORBA::Object" else "") + entry.last

    def members(self, entry):
        return [re.fullmatch(r"(.+) (\w+)", part.strip()).groups()
                for part in entry.declaration.strip("{} ").split(";") if part.strip()]

    def line(self, entry):
        message = f"{entry.name}: not as {entry.where.partition(':')[0]} says"
        kind, scope = entry.kind, entry.scope
        if entry.state == "absent":
            there = self.entries.get(scope)
            if kind not in ("operation", "attribute", "readonly attribute") or not there or there.state == "absent" or entry.cpp:
                return ""
            message = f"{entry.name} is there now: say so in {entry.where.partition(':')[0]}, with its test"
        if kind == "operation":
            return self.operation(entry, message)
        if kind in ("attribute", "readonly attribute"):
            mapped = self.type(entry.declaration, scope)
            get = entry.cpp or f"{self.called(entry)}()"
            calls = [f"{{ {get} }} -> Gives<{mapped}>"]
            if kind == "attribute":
                calls.append(f"{self.called(entry)}(a0)")
            return self.test(scope, [(0, f"const {mapped}&")], calls, message, entry.state != "absent")
        name = entry.cpp or entry.name
        if kind == "constant":
            idl, value = entry.declaration.split(" = ")
            return f'static_assert(std::same_as<const {self.type(idl, scope)}, decltype({name})> && {name} == {value}, "{message}");'
        if kind == "typedef":
            return f'static_assert(std::same_as<{name}, {self.type(entry.declaration, scope)}>, "{message}");'
        if kind == "enum":
            values = [value.strip() for value in entry.declaration.strip("{} ").split(",")]
            each = " && ".join(f"static_cast<std::uint32_t>({name}::{value}) == {i}u" for i, value in enumerate(values))
            return f'static_assert({each}, "{message}");'
        if kind in ("interface", "valuetype"):
            bases = [base.strip() for base in entry.declaration.partition(":")[2].split(",")] if " : " in f" {entry.declaration}" else []
            named = [self.class_name(self.resolve(base, scope).name) for base in bases
                     if not entry.cpp and self.resolve(base, scope).state == "there"]
            each = " && ".join([f"std::derived_from<{name}, {base}>" for base in named] or [f"std::is_class_v<{name}>"])
            return f'static_assert({each}, "{message}");'
        if kind == "exception":
            base = "CORBA::SystemException" if "CompletionStatus" in entry.declaration else "CORBA::UserException"
            calls = [f"{{ o.{member}() }} -> Gives<{self.type(idl, scope)}>" for idl, member in self.members(entry)]
            call = (f"[]<typename S>(std::type_identity<S>) {{ return requires(const S& o) {{ {' '.join(c + ';' for c in calls)} }}; }}"
                    f"(std::type_identity<{name}>{{}})") if calls else "true"
            return f'static_assert(std::derived_from<{name}, {base}> && {call}, "{message}");'
        if kind == "struct":
            if entry.cpp:
                return self.struct(entry.name, [], entry.cpp.split(", "), message)
            members = [(self.type(idl, scope), member) for idl, member in self.members(entry)]
            return self.struct(name, members, [], message)
        if kind == "native":
            return f'static_assert(sizeof({name}*) != 0, "{message}");'
        return ""

    @staticmethod
    def struct(name, members, calls, message):
        calls = calls + [f"{{ o.{member}() }} -> Gives<{mapped}>; o.{member}(std::declval<{mapped}>())" for mapped, member in members]
        return (f'static_assert([]<typename S>(std::type_identity<S>) {{ return requires(S& o) {{ '
                f'{" ".join(c + ";" for c in calls)} }}; }}(std::type_identity<{name}>{{}}), "{message}");')

    def text(self, lists):
        lines = []
        for each in lists:
            for entry in each.entries():
                try:
                    line = self.line(entry)
                except Unmapped as missing:
                    if entry.state != "absent":
                        line = f'#error "{entry.name}: {missing} is absent"'
                    else:
                        line = ""
                if line:
                    lines.append(line)
                    if entry.state == "absent":
                        self.absent.append(f"absent_{len(self.absent)}")
        checks = "".join(f"    &{name},\n" for name in self.absent)
        headers = "".join(f"#include <{each.generated}>\n" for each in lists if each.generated)
        prelude = PRELUDE.replace("#include <tenon/tenon.hpp>\n", headers + "#include <tenon/tenon.hpp>\n")
        return prelude + "\n".join(lines) + ENDING.replace("CHECKS", checks)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--find", action="store_true")
    parser.add_argument("--cpp", type=pathlib.Path)
    arguments = parser.parse_args()
    lists = read_lists(arguments.root / "tools" / "conformance")
    if arguments.cpp:
        arguments.cpp.write_text(Cpp(lists).text(lists), encoding="utf-8")
        return 0
    tests = Tests(arguments.root)
    if arguments.find:
        print(f"{find_tests(lists, tests)} declarations have no test yet")
        return 0
    target = arguments.root / "docs" / "conformance.md"
    made = page(lists, tests)
    if not arguments.check:
        target.write_text(made, encoding="utf-8")
        return 0
    problems = list(problems_of(lists, tests)) + list(header_problems(lists, Headers(arguments.root)))
    if not target.exists() or target.read_text(encoding="utf-8") != made:
        problems.append("docs/conformance.md is not what tools/conformance_page.py prints: run it")
    for problem in problems:
        print(problem)
    there, counted = count(lists, lambda each: each.key not in APART)
    print(f"conformance: {there} of {counted} declarations are there, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
