// SPDX-License-Identifier: Apache-2.0
//
// Offsets that lead into another TypeCode of the same message: where they may lead, and what they may cost.
#include "types/earlier.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "types/any.hpp"
#include "types/compare.hpp"
#include "types/typecode_cdr.hpp"
#include "types/typecode_test_support.hpp"

namespace tenon::types {
namespace {

using sample::Bytes;
using sample::Hand;

constexpr cdr::WireFormat little_endian{.order = ByteOrder::little};

/// struct NAME { sequence<NAME> next; long n; } at the hand's place; returns where the sequence begins.
std::size_t put_list(Hand& hand, const std::string& name) {
  const std::size_t start = hand.here();
  hand.kind(Kind::tk_struct).open().text("IDL:" + name + ":1.0").text(name).number(2).text("next");
  const std::size_t sequence = hand.here();
  hand.kind(Kind::tk_sequence).open().back_to(start).number(0).close();
  hand.text("n").kind(Kind::tk_long).close();
  return sequence;
}

/// A struct of so many octets, about.
void put_large(Hand& hand, std::size_t octets) {
  const auto count = static_cast<std::uint32_t>(octets / 16);
  hand.kind(Kind::tk_struct).open().text("").text("Large").number(count);
  for (std::uint32_t i = 0; i < count; ++i) hand.text("abc").kind(Kind::tk_null);
  hand.close();
}

TEST(EarlierTypeCodes, AnOffsetMayStandForAWholeOne) {
  Hand hand;
  put_list(hand, "List");
  hand.number(0).number(7);  // {{}, 7}
  hand.back_to(0);           // List again
  hand.number(0).number(8);  // {{}, 8}
  hand.kind(Kind::tk_long).number(9);
  hand.back_to(0).number(1).number(0).number(3).number(4);  // {{{{}, 3}}, 4}
  cdr::Reader in(hand.bytes, little_endian);
  const Any first = read_any(in);
  const Any second = read_any(in);
  const Any third = read_any(in);
  const Any fourth = read_any(in);
  ASSERT_TRUE(in.good()) << describe(in.error());
  EXPECT_EQ(in.remaining(), 0u);
  EXPECT_TRUE(text(first).ends_with("{next = [], n = 7}")) << text(first);
  EXPECT_TRUE(text(second).ends_with("{next = [], n = 8}")) << text(second);
  EXPECT_EQ(text(third), "long 9");
  EXPECT_TRUE(text(fourth).ends_with("{next = [{next = [], n = 3}], n = 4}")) << text(fourth);
  EXPECT_TRUE(equal(*second.type(), *first.type()));
  EXPECT_EQ(fourth.type().get(), second.type().get());  // read again once
}

TEST(EarlierTypeCodes, PartsMayBeOffsets) {
  Hand hand;
  const std::size_t lists = put_list(hand, "List");
  hand.number(0).number(7);
  hand.kind(Kind::tk_struct).open().text("IDL:Pair:1.0").text("Pair").number(4);
  hand.text("a").back_to(0);      // the whole TypeCode
  hand.text("b").back_to(lists);  // a part of it, which leads to what is around it
  hand.text("c").back_to(0);
  const std::size_t end_of_pair = hand.here();
  hand.text("d").kind(Kind::tk_sequence).open().back_to(end_of_pair - 4).number(0).close();
  hand.close();
  const std::size_t broken = hand.bytes.size();
  cdr::Reader wrong(hand.bytes, little_endian);
  read_any(wrong);
  read(wrong);  // the last offset leads to one that is an offset itself
  EXPECT_EQ(wrong.error(), errors::bad_typecode_indirection);
  EXPECT_LE(wrong.position(), broken);

  Hand good;
  const std::size_t sequence = put_list(good, "List");
  good.number(0).number(7);
  good.kind(Kind::tk_struct).open().text("IDL:Pair:1.0").text("Pair").number(3);
  good.text("a").back_to(0).text("b").back_to(sequence).text("c").back_to(0).close();
  good.number(0).number(1);            // a
  good.number(1).number(0).number(2);  // b
  good.number(0).number(3);            // c
  cdr::Reader in(good.bytes, little_endian);
  read_any(in);
  const Any pair = read_any(in);
  ASSERT_TRUE(in.good()) << describe(in.error());
  EXPECT_EQ(in.remaining(), 0u);
  EXPECT_TRUE(
      text(pair).ends_with("{a = {next = [], n = 1}, b = [{next = [], n = 2}], c = {next = [], n = 3}}"))
      << text(pair);
  EXPECT_EQ(pair.type()->members[0].type, pair.type()->members[2].type);
  EXPECT_TRUE(equal(*pair.type()->members[1].type->content, *pair.type()->members[0].type));
  // By itself it needs no message around it.
  EXPECT_TRUE(equal(*sample::read_whole(sample::written(*pair.type())), *pair.type()));
}

// An Any keeps the octets of its value: offsets out of them would lead nowhere.
TEST(EarlierTypeCodes, AnAnyThatHoldsSuchAnAnyStandsByItself) {
  for (const bool nested : {false, true}) {
    Hand hand;
    put_list(hand, "List");
    hand.number(0).number(7);
    hand.kind(Kind::tk_any);
    if (nested) hand.kind(Kind::tk_any);
    hand.back_to(0).number(0).number(8);
    hand.kind(Kind::tk_TypeCode).back_to(0);
    cdr::Reader in(hand.bytes, little_endian);
    read_any(in);
    const Any outer = read_any(in);
    const Any type = read_any(in);
    ASSERT_TRUE(in.good()) << describe(in.error());
    EXPECT_EQ(in.remaining(), 0u);
    for (const Any* any : {&outer, &type}) {
      cdr::Writer out(little_endian);
      write(out, *any);
      ASSERT_TRUE(out.good());
      cdr::Reader again(out.bytes(), little_endian);
      const Any back = read_any(again);
      ASSERT_TRUE(again.good()) << describe(again.error());
      EXPECT_EQ(text(back), text(*any));
    }
    EXPECT_TRUE(text(outer).ends_with("{next = [], n = 8}")) << text(outer);
  }
}

TEST(EarlierTypeCodes, NeverLeadOutOfTheMessage) {
  const auto error_after = [](std::uint32_t offset) {
    Hand hand;
    put_list(hand, "List");
    hand.number(0).number(7).number(indirection).number(offset);
    cdr::Reader in(hand.bytes, little_endian);
    read_any(in);
    EXPECT_TRUE(in.good());
    const TypeRef type = read(in);
    EXPECT_EQ(static_cast<bool>(type), in.good());
    return in.error();
  };
  Hand size;
  put_list(size, "List");
  const auto start =
      static_cast<std::uint32_t>(0 - size.bytes.size() - 12);  // of the message, seen from the offset
  EXPECT_FALSE(error_after(start));
  for (const std::uint32_t wrong : {start - 4, start - 0x1000, 0x80000000U, 0x7FFFFFFCU, 0U, 4U, 0xFFFFFFFCU})
    EXPECT_EQ(error_after(wrong), errors::bad_typecode_indirection) << wrong;
  // To octets that are no TypeCode.
  EXPECT_EQ(error_after(start + 4), errors::bad_typecode_kind);
}

// What is in an encapsulation means the same wherever it stands, so offsets do not leave it.
TEST(EarlierTypeCodes, NeverLeadOutOfAnEncapsulation) {
  for (const bool inside : {true, false}) {
    Hand hand;
    std::size_t target = hand.here();
    put_list(hand, "List");
    hand.open();
    if (inside) {
      target = hand.here();
      put_list(hand, "List");
    }
    hand.back_to(target).close();
    cdr::Reader message(hand.bytes, little_endian);
    read(message);
    cdr::Reader in = cdr::Reader::encapsulation(message.get_octet_sequence());
    ASSERT_TRUE(message.good());
    if (inside) read(in);
    EXPECT_EQ(static_cast<bool>(read(in)), inside);
    EXPECT_EQ(in.error(), inside ? Error() : errors::bad_typecode_indirection);
  }
}

// GIOP 1.2 joins fragments to one body with one alignment; in 1.1, alignment restarts.
TEST(EarlierTypeCodes, FragmentsOf_1_1) {
  Hand hand;
  put_list(hand, "List");
  hand.number(0).number(7);
  const std::size_t cut = hand.bytes.size();
  hand.back_to(0).number(0).number(8);
  const cdr::Restart restarts[] = {{cut, 4}};
  cdr::Reader in(hand.bytes, {.giop_minor = 1, .order = ByteOrder::little}, 0, restarts);
  read_any(in);
  EXPECT_TRUE(in.good());
  read_any(in);
  EXPECT_EQ(in.error(), errors::value_in_fragments);
  cdr::Reader whole(hand.bytes, {.giop_minor = 1, .order = ByteOrder::little});
  read_any(whole);
  read_any(whole);
  EXPECT_TRUE(whole.good());
}

// An Any within a chunked value.
TEST(EarlierTypeCodes, FromOneChunkIntoAnother) {
  Hand hand;
  put_list(hand, "List");
  hand.number(0).number(7);
  hand.number(cdr::value_tag::base | cdr::value_tag::chunked);
  const std::size_t chunk = hand.here() + 4;
  Hand first;
  first.bytes.resize(chunk);
  put_list(first, "Other");
  first.number(0).number(8);
  hand.number(static_cast<std::uint32_t>(first.bytes.size() - chunk));
  hand.bytes.insert(hand.bytes.end(), first.bytes.begin() + static_cast<std::ptrdiff_t>(chunk),
                    first.bytes.end());
  hand.number(32);
  hand.back_to(0).number(0).number(1).back_to(chunk).number(0).number(2);
  hand.number(0xFFFFFFFF).number(0xABABABAB);
  cdr::Reader in(hand.bytes, little_endian);
  read_any(in);
  const cdr::ValueHeader head = in.begin_value();
  for (const char* wanted : {"n = 8}", "n = 1}", "n = 2}"}) EXPECT_TRUE(text(read_any(in)).ends_with(wanted));
  in.end_value(head, false);
  EXPECT_EQ(in.get<std::uint32_t>(), 0xABABABAB);
  EXPECT_TRUE(in.good()) << describe(in.error());
}

// Many Anys of one type share it: no more is read again than that.
TEST(EarlierTypeCodes, ManyWholeOnesCostAsMuchAsOne) {
  Hand hand;
  hand.kind(Kind::tk_struct).open().text("IDL:Some:1.0").text("Some").number(100);
  for (int i = 0; i < 100; ++i) hand.text("abc").kind(i % 4 == 0 ? Kind::tk_long : Kind::tk_octet);
  hand.close();
  const std::size_t value = 199;
  hand.bytes.resize(hand.bytes.size() + value);
  constexpr int many = 20000;
  for (int i = 0; i < many; ++i) {
    hand.back_to(0);
    hand.bytes.resize(hand.bytes.size() + value);
  }
  cdr::Reader in(hand.bytes, little_endian);
  read_any(in);
  const Any first = read_any(in);
  for (int i = 1; i < many; ++i) ASSERT_EQ(read_any(in).type().get(), first.type().get());
  EXPECT_TRUE(in.good()) << describe(in.error());
  EXPECT_EQ(in.remaining(), 0u);
}

// A large type of which values take no octets: each Any would cost its size.
TEST(EarlierTypeCodes, ManyLargeOnesWithoutValuesAreRefused) {
  Hand hand;
  put_large(hand, 64 * 1024);
  for (int i = 0; i < 20000; ++i) hand.back_to(0);
  cdr::Reader in(hand.bytes, little_endian);
  int count = 0;
  while (in.good() && in.remaining() != 0) {
    read_any(in);
    ++count;
  }
  EXPECT_EQ(in.error(), errors::too_much_sharing);
  EXPECT_LT(count, 2000);
}

// A few octets each, and each has a part that is large.
TEST(EarlierTypeCodes, ManyLargePartsAreRefused) {
  const auto read_all = [](int count) {
    Hand hand;
    put_large(hand, 16 * 1024);
    for (int i = 0; i < count; ++i) {
      hand.kind(Kind::tk_sequence).open().back_to(0).number(0).close();
      hand.number(0);
    }
    cdr::Reader in(hand.bytes, little_endian);
    while (in.good() && in.remaining() != 0) read_any(in);
    return in.error();
  };
  EXPECT_FALSE(read_all(18));
  EXPECT_EQ(read_all(5000), errors::too_much_sharing);
}

// Places a few octets apart, at each of which a TypeCode of half the message seems to begin.
TEST(EarlierTypeCodes, LargeOnesThatOverlapAreRefused) {
  constexpr std::uint32_t places = 2000;
  Hand hand;
  // Each is a bounded string to those who read on from the front: a sequence's kind, a length, an encapsulation whose content is next.
  for (std::uint32_t i = 0; i < places; ++i)
    hand.kind(Kind::tk_sequence).number(8 * places).number(1).kind(Kind::tk_octet);
  hand.bytes.resize(hand.bytes.size() + std::size_t{8} * places);
  const std::size_t first = hand.here();
  for (std::uint32_t i = 0; i < places; ++i) hand.back_to(std::size_t{16} * i);
  cdr::Reader in(hand.bytes, little_endian);
  in.get_octets(first);
  std::uint32_t read_again = 0;
  while (in.good() && in.remaining() != 0 && read(in)) ++read_again;
  EXPECT_EQ(in.error(), errors::too_much_sharing);
  EXPECT_LT(read_again, places);
}

// Each is an alias of the one before: no type may become deeper than one that is written out.
TEST(EarlierTypeCodes, DepthIsLimited) {
  Hand hand;
  std::size_t before = hand.here();
  hand.kind(Kind::tk_alias).open().text("").text("A").kind(Kind::tk_long).close();
  std::size_t count = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::size_t here = hand.here();
    hand.kind(Kind::tk_alias).open().text("").text("A").back_to(before).close();
    before = here;
  }
  cdr::Reader in(hand.bytes, little_endian);
  while (in.good() && in.remaining() != 0 && read(in)) ++count;
  EXPECT_EQ(in.error(), errors::nested_too_deep);
  EXPECT_GT(count, 32u);
  EXPECT_LE(count, deepest_typecode);
}

// The search for a union's discriminator goes through aliases of another TypeCode.
TEST(EarlierTypeCodes, MayBeADiscriminator) {
  Hand hand;
  for (int i = 0; i < 8; ++i) hand.kind(Kind::tk_alias).open().text("").text("A");
  hand.kind(Kind::tk_long);
  for (int i = 0; i < 8; ++i) hand.close();
  hand.kind(Kind::tk_union).open().text("").text("U").back_to(0).number(0xFFFFFFFF).number(1);
  hand.number(5).text("x").kind(Kind::tk_long).close();
  cdr::Reader in(hand.bytes, little_endian);
  read(in);
  const TypeRef type = read(in);
  ASSERT_TRUE(in.good()) << describe(in.error());
  EXPECT_EQ(type->members[0].label, 5u);
}

}  // namespace
}  // namespace tenon::types
