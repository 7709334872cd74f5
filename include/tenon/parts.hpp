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
/// GIOP over TCP: opens connections, to hosts that are written in numbers unless host_names is named, too. Brings `calls`.
void iiop_client(orb::Parts& parts);
/// GIOP over TCP: listens for connections.
void iiop_server(orb::Parts& parts);
/// Hosts of iiop that are written as names, in references and in endpoints. They are looked up by threads of their own; of a host with
/// several addresses, that is used which answers first.
void host_names(orb::Parts& parts);
/// Endpoints of iiop that say more than a host and a port (versions, ranges of ports, options such as publish), and options that choose
/// the addresses in references or which peers are served. Without it an ORB that is given such options does not listen (BAD_PARAM).
void endpoint_options(orb::Parts& parts);
/// The option iiop.pacing (Configuration::protocol_options): how fast connections of iiop send, at most. A policy can say that without it
/// (tenon::TCPProtocolProperties). Brings `protocol_choice`, and iiop's plug-in if there is none.
void pacing(orb::Parts& parts);
/// GIOP over Unix-domain sockets: opens connections and accepts them.
void uiop(orb::Parts& parts);
/// GIOP over Unix-domain sockets: opens connections. Brings `calls`.
void uiop_client(orb::Parts& parts);
/// GIOP over Unix-domain sockets: listens for connections.
void uiop_server(orb::Parts& parts);
/// GIOP through shared memory, between processes of one user on one machine: opens connections and accepts them.
void shmiop(orb::Parts& parts);
/// GIOP through shared memory: opens connections. Brings `calls`.
void shmiop_client(orb::Parts& parts);
/// GIOP through shared memory: listens for connections.
void shmiop_server(orb::Parts& parts);
/// GIOP through memory, between ORBs of one process: opens connections and accepts them.
void inproc(orb::Parts& parts);
/// GIOP through memory, between ORBs of one process: opens connections. Brings `calls`.
void inproc_client(orb::Parts& parts);
/// GIOP through memory, between ORBs of one process: listens for connections.
void inproc_server(orb::Parts& parts);

/// Protocols whose connections begin with a handshake (protocol::Properties::handshake) can be listened on. For the whole process. A part
/// that brings such a protocol brings it, too; without it the ORB does not listen on one.
void handshakes(orb::Parts& parts);

/// Configuration::protocols and protocol_options (-ORBProtocol, -ORBProtocolOption): which protocols the ORB has, in which order, and what
/// their plug-ins are told; a messaging is refused over a transport that cannot carry it. Without it an ORB has the protocols that its
/// parts bring, and such a Configuration is refused with BAD_PARAM.
void protocol_choice(orb::Parts& parts);
/// Configuration::protocol_libraries (-ORBProtocolLibrary): protocols of shared objects. Brings `protocol_choice`. For programs that are
/// linked with libtenon.so.
void protocol_libraries(orb::Parts& parts);
/// RTCORBA::ClientProtocolPolicy and ServerProtocolPolicy (tenon/rtcorba.hpp), and the initial reference RTORB, which makes them. Without it
/// they are refused (NO_PERMISSION; InvalidPolicy by create_POA), and what references say of ClientProtocolPolicy has no effect.
void protocol_policies(orb::Parts& parts);
/// SecurityLevel2::QOPPolicy and EstablishTrustPolicy (tenon/security.hpp). Without it they are refused (NO_PERMISSION; InvalidPolicy by
/// create_POA). Brings `protocol_policies`.
void security_policies(orb::Parts& parts);

/// Calls by stubs: what a client does, and a server that calls other objects, or its own by reference. For the whole process. Without it
/// they raise NO_IMPLEMENT.
void calls(orb::Parts& parts);

