// SPDX-License-Identifier: Apache-2.0
// The state of one GIOP connection. See session.hpp.
#include "giop/session.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"

namespace tenon::giop {

Session::Session(const SessionOptions& options) noexcept
    : options_(options), client_{options.unstated_chars, options.unstated_wchars}, server_(client_) {
  options_.minor = std::min(options.minor, highest_minor);
}

std::uint8_t Session::request_minor(std::uint8_t profile_minor) const noexcept {
  return std::min({profile_minor, options_.minor, peer_minor_});
}

bool Session::may_send(MessageType type, std::uint8_t minor) const noexcept {
  const bool peer_is_client = options_.side == Side::acceptor || (options_.bidirectional && minor >= 2);
  const bool peer_is_server = options_.side == Side::originator || (options_.bidirectional && minor >= 2);
  switch (type) {
    case MessageType::request:
    case MessageType::cancel_request:
    case MessageType::locate_request: return peer_is_client;
    case MessageType::reply:
    case MessageType::locate_reply: return peer_is_server;
    // Before 1.2 only servers may close in this way (§9.4.7); but a client that does so is gone, too.
    case MessageType::close_connection:
    case MessageType::message_error:
    case MessageType::fragment: return true;
  }
  return false;
}

Status Session::received(const CheckedHeader& header) noexcept {
  if (!may_send(header->type, header->minor)) {
    end(Ending::peer_broken);
    return errors::unexpected_message;
  }
  if (header->type == MessageType::message_error) {
    // If the peer refused our version, the minor of its message is the highest that it supports (§9.4.1).
    if (header->minor < highest_used_) {
      peer_minor_ = std::min(peer_minor_, header->minor);
      retry_lower_ = true;
    }
    end(Ending::peer_rejected);
    return {};
  }
  if (header->minor > options_.minor) {
    end(Ending::peer_broken);
    return errors::giop_unsupported_version;
  }
  sent(header->minor);
  if (header->type == MessageType::close_connection) end(Ending::peer_closed);
  return {};
}

Status Session::choose(const cdr::CodeSetComponentInfo& announced) noexcept {
  const Result<cdr::CodeSetContext> chosen =
      cdr::negotiate(cdr::announced_code_sets(options_.native), announced, options_.prefer_utf8);
  if (!chosen) return chosen.error();
  client_ = *chosen;
  client_chosen_ = true;
  if (!server_stated_) server_ = client_;
  context_[0] = static_cast<std::uint8_t>(native_order);
  store(context_.data() + 4, static_cast<std::uint32_t>(client_.chars), false);
  store(context_.data() + 8, static_cast<std::uint32_t>(client_.wchars), false);
  return {};
}

Status Session::read_code_sets(std::uint8_t minor, const ContextList& contexts) noexcept {
  if (minor == 0 || contexts.empty()) return {};
  const ByteView data = contexts.find(context_code_sets);
  if (data.data() == nullptr) return {};
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  Result<cdr::CodeSetContext> stated = cdr::get_code_set_context(reader);
  if (!stated) return stated.error();
  // A client that has nothing to say about one of the two writes 0 for it.
  if (stated->chars == cdr::CodeSet::none) stated->chars = options_.unstated_chars;
  if (!cdr::supported_chars(stated->chars)) return errors::code_set_not_supported;
  if (stated->wchars != cdr::CodeSet::none && !cdr::supported_wchars(stated->wchars)) {
    return errors::code_set_not_supported;
  }
  if (server_stated_) return *stated == server_ ? Status() : Status(errors::code_set_context_changed);
  server_ = *stated;
  server_stated_ = true;
  // Requests in the other direction start from what the originator chose.
  if (client_chosen_) return {};
  client_ = *stated;
  client_chosen_ = context_sent_ = true;
  return {};
}

bool Session::closing() noexcept {
  if (!open()) return false;
  end(Ending::we_closed);
  return options_.side == Side::acceptor || highest_used_ >= 2;
}

Error Session::outcome(bool sent) const noexcept {
  const Completion doubt = sent ? Completion::maybe : Completion::no;
  switch (ending_) {
    case Ending::peer_closed: return errors::peer_closed_connection;
    case Ending::peer_rejected:
      return errors::peer_sent_message_error.with(retry_lower_ ? Completion::no : doubt);
    case Ending::stalled: return errors::message_stalled.with(doubt);
    case Ending::peer_broken: return (broken_by_ ? broken_by_ : errors::connection_lost).with(doubt);
    case Ending::none:
    case Ending::lost:
    case Ending::we_closed: return errors::connection_lost.with(doubt);
  }
  return errors::connection_lost.with(doubt);
}

}  // namespace tenon::giop
