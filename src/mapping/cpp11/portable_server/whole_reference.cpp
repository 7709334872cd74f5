// SPDX-License-Identifier: Apache-2.0
#include "base/joined.hpp"
#include "base/log.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "poa/whole_adapter.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {

Ref<orb::Reference> new_whole_reference(orb::Orb& orb, const poa::WholePoa& poa, std::string_view type_id,
                                        ByteView key, const orb::ExtraComponent* more) {
  if (const auto maker = poa.reference_maker())
    return maker->make(type_id, value_or_raise<poa::Exception::wrong_adapter>(poa.id_of(key), poa));
  std::vector<orb::ExtraComponent> components = poa.components();
  if (more != nullptr) components.push_back(*more);
  Ref<orb::Reference> made = new_reference(orb, type_id, key, components);
  if (poa.policies().persistent() && !orb.has_fixed_endpoint() && poa.root().first_that_moves()) {
    advise("poa",
           joined({"POA '", poa.name(),
                   "' is PERSISTENT, but the system chooses another endpoint each time this server starts: "
                   "references to its objects will lead nowhere then; choose one, for example "
                   "-ORBListenEndpoints iiop://:2809"}));
  }
  return made;
}

}  // namespace tenon::gen
