// SPDX-License-Identifier: Apache-2.0
// IIOP profile bodies. See iiop_profile.hpp.
#include "ior/iiop_profile.hpp"

#include <algorithm>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "ior/profile_error.hpp"

namespace tenon::ior {

namespace {

char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

Status read_iiop_profile(ByteView data, IiopProfileParts& into) noexcept {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  if (reader.get<std::uint8_t>() != 1) reader.fail(errors::bad_profile);  // the major version
  into.minor = reader.get<std::uint8_t>();
  into.host = reader.get_raw_string();
  if (into.host.size() > longest_host) reader.fail(errors::bad_profile);
  into.port = reader.get<std::uint16_t>();
  if (!cdr::assign(into.key, reader.get_octet_sequence())) reader.fail(errors::out_of_memory);
  if (into.minor >= 1) read_tagged(reader, into.components);
  return reader.good() ? Status() : profile_error(reader);
}

Result<IiopProfile> parse_iiop_profile(ByteView data) noexcept {
  Result<IiopProfile> result{IiopProfile()};
  IiopProfileParts parts{.minor = result->minor, .key = result->key, .components = result->components};
  Status read = read_iiop_profile(data, parts);
  if (read && !cdr::assign(result->address.host, parts.host)) read = errors::out_of_memory;
  result->address.port = parts.port;
  if (!read) return read.error();
  return result;
}

bool read_host(cdr::Reader& reader, std::string& into) noexcept {
  const std::string_view host = reader.get_raw_string();
  return host.size() <= longest_host && cdr::assign(into, host) && reader.good();
}

TaggedProfile make_iiop_profile(const IiopProfile& profile) noexcept {
  cdr::Encapsulation body;
  cdr::Writer& writer = body.content();
  writer.put(std::uint8_t{1});
  writer.put(profile.minor);
  writer.put_raw_string(profile.address.host);
  writer.put(profile.address.port);
  writer.put_octet_sequence(profile.key);
  if (profile.minor >= 1) write_tagged(writer, profile.components);
  return tagged(tag_internet_iop, body);
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

TaggedComponent alternate_address_component(const IiopAddress& address) noexcept {
  cdr::Encapsulation body;
  body.content().put_raw_string(address.host);
  body.content().put(address.port);
  return tagged(tag_alternate_iiop_address, body);
}

std::vector<IiopAddress> alternate_addresses(const std::vector<TaggedComponent>& components) {
  std::vector<IiopAddress> addresses;
  std::size_t count = 0;
  for (const TaggedComponent& component : components) count += component.tag == tag_alternate_iiop_address;
  if (!cdr::reserve(addresses, std::min(count, most_alternate_addresses))) return addresses;
  for (const TaggedComponent& component : components) {
    if (component.tag != tag_alternate_iiop_address || addresses.size() == addresses.capacity()) continue;
    cdr::Reader reader = cdr::Reader::encapsulation(component.data);
    IiopAddress& address = cdr::emplace(addresses);
    const bool has_host = read_host(reader, address.host);
    address.port = reader.get<std::uint16_t>();
    if (!has_host || !reader.good()) addresses.pop_back();
  }
  return addresses;
}

std::string to_text(const IiopAddress& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return joined({v6 ? "[" : "", address.host, v6 ? "]:" : ":", decimal(address.port)});
}

}  // namespace tenon::ior
