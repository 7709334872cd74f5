// SPDX-License-Identifier: Apache-2.0
//
// How compiled stubs write and read each IDL type. One codec per type expression of IDL: predefined here for what IDL has built
// in, specialised by generated code for constructed types. A codec C has
//
//   value_type                       the C++ type of the mapping
//   smallest                         the fewest bytes one value takes on the wire (0 is allowed)
//   put(Writer&, const value_type&)  get(Reader&, value_type&)
//
// Errors stay in the writer or reader. A struct whose memory is its CDR has a cdr::Block as well, `block`; see BlockRun.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/minor_codes.hpp"
#include "base/raw_vector.hpp"
#include "cdr/block.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "mapping/cpp11/types/bounded.hpp"

namespace tenon::gen {

/// Constructed types: generated code specialises it. Primitives: below.
template <typename T>
struct Codec;

template <typename T>
concept Primitive = std::is_arithmetic_v<T> && !std::is_same_v<T, wchar_t> && !std::is_same_v<T, long double>;

template <Primitive T>
struct Codec<T> {
  using value_type = T;
  static constexpr std::size_t smallest = sizeof(T);
  static void put(cdr::Writer& out, T value) noexcept { out.put(value); }
  static void get(cdr::Reader& in, T& value) noexcept { value = in.get<T>(); }
};

template <>
struct Codec<wchar_t> {
  using value_type = wchar_t;
  static constexpr std::size_t smallest = 1;
  static void put(cdr::Writer& out, wchar_t value) noexcept { out.put_wchar(value); }
  static void get(cdr::Reader& in, wchar_t& value) noexcept { value = in.get_wchar(); }
};

template <>
struct Codec<long double> {
  using value_type = long double;
  static constexpr std::size_t smallest = 16;
  static void put(cdr::Writer& out, long double value) noexcept { out.put_long_double(value); }
  static void get(cdr::Reader& in, long double& value) noexcept { value = in.get_long_double(); }
};

/// An enum class over uint32_t with enumerators 0 .. Count-1.
template <typename E, std::uint32_t Count>
struct Enum {
  using value_type = E;
  static constexpr std::size_t smallest = 4;
  static void put(cdr::Writer& out, E value) noexcept {
    if (static_cast<std::uint32_t>(value) >= Count) out.fail(errors::enum_out_of_range);
    out.put(static_cast<std::uint32_t>(value));
  }
  static void get(cdr::Reader& in, E& value) noexcept {
    const auto number = in.get<std::uint32_t>();
    if (number >= Count) [[unlikely]] {
      in.fail(errors::value_out_of_range);
      return;
    }
    value = static_cast<E>(number);
  }
};

/// An enum class with values of its own (@value). What travels is the ordinal, the enumerator's place in `Values`.
template <typename E, E... Values>
struct ValuedEnum {
 private:
  static constexpr E values[] = {Values...};

