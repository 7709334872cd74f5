// SPDX-License-Identifier: Apache-2.0
//
// For a program that names what its ORB consists of. It links the parts that it names and no others:
//
//   tenon::Configuration configuration;
//   configuration.endpoints = {"iiop://192.0.2.7:2809"};
//   auto orb = tenon::init_orb(configuration, {tenon::server, tenon::parts::log});
//
// A part is a function; it calls those of the parts that it needs, and a program's own function may be one. CORBA::ORB_init is
// tenon::full with the options of the command line.
#pragma once

#include "tenon/corba/orb.hpp"

#include "orb/parts.hpp"

namespace tenon {

using orb::Part;

namespace parts {

/// GIOP over TCP: opens connections and accepts them.
void iiop(orb::Parts& parts);
/// GIOP over Unix-domain sockets: opens connections and accepts them.
void uiop(orb::Parts& parts);

/// Sentences for people in what(): what a minor code means, the members of a user exception. Without it what() of a system
/// exception is its name, minor code and completion status, and that of a user exception its repository id.
void texts(orb::Parts& parts);

/// The initial reference RootPOA, for programs that do not go by tenon::publish() alone.
void root_poa(orb::Parts& parts);
/// The initial reference POACurrent.
void poa_current(orb::Parts& parts);
/// The initial references ORBPolicyManager and PolicyCurrent. Without it, time-outs are set by tenon/timeout.hpp and the Configuration, and
/// an object's policies by _set_policy_overrides().
void policies(orb::Parts& parts);
/// References as corbaloc: URLs, read by string_to_object() and written by object_to_string() where Configuration::references_as_urls wants
/// it. Without it text is IOR:, and corbaloc: is refused with BAD_PARAM (OMG minor 7). tenon::corbaloc() does not need it.
void corbaloc(orb::Parts& parts);
/// References that lead to others: corbaname:, corbaloc:rir: and file: URLs, and Configuration::initial_references (-ORBInitRef) and
/// default_initial_reference (-ORBDefaultInitRef). Brings `corbaloc`.
void naming(orb::Parts& parts);
/// What servants answer to _get_interface() and values to _get_value_def(), from the initial reference InterfaceRepository: a call. Without
/// it they answer INTF_REPOS.
void interface_repository(orb::Parts& parts);
/// The initial references DynAnyFactory, CodecFactory and PICurrent, as far as the program links the libraries that they belong to.
void dynamic(orb::Parts& parts);
/// Counts the calls of the process into the file that TENON_USAGE names, for tenon-idl --stubs=auto (docs/stubs.md). Raises BAD_PARAM if the
/// file cannot be used. Without it the variable has no effect, unless tenon::read_options() or ORB_init reads options.
void usage(orb::Parts& parts);

}  // namespace parts

/// A client: synchronous calls over TCP connections that it opens.
void client(orb::Parts& parts);
/// A server: the whole POA.
void server(orb::Parts& parts);
/// A small server: the root POA alone, served by the thread that is in run().
void micro(orb::Parts& parts);
/// Everything but protocols, for a program that names these itself.
void all_but_protocols(orb::Parts& parts);
/// Everything that this library was built with. An ORB that ORB_init makes.
void full(orb::Parts& parts);

}  // namespace tenon
