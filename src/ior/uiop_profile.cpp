// SPDX-License-Identifier: Apache-2.0
// Profiles for Unix-domain sockets. See uiop_profile.hpp.
#include "ior/uiop_profile.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "ior/profile_error.hpp"

namespace tenon::ior {

Result<UiopProfile> parse_uiop_profile(ByteView data) noexcept {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  UiopProfile profile;
  const auto major = reader.get<std::uint8_t>();
  profile.minor = reader.get<std::uint8_t>();
  const std::string_view path = reader.get_raw_string();
  if (path.size() > longest_path) return errors::bad_profile;
  profile.path = path;
  if (!cdr::assign(profile.key, reader.get_octet_sequence())) reader.fail(errors::out_of_memory);
  if (profile.minor >= 1) read_tagged(reader, profile.components);
  if (!reader.good()) return profile_error(reader);
  if (major != 1) return errors::bad_profile;
  return profile;
}

TaggedProfile make_uiop_profile(const UiopProfile& profile) noexcept {
  cdr::Encapsulation body;
  cdr::Writer& writer = body.content();
  writer.put(std::uint8_t{1});
  writer.put(profile.minor);
  writer.put_raw_string(profile.path);
  writer.put_octet_sequence(profile.key);
  if (profile.minor >= 1) write_tagged(writer, profile.components);
  return tagged(tag_tao_uiop, body);
}

}  // namespace tenon::ior
