// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/new_reference.hpp"

#include <string>

#include "base/log.hpp"
#include "poa/poa.hpp"
#include "poa/root_adapter.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/portable_server/poa_exceptions.hpp"

namespace tenon::gen {

Ref<orb::Reference> new_reference(orb::Orb& orb, std::string_view type_id, ByteView key,
                                  std::span<const orb::ExtraComponent> components) {
  std::string why;
  auto reference = orb.create_reference(type_id, key, components, &why);
  if (reference) return *std::move(reference);
  if (why.empty()) raise(reference.error());
  raise_with_reason(reference.error(), std::move(why));
}

namespace {

poa::ObjectId id_in(const poa::Poa& poa, ByteView key) { return value_or_raise(poa.id_of(key), poa); }

}  // namespace

Ref<orb::Reference> new_reference(orb::Orb& orb, const poa::Poa& poa, std::string_view type_id, ByteView key,
                                  std::span<const orb::ExtraComponent> components) {
  if (const auto maker = poa.reference_maker()) return maker->make(type_id, id_in(poa, key));
  Ref<orb::Reference> made = new_reference(orb, type_id, key, components);
  if (poa.policies().persistent() && !orb.has_fixed_endpoint() && poa.root().first_that_moves()) {
    advise("poa",
           "POA '" + poa.name() +
               "' is PERSISTENT, but the system chooses another endpoint each time this server starts: "
               "references to its objects will lead nowhere then; choose one, for example "
               "-ORBListenEndpoints iiop://:2809");
  }
  return made;
}

}  // namespace tenon::gen
