// SPDX-License-Identifier: Apache-2.0
//
// Equality of the types of echo.idl in omniORB's classic mapping, which has none. Member by member: a
// comparison of bytes would compare padding.
#pragma once

#include "echo.hh"

#include <cstring>
#include <cwchar>
#include <type_traits>

namespace peer {

using namespace Interop;

template <class T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, int> = 0>
bool same(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (a != a && b != b);  // a NaN comes back as one
  return a == b;
}
inline bool same(const char* a, const char* b) { return std::strcmp(a, b) == 0; }
inline bool same(const CORBA::WChar* a, const CORBA::WChar* b) { return std::wcscmp(a, b) == 0; }
inline bool same(const CORBA::Fixed& a, const CORBA::Fixed& b) { return a == b; }
inline bool same(const Point& a, const Point& b) { return a.x == b.x && a.y == b.y; }
inline bool same(const BinStruct& a, const BinStruct& b) {
  return a.s == b.s && a.c == b.c && a.l == b.l && a.o == b.o && same(a.d, b.d);
}
inline bool same(const Primitives& a, const Primitives& b) {
  return a.b == b.b && a.o == b.o && a.c == b.c && a.s == b.s && a.us == b.us && a.l == b.l && a.ul == b.ul &&
         a.ll == b.ll && a.ull == b.ull && same(a.f, b.f) && same(a.d, b.d);
}
inline bool same_objects(CORBA::Object_ptr a, CORBA::Object_ptr b) {
  if (CORBA::is_nil(a) || CORBA::is_nil(b)) return CORBA::is_nil(a) && CORBA::is_nil(b);
  return a->_is_equivalent(b);
}
inline bool same(const Subscriber& a, const Subscriber& b) {
  return same(a.name.in(), b.name.in()) && same_objects(a.target.in(), b.target.in());
}

bool same(const Mixed& a, const Mixed& b);
bool same(const Tree& a, const Tree& b);
bool same(const ByLong& a, const ByLong& b);

template <class T>
struct IsSequence {
  template <class U>
  static auto test(U* u) -> decltype(u->length(), std::true_type{});
  template <class>
  static std::false_type test(...);
  static constexpr bool value = decltype(test<T>(nullptr))::value;
};

template <class T, std::enable_if_t<IsSequence<T>::value, int> = 0>
bool same(const T& a, const T& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i) {
    if constexpr (std::is_same_v<T, StringSeq> || std::is_same_v<T, UpToTwoStrings> ||
                  std::is_same_v<T, ShortTextSeq>) {
      if (!same(static_cast<const char*>(a[i]), static_cast<const char*>(b[i]))) return false;
    } else if constexpr (std::is_same_v<T, WStringSeq>) {
      if (!same(static_cast<const CORBA::WChar*>(a[i]), static_cast<const CORBA::WChar*>(b[i]))) return false;
    } else if constexpr (std::is_same_v<T, RowSeq>) {
      if (std::memcmp(a[i], b[i], sizeof(Row)) != 0) return false;
    } else if constexpr (std::is_same_v<T, CallbackSeq>) {
      if (!same_objects(a[i].in(), b[i].in())) return false;
    } else {
      if (!same(a[i], b[i])) return false;
    }
  }
  return true;
}

inline bool same(const Mixed& a, const Mixed& b) {
  for (int i = 0; i < 3; ++i) {
    if (!same(a.three[i].in(), b.three[i].in())) return false;
  }
  return same(a.name.in(), b.name.in()) && a.shade == b.shade && same(a.bin, b.bin) &&
         same(a.values, b.values) && std::memcmp(a.four, b.four, sizeof(Row)) == 0 && same(a.path, b.path);
}
inline bool same(const Outer& a, const Outer& b) {
  return a.before == b.before && same(a.inside, b.inside) && a.between == b.between &&
         a.depth.o == b.depth.o && a.depth.ll == b.depth.ll && a.after == b.after;
}
inline bool same(const Tree& a, const Tree& b) {
  return same(a.label.in(), b.label.in()) && same(a.children, b.children);
}
inline bool same(const ByLong& a, const ByLong& b) {
  if (a._d() != b._d()) return false;
  switch (a._d()) {
    case -1: return a.small_one() == b.small_one();
    case 1:
    case 2: return same(a.text(), b.text());
    case 7: return same(a.bin(), b.bin());
    default: return same(a.numbers(), b.numbers());
  }
}
inline bool same(const ByColour& a, const ByColour& b) {
  if (a._d() != b._d()) return false;
  if (a._d() == red) return a.number() == b.number();
  return a._d() == blue || same(a.text(), b.text());
}
inline bool same(const ByBoolean& a, const ByBoolean& b) {
  return a._d() == b._d() && (a._d() ? same(a.number(), b.number()) : a.integer() == b.integer());
}
inline bool same(const ByChar& a, const ByChar& b) {
  if (a._d() != b._d()) return false;
  if (a._d() == 'a') return a.alpha() == b.alpha();
  return a._d() == 'z' ? same(a.omega(), b.omega()) : a.rest() == b.rest();
}
inline bool same(const ByULongLong& a, const ByULongLong& b) {
  if (a._d() != b._d()) return false;
  if (a._d() == 0) return a.zero() == b.zero();
  return a._d() != ~CORBA::ULongLong(0) || std::memcmp(a.top(), b.top(), sizeof(Row)) == 0;
}
inline bool same(const ByShort& a, const ByShort& b) {
  if (a._d() != b._d()) return false;
  if (a._d() == -32768) return same(a.inner(), b.inner());
  return a._d() != 0 || a.shade() == b.shade();
}

template <class Slice>
bool same_array(const Slice* a, const Slice* b, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if constexpr (std::is_array_v<Slice>) {
      if (!same_array(a[i], b[i], std::extent_v<Slice>)) return false;
    } else {
      if (!same(a[i], b[i])) return false;
    }
  }
  return true;
}

}  // namespace peer
