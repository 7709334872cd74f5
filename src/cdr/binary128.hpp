// SPDX-License-Identifier: Apache-2.0
//
// IDL long double on the wire: IEEE 754 binary128, 16 octets (CORBA 3.4 part 2 §9.3.1.3), from and to this
// platform's long double. No state; any thread.
#pragma once

#include <cstdint>

namespace tenon::cdr {

/// sign 1 | exponent 15 | fraction 112; `high` holds sign, exponent and the upper 48 bits of the fraction.
struct Binary128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  bool operator==(const Binary128&) const = default;
};

/// Exact: no long double that we know carries more.
Binary128 to_binary128(long double value) noexcept;
/// Rounds to nearest, ties to even; too large becomes infinity; NaNs stay NaNs.
long double from_binary128(Binary128 value) noexcept;

/// The same number as the x87 has it, padded to 16 octets: `high` holds sign and exponent in its lowest 16 bits, `low` the 64 bits of
/// the mantissa, with the bit before the point. Bits of the fraction that have no place are cut off.
Binary128 to_x87(Binary128 value) noexcept;
/// The reverse, exact. The content of the padding is ignored.
Binary128 from_x87(Binary128 value) noexcept;

}  // namespace tenon::cdr
