// SPDX-License-Identifier: Apache-2.0
//
// What the Java back end refuses, each with its place and its name, and names that Java would not take.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "idl/backends/backend.hpp"
#include "idl/driver/compile.hpp"
#include "idl/model/constant_layout.hpp"

namespace tenon::idl {
namespace {

struct Complaints final : BackendDiagnostics {
  void error(model::Location where, std::string message) override {
    errors.push_back(std::to_string(where.line) + ": " + message);
  }
  void warning(model::Location where, std::string message) override {
    warnings.push_back(std::to_string(where.line) + ": " + message);
  }
  void note(model::Location, std::string) override {}
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
};

struct JavaBackEnd : testing::Test {
  static std::unique_ptr<model::Model> compiled(const std::string& text) {
    SourceFiles sources(false);
    sources.set_text(sources.intern("main.idl"), text);
    Diagnostics diagnostics;
    auto program = compile_text(text, sources, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render_all(diagnostics, sources, false);
    return program;
  }
  std::vector<OutputFile> emit(const std::string& text) {
    options.base_name = "main";
    return make_java_backend()->emit(*compiled(text), options, said);
  }
  // The text of a file; empty if there is none.
  static std::string file(const std::vector<OutputFile>& files, const std::string& name) {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const OutputFile& one) { return one.name == name; });
    return found == files.end() ? "" : found->text;
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  BackendOptions options;
  Complaints said;
};

TEST_F(JavaBackEnd, RefusesWhatHasNoForm) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"native N;", "1: native type 'N' has no Java form yet"},
      {"local interface L {};", "1: local interface 'L' has no Java form yet"},
      {"local interface L; struct S {\n sequence<L> x; };", "2: local interface 'L' has no Java form yet"},
      {"valuetype V; struct S {\n V x; };", "2: value type 'V' is declared, but not defined"},
      {"abstract interface A; interface I { void f(in A x); };",
       "1: abstract interface 'A' is declared, but not defined"},
      {"local interface L; valuetype V {\n private L x; };", "2: local interface 'L' has no Java form yet"},
      {"local interface L; valuetype V {\n factory f(in L x); };",
       "2: local interface 'L' has no Java form yet"},
      {"const wchar c = L'\xF0\x9F\x98\x80';", "1: a char of Java cannot be a character above U+FFFF"},
      {"struct S { long x; };\nmodule M { struct T { S x; }; };",
       "2: 'T' uses 'S', which is outside of all modules and so in no package: give it one by "
       "--java-package"},
  };
  for (const auto& one : cases) {
    said.errors.clear();
    emit(one.text);
    ASSERT_EQ(said.errors.size(), 1u) << one.text;
    EXPECT_EQ(said.errors.front(), one.error);
  }
}

TEST_F(JavaBackEnd, RefusesTooManyMembers) {
  std::string members;
  for (int i = 0; i < 255; ++i) members += "long m" + std::to_string(i) + "; ";
  emit("struct S { " + members + "};");
  ASSERT_EQ(said.errors.size(), 1u);
  EXPECT_EQ(said.errors.front(),
            "1: 'S' has 255 members; a constructor of Java takes 254 at most, of which 64-bit "
            "numbers count twice");
}

TEST_F(JavaBackEnd, PutsClassesIntoPackages) {
  options.java_package = "com.example";
  const auto files =
      emit("struct S { long x; }; module A { module class { struct T { S x; }; interface I {}; }; };");
  EXPECT_TRUE(said.errors.empty());
  std::vector<std::string> names;
  for (const OutputFile& one : files) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"com/example/S.java", "com/example/A/_class/T.java",
                                             "com/example/A/_class/I.java", "com/example/A/_class/IStub.java",
                                             "com/example/A/_class/IServant.java"}));
  EXPECT_TRUE(has(file(files, "com/example/A/_class/T.java"), "record T(com.example.S x)"));
}

