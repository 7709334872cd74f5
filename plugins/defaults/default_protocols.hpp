// SPDX-License-Identifier: Apache-2.0
//
// The protocols of an ORB whose program names none: all of this library.
#pragma once

#include "orb/protocols.hpp"

namespace tenon {

orb::Protocols default_protocols();

}  // namespace tenon
