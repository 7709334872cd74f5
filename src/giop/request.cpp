// SPDX-License-Identifier: Apache-2.0
// Request heads. See request.hpp.
#include "giop/request.hpp"

#include "base/minor_codes.hpp"
#include "cdr/writer.hpp"

namespace tenon::giop {

namespace {

Response read_response(cdr::Reader& reader) noexcept {
  if (reader.format().giop_minor < 2) return reader.get_boolean() ? Response::target : Response::none;
  const auto flags = reader.get<std::uint8_t>();
  if (flags > 3 || flags == 2) {
    reader.fail(errors::giop_bad_response_flags);
    return Response::none;
  }
  return static_cast<Response>(flags);
}

constexpr std::size_t round_up_4(std::size_t size) noexcept { return (size + 3) & ~std::size_t{3}; }

/// Offsets of a 1.2 request by key, from the start of the message.
enum : std::size_t { at_request_id = 12, at_flags = 16, at_addressing = 20, at_key_length = 24, at_key = 28 };

/// The hot path: request id, flags, key and operation at offsets that are known before anything is written.
void begin_request_by_key(cdr::Writer& writer, const RequestOut& request) noexcept {
  const std::size_t key = request.target.key.size();
  const std::size_t name = request.operation.size();
  const std::size_t at_name_length = at_key + round_up_4(key);
  const std::size_t at_contexts = at_name_length + 4 + round_up_4(name + 1);
  const bool plain = request.contexts.empty();
  const std::size_t head = at_contexts + (plain ? 4 : 0);
  const std::size_t total = plain && request.has_body ? (head + 7) & ~std::size_t{7} : head;

  const bool swap = writer.format().swaps();
  std::uint8_t* at = writer.claim(total);
  if (at == nullptr) return;
  write_header(at, {2, writer.format().order, false, MessageType::request, 0});
  store(at + at_request_id, request.request_id, swap);
  // response_flags and the three reserved octets; the addressing disposition is KeyAddr, 0, and its padding too.
  store(at + at_flags, static_cast<std::uint8_t>(request.response), false);
  std::memset(at + at_flags + 1, 0, at_key_length - at_flags - 1);
  store(at + at_key_length, static_cast<std::uint32_t>(key), swap);
  // Padding first, in whole words, then the octets over it. For a key of length 0 this is the key's length, hence the order.
  if (key != 0) {
    store(at + at_name_length - 4, std::uint32_t{0}, false);
    std::memcpy(at + at_key, request.target.key.data(), key);
  }
  store(at + at_name_length, static_cast<std::uint32_t>(name + 1), swap);
  store(at + at_contexts - 4, std::uint32_t{0}, false);
  if (name != 0) std::memcpy(at + at_name_length + 4, request.operation.data(), name);
  if (plain) {
    store(at + at_contexts, std::uint32_t{0}, false);
    if (total != head) store(at + head, std::uint32_t{0}, false);
    return;
  }
  write_contexts(writer, request.contexts);
  if (request.has_body) writer.align(8);
}

/// The hot path: a whole 1.2 request by key without service contexts, at offsets behind the header. False: anything else, also
/// everything that is wrong; the general path then says what.
bool read_request_by_key(cdr::Reader& reader, RequestHead& into) noexcept {
  const ByteView rest = reader.rest();
  const std::size_t size = rest.size();
  if (size < at_key - header_size || reader.segmented()) return false;
  const std::uint8_t* at = rest.data();
  const bool swap = reader.swaps();
  const std::uint8_t flags = at[at_flags - header_size];
  if (flags > 3 || flags == 2 || load<std::uint16_t>(at + at_addressing - header_size, false) != 0)
    return false;

  const std::size_t key = load<std::uint32_t>(at + at_key_length - header_size, swap);
  std::size_t from = at_key - header_size;
  if (key > size - from || size - from - key < 4 + padding_to(key, 4)) return false;
  into.target.key = rest.subspan(from, key);
  from += round_up_4(key);

  const std::size_t name = load<std::uint32_t>(at + from, swap);  // its NUL counts
  from += 4;
  if (name == 0 || name > size - from || size - from - name < 4 + padding_to(name, 4)) return false;
  into.operation = {reinterpret_cast<const char*>(at + from), name - 1};
  if (at[from + name - 1] != 0 || into.operation.find('\0') != std::string_view::npos) return false;
  from += round_up_4(name);

  if (load<std::uint32_t>(at + from, false) != 0) return false;
  from += 4;
  if (from != size) {
    // The body is aligned to 8 in the message, so to 4 behind the header.
    from += padding_to(header_size + from, 8);
    if (from > size) return false;
  }
  into.request_id = load<std::uint32_t>(at, swap);
  into.response = static_cast<Response>(flags);
  into.target.addressing = Addressing::key;
  into.principal = {};
  into.contexts.clear();
  reader.skip(from);
  return true;
}

}  // namespace

Status read_request(cdr::Reader& reader, RequestHead& into) noexcept {
  const std::uint8_t minor = reader.format().giop_minor;
  if (minor >= 2 && read_request_by_key(reader, into)) return {};
  if (minor < 2) {
    into.contexts.read(reader);
    into.request_id = reader.get<std::uint32_t>();
    into.response = read_response(reader);
    if (minor == 1) reader.get_octets(3);
    into.target = read_target(reader);
    into.operation = reader.get_raw_string();
    into.principal = reader.get_octet_sequence();
  } else {
    into.request_id = reader.get<std::uint32_t>();
    into.response = read_response(reader);
    reader.get_octets(3);
    into.target = read_target(reader);
    into.operation = reader.get_raw_string();
    into.principal = {};
    into.contexts.read(reader);
    if (reader.remaining() != 0) reader.align(8);
  }
  return reader.error();
}

void begin_request(cdr::Writer& writer, const RequestOut& request) noexcept {
  const std::uint8_t minor = writer.format().giop_minor;
  if (minor >= 2 && request.target.addressing == Addressing::key)
    return begin_request_by_key(writer, request);
  begin_message(writer, MessageType::request);
  static constexpr std::uint8_t reserved[3] = {};
  if (minor < 2) {
    write_contexts(writer, request.contexts);
    writer.put(request.request_id);
    writer.put(request.response != Response::none);
    if (minor == 1) writer.put_octets(reserved);
    write_target(writer, request.target);
    writer.put_raw_string(request.operation);
    writer.put_length(request.principal.size());
    writer.put_octets(request.principal);
    return;
  }
  writer.put(request.request_id);
  writer.put(static_cast<std::uint8_t>(request.response));
  writer.put_octets(reserved);
  write_target(writer, request.target);
  writer.put_raw_string(request.operation);
  write_contexts(writer, request.contexts);
  if (request.has_body) writer.align(8);
}

std::size_t head_bound(const RequestOut& request) noexcept {
  // Fixed parts, and for each length at most 3 octets of padding before it.
  std::size_t bound = 64 + request.target.key.size() + request.target.profile.size() +
                      request.target.reference.size() + request.operation.size() + request.principal.size();
  for (const ServiceContext& context : request.contexts) bound += 12 + context.data.size();
  return bound;
}

void begin_body(cdr::Writer& writer) noexcept {
  if (writer.format().giop_minor >= 2) writer.align(8);
}

}  // namespace tenon::giop
