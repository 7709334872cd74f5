// SPDX-License-Identifier: Apache-2.0
#include "tools/ior/words.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/reader.hpp"
#include "ior/components.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/name_string.hpp"
#include "ior/object_url.hpp"
#include "ior/uiop_profile.hpp"
#include "tools/ior/places.hpp"
#include "tools/ior/security_words.hpp"

namespace tenon::explain {
namespace {

std::string profile_name(std::uint32_t tag) {
  switch (tag) {
    case ior::tag_internet_iop: return "IIOP";
    case ior::tag_multiple_components: return "MULTIPLE_COMPONENTS";
    case ior::tag_sccp_iop: return "SCCP_IOP (signalling networks)";
    case ior::tag_uipmc: return "UIPMC (IP multicast)";
    case ior::tag_tao_uiop: return "UIOP (Unix-domain socket, as TAO has it)";
    case ior::tag_tenon_shmiop: return "SHMIOP (shared memory, as Tenon has it)";
    case tag_tenon_inproc: return "INPROC (inside one process, as Tenon has it)";
    case ior::tag_tao_shmiop: return "SHMIOP (shared memory of TAO)";
    case ior::tag_tao_diop: return "DIOP (datagrams of TAO)";
    default: return "of tag 0x" + hex_number(tag, 8);
  }
}

void add_components(std::string& out, const std::vector<ior::TaggedComponent>& components) {
  for (const ior::TaggedComponent& component : components) out += "  " + in_words(component) + '\n';
}

/// Octets, and the text that can be read in them: a key has names between other data of its server.
std::string key_in_words(ByteView key) {
  std::string out = octets_in_words(key);
  std::string readable;
  std::size_t letters = 0;
  std::size_t run = 0;
  std::size_t longest_run = 0;
  for (const std::uint8_t octet : key.first(std::min<std::size_t>(key.size(), 256))) {
    const bool letter = octet >= ' ' && octet <= '~';
    readable += letter ? static_cast<char>(octet) : '.';
    letters += letter ? 1 : 0;
    run = letter ? run + 1 : 0;
    longest_run = std::max(longest_run, run);
  }
  constexpr std::size_t shortest_name = 4;
  const bool is_shown_already = letters == key.size() && out.ends_with('\'');
  if (is_shown_already || longest_run < shortest_name) return out;
  return out + ", in which '" + readable + "' can be read";
}

/// Why there is no port: the other ways in which the server can be reached.
std::string without_port(const ReachedOtherwise& over) {
  if (over.tls && !over.omniorb_path.empty())
    return "port 0: no plain TCP, but TLS and the Unix-domain socket of omniORB, see the components";
  if (over.tls) return "port 0: nothing but TLS";
  if (!over.omniorb_path.empty())
    return "port 0: no TCP, only the Unix-domain socket of omniORB, see component UNIX_TRANS";
  return "port 0: nobody can connect to it";
}

void add_iiop(std::string& out, const ior::IiopProfile& profile) {
  out += " 1." + std::to_string(profile.minor) + '\n';
  out += "  address: " + printable(ior::to_text(profile.address));
  if (profile.address.port == 0) out += " (" + without_port(reached_otherwise(profile.components)) + ')';
  out += "\n  object key: " + key_in_words(profile.key) + '\n';
  add_components(out, profile.components);
}

/// Of shmiop or inproc. False: it is malformed, and nothing was added. plugins/shmiop/profile.hpp says how it is laid out.
bool add_named(std::string& out, ByteView data) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  const auto major = reader.get<std::uint8_t>();
  const auto minor = reader.get<std::uint8_t>();
  const std::string_view place = reader.get_raw_string();
  const std::string_view address = reader.get_raw_string();
  const ByteView key = reader.get_octet_sequence();
  std::vector<ior::TaggedComponent> components;
  if (minor >= 1) ior::read_tagged(reader, components);
  if (!reader.good() || major != 1) return false;
  out += " 1." + std::to_string(minor) + "\n  address: " + printable(address) +
         "\n  place: " + printable(place) + " (processes elsewhere pass over this profile)" +
         "\n  object key: " + key_in_words(key) + '\n';
  add_components(out, components);
  return true;
}

void add_profile(std::string& out, const ior::TaggedProfile& profile) {
  out += profile_name(profile.tag);
  if (profile.tag == ior::tag_internet_iop) {
    if (const auto read = ior::parse_iiop_profile(profile.data)) return add_iiop(out, *read);
  } else if (profile.tag == ior::tag_tao_uiop) {
    if (const auto read = ior::parse_uiop_profile(profile.data)) {
      out += " 1." + std::to_string(read->minor) + "\n  path: " + printable(read->path) +
             "\n  object key: " + key_in_words(read->key) + '\n';
      return add_components(out, read->components);
    }
  } else if (profile.tag == ior::tag_tenon_shmiop || profile.tag == tag_tenon_inproc) {
    if (add_named(out, profile.data)) return;
  } else if (profile.tag == ior::tag_multiple_components) {
    if (const auto read = ior::parse_multiple_components(profile.data)) {
      out += '\n';
      return add_components(out, *read);
    }
  } else {
    out += "\n  " + octets_in_words(profile.data) + '\n';
    return;
  }
  out += "\n  malformed: " + octets_in_words(profile.data) + '\n';
}

}  // namespace

