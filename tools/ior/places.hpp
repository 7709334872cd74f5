// SPDX-License-Identifier: Apache-2.0
//
// Where a reference leads: one place per address of its IIOP, Unix-domain and shared memory profiles, in the order in which a client
// tries them, and one of each profile for the inside of a process, which nobody else can try.
// Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ior/ior.hpp"
#include "net/address.hpp"

namespace tenon::explain {

enum class Transport : std::uint8_t { iiop, uiop, shmiop, inproc };

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
  std::string path;    ///< uiop; shmiop, inproc: the name of the endpoint
  std::string where;   ///< shmiop: shmiop::this_place() of the server
  std::uint8_t minor = 0;
  std::vector<std::uint8_t> key;
  std::size_t profile = 0;  ///< number in the reference
  ReachedOtherwise otherwise = {};

  /// "host:2809", "/run/app.sock", "shared memory @app"; safe to print.
  std::string text() const;
};

/// The places of a reference. Malformed profiles and those of other protocols have none.
std::vector<Place> places(const ior::Ior& reference);

/// What omniORB calls the machine on which this runs, as its component UNIX_TRANS does.
std::string omniorb_host_here();

/// Why processes here do not use shared memory of that place; null: they do.
const char* not_shared_with(std::string_view place);

/// Of profiles inside a process (plugins/inproc).
inline constexpr std::uint32_t tag_tenon_inproc = 0x544E0003;

/// Reads "IOR:...", "corbaloc:...", or the context of "corbaname:...". False: `why` says what is wrong and where.
bool read_reference(std::string_view text, ior::Ior& into, std::string& why);

}  // namespace tenon::explain
