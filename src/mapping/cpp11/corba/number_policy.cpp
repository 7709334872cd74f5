// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/number_policy.hpp"

namespace tenon::gen {

NumberPolicy::NumberPolicy(CORBA::PolicyType type, std::uint32_t number,
                           std::span<const std::string_view> ids) noexcept
    : type_(type), number_(number), own_ids_(*this, ids) {}
NumberPolicy::~NumberPolicy() = default;

CORBA::PolicyType NumberPolicy::policy_type() const { return type_; }

CORBA::object_reference<CORBA::Policy> NumberPolicy::copy() {
  return CORBA::object_reference<CORBA::Policy>(this);
}

}  // namespace tenon::gen
