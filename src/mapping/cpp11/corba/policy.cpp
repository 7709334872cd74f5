// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/policy.hpp"

namespace CORBA {
inline namespace cpp11 {

void PolicyError::_put(tenon::cdr::Writer& out) const { tenon::gen::Codec<PolicyError>::put(out, *this); }

void InvalidPolicies::_put(tenon::cdr::Writer& out) const {
  tenon::gen::Codec<InvalidPolicies>::put(out, *this);
}

}  // namespace cpp11
}  // namespace CORBA
