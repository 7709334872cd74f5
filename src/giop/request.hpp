// SPDX-License-Identifier: Apache-2.0
//
// Request messages (CORBA 3.4 part 2 §9.4.2; GIOP 1.2 §15.4.2) of all three minor versions: their head, and where the body
// starts. The body itself is nobody's business here.
//
//   1.0, 1.1: contexts, request_id, response_expected, [1.1: 3 reserved octets], key, operation, principal
//   1.2:      request_id, response_flags, 3 reserved octets, target, operation, contexts; a body starts at a multiple of 8
//
// Everything read is a view into the message. Writing 1.2 requests by key, the usual case, is one claim of room and stores.
// No state; one reader or writer belongs to one thread.
#pragma once

#include <string_view>

#include "giop/contexts.hpp"
#include "giop/header.hpp"
#include "giop/target.hpp"

namespace tenon::giop {

/// Wire values of response_flags (§9.4.2.1). 1.0 and 1.1 only know whether a reply is expected, which is `target` or `none`.
enum class Response : std::uint8_t {
  none = 0,    ///< SYNC_NONE, SYNC_WITH_TRANSPORT
  server = 1,  ///< SYNC_WITH_SERVER: an empty reply before the servant runs
  target = 3,  ///< two-way, or SYNC_WITH_TARGET
};

struct RequestHead {
  std::uint32_t request_id = 0;
  Response response = Response::none;
  Target target;
  std::string_view operation;
  ByteView principal;  ///< 1.0 and 1.1
  ContextList contexts;

  bool response_expected() const noexcept { return response != Response::none; }
};

/// Reads a head of the reader's GIOP minor; the reader starts right behind the header, with phase body_phase, and is left at the
/// first octet of the body (in 1.2 aligned to 8 if there is a body). On error the reader is failed too.
Status read_request(cdr::Reader& reader, RequestHead& into) noexcept;

struct RequestOut {
  std::uint32_t request_id = 0;
  Response response = Response::target;
  TargetOut target;
  std::string_view operation;
  std::span<const ServiceContext> contexts;
  ByteView principal;    ///< 1.0 and 1.1
  bool has_body = true;  ///< false: 1.2 adds no alignment for a body that does not come
};

/// Appends header and head to an empty writer of phase 0, in the writer's minor and byte order; arguments follow, then
/// finish_message().
void begin_request(cdr::Writer& writer, const RequestOut& request) noexcept;

/// Octets that begin_request() will write at most: to reserve room.
std::size_t head_bound(const RequestOut& request) noexcept;

/// Aligns for the body of a request or reply that did not say has_body: 8 in GIOP 1.2, nothing before.
void begin_body(cdr::Writer& writer) noexcept;

}  // namespace tenon::giop
