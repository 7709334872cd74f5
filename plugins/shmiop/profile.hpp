// SPDX-License-Identifier: Apache-2.0
//
// Profiles for GIOP over shared memory: a named profile (ior/named_profile.hpp) whose place is this_place() and whose address is
// "@name", the name of the socket. The tag is Tenon's own: it lies where Tenon's minor codes do ('T', 'N'), which no other ORB uses
// as far as is known, and is not one that the OMG has given away. TAO's profile of that kind (0x54414F02) has host and port, and
// means another protocol. Values; any thread.
#pragma once

#include "ior/named_profile.hpp"

namespace tenon::shmiop {

inline constexpr std::uint32_t profile_tag = ior::tag_tenon_shmiop;

using Profile = ior::NamedProfile;

/// Errors: bad_profile, out_of_memory.
Result<Profile> parse_profile(ByteView data) noexcept;
/// Without data: there is no memory.
ior::TaggedProfile write_profile(const Profile& profile) noexcept;

}  // namespace tenon::shmiop
