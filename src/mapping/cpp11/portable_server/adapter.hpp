// SPDX-License-Identifier: Apache-2.0
//
// What the files of this folder share: the adapter of an ORB, and from servants of the engine to those of the mapping. Any thread.
#pragma once

#include <string_view>

#include "tenon/portable_server/poa.hpp"

namespace tenon::poa {
class WholePoa;
}

namespace tenon::gen {

/// Made by the first call. OBJ_ADAPTER (minor 100): the program's start-up names no adapter.
poa::RootAdapter& adapter_of(orb::Orb& orb);
/// BAD_INV_ORDER after shutdown.
Ref<poa::Poa> root_poa_of(orb::Orb& orb);

CORBA::object_reference<PortableServer::POAManager> face_of(const Ref<poa::Manager>& manager);

/// BAD_PARAM: it is nil.
poa::Servant& engine_servant(const CORBA::servant_reference<PortableServer::Servant>& servant);
/// OBJ_ADAPTER: the servant is one of another mapping.
CORBA::servant_reference<PortableServer::Servant> own_servant(const Ref<poa::Servant>& servant);
/// A reference to the object with that key, which the servant, of whatever mapping, incarnates.
CORBA::object_reference<CORBA::Object> object_of(orb::Orb& orb, const poa::Poa& poa,
                                                 const poa::Servant& servant,
                                                 const std::vector<std::uint8_t>& key);
/// The key in the profile that leads to this process. BAD_PARAM, MARSHAL for nil and local objects, WrongAdapter.
std::vector<std::uint8_t> local_key(orb::Orb& orb, const CORBA::object_reference<CORBA::Object>& object);

/// NO_IMPLEMENT: the POA is the root POA of an ORB that has no other; what() names the operation and tenon::parts::poa.
poa::WholePoa& whole_or_raise(poa::Poa& poa, std::string_view operation);

inline std::string_view text_of(const PortableServer::ObjectId& id) noexcept {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

}  // namespace tenon::gen
