// SPDX-License-Identifier: Apache-2.0
//
// Values whose types are known by TypeCode only: values that are read into memory are written as they were, shared and in circles.
#include "marshal/held_value.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "marshal/typecodes/compile.hpp"
#include "marshal/typecodes/transcode.hpp"
#include "types/typecode_test_support.hpp"
#include "types/walker.hpp"

namespace tenon::marshal {
namespace {

using types::Kind;
using types::Member;
using types::Modifier;
using types::TypeCode;

constexpr TypeCode number = types::basic_type(Kind::tk_long);
constexpr TypeCode text = types::string_type();

// valuetype Node { public long number; public Node next; public sequence<Node> others; public string text; };
struct NodeTypes {
  TypeCode node{.kind = Kind::tk_value, .id = "IDL:T/Node:1.0", .name = "Node"};
  TypeCode nodes = types::sequence_type(node);
  Member members[4] = {{"number", &number}, {"next", &node}, {"others", &nodes}, {"text", &text}};
  NodeTypes() { node.members = members; }
};
const NodeTypes node_types;
const TypeCode& node = node_types.node;

// valuetype Base { public long number; }; valuetype Middle : truncatable Base { public string text; };
// valuetype Leaf : truncatable Middle { public Base link; };
constexpr Member base_members[] = {{"number", &number}};
constexpr TypeCode base = types::value_type("IDL:T/Base:1.0", "Base", Modifier::none, nullptr, base_members);
constexpr Member middle_members[] = {{"text", &text}};
constexpr TypeCode middle =
    types::value_type("IDL:T/Middle:1.0", "Middle", Modifier::truncatable, &base, middle_members);
constexpr Member leaf_members[] = {{"link", &base}};
constexpr TypeCode leaf =
    types::value_type("IDL:T/Leaf:1.0", "Leaf", Modifier::truncatable, &middle, leaf_members);
constexpr std::string_view leaf_ids[] = {"IDL:T/Leaf:1.0", "IDL:T/Middle:1.0", "IDL:T/Base:1.0"};

Ref<const Program> program_of(const TypeCode& type) {
  const auto made = compile(types::TypeRef(type));
  EXPECT_TRUE(made);
  return *made;
}

/// A value read from the bytes, all of them.
Value read(const Ref<const Program>& program, ByteView bytes, std::size_t phase = 0) {
  Value value(program);
  cdr::Reader in(bytes, {}, phase);
  value.decode(in);
  EXPECT_TRUE(in.good()) << in.error().minor;
  EXPECT_EQ(in.remaining(), 0u);
  cdr::Reader skipped(bytes, {}, phase);
  skip(program->unit(), program->root(), skipped);
  EXPECT_TRUE(skipped.good());
  EXPECT_EQ(skipped.remaining(), 0u);
  return value;
}
std::vector<std::uint8_t> written(const Value& value, std::size_t phase = 0) {
  cdr::Writer out({}, phase);
  value.encode(out);
  EXPECT_TRUE(out.good());
  return out.copy();
}
std::string printed(const Value& value) {
  std::string out;
  print(value.program().unit(), value.program().root(), out, value.data());
  return out;
}
Error refused(const TypeCode& type, ByteView bytes) {
  Value value(program_of(type));
  cdr::Reader in(bytes, {});
  value.decode(in);
  EXPECT_FALSE(in.good());
  return in.error();
}

class Author {
 public:
  explicit Author(cdr::Writer& out) : out_(out) {}

  void begin(int identity, std::int32_t value) {
    out_.begin_value(&identities_[identity], {{"IDL:T/Node:1.0"}}, false);
    out_.put(value);
  }
  void end(std::string_view last) {
    out_.put_string(last);
    out_.end_value();
  }
  void again(int identity) { EXPECT_TRUE(out_.put_shared_value(&identities_[identity])); }
  void null() { out_.put_null_value(); }
  void count(std::size_t nodes) { out_.put_length(nodes); }

