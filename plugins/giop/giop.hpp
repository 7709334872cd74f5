// SPDX-License-Identifier: Apache-2.0
//
// GIOP as a messaging plug-in: connections over any transport. The rules of GIOP itself are in src/giop, without I/O.
#pragma once

#include <memory>

#include "protocol/messaging.hpp"

namespace tenon::giop {

std::shared_ptr<protocol::Messaging> make_messaging();

}  // namespace tenon::giop
