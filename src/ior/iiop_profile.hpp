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

/// Errors: bad_profile.
Result<IiopProfile> parse_iiop_profile(ByteView data);

/// Accepts any host. Plug-ins check the hosts that they publish (publishable()).
TaggedProfile make_iiop_profile(const IiopProfile& profile);

/// False for wildcard addresses and an empty host: "0.0.0.0", "::", "*" ...
bool publishable(std::string_view host) noexcept;
/// Whether two hosts are equal without regard to capitals, as DNS compares names.
bool same_host(std::string_view a, std::string_view b) noexcept;

/// TAG_ALTERNATE_IIOP_ADDRESS (§7.6.6.3).
TaggedComponent alternate_address_component(const IiopAddress& address);
/// Malformed ones are left out: the profile is usable without them.
std::vector<IiopAddress> alternate_addresses(const std::vector<TaggedComponent>& components);

/// "host:port", with brackets around IPv6.
std::string to_text(const IiopAddress& address);

}  // namespace tenon::ior
