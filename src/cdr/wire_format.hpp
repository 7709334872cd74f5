// SPDX-License-Identifier: Apache-2.0
//
// What the bytes of a message are made for. The engine states it before the first argument is written; bytes
// made for one format may be sent again to any peer with an equal one.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace tenon::cdr {

/// Code set ids of the OSF registry (CORBA 3.4 part 2 §7.10.5); further ones of char data are in char_set_library.cpp.
enum class CodeSet : std::uint32_t {
  none = 0,
  iso8859_1 = 0x00010001,
  utf8 = 0x05010001,
  utf16 = 0x00010109,
  ucs2 = 0x00010100,
  ucs2_level3 =
      0x00010102,  ///< the levels differ in which combining characters text may have, not in its octets
  ucs4 = 0x00010104,
  ucs4_level3 = 0x00010106,
};

/// Code sets of this process: what bytes in a std::string mean, and what we announce for wchar data.
/// In memory wide text is always wchar_t holding Unicode scalar values; where UCS-2 is announced, also surrogates.
struct NativeCodeSets {
  CodeSet chars = CodeSet::utf8;
  CodeSet wchars = CodeSet::utf16;
  bool operator==(const NativeCodeSets&) const = default;
};

struct WireFormat {
  std::uint8_t giop_minor = 2;  ///< 0, 1 or 2
  ByteOrder order = native_order;
  CodeSet chars = CodeSet::utf8;    ///< transmission code set for char data
  CodeSet wchars = CodeSet::utf16;  ///< transmission code set for wchar data; `none` when not negotiated
  NativeCodeSets native{};

  bool swaps() const noexcept { return order != native_order; }
  bool operator==(const WireFormat&) const = default;
};

}  // namespace tenon::cdr
