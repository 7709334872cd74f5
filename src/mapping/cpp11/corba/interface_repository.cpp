// SPDX-License-Identifier: Apache-2.0
//
// What servants answer to _interface: the interface repository's object for their id.
#include <string>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/corba/orb.hpp"

namespace tenon::gen {

namespace {

CORBA::object_reference<CORBA::Object> ask_repository(std::string_view repository_id) {
  // Repository::lookup_id (CORBA 3.4 part 1 §14.5.7); what it returns is narrowed by the caller.
  static constexpr Operation lookup_id{.name = "lookup_id"};
  CORBA::object_reference<CORBA::Object> found;
  try {
    const auto repository = face_of(current_orb())->resolve_initial_references("InterfaceRepository");
    call(
        *repository, lookup_id, [&](cdr::Writer& out) { out.put_raw_string(repository_id); },
        [&](cdr::Reader& in) { Reference<CORBA::Object>::get(in, found); });
  } catch (const CORBA::ORB::InvalidName&) {
    raise_with_reason(errors::no_interface_repository,
                      "the server's ORB has no interface repository; -ORBInitRef InterfaceRepository=URL or "
                      "register_initial_reference() names one");
  } catch (const CORBA::SystemException& exception) {
    raise_with_reason(errors::no_interface_repository,
                      std::string("the server's interface repository does not answer: ") + exception.what());
  }
  if (!found)
    raise_with_reason(errors::no_interface_repository,
                      "the server's interface repository does not know " + std::string(repository_id));
  return found;
}

}  // namespace

const InterfaceRepository interface_repository{&ask_repository};

}  // namespace tenon::gen
