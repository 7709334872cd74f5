// SPDX-License-Identifier: Apache-2.0
//
// Sockets that stand in IIOP profiles, as omniORB has them: in what endpoints "giop:unix:path" publish, and in references of omniORB's.
#include <unistd.h>

#include <algorithm>

#include "ior/iiop_profile.hpp"
#include "ior/omniorb_unix.hpp"
#include "ior/uiop_profile.hpp"
#include "plugins/uiop/endpoint.hpp"
#include "plugins/uiop/plugin.hpp"

namespace tenon::uiop {
namespace {

/// As omniORB compares it: the name that the system gives, not the domain's.
std::string this_host() {
  char name[256];
  if (::gethostname(name, sizeof name) != 0) return {};
  name[sizeof name - 1] = '\0';
  return name;
}

/// An IIOP profile without a TCP address, for a reference that has none.
std::optional<ior::IiopProfile> without_tcp(const ior::Ior& made, const std::string& host) {
  const ior::TaggedProfile* const own = ior::find_profile(made, ior::tag_tao_uiop);
  if (own == nullptr) return std::nullopt;
  Result<ior::UiopProfile> uiop = ior::parse_uiop_profile(own->data);
  if (!uiop || uiop->minor == 0) return std::nullopt;  // GIOP 1.0 has no components
  return ior::IiopProfile{uiop->minor, {host, 0}, std::move(uiop->key), std::move(uiop->components)};
}

}  // namespace

bool Plugin::compose(const protocol::Acceptor& acceptor, ior::Ior& made) const {
  if (!acceptor.endpoint().starts_with(omniorb_scheme)) return true;
  const std::string host = this_host();
  const auto place = std::ranges::find_if(
      made.profiles, [](const ior::TaggedProfile& each) { return each.tag == ior::tag_internet_iop; });
  std::optional<ior::IiopProfile> profile;
  if (place == made.profiles.end()) {
    profile = without_tcp(made, host);
  } else if (auto there = ior::parse_iiop_profile(place->data); there && there->minor > 0) {
    profile = std::move(*there);
  }
  if (!profile) return true;
  profile->components.push_back(ior::omniorb_unix_component(host, acceptor.published().front()));
  ior::TaggedProfile whole = ior::make_iiop_profile(*profile);
  if (whole.data.empty()) return false;
  if (place == made.profiles.end()) {
    made.profiles.push_back(std::move(whole));
  } else {
    *place = std::move(whole);
  }
  return true;
}

std::optional<protocol::ProfileView> Plugin::addresses_in(std::uint32_t profile_tag,
                                                          const protocol::ProfileView& profile) const {
  if (profile_tag != ior::tag_internet_iop) return std::nullopt;
  const auto* const component = ior::find_component(profile.components, ior::tag_omniorb_unix_trans);
  if (component == nullptr) return std::nullopt;
  std::optional<ior::OmniorbUnixAddress> found = ior::read_omniorb_unix(*component);
  if (!found || found->host != this_host()) return std::nullopt;
  protocol::ProfileView view = profile;
  view.addresses.clear();
  view.addresses.push_back({std::move(found->path)});
  return view;
}

}  // namespace tenon::uiop
