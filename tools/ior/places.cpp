// SPDX-License-Identifier: Apache-2.0
#include "tools/ior/places.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "cdr/reader.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "ior/omniorb_unix.hpp"
#include "ior/uiop_profile.hpp"
#include "tools/ior/security_words.hpp"

namespace tenon::explain {
namespace {

net::HostPort host_of(const ior::IiopAddress& address) {
  const std::string& host = address.host;
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return {brackets ? host.substr(1, host.size() - 2) : host, address.port};
}

void add_iiop(const ior::TaggedProfile& profile, std::size_t number, std::vector<Place>& into) {
  const auto read = ior::parse_iiop_profile(profile.data);
  if (!read) return;
  Place place{.minor = read->minor, .key = read->key, .profile = number};
  place.host = host_of(read->address);
  place.otherwise = reached_otherwise(read->components);
  into.push_back(place);
  for (const ior::IiopAddress& other : ior::alternate_addresses(read->components)) {
    place.host = host_of(other);
    into.push_back(place);
  }
}

void add_uiop(const ior::TaggedProfile& profile, std::size_t number, std::vector<Place>& into) {
  const auto read = ior::parse_uiop_profile(profile.data);
  if (!read) return;
  into.push_back({.transport = Transport::uiop,
                  .path = read->path,
                  .minor = read->minor,
                  .key = read->key,
                  .profile = number});
}

}  // namespace

ReachedOtherwise reached_otherwise(const std::vector<ior::TaggedComponent>& components) {
  constexpr std::uint32_t tag_tls_sec_trans = 36;
  ReachedOtherwise over;
  for (const ior::TaggedComponent& component : components) {
    over.tls |= component.tag == ior::tag_ssl_sec_trans || component.tag == ior::tag_csi_sec_mech_list ||
                component.tag == tag_tls_sec_trans;
    if (auto socket = ior::read_omniorb_unix(component)) {
      over.omniorb_host = std::move(socket->host);
      over.omniorb_path = std::move(socket->path);
    }
  }
  return over;
}

std::string Place::text() const { return printable(transport == Transport::iiop ? host.text() : path); }

std::vector<Place> places(const ior::Ior& reference) {
  std::vector<Place> found;
  for (std::size_t i = 0; i < reference.profiles.size(); ++i) {
    const ior::TaggedProfile& profile = reference.profiles[i];
    if (profile.tag == ior::tag_internet_iop) add_iiop(profile, i, found);
    if (profile.tag == ior::tag_tao_uiop) add_uiop(profile, i, found);
  }
  return found;
}

namespace {

/// Adds the profile of one address of a corbaloc. False: `why` says what is wrong with it.
bool add_address(const ior::ObjectUrl& url, const ior::UrlAddress& address, ior::Ior& into,
                 std::string& why) {
  if (address.protocol == "ssliop") {
    auto parsed = ior::parse_iiop_address(address.text);
    if (!parsed) {
      why = "address '" + printable(address.text) + "': " + parsed.error().text;
      return false;
    }
    // A server of TLS understands GIOP 1.2.
    if (address.text.find('@') == std::string::npos) parsed->minor = 2;
    into.profiles.push_back(tls_profile(*parsed, url.key));
    return true;
  }
  ior::ObjectUrl alone = url;
  alone.addresses = {address};
  auto made = ior::to_reference(alone);
  if (!made) {
    why = made.error().text;
    return false;
  }
  into.profiles.insert(into.profiles.end(), made->profiles.begin(), made->profiles.end());
  return true;
}

bool address_by_address(const ior::ObjectUrl& url, ior::Ior& into, std::string& why) {
  into = {};
  return std::all_of(url.addresses.begin(), url.addresses.end(),
                     [&](const ior::UrlAddress& each) { return add_address(url, each, into, why); });
}

}  // namespace

bool read_reference(std::string_view text, ior::Ior& into, std::string& why) {
  auto url = ior::parse_object_url(text);
  if (!url) {
    why = url.error().text;
    return false;
  }
  if (url->kind == ior::UrlKind::ior) {
    into = std::move(url->reference);
    return true;
  }
  if (url->initial_reference()) {
    why = "an initial reference (rir) leads where the options of a program say; give the reference behind it";
    return false;
  }
  return address_by_address(*url, into, why);
}

}  // namespace tenon::explain
