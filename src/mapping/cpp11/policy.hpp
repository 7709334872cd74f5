// SPDX-License-Identifier: Apache-2.0
//
// CORBA::Policy (CORBA 3.4 part 1 §8.10): the base of every policy object. Policies are local and never change, so copies share.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/cpp11/object.hpp"
#include "mapping/cpp11/traits.hpp"

namespace CORBA {
inline namespace cpp11 {

class Policy : public virtual LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Policy:1.0";

  virtual PolicyType policy_type() const = 0;
  virtual object_reference<Policy> copy() = 0;
  virtual void destroy() {}
};

using PolicyList = std::vector<object_reference<Policy>>;
using PolicyTypeSeq = std::vector<PolicyType>;

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

/// A policy that is one value.
template <typename Self, typename Value, CORBA::PolicyType Type>
class ValuePolicy : public virtual CORBA::Policy {
 public:
  explicit ValuePolicy(Value value) noexcept : value_(value) {}
  Value value() const noexcept { return value_; }
  CORBA::PolicyType policy_type() const override { return Type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return CORBA::make_reference<Self>(value_); }

 private:
  const Value value_;
};

}  // namespace tenon::gen

template <>
struct IDL::traits<CORBA::Policy> : tenon::gen::LocalInterfaceTraits<CORBA::Policy> {};
