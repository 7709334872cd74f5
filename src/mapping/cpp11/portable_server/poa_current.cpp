// SPDX-License-Identifier: Apache-2.0
//
// PortableServer::Current, which reads the frames of its thread, and object ids as text.
#include <algorithm>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "orb/orb.hpp"
#include "poa/current.hpp"
#include "poa/root_adapter.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {

// Frames know their ORB, so a Current may serve all ORBs; it lives as long as a reference to it.
CORBA::object_reference<PortableServer::Current> poa_current(orb::Orb&) {
  return CORBA::make_reference<PortableServer::Current>();
}

const InitialReference poa_current_reference{
    "POACurrent", [](orb::Orb& orb) -> CORBA::object_reference<CORBA::Object> { return poa_current(orb); }};

void add_poa_current(orb::Parts& parts) { add_initial_reference(parts, poa_current_reference); }

namespace {

const poa::Frame& frame_or_raise() {
  // There is no object while a servant manager runs, either.
  if (poa::current_frame == nullptr || poa::current_frame->servant == nullptr) {
    throw PortableServer::Current::NoContext("this thread serves no request of a POA");
  }
  return *poa::current_frame;
}

}  // namespace
}  // namespace tenon::gen

namespace PortableServer {
inline namespace cpp11 {

Current::~Current() = default;

CORBA::object_reference<POA> Current::get_POA() {
  return tenon::gen::face_of(tenon::Ref<tenon::poa::Poa>(tenon::gen::frame_or_raise().poa));
}

ObjectId Current::get_object_id() {
  const tenon::ByteView id = tenon::gen::frame_or_raise().id;
  return ObjectId(id.begin(), id.end());
}

CORBA::object_reference<CORBA::Object> Current::get_reference() {
  const tenon::poa::Frame& frame = tenon::gen::frame_or_raise();
  tenon::orb::Orb& orb = *frame.poa->root().orb();
  const tenon::poa::Octets key = tenon::gen::value_or_raise(frame.poa->make_key(frame.id));
  return tenon::gen::object_of(orb, *frame.poa, *frame.servant, key);
}

CORBA::servant_reference<Servant> Current::get_servant() {
  return tenon::gen::own_servant(tenon::Ref<tenon::poa::Servant>(tenon::gen::frame_or_raise().servant));
}

std::string ObjectId_to_string(const ObjectId& id) {
  if (std::find(id.begin(), id.end(), std::uint8_t{0}) != id.end())
    tenon::gen::raise(tenon::errors::nul_in_argument);
  return std::string(id.begin(), id.end());
}

ObjectId string_to_ObjectId(const std::string& text) { return ObjectId(text.begin(), text.end()); }

}  // namespace cpp11
}  // namespace PortableServer
