// SPDX-License-Identifier: Apache-2.0
//
// Protocols of a shared object, which a program need not know when it is built: -ORBProtocolLibrary FILE, or
// Configuration::protocol_libraries. docs/writing-a-protocol.md makes one.
//
//   void add(tenon::orb::Protocols& protocols) {
//     protocols.push_back({std::make_unique<MyTransport>(), tenon::giop::make_messaging()});
//   }
//   TENON_PROTOCOL_LIBRARY(add)
//
// It must be linked with the same libtenon.so as the program. It stays loaded until the process ends.
#pragma once

#include <cstdint>
#include <string>

#include "orb/parts.hpp"
#include "protocol/messaging.hpp"
#include "protocol/transport.hpp"

namespace tenon::orb {

/// The number of what plug-ins implement and call: src/protocol. It is raised with each change there (tools/check_contract.py), and a shared
/// object that was built for another one is refused.
inline constexpr std::uint32_t protocol_contract = 9;  // of headers 014f750b67fb

/// The same of the classes that pass between a plug-in and the ORB: their sizes.
consteval std::uint64_t protocol_layout() {
  std::uint64_t all = 0;
  for (const std::size_t size :
       {sizeof(Protocol), sizeof(protocol::TransportPlugin), sizeof(protocol::TransportOptions),
        sizeof(protocol::ProfileView), sizeof(protocol::Transport), sizeof(protocol::Acceptor),
        sizeof(protocol::Messaging), sizeof(protocol::MessagingOptions), sizeof(protocol::Connection),
        sizeof(protocol::OutgoingCall), sizeof(protocol::CallSpec), sizeof(protocol::Target),
        sizeof(protocol::IncomingCall), sizeof(cdr::Reader), sizeof(cdr::Writer), sizeof(ior::Ior)}) {
    all = all * 1'000'003 + size;
  }
  return all;
}

/// Its address tells one copy of Tenon in a process from another.
extern const char library_mark;

/// What a shared object says of itself, under the name tenon_protocol_library. Its first member never changes.
struct ProtocolLibrary {
  std::uint32_t contract = protocol_contract;
  std::uint64_t layout = protocol_layout();
  const void* copy = &library_mark;
  /// Adds its protocols. Called once for each ORB that wants this file, from any thread; must not throw.
  void (*add)(Protocols& protocols) = nullptr;
};

/// False: `why` says what is wrong with the file.
bool load_protocols(const std::string& file, Protocols& into, std::string& why);

}  // namespace tenon::orb

#define TENON_PROTOCOL_LIBRARY(function)                    \
  extern "C" __attribute__((visibility("default")))         \
  const tenon::orb::ProtocolLibrary tenon_protocol_library; \
  const tenon::orb::ProtocolLibrary tenon_protocol_library = {.add = (function)};
