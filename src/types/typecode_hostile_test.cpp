// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes that a peer should not have sent: cut off, too deep, endless, with offsets to nowhere.
#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "types/any.hpp"
#include "types/compare.hpp"
#include "types/typecode_test_support.hpp"
#include "types/walker.hpp"

namespace tenon::types {
namespace {

using namespace sample;

constexpr cdr::WireFormat little{.order = ByteOrder::little};

Error error_of(ByteView bytes) {
  cdr::Reader in(bytes, little);
  const TypeRef type = read(in);
  EXPECT_EQ(static_cast<bool>(type), in.good());
  return in.error();
}

TEST(TypeCodeOffsets, ToEveryLegalPlace) {
  // struct S { long a; sequence<S> b; short c; T d; T e } with T = struct { sequence<S> f; }, offsets to the outermost, to a
  // finished neighbour, to a simple kind
  Hand hand;
  hand.kind(Kind::tk_struct).open().text("").text("S").number(5);
  hand.text("a");
  const std::size_t simple = hand.here();
  hand.kind(Kind::tk_long);
  hand.text("b").kind(Kind::tk_sequence).open().back_to(0).number(0).close();
  hand.text("c").back_to(simple);
  hand.text("d");
  const std::size_t neighbour = hand.here();
  hand.kind(Kind::tk_struct).open().text("").text("T").number(1).text("f");
  hand.kind(Kind::tk_sequence).open().back_to(0).number(7).close().close();
  hand.text("e").back_to(neighbour);
  hand.close();
  ASSERT_FALSE(error_of(hand.bytes));
  const TypeRef type = read_whole(hand.bytes, little);
  EXPECT_EQ(text(*type),
            "struct S {long a; sequence<struct S> b; long c; struct T {sequence<struct S>[7] f} d; "
            "struct T {sequence<struct S>[7] f} e}");
  EXPECT_EQ(type->members[3].type, type->members[4].type);
  EXPECT_EQ(type->members[1].type->content, &*type);
  EXPECT_TRUE(equal(*read_whole(written(*type)), *type));
}

TEST(TypeCodeOffsets, ToNowhere) {
  for (const std::uint32_t offset :
       {0u, 4u, 8u, 0xFFFFFFFFu, 0xFFFFFFFEu, 0xFFFFFFF4u, 0x80000000u, 0x7FFFFFFFu}) {
    Hand hand;
    hand.kind(Kind::tk_sequence).open().number(indirection).number(offset).number(0).close();
    EXPECT_EQ(error_of(hand.bytes), errors::bad_typecode_indirection) << offset;
  }
  Hand outermost;
  outermost.number(indirection).number(0xFFFFFFFC);
  EXPECT_EQ(error_of(outermost.bytes), errors::bad_typecode_indirection);
}

TEST(TypeCodeOffsets, BeforeTheMessageAreRefused) {
  Hand hand;
  hand.kind(Kind::tk_sequence).open().kind(Kind::tk_long).number(0).close();
  const std::size_t second = hand.here();
  hand.kind(Kind::tk_sequence).open().back_to(0).number(0).close();
  EXPECT_EQ(error_of(ByteView(hand.bytes).subspan(second)), errors::bad_typecode_indirection);
}

TEST(TypeCodeEndless, SelfWithoutASequenceIsRefused) {
  Hand alias;
  alias.kind(Kind::tk_alias).open().text("").text("A").back_to(0).close();
  EXPECT_EQ(error_of(alias.bytes), errors::endless_typecode);

  Hand record;
  record.kind(Kind::tk_struct).open().text("").text("S").number(1).text("s").back_to(0).close();
  EXPECT_EQ(error_of(record.bytes), errors::endless_typecode);

  Hand array;
  array.kind(Kind::tk_array).open().back_to(0).number(2).close();
  EXPECT_EQ(error_of(array.bytes), errors::endless_typecode);

  Hand sequence;  // of itself: its values are finite
  sequence.kind(Kind::tk_sequence).open().back_to(0).number(0).close();
  EXPECT_FALSE(error_of(sequence.bytes));
}

// struct S { sequence<T> a; T b }, T = struct { S s }: the circle S b T s closes only with the second use of T.
TEST(TypeCodeEndless, ThroughANeighbourIsRefused) {
  Hand hand;
  hand.kind(Kind::tk_struct).open().text("").text("S").number(2).text("a").kind(Kind::tk_sequence).open();
  const std::size_t inner = hand.here();
  hand.kind(Kind::tk_struct).open().text("").text("T").number(1).text("s").back_to(0).close();
  hand.number(0).close().text("b").back_to(inner).close();
  EXPECT_EQ(error_of(hand.bytes), errors::endless_typecode);
}

TEST(TypeCodeEndless, DiscriminatorThatNamesItself) {
  Hand hand;
  hand.kind(Kind::tk_struct).open().text("").text("S").number(2).text("a");
  const std::size_t alias = hand.here();
  hand.kind(Kind::tk_alias).open().text("").text("A").back_to(alias).close();
  hand.text("u")
      .kind(Kind::tk_union)
      .open()
      .text("")
      .text("U")
      .back_to(alias)
      .number(0xFFFFFFFF)
      .number(0)
      .close();
  hand.close();
  EXPECT_EQ(error_of(hand.bytes), errors::bad_typecode_parameters);
}

TEST(TypeCodeEndless, ValueTypeThatIsItsOwnBase) {
  Hand hand;
  hand.kind(Kind::tk_value).open().text("").text("V");
  hand.half(0).back_to(0).number(0).close();  // modifier, base, members
  EXPECT_EQ(error_of(hand.bytes), errors::endless_typecode);

  Hand member;  // but it may hold itself: null ends it
  member.kind(Kind::tk_value).open().text("").text("V").half(0).kind(Kind::tk_null).number(1);
  member.text("next").back_to(0).half(0).close();
  EXPECT_FALSE(error_of(member.bytes));
}

TEST(TypeCodeHostile, ValueTypesWithWrongParts) {
  Hand base;
  base.kind(Kind::tk_value).open().text("").text("V").half(0).kind(Kind::tk_long).number(0).close();
  EXPECT_EQ(error_of(base.bytes), errors::bad_typecode_parameters);
  Hand modifier;
  modifier.kind(Kind::tk_value).open().text("").text("V").half(4).kind(Kind::tk_null).number(0).close();
  EXPECT_EQ(error_of(modifier.bytes), errors::bad_typecode_parameters);
}

TEST(TypeCodeHostile, EveryTruncationIsAnError) {
  for (const TypeCode* type : {&twice, &choice, &by_long_long, &derived, &node_seq, &refused}) {
    const Bytes whole = written(*type, little);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_TRUE(error_of(ByteView(whole).first(size))) << size;
    }
  }
}

TEST(TypeCodeHostile, EveryOctetMayBeWrong) {
  for (const TypeCode* type : {&twice, &choice, &derived}) {
    const Bytes whole = written(*type, little);
    std::size_t refused_ones = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int value : {0, 1, 0x7F, 0xFF}) {
        Bytes bytes = whole;
        bytes[at] = static_cast<std::uint8_t>(value);
        cdr::Reader in(bytes, little);
        const TypeRef read_type = read(in);
        if (!read_type) {
          ++refused_ones;
          continue;
        }
        EXPECT_TRUE(equal(*read_whole(written(*read_type)), *read_type));
      }
    }
    EXPECT_GT(refused_ones, whole.size() / 4);
  }
}

