// SPDX-License-Identifier: Apache-2.0
//
// Addresses in corbaloc: URLs.
#include "ior/object_url.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"

namespace tenon::iiop {
namespace {

bool read_address(std::string_view text, protocol::ProfileView& into, std::string& why) {
  const ior::Parsed<ior::ParsedIiopAddress> parsed = ior::parse_iiop_address(text);
  if (!parsed) {
    why = "address '" + std::string(text) + "': " + parsed.error().text;
    return false;
  }
  // One profile has one version: the lowest of its addresses'.
  const std::uint8_t minor = parsed->minor;
  into.minor = into.addresses.empty() || minor < into.minor ? minor : into.minor;
  if (into.addresses.size() < most_addresses) into.addresses.reserve(into.addresses.size() + 1);
  add_address(into.addresses, parsed->address.host, parsed->address.port);
  return true;
}

constexpr Plugin::Urls reader{.read_address = read_address, .make_profile = make_profile};

}  // namespace

void enable_urls() noexcept { Plugin::urls.store(&reader, std::memory_order_release); }

}  // namespace tenon::iiop
