// SPDX-License-Identifier: Apache-2.0
//
// The parts of generated unions and bitsets (IDL to C++11 1.6 §6.12; bitsets are an extension, docs/idl.md).
// No state of its own; as thread-safe as the values.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon::gen {

/// The member that alternative `Index` of a union holds; BAD_PARAM when another one is selected.
template <std::size_t Index, typename Variant>
auto& selected(Variant& value) {
  auto* member = std::get_if<Index>(&value);
  if (member == nullptr) raise(errors::bad_case_label);
  return *member;
}

/// A discriminator must select the member that it comes with.
inline void check_case(bool fits) {
  if (!fits) raise(errors::bad_case_label);
}

/// A word of bit fields, the first one in its lowest bits.
template <typename Carrier, unsigned Count>
class Bits {
 public:
  static constexpr std::uint64_t used = Count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Count) - 1;

  bool operator==(const Bits&) const = default;

  Carrier _bits() const noexcept { return bits_; }
  /// False when a bit is set that no field or padding has.
  bool _bits(Carrier value) noexcept {
    if ((value & ~used) != 0) return false;
    bits_ = value;
    return true;
  }

 protected:
  template <unsigned Position, unsigned Width>
  static constexpr std::uint64_t mask =
      (Width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Width) - 1) << Position;

  /// BAD_PARAM when the value does not fit the field.
  template <unsigned Position, unsigned Width, typename T>
  void set(T value) {
    const std::uint64_t raw = (static_cast<std::uint64_t>(value) << Position) & mask<Position, Width>;
    const Carrier before = bits_;
    bits_ = static_cast<Carrier>((bits_ & ~mask<Position, Width>) | raw);
    if (get<Position, Width, T>() != value) {
      bits_ = before;
      raise(errors::bit_field_overflow);
    }
  }
  template <unsigned Position, unsigned Width, typename T>
  T get() const noexcept {
    const std::uint64_t raw = (static_cast<std::uint64_t>(bits_) & mask<Position, Width>) >> Position;
    if constexpr (std::is_same_v<T, bool>) {
      return raw != 0;
    } else if constexpr (std::is_signed_v<T>) {
      constexpr unsigned unused = 64 - Width;  // the field's highest bit is its sign
      return static_cast<T>(static_cast<std::int64_t>(raw << unused) >> unused);
    } else {
      return static_cast<T>(raw);
    }
  }

 private:
  Carrier bits_{};
};

/// A bitset travels as its word.
template <typename T>
struct Bitset {
  using value_type = T;
  using carrier = decltype(T()._bits());
  static constexpr std::size_t smallest = sizeof(carrier);
  static void put(cdr::Writer& out, const T& value) noexcept { out.put(value._bits()); }
  static void get(cdr::Reader& in, T& value) noexcept {
    if (!value._bits(in.get<carrier>())) in.fail(errors::value_out_of_range);
  }
};

}  // namespace tenon::gen
