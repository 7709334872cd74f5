// SPDX-License-Identifier: Apache-2.0
//
// For tests: the client's side of a connection, calls over it, and the replies of its peer, which is a script.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "scripted_transport_test_support.hpp"
#include "serving_connection.hpp"

namespace tenon::giop {

struct Outcome {
  Status status;
  Completion completed = Completion::no;
  std::int32_t result = 0;
  std::string text;
};

inline constexpr std::uint8_t key_octets[] = {'k'};
inline const protocol::Target plain_target{.object_key = key_octets};

class ConnectionTest : public testing::Test {
 protected:
  ConnectionTest() { options.cancel_requests = true; }

  void connect() {
    auto transport = std::make_unique<Script>();
    script = transport.get();
    connection = make_ref<AttendedConnection>(std::move(transport), protocol::Role::originator, options);
  }

  /// Calls on this thread; a reply has a long, or text.
  Outcome call(Deadline deadline = Deadline::never(), bool text = false,
               const protocol::Target& target = plain_target) {
    Outcome outcome;
    const protocol::CallSpec spec{.operation = "work", .deadline = deadline};
    protocol::OutgoingCall out(spec);
    outcome.status = connection->begin(out, target);
    if (!outcome.status) return outcome;
    out.arguments->put(std::int32_t{7});
    outcome.status = connection->invoke(out);
    outcome.completed = out.completed;
    if (!outcome.status && outcome.status.error().minor == errors::reply_timed_out.minor)
      connection->cancel(out);
    if (outcome.status && text) out.reply->get_string(outcome.text);
    if (outcome.status && !text) outcome.result = out.reply->get<std::int32_t>();
    if (outcome.status && !out.reply->good()) outcome.status = out.reply->error();
    connection->end(out);
    return outcome;
  }
  std::future<Outcome> call_aside(Deadline deadline = Deadline::never()) {
    return std::async(std::launch::async, [this, deadline] { return call(deadline); });
  }
  /// The id of the next request (or cancel request) that was sent.
  std::uint32_t next_id(MessageType type = MessageType::request) {
    const Octets message = script->next_sent();
    if (message.size() < header_size + 4 || message[7] != static_cast<std::uint8_t>(type)) {
      ADD_FAILURE() << "no message of type " << static_cast<int>(type);
      return 0xFFFFFFFF;
    }
    return load<std::uint32_t>(message.data() + header_size, false);
  }
  static Octets reply(std::uint32_t id, std::int32_t result) {
    cdr::Writer writer({.giop_minor = 2});
    begin_reply(writer, {.request_id = id});
    writer.put(result);
    finish_message(writer);
    return {writer.bytes().begin(), writer.bytes().end()};
  }

  protocol::MessagingOptions options;
  Script* script = nullptr;
  Ref<Connection> connection;
};

}  // namespace tenon::giop
