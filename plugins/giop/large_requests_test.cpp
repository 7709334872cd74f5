// SPDX-License-Identifier: Apache-2.0
//
// Requests above the limit: their octets are dropped as they come, an exception answers them, and the connection goes on.
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "giop/reply.hpp"
#include "plugins/giop/giop.hpp"
#include "serving_connection_test_support.hpp"

namespace tenon::giop {
namespace {

/// Serves until something else than waiting happens.
protocol::Served served_at_last(Connection& connection, protocol::Dispatcher& dispatcher) {
  protocol::Served served = protocol::Served::idle;
  while (served == protocol::Served::idle) served = connection.serve(dispatcher, Deadline::immediately());
  return served;
}

/// The id of a request, if this is the reply that it is above the limit.
std::uint32_t refused_id(const Octets& octets) {
  const HeaderResult parsed = parse_header(octets.data(), UINT32_MAX);
  EXPECT_TRUE(parsed);
  const CheckedHeader& header = *parsed;
  EXPECT_EQ(header->type, MessageType::reply);
  cdr::Reader reader(ByteView(octets).subspan(header_size),
                     {.giop_minor = header->minor, .order = header->order}, body_phase);
  ReplyHeader head;
  EXPECT_TRUE(read_reply(reader, head));
  EXPECT_EQ(head.status, ReplyStatus::system_exception);
  EXPECT_EQ(read_system_exception(reader).error, errors::giop_message_too_large);
  EXPECT_EQ(errors::giop_message_too_large.completed, Completion::no);
  return head.request_id;
}

class LargeRequests : public ServingConnection {
 protected:
  LargeRequests() {
    enable_complaints();
    options.limits.largest_message = 100'000;
    options.memory = std::make_shared<protocol::MemoryBudget>(std::size_t{300'000});
  }
  Keeper keeper;
};

// Its octets are dropped as they come, and the connection goes on with the message behind it.
TEST_F(LargeRequests, AreAnswered) {
  connect();
  Octets stream = request(2, std::size_t{8} << 20);
  const Octets next = request(4, 10);
  stream.insert(stream.end(), next.begin(), next.end());
  script->give(stream);
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::message);
  EXPECT_EQ(refused_id(script->next_sent()), 2u);
  EXPECT_TRUE(keeper.kept.empty());
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::detached);
  EXPECT_EQ(keeper.kept.size(), 1u);
  EXPECT_TRUE(connection->usable());
  keeper.kept.clear();
  // What ends the connection later is something else.
  const Octets reply = [] {
    cdr::Writer writer({.giop_minor = 2});
    begin_reply(writer, {.request_id = 1});
    finish_message(writer);
    return Octets(writer.bytes().begin(), writer.bytes().end());
  }();
  script->give(reply);
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::closed);
  EXPECT_EQ(connection->complaint(), describe(errors::unexpected_message));
  connection.reset();
  EXPECT_EQ(options.memory->used(), 0u);
}

TEST_F(LargeRequests, AreAnsweredThatComeSlowly) {
  connect();
  const Octets whole = request(2, 200'000);
  for (std::size_t at = 0; at < whole.size(); at += 777) {
    script->give(ByteView(whole).subspan(at, std::min<std::size_t>(777, whole.size() - at)));
    if (at + 777 >= whole.size()) break;
    while (!script->is_empty())
      ASSERT_EQ(connection->serve(keeper, Deadline::immediately()), protocol::Served::idle);
    ASSERT_LE(options.memory->used(), std::size_t{200'000});
  }
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::message);
  EXPECT_EQ(refused_id(script->next_sent()), 2u);
  script->give(request(4, 10));
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::detached);
  keeper.kept.clear();
}

TEST_F(LargeRequests, AreAnsweredThatComeInFragments) {
  connect();
  give_in_fragments(request(2, std::size_t{8} << 20));
  script->give(request(4, 10));
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::message);
  EXPECT_EQ(refused_id(script->next_sent()), 2u);
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::detached);
  keeper.kept.clear();
  connection.reset();
  EXPECT_EQ(options.memory->used(), 0u);
}