TEST(TypeCodeHostile, DepthIsLimited) {
  const auto nested = [](unsigned depth) {
    Hand hand;
    for (unsigned i = 0; i < depth; ++i) hand.kind(Kind::tk_sequence).open();
    hand.kind(Kind::tk_octet);
    for (unsigned i = 0; i < depth; ++i) hand.number(0).close();
    return hand.bytes;
  };
  EXPECT_FALSE(error_of(nested(deepest_typecode - 1)));
  EXPECT_EQ(error_of(nested(deepest_typecode)), errors::nested_too_deep);
  EXPECT_EQ(error_of(nested(20000)), errors::nested_too_deep);
}

TEST(TypeCodeHostile, CountsAboveTheBytes) {
  Hand hand;
  hand.kind(Kind::tk_enum).open().text("").text("E").number(0x40000000).close();
  EXPECT_EQ(error_of(hand.bytes), errors::length_beyond_data);
  Hand kinds_beyond;
  kinds_beyond.number(37);
  EXPECT_EQ(error_of(kinds_beyond.bytes), errors::bad_typecode_kind);
  Hand fixed;
  fixed.number(28).number(0x00020020);
  EXPECT_EQ(error_of(fixed.bytes), errors::bad_typecode_parameters);
}

/// struct { X a; X b; } inside itself: each level has the one before twice, so values would have 2^levels parts.
TypeRef doubling(unsigned levels, const TypeCode& leaf) {
  auto graph = make_ref<TypeGraph>();
  const TypeCode* below = &leaf;
  for (unsigned i = 0; i < levels; ++i) {
    const std::span<Member> members = graph->add_members(2);
    members[0] = {"a", below};
    members[1] = {"b", below};
    TypeCode* type = graph->add_node();
    *type = struct_type("", "D", members);
    below = type;
  }
  return {*below, graph};
}

