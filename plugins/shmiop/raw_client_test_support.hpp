// SPDX-License-Identifier: Apache-2.0
//
// A client that sends whatever it likes, and a listening place for it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "net/connect.hpp"
#include "plugins/shmiop/hello.hpp"
#include "plugins/shmiop/plugin.hpp"
#include "plugins/shmiop/shared_transport.hpp"
#include "plugins/shmiop/shmiop.hpp"

namespace tenon::shmiop {

inline std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

/// The socket, connected to an abstract name.
inline net::Descriptor raw_connection(const std::string& address) {
  std::string why;
  int os_error = 0;
  return net::connect_to_path(*net::unix_address(address, why), Deadline::after_ms(10'000), os_error);
}

/// A message with these octets and descriptors.
inline bool send_raw(int socket, const void* octets, std::size_t size, const std::vector<int>& descriptors) {
  iovec text{const_cast<void*>(octets), size};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(16 * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    const std::size_t all = descriptors.size() * sizeof(int);
    message.msg_control = ancillary;
    message.msg_controllen = CMSG_SPACE(all);
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(all);
    std::memcpy(CMSG_DATA(rights), descriptors.data(), all);
  }
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

/// A memfd of this size with these seals.
inline net::Descriptor raw_memory(std::size_t size, int seals, unsigned flags = MFD_ALLOW_SEALING) {
  net::Descriptor memory(::memfd_create("raw", MFD_CLOEXEC | flags));
  EXPECT_EQ(::ftruncate(memory.get(), static_cast<off_t>(size)), 0);
  EXPECT_TRUE(seals == 0 || ::fcntl(memory.get(), F_ADD_SEALS, seals) == 0);
  return memory;
}

inline constexpr int right_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
inline constexpr std::size_t right_size = control_octets + 2 * std::size_t{least_ring};

/// A server's end of a connection to a client that a test plays, over a pair of sockets.
struct RawPair {
  explicit RawPair(SharedTransport::Settings settings = {}, std::uint32_t ring_octets = least_ring)
      : ring_octets_(ring_octets) {
    int both[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both), 0);
    client.reset(both[0]);
    server = std::make_unique<SharedTransport>(net::Descriptor(both[1]), "raw client", settings);
    server->set_timeouts(20'000, 20'000);
  }
  /// The client's end, as it should be.
  void greet() {
    net::Descriptor memory;
    segment = Segment::make(ring_octets_, memory);
    ASSERT_TRUE(segment);
    segment.to_server().control->reader.store(polled);
    Hello hello;
    hello.ring_octets = ring_octets_;
    ASSERT_EQ(send_hello(client.get(), hello, memory.get()), 0);
    EXPECT_FALSE(server->wait(Deadline::immediately()));  // it looks
  }

  net::Descriptor client;
  Segment segment;
  std::unique_ptr<SharedTransport> server;

 private:
  const std::uint32_t ring_octets_;
};

}  // namespace tenon::shmiop
