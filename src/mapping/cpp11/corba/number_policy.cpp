// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/number_policy.hpp"

namespace tenon::gen {

CORBA::object_reference<CORBA::Policy> same_policy(CORBA::Policy& policy) noexcept {
  return CORBA::object_reference<CORBA::Policy>(&policy);
}

}  // namespace tenon::gen
