// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/endpoint.hpp"

#include "ior/named_address.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::inproc {
namespace {

constexpr std::string_view own_scheme = "inproc://";

}  // namespace

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why) {
  protocol::EndpointText parts;
  if (!protocol::read_endpoint(text, {own_scheme}, '|', "inproc://name", parts, why)) return std::nullopt;
  Endpoint endpoint;
  for (const protocol::EndpointOption& option : parts.options) {
    const char* const right = option.name == "backlog" ? protocol::read_backlog(option, endpoint.backlog)
                                                       : "inproc does not have this option; it has backlog";
    if (right == nullptr) continue;
    why = protocol::option_error(text, option, right);
    return std::nullopt;
  }
  if (!parts.address.empty() && !ior::is_name(parts.address)) {
    why = protocol::endpoint_error(
        text, "write a name of at most 100 letters, digits, '.', '_' and '-', for example inproc://name");
    return std::nullopt;
  }
  endpoint.name = parts.address;
  return endpoint;
}

}  // namespace tenon::inproc
