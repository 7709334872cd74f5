// SPDX-License-Identifier: Apache-2.0
//
// PortableServer::POA: references that come before their servants, and ids that name no slot. In a source of its own, so that programs
// without them have nothing of it.
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "tenon/portable_server/poa.hpp"

namespace PortableServer {
inline namespace cpp11 {

using tenon::gen::value_or_raise;
using Fault = tenon::poa::Exception;

void POA::activate_object_with_id(const ObjectId& id, const CORBA::servant_reference<Servant>& servant) {
  value_or_raise<Fault::object_already_active, Fault::servant_already_active, Fault::wrong_policy>(
      poa_->activate_with_id(id, tenon::gen::engine_servant(servant)), *poa_, tenon::gen::text_of(id));
}

CORBA::object_reference<CORBA::Object> POA::create_reference(const std::string& intf) {
  return tenon::gen::make_stub<CORBA::Object>(tenon::gen::new_reference(
      *orb_, *poa_, intf, value_or_raise<Fault::wrong_policy>(poa_->new_key(), *poa_)));
}

}  // namespace cpp11
}  // namespace PortableServer
