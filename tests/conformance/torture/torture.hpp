// SPDX-License-Identifier: Apache-2.0
//
// A transport inside the process that is as unpleasant as the contract of protocol/transport.hpp allows: no poll descriptor,
// bytes that come or are lent one or a few at a time, move, and are spoiled when they are given back, sends that move a few bytes, and on demand a
// time-out in the middle of a message or a connection that breaks off. What works over it works over any stream.
//
// Not a transport for programs: names are known in this process only, and it is slow on purpose.
// Endpoints: "torture://name/option=value,..."; no name makes one. Options: read=n and write=n (most bytes per receive and send),
// seed=n, lend=yes|no. An address is a name. Threads: as the contract says; faults from any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "protocol/transport.hpp"

namespace tenon::torture {

/// Private to tests, in Tenon's vendor range.
inline constexpr std::uint32_t profile_tag = 0x544e0001;

struct Settings {
  std::size_t most_read = 1;     ///< bytes that one receive() or lend() gives: 1 to this many, by chance
  std::size_t most_written = 7;  ///< bytes that one send() takes, likewise
  std::uint32_t seed = 1;
  bool lends = true;
};

enum class Side : std::uint8_t { connector, acceptor };

/// What happens to a sender once it has sent so many bytes.
enum class Fault : std::uint8_t {
  none,
  time_out,   ///< every further send() times out, at once
  break_off,  ///< the connection fails on both ends, and what was under way is lost
};

class Plugin : public protocol::TransportPlugin {
 public:
  /// For connections that this plug-in makes from now on, and for endpoints that it opens from now on whose options do not say
  /// otherwise.
  virtual void set_settings(const Settings& settings) = 0;
  /// Strikes all connections of that side, also open ones, after `bytes` more bytes of them in all. Fault::none heals senders that
  /// time out; what broke off stays broken.
  virtual void set_fault(Side side, Fault fault, std::uint64_t bytes) = 0;
};

std::unique_ptr<Plugin> make_plugin();

}  // namespace tenon::torture
