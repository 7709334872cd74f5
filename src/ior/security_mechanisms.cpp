// SPDX-License-Identifier: Apache-2.0
#include "ior/security_mechanisms.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::ior {
namespace {

constexpr std::size_t longest_tls_host = 255;

SecurityMechanism::Octets take_octets(cdr::Reader& reader) {
  const ByteView view = reader.get_octet_sequence();
  return {view.begin(), view.end()};
}

/// CORBA 3.4 part 2 §10.5.1.3
void put_mechanism(cdr::Writer& out, const SecurityMechanism& what) {
  out.put(what.requires_);
  out.put(what.transport.tag);
  out.put_octet_sequence(what.transport.data);
  out.put(what.client_supports);
  out.put(what.client_requires);
  out.put_octet_sequence(what.client_mechanism);
  out.put_octet_sequence(what.target_name);
  out.put(what.attributes_support);
  out.put(what.attributes_require);
  out.put_length(what.authorities.size());
  for (const SecurityMechanism::Authority& each : what.authorities) {
    out.put(each.syntax);
    out.put_octet_sequence(each.name);
  }
  out.put_length(what.naming_mechanisms.size());
  for (const SecurityMechanism::Octets& each : what.naming_mechanisms) out.put_octet_sequence(each);
  out.put(what.identity_types);
}

SecurityMechanism get_mechanism(cdr::Reader& reader) {
  SecurityMechanism read;
  read.requires_ = reader.get<std::uint16_t>();
  read.transport.tag = reader.get<std::uint32_t>();
  read.transport.data = take_octets(reader);
  read.client_supports = reader.get<std::uint16_t>();
  read.client_requires = reader.get<std::uint16_t>();
  read.client_mechanism = take_octets(reader);
  read.target_name = take_octets(reader);
  read.attributes_support = reader.get<std::uint16_t>();
  read.attributes_require = reader.get<std::uint16_t>();
  for (std::size_t left = reader.get_length(8, SecurityMechanism::most_entries); left > 0 && reader.good();
       --left) {
    const auto syntax = reader.get<std::uint32_t>();
    read.authorities.push_back({syntax, take_octets(reader)});
  }
  for (std::size_t left = reader.get_length(4, SecurityMechanism::most_entries); left > 0 && reader.good();
       --left)
    read.naming_mechanisms.push_back(take_octets(reader));
  read.identity_types = reader.get<std::uint32_t>();
  return read;
}

}  // namespace

TaggedComponent tls_transport_component(const TlsTransport& what) {
  cdr::Encapsulation body;
  body.content().put(what.supports);
  body.content().put(what.requires_);
  body.content().put_length(what.addresses.size());
  for (const TlsTransport::At& each : what.addresses) {
    body.content().put_raw_string(each.host);
    body.content().put(each.port);
  }
  return tagged(tag_tls_sec_trans, body);
}

std::optional<TlsTransport> read_tls_transport(ByteView data) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  TlsTransport read;
  read.supports = reader.get<std::uint16_t>();
  read.requires_ = reader.get<std::uint16_t>();
  for (std::size_t left = reader.get_length(6, TlsTransport::most_addresses); left > 0 && reader.good();
       --left) {
    const std::string_view host = reader.get_raw_string();
    if (host.size() > longest_tls_host) return std::nullopt;
    read.addresses.push_back({std::string(host), reader.get<std::uint16_t>()});
  }
  if (!reader.good()) return std::nullopt;
  return read;
}

TaggedComponent security_mechanisms_component(const SecurityMechanisms& what) {
  cdr::Encapsulation body;
  body.content().put(what.stateful);
  body.content().put_length(what.list.size());
  for (const SecurityMechanism& each : what.list) put_mechanism(body.content(), each);
  return tagged(tag_csi_sec_mech_list, body);
}

std::optional<SecurityMechanisms> read_security_mechanisms(ByteView data) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  SecurityMechanisms read;
  read.stateful = reader.get<bool>();
  constexpr std::size_t smallest = 40;
  for (std::size_t left = reader.get_length(smallest, SecurityMechanisms::most); left > 0 && reader.good();
       --left)
    read.list.push_back(get_mechanism(reader));
  if (!reader.good()) return std::nullopt;
  return read;
}

std::optional<SecurityMechanisms> find_security_mechanisms(const std::vector<TaggedComponent>& components) {
  const TaggedComponent* const found = find_component(components, tag_csi_sec_mech_list);
  return found != nullptr ? read_security_mechanisms(found->data) : std::nullopt;
}

void replace_security_mechanisms(std::vector<TaggedComponent>& components, const SecurityMechanisms& by) {
  TaggedComponent made = security_mechanisms_component(by);
  const auto is_list = [](const TaggedComponent& each) { return each.tag == tag_csi_sec_mech_list; };
  const auto first = std::ranges::find_if(components, is_list);
  if (first == components.end()) {
    components.push_back(std::move(made));
    return;
  }
  *first = std::move(made);
  components.erase(std::remove_if(first + 1, components.end(), is_list), components.end());
}

}  // namespace tenon::ior
