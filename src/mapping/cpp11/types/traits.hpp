// SPDX-License-Identifier: Apache-2.0
//
// IDL::traits (IDL to C++11 1.6 §6.3) of types for which no code is generated and of local interfaces, and the codec of abstract
// interfaces. No state.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "mapping/cpp11/calls/call.hpp"
#include "mapping/cpp11/types/bounded.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/corba/value.hpp"

namespace tenon::gen {

/// How values of T are passed.
template <typename T>
struct ValueTraits {
  using value_type = T;
  using in_type = std::conditional_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, T, const T&>;
  using out_type = T&;
  using inout_type = T&;
};

}  // namespace tenon::gen

namespace IDL {
inline namespace cpp11 {

template <typename T>
struct traits : tenon::gen::ValueTraits<T> {};

template <typename T>
struct traits<std::vector<T>> : tenon::gen::ValueTraits<std::vector<T>> {
  using element_traits = traits<T>;
  using is_bounded = std::false_type;
};
template <typename T, std::uint32_t Bound>
struct traits<bounded_vector<T, Bound>> : tenon::gen::ValueTraits<bounded_vector<T, Bound>> {
  using element_traits = traits<T>;
  using is_bounded = std::true_type;
  using bound = std::integral_constant<std::uint32_t, Bound>;
};
template <typename Char>
struct traits<std::basic_string<Char>> : tenon::gen::ValueTraits<std::basic_string<Char>> {
  using is_bounded = std::false_type;
};
template <typename Char, std::uint32_t Bound>
struct traits<bounded_basic_string<Char, Bound>>
    : tenon::gen::ValueTraits<bounded_basic_string<Char, Bound>> {
  using is_bounded = std::true_type;
  using bound = std::integral_constant<std::uint32_t, Bound>;
};
template <typename T, std::size_t Size>
struct traits<std::array<T, Size>> : tenon::gen::ValueTraits<std::array<T, Size>> {
  using element_traits = traits<T>;
  static constexpr std::size_t size = Size;
};

}  // namespace cpp11
}  // namespace IDL

namespace tenon::gen {

/// The base of IDL::traits of a local interface: narrowing is by C++ type alone.
template <typename Interface>
struct LocalInterfaceTraits {
  using ref_type = CORBA::object_reference<Interface>;
  using weak_ref_type = CORBA::weak_object_reference<Interface>;
  using base_type = Interface;
  static ref_type narrow(const CORBA::object_reference<CORBA::Object>& object) {
    return ref_type(dynamic_cast<Interface*>(object.get()));
  }
  static ref_type unchecked_narrow(const CORBA::object_reference<CORBA::Object>& object) {
    return narrow(object);
  }
};

/// An abstract interface is sent as an object reference or as a value (CORBA 3.4 part 2 §9.3.6): a boolean
/// says which. Nil is the null value.
template <typename Interface>
struct AbstractReference {
  using value_type = CORBA::object_reference<Interface>;
  static constexpr std::size_t smallest = 5;
  static void put(cdr::Writer& out, const value_type& value) {
    const auto* as_value = dynamic_cast<const CORBA::ValueBase*>(value.get());
    const bool is_object = value && as_value == nullptr;
    out.put(is_object);
    if (!is_object) return put_value(out, as_value);
    put_reference(out, value.get());
  }
  static void get(cdr::Reader& in, value_type& value) {
    value.reset();
    if (in.get<bool>()) {
      value = make_stub<Interface>(get_reference(in));
    } else {
      value = value_as<Interface>(in, get_value(in, {}));
    }
  }
};

}  // namespace tenon::gen
