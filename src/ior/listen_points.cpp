// SPDX-License-Identifier: Apache-2.0
// Listen points of bidirectional IIOP. See listen_points.hpp.
#include "ior/listen_points.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::ior {

std::vector<std::uint8_t> make_listen_points(std::span<const IiopAddress> points) {
  cdr::Encapsulation body;
  cdr::Writer& writer = body.content();
  writer.put(static_cast<std::uint32_t>(points.size()));
  for (const IiopAddress& point : points) {
    writer.put_raw_string(point.host);
    writer.put(point.port);
  }
  return tagged(0, body).data;
}

Result<std::vector<IiopAddress>> parse_listen_points(ByteView data, std::size_t most) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  const auto count = reader.get<std::uint32_t>();
  std::vector<IiopAddress> points;
  for (std::uint32_t i = 0; i < count && points.size() < most && reader.good(); ++i) {
    std::string host;
    if (!read_host(reader, host)) reader.fail(errors::bad_profile);
    const auto port = reader.get<std::uint16_t>();
    if (reader.good()) points.push_back({std::move(host), port});
  }
  if (!reader.good()) return reader.error();
  return points;
}

}  // namespace tenon::ior
