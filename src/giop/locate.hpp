// SPDX-License-Identifier: Apache-2.0
//
// LocateRequest and LocateReply (CORBA 3.4 part 2 §9.4.5, §9.4.6; GIOP 1.2 §15.4.5): where is this object?
// The body of a LocateReply follows its header at once: unlike a Reply's it is not aligned to 8. No state.
#pragma once

#include "giop/header.hpp"
#include "giop/target.hpp"

namespace tenon::giop {

/// Wire values of GIOP::LocateStatusType. The last three exist since 1.2.
enum class LocateStatus : std::uint8_t {
  unknown_object = 0,
  object_here = 1,
  object_forward = 2,         ///< body: a reference
  object_forward_perm = 3,    ///< body: a reference
  system_exception = 4,       ///< body: read_system_exception()
  needs_addressing_mode = 5,  ///< body: read_addressing()
};

struct LocateRequestHeader {
  std::uint32_t request_id = 0;
  Target target;
};

struct LocateReplyHeader {
  std::uint32_t request_id = 0;
  LocateStatus status = LocateStatus::unknown_object;
};

/// Readers start right behind the GIOP header, with phase body_phase. On error the reader is failed too.
Status read_locate_request(cdr::Reader& reader, LocateRequestHeader& into) noexcept;
Status read_locate_reply(cdr::Reader& reader, LocateReplyHeader& into) noexcept;

/// A whole message, ready to send.
void write_locate_request(cdr::Writer& writer, std::uint32_t request_id, const TargetOut& target) noexcept;

/// Writes GIOP header and LocateReply header; a body may follow, then finish_message().
/// A status that the writer's minor does not have fails the writer.
void begin_locate_reply(cdr::Writer& writer, std::uint32_t request_id, LocateStatus status) noexcept;

}  // namespace tenon::giop
