// SPDX-License-Identifier: Apache-2.0
//
// How faults of the object adapter become the exceptions of PortableServer. An operation names those that it may raise, so that a program
// has the classes of those operations that it uses.
#pragma once

#include <span>
#include <string_view>

#include "mapping/cpp11/corba/plain_exception.hpp"
#include "poa/fault.hpp"

namespace tenon::poa {
class Poa;
}

namespace tenon::gen {

/// A fault that an operation may have.
struct PoaException {
  poa::Exception kind;
  const char*
      text;  ///< of what(), after the repository id: '@' is the POA's name, '$' the child or the object id
  const PlainClass* of;
};

/// That of a kind, `value`: specialised in poa.hpp, beside the exceptions.
template <poa::Exception kind>
struct PoaExceptionOf;

/// The one place where a Fault of the adapter becomes a C++ exception: one of these, or a system exception. `subject`: the child or the
/// object id that the operation was about, as text or as octets; may be empty. `poa`: null for texts that do not name one.
[[noreturn]] void raise(const poa::Fault& fault, std::span<const PoaException* const> expected,
                        const poa::Poa* poa, std::string_view subject);

template <poa::Exception... kinds>
[[noreturn]] void raise_one_of(const poa::Fault& fault, const poa::Poa* poa, std::string_view subject) {
  static constexpr const PoaException* expected[] = {&PoaExceptionOf<kinds>::value..., nullptr};
  raise(fault, std::span(expected, sizeof...(kinds)), poa, subject);
}

/// The value, or the exception of the outcome's fault. `kinds`: the user exceptions that the operation may raise.
template <poa::Exception... kinds, typename T>
T value_or_raise(poa::Outcome<T> outcome) {
  if (!outcome) [[unlikely]]
    raise_one_of<kinds...>(outcome.fault(), nullptr, {});
  return *std::move(outcome);
}
template <poa::Exception... kinds>
void value_or_raise(const poa::Outcome<void>& outcome) {
  if (!outcome) [[unlikely]]
    raise_one_of<kinds...>(outcome.fault(), nullptr, {});
}
template <poa::Exception... kinds, typename T>
T value_or_raise(poa::Outcome<T> outcome, const poa::Poa& poa, std::string_view subject = {}) {
  if (!outcome) [[unlikely]]
    raise_one_of<kinds...>(outcome.fault(), &poa, subject);
  return *std::move(outcome);
}
template <poa::Exception... kinds>
void value_or_raise(const poa::Outcome<void>& outcome, const poa::Poa& poa, std::string_view subject = {}) {
  if (!outcome) [[unlikely]]
    raise_one_of<kinds...>(outcome.fault(), &poa, subject);
}

}  // namespace tenon::gen