 public:
  using value_type = E;
  static constexpr std::size_t smallest = 4;
  static constexpr E initial = values[0];  ///< what new objects hold
  static void put(cdr::Writer& out, E value) noexcept {
    std::uint32_t ordinal = 0;
    for (const E one : values) {
      if (one == value) return out.put(ordinal);
      ++ordinal;
    }
    out.fail(errors::enum_out_of_range);
  }
  static void get(cdr::Reader& in, E& value) noexcept {
    const auto ordinal = in.get<std::uint32_t>();
    if (ordinal >= sizeof...(Values)) return in.fail(errors::value_out_of_range);
    value = values[ordinal];
  }
};

/// An array (of arrays) filled with one value: the initial value of members whose enum has no enumerator 0.
template <typename T, typename E>
constexpr T filled(E value) noexcept {
  if constexpr (std::is_same_v<T, E>) {
    return value;
  } else {
    T all{};
    for (auto& element : all) element = filled<typename T::value_type>(value);
    return all;
  }
}

/// bitmask: an enum class over the unsigned integer that travels. Bits without a name are kept.
template <typename E>
struct Bitmask {
  using value_type = E;
  using carrier = std::underlying_type_t<E>;
  static constexpr std::size_t smallest = sizeof(carrier);
  static void put(cdr::Writer& out, E value) noexcept { out.put(static_cast<carrier>(value)); }
  static void get(cdr::Reader& in, E& value) noexcept { value = static_cast<E>(in.get<carrier>()); }
};

/// Longer than its bound: BAD_PARAM where it is written (IDL to C++11 1.6 §6.13), MARSHAL where it is read. Bound 0: unbounded.
template <std::uint32_t Bound = 0>
struct String {
  using value_type = std::conditional_t<Bound == 0, std::string, IDL::bounded_string<Bound>>;
  static constexpr std::size_t smallest = 4;
  static void put(cdr::Writer& out, const std::string& value) noexcept {
    if (Bound != 0 && value.size() > Bound) return out.fail_over_bound(value.size(), Bound);
    out.put_string(value);
  }
  static void get(cdr::Reader& in, std::string& value) noexcept { in.get_string(value, Bound); }
};

template <std::uint32_t Bound = 0>
struct WString {
  using value_type = std::conditional_t<Bound == 0, std::wstring, IDL::bounded_wstring<Bound>>;
  static constexpr std::size_t smallest = 4;
  static void put(cdr::Writer& out, const std::wstring& value) noexcept {
    if (Bound != 0 && value.size() > Bound) return out.fail_over_bound(value.size(), Bound);
    out.put_wstring(value);
  }
  static void get(cdr::Reader& in, std::wstring& value) noexcept { in.get_wstring(value, Bound); }
};

template <typename C>
concept BlockCodec = requires { C::block; };

template <typename C, std::size_t Size>
struct Array;

/// If an element travels as primitives of one type and nothing else, their number: 1, for an array its size, for an array of arrays
/// the product. 0: it travels otherwise.
template <typename C>
struct Bulk {
  static constexpr std::size_t count = 0;
};
template <typename C>
  requires(Primitive<typename C::value_type> && !std::is_same_v<typename C::value_type, bool> &&
           std::is_same_v<C, Codec<typename C::value_type>>)
struct Bulk<C> {
  using primitive = typename C::value_type;
  static constexpr std::size_t count = 1;
};
template <typename C, std::size_t Size>
  requires(Bulk<C>::count != 0)
struct Bulk<Array<C, Size>> {
  using primitive = typename Bulk<C>::primitive;
  static constexpr std::size_t count = Size * Bulk<C>::count;
};

template <typename C>
concept BulkCodec = Bulk<C>::count != 0;

/// The primitives of elements for which Bulk is not 0. They lie in memory without gaps.
template <BulkCodec C>
auto primitives(const typename C::value_type* elements) noexcept {
  using P = typename Bulk<C>::primitive;
  static_assert(sizeof(*elements) == Bulk<C>::count * sizeof(P));
  return reinterpret_cast<const P*>(elements);
}
template <BulkCodec C>
auto primitives(typename C::value_type* elements) noexcept {
  using P = typename Bulk<C>::primitive;
  static_assert(sizeof(*elements) == Bulk<C>::count * sizeof(P));
  return reinterpret_cast<P*>(elements);
}

/// A run of structs whose memory is their CDR, which generated codecs describe by a cdr::Block.
/// Only the first element may sit in another alignment phase; from the second on, memory and CDR are equal.
template <BlockCodec C>
struct BlockRun {
  using T = typename C::value_type;

  static void put(cdr::Writer& out, const T* values, std::size_t count) noexcept {
    if (count >= 3 && !out.swaps()) {
      C::put(out, values[0]);
      return cdr::put_blocks(out, C::block, values + 1, count - 1);
    }
    for (std::size_t i = 0; i < count; ++i) C::put(out, values[i]);
  }
  /// `into` has room for `count` values that exist already.
  static void get_into(cdr::Reader& in, T* into, std::size_t count) noexcept {
    if (count >= 3 && in.block_readable()) {
      C::get(in, into[0]);
      return cdr::get_blocks(in, C::block, into + 1, count - 1);
    }
    for (std::size_t i = 0; i < count && in.good(); ++i) C::get(in, into[i]);
  }
  static void get_vector(cdr::Reader& in, std::vector<T>& into, std::size_t count) {
    into.clear();
    if (count < 3 || !in.block_readable()) {
      for (std::size_t i = 0; i < count && in.good(); ++i) C::get(in, into.emplace_back());
      return;
    }
    // checked before memory is taken for it
    if (in.remaining() < C::block.bytes_of(count - 1)) return in.fail(errors::out_of_data);
    T* const values = make_room(into, count);
    std::memset(static_cast<void*>(values), 0, sizeof(T));
    get_into(in, values, count);
    if (!in.good()) into.clear();
  }
};

/// sequence<element, Bound>; Bound 0: unbounded.
template <typename C, std::uint32_t Bound = 0>
struct Sequence {
  using element = typename C::value_type;
  using value_type =
      std::conditional_t<Bound == 0, std::vector<element>, IDL::bounded_vector<element, Bound>>;
  static constexpr std::size_t smallest = 4;

