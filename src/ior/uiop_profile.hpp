// SPDX-License-Identifier: Apache-2.0
//
// Profiles for GIOP over Unix-domain sockets, in the layout that TAO publishes under its tag (tag_tao_uiop), so that both can
// call each other: encapsulation of version (2 octets), path of the socket, object key, [1.1 and later: components].
// The layout is not OMG's. Values, no state.
#pragma once

#include "ior/ior.hpp"

namespace tenon::ior {

struct UiopProfile {
  std::uint8_t minor = 2;
  std::string path;
  std::vector<std::uint8_t> key;
  std::vector<TaggedComponent> components;
  bool operator==(const UiopProfile&) const = default;
};

/// A path has at most so many octets; the system takes no more than some 100.
inline constexpr std::size_t longest_path = 1024;

/// Errors: bad_profile, out_of_memory.
Result<UiopProfile> parse_uiop_profile(ByteView data) noexcept;
/// Without data: there is no memory.
TaggedProfile make_uiop_profile(const UiopProfile& profile) noexcept;

}  // namespace tenon::ior
