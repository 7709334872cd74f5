// SPDX-License-Identifier: Apache-2.0
// Profiles for Unix-domain sockets. See uiop_profile.hpp.
#include "ior/uiop_profile.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/components.hpp"

namespace tenon::ior {

Result<UiopProfile> parse_uiop_profile(ByteView data) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  UiopProfile profile;
  const auto major = reader.get<std::uint8_t>();
  profile.minor = reader.get<std::uint8_t>();
  profile.path = std::string(reader.get_raw_string());
  const ByteView key = reader.get_octet_sequence();
  profile.key.assign(key.begin(), key.end());
  if (profile.minor >= 1) read_components(reader, profile.components);
  if (!reader.good() || major != 1) return errors::bad_profile;
  return profile;
}

TaggedProfile make_uiop_profile(const UiopProfile& profile) {
  cdr::Encapsulation body;
  cdr::Writer& writer = body.content();
  writer.put(std::uint8_t{1});
  writer.put(profile.minor);
  writer.put_raw_string(profile.path);
  writer.put_octet_sequence(profile.key);
  if (profile.minor >= 1) write_components(writer, profile.components);
  const ByteView bytes = body.bytes();
  return {tag_tao_uiop, {bytes.begin(), bytes.end()}};
}

}  // namespace tenon::ior
