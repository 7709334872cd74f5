// SPDX-License-Identifier: Apache-2.0
// LocateRequest and LocateReply. See locate.hpp.
#include "giop/locate.hpp"

#include "base/minor_codes.hpp"
#include "cdr/writer.hpp"

namespace tenon::giop {

namespace {

constexpr LocateStatus last_locate_status(std::uint8_t minor) noexcept {
  return minor < 2 ? LocateStatus::object_forward : LocateStatus::needs_addressing_mode;
}

}  // namespace

Status read_locate_request(cdr::Reader& reader, LocateRequestHeader& into) noexcept {
  into.request_id = reader.get<std::uint32_t>();
  into.target = read_target(reader);
  return reader.error();
}

Status read_locate_reply(cdr::Reader& reader, LocateReplyHeader& into) noexcept {
  into.request_id = reader.get<std::uint32_t>();
  const auto status = reader.get<std::uint32_t>();
  if (status > static_cast<std::uint32_t>(last_locate_status(reader.format().giop_minor))) {
    reader.fail(errors::giop_bad_status);
  } else {
    into.status = static_cast<LocateStatus>(status);
  }
  return reader.error();
}

void write_locate_request(cdr::Writer& writer, std::uint32_t request_id, const TargetOut& target) noexcept {
  begin_message(writer, MessageType::locate_request);
  writer.put(request_id);
  write_target(writer, target);
  finish_message(writer);
}

void begin_locate_reply(cdr::Writer& writer, std::uint32_t request_id, LocateStatus status) noexcept {
  if (status > last_locate_status(writer.format().giop_minor)) return writer.fail(errors::giop_bad_status);
  begin_message(writer, MessageType::locate_reply);
  writer.put(request_id);
  writer.put(static_cast<std::uint32_t>(status));
}

}  // namespace tenon::giop