std::string in_words(const ior::Ior& reference) {
  if (reference.nil()) return "nil: a reference to no object\n";
  std::string out =
      "type: " + (reference.type_id.empty() ? "not stated" : printable(reference.type_id)) + '\n';
  for (std::size_t i = 0; i < reference.profiles.size(); ++i) {
    out += "profile " + std::to_string(i + 1) + ": ";
    add_profile(out, reference.profiles[i]);
  }
  return out;
}

std::string name_in_words(std::string_view text) {
  const auto url = ior::parse_object_url(text);
  if (!url || url->kind != ior::UrlKind::corbaname) return "";
  const auto name = ior::parse_name(url->name);
  if (!name) return "";  // parse_object_url() lets none pass
  if (name->empty()) return "name: none, so the naming context itself\n";
  std::string out =
      "name: '" + printable(url->name) + "', which clients look up in the naming context below (resolve)\n";
  for (const ior::NameComponent& each : *name) {
    out += "  " + std::string(&each == &name->back() ? "object" : "context") + ": id '" + printable(each.id) +
           '\'';
    if (!each.kind.empty()) out += ", kind '" + printable(each.kind) + '\'';
    out += '\n';
  }
  return out;
}

// --- components ---

namespace {

struct Tag {
  std::uint32_t tag;
  const char* name;
};

// CORBA 3.4 part 2 §7.6.6 and the vendors' own.
constexpr Tag component_names[] = {
    {0, "ORB_TYPE"},
    {1, "CODE_SETS"},
    {2, "POLICIES"},
    {3, "ALTERNATE_IIOP_ADDRESS"},
    {5, "COMPLETE_OBJECT_KEY"},
    {6, "ENDPOINT_ID_POSITION"},
    {12, "LOCATION_POLICY"},
    {13, "ASSOCIATION_OPTIONS"},
    {14, "SEC_NAME"},
    {20, "SSL_SEC_TRANS"},
    {23, "FIREWALL_TRANS"},
    {25, "JAVA_CODEBASE"},
    {26, "TRANSACTION_POLICY"},
    {27, "FT_GROUP"},
    {28, "FT_PRIMARY"},
    {29, "FT_HEARTBEAT_ENABLED"},
    {30, "MESSAGE_ROUTERS"},
    {31, "OTS_POLICY"},
    {32, "INV_POLICY"},
    {33, "CSI_SEC_MECH_LIST"},
    {34, "NULL_TAG"},
    {35, "SECIOP_SEC_TRANS"},
    {36, "TLS_SEC_TRANS"},
    {37, "ACTIVITY_POLICY"},
    {38, "RMI_CUSTOM_MAX_STREAM_FORMAT"},
    {39, "GROUP"},
    {40, "GROUP_IIOP"},
    {123, "INET_SEC_TRANS"},
    {ior::tag_operation_numbers, "OPERATION_NUMBERS (of Tenon)"},
    {0x54414f02, "ENDPOINTS (of TAO)"},
    {0x41545401, "BIDIRECTIONAL (of omniORB)"},
    {0x41545402, "UNIX_TRANS (of omniORB)"},
    {0x41545403, "PERSISTENT_ID (of omniORB)"},
    {0x41545404, "RESTRICTED_CONNECTION (of omniORB)"},
    {0x41545405, "HTTP_TRANS (of omniORB)"},
};

std::string code_set_name(cdr::CodeSet set) {
  switch (set) {
    case cdr::CodeSet::none: return "none";
    case cdr::CodeSet::iso8859_1: return "ISO 8859-1";
    case cdr::CodeSet::utf8: return "UTF-8";
    case cdr::CodeSet::utf16: return "UTF-16";
    case cdr::CodeSet::ucs2: return "UCS-2";
    case cdr::CodeSet::ucs2_level3: return "UCS-2 level 3";
    case cdr::CodeSet::ucs4: return "UCS-4";
    case cdr::CodeSet::ucs4_level3: return "UCS-4 level 3";
  }
  if (const cdr::CharSet* known = cdr::char_set(set)) return known->name;
  return "0x" + hex_number(static_cast<std::uint32_t>(set), 8);
}

std::string code_sets_of(const char* what, const cdr::CodeSetComponent& sets) {
  std::string out = what + code_set_name(sets.native);
  for (std::size_t i = 0; i < sets.conversion.size(); ++i) {
    out += (i == 0 ? " (also " : ", ") + code_set_name(sets.conversion[i]);
  }
  return out + (sets.conversion.empty() ? "" : ")");
}

std::string orb_type_name(std::uint32_t type) {
  switch (type) {
    case ior::orb_type: return "Tenon";
    case 0x54414f00: return "TAO";
    case 0x41545400: return "omniORB";
    case 0x4a414300: return "JacORB";
    default: return "0x" + hex_number(type, 8);
  }
}

/// sequence<PolicyValue>, of which only the types are shown.
std::string policies_in_words(cdr::Reader& reader) {
  std::string out = "policy types";
  for (std::size_t left = reader.get_length(8); left > 0 && reader.good(); --left) {
    out += ' ' + std::to_string(reader.get<std::uint32_t>());
    (void)reader.get_octet_sequence();
  }
  return out;
}

/// A component of our own: the numbers that may be sent in place of operation names.
std::string numbers_in_words(const std::vector<ior::TaggedComponent>& components) {
  const auto numbers = ior::read_operation_numbers(components);
  if (!numbers) return "";
  std::string out = "checked by \"" + std::string(numbers->check.data(), numbers->check.size()) + '"';
  for (const ior::InterfaceNumbers& each : numbers->interfaces)
    out +=
        ", from " + std::to_string(each.first) + " those of interface 0x" + hex_number(each.fingerprint, 16);
  return out;
}

/// The component in words; empty: it is malformed, or its tag is not known.
std::string content(const ior::TaggedComponent& component) {
  const std::vector<ior::TaggedComponent> alone = {component};
  cdr::Reader reader = cdr::Reader::encapsulation(component.data);
  std::string out;
  switch (component.tag) {
    case ior::tag_orb_type:
      if (const auto type = ior::read_orb_type(alone)) return orb_type_name(*type);
      return "";
    case ior::tag_code_sets:
      if (const auto sets = ior::read_code_sets(alone)) {
        return code_sets_of("char ", sets->char_data) + code_sets_of("; wchar ", sets->wchar_data);
      }
      return "";
    case ior::tag_operation_numbers: return numbers_in_words(alone);
    case ior::tag_alternate_iiop_address:
      for (const ior::IiopAddress& address : ior::alternate_addresses(alone))
        out = printable(ior::to_text(address));
      return out;
    case ior::tag_policies: out = policies_in_words(reader); break;
    case ior::tag_ssl_sec_trans: out = ssl_in_words(reader); break;
    case ior::tag_csi_sec_mech_list: out = mechanisms_in_words(reader); break;
    case 25: out = printable(reader.get_raw_string()); break;
    case 0x41545402: {
      const std::string host(reader.get_raw_string());
      out = "Unix-domain socket " + printable(reader.get_raw_string()) + " on host " + printable(host) +
            ", for clients of omniORB and Tenon there";
      break;
    }
    default: return "";
  }
  return reader.good() ? out : "";
}

}  // namespace

std::string in_words(const ior::TaggedComponent& component) {
  std::string out = "component 0x" + hex_number(component.tag, 8);
  for (const Tag& each : component_names) {
    if (each.tag == component.tag) out.append(" ").append(each.name);
  }
  const std::string what = content(component);
  return out + ": " + (what.empty() ? octets_in_words(component.data) : what);
}

}  // namespace tenon::explain
