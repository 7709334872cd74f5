// SPDX-License-Identifier: Apache-2.0
#include "base/packed_text.hpp"

#include <gtest/gtest.h>

#include <iterator>

#include "base/minor_codes.hpp"
#include "base/texts.hpp"

namespace tenon {
namespace {

constexpr std::string_view short_texts[] = {"the connection of the peer", "", "x", "~}| \t\n"};
constexpr auto together = pack_all<short_texts>();

TEST(PackedText, IsShorterAndComesBackAsItWas) {
  EXPECT_EQ(unpacked(packed_at(together.octets, 0)), "the connection of the peer");
  EXPECT_EQ(unpacked(packed_at(together.octets, 1)), "");
  EXPECT_EQ(unpacked(packed_at(together.octets, 2)), "x");
  EXPECT_EQ(unpacked(packed_at(together.octets, 3)), "~}| \t\n");
  EXPECT_LT(pack(short_texts[0]).size, 20u);
}

// What unpack() has room for.
TEST(PackedText, PairsReferToEarlierPairsOnly) {
  for (std::size_t i = 0; i < std::size(text_pairs); ++i) {
    for (const unsigned char octet : text_pairs[i]) {
      EXPECT_TRUE(octet != 0 && octet < first_text_pair + i) << i;
    }
  }
}

TEST(PackedText, EachMinorCodeMeansWhatItsRowSays) {
  use_texts();
  for (const MinorCode* row = begin_minor_codes(); row != end_minor_codes(); ++row) {
    const Error error{row->id, Completion::no, row->code};
    EXPECT_EQ(describe(error), row->text) << row->name;
    // The same number of another exception, or of another vendor, means nothing.
    EXPECT_EQ(describe({SystemException::thread_cancelled, Completion::no, row->code}), "");
    EXPECT_EQ(describe({row->id, Completion::no, row->code ^ 0x10000}), "");
  }
  EXPECT_EQ(describe({SystemException::unknown, Completion::no, 0}), "");
  EXPECT_EQ(describe({SystemException::unknown, Completion::no, omg_vmcid | 0xFFF}), "");
}

}  // namespace
}  // namespace tenon
