// SPDX-License-Identifier: Apache-2.0
#include "ior/omniorb_unix.hpp"

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/uiop_profile.hpp"

namespace tenon::ior {

std::optional<OmniorbUnixAddress> read_omniorb_unix(const TaggedComponent& component) {
  if (component.tag != tag_omniorb_unix_trans) return std::nullopt;
  cdr::Reader reader = cdr::Reader::encapsulation(component.data);
  const std::string_view host = reader.get_raw_string();
  const std::string_view path = reader.get_raw_string();
  if (!reader.good() || host.size() > longest_host || path.size() > longest_path) return std::nullopt;
  return OmniorbUnixAddress{std::string(host), std::string(path)};
}

TaggedComponent omniorb_unix_component(std::string_view host, std::string_view path) noexcept {
  cdr::Encapsulation body;
  body.content().put_raw_string(host);
  body.content().put_raw_string(path);
  return tagged(tag_omniorb_unix_trans, body);
}

}  // namespace tenon::ior
