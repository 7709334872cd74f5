// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/profile.hpp"

#include "plugins/shmiop/endpoint.hpp"

namespace tenon::shmiop {
namespace {

bool is_address(std::string_view address) noexcept {
  return address.starts_with('@') && is_name(address.substr(1));
}

}  // namespace

Result<Profile> parse_profile(ByteView data) noexcept { return ior::parse_named_profile(data, is_address); }

ior::TaggedProfile write_profile(const Profile& profile) noexcept {
  return ior::make_named_profile(profile_tag, profile);
}

}  // namespace tenon::shmiop
