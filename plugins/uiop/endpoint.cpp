// SPDX-License-Identifier: Apache-2.0
#include "plugins/uiop/endpoint.hpp"

#include <unistd.h>

#include <charconv>
#include <climits>
#include <memory>

#include "plugins/uiop/abandoned.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::uiop {
namespace {

std::string absolute(std::string_view path) {
  if (path.empty()) return fresh_path();
  if (path.front() == '/' || path.front() == '@') return std::string(path);
  char folder[PATH_MAX];
  if (::getcwd(folder, sizeof folder) == nullptr) return std::string(path);
  std::string result = folder;
  if (result.back() != '/') result += '/';
  return result.append(path);
}

bool read_mode(std::string_view digits, unsigned& into) {
  unsigned value = 0;
  const char* const end = std::to_address(digits.end());
  const auto [stop, code] = std::from_chars(std::to_address(digits.begin()), end, value, 8);
  if (code != std::errc() || stop != end || value < 1 || value > 0777) return false;
  into = value;
  return true;
}

/// Null, or what would be right.
const char* read_option(const protocol::EndpointOption& option, Endpoint& into) {
  if (option.name == "mode")
    return read_mode(option.value, into.options.mode)
               ? nullptr
               : "write permissions in octal digits, for example mode=0660";
  if (option.name == "backlog") return protocol::read_backlog(option, into.options.backlog);
  return "uiop does not have this option; it has mode and backlog";
}

}  // namespace

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why) {
  protocol::EndpointText parts;
  if (!protocol::read_endpoint(text, {"uiop://", omniorb_scheme}, '|', "uiop:///run/app.sock", parts, why)) {
    return std::nullopt;
  }
  Endpoint endpoint;
  for (const protocol::EndpointOption& option : parts.options) {
    if (const char* const right = read_option(option, endpoint)) {
      why = protocol::option_error(text, option, right);
      return std::nullopt;
    }
  }
  endpoint.as_omniorb = text.starts_with(omniorb_scheme);
  endpoint.fresh = parts.address.empty();
  endpoint.path = absolute(parts.address);
  return endpoint;
}

}  // namespace tenon::uiop
