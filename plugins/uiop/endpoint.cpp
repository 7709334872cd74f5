// SPDX-License-Identifier: Apache-2.0
#include "plugins/uiop/endpoint.hpp"

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <memory>

#include "protocol/endpoint_text.hpp"

namespace tenon::uiop {
namespace {

/// A path that no other endpoint of this machine has now.
std::string fresh_path() {
  static std::atomic<unsigned> count{0};
  const char* const folder = std::getenv("TMPDIR");
  std::string path = folder != nullptr && *folder == '/' ? folder : "/tmp";
  path += "/tenon-uiop-" + std::to_string(::getpid()) + '-' + std::to_string(count.fetch_add(1));
  return path;
}

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

bool read_option(std::string_view text, const protocol::EndpointOption& option, Endpoint& into,
                 std::string& why) {
  if (option.name == "mode") {
    if (read_mode(option.value, into.options.mode)) return true;
    why = protocol::option_error(text, option, "write permissions in octal digits, for example mode=0660");
    return false;
  }
  if (option.name == "backlog") return protocol::read_backlog(text, option, into.options.backlog, why);
  why = protocol::option_error(text, option, "uiop does not have this option; it has mode and backlog");
  return false;
}

}  // namespace

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why) {
  protocol::EndpointText parts;
  if (!protocol::read_endpoint(text, {"uiop://", "giop:unix:"}, '|', "uiop:///run/app.sock", parts, why)) {
    return std::nullopt;
  }
  Endpoint endpoint;
  for (const protocol::EndpointOption& option : parts.options) {
    if (!read_option(text, option, endpoint, why)) return std::nullopt;
  }
  endpoint.fresh = parts.address.empty();
  endpoint.path = absolute(parts.address);
  return endpoint;
}

}  // namespace tenon::uiop
