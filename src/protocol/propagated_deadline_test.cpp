// SPDX-License-Identifier: Apache-2.0
//
// Deadlines that travel: hand-made octets of the service context, there and back, and what is malformed.
#include "protocol/propagated_deadline.hpp"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

using Octets = std::vector<std::uint8_t>;

TEST(PropagatedDeadline, IsAListOfPolicies) {
  // CORBA 3.4 part 1 §17.2: a sequence of PolicyValue; RequestPriority (25) comes before ReplyEndTimePolicy. The time is the first of
  // January 1970, which has passed.
  const Octets big = {
      0,    0,    0,    0,    0,    0,    0,    2,                 // two policies
      0,    0,    0,    25,   0,    0,    0,    4,    0, 0, 0, 1,  // of another type
      0,    0,    0,    30,   0,    0,    0,    24,                // ReplyEndTimePolicy: an encapsulated UtcT
      0,    0,    0,    0,    0,    0,    0,    0,                 // big-endian
      0x01, 0xB2, 0x1D, 0xD2, 0x13, 0x81, 0x40, 0x00,              // 100 ns since 15 October 1582
      0,    0,    0,    0,    0,    0,    0,    0};                // inaccuracy, time zone
  EXPECT_EQ(decode_deadline(big), Deadline::at(1));
  // The same in another order of bytes, and far ahead: the year 11000 or so.
  const Octets little = {1, 0, 0, 0, 1, 0, 0, 0, 30, 0, 0, 0,    24, 0, 0, 0, 1, 0, 0, 0,
                         0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0x24, 0,  0, 0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(decode_deadline(little).expired());
}

TEST(PropagatedDeadline, ThereAndBack) {
  const Deadline sent = Deadline::after_ms(100'000);
  const Deadline got = decode_deadline(encode_deadline(sent));
  EXPECT_FALSE(got.is_never());
  // The wall clock is read twice in between.
  EXPECT_LT(std::abs(got.ns() - sent.ns()), 50'000'000'000);
  EXPECT_TRUE(deadline_at(utc_of(Deadline::immediately())).expired());
}

TEST(PropagatedDeadline, WhatIsMalformedSaysNothing) {
  const auto whole = encode_deadline(Deadline::after_ms(1000));
  for (std::size_t size = 0; size + 8 < whole.size(); ++size) {
    EXPECT_TRUE(decode_deadline(ByteView(whole).first(size)).is_never()) << size;
  }
  EXPECT_TRUE(decode_deadline(Octets{0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}).is_never());
}

}  // namespace
}  // namespace tenon::protocol
