// SPDX-License-Identifier: Apache-2.0
//
// What the policies that are one number have in common: those of POAs. No class with virtual functions, for the octets of their tables: each
// policy class defines the two of CORBA::Policy itself.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tenon/corba/policy.hpp"

namespace tenon::gen {

class NumberPolicy {
 public:
  std::uint32_t _number() const noexcept { return number_; }

 protected:
  /// `ids`: the repository id of the class; it lives as long as the program.
  NumberPolicy(CORBA::LocalObject& self, std::uint32_t number, std::span<const std::string_view> ids) noexcept
      : number_(number), own_ids_(self, ids) {}
  ~NumberPolicy() = default;

 private:
  const std::uint32_t number_;
  const LocalIds own_ids_;
};

/// What class Self derives from, after CORBA::Policy.
template <typename Self, typename Value, CORBA::PolicyType Type>
class NumberPolicyOf : public NumberPolicy {
 public:
  Value value() const noexcept { return static_cast<Value>(_number()); }

 protected:
  static constexpr CORBA::PolicyType type = Type;
  NumberPolicyOf(CORBA::LocalObject& self, Value value) noexcept
      : NumberPolicy(self, static_cast<std::uint32_t>(value), own_ids) {}
  ~NumberPolicyOf() = default;

 private:
  static constexpr std::string_view own_ids[] = {Self::_static_id};
};

/// A copy of a policy: the same object, since policies never change.
CORBA::object_reference<CORBA::Policy> same_policy(CORBA::Policy& policy) noexcept;

}  // namespace tenon::gen
