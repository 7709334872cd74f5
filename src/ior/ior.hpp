// SPDX-License-Identifier: Apache-2.0
//
// Interoperable object references (CORBA 3.4 part 2 §7.6): a type id and tagged profiles, each kept octet for octet, so that
// what this process does not understand survives a round trip unchanged.
// Not here: what is inside a profile (iiop_profile.hpp, uiop_profile.hpp) and references as URLs (object_url.hpp).
//
// Values without shared state; each is safe to use from one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace tenon::cdr {
class Encapsulation;
class Reader;
class Writer;
}  // namespace tenon::cdr

namespace tenon::ior {

/// Profile tags (§7.6.4). The TAO ones are of that ORB's vendor range, Tenon's is its own (plugins/shmiop/profile.hpp).
enum ProfileTag : std::uint32_t {
  tag_internet_iop = 0,
  tag_multiple_components = 1,
  tag_sccp_iop = 2,
  tag_uipmc = 3,
  tag_tao_uiop = 0x54414f00,
  tag_tao_shmiop = 0x54414f02,
  tag_tao_diop = 0x54414f04,
  tag_tenon_shmiop = 0x544e0002,
};

/// Component tags (§7.6.6).
enum ComponentTag : std::uint32_t {
  tag_orb_type = 0,
  tag_code_sets = 1,
  tag_policies = 2,
  tag_alternate_iiop_address = 3,
  tag_complete_object_key = 5,
  tag_association_options = 13,
  tag_ssl_sec_trans = 20,
  tag_csi_sec_mech_list = 33,
  tag_omniorb_unix_trans = 0x41545402,  // of that ORB's vendor range
};

/// Octets of which a tag says what they are.
struct Tagged {
  std::uint32_t tag = 0;
  std::vector<std::uint8_t> data;
  bool operator==(const Tagged&) const = default;
};
using TaggedProfile = Tagged;
using TaggedComponent = Tagged;

/// sequence<TaggedProfile> and sequence<TaggedComponent>. Errors, also that there is no memory, fail the reader.
void read_tagged(cdr::Reader& reader, std::vector<Tagged>& into) noexcept;
void write_tagged(cdr::Writer& writer, const std::vector<Tagged>& list) noexcept;

/// What was written. Profiles and components are made by it: without memory they have no data, which no other one is.
Tagged tagged(std::uint32_t tag, cdr::Encapsulation& body) noexcept;

struct Ior {
  std::string type_id;  ///< a repository id, or empty when it is not known
  std::vector<TaggedProfile> profiles;

  /// The nil reference: no type id and no profiles (§7.6.2). One that names a type but has no profiles reaches no object either.
  bool nil() const noexcept { return profiles.empty(); }
  bool operator==(const Ior&) const = default;
};

/// Reads a reference from CDR (from_encapsulation() does it from an encapsulation). On error the reader is failed and `into` is nil. A
/// type id of length 0, without even its NUL, is taken as empty: some ORBs send nil in this form.
void read_ior(cdr::Reader& reader, Ior& into) noexcept;
void write_ior(cdr::Writer& writer, const Ior& ior) noexcept;

/// The reference as an encapsulation, which the text after "IOR:" is made of (§7.6.9): a byte-order octet, then the reference. Empty: there
/// is no memory.
std::vector<std::uint8_t> encapsulate(const Ior& ior) noexcept;
/// Errors: bad_reference, out_of_memory.
Result<Ior> from_encapsulation(ByteView bytes) noexcept;

/// "IOR:" and hexadecimal digits in lower case. The inverse is in object_url.hpp. Empty: there is no memory.
std::string to_ior_text(const Ior& ior) noexcept;

/// True: both certainly mean the same object, as a profile of one is in the other, or IIOP profiles agree in address and key. False
/// proves nothing (CORBA 3.4 part 1 §8.3.6). Two nil references are equivalent.
bool equivalent(const Ior& a, const Ior& b) noexcept;

/// Equal for equivalent references that name the same first IIOP address; does not change over a reference's life (§8.3.6).
std::uint32_t hash(const Ior& ior) noexcept;

/// The first profile with that tag, or null.
const TaggedProfile* find_profile(const Ior& ior, std::uint32_t tag) noexcept;
/// The first component with that tag, or null.
const TaggedComponent* find_component(const std::vector<TaggedComponent>& components,
                                      std::uint32_t tag) noexcept;

}  // namespace tenon::ior
