// SPDX-License-Identifier: Apache-2.0
//
// The service context of bidirectional IIOP, against octets written by hand.
#include "ior/listen_points.hpp"

#include <gtest/gtest.h>

namespace tenon::ior {
namespace {

// Big-endian, as any peer may send it: one point, "host", port 2809.
constexpr std::uint8_t by_hand[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 'h', 'o', 's', 't', 0, 0, 0x0A, 0xF9};

TEST(ListenPoints, AreReadFromEitherByteOrder) {
  const auto read = parse_listen_points(by_hand, 10);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front(), (IiopAddress{"host", 2809}));
}

TEST(ListenPoints, ComeBackAsWritten) {
  const std::vector<IiopAddress> points{{"10.0.0.1", 1}, {"::1", 65535}, {"a name", 0}};
  const auto read = parse_listen_points(make_listen_points(points), 10);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, points);
  EXPECT_EQ(parse_listen_points(make_listen_points(points), 2)->size(), 2u);
  EXPECT_TRUE(parse_listen_points(make_listen_points({}), 2)->empty());
}

TEST(ListenPoints, CutShortAreAnError) {
  for (std::size_t length = 0; length < sizeof by_hand; ++length)
    EXPECT_FALSE(parse_listen_points({by_hand, length}, 10)) << length;
}

}  // namespace
}  // namespace tenon::ior
