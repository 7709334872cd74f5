// SPDX-License-Identifier: Apache-2.0
//
// What an operation of the object adapter returns instead of throwing: a value, one of the standard's user exceptions of
// PortableServer (CORBA 3.4 part 1 §15.3), or a system exception as data.
#pragma once

#include <cstdint>
#include <utility>

#include "base/error.hpp"

namespace tenon::poa {

enum class Exception : std::uint8_t {
  none,
  system,  ///< see Fault::error
  adapter_already_exists,
  adapter_non_existent,
  invalid_policy,  ///< see Fault::index
  no_servant,
  object_already_active,
  object_not_active,
  servant_already_active,
  servant_not_active,
  wrong_adapter,
  wrong_policy,
  manager_inactive,        ///< POAManager::AdapterInactive
  manager_already_exists,  ///< POAManagerFactory::ManagerAlreadyExists
  no_context,              ///< Current::NoContext
};

struct Fault {
  Exception kind = Exception::none;
  std::uint16_t index = 0;  ///< of the first offending policy
  const char* why = "";     ///< what is wrong with it, where the standard has a rule for that; static text
  Error error;

  Fault() = default;
  Fault(Exception exception, std::uint16_t at = 0, const char* reason = "") noexcept
      : kind(exception), index(at), why(reason) {}
  Fault(Error system) noexcept : kind(Exception::system), error(system) {}
  explicit operator bool() const noexcept { return kind != Exception::none; }
};

template <typename T>
class [[nodiscard]] Outcome : public ValueOr<T, Fault> {
 public:
  Outcome(T value) : ValueOr<T, Fault>(std::move(value)) {}
  Outcome(Fault fault) : ValueOr<T, Fault>(fault) {}
  Outcome(Exception exception) : Outcome(Fault(exception)) {}
  Outcome(Error error) : Outcome(Fault(error)) {}
  Fault fault() const noexcept { return this->reason(); }
};

template <>
class [[nodiscard]] Outcome<void> {
 public:
  Outcome() = default;
  Outcome(Fault fault) : fault_(fault) {}
  Outcome(Exception exception) : fault_(exception) {}
  Outcome(Error error) : fault_(error) {}

  explicit operator bool() const noexcept { return !fault_; }
  Fault fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

}  // namespace tenon::poa
