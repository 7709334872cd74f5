// SPDX-License-Identifier: Apache-2.0
//
// Requests and replies that are sent while they are being written (ConnectionLimits::fragment_above), and what the peer gets when one of
// them fails after its first fragments have gone.
#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "calling_connection_test_support.hpp"
#include "giop.hpp"
#include "giop/fragments.hpp"

namespace tenon::giop {
namespace {

constexpr std::size_t fragment_size = 1024;

/// Joins what was sent until a message is whole; counts its fragments.
struct JoinedMessage {
  Assembled message;
  std::size_t fragments = 0;
};

CheckedHeader header_of(const Octets& octets) {
  const HeaderResult header = parse_header(octets.data(), 1u << 30);
  EXPECT_TRUE(header);
  return header ? *header : CheckedHeader();
}

std::string next_text(cdr::Reader& from) {
  std::string text;
  from.get_string(text);
  return text;
}

JoinedMessage join(Script& script) {
  JoinedMessage joined;
  Assembler assembler;
  while (true) {
    const Octets octets = script.next_sent();
    if (octets.empty()) {
      ADD_FAILURE() << "no message";
      return joined;
    }
    ++joined.fragments;
    EXPECT_LE(octets.size(), fragment_size);
    const auto added = assembler.add(
        header_of(octets), {octets.data() + header_size, octets.size() - header_size}, joined.message);
    if (!added) {
      ADD_FAILURE() << describe(added.error());
      return joined;
    }
    if (*added == Joined::complete) return joined;
  }
}

Octets list_request(std::uint32_t id, Response response = Response::target) {
  cdr::Writer writer({.giop_minor = 2});
  RequestOut head{.request_id = id, .response = response, .operation = "list"};
  head.target.key = key_octets;
  begin_request(writer, head);
  finish_message(writer);
  return {writer.bytes().begin(), writer.bytes().end()};
}

/// Replies with `count` strings, then as `then` says.
class Lister final : public protocol::Dispatcher {
 public:
  explicit Lister(Script*& script) : script_(script) {}
  void dispatch(protocol::IncomingCall& call) override {
    std::unique_ptr<protocol::IncomingCall> taken;
    if (takes) taken = call.take();
    protocol::IncomingCall& answered = takes ? *taken : call;
    cdr::Writer& out = answered.begin_reply(protocol::ReplyStatus::no_exception);
    out.put_length(count);
    for (std::uint32_t i = 0; i < count; ++i) out.put_string(text);
    sent_before_end = script_->sent_octets();
    capacity = out.capacity();
    if (then == Then::drops) return;
    if (then == Then::fails) {
      out.put_string(std::string_view("a\0b", 3));
      EXPECT_FALSE(out.good());
      cdr::write_system_exception(
          answered.begin_reply_with(protocol::ReplyStatus::system_exception, {}, true), out.error());
    }
    EXPECT_EQ(bool(answered.finish_reply()), then == Then::ends);
  }
  protocol::LocateStatus locate(ByteView, ior::Ior&) override {
    return protocol::LocateStatus::unknown_object;
  }

  enum class Then { ends, fails, drops };
  Then then = Then::ends;
  bool takes = false;
  std::uint32_t count = 1000;
  std::string text = "a string of thirty characters.";
  std::size_t sent_before_end = 0;
  std::size_t capacity = 0;

 private:
  Script*& script_;
};

class RepliesInParts : public testing::Test {
 protected:
  RepliesInParts() {
    enable_fragments();
    enable_kept_requests();
    options.limits.fragment_above = fragment_size;
    auto transport = std::make_unique<Script>();
    script = transport.get();
    connection = make_ref<BidirectionalConnection>(std::move(transport), protocol::Role::acceptor, options);
  }
  protocol::Served serve(Response response = Response::target) {
    script->give(list_request(id += 2, response));
    return connection->serve(lister, Deadline::never());
  }
  void expect_list() {
    const JoinedMessage joined = join(*script);
    ASSERT_EQ(joined.message.header->type, MessageType::reply);
    cdr::Reader body(joined.message.body(), {.giop_minor = 2}, body_phase);
    ReplyHeader head;
    ASSERT_TRUE(read_reply(body, head));
    EXPECT_EQ(head.request_id, id);
    EXPECT_EQ(head.status, ReplyStatus::no_exception);
    EXPECT_EQ(body.get<std::uint32_t>(), lister.count);
    for (std::uint32_t i = 0; i < lister.count; ++i) ASSERT_EQ(next_text(body), lister.text);
    EXPECT_TRUE(body.good());
    EXPECT_EQ(body.remaining(), 0u);
    EXPECT_GE(joined.fragments, joined.message.bytes.capacity() / fragment_size / 4);
  }

