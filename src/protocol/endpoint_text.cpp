// SPDX-License-Identifier: Apache-2.0
#include "protocol/endpoint_text.hpp"

#include <charconv>

#include "base/joined.hpp"

namespace tenon::protocol {

bool read_endpoint(std::string_view text, std::initializer_list<std::string_view> prefixes, char delimiter,
                   std::string_view example, EndpointText& into, std::string& why) {
  std::string_view rest;
  for (const std::string_view prefix : prefixes) {
    if (text.starts_with(prefix)) rest = text.substr(prefix.size());
    if (text.starts_with(prefix)) break;
    if (prefix == *(prefixes.end() - 1)) {
      why = worded("endpoint '%': it does not begin with %; write for example %",
                   {text, *prefixes.begin(), example});
      return false;
    }
  }
  into.options.clear();
  into.address = rest.substr(0, rest.find(delimiter));
  if (into.address.size() == rest.size()) return true;
  rest.remove_prefix(into.address.size() + 1);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find_first_of(",&"));
    rest.remove_prefix(one.size() == rest.size() ? one.size() : one.size() + 1);
    const std::size_t equals = one.find('=');
    EndpointOption option{one.substr(0, equals), {}};
    if (equals != std::string_view::npos) option.value = one.substr(equals + 1);
    if (option.name.empty()) {
      why = endpoint_error(text, "an option has no name; options look like name=value,name=value");
      return false;
    }
    into.options.push_back(option);
  }
  return true;
}

std::string endpoint_error(std::string_view text, std::string_view what) {
  return worded("endpoint '%': %", {text, what});
}

std::string option_error(std::string_view text, const EndpointOption& option, std::string_view right) {
  return joined(
      {"endpoint '", text, "': option '", option.name, "' has the value '", option.value, "'; ", right});
}

std::optional<bool> read_switch(std::string_view value) noexcept {
  for (const std::string_view yes : {"", "yes", "true", "on", "1"}) {
    if (value == yes) return true;
  }
  for (const std::string_view no : {"no", "false", "off", "0"}) {
    if (value == no) return false;
  }
  return std::nullopt;
}

const char* read_backlog(const EndpointOption& option, int& into) noexcept {
  int value = 0;
  const char* const begin = option.value.data();
  const char* const end = begin + option.value.size();
  const auto [stop, code] = std::from_chars(begin, end, value);
  if (code != std::errc() || stop != end || value < 1) return "write a number of connections from 1 up";
  into = value;
  return nullptr;
}

}  // namespace tenon::protocol