TEST_F(JavaBackEnd, KeepsNamesApart) {
  const auto files = emit(
      "module M { interface Foo { void narrow(in Object o); void wait(in long org); };"
      "interface FooStub {}; interface FooServant { struct Data { long x; }; };"
      "struct Data { long x; }; struct Both { Data a; FooServant::Data b; };"
      "union Value switch (long) { case 1: long value; case 2: short _default; }; };");
  EXPECT_TRUE(said.errors.empty());
  EXPECT_TRUE(has(file(files, "M/Foo.java"), "static Foo _narrow(org.tenon.RemoteObject object)"));
  EXPECT_TRUE(has(file(files, "M/Foo.java"), "void _wait(int _org);"));
  EXPECT_TRUE(has(file(files, "M/_FooStub.java"), "public final class _FooStub extends org.tenon.Stub"));
  EXPECT_TRUE(has(file(files, "M/FooStub.java"), "public interface FooStub"));
  // The other one may be in another opening of the module, or outside of all.
  const auto more = emit(
      "module M { interface Foo {}; }; module M { interface FooStub {}; }; interface Foo {}; interface "
      "FooServant {};");
  EXPECT_FALSE(file(more, "M/_FooStub.java").empty());
  EXPECT_FALSE(file(more, "_FooServant.java").empty());
  EXPECT_TRUE(has(file(files, "M/Both.java"), "record Both(M.Data a, FooServant.Data b)"));
  EXPECT_TRUE(has(file(files, "M/Value.java"), "record _Value(int value)"));
  EXPECT_TRUE(has(file(files, "M/Value.java"), "record Default(short value)"));
  EXPECT_TRUE(has(file(files, "M/Value.java"), "record _Default(int discriminator)"));
}

TEST_F(JavaBackEnd, RefusesWhatJavasCompilerWould) {
  std::string doubles;
  std::string longs;
  std::string names;
  for (int i = 0; i < 128; ++i) {
    doubles += "double a" + std::to_string(i) + "; ";
    longs += (i == 0 ? "in long long b" : ", in long long b") + std::to_string(i);
  }
  for (int i = 0; i < 4001; ++i) names += (i == 0 ? "e" : ", e") + std::to_string(i);
  emit("struct S { " + doubles + "};\ninterface I { void f(" + longs + "); };\nenum E { " + names + " };");
  EXPECT_EQ(said.errors,
            (std::vector<std::string>{
                "1: 'S' has 128 members; a constructor of Java takes 254 at most, of which 64-bit "
                "numbers count twice",
                "2: a method of Java takes 254 parameters at most, of which 64-bit numbers count twice",
                "3: an enum of Java has 4000 values at most"}));
  for (const char* package : {"com..x", "com.class", "q/w", ".a", "a.", "9a"}) {
    said.errors.clear();
    options.java_package = package;
    emit("struct S { long x; };");
    EXPECT_EQ(said.errors,
              (std::vector<std::string>{"0: --java-package: '" + options.java_package +
                                        "' is no package of Java: names with dots between them"}));
  }
  said.errors.clear();
  options.java_package = "org.java.example_9";
  EXPECT_FALSE(emit("struct S { long x; };").empty());
  EXPECT_TRUE(said.errors.empty());
}

TEST_F(JavaBackEnd, LeavesViewsOfStructsToTheirFile) {
  const std::string after = R"(
typedef sequence<P> Ps;
# 1 "main.idl" 2
interface I { void f(@tenon::view in Ps x); };
)";
  emit("# 1 \"points.idl\" 1\nstruct P { long x; };" + after);
  EXPECT_EQ(said.errors, (std::vector<std::string>{
                             "1: 'P' has no views: write @tenon::view in front of the struct in its file"}));
  said.errors.clear();
  const auto files = emit("# 1 \"points.idl\" 1\n@tenon::view struct P { long x; };" + after);
  EXPECT_EQ(said.errors, std::vector<std::string>());
  EXPECT_EQ(file(files, "PView.java"), "");
  EXPECT_TRUE(has(file(files, "I.java"), "void f(java.util.List<? extends PView> x);"));
}

TEST_F(JavaBackEnd, MakesViewsWhereTheyAreWanted) {
  const auto files = emit(R"(
module M {
  struct Inner { short a; };
  struct Outer { Inner one; };
  struct Other { short a; };
  typedef sequence<Outer> Outers;
  interface I { @tenon::view Outers f(in Outers x); };
};
)");
  EXPECT_EQ(said.errors, std::vector<std::string>());
  EXPECT_TRUE(has(file(files, "M/Inner.java"), "implements InnerView"));
  EXPECT_TRUE(has(file(files, "M/OuterView.java"), "InnerView one();"));
  EXPECT_EQ(file(files, "M/OtherView.java"), "");
  EXPECT_TRUE(has(file(files, "M/I.java"), "java.util.List<Outer> f(java.util.List<Outer> x);"));
  EXPECT_TRUE(has(file(files, "M/I.java"), "default <_R> _R f("));
}

