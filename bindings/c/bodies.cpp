// SPDX-License-Identifier: Apache-2.0
//
// Bodies of messages between the engine's readers and writers and the octets that a language sees.
#include "base/minor_codes.hpp"
#include "bindings/c/handles.hpp"

namespace tenon::c {
namespace {

/// Where alignment restarts, found by passing over the octets one by one: few messages come so.
void find_segments(cdr::Reader in, std::vector<tenon_segment>& into) {
  std::size_t expected = in.phase();
  const std::size_t size = in.remaining();
  for (std::size_t at = 0; at < size; ++at) {
    in.skip(1);
    // A reader enters a segment when it takes its first octet.
    const std::size_t phase = (in.phase() + 7) & 7;
    if (phase != expected) into.push_back({at, phase});
    expected = (phase + 1) & 7;
  }
}

}  // namespace

tenon_format format_of(const cdr::WireFormat& format, std::size_t phase) noexcept {
  return {.chars = static_cast<std::uint32_t>(format.chars),
          .wchars = static_cast<std::uint32_t>(format.wchars),
          .little_endian = format.order == ByteOrder::little,
          .giop_minor = format.giop_minor,
          .phase = static_cast<std::uint8_t>(phase),
          .reserved = 0};
}

tenon_body body_of(const cdr::Reader& in, std::vector<tenon_segment>& segments) {
  segments.clear();
  if (in.segmented()) find_segments(in, segments);
  return {.data = in.rest().data(),
          .size = in.remaining(),
          .format = format_of(in.format(), in.phase()),
          .segment_count = static_cast<std::uint32_t>(segments.size()),
          .reserved = 0,
          .segments = segments.empty() ? nullptr : segments.data()};
}

bool fits(const tenon_body& body, const cdr::Writer& out, bool text) noexcept {
  const tenon_format wanted = format_of(out.format(), out.phase());
  const tenon_format& had = body.format;
  if (had.little_endian != wanted.little_endian || had.phase != wanted.phase) return false;
  return !text ||
         (had.chars == wanted.chars && had.wchars == wanted.wchars && had.giop_minor == wanted.giop_minor);
}

void put(const tenon_body& body, cdr::Writer& out) noexcept {
  // Alignment 1: fits() has seen that the octets are where they belong.
  out.put_block(body.data, static_cast<std::size_t>(body.size), 1);
}

}  // namespace tenon::c
