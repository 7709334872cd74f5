// SPDX-License-Identifier: Apache-2.0
//
// What an ORB is told about a protocol. A program's start-up says which there are.
#pragma once

#include <memory>
#include <vector>

namespace tenon::protocol {
class Messaging;
class TransportPlugin;
}  // namespace tenon::protocol

namespace tenon::orb {

class Bidirectional;

/// A transport and the messaging over it. The plug-ins live as long as the ORB.
struct Protocol {
  std::unique_ptr<protocol::TransportPlugin> transport;
  std::shared_ptr<protocol::Messaging> messaging;
  std::shared_ptr<Bidirectional> bidirectional = nullptr;  ///< the ORB's own
};

/// In order of preference; the first is the one that listens when no endpoint was asked for.
using Protocols = std::vector<Protocol>;

}  // namespace tenon::orb
