// SPDX-License-Identifier: Apache-2.0
#include "tools/ior/places.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/hex.hpp"
#include "cdr/reader.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/named_address.hpp"
#include "ior/named_profile.hpp"
#include "ior/object_url.hpp"
#include "ior/omniorb_unix.hpp"
#include "ior/uiop_profile.hpp"
#ifdef TENON_WITH_SHMIOP
#include "plugins/shmiop/host.hpp"
#endif
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
  const ReachedOtherwise& over = place.otherwise;
  const bool socket_here = !over.omniorb_path.empty() && over.omniorb_host == omniorb_host_here();
  if (socket_here) {
    into.push_back({.transport = Transport::uiop,
                    .path = over.omniorb_path,
                    .minor = read->minor,
                    .key = read->key,
                    .profile = number});
  }
  // Port 0 leads nowhere where another way has been tried.
  if (!socket_here || place.host.port != 0 || over.tls) into.push_back(place);
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

bool any_address(std::string_view) noexcept { return true; }

void add_named(const ior::TaggedProfile& profile, std::size_t number, std::vector<Place>& into) {
  const auto read = ior::parse_named_profile(profile.data, any_address);
  if (!read) return;
  into.push_back({.transport = profile.tag == ior::tag_tenon_shmiop ? Transport::shmiop : Transport::inproc,
                  .path = read->address,
                  .where = read->place,
                  .minor = read->minor,
                  .key = read->key,
                  .profile = number});
}

}  // namespace

std::string omniorb_host_here() {
  char name[256];
  if (::gethostname(name, sizeof name) != 0) return {};
  name[sizeof name - 1] = '\0';
  return name;
}

namespace {

/// Empty: shared memory cannot be used here.
std::string_view place_here() {
#ifdef TENON_WITH_SHMIOP
  return shmiop::this_place();
#else
  return {};
#endif
}

}  // namespace

const char* not_shared_with(std::string_view place) {
  const std::string_view here = place_here();
  if (here.empty())
    return "this program was built without shared memory, or the system does not say which machine this is";
  if (place == here) return nullptr;
  const auto without_user = [](std::string_view text) { return text.substr(0, text.rfind('/')); };
  return without_user(place) == without_user(here)
             ? "the server runs as another user, and shared memory is for processes of one user"
             : "the server runs on another machine, in another container, or did before this one was started "
               "anew";
}

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

std::string Place::text() const {
  switch (transport) {
    case Transport::iiop: return printable(host.text());
    case Transport::uiop: return printable(path);
    case Transport::shmiop: return "shared memory " + printable(path);
    case Transport::inproc: return "inside one process, " + printable(path);
  }
  return "?";
}

std::vector<Place> places(const ior::Ior& reference) {
  std::vector<Place> found;
  for (std::size_t i = 0; i < reference.profiles.size(); ++i) {
    const ior::TaggedProfile& profile = reference.profiles[i];
    if (profile.tag == ior::tag_internet_iop) add_iiop(profile, i, found);
    if (profile.tag == ior::tag_tao_uiop) add_uiop(profile, i, found);
    if (profile.tag == ior::tag_tenon_shmiop || profile.tag == tag_tenon_inproc) add_named(profile, i, found);
  }
  return found;
}

namespace {

/// Of shmiop and inproc. False: the address has no name.
bool add_named_address(const ior::ObjectUrl& url, const ior::UrlAddress& address, ior::Ior& into,
                       std::string& why) {
  const auto named = ior::read_named_address(address.text);
  if (!named) {
    why = "address '" + printable(address.text) +
          "': write a name of at most 100 letters, digits, '.', '_' and '-', for example 1.2@name";
    return false;
  }
  ior::NamedProfile profile;
  profile.minor = named->minor;
  profile.key = url.key;
  if (address.protocol == "shmiop") {
    profile.place = place_here();
    profile.address = '@' + std::string(named->name);
    into.profiles.push_back(ior::make_named_profile(ior::tag_tenon_shmiop, profile));
  } else {
    profile.place = "the process that reads this text";
    profile.address = named->name;
    into.profiles.push_back(ior::make_named_profile(tag_tenon_inproc, profile));
  }
  return true;
}

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
  if (address.protocol == "shmiop" || address.protocol == "inproc")
    return add_named_address(url, address, into, why);
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
