// SPDX-License-Identifier: Apache-2.0
//
// Which object a request means (CORBA 3.4 part 2 §9.4.2.1, TargetAddress). GIOP 1.0 and 1.1 know only the object key; 1.2 also
// allows a profile of the reference, or the whole reference with the index of a profile. All members are views.
#pragma once

#include <optional>

#include "base/bytes.hpp"
#include "cdr/reader.hpp"

namespace tenon::cdr {
class Writer;
}

namespace tenon::giop {

/// Wire values of GIOP::AddressingDisposition.
enum class Addressing : std::uint16_t { key = 0, profile = 1, reference = 2 };

/// A target as it came in. A member has a value only with the addressing that it belongs to.
struct Target {
  Addressing addressing = Addressing::key;
  ByteView key;                   ///< addressing == key
  std::uint32_t profile_tag = 0;  ///< of the profile, or of the selected profile of the reference
  ByteView profile;               ///< its data: an encapsulation
  std::string_view type_id;       ///< addressing == reference
};

/// The object key, if no plug-in is needed to get it: the target is the key itself, or a profile whose tag is IIOP's.
/// nullopt: the plug-in of the profile must be asked, or the answer is NEEDS_ADDRESSING_MODE with Addressing::key.
std::optional<ByteView> object_key(const Target& target) noexcept;

/// Reads the object key (1.0, 1.1) or the TargetAddress (1.2); errors fail the reader.
Target read_target(cdr::Reader& reader) noexcept;

/// A target to send. Addressing other than by key needs GIOP 1.2.
struct TargetOut {
  Addressing addressing = Addressing::key;
  ByteView key;
  std::uint32_t profile_tag = 0;
  ByteView profile;
  std::uint32_t profile_index = 0;
  ByteView
      reference;  ///< an IOR as CDR in the writer's byte order, made at a position that is a multiple of 4
};

/// The usual target.
inline TargetOut by_key(ByteView key) noexcept {
  TargetOut target;
  target.key = key;
  return target;
}

void write_target(cdr::Writer& writer, const TargetOut& target) noexcept;

}  // namespace tenon::giop
