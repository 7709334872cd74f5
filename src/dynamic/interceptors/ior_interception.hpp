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
/// The policy of that type; nil: the POA has none of it. INV_POLICY (OMG minor 3) for a type that POAs do not have and the chain has no
/// factory for.
CORBA::object_reference<CORBA::Policy> policy_of(const poa::Poa& poa, const Chain& chain,
                                                 CORBA::PolicyType type);
/// Raises INV_POLICY (OMG minor 3) unless there is a factory for the type.
void check_has_factory(const Chain& chain, CORBA::PolicyType type);

}  // namespace tenon::dynamic
