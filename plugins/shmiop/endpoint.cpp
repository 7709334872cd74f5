// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/endpoint.hpp"

#include <sys/random.h>
#include <unistd.h>

#include "base/joined.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::shmiop {
namespace {

/// A name that no other endpoint of this machine has, and that none can foresee.
std::string fresh_name() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) return {};
  return worded("@tenon-shmiop-%-%", {decimal(std::int64_t{::getpid()}), decimal_unsigned(number)});
}

constexpr std::string_view own_scheme = "shmiop://";

}  // namespace

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why) {
  protocol::EndpointText parts;
  if (!protocol::read_endpoint(text, {own_scheme}, '|', "shmiop://@name", parts, why)) return std::nullopt;
  Endpoint endpoint;
  for (const protocol::EndpointOption& option : parts.options) {
    const char* const right = option.name == "backlog"
                                  ? protocol::read_backlog(option, endpoint.options.backlog)
                                  : "shmiop does not have this option; it has backlog";
    if (right == nullptr) continue;
    why = protocol::option_error(text, option, right);
    return std::nullopt;
  }
  endpoint.fresh = parts.address.empty();
  if (endpoint.fresh) {
    endpoint.address = fresh_name();
    if (!endpoint.address.empty()) return endpoint;
    why =
        protocol::endpoint_error(text, "the system gives no random number for a name; write shmiop://@name");
    return std::nullopt;
  }
  if (parts.address.front() != '@' || !is_name(parts.address.substr(1))) {
    why = protocol::endpoint_error(
        text,
        "write '@' and a name of at most 100 letters, digits, '.', '_' and '-', for example shmiop://@name");
    return std::nullopt;
  }
  endpoint.address = parts.address;
  return endpoint;
}

}  // namespace tenon::shmiop
