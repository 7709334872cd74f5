// SPDX-License-Identifier: Apache-2.0
//
// Between the object adapters and the IOR interceptors of a chain. Private to src/dynamic; no state of its own.
#pragma once

#include "dynamic/interceptors/interception_chain.hpp"
#include "poa/observer.hpp"

namespace tenon::dynamic {

std::shared_ptr<poa::AdapterObserver> make_adapter_observer(std::shared_ptr<const Chain> chain);

/// "RootPOA", and the names below it.
PortableInterceptor::AdapterName adapter_name(std::string_view path);
/// The policy of that type. INV_POLICY (OMG minor 3) for one that POAs do not have.
CORBA::object_reference<CORBA::Policy> policy_of(const poa::Policies& all, CORBA::PolicyType type);

}  // namespace tenon::dynamic
