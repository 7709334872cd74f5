// SPDX-License-Identifier: Apache-2.0
// IIOP profile bodies. See iiop_profile.hpp.
#include "ior/iiop_profile.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/components.hpp"

namespace tenon::ior {

namespace {

char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

Result<IiopProfile> parse_iiop_profile(ByteView data) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  IiopProfile profile;
  const auto major = reader.get<std::uint8_t>();
  profile.minor = reader.get<std::uint8_t>();
  profile.address.host = std::string(reader.get_raw_string());
  profile.address.port = reader.get<std::uint16_t>();
  const ByteView key = reader.get_octet_sequence();
  profile.key.assign(key.begin(), key.end());
  if (profile.minor >= 1) read_components(reader, profile.components);
  if (!reader.good() || major != 1) return errors::bad_profile;
  return profile;
}

TaggedProfile make_iiop_profile(const IiopProfile& profile) {
  cdr::Encapsulation body;
  cdr::Writer& writer = body.content();
  writer.put(std::uint8_t{1});
  writer.put(profile.minor);
  writer.put_raw_string(profile.address.host);
  writer.put(profile.address.port);
  writer.put_octet_sequence(profile.key);
  if (profile.minor >= 1) write_components(writer, profile.components);
  const ByteView bytes = body.bytes();
  return {tag_internet_iop, {bytes.begin(), bytes.end()}};
}

bool publishable(std::string_view host) noexcept {
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  // Of an IPv4-mapped address only the IPv4 address counts.
  constexpr std::string_view mapped = "::ffff:";
  if (host.size() >= mapped.size() && same_host(host.substr(0, mapped.size()), mapped)) {
    host.remove_prefix(mapped.size());
  }
  // Every way to write the unspecified address consists of zeros and separators: 0.0.0.0, 0, ::, 0:0:0:0:0:0:0:0.
  return host.find_first_not_of("0.:*") != std::string_view::npos;
}

bool same_host(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

TaggedComponent alternate_address_component(const IiopAddress& address) {
  cdr::Encapsulation body;
  body.content().put_raw_string(address.host);
  body.content().put(address.port);
  const ByteView bytes = body.bytes();
  return {tag_alternate_iiop_address, {bytes.begin(), bytes.end()}};
}

std::vector<IiopAddress> alternate_addresses(const std::vector<TaggedComponent>& components) {
  std::vector<IiopAddress> addresses;
  for (const TaggedComponent& component : components) {
    if (component.tag != tag_alternate_iiop_address) continue;
    cdr::Reader reader = cdr::Reader::encapsulation(component.data);
    IiopAddress address;
    address.host = std::string(reader.get_raw_string());
    address.port = reader.get<std::uint16_t>();
    if (reader.good()) addresses.push_back(std::move(address));
  }
  return addresses;
}

std::string to_text(const IiopAddress& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace tenon::ior
