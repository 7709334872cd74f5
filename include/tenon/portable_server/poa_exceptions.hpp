// SPDX-License-Identifier: Apache-2.0
//
// How faults of the object adapter become the exceptions of PortableServer.
#pragma once

#include <string_view>

#include "mapping/cpp11/corba/plain_exception.hpp"
#include "poa/fault.hpp"

namespace tenon::poa {
class Poa;
}

namespace tenon::gen {

/// The one place where a Fault of the adapter becomes a C++ exception.
[[noreturn]] void raise(const poa::Fault& fault);
/// The same; what() names the POA. `subject`: the child or the object id that the operation was about, as text or as octets; may be empty.
[[noreturn]] void raise(const poa::Fault& fault, const poa::Poa& poa, std::string_view subject);

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
template <typename T>
T value_or_raise(poa::Outcome<T> outcome, const poa::Poa& poa, std::string_view subject = {}) {
  if (!outcome) [[unlikely]]
    raise(outcome.fault(), poa, subject);
  return *std::move(outcome);
}
inline void value_or_raise(const poa::Outcome<void>& outcome, const poa::Poa& poa,
                           std::string_view subject = {}) {
  if (!outcome) [[unlikely]]
    raise(outcome.fault(), poa, subject);
}

}  // namespace tenon::gen
