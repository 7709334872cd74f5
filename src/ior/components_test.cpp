// SPDX-License-Identifier: Apache-2.0
// The component that offers operation numbers: octets by hand, round trips, and malformed ones, which count as missing.
#include "ior/components.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ior/iiop_profile.hpp"

namespace tenon::ior {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Components = std::vector<TaggedComponent>;

const OperationNumbers offer{{'x', '7', 'Q', 'z'}, {{0x0102030405060708, 12}, {0xF1F2F3F4F5F6F7F8, 0}}};

const Bytes offer_bytes = {
    0,    'x',  '7',  'Q',  'z',  0,    0,    0,     // big-endian, the check, padding
    0,    0,    0,    2,                             // two interfaces
    1,    2,    3,    4,    5,    6,    7,    8,     // fingerprint
    0,    12,   0,    0,                             // first number; padding
    0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,  // fingerprint
    0,    0,                                         // first number
};

std::optional<OperationNumbers> read_offer(Bytes data) {
  return read_operation_numbers({{tag_operation_numbers, std::move(data)}});
}

TEST(OperationNumbersComponent, IsTheseOctets) {
  EXPECT_EQ(read_offer(offer_bytes), offer);
  Bytes little = offer_bytes;
  for (const auto& [at, size] : {std::pair{8, 4}, {12, 4}, {16, 4}, {20, 2}, {24, 4}, {28, 4}, {32, 2}})
    std::reverse(little.begin() + at, little.begin() + at + size);
  little[0] = 1;
  EXPECT_EQ(read_offer(little), offer);
  const TaggedComponent made = operation_numbers_component(offer.check, offer.interfaces);
  EXPECT_EQ(made.tag, 0x544e4f01u);
  EXPECT_EQ(made.data, native_order == ByteOrder::little ? little : offer_bytes);
}

TEST(OperationNumbersComponent, AnswersByFingerprint) {
  EXPECT_EQ(offer.find(0x0102030405060708)->first, 12);
  EXPECT_EQ(offer.find(0xF1F2F3F4F5F6F7F8)->first, 0);
  EXPECT_EQ(offer.find(0x0102030405060709), nullptr);
}

TEST(OperationNumbersComponent, MalformedIsNone) {
  EXPECT_FALSE(read_operation_numbers({}));
  EXPECT_FALSE(read_operation_numbers({{tag_orb_type, offer_bytes}}));
  for (std::size_t size = 0; size < offer_bytes.size(); ++size)
    EXPECT_FALSE(
        read_offer(Bytes(offer_bytes.begin(), offer_bytes.begin() + static_cast<std::ptrdiff_t>(size))));
  Bytes longer = offer_bytes;
  longer.push_back(0);
  EXPECT_FALSE(read_offer(longer));
  for (const char bad : {'\0', '.', '\'', '\x7F', '\xFF'}) {
    Bytes other = offer_bytes;
    other[3] = static_cast<std::uint8_t>(bad);
    EXPECT_FALSE(read_offer(other));
  }
  Bytes none(offer_bytes.begin(), offer_bytes.begin() + 12);
  none[11] = 0;
  EXPECT_FALSE(read_offer(none));
  Bytes huge = offer_bytes;
  huge[8] = 0xFF;
  EXPECT_FALSE(read_offer(huge));
}

TEST(OperationNumbersComponent, IsBounded) {
  std::vector<InterfaceNumbers> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].fingerprint = i;
  const TaggedComponent made = operation_numbers_component(offer.check, many);
  const auto read_back = read_offer(made.data);
  ASSERT_TRUE(read_back);
  EXPECT_EQ(read_back->interfaces.size(), OperationNumbers::most_interfaces);
  EXPECT_NE(read_back->find(63), nullptr);
  EXPECT_EQ(read_back->find(64), nullptr);
  // One entry more than may be, by hand.
  Bytes more = {0, 'a', 'a', 'a', 'a', 0, 0, 0, 0, 0, 0, 65};
  more.resize(12 + 65 * 12 - 2);
  EXPECT_FALSE(read_offer(more));
  more[11] = 64;
  more.resize(12 + 64 * 12 - 2);
  EXPECT_TRUE(read_offer(more));
}

TEST(OperationNumbersComponent, IsKeptOctetForOctetInAProfile) {
  Bytes odd = offer_bytes;
  odd.push_back(7);  // is not understood, but must be kept
  const IiopProfile profile{
      2, {"host.example", 2809}, {1, 2, 3}, {{tag_operation_numbers, odd}, orb_type_component()}};
  const auto again = parse_iiop_profile(make_iiop_profile(profile).data);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->components, profile.components);
}

}  // namespace
}  // namespace tenon::ior