  protocol::MessagingOptions options;
  Script* script = nullptr;
  Ref<Connection> connection;
  Lister lister{script};
  std::uint32_t id = 0;
};

TEST_F(RepliesInParts, GoOutWhileTheyAreWritten) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(serve(), protocol::Served::message);
    EXPECT_GT(lister.sent_before_end, 30'000u);
    EXPECT_LE(lister.capacity, Buffer::capacity_for(2 * fragment_size));
    expect_list();
  }
}

TEST_F(RepliesInParts, TheSmallOnesStayWhole) {
  lister.count = 10;
  EXPECT_EQ(serve(), protocol::Served::message);
  EXPECT_EQ(lister.sent_before_end, 0u);
  const Octets octets = script->next_sent();
  EXPECT_FALSE(header_of(octets)->more_fragments);
  EXPECT_EQ(header_of(octets)->type, MessageType::reply);
  lister.count = 1000;
  EXPECT_EQ(serve(), protocol::Served::message);
  expect_list();
}

TEST_F(RepliesInParts, OfTakenCallsToo) {
  lister.takes = true;
  EXPECT_EQ(serve(), protocol::Served::detached);
  EXPECT_GT(lister.sent_before_end, 30'000u);
  expect_list();
  lister.takes = false;
  EXPECT_EQ(serve(), protocol::Served::message);
  expect_list();
}

// The client finds that results are missing, which is MARSHAL; its next call is served.
TEST_F(RepliesInParts, OneThatFailsIsCutOff) {
  for (const bool takes : {false, true}) {
    for (const Lister::Then then : {Lister::Then::fails, Lister::Then::drops}) {
      if (then == Lister::Then::drops && !takes) continue;
      lister.takes = takes;
      lister.then = then;
      serve();
      const JoinedMessage joined = join(*script);
      cdr::Reader body(joined.message.body(), {.giop_minor = 2}, body_phase);
      ReplyHeader head;
      ASSERT_TRUE(read_reply(body, head));
      EXPECT_EQ(head.status, ReplyStatus::no_exception);
      EXPECT_EQ(body.get<std::uint32_t>(), lister.count);
      for (std::uint32_t i = 0; i <= lister.count && body.good(); ++i) {
        if (i < lister.count - 40) {
          ASSERT_EQ(next_text(body), lister.text);
        } else {
          (void)next_text(body);
        }
      }
      EXPECT_EQ(body.error().id, SystemException::marshal);
      EXPECT_TRUE(connection->usable());
      EXPECT_EQ(script->sent_octets(), 0u);
      lister.takes = false;
      lister.then = Lister::Then::ends;
      serve();
      expect_list();
    }
  }
}

TEST_F(RepliesInParts, NothingIsSentForRequestsWithoutReply) {
  EXPECT_EQ(serve(Response::none), protocol::Served::message);
  EXPECT_EQ(script->sent_octets(), 0u);
  EXPECT_EQ(serve(Response::server), protocol::Served::message);
  const Octets early = script->next_sent();
  EXPECT_FALSE(header_of(early)->more_fragments);
  EXPECT_EQ(script->sent_octets(), 0u);
  EXPECT_EQ(serve(), protocol::Served::message);
  expect_list();
}

TEST_F(RepliesInParts, ALostConnectionEndsTheWriting) {
  script->break_sends();
  lister.then = Lister::Then::fails;  // it expects an error
  EXPECT_EQ(serve(), protocol::Served::closed);
  EXPECT_FALSE(connection->usable());
}

class RequestsInParts : public ConnectionTest {
 protected:
  RequestsInParts() {
    enable_fragments();
    options.limits.fragment_above = fragment_size;
    connect();
  }
  void put_list(protocol::OutgoingCall& out, std::uint32_t count = 1000) {
    out.arguments->put_length(count);
    for (std::uint32_t i = 0; i < count; ++i) out.arguments->put_string("a string of thirty characters.");
  }
  void expect_list(std::uint32_t& id, std::uint32_t count = 1000) {
    const JoinedMessage joined = join(*script);
    ASSERT_EQ(joined.message.header->type, MessageType::request);
    cdr::Reader body(joined.message.body(), {.giop_minor = 2}, body_phase);
    RequestHeader head;
    ASSERT_TRUE(read_request(body, head));
    id = head.request_id;
    EXPECT_EQ(body.get<std::uint32_t>(), count);
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(next_text(body), "a string of thirty characters.");
    EXPECT_TRUE(body.good());
    EXPECT_EQ(body.remaining(), 0u);
  }

  const protocol::CallSpec spec{.operation = "work"};
};

TEST_F(RequestsInParts, GoOutWhileTheyAreWritten) {
  for (int i = 0; i < 3; ++i) {
    protocol::OutgoingCall out(spec);
    ASSERT_TRUE(connection->begin(out, plain_target));
    put_list(out);
    EXPECT_GT(script->sent_octets(), 30'000u);
    EXPECT_LE(out.arguments->capacity(), Buffer::capacity_for(2 * fragment_size));
    auto peer = std::async(std::launch::async, [this] {
      std::uint32_t id = 0;
      expect_list(id);
      script->give(reply(id, 5));
    });
    ASSERT_TRUE(connection->invoke(out));
    EXPECT_EQ(out.reply->get<std::int32_t>(), 5);
    connection->end(out);
    peer.get();
    EXPECT_EQ(script->sent_octets(), 0u);
  }
}

TEST_F(RequestsInParts, OnewaysToo) {
  const protocol::CallSpec oneway{.operation = "work",
                                  .response_expected = false,
                                  .sync = protocol::Sync::none,
                                  .buffering = {.octets = 1 << 20}};
  protocol::OutgoingCall out(oneway);
  ASSERT_TRUE(connection->begin(out, plain_target));
  put_list(out);
  EXPECT_GT(script->sent_octets(), 30'000u);
  ASSERT_TRUE(connection->post(out));
  connection->end(out);
  std::uint32_t id = 0;
  expect_list(id);
}

// Arguments that cannot be written: the peer is told to forget what it has, and the next call succeeds.
TEST_F(RequestsInParts, OneThatFailsIsTakenBack) {
  for (const bool invokes : {false, true}) {
    protocol::OutgoingCall out(spec);
    ASSERT_TRUE(connection->begin(out, plain_target));
    put_list(out);
    out.arguments->put_string(std::string_view("a\0b", 3));
    if (invokes) {
      EXPECT_EQ(connection->invoke(out).error(), errors::nul_in_argument);
      EXPECT_EQ(out.completed, Completion::no);
    }
    connection->end(out);
    Assembler assembler;
    Assembled none;
    std::uint32_t id = 0;
    while (true) {
      const Octets octets = script->next_sent();
      ASSERT_FALSE(octets.empty());
      const CheckedHeader header = header_of(octets);
      if (header->type == MessageType::cancel_request) {
        EXPECT_EQ(load<std::uint32_t>(octets.data() + header_size, false), id);
        EXPECT_TRUE(assembler.cancel(id));
        break;
      }
      id = load<std::uint32_t>(octets.data() + header_size, false);
      ASSERT_TRUE(assembler.add(header, {octets.data() + header_size, octets.size() - header_size}, none));
    }
    EXPECT_EQ(script->sent_octets(), 0u);
    auto peer = std::async(std::launch::async, [this] { script->give(reply(next_id(), 9)); });
    EXPECT_EQ(call().result, 9);
    peer.get();
  }
}

// The connection ends in the middle: the request has not been executed, so the caller may try again elsewhere.
TEST_F(RequestsInParts, ALostConnectionMeansNotExecuted) {
  protocol::OutgoingCall out(spec);
  ASSERT_TRUE(connection->begin(out, plain_target));
  put_list(out, 100);
  script->break_sends();
  put_list(out);
  EXPECT_FALSE(out.arguments->good());
  EXPECT_EQ(connection->invoke(out).error(), errors::connection_lost);
  EXPECT_EQ(out.completed, Completion::no);
  connection->end(out);
  EXPECT_FALSE(connection->usable());
}

// While one request is being written, another one of the same connection goes out whole and is answered.
TEST_F(RequestsInParts, LeaveRoomForOthers) {
  protocol::OutgoingCall out(spec);
  ASSERT_TRUE(connection->begin(out, plain_target));
  put_list(out, 500);
  const std::size_t first = script->sent_octets();
  EXPECT_GT(first, 0u);
  auto other = call_aside();
  Assembler assembler;
  Assembled whole;
  std::uint32_t list_id = 0;
  while (true) {
    const Octets octets = script->next_sent();
    ASSERT_FALSE(octets.empty());
    const CheckedHeader header = header_of(octets);
    const std::uint32_t id = load<std::uint32_t>(octets.data() + header_size, false);
    if (!Assembler::concerns(header)) {
      script->give(reply(id, 3));
      break;
    }
    list_id = id;
    ASSERT_TRUE(assembler.add(header, {octets.data() + header_size, octets.size() - header_size}, whole));
  }
  script->give(reply(list_id, 4));
  ASSERT_TRUE(connection->invoke(out));
  EXPECT_EQ(out.reply->get<std::int32_t>(), 4);
  connection->end(out);
  EXPECT_EQ(other.get().result, 3);
}

}  // namespace
}  // namespace tenon::giop