/// Code sets of char data beside UTF-8 and ISO 8859-1, by iconv of the C library. Without it a native code set of those is refused
/// (BAD_PARAM), and so is a client that chooses one (CODESET_INCOMPATIBLE). Wide text needs no part.
void code_sets(orb::Parts& parts);
/// The log, as TENON_LOG and tenon/log.hpp choose it. Without it TENON_LOG is not read, nothing is written, and no text is made; a program
/// that sets a level, a sink or a file has all of it but what `texts` gives. Brings `texts`.
void log(orb::Parts& parts);
/// GIOP messages in words and as octets, in the log at level trace.
void message_log(orb::Parts& parts);
/// Sentences for people in what(): what a minor code means, what a call tried and what its server said, what a peer sent that is no GIOP,
/// the members of a user exception; and what a server says to clients (ExceptionDetailMessage). Without it what() of a system exception is its name, minor code
/// and completion status, and that of a user exception its repository id. tenon::tried() does not need this part (see `tried`).
void texts(orb::Parts& parts);
/// The classes of all system exceptions. Without it a program has those that it names, in a handler or a dynamic_cast for example, and what
/// else is raised is a CORBA::SystemException whose _rep_id(), _name() and what() are those of the standard's class. A program wants this
/// part if code that it loads while it runs has handlers for other classes.
void exception_classes(orb::Parts& parts);

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
/// The object adapter with its root POA alone, and without ids of the program's own: an object is activated, deactivated and referred to
/// (docs/poa.md says what is missing). Requests are not held: they get TRANSIENT until the root POA's manager is active.
void root_poa(orb::Parts& parts);
/// The object adapter with all that the standard gives it. Takes the place of `root_poa`.
void poa(orb::Parts& parts);
/// Rules of access (tenon/access.hpp, -ORBAccessRules). Brings `poa`; name it behind `poa`, `server` and what else brings that. Without it
/// such rules are refused.
void access(orb::Parts& parts);
/// What servants answer to _get_interface() and values to _get_value_def(), from the initial reference InterfaceRepository: a call. Without
/// it they answer INTF_REPOS. Brings `calls`.
void interface_repository(orb::Parts& parts);
/// The initial references DynAnyFactory, CodecFactory and PICurrent, as far as the program links the libraries that they belong to.
void dynamic(orb::Parts& parts);
/// Counts the calls of the process into the file that TENON_USAGE names, for tenon-idl --stubs=auto (docs/stubs.md). Raises BAD_PARAM if the
/// file cannot be used. Without it the variable has no effect, unless tenon::read_options() or ORB_init reads options.
void usage(orb::Parts& parts);
// --- ways of serving; Configuration::serving says which one, unless there is one only ---

/// Each connection has a thread that blocks on it: the lowest latency.
void thread_per_connection(orb::Parts& parts);
/// A bounded number of threads over one poller, and one more that keeps time.
void pool(orb::Parts& parts);
/// The thread in ORB::run(), or in ORB::perform_work(), serves. Its own calls block it, so that it serves nothing meanwhile; inside an
/// upcall they are refused (TRANSIENT), since the answer may depend on it.
void single_thread(orb::Parts& parts);
/// As single_thread, but the thread serves while it waits for a reply. Asynchronous calls are among these calls.
void single_thread_calls(orb::Parts& parts);

// --- calls ---

/// Asynchronous calls, by a thread that reads their connections and by others that run what follows; not for a single thread (see
/// single_thread_calls). Without it they are refused with NO_IMPLEMENT. Oneways that are buffered (SYNC_NONE), which are sent at once
/// without it, and forwarding by LocateRequest.
void asynchronous_calls(orb::Parts& parts);
/// Calls to objects of the same process without a socket; without it such calls go over a connection.
void collocated_calls(orb::Parts& parts);
/// Objects can be called over connections that their own process has opened (CORBA 3.4 part 2 §9.8). Without it the policy BOTH is refused
/// with NO_IMPLEMENT.
void bidirectional(orb::Parts& parts);
/// Messages above Configuration::messaging.limits.fragment_above (-ORBFragmentAbove) are sent in fragments. Without it a Configuration that
/// wants this is refused; messages of peers may come in fragments anyway.
void fragments(orb::Parts& parts);

/// What a call that fails has tried, address by address, is in what() of its exception and in the log (tenon/tried.hpp). For the whole
/// process. Without it tenon::tried() has the connections that could not be made, and nothing else.
void tried(orb::Parts& parts);

// --- connections ---

/// Closes idle connections if Configuration::client_idle_ms or server_idle_ms is set, and notices when a peer closes one that is not in
/// use. Without it a call learns of that when it uses the connection.
void idle_connections(orb::Parts& parts);
/// At Configuration::client_connections_most, or when no descriptor is left, a call to another address closes the connection that has been
/// idle for longest. Without it the call waits for a while and then gets TRANSIENT.
void connection_limit(orb::Parts& parts);

// --- memory ---

/// All memory of the ORB is taken when it starts, if Configuration::limits says how much; see <tenon/memory.hpp>. Without it such limits are
/// refused with BAD_PARAM. A client of several servers names `connection_limit`, too: otherwise connections to one server whose replies are
/// late, or that are idle, keep their places, and a call to another one gets TRANSIENT.
void known_memory(orb::Parts& parts);

}  // namespace parts

/// A client: synchronous calls over TCP connections that it opens.
void client(orb::Parts& parts);
/// A server: the whole POA, served by a thread for each connection.
void server(orb::Parts& parts);
/// A small server: the root POA alone, served by the thread that is in run() or perform_work().
void micro(orb::Parts& parts);
/// Everything but protocols, for a program that names these itself.
void all_but_protocols(orb::Parts& parts);
/// Everything that this library was built with. An ORB that ORB_init makes.
void full(orb::Parts& parts);

}  // namespace tenon