TEST(TypeCodeHostile, SharedPartsCostNoMoreThanTheirNodes) {
  const TypeRef type = doubling(100, long_type);
  const Bytes bytes = written(*type);
  ASSERT_FALSE(bytes.empty());
  EXPECT_LT(bytes.size(), 100u * 80);
  const TypeRef again = read_whole(bytes);
  ASSERT_TRUE(again);
  EXPECT_TRUE(equal(*type, *again));
  EXPECT_LT(text(*again).size(), 8192u);
  EXPECT_EQ(written(*compact(again)).size(), written(*compact(type)).size());
}

TEST(ValueHostile, TypesWithoutBytesEnd) {
  static constexpr TypeCode empty = struct_type("", "Empty", {});
  const TypeRef type = doubling(100, empty);
  const Bytes none;
  cdr::Reader in(none, little);
  skip(in, *type);
  EXPECT_EQ(in.error(), errors::length_beyond_data);

  const TypeCode many = array_type(basic(Kind::tk_null), 0xFFFFFFFF);
  cdr::Reader array_in(none, little);
  skip(array_in, many);
  EXPECT_EQ(array_in.error(), errors::length_beyond_data);
}

TEST(ValueHostile, LongArraysAreNotThere) {
  const Bytes some(64);
  // In words of 32 bits these lengths times 8 are 0 and 8.
  for (const std::uint32_t length : {0x20000000u, 0x20000001u}) {
    cdr::Reader in(some, little);
    skip(in, array_type(basic(Kind::tk_double), length));
    EXPECT_EQ(in.error(), errors::out_of_data);
  }
}

TEST(ValueHostile, DeepValuesEnd) {
  // a list of lists of lists: every level says that it has one element
  Hand list;
  list.kind(Kind::tk_sequence).open().back_to(0).number(0).close();
  const TypeRef type = read_whole(list.bytes, little);
  ASSERT_TRUE(type);
  Bytes ones;
  for (int i = 0; i < 10000; ++i) ones.insert(ones.end(), {1, 0, 0, 0});
  cdr::Reader in(ones, little);
  skip(in, *type);
  EXPECT_EQ(in.error(), errors::nested_too_deep);
}

TEST(ValueHostile, AnysInAnysEnd) {
  Bytes anys;
  for (int i = 0; i < 10000; ++i) anys.insert(anys.end(), {11, 0, 0, 0});
  cdr::Reader in(anys, little);
  read_any(in);
  EXPECT_EQ(in.error(), errors::nested_too_deep);
}

}  // namespace
}  // namespace tenon::types
