// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes as peers write and want them that deviate from the standard (docs/compatibility.md).
#include "cdr/compatibility.hpp"

#include <gtest/gtest.h>

#include "types/compare.hpp"
#include "types/typecode_test_support.hpp"

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
  EXPECT_EQ(offsets_in(spelled_out), 1u);  // recursion cannot be said otherwise
  EXPECT_GT(spelled_out.size(), usual.size());
  const TypeRef back = read_whole(spelled_out);
  ASSERT_TRUE(back);
  EXPECT_TRUE(equal(*back, twice));
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
