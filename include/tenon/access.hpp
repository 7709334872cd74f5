// SPDX-License-Identifier: Apache-2.0
//
// Who may call what: rules in text, for all objects of an ORB or for those of one POA, from a file or from code.
//
//   tenon::read_access_rules(*orb, "/etc/bank/access.rules");              // or -ORBAccessRules /etc/bank/access.rules
//   tenon::set_access_rules(*poa, "allow operation=balance\nallow kind=tls subject=\"CN=teller *\"\n");
//
// A call that is refused gets NO_PERMISSION (minor 0x544e024e) before any code of the program hears of it, and the log has a line about it
// at level warning. docs/security.md says how rules are written, what they mean together, and what is refused besides.
//
// An ORB has them if it is made by ORB_init, or if its start-up names tenon::parts::access; for others these functions raise NO_IMPLEMENT.
// All may be called from any thread, at any time; requests that have been admitted go on. Set rules before references are made: a
// reference that is older may offer operation numbers (docs/poa.md), and calls by number are refused.
#pragma once

#include <tenon/language.hpp>

#include <string>
#include <string_view>

#include "tenon/corba/orb.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon {

/// From now on these are the rules of all POAs of the ORB, those that are made later included; where a POA has rules of its own, both must
/// allow a call. Raises BAD_PARAM for text that is no rules, or that has none: what() names the line and says what would be right, and
/// nothing has changed.
void set_access_rules(CORBA::ORB& orb, std::string_view rules);
/// The same of this POA alone, not of those below it; they end with it. OBJECT_NOT_EXIST if it has been destroyed.
void set_access_rules(PortableServer::POA& poa, std::string_view rules);

/// The rules of a file, read now and not again. False: it cannot be read, or is wrong; then every call is refused until other rules are set,
/// and the log says which line is wrong and what would be right, whether a log was asked for or not. Other errors as above.
bool read_access_rules(CORBA::ORB& orb, const std::string& file);
bool read_access_rules(PortableServer::POA& poa, const std::string& file);

/// Takes the rules away that these functions or -ORBAccessRules have set: everybody may call again.
void remove_access_rules(CORBA::ORB& orb);
/// The same of this POA's own rules.
void remove_access_rules(PortableServer::POA& poa);

/// Whether the POA refuses callers that it does not know by TLS, with a certificate that has been verified, or as this process: those in the
/// clear, those over Unix-domain sockets, and TLS clients without a certificate. Rules count besides. OBJECT_NOT_EXIST if it has been
/// destroyed.
void demand_tls(PortableServer::POA& poa, bool demanded = true);

}  // namespace tenon
