// SPDX-License-Identifier: Apache-2.0
//
// The tables that find operations by perfect hash: as tenon-idl emits them, for numbers of operations from one to 300, and as compiled
// skeletons use them, called with every operation that an interface has or inherits and with many that it has not.
// No ORB, no network.
#include <gtest/gtest.h>

#include <charconv>
#include <map>
#include <set>

#include "base/minor_codes.hpp"
#include "base/operation_hash.hpp"
#include "idl/backends/backend.hpp"
#include "idl/driver/compile.hpp"
#include "poa/poa_test_support.hpp"
#include "wide_skel.hpp"

namespace {

using tenon::poa::test::FakeCall;
using Names = std::vector<std::string>;

// --- as emitted ---

struct Silent final : tenon::idl::BackendDiagnostics {
  void error(tenon::idl::model::Location, std::string message) override { ADD_FAILURE() << message; }
  void warning(tenon::idl::model::Location, std::string message) override { ADD_FAILURE() << message; }
  void note(tenon::idl::model::Location, std::string) override {}
};

std::string skeleton_of(const std::string& text) {
  tenon::idl::SourceFiles sources(false);
  sources.set_text(sources.intern("table.idl"), text);
  tenon::idl::Diagnostics diagnostics;
  const auto program = tenon::idl::compile_text(text, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render_all(diagnostics, sources, false);
  Silent silent;
  tenon::idl::BackendOptions options;
  options.base_name = "table";
  for (const auto& file : tenon::idl::make_cpp11_backend()->emit(*program, options, silent)) {
    if (file.name == "table_skel.cpp") return file.text;
  }
  ADD_FAILURE() << "no skeleton";
  return {};
}

/// The parts of `gen::OperationTable<S, entries, slots> operations{seed, {slots}, {{"name", ...}...}};` in the text.
struct Table {
  std::size_t entries = 0;
  std::uint32_t seed = 0;
  std::vector<std::size_t> slots;
  Names names;

  explicit Table(std::string_view text) {
    text.remove_prefix(text.find("gen::OperationTable<"));
    text.remove_prefix(text.find(',') + 1);
    entries = number(text);
    const std::size_t size = number(text);
    seed = static_cast<std::uint32_t>(number(text));
    while (slots.size() < size) slots.push_back(number(text));
    text = text.substr(0, text.find("gen::dispatch("));
    for (std::size_t at = text.find("{\""); at != text.npos; at = text.find("{\"", at + 1)) {
      const std::size_t end = text.find('"', at + 2);
      names.emplace_back(text.substr(at + 2, end - at - 2));
    }
  }
  /// As gen::OperationTable::find does.
  std::size_t find(std::string_view name) const {
    return slots[tenon::operation_hash(name, seed) & (slots.size() - 1)];
  }

 private:
  static std::size_t number(std::string_view& text) {
    text.remove_prefix(text.find_first_of("0123456789"));
    std::size_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  }
};

void check(const Table& table, const Names& expected) {
  ASSERT_EQ(table.names, expected);
  ASSERT_EQ(table.entries, expected.size());
  ASSERT_GE(table.slots.size(), table.entries);
  ASSERT_EQ(table.slots.size() & (table.slots.size() - 1), 0u);
  std::size_t used = 0;
  for (const std::size_t slot : table.slots) used += slot != 0;
  EXPECT_EQ(used, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(table.find(expected[i]), i + 1) << expected[i] << " of " << expected.size();
  }
}

TEST(Tables, OfManySizesUpTo300) {
  // Numbered names differ in their last octets only, the others in the middle and in length.
  constexpr const char* stems[] = {"operation_", "a", "measure_the_temperature_of_tank_"};
  // All that are usual, then some on each side of where a table doubles.
  for (int count = 1; count <= 300; count += count < 70 ? 1 : 11) {
    std::string text = "interface Table {\n";
    Names names;
    for (int i = 0; i < count; ++i) {
      names.push_back(stems[(i + count) % 3] + std::to_string(i) + (i % 5 == 0 ? "_x" : ""));
      text += "void " + names.back() + "();\n";
    }
    check(Table(skeleton_of(text + "};\n")), names);
    if (HasFatalFailure()) return;
  }
}

TEST(Tables, WithAttributesAndInheritedOperations) {
  const std::string text = skeleton_of(
      "interface A { attribute long x; void do_a(); };\n"
      "interface B : A { readonly attribute long y; void do_b(); };\n"
      "interface C : A { void do_c(); };\n"
      "interface D : B, C { void do_d(); };\n"
      "interface None {};\n");
  // each interface has a table of its own operations and asks its bases for theirs
  const auto dispatch_of = [&](const char* skeleton) {
    const std::string from =
        text.substr(text.find(std::string(skeleton) + "::_dispatch(void* self, gen::Upcall& call, "));
    return from.substr(0, from.find("\n}"));
  };
  check(Table(dispatch_of("A_skeleton")), {"_get_x", "_set_x", "do_a"});
  check(Table(dispatch_of("B_skeleton")), {"_get_y", "do_b"});
  const std::string last = dispatch_of("D_skeleton");
  check(Table(last), {"do_d"});
  EXPECT_NE(last.find("gen::dispatch_inherited<::B_skeleton>(servant, call) ||\n"
                      "         gen::dispatch_inherited<::C_skeleton>(servant, call);"),
            last.npos)
      << last;
  EXPECT_EQ(text.find("None_skeleton::_dispatch("), text.npos);
  EXPECT_NE(text.find("nullptr, nullptr, &gen::dispatch_nothing};"), text.npos);
}

// --- as used ---

/// What is asked is what comes back, by the name of the operation that ran.
class Bottom final : public CORBA::servant_traits<Wide::Bottom>::base_type {
 public:
  std::string ran;

  std::int32_t level() override { return did("_get_level", 5); }
  void level(std::int32_t) override { did("_set_level", 0); }
  std::string label() override { return std::to_string(did("_get_label", 1)); }
  std::int32_t top_value(std::int32_t value) override { return did("top_value", value); }
  void top_hint(std::int32_t value) override { did("top_hint", value); }
  void top_fail(const std::string& why) override { throw Wide::Refused(why); }
  std::string left_side() override { return std::to_string(did("_get_left_side", 1)); }
  void left_side(const std::string&) override { did("_set_left_side", 0); }
  std::int32_t left_value(std::int32_t value) override { return did("left_value", value); }
  std::int32_t l(std::int32_t value) override { return did("l", value); }
  std::int32_t le(std::int32_t value) override { return did("le", value); }
  std::int32_t lef(std::int32_t value) override { return did("lef", value); }
  std::int32_t left_value2(std::int32_t value) override { return did("left_value2", value); }
  std::int32_t get_left_side(std::int32_t value) override { return did("get_left_side", value); }
  std::int32_t set_left_side(std::int32_t value) override { return did("set_left_side", value); }
  std::string right_side() override { return std::to_string(did("_get_right_side", 1)); }
  void right_side(const std::string&) override { did("_set_right_side", 0); }
  std::int32_t right_value(std::int32_t value) override { return did("right_value", value); }
  std::int32_t an_operation_whose_name_is_longer_than_what_a_hash_reads_at_once(std::int32_t value) override {
    return did("an_operation_whose_name_is_longer_than_what_a_hash_reads_at_once", value);
  }
  std::int32_t an_operation_whose_name_is_longer_than_what_a_hash_reads_at_oncf(std::int32_t value) override {
    return did("an_operation_whose_name_is_longer_than_what_a_hash_reads_at_oncf", value);
  }
  bool closed() override { return did("_get_closed", 1) != 0; }
  void closed(bool) override { did("_set_closed", 0); }
  std::int32_t bottom_value(std::int32_t value) override { return did("bottom_value", value); }
  void bottom_fail(const std::string& why) override { throw Wide::Refused(why); }

 private:
  std::int32_t did(const char* name, std::int32_t value) {
    ran += name;
    return value;
  }
};

const Names with_a_long{"_set_level",
                        "top_value",
                        "left_value",
                        "l",
                        "le",
                        "lef",
                        "left_value2",
                        "get_left_side",
                        "set_left_side",
                        "right_value",
                        "bottom_value",
                        "top_hint",
                        "an_operation_whose_name_is_longer_than_what_a_hash_reads_at_once",
                        "an_operation_whose_name_is_longer_than_what_a_hash_reads_at_oncf"};
const Names with_a_string{"_set_left_side", "_set_right_side"};
const Names with_nothing{"_get_level", "_get_label", "_get_left_side", "_get_right_side", "_get_closed"};
const Names that_fail{"top_fail", "bottom_fail"};

/// The operation that ran; "" for none, with BAD_OPERATION in the reply.
std::string run(const std::string& operation, const std::function<void(tenon::cdr::Writer&)>& arguments) {
  FakeCall call(operation, {});
  arguments(call.request);
  call.with_arguments();
  const auto servant = CORBA::make_reference<Bottom>();
  servant->upcall(call);
  if (servant->ran.empty()) {
    EXPECT_EQ(call.error(), tenon::errors::unknown_operation) << operation;
  } else {
    EXPECT_TRUE(call.succeeded()) << operation;
  }
  return servant->ran;
}

TEST(Dispatch, EveryOperationOfADiamond) {
  for (const std::string& name : with_a_long) {
    EXPECT_EQ(run(name, [](tenon::cdr::Writer& out) { out.put(std::int32_t{7}); }), name);
  }
  for (const std::string& name : with_a_string) {
    EXPECT_EQ(run(name, [](tenon::cdr::Writer& out) { out.put_string("text"); }), name);
  }
  for (const std::string& name : with_nothing) EXPECT_EQ(run(name, [](tenon::cdr::Writer&) {}), name);
  EXPECT_EQ(run("_set_closed", [](tenon::cdr::Writer& out) { out.put(true); }), "_set_closed");
}

TEST(Dispatch, RaisesOfInheritedOperations) {
  for (const std::string& name : that_fail) {
    FakeCall call(name, {});
    call.request.put_string("no");
    call.with_arguments();
    CORBA::make_reference<Bottom>()->upcall(call);
    ASSERT_EQ(call.status, tenon::protocol::ReplyStatus::user_exception) << name;
    tenon::cdr::Reader in(call.reply.bytes(), call.reply.format());
    EXPECT_EQ(in.get_raw_string(), "IDL:Wide/Refused:1.0");
  }
}

TEST(Dispatch, UnknownNames) {
  Names known = with_a_long;
  for (const Names* more : {&with_a_string, &with_nothing, &that_fail}) {
    known.insert(known.end(), more->begin(), more->end());
  }
  known.push_back("_set_closed");
  std::set<std::string> unknown{"", "_set_label", "_get_top_value", "operation", std::string(100000, 'l')};
  for (const std::string& name : known) {
    unknown.insert({name + "_", name + name, "_" + name, name.substr(1), name.substr(0, name.size() - 1)});
    for (std::size_t i = 0; i < name.size(); ++i) {
      std::string other = name;
      other[i] = static_cast<char>(other[i] ^ 0x20);
      unknown.insert(other);
      other[i] = '\0';
      unknown.insert(other);
    }
  }
  for (const std::string& name : known) unknown.erase(name);
  EXPECT_GT(unknown.size(), 500u);
  for (const std::string& name : unknown) {
    EXPECT_EQ(run(name, [](tenon::cdr::Writer& out) { out.put(std::int32_t{7}); }), "");
  }
}

}  // namespace
