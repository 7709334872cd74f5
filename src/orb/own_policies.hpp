// SPDX-License-Identifier: Apache-2.0
//
// Policies of types that only the program knows, as the engine carries them: for an ORB, a reference, a POA or a POAManager. What a
// policy is, is its maker's business. Never changes once it is shared; any thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ref.hpp"
#include "orb/client/call_policies.hpp"

namespace tenon::orb {

class OwnPolicies final : public RefCounted {
 public:
  struct Each {
    std::uint32_t type;  ///< a CORBA::PolicyType
    Ref<RefCounted> policy;
  };

  const Each* find(std::uint32_t type) const noexcept {
    for (const Each& each : all) {
      if (each.type == type) return &each;
    }
    return nullptr;
  }
  void put(Each policy) {
    for (Each& each : all) {
      if (each.type == policy.type) return void(each = std::move(policy));
    }
    all.push_back(std::move(policy));
  }

  std::vector<Each> all;  ///< of each type one
};

using OwnPoliciesRef = Ref<const OwnPolicies>;

/// What set_policy_overrides() sets, of an ORB, a thread or a reference.
struct PolicyOverrides {
  CallPolicies calls;
  OwnPoliciesRef own;  ///< null: none
};

/// What is in `nearer` takes the place of what is in `before`. Either may be null.
inline OwnPoliciesRef laid_over(const OwnPoliciesRef& before, const OwnPoliciesRef& nearer) {
  if (!before || !nearer) return before ? before : nearer;
  auto both = make_ref<OwnPolicies>();
  both->all = before->all;
  for (const OwnPolicies::Each& each : nearer->all) both->put(each);
  return both;
}

}  // namespace tenon::orb
