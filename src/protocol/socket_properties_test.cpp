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
  const std::string text = text_of(all);
  EXPECT_EQ(text, "send_buffer=65536,receive_buffer=131072,keep_alive=0,dont_route=1,no_delay=0");
  const SocketProperties read = read_socket_properties(text);
  EXPECT_EQ(text_of(read), text);
  EXPECT_EQ(read.buffers_or({1, 2}).send, 65536U);
  EXPECT_EQ(SocketProperties().buffers_or({1, 2}).receive, 2U);
}

TEST(SocketProperties, WhatIsNoneIsPassedOver) {
  const SocketProperties read = read_socket_properties(
      ",ring=4096,=,no_delay,no_delay=,keep_alive=2,send_buffer=-1,receive_buffer=99999999999,"
      "dont_route=1x,send_buffer=7,");
  EXPECT_EQ(text_of(read), "send_buffer=7");
}

}  // namespace
}  // namespace tenon::protocol
