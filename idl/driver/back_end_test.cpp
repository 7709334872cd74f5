// SPDX-License-Identifier: Apache-2.0
//
// Programs whose types or interfaces refer to each other in very many ways go through the front end and the C++ back end, in every form of
// output, in a time that grows with their length. An exponential algorithm would not end before the test is stopped.
#include <gtest/gtest.h>

#include <string>

#include "idl/backends/backend.hpp"
#include "idl/driver/compile.hpp"
#include "idl/model/contents.hpp"
#include "idl/model/json.hpp"
#include "idl/sema/implied.hpp"

namespace tenon::idl {
namespace {

struct Said final : BackendDiagnostics {
  void error(model::Location, std::string message) override { errors.push_back(std::move(message)); }
  void warning(model::Location, std::string message) override { warnings.push_back(std::move(message)); }
  void note(model::Location, std::string) override {}
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
};

struct BackEndTest : testing::Test {
  static std::unique_ptr<model::Model> compiled(const std::string& text, bool ami) {
    SourceFiles sources(false);
    sources.set_text(sources.intern("main.idl"), text);
    Diagnostics diagnostics;
    auto program = compile_text(text, sources, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render_all(diagnostics, sources, false);
    if (ami) add_implied(*program);
    return program;
  }

  // Every form of output; the stubs of the last one.
  static std::string emit(const std::string& text, Said& said) {
    BackendOptions options;
    options.base_name = "main";
    const auto backend = make_cpp11_backend();
    std::string stubs;
    for (const Stubs kind : {Stubs::compiled, Stubs::automatic, Stubs::interpreted}) {
      options.stubs = kind;
      options.ami = kind == Stubs::interpreted;
      options.any = options.ami;
      const auto program = compiled(text, options.ami);
      model::to_json(*program);
      backend->size_report(*program, options, said);
      const auto files = backend->emit(*program, options, said);
      EXPECT_FALSE(files.empty());
      if (!files.empty()) stubs = files.front().text;
    }
    EXPECT_TRUE(said.errors.empty());
    return stubs;
  }

  // Each struct has two members of the one before.
  static std::string nested(int count, const std::string& innermost, const std::string& dimensions = "") {
    std::string text = "struct S0 { " + innermost + " };\n";
    std::string last = "S0";
    for (int i = 1; i < count; ++i) {
      const std::string name = "S" + std::to_string(i);
      text +=
          "struct " + name + " { " + last + " a" + dimensions + "; " + last + " b" + dimensions + "; };\n";
      last = name;
    }
    return text + "exception E { " + last + " a; };\ninterface I { " + last + " f(inout " + last +
           " x) raises (E); };\n";
  }
};

TEST_F(BackEndTest, EndsWithNestedStructs) {
  for (const char* innermost : {"long x;", "boolean b; char c;", "octet o; double d;", "string s;",
                                "sequence<string> s;", "any a;", "wchar c; fixed<5, 2> f; long double l;"}) {
    Said said;
    EXPECT_NE(emit(nested(64, innermost), said).find("class S63 {"), std::string::npos) << innermost;
    EXPECT_FALSE(said.warnings.empty()) << innermost;  // no message could hold one
  }
  Said said;
  emit(nested(64, "boolean b;", "[2]"), said);
  emit(nested(20, "long x;"), said);
}

TEST_F(BackEndTest, RefusesWhatCannotBeInCpp) {
  const std::string servers =
      "module PortableServer { native Servant; local interface POA {}; local interface Current {}; };"
      "module CORBA { native ValueFactory; };"
      "module DynamicAny { local interface DynAny {}; struct NameDynAnyPair { string id; DynAny value; }; };"
      "module Messaging { valuetype ExceptionHolder { void raise_exception(); }; };"
      "module PortableInterceptor { abstract valuetype ObjectReferenceFactory {}; };";
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"local interface GOA : PortableServer::POA {};",
       "interface 'GOA' inherits 'PortableServer::POA', whose class in C++ is final"},
      {"local interface C : PortableServer::Current {}; local interface D : C {};",
       "interface 'C' inherits 'PortableServer::Current', whose class in C++ is final"},
      {"interface R { void f(in PortableServer::Servant one); };", "native type 'Servant' cannot travel"},
      {"struct S { CORBA::ValueFactory x; }; interface R { attribute S value; };",
       "native type 'ValueFactory' cannot travel"},
      {"exception E { PortableServer::Servant x; };", "native type 'Servant' cannot travel"},
      {"exception E { DynamicAny::NameDynAnyPair x; };", "local interface 'DynAny' cannot travel"},
      {"valuetype Box DynamicAny::NameDynAnyPair;", "local interface 'DynAny' cannot travel"},
      {"struct S { PortableInterceptor::ObjectReferenceFactory x; }; interface R { S f(); };",
       "value type 'ObjectReferenceFactory' cannot travel"},
      {"valuetype V : PortableInterceptor::ObjectReferenceFactory { public long x; };",
       "value type 'V' inherits 'PortableInterceptor::ObjectReferenceFactory', of which only the ORB has "
       "values"},
      {"valuetype V : Messaging::ExceptionHolder { public long x; };",
       "value type 'V' inherits 'Messaging::ExceptionHolder', of which only the ORB has values"},
      {"native Mine; local interface L { void f(in Mine one); };", "native type 'Mine' has no C++ mapping"},
  };
  for (const auto& one : cases) {
    Said said;
    BackendOptions options;
    options.base_name = "main";
    make_cpp11_backend()->emit(*compiled(servers + one.text, false), options, said);
    ASSERT_EQ(said.errors.size(), 1u) << one.text;
    EXPECT_EQ(said.errors.front(), one.error);
  }
  Said said;
  emit(servers +
           "local interface L { attribute PortableServer::Servant s; CORBA::ValueFactory f(out "
           "CORBA::ValueFactory x); PortableInterceptor::ObjectReferenceFactory g(in "
           "DynamicAny::NameDynAnyPair x); };",
       said);
}

TEST_F(BackEndTest, SaysWhichClassesHaveNoEquality) {
  Said said;
  const std::string stubs = emit(
      "union U switch (long) { case 1: any a; case 2: string s; }; struct S { sequence<U> all; };"
      "union V switch (long) { case 1: long x; };",
      said);
  EXPECT_NE(stubs.find("bool operator==(const U&) const = delete;"), std::string::npos);
  EXPECT_NE(stubs.find("bool operator==(const S&) const = delete;"), std::string::npos);
  EXPECT_NE(stubs.find("bool operator==(const V&) const = default;"), std::string::npos);
}

TEST_F(BackEndTest, SaysOnceThatATypeIsTooLarge) {
  Said said;
  emit(
      "typedef octet Kilo[1024]; typedef Kilo Mega[1024]; struct Giga { Mega all[1024]; };"
      "struct Four { Giga a[3]; octet rest[1073741823]; };",
      said);
  EXPECT_TRUE(said.warnings.empty());
  emit(
      "typedef octet Kilo[1024]; typedef Kilo Mega[1024]; struct Giga { Mega all[1024]; };"
      "struct Four { Giga a[4]; }; struct Eight { Four a[2]; }; union U switch (long) { case 1: Eight e; };",
      said);
  ASSERT_FALSE(said.warnings.empty());
  for (const std::string& warning : said.warnings) {
    EXPECT_EQ(warning, "a value of 'Four' has 4294967296 octets or more; a message holds 4294967295 at most");
  }
}

TEST_F(BackEndTest, EndsWithTypesThatContainEachOtherThroughSequences) {
  std::string text;
  const int count = 20;
  for (int i = 0; i < count; ++i) text += "union U" + std::to_string(i) + ";\n";
  for (int i = 0; i < count; ++i) {
    text += "union U" + std::to_string(i) + " switch (long) {";
    for (int j = 0; j < count; ++j)
      text +=
          " case " + std::to_string(j) + ": sequence<U" + std::to_string(j) + "> m" + std::to_string(j) + ";";
    text += "};\n";
  }
  Said said;
  emit(text + "interface I { void f(in U0 x); };", said);
}

// The time does not depend on the order in which they are defined, nor on how many questions are asked about each.
TEST_F(BackEndTest, GoesThroughTheContentsOfEachTypeAFewTimes) {
  constexpr int count = 400;
  for (const bool backwards : {false, true}) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      const std::string name = "S" + std::to_string(i);
      text += "struct " + name + "; typedef sequence<" + name + "> Q" + std::to_string(i) + ";\n";
    }
    for (int i = 0; i < count; ++i) {
      const int one = backwards ? count - 1 - i : i;
      const std::string next = one + 1 < count ? "Q" + std::to_string(one + 1) + " next; " : "";
      text += "struct S" + std::to_string(one) + " { long x; " + next + "};\n";
    }
    Said said;
    const std::uint64_t before = model::contents_visited();
    emit(text + "interface I { void f(in S0 x); };", said);
    constexpr int forms = 3;
    EXPECT_LE(model::contents_visited() - before, std::uint64_t{4} * forms * count);
  }
}

