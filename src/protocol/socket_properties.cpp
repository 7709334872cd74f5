// SPDX-License-Identifier: Apache-2.0
#include "protocol/socket_properties.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/joined.hpp"
#include "net/pacing.hpp"

namespace tenon::protocol {
namespace {

constexpr std::uint32_t largest_dscp = 63;

void append(std::string& text, std::string_view name, std::uint64_t value) {
  if (!text.empty()) text += ',';
  text.append(name).append("=").append(decimal(value));
}

void append(std::string& text, std::string_view name, const std::optional<bool>& value) {
  if (value) append(text, name, std::uint64_t{*value});
}

/// nullopt: it is no number.
std::optional<std::uint64_t> number_of(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void set_buffer(std::uint32_t& size, std::uint64_t value) noexcept {
  if (value <= UINT32_MAX) size = static_cast<std::uint32_t>(value);
}

}  // namespace

constinit const SocketPropertyFunctions socket_property_functions{.read = read_socket_properties,
                                                                  .set = set_socket_properties};

std::string text_of(const SocketProperties& properties) {
  std::string text;
  if (properties.buffers.send != 0) append(text, "send_buffer", properties.buffers.send);
  if (properties.buffers.receive != 0) append(text, "receive_buffer", properties.buffers.receive);
  append(text, "keep_alive", properties.keep_alive);
  append(text, "dont_route", properties.dont_route);
  append(text, "no_delay", properties.no_delay);
  if (properties.dscp) append(text, "dscp", std::uint64_t{*properties.dscp});
  if (properties.pacing) append(text, "pacing", *properties.pacing);
  return text;
}

SocketProperties read_socket_properties(std::string_view text) noexcept {
  SocketProperties properties;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view name = item.substr(0, equals);
    const auto value = number_of(item.substr(std::min(equals + 1, item.size())));
    if (!value) continue;
    if (name == "send_buffer") set_buffer(properties.buffers.send, *value);
    if (name == "receive_buffer") set_buffer(properties.buffers.receive, *value);
    if (name == "dscp" && *value <= largest_dscp) properties.dscp = static_cast<std::uint8_t>(*value);
    if (name == "pacing" && net::is_pacing(*value)) properties.pacing = value;
    if (*value > 1) continue;
    if (name == "keep_alive") properties.keep_alive = *value == 1;
    if (name == "dont_route") properties.dont_route = *value == 1;
    if (name == "no_delay") properties.no_delay = *value == 1;
  }
  return properties;
}

void set_socket_properties(int fd, const SocketProperties& properties) noexcept {
  if (properties.dont_route.value_or(false)) net::keep_off_routers(fd);
  if (properties.dscp) net::mark(fd, *properties.dscp);
  if (properties.pacing) net::pace(fd, *properties.pacing);
}

}  // namespace tenon::protocol
