// SPDX-License-Identifier: Apache-2.0
//
// What is known about host names: a caller that needs an address asks here, and threads of the table's own ask the system's resolver.
// So a slow or dead resolver holds up only the callers that need that very name, and them no longer than their deadline.
//
// Not here: hosts written in numbers (net::numeric_address), names to listen on.
//
// Invariants: a name is asked for by one thread at a time. At most Settings::threads_most threads ask at a time, and at most half of
// them for names that no caller waits for; a thread ends when there is nothing left to ask. A name that a caller waits for is never
// forgotten; of the others the table keeps Settings::names_most, the last used ones.
//
// Threads: any. The destructor waits for no thread: one that is still in the resolver keeps alive what it needs, and the process may
// end meanwhile. No caller may wait in addresses() when the destructor runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "net/address.hpp"

namespace tenon::net {

/// Knows the addresses of names.
class NameSource {
 public:
  virtual ~NameSource() = default;
  /// All addresses of the host, in the order to try, with port 0. May take any time; called by several threads of the table at a
  /// time, never by a caller's thread. Empty: `why` is the reason. Must not throw.
  virtual std::vector<SocketAddress> look_up(const std::string& host, std::string& why) = 0;
};

/// The system's resolver: getaddrinfo, so /etc/hosts, DNS and whatever else the machine is set up for.
std::shared_ptr<NameSource> system_names();

class HostNames {
 public:
  struct Settings {
    /// An answer this old is still used, and asked for again in the background.
    std::int64_t fresh_ms = 60'000;
    /// An answer this old is not used any more.
    std::int64_t usable_ms = 600'000;
    /// How long a name that has no address is not asked for again.
    std::int64_t failed_ms = 2'000;
    std::size_t names_most = 256;
    unsigned threads_most = 8;
  };

  explicit HostNames(std::shared_ptr<NameSource> source) : HostNames(std::move(source), Settings()) {}
  HostNames(std::shared_ptr<NameSource> source, Settings settings);
  ~HostNames();
  HostNames(const HostNames&) = delete;
  HostNames& operator=(const HostNames&) = delete;

  /// For the answers that come from now on.
  void set_settings(const Settings& settings);

  /// A caller will need this name: starts to ask for it, if it is not known. Never waits.
  void expect(const std::string& host);

  enum class Outcome : std::uint8_t {
    found,
    not_found,  ///< the resolver says so, or said so a moment ago
    timed_out,  ///< it has not said anything before the deadline
  };
  struct Answer {
    Outcome outcome = Outcome::not_found;
    std::vector<SocketAddress> addresses;  ///< with the port
    std::int64_t asked_at = 0;             ///< when they were asked for (steady_now())
    std::string why;                       ///< not_found: in the resolver's words
  };
  /// The answer that is remembered, else the one that comes before the deadline. Answers from before `not_before` do not count.
  Answer addresses(const HostPort& where, Deadline deadline, std::int64_t not_before = 0);

 private:
  class Table;
  const std::shared_ptr<Table> table_;
};

}  // namespace tenon::net