  static void put(cdr::Writer& out, const std::vector<element>& values) noexcept {
    if (Bound != 0 && values.size() > Bound) {
      if constexpr (std::is_same_v<element, bool>) return out.fail_over_bound(values.size(), Bound);
      return out.fail_vector_over_bound(&values, sizeof(element), Bound);
    }
    out.put_length(values.size());
    if constexpr (std::is_same_v<C, Codec<bool>>) {
      out.put_booleans(values);
    } else if constexpr (BulkCodec<C>) {
      out.put_array(primitives<C>(values.data()), values.size() * Bulk<C>::count);
    } else if constexpr (BlockCodec<C>) {
      BlockRun<C>::put(out, values.data(), values.size());
    } else {
      for (const element& value : values) C::put(out, value);
    }
  }

  static void get(cdr::Reader& in, std::vector<element>& values) {
    const std::size_t count = in.get_length(C::smallest, Bound);
    if constexpr (std::is_same_v<C, Codec<bool>>) {
      in.get_booleans(values, count);
    } else if constexpr (BulkCodec<C>) {
      get_bulk(in, values, count);
    } else if constexpr (BlockCodec<C>) {
      BlockRun<C>::get_vector(in, values, count);
    } else {
      get_each(in, values, count);
    }
  }

 private:
  static void get_bulk(cdr::Reader& in, std::vector<element>& values, std::size_t count) {
    if constexpr (Primitive<element>) {
      in.get_vector(values, count);
    } else {
      using P = typename Bulk<C>::primitive;
      values.clear();
      if (count == 0) return;
      if (!in.block_readable() || std::is_same_v<P, char>) {
        values.resize(count);
        return in.get_array(primitives<C>(values.data()), count * Bulk<C>::count);
      }
      const ByteView block = in.get_block(count * sizeof(element), sizeof(P));
      if (!in.good()) return;
      if (reinterpret_cast<std::uintptr_t>(block.data()) % alignof(element) == 0) {
        const auto* first = reinterpret_cast<const element*>(block.data());
        values.assign(first, first + count);  // one pass over fresh memory
      } else {
        values.resize(count);
        std::memcpy(static_cast<void*>(values.data()), block.data(), block.size());
      }
    }
  }
  // Elements that exist already are read into, so that the memory that they hold is used again. Elements are larger in memory than
  // on the wire, so a claimed count alone makes at most 64 KiB of new ones.
  static void get_each(cdr::Reader& in, std::vector<element>& values, std::size_t count) {
    constexpr std::size_t sure = sizeof(element) < 64 * 1024 ? 64 * 1024 / sizeof(element) : 1;
    std::size_t done = 0;
    do {
      std::size_t next = values.size() > done + sure ? values.size() : done + sure;
      if (next > count) next = count;
      values.resize(next);
      for (; done < next && in.good(); ++done) C::get(in, values[done]);
    } while (done < count && in.good());
  }
};

/// One dimension of an array; more dimensions nest, the last index varies fastest (CDR §9.3.2.4).
template <typename C, std::size_t Size>
struct Array {
  using element = typename C::value_type;
  using value_type = std::array<element, Size>;
  static constexpr std::size_t smallest = Size * C::smallest;

  static void put(cdr::Writer& out, const value_type& values) noexcept {
    if constexpr (BulkCodec<C>) {
      out.put_array(primitives<C>(values.data()), Size * Bulk<C>::count);
    } else if constexpr (BlockCodec<C>) {
      BlockRun<C>::put(out, values.data(), Size);
    } else {
      for (const element& value : values) C::put(out, value);
    }
  }
  static void get(cdr::Reader& in, value_type& values) {
    if constexpr (BulkCodec<C>) {
      in.get_array(primitives<C>(values.data()), Size * Bulk<C>::count);
    } else if constexpr (BlockCodec<C>) {
      BlockRun<C>::get_into(in, values.data(), Size);
    } else {
      for (element& value : values) C::get(in, value);
    }
  }
};

}  // namespace tenon::gen
