// SPDX-License-Identifier: Apache-2.0
// Target addresses of GIOP 1.2. See target.hpp.
#include "giop/target.hpp"

#include "base/minor_codes.hpp"
#include "cdr/writer.hpp"

namespace tenon::giop {

namespace {

constexpr std::uint32_t tag_internet_iop = 0;

/// IIOP profile body (§9.7.2): version, host, port, key. It is read here because src/ior may not be included from this folder.
std::optional<ByteView> key_of_iiop_profile(ByteView profile) noexcept {
  cdr::Reader reader = cdr::Reader::encapsulation(profile);
  const auto major = reader.get<std::uint8_t>();
  reader.get<std::uint8_t>();
  reader.get_raw_string();
  reader.get<std::uint16_t>();
  const ByteView key = reader.get_octet_sequence();
  if (!reader.good() || major != 1) return std::nullopt;
  return key;
}

/// IORAddressingInfo: keeps the profile that the index selects.
void read_reference(cdr::Reader& reader, Target& target) noexcept {
  const auto selected = reader.get<std::uint32_t>();
  target.type_id = reader.get_raw_string();
  const std::size_t count = reader.get_length(8);
  for (std::size_t i = 0; i < count; ++i) {
    const auto tag = reader.get<std::uint32_t>();
    const ByteView data = reader.get_octet_sequence();
    if (i == selected) {
      target.profile_tag = tag;
      target.profile = data;
    }
  }
  if (selected >= count) reader.fail(errors::giop_bad_addressing);
}

}  // namespace

std::optional<ByteView> object_key(const Target& target) noexcept {
  if (target.addressing == Addressing::key) return target.key;
  if (target.profile_tag == tag_internet_iop) return key_of_iiop_profile(target.profile);
  return std::nullopt;
}

Target read_target(cdr::Reader& reader) noexcept {
  Target target;
  if (reader.format().giop_minor < 2) {
    target.key = reader.get_octet_sequence();
    return target;
  }
  switch (reader.get<std::uint16_t>()) {
    case static_cast<std::uint16_t>(Addressing::key): target.key = reader.get_octet_sequence(); break;
    case static_cast<std::uint16_t>(Addressing::profile):
      target.addressing = Addressing::profile;
      target.profile_tag = reader.get<std::uint32_t>();
      target.profile = reader.get_octet_sequence();
      break;
    case static_cast<std::uint16_t>(Addressing::reference):
      target.addressing = Addressing::reference;
      read_reference(reader, target);
      break;
    default: reader.fail(errors::giop_bad_addressing);
  }
  return target;
}

void write_target(cdr::Writer& writer, const TargetOut& target) noexcept {
  if (writer.format().giop_minor < 2) {
    if (target.addressing != Addressing::key) return writer.fail(errors::giop_key_addressing_only);
  } else {
    writer.put(static_cast<std::uint16_t>(target.addressing));
  }
  // Copied, never lent: a request header stays in the writer's own memory.
  switch (target.addressing) {
    case Addressing::key:
      writer.put_length(target.key.size());
      writer.put_octets(target.key);
      break;
    case Addressing::profile:
      writer.put(target.profile_tag);
      writer.put_length(target.profile.size());
      writer.put_octets(target.profile);
      break;
    case Addressing::reference:
      writer.put(target.profile_index);
      writer.put_octets(target.reference);
      break;
  }
}

}  // namespace tenon::giop
