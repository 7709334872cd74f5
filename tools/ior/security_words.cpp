// SPDX-License-Identifier: Apache-2.0
#include "tools/ior/security_words.hpp"

#include <algorithm>
#include <optional>

#include "base/hex.hpp"
#include "ior/iiop_profile.hpp"

namespace tenon::explain {
namespace {

constexpr std::uint32_t tag_tls_sec_trans = 36;
constexpr unsigned trust_in_client = 64;

/// Security::AssociationOptions, in the words of an operator.
constexpr struct {
  unsigned bit;
  const char* name;
} options_in_words[] = {
    {1, "no protection"},
    {2, "integrity"},
    {4, "confidentiality"},
    {8, "no replays"},
    {16, "order"},
    {32, "the server's certificate"},
    {trust_in_client, "the client's certificate"},
    {128, "no delegation"},
    {256, "simple delegation"},
    {512, "composite delegation"},
    {1024, "identity assertion"},
    {2048, "delegation by the client"},
};

/// "0x0006 (integrity, confidentiality)"
std::string in_words(std::uint16_t options) {
  std::string names;
  for (const auto& each : options_in_words) {
    if ((options & each.bit) != 0) names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  return "0x" + hex_number(options, 4) + " (" + (names.empty() ? "nothing" : names) + ")";
}

std::string in_words(std::uint16_t supports, std::uint16_t requires_) {
  std::string out = "supports " + in_words(supports) + ", requires " + in_words(requires_);
  if ((requires_ & trust_in_client) != 0) out += "; a client must show a certificate";
  return out;
}

struct Ssl {
  std::uint16_t supports = 0;
  std::uint16_t requires_ = 0;
  std::uint16_t port = 0;
};

Ssl read_ssl(cdr::Reader& reader) {
  // Three ushorts; VisiBroker has ulongs for the first two.
  const bool wide = reader.remaining() >= 10;
  const auto options = [&] {
    return wide ? static_cast<std::uint16_t>(reader.get<std::uint32_t>()) : reader.get<std::uint16_t>();
  };
  Ssl read;
  read.supports = options();
  read.requires_ = options();
  read.port = reader.get<std::uint16_t>();
  return read;
}

struct TlsTransport {
  std::uint16_t supports = 0;
  std::uint16_t requires_ = 0;
  std::vector<net::HostPort> addresses;
};

/// The content of TAG_TLS_SEC_TRANS (CORBA 3.4 part 2 §10.5.1.3).
std::optional<TlsTransport> read_tls(ByteView data) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  TlsTransport read;
  read.supports = reader.get<std::uint16_t>();
  read.requires_ = reader.get<std::uint16_t>();
  for (std::size_t left = reader.get_length(8); left > 0 && reader.good(); --left) {
    std::string host(reader.get_raw_string());
    read.addresses.push_back({std::move(host), reader.get<std::uint16_t>()});
  }
  return reader.good() ? std::optional(std::move(read)) : std::nullopt;
}

/// One CSIIOP::CompoundSecMech.
struct Mechanism {
  std::uint16_t requires_ = 0;
  std::uint32_t transport = 0;  ///< a tag
  std::optional<TlsTransport> tls;
  std::uint16_t client_supports = 0;  ///< authentication of the client by name and password, for one
  std::uint16_t client_requires = 0;
  std::vector<std::uint8_t> client_mechanism;  ///< an object identifier in DER
  std::vector<std::uint8_t> target_name;       ///< as GSS-API exports names (RFC 2743 §3.2)
  std::uint16_t attributes_support = 0;
  std::uint32_t identity_types = 0;  ///< CSI::IdentityTokenType
};

std::vector<std::uint8_t> octets_in(cdr::Reader& reader) {
  const ByteView view = reader.get_octet_sequence();
  return {view.begin(), view.end()};
}

Mechanism read_mechanism(cdr::Reader& reader) {
  Mechanism read;
  read.requires_ = reader.get<std::uint16_t>();
  read.transport = reader.get<std::uint32_t>();
  const ByteView transport = reader.get_octet_sequence();
  if (read.transport == tag_tls_sec_trans) read.tls = read_tls(transport);
  read.client_supports = reader.get<std::uint16_t>();
  read.client_requires = reader.get<std::uint16_t>();
  read.client_mechanism = octets_in(reader);
  read.target_name = octets_in(reader);
  read.attributes_support = reader.get<std::uint16_t>();
  (void)reader.get<std::uint16_t>();
  for (std::size_t left = reader.get_length(8); left > 0 && reader.good(); --left) {
    (void)reader.get<std::uint32_t>();  // privilege authorities
    (void)reader.get_octet_sequence();
  }
  for (std::size_t left = reader.get_length(4); left > 0 && reader.good(); --left)
    (void)reader.get_octet_sequence();  // naming mechanisms
  read.identity_types = reader.get<std::uint32_t>();
  return read;
}

std::vector<Mechanism> read_mechanisms(cdr::Reader& reader) {
  std::vector<Mechanism> read;
  (void)reader.get<std::uint8_t>();  // stateful
  for (std::size_t left = reader.get_length(30); left > 0 && reader.good(); --left)
    read.push_back(read_mechanism(reader));
  return read;
}

/// What follows "a name and password": of whom, and how, if it is not GSSUP.
std::string target_in_words(const Mechanism& mechanism) {
  static constexpr std::uint8_t gssup[] = {0x06, 0x06, 0x67, 0x81, 0x02, 0x01, 0x01, 0x01};
  std::string out;
  const std::vector<std::uint8_t>& name = mechanism.target_name;
  const std::size_t begin = name.size() > 4 ? 8U + (std::size_t{name[2]} << 8) + name[3] : 0;
  if (begin != 0 && begin < name.size()) {
    const std::string_view text(reinterpret_cast<const char*>(name.data()) + begin, name.size() - begin);
    out = " for '" + printable(text) + "'";
  }
  if (!mechanism.client_mechanism.empty() && !std::ranges::equal(mechanism.client_mechanism, gssup))
    out += " by mechanism " + to_hex(mechanism.client_mechanism);
  return out;
}

std::string identities_in_words(std::uint32_t types) {
  static constexpr struct {
    std::uint32_t bit;
    const char* name;
  } kinds[] = {{1, "anonymous"}, {2, "a user's name"}, {4, "certificates"}, {8, "a distinguished name"}};
  std::string names;
  for (const auto& each : kinds) {
    if ((types & each.bit) != 0) names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  return names.empty() ? "" : " (" + names + ")";
}

std::string in_words(const Mechanism& mechanism) {
  std::string out;
  if (mechanism.tls) {
    out = "TLS at ";
    for (const net::HostPort& each : mechanism.tls->addresses)
      out += (&each == mechanism.tls->addresses.data() ? "" : " and ") + printable(each.text());
    out += ", " + in_words(mechanism.tls->supports, mechanism.tls->requires_);
  } else {
    constexpr std::uint32_t tag_null = 34;
    out = mechanism.transport == tag_null ? "no transport of its own"
                                          : "a transport of tag " + std::to_string(mechanism.transport);
    constexpr unsigned protects = 2 | 4;
    if ((mechanism.requires_ & protects) != 0) out += ", not in the clear";
  }
  if (mechanism.client_requires != 0) {
    out += "; a name and password (CSI authentication)" + target_in_words(mechanism) + " are required";
  } else if (mechanism.client_supports != 0) {
    out += "; a name and password (CSI authentication)" + target_in_words(mechanism) + " may be given";
  }
  constexpr unsigned identity_assertion = 1024;
  if ((mechanism.attributes_support & identity_assertion) != 0)
    out += "; an identity may be asserted" + identities_in_words(mechanism.identity_types);
  return out;
}

net::HostPort place_of(const ior::IiopAddress& address, std::uint16_t port) {
  const std::string& host = address.host;
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return {brackets ? host.substr(1, host.size() - 2) : host, port};
}

std::vector<net::HostPort> tls_hosts(const ior::IiopProfile& profile) {
  std::vector<net::HostPort> found;
  for (const ior::TaggedComponent& component : profile.components) {
    cdr::Reader reader = cdr::Reader::encapsulation(component.data);
    if (component.tag == ior::tag_ssl_sec_trans) {
      const Ssl read = read_ssl(reader);
      if (!reader.good() || read.port == 0) continue;
      found.push_back(place_of(profile.address, read.port));
      for (const ior::IiopAddress& other : ior::alternate_addresses(profile.components))
        found.push_back(place_of(other, read.port));
    } else if (component.tag == ior::tag_csi_sec_mech_list) {
      for (const Mechanism& each : read_mechanisms(reader)) {
        if (each.tls) found.insert(found.end(), each.tls->addresses.begin(), each.tls->addresses.end());
      }
    }
  }
  return found;
}

}  // namespace

std::vector<TlsPlace> tls_places(const ior::Ior& reference) {
  std::vector<TlsPlace> found;
  for (const ior::TaggedProfile& each : reference.profiles) {
    if (each.tag != ior::tag_internet_iop) continue;
    const auto profile = ior::parse_iiop_profile(each.data);
    if (!profile) continue;
    for (net::HostPort& host : tls_hosts(*profile)) {
      const bool known = std::any_of(found.begin(), found.end(), [&](const TlsPlace& place) {
        return place.host == host && place.key == profile->key;
      });
      if (!known && host.port != 0) found.push_back({std::move(host), profile->minor, profile->key});
    }
  }
  return found;
}

std::string ssl_in_words(cdr::Reader& reader) {
  const Ssl read = read_ssl(reader);
  return "TLS at port " + std::to_string(read.port) + ", " + in_words(read.supports, read.requires_);
}

std::string mechanisms_in_words(cdr::Reader& reader) {
  const std::vector<Mechanism> all = read_mechanisms(reader);
  std::string out = all.empty() ? "no mechanism" : "";
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out += "; or ";
    out += in_words(all[i]);
  }
  return out;
}

ior::TaggedProfile tls_profile(const ior::ParsedIiopAddress& address, const std::vector<std::uint8_t>& key) {
  const std::uint16_t port = address.address.port;
  // In big endian: all kinds of protection and the server's certificate are supported, protection is required.
  ior::TaggedComponent component{
      ior::tag_ssl_sec_trans,
      {0, 0, 0, 0x3e, 0, 0x1e, static_cast<std::uint8_t>(port >> 8), static_cast<std::uint8_t>(port & 0xff)}};
  ior::IiopProfile profile{
      .minor = address.minor, .address = address.address, .key = key, .components = {std::move(component)}};
  profile.address.port = 0;
  return ior::make_iiop_profile(profile);
}

}  // namespace tenon::explain
