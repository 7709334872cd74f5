// SPDX-License-Identifier: Apache-2.0
//
// The client's half of a compiled stub: constants of an operation, and call(), which every stub ends in.
#pragma once

#include <span>
#include <string_view>

#include "base/function_ref.hpp"
#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "mapping/cpp11/types/codec.hpp"
#include "orb/client/numbered_name.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/object.hpp"

namespace tenon::gen {

/// One exception of a raises clause: its repository id, and a function that reads the members and throws it.
struct Raises {
  std::string_view id;
  void (*raise)(cdr::Reader& in);
};

/// Reads exception E (generated, with a Codec) and throws it; MARSHAL when the members are bad.
template <typename E>
[[gnu::cold]] void read_and_throw(cdr::Reader& in) {
  E exception;
  Codec<E>::get(in, exception);
  in.forget_values();
  if (!in.good()) raise(in.error().with(Completion::yes));
  exception._raise();
}

/// The entry of exception E.
template <typename E>
inline constexpr Raises raises{E::_static_id, &read_and_throw<E>};

enum class Kind : std::uint8_t { two_way, oneway };

/// What is known of an operation when the stub is compiled.
struct Operation {
  std::string_view name;  ///< as on the wire: "add", "_get_title"
  Kind kind = Kind::two_way;
  bool has_arguments = true;  ///< any in or inout parameter
  bool counted = false;       ///< by the library: this call's use has been counted (docs/stubs.md)
  bool described = false;     ///< the same: its values are known to interceptors (stub_call.hpp)
  bool copying = false;       ///< the same: its CopyBelowPolicy has been taken note of (copying_call.hpp)
  bool numbered = false;      ///< it is a NumberedOperation
  std::span<const Raises> raises = {};
};

/// The same for a stub of tenon-idl --operations=index: it also knows the operation's number.
struct NumberedOperation : Operation {
  constexpr NumberedOperation(const Operation& operation, std::uint64_t interface,
                              std::uint16_t number) noexcept
      : Operation(operation), by_number{operation.name, interface, number} {
    numbered = true;
  }

  orb::NumberedName by_number;
};

using Put = FunctionRef<void(cdr::Writer&)>;
using Get = FunctionRef<void(cdr::Reader&)>;

inline void put_nothing(cdr::Writer&) noexcept {}
inline void get_nothing(cdr::Reader&) noexcept {}

/// Calls `operation` of the object behind `self`: `put` writes the arguments (again, if a forward leads to a peer with another wire
/// format), `get` reads the results (return value first, then inout and out in order; GIOP 1.2 §9.4.3.2). Raises the declared user
/// exceptions, UNKNOWN for others, and any system exception. Op is Operation or NumberedOperation, whose number goes in place of the
/// name to objects that understand it, which their reference says.
inline void call(CORBA::Object& self, const Operation& operation, Put put = put_nothing,
                 Get get = get_nothing);
inline void call(CORBA::Object& self, const NumberedOperation& operation, Put put = put_nothing,
                 Get get = get_nothing);

/// How calls are made. At first each raises NO_IMPLEMENT, so that a server without outgoing calls links none.
struct CallWays {
  void (*call)(CORBA::Object& self, const Operation& operation, Put put, Get get);
  void (*numbered_call)(CORBA::Object& self, const NumberedOperation& operation, Put put, Get get);
};
/// Written once, by link_calls(). Not atomic, since that would cost each call an instruction: a program makes its calls after the
/// start-up that names tenon::parts::calls.
extern CallWays call_ways;
/// For the part: from here on, calls are made. Any number of times, by any thread.
void link_calls();

inline void call(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  call_ways.call(self, operation, put, get);
}
inline void call(CORBA::Object& self, const NumberedOperation& operation, Put put, Get get) {
  call_ways.numbered_call(self, operation, put, get);
}

/// Object references as parameters and members. Nil travels as an empty type id without profiles.
void put_reference(cdr::Writer& out, const CORBA::Object* object);
HeldReference get_reference(cdr::Reader& in);

template <typename Interface>
struct Reference {
  using value_type = CORBA::object_reference<Interface>;
  static constexpr std::size_t smallest = 8;
  static void put(cdr::Writer& out, const value_type& value) { put_reference(out, value.get()); }
  static void get(cdr::Reader& in, value_type& value) {
    if constexpr (std::is_abstract_v<Interface>) {
      value = nullptr;
      // any but nil can only have been a local one, and those stay where they are
      if (get_reference(in)) in.fail(errors::local_object);
    } else {
      value = make_stub<Interface>(get_reference(in));
    }
  }
};

}  // namespace tenon::gen
