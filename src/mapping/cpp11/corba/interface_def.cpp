// SPDX-License-Identifier: Apache-2.0
//
// InterfaceDefs for servants and values. Not the lookup itself (interface_lookup.cpp): this file refers to no call.
#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/interface_lookup.hpp"
#include "tenon/corba/orb.hpp"

namespace tenon::gen {

constinit std::atomic<InterfaceLookup> interface_lookup{nullptr};

CORBA::object_reference<CORBA::Object> interface_def(std::string_view repository_id) {
  const InterfaceLookup lookup = interface_lookup.load(std::memory_order_acquire);
  if (lookup == nullptr)
    raise_with_reason(errors::no_interface_repository,
                      "no start-up of the server has named tenon::parts::interface_repository");
  return lookup(repository_id);
}

}  // namespace tenon::gen
