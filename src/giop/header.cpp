// SPDX-License-Identifier: Apache-2.0
// GIOP message headers: checking, writing, and completing them once the size is known. See header.hpp.
#include "giop/header.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "cdr/writer.hpp"

namespace tenon::giop {

namespace {

constexpr std::uint8_t magic[4] = {'G', 'I', 'O', 'P'};
constexpr std::uint8_t little_endian_flag = 1;
constexpr std::uint8_t more_fragments_flag = 2;

}  // namespace

Error error_of(HeaderFault fault) noexcept {
  switch (fault) {
    case HeaderFault::none: return {};
    case HeaderFault::bad_magic: return errors::giop_bad_magic;
    case HeaderFault::unsupported_version: return errors::giop_unsupported_version;
    case HeaderFault::bad_flags: return errors::giop_bad_flags;
    case HeaderFault::bad_type: return errors::giop_bad_type;
    case HeaderFault::too_large: return errors::giop_message_too_large;
  }
  return {};
}

bool may_be_fragmented(MessageType type, std::uint8_t minor) noexcept {
  if (minor == 0) return false;
  switch (type) {
    case MessageType::request:
    case MessageType::reply:
    case MessageType::fragment: return true;
    case MessageType::locate_request:
    case MessageType::locate_reply: return minor >= 2;
    case MessageType::cancel_request:
    case MessageType::close_connection:
    case MessageType::message_error: return false;
  }
  return false;
}

HeaderResult parse_other_header(const std::uint8_t* octets, std::uint32_t largest) noexcept {
  if (std::memcmp(octets, magic, sizeof magic) != 0) return HeaderResult(HeaderFault::bad_magic);
  const std::uint8_t minor = octets[5];
  if (octets[4] != 1 || minor > highest_minor) return HeaderResult(HeaderFault::unsupported_version);

  const std::uint8_t flags = octets[6];
  const std::uint8_t known = minor == 0 ? little_endian_flag : (little_endian_flag | more_fragments_flag);
  if ((flags & ~known) != 0) return HeaderResult(HeaderFault::bad_flags);
  const auto last = minor == 0 ? MessageType::message_error : MessageType::fragment;
  if (octets[7] > static_cast<std::uint8_t>(last)) return HeaderResult(HeaderFault::bad_type);

  MessageHeader header;
  header.minor = minor;
  header.order = (flags & little_endian_flag) != 0 ? ByteOrder::little : ByteOrder::big;
  header.more_fragments = (flags & more_fragments_flag) != 0;
  header.type = static_cast<MessageType>(octets[7]);
  header.size = load<std::uint32_t>(octets + 8, header.order != native_order);
  if (header.more_fragments && !may_be_fragmented(header.type, minor))
    return HeaderResult(HeaderFault::bad_flags);
  if (header.size > std::min(largest, largest_size)) return HeaderResult(HeaderFault::too_large);
  return HeaderResult(header);
}

bool may_be_giop(ByteView start) noexcept {
  return start.empty() || std::memcmp(start.data(), magic, std::min(start.size(), sizeof magic)) == 0;
}

void begin_message(cdr::Writer& writer, MessageType type) noexcept {
  std::uint8_t* octets = writer.claim(header_size);
  if (octets == nullptr) return;
  write_header(octets, {writer.format().giop_minor, writer.format().order, false, type, 0});
}

}  // namespace tenon::giop
