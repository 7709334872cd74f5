// SPDX-License-Identifier: Apache-2.0
//
// What is legal IDL and has no C++: said once per declaration, at the right line, with the reason; and nothing is refused that is
// only parsed because another file includes it.
#include <gtest/gtest.h>

#include "idl/backends/backend.hpp"
#include "idl/driver/compile.hpp"

namespace tenon::idl {
namespace {

/// Messages as "line kind: text", one a line.
class Said final : public BackendDiagnostics {
 public:
  void error(model::Location where, std::string message) override { add(where, "error", message); }
  void warning(model::Location where, std::string message) override { add(where, "warning", message); }
  void note(model::Location where, std::string message) override { add(where, "note", message); }
  std::string text;

 private:
  void add(model::Location where, const char* kind, const std::string& message) {
    text += std::to_string(where.line) + " " + kind + ": " + message + "\n";
  }
};

std::string said_about(const std::string& text) {
  SourceFiles sources(false);
  sources.set_text(sources.intern("main.idl"), text);
  Diagnostics diagnostics;
  const auto program = compile_text(text, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render_all(diagnostics, sources, false);
  BackendOptions options;
  options.base_name = "main";
  Said said;
  make_cpp11_backend()->emit(*program, options, said);
  return said.text;
}

const std::string value_note = " note: only its definition says how values of it travel\n";
const std::string native_note =
    " note: say at its declaration what it is in C++: @verbatim(language=\"c++\", text=\"using Handle = "
    "...;\")\n";
const std::string context_note =
    " note: the IDL to C++11 mapping has no contexts, so a stub could not send what the operation asks for, "
    "nor a servant read it\n";

TEST(Refusals, ValueTypesThatAreNeverDefined) {
  EXPECT_EQ(said_about("valuetype V;\n"
                       "struct S {\n"
                       "  sequence<V> all;\n"
                       "};\n"
                       "interface I { V take(in ValueBase fine); };\n"),
            "3 error: value type 'V' is never defined\n3" + value_note +
                "5 error: value type 'V' is never defined\n5" + value_note);
}

TEST(Refusals, Contexts) {
  EXPECT_EQ(said_about("interface I {\n"
                       "  void fine();\n"
                       "  void asks() context (\"user\", \"home*\");\n"
                       "};\n"),
            "3 error: operation 'asks' has a context clause\n3" + context_note);
}

TEST(Refusals, NativeTypes) {
  // The declaration alone needs no C++.
  EXPECT_EQ(said_about("native Handle;\n"), "");
  EXPECT_EQ(said_about("native Handle;\n"
                       "local interface I {\n"
                       "  void use(in Handle one, in Handle other);\n"
                       "};\n"),
            "3 error: native type 'Handle' has no C++ mapping\n3" + native_note);
}

TEST(Refusals, NativeTypesOfCppAreRefusedWhereTheyWouldTravel) {
  const std::string native = "@verbatim(language=\"c++\", text=\"using Handle = int;\") native Handle;\n";
  EXPECT_EQ(said_about(native + "local interface I { void use(in Handle one); };\n"
                                "valuetype V { Handle grip(); };\n"),
            "");
  EXPECT_EQ(said_about(native + "interface I { void use(in Handle one); };\n"),
            "2 error: native type 'Handle' cannot travel\n"
            "2 note: only operations of local interfaces and of value types can have it\n");
  // of another language
  EXPECT_EQ(said_about("@verbatim(language=\"java\", text=\"x\") native Handle;\n"
                       "local interface I { void use(in Handle one); };\n"),
            "2 error: native type 'Handle' has no C++ mapping\n2" + native_note);
}

TEST(Refusals, InterfacesNeverDefinedAreOnlyWarnedOf) {
  EXPECT_EQ(said_about("interface Ghost;\n"
                       "struct S { Ghost one; };\n"
                       "struct T { Ghost one; };\n"),
            "2 warning: interface 'Ghost' is never defined: its references are plain CORBA::Object\n");
}

TEST(Refusals, NothingElse) {
  EXPECT_EQ(said_about("module M { abstract interface A {}; local interface L { void f(); };\n"
                       "struct S { fixed<5,2> f; map<string, long> m; long double d; wstring w; };\n"
                       "@bit_bound(8) bitmask B { one, two };\n"
                       "exception E {}; interface I : A { oneway void go(); void stop() raises (E); }; };\n"),
            "");
}

}  // namespace
}  // namespace tenon::idl
