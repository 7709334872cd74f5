// SPDX-License-Identifier: Apache-2.0
#include "protocol/connecting_handshake.hpp"

#include <string>

#include "base/joined.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "protocol/transport.hpp"

namespace tenon::protocol {

Status connecting_handshake(Transport& transport, Deadline deadline) {
  const std::int64_t began = steady_now();
  std::string why;
  Error error = errors::cannot_connect;
  switch (transport.handshake(deadline, why)) {
    case Handshake::done: return {};
    case Handshake::failed: break;
    case Handshake::wants_input:
    case Handshake::wants_output:
      error = errors::connect_timed_out;
      why = "it was not done in time";
      break;
  }
  if (memory::is_known()) return error;
  Trail::mine().add({.step = Step::connect,
                     .address = transport.peer(),
                     .error = error,
                     .took_ns = steady_now() - began,
                     .said = joined({"handshake: ", why})});
  return error;
}

}  // namespace tenon::protocol
