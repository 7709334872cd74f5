// SPDX-License-Identifier: Apache-2.0
#include "ior/named_profile.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "ior/profile_error.hpp"

namespace tenon::ior {

Result<NamedProfile> parse_named_profile(ByteView data, IsAddress& is_address) noexcept {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  NamedProfile profile;
  const auto major = reader.get<std::uint8_t>();
  profile.minor = reader.get<std::uint8_t>();
  const std::string_view place = reader.get_raw_string();
  const std::string_view address = reader.get_raw_string();
  if (!cdr::assign(profile.key, reader.get_octet_sequence())) reader.fail(errors::out_of_memory);
  if (profile.minor >= 1) read_tagged(reader, profile.components);
  if (!reader.good()) return profile_error(reader);
  if (major != 1 || place.size() > longest_place || !is_address(address)) return errors::bad_profile;
  if (!cdr::assign(profile.place, place) || !cdr::assign(profile.address, address))
    return errors::out_of_memory;
  return profile;
}

TaggedProfile make_named_profile(std::uint32_t tag, const NamedProfile& profile) noexcept {
  cdr::Encapsulation body;
  cdr::Writer& writer = body.content();
  writer.put(std::uint8_t{1});
  writer.put(profile.minor);
  writer.put_raw_string(profile.place);
  writer.put_raw_string(profile.address);
  writer.put_octet_sequence(profile.key);
  if (profile.minor >= 1) write_tagged(writer, profile.components);
  return tagged(tag, body);
}

}  // namespace tenon::ior
