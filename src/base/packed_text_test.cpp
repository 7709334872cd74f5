// SPDX-License-Identifier: Apache-2.0
#include "base/packed_text.hpp"

#include <gtest/gtest.h>

#include <iterator>

#include "base/minor_codes.hpp"
#include "base/texts.hpp"

namespace tenon {
namespace {

constexpr std::string_view short_texts[] = {"the connection of the peer", "", "x", "~}| !"};
constexpr auto together = pack_all<short_texts>();

TEST(PackedText, IsShorterAndComesBackAsItWas) {
  EXPECT_EQ(unpacked(packed_at(together.octets, 0)), "the connection of the peer");
  EXPECT_EQ(unpacked(packed_at(together.octets, 1)), "");
  EXPECT_EQ(unpacked(packed_at(together.octets, 2)), "x");
  EXPECT_EQ(unpacked(packed_at(together.octets, 3)), "~}| !");
  EXPECT_LT(pack(short_texts[0]).size, 20u);
}

// What unpack() has room for.
TEST(PackedText, PairsReferToEarlierPairsOnly) {
  for (std::size_t i = 0; i < std::size(text_pairs); ++i) {
    if (i == text_pair_of('\0')) continue;
    for (const unsigned char octet : text_pairs[i]) {
      const std::size_t pair = text_pair_of(octet);
      EXPECT_TRUE(octet != 0 && (pair < i || pair >= std::size(text_pairs))) << i;
    }
  }
}

struct Written {
  char octets[26];
};
constexpr Written written{"-ORBServing\0\0-ORBInitRef"};
constexpr auto packed_words = pack_all<words_of<written, 3>>();

TEST(PackedText, WordsComeBackOneBehindTheOther) {
  static_assert(sizeof packed_words.octets < sizeof written.octets);
  char room[sizeof written.octets]{};
  PackedWords words{packed_words.octets, 3, room};
  const std::string_view wanted(written.octets, sizeof written.octets);
  EXPECT_EQ(std::string_view(unpacked_words(words), sizeof room), wanted);
  EXPECT_EQ(unpacked_words(words), room) << "the second time, as they are";
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
