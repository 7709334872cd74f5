// SPDX-License-Identifier: Apache-2.0
//
// How many system calls a message takes: over a socket that keeps the boundaries of what was sent, each is a record.
#include "plugins/stream/stream_transport.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

namespace tenon::stream {
namespace {

/// The sizes of the records that a message of so many octets, in pieces of at most so many, comes as.
std::vector<std::size_t> records_of(std::size_t octets, std::size_t piece) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  StreamTransport transport{net::Descriptor(ends[0]), "the test"};
  const net::Descriptor peer(ends[1]);
  std::vector<std::uint8_t> message(octets);
  for (std::size_t i = 0; i < octets; ++i) message[i] = static_cast<std::uint8_t>(i % 251);
  std::vector<cdr::Piece> gather;
  for (std::size_t at = 0; at < octets; at += piece)
    gather.push_back({message.data() + at, std::min(piece, octets - at)});
  EXPECT_EQ(transport.send(gather, Deadline::after_ms(20000)).bytes, octets);
  transport.shut_down();
  std::vector<std::size_t> sizes;
  std::vector<std::uint8_t> came(octets + 1);
  std::size_t whole = 0;
  for (ssize_t size = 0; (size = ::recv(peer.get(), came.data() + whole, came.size() - whole, 0)) > 0;) {
    sizes.push_back(static_cast<std::size_t>(size));
    whole += sizes.back();
  }
  came.resize(whole);
  EXPECT_EQ(came, message);
  return sizes;
}

TEST(StreamTransport, WhatFitsIntoASegmentGoesWithOneCall) {
  constexpr std::size_t most = StreamTransport::most_at_once;
  for (const std::size_t piece : {most, std::size_t{1000}, std::size_t{40000}}) {
    EXPECT_EQ(records_of(most, piece), std::vector<std::size_t>{most}) << piece;
    EXPECT_EQ(records_of(64056, piece), std::vector<std::size_t>{64056}) << piece;
  }
}

TEST(StreamTransport, TheFirstPartOfMoreGoesByItself) {
  constexpr std::size_t more = StreamTransport::most_at_once + 1;
  for (const std::size_t piece : {more, std::size_t{1000}, std::size_t{40000}}) {
    EXPECT_EQ(records_of(more, piece),
              (std::vector<std::size_t>{StreamTransport::first_part, more - StreamTransport::first_part}))
        << piece;
  }
}

}  // namespace
}  // namespace tenon::stream
