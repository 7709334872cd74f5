// SPDX-License-Identifier: Apache-2.0
//
// Profiles for GIOP inside a process: a named profile (ior/named_profile.hpp) whose place is the process (Process::text()) and
// whose address is the name of an endpoint there. The tag is Tenon's own, beside that of shmiop's profiles. Values; any thread.
#pragma once

#include "ior/named_profile.hpp"

namespace tenon::inproc {

inline constexpr std::uint32_t profile_tag = 0x544E0003;

using Profile = ior::NamedProfile;

/// Errors: bad_profile, out_of_memory.
Result<Profile> parse_profile(ByteView data) noexcept;
/// Without data: there is no memory.
ior::TaggedProfile write_profile(const Profile& profile) noexcept;

}  // namespace tenon::inproc
