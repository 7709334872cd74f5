// SPDX-License-Identifier: Apache-2.0
//
// PortableServer::POA and POAManager over tenon::poa: octets become references, faults become exceptions. What needs a whole POA is in
// whole_poa.cpp.
#include "tenon/portable_server/poa.hpp"

#include <mutex>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "orb/orb.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::gen {
namespace {

/// Guards the `face` of every POA and manager, and the making of adapters. Held for a few instructions.
constinit std::mutex faces;  // this kind needs no destructor: references may end while the process exits

template <typename Face, typename Engine>
CORBA::object_reference<Face> make_face(const Ref<Engine>& engine) {
  if (!engine) return nullptr;
  const std::lock_guard lock(faces);
  auto* known = static_cast<Face*>(engine->face);
  if (known != nullptr && known->_add_ref_if_alive()) {
    CORBA::object_reference<Face> held(known);
    known->_remove_ref();
    return held;
  }
  CORBA::object_reference<Face> made(new Face(engine));
  engine->face = made.get();
  return made;
}

template <typename Engine>
void forget_face(Engine& engine, const void* face) noexcept {
  const std::lock_guard lock(faces);
  if (engine.face == face) engine.face = nullptr;
}

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
  const std::lock_guard lock(faces);
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

CORBA::object_reference<PortableServer::POA> face_of(const Ref<poa::Poa>& poa) {
  return make_face<PortableServer::POA>(poa);
}

CORBA::object_reference<PortableServer::POAManager> face_of(const Ref<poa::Manager>& manager) {
  return make_face<PortableServer::POAManager>(manager);
}

const InitialReference root_poa_reference{
    "RootPOA", [](orb::Orb& orb) -> CORBA::object_reference<CORBA::Object> { return root_poa(orb); }};

CORBA::object_reference<PortableServer::POA> root_poa(orb::Orb& orb) { return face_of(root_poa_of(orb)); }

bool publish_key(orb::Orb& orb, const CORBA::object_reference<CORBA::Object>& object, std::string_view name) {
  const ByteView key(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  const Status done = adapter_of(orb).publish(key, object ? local_key(orb, object) : poa::Octets());
  if (!done && done.error() != errors::unusable_name) raise(done.error());
  return bool{done};
}

}  // namespace tenon::gen

namespace PortableServer {
inline namespace cpp11 {

using tenon::gen::text_of;
using tenon::gen::value_or_raise;
using State = POAManager::State;
using Kind = tenon::poa::Exception;

// --- POAManager ---

POAManager::POAManager(tenon::Ref<tenon::poa::Manager> manager) : manager_(std::move(manager)) {}
POAManager::~POAManager() { tenon::gen::forget_face(*manager_, this); }

void POAManager::activate() { value_or_raise<Kind::manager_inactive>(manager_->activate()); }
void POAManager::hold_requests(bool wait) {
  value_or_raise<Kind::manager_inactive>(manager_->hold_requests(wait));
}
void POAManager::discard_requests(bool wait) {
  value_or_raise<Kind::manager_inactive>(manager_->discard_requests(wait));
}
void POAManager::deactivate(bool etherealize_objects, bool wait) {
  value_or_raise<Kind::manager_inactive>(manager_->deactivate(etherealize_objects, wait));
}
std::string POAManager::get_id() { return manager_->id(); }

State POAManager::get_state() {
  switch (manager_->state()) {
    case tenon::poa::ManagerState::holding: return State::HOLDING;
    case tenon::poa::ManagerState::active: return State::ACTIVE;
    case tenon::poa::ManagerState::discarding: return State::DISCARDING;
    case tenon::poa::ManagerState::inactive: return State::INACTIVE;
  }
  return State::INACTIVE;
}

// --- POA: the tree ---

POA::POA(tenon::Ref<tenon::poa::Poa> poa) : orb_(poa->root().orb()), poa_(std::move(poa)) {}
POA::~POA() { tenon::gen::forget_face(*poa_, this); }

void POA::destroy(bool etherealize_objects, bool wait_for_completion) {
  value_or_raise(poa_->destroy(etherealize_objects, wait_for_completion));
}
std::string POA::the_name() { return std::string(poa_->name()); }

CORBA::object_reference<POAManager> POA::the_POAManager() {
  return tenon::gen::face_of(tenon::Ref<tenon::poa::Manager>(&poa_->manager()));
}

std::vector<std::uint8_t> POA::id() { return value_or_raise(poa_->id()); }

// --- POA: servants and objects ---

ObjectId POA::activate_object(const CORBA::servant_reference<Servant>& servant) {
  return value_or_raise<Kind::servant_already_active, Kind::wrong_policy>(
      poa_->activate(tenon::gen::engine_servant(servant)), *poa_);
}

void POA::deactivate_object(const ObjectId& id) {
  value_or_raise<Kind::object_not_active, Kind::wrong_policy>(poa_->deactivate(id), *poa_, text_of(id));
}

ObjectId POA::servant_to_id(const CORBA::servant_reference<Servant>& servant) {
  return value_or_raise<Kind::servant_not_active, Kind::wrong_policy>(
      poa_->servant_to_id(tenon::gen::engine_servant(servant)), *poa_);
}

CORBA::object_reference<CORBA::Object> POA::servant_to_reference(
    const CORBA::servant_reference<Servant>& servant) {
  const tenon::poa::Octets key = value_or_raise<Kind::servant_not_active, Kind::wrong_policy>(
      poa_->key_of(tenon::gen::engine_servant(servant)), *poa_);
  return tenon::gen::make_stub<CORBA::Object>(tenon::gen::servant_reference(*orb_, *poa_, *servant, key));
}

CORBA::servant_reference<Servant> POA::reference_to_servant(
    const CORBA::object_reference<CORBA::Object>& reference) {
  if (!poa_->policies().retains() && !poa_->policies().has_default_servant())
    tenon::gen::raise_one_of<Kind::wrong_policy>(Kind::wrong_policy, poa_.get(), {});
  return id_to_servant(reference_to_id(reference));
}

ObjectId POA::reference_to_id(const CORBA::object_reference<CORBA::Object>& reference) {
  return value_or_raise<Kind::wrong_adapter>(poa_->id_of(tenon::gen::local_key(*orb_, reference)), *poa_);
}

CORBA::servant_reference<Servant> POA::id_to_servant(const ObjectId& id) {
  return tenon::gen::own_servant(value_or_raise<Kind::object_not_active, Kind::wrong_policy>(
      poa_->id_to_servant(id), *poa_, text_of(id)));
}

CORBA::object_reference<CORBA::Object> POA::id_to_reference(const ObjectId& id) {
  const tenon::poa::Octets key = value_or_raise<Kind::object_not_active, Kind::wrong_policy>(
      poa_->key_of_active(id), *poa_, text_of(id));
  const auto servant = value_or_raise<Kind::object_not_active, Kind::wrong_policy>(poa_->id_to_servant(id),
                                                                                   *poa_, text_of(id));
  return tenon::gen::object_of(*orb_, *poa_, *servant, key);
}

}  // namespace cpp11
}  // namespace PortableServer
