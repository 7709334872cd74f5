// SPDX-License-Identifier: Apache-2.0
//
// Facts of models, mostly of constructs that omniidl does not know (tests/idl/compare_models.py has the
// others). Long because each test has its IDL beside it.
#include "idl/driver/compile.hpp"

#include <gtest/gtest.h>

#include "idl/model/json.hpp"
#include "idl/model/query.hpp"

namespace tenon::idl {
namespace {

using namespace model;

struct CompileTest : testing::Test {
  SourceFiles sources{false};
  Diagnostics diagnostics;
  std::unique_ptr<Model> program;

  void compile(const std::string& text) {
    sources.set_text(sources.intern("main.idl"), text);
    diagnostics.max_errors = 0;
    program = compile_text(text, sources, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render_all(diagnostics, sources, false);
  }

  static const Decl* find_in(const std::vector<const Decl*>& decls, const std::string& name) {
    for (const Decl* decl : decls) {
      if (decl->scoped_name == name && decl->kind != DeclKind::Forward && decl->kind != DeclKind::Module)
        return decl;
      const std::vector<const Decl*>* inner = nullptr;
      if (const auto* m = as<Module>(decl)) inner = &m->contents;
      if (const auto* i = as<Interface>(decl)) inner = &i->contents;
      if (const auto* s = as<Struct>(decl)) inner = &s->contents;
      if (const auto* u = as<Union>(decl)) inner = &u->contents;
      if (inner == nullptr) continue;
      if (const Decl* found = find_in(*inner, name)) return found;
    }
    return nullptr;
  }
  template <class D>
  const D& get(const std::string& name) const {
    const D* found = as<D>(find_in(program->roots, name));
    if (found == nullptr) throw std::runtime_error("no such declaration: " + name);
    return *found;
  }
  std::string id(const std::string& name) const {
    const Decl* found = find_in(program->roots, name);
    return found != nullptr ? found->repository_id : "";
  }
};

TEST_F(CompileTest, KnowsIntegersOfIdl4) {
  compile(
      "struct S { int8 a; uint8 b; int16 c; uint16 d; int32 e; uint32 f; int64 g; uint64 h; };"
      "const int8 least = -128; const uint8 most = ~0;");
  const TypeKind expected[] = {TypeKind::Int8, TypeKind::UInt8, TypeKind::Short,    TypeKind::UShort,
                               TypeKind::Long, TypeKind::ULong, TypeKind::LongLong, TypeKind::ULongLong};
  const auto& s = get<Struct>("::S");
  ASSERT_EQ(s.members.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(s.members[i].type->kind, expected[i]);
  EXPECT_EQ(get<Constant>("::least").value.integer, -128);
  EXPECT_EQ(get<Constant>("::most").value.unsigned_integer, 255u);
}

TEST_F(CompileTest, ComplementsWithinTheWidthOfTheTarget) {
  compile(
      "const unsigned long a = ~0 >> 1; const long b = ~0; const unsigned short c = ~1; const octet d = "
      "~0x0f;"
      "const unsigned long long e = ~0; const long long f = -9223372036854775807 - 1;");
  EXPECT_EQ(get<Constant>("::a").value.unsigned_integer, 0x7fffffffu);
  EXPECT_EQ(get<Constant>("::b").value.integer, -1);
  EXPECT_EQ(get<Constant>("::c").value.unsigned_integer, 0xfffeu);
  EXPECT_EQ(get<Constant>("::d").value.unsigned_integer, 0xf0u);
  EXPECT_EQ(get<Constant>("::e").value.unsigned_integer, UINT64_MAX);
  EXPECT_EQ(get<Constant>("::f").value.integer, INT64_MIN);
}

TEST_F(CompileTest, RoundsFloatsToTheirType) {
  compile("const float f = 0.1; const double d = 0.1; const long double l = 0.1;");
  EXPECT_EQ(static_cast<float>(get<Constant>("::f").value.floating), 0.1f);
  EXPECT_EQ(get<Constant>("::f").value.floating, static_cast<long double>(0.1f));
  EXPECT_EQ(get<Constant>("::d").value.floating, static_cast<long double>(0.1));
  EXPECT_EQ(get<Constant>("::l").value.floating, 0.1L);
}

TEST_F(CompileTest, LaysOutBitmasksAndBitsets) {
  compile(
      "@bit_bound(8) bitmask Flags { a, @position(4) b, c };"
      "const Flags both = Flags::a | Flags::c;"
      "bitset Base { bitfield<3> x; bitfield<1> y; bitfield<4>; };"
      "bitset Derived : Base { bitfield<10, short> z; };");
  const auto& flags = get<Bitmask>("::Flags");
  EXPECT_EQ(flags.carrier, TypeKind::Octet);
  ASSERT_EQ(flags.flags.size(), 3u);
  EXPECT_EQ(flags.flags[2].position, 5);
  EXPECT_EQ(get<Constant>("::both").value.unsigned_integer, 33u);
  const auto& derived = get<Bitset>("::Derived");
  EXPECT_EQ(derived.bits, 18);
  EXPECT_EQ(derived.carrier, TypeKind::ULong);
  EXPECT_EQ(derived.fields.at(0).position, 8);
  EXPECT_EQ(get<Bitset>("::Base").fields.at(1).type->kind, TypeKind::Boolean);
  EXPECT_EQ(get<Bitset>("::Base").fields.at(2).name, "");
}

TEST_F(CompileTest, KnowsMapsAndDerivedStructs) {
  compile(
      "typedef map<string<8>, sequence<long>, 10> Table; struct A { long x; }; struct B : A { Table map; };");
  const Type& map = *get<Typedef>("::Table").type;
  EXPECT_EQ(map.kind, TypeKind::Map);
  EXPECT_EQ(map.bound, 10u);
  EXPECT_EQ(map.key->bound, 8u);
  EXPECT_EQ(map.element->kind, TypeKind::Sequence);
  EXPECT_EQ(get<Struct>("::B").base, &get<Struct>("::A"));
  EXPECT_EQ(get<Struct>("::B").members.at(0).name, "map");
}

TEST_F(CompileTest, EvaluatesAnnotations) {
  compile(
      "@annotation Limit { long most; string unit default \"m\"; };"
      "enum E { a, @value(7) b, c };"
      "struct S { @key @id(0x10) @Limit(most = 3) long x; @default(b) E choice; };"
      "interface I { @oneway void f(in long x); };");
  const auto& s = get<Struct>("::S");
  ASSERT_EQ(s.members[0].annotations.size(), 3u);
  EXPECT_TRUE(find_annotation(s.members[0].annotations, "key")->parameters.at(0).value.boolean);
  EXPECT_EQ(find_annotation(s.members[0].annotations, "id")->parameters.at(0).value.unsigned_integer, 16u);
  const Annotation& limit = s.members[0].annotations[2];
  ASSERT_NE(limit.decl, nullptr);
  ASSERT_EQ(limit.parameters.size(), 2u);
  EXPECT_EQ(limit.parameters[1].value.text, "m");
  EXPECT_EQ(find_annotation(s.members[1].annotations, "default")->parameters.at(0).value.enumerator->name,
            "b");
  const auto& e = get<Enum>("::E");
  EXPECT_EQ(e.enumerators[2]->value, 8);
  EXPECT_EQ(e.enumerators[2]->ordinal, 2u);
  EXPECT_TRUE(get<Interface>("::I").operations.at(0)->oneway);
}

TEST_F(CompileTest, FindsDefaultDiscriminators) {
  compile(
      "enum E { a, b, c };"
      "union Implicit switch (E) { case a: long x; case b: long y; };"
      "union Covered switch (boolean) { case TRUE: long x; case FALSE: long y; };"
      "union Explicit switch (octet) { case 0: case 1: long x; default: long y; };"
      "union Chars switch (wchar) { case L'a': long x; };");
  EXPECT_TRUE(get<Union>("::Implicit").implicit_default);
  EXPECT_EQ(get<Union>("::Implicit").default_discriminator.enumerator->name, "c");
  EXPECT_FALSE(get<Union>("::Covered").implicit_default);
  EXPECT_EQ(get<Union>("::Covered").default_discriminator.kind, ValueKind::None);
  const auto& u = get<Union>("::Explicit");
  EXPECT_FALSE(u.implicit_default);
  EXPECT_EQ(u.default_discriminator.unsigned_integer, 2u);
  EXPECT_EQ(u.default_case, &u.cases[1]);
  EXPECT_EQ(u.cases[0].labels.size(), 2u);
}

TEST_F(CompileTest, GivesRepositoryIdsByPragmaAndDeclaration) {
  compile(
      "#pragma prefix \"p\"\n"
      "interface A;\n"
      "module M {\n"
      "  typeprefix M \"q.org\";\n"
      "  interface B { struct S { long x; }; void f(); };\n"
      "  typedef long T;\n"
      "};\n"
      "module M { typedef long U; };\n"
      "typeid A \"RMI:a:1\";\n"
      "interface A {};\n"
      "interface C { void g(); };\n"
      "#pragma version C 4.5\n"
      "#pragma ID ::M::T \"IDL:t:9.9\"\n");
  EXPECT_EQ(id("::A"), "RMI:a:1");
  EXPECT_EQ(id("::M::B"), "IDL:q.org/M/B:1.0");
  EXPECT_EQ(id("::M::B::S"), "IDL:q.org/M/B/S:1.0");
  EXPECT_EQ(id("::M::B::f"), "IDL:q.org/M/B/f:1.0");
  EXPECT_EQ(id("::M::U"), "IDL:q.org/M/U:1.0");
  EXPECT_EQ(id("::M::T"), "IDL:t:9.9");
  EXPECT_EQ(id("::C"), "IDL:p/C:4.5");
  EXPECT_EQ(id("::C::g"), "IDL:p/C/g:1.0");
}

TEST_F(CompileTest, TakesNamesThatResembleIntegersOfIdl4) {
  compile("typedef unsigned short UInt16; typedef char INT8; struct Int64 { UInt16 Uint8; };");
  EXPECT_EQ(get<Typedef>("::UInt16").type->kind, TypeKind::UShort);
  EXPECT_EQ(get<Struct>("::Int64").members.at(0).type->decl, find_in(program->roots, "::UInt16"));
  EXPECT_EQ(diagnostics.warnings(), 4u);
}

// A prefix that the module itself sets, in one of its parts or in each, is not taken for a different prefix.
TEST_F(CompileTest, ReopensModulesUnderTheirTypePrefix) {
  compile(
      "module M { typeprefix M \"q.org\"; typedef long A; };"
      "module M { typedef long B; };"
      "module M { typeprefix M \"q.org\"; typedef long C; module N { typedef long D; }; };"
      "module M { module N { typedef long E; }; };\n"
      "#pragma prefix \"r.org\"\n"
      "module P { typedef long F; };\n"
      "#pragma prefix \"\"\n"
      "module P { typeprefix P \"r.org\"; typedef long G; };");
  EXPECT_EQ(diagnostics.warnings(), 0u) << render_all(diagnostics, sources, false);
  for (const char* name : {"A", "B", "C"})
    EXPECT_EQ(id("::M::" + std::string(name)), "IDL:q.org/M/" + std::string(name) + ":1.0");
  EXPECT_EQ(id("::M::N::D"), "IDL:q.org/M/N/D:1.0");
  EXPECT_EQ(id("::M::N::E"), "IDL:q.org/M/N/E:1.0");
  EXPECT_EQ(id("::P::F"), "IDL:r.org/P/F:1.0");
  EXPECT_EQ(id("::P::G"), "IDL:r.org/P/G:1.0");
  for (const Decl* root : program->roots)
    EXPECT_EQ(root->repository_id,
              "IDL:" + std::string(root->name == "M" ? "q" : "r") + ".org/" + root->name + ":1.0");
}

TEST_F(CompileTest, StartsIncludedFilesWithoutPrefix) {
  compile(
      "#pragma prefix \"main\"\n"
      "#line 1 \"inner.idl\"\n"
      "interface I {};\n"
      "#pragma prefix \"inner\"\n"
      "interface J {};\n"
      "#line 3 \"main.idl\"\n"
      "interface K {};\n");
  EXPECT_EQ(id("::I"), "IDL:I:1.0");
  EXPECT_EQ(id("::J"), "IDL:inner/J:1.0");
  EXPECT_EQ(id("::K"), "IDL:main/K:1.0");
  EXPECT_FALSE(find_in(program->roots, "::I")->in_main_file);
  EXPECT_TRUE(find_in(program->roots, "::K")->in_main_file);
  ASSERT_EQ(program->files.size(), 2u);
  EXPECT_TRUE(program->files[1].direct);
}

TEST_F(CompileTest, NamesIncludedFilesAsWritten) {
  const std::string main = "#include \"COS/Inner.idl\"\n# include <deep.idl>\ntypedef long T;\n";
  sources.set_text(sources.intern("main.idl"), main);
  program = compile_text(
      "#line 1 \"main.idl\"\n#line 1 \"/usr/idl/COS/Inner.idl\"\ntypedef long A;\n#line 2 \"main.idl\"\n"
      "#line 1 \"/usr/idl/deep.idl\"\ntypedef long B;\n#line 3 \"main.idl\"\ntypedef long T;\n",
      sources, diagnostics);
  ASSERT_EQ(program->files.size(), 3u);
  EXPECT_EQ(program->files[1].include_name, "COS/Inner.idl");
  EXPECT_FALSE(program->files[1].system);
  EXPECT_EQ(program->files[2].include_name, "deep.idl");
  EXPECT_TRUE(program->files[2].system);
}

TEST_F(CompileTest, LinearisesDiamonds) {
  compile(
      "interface Top { void t(); attribute long a; }; interface L : Top { void one(); };"
      "interface R : Top { void two(); }; interface Bottom : L, R { void b(); };");
  const auto& bottom = get<Interface>("::Bottom");
  ASSERT_EQ(bottom.all_bases.size(), 3u);
  EXPECT_EQ(bottom.all_bases[0]->name, "Top");
  std::string order;
  for (const Operation* one : bottom.all_operations) order += one->name;
  EXPECT_EQ(order, "tonetwob");
  EXPECT_EQ(bottom.all_attributes.size(), 1u);
}

TEST_F(CompileTest, ComputesWireLayouts) {
  compile(
      "struct Mixed { short s; char c; long l; octet o; double d; };"
      "struct Pair { octet o; long l; }; typedef Pair Pairs[3];"
      "struct Text { string s; }; typedef fixed<5, 2> Money; struct Price { octet o; Money m; };"
      "struct Node { sequence<Node> kids; long x; }; enum E { a }; struct Wide { wchar w; };"
      "union U switch (long) { case 1: double d; case 2: octet o; };");
  const auto mixed = fixed_layout(&get<Struct>("::Mixed"));
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->size_at[0], 24u);  // 2 1 (1) 4 1 (7) 8
  EXPECT_EQ(mixed->size_at[4], 20u);  // s 4-6, c 6, l 8-12, o 12, d 16-24
  EXPECT_EQ(mixed->alignment, 8u);
  const auto pairs = fixed_layout(get<Typedef>("::Pairs").type);
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->size_at[0], 24u);
  EXPECT_EQ(pairs->size_at[3], 5u + 16u);  // o at 3, l at 4; then whole periods
  EXPECT_EQ(fixed_layout(&get<Struct>("::Price"))->size_at[0], 4u);
  EXPECT_FALSE(fixed_layout(&get<Struct>("::Text")));
  EXPECT_FALSE(fixed_layout(&get<Struct>("::Node")));
  EXPECT_FALSE(fixed_layout(&get<Struct>("::Wide")));
  EXPECT_FALSE(fixed_layout(&get<Union>("::U")));
  EXPECT_TRUE(is_recursive(&get<Struct>("::Node")));
  EXPECT_FALSE(is_recursive(&get<Struct>("::Mixed")));
  Type node;
  node.kind = TypeKind::Named;
  node.decl = &get<Struct>("::Node");
  EXPECT_EQ(minimum_wire_size(&node), 8u);
  EXPECT_TRUE(is_variable_length(&node));
}

TEST_F(CompileTest, AnswersWhatTypesContain) {
  compile(
      "valuetype V { public long x; }; struct WithValue { sequence<V> values; }; struct WithAny { any a; };"
      "struct Plain { long x; }; local interface L {}; struct WithLocal { L here; };"
      "interface I { void f(in WithValue w); }; interface J { any g(in I other); };");
  const auto type_of = [&](const char* name) {
    Type* type = program->add_type(TypeKind::Named);
    type->decl = find_in(program->roots, name);
    return type;
  };
  EXPECT_TRUE(contains_value_type(type_of("::WithValue")));
  EXPECT_FALSE(contains_value_type(type_of("::Plain")));
  EXPECT_TRUE(contains_any(type_of("::WithAny")));
  EXPECT_TRUE(is_local(type_of("::WithLocal")));
  EXPECT_FALSE(is_local(type_of("::Plain")));
  EXPECT_TRUE(uses_value_type(find_in(program->roots, "::I")));
  EXPECT_FALSE(uses_value_type(find_in(program->roots, "::J")));
  EXPECT_TRUE(uses_any(find_in(program->roots, "::J")));
  const auto needed = dependencies(find_in(program->roots, "::J"));
  ASSERT_EQ(needed.size(), 1u);
  EXPECT_EQ(needed[0]->name, "I");
}

TEST_F(CompileTest, KeepsForwardDeclarationsInOrder) {
  compile(
      "module M { struct S; typedef sequence<S> Ss; interface I; struct S { Ss all; I other; }; interface I "
      "{}; };");
  const auto* module = as<Module>(program->roots.at(0));
  ASSERT_EQ(module->contents.size(), 5u);
  EXPECT_EQ(module->contents[0]->kind, DeclKind::Forward);
  EXPECT_EQ(as<Forward>(module->contents[0])->target, module->contents[3]);
  EXPECT_EQ(as<Typedef>(module->contents[1])->type->element->decl, module->contents[3]);
  EXPECT_TRUE(as<Struct>(module->contents[3])->defined);
}

TEST_F(CompileTest, CollectsDocumentationComments) {
  compile(
      "/**\n * A card.\n *\n * With lines.\n */\nstruct Card {\n  /// how many\n  long lines;\n  // not "
      "this\n"
      "  long other;\n};\n");
  EXPECT_EQ(get<Struct>("::Card").comment, "A card.\n\nWith lines.");
  EXPECT_EQ(get<Struct>("::Card").members[0].comment, "how many");
  EXPECT_EQ(get<Struct>("::Card").members[1].comment, "");
}

TEST_F(CompileTest, KnowsWhatTheOrbProvides) {
  compile(
      "module CORBA { typedef sequence<octet> OctetSeq; interface Repository {}; };"
      "module CORBA { typedef sequence<octet> OctetSeq; }; struct S { CORBA::OctetSeq o; CORBA::TypeCode t; "
      "};");
  EXPECT_TRUE(get<Typedef>("::CORBA::OctetSeq").provided_by_orb);
  EXPECT_FALSE(get<Interface>("::CORBA::Repository").provided_by_orb);
  EXPECT_EQ(get<Struct>("::S").members[1].type->kind, TypeKind::TypeCode);
}

TEST_F(CompileTest, LimitsNestingAndLength) {
  for (const std::string& text :
       {"const long x = " + std::string(5000, '(') + "1" + std::string(5000, ')') + ";",
        [] {
          std::string s;
          for (int i = 0; i < 5000; ++i) s += "module M" + std::to_string(i) + " {";
          return s;
        }(),
        [] {
          std::string s = "typedef ";
          for (int i = 0; i < 5000; ++i) s += "sequence<";
          return s + "long";
        }(),
        [] {
          std::string s = "const long x = 1";
          for (int i = 0; i < 50000; ++i) s += "+1";
          return s + ";";
        }(),
        [] {
          std::string s = "struct S0 { long x; };";
          for (int i = 1; i < 5000; ++i)
            s += "struct S" + std::to_string(i) + " { S" + std::to_string(i - 1) + " x; };";
          return s;
        }(),
        [] {
          std::string s = "typedef A";
          for (int i = 0; i < 50000; ++i) s += "::A";
          return s + " T;";
        }()}) {
    SourceFiles files(false);
    files.set_text(files.intern("deep.idl"), text);
    Diagnostics found;
    compile_text(text, files, found);
    EXPECT_TRUE(found.has_errors()) << text.substr(0, 40);
  }
}

TEST_F(CompileTest, WalksLongChainsOfForwardDeclaredTypes) {
  std::string text;
  const int count = 20000;
  for (int i = 0; i < count; ++i) text += "struct S" + std::to_string(i) + ";\n";
  for (int i = 0; i + 1 < count; ++i) {
    text += "struct S" + std::to_string(i) + " { sequence<S" + std::to_string(i + 1) + "> next; };\n";
  }
  text += "struct S" + std::to_string(count - 1) + " { any last; };\n";
  compile(text);
  EXPECT_TRUE(uses_any(find_in(program->roots, "::S0")));
  EXPECT_FALSE(uses_value_type(find_in(program->roots, "::S0")));
}

// Nothing is looked up or compared once per ancestor of an ancestor.
TEST_F(CompileTest, LimitsAncestorsAtOnce) {
  const int count = 1026;
  const auto operations = [](int i, int each) {
    std::string text = " {";
    for (int j = 0; j < each; ++j) text += " void f" + std::to_string(i) + "_" + std::to_string(j) + "();";
    return text + " };\n";
  };
  std::string chain;
  std::string all;
  std::string bases;
  for (int i = 0; i < count; ++i) {
    const std::string name = "I" + std::to_string(i);
    const std::string before = "I" + std::to_string(i - 1);
    chain += "interface " + name + (i == 0 ? "" : " : " + before) + operations(i, 10);
    all += "interface " + name + (i == 0 ? "" : " : " + bases) + operations(i, 1);
    bases += (i == 0 ? "" : ", ") + name;
  }
  for (const std::string& text : {chain, all}) {
    SourceFiles files(false);
    files.set_text(files.intern("main.idl"), text);
    Diagnostics found;
    compile_text(text, files, found);
    EXPECT_EQ(found.errors(), 1u) << render_all(found, files, false).substr(0, 2000);
    EXPECT_NE(render_all(found, files, false).find("more than 1024 ancestors"), std::string::npos);
  }
}

// The contents of types that contain each other are found together, in whatever order the questions are asked.
TEST_F(CompileTest, KnowsWhatTypesInCirclesContain) {
  const std::string circle =
      "struct A; struct B; struct C; typedef sequence<A> As; typedef sequence<B> Bs; typedef sequence<C> Cs;"
      "struct Leaf { long x; }; struct Texts { sequence<string> all; };"
      "struct A { Bs b; Leaf plain; }; struct B { Cs c; any tail; }; struct C { As a; Object end; };"
      "struct Outside { Cs c; Texts words; }; struct Base { As a; }; struct Flat { sequence<long> n; };"
      "struct Alone; typedef sequence<Alone> Alones; struct Alone { Alones more; };";
  const char* const names[] = {"::A",    "::B",     "::C",    "::Outside", "::Leaf",
                               "::Base", "::Texts", "::Flat", "::Alone"};
  for (std::size_t first = 0; first < std::size(names); ++first) {
    compile(circle);
    Type type;
    type.kind = TypeKind::Named;
    for (std::size_t i = 0; i < std::size(names); ++i) {
      const std::string name = names[(first + i) % std::size(names)];
      type.decl = &get<Struct>(name);
      const bool in_circle = name.size() == 3;
      const bool above = in_circle || name == "::Outside" || name == "::Base";
      EXPECT_EQ(is_recursive(type.decl), in_circle || name == "::Alone") << name;
      EXPECT_EQ(contains_any(&type), above) << name;
      EXPECT_EQ(contains_object(&type), above) << name;
      EXPECT_EQ(is_variable_length(&type), name != "::Leaf") << name;
      EXPECT_EQ(contains_variable_elements(&type), above || name == "::Texts" || name == "::Alone") << name;
      EXPECT_FALSE(contains_value_type(&type)) << name;
      EXPECT_FALSE(is_local(&type)) << name;
    }
  }
}

TEST_F(CompileTest, FindsInheritedNames) {
  const std::string bases =
      "interface Top { typedef long T; typedef short Only; }; interface L : Top { typedef octet T; };"
      "interface R : Top {}; interface Below : L { attribute T a; };";
  compile(bases + "interface Both : L, R { attribute Only a; };");
  EXPECT_EQ(resolve_aliases(get<Interface>("::Below").attributes.at(0)->type)->kind, TypeKind::Octet);
  EXPECT_EQ(resolve_aliases(get<Interface>("::Both").attributes.at(0)->type)->kind, TypeKind::Short);
  const std::string text = bases + "interface Both : L, R { attribute T a; };";
  SourceFiles files(false);
  files.set_text(files.intern("main.idl"), text);
  Diagnostics found;
  compile_text(text, files, found);
  EXPECT_NE(render_all(found, files, false).find("'T' is ambiguous"), std::string::npos);
}

TEST_F(CompileTest, StopsAfterTheLimitOfErrors) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "typedef Unknown" + std::to_string(i) + " T" + std::to_string(i) + ";\n";
  sources.set_text(sources.intern("main.idl"), text);
  diagnostics.max_errors = 7;
  compile_text(text, sources, diagnostics);
  EXPECT_EQ(diagnostics.errors(), 7u);
  EXPECT_TRUE(diagnostics.exhausted());
}

TEST_F(CompileTest, DumpsJson) {
  compile(
      "module M { const string text = \"q\\\"\\xff\"; struct S { long a[2]; sequence<string<3> > b; }; };");
  const std::string json = to_json(*program);
  EXPECT_NE(json.find("\"value\": \"q\\\"\\u00ff\""), std::string::npos);
  EXPECT_NE(json.find("\"repository_id\": \"IDL:M/S:1.0\""), std::string::npos);
}

TEST_F(CompileTest, TypeCodeMayBeDeclaredInEveryForm) {
  compile(
      "module CORBA { interface TypeCode; };"
      "module CORBA { typeprefix CORBA \"omg.org\"; local interface TypeCode; };"
      "module CORBA { local interface TypeCode { exception Bounds {}; boolean equal(in TypeCode tc); }; };"
      "module CORBA { interface TypeCode; interface TypeCode { string id(); }; };"
      "struct S { CORBA::TypeCode type; sequence<CORBA::TypeCode> more; };");
  const auto& s = get<Struct>("::S");
  EXPECT_EQ(s.members[0].type->kind, TypeKind::TypeCode);
  EXPECT_EQ(s.members[1].type->element->kind, TypeKind::TypeCode);
  EXPECT_TRUE(get<Interface>("::CORBA::TypeCode").provided_by_orb);
  EXPECT_EQ(diagnostics.warnings(), 0u) << render_all(diagnostics, sources, false);
}

TEST_F(CompileTest, ForwardDeclarationsOfWhatTheOrbProvidesMayDiffer) {
  compile(
      "module CORBA { local interface Policy; interface Current; typedef sequence<Policy> PolicyList; };"
      "module PortableServer { interface POA; };\n"
      "#pragma prefix \"omg.org\"\n"
      "module CORBA { interface Policy { Policy copy(); }; local interface Current {}; };"
      "module PortableServer { local interface POA; local interface POA {}; };"
      "interface User { void set(in CORBA::PolicyList list); };");
  EXPECT_FALSE(get<Interface>("::CORBA::Policy").local);
  EXPECT_TRUE(get<Interface>("::CORBA::Current").local);
  EXPECT_EQ(id("::CORBA::Policy"), "IDL:omg.org/CORBA/Policy:1.0");
  EXPECT_TRUE(get<Interface>("::PortableServer::POA").defined);
}

TEST_F(CompileTest, WhatTheOrbProvidesMayBeDefinedAgain) {
  compile(
      "module CORBA { typedef unsigned long PolicyType; interface Policy { Policy copy(); }; exception "
      "PolicyError { short reason; };"
      "  enum SetOverrideType { SET_OVERRIDE, ADD_OVERRIDE }; typedef short PolicyErrorCode; const "
      "PolicyErrorCode BAD_POLICY = 0;"
      "  native ValueFactory; abstract valuetype Pollable {}; };"
      "module CORBA { typedef unsigned long PolicyType; local interface Policy { void destroy(); }; "
      "exception PolicyError { short reason; };"
      "  enum SetOverrideType { SET_OVERRIDE, ADD_OVERRIDE }; typedef short PolicyErrorCode; const "
      "PolicyErrorCode BAD_POLICY = 0;"
      "  native ValueFactory; abstract valuetype Pollable {}; native AbstractBase; abstract interface "
      "AbstractBase {}; };"
      "local interface L { CORBA::AbstractBase get(in CORBA::SetOverrideType how) raises "
      "(CORBA::PolicyError); };");
  EXPECT_EQ(get<Interface>("::CORBA::Policy").operations.size(), 1u);
  EXPECT_EQ(get<Interface>("::CORBA::Policy").operations.front()->name, "copy");
}

TEST_F(CompileTest, StandardFilesMayRepeatWhatAnotherFileDeclares) {
  const std::string text =
      "#line 1 \"main.idl\"\nmodule CORBA {\ntypedef string Name; struct Pair { long a; };\n};\n"
      "#line 1 \"/std/tenon/x.idl\"\nmodule CORBA {\ntypedef string Name; struct Pair { long a; }; const "
      "long more = 1;\n};\n"
      "#line 5 \"main.idl\"\nstruct S { CORBA::Pair pair; };\n";
  sources.set_standard("/std");
  compile(text);
  EXPECT_EQ(program->files[0].standard, false);
  EXPECT_EQ(program->files[1].standard, true);
  EXPECT_EQ(get<Constant>("::CORBA::more").value.integer, 1);
}

TEST_F(CompileTest, AnImportOfAScopeThatIsKnownIsAccepted) {
  compile(
      "import ::CORBA; module M { struct S { long a; }; interface I {}; };"
      "import M; module N { import ::M::I; typedef M::S T; };");
  EXPECT_EQ(get<Typedef>("::N::T").type->decl, &get<Struct>("::M::S"));
}

TEST_F(CompileTest, OtherDeclarationsAreNotRepeated) {
  const std::string text = "module Mine { struct Pair { long a; }; struct Pair { long a; }; };";
  sources.set_text(sources.intern("main.idl"), text);
  program = compile_text(text, sources, diagnostics);
  EXPECT_EQ(diagnostics.errors(), 1u);
}

}  // namespace
}  // namespace tenon::idl
