// SPDX-License-Identifier: Apache-2.0
//
// Reply messages (CORBA 3.4 part 2 §9.4.3; GIOP 1.2 §15.4.3) of all three minor versions, and the bodies that belong to the
// protocol itself: system exceptions and the addressing mode that a server wants.
//
//   1.0, 1.1: contexts, request_id, reply_status
//   1.2:      request_id, reply_status, contexts; a body starts at a multiple of 8
//
// Not here: results, user exceptions and forwarded references, which callers write and read after the header. No state.
#pragma once

#include <string_view>

#include "cdr/exception_body.hpp"
#include "giop/contexts.hpp"
#include "giop/header.hpp"
#include "giop/target.hpp"

namespace tenon::giop {

/// ReplyStatusType as it travels, the same numbers as protocol::ReplyStatus. The last two exist since 1.2.
enum class ReplyStatus : std::uint8_t {
  no_exception = 0,
  user_exception = 1,
  system_exception = 2,
  location_forward = 3,
  location_forward_perm = 4,
  needs_addressing_mode = 5,
};

struct ReplyHeader {
  std::uint32_t request_id = 0;
  ReplyStatus status = ReplyStatus::no_exception;
  ContextList contexts;
};

/// The usual reply is one of GIOP 1.2 in this machine's byte order without contexts: three ulongs behind the header, which end at a
/// multiple of 8, so that a body needs no alignment.
inline constexpr std::size_t plain_reply_header_size = 12;

/// Appends GIOP header and reply header of such a reply to an empty writer of phase 0, minor 2 and this machine's byte order.
inline void begin_plain_reply(cdr::Writer& writer, std::uint32_t request_id, ReplyStatus status) noexcept {
  std::uint8_t* at = writer.claim(header_size + plain_reply_header_size);
  if (at == nullptr) [[unlikely]]
    return;
  store(at, native_start(MessageType::reply), false);
  store(at + 12, request_id, false);
  store(at + 16, static_cast<std::uint32_t>(status), false);
  store(at + 20, std::uint32_t{0}, false);
}

/// Reads the reply header of such a reply; `message` is what follows the GIOP header. False: it is another kind of reply, or it is
/// malformed; read_reply() tells which.
inline bool read_plain_reply(ByteView message, std::uint32_t& request_id, ReplyStatus& status) noexcept {
  if (message.size() < plain_reply_header_size) return false;
  const auto said = load<std::uint32_t>(message.data() + 4, false);
  if (said > static_cast<std::uint32_t>(ReplyStatus::needs_addressing_mode) ||
      load<std::uint32_t>(message.data() + 8, false) != 0)
    return false;
  request_id = load<std::uint32_t>(message.data(), false);
  status = static_cast<ReplyStatus>(said);
  return true;
}

/// As read_request(): leaves the reader at the first octet of the body.
Status read_reply(cdr::Reader& reader, ReplyHeader& into) noexcept;

struct ReplyOut {
  std::uint32_t request_id = 0;
  ReplyStatus status = ReplyStatus::no_exception;
  std::span<const ServiceContext> contexts;
  bool has_body = true;  ///< false: in 1.2 no padding for a body is added
};

/// Appends GIOP header and reply header to an empty writer of phase 0; results follow, then finish_message(). A status that the
/// writer's minor does not have fails the writer: location_forward_perm must be sent as location_forward before 1.2.
void begin_reply(cdr::Writer& writer, const ReplyOut& reply) noexcept;

using cdr::write_system_exception;

using cdr::read_system_exception;
using cdr::SystemExceptionBody;

/// The body of NEEDS_ADDRESSING_MODE (§9.4.3.2), for replies and locate replies.
void write_addressing(cdr::Writer& writer, Addressing wanted) noexcept;
Addressing read_addressing(cdr::Reader& reader) noexcept;

}  // namespace tenon::giop
