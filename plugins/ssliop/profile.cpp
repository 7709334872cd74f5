// SPDX-License-Identifier: Apache-2.0
#include "plugins/ssliop/profile.hpp"

#include <algorithm>
#include <span>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/security_mechanisms.hpp"
#include "net/address.hpp"

namespace tenon::ssliop {
namespace {

ior::IiopAddress to_iiop(const protocol::Address& address) {
  HostAndPort where = host_and_port(address.text);
  return {std::move(where.host), where.port};
}

std::vector<std::string> hosts_of(const ior::IiopProfile& profile) {
  std::vector<std::string> hosts{profile.address.host};
  for (ior::IiopAddress& each : ior::alternate_addresses(profile.components))
    hosts.push_back(std::move(each.host));
  return hosts;
}

/// The first mechanism of CSIv2 whose transport is TLS. nullopt: there is none that could be used.
std::optional<ior::TlsTransport> find_tls_transport(const std::vector<ior::TaggedComponent>& components) {
  const auto all = ior::find_security_mechanisms(components);
  if (!all) return std::nullopt;
  for (const ior::SecurityMechanism& each : all->list) {
    if (each.transport.tag != ior::tag_tls_sec_trans) continue;
    auto found = ior::read_tls_transport(each.transport.data);
    if (!found) continue;
    std::erase_if(found->addresses, [](const auto& one) { return one.port == 0; });
    if (!found->addresses.empty()) return found;
  }
  return std::nullopt;
}

ior::TlsTransport all_of(const std::vector<std::string>& hosts, const SecTrans& what) {
  ior::TlsTransport tls{what.supports, what.requires_, {}};
  for (const std::string& host : hosts) {
    if (tls.addresses.size() < ior::TlsTransport::most_addresses) tls.addresses.push_back({host, what.port});
  }
  return tls;
}

/// Where a reference says what its server wants of callers besides their transport (TAG_CSI_SEC_MECH_LIST), says that it is TLS, too.
/// `alone`: the server has no other one; else what may be said in the clear stays behind. A reference that says nothing does so where a
/// server of TLS alone has several hosts: some clients look for them there (omniORB's).
void fill_mechanisms(std::vector<ior::TaggedComponent>& components, const std::vector<std::string>& hosts,
                     const SecTrans& what, bool alone) {
  const ior::TaggedComponent tls = ior::tls_transport_component(all_of(hosts, what));
  const auto all = ior::find_security_mechanisms(components);
  if (!all) {
    if (!alone || hosts.size() == 1) return;
    ior::SecurityMechanism only;
    only.requires_ = what.requires_;
    only.transport = tls;
    return ior::replace_security_mechanisms(components, {false, {std::move(only)}});
  }
  ior::SecurityMechanisms made{all->stateful, {}};
  for (const ior::SecurityMechanism& each : all->list) {
    if (each.transport.tag != ior::tag_null) {
      made.list.push_back(each);
      continue;
    }
    ior::SecurityMechanism over_tls = each;
    over_tls.transport = tls;
    over_tls.requires_ |= what.requires_;
    made.list.push_back(std::move(over_tls));
    if (!alone && (each.requires_ & (integrity | confidentiality)) == 0) made.list.push_back(each);
  }
  ior::replace_security_mechanisms(components, made);
}

void demand_of_mechanisms(std::vector<ior::TaggedComponent>& components, std::uint16_t requires_) {
  auto all = ior::find_security_mechanisms(components);
  if (!all) return;
  for (ior::SecurityMechanism& each : all->list) {
    if (each.transport.tag != ior::tag_tls_sec_trans) continue;
    auto tls = ior::read_tls_transport(each.transport.data);
    if (!tls) continue;
    tls->requires_ |= requires_;
    each.requires_ |= requires_;
    each.transport = ior::tls_transport_component(*tls);
  }
  ior::replace_security_mechanisms(components, *all);
}

/// The profile of a server that takes TLS alone.
ior::TaggedProfile for_tls_alone(ior::IiopProfile profile, SecTrans what) {
  what.port = profile.address.port;
  fill_mechanisms(profile.components, hosts_of(profile), what, true);
  profile.address.port = 0;
  std::vector<ior::IiopAddress> others = ior::alternate_addresses(profile.components);
  std::erase_if(profile.components,
                [](const auto& each) { return each.tag == ior::tag_alternate_iiop_address; });
  for (ior::IiopAddress& each : others) {
    each.port = 0;
    profile.components.push_back(ior::alternate_address_component(each));
  }
  profile.components.push_back(sec_trans_component(what));
  return ior::make_iiop_profile(profile);
}

/// Another endpoint of such a server, at the same port: its hosts go into the profile that is there. False: there is none.
bool join(std::vector<ior::TaggedProfile>& made, ior::IiopProfile profile, const SecTrans& what) {
  for (ior::TaggedProfile& each : made) {
    if (each.tag != ior::tag_internet_iop) continue;
    const auto there = ior::parse_iiop_profile(each.data);
    if (!there || there->address.port != 0 || there->minor != profile.minor || there->key != profile.key ||
        read_sec_trans(there->components) != what)
      continue;
    std::vector<std::string> hosts = hosts_of(*there);
    for (std::string& host : hosts_of(profile)) hosts.push_back(std::move(host));
    std::erase_if(profile.components,
                  [](const auto& one) { return one.tag == ior::tag_alternate_iiop_address; });
    profile.address.host = hosts.front();
    for (const std::string& host : std::span(hosts).subspan(1))
      profile.components.push_back(ior::alternate_address_component({host, what.port}));
    each = for_tls_alone(std::move(profile), what);
    return true;
  }
  return false;
}

/// Those that listen on another port than the first one go, and are returned: the component has one port.
std::vector<ior::IiopAddress> take_other_ports(ior::IiopProfile& profile) {
  std::vector<ior::IiopAddress> others = ior::alternate_addresses(profile.components);
  std::erase_if(profile.components,
                [](const auto& each) { return each.tag == ior::tag_alternate_iiop_address; });
  const std::uint16_t port = profile.address.port;
  std::erase_if(others, [&](const ior::IiopAddress& each) {
    if (each.port != port) return false;
    profile.components.push_back(ior::alternate_address_component(each));
    return true;
  });
  return others;
}

}  // namespace

ior::TaggedComponent sec_trans_component(const SecTrans& what) {
  cdr::Encapsulation body;
  body.content().put(what.supports);
  body.content().put(what.requires_);
  body.content().put(what.port);
  return ior::tagged(ior::tag_ssl_sec_trans, body);
}

std::optional<SecTrans> read_sec_trans(const std::vector<ior::TaggedComponent>& components) {
  const auto* const component = ior::find_component(components, ior::tag_ssl_sec_trans);
  if (component == nullptr) return std::nullopt;
  cdr::Reader reader = cdr::Reader::encapsulation(component->data);
  SecTrans what;
  what.supports = reader.get<std::uint16_t>();
  what.requires_ = reader.get<std::uint16_t>();
  what.port = reader.get<std::uint16_t>();
  if (!reader.good() || what.port == 0) return std::nullopt;
  return what;
}

std::optional<SecTrans> read_offer(const std::vector<ior::TaggedComponent>& components) {
  if (auto what = read_sec_trans(components)) return what;
  const auto tls = find_tls_transport(components);
  if (!tls) return std::nullopt;
  return SecTrans{tls->supports, tls->requires_, tls->addresses.front().port};
}

HostAndPort host_and_port(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return {};
  const auto port = net::parse_port(address.substr(colon + 1));
  std::string_view host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (!port) return {};
  return {std::string(host), *port};
}

ior::TaggedProfile make_profile(const protocol::ProfileView& view) {
  ior::IiopProfile profile{view.minor, {}, view.object_key, view.components};
  std::erase_if(profile.components, [](const auto& each) { return each.tag == ior::tag_ssl_sec_trans; });
  for (const protocol::Address& address : view.addresses) {
    if (&address == view.addresses.data()) {
      profile.address = to_iiop(address);
    } else {
      profile.components.push_back(ior::alternate_address_component(to_iiop(address)));
    }
  }
  if (const auto what = read_sec_trans(view.components); what && view.minor != 0)
    return for_tls_alone(std::move(profile), *what);
  ior::TaggedProfile made = ior::make_iiop_profile(profile);
  made.tag = profile_tag;
  return made;
}

Result<protocol::ProfileView> read_profile(ByteView data) {
  Result<ior::IiopProfile> profile = ior::parse_iiop_profile(data);
  if (!profile) return profile.error();
  protocol::ProfileView view;
  view.minor = profile->minor;
  view.object_key = std::move(profile->key);
  const auto add = [&](const ior::IiopAddress& address) {
    if (!address.host.empty() && address.port != 0) view.addresses.push_back({ior::to_text(address)});
  };
  add(profile->address);
  for (const ior::IiopAddress& each : ior::alternate_addresses(profile->components)) add(each);
  view.components = std::move(profile->components);
  std::erase_if(view.components,
                [](const auto& each) { return each.tag == ior::tag_alternate_iiop_address; });
  return view;
}

void place_profile(ior::Ior& made, std::uint16_t supports, std::uint16_t requires_) {
  const auto own =
      std::ranges::find_if(made.profiles, [](const auto& each) { return each.tag == profile_tag; });
  if (own == made.profiles.end()) return;
  auto profile = ior::parse_iiop_profile(own->data);
  if (!profile || profile->minor == 0) return;  // GIOP 1.0 has no components
  const std::vector<ior::IiopAddress> others = take_other_ports(*profile);
  const std::vector<std::string> hosts = hosts_of(*profile);
  SecTrans what{supports, requires_, profile->address.port};
  bool shared = false;
  for (ior::TaggedProfile& each : made.profiles) {
    if (each.tag != ior::tag_internet_iop) continue;
    auto plain = ior::parse_iiop_profile(each.data);
    if (!plain || plain->minor == 0 || plain->address.port == 0 || read_sec_trans(plain->components) ||
        hosts_of(*plain) != hosts)
      continue;
    fill_mechanisms(plain->components, hosts, what, false);
    // Both doors lead to the objects: whoever insists on protection takes the other one.
    what.supports |= no_protection;
    what.requires_ = no_protection;
    plain->components.push_back(sec_trans_component(what));
    each = ior::make_iiop_profile(*plain);
    shared = true;
    break;
  }
  std::vector<ior::TaggedProfile> placed;
  if (!shared && !join(made.profiles, *profile, what)) placed.push_back(for_tls_alone(*profile, what));
  for (const ior::IiopAddress& each : others) {
    profile->address = each;
    std::erase_if(profile->components,
                  [](const auto& one) { return one.tag == ior::tag_alternate_iiop_address; });
    placed.push_back(for_tls_alone(*profile, {supports, requires_, each.port}));
  }
  const auto at = made.profiles.erase(own);
  made.profiles.insert(at, placed.begin(), placed.end());
}

void demand(ior::Ior& made, std::uint16_t requires_) {
  for (ior::TaggedProfile& each : made.profiles) {
    if (each.tag != ior::tag_internet_iop) continue;
    auto profile = ior::parse_iiop_profile(each.data);
    if (!profile) continue;
    auto what = read_sec_trans(profile->components);
    if (!what) continue;
    what->requires_ |= requires_;
    std::erase_if(profile->components, [](const auto& one) { return one.tag == ior::tag_ssl_sec_trans; });
    profile->components.push_back(sec_trans_component(*what));
    demand_of_mechanisms(profile->components, requires_);
    each = ior::make_iiop_profile(*profile);
  }
}

std::optional<protocol::ProfileView> addresses_in(const protocol::ProfileView& profile) {
  const auto what = read_sec_trans(profile.components);
  const auto tls = find_tls_transport(profile.components);
  if (!what && !tls) return std::nullopt;
  protocol::ProfileView view = profile;
  view.addresses.clear();
  const auto add = [&view](std::string host, std::uint16_t port) {
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    protocol::Address address{ior::to_text({host, port})};
    if (!host.empty() && std::ranges::find(view.addresses, address) == view.addresses.end())
      view.addresses.push_back(std::move(address));
  };
  if (what) {
    for (const protocol::Address& each : profile.addresses) add(host_and_port(each.text).host, what->port);
  }
  if (tls) {
    for (const ior::TlsTransport::At& each : tls->addresses) add(each.host, each.port);
  }
  if (view.addresses.empty()) return std::nullopt;
  return view;
}

}  // namespace tenon::ssliop
