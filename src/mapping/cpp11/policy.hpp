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

using PolicyType = std::uint32_t;

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

template <>
struct IDL::traits<CORBA::Policy> : tenon::gen::LocalInterfaceTraits<CORBA::Policy> {};
