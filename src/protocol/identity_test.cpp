// SPDX-License-Identifier: Apache-2.0
#include "protocol/identity.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tenon::protocol {
namespace {

TEST(Identity, OfAUnixSocketIsWhatTheKernelSays) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  Identity who;
  EXPECT_TRUE(identify_unix_peer(ends[0], who));
  EXPECT_TRUE(who);
  EXPECT_EQ(who.kind, "unix");
  EXPECT_EQ(who["uid"], std::to_string(::geteuid()));
  EXPECT_EQ(who["gid"], std::to_string(::getegid()));
  EXPECT_EQ(who["pid"], std::to_string(::getpid()));
  EXPECT_EQ(who["subject"], "");
  EXPECT_EQ(who.text(), "unix uid=" + std::to_string(::geteuid()) + " gid=" + std::to_string(::getegid()) +
                            " pid=" + std::to_string(::getpid()));
  ::close(ends[0]);
  ::close(ends[1]);
}

// Linux answers for any socket, with the ids of nobody.
TEST(Identity, OfATcpSocketIsUnknown) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(socket, 0);
  Identity who;
  EXPECT_FALSE(identify_unix_peer(socket, who));
  EXPECT_FALSE(who);
  EXPECT_EQ(who.text(), "unknown");
  ::close(socket);
  EXPECT_FALSE(identify_unix_peer(socket, who));
}

TEST(Identity, OfThisProcess) {
  Identity who{.kind = "other", .attributes = {{"uid", "0"}}};
  identify_this_process(who);
  EXPECT_EQ(who.kind, "self");
  EXPECT_EQ(who.attributes.size(), 3U);
  EXPECT_EQ(who["pid"], std::to_string(::getpid()));
}

}  // namespace
}  // namespace tenon::protocol
