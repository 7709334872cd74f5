// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes in the forms that are written and expected by peers that deviate from the standard (docs/compatibility.md).
#include "cdr/compatibility.hpp"

#include <gtest/gtest.h>

#include "types/compare.hpp"
#include "types/typecode_test_support.hpp"
#include "types/walker.hpp"

namespace tenon::types {
namespace {

using namespace sample;

class CompatibleTypeCodes : public ::testing::Test {
 protected:
  ~CompatibleTypeCodes() override {
    cdr::compatibility().typecodes_without_offsets = false;
    cdr::compatibility().typecodes_without_aliases = false;
  }
  static std::size_t offsets_in(const Bytes& bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
      count += load<std::uint32_t>(bytes.data() + at, false) == indirection ? 1 : 0;
    }
    return count;
  }
};

TEST_F(CompatibleTypeCodes, AreWrittenTwiceWithoutOffsets) {
  // `first`, `more` and `second` all hold a Card; the tree holds itself.
  const Bytes usual = written(twice);
  cdr::compatibility().typecodes_without_offsets = true;
  const Bytes spelled_out = written(twice);
  EXPECT_EQ(offsets_in(usual), 3u);
  EXPECT_EQ(offsets_in(spelled_out), 1u);  // recursion has no other form
  EXPECT_GT(spelled_out.size(), usual.size());
  const TypeRef back = read_whole(spelled_out);
  ASSERT_TRUE(back);
  EXPECT_TRUE(equal(*back, twice));
}

// TAO's servers look for the target of an offset among these kinds alone.
TEST_F(CompatibleTypeCodes, OnlyWhatTaoFollowsIsReferredTo) {
  static constexpr Member names[] = {{"clubs"}, {"hearts"}};
  static constexpr TypeCode colour = enum_type("IDL:Colour:1.0", "Colour", names);
  static constexpr TypeCode thing = named_type(Kind::tk_objref, "IDL:Thing:1.0", "Thing");
  static constexpr TypeCode shape = named_type(Kind::tk_abstract_interface, "IDL:Shape:1.0", "Shape");
  static constexpr TypeCode colours = sequence_type(colour);
  static constexpr TypeCode few = array_type(colour, 3);
  static constexpr TypeCode box = box_type("IDL:Box:1.0", "Box", colour);
  static constexpr Member one_member[] = {{"x", &colour}};
  static constexpr TypeCode record = struct_type("IDL:Record:1.0", "Record", one_member);
  static constexpr TypeCode name = alias_type("IDL:Name:1.0", "Name", colours);
  static constexpr TypeCode value = value_type("IDL:Value:1.0", "Value", Modifier::none, nullptr, one_member);
  const auto offsets_of_pair = [&](const TypeCode& part) {
    const Member both[] = {{"a", &part}, {"b", &part}};
    const TypeCode pair = struct_type("IDL:Pair:1.0", "Pair", both);
    const Bytes bytes = written(pair);
    const TypeRef back = read_whole(bytes);
    EXPECT_TRUE(back && equal(*back, pair)) << text(part);
    return offsets_in(bytes);
  };
  for (const TypeCode* full : {&colour, &thing, &shape, &colours, &few, &box})
    EXPECT_EQ(offsets_of_pair(*full), 0u) << text(*full);
  for (const TypeCode* again : {&record, &name, &value})
    EXPECT_EQ(offsets_of_pair(*again), 1u) << text(*again);
}

// A few octets may refer to a large enum many times: the message must not become large.
TEST_F(CompatibleTypeCodes, WhatIsWrittenInFullAgainIsBounded) {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("enumerator_" + std::to_string(i));
  std::vector<Member> enumerators;
  for (const std::string& name : names) enumerators.push_back({name});
  const TypeCode large = enum_type("IDL:Large:1.0", "Large", enumerators);
  const std::size_t once = written(large).size();
  const std::vector<Member> members(1000, Member{"m", &large});
  const TypeCode many = struct_type("IDL:Many:1.0", "Many", members);
  const Bytes bytes = written(many);
  EXPECT_GT(bytes.size(), 2 * once);
  EXPECT_LT(bytes.size(), once + 64 * 1024 + 1000 * 32);
  const TypeRef back = read_whole(bytes);
  EXPECT_TRUE(back && equal(*back, many));
}

TEST_F(CompatibleTypeCodes, AreWrittenWithoutAliases) {
  cdr::compatibility().typecodes_without_aliases = true;
  EXPECT_EQ(written(hand), written(cards));
  EXPECT_EQ(written(amount), written(fixed_7_3));
  const TypeRef inside = read_whole(written(twice));
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->members[1].type->kind, Kind::tk_sequence);
  EXPECT_FALSE(equal(*inside, twice));
  EXPECT_TRUE(equivalent(*inside, twice));
  const TypeRef recursive = read_whole(written(node_seq));
  ASSERT_TRUE(recursive);
  EXPECT_TRUE(equivalent(*recursive, node_seq));
}

// An offset that does not count the padding before it: three octets too far back, at most.
TEST_F(CompatibleTypeCodes, OffsetsThatForgetPaddingAreRoundedUp) {
  for (const std::uint32_t wrong : {1u, 2u, 3u}) {
    Bytes bytes = written(node);
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 4) {
      if (load<std::uint32_t>(bytes.data() + at, false) != indirection) continue;
      store(bytes.data() + at + 4, load<std::uint32_t>(bytes.data() + at + 4, false) - wrong, false);
    }
    EXPECT_NE(bytes, written(node));
    const TypeRef back = read_whole(bytes);
    ASSERT_TRUE(back) << wrong;
    EXPECT_TRUE(equal(*back, node)) << wrong;
  }
}

}  // namespace
}  // namespace tenon::types
