// SPDX-License-Identifier: Apache-2.0
#include "net/pacing.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <gtest/gtest.h>

#include "net/descriptor.hpp"
#include "net/pacing_test_support.hpp"

namespace tenon::net {
namespace {

TEST(Pacing, IsThatOfTheSocketUntilItIsTakenAway) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!pacing_of(socket.get())) GTEST_SKIP() << "the system does not tell";
  EXPECT_EQ(pacing_of(socket.get()), unpaced);
  pace(socket.get(), 10'000'000);
  EXPECT_EQ(pacing_of(socket.get()), 10'000'000UL);
  pace(socket.get(), 5'000'000'000);  // beyond 32 bits
  EXPECT_EQ(pacing_of(socket.get()), sizeof(long) == 8 ? static_cast<unsigned long>(5'000'000'000) : unpaced);
  pace(socket.get(), least_pacing);
  EXPECT_EQ(pacing_of(socket.get()), least_pacing);
  pace(socket.get(), 0);
  EXPECT_EQ(pacing_of(socket.get()), unpaced);
}

template <typename Address>
void expect_accepted_ones_have_it(Address address) {
  const Descriptor listener(
      ::socket(reinterpret_cast<sockaddr&>(address).sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!pacing_of(listener.get())) GTEST_SKIP() << "the system does not tell";
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener.get(), any, size) != 0) GTEST_SKIP() << "no such address here";
  ASSERT_EQ(::listen(listener.get(), 4), 0);
  ASSERT_EQ(::getsockname(listener.get(), any, &size), 0);
  pace(listener.get(), 123'456'789);  // as endpoints get it, which listen by then
  const Descriptor client(::socket(any->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::connect(client.get(), any, size), 0);
  const Descriptor accepted(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  EXPECT_EQ(pacing_of(accepted.get()), 123'456'789UL);
  EXPECT_EQ(pacing_of(client.get()), unpaced);
}

TEST(Pacing, OfASocketThatListensIsThatOfAcceptedOnes) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  expect_accepted_ones_have_it(four);
}

TEST(Pacing, OfASocketThatListensIsThatOfAcceptedOnesOfIpv6) {
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_addr = IN6ADDR_LOOPBACK_INIT;
  expect_accepted_ones_have_it(six);
}

TEST(Pacing, MakesNoSenseBelowAThousandOrAsANegativeNumber) {
  EXPECT_TRUE(is_pacing(0));
  EXPECT_FALSE(is_pacing(1));
  EXPECT_FALSE(is_pacing(999));
  EXPECT_TRUE(is_pacing(1000));
  EXPECT_TRUE(is_pacing(INT64_MAX));
  EXPECT_FALSE(is_pacing(static_cast<std::uint64_t>(-1)));
}

}  // namespace
}  // namespace tenon::net