TEST_F(JavaBackEnd, FindsConstantLayouts) {
  const auto layout = [](const std::string& members) {
    const auto program =
        compiled("enum E { a, b }; struct Inner { long x; octet y; }; struct Whole { " + members + " };");
    return model::constant_layout(static_cast<const model::Struct&>(*program->roots.back()));
  };
  const auto tail = layout("double d; short s;");
  ASSERT_TRUE(tail);
  EXPECT_EQ(tail->size, 10u);
  EXPECT_EQ(tail->stride, 16u);
  EXPECT_EQ(tail->offsets, (std::vector<std::uint32_t>{0, 8}));
  const auto late = layout("octet o; double d;");
  ASSERT_TRUE(late);
  EXPECT_EQ(late->first, 1u);
  EXPECT_EQ(late->alignment, 8u);
  EXPECT_EQ(late->stride, 16u);
  const auto shifting = layout("short s; long l; octet o;");
  ASSERT_TRUE(shifting);
  EXPECT_EQ(shifting->stride, 0u);  // the next one would begin at 10, which is no multiple of 4
  const auto nested = layout("octet o; Inner x; E kind; fixed<5, 2> f; short n[3];");
  ASSERT_TRUE(nested);
  EXPECT_EQ(nested->offsets, (std::vector<std::uint32_t>{0, 4, 12, 16, 20}));
  EXPECT_EQ(nested->size, 26u);
  for (const char* other : {"string s;", "sequence<long> s;", "wchar c;", "long a[2][2];", "Inner a[2];"})
    EXPECT_FALSE(layout(other)) << other;
}

TEST_F(JavaBackEnd, HasNoReportOfSizes) {
  make_java_backend()->size_report(*compiled("struct S { long x; };"), options, said);
  EXPECT_EQ(said.errors.size(), 1u);
}

TEST_F(JavaBackEnd, TakesWrappersForNumbers) {
  const char* const text =
      "module M { enum E { a, b }; interface I {\n"
      " long plain(in boolean x, in double y);\n"
      " oneway void far(in E x);\n"
      " attribute unsigned short number;\n"
      " void text(in string x);\n"
      " void back(out long x);\n"
      " void letter(in char x);\n"
      " void many(in long a, in long b, in long c, in long d, in long e, in long f, in long g);\n"
      " @tenon::java_wrapper(FALSE) long late(in long x); }; };";
  options.java_wrappers = JavaWrappers::always;
  std::string stub = file(emit(text), "M/IStub.java");
  for (const char* one : {"plain(ZD)I", "far(e2;)V", "_get_number()S", "_set_number(S)V"})
    EXPECT_TRUE(has(stub, "new org.tenon.WrapperCall(\"" + std::string(one))) << one;
  for (const char* one : {"text", "back", "letter", "many", "late"})
    EXPECT_FALSE(has(stub, "_wrapper_" + std::string(one))) << one;
  EXPECT_TRUE(has(stub, "// Late demarshalling: 'x' is no number."));
  EXPECT_TRUE(has(stub, "// Late demarshalling, as the annotation says."));
  const std::string servant = file(emit(text), "M/IServant.java");
  EXPECT_TRUE(has(servant, "\"0 plain (ZD)I \\n\""));
  EXPECT_TRUE(has(servant, "private void _wrapped_far(int x)"));
  options.java_wrappers = JavaWrappers::never;
  const std::vector<OutputFile> files = emit(text);
  EXPECT_FALSE(has(file(files, "M/IStub.java"), "Wrapper"));
  EXPECT_FALSE(has(file(files, "M/IServant.java"), "Wrapper"));
}

TEST_F(JavaBackEnd, TakesWrappersWhereAnnotationsWantThem) {
  options.java_wrappers = JavaWrappers::never;
  const std::string stub = file(emit("@tenon::java_wrapper interface I {\n"
                                     " long plain(in long x);\n"
                                     " @tenon::java_wrapper(FALSE) long late(in long x);\n"
                                     " string text(); };"),
                                "IStub.java");
  EXPECT_TRUE(has(stub, "_wrapper_plain"));
  EXPECT_FALSE(has(stub, "_wrapper_late"));
  EXPECT_TRUE(said.warnings.empty());  // of an interface it is for the operations that can
  emit("interface I {\n @tenon::java_wrapper(TRUE) string text(); };");
  ASSERT_EQ(said.warnings.size(), 1u);
  EXPECT_EQ(said.warnings.front(), "2: 'text' can have no wrapper: its result is no number");
}

}  // namespace
}  // namespace tenon::idl
