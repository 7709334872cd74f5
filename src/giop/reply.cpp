// SPDX-License-Identifier: Apache-2.0
// Reply headers and the bodies that GIOP itself defines. See reply.hpp.
#include "giop/reply.hpp"

#include "base/minor_codes.hpp"
#include "cdr/writer.hpp"

namespace tenon::giop {

namespace {

constexpr ReplyStatus last_reply_status(std::uint8_t minor) noexcept {
  return minor < 2 ? ReplyStatus::location_forward : ReplyStatus::needs_addressing_mode;
}

ReplyStatus read_status(cdr::Reader& reader) noexcept {
  const auto status = reader.get<std::uint32_t>();
  if (status > static_cast<std::uint32_t>(last_reply_status(reader.format().giop_minor))) {
    reader.fail(errors::giop_bad_status);
    return ReplyStatus::system_exception;
  }
  return static_cast<ReplyStatus>(status);
}

}  // namespace

Status read_reply(cdr::Reader& reader, ReplyHeader& into) noexcept {
  const std::uint8_t minor = reader.format().giop_minor;
  if (minor >= 2 && !reader.swaps() && !reader.segmented() &&
      read_plain_reply(reader.rest(), into.request_id, into.status)) {
    reader.skip(plain_reply_header_size);
    into.contexts.clear();
    return {};
  }
  if (minor < 2) {
    into.contexts.read(reader);
    into.request_id = reader.get<std::uint32_t>();
    into.status = read_status(reader);
  } else {
    into.request_id = reader.get<std::uint32_t>();
    into.status = read_status(reader);
    into.contexts.read(reader);
    if (reader.remaining() != 0) reader.align(8);
  }
  return reader.error();
}

void begin_reply(cdr::Writer& writer, const ReplyOut& reply) noexcept {
  const std::uint8_t minor = writer.format().giop_minor;
  if (reply.status > last_reply_status(minor)) return writer.fail(errors::giop_bad_status);
  const auto status = static_cast<std::uint32_t>(reply.status);
  if (minor >= 2 && !writer.swaps() && reply.contexts.empty())
    return begin_plain_reply(writer, reply.request_id, reply.status);
  begin_message(writer, MessageType::reply);
  if (minor < 2) write_contexts(writer, reply.contexts);
  writer.put(reply.request_id);
  writer.put(status);
  if (minor < 2) return;
  write_contexts(writer, reply.contexts);
  if (reply.has_body) writer.align(8);
}

void write_addressing(cdr::Writer& writer, Addressing wanted) noexcept {
  writer.put(static_cast<std::uint16_t>(wanted));
}

Addressing read_addressing(cdr::Reader& reader) noexcept {
  const auto wanted = reader.get<std::uint16_t>();
  if (wanted > static_cast<std::uint16_t>(Addressing::reference)) {
    reader.fail(errors::giop_bad_addressing);
    return Addressing::key;
  }
  return static_cast<Addressing>(wanted);
}

}  // namespace tenon::giop
