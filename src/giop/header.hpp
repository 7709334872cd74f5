// SPDX-License-Identifier: Apache-2.0
//
// The twelve octets that start every GIOP message (CORBA 3.4 part 2 §9.4.1; GIOP 1.2 §15.4.1).
// Not here: what follows them (request.hpp, reply.hpp, locate.hpp, control.hpp) and joining fragments (fragments.hpp).
//
//    0      4     5     6     7    8         12
//    "GIOP" major minor flags type size (ulong, in the byte order of the flags)
//                       bit 0 little-endian, bit 1 more fragments (1.1 and later), the others 0
//
// A CheckedHeader exists only for octets that passed parse_header(): they need no second check. No state.
#pragma once

#include <algorithm>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "cdr/writer.hpp"

namespace tenon::giop {

enum class MessageType : std::uint8_t {
  request = 0,
  reply = 1,
  cancel_request = 2,
  locate_request = 3,
  locate_reply = 4,
  close_connection = 5,
  message_error = 6,
  fragment = 7,  ///< since 1.1
};

inline constexpr std::size_t header_size = 12;
/// The highest GIOP 1.x that this engine speaks.
inline constexpr std::uint8_t highest_minor = 2;
/// Position, modulo 8, of the first octet after the header: the phase of a reader that starts there.
inline constexpr std::size_t body_phase = header_size % 8;

struct MessageHeader {
  std::uint8_t minor = highest_minor;
  ByteOrder order = native_order;
  bool more_fragments = false;
  MessageType type = MessageType::message_error;
  std::uint32_t size = 0;  ///< octets after the header
};

/// What is wrong with the first octets of a message, for the connection's answer:
/// `unsupported_version` wants a MessageError that carries our highest minor (§9.4.1); `too_large` may be answered by closing
/// alone; the others by a MessageError. After each of them the next message cannot be found in the stream, so the connection ends.
enum class HeaderFault : std::uint8_t {
  none,
  bad_magic,
  unsupported_version,
  bad_flags,
  bad_type,
  too_large
};

/// What the fault means for calls in flight on the connection.
Error error_of(HeaderFault fault) noexcept;

/// A header that was checked; by default that of a MessageError.
class CheckedHeader {
 public:
  CheckedHeader() noexcept = default;
  /// Whether it is of GIOP 1.2 and in this machine's byte order.
  bool plain() const noexcept { return header_.minor == highest_minor && header_.order == native_order; }
  const MessageHeader& operator*() const noexcept { return header_; }
  const MessageHeader* operator->() const noexcept { return &header_; }
  /// The whole message: header and what follows it.
  std::size_t total() const noexcept { return header_size + std::size_t{header_.size}; }

 private:
  friend class HeaderResult;
  friend class Assembler;
  explicit CheckedHeader(const MessageHeader& header) noexcept : header_(header) {}

  MessageHeader header_;
};

/// A CheckedHeader, or the fault. Sixteen octets, which is cheaper than a variant for each message.
class [[nodiscard]] HeaderResult {
 public:
  explicit operator bool() const noexcept { return fault_ == HeaderFault::none; }
  const CheckedHeader& operator*() const noexcept { return header_; }
  const CheckedHeader* operator->() const noexcept { return &header_; }
  HeaderFault fault() const noexcept { return fault_; }
  Error error() const noexcept { return error_of(fault_); }

 private:
  friend HeaderResult parse_header(const std::uint8_t* octets, std::uint32_t largest) noexcept;
  friend HeaderResult parse_other_header(const std::uint8_t* octets, std::uint32_t largest) noexcept;
  explicit HeaderResult(HeaderFault fault) noexcept : fault_(fault) {}
  explicit HeaderResult(const MessageHeader& header) noexcept : header_(header), fault_(HeaderFault::none) {}

