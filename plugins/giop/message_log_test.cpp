// SPDX-License-Identifier: Apache-2.0
//
// Message logs: each message is shown once, whole and in order, however it is cut on its way; nothing is changed on the way; nothing is
// traced unless tracing is enabled.
#include "message_log.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "base/log.hpp"
#include "giop.hpp"
#include "giop/control.hpp"
#include "giop/reply.hpp"
#include "scripted_transport_test_support.hpp"

namespace tenon::giop {
namespace {

class Traced : public testing::Test {
 protected:
  Traced() {
    set_log_level(LogLevel::trace);
    set_log_sink(&keep, this);
    auto inner = std::make_unique<Script>();
    script = inner.get();
    transport = traced(std::move(inner));
    lines.clear();
  }
  ~Traced() override {
    transport.reset();
    set_log_level(LogLevel::off);
    set_log_sink(nullptr, nullptr);
  }
  static void keep(void* self, LogLevel level, std::string_view component, std::string_view text) {
    Traced& test = *static_cast<Traced*>(self);
    EXPECT_EQ(level, LogLevel::trace);
    EXPECT_EQ(component, "giop");
    const std::lock_guard lock(test.mutex);
    test.lines.emplace_back(text);
  }
  void send(ByteView octets) {
    const cdr::Piece piece{octets.data(), octets.size()};
    EXPECT_EQ(transport->send({&piece, 1}, Deadline::never()).bytes, octets.size());
  }
  Octets receive(std::size_t most) {
    Octets octets(most);
    octets.resize(transport->receive(octets, Deadline::never()).bytes);
    return octets;
  }
  /// Line `index` begins with `start`.
  void expect_line(std::size_t index, const std::string& start) {
    ASSERT_GT(lines.size(), index);
    EXPECT_EQ(lines[index].substr(0, start.size()), start);
  }

  Script* script = nullptr;
  std::unique_ptr<protocol::Transport> transport;
  std::mutex mutex;
  std::vector<std::string> lines;
};

Octets logged_request(std::uint32_t id, std::size_t body) {
  cdr::Writer writer;
  constexpr std::uint8_t key[] = {'k'};
  begin_request(writer, {.request_id = id, .target = by_key(key), .operation = "work"});
  writer.put_octets(Octets(body, 0xAB));
  finish_message(writer);
  const ByteView bytes = writer.bytes();
  return {bytes.begin(), bytes.end()};
}

TEST_F(Traced, MessagesAreShownWholeHoweverTheyAreCut) {
  Octets stream = logged_request(7, 8);
  const HeaderOnly closing = close_connection(2);
  stream.insert(stream.end(), closing.begin(), closing.end());
  for (const std::uint8_t octet : stream) send({&octet, 1});
  ASSERT_EQ(lines.size(), 2U);
  expect_line(0, "-> a script: GIOP 1.2 Request 7, 'work' of object 1 octet, 'k', reply wanted, ");
  EXPECT_NE(lines[0].find("\n000000  47 49 4f 50 "), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find(" ab ab ab ab"), std::string::npos);
  EXPECT_FALSE(lines[0].ends_with('\n'));
  expect_line(1, "-> a script: GIOP 1.2 CloseConnection, 12 octets, ");
  send(stream);
  EXPECT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[2], lines[0]);
}

TEST_F(Traced, WhatComesIsHandedOnUnchanged) {
  const Octets first = logged_request(1, 0);
  const Octets second = logged_request(2, 100);
  script->give(first);
  script->give(second);
  Octets came = receive(first.size() + 5);
  EXPECT_EQ(lines.size(), 1U);
  const Octets rest = receive(1000);
  came.insert(came.end(), rest.begin(), rest.end());
  Octets all = first;
  all.insert(all.end(), second.begin(), second.end());
  EXPECT_EQ(came, all);
  ASSERT_EQ(lines.size(), 2U);
  expect_line(0, "<- a script: GIOP 1.2 Request 1, ");
  expect_line(1, "<- a script: GIOP 1.2 Request 2, ");
}

TEST_F(Traced, LongMessagesAreCutWhereTheyAreShown) {
  send(logged_request(3, 100'000));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LT(lines[0].size(), 30'000U);
  EXPECT_TRUE(lines[0].ends_with(" octets more")) << lines[0].substr(lines[0].size() - 100);
  send(logged_request(4, 0));
  expect_line(1, "-> a script: GIOP 1.2 Request 4, ");
}

TEST_F(Traced, WhatIsNoGiopIsShownOnce) {
  const std::string text = "GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n";
  script->give({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  EXPECT_EQ(receive(1000).size(), text.size());
  ASSERT_EQ(lines.size(), 1U);
  expect_line(0, "<- a script: no GIOP: COMM_FAILURE");
  EXPECT_NE(lines[0].find("|GET / HTTP/1.1.."), std::string::npos) << lines[0];
  script->give({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  EXPECT_EQ(receive(1000).size(), text.size());
  EXPECT_EQ(lines.size(), 1U);
}

TEST_F(Traced, AMessageThatNeverEndsIsShownAtTheEnd) {
  Octets half = logged_request(9, 50);
  half.resize(half.size() - 20);
  send(half);
  EXPECT_TRUE(lines.empty());
  transport.reset();
  ASSERT_EQ(lines.size(), 2U);
  expect_line(1, "-> a script: GIOP 1.2 Request 9, ");
}

TEST(Untraced, ConnectionsAreNotTracedWhereNobodyWantsIt) {
  set_log_level(LogLevel::debug);
  auto inner = std::make_unique<Script>();
  Script* const script = inner.get();
  const auto plain = *make_messaging()->connect(std::move(inner), protocol::Role::originator, {});
  EXPECT_EQ(&plain->transport(), script);
  set_log_level(LogLevel::trace);
  set_log_sink([](void*, LogLevel, std::string_view, std::string_view) {}, nullptr);
  auto other = std::make_unique<Script>();
  const protocol::Transport* const bare = other.get();
  const auto traced = *make_messaging()->connect(std::move(other), protocol::Role::originator, {});
  EXPECT_NE(&traced->transport(), bare);
  EXPECT_EQ(traced->transport().peer(), "a script");
  set_log_level(LogLevel::off);
  set_log_sink(nullptr, nullptr);
}

}  // namespace
}  // namespace tenon::giop
