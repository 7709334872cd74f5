// SPDX-License-Identifier: Apache-2.0
//
// The messages of a connection in the log, in words and as octets. A tap on the connection's transport sees them, which is put there
// when the connection is made while LogLevel::trace is enabled; other connections do not know of it.
//
// Threads: what comes and what goes have nothing in common here; each has one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "giop/header.hpp"
#include "protocol/transport.hpp"

namespace tenon::giop {

/// Cuts the octets of one direction into messages, and logs each when it is whole.
class MessageLog {
 public:
  /// Octets that are shown of a longer message: its first ones.
  static constexpr std::size_t most_shown = 4096;

  /// `way` is "->" or "<-".
  MessageLog(const char* way, std::string peer) : way_(way), peer_(std::move(peer)) {}
  void add(ByteView octets) noexcept;
  /// Nothing more comes: what there is of a message is shown as it is.
  void end() noexcept;

 private:
  void add_message(ByteView& octets);
  void show();

  const char* way_;
  std::string peer_;
  std::vector<std::uint8_t> shown_;  // the beginning of the message that is on its way
  std::size_t passed_ = 0;           // of it
  std::size_t total_ = header_size;  // as far as is known
  bool lost_ = false;                // what passes is no GIOP
};

/// The transport with a log of its messages.
std::unique_ptr<protocol::Transport> traced(std::unique_ptr<protocol::Transport> transport);

}  // namespace tenon::giop
