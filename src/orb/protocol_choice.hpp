// SPDX-License-Identifier: Apache-2.0
//
// Which protocols an ORB has, in which order, and what they are told, if its options say so.
#pragma once

#include <string>
#include <string_view>

#include "orb/options.hpp"
#include "orb/parts.hpp"

namespace tenon::orb {

/// What `transport` lacks to carry `messaging`, in words ("a byte stream"); null: nothing.
const char* lacks(const protocol::TransportPlugin& transport, const protocol::Messaging& messaging) noexcept;

/// Gives the plug-in one of its own options. `in_use`: only one that may change then (protocol::PluginOption). False: `why` says what is
/// wrong.
bool tell(protocol::TransportPlugin& transport, std::string_view name, const std::string& value, bool in_use,
          std::string& why);

/// Loads Options::protocol_libraries, keeps of the protocols those that Options::protocols names, in that order, and gives each plug-in its
/// Options::protocol_options. False: `why` names what is wrong (a name that no protocol has, two protocols of one name or profile tag, a
/// messaging over a transport that lacks what it needs, an option that a plug-in does not have) and what would be right; the ORB is not to
/// be made then. Before the ORB is made; one thread.
bool choose_protocols(const Options& options, Parts& parts, std::string& why);

}  // namespace tenon::orb
