// SPDX-License-Identifier: Apache-2.0
//
// What an InterfaceDef is looked up with: a call of the interface repository. A part of its own, because a server may have no other calls.
#pragma once

#include <atomic>
#include <string_view>

#include "tenon/corba/object.hpp"

namespace tenon::gen {

using InterfaceLookup = CORBA::object_reference<CORBA::Object> (*)(std::string_view repository_id);

/// What interface_def() calls. Null: this process has not named the part. Once set, it stays.
extern std::atomic<InterfaceLookup> interface_lookup;

/// Asks the InterfaceRepository of current_orb(). INTF_REPOS as interface_def().
CORBA::object_reference<CORBA::Object> ask_interface_repository(std::string_view repository_id);

}  // namespace tenon::gen
