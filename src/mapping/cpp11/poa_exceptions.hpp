// SPDX-License-Identifier: Apache-2.0
//
// What the exceptions of PortableServer have in common: they are local, most have no members, and their classes are nested.
#pragma once

#include <string_view>

#include "mapping/cpp11/exception.hpp"
#include "poa/fault.hpp"

namespace tenon::gen {

/// A user exception without members. Self has _static_id, "IDL:omg.org/PortableServer/POA/NoServant:2.3".
template <typename Self>
class PlainException : public CORBA::UserException {
 public:
  std::string_view _rep_id() const noexcept override { return Self::_static_id; }
  std::string_view _name() const noexcept override {
    const std::string_view id = Self::_static_id;
    const std::size_t slash = id.rfind('/') + 1;
    return id.substr(slash, id.rfind(':') - slash);
  }
  [[noreturn]] void _raise() const override { throw static_cast<const Self&>(*this); }
  void _put(cdr::Writer&) const override {}
};

/// The one place where a Fault of the adapter becomes a C++ exception.
[[noreturn]] void raise(const poa::Fault& fault);

template <typename T>
T value_or_raise(poa::Outcome<T> outcome) {
  if (!outcome) [[unlikely]]
    raise(outcome.fault());
  return *std::move(outcome);
}
inline void value_or_raise(const poa::Outcome<void>& outcome) {
  if (!outcome) [[unlikely]]
    raise(outcome.fault());
}

}  // namespace tenon::gen
