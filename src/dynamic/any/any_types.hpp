// SPDX-License-Identifier: Apache-2.0
//
// Which C++ types go into an Any, with which TypeCode and codec; the operators (IDL to C++11 1.6 §6.23).
//
//   any <<= 5;                                  an int32_t: long
//   any <<= card;                               whatever generated code (foo_any.hpp) knows
//   if (any >>= card) ...                       false, and card unchanged, when something else is inside
//   any <<= CORBA::typed(_tc_Hand, cards);      with a TypeCode of one's own
//   if (any >>= CORBA::typed(_tc_Hand, cards))  only if the bounds are those of Hand, too
//
// Names of typedefs are no part of a C++ type: a vector goes in as sequence<element>, a bounded_vector with its bound, and they come out
// of any bound that is not less than their number of elements. typed() also sets names and bounds. An object reference comes out only as the interface of its TypeCode, or as Object.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "tenon/corba/fixed.hpp"
#include "tenon/corba/value.hpp"
#include "tenon/dynamic/any.hpp"
#include "types/walker.hpp"

namespace tenon::gen {

/// What an Any needs to know of T: `type`, a TypeCode of the program, and `codec`. Generated code specialises it.
template <typename T>
struct AnyType;

template <typename T>
concept InAny = requires { typename AnyType<T>::codec; };

/// A type that probably just lacks its AnyType, because the header was not included: no other operator takes it either.
template <typename T>
concept AnyHeaderMissing = !InAny<T> && !std::is_convertible_v<const T&, std::string_view> &&
                           !std::is_convertible_v<const T&, std::wstring_view> &&
                           !std::is_convertible_v<const T&, CORBA::TypeCodeRef>;

/// Gives one line of error instead of a list of all operators; compilers name T below it.
template <typename T>
constexpr void require_any_header() {
  static_assert(InAny<T>,
                "include the _any.hpp of the IDL file that declares T: shop_any.hpp beside shop.hpp, made by "
                "tenon-idl --any, in CMake "
                "tenon_idl(... ANY)");
}

/// Base of specialisations.
template <const types::TypeCode& Type, typename C>
struct AnyOf {
  static constexpr const types::TypeCode& type = Type;
  using codec = C;
};

/// In an Any the repository id comes before the members of an exception (CORBA 3.4 part 2 §9.3.4).
template <typename E>
struct ExceptionInAny {
  using value_type = E;
  static void put(cdr::Writer& out, const E& value) {
    out.put_raw_string(E::_static_id);
    Codec<E>::put(out, value);
  }
  static void get(cdr::Reader& in, E& value) {
    types::take_exception_id(in, E::_static_id);
    Codec<E>::get(in, value);
  }
};

template <>
struct AnyType<bool> : AnyOf<basic_type<types::Kind::tk_boolean>, Codec<bool>> {};
template <>
struct AnyType<char> : AnyOf<basic_type<types::Kind::tk_char>, Codec<char>> {};
template <>
struct AnyType<wchar_t> : AnyOf<basic_type<types::Kind::tk_wchar>, Codec<wchar_t>> {};
template <>
struct AnyType<std::uint8_t> : AnyOf<basic_type<types::Kind::tk_octet>, Codec<std::uint8_t>> {};
template <>
struct AnyType<std::int8_t> : AnyOf<basic_type<types::Kind::tk_octet>, Codec<std::int8_t>> {
};  // IDL's int8 has no TCKind
template <>
struct AnyType<std::int16_t> : AnyOf<basic_type<types::Kind::tk_short>, Codec<std::int16_t>> {};
template <>
struct AnyType<std::uint16_t> : AnyOf<basic_type<types::Kind::tk_ushort>, Codec<std::uint16_t>> {};
template <>
struct AnyType<std::int32_t> : AnyOf<basic_type<types::Kind::tk_long>, Codec<std::int32_t>> {};
template <>
struct AnyType<std::uint32_t> : AnyOf<basic_type<types::Kind::tk_ulong>, Codec<std::uint32_t>> {};
// long and long long may have the same size, but are two types
template <>
struct AnyType<long long> : AnyOf<basic_type<types::Kind::tk_longlong>, Codec<long long>> {};
template <>
struct AnyType<unsigned long long> : AnyOf<basic_type<types::Kind::tk_ulonglong>, Codec<unsigned long long>> {
};
template <>
struct AnyType<long>
    : AnyOf<basic_type<sizeof(long) == 8 ? types::Kind::tk_longlong : types::Kind::tk_long>, Codec<long>> {};
template <>
struct AnyType<unsigned long>
    : AnyOf<basic_type<sizeof(long) == 8 ? types::Kind::tk_ulonglong : types::Kind::tk_ulong>,
            Codec<unsigned long>> {};
template <>
struct AnyType<float> : AnyOf<basic_type<types::Kind::tk_float>, Codec<float>> {};
template <>
struct AnyType<double> : AnyOf<basic_type<types::Kind::tk_double>, Codec<double>> {};
template <>
struct AnyType<long double> : AnyOf<basic_type<types::Kind::tk_longdouble>, Codec<long double>> {};
template <>
struct AnyType<std::string> : AnyOf<basic_type<types::Kind::tk_string>, String<>> {};
template <>
struct AnyType<std::wstring> : AnyOf<basic_type<types::Kind::tk_wstring>, WString<>> {};
template <>
struct AnyType<CORBA::Any> : AnyOf<basic_type<types::Kind::tk_any>, Codec<CORBA::Any>> {};
template <>
struct AnyType<CORBA::TypeCodeRef> : AnyOf<basic_type<types::Kind::tk_TypeCode>, Codec<CORBA::TypeCodeRef>> {
};
template <>
struct AnyType<CORBA::object_reference<CORBA::Object>> : AnyOf<object_type, Reference<CORBA::Object>> {
  static constexpr Match match = Match::reference;
};

template <>
struct AnyType<ValueRef> : AnyOf<value_base_type, Value<CORBA::ValueBase>> {};

template <std::uint16_t Digits, std::uint16_t Scale>
struct AnyType<IDL::Fixed<Digits, Scale>> {
  static constexpr types::TypeCode type = types::fixed_type(Digits, std::int16_t{Scale});
  using codec = FixedPoint<Digits, Scale>;
};
template <InAny T>
struct AnyType<std::vector<T>> {
  static constexpr types::TypeCode type = types::sequence_type(AnyType<T>::type);
  using codec = Sequence<typename AnyType<T>::codec>;
};
template <InAny T, std::uint32_t Bound>
struct AnyType<IDL::bounded_vector<T, Bound>> {
  static constexpr types::TypeCode type = types::sequence_type(AnyType<T>::type, Bound);
  using codec = Sequence<typename AnyType<T>::codec, Bound>;
};
template <std::uint32_t Bound>
struct AnyType<IDL::bounded_string<Bound>> {
  static constexpr types::TypeCode type = types::string_type(Bound);
  using codec = String<Bound>;
};
template <std::uint32_t Bound>
struct AnyType<IDL::bounded_wstring<Bound>> {
  static constexpr types::TypeCode type = types::wstring_type(Bound);
  using codec = WString<Bound>;
};
template <InAny T, std::size_t Size>
struct AnyType<std::array<T, Size>> {
  static constexpr types::TypeCode type = types::array_type(AnyType<T>::type, std::uint32_t{Size});
  using codec = Array<typename AnyType<T>::codec, Size>;
};

template <typename T>
constexpr Match match_of() {
  if constexpr (requires { AnyType<T>::match; }) return AnyType<T>::match;
  return Match::unbounded;
}

/// Whether values (of value types) may be in a T. Numbers and text are known not to have any.
template <typename T>
constexpr bool may_have_source =
    std::is_class_v<T> && !std::is_base_of_v<std::string, T> && !std::is_base_of_v<std::wstring, T>;

template <typename T>
Ref<const types::AnySource> source_of(const T& value) {
  if constexpr (may_have_source<T>) {
    return make_ref<InAnySource<T, typename AnyType<T>::codec>>(value);
  } else {
    return {};
  }
}

template <typename T>
bool take_source(const types::AnySource& source, T& into) {
  if constexpr (may_have_source<T>) {
    const auto* same = dynamic_cast<const InAnySource<T, typename AnyType<T>::codec>*>(&source);
    if (same != nullptr) into = same->value;
    return same != nullptr;
  } else {
    return false;
  }
}

}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