/// The message as a request of `first` octets and a Fragment with all the rest; `first`: a multiple of 8.
Octets in_two(const Octets& message, std::size_t first) {
  Octets both(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(first));
  both[6] |= 2;
  const auto first_size = static_cast<std::uint32_t>(first - header_size);
  std::memcpy(both.data() + 8, &first_size, sizeof first_size);
  Octets start(header_size + 4);
  write_header(start.data(), {.type = MessageType::fragment,
                              .size = static_cast<std::uint32_t>(4 + message.size() - first)});
  std::memcpy(start.data() + header_size, message.data() + header_size, 4);
  both.insert(both.end(), start.begin(), start.end());
  both.insert(both.end(), message.begin() + static_cast<std::ptrdiff_t>(first), message.end());
  return both;
}

// omniORB sends large arguments so: one fragment alone may be above the limit.
TEST_F(LargeRequests, OneFragmentAloneMayBeTooLarge) {
  const Octets large = request(2, std::size_t{1} << 20);
  for (const std::size_t first :
       {std::size_t{512}, std::size_t{60'000}, std::size_t{800'000}, large.size() / 8 * 8 - 8}) {
    connect();
    script->give(in_two(large, first));
    script->give(request(4, 10));
    EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::message) << first;
    EXPECT_EQ(refused_id(script->next_sent()), 2u);
    EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::detached) << first;
    keeper.kept.clear();
    connection.reset();
    EXPECT_EQ(options.memory->used(), 0u);
  }
}

TEST_F(LargeRequests, AFragmentOfNothingEndsTheConnection) {
  connect();
  Octets fragment(beginning_size);
  write_header(fragment.data(), {.type = MessageType::fragment, .size = 1u << 20});
  script->give(fragment);
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::closed);
  EXPECT_NE(connection->complaint().find("larger than the limit"), std::string::npos);
}

TEST_F(LargeRequests, OfOlderVersionsAreAnsweredToo) {
  for (const std::uint8_t minor : {std::uint8_t{0}, std::uint8_t{1}}) {
    connect();
    cdr::Writer writer({.giop_minor = minor, .order = ByteOrder::big});
    RequestOut head{.request_id = 7, .operation = "keep"};
    head.target.key = served_key;
    begin_request(writer, head);
    writer.put_octets(Octets(200'000, 0x5A));
    finish_message(writer);
    script->give(writer.bytes());
    EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::message);
    EXPECT_EQ(refused_id(script->next_sent()), 7u);
  }
}

TEST_F(LargeRequests, OfOnewaysAreDropped) {
  connect();
  cdr::Writer writer({.giop_minor = 2});
  RequestOut head{.request_id = 2, .response = Response::none, .operation = "keep"};
  head.target.key = served_key;
  begin_request(writer, head);
  writer.put_octets(Octets(200'000, 0x5A));
  finish_message(writer);
  script->give(writer.bytes());
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::message);
  EXPECT_EQ(script->sends(), 0u);
  EXPECT_TRUE(connection->usable());
}

// Only the beginning of what is no request is read.
TEST_F(LargeRequests, ThatAreNoneEndTheConnection) {
  connect();
  Octets none = request(2, std::size_t{1} << 20);
  std::fill(none.begin() + header_size, none.end(), std::uint8_t{0xEE});
  none.resize(beginning_size);
  script->give(none);
  EXPECT_EQ(served_at_last(*connection, keeper), protocol::Served::closed);
  EXPECT_EQ(script->next_sent().at(7), static_cast<std::uint8_t>(MessageType::message_error));
  EXPECT_NE(connection->complaint().find("larger than the limit"), std::string::npos);
}

TEST_F(LargeRequests, WhosePeerStopsEndTheConnection) {
  options.limits.message_timeout_ms = 20;
  connect();
  Octets part = request(2, std::size_t{1} << 20);
  part.resize(17'000);
  script->give(part);
  const std::int64_t by = steady_now() + 20'000'000'000;
  protocol::Served served = protocol::Served::idle;
  while (served == protocol::Served::idle && steady_now() < by)
    served = connection->serve(keeper, Deadline::after_ms(10'000));
  EXPECT_EQ(served, protocol::Served::closed);
  EXPECT_FALSE(connection->usable());
}

}  // namespace
}  // namespace tenon::giop
