// SPDX-License-Identifier: Apache-2.0
//
// Settings of one ORB. Plain data with the defaults that a new user should have; how they are spelled on a command line is in the
// mapping (orb_options.cpp). Times are milliseconds, sizes bytes; 0 means no limit unless said otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "protocol/messaging.hpp"
#include "protocol/transport.hpp"

namespace tenon::orb {

enum class Serving : std::uint8_t {
  unsaid,                 ///< the first of these that is a part of the ORB
  thread_per_connection,  ///< each connection has a thread that blocks on it: the lowest latency
  pool,                   ///< a bounded number of threads over one poller
  single_thread,  ///< the thread in run() or perform_work(), which also serves while it waits for replies
};

/// Which explanation is sent with a system exception, for people who look at the client's errors (ExceptionDetailMessage).
enum class ExceptionDetail : std::uint8_t {
  none,
  meaning,  ///< what our minor code means: constant text
  full,     ///< what() of the exception that a servant has let out: may name files, hosts, users
};

/// Of an ORB whose memory is known: it is taken when the ORB starts, and what would need more is refused. All or none; 0: no limits, the
/// ORB takes from the heap what it needs.
struct MemoryLimits {
  unsigned connections = 0;  ///< open at a time, accepted and opened ones together
  unsigned requests = 0;     ///< that run or wait at a time, and calls that wait for their reply
  std::size_t buffers =
      0;                 ///< octets of messages in memory; each message takes 8 KiB or more, in powers of two
  unsigned objects = 0;  ///< active at a time

  bool any() const noexcept { return connections != 0 || requests != 0 || buffers != 0 || objects != 0; }
  bool all() const noexcept { return connections != 0 && requests != 0 && buffers != 0 && objects != 0; }
};

struct Options {
  std::string id;
  std::string server_id;  ///< shared by all ORBs of a server; interceptors and reference templates show it
  std::vector<std::string>
      endpoints;  ///< -ORBListenEndpoints; empty: "iiop://" (any port) once something is published
  std::vector<std::pair<std::string, std::string>> initial_references;  ///< -ORBInitRef name=url
  std::string default_initial_reference;                                ///< -ORBDefaultInitRef
  bool references_as_urls = false;  ///< object_to_string() gives a corbaloc where that loses nothing
  /// What the options of this ORB were, "-ORBPoolThreads 4": those of a later ORB_init with the same id that are not here are lost.
  std::vector<std::string> given;
  /// What ORB_init was called with, the program's name first; ORB initializers see it (ORBInitInfo::arguments).
  std::vector<std::string> arguments;

  Serving serving = Serving::unsaid;  ///< of an ORB (Orb::options()) one of the others
  unsigned pool_threads = 4;          ///< threads that read and make upcalls
  unsigned pool_threads_most =
      64;                 ///< including those that replace threads that wait inside an upcall; then TRANSIENT
  bool pool_stay = true;  ///< up to half of the pool's threads may each stay with a busy connection
  unsigned completion_threads = 4;  ///< most threads that run what follows asynchronous calls
  unsigned connections_most =
      10000;  ///< accepted connections; a further one takes the place of an idle one, or is closed
  std::size_t memory_most = std::size_t{1}
                            << 30;  ///< bytes of unfinished incoming messages over all connections

  std::uint32_t connect_timeout_ms = 10000;
  unsigned connections_per_endpoint = 8;  ///< outgoing; a busy connection is shared once there are so many
  unsigned client_connections_most =
      10000;  ///< outgoing, to all addresses; at the limit an idle one is closed first
  bool call_own_objects_directly = true;  ///< false: calls to objects of this process go over a socket too
  std::uint32_t client_idle_ms = 0;  ///< an opened connection without traffic for so long is closed; 0: never
  std::uint32_t server_idle_ms = 0;  ///< as client_idle_ms, for accepted connections
  bool offer_bidirectional = false;  ///< connections that we open carry requests in both directions
  bool accept_bidirectional = false;  ///< connections that peers open and offer for this do so, too
  ExceptionDetail exception_detail = ExceptionDetail::meaning;
  unsigned forwards_most = 10;  ///< LOCATION_FORWARDs that one call follows
  /// Needs tenon::parts::known_memory (docs/decisions/0043-known-memory.md). Exceptions then have no detail and no list of what was tried.
  MemoryLimits limits;

  // These three need tenon::parts::protocol_choice, shared objects tenon::parts::protocol_libraries besides.
  /// The protocols of the ORB, by the names of their transports, in order of preference; empty: all that its parts bring.
  std::vector<std::string> protocols;
  std::vector<std::string>
      protocol_libraries;  ///< files: shared objects that bring more (protocol_library.hpp)
  /// What plug-ins are told: {"shmiop.ring", "1M"}.
  std::vector<std::pair<std::string, std::string>> protocol_options;
  bool print_protocol_options =
      false;  ///< to standard output: those that the protocols' plug-ins have (-ORBHelp)

  protocol::MessagingOptions messaging;
  protocol::TransportOptions transports;
};

}  // namespace tenon::orb
