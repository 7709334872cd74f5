// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/profile.hpp"

#include "ior/named_address.hpp"

namespace tenon::inproc {

Result<Profile> parse_profile(ByteView data) noexcept { return ior::parse_named_profile(data, ior::is_name); }

ior::TaggedProfile write_profile(const Profile& profile) noexcept {
  return ior::make_named_profile(profile_tag, profile);
}

}  // namespace tenon::inproc
