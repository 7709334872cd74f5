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

/// What the head of nearly every request says: GIOP 1.2, by key, no service contexts.
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

/// Reads the head of a plain request, under the conditions of read_request(). False, with the reader untouched: it is another
/// one, or something is wrong, and read_request() says what.
inline bool read_plain_request(cdr::Reader& reader, PlainRequest& into) noexcept {
  using At = PlainRequestLayout;
  const ByteView rest = reader.rest();
  const std::size_t size = rest.size();
  if (size < At::key - header_size || reader.segmented() || reader.format().giop_minor < 2) return false;
  const std::uint8_t* at = rest.data();
  const bool swap = reader.swaps();
  const std::uint8_t flags = at[At::flags - header_size];
  if (flags > 3 || flags == 2 || load<std::uint16_t>(at + At::addressing - header_size, false) != 0)
    return false;

  const std::size_t key = load<std::uint32_t>(at + At::key_length - header_size, swap);
  std::size_t from = At::key - header_size;
  if (key > size - from || size - from - key < 4 + padding_to(key, 4)) return false;
  into.key = rest.subspan(from, key);
  from += At::words(key);

  const std::size_t name = load<std::uint32_t>(at + from, swap);  // its NUL counts
  from += 4;
  if (name == 0 || name > size - from || size - from - name < 4 + padding_to(name, 4)) return false;
  into.operation = {reinterpret_cast<const char*>(at + from), name - 1};
  // The only NUL is the last octet. All words of the name have come, and those before the last one have none.
  const std::uint8_t* const last = at + from + At::words(name) - 4;
  for (const std::uint8_t* word = at + from; word != last; word += 4) {
    const auto octets = load<std::uint32_t>(word, false);
    if (((octets - 0x01010101) & ~octets & 0x80808080) != 0) return false;
  }
  const std::uint8_t* nul = last;
  while (nul != at + from + name && *nul != 0) ++nul;
  if (nul != at + from + name - 1) return false;
  from += At::words(name);

  if (load<std::uint32_t>(at + from, false) != 0) return false;
  from += 4;
  if (from != size) {
    // The body is aligned to 8 in the message, so to 4 behind the header.
    from += padding_to(header_size + from, 8);
    if (from > size) return false;
  }
  into.request_id = load<std::uint32_t>(at, swap);
  into.response = static_cast<Response>(flags);
  reader.skip(from);
  return true;
}

/// Appends header and head of such a request to an empty writer of phase 0 and minor 2. `has_body`: aligns for it.
inline void begin_plain_request(cdr::Writer& writer, const PlainRequest& request, bool has_body) noexcept {
  using At = PlainRequestLayout;
  const std::size_t key = request.key.size();
  const std::size_t name = request.operation.size();
  const std::size_t at_name_length = At::key + At::words(key);
  const std::size_t at_contexts = at_name_length + 4 + At::words(name + 1);
  const std::size_t total = has_body ? (at_contexts + 4 + 7) & ~std::size_t{7} : at_contexts + 4;
  const bool swap = writer.format().swaps();
  std::uint8_t* at = writer.claim(total);
  if (at == nullptr) [[unlikely]]
    return;
  write_header(at, {2, writer.format().order, false, MessageType::request, 0});
  store(at + At::id, request.request_id, swap);
  // response_flags and the three reserved octets; the addressing disposition is KeyAddr, 0, and its padding too.
  const auto flags = static_cast<std::uint32_t>(request.response);
  store(at + At::flags, flags, native_order == ByteOrder::big);
  store(at + At::addressing, std::uint32_t{0}, false);
  // Padding first, in whole words, then the octets over it. For a key of length 0 the word before is the key's length.
  store(at + at_name_length - 4, std::uint32_t{0}, false);
  store(at + At::key_length, static_cast<std::uint32_t>(key), swap);
  if (key != 0) std::memcpy(at + At::key, request.key.data(), key);
  store(at + at_name_length, static_cast<std::uint32_t>(name + 1), swap);
  store(at + at_contexts - 4, std::uint32_t{0}, false);
  if (name != 0) std::memcpy(at + at_name_length + 4, request.operation.data(), name);
  store(at + at_contexts, std::uint32_t{0}, false);
  if (total != at_contexts + 4) store(at + at_contexts + 4, std::uint32_t{0}, false);
}

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
