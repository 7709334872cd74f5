// SPDX-License-Identifier: Apache-2.0
//
// Ways in which this process writes and reads differently from the standard, for peers that deviate from it (docs/compatibility.md).
// Set for the whole process, because bytes do not say which ORB wrote them. By default all are off, as the standard has it.
//
// Threads: any; meant to be set before the first message. Each is read only where it matters: never on the path of a call that has
// none of these types.
#pragma once

#include <atomic>

namespace tenon::cdr {

struct Compatibility {
  /// Every octet but 0 is read as true; if off, an octet that is neither 0 nor 1 is MARSHAL. VisiBroker, ORBacus.
  std::atomic<bool> any_octet_is_boolean{false};
  /// A long double is the 10 octets of the x87's format and 6 of padding, not IEEE binary128. omniORB on x86.
  std::atomic<bool> x87_long_double{false};
  /// In chunked values, an end tag deeper than what is open ends nothing; if off, it is MARSHAL. TAO has one level per base class.
  std::atomic<bool> end_tags_per_base{false};
  /// A type that occurs twice in a TypeCode is written twice; only recursion is still an offset. Orbix 2000.
  std::atomic<bool> typecodes_without_offsets{false};
  /// TypeCodes are written without aliases. ORBs that compare TypeCodes by equal() where equivalent() is meant.
  std::atomic<bool> typecodes_without_aliases{false};
};

Compatibility& compatibility() noexcept;

/// The value of one of them.
inline bool is_on(const std::atomic<bool>& one) noexcept { return one.load(std::memory_order_relaxed); }

}  // namespace tenon::cdr
