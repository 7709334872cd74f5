// SPDX-License-Identifier: Apache-2.0
//
// Tries the places to which a reference leads: looks up the host, connects to each of its addresses, and asks there for the object
// (GIOP LocateRequest). Each try has a deadline of its own. No call is made: no servant runs.
//
// Blocking; one thread.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "net/host_names.hpp"
#include "tools/ior/places.hpp"

namespace tenon::explain {

enum class Outcome : std::uint8_t {
  not_tried,  ///< no port, or the most tries have been made; `why`, if that is neither
  host_not_found,
  look_up_too_slow,
  not_connected,  ///< os_error says why
  no_answer,      ///< connected, but no GIOP came back: error says what did
  unknown_object,
  here,
  elsewhere,  ///< LOCATION_FORWARD
};

struct Try {
  Place place;
  std::string address;  ///< in numbers, where the place is a name; else empty
  Outcome outcome = Outcome::not_tried;
  int os_error = 0;
  Error error;
  std::string
      why;  ///< host_not_found: in the resolver's words; no_answer: what came instead; not_connected: by a transport
  std::int64_t looked_up_ns = -1;  ///< how long each step took; -1: it was not taken
  std::int64_t connected_ns = -1;
  std::int64_t answered_ns = -1;
  std::string forward;  ///< elsewhere: that reference as text
  bool loopback = false;
  bool private_network = false;  ///< of RFC 1918, RFC 4193, or of one link

  /// The server has answered.
  bool answered() const noexcept { return outcome >= Outcome::unknown_object; }
};

/// At most so many socket addresses are tried.
inline constexpr std::size_t most_tries = 32;

std::vector<Try> probe(const ior::Ior& reference, std::int64_t timeout_ms, net::HostNames& names);

/// One line, without its end.
std::string in_words(const Try& each);

/// Advice after these tries: lines, each with its end; empty when there is nothing to say.
std::string advice(const ior::Ior& reference, const std::vector<Try>& tries);

}  // namespace tenon::explain
