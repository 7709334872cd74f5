// SPDX-License-Identifier: Apache-2.0
//
// IncomingRequest: the content of a request that came in. Generated skeletons use nothing else of a call.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "cdr/reader.hpp"

namespace tenon::protocol {

/// How far a request must have come before the caller goes on (CORBA messaging §22.2.2.1).
enum class Sync : std::uint8_t { none, with_transport, with_server, with_target };

/// Views into the message; valid as long as the IncomingCall (incoming_call.hpp) that it is part of.
struct IncomingRequest {
  std::string_view operation = {};
  ByteView object_key = {};
  Sync sync = Sync::with_target;
  bool response_expected = true;
  cdr::Reader arguments = {};
};

}  // namespace tenon::protocol
