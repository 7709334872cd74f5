// SPDX-License-Identifier: Apache-2.0
//
// How omniORB puts a Unix-domain socket into a reference: the component TAG_OMNIORB_UNIX_TRANS of an IIOP profile, whose own address has
// port 0 where the server does not listen on TCP. Encapsulation of host name and path; the path means something on that host only.
// The layout is omniORB's. Values, no state.
#pragma once

#include <optional>

#include "ior/ior.hpp"

namespace tenon::ior {

struct OmniorbUnixAddress {
  std::string host;  ///< what gethostname() says on the server's machine
  std::string path;
  bool operator==(const OmniorbUnixAddress&) const = default;
};

/// None: the component is malformed, or longer than such an address can be.
std::optional<OmniorbUnixAddress> read_omniorb_unix(const TaggedComponent& component);
/// Without data: there is no memory.
TaggedComponent omniorb_unix_component(std::string_view host, std::string_view path) noexcept;

}  // namespace tenon::ior
