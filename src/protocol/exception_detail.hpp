// SPDX-License-Identifier: Apache-2.0
//
// What a server says about a system exception besides its minor code: the service context ExceptionDetailMessage (CORBA 3.4 part 2
// §7.7), an encapsulation of a wstring in GIOP 1.2 and UTF-16. Text is UTF-8 on our side. No state.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace tenon::protocol {

inline constexpr std::uint32_t exception_detail_context = 14;
/// Octets; longer text is cut before it is sent, behind its last whole character.
inline constexpr std::size_t longest_exception_detail = 2000;

std::vector<std::uint8_t> encode_exception_detail(std::string_view text);
/// Octets of the context; what is longer is not read.
inline constexpr std::size_t longest_received_detail = 65536;
/// The text in one line: control characters become blanks. Empty when the data is malformed or too long, or when memory is short.
std::string decode_exception_detail(ByteView data);

/// Servers say more than the minor code, and what clients are told is in the text of their exceptions, from now on. For good, in the whole
/// process; any thread.
void use_exception_details() noexcept;
/// What it sets: the two functions above.
struct ExceptionDetails {
  std::vector<std::uint8_t> (*encode)(std::string_view text);
  std::string (*decode)(ByteView data);
};
extern std::atomic<const ExceptionDetails*> known_exception_details;
/// Null: nothing is said, and what peers say is not read.
inline const ExceptionDetails* exception_details() noexcept {
  return known_exception_details.load(std::memory_order_relaxed);
}

}  // namespace tenon::protocol
