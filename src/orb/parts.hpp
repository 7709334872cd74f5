// SPDX-License-Identifier: Apache-2.0
//
// What an ORB consists of. The engine knows each part by a function that makes it or by a pointer that is null where there is none;
// so a program links a part only if its start-up names it (include/tenon/parts.hpp).
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace tenon::protocol {
class Messaging;
class TransportPlugin;
}  // namespace tenon::protocol

namespace tenon::gen {
struct InitialReference;
struct InterfaceRepository;
struct NamingUrls;
}  // namespace tenon::gen

namespace tenon::orb {

class Bidirectional;
struct CorbalocUrls;

/// A transport and the messaging over it. The plug-ins live as long as the ORB.
struct Protocol {
  std::unique_ptr<protocol::TransportPlugin> transport;
  std::shared_ptr<protocol::Messaging> messaging;
  std::shared_ptr<Bidirectional> bidirectional = nullptr;  ///< the ORB's own
};

/// In order of preference; the first is the one that listens when no endpoint was asked for.
using Protocols = std::vector<Protocol>;

struct Parts {
  Parts() = default;
  Parts(Protocols these) : protocols(std::move(these)) {}

  Protocols protocols;
  const CorbalocUrls* corbaloc = nullptr;  ///< without it, references as text are IOR: (corbaloc.hpp)

  // What the mapping's ORB has (mapping/cpp11/corba/orb_parts.hpp).
  std::vector<const gen::InitialReference*> initial_references;  ///< those that the ORB itself makes
  const gen::NamingUrls* naming = nullptr;
  const gen::InterfaceRepository* interfaces = nullptr;
};

/// Adds a part, or several, to those of an ORB that is about to be made. What concerns the whole process (texts, the log) it
/// switches on for good. May be called any number of times, from any thread.
using Part = void (*)(Parts&);

}  // namespace tenon::orb
