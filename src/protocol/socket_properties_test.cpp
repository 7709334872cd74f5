// SPDX-License-Identifier: Apache-2.0
#include "protocol/socket_properties.hpp"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

TEST(SocketProperties, AreTheSameAfterTheirText) {
  SocketProperties all;
  EXPECT_EQ(text_of(all), "");
  all.buffers = {65536, 131072};
  all.keep_alive = false;
  all.dont_route = true;
  all.no_delay = false;
  all.dscp = 46;
  all.pacing = 5'000'000'000;
  const std::string text = text_of(all);
  EXPECT_EQ(text,
            "send_buffer=65536,receive_buffer=131072,keep_alive=0,dont_route=1,no_delay=0,dscp=46,"
            "pacing=5000000000");
  const SocketProperties read = read_socket_properties(text);
  EXPECT_EQ(text_of(read), text);
  EXPECT_EQ(read.pacing, std::uint64_t{5'000'000'000});
  EXPECT_EQ(read.buffers_or({1, 2}).send, 65536U);
  EXPECT_EQ(SocketProperties().buffers_or({1, 2}).receive, 2U);
}

TEST(SocketProperties, WhatIsNoneIsPassedOver) {
  const SocketProperties read = read_socket_properties(
      ",ring=4096,=,no_delay,no_delay=,keep_alive=2,send_buffer=-1,receive_buffer=99999999999,"
      "dont_route=1x,dscp=64,dscp=4294967296,pacing=999,pacing=9223372036854775808,pacing=-1,pacing=1M,"
      "pacing=18446744073709551616,send_buffer=7,");
  EXPECT_EQ(text_of(read), "send_buffer=7");
}

TEST(SocketProperties, NoLimitIsNotTheSameAsNothingSaid) {
  EXPECT_EQ(read_socket_properties("pacing=0").pacing, std::uint64_t{0});
  EXPECT_EQ(text_of(read_socket_properties("pacing=0")), "pacing=0");
  EXPECT_EQ(read_socket_properties("dscp=46").pacing, std::nullopt);
  EXPECT_EQ(text_of(read_socket_properties("pacing=9223372036854775807")), "pacing=9223372036854775807");
}

}  // namespace
}  // namespace tenon::protocol
