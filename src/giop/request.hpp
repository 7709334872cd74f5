// SPDX-License-Identifier: Apache-2.0
//
// Request messages (CORBA 3.4 part 2 §9.4.2; GIOP 1.2 §15.4.2) of all three minor versions: the request header, and where
// the body starts. The body itself is not read or written here.
//
//   1.0, 1.1: contexts, request_id, response_expected, [1.1: 3 reserved octets], key, operation, principal
//   1.2:      request_id, response_flags, 3 reserved octets, target, operation, contexts; a body starts at a multiple of 8
//
// Everything read is a view into the message. Writing 1.2 requests by key, the usual case, claims room once and then only stores.
// No state; one reader or writer belongs to one thread.
#pragma once

#include <bit>
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

/// What the request header of nearly every request says: GIOP 1.2 in this machine's byte order, by key, no service contexts.
struct PlainRequest {
  std::uint32_t request_id;
  Response response;
  ByteView key;
  std::string_view operation;
};

/// Offsets in such a request, from the start of the message.
struct PlainRequestLayout {
  static constexpr std::size_t id = 12, flags = 16, addressing = 20, key_length = 24, key = 28;
  static constexpr std::size_t words(std::size_t octets) noexcept { return (octets + 3) & ~std::size_t{3}; }
};

/// The place of the first NUL; any number from `size` on when there is none. Looks at eight octets at a time.
inline std::size_t first_nul(const std::uint8_t* at, std::size_t size) noexcept {
  constexpr std::uint64_t low = 0x0101010101010101, high = 0x8080808080808080;
  std::size_t i = 0;
  for (; i < size; i += 8) {
    const auto octets = load<std::uint64_t>(at + i, native_order == ByteOrder::big);
    const std::uint64_t zeros = (octets - low) & ~octets & high;  // bits above the lowest one may be wrong
    if (zeros != 0) return i + static_cast<std::size_t>(std::countr_zero(zeros)) / 8;
  }
  return i;
}

/// Reads the request header of a plain request; `message` is what follows the GIOP header. Returns the offset of the body in `message`
/// (its end, where there is no body); 0: it is another kind of request, or it is malformed; read_request() tells which.
inline std::size_t read_plain_request(ByteView message, PlainRequest& into) noexcept {
  using At = PlainRequestLayout;
  const std::size_t size = message.size();
  const std::uint8_t* at = message.data();
  std::size_t from = At::key - header_size;
  if (size < from + 8) return 0;
  const std::uint8_t flags = at[At::flags - header_size];
  if (flags > 3 || flags == 2 || load<std::uint16_t>(at + At::addressing - header_size, false) != 0) return 0;

  // Lengths have 32 bits, so their sums with offsets cannot overflow, and are compared once.
  const std::uint64_t key = load<std::uint32_t>(at + At::key_length - header_size, false);
  const std::uint64_t at_name = from + ((key + 3) & ~std::uint64_t{3}) + 4;
  if (at_name + 8 > size) return 0;
  const std::uint64_t name = load<std::uint32_t>(at + at_name - 4, false);  // its NUL counts
  const std::uint64_t at_contexts = at_name + ((name + 3) & ~std::uint64_t{3});
  if (at_contexts + 4 > size) return 0;
  // Its only NUL is the last octet.
  if (first_nul(at + at_name, static_cast<std::size_t>(name)) + 1 != name ||
      load<std::uint32_t>(at + at_contexts, false) != 0)
    return 0;
  into.request_id = load<std::uint32_t>(at, false);
  into.response = static_cast<Response>(flags);
  into.key = {at + from, static_cast<std::size_t>(key)};
  into.operation = {reinterpret_cast<const char*>(at + at_name), static_cast<std::size_t>(name - 1)};
  from = static_cast<std::size_t>(at_contexts + 4);
  if (from == size) return from;
  // The body is aligned to 8, counted from the start of the message.
  from += padding_to(header_size + from, 8);
  return from <= size ? from : 0;
}

/// Appends GIOP header and request header of such a request to an empty writer of phase 0, minor 2 and this machine's byte order.
/// `has_body`: aligns for it.
inline void begin_plain_request(cdr::Writer& writer, const PlainRequest& request, bool has_body) noexcept {
  using At = PlainRequestLayout;
  const std::size_t key = request.key.size();
  const std::size_t name = request.operation.size();
  const std::size_t at_name_length = At::key + At::words(key);
  const std::size_t at_contexts = at_name_length + 4 + At::words(name + 1);
  const std::size_t total = has_body ? (at_contexts + 4 + 7) & ~std::size_t{7} : at_contexts + 4;
  std::uint8_t* at = writer.claim(total);
  if (at == nullptr) [[unlikely]]
    return;
  store(at, native_start(MessageType::request), false);
  store(at + At::id, request.request_id, false);
  // response_flags and the three reserved octets; the addressing disposition is KeyAddr, 0, and its padding too.
  store(at + At::flags, static_cast<std::uint64_t>(request.response), native_order == ByteOrder::big);
  // Padding is written first, as a whole word, then the octets over it. For an empty key that word is the key's length, set next.
  store(at + at_name_length - 4, std::uint32_t{0}, false);
  store(at + At::key_length, static_cast<std::uint32_t>(key), false);
  if (key != 0) std::memcpy(at + At::key, request.key.data(), key);
  store(at + at_name_length, static_cast<std::uint32_t>(name + 1), false);
  store(at + at_contexts - 4, std::uint32_t{0}, false);
  if (name != 0) std::memcpy(at + at_name_length + 4, request.operation.data(), name);
  store(at + total - 4, std::uint32_t{0}, false);
  store(at + at_contexts, std::uint32_t{0}, false);
}

struct RequestHeader {
  std::uint32_t request_id = 0;
  Response response = Response::none;
  Target target;
  std::string_view operation;
  ByteView principal;  ///< 1.0 and 1.1
  ContextList contexts;

  bool response_expected() const noexcept { return response != Response::none; }
};

/// Reads a request header of the reader's GIOP minor; the reader starts behind the GIOP header, with phase body_phase, and is left at the
/// first octet of the body (in 1.2 aligned to 8 if there is a body). On error the reader is failed too.
Status read_request(cdr::Reader& reader, RequestHeader& into) noexcept;

struct RequestOut {
  std::uint32_t request_id = 0;
  Response response = Response::target;
  TargetOut target;
  std::string_view operation;
  std::span<const ServiceContext> contexts;
  ByteView principal;    ///< 1.0 and 1.1
  bool has_body = true;  ///< false: in 1.2 no padding for a body is added
};

/// Appends GIOP header and request header to an empty writer of phase 0, in the writer's minor and byte order; arguments follow,
/// then finish_message().
void begin_request(cdr::Writer& writer, const RequestOut& request) noexcept;

}  // namespace tenon::giop
