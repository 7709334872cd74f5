// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/renumbered.hpp"

#include "base/joined.hpp"
#include "base/log.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "poa/current.hpp"

namespace tenon::gen {

bool forward_renumbered(PortableServer::Servant& servant, Upcall& call) {
  const std::string_view name = call.operation();
  const Numbering* const numbering = servant._implemented().numbering;
  const poa::Frame* const frame = poa::current_frame;
  if (!is_offered_number(name) || frame == nullptr || frame->servant != &servant ||
      (numbering != nullptr &&
       name.substr(4) == std::string_view(numbering->check.data(), numbering->check.size())))
    return false;
  if (!call.incoming().response_expected && log_enabled(LogLevel::warning))
    log(LogLevel::warning, "orb",
        worded("a oneway is lost: operation % is of a servant that the object had before", {name}));
  forward_to(call, make_stub<CORBA::Object>(reference_of(servant)).get());
  return true;
}

}  // namespace tenon::gen
