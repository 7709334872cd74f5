// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/shmiop.hpp"

#include <charconv>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "net/processors.hpp"
#include "plugins/shmiop/endpoint.hpp"
#include "plugins/shmiop/host.hpp"
#include "plugins/shmiop/plugin.hpp"
#include "plugins/shmiop/profile.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::shmiop {

using protocol::ProfileView;
using protocol::Transport;

namespace {

constexpr std::uint32_t longest_spin_us = 1'000'000;

constexpr protocol::PluginOption all_options[] = {
    {"ring", "octets",
     "How much is on its way in one direction of a connection that this side opens: a power of two from 4K "
     "to 64M "
     "(default: 2M; it takes memory as messages need it).",
     true},
    {"in_place", "0|1",
     "Whether large messages are read where the peer has written them, without a copy: a peer that changes "
     "them later "
     "deceives this process (default: 1, as peers run as the same user).",
     true},
    {"spin", "us",
     "How long a wait looks again before it sleeps, as long as that pays off (default: -ORBSpin's, else 20 "
     "where "
     "there are two processors; 0: never).",
     true},
};

std::optional<std::uint32_t> read_number(std::string_view text, std::uint32_t most) noexcept {
  std::uint32_t number = 0;
  const char* const end = std::to_address(text.end());
  const auto [stop, code] = std::from_chars(std::to_address(text.begin()), end, number);
  if (code != std::errc() || stop != end || number > most) return std::nullopt;
  return number;
}

}  // namespace

std::uint32_t Plugin::profile_tag() const noexcept { return shmiop::profile_tag; }

std::span<const protocol::PluginOption> Plugin::own_options() const noexcept { return all_options; }

bool Plugin::set_option(std::string_view name, std::string_view value, std::string& why) {
  if (name == "ring") {
    const auto octets = read_ring_size(value);
    if (octets) ring_octets_.store(*octets, std::memory_order_relaxed);
    if (!octets) why = "wants a power of two from 4K to 64M, for example 1M";
    return octets.has_value();
  }
  if (name == "in_place") {
    const auto flag = read_number(value, 1);
    if (flag) in_place_.store(*flag == 1, std::memory_order_relaxed);
    if (!flag) why = "wants 1 (read large messages where they lie) or 0 (copy them first)";
    return flag.has_value();
  }
  const auto spin = read_number(value, longest_spin_us);
  if (spin) own_spin_us_.store(*spin, std::memory_order_relaxed);
  if (!spin) why = "wants a number of microseconds, at most 1000000";
  return spin.has_value();
}

std::optional<std::uint32_t> Plugin::spin_us() const noexcept {
  const std::uint32_t own = own_spin_us_.load(std::memory_order_relaxed);
  if (own != unsaid) return own == 0 ? std::nullopt : std::optional(own);
  return options_.spin_us ? options_.spin_us : net::usual_local_spin_us();
}

std::unique_ptr<protocol::Acceptor> Plugin::listen(std::string_view text, std::string& why) {
  if (listens != nullptr) return listens(*this, text, why);
  why = protocol::endpoint_error(text, "this program's start-up does not name tenon::parts::shmiop_server");
  return nullptr;
}

Result<std::unique_ptr<Transport>> Plugin::connect(std::string_view address, Deadline deadline) {
  if (connects != nullptr) return connects(*this, ring_octets(), address, deadline);
  return errors::no_connecting_part;
}

Result<std::unique_ptr<Transport>> Plugin::connect_with(std::string_view properties, std::string_view address,
                                                        Deadline deadline) {
  constexpr std::string_view name = "ring=";
  std::uint32_t ring = ring_octets();
  while (!properties.empty()) {
    const std::size_t end = std::min(properties.find(','), properties.size());
    const std::string_view each = properties.substr(0, end);
    properties.remove_prefix(std::min(end + 1, properties.size()));
    if (each.starts_with(name)) ring = read_ring_size(each.substr(name.size())).value_or(ring);
  }
  if (connects != nullptr) return connects(*this, ring, address, deadline);
  return errors::no_connecting_part;
}

/// A profile of another place is as if it were not there: the next one of the reference is used.
Result<ProfileView> Plugin::read_profile(ByteView profile_data) const {
  Result<Profile> profile = parse_profile(profile_data);
  if (!profile) return profile.error();
  if (profile->place.empty() || profile->place != this_place()) return errors::bad_address;
  ProfileView view;
  view.minor = profile->minor;
  view.object_key = std::move(profile->key);
  view.addresses.push_back({std::move(profile->address)});
  view.components = std::move(profile->components);
  return view;
}

ior::TaggedProfile Plugin::make_profile(const ProfileView& view) const {
  Profile profile;
  profile.minor = view.minor;
  profile.place = this_place();
  profile.key = view.object_key;
  profile.components = view.components;
  if (!view.addresses.empty()) profile.address = view.addresses.front().text;
  return write_profile(profile);
}

// "1.2@name" or "name".
bool Plugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
  const auto address = ior::read_named_address(text);
  if (!address) {
    why = worded(
        "address '%': write a name of at most 100 letters, digits, '.', '_' and '-', for example 1.2@name",
        {text});
    return false;
  }
  into.minor = into.addresses.empty() || address->minor < into.minor ? address->minor : into.minor;
  into.addresses.push_back({'@' + std::string(address->name)});
  return true;
}

std::string Plugin::url_address(const ProfileView& view, std::size_t index) const {
  // The address has an '@' in front.
  return joined({"1.", decimal_unsigned(view.minor), view.addresses[index].text});
}

std::unique_ptr<Plugin> make_bare_plugin() { return std::make_unique<Plugin>(); }

std::unique_ptr<protocol::TransportPlugin> make_plugin() {
  std::unique_ptr<Plugin> plugin = make_bare_plugin();
  add_connecting(*plugin);
  add_listening(*plugin);
  return plugin;
}

}  // namespace tenon::shmiop
