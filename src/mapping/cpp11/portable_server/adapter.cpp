// SPDX-License-Identifier: Apache-2.0
//
// The adapter of an ORB, and what the mapping has of its objects without PortableServer::POA.
#include "mapping/cpp11/portable_server/adapter.hpp"

#include <mutex>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "orb/orb.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::gen {
namespace {

/// Guards the making of adapters.
constinit std::mutex making;  // this kind needs no destructor: references may end while the process exits

}  // namespace

poa::Servant& engine_servant(const CORBA::servant_reference<PortableServer::Servant>& servant) {
  if (!servant) raise(errors::nil_servant);
  return *servant;
}

CORBA::servant_reference<PortableServer::Servant> own_servant(const Ref<poa::Servant>& servant) {
  auto* own = dynamic_cast<PortableServer::Servant*>(servant.get());
  if (own == nullptr) raise(errors::wrong_servant_type);
  return CORBA::servant_reference<PortableServer::Servant>(own);
}

CORBA::object_reference<CORBA::Object> object_of(orb::Orb& orb, const poa::Poa& poa,
                                                 const poa::Servant& servant, const poa::Octets& key) {
  const auto* own = dynamic_cast<const PortableServer::Servant*>(&servant);
  return make_stub<CORBA::Object>(own != nullptr ? servant_reference(orb, poa, *own, key)
                                                 : new_reference(orb, poa, servant._most_derived_id(), key));
}

poa::Octets local_key(orb::Orb& orb, const CORBA::object_reference<CORBA::Object>& object) {
  if (!object) raise(errors::nil_object);
  if (!object->_reference()) raise(errors::local_object);
  for (const orb::UsableProfile& profile : object->_reference()->profiles()) {
    if (orb.is_local(profile)) return profile.view.object_key;
  }
  throw PortableServer::POA::WrongAdapter("the reference leads to no POA of this ORB");
}

poa::RootAdapter& adapter_of(orb::Orb& orb) {
  const std::lock_guard lock(making);
  if (orb.adapter() == nullptr) {
    if (const Status usable = orb.usable(); !usable) raise(usable.error());
    if (orb.parts().make_adapter == nullptr)
      raise_with_reason(errors::no_adapter,
                        "the ORB serves no objects: its start-up names neither tenon::parts::root_poa nor "
                        "tenon::parts::poa");
    // The ORB owns this reference until orb_gone().
    orb::Adapter* const made = orb.parts().make_adapter(orb);
    if (made == nullptr) raise(memory::shortage());
    orb.set_adapter(made);
  }
  return static_cast<poa::RootAdapter&>(*orb.adapter());
}

Ref<poa::Poa> root_poa_of(orb::Orb& orb) { return value_or_raise(adapter_of(orb).root_poa()); }

bool publish_key(orb::Orb& orb, const CORBA::object_reference<CORBA::Object>& object, std::string_view name) {
  const ByteView key(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  const Status done = adapter_of(orb).publish(key, object ? local_key(orb, object) : poa::Octets());
  if (!done && done.error() != errors::unusable_name) raise(done.error());
  return bool{done};
}

}  // namespace tenon::gen
