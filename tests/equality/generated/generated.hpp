// SPDX-License-Identifier: Apache-2.0
//
// Random types as generated code has them: each compiled and interpreted, as values and as parameters. random_idl.py writes the list.
#pragma once

#include <span>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "dynamic/any/any_types.hpp"
#include "tests/equality/ways.hpp"

namespace tenon::equality {

/// Through generated code: a value is read, copied, put into an Any and out again, and written.
using RunValue = Outcome (*)(const Message& from, const Wire& to);
/// `a` and `b` as the parameters of an echo; what comes back, written, one after the other: result, inout, out.
using RunCall = Outcome (*)(const CORBA::object_reference<CORBA::Object>& echo, const Message& a,
                            const Message& b, const Wire& to);

struct GeneratedType {
  const char* name;
  const types::TypeCode* type;
  RunValue compiled;
  RunCall call_compiled;
  RunValue interpreted;
  RunCall call_interpreted;
};

std::span<const GeneratedType> generated_types();

/// References to servants of either kind of code.
struct Echoes {
  CORBA::object_reference<CORBA::Object> compiled;
  CORBA::object_reference<CORBA::Object> interpreted;
};
Echoes publish_echoes(const CORBA::object_reference<CORBA::ORB>& orb);

// --- what the list is made of ---

template <typename T>
bool read_generated(const Message& from, T& value, bool whole = true) {
  cdr::Reader in(from.bytes, from.wire.format(), from.wire.phase, from.restarts);
  gen::Codec<T>::get(in, value);
  return in.good() && (!whole || in.remaining() == 0);
}

template <typename T>
Outcome run_value(const Message& from, const Wire& to) {
  T value{};
  if (!read_generated(from, value)) return {{}, "reading"};
  T again(value);
  if (!read_generated(from, again)) return {{}, "reading into what is there"};
  if constexpr (requires { value == again; }) {
    if (!(value == again)) return {{}, "what was read again is not equal"};
  }
  CORBA::Any any;
  any <<= value;
  T extracted{};
  if (!(any >>= extracted)) return {{}, "extracting"};
  cdr::Writer out(to.format(), to.phase);
  gen::Codec<T>::put(out, extracted);
  if (!out.good()) return {{}, "writing"};
  return {out.copy(), {}};
}
template <typename T>
constexpr RunValue one_way() {
  return &run_value<T>;
}

template <typename Echo, typename T, T (Echo::*Operation)(const T&, T&, T&)>
Outcome call(const CORBA::object_reference<CORBA::Object>& object, const Message& a, const Message& b,
             const Wire& to) {
  const auto echo = IDL::traits<Echo>::narrow(object);
  if (!echo) return {{}, "narrowing"};
  T first{};
  T second{};
  T third{};
  if (!read_generated(a, first) || !read_generated(b, second)) return {{}, "reading"};
  const T result = ((*echo).*Operation)(first, second, third);
  cdr::Writer out(to.format(), to.phase);
  for (const T* value : {&result, static_cast<const T*>(&second), static_cast<const T*>(&third)})
    gen::Codec<T>::put(out, *value);
  if (!out.good()) return {{}, "writing"};
  return {out.copy(), {}};
}

/// What every servant does.
template <typename T>
T echo(const T& a, T& b, T& c) {
  c = b;
  b = a;
  return a;
}

}  // namespace tenon::equality
