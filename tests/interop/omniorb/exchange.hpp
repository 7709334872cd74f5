// SPDX-License-Identifier: Apache-2.0
//
// How omniORB's client calls an echo operation, by the shape that its type has in the classic mapping, and the
// telling values that several groups of checks send.
//
// Threads: main only.
#pragma once

#include <climits>
#include <limits>

#include "checks.hpp"
#include "same.hpp"

namespace peer {

using namespace Interop;
using Ref = _objref_Echo;

// Each value is once `a` and once `b`, beside its successor.
template <class T, class Call>
void exchange(const char* name, const std::vector<T>& values, Call call) {
  check(name, [&] {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string wrong = call(values[i], values[(i + 1) % values.size()]);
      if (!wrong.empty()) return "value " + std::to_string(i) + ": " + wrong;
    }
    return std::string();
  });
}

inline std::string verdict(bool result, bool inout, bool out) {
  if (result && inout && out) return "";
  return std::string("wrong") + (result ? "" : " result") + (inout ? "" : " inout") + (out ? "" : " out");
}

template <class T>
using ByValue = T (Ref::*)(T, T&, T&);
template <class T>
using ByReference = T (Ref::*)(const T&, T&, T&);

template <class T>
void values(Ref* echo, const char* name, ByValue<T> op, std::vector<T> list) {
  exchange(name, list, [&](T a, T b0) {
    T b = b0, c{};
    const T r = (echo->*op)(a, b, c);
    return verdict(same(r, a), same(b, a), same(c, b0));
  });
}

template <class T>
void fixed_size(Ref* echo, const char* name, ByReference<T> op, const std::vector<T>& list) {
  exchange(name, list, [&](const T& a, const T& b0) {
    T b = b0, c;
    const T r = (echo->*op)(a, b, c);
    return verdict(same(r, a), same(b, a), same(c, b0));
  });
}

// Made anew for each call: a copy of omniORB's fixed type forgets its digits and cannot be sent.
template <class T>
void decimals(Ref* echo, const char* name, ByReference<T> op, const std::vector<const char*>& list) {
  exchange(name, list, [&](const char* a_text, const char* b_text) {
    const T a(a_text), b0(b_text);
    T b(b_text), c;
    const CORBA::Fixed r = (echo->*op)(a, b, c);
    return verdict(same(r, a), same(b, a), same(c, b0));
  });
}

template <class T, class Var, class Op>
void variable(Ref* echo, const char* name, Op op, const std::vector<T>& list) {
  exchange(name, list, [&](const T& a, const T& b0) {
    T b = b0;
    Var c;
    Var r = (echo->*op)(a, b, c);
    return verdict(same(r.in(), a), same(b, a), same(c.in(), b0));
  });
}
#define VARIABLE(T, name, list) variable<T, T##_var>(echo, #name, &Ref::name, list)

template <class Slice, class Op>
void array(Ref* echo, const char* name, Op op, const Slice* a, const Slice* b0, Slice* b, Slice* c,
           unsigned count, void (*release)(Slice*)) {
  check(name, [&] {
    Slice* r = (echo->*op)(a, b, c);
    const std::string wrong = verdict(same_array<Slice>(r, a, count), same_array<Slice>(b, a, count),
                                      same_array<Slice>(c, b0, count));
    release(r);
    return wrong;
  });
}

// ---- telling values ------------------------------------------------------------------------------------------

inline BinStruct bin(short s, char c, CORBA::Long l, unsigned char o, double d) {
  BinStruct b;
  std::memset(static_cast<void*>(&b), 0, sizeof b);
  b.s = s;
  b.c = c;
  b.l = l;
  b.o = o;
  b.d = d;
  return b;
}

inline const BinStruct bin_low = bin(SHRT_MIN, 'a', INT_MIN, 0, -std::numeric_limits<double>::max());
inline const BinStruct bin_high = bin(SHRT_MAX, 'z', INT_MAX, 255, std::numeric_limits<double>::denorm_min());

template <class Seq, class T>
Seq sequence(std::initializer_list<T> list) {
  Seq s;
  s.length(static_cast<CORBA::ULong>(list.size()));
  CORBA::ULong i = 0;
  for (const T& item : list) s[i++] = item;
  return s;
}

// Empty, one, and many: with lengths that leave every alignment behind.
template <class Seq, class T>
std::vector<Seq> sequences(std::initializer_list<T> list) {
  std::vector<Seq> all{Seq(), sequence<Seq, T>({*list.begin()}), sequence<Seq, T>(list)};
  Seq many;
  many.length(1021);
  for (CORBA::ULong i = 0; i < many.length(); ++i) many[i] = list.begin()[i % list.size()];
  all.push_back(many);
  return all;
}

inline Mixed mixed(unsigned seed) {
  Mixed m;
  m.name = CORBA::string_dup(std::string(seed, 'n').c_str());
  m.shade = static_cast<Colour>(seed % 3);
  m.bin = seed % 2 != 0 ? bin_high : bin_low;
  m.values.length(seed);
  for (CORBA::ULong i = 0; i < seed; ++i) m.values[i] = i * 0.25;
  for (unsigned i = 0; i < 4; ++i) m.four[i] = static_cast<CORBA::Long>(seed * 10 + i);
  for (unsigned i = 0; i < 3; ++i) m.three[i] = CORBA::string_dup(std::string(i, 'x').c_str());
  m.path.length(seed % 5);
  for (CORBA::ULong i = 0; i < m.path.length(); ++i) {
    m.path[i].x = static_cast<CORBA::Long>(i);
    m.path[i].y = -static_cast<CORBA::Long>(seed);
  }
  return m;
}

inline Outer outer(unsigned seed) {
  Outer o;
  o.before = static_cast<CORBA::Octet>(seed);
  o.inside = mixed(seed);
  o.between = 0x55;
  o.depth.o = 1;
  o.depth.ll = LLONG_MIN + seed;
  o.after = 0xAA;
  return o;
}

inline Tree tree(unsigned depth, unsigned width) {
  Tree t;
  t.label = CORBA::string_dup(("level " + std::to_string(depth)).c_str());
  if (depth == 0) return t;
  t.children.length(width);
  for (CORBA::ULong i = 0; i < width; ++i) t.children[i] = tree(depth - 1, width);
  return t;
}

}  // namespace peer
