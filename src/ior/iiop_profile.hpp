// SPDX-License-Identifier: Apache-2.0
//
// Bodies of IIOP profiles 1.0, 1.1 and 1.2 (CORBA 3.4 part 2 §9.7.2): where an object listens on TCP, and its key.
//
//   encapsulation: version (2 octets), host, port, object key, [1.1 and later: components]
//
// A higher minor of version 1 is read as 1.2; octets that follow are ignored here and kept in the reference.
// Names are never looked up here. Values, no state.
#pragma once

#include "ior/ior.hpp"

namespace tenon::ior {

/// A host has at most so many octets, as in DNS; so what is made of it in passing, such as a text for the log, is small.
inline constexpr std::size_t longest_host = 255;

/// `host`: a name or an address in text; IPv6 without brackets.
struct IiopAddress {
  std::string host;
  std::uint16_t port = 0;
  bool operator==(const IiopAddress&) const = default;
};

struct IiopProfile {
  std::uint8_t minor = 2;
  IiopAddress address;
  std::vector<std::uint8_t> key;
  std::vector<TaggedComponent> components;  ///< none in 1.0
  bool operator==(const IiopProfile&) const = default;
};

/// What a profile says of the server's address, and where the rest of it goes.
struct IiopProfileParts {
  std::uint8_t& minor;
  std::vector<std::uint8_t>& key;
  std::vector<TaggedComponent>& components;
  std::string_view host = {};  ///< points into the profile's octets
  std::uint16_t port = 0;
};
/// Errors: bad_profile, out_of_memory.
Status read_iiop_profile(ByteView data, IiopProfileParts& into) noexcept;
/// The same as one value.
Result<IiopProfile> parse_iiop_profile(ByteView data) noexcept;

/// Accepts any host. Plug-ins check the hosts that they publish (publishable()). Without data: there is no memory.
TaggedProfile make_iiop_profile(const IiopProfile& profile) noexcept;

/// A host as profiles and components have it. False: it is malformed or too long.
bool read_host(cdr::Reader& reader, std::string& into) noexcept;

/// False for wildcard addresses and an empty host: "0.0.0.0", "::", "*" ...
bool publishable(std::string_view host) noexcept;
/// Whether two hosts are equal without regard to capitals, as DNS compares names.
bool same_host(std::string_view a, std::string_view b) noexcept;

/// TAG_ALTERNATE_IIOP_ADDRESS (§7.6.6.3).
TaggedComponent alternate_address_component(const IiopAddress& address) noexcept;
/// The first `most_alternate_addresses`. Malformed ones are left out: the profile is usable without them.
std::vector<IiopAddress> alternate_addresses(const std::vector<TaggedComponent>& components);
inline constexpr std::size_t most_alternate_addresses = 64;

/// "host:port", with brackets around IPv6.
std::string to_text(const IiopAddress& address);

}  // namespace tenon::ior
