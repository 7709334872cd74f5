// SPDX-License-Identifier: Apache-2.0
//
// What an ORB consists of. The engine knows each part by a function that makes it, which is null where there is none; so a program
// links a part only if its start-up names it (include/tenon/parts.hpp). docs/decisions/0042-an-orb-of-parts.md says why so.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace tenon::protocol {
class Messaging;
class TransportPlugin;
}  // namespace tenon::protocol

namespace tenon::ior {
struct Ior;
}

namespace tenon::gen {
struct InitialReference;
struct InterfaceRepository;
struct NamingUrls;
struct ProtocolPolicies;
}  // namespace tenon::gen

namespace tenon::orb {

class Adapter;
class Attendant;
class Bidirectional;
struct CorbalocUrls;
class Collocation;
class Orb;
class OutgoingLimit;
class ProtocolTable;
class Reactor;
class Reference;
class Server;
class Sweeps;
struct Options;
struct Parts;
struct UsableProfile;
enum class Unreachable : std::uint8_t;

/// A transport and the messaging over it. The plug-ins live as long as the ORB, also those of a protocol that is removed.
struct Protocol {
  std::unique_ptr<protocol::TransportPlugin> transport;
  std::shared_ptr<protocol::Messaging> messaging;
  std::shared_ptr<Bidirectional> bidirectional = nullptr;  ///< the ORB's own; null: it has no such part
  /// It joins processes of this machine alone, and its profiles say which ones they are for. Where no endpoint was asked for, a server
  /// listens on it too, and its references have this way first (Parts::listen_locally).
  bool local = false;
  /// Null, or an address that only those know that made it and may still add to it (src/parts).
  const void* made_by = nullptr;
};

/// In order of preference; the first is the one that listens when no endpoint was asked for.
using Protocols = std::vector<Protocol>;

/// What Parts has but the protocols: pointers, which are copied as one piece.
struct PartsByAddress {
  const CorbalocUrls* corbaloc = nullptr;  ///< without it, references as text are IOR: (corbaloc.hpp)

  // What the mapping's ORB has (mapping/cpp11/corba/orb_parts.hpp).
  /// Those that the ORB itself makes, then nulls. This library has eight.
  std::array<const gen::InitialReference*, 8> initial_references = {};
  const gen::NamingUrls* naming = nullptr;
  const gen::InterfaceRepository* interfaces = nullptr;
  const gen::ProtocolPolicies* protocol_policies = nullptr;

  using MakeServer = std::unique_ptr<Server> (*)(Orb& orb);
  using MakeAttendant = std::unique_ptr<Attendant> (*)(Orb& orb);

  // --- ways of serving, see Serving ---
  MakeServer thread_per_connection = nullptr;
  MakeServer pool = nullptr;
  MakeServer single_thread = nullptr;
  /// Of an ORB that serves with a single thread; comes with `single_thread`.
  std::unique_ptr<Reactor> (*reactor)(Orb& orb) = nullptr;

  // --- time, asynchronous calls, connections that are not in use ---
  MakeAttendant attendant = nullptr;                ///< of an ORB with threads
  MakeAttendant single_thread_attendant = nullptr;  ///< of an ORB with a single thread
  std::unique_ptr<Sweeps> (*sweeps)(Orb& orb) = nullptr;

  // --- calls ---
  std::unique_ptr<Collocation> (*collocation)(Orb& orb) = nullptr;
  std::unique_ptr<OutgoingLimit> (*outgoing_limit)(Orb& orb) = nullptr;
  std::shared_ptr<Bidirectional> (*bidirectional)(Orb& orb, const Protocol& protocol) = nullptr;
  /// Makes the object adapter, when the program first asks for its root POA; orb_gone() gives it back. Null: the ORB serves no objects.
  Adapter* (*make_adapter)(Orb& orb) = nullptr;

  /// Messages can be sent in fragments (giop::enable_fragments()).
  bool fragments = false;
  /// The adapter that `make_adapter` makes has rules of access (poa/access), which -ORBAccessRules wants.
  bool access = false;

  /// Brings the protocols into the order that the options want (protocol_choice.hpp).
  bool (*choose_protocols)(const Options& options, Parts& parts, std::string& why) = nullptr;
  /// What plug-ins say in profiles of others (composed_profiles.hpp): of references that this process makes; of those that it calls.
  bool (*compose_profiles)(const Server& server, ior::Ior& made) = nullptr;
  void (*take_profiles_apart)(const Orb& orb, std::vector<UsableProfile>& profiles) = nullptr;
  /// Opens endpoints of those protocols that are local, for an ORB that was told neither endpoints nor protocols (local_endpoints.hpp).
  void (*listen_locally)(const Orb& orb, Server& server) = nullptr;
  /// ClientProtocolPolicy: keeps of the reference's profiles those that it wants, in its order.
  Unreachable (*choose_profiles)(const Reference& reference, std::vector<UsableProfile>& profiles) = nullptr;
  /// Adds the protocols of a shared object (protocol_library.hpp).
  bool (*load_protocols)(const std::string& file, Protocols& into, std::string& why) = nullptr;
  /// Makes once more the protocols that the program's start-up has brought, for one to be added to an ORB that runs; null: they are not
  /// known by their names.
  void (*make_protocols)(Protocols& into) = nullptr;

  /// Takes the memory of an ORB that has limits before it is made (memory_limits.hpp).
  Status (*take_memory)(Options& options, std::string& why) = nullptr;

  /// Of an ORB: how its protocols have changed since it was made (protocol_table.hpp). The ORB makes it, and it goes with the ORB's parts;
  /// null: they do not change.
  ProtocolTable* table = nullptr;
};

/// Room for one protocol more, behind those that are there.
Protocol& one_more(Protocols& protocols);

struct Parts : PartsByAddress {
  Parts() = default;
  Parts(Protocols these) : protocols(std::move(these)) {}
  Parts(Parts&&) noexcept = default;
  Parts& operator=(Parts&&) noexcept = default;
  ~Parts();

  Protocols protocols;  ///< of an ORB those that it was made with; see current_protocols.hpp
};

/// Adds a part, or several, to those of an ORB that is about to be made. What concerns the whole process (texts, the log) it
/// switches on for good. May be called any number of times, from any thread.
using Part = void (*)(Parts&);

/// All parts of this floor but enable_handshakes() (server/handshakes.hpp), which few protocols need.
void all_parts(Parts& parts);

/// Why there can be no ORB of these options and parts: what an option asks for that is not among the parts, and the part's name; or a
/// protocol that lacks a plug-in. Empty: there can.
std::string missing(const Options& options, const Parts& parts);

}  // namespace tenon::orb
