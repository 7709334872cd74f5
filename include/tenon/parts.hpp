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
/// _get_interface() of servants and _get_value_def(): calls of the interface repository. For the whole process.
void interface_repository(orb::Parts& parts);

/// Sentences for people in what(): what a minor code means, the members of a user exception. Without it what() of a system
/// exception is its name, minor code and completion status, and that of a user exception its repository id.
void texts(orb::Parts& parts);

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