TEST_F(BackEndTest, EndsWithLongChainsOfTypes) {
  std::string text;
  const int count = 300;
  for (int i = 0; i < count; ++i) text += "struct S" + std::to_string(i) + ";\n";
  for (int i = 0; i + 1 < count; ++i)
    text += "struct S" + std::to_string(i) + " { sequence<S" + std::to_string(i + 1) + "> next; };\n";
  Said said;
  emit(text + "struct S" + std::to_string(count - 1) + " { string last; }; interface I { void f(in S0 x); };",
       said);
}

TEST_F(BackEndTest, EndsWithInterfacesThatInheritMany) {
  std::string chain = "interface I0 { void f0(); };\n";
  std::string all = chain;
  std::string bases = "I0";
  for (int i = 1; i < 40; ++i) {  // 2^38 ways from the last to the first
    const std::string name = "I" + std::to_string(i);
    const std::string body =
        " { void f" + std::to_string(i) + "(); attribute long a" + std::to_string(i) + "; };\n";
    chain += "interface " + name + " : I" + std::to_string(i - 1) + body;
    all += "interface " + name + " : " + bases + body;
    bases += ", " + name;
  }
  Said said;
  emit(chain, said);
  emit(all, said);
}

}  // namespace
}  // namespace tenon::idl
