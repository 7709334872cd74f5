// SPDX-License-Identifier: Apache-2.0
#include "protocol/socket_properties.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/joined.hpp"

namespace tenon::protocol {
namespace {

constexpr std::uint32_t largest_dscp = 63;

void append(std::string& text, std::string_view name, std::uint32_t value) {
  if (!text.empty()) text += ',';
  text.append(name).append("=").append(decimal(value));
}

void append(std::string& text, std::string_view name, const std::optional<bool>& value) {
  if (value) append(text, name, std::uint32_t{*value});
}

/// nullopt: it is no number.
std::optional<std::uint32_t> number_of(std::string_view text) noexcept {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string text_of(const SocketProperties& properties) {
  std::string text;
  if (properties.buffers.send != 0) append(text, "send_buffer", properties.buffers.send);
  if (properties.buffers.receive != 0) append(text, "receive_buffer", properties.buffers.receive);
  append(text, "keep_alive", properties.keep_alive);
  append(text, "dont_route", properties.dont_route);
  append(text, "no_delay", properties.no_delay);
  if (properties.dscp) append(text, "dscp", std::uint32_t{*properties.dscp});
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
    if (name == "send_buffer") properties.buffers.send = *value;
    if (name == "receive_buffer") properties.buffers.receive = *value;
    if (name == "dscp" && *value <= largest_dscp) properties.dscp = static_cast<std::uint8_t>(*value);
    if (*value > 1) continue;
    if (name == "keep_alive") properties.keep_alive = *value == 1;
    if (name == "dont_route") properties.dont_route = *value == 1;
    if (name == "no_delay") properties.no_delay = *value == 1;
  }
  return properties;
}

}  // namespace tenon::protocol
