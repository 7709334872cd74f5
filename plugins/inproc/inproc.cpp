// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/inproc.hpp"

#include <utility>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "ior/named_address.hpp"
#include "net/processors.hpp"
#include "plugins/inproc/plugin.hpp"
#include "plugins/inproc/process.hpp"
#include "plugins/inproc/profile.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::inproc {

using protocol::ProfileView;
using protocol::Transport;

std::uint32_t Plugin::profile_tag() const noexcept { return inproc::profile_tag; }

void Plugin::configure(const protocol::TransportOptions& options) {
  spin_us_ = options.spin_us ? options.spin_us : net::usual_local_spin_us();
}

// Twice because plug-ins are blind to each other, and each names its own parts and its own place.
std::unique_ptr<protocol::Acceptor> Plugin::listen(std::string_view text, std::string& why) {
  if (listens != nullptr) return listens(*this, text, why);
  why = protocol::endpoint_error(text, "this program's start-up does not name tenon::parts::inproc_server");
  return nullptr;
}

Result<std::unique_ptr<Transport>> Plugin::connect(std::string_view address, Deadline deadline) {
  if (connects != nullptr) return connects(*this, address, deadline);
  return errors::no_connecting_part;
}

/// A profile of another process is as if it were not there: the next one of the reference is used.
Result<ProfileView> Plugin::read_profile(ByteView profile_data) const {
  Result<Profile> profile = parse_profile(profile_data);
  if (!profile) return profile.error();
  const Process* const process = Process::current();
  if (process == nullptr || profile->place != process->text()) return errors::bad_address;
  ProfileView view;
  view.minor = profile->minor;
  view.object_key = std::move(profile->key);
  view.addresses.push_back({std::move(profile->address)});
  view.components = std::move(profile->components);
  return view;
}

ior::TaggedProfile Plugin::make_profile(const ProfileView& view) const {
  const Process* const process = Process::current();
  Profile profile;
  profile.minor = view.minor;
  if (process != nullptr) profile.place = process->text();
  profile.key = view.object_key;
  profile.components = view.components;
  if (!view.addresses.empty()) profile.address = view.addresses.front().text;
  return write_profile(profile);
}

// "1.2@name" or "name".
bool Plugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
  // Twice because src/ior, which reads the name, does not know a ProfileView.
  const auto address = ior::read_named_address(text);
  if (!address) {
    why = worded(
        "address '%': write a name of at most 100 letters, digits, '.', '_' and '-', for example 1.2@name",
        {text});
    return false;
  }
  into.minor = into.addresses.empty() || address->minor < into.minor ? address->minor : into.minor;
  into.addresses.push_back({std::string(address->name)});
  return true;
}

std::string Plugin::url_address(const ProfileView& view, std::size_t index) const {
  return joined({"1.", decimal_unsigned(view.minor), "@", view.addresses[index].text});
}

std::unique_ptr<Plugin> make_bare_plugin() { return std::make_unique<Plugin>(); }

std::unique_ptr<protocol::TransportPlugin> make_plugin() {
  std::unique_ptr<Plugin> plugin = make_bare_plugin();
  add_connecting(*plugin);
  add_listening(*plugin);
  return plugin;
}

}  // namespace tenon::inproc
