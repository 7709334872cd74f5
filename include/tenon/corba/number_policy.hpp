// SPDX-License-Identifier: Apache-2.0
//
// The base of the policies that are one number: those of POAs. A class of its own for each only says which it is, so that a program that
// makes such policies has the virtual functions of one class.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tenon/corba/policy.hpp"

namespace tenon::gen {

class NumberPolicy : public CORBA::Policy {
 public:
  CORBA::PolicyType policy_type() const final;
  /// The same object: policies never change.
  CORBA::object_reference<CORBA::Policy> copy() final;
  std::uint32_t _number() const noexcept { return number_; }

 protected:
  /// `ids`: the repository id of the class; it lives as long as the program.
  NumberPolicy(CORBA::PolicyType type, std::uint32_t number, std::span<const std::string_view> ids) noexcept;
  ~NumberPolicy() override;

 private:
  const CORBA::PolicyType type_;
  const std::uint32_t number_;
  const LocalIds own_ids_;
};

/// What class Self adds, which derives from NumberPolicy as well. No class with virtual functions, for their octets.
template <typename Self, typename Value, CORBA::PolicyType Type>
class NumberPolicyOf {
 public:
  Value value() const noexcept { return static_cast<Value>(static_cast<const Self*>(this)->_number()); }

 protected:
  static constexpr CORBA::PolicyType type = Type;
  static std::span<const std::string_view> ids() noexcept { return own_ids; }

 private:
  static constexpr std::string_view own_ids[] = {Self::_static_id};
};

}  // namespace tenon::gen
