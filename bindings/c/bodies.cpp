// SPDX-License-Identifier: Apache-2.0
//
// Bodies of messages between the engine's readers and writers and the octets that a language sees.
#include "base/minor_codes.hpp"
#include "bindings/c/handles.hpp"

namespace tenon::c {

// A reader enters a segment when it takes its first octet, so the octets are passed over one by one: few messages come so.
void find_segments(cdr::Reader in, std::vector<tenon_segment>& into) {
  std::size_t expected = in.phase();
  const std::size_t size = in.remaining();
  for (std::size_t at = 0; at < size; ++at) {
    in.skip(1);
    const std::size_t phase = (in.phase() + 7) & 7;
    if (phase != expected) into.push_back({at, phase});
    expected = (phase + 1) & 7;
  }
}

bool fits(const tenon_body& body, const cdr::Writer& out, bool text) noexcept {
  const cdr::WireFormat& wanted = out.format();
  const tenon_format& had = body.format;
  if ((had.little_endian == 1) != (wanted.order == ByteOrder::little) || had.phase != out.phase())
    return false;
  return !text ||
         (had.chars == static_cast<std::uint32_t>(wanted.chars) &&
          had.wchars == static_cast<std::uint32_t>(wanted.wchars) && had.giop_minor == wanted.giop_minor);
}

void put(const tenon_body& body, cdr::Writer& out) noexcept {
  // Alignment 1: fits() has seen that the octets are where they belong.
  out.put_block(body.data, static_cast<std::size_t>(body.size), 1);
}

}  // namespace tenon::c
