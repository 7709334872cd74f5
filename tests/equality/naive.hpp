// SPDX-License-Identifier: Apache-2.0
//
// CDR by the book (CORBA 3.4 part 2 §9.3), octet by octet, for comparison: written to be read, sharing no line with src/cdr,
// src/types' walker or src/marshal. TypeCodes alone are read by src/types, and are compared with what was written.
//
// GIOP 1.1 fragments: a `cut` is the largest size of the body so far at which a fragment may end; what does not fit before it begins
// the next one, whose first octet is at position 12 of its message.
#pragma once

#include <optional>
#include <span>

#include "cdr/reader.hpp"
#include "tests/equality/data.hpp"

namespace tenon::equality {

using Bytes = std::vector<std::uint8_t>;

/// The member that a discriminator selects, or null.
inline const types::Member* naive_case(const types::TypeCode& union_type, std::uint64_t label) {
  const types::Member* otherwise = nullptr;
  std::int32_t index = 0;
  for (const types::Member& member : union_type.members) {
    if (index++ == union_type.default_index) {
      otherwise = &member;
    } else if (member.label == label) {
      return &member;
    }
  }
  return otherwise;
}

/// What bytes are made for: the first one's position and the format. UTF-8 and UTF-16.
struct Wire {
  ByteOrder order = ByteOrder::big;
  std::uint8_t giop_minor = 2;
  std::size_t phase = 0;

  cdr::WireFormat format() const noexcept { return {.giop_minor = giop_minor, .order = order}; }
};

struct Message {
  Wire wire;
  Bytes bytes;
  std::vector<cdr::Restart> restarts;
};

Message naive_encode(const types::TypeCode& type, const Data& data, const Wire& wire,
                     std::span<const std::size_t> cuts = {});
/// Nothing unless `message` is one value and no more.
std::optional<Data> naive_decode(const types::TypeCode& type, const Message& message);

}  // namespace tenon::equality