  CheckedHeader header_;
  HeaderFault fault_;
};

/// The first eight octets of a GIOP 1.2 message in this machine's byte order, without fragments, as they are loaded from memory.
constexpr std::uint64_t native_start(MessageType type) noexcept {
  constexpr std::uint8_t order = native_order == ByteOrder::little ? 1 : 0;
  const std::uint8_t octets[8] = {'G', 'I', 'O', 'P', 1, 2, order, static_cast<std::uint8_t>(type)};
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned shift = native_order == ByteOrder::little ? 8 * i : 56 - 8 * i;
    word |= static_cast<std::uint64_t>(octets[i]) << shift;
  }
  return word;
}

HeaderResult parse_other_header(const std::uint8_t* octets, std::uint32_t largest) noexcept;

/// Whether a message can begin with these octets, of which there may be less than a header.
bool may_be_giop(ByteView start) noexcept;

/// The largest `size` of a message that memory can hold; with 32-bit addresses that is less than a header can state.
inline constexpr std::uint32_t largest_size = sizeof(std::size_t) > sizeof(std::uint32_t)
                                                  ? 0xFFFFFFFF
                                                  : 0x7FFFFFFF - header_size;

/// Reads header_size octets. `largest`: the largest `size` that is accepted, if it is below largest_size.
/// Reserved flag bits that are set are refused, and so is the fragment bit on a type that cannot be fragmented: their meaning
/// would be unknown. In 1.0 the flags are a boolean, so only 0 and 1 exist.
inline HeaderResult parse_header(const std::uint8_t* octets, std::uint32_t largest) noexcept {
  // Nearly every message starts in this way; all others, and all faults, are for parse_other_header().
  constexpr std::uint64_t type_mask = native_start(MessageType{0xFF}) ^ native_start(MessageType{0});
  const auto type = static_cast<MessageType>(octets[7]);
  if (((load<std::uint64_t>(octets, false) ^ native_start(MessageType{0})) & ~type_mask) != 0 ||
      type > MessageType::message_error) [[unlikely]]
    return parse_other_header(octets, largest);
  const auto size = load<std::uint32_t>(octets + 8, false);
  if (size > std::min(largest, largest_size)) [[unlikely]]
    return HeaderResult(HeaderFault::too_large);
  return HeaderResult(MessageHeader{highest_minor, native_order, false, type, size});
}

/// Stores header_size octets.
inline void write_header(std::uint8_t* octets, const MessageHeader& header) noexcept {
  constexpr std::uint8_t start[4] = {'G', 'I', 'O', 'P'};
  std::memcpy(octets, start, sizeof start);
  octets[4] = 1;
  octets[5] = header.minor;
  octets[6] = static_cast<std::uint8_t>((header.order == ByteOrder::little ? 1 : 0) |
                                        (header.more_fragments ? 2 : 0));
  octets[7] = static_cast<std::uint8_t>(header.type);
  store(octets + 8, header.size, header.order != native_order);
}

/// Whether messages of this type may carry the fragment bit (§9.4.9).
bool may_be_fragmented(MessageType type, std::uint8_t minor) noexcept;

/// Appends the header of a message of the writer's minor and byte order, with size 0. The writer must be empty and of phase 0.
void begin_message(cdr::Writer& writer, MessageType type) noexcept;

/// Completes a message that begin_message() or a begin_*() of this folder started: stores the size, lent blocks included.
/// `outside`: octets of the message that follow from elsewhere (a body that is sent again). IMP_LIMIT above 4 GiB.
inline void finish_message(cdr::Writer& writer, std::size_t outside = 0) noexcept {
  if (!writer.good()) [[unlikely]]
    return;
  const std::size_t size = writer.size() - header_size + outside;
  const bool overflows = sizeof size == sizeof(std::uint32_t) && size < outside;
  if (size > 0xFFFFFFFF || overflows) [[unlikely]]
    return writer.fail(error_of(HeaderFault::too_large));
  store(writer.owned_at(8), static_cast<std::uint32_t>(size), writer.format().swaps());
}

}  // namespace tenon::giop
