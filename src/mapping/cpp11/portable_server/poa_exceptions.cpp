// SPDX-License-Identifier: Apache-2.0
//
// Turns what the adapter returns into the exceptions of PortableServer.
#include "tenon/portable_server/poa_exceptions.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "poa/poa.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {

void raise(const poa::Fault& fault) {
  using PortableServer::Current;
  using PortableServer::POA;
  using PortableServer::POAManager;
  switch (fault.kind) {
    case poa::Exception::none:
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
    case poa::Exception::manager_inactive: throw POAManager::AdapterInactive("the POAManager is inactive");
    case poa::Exception::manager_already_exists:
      throw PortableServer::POAManagerFactory::ManagerAlreadyExists("there is a POAManager with that id");
    case poa::Exception::no_context: throw Current::NoContext("this thread serves no request of a POA");
  }
  raise(fault.error);
}

namespace {

/// As much of the text as helps, in quotes and fit for a terminal.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 100;
  return "'" + printable(text.substr(0, longest)) + (text.size() > longest ? "...'" : "'");
}

/// "POA 'shop/till'", with the names below the root.
std::string name_of(const poa::Poa& poa) {
  std::string path = poa.path().empty() ? poa.name() : poa.path().substr(0, poa.path().size() - 1);
  std::ranges::replace(path, '\0', '/');
  return "POA " + quoted(path);
}

}  // namespace

void raise(const poa::Fault& fault, const poa::Poa& poa, std::string_view subject) {
  using PortableServer::POA;
  const std::string here = name_of(poa);
  const std::string it = quoted(subject);
  switch (fault.kind) {
    case poa::Exception::adapter_already_exists:
      throw POA::AdapterAlreadyExists(here + " has a child " + it + " already");
    case poa::Exception::adapter_non_existent: throw POA::AdapterNonExistent(here + " has no child " + it);
    case poa::Exception::no_servant: throw POA::NoServant(here + " has no default servant");
    case poa::Exception::object_already_active:
      throw POA::ObjectAlreadyActive("object " + it + " is active in " + here + " already");
    case poa::Exception::object_not_active:
      throw POA::ObjectNotActive("object " + it + " is not active in " + here);
    case poa::Exception::servant_already_active:
      throw POA::ServantAlreadyActive("the servant is active in " + here + " already, which has UNIQUE_ID");
    case poa::Exception::servant_not_active:
      throw POA::ServantNotActive("the servant is not active in " + here);
    case poa::Exception::wrong_adapter: throw POA::WrongAdapter("the reference is not one of " + here);
    case poa::Exception::wrong_policy:
      throw POA::WrongPolicy("the policies of " + here + " do not allow this operation");
    default: raise(fault);
  }
}

}  // namespace tenon::gen
