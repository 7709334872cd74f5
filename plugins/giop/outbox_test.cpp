// SPDX-License-Identifier: Apache-2.0
//
// The outbox by itself, without a connection. Buffered oneways of a connection: oneways_test.cpp.
#include "outbox.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "giop.hpp"
#include "giop/control.hpp"
#include "giop/request.hpp"
#include "scripted_transport_test_support.hpp"

namespace tenon::giop {
namespace {

using Sent = Outbox::Sent;

class OutboxTest : public testing::Test {
 protected:
  OutboxTest() { enable_fragments(); }

  /// A finished request with that id and so many octets.
  static cdr::Writer request(std::uint32_t id, std::size_t octets = 0) {
    cdr::Writer writer({.giop_minor = 2});
    static constexpr std::uint8_t key[] = {'k'};
    begin_plain_request(writer, {id, Response::none, key, "note"}, true);
    writer.put_octets(Octets(octets, 0x55));
    finish_message(writer);
    return writer;
  }
  Outbox::Outcome send(std::uint32_t id, std::size_t octets = 0, Deadline deadline = Deadline::never()) {
    cdr::Writer writer = request(id, octets);
    return outbox.send(writer, MessageType::request, 2, deadline);
  }
  Outbox::Outcome buffer(std::uint32_t id, Deadline& remind_at) {
    const cdr::Writer writer = request(id);
    return outbox.send_or_buffer(writer, limits, Deadline::never(), remind_at);
  }
  /// The id of the next request that was sent.
  std::uint32_t next() {
    const Octets message = script.next_sent();
    return message.size() < header_size + 4 ? 0xFFFFFFFF
                                            : load<std::uint32_t>(message.data() + header_size, false);
  }

  static constexpr protocol::Buffering limits{.time_ns = 1'000'000'000, .messages = 0, .octets = 64 * 1024};
  Script script;
  LifeCycle life;
  Outbox outbox{script, life, 0, 30000, nullptr};
};

TEST_F(OutboxTest, WhatIsBufferedGoesFirst) {
  Deadline remind_at;
  EXPECT_FALSE(outbox.may_hold_some());
  EXPECT_EQ(buffer(2, remind_at).sent, Sent::all);
  EXPECT_FALSE(remind_at.is_never());
  Deadline again;
  EXPECT_EQ(buffer(4, again).sent, Sent::all);
  EXPECT_TRUE(again.is_never()) << "one reminder is on its way";
  EXPECT_EQ(script.sent_octets(), 0u);
  EXPECT_EQ(send(6).sent, Sent::all);
  EXPECT_EQ(script.sends(), 1u);
  for (const std::uint32_t id : {2u, 4u, 6u}) EXPECT_EQ(next(), id);
  EXPECT_EQ(outbox.drop(), 0u);
}

/// A message of 200 blocks that are lent, with small values between them.
class ManyBlocks {
 public:
  ManyBlocks() {
    writer.allow_lending(true);
    static constexpr std::uint8_t key[] = {'k'};
    begin_plain_request(writer, {2, Response::none, key, "note"}, true);
    for (std::uint32_t i = 0; i < 200; ++i) {
      writer.put(i);
      writer.put_octet_sequence(ByteView(block_).subspan(i));
    }
    finish_message(writer);
  }

 private:
  const Octets block_ = [] {
    Octets octets(cdr::Writer::borrow_from + 200);
    for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<std::uint8_t>(i);
    return octets;
  }();

