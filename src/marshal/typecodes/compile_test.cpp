// SPDX-License-Identifier: Apache-2.0
//
// Compiled TypeCodes against the plain walker of src/types: both must write the same octets for the same message.
#include "marshal/typecodes/compile.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/minor_codes.hpp"
#include "types/typecode_test_support.hpp"
#include "types/walker.hpp"

namespace tenon::marshal {
namespace {

using types::Kind;
using types::Member;
using types::TypeCode;

// Fixed parts in every order, runs that begin in the middle, unions in sequences, a type around itself.
constexpr TypeCode flag = types::basic_type(Kind::tk_boolean);
constexpr TypeCode letter = types::basic_type(Kind::tk_char);
constexpr TypeCode octet = types::basic_type(Kind::tk_octet);
constexpr TypeCode small = types::basic_type(Kind::tk_short);
constexpr TypeCode number = types::basic_type(Kind::tk_long);
constexpr TypeCode real = types::basic_type(Kind::tk_double);
constexpr TypeCode text = types::string_type();
constexpr TypeCode short_text = types::string_type(5);
constexpr Member colours_members[] = {{"red"}, {"green"}, {"blue"}};
constexpr TypeCode colour = types::enum_type("IDL:T/Colour:1.0", "Colour", colours_members);
constexpr Member mixed_members[] = {{"a", &small},      {"b", &letter}, {"c", &number}, {"t", &text},
                                    {"d", &octet},      {"e", &flag},   {"f", &colour}, {"g", &real},
                                    {"u", &short_text}, {"h", &small}};
constexpr TypeCode mixed = types::struct_type("IDL:T/Mixed:1.0", "Mixed", mixed_members);
constexpr Member bin_members[] = {{"s", &small}, {"c", &letter}, {"l", &number}, {"o", &octet}, {"d", &real}};
constexpr TypeCode bin = types::struct_type("IDL:T/Bin:1.0", "Bin", bin_members);
constexpr TypeCode bins = types::sequence_type(bin);
constexpr Member odd_members[] = {{"s", &small}, {"d", &real}, {"t", &small}};
constexpr TypeCode odd = types::struct_type("IDL:T/Odd:1.0", "Odd", odd_members);
constexpr TypeCode odds = types::sequence_type(odd);
constexpr TypeCode texts = types::sequence_type(text);
constexpr TypeCode flags = types::sequence_type(flag);
constexpr TypeCode grid_row = types::array_type(mixed, 2);
constexpr TypeCode grid = types::array_type(grid_row, 3);
constexpr Member choice_members[] = {{"x", &bins, 0}, {"y", &text, 1}, {"y", &text, 2}, {"z", &mixed, 7}};
constexpr TypeCode choice = types::union_type("IDL:T/Choice:1.0", "Choice", number, 3, choice_members);
constexpr TypeCode choices = types::sequence_type(choice);
constexpr Member whole_members[] = {{"bins", &bins},      {"odds", &odds},   {"texts", &texts},
                                    {"flags", &flags},    {"mixed", &mixed}, {"grid", &grid},
                                    {"choices", &choices}};
constexpr TypeCode whole = types::struct_type("IDL:T/Whole:1.0", "Whole", whole_members);

/// A random message of a type, part by part.
class Author {
 public:
  Author(cdr::Writer& out, unsigned seed) : out_(out), random_(seed) {}

  void put(const TypeCode& type) {
    switch (type.kind) {
      case Kind::tk_boolean: out_.put(random_() % 2 == 0); break;
      case Kind::tk_char: out_.put(static_cast<char>('!' + random_() % 90)); break;
      case Kind::tk_octet: out_.put(static_cast<std::uint8_t>(random_())); break;
      case Kind::tk_short: out_.put(static_cast<std::int16_t>(random_())); break;
      case Kind::tk_long: out_.put(static_cast<std::int32_t>(random_())); break;
      case Kind::tk_double: out_.put(static_cast<double>(random_()) / 16); break;
      case Kind::tk_enum: out_.put(static_cast<std::uint32_t>(random_() % type.members.size())); break;
      case Kind::tk_string:
        out_.put_string(std::string(random_() % (type.length == 0 ? 40 : type.length + 1), 'q'));
        break;
      case Kind::tk_struct:
        for (const Member& member : type.members) put(*member.type);
        break;
      case Kind::tk_array:
        for (std::uint32_t i = 0; i < type.length; ++i) put(*type.content);
        break;
      case Kind::tk_sequence: {
        const std::size_t count = random_() % 7;
        out_.put_length(count);
        for (std::size_t i = 0; i < count; ++i) put(*type.content);
        break;
      }
      case Kind::tk_union: {
        const auto label = static_cast<std::uint32_t>(random_() % 4);
        out_.put(label);
        put(*types::selected_member(type, label)->type);
        break;
      }
      default: FAIL();
    }
  }

