// SPDX-License-Identifier: Apache-2.0
//
// Writes the messages of a connection to the log, in words and as octets. A tap on its transport sees them; it is put there when the
// connection is made, if LogLevel::trace is enabled then and enable_message_log() was called. Other connections have no tap.
//
// Threads: the two directions share nothing here; each has one thread at a time.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "giop/header.hpp"
#include "protocol/transport.hpp"

namespace tenon::giop {

/// Cuts the octets of one direction into messages, and logs each when it is whole.
class MessageLog {
 public:
  /// How many octets are shown of a longer message: the first ones.
  static constexpr std::size_t most_shown = 4096;

  /// `way` is "->" or "<-".
  MessageLog(const char* way, std::string peer) : way_(way), peer_(std::move(peer)) {}
  void add(ByteView octets) noexcept;
  /// Nothing more comes: shows what has come of an unfinished message.
  void end() noexcept;

 private:
  void add_message(ByteView& octets);
  void show();

  const char* way_;
  std::string peer_;
  std::vector<std::uint8_t> shown_;  // the beginning of the message that is on its way
  std::size_t passed_ = 0;           // octets of it that have passed
  std::size_t total_ = header_size;  // its size, as far as is known
  bool lost_ = false;                // where messages begin is not known: it is no GIOP, or memory ran out
};

/// The transport with a log of its messages.
std::unique_ptr<protocol::Transport> traced(std::unique_ptr<protocol::Transport> transport);

}  // namespace tenon::giop
