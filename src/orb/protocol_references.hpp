// SPDX-License-Identifier: Apache-2.0
//
// References that lead over some of the ORB's protocols only (RTCORBA::ServerProtocolPolicy). Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "orb/orb.hpp"
#include "orb/server/server.hpp"

namespace tenon::orb {

/// In a list of profile tags, as its last entry: all that are not in it.
inline constexpr std::uint32_t any_profile_tag = 0xFFFFFFFF;

/// Adds the profile of one endpoint to a reference, which has room for it. False: there is no memory.
bool add_profile(const Options& options, const Server::Point& point, ByteView object_key,
                 std::span<const ExtraComponent> extra, ior::Ior& made);

/// As Orb::create_reference(), but has only endpoints whose profile tags are in the list, in its order (any_profile_tag). INV_POLICY: there is no such
/// endpoint.
Result<Ref<Reference>> create_reference_over(Orb& orb, std::span<const std::uint32_t> profile_tags,
                                             std::string_view type_id, ByteView object_key,
                                             std::span<const ExtraComponent> extra, std::string* why);

/// Whether one of its endpoints has that profile tag.
bool listens_for(const Server& server, std::uint32_t profile_tag) noexcept;

}  // namespace tenon::orb
