// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/profile.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "ior/profile_error.hpp"
#include "plugins/shmiop/endpoint.hpp"

namespace tenon::shmiop {
namespace {

constexpr std::size_t longest_place = 200;

}  // namespace

Result<Profile> parse_profile(ByteView data) noexcept {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  Profile profile;
  const auto major = reader.get<std::uint8_t>();
  profile.minor = reader.get<std::uint8_t>();
  const std::string_view place = reader.get_raw_string();
  const std::string_view address = reader.get_raw_string();
  if (!cdr::assign(profile.key, reader.get_octet_sequence())) reader.fail(errors::out_of_memory);
  if (profile.minor >= 1) ior::read_tagged(reader, profile.components);
  if (!reader.good()) return ior::profile_error(reader);
  if (major != 1 || place.size() > longest_place || !address.starts_with('@') || !is_name(address.substr(1)))
    return errors::bad_profile;
  if (!cdr::assign(profile.place, place) || !cdr::assign(profile.address, address))
    return errors::out_of_memory;
  return profile;
}

ior::TaggedProfile write_profile(const Profile& profile) noexcept {
  cdr::Encapsulation body;
  cdr::Writer& writer = body.content();
  writer.put(std::uint8_t{1});
  writer.put(profile.minor);
  writer.put_raw_string(profile.place);
  writer.put_raw_string(profile.address);
  writer.put_octet_sequence(profile.key);
  if (profile.minor >= 1) ior::write_tagged(writer, profile.components);
  return ior::tagged(profile_tag, body);
}

}  // namespace tenon::shmiop
