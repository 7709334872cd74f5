// SPDX-License-Identifier: Apache-2.0
//
// Protocols of an ORB that runs: added, removed, and changed, while calls over others go on.
//
//   tenon::add_protocol(*orb, "uiop", {.endpoints = {"uiop:///run/app.sock"}});
//   tenon::remove_protocol(*orb, "iiop", std::chrono::seconds(5));
//
// A protocol that is added comes behind the others. Calls and references that are made from then on have it; a reference that a call finds
// a connection for stays with that. docs/protocols.md has the rules, and what else to know.
//
// From any thread, an upcall's too; one change of an ORB waits for another one, except that several may wait for calls to end. All functions
// raise NO_IMPLEMENT (minor protocols_do_not_change) where the ORB's protocols cannot change: it has limits of memory, its start-up does not
// name tenon::parts::protocol_choice (CORBA::ORB_init does), or Tenon was built with TENON_DYNAMIC_PROTOCOLS=OFF. They raise BAD_INV_ORDER
// (OMG minor 4) once the ORB is being shut down. Where a function raises an exception, nothing has changed, and what() says why.
#pragma once

#include <tenon/language.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "orb/parts.hpp"
#include "protocol/messaging.hpp"
#include "protocol/transport.hpp"

namespace CORBA {
inline namespace cpp11 {
class ORB;
}
}  // namespace CORBA

namespace tenon {

/// What a protocol is added with.
struct ProtocolSettings {
  /// Options of its plug-in, each with its value: {"ring", "1M"}. As -ORBProtocolOption, without the protocol's name.
  std::vector<std::pair<std::string, std::string>> options = {};
  /// Where the ORB listens for it, as -ORBListenEndpoints has it. Where there is one, an ORB that does not listen yet begins to, on its other
  /// endpoints, too. None: it does not listen for this protocol.
  std::vector<std::string> endpoints = {};
  /// A shared object that brings the protocol (-ORBProtocolLibrary). Empty: the program brings it, or one of the ORB's protocol libraries.
  std::string library = {};
};

/// Adds the protocol of that name. BAD_PARAM: the ORB has it (protocol_is_there), nothing brings it (protocol_not_provided), an option is
/// wrong (bad_protocol_option), or its parts do not fit together (protocol_does_not_fit). INITIALIZE: an endpoint cannot be opened. A
/// program that names its parts itself gives the plug-ins instead, see below; its ORBs know those of protocol libraries by name.
void add_protocol(CORBA::ORB& orb, const std::string& name, const ProtocolSettings& settings = {});
/// The same with plug-ins of the program's own, which the ORB owns from then on (tenon/protocols.hpp makes those of Tenon).
void add_protocol(CORBA::ORB& orb, orb::Protocol protocol, const ProtocolSettings& settings = {});

/// Removes a protocol, and returns when nothing goes over it any more:
///  - its endpoints close, and new references do not name them;
///  - new calls go over other profiles of their references; where there is none they raise NO_IMPLEMENT (OMG minor 3);
///  - calls of this process that are in flight on it go on until they end. Those that take longer than `calls_may_take` get
///    COMM_FAILURE, and may have been executed. Zero: none is waited for;
///  - requests of others that are being served are answered, and then their connections close. They are not waited for.
/// BAD_PARAM (no_such_protocol): the ORB does not have it. In an upcall, calls further out on the same thread cannot end while this waits.
/// What the protocol's plug-ins need stays in memory until the ORB is destroyed.
void remove_protocol(CORBA::ORB& orb, const std::string& name,
                     std::chrono::milliseconds calls_may_take = std::chrono::seconds(10));

/// Changes an option of a protocol's plug-in. It counts for connections and endpoints that are opened from then on. BAD_PARAM: the ORB has no
/// such protocol (no_such_protocol); the plug-in has no such option, does not take the value, or cannot change it while it is in use
/// (bad_protocol_option).
void set_protocol_option(CORBA::ORB& orb, const std::string& name, const std::string& option,
                         const std::string& value);

/// Listens on one endpoint more, and returns its text with the real port. References that are made from then on have it. An ORB that does
/// not listen yet begins to, on its other endpoints, too. BAD_PARAM (no_such_protocol): no protocol of the ORB takes it. INITIALIZE: it
/// cannot be opened.
std::string add_endpoint(CORBA::ORB& orb, const std::string& endpoint);
/// Closes an endpoint, whose text is as ORB::_endpoints() and add_endpoint() return it. Connections that were accepted there stay, and
/// references that name it lead nowhere for those that are not connected. BAD_PARAM (no_such_endpoint): there is none.
void remove_endpoint(CORBA::ORB& orb, const std::string& endpoint);

/// The protocols that the ORB has now, in order. Works for each ORB.
std::vector<std::string> protocol_names(CORBA::ORB& orb);

}  // namespace tenon
