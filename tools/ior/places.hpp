// SPDX-License-Identifier: Apache-2.0
//
// Where a reference leads: one place per address of its IIOP and Unix-domain profiles, in the order in which a client tries them.
// Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ior/ior.hpp"
#include "net/address.hpp"

namespace tenon::explain {

enum class Transport : std::uint8_t { iiop, uiop };

/// Other ways to the server that the components of a profile name, and that are not tried here.
struct ReachedOtherwise {
  bool tls = false;
  std::string omniorb_path;  ///< of the Unix-domain socket in component UNIX_TRANS of omniORB
  std::string omniorb_host;
};
ReachedOtherwise reached_otherwise(const std::vector<ior::TaggedComponent>& components);

struct Place {
  Transport transport = Transport::iiop;
  net::HostPort host;  ///< iiop; port 0: see `otherwise`
  std::string path;    ///< uiop
  std::uint8_t minor = 0;
  std::vector<std::uint8_t> key;
  std::size_t profile = 0;  ///< number in the reference
  ReachedOtherwise otherwise = {};

  /// "host:2809" or "/run/app.sock"; safe to print.
  std::string text() const;
};

/// The places of a reference. Malformed profiles and those of other protocols have none.
std::vector<Place> places(const ior::Ior& reference);

/// Reads "IOR:...", "corbaloc:...", or the context of "corbaname:...". False: `why` says what is wrong and where.
bool read_reference(std::string_view text, ior::Ior& into, std::string& why);

}  // namespace tenon::explain
