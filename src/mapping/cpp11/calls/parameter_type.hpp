// SPDX-License-Identifier: Apache-2.0
//
// Types of parameters for code that is not generated once per operation (ami_call.hpp): size, and functions on values whose type only
// they know. One constant per type, whatever the number of operations that have such a parameter.
//
// Constant data; safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "mapping/cpp11/calls/kept.hpp"
#include "mapping/cpp11/types/codec.hpp"
#include "mapping/cpp11/types/value_at.hpp"
#include "tenon/corba/object_reference.hpp"

namespace tenon::gen {

struct ParameterType {
  std::size_t size;
  /// Makes the first value. Each of these four may be null: a value then begins as zeros, is copied as octets, or needs no destructor.
  void (*construct)(void* at);
  void (*copy)(void* at, const void* from);
  void (*move)(void* into, void* from);
  void (*destroy)(void* at) noexcept;
  void (*put)(cdr::Writer& out, const void* value);
  /// Overwrites a value.
  void (*get)(cdr::Reader& in, void* value);
  /// The memory that a value holds beside its own, in bytes; null: upcalls do not keep such values (kept.hpp).
  std::size_t (*held)(const void* value) noexcept;
};

// Functions, not lambdas, and of the type rather than the codec, so that codecs with the same type share them.
template <typename T>
void construct_value(void* at) {
  ::new (at) T();
}
template <typename T>
void copy_value(void* at, const void* from) {
  ::new (at) T(value<T>(from));
}
template <typename T>
void move_value(void* into, void* from) {
  value<T>(into) = std::move(value<T>(from));
}
template <typename T>
void destroy_value(void* at) noexcept {
  value<T>(at).~T();
}
template <typename C>
void put_value_of(cdr::Writer& out, const void* from) {
  C::put(out, value<typename C::value_type>(from));
}
template <typename C>
void get_value_of(cdr::Reader& in, void* into) {
  C::get(in, value<typename C::value_type>(into));
}

/// Which way parameters of a type go. Values that are only sent need `copy`, but not `construct`, `move` and `get`; values that only come
/// back need these three, but not `copy`.
enum class Way : std::uint8_t { sent = 1, returned = 2, both = 3 };

template <typename C, Way way>
consteval ParameterType make_type() {
  using T = typename C::value_type;
  static_assert(alignof(T) <= alignof(std::max_align_t));
  constexpr bool plain = std::is_trivially_copyable_v<T>;
  ParameterType made{sizeof(T), nullptr, nullptr, nullptr, nullptr, &put_value_of<C>, nullptr, nullptr};
  if constexpr (way != Way::returned && !plain) made.copy = &copy_value<T>;
  if constexpr (way != Way::sent) {
    if constexpr (!plain) {
      made.construct = &construct_value<T>;
      made.move = &move_value<T>;
    }
    made.get = &get_value_of<C>;
  }
  if constexpr (!plain) made.destroy = &destroy_value<T>;
  return made;
}

/// The values of codec C that go that way.
template <typename C, Way way>
struct TypeOf {
  static constexpr ParameterType type = make_type<C, way>();
};

// The constants of these types are in the library, so that no other file makes them again.
template <typename C>
struct TypeInLibrary {
  static const ParameterType type;
};
template <Primitive T, Way way>
struct TypeOf<Codec<T>, way> : TypeInLibrary<Codec<T>> {};
template <Way way>
struct TypeOf<String<>, way> : TypeInLibrary<String<>> {};
template <Way way>
struct TypeOf<Sequence<Codec<std::uint8_t>>, way> : TypeInLibrary<Sequence<Codec<std::uint8_t>>> {};
extern template struct TypeInLibrary<Codec<bool>>;
extern template struct TypeInLibrary<Codec<char>>;
extern template struct TypeInLibrary<Codec<std::int8_t>>;
extern template struct TypeInLibrary<Codec<std::uint8_t>>;
extern template struct TypeInLibrary<Codec<std::int16_t>>;
extern template struct TypeInLibrary<Codec<std::uint16_t>>;
extern template struct TypeInLibrary<Codec<std::int32_t>>;
extern template struct TypeInLibrary<Codec<std::uint32_t>>;
extern template struct TypeInLibrary<Codec<std::int64_t>>;
extern template struct TypeInLibrary<Codec<std::uint64_t>>;
extern template struct TypeInLibrary<Codec<float>>;
extern template struct TypeInLibrary<Codec<double>>;
extern template struct TypeInLibrary<String<>>;
extern template struct TypeInLibrary<Sequence<Codec<std::uint8_t>>>;

/// As TypeOf, for values that upcalls keep (kept.hpp).
template <typename C, Way way>
struct KeptTypeOf {
  static consteval ParameterType make() {
    ParameterType made = make_type<C, way>();
    made.held = [](const void* at) noexcept { return gen::held(value<typename C::value_type>(at)); };
    return made;
  }
  static constexpr ParameterType type = make();
};

}  // namespace tenon::gen
