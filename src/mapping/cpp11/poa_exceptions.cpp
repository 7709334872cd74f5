// SPDX-License-Identifier: Apache-2.0
//
// From what the adapter returns to the exceptions of PortableServer.
#include "mapping/cpp11/poa_exceptions.hpp"

#include "mapping/cpp11/poa.hpp"

namespace tenon::gen {

void raise(const poa::Fault& fault) {
  using PortableServer::Current;
  using PortableServer::POA;
  using PortableServer::POAManager;
  switch (fault.kind) {
    case poa::Exception::none: break;
    case poa::Exception::system: break;
    case poa::Exception::adapter_already_exists: throw POA::AdapterAlreadyExists();
    case poa::Exception::adapter_non_existent: throw POA::AdapterNonExistent();
    case poa::Exception::invalid_policy: throw POA::InvalidPolicy(fault.index);
    case poa::Exception::no_servant: throw POA::NoServant();
    case poa::Exception::object_already_active: throw POA::ObjectAlreadyActive();
    case poa::Exception::object_not_active: throw POA::ObjectNotActive();
    case poa::Exception::servant_already_active: throw POA::ServantAlreadyActive();
    case poa::Exception::servant_not_active: throw POA::ServantNotActive();
    case poa::Exception::wrong_adapter: throw POA::WrongAdapter();
    case poa::Exception::wrong_policy: throw POA::WrongPolicy();
    case poa::Exception::manager_inactive: throw POAManager::AdapterInactive();
    case poa::Exception::manager_already_exists:
      throw PortableServer::POAManagerFactory::ManagerAlreadyExists();
    case poa::Exception::no_context: throw Current::NoContext();
  }
  raise(fault.error);
}

}  // namespace tenon::gen