 private:
  cdr::Writer& out_;
  std::mt19937 random_;
};

cdr::WireFormat swapped() {
  cdr::WireFormat format;
  format.order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  return format;
}

TEST(Compile, ReadsAndWritesAsTheWalkerDoes) {
  const auto program = compile(types::TypeRef(whole));
  ASSERT_TRUE(program);
  for (unsigned seed = 0; seed < 200; ++seed) {
    const cdr::WireFormat format = seed % 2 == 0 ? cdr::WireFormat{} : swapped();
    const std::size_t phase = seed / 2 % 8;
    cdr::Writer message(format, phase);
    Author(message, seed).put(whole);
    const std::vector<std::uint8_t> bytes = message.copy();

    Value value(*program);
    cdr::Reader in(bytes, format, phase);
    value.decode(in);
    ASSERT_TRUE(in.good()) << seed;
    ASSERT_EQ(in.remaining(), 0u);
    cdr::Writer again(format, phase);
    value.encode(again);
    ASSERT_EQ(again.copy(), bytes) << seed;

    // For another phase and byte order, against the walker.
    cdr::Writer by_program(swapped(), (phase + 3) % 8);
    value.encode(by_program);
    cdr::Writer by_walker(swapped(), (phase + 3) % 8);
    cdr::Reader source(bytes, format, phase);
    types::copy(source, by_walker, whole);
    ASSERT_EQ(by_program.copy(), by_walker.copy()) << seed;

    const Value copied = value;
    EXPECT_TRUE(copied == value);
    cdr::Reader passed(bytes, format, phase);
    skip((*program)->unit(), (*program)->root(), passed);
    EXPECT_TRUE(passed.good());
    EXPECT_EQ(passed.remaining(), 0u);

    // The same value again, over what is there, and cut short.
    cdr::Reader cut(ByteView(bytes).first(bytes.size() * (seed % 10) / 10), format, phase);
    value.decode(cut);
    EXPECT_FALSE(cut.good());
    cdr::Reader anew(bytes, format, phase);
    value.decode(anew);
    EXPECT_TRUE(value == copied);
  }
}

TEST(Compile, FixedMembersAreOneBlock) {
  const auto program = compile(types::TypeRef(bin));
  ASSERT_TRUE(program);
  const Word* type = (*program)->unit().type((*program)->root());
  EXPECT_EQ(size_of(*type), 24u);
  EXPECT_EQ(align_of(*type), 8u);
  ASSERT_EQ(op_of(type[1]), Op::block);
  EXPECT_EQ(type[2], 24u);
  EXPECT_NE(type[3] & block_repeats, 0u);
  // {short, double, short} moves whole, but two of them are not their CDR side by side.
  const auto other = compile(types::TypeRef(odd));
  ASSERT_TRUE(other);
  const Word* odd_type = (*other)->unit().type((*other)->root());
  ASSERT_EQ(op_of(odd_type[1]), Op::block);
  EXPECT_EQ(odd_type[3] & block_repeats, 0u);
}

TEST(Compile, MembersAreWhereTheProgramSays) {
  const auto program = compile(types::TypeRef(mixed));
  ASSERT_TRUE(program);
  struct Memory {
    std::int16_t a;
    char b;
    std::int32_t c;
    std::string t;
    std::uint8_t d;
    bool e;
    std::uint32_t f;
    double g;
    std::string u;
    std::int16_t h;
  };
  EXPECT_EQ((*program)->size(), sizeof(Memory));
  EXPECT_EQ((*program)->member_offset(mixed, 3), offsetof(Memory, t));
  EXPECT_EQ((*program)->member_offset(mixed, 7), offsetof(Memory, g));
  EXPECT_EQ((*program)->member_offset(mixed, 9), offsetof(Memory, h));
  EXPECT_EQ((*program)->index_of(real), no_case);
}

TEST(Compile, RefusesWhatHasNoMemory) {
  static constexpr TypeCode megabyte = types::array_type(octet, 1 << 20);
  static constexpr TypeCode large = types::array_type(megabyte, 64);
  const auto refused = compile(types::TypeRef(large));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().minor, errors::type_too_large.minor);
  static constexpr TypeCode native = types::named_type(Kind::tk_native, "IDL:T/N:1.0", "N");
  EXPECT_FALSE(compile(types::TypeRef(native)));
  EXPECT_FALSE(compile(types::TypeRef()));
}

// A node with a list of nodes: the program refers to itself.
TEST(Compile, RecursiveTypes) {
  TypeCode node{.kind = Kind::tk_struct, .id = "IDL:T/Node:1.0", .name = "Node"};
  const TypeCode nodes = types::sequence_type(node);
  const Member members[] = {{"text", &text}, {"nodes", &nodes}};
  node.members = members;
  const auto program = compile(types::TypeRef(node));
  ASSERT_TRUE(program);
  cdr::Writer message;
  for (int depth = 0; depth < 50; ++depth) {
    message.put_string("n");
    message.put_length(1);
  }
  message.put_string("last");
  message.put_length(0);
  Value value(*program);
  const std::vector<std::uint8_t> bytes = message.copy();
  cdr::Reader in(bytes, {});
  value.decode(in);
  ASSERT_TRUE(in.good());
  cdr::Writer again;
  value.encode(again);
  EXPECT_EQ(again.copy(), bytes);
  const Value copied = value;
  EXPECT_TRUE(copied == value);
}

}  // namespace
}  // namespace tenon::marshal
