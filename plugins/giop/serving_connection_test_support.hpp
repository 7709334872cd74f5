// SPDX-License-Identifier: Apache-2.0
//
// The server's side of a connection whose client is a script, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "giop.hpp"
#include "giop/fragments.hpp"
#include "giop/request.hpp"
#include "scripted_transport_test_support.hpp"
#include "serving_connection.hpp"

namespace tenon::giop {

inline constexpr std::uint8_t served_key[] = {'k'};

class ServingConnection : public testing::Test {
 protected:
  ServingConnection() { enable_kept_requests(); }

  void connect() {
    auto transport = std::make_unique<Script>();
    script = transport.get();
    connection = make_ref<AcceptedConnection>(std::move(transport), protocol::Role::acceptor, options);
  }

  void give_in_fragments(const Octets& message) {
    const cdr::Piece piece{message.data(), message.size()};
    Fragmenter fragmenter({&piece, 1}, 64 * 1024);
    cdr::Piece fragment[2];
    while (const std::size_t count = fragmenter.next(fragment)) {
      for (const cdr::Piece& each : std::span(fragment).first(count)) script->give({each.data, each.size});
    }
  }

  protocol::MessagingOptions options;
  Script* script = nullptr;
  Ref<Connection> connection;
};

/// Keeps requests instead of answering them.
class Keeper final : public protocol::Dispatcher {
 public:
  void dispatch(protocol::IncomingCall& call) override { kept.push_back(call.take()); }
  protocol::LocateStatus locate(ByteView, ior::Ior&) override {
    return protocol::LocateStatus::unknown_object;
  }
  void one_was_cancelled() override { ++times_cancelled; }
  std::vector<std::unique_ptr<protocol::IncomingCall>> kept;
  int times_cancelled = 0;
};

inline Octets request(std::uint32_t id, std::size_t size) {
  cdr::Writer writer({.giop_minor = 2});
  RequestOut head{.request_id = id, .operation = "keep"};
  head.target.key = served_key;
  begin_request(writer, head);
  writer.put_octets(Octets(size, 0x5A));
  finish_message(writer);
  return {writer.bytes().begin(), writer.bytes().end()};
}

}  // namespace tenon::giop