 public:
  cdr::Writer writer{{.giop_minor = 2}};
};

TEST_F(OutboxTest, AMessageOfManyPiecesGoesInSteps) {
  ManyBlocks many;
  const Octets whole = many.writer.copy();
  EXPECT_EQ(outbox.send(many.writer, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  EXPECT_EQ(script.next_sent(), whole);
  EXPECT_EQ(script.sends(), 4u);  // of 128 pieces at most
}

TEST_F(OutboxTest, AMessageOfManyPiecesGoesBehindWhatIsBuffered) {
  Deadline remind_at;
  ASSERT_EQ(buffer(4, remind_at).sent, Sent::all);
  ManyBlocks many;
  const Octets whole = many.writer.copy();
  EXPECT_EQ(outbox.send(many.writer, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  EXPECT_EQ(next(), 4u);
  EXPECT_EQ(script.next_sent(), whole);
}

TEST_F(OutboxTest, AMessageOfManyPiecesIsBuffered) {
  Deadline remind_at;
  ManyBlocks many;
  const Octets whole = many.writer.copy();
  const protocol::Buffering room{.time_ns = 0, .messages = 0, .octets = 2 << 20};
  ASSERT_EQ(outbox.send_or_buffer(many.writer, room, Deadline::never(), remind_at).sent, Sent::all);
  EXPECT_EQ(script.sends(), 0u);
  EXPECT_EQ(outbox.flush(Deadline::never()).sent, Sent::all);
  EXPECT_EQ(script.next_sent(), whole);
}

TEST_F(OutboxTest, AMessageOfManyPiecesIsCut) {
  ManyBlocks many;
  const Octets whole = many.writer.copy();
  // Each fragment has more pieces than are handed on together.
  Outbox small{script, life, 600'000, 0, nullptr};
  EXPECT_EQ(small.send(many.writer, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  Assembler assembler;
  Assembled joined;
  Result<Joined> state = Joined::pending;
  while (state && *state == Joined::pending) {
    const Octets fragment = script.next_sent();
    ASSERT_GE(fragment.size(), header_size);
    EXPECT_LE(fragment.size(), 600'000u);
    const HeaderResult header = parse_header(fragment.data(), 0xFFFFFFFF);
    ASSERT_TRUE(header);
    state = assembler.add(*header, ByteView(fragment).subspan(header_size), joined);
  }
  ASSERT_TRUE(state);
  EXPECT_EQ(Octets(joined.bytes.data(), joined.bytes.data() + joined.header.total()), whole);
}

TEST_F(OutboxTest, AReminderSendsWhatIsDue) {
  Deadline remind_at;
  const cdr::Writer writer = request(2);
  EXPECT_EQ(
      outbox
          .send_or_buffer(writer, {.time_ns = 1, .messages = 0, .octets = 1024}, Deadline::never(), remind_at)
          .sent,
      Sent::all);
  while (!remind_at.expired()) std::this_thread::yield();
  script.stick(true);
  Deadline again;
  const Outbox::Outcome stuck = outbox.reminded(again);
  EXPECT_TRUE(stuck.timed_out);
  EXPECT_FALSE(again.is_never());
  script.stick(false);
  while (!again.expired()) std::this_thread::yield();
  again = Deadline::never();
  EXPECT_EQ(outbox.reminded(again).sent, Sent::all);
  EXPECT_TRUE(again.is_never());
  EXPECT_EQ(next(), 2u);
}

TEST_F(OutboxTest, NothingGoesOutBehindTheEnd) {
  Deadline remind_at;
  EXPECT_EQ(buffer(2, remind_at).sent, Sent::all);
  EXPECT_EQ(buffer(4, remind_at).sent, Sent::all);
  EXPECT_TRUE(life.close());
  EXPECT_EQ(send(6).sent, Sent::nothing);
  EXPECT_EQ(buffer(8, remind_at).sent, Sent::nothing);
  EXPECT_EQ(outbox.send_control(message_error(2)).sent, Sent::nothing);
  EXPECT_EQ(script.sent_octets(), 0u);
  EXPECT_EQ(outbox.flush(Deadline::never()).sent, Sent::all) << "what was handed over before is sent";
  EXPECT_EQ(outbox.send_control(close_connection(2), Outbox::Courtesy::last).sent, Sent::all);
  EXPECT_EQ(next(), 2u);
  EXPECT_EQ(next(), 4u);
  EXPECT_EQ(script.next_sent().at(7), static_cast<std::uint8_t>(MessageType::close_connection));
}

TEST_F(OutboxTest, WhatCannotBeSentIsCounted) {
  Deadline remind_at;
  EXPECT_EQ(buffer(2, remind_at).sent, Sent::all);
  EXPECT_EQ(buffer(4, remind_at).sent, Sent::all);
  script.break_sends();
  EXPECT_FALSE(outbox.flush_now());
  const Outbox::Outcome failed = outbox.flush(Deadline::never());
  EXPECT_EQ(failed.sent, Sent::nothing);
  EXPECT_EQ(failed.os_error, EPIPE);
  EXPECT_TRUE(life.lose());
  EXPECT_EQ(outbox.drop(), 2u);
  EXPECT_EQ(outbox.drop(), 0u);
}

TEST_F(OutboxTest, SendersWaitForEachOtherUntilTheirDeadline) {
  script.stick(true);
  std::thread first([&] { EXPECT_EQ(send(2).sent, Sent::all); });
  ASSERT_TRUE(script.wait_for_sender());
  const Outbox::Outcome late = send(4, 0, Deadline::after_ms(1));
  EXPECT_EQ(late.sent, Sent::nothing);
  EXPECT_TRUE(late.timed_out);
  EXPECT_EQ(outbox.send_control(message_error(2), Outbox::Courtesy::no_wait).sent, Sent::nothing);
  script.stick(false);
  first.join();
  EXPECT_EQ(next(), 2u);
  EXPECT_EQ(script.sent_octets(), 0u);
}

TEST_F(OutboxTest, CutsWhatIsAboveTheLimit) {
  Outbox cutting(script, life, 1024, 0, nullptr);
  cdr::Writer writer = request(2, 3000);
  EXPECT_EQ(cutting.send(writer, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  EXPECT_EQ(script.next_sent().at(7), static_cast<std::uint8_t>(MessageType::request));
  unsigned fragments = 0;
  for (bool more = true; more; ++fragments) {
    const Octets message = script.next_sent();
    ASSERT_GE(message.size(), header_size);
    EXPECT_EQ(message[7], static_cast<std::uint8_t>(MessageType::fragment));
    more = (message[6] & 2) != 0;
  }
  EXPECT_GE(fragments, 2u);
}

/// Takes one octet at a time, and notes until when it may wait for that.
class Slow final : public protocol::Transport {
 public:
  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override {
    until.push_back(deadline);
    return gather.empty() ? protocol::Transfer(protocol::Io::failed, 0, EINVAL)
                          : protocol::Transfer(protocol::Io::ok, 1, 0);
  }
  protocol::Transfer receive(MutableBytes, Deadline) override { return {protocol::Io::closed, 0, 0}; }
  bool wait(Deadline) override { return true; }
  void set_timeouts(std::uint32_t, std::uint32_t) override {}
  void shut_down() noexcept override {}
  std::string peer() const override { return "slow"; }
  std::string local() const override { return "a test"; }

  std::vector<Deadline> until;
};

TEST_F(OutboxTest, NoStepOfAMessageWaitsWithoutATimeOut) {
  Slow slow;
  Outbox patient{slow, life, 0, 1000, nullptr};
  const auto waits_for_ever = [](const Deadline& each) { return each.is_never(); };
  cdr::Writer small = request(2, 100);
  EXPECT_EQ(patient.send(small, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  ASSERT_EQ(slow.until.size(), small.size());
  EXPECT_TRUE(slow.until.front().is_immediate()) << "nothing is waited for before there is a time for it";
  EXPECT_TRUE(std::ranges::none_of(slow.until, waits_for_ever));
  slow.until.clear();
  cdr::Writer large = request(4, 70'000);
  EXPECT_EQ(patient.send(large, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  EXPECT_TRUE(std::ranges::none_of(slow.until, waits_for_ever));
}

struct NoOther {
  static bool only_one() { return true; }
};

TEST_F(OutboxTest, ACallHasOneEndHoweverManyStepsItsRequestTakes) {
  Slow slow;
  protocol::ConnectionLimits of_calls;
  of_calls.receive_timeout_ms = 1000;
  Outbox patient{slow, life, 0, 30000, nullptr};
  for (const std::size_t octets : {std::size_t{100}, std::size_t{70'000}}) {
    slow.until.clear();
    cdr::Writer message = request(2, octets);
    Outbox::Outcome outcome;
    std::int64_t end_ns = 0;
    ASSERT_TRUE(patient.send_if(NoOther(), outcome, message, MessageType::request, 2, Deadline::never(),
                                of_calls, end_ns));
    EXPECT_EQ(outcome.sent, Sent::late);
    const Deadline end = Deadline::at(end_ns);
    EXPECT_EQ(std::ranges::count(slow.until, end) + (slow.until.front().is_immediate() ? 1 : 0),
              std::ssize(slow.until));
  }
  // It was the call's alone.
  slow.until.clear();
  cdr::Writer oneway = request(4, 100);
  EXPECT_EQ(patient.send(oneway, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  EXPECT_GT(slow.until.back(), Deadline::after_ms(10'000));
  // Nor has it a part in a call that has a deadline of its own.
  slow.until.clear();
  cdr::Writer hurried = request(6, 100);
  Outbox::Outcome outcome;
  std::int64_t end_ns = 0;
  const Deadline by = Deadline::after_ms(5000);
  ASSERT_TRUE(patient.send_if(NoOther(), outcome, hurried, MessageType::request, 2, by, of_calls, end_ns));
  EXPECT_EQ(outcome.sent, Sent::all);
  EXPECT_EQ(end_ns, 0);
  EXPECT_EQ(std::ranges::count(slow.until, by), std::ssize(slow.until));
}

TEST_F(OutboxTest, WithoutATimeOutAMessageMayTakeAnyTime) {
  Slow slow;
  Outbox outbox_for_ever{slow, life, 0, 0, nullptr};
  cdr::Writer small = request(2, 100);
  EXPECT_EQ(outbox_for_ever.send(small, MessageType::request, 2, Deadline::never()).sent, Sent::all);
  EXPECT_TRUE(slow.until.back().is_never());
}

}  // namespace
}  // namespace tenon::giop
