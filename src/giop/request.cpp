// SPDX-License-Identifier: Apache-2.0
// Request headers. See request.hpp.
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

}  // namespace

Status read_request(cdr::Reader& reader, RequestHeader& into) noexcept {
  const std::uint8_t minor = reader.format().giop_minor;
  PlainRequest plain;
  const std::size_t body = minor >= 2 && !reader.swaps() && !reader.segmented() && reader.position() == 0
                               ? read_plain_request(reader.rest(), plain)
                               : 0;
  if (body != 0) {
    reader.skip(body);
    into.request_id = plain.request_id;
    into.response = plain.response;
    into.target.addressing = Addressing::key;
    into.target.key = plain.key;
    into.operation = plain.operation;
    into.principal = {};
    into.contexts.clear();
    return {};
  }
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
  if (minor >= 2 && !writer.swaps() && request.target.addressing == Addressing::key &&
      request.contexts.empty()) {
    return begin_plain_request(writer,
                               {request.request_id, request.response, request.target.key, request.operation},
                               request.has_body);
  }
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

}  // namespace tenon::giop
