// SPDX-License-Identifier: Apache-2.0
//
// The short way from a servant to an address that clients can use, for programs with one POA. PortableServer can do the same
// in more steps.
#pragma once

#include <string>
#include <string_view>

#include "tenon/corba/orb.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon {

/// Activates the servant in the root POA (once; again does no harm), starts the root POA's manager, and returns the reference. With
/// a name, "corbaloc:iiop:host:port/name" leads to the object too, see corbaloc(). Raises BAD_PARAM for a nil servant or an
/// unusable name, INITIALIZE when an endpoint cannot be opened (the reason is in the log), BAD_INV_ORDER after shutdown. A server that
/// makes no calls uses this function instead of publish(), whose result is a stub: with it, calls are linked.
CORBA::object_reference<CORBA::Object> publish_servant(
    CORBA::ORB& orb, const CORBA::servant_reference<PortableServer::Servant>& servant,
    std::string_view name = {});

template <typename Skeleton>
CORBA::object_reference<typename Skeleton::_interface> publish(
    const CORBA::object_reference<CORBA::ORB>& orb, const CORBA::servant_reference<Skeleton>& servant,
    std::string_view name = {}) {
  return gen::make_stub<typename Skeleton::_interface>(publish_servant(*orb, servant, name)->_reference());
}

/// "corbaloc:iiop:1.2@host:port/name": where this process publishes the object of that name, over TCP where it listens on TCP, else over
/// the first protocol that it listens on. Listens if it did not yet.
std::string corbaloc(const CORBA::object_reference<CORBA::ORB>& orb, std::string_view name);

}  // namespace tenon
