// SPDX-License-Identifier: Apache-2.0
//
// Changes of the protocols of an ORB that runs: one is added, removed, told something else, or gets and loses endpoints. Only programs that
// do this link it. docs/decisions/0050-protocols-that-change.md says why it works as it does.
//
// All functions return an error of the table (base/minor_codes.hpp) and say in `why` what was wrong, where there is more to say. Nothing has
// changed then. orb_has_shut_down: the ORB ends, or has ended. protocols_do_not_change: this ORB's do not.
//
// Threads: from any, one change of an ORB at a time; calls go on meanwhile. Nothing is locked while an endpoint is opened or calls are
// waited for that a call over another protocol would need.
#pragma once

#include <forward_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "orb/client/endpoint.hpp"
#include "orb/parts.hpp"
#include "orb/server/thread_server.hpp"

namespace tenon::orb {

class ProtocolChanges {
 public:
  /// Of an ORB, which lives longer than this.
  explicit ProtocolChanges(Orb& orb) noexcept : orb_(orb) {}

  /// Options of the plug-in: name and value.
  using PluginOptions = std::vector<std::pair<std::string, std::string>>;

  /// A new protocol of that name: of the shared object `library`, or, if that is empty, of the program's start-up or of one of the ORB's
  /// protocol libraries.
  Status make(std::string_view name, const std::string& library, Protocol& into, std::string& why);
  /// Adds it behind the others, and opens the endpoints. Its plug-in has been told nothing yet.
  Status add(Protocol&& protocol, const PluginOptions& options, const std::vector<std::string>& endpoints,
             std::string& why);
  /// Its endpoints close, new calls take other ways, and connections close when the calls that are in flight on them have ended; those
  /// that this process makes at the deadline at the latest. Returns when that has come to pass.
  Status remove(std::string_view name, Deadline until, std::string& why);
  Status set_option(std::string_view name, std::string_view option, const std::string& value,
                    std::string& why);
  /// `opened`: its text with the real port.
  Status open(const std::string& endpoint, std::string& opened, std::string& why);
  /// `endpoint`: as Orb::endpoints() has it. Connections that were accepted there stay.
  Status close(std::string_view endpoint, std::string& why);

 private:
  /// A connection of a protocol that has been removed.
  struct Leaving {
    Ref<protocol::Connection> connection;
    bool serves = false;  ///< requests come over it
  };
  /// Endpoints that no reference names any more.
  struct Closing {
    std::vector<Server::Point*> points;
    std::forward_list<ThreadServer::Accepting> threads;
  };

  Status possible() const noexcept;
  Status publish(Protocol&& protocol, std::string& why);
  const Protocol* find(std::string_view name, std::string& why) const;
  Status start(std::unique_ptr<Server::Point> point, std::string& why);
  void take_out(Server& server, Server::Point& point, Closing& closing) TENON_NO_THREAD_SAFETY_ANALYSIS;
  void end(Closing& closing) noexcept;
  void find_accepted(const protocol::TransportPlugin& transport, std::vector<Leaving>& into);
  static bool close_those_at_rest(std::vector<Leaving>& all) noexcept;
  void drain(std::vector<Leaving>& all, Deadline until);

  [[maybe_unused]] Orb& orb_;
};

}  // namespace tenon::orb
