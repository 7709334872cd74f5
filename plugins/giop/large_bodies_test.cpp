// SPDX-License-Identifier: Apache-2.0
//
// Where the octets of large messages lie: what is sent stays with its owner (ConnectionLimits::copy_below), and what is received is read
// to where it stays.
#include <gtest/gtest.h>

#include "calling_connection_test_support.hpp"
#include "receiver.hpp"

namespace tenon::giop {
namespace {

// --- sent ---

class LargeBodies : public ConnectionTest {
 protected:
  /// Posts a oneway with these octets. Where it would begin to lend.
  std::size_t post(ByteView octets) {
    const protocol::CallSpec spec{.operation = "take", .response_expected = false};
    protocol::OutgoingCall out(spec);
    EXPECT_TRUE(connection->begin(out, plain_target));
    const std::size_t from = out.arguments->lends_from();
    out.arguments->put_octet_sequence(octets);
    EXPECT_EQ(out.arguments->contiguous(), octets.size() < from);
    EXPECT_TRUE(connection->post(out));
    connection->end(out);
    const Octets message = script->next_sent();
    EXPECT_GE(message.size(), octets.size());
    if (message.size() >= octets.size()) {
      EXPECT_TRUE(std::equal(octets.rbegin(), octets.rend(), message.rbegin()));
    }
    return from;
  }
};

TEST_F(LargeBodies, AreLentFromTheUsualSizeOn) {
  connect();
  // The first call agrees on code sets and shares the connection; the others are alone.
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(post(Octets(4095, 1)), 4096u);
    EXPECT_EQ(post(Octets(4096, 1)), 4096u);
  }
}

TEST_F(LargeBodies, AreLentFromTheSizeOfTheOptions) {
  for (const std::uint32_t below : {0u, 64u, 100'000u, UINT32_MAX}) {
    options.limits.copy_below = below;
    connect();
    for (const std::size_t size : {1u, 63u, 64u, 99'999u, 100'000u}) EXPECT_EQ(post(Octets(size, 1)), below);
  }
}

// --- received ---

/// A stream whose octets have all come; notes to where each part is received.
class Stream final : public protocol::Transport {
 public:
  struct Part {
    const std::uint8_t* to;
    std::size_t at;  // in the stream
    std::size_t size;
  };
  explicit Stream(Octets octets) : octets_(std::move(octets)) {}

  protocol::Transfer send(std::span<const cdr::Piece>, Deadline) override {
    return {protocol::Io::failed, 0, 0};
  }
  protocol::Transfer receive(MutableBytes into, Deadline) override {
    const std::size_t size = std::min(into.size(), octets_.size() - at_);
    if (size == 0) return {protocol::Io::closed, 0, 0};
    std::memcpy(into.data(), octets_.data() + at_, size);
    parts.push_back({into.data(), at_, size});
    at_ += size;
    return {protocol::Io::ok, size, 0};
  }
  bool wait(Deadline) override { return true; }
  void set_timeouts(std::uint32_t, std::uint32_t) override {}
  void shut_down() noexcept override {}
  std::string peer() const override { return "a stream"; }
  std::string local() const override { return "a test"; }

  std::vector<Part> parts;

 private:
  const Octets octets_;
  std::size_t at_ = 0;
};

Octets reply_with(std::size_t octets) {
  cdr::Writer writer({.giop_minor = 2});
  begin_reply(writer, {.request_id = 2});
  writer.put_octet_sequence(Octets(octets, 5));
  finish_message(writer);
  return {writer.bytes().begin(), writer.bytes().end()};
}

// The first receive brings the header and what comes with it, 8 KiB at most. Its octets move to the buffer for all of the message; the
// rest, all but these, is received where it stays.
TEST(ReceivedBodies, AreReadToWhereTheyStay) {
  for (const std::size_t size : {std::size_t{20'000}, std::size_t{300'000}, std::size_t{1} << 20}) {
    const Octets message = reply_with(size);
    Octets twice = message;
    twice.insert(twice.end(), message.begin(), message.end());
    Stream stream(twice);
    Receiver receiver(stream, {});
    std::size_t seen = 0;
    for (const std::size_t begin : {std::size_t{0}, message.size()}) {
      ASSERT_EQ(receiver.next(Deadline::never()), Arrival::message) << size;
      const Message& came = receiver.message();
      ASSERT_EQ(came.body.size(), message.size() - header_size);
      EXPECT_EQ(came.body[came.body.size() - 1], 5);
      const std::uint8_t* const start = came.body.data() - header_size;
      std::size_t moved = 0;
      for (; seen < stream.parts.size(); ++seen) {
        const Stream::Part& part = stream.parts[seen];
        if (part.to != start + (part.at - begin)) moved += part.size;
      }
      EXPECT_LE(moved, Buffer::small) << size;
      receiver.consume();
    }
    EXPECT_LE(stream.parts.size(), 6u) << size;
  }
}

}  // namespace
}  // namespace tenon::giop
