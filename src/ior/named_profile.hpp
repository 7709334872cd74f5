// SPDX-License-Identifier: Apache-2.0
//
// Profiles whose address is a name that means something in one place: encapsulation of version (2 octets), place, address, object
// key, [1.1 and later: components]. The protocols that have such profiles say what a place is and what an address looks like. The
// layout is Tenon's own. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "ior/ior.hpp"

namespace tenon::ior {

/// Octets of a place at most.
inline constexpr std::size_t longest_place = 200;

struct NamedProfile {
  std::uint8_t minor = 2;
  std::string place;
  std::string address;
  std::vector<std::uint8_t> key;
  std::vector<TaggedComponent> components;
  bool operator==(const NamedProfile&) const = default;
};

/// Whether an address has the form that its protocol wants.
using IsAddress = bool(std::string_view address) noexcept;

/// Errors: bad_profile, out_of_memory.
Result<NamedProfile> parse_named_profile(ByteView data, IsAddress& is_address) noexcept;
/// Without data: there is no memory.
TaggedProfile make_named_profile(std::uint32_t tag, const NamedProfile& profile) noexcept;

}  // namespace tenon::ior