/// A value with the TypeCode that it is to have in an Any; refers to the value.
template <typename T>
struct Typed {
  TypeCodeRef type;
  T& value;
};
template <tenon::gen::InAny T>
Typed<T> typed(TypeCodeRef type, T& value) {
  return {std::move(type), value};
}
template <tenon::gen::InAny T>
Typed<const T> typed(TypeCodeRef type, const T& value) {
  return {std::move(type), value};
}
template <tenon::gen::AnyHeaderMissing T>
Typed<const T> typed(TypeCodeRef type, const T& value) {
  tenon::gen::require_any_header<T>();
  return {std::move(type), value};
}

template <tenon::gen::InAny T>
void operator<<=(Any& any, const T& value) {
  tenon::gen::insert(
      any, tenon::gen::AnyType<T>::type,
      [&](tenon::cdr::Writer& out) { tenon::gen::AnyType<T>::codec::put(out, value); },
      [&] { return tenon::gen::source_of(value); });
}
inline void operator<<=(Any& any, std::string_view text) { any <<= std::string(text); }
inline void operator<<=(Any& any, const char* text) { any <<= std::string(text); }
inline void operator<<=(Any& any, std::wstring_view text) { any <<= std::wstring(text); }
inline void operator<<=(Any& any, const wchar_t* text) { any <<= std::wstring(text); }
template <tenon::gen::AnyHeaderMissing T>
void operator<<=(Any&, const T&) {
  tenon::gen::require_any_header<T>();
}
template <typename T>
void operator<<=(Any& any, const Typed<T>& typed) {
  if constexpr (tenon::gen::InAny<std::remove_const_t<T>>) {  // else typed() gives the compiler's error
    using Type = tenon::gen::AnyType<std::remove_const_t<T>>;
    tenon::gen::insert_as(
        any, typed.type, Type::type, [&](tenon::cdr::Writer& out) { Type::codec::put(out, typed.value); },
        [&] { return tenon::gen::source_of<std::remove_const_t<T>>(typed.value); });
  }
}

template <tenon::gen::InAny T>
bool operator>>=(const Any& any, T& value) {
  using Type = tenon::gen::AnyType<T>;
  T inside{};
  const bool found = tenon::gen::extract(
      any, Type::type, tenon::gen::match_of<T>(),
      [&](const tenon::types::AnySource& source) { return tenon::gen::take_source(source, inside); },
      [&](tenon::cdr::Reader& in) { Type::codec::get(in, inside); });
  if (found) value = std::move(inside);
  return found;
}
template <tenon::gen::AnyHeaderMissing T>
bool operator>>=(const Any&, T&) {
  tenon::gen::require_any_header<T>();
  return false;
}
template <tenon::gen::InAny T>
bool operator>>=(const Any& any, const Typed<T>& typed) {
  using Type = tenon::gen::AnyType<T>;
  if (!typed.type) return false;
  T inside{};
  const bool found = tenon::gen::extract(
      any, *typed.type._type(), tenon::gen::Match::exact,
      [&](const tenon::types::AnySource& source) { return tenon::gen::take_source(source, inside); },
      [&](tenon::cdr::Reader& in) { Type::codec::get(in, inside); });
  if (found) typed.value = std::move(inside);
  return found;
}

}  // namespace cpp11
}  // namespace CORBA
