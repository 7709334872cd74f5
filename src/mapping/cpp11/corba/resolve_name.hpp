// SPDX-License-Identifier: Apache-2.0
//
// The one operation of the Naming Service that the ORB itself calls, for corbaname: and -ORBDefaultInitRef. Any thread.
#pragma once

#include <vector>

#include "ior/name_string.hpp"
#include "tenon/corba/object.hpp"

namespace tenon::gen {

/// NamingContext::resolve (CosNaming 1.3 §2.3). BAD_PARAM (OMG minor 10) names the name where the context does not know it, and says what
/// it answered; system exceptions of the call go through.
CORBA::object_reference<CORBA::Object> resolve_name(CORBA::Object& context,
                                                    const std::vector<ior::NameComponent>& name);

}  // namespace tenon::gen
