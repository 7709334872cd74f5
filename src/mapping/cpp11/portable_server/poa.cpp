// SPDX-License-Identifier: Apache-2.0
//
// PortableServer::POA and POAManager over tenon::poa: octets become references, faults become exceptions. What needs a whole POA is in
// whole_poa.cpp. Programs that do not name PortableServer::POA link nothing of this file.
#include "tenon/portable_server/poa.hpp"

#include <mutex>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "poa/current.hpp"
#include "poa/root_adapter.hpp"
#include "tenon/corba/orb.hpp"

namespace tenon::gen {
namespace {

/// Guards the `face` of every POA and manager. Held for a few instructions.
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

CORBA::object_reference<PortableServer::POA> face_of(const Ref<poa::Poa>& poa) {
  return make_face<PortableServer::POA>(poa);
}

CORBA::object_reference<PortableServer::POAManager> face_of(const Ref<poa::Manager>& manager) {
  return make_face<PortableServer::POAManager>(manager);
}

const InitialReference root_poa_reference{
    "RootPOA", [](orb::Orb& orb) -> CORBA::object_reference<CORBA::Object> { return root_poa(orb); }};

void add_root_poa(orb::Parts& parts) { add_initial_reference(parts, root_poa_reference); }

CORBA::object_reference<PortableServer::POA> root_poa(orb::Orb& orb) { return face_of(root_poa_of(orb)); }

CORBA::object_reference<PortableServer::POA> default_poa() { return root_poa(current_orb()); }

// Here, so that a servant's default POA is known to whoever makes references of servants by it.
HeldReference reference_of(PortableServer::Servant& servant) {
  const poa::Frame* frame = poa::current_frame;
  if (frame != nullptr && frame->servant == &servant)
    return servant_reference(*frame->poa->root().orb(), *frame->poa, servant,
                             value_or_raise(frame->poa->make_key(frame->id)));
  const auto poa = servant._default_POA();
  if (!poa) raise(errors::no_default_poa);
  return servant_reference(poa->_orb(), *poa->_poa(), servant,
                           value_or_raise<poa::Exception::servant_not_active, poa::Exception::wrong_policy>(
                               poa->_poa()->key_of(servant), *poa->_poa()));
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