 private:
  cdr::Writer& out_;
  char identities_[8] = {};
};

/// 1 -> 2 -> 1, and 2 has {1, null, 3, 3}.
std::vector<std::uint8_t> graph(std::size_t phase, bool three_twice = true) {
  cdr::Writer out({}, phase);
  Author author(out);
  author.begin(1, 1);
  author.begin(2, 2);
  author.again(1);
  author.count(4);
  author.again(1);
  author.null();
  author.begin(3, 3);
  author.null();
  author.count(0);
  author.end("three");
  if (three_twice) {
    author.again(3);
  } else {
    author.begin(4, 3);
    author.null();
    author.count(0);
    author.end("three");
  }
  author.end("two");
  author.count(0);
  author.end("one");
  return out.copy();
}

TEST(HeldValues, SharedAndInCircles) {
  const auto program = program_of(node);
  for (std::size_t phase = 0; phase < 8; ++phase) {
    const std::vector<std::uint8_t> bytes = graph(phase);
    const Value value = read(program, bytes, phase);
    EXPECT_EQ(written(value, phase), bytes);
    const Value copied = value;  // NOLINT(performance-unnecessary-copy-initialization): the copy is compared
    EXPECT_TRUE(copied == value);
    const Value again = read(program, bytes, phase);
    EXPECT_TRUE(again == value);
    EXPECT_EQ(printed(value),
              "#1 IDL:T/Node:1.0 {0x00000001, #2 IDL:T/Node:1.0 {0x00000002, #1, [{#1}, {null}, "
              "{#3 IDL:T/Node:1.0 {0x00000003, null, [], \"three\"}}, {#3}], \"two\"}, [], \"one\"}");
  }
}

TEST(HeldValues, SharingIsPartOfTheValue) {
  const auto program = program_of(node);
  const Value shared = read(program, graph(0));
  const Value apart = read(program, graph(0, false));
  EXPECT_FALSE(shared == apart);
  EXPECT_FALSE(apart == shared);
  EXPECT_TRUE(apart == read(program, graph(0, false)));
}

TEST(HeldValues, OtherByteOrderAsTheWalker) {
  cdr::WireFormat swapped;
  swapped.order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  const auto program = program_of(node);
  const std::vector<std::uint8_t> bytes = graph(0);
  cdr::Writer by_program(swapped, 3);
  read(program, bytes).encode(by_program);
  cdr::Writer by_walker(swapped, 3);
  cdr::Reader in(bytes, {});
  types::copy(in, by_walker, node);
  EXPECT_EQ(by_program.copy(), by_walker.copy());
}

// A graph that was decoded in part is freed as a whole, whichever values refer to each other. (AddressSanitizer checks it.)
TEST(HeldValues, CutAnywhereLeaksNothing) {
  const auto program = program_of(node);
  const std::vector<std::uint8_t> bytes = graph(0);
  Value value = read(program, bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    cdr::Reader in(ByteView(bytes).first(size), {});
    value.decode(in);
    EXPECT_FALSE(in.good()) << size;
    const Value copied = value;  // NOLINT(performance-unnecessary-copy-initialization): the copy is compared
    cdr::Writer out;
    copied.encode(out);
  }
}

// A message of several arguments: later ones refer to values of earlier ones, which other programs read.
TEST(HeldValues, OneMessageSeveralPrograms) {
  const auto first = program_of(node);
  const auto second = program_of(node_types.nodes);
  cdr::Writer out;
  Author author(out);
  author.begin(1, 1);
  author.null();
  author.count(0);
  author.end("one");
  author.count(2);
  author.again(1);
  author.begin(2, 2);
  author.again(1);
  author.count(0);
  author.end("two");
  const std::vector<std::uint8_t> bytes = out.copy();
  auto one = std::make_unique<Value>(first);
  auto rest = std::make_unique<Value>(second);
  {
    cdr::Reader in(bytes, {});
    one->decode(in);
    rest->decode(in);
    EXPECT_TRUE(in.good());
    EXPECT_EQ(in.remaining(), 0u);
  }
  cdr::Writer again;
  one->encode(again);
  rest->encode(again);
  EXPECT_EQ(again.copy(), bytes);
  again = cdr::Writer();
  one.reset();
  EXPECT_EQ(printed(*rest),
            "[{#1 IDL:T/Node:1.0 {0x00000001, null, [], \"one\"}}, "
            "{#2 IDL:T/Node:1.0 {0x00000002, #1, [], \"two\"}}]");
}

std::vector<std::uint8_t> leaf_bytes() {
  cdr::Writer out;
  const char identity = 0;
  out.begin_value(&identity, leaf_ids, true);
  out.put(std::int32_t{7});
  out.put_string("seven");
  EXPECT_TRUE(out.put_shared_value(&identity));  // its own link
  out.end_value();
  return out.copy();
}

TEST(HeldValues, BasesComeFirst) {
  const auto program = program_of(leaf);
  const Value value = read(program, leaf_bytes());
  EXPECT_EQ(written(value), leaf_bytes());
  EXPECT_EQ(printed(value), "#1 IDL:T/Leaf:1.0 {0x00000007, \"seven\", #1}");
}

TEST(HeldValues, ADerivedTypeThatIsKnownStays) {
  static constexpr Member both_members[] = {{"base", &base}, {"leaf", &leaf}};
  static constexpr TypeCode both = types::struct_type("IDL:T/Both:1.0", "Both", both_members);
  cdr::Writer out;
  const char identity = 0;
  out.begin_value(&identity, leaf_ids, true);
  out.put(std::int32_t{7});
  out.put_string("seven");
  out.put_null_value();
  out.end_value();
  EXPECT_TRUE(out.put_shared_value(&identity));
  const Value value = read(program_of(both), out.copy());
  EXPECT_EQ(printed(value), "#1 IDL:T/Leaf:1.0 {0x00000007, \"seven\", null}, #1");
  EXPECT_EQ(written(value), out.copy());
}

TEST(HeldValues, WhatIsNotKnownIsTruncated) {
  EXPECT_EQ(printed(read(program_of(middle), leaf_bytes())), "#1 IDL:T/Middle:1.0 {0x00000007, \"seven\"}");
  const Value value = read(program_of(base), leaf_bytes());
  EXPECT_EQ(printed(value), "#1 IDL:T/Base:1.0 {0x00000007}");
  cdr::Writer by_walker;
  const std::vector<std::uint8_t> bytes = leaf_bytes();
  cdr::Reader source(bytes, {});
  types::copy(source, by_walker, base);
  // the walker keeps chunks where there were any
  EXPECT_EQ(printed(read(program_of(base), by_walker.copy())), printed(value));
}

TEST(HeldValues, NotTruncatableIsRefused) {
  cdr::Writer out;
  out.begin_value(nullptr, {{"IDL:T/Other:1.0"}}, false);
  out.put(std::int32_t{1});
  out.end_value();
  EXPECT_EQ(refused(base, out.copy()), errors::no_values_in_any);
}

TEST(HeldValues, CustomValuesArePassedOverButNotRead) {
  static constexpr TypeCode custom =
      types::value_type("IDL:T/Custom:1.0", "Custom", Modifier::custom, nullptr, base_members);
  cdr::Writer out;
  out.begin_value(nullptr, {{"IDL:T/Custom:1.0"}}, true);
  out.put_string("nobody knows");
  out.end_value();
  const std::vector<std::uint8_t> bytes = out.copy();
  EXPECT_EQ(refused(custom, bytes), errors::no_values_in_any);
  const auto program = program_of(custom);
  cdr::Reader skipped(bytes, {});
  skip(program->unit(), program->root(), skipped);
  EXPECT_TRUE(skipped.good());
  EXPECT_EQ(skipped.remaining(), 0u);
  Value none(program);
  cdr::Writer null;
  none.encode(null);
  EXPECT_EQ(null.copy(), std::vector<std::uint8_t>(4));
}

TEST(HeldValues, Boxes) {
  static constexpr Member pair_members[] = {{"number", &number}, {"text", &text}};
  static constexpr TypeCode pair = types::struct_type("IDL:T/Pair:1.0", "Pair", pair_members);
  static constexpr TypeCode box = types::box_type("IDL:T/Box:1.0", "Box", pair);
  static constexpr TypeCode boxes = types::sequence_type(box);
  cdr::Writer out;
  out.put_length(3);
  const char identity = 0;
  out.begin_value(&identity, {{"IDL:T/Box:1.0"}}, false);
  out.put(std::int32_t{4});
  out.put_string("four");
  out.end_value();
  out.put_null_value();
  out.put_shared_value(&identity);
  const Value value = read(program_of(boxes), out.copy());
  EXPECT_EQ(written(value), out.copy());
  EXPECT_EQ(printed(value), "[{#1 IDL:T/Box:1.0 {0x00000004, \"four\"}}, {null}, {#1}]");
}

// struct Outer { long number; Inner inner; }; valuetype Inner { public Outer outer; };
TEST(HeldValues, AStateAroundTheStructThatHasIt) {
  TypeCode outer{.kind = Kind::tk_struct, .id = "IDL:T/Outer:1.0", .name = "Outer"};
  const Member inner_members[] = {{"outer", &outer}, {"number", &number}};
  const TypeCode inner =
      types::value_type("IDL:T/Inner:1.0", "Inner", Modifier::none, nullptr, inner_members);
  const Member outer_members[] = {{"number", &number}, {"inner", &inner}};
  outer.members = outer_members;
  cdr::Writer out;
  out.put(std::int32_t{1});
  out.begin_value(nullptr, {{"IDL:T/Inner:1.0"}}, false);
  out.put(std::int32_t{2});
  out.put_null_value();
  out.put(std::int32_t{3});
  out.end_value();
  const Value value = read(program_of(outer), out.copy());
  EXPECT_EQ(written(value), out.copy());
  EXPECT_EQ(printed(value), "0x00000001, #1 IDL:T/Inner:1.0 {{0x00000002, null}, 0x00000003}");
}

TEST(HeldValues, AbstractInterfaces) {
  static constexpr TypeCode abstract =
      types::named_type(Kind::tk_abstract_interface, "IDL:T/Abstract:1.0", "Abstract");
  static constexpr Member members[] = {{"first", &abstract}, {"second", &abstract}, {"value", &base}};
  static constexpr TypeCode whole = types::struct_type("IDL:T/Whole:1.0", "Whole", members);
  cdr::Writer out;
  out.put(true);
  out.put_string("IDL:T/Somebody:1.0");
  out.put_length(1);
  out.put(std::uint32_t{9});
  out.put_length(2);
  out.put_octets(std::vector<std::uint8_t>{1, 2});
  out.put(false);
  const char identity = 0;
  out.begin_value(&identity, {{"IDL:T/Base:1.0"}}, false);
  out.put(std::int32_t{5});
  out.end_value();
  out.put_shared_value(&identity);
  const Value value = read(program_of(whole), out.copy());
  EXPECT_EQ(written(value), out.copy());
  const Value copied = value;  // NOLINT(performance-unnecessary-copy-initialization): the copy is compared
  EXPECT_TRUE(copied == value);
  EXPECT_TRUE(Value(program_of(abstract)) == Value(program_of(abstract)));
}

// Values nested as deep as allowed, and one level deeper.
TEST(HeldValues, DeepChains) {
  const auto program = program_of(node);
  for (const unsigned depth : {cdr::deepest_value, cdr::deepest_value + 1}) {
    std::vector<std::uint8_t> bytes;
    for (unsigned i = 0; i < depth; ++i) {
      // heads without ids: the type that is expected
      for (const int octet : {0x7F, 0xFF, 0xFF, 0x00, 0, 0, 0, 1})
        bytes.push_back(static_cast<std::uint8_t>(octet));
    }
    bytes.insert(bytes.end(), 4 + depth * 16, 0);  // null; no others, empty text
    const cdr::WireFormat format{.order = ByteOrder::big};
    cdr::Reader in(bytes, format);
    Value value(program);
    value.decode(in);
    EXPECT_EQ(in.good(), depth == cdr::deepest_value);
    cdr::Reader skipped(bytes, format);
    skip(program->unit(), program->root(), skipped);
    EXPECT_EQ(skipped.good(), depth == cdr::deepest_value);
    cdr::Reader source(bytes, format);
    cdr::Writer passed;
    transcode(program->unit(), program->root(), source, passed);
    EXPECT_EQ(passed.good(), depth == cdr::deepest_value);
    if (in.good()) {
      cdr::Writer encoded;
      value.encode(encoded);
      EXPECT_TRUE(encoded.good());
      EXPECT_EQ(encoded.copy(), passed.copy());
    }
  }
}

// What is passed on is copied, since it is gone before the message is sent; what is written next may be lent again.
TEST(Transcoding, CopiesLargeText) {
  const auto program = program_of(text);
  cdr::Writer source({.giop_minor = 1});
  source.put_string(std::string(2 * cdr::Writer::borrow_from, 'q'));
  cdr::Reader in(source.bytes(), source.format());
  cdr::Writer out;
  out.allow_lending(true);
  transcode(program->unit(), program->root(), in, out);
  EXPECT_TRUE(out.contiguous());
  EXPECT_EQ(out.copy(), source.copy());
  EXPECT_EQ(out.lends_from(), cdr::Writer::borrow_from);
}

// A long chain of values that are not nested: comparing and freeing it need no stack.
TEST(HeldValues, LongChains) {
  constexpr int length = 200000;
  const auto program = program_of(node_types.nodes);
  cdr::Writer out;
  std::vector<char> identities(length);
  out.put_length(length);
  for (int i = 0; i < length; ++i) {
    out.begin_value(&identities[static_cast<std::size_t>(i)], {{"IDL:T/Node:1.0"}}, false);
    out.put(i);
    if (i == 0 || !out.put_shared_value(&identities[static_cast<std::size_t>(i - 1)])) out.put_null_value();
    out.put_length(0);
    out.put_string("");
    out.end_value();
  }
  const Value one = read(program, out.copy());
  const Value other = read(program, out.copy());
  EXPECT_TRUE(one == other);
  EXPECT_EQ(written(one), out.copy());
}

// How much memory values may take grows with the message: of 16 MiB it is more than a word of 32 bits can count.
TEST(HeldValues, ManyInALargeMessage) {
  constexpr int length = 20000;
  const auto program = program_of(node_types.nodes);
  cdr::Writer out;
  out.put_length(length);
  for (int i = 0; i < length; ++i) {
    out.begin_value(nullptr, {{"IDL:T/Node:1.0"}}, false);
    out.put(i);
    out.put_null_value();
    out.put_length(0);
    out.put_string("");
    out.end_value();
  }
  std::vector<std::uint8_t> message = out.copy();
  message.resize(std::size_t{16} << 20);
  Value value(program);
  cdr::Reader in(message, {});
  value.decode(in);
  EXPECT_TRUE(in.good()) << in.error().minor;
  EXPECT_EQ(in.position(), out.size());
}

// Nested values that are large in memory and nothing on the wire.
TEST(HeldValues, AFewOctetsAreNotManyMegabytes) {
  TypeCode large{.kind = Kind::tk_value, .id = "L", .name = "Large"};
  const TypeCode row = types::array_type(number, 1 << 20);
  const Member members[] = {{"next", &large}, {"row", &row}};
  large.members = members;
  cdr::Writer out;
  for (int i = 0; i < 500; ++i) out.begin_value(nullptr, {{"L"}}, false);
  const auto program = program_of(large);
  const auto value = std::make_unique<Value>(program);
  cdr::Reader in(out.bytes(), {});
  value->decode(in);
  EXPECT_EQ(in.error(), errors::length_beyond_data);
  EXPECT_LT(HeldPlace::value(value->data())->graph().bytes(), std::size_t{16} << 20);
}

}  // namespace
}  // namespace tenon::marshal
