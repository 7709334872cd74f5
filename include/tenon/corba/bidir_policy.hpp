// SPDX-License-Identifier: Apache-2.0
//
// BiDirPolicy (CORBA 3.4 part 2 §9.9): whether connections carry requests in both directions. For create_POA, for an ORB and for a
// reference; docs/connections.md says what each does.
#pragma once

#include "tenon/corba/number_policy.hpp"

namespace BiDirPolicy {
inline namespace cpp11 {

using BidirectionalPolicyValue = std::uint16_t;
inline constexpr BidirectionalPolicyValue NORMAL = 0;
inline constexpr BidirectionalPolicyValue BOTH = 1;

inline constexpr CORBA::PolicyType BIDIRECTIONAL_POLICY_TYPE = 37;

class BidirectionalPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<BidirectionalPolicy, BidirectionalPolicyValue,
                                        BIDIRECTIONAL_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/BiDirPolicy/BidirectionalPolicy:1.0";
  explicit BidirectionalPolicy(BidirectionalPolicyValue value) noexcept : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

}  // namespace cpp11
}  // namespace BiDirPolicy

namespace tenon {

inline CORBA::object_reference<BiDirPolicy::BidirectionalPolicy> create_bidirectional_policy(
    BiDirPolicy::BidirectionalPolicyValue value) {
  return CORBA::make_reference<BiDirPolicy::BidirectionalPolicy>(value);
}

}  // namespace tenon

template <>
struct IDL::traits<BiDirPolicy::BidirectionalPolicy>
    : tenon::gen::LocalInterfaceTraits<BiDirPolicy::BidirectionalPolicy> {};
